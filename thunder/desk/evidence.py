"""What is proved of the lot that was released: who looked at how much, and what may be left.

The unit is a document. A document *leaks* where something is readable that a person, reading all of
it, would mask. Bounds are exact and one-sided (Clopper and Pearson, Biometrika 26, 1934), those of
a finite lot hypergeometric. What was picked because it looked bad never enters a rate.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from math import comb, exp, lgamma, log, log1p
from typing import Any, NamedTuple

CONFIDENCE = 0.95
_STEPS = 60
PLAN = (0.001, 0.005, 0.01, 0.02, 0.05)
"""Leak rates of which the page says how probably a lot of them would have passed."""


class Verdict(NamedTuple):
    """So many released documents of a route, and what full and second readings found in them.

    ``missed``: the sampled reading found what the quick route would have left (None: none was
    read so); ``leaked``: after a reading something was left that the second one, or who
    settled it, masked (None: not read twice).
    """

    route: str
    missed: bool | None
    leaked: bool | None
    documents: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A random sample: documents, those that leak, and the upper bound of the rate."""

    lot: int
    read: int
    leaks: int
    bound: float
    finite_bound: float


@dataclass(frozen=True, slots=True)
class Recall:
    """Planted leaks, those that were caught, and the lower bound of the share of them."""

    planted: int
    caught: int
    bound: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is said of a lot.

    ``quick``: the sample of those documents that were not to be read in full; ``read``: the
    second readings of those that were; ``after_recall``: the bound of ``quick`` where readers
    miss as much as planted leaks show (1: nothing is known of that); ``all``: the bound over
    the lot, each part at half the error.
    """

    confidence: float
    released: int
    routes: Mapping[str, int]
    quick: Sample
    read: Sample
    recall: Recall
    after_recall: float
    all: float

    def plain(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return asdict(self)


def evidence(verdicts: Iterable[Verdict], *, planted: int, caught: int) -> Evidence:
    """Return what *verdicts* on all released documents and planted leaks prove."""
    routes: dict[str, int] = {}
    quick, read = [0, 0], [0, 0]
    for one in verdicts:
        routes[one.route] = routes.get(one.route, 0) + one.documents
        if one.route == "sampled" and one.missed is not None:
            quick[0] += one.documents
            quick[1] += one.documents * one.missed
        if one.route != "quick" and one.leaked is not None:
            read[0] += one.documents
            read[1] += one.documents * one.leaked
    released = sum(routes.values())
    unread, whole = routes.get("quick", 0), released - routes.get("quick", 0)
    recall = lower(caught, planted)
    half = 1 - (1 - CONFIDENCE) / 2
    parts = (unread, upper(quick[1], quick[0], half)), (whole, upper(read[1], read[0], half))
    return Evidence(
        CONFIDENCE,
        released,
        routes,
        _sample(unread + routes.get("sampled", 0), *quick),
        _sample(whole, *read),
        Recall(planted, caught, recall),
        min(1.0, upper(quick[1], quick[0]) / recall) if recall else 1.0,
        sum(many * bound for many, bound in parts) / released if released else 1.0,
    )


def _sample(lot: int, read: int, leaks: int) -> Sample:
    return Sample(lot, read, leaks, upper(leaks, read), finite_upper(leaks, read, lot))


def upper(x: int, n: int, confidence: float = CONFIDENCE) -> float:
    """Return the rate above which *x* or fewer of *n* come with less than 1 − *confidence*."""
    if n == 0 or x >= n:
        return 1.0
    return _solve(lambda rate: at_most(x, n, rate) - (1 - confidence))


def lower(x: int, n: int, confidence: float = CONFIDENCE) -> float:
    """Return the rate below which *x* or more of *n* come with less than 1 − *confidence*."""
    return 1 - upper(n - x, n, confidence) if n else 0.0


def _solve(falls: Callable[[float], float]) -> float:
    """Return where a function that falls from 0 to 1 is zero, by halving."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falls(middle) > 0 else (low, middle)
    return high


def at_most(x: int, n: int, rate: float) -> float:
    """Return how probably *x* or fewer of *n* leak where each does at *rate*: an acceptance plan's
    chance to accept."""
    if x < 0:
        return 0.0
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return float(x >= n)
    return sum(
        exp(_log_comb(n, i) + i * log(rate) + (n - i) * log1p(-rate)) for i in range(min(x, n) + 1)
    )


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def finite_upper(x: int, n: int, lot: int, confidence: float = CONFIDENCE) -> float:
    """Return the greatest share of leaks in a *lot* of which *x* or fewer of *n* drawn may come."""
    if n == 0:
        return 1.0
    low, high = x, lot - (n - x)
    while low < high:
        middle = (low + high + 1) // 2
        drawn = sum(comb(middle, i) * comb(lot - middle, n - i) for i in range(x + 1))
        is_likely = drawn > (1 - confidence) * comb(lot, n)
        low, high = (middle, high) if is_likely else (low, middle - 1)
    return low / lot if lot else 1.0


def plan(read: int, allowed: int) -> list[tuple[float, float]]:
    """Return rates, and how probably a lot of each passes where *allowed* of *read* may leak."""
    return [(rate, at_most(allowed, read, rate)) for rate in PLAN]
