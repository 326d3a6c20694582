"""Places a person should look at before release: masked or kept in doubt, or nearly masked."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thunder.masking.wordings import key_of, occurrences
from thunder.mentions.generic_words import is_heading
from thunder.names.court_marks import unmarked
from thunder.names.person_tails import tails
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.policy import Decision
from thunder.text.korean import Folded
from thunder.text.spans import Span

if TYPE_CHECKING:
    from thunder.mentions.credibility import Reading

DOUBTFUL = 0.6
"""A span with a lower score is masked all the same, and shown to a person."""

NEAR_MISS = 0.15
"""A place that nobody masked is shown where the tagger gave it this probability or more."""

_LEAST_LETTERS = 2  # a letter by itself is a unit, a particle, a spaced heading

MOST_NEAR_MISSES = 12
"""Of a document: the strongest, so that the list stays readable."""

UNSURE = "확실하지 않지만 가렸습니다. 가릴 정보가 맞는지 확인하십시오."
OPEN = "가린 말과 같은 말이 여기에는 남아 있습니다. 같은 사람이나 같은 곳인지 확인하십시오."
NEAR = "아마 가릴 곳: 가리지 않았습니다. 가려야 하는지 확인하십시오."


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place a person should look at before release: kind in one word, and a Korean sentence.

    ``kind``: ``scene`` (kept, but perhaps the scene; or masked as a party's name where an office is
    named before), ``unsure`` (masked), ``near`` (not masked), ``open`` (the same words are masked
    elsewhere in the judgment).
    ``score`` is how sure the finder is that there is something to mask.
    """

    start: int
    end: int
    kind: str
    message: str
    score: float | None = None


def doubts(
    folded: Folded, decisions: Sequence[Decision], reading: "Reading | None" = None
) -> list[Doubt]:
    """Return the doubts about *decisions*, in order of the text, in code points of the original.

    *reading* is what the tagger read of the folded text, if one did.
    """
    found = [*_of_decisions(folded, decisions), *_left_open(folded, decisions)]
    if reading is not None:
        found += _near_misses(folded, decisions, reading)
    return sorted(found, key=lambda doubt: (doubt.start, doubt.end))


def _of_decisions(folded: Folded, decisions: Sequence[Decision]) -> Iterator[Doubt]:
    for decision in decisions:
        span = folded.original(decision.span)
        if decision.review:
            yield Doubt(span.start, span.end, "scene", decision.review)
        elif decision.treatment != "keep" and span.score < DOUBTFUL:
            yield Doubt(span.start, span.end, "unsure", UNSURE, span.score)


def _left_open(folded: Folded, decisions: Sequence[Decision]) -> Iterator[Doubt]:
    """Yield the first readable place of each wording that is masked as a name elsewhere.

    What was decided to stay readable there is no doubt.
    """
    plain, spans = folded.text, [one.span for one in decisions]
    masked = (one.span for one in decisions if one.treatment == "letter")
    keys = dict.fromkeys(key_of(plain[span.start : span.end]) for span in masked)
    for key in keys:
        if len(key) < _LEAST_LETTERS:
            continue
        for start, end in occurrences(plain, key):
            if _is_outside(start, end, spans):
                span = folded.original(Span(start, end, ""))
                yield Doubt(span.start, span.end, "open", OPEN)
                break


def _is_outside(start: int, end: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, start, key=lambda one: one.end)
    return at == len(spans) or spans[at].start >= end


# --- what the tagger nearly masked --------------------------------------------------------------


def _near_misses(
    folded: Folded, decisions: Sequence[Decision], reading: "Reading"
) -> Iterator[Doubt]:
    """Yield the strongest places that the tagger held for a mention, and that stayed readable."""
    text, spans = folded.text, [decision.span for decision in decisions]
    stretches = _stretches(text, reading, spans)
    named = unmarked(text, stretches)
    shown = (near for near in named if _is_worth_a_look(text[near.start : near.end]))
    for near in sorted(shown, key=lambda near: -near.score)[:MOST_NEAR_MISSES]:
        span = folded.original(near)
        yield Doubt(span.start, span.end, "near", NEAR, round(span.score, 4))


def _stretches(text: str, reading: "Reading", spans: Sequence[Span]) -> Iterator[Span]:
    """Yield runs of tokens near a threshold that no span touches and that are no particle."""
    held: Span | None = None
    near = (reading.mass >= NEAR_MISS) & (reading.starts < reading.ends)
    for token in near.nonzero()[0].tolist():
        start, end = int(reading.starts[token]), int(reading.ends[token])
        if not _is_readable(text, start, end, spans) or is_heading(text, start, end):
            continue
        score = min(float(reading.mass[token]), 1.0)
        if held is not None and start <= held.end:
            held = Span(held.start, max(held.end, end), "", max(held.score, score))
            continue
        if held is not None:
            yield held
        held = Span(start, end, "", score)
    if held is not None:
        yield held


def _is_worth_a_look(word: str) -> bool:
    """Return whether *word* is more than a letter, and no 시·군·구, which stays readable."""
    is_place = district(word) is not None or bare_district(word) is not None
    return sum(map(str.isalnum, word)) >= _LEAST_LETTERS and not is_place


def _is_readable(text: str, start: int, end: int, spans: Sequence[Span]) -> bool:
    """Return whether the stretch has a letter, lies outside *spans* and is no tail of one."""
    at = bisect_right(spans, start, key=lambda one: one.end)
    follows = at > 0 and spans[at - 1].end == start
    part = text[start:end]
    return (
        _is_outside(start, end, spans)
        and any(map(str.isalnum, part))
        and not (follows and part in tails())
    )
