"""Places a person should look at before release: masked or kept in doubt, or perhaps missed.

What was proposed and is not masked, and what is masked, are candidates
(``thunder.mentions.candidates``); the scorecard of the way of running says how likely each is a
mention, and the list is in the order of how likely a person would change something: whole words,
one row a wording.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from thunder.masking.wordings import key_of, occurrences
from thunder.mentions.candidates import Candidate, Evidence, candidates
from thunder.mentions.generic_words import is_heading
from thunder.mentions.scorecard import Reason, Scorecard, of_rules, raw
from thunder.names.court_marks import unmarked
from thunder.names.given_names import parts_of
from thunder.names.kinds import is_person
from thunder.names.person_lexicon import commonness, is_ordinary
from thunder.tagger.chosen_tagger import RulesAlone
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.policy import Decision
from thunder.text.korean import Folded
from thunder.text.spans import Span

if TYPE_CHECKING:
    from thunder.tagger.tagger import Tagger

DOUBTFUL = 0.6
"""What is masked though it is a mention with a lower probability is shown."""

NEAR_MISS = 0.15
"""Without a scorecard a wording that nobody masked is shown where the tagger gave it as much."""

_COMMON = 8  # a word of one judgment in forty: 직원, 정상
_LEAST_LETTERS = 2  # a letter by itself is a unit, a particle, a spaced heading

MOST_NEAR_MISSES, MOST_IN_10_000 = 12, 40
"""Of a document at least, and of 10,000 characters: the likeliest, so that the list is readable."""

UNSURE = "확실하지 않지만 가렸습니다. 가릴 정보가 맞는지 확인하십시오."
OPEN = "가린 말과 같은 말이 여기에는 남아 있습니다. 같은 사람이나 같은 곳인지 확인하십시오."
OPEN_WORD = (
    "가린 이름이 흔히 쓰는 낱말이기도 하여 같은 말이 여기에는 남아 있습니다. "
    "그 이름으로 쓴 곳이 있는지 확인하십시오."
)
OPEN_GIVEN = "가린 이름에서 성을 뺀 말이 여기에는 남아 있습니다. 그 사람을 가리키는지 확인하십시오."
NEAR = "혹시 가릴 곳: 가리지 않았습니다. 가려야 하는지 확인하십시오."


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place a person should look at before release: kind in one word, and a Korean sentence.

    ``kind``: ``scene`` (kept, but perhaps the scene; or masked as a party's name where an office is
    named before), ``unsure`` (masked), ``near`` (not masked), ``open`` (the same words are masked
    elsewhere in the judgment); of letters kept over instances ``namesake``, ``letter`` and
    ``unassigned`` (``thunder.masking.case_letters``).
    ``score`` is the probability that there is something to mask, ``reasons`` the strongest points
    for and against it. ``places`` are all the places of a wording that is one row, the likeliest of
    which is ``start`` and ``end``.
    """

    start: int
    end: int
    kind: str
    message: str
    score: float | None = None
    places: tuple[tuple[int, int], ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Sorts doubts: what has no score, then by how likely a person would change something."""
        if self.score is None:
            return False, 0.0, self.start
        return True, self.score - 1 if self.kind == "unsure" else -self.score, self.start


class Seen(NamedTuple):
    """What was proposed of a folded text, and the scorecard by which it is weighed, if any."""

    evidence: Evidence
    scorecard: Scorecard | None = None


def scorecard_of(tagger: "Tagger | RulesAlone") -> Scorecard | None:
    """Return the scorecard of the way in which *tagger* is run: the rules' own is in the taxonomy.

    ValueError names what does not fit in it, and the cure.
    """
    return of_rules() if isinstance(tagger, RulesAlone) else tagger.scorecard


class Ranked(NamedTuple):
    """A candidate and how likely it is a mention; of a mask why, if a scorecard says so."""

    candidate: Candidate
    probability: float
    reasons: tuple[Reason, ...] = ()


def ranked(folded: Folded, decisions: Sequence[Decision], seen: Seen) -> list[Ranked]:
    """Return what may be a doubt about *decisions*: masks and readable wordings, weighed."""
    masked = [one.span for one in decisions if one.treatment != "keep"]
    kept = [one.span for one in decisions if one.treatment == "keep"]
    card = seen.scorecard
    text, evidence = folded.text, seen.evidence
    alone = evidence.reading is None  # to weigh all rare words would take a third of the time
    found = candidates(text, evidence, masked=masked, kept=kept, only_masks=alone)
    return [_ranked(one, card) for one in found]


def _ranked(one: Candidate, card: Scorecard | None) -> Ranked:
    if card is None:
        return Ranked(one, raw(one))
    if not one.is_masked:
        return Ranked(one, card.probability(one))
    weighed = card.weigh(one)
    return Ranked(one, weighed.probability, weighed.reasons)


def doubts(
    folded: Folded, decisions: Sequence[Decision], rows: Sequence[Ranked], seen: Seen
) -> list[Doubt]:
    """Return the doubts about *decisions*, by their rank, in code points of the original.

    *rows* are what may be one, by the scorecard of what was *seen*; of readable wordings the likely
    ones are shown.
    """
    found = [*_of_decisions(folded, decisions), *_left_open(folded, decisions, rows, seen)]
    shown = {place for one in found for place in (one.places or [(one.start, one.end)])}
    for one in _weighed(folded, rows, seen):
        if not shown & set(one.places):
            found.append(one)
    return sorted(found, key=lambda doubt: doubt.rank)


def _least_shown(seen: Seen) -> float:
    """Return the probability from which on readable wordings are shown."""
    return seen.scorecard.shown if seen.scorecard else NEAR_MISS


def _of_decisions(folded: Folded, decisions: Sequence[Decision]) -> Iterator[Doubt]:
    for decision in decisions:
        if decision.review:
            span = folded.original(decision.span)
            yield Doubt(span.start, span.end, "scene", decision.review)


def _left_open(
    folded: Folded, decisions: Sequence[Decision], rows: Sequence[Ranked], seen: Seen
) -> Iterator[Doubt]:
    """Yield the readable places of each wording that is masked as a name elsewhere, as one row.

    Its likeliest place comes first. What was decided to stay readable there is no doubt.
    """
    plain, spans = folded.text, [one.span for one in decisions]
    masked = [one.span for one in decisions if one.treatment == "letter"]
    whole = dict.fromkeys(key_of(plain[span.start : span.end]) for span in masked)
    keys = dict.fromkeys([*whole, *filter(None, (_given(plain, span) for span in masked))])
    readable = (row for row in rows if not row.candidate.is_masked)
    row_at = {start: row for row in readable for start, _ in row.candidate.places}
    for key in keys:
        if len(key) < _LEAST_LETTERS:
            continue
        found = [place for place in occurrences(plain, key) if _is_outside(*place, spans)]
        known = [row for start, _ in found if (row := row_at.get(start))]
        message = OPEN_GIVEN if key not in whole else OPEN_WORD if is_ordinary(key) else OPEN
        if known and seen.scorecard:
            yield _row(folded, max(known, key=_chance), "open", message, found, seen)
        elif found:
            yield _doubt(folded, found[0], "open", message, places=found)


def _given(plain: str, span: Span) -> str:
    """Return the given name of a person masked by both names, "" where it is too common a word.

    김하늘 is masked, and 하늘을 may be the same: a word, so that no finder can say.
    """
    parts = parts_of(key_of(plain[span.start : span.end])) if is_person(span.label) else None
    given = parts[1] if parts else ""
    return given if commonness(given, tailed=True) <= _COMMON else ""


def _is_outside(start: int, end: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, start, key=lambda one: one.end)
    return at == len(spans) or spans[at].start >= end


def _doubt(
    folded: Folded,
    place: tuple[int, int],
    kind: str,
    message: str,
    *,
    score: float | None = None,
    places: Sequence[tuple[int, int]],
    reasons: tuple[Reason, ...] = (),
) -> Doubt:
    spans = [folded.original(Span(*one, "")) for one in (place, *places)]
    first, *others = [(span.start, span.end) for span in spans]
    return Doubt(*first, kind, message, score, tuple(others), reasons)


# --- what the scorecard ranks -------------------------------------------------------------------


def _weighed(folded: Folded, rows: Sequence[Ranked], seen: Seen) -> Iterator[Doubt]:
    """Yield a row for each wording that is masked unsurely, or readable and likely a mention."""
    text, least = folded.text, _least_shown(seen)
    near: list[Ranked] = []
    unsure: dict[str, list[Ranked]] = {}
    for row in rows:
        one, chance = row.candidate, row.probability
        if not one.is_masked and chance >= least:
            near.append(row)
        elif one.is_masked and chance < DOUBTFUL and one.features["source"] != "given":
            unsure.setdefault(text[one.start : one.end], []).append(row)
    for same in unsure.values():
        places = [(row.candidate.start, row.candidate.end) for row in same]
        yield _row(folded, min(same, key=_chance), "unsure", UNSURE, places, seen)
    most = max(MOST_NEAR_MISSES, len(text) * MOST_IN_10_000 // 10_000)
    worth = [row for row in near if _is_worth_a_look(text, row.candidate, least)]
    for row in sorted(worth, key=_chance, reverse=True)[:most]:
        yield _row(folded, row, "near", NEAR, row.candidate.places, seen)


def _chance(row: Ranked) -> float:
    return row.probability


def _row(
    folded: Folded,
    row: Ranked,
    kind: str,
    message: str,
    places: Sequence[tuple[int, int]],
    seen: Seen,
) -> Doubt:
    one, score = row.candidate, round(_chance(row), 4)
    card = seen.scorecard
    reasons = row.reasons or (card.weigh(one).reasons if card else ())
    first = (place for place in places if place[0] == one.start)
    place = next(first, places[0])
    return _doubt(folded, place, kind, message, score=score, places=places, reasons=reasons)


def _is_worth_a_look(text: str, one: Candidate, least: float) -> bool:
    """Return whether *one* is more than a letter, a heading, or what stands beside a court's mark.

    Nor is a 시·군·구, which stays readable, unless a scorecard has weighed that it is one.
    """
    word = text[one.start : one.end]
    if sum(map(str.isalnum, word)) < _LEAST_LETTERS or is_heading(text, one.start, one.end):
        return False
    is_place = district(word) is not None or bare_district(word) is not None
    if is_place and least == NEAR_MISS:
        return False
    return any(unmarked(text, [Span(one.start, one.end, "")]))
