"""A scorecard fitted on development documents: logistic regression over binned features.

All kinds share points for a feature's values, and each has points of its own beside them, held
smaller, so that a kind of which there is little is like the others. Readable wordings and masks are
fitted apart. Each feature's points are moved in turn (its bins exclude each other, so that a Newton
step needs no matrix); a last pair, slope and start, is fitted for each kind on documents that the
points were not fitted on, so that the sum is a probability (Platt's scaling), and is worked into
the points.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.masking.deciding import GIVEN, KEEP, Rule
from thunder.masking.deidentify import Mentioned, decide, mentioned_in
from thunder.masking.records import Document
from thunder.mentions.candidates import KINDS, NUMBERS, Candidate, Kind, candidates
from thunder.mentions.finding import weigh
from thunder.mentions.scorecard import STATES, Card, Points, Scorecard, is_source
from thunder.scoring.documents import Gold
from thunder.scoring.verdicts import NOTHING, Verdicts, hash_of, parts_beside
from thunder.tagger.chosen_tagger import RulesAlone
from thunder.tagger.tagger import Tagger
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.spans import IGNORED, Span

SHOWN = 0.02
"""Readable wordings of this probability or more are shown to a person."""

MASKED: Mapping[Kind, float] = {"person": 0.15, "body": 0.3, "place": 0.3, "number": 0.2}
"""From these probabilities on what a tagger or an unsure recogniser found is masked.

A missed name weighs more than a word masked without need; a missed person the most.
"""

CERTAIN: Mapping[str, float] = {"name": 0.95, "person": 0.7}
"""A name that a recogniser gives this score is not weighed, nor a person that a tagger does."""

_HIGH = (0.2, 0.3, 0.5, 0.8, 0.95)
CUTS: Mapping[str, tuple[float, ...]] = {
    "mass": (0.0025, 0.003, 0.004, 0.006, 0.008, 0.012, 0.02, 0.03, 0.05, 0.08, 0.12, *_HIGH),
    "usual mass": (0.005, 0.01, 0.02, 0.05, 0.1, *_HIGH),
    "mass beside": (0.01, 0.05, 0.3, 0.8),
    "common": (1, 2, 3, 4, 6, 8),
    "tailed": (1, 2, 3, 4, 6, 8),
    "length": (2, 3, 4, 5, 7, 10),
    "likeness": (-50, -11, -9, -8, -7, -6, -5),
    "places": (2, 3, 5, 9),
    "readable": (0.001, 0.2, 0.34, 0.51, 0.7, 0.9),
    "score": (0.01, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99),
    "tagged": (0.01, 0.1, 0.2, 0.3, 0.5, 0.8, 0.95),
}
"""Where the numbers are cut into bins."""

LEAST = 20
"""A word of a feature that fewer candidates have gets no points of its own."""

FOLDS, SWEEPS = 5, 40
SHARED, OWN = 5.0, 30.0
"""How strongly points are held to 0: those of all kinds, and those that a kind adds."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Example(NamedTuple):
    """A candidate, whether it is a mention, its document, and its places in the original."""

    document: str
    candidate: Candidate
    is_mention: bool
    places: tuple[tuple[int, int], ...]


def fit(
    tagger: "Tagger | RulesAlone",
    golds: Iterable[Gold],
    taxonomy: Taxonomy,
    *,
    partial: Iterable[Gold] = (),
    verdicts: Verdicts | None = None,
    masked: Mapping[Kind, float] | None = None,
    about: Mapping[str, Any] | None = None,
) -> Scorecard:
    """Return the scorecard of a way of running, fitted on the documents *golds* by the court rule.

    First the masks are, all that was found; then, where those of less than *masked* says of their
    kind are left readable, the wordings that are. Of *partial* documents the gold lacks what
    courts left readable: what is masked beside it counts neither way, unless *verdicts* of people
    who read it say that it is nothing; a partial document that has none gives no masks. ValueError
    where there is nothing to learn from. Memory holds all documents, what was read of them, and
    their candidates (1 GB for 3,400 documents).
    """
    whole, rest = (list(_found(tagger, some, taxonomy)) for some in (golds, partial))
    masks = [one for each in whole for one in examples_of(*each, taxonomy)]
    masks += _judged(rest, verdicts or {}, taxonomy)
    masks = [one for one in masks if one.candidate.is_masked]
    cards = _cards(masks)
    # Of a kind of which these say nothing all is masked: there is no card to ask.
    least = {kind: some for kind, some in (masked or {}).items() if (kind, "masked") in cards}
    first = Scorecard(cards, SHOWN, least, certain=CERTAIN if masked else {})
    left = [each._replace(found=_weighed(each.found, first)) for each in (*whole, *rest)]
    readable = [one for each in left for one in examples_of(*each, taxonomy)]
    readable = [one for one in readable if not one.candidate.is_masked]
    cards = {**first.cards, **_cards(readable)}
    if not cards:
        raise ValueError("no candidate of these documents is a mention, or all are: give others")
    everything = [*masks, *readable]
    counts = {
        "documents": len({one.document for one in everything}),
        "candidates": len(everything),
        "mentions": sum(one.is_mention for one in everything),
    }
    return replace(first, cards=cards, about={**(about or {}), **counts})


def _judged(
    partial: Iterable["_Found"], verdicts: Verdicts, taxonomy: Taxonomy
) -> Iterator[Example]:
    """Yield the candidates of *partial* documents that were read: mentions, and what is nothing."""
    read = {judgment for judgment, _ in verdicts}
    for each in partial:
        gold = each.gold
        if gold.id in read:
            for one in examples_of(*each, taxonomy):
                parts = parts_beside(gold, (Span(*place, "") for place in one.places))
                said = {verdicts.get((gold.id, hash_of(gold, part))) for part in parts}
                if one.is_mention or said == {NOTHING}:
                    yield one


class _Found(NamedTuple):
    """A document with its gold, in which what is kept is ignored, and all that was found in it."""

    gold: Gold
    document: Document
    found: Mentioned


def _found(
    tagger: "Tagger | RulesAlone", golds: Iterable[Gold], taxonomy: Taxonomy
) -> Iterator[_Found]:
    waiting: deque[Gold] = deque()

    def documents() -> Iterator[Document]:
        for gold in golds:
            waiting.append(gold.with_kept_ignored(taxonomy))
            yield Document(gold.text, gold.id)

    for document, found in mentioned_in(documents(), tagger, weighed=False):
        yield _Found(waiting.popleft(), document, found)


def _weighed(found: Mentioned, card: Scorecard) -> Mentioned:
    """Return *found* with what *card* leaves masked of it."""
    mentions = weigh(found.folded.text, found.mentions, found.seen.evidence, card)
    return found._replace(mentions=mentions)


def _cards(chosen: Sequence[Example]) -> dict[tuple[Kind, str], Card]:
    """Return the cards of *chosen*, all masked or all readable; none if they say nothing."""
    if {one.is_mention for one in chosen} != {False, True}:
        return {}
    state = STATES[chosen[0].candidate.is_masked]
    return {(kind, state): card for kind, card in _fitted(chosen)}


def examples_of(
    gold: Gold, document: Document, found: Mentioned, taxonomy: Taxonomy
) -> Iterator[Example]:
    """Yield the candidates of one document by its *gold*, in which what is kept is ignored."""
    folded = found.folded
    rule = Rule(load_policy("court"), taxonomy)
    decisions = decide(folded, found.mentions, document, rule)
    masked = [one.span for one in decisions if one.treatment != KEEP]
    kept = [one.span for one in decisions if one.treatment == KEEP]
    asked = _Asked(gold.text, gold.spans)
    for one in candidates(folded.text, found.seen.evidence, masked=masked, kept=kept):
        places = [folded.original(Span(*place, "")) for place in one.places]
        is_mention = asked.is_mention(places)
        if is_mention is not None and one.features["source"] != GIVEN:
            stretches = tuple((place.start, place.end) for place in places)
            yield Example(gold.id, one, is_mention, stretches)


class _Asked:
    """The gold of a text, by character: outside, a mention's, or neither."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self._is_letter = np.fromiter(map(str.isalnum, text), bool, len(text))
        self._states = np.zeros(len(text), np.int8)
        for span in spans:
            self._states[span.start : span.end] = 2 if span.label == IGNORED else 1

    def is_mention(self, places: Sequence[Span]) -> bool | None:
        """Return whether one of *places* has a letter of a mention; None where they do not count.

        That is where one touches what counts neither way, and none a mention.
        """
        found = [
            self._states[one.start : one.end][self._is_letter[one.start : one.end]]
            for one in places
        ]
        if any((states == 1).any() for states in found):
            return True
        return None if any((states == 2).any() for states in found) else False


# --- fitting -------------------------------------------------------------------------------------


class _Table(NamedTuple):
    """The features of candidates as bins: by name, which words have one; 0 is none of them."""

    words: Mapping[str, Mapping[str, int]]
    width: int

    @classmethod
    def of(cls, chosen: Sequence[Example]) -> "_Table":
        names = sorted({name for one in chosen for name in one.candidate.features})
        words: dict[str, Mapping[str, int]] = {}
        for name in names:
            counts = Counter(str(one.candidate.features.get(name, "")) for one in chosen)
            known = [
                word
                for word, number in sorted(counts.items())
                if number >= LEAST and word and (name != "source" or is_source(word))
            ]
            words[name] = {} if name in NUMBERS else {word: at for at, word in enumerate(known, 1)}
        cuts = max((len(CUTS[name]) + 2 for name in names if name in NUMBERS), default=1)
        return cls(words, max(cuts, *(len(one) + 1 for one in words.values())))

    def bins(self, chosen: Sequence[Example]) -> Ints:
        """Return the bin of each feature (columns) of each candidate (rows)."""
        found = np.zeros((len(chosen), len(self.words)), np.int64)
        for column, (name, words) in enumerate(self.words.items()):
            values = [one.candidate.features.get(name) for one in chosen]
            if name in NUMBERS:
                numbers = [float(value) if value is not None else np.nan for value in values]
                bins = 1 + np.searchsorted(CUTS[name], np.array(numbers), side="right")
                found[:, column] = np.where(np.isnan(numbers), 0, bins)
            else:
                found[:, column] = [words.get(str(value), 0) for value in values]
        return found


class _Fit(NamedTuple):
    """Where each kind starts, and the points of each feature's bins, shared and of each kind."""

    base: Floats
    shared: Floats
    own: Floats

    def sums(self, bins: Ints, kinds: Ints) -> Floats:
        total: Floats = self.base[kinds].copy()
        for column in range(bins.shape[1]):
            at = bins[:, column]
            total += self.shared[column, at] + self.own[kinds, column, at]
        return total


def _fit(bins: Ints, kinds: Ints, is_mention: Floats, width: int) -> _Fit:
    """Return the points that fit best, each feature's moved in turn."""
    number = len(KINDS)
    columns = bins.shape[1]
    mean = (is_mention.sum() + 1) / (len(is_mention) + 2)
    fit = _Fit(
        np.full(number, np.log(mean / (1 - mean))),
        np.zeros((columns, width)),
        np.zeros((number, columns, width)),
    )
    total = fit.sums(bins, kinds)
    for _ in range(SWEEPS):
        rest, weight = _rest(total, is_mention)
        step = np.bincount(kinds, rest, number) / (np.bincount(kinds, weight, number) + 0.5)
        fit.base[:] += step
        total += step[kinds]
        for column in range(columns):
            at = bins[:, column]
            total += _moved(fit.shared[column], at, total, is_mention, SHARED)[at]
            both = kinds * width + at
            points = fit.own[:, column].reshape(-1)
            total += _moved(points, both, total, is_mention, OWN)[both]
            fit.own[:, column] = points.reshape(number, width)
    return fit


def _moved(points: Floats, at: Ints, total: Floats, is_mention: Floats, hold: float) -> Floats:
    """Return by how much *points* were moved: a Newton step each, of one at most."""
    rest, weight = _rest(total, is_mention)
    slope = np.bincount(at, rest, len(points)) - hold * points
    step: Floats = np.clip(slope / (np.bincount(at, weight, len(points)) + hold), -1, 1)
    points += step
    return step


def _rest(total: Floats, is_mention: Floats) -> tuple[Floats, Floats]:
    chance = 1 / (1 + np.exp(-total))
    return is_mention - chance, chance * (1 - chance)


def _fitted(chosen: Sequence[Example]) -> Iterator[tuple[Kind, Card]]:
    """Yield the card of each kind."""
    table = _Table.of(chosen)
    bins = table.bins(chosen)
    kinds = np.array([KINDS.index(one.candidate.kind) for one in chosen])
    is_mention = np.array([float(one.is_mention) for one in chosen])
    order = {id_: at for at, id_ in enumerate(sorted({one.document for one in chosen}))}
    folds = np.array([order[one.document] % FOLDS for one in chosen])
    unseen = np.zeros(len(chosen))
    for fold in range(FOLDS):
        rest, held = folds != fold, folds == fold
        if held.any() and rest.any():
            part = _fit(bins[rest], kinds[rest], is_mention[rest], table.width)
            unseen[held] = part.sums(bins[held], kinds[held])
    fit = _fit(bins, kinds, is_mention, table.width)
    for at, kind in enumerate(KINDS):
        own = kinds == at
        if own.any():
            slope, start = _scaling(unseen[own], is_mention[own])
            base = start + slope * fit.base[at]
            yield kind, _card(table, slope * (fit.shared + fit.own[at]), base)


def _scaling(sums: Floats, is_mention: Floats) -> tuple[float, float]:
    """Return slope and start of the line from sums to log-odds; held near 1 and 0 by little data.

    As if ten candidates more said that the sums are right already.
    """
    slope, start = 1.0, 0.0
    for _ in range(20):
        rest, weight = _rest(slope * sums + start, is_mention)
        spread = 10 * max(float(sums.var()), 1e-6)
        g = np.array([(rest * sums).sum() - spread * (slope - 1), rest.sum() - start])
        h = np.array(
            [
                [(weight * sums * sums).sum() + spread, (weight * sums).sum()],
                [(weight * sums).sum(), weight.sum() + 1],
            ]
        )
        step = np.linalg.solve(h, g)
        slope, start = slope + float(step[0]), start + float(step[1])
    return max(0.2, slope), start


def _card(table: _Table, points: Floats, base: float) -> Card:
    features: dict[str, Points] = {}
    for column, (name, words) in enumerate(table.words.items()):
        own = points[column]
        if name in NUMBERS:
            steps = tuple(float(one) for one in own[1 : len(CUTS[name]) + 2])
            features[name] = Points(CUTS[name], steps)
        else:
            features[name] = Points(words={word: float(own[at]) for word, at in words.items()})
    return Card(float(base), features)
