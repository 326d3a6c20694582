"""Capital letters in the place of a name: A, AB, RA, B1, 김A, 甲; and letters that are none."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_letters

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, words_of
from thunder.training_data.placeholders.cues import after, before
from thunder.training_data.placeholders.record import Mark, begins_line, labels, surnames

_LETTER = (
    r"(?<![A-Za-z0-9₀-₉&＆@/#_+^=.:-])(?P<surname>(?<![가-힣])<masked-surname>)?"
    r"(?P<code>[A-Z](?=(?:PC|DVD|LPG|IT|VIP)[가-힣])|(?:[A-Z]{1,3}[0-9]{0,2}|[Ⓐ-Ⓩ]|"
    r"[甲乙丙丁戊己庚辛壬癸])"
    r"(?![A-Za-z0-9₀-₉&＆@#_+^=%²³℃°]|[/:-][A-Za-z0-9]|\.[A-Za-z0-9]|\([a-z]))"
)
_LATIN = frozenset(ascii_letters)
_FORMULA = frozenset("=×÷≤≥<>+*∑√±∽≒")
_STRONG = 4.0
_LETTERED = 0.34
_MANY = 15  # single letters in use: a court that needs more goes on with AA, AB


def find(text: str, *, strict: bool = False) -> Iterator[Mark]:
    """Yield the letters of *text* that stand for a name.

    A letter is a placeholder where somewhere it stands as only a name does (피해자 A, A
    주식회사); where the court masks with letters throughout, every other single letter is one
    too, and of pairs those that go on a row (Z, AA, AB; RA, RB). *strict* leaves these out.
    """
    seen = [mark for match in expression(_LETTER).finditer(text) if (mark := _mark(text, match))]
    seen = _without_classes(text, seen)
    if strict:  # ALPG is a part of the invention, not A with its gas
        seen = [mark for mark in seen if text[mark.end : mark.end + 1] not in _LATIN]
    if not seen:
        return
    named = _named(text, seen)
    singles = list(dict.fromkeys(mark.entity for mark in seen if len(mark.entity) == 1))
    lettered = not strict and _is_lettered(singles, named)
    rows = _rows(
        {mark.entity for mark in seen}, named, many=len(singles) >= _MANY, lettered=lettered
    )
    for mark in seen:
        code = mark.entity
        single = len(code.lstrip(surnames())) == 1 and (lettered or code in named)
        if (
            single
            or code in rows
            or (lettered and code in named and code not in words_of("latin-word"))
        ):
            yield mark


def _mark(text: str, match: re.Match[str]) -> Mark | None:
    """Return the letter as a mark unless it is a kind, a formula or a list's letter."""
    start, end = match.span()
    if match["surname"] and match["code"] in words_of("latin-word"):
        return None
    if sign("kind-behind-a-letter").at(text, end) or _is_formula(text, start, end):
        return None
    if sign("kind-before-a-letter").at(text, start) or _is_list_letter(text, start, end):
        return None
    return Mark(start, end, "letter", text[start:end])


def _without_classes(text: str, seen: Sequence[Mark]) -> list[Mark]:
    """Return the marks without the letters of a classification: A그룹, B그룹, C그룹.

    Letters are that where two or more of them stand before one noun of classes.
    """
    nouns = {
        mark: match["N"]
        for mark in seen
        if (match := sign("class-behind-a-letter").match(text, mark.end))
    }
    letters: dict[str, set[str]] = defaultdict(set)
    for mark, noun in nouns.items():
        letters[noun].add(mark.entity)
    return [mark for mark in seen if len(letters[nouns.get(mark, "")]) < _CLASSES]


_CLASSES = 2


def _is_formula(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 2) : start] + " " + text[end : end + 2]
    return not _FORMULA.isdisjoint(around)


def _is_list_letter(text: str, start: int, end: int) -> bool:
    return text[end : end + 2] in (". ", ") ") and begins_line(text, start)


def _named(text: str, seen: Sequence[Mark]) -> frozenset[str]:
    """Return the codes that stand as only a name does at one of their places or more."""
    strength: dict[str, float] = defaultdict(float)
    for mark in seen:
        votes = [*before(text, mark.start), *after(text, mark.end)]
        of_names = [vote.weight for vote in votes if vote.label not in labels("thing")]
        strength[mark.entity] = max(strength[mark.entity], *of_names, 0.0)
    return frozenset(code for code, best in strength.items() if best >= _STRONG)


def _is_lettered(singles: Sequence[str], named: frozenset[str]) -> bool:
    """Return whether the court masks with letters.

    A third of the single letters stand as names do, or some do and all come in the order of the
    alphabet, as courts give them out.
    """
    sure = sum(letter in named for letter in singles)
    if not sure:
        return False
    if sure >= _LETTERED * len(singles):
        return True
    steps = [ord(then) - ord(first) for first, then in pairwise(singles)]
    return sum(step in (1, 2) for step in steps) >= 0.6 * len(steps)


_FIRST_ROWS = "ABR"  # rows that courts and annotators begin


def _rows(codes: set[str], named: frozenset[str], *, many: bool, lettered: bool) -> frozenset[str]:
    """Return the pairs and numbered letters that are part of a row: AA AB, RA RB, V1 V2."""
    rows: set[str] = set()
    by_first: Mapping[str, set[str]] = defaultdict(set)
    for code in codes:
        if len(code) == 2 and code.isascii() and code[0].isupper():
            by_first[code[0]].add(code[1])
    for first, lasts in by_first.items():
        for run in _runs(sorted(lasts)):
            found = {first + last for last in run}
            begins = run[0] == "A" and (len(run) > 1 or many or lettered or bool(found & named))
            if not begins or first + "A" in words_of("latin-word"):
                begins = bool(found & named) and len(run) > (1 if first in _FIRST_ROWS else 2)
            if begins or (many and first == "A"):
                rows |= found
    return frozenset(rows)


def _runs(lasts: Sequence[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for last in lasts:
        if run and ord(last) != ord(run[-1]) + 1:
            yield run
            run = []
        run.append(last)
    if run:
        yield run
