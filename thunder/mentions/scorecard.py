"""A scorecard: how likely a candidate is a mention, as a sum of points that a person can read.

One file for each way of running (``scorecard.json`` beside a tagger, that of the rules alone in the
taxonomy), fitted on development documents by ``thunder tagger scorecard``. It has a card for each
kind of thing, masked or readable: points (log-odds) for each feature's value, which are added up.
Labels stand in it by their ids. The probability is calibrated: of what it gives .8, four in five
are mentions. Of what was found stays readable what it gives less than ``masked``
(``thunder.mentions.weighing``); readable wordings, which have cards of their own, are shown to a
person from ``shown`` on. It ranks the doubts, and explains masks.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from thunder.identifiers import RECOGNISERS
from thunder.mentions import messages as say
from thunder.mentions.candidates import KINDS, NUMBERS, WORDS, Candidate, Kind, Value
from thunder.settings.resources import in_taxonomy
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.own import working

NAME = "scorecard.json"
STATES = ("readable", "masked")
CERTAIN = frozenset({"name", "person"})
MOST_REASONS = 4
"""Of the points that speak for or against a candidate, so many are named: the strongest."""

_FORMAT = 2
_FINDERS = frozenset(
    {"person", "organisation", "place", "repeat"}
    | {"defined", "trade_name:defined", "called:defined"}
)


@dataclass(frozen=True, slots=True)
class Points:
    """Points of one feature: between *cuts* if it is a number, else by *words*; 0 for others."""

    cuts: tuple[float, ...] = ()
    steps: tuple[float, ...] = ()
    words: Mapping[str, float] = field(default_factory=dict)

    def of(self, value: Value) -> float:
        """Return the points for a feature's *value*."""
        if isinstance(value, str):
            return self.words.get(value, 0.0)
        return self.steps[bisect_right(self.cuts, value)] if self.steps else 0.0


@dataclass(frozen=True, slots=True)
class Card:
    """The card of one kind, readable or masked: where it starts, and points by feature."""

    base: float
    features: Mapping[str, Points]

    def points(self, candidate: Candidate) -> list[tuple[float, str, Value]]:
        """Return what each feature of *candidate* gives: points, its name, its value."""
        known = self.features
        return [
            (points.of(value), name, value)
            for name, value in candidate.features.items()
            if (points := known.get(name)) is not None
        ]


class Reason(NamedTuple):
    """A feature of a candidate, its value, and the points that they gave."""

    feature: str
    value: Value
    points: float


class Weighed(NamedTuple):
    """How likely a candidate is a mention, and why: the strongest reasons first."""

    probability: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The cards of one way of running; readable wordings from *shown* on are shown to a person.

    What a tagger or an unsure recogniser found is masked from the probability on that *masked*
    says of its kind; all of a kind that it does not say, or says 0 of. A name that a recogniser
    gives what *certain* says under "name" is not weighed, nor a person that a tagger gives what it
    says under "person" (one half at least, whatever it says).
    """

    cards: Mapping[tuple[Kind, str], Card]
    shown: float
    masked: Mapping[Kind, float] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    certain: Mapping[str, float] = field(default_factory=dict)

    def probability(self, candidate: Candidate) -> float:
        """Return how likely *candidate* is a mention; its finder's score where it has no card."""
        card = self.card(candidate)
        if card is None:
            return raw(candidate)
        return _logistic(card.base + sum(points for points, _, _ in card.points(candidate)))

    def weigh(self, candidate: Candidate) -> Weighed:
        """Return the same with its strongest reasons."""
        card = self.card(candidate)
        if card is None:
            return Weighed(raw(candidate), ())
        found = card.points(candidate)
        total = card.base + sum(points for points, _, _ in found)
        strongest = sorted(found, key=_strength, reverse=True)[:MOST_REASONS]
        reasons = tuple(Reason(name, value, points) for points, name, value in strongest)
        return Weighed(_logistic(total), reasons)

    def least(self, candidate: Candidate) -> float:
        """Return from which probability on *candidate* is masked."""
        return self.masked.get(candidate.kind, 0.0)

    def asking_less(self) -> "Scorecard":
        """Return the scorecard of one who wants more: what was found is masked from *shown* on."""
        masked = {kind: min(least, self.shown) for kind, least in self.masked.items()}
        return replace(self, masked=masked)

    def card(self, candidate: Candidate) -> Card | None:
        """Return the card for *candidate*, None where the file has none for its kind."""
        return self.cards.get((candidate.kind, STATES[candidate.is_masked]))


def raw(candidate: Candidate) -> float:
    """Return what stands for a probability without a card: a mask's score, a tagger's mass."""
    value = candidate.features.get("score" if candidate.is_masked else "mass", 0.0)
    return min(1.0, float(value))


def _strength(one: tuple[float, str, Value]) -> float:
    return abs(one[0])


def _logistic(points: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, points))))


# --- the file ------------------------------------------------------------------------------------


def read(folder: Path, taxonomy: Taxonomy) -> Scorecard | None:
    """Return the scorecard in *folder*, None where there is no such file.

    ValueError names the file, what does not fit (a feature, a recogniser, a label's id that the
    *taxonomy* does not have) and the cure.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        return _read(json.loads(path.read_text("utf-8")), taxonomy)
    except json.JSONDecodeError as error:
        raise _wrong(path, say.NO_JSON(line=error.lineno, column=error.colno)) from None
    except KeyError as error:
        raise _wrong(path, say.MISSING(key=error)) from None
    except (AttributeError, TypeError, ValueError) as error:
        raise _wrong(path, error) from None


def _wrong(path: Path, what: object) -> ValueError:
    alone = " --rules-alone" if path == in_taxonomy(NAME) else ""
    return ValueError(say.WRONG(path=path, folder=path.parent, alone=alone, what=what))


@lru_cache(maxsize=1)
def of_rules() -> Scorecard | None:
    """Return the scorecard of the rules alone, which lies in the taxonomy; None where none does.

    ValueError as ``read``.
    """
    return read(in_taxonomy(NAME).parent, working())


def _read(found: Any, taxonomy: Taxonomy) -> Scorecard:
    if not isinstance(found, dict):
        raise ValueError(say.NO_TABLE())
    if found["format"] != _FORMAT:
        raise ValueError(say.FORMAT(found=found["format"], known=_FORMAT))
    shown = _number(found["shown"], "shown")
    if not 0 < shown < 1:
        raise ValueError(say.SHOWN(shown=shown))
    masked = {kind: _number(least, f"masked, {kind}") for kind, least in found["masked"].items()}
    if any(kind not in KINDS or not 0 <= least < 1 for kind, least in masked.items()):
        raise ValueError(say.MASKED(masked=masked))
    certain = {who: _number(score, f"certain, {who}") for who, score in found["certain"].items()}
    if not set(certain) <= CERTAIN or not all(0 < score <= 1 for score in certain.values()):
        raise ValueError(say.CERTAIN(certain=certain))
    cards: dict[tuple[Kind, str], Card] = {}
    for one in found["cards"]:
        kind, state = one["kind"], one["of"]
        if kind not in KINDS or state not in STATES:
            raise ValueError(say.NO_CARDS(kind=kind, state=state))
        if (kind, state) in cards:
            raise ValueError(say.TWO_CARDS(kind=kind, state=state))
        features = {
            name: _points(name, written, f"{kind}, {state}, {name}", taxonomy)
            for name, written in one["features"].items()
        }
        cards[kind, state] = Card(_number(one["base"], f"{kind}, {state}, base"), features)
    for kind, least in masked.items():
        if least and not cards.get((kind, "masked"), Card(0.0, {})).features:
            raise ValueError(say.CARD_MISSING(kind=kind, state="masked"))
    return Scorecard(cards, shown, masked, found.get("about", {}), certain)


def _points(name: str, written: Any, place: str, taxonomy: Taxonomy) -> Points:
    if name in NUMBERS:
        cuts = tuple(_number(one, place) for one in written["cuts"])
        steps = tuple(_number(one, place) for one in written["points"])
        if list(cuts) != sorted(set(cuts)) or len(steps) != len(cuts) + 1:
            raise ValueError(say.CUTS(place=place))
        return Points(cuts, steps)
    if name not in WORDS:
        raise ValueError(say.NO_FEATURE(place=place))
    words = {word: _number(points, place) for word, points in written.items()}
    for word in words:
        if name == "label" and word != "none" and not _is_label(word, taxonomy):
            raise ValueError(say.NO_LABEL(place=place, id=word))
        if name == "source" and not is_source(word):
            raise ValueError(say.NO_RECOGNISER(place=place, name=word))
    return Points(words=words)


def _number(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(say.NO_NUMBER(place=place, value=repr(value)))
    return float(value)


def _is_label(id_: str, taxonomy: Taxonomy) -> bool:
    """Return whether a label has, or had, this id."""
    if not id_.isdigit():
        return False
    return taxonomy.successor(int(id_)) is not None or int(id_) in taxonomy.retired


def is_source(word: str) -> bool:
    """Return whether *word* is who finds something: a recogniser, a tagger, or nobody."""
    family, _, name = word.partition(":")
    if family == "rule":
        return any(name == one.NAME for one in RECOGNISERS)
    return name in _FINDERS if family == "names" else word in _OTHERS


_OTHERS = frozenset({"none", "?", "tagger", "tagger:repeat", "given"})


def write(path: Path, scorecard: Scorecard) -> None:
    """Write *scorecard* to *path*, whole or not at all."""
    table = {
        "format": _FORMAT,
        "shown": scorecard.shown,
        "masked": dict(scorecard.masked),
        "certain": dict(scorecard.certain),
        "about": dict(scorecard.about),
        "cards": list(_written(scorecard)),
    }
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    aside.replace(path)


def _written(scorecard: Scorecard) -> Iterator[dict[str, Any]]:
    for (kind, state), card in scorecard.cards.items():
        features = {
            name: _rounded(one.words)
            if name in WORDS
            else {"cuts": list(one.cuts), "points": _round(one.steps)}
            for name, one in card.features.items()
        }
        yield {"kind": kind, "of": state, "base": round(card.base, 3), "features": features}


def _rounded(words: Mapping[str, float]) -> dict[str, float]:
    return {word: round(points, 3) for word, points in words.items()}


def _round(steps: Sequence[float]) -> list[float]:
    return [round(one, 3) for one in steps]
