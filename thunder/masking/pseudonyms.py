"""The court rule's letters and numbered omissions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thunder.text.spans import Span

_LONE_LETTERS = re.compile(r"(?<![A-Za-zＡ-Ｚａ-ｚ])[A-ZＡ-Ｚ]{1,3}(?![A-Za-zＡ-Ｚａ-ｚ])")
_HALF_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF21, 0xFF3B)})
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

    'B형 간염', 'LG', '증인 A': a reader would take our B for that one, so it is not given out.
    """
    return frozenset(m[0].translate(_HALF_WIDTH) for m in _LONE_LETTERS.finditer(text))


def assign(text: str, masked: Sequence[Masked]) -> list[str]:
    """Return the replacement of each of *masked*, given in order of the text.

    One series of letters serves all types in order of first appearance, and one entity keeps
    its letter. Omissions count per name: '(계좌번호 1 생략)', without brackets of their own
    where the number stands in brackets already. Source: 재판예규 제1778호 as practised
    (reference sections 1.4 and 1.5).
    """
    fresh = letters(used=letters_in(text))
    letter_of: dict[int, str] = {}
    number_of: dict[tuple[str, int], int] = {}
    count: dict[str, int] = {}
    replacements: list[str] = []
    for item in masked:
        if not item.omission:
            replacements.append(letter_of.get(item.entity) or next(fresh))
            letter_of[item.entity] = replacements[-1]
            continue
        key = (item.omission, item.entity)
        if key not in number_of:
            count[item.omission] = number_of[key] = count.get(item.omission, 0) + 1
        words = f"{item.omission} {number_of[key]} 생략"
        replacements.append(words if _in_brackets(text, item.span) else f"({words})")
    return replacements


def _in_brackets(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 41) : span.start]
    after = text[span.end : span.end + 41]
    return bool(_BRACKETS.search(before) and _CLOSING.match(after))
