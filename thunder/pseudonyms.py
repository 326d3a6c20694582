"""The court rule's letters and numbered omissions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from thunder.spans import Span

_LONE_LETTERS = re.compile(r"(?<![A-Za-zＡ-Ｚａ-ｚ])[A-ZＡ-Ｚ]{1,3}(?![A-Za-zＡ-Ｚａ-ｚ])")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_MISSING = 3
_HALF_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF21, 0xFF3B)})
_OMITTED = re.compile(r"(?<![가-힣])(?P<name>[가-힣]{1,12}) ?(?P<number>[0-9]{1,6}) ?생략")
_BRACKETS = re.compile(r"[(（\[［][^()（）\[\]［］\n]{0,40}$")
_CLOSING = re.compile(r"[^()（）\[\]［］\n]{0,40}[)）\]］]")


@dataclass(frozen=True, slots=True)
class Masked:
    """A span to be replaced, whose entity it is, and how: by a letter or a named omission."""

    span: Span
    entity: int
    omission: str = ""


def letters(*, used: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield A, B … Z, AA, AB … AZ, BA … ZZ, AAA … without end, less those in *used*."""
    number = 0
    while True:
        number += 1
        name, rest = "", number
        while rest:
            rest, letter = divmod(rest - 1, 26)
            name = chr(ord("A") + letter) + name
        if name not in used:
            yield name


def letters_in(text: str) -> frozenset[str]:
    """Return the capital letters (up to three) that stand alone in *text*, full-width ones too.

    'B형 간염', 'LG', '증인 A': a reader would take our B for that one, so it is not given out. Of
    two side by side (BC, where A stands elsewhere) it is each.
    """
    found = frozenset(m[0].translate(_HALF_WIDTH) for m in _LONE_LETTERS.finditer(text))
    return found.union(*_side_by_side(found))


def given_out(codes: frozenset[str]) -> frozenset[str]:
    """Return those of *codes* that a series of letters from A on comes to, a few may be missing.

    AA after X, Y and Z, and BC after A, where B and C stand side by side; KT after some 300.
    """
    single = _side_by_side(codes)
    present = frozenset(codes).union(*single)
    reached: set[str] = set()
    missing = 0
    for code in letters():
        missing = 0 if code in present else missing + 1
        if missing > _MOST_MISSING:
            break
        reached.add(code)
    return frozenset(code for code in codes if code in reached or code in single)


def _side_by_side(codes: frozenset[str]) -> frozenset[str]:
    """Return those of *codes* that are letters of a row where it has a gap: A, BC, D; AB, C."""
    return frozenset(
        code
        for code in codes
        if len(code) > 1 and code in _ALPHABET and codes.isdisjoint(code) and _fills(code, codes)
    )


def _fills(gap: str, codes: frozenset[str]) -> bool:
    """Return whether all letters before *gap* are there, the next one where there are none."""
    at = _ALPHABET.index(gap)
    return codes.issuperset(_ALPHABET[:at] or _ALPHABET[len(gap)])


def assign(text: str, masked: Sequence[Masked]) -> list[str]:
    """Return the replacement of each of *masked*, given in order of the text.

    One series of letters serves all types in order of first appearance, and one entity keeps
    its letter. Omissions count per name: '(계좌번호 1 생략)', without brackets of their own
    where the number stands in brackets already. Source: 재판예규 제1778호 as practised
    (reference sections 1.4 and 1.5).
    """
    fresh = letters(used=letters_in(text))
    numbers = _Numbers(text)
    letter_of: dict[int, str] = {}
    number_of: dict[tuple[str, int], int] = {}
    replacements: list[str] = []
    for item in masked:
        if not item.omission:
            replacements.append(letter_of.get(item.entity) or next(fresh))
            letter_of[item.entity] = replacements[-1]
            continue
        key = (item.omission, item.entity)
        if key not in number_of:
            number_of[key] = numbers.next(item.omission)
        words = f"{item.omission} {number_of[key]} 생략"
        replacements.append(words if _in_brackets(text, item.span) else f"({words})")
    return replacements


class _Numbers:
    """The numbers of omissions, less those that stand in a text already."""

    def __init__(self, text: str) -> None:
        self._used = {(said["name"], int(said["number"])) for said in _OMITTED.finditer(text)}
        self._last: dict[str, int] = {}

    def next(self, name: str) -> int:
        """Return the next number of *name*, from 1 on."""
        free = count(self._last.get(name, 0) + 1)
        self._last[name] = next(number for number in free if (name, number) not in self._used)
        return self._last[name]


def _in_brackets(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 41) : span.start]
    after = text[span.end : span.end + 41]
    return bool(_BRACKETS.search(before) and _CLOSING.match(after))
