"""Short forms that a judgment itself defines: 주식회사 한빛테크(이하 ‘한빛’이라 한다)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from thunder.identifiers import birth_date
from thunder.names import person_foreign
from thunder.names.chunks import is_unfamiliar, letters_of
from thunder.names.descriptors import lexicon
from thunder.names.evidence import score
from thunder.names.kinds import is_name, is_person
from thunder.names.latin_firms import FORM as LATIN_FORM
from thunder.names.legal_forms import FORM
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, table
from thunder.text import lazy
from thunder.text.spans import Span

SOURCE = "names:defined"

# Some judgments close with ‘, some open with ’ (’한빛‘), and some never close.
_OPENING, _CLOSING = "'\"‘“`「『<〈´’”", "'\"’”`」』>〉´‘“"
# What may stand before it in the same brackets and still speaks of the mention: 대표이사 홍길동,
# or a clause, not the thing that is named then (이를 위해 세운 회사, 이하 ‘나루’라 한다).
_OF_IT = (
    r"(?:(?:<told-of-a-firm>|[구현] |[A-Z])[^()\[\]\n]{0,40}"
    r"|[^()\[\]\n]{1,50}(?:다|[는은인]데|고|며|음|됨|함|[하되]여|면서))[,.;] ?"
)
_SAID = "이?라(?:고[만도]?)? ?<calls-it>"
# Lazily: a legal form joined to the mention is no noun (한빛주식회사).
_DEFINITION = expression(
    r"(?P<noun>[가-힣]{1,10}?(?: [가-힣]{2,10})?)??"
    rf"(?P<gap>[{_CLOSING}]?(?P<form> ?(?:{FORM})|[ ,.]{{1,2}}{LATIN_FORM})?"
    rf"(?: ?\([^()\n]{{1,40}}\))?) ?"
    rf"[(\[](?:{_OF_IT})?<hereafter>,? ?<simply>? ?"
    rf"(?:[{_OPENING}](?P<quoted>[^{_CLOSING}()\n]{{1,30}}?)(?:[{_CLOSING}]|(?={_SAID}[)\].,]|\)))"
    r"|(?P<bare>[^()\[\]\n'\"‘“’”,]{1,24}?)"
    rf"(?:[)\]]|{_SAID}))"
)
_FORM = expression(rf" ?(?:{FORM}) ?|[ ,]{{1,2}}{LATIN_FORM}")
_LONG_FORM = expression(
    r"(?<![A-Za-z&.'-])(?P<name>[A-Z][A-Za-z&.'-]*(?: [A-Z][A-Za-z0-9&.'-]*){1,6}) ?"
    rf"\(<hereafter>,? ?[{_OPENING}]\Z"
)
_TERM = expression(
    rf"[{_OPENING}]([^{_OPENING}{_CLOSING}()\n]{{1,30}})[{_CLOSING}](?:(?:,| ?<and>) ?)?"
)
_BEHIND_LAST = expression(rf"[가-힣]{{0,10}}(?: ?(?:{FORM}))?(?: ?\([^()\n]{{1,40}}\))? ?")
_LONGEST_LONG_FORM = 90
_SENTENCE_ENDS = lazy.compile(r"[다음함됨]\.|\n")
_LONGEST_LIST = 300  # code points of the names that brackets behind them define short ones for
_LEAST = 2
_FIRM = "불특정회사명"
_LONGEST_WORD = 12


def find(text: str, masked: Sequence[Span]) -> list[Span]:
    """Return the short names that *text* defines for what is *masked*.

    The definition stands in brackets right after a mention. A role (‘피고 회사’), a thing
    (‘이 사건 아파트’) and a word of ``taxonomy/cues/defined_words.tsv`` name nobody; a role or
    이 사건 before a name stays readable. A person's short name has to be a part of the name, and
    one after a noun joined to the mention (범도|노인요양시설) a part of both, or to begin like it,
    but for a firm's that its legal form shows to be one (주식회사 범도|연구소). Latin words that a
    masked short name is defined for are found, too, and the short names of a list (``in_turn``).
    """
    found = [short for _, short in in_turn(text, masked)]
    for span in masked:
        if is_name(span.label) and (match := _DEFINITION.match(text, span.end)):
            place = _place(text, span, match)
            if place is not None:
                found.append(
                    Span(place.start, place.stop, span.label, score("defined for short"), SOURCE)
                )
        if is_name(span.label) and not is_person(span.label):
            found += _long_form(text, span)
    return found


def in_turn(text: str, masked: Sequence[Span]) -> Iterator[tuple[Span, Span]]:
    """Yield names of a list, each with the short name that the brackets behind the list define.

    한빛테크, 나루상사(이하 차례로 ‘한빛’, ‘나루’라 한다). It is that of the one name of which it is
    a part; of none, of the thing in its place, where the brackets stand right behind the last one
    and the names are as many as the terms, or as those that name somebody (‘원고’ does not).
    *masked* is sorted. Time is linear.
    """
    for listed in _lists(text):
        whole = _names_of(text, masked, listed)
        names = list(whole)
        if len(names) < _LEAST:
            continue
        terms = [(term, _name(term[1], "", _FIRM, "")) for term in listed.terms]
        if len(names) != len(terms):
            terms = [(term, place) for term, place in terms if place]
        is_beside = _BEHIND_LAST.fullmatch(text, whole[names[-1]].end, listed.opening)
        in_order = names if is_beside and len(names) == len(terms) else [""] * len(terms)
        for (term, place), its in zip(terms, in_order, strict=True):
            if place and (name := _shortened(term[1][place.start : place.stop], whole, its)):
                one, start = whole[name], term.start(1) + place.start
                known = text[one.start : one.end]
                end = start + len(known)  # ‘한빛증권’ of 한빛|투자증권
                if not text.startswith(known, start):
                    end = term.start(1) + place.stop
                yield one, Span(start, end, one.label, score("defined for short"), SOURCE)


def _names_of(text: str, masked: Sequence[Span], listed: "_List") -> dict[str, Span]:
    """Return the names of a list by their letters, in order: those of *masked*, which is sorted."""
    found: dict[str, Span] = {}
    first = bisect_left(masked, listed.first, key=lambda span: span.start)
    last = bisect_left(masked, listed.opening, key=lambda span: span.start)
    for span in masked[first:last]:
        if is_name(span.label):
            found.setdefault(letters_of(text[span.start : span.end]), span)
    return found


def _shortened(term: str, whole: Mapping[str, Span], its: str) -> str:
    """Return which of the names *term* is short for, "" for none: *its* is the one in its place."""
    short = letters_of(term)
    fitting = [name for name, span in whole.items() if _is_short_for(short, name, span)]
    if not fitting and its and not is_person(whole[its].label):
        return its
    return fitting[0] if len(fitting) == 1 else ""


def _is_short_for(short: str, name: str, of: Span) -> bool:
    """Return whether *short* is the mention *of* with its noun, or a part of its *name*."""
    if short.startswith(name):
        return True
    return _is_part(short, name) and (short[:1] == name[:1] or is_person(of.label))


class _List(NamedTuple):
    """Terms in brackets, the first of which are *opening*, and where the names begin before it."""

    first: int
    opening: int
    terms: Sequence[re.Match[str]]


@lru_cache(maxsize=4)
def _lists(text: str) -> Sequence[_List]:
    """Return where brackets define two short names or more in *text*."""
    found = []
    for match in sign("defined-in-turn").all(text):
        terms, at = [], match.end()
        while term := _TERM.match(text, at):
            terms.append(term)
            at = term.end()
        opening = text.rfind("(", max(0, match.start() - _LONGEST_LIST), match.start())
        if len(terms) >= _LEAST and opening >= 0 and ")" not in text[opening : match.start()]:
            least = max(0, opening - _LONGEST_LIST)
            ends = [end.end() for end in _SENTENCE_ENDS.finditer(text, least, opening)]
            found.append(_List(max(ends, default=least), opening, terms))
    return found


def told_in_brackets(text: str, masked: Sequence[Span]) -> list[Span]:
    """Return further mentions that *masked* ones vouch for; they may overlap others.

    주식회사 한빛테크(이하 ‘한빛’이라 한다), 이케다 에리(IKEDA ERI), 홍길동(1967. 2. 10.). The same
    brackets after what stays readable say nothing that has to be masked.
    """
    persons = [span for span in masked if is_person(span.label)]
    return [
        *find(text, masked),
        *person_foreign.other_forms(text, persons),
        *birth_date.after_names(text, (span.end for span in persons)),
    ]


def plain_terms(text: str) -> frozenset[str]:
    """Return the words that *text* defines for short and that name nobody: 이하 ‘신사옥’이라 한다.

    Whatever they are short for, they are words wherever they stand. No word of which the long
    name is made, 광산조합(이하 ‘광산’), nor one that stands beside a legal form, 신대주 주식회사.
    """
    found: set[str] = set()
    for match in sign("defined-term").all(text):
        words = match["X"].split()
        is_plain = all(map(sign("plain-term").fits, words))
        if is_plain and not _begins_long_name(text, match.start(), match["X"]):
            found.update(words[-1:])
    return frozenset(
        word for word in found if len(word) > _LEAST and not stands_beside_form(text, word)
    )


def stands_beside_form(text: str, word: str) -> bool:
    """Return whether *word* stands beside a legal form anywhere in *text*: 주식회사 KK."""
    return any(
        is_beside_form(text, match.start(), match.end())
        for match in re.finditer(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text)
    )


def is_beside_form(text: str, start: int, end: int) -> bool:
    """Return whether a legal form stands right before or behind the stretch."""
    return sign("behind-its-form").at(text, start) or _FORM.match(text, end) is not None


def _begins_long_name(text: str, at: int, term: str) -> bool:
    """Return whether what stands before the brackets at *at* begins with *term*, or is it."""
    least = max(0, at - _LONGEST_LONG_FORM)
    opening = max(text.rfind("(", least, at), text.rfind("[", least, at))
    before = sign("words-before-brackets").match(text, max(0, opening))
    words = _FORM.sub(" ", before["W"]).split() if before else []
    short = term.replace(" ", "")
    return any("".join(words[first:]).startswith(short) for first in range(len(words)))


def _place(text: str, span: Span, match: re.Match[str]) -> range | None:
    """Return where the name stands that *match* defines for *span*; None: nowhere."""
    group = "quoted" if match["quoted"] else "bare"
    first, term, noun = match.start(group), match[group], match["noun"] or ""
    known = text[span.start : span.end]
    is_firm = match["form"] or sign("behind-its-form").at(text, span.start)
    label = _FIRM if is_firm else span.label
    if is_person(label) and term.startswith("이 사건"):
        return None  # a thing after all: 서한문(이하 ‘이 사건 서한문’)
    place = _name(term, known, label, noun)
    if place is None and is_firm and noun in lexicon().nouns:
        # Whatever 주식회사 나리|연구소 is called for short.
        place = _without(noun, term, _name(term, known, label, ""))
    return range(first + place.start, first + place.stop) if place else None


def _long_form(text: str, short: Span) -> Iterator[Span]:
    """Yield the Latin words that *short* is defined for: Narae Gate Securities(이하 ‘NGS’)."""
    match = _LONG_FORM.search(text, max(0, short.start - _LONGEST_LONG_FORM), short.start)
    if match:
        yield Span(*match.span("name"), short.label, score("defined for short"), SOURCE)


def _without(noun: str, term: str, place: range | None) -> range | None:
    """Return *place* in *term* without *noun* at its end (마루|은행); None for a plain word."""
    if place is None:
        return None
    start, stop = place.start, place.stop
    if term[start:stop].endswith(noun) and stop - len(noun) - start >= _LEAST:
        stop -= len(noun)
    return range(start, stop) if is_unfamiliar(term[start:stop]) else None  # 야구|협회


def _name(term: str, known: str, label: str, noun: str) -> range | None:
    """Return where in *term* its name stands, without role words and legal forms; None: nowhere.

    *noun* stands between the mention *known* and the brackets, "" if none does.
    """
    words = [(match.start(), match[0]) for match in re.finditer(r"\S+", _without_form(term))]
    while words and _is_generic(words[0][1]):
        del words[0]
    faculty = noun.rpartition(" ")[2] if " " in noun else ""
    while words and (
        _is_generic(words[-1][1])
        or (faculty[:1] == words[-1][1][0] and _is_part(words[-1][1], faculty))
    ):
        del words[-1]
    if not words:
        return None
    start, end = words[0][0], words[-1][0] + len(words[-1][1])
    name = term[start:end]
    if noun and name.startswith(known) and _is_generic(name[len(known) :].strip()):
        return range(start, start + len(known))  # ‘한빛빌딩’ of 한빛|오피스빌딩
    short, whole = letters_of(name), letters_of(_without_form(known))
    is_word_of_it = is_person(label) and name in known.split()[1:]  # 란, of 레 티 란
    if (len(short) < _LEAST and not is_word_of_it) or (
        noun and not _is_drawn_from(short, whole, noun)
    ):
        return None
    if is_person(label) and not noun and not _is_part(short, letters_of(known)):
        return None
    return range(start, end)


def _without_form(term: str) -> str:
    """Return *term* with spaces for its legal form: every place stays where it is."""
    return _FORM.sub(lambda match: " " * len(match[0]), term)


def _is_part(short: str, whole: str) -> bool:
    """Return whether the letters of *short* stand in *whole*, in that order: 실반사, 실로반사."""
    rest = iter(whole)
    return all(letter in rest for letter in short)


def _is_drawn_from(short: str, whole: str, noun: str) -> bool:
    """Return whether *short* begins like *whole* (범도원), or is letters of it and its *noun*."""
    if len(whole) >= _LEAST and short[:_LEAST] == whole[:_LEAST]:
        return True
    return short[:1] == whole[:1] and _is_part(short, whole + letters_of(noun))


@lru_cache(maxsize=1 << 14)
def _is_generic(word: str) -> bool:
    """Return whether *word* is made of words that name nobody: 피고회사, 신축건물, 제1부동산들.

    At least one of them is more than a syllable: 신도 is not 신 and 도.
    """
    if sign("numbered-word").fits(word) or word in _plain():
        return True
    if word.isascii():
        return False  # N2R is not N2 and R
    ends = {0: False}  # of what is made so far, and whether a longer word is in it
    for at in range(len(word)):
        if at in ends:
            for end in range(at + 1, min(len(word), at + _LONGEST_WORD) + 1):
                part = word[at:end]
                if part in _plain() or sign("numbered-word").fits(part):
                    ends[end] = ends.get(end, False) or ends[at] or len(part) > 1
    return ends.get(len(word), False)


@lru_cache(maxsize=1)
def _plain() -> frozenset[str]:
    return _defined_words() | lexicon().nouns.keys()


@lru_cache(maxsize=1)
def _defined_words() -> frozenset[str]:
    rows = table("defined_words")
    return frozenset(word for _, words in rows for word in words.split())
