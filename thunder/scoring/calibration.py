"""Whether a system is as sure as it is right: the reliability of the scores of its spans."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thunder.scoring.characters import Scored, without_ignored
from thunder.text.spans import IGNORED

BINS = 10


class Point(NamedTuple):
    """A predicted span: how sure, whether it touches a gold mention, whether it is the very one.

    ``strict`` asks for the boundaries and the label.
    """

    score: float
    touches: bool
    strict: bool


class Bin(NamedTuple):
    """The spans of one tenth of the scores: from ``low``, up to (the last: and with) ``high``."""

    low: float
    high: float
    number: int
    score: float
    touches: float
    strict: float


def points(document: Scored) -> Iterator[Point]:
    """Yield how sure and how right each predicted span is; those in ignored spans are no matter."""
    ignored = [span for span in document.gold if span.label == IGNORED]
    gold = {(span.start, span.end, span.label) for span in document.gold}
    held = {at for span in document.gold for at in range(span.start, span.end)}
    for span in without_ignored(ignored, document.predicted):
        touches = any(at in held for at in range(span.start, span.end))
        yield Point(span.score, touches, (span.start, span.end, span.label) in gold)


def reliability(found: Iterable[Point]) -> list[Bin]:
    """Return ten bins of equal width, those without a span left out."""
    bins: list[list[Point]] = [[] for _ in range(BINS)]
    for point in found:
        bins[min(int(point.score * BINS), BINS - 1)].append(point)
    return [
        Bin(at / BINS, (at + 1) / BINS, len(inside), *_means(inside))
        for at, inside in enumerate(bins)
        if inside
    ]


def _means(inside: Sequence[Point]) -> tuple[float, ...]:
    return tuple(sum(column) / len(inside) for column in zip(*inside, strict=True))


def expected_error(bins: Sequence[Bin], *, strict: bool) -> float:
    """Return the expected calibration error: the mean gap of score and rightness, by spans."""
    total = sum(one.number for one in bins)
    gaps = (one.number * abs(one.score - (one.strict if strict else one.touches)) for one in bins)
    return sum(gaps) / total if total else 0.0
