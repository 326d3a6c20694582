"""The court's series of letters: A, B … Z, AA …, and those of it that a text has already."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from thunder.text import lazy

_LONE_LETTERS = lazy.compile(
    r"[A-ZＡ-Ｚ](?<![A-Za-zＡ-Ｚａ-ｚ].)[A-ZＡ-Ｚ]{0,2}(?![A-Za-zＡ-Ｚａ-ｚ])"
)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_MISSING = 3
_HALF_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF21, 0xFF3B)})


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
    found = tuple(m[0].translate(_HALF_WIDTH) for m in _LONE_LETTERS.finditer(text))
    return frozenset(found).union(*_side_by_side(found))


def given_out(codes: Sequence[str]) -> frozenset[str]:
    """Return those of *codes*, in order of the text, that a series of letters from A on comes to.

    A few may be missing. AA after X, Y and Z, and BC after A, where B and C stand side by side; KT
    after some 300.
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


def _side_by_side(codes: Sequence[str]) -> frozenset[str]:
    """Return those of *codes* that are letters of a row where it has a gap, or goes on.

    A, BC, D and AB, C, wherever they stand; A, B, C, then DE, or CD: the new letters come last.
    """
    alone = frozenset(codes)
    found: set[str] = set()
    seen: set[str] = set()
    for code in dict.fromkeys(codes):
        if len(code) > 1 and (_goes_on(code, seen) or _fills_gap(code, alone)):
            found.add(code)
            seen.update(code)
        elif len(code) == 1:
            seen.add(code)
    return frozenset(found)


def _goes_on(code: str, seen: AbstractSet[str]) -> bool:
    """Return whether *code* is letters *seen* before, if any, then those that come after all."""
    new = code.lstrip("".join(seen)) if seen else ""
    at = _ALPHABET.index(max(seen)) + 1 if seen else 0
    return bool(new) and len(set(code)) == len(code) and _ALPHABET.startswith(new, at)


def _fills_gap(code: str, alone: AbstractSet[str]) -> bool:
    return code in _ALPHABET and alone.isdisjoint(code) and _fills(code, alone)


def _fills(gap: str, codes: AbstractSet[str]) -> bool:
    """Return whether all letters before *gap* are there, the next one where there are none."""
    at = _ALPHABET.index(gap)
    return codes >= set(_ALPHABET[:at] or _ALPHABET[len(gap)])
