"""Names beside a legal form: 주식회사 한빛테크, 한빛테크(주), 의료법인 나리의료재단."""

import re
from collections.abc import Iterator
from dataclasses import replace

from thunder.names.chunks import (
    CLOSING,
    OPENING,
    Chunk,
    digits_run_in,
    is_inflected,
    is_placeholder,
    is_unfamiliar,
    name_length,
    word_after,
    word_before,
)
from thunder.names.descriptors import UNKNOWN, lexicon, read
from thunder.names.evidence import WITH_FORM, score
from thunder.names.latin_firms import FORM as LATIN_FORM
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.taxonomy.lexicon import expression, legal_forms, words_of
from thunder.text.spans import Span

FORM = "<legal-form>"
LEGAL_FORM = expression(FORM)
# Foreign forms in Hangul. The first end firms only, the rest are syllables of other words, too.
_FOREIGN = expression(
    "(?:<foreign-form>|(?<=[ ,])<foreign-form-apart>)"
    "(?=<tail>?(?![가-힣A-Za-z0-9]))(?! ?(?:<edition>|<legal-form>))",
    needs=("<foreign-form>", "<foreign-form-apart>"),
)
_IN_LATIN = expression(
    r" ?\( ?([A-Z][A-Za-z0-9&.'-]*(?: [A-Za-z0-9&.'-]+){0,7}?)"
    rf"(?:,? {LATIN_FORM},?)*\)"
)
_MOST_WORDS = 4
_LONGEST_QUOTE = 20


def find(text: str) -> Iterator[Span]:
    """Yield the names beside a legal form; the form stays outside.

    The form may stand before or after ("운영하는 주식회사 한빛", "한빛 주식회사 대표이사"), a
    foreign one only after. A court's letters and circles (주식회사 A, ○○ 주식회사) are no names.
    """
    for form in LEGAL_FORM.finditer(text):
        if sign("masked-firm").at(text, form.start()):
            continue  # its name is gone already
        label = legal_forms()[form[0].replace(" ", "")]
        span = _before(text, form, label) or _after(text, form, label)
        if span:
            yield span
    for form in _FOREIGN.finditer(text):
        yield from _foreign(text, form)


def _foreign(text: str, form: re.Match[str]) -> Iterator[Span]:
    """Yield the name before a foreign form, and in brackets: 나레코, 엘엘씨(Nareko, LLC)."""
    name = _foreign_name(text, form.start())
    if name is None:
        return
    is_firm = form[0] in words_of("foreign-form-sure")
    if not (is_firm or any(map(is_unfamiliar, name.text.split()))):
        return
    inside = form[0] in words_of("form-in-a-name")
    label = UNKNOWN if inside else "국외기업"
    yield Span(
        name.start, form.end() if inside else name.end, label, score("beside a foreign form")
    )
    latin = _IN_LATIN.match(text, form.end())
    if latin:
        yield Span(*latin.span(1), label, score("beside a foreign form"))


def _foreign_name(text: str, at: int) -> Chunk | None:
    """Return the one to four words before the form at *at*, a comma and a space left out."""
    end = at - (text[at - 1 : at] == " ")
    end -= text[end - 1 : end] == ","
    start, words = end, 0
    while words < _MOST_WORDS:
        word = word_before(text, start - 1 if words else start)
        if word is None or (words and text[start - 1] != " ") or not _may_be_foreign(word.text):
            break
        start, words = word.start, words + 1
    name = text[start:end]
    return Chunk(start, end, name) if len(name) > 1 else None


def _may_be_foreign(word: str) -> bool:
    """Return whether *word* may be part of a firm's name: no role, no word of the sentence."""
    if word == "더":  # The
        return True
    return not (_names_nothing(word) or role_group(word) or LEGAL_FORM.search(word))


def _before(text: str, form: re.Match[str], label: str) -> Span | None:
    """Return the name the form follows: "한빛테크 주식회사", "한빛테크(주)"."""
    at = form.start()
    while at and form.start() - at < 2 and text[at - 1] in " " + CLOSING:
        at -= 1
    word = word_before(text, at)
    if word is None or LEGAL_FORM.search(word.text):
        return None
    name = word.text.rpartition(".")[2]
    name = name[digits_run_in(name) :]
    if len(name) < 2 or name in words_of("firm-sort") or _names_nothing(name):
        return None
    start = at - len(name)
    if name in words_of("form-in-a-name"):  # 새벽 코퍼레이션 주식회사
        more = _foreign_name(text, start)
        start = more.start if more else start
    return _named(text, start, at, label)


def _names_nothing(word: str) -> bool:
    """Return whether *word* before a legal form belongs to the sentence, not to the company."""
    if sign("firm-with-a-possessive").fits(word):
        return False
    if is_placeholder(word) or word in lexicon().apart or is_inflected(word):
        return True
    return sign("of-the-sentence").fits(word) or sign("no-firm").fits(word)


def _after(text: str, form: re.Match[str], label: str) -> Span | None:
    """Return the name that follows the form, its particle and its generic noun left out."""
    start = _opening(text, form.end())
    word = word_after(text, start)
    if word is None or LEGAL_FORM.match(text, start):
        return None
    start += digits_run_in(word.text)
    name = text[start : word.end]
    alone = sign("name-ends-here").at(text, word.end) and name[-1] != "의"
    end = word.end if alone else start + name_length(text, name)
    if sign("no-firm").fits(name) or is_placeholder(text[start:end]):
        return None
    if start == form.end() and form[0][-1] not in "㈜)":
        return _glued(text, start, end, label)
    quoted = any(char in OPENING for char in text[max(0, form.start() - 1) : start])
    span = _named(text, start, _with_more_words(text, start, end, quoted=quoted), label)
    is_whole = span is not None and quoted and text[span.end : span.end + 1] in tuple(CLOSING)
    return (
        replace(span, score=score("quoted with its legal form"))
        if span is not None and is_whole
        else span
    )


def _opening(text: str, at: int) -> int:
    """Return where a name after the form at *at* begins: past (유한), a space and a quote."""
    liability = sign("liability-behind").match(text, at)
    at = liability.end() if liability else at
    at += text[at : at + 1] == " "
    return at + (text[at : at + 1] in tuple(OPENING))


def _glued(text: str, start: int, end: int, label: str) -> Span | None:
    """Return the name written against its form without a space (주식회사한빛테크)."""
    if end - start < 3 or text[start] in words_of("no-beginning"):
        return None
    return _named(text, start, end, label)


def _with_more_words(text: str, start: int, end: int, *, quoted: bool) -> int:
    """Return where a name of several words ends: "주식회사 한빛 코리아", ‘주식회사 새벽 별’."""
    if quoted:
        stop = min(len(text), end + _LONGEST_QUOTE)
        close = next((at for at in range(end, stop) if text[at] in CLOSING + "\n"), None)
        if close is not None and text[close] != "\n" and len(text[start:close].split()) <= 4:
            return close
    second = sign("second-word-of-a-firm").match(text, end)
    return second.end() if second else end


def _named(text: str, start: int, end: int, label: str) -> Span | None:
    """Return the span without a generic noun at its end ("주식회사 [나리]호텔")."""
    name = text[start:end]
    if len(name) < 2 or name in lexicon().never:
        return None
    last = name.rpartition(" ")[2]
    reading = read(last)
    if reading is None or reading.descriptor.inside or reading.noun_end < len(last):
        return Span(start, end, label, score(WITH_FORM))
    distinctive = name[: len(name) - len(last) + reading.noun_start].rstrip()
    if not distinctive:
        return None
    whole = len(distinctive) < 2
    return Span(start, end if whole else start + len(distinctive), label, score(WITH_FORM))
