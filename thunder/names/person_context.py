"""What stands before and after a word that may be a name, as keys of the table of cues."""

import re
from collections.abc import Sequence
from functools import lru_cache

from thunder.names.chunks import HANGUL, hangul_before
from thunder.names.patterns.signs import sign
from thunder.names.person_tails import title_of
from thunder.taxonomy.lexicon import expression, table

_BRACKETS = {
    "says-a-person": "person",
    "says-the-script": "script",
    "says-hereafter": "hereafter",
    "says-a-role": "role",
}
PARTY = "party"
"""The group of the roles of those whose case it is, and of who is heard in it."""

COMPANY = expression(r"\b<firm-in-english>\b", re.IGNORECASE)
_NOT_IN_HEADINGS = str.maketrans("", "", " \t[]【】()<>〔〕「」『』:|○●◎◇■□▶-*.·0123456789ㆍ")
_QUOTES = dict.fromkeys("‘’'`", "'") | dict.fromkeys('“”"', '"') | dict.fromkeys("·ㆍ・", "·")
_HEADING_REACH = 28
_LONGEST_BEFORE = 10


def before(text: str, start: int) -> tuple[Sequence[str], str]:
    """Return the keys of what stands before *start*, and the group of the role named there.

    The group is "" where no role word (피해자, 원고, 대표이사 …) stands directly before.
    """
    at = start
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    if at and "가" <= text[at - 1] <= "힣" and at < start:
        word = _last_word(text, at)
        group = role_group(word)
        if not group and len(word) == 1:
            word, group = _spaced_heading(text, start) or (word, group)
        return _keys_before(word, group), group
    mark = _mark(text[at - 1 : at]) + ("_" if at < start and at else "")
    heading = _spaced_heading(text, start) if mark[:1] in ":]】)|>" else None
    if heading:
        keys = [f"before word {heading[0]}", f"before group {heading[1]}", "before heading"]
        return keys, heading[1]
    keys = [f"before mark {mark}"]
    if mark in (")_", ")"):
        opening = text.rfind("(", max(0, at - 24), at)
        word = hangul_before(text, opening, _LONGEST_BEFORE) if opening > 0 else ""
        if word:
            group = role_group(word)
            keys.append(f"before bracketed {group or 'other'}")
    return keys, ""


@lru_cache(maxsize=1 << 14)
def _keys_before(word: str, group: str) -> tuple[str, ...]:
    keys = (f"before word {word}", f"before end {word[-1]}", f"before end {word[-2:]}")
    return (*keys, f"before group {group}") if group else keys


@lru_cache(maxsize=1 << 14)
def _keys_after(form: str, word: str) -> tuple[str, ...]:
    keys = (f"{form} {word}", f"{form} {word[:2]}…")
    return (*keys, f"{form} title") if title_of(word) else keys


def _last_word(text: str, end: int) -> str:
    """Return the run of Hangul that ends at *end*, at most its last ten syllables."""
    return hangul_before(text, end, _LONGEST_BEFORE) or text[end - 1]


def after(text: str, end: int, *, tailed: bool) -> tuple[Sequence[str], bool]:
    """Return the keys of what follows *end*, and whether it says that a person stands before.

    ``tailed``: the name has its particle already. '(여, 46세)', '(가명)', '(洪吉東)' and the like
    say so of a bare name.
    """
    form = "then" if tailed else "next"
    following = text[end : end + 1]
    at = end + 1 if following == " " else end
    if text.startswith("(", at):
        kind = _bracket(text, at)
        return [f"{form} ({kind}"], kind in ("person", "script") and not tailed
    if following == " ":
        match = HANGUL.match(text, at, at + 9)
        if match:
            keys = _keys_after(form, match[0])
            if tailed and sign("called-one").at(text, max(0, end - 3)):
                keys = (*keys, "called")
            return keys, False
        return [f"{form} mark {_mark(text[at : at + 1])}_"], False
    return [f"{form} mark {_mark(following)}"], False


def says_person(text: str, at: int, *, of_latin: bool = False) -> bool:
    """Return whether a bracket at *at* says that a person stands before: '(여, 46세)', '(가명)'.

    Of a Hangul word its Hanja or Latin form says so as well; ``of_latin`` leaves that out.
    """
    if text[at : at + 1] == " ":
        at += 1
    if not text.startswith("(", at):
        return False
    return _bracket(text, at) in (("person",) if of_latin else ("person", "script"))


def _bracket(text: str, at: int) -> str:
    """Return the kind of the bracket that opens at *at*, or ""."""
    kind = next((kind for one, kind in _BRACKETS.items() if sign(one).at(text, at)), "")
    if not kind and sign("latin-in-brackets").at(text, at):
        kind = "script"
    is_firm = kind == "script" and COMPANY.search(text, at, text.find(")", at, at + 80) + 1)
    return "" if is_firm else kind


@lru_cache(maxsize=1 << 16)
def role_group(word: str) -> str:
    """Return the group of the role *word* names, also as '지인인', '처인'; "" for no role."""
    known = roles()
    group = known.get(word, "")
    if not group and len(word) > 1 and word[-1] in "인들":
        group = known.get(word[:-1], "")
    return group


def may_begin_with_role(run: str) -> bool:
    """Return whether any role word begins as *run* does: what does not begins with none."""
    return run[:2] in _beginnings_of_roles() or run[:1] in _beginnings_of_roles()


@lru_cache(maxsize=1)
def _beginnings_of_roles() -> frozenset[str]:
    return frozenset(word[:2] for word in roles())


@lru_cache(maxsize=1)
def roles() -> dict[str, str]:
    """Return the role words that stand before names, each with its group."""
    return dict(table("person_roles"))


def _spaced_heading(text: str, start: int) -> tuple[str, str] | None:
    """Return the role a heading before *start* names, and its group ('【피 고 인】 ')."""
    begin = max(0, start - _HEADING_REACH)
    begin = max(begin, text.rfind("\n", begin, start) + 1)
    if begin and text[begin - 1] != "\n":
        return None
    begin = max(begin, *(text.rfind(mark, begin, start) + 1 for mark in ",、·/"))
    heading = text[begin:start].translate(_NOT_IN_HEADINGS)
    group = roles().get(heading)
    return (heading, group) if group else None


def _mark(char: str) -> str:
    if not char or char in "\r\n":
        return "¶"
    if "0" <= char <= "9":
        return "0"
    if char.isascii() and char.isalpha():
        return "A"
    if "\u3400" <= char <= "\u9fff":
        return "漢"
    return _QUOTES.get(char, char)
