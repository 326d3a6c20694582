"""What a whole document says of each word that may be a name."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import pairwise

# Log-odds weights, fitted once (logistic regression) on public judgments filled with invented
# names: of the word itself, of the place where it stands, and of the surest other place of the
# same name; a name seen once only; where one starts, and less with each e-fold of the length, for
# in a long text more words look like names by chance.
OF_WORD, OF_PLACE, OF_SUREST, ALONE = 0.80, 1.20, 0.70, -2.1
BASE, PER_LENGTH = 2.5, -0.47
SHOWN_ELSEWHERE = 2.0

_MOST_SURE = 6.0


@dataclass(slots=True)
class Reading:
    """One run of Hangul read as a name and its tail, and the log-odds that it is one.

    ``word`` and ``place`` are what the word itself and the place where it stands say; ``odds``
    is the verdict, set by ``weigh``.
    """

    start: int
    run_end: int
    name: str
    tail: str
    word: float
    place: float
    odds: float = field(default=0.0)

    @property
    def end(self) -> int:
        """Where the name ends and its tail begins."""
        return self.start + len(self.name)

    @property
    def alone(self) -> float:
        """What the word and its place say together, before the rest of the document."""
        return self.word + self.place


def weigh(text: str, readings: Sequence[Reading]) -> None:
    """Set the odds of all *readings* of *text*: from each itself and from the others.

    A name is a name in the whole document: what one place shows counts for the others.
    """
    base = BASE + PER_LENGTH * math.log(len(text) + 100)
    same: dict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        reading.odds = base + OF_WORD * reading.word + OF_PLACE * reading.place
        same[reading.name].append(reading)
    for group in same.values():
        _add_surest_other(group)
    _by_endings(readings)


def best_of_each_run(readings: Sequence[Reading]) -> list[Reading]:
    """Return of the readings of one run the likeliest, in order of the text."""
    best: dict[int, Reading] = {}
    for reading in readings:
        rival = best.get(reading.start)
        if rival is None or reading.odds > rival.odds:
            best[reading.start] = reading
    return list(best.values())


def _add_surest_other(group: Sequence[Reading]) -> None:
    """Add to the odds of each of *group*, the readings of one name, what the others show."""
    if len(group) == 1:
        group[0].odds += ALONE
        return
    surest, second = nlargest(2, (reading.alone for reading in group))
    for reading in group:
        other = second if reading.alone == surest else surest
        reading.odds += OF_SUREST * max(-_MOST_SURE, min(_MOST_SURE, other))


def _by_endings(readings: Sequence[Reading]) -> None:
    """김영이: 김영 + 이 where the document has 김영을 too, 김영이 where it has 김영이를."""
    seen = Counter((reading.name, reading.tail[:1]) for reading in readings)
    total = Counter(reading.name for reading in readings)
    for shorter, longer in _rivals(readings):
        for_shorter = total[shorter.name] - seen[shorter.name, longer.name[-1]]
        for_longer = total[longer.name] - seen[longer.name, ""]
        if bool(for_shorter) != bool(for_longer):
            gain = SHOWN_ELSEWHERE if for_shorter else -SHOWN_ELSEWHERE
            shorter.odds += gain
            longer.odds -= gain


def _rivals(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Reading]]:
    """Yield the readings of one run that differ by one syllable, neither of them hopeless."""
    for shorter, longer in pairwise(readings):
        same_run = shorter.start == longer.start and len(longer.name) == len(shorter.name) + 1
        if same_run and min(shorter.odds, longer.odds) > -3 and shorter.odds + longer.odds > -3:
            yield shorter, longer
