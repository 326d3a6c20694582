"""Which mentions speak of one lot of land: 12-3, 12-3번지 and 가람면 나래리 12-3.

A judgment writes a lot with its 리 or 동 once and then by its number alone (위 12-3 토지). A place
without its lot is another thing: all its lots lie there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from thunder.names.kinds import is_address
from thunder.text import lazy
from thunder.text.spans import Span

Key = tuple[str, ...]

LOT, BARE_LOT = "lot", "bare lot"
"""The first part of the key of a lot after its place's name, and of a lot that stands alone."""

# 12, 12-3, 12의 3, 12번지, 12번지의 3, 12번지 3호, 산 12.
_LOT = lazy.compile(
    r"(?<![0-9A-Za-z-])(?P<hill>(?<![가-힣])산 ?)?(?P<number>[0-9]{1,4})(?P<unit> ?번지)?"
    r"(?:(?: ?- ?| ?의 ?|(?<=번지) )(?P<branch>[0-9]{1,4}) ?호?)?(?: ?번지)?\Z"
)
_VILLAGE = lazy.compile(r"[가-힣0-9]+[읍면동리가로길]\Z")
_MOST_BETWEEN = 20


def lot_key(surface: str) -> Key | None:
    """Return the key of an address that ends in a lot, None of any other."""
    lot = _LOT.search(surface)
    if lot is None:
        return None
    number = "-".join(filter(None, (lot["number"], lot["branch"])))
    place = " ".join(surface[: lot.start()].split())
    number = f"산{number}" if lot["hill"] else number
    return (LOT, place, number) if place else (BARE_LOT, number)


def with_places(text: str, spans: Sequence[Span], keys: Sequence[Key]) -> list[Key]:
    """Return *keys*, those of lots right after a mention of their 동 or 리 with its name."""
    found = list(keys)
    for at, (left, right) in enumerate(pairwise(spans), start=1):
        if keys[at][0] != BARE_LOT or right.start - left.end > _MOST_BETWEEN:
            continue
        place = text[left.start : left.end]
        is_place = is_address(left.label) and _VILLAGE.search(place) is not None
        if is_place and not text[left.end : right.start].strip():
            found[at] = LOT, " ".join(place.split()), keys[at][1]
    return found


def one_lot(keys: Iterable[Key]) -> Iterator[tuple[Key, Key]]:
    """Yield the keys of one lot: with more levels written and with fewer, and alone.

    Where two places have a lot of that number, the number alone is neither of them.
    """
    places: dict[str, dict[str, None]] = defaultdict(dict)
    for key in keys:
        if key[0] == LOT:
            places[key[2]][key[1]] = None
    known = set(keys)
    for number, names in places.items():
        whole = _wholes(names)
        yield from (((LOT, name, number), (LOT, of, number)) for name, of in whole.items())
        if len(set(whole.values())) == 1 and (BARE_LOT, number) in known:
            yield (BARE_LOT, number), (LOT, next(iter(names)), number)


def _wholes(names: Iterable[str]) -> dict[str, str]:
    """Return each place and the one with the most levels that it is: 나래리, 가람면 나래리.

    Itself where it may be two: 가람면 나래리 and 솔빛면 나래리.
    """
    by_end: dict[str, list[str]] = defaultdict(list)
    for name in names:
        levels = name.split()
        for first in range(len(levels)):
            by_end[" ".join(levels[first:])].append(name)
    wholes = {}
    for name in names:
        longest = max(by_end[name], key=len)
        is_one = all(longest.endswith(other) for other in by_end[name])
        wholes[name] = longest if is_one else name
    return wholes
