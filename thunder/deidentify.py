"""Text in, de-identified text and the record of every change out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from thunder import rules
from thunder.korean import Folded, fold, require_encodable
from thunder.names import linking, organisations, persons, places, propagation
from thunder.particles import agree
from thunder.policy import Decision
from thunder.profiles import load as load_policy
from thunder.pseudonyms import Masked, assign
from thunder.spans import Change, Span, replace_spans, without_overlaps
from thunder.taxonomy import load as load_taxonomy

DOUBTFUL = 0.6
"""A span with a lower score is masked all the same, and shown to a person."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A stretch that was recognised and stays readable, and why the rule keeps it."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place a person should look at before release: kind in one word, and a Korean sentence."""

    start: int
    end: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A judgment before and after: ``text`` is ``original`` with ``changes`` applied, no more."""

    id: str
    original: str
    text: str
    changes: tuple[Change, ...]
    kept: tuple[Kept, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def deidentify(
    text: str, *, id: str = "", profile: str = "court", agree_particles: bool = False
) -> Deidentified:
    """Return *text* de-identified by the court rule, with every change, keep and doubt.

    Offsets are code points of *text*; outside the changes the new text equals it, character for
    character. ``agree_particles`` also changes 은/는, 이/가 … to fit how the letter is read,
    which the courts do not do. ValueError for a text no file can hold (lone surrogates) or an
    unknown profile.
    """
    require_encodable(text)
    folded = fold(text)
    plain = folded.text
    decisions = load_policy(profile).decide(plain, find_spans(plain), load_taxonomy())
    masked = [decision for decision in decisions if decision.treatment != "keep"]
    replacements = assign(plain, _with_entities(plain, masked))
    spans = [decision.span for decision in masked]
    if agree_particles:
        spans, replacements = _with_particles(plain, spans, replacements)
    new_text, changes = _replaced(text, folded, spans, replacements)
    kept = tuple(
        Kept(folded.original(decision.span), decision.reason)
        for decision in decisions
        if decision.treatment == "keep"
    )
    return Deidentified(id, text, new_text, changes, kept, tuple(_doubts(folded, decisions)))


def find_spans(plain: str) -> list[Span]:
    """Return what the recognisers see in folded text: disjoint, sorted, in its code points.

    What was found once is then looked for everywhere in the document.
    """
    structured = rules.find(Folded(plain))
    named = [span for finder in (persons, organisations, places) for span in finder.find(plain)]
    found = without_overlaps([*structured, *named], rank=precedence)
    repeated = propagation.spread(plain, found)
    return without_overlaps([*found, *repeated], rank=precedence)


def precedence(span: Span) -> tuple[int, float, int, int]:
    """Return the rank by which one of two overlapping spans wins: the one place that says so.

    A structured identifier beats a name, a name that was seen in its context beats one found
    again by its letters; then the surer, the longer, and the earlier one.
    """
    family, _, finder = span.source.partition(":")
    kind = 2 if family == "rule" else 0 if finder == "repeat" else 1
    return kind, span.score, len(span), -span.start


def _replaced(
    text: str, folded: Folded, spans: Sequence[Span], replacements: Sequence[str]
) -> tuple[str, tuple[Change, ...]]:
    """Return the original *text* with the spans of its folded form replaced."""
    replacement_of: dict[Span, str] = {}
    done = 0
    for plain_span, replacement in zip(spans, replacements, strict=True):
        span = folded.original(plain_span)
        start = max(span.start, done)  # two plain characters may be one cluster of the original
        if start < span.end:
            replacement_of[replace(span, start=start)] = replacement
            done = span.end
    new_text, changes = replace_spans(text, list(replacement_of), replacement_of.__getitem__)
    return new_text, tuple(changes)


def _with_entities(text: str, decisions: Sequence[Decision]) -> list[Masked]:
    entities = linking.entities(text, [decision.span for decision in decisions])
    return [
        Masked(decision.span, entity, decision.omission)
        for decision, entity in zip(decisions, entities, strict=True)
    ]


def _with_particles(
    text: str, spans: Sequence[Span], replacements: Sequence[str]
) -> tuple[list[Span], list[str]]:
    """Return spans and replacements that take in the particle after a mention, agreed."""
    grown: list[Span] = []
    agreed: list[str] = []
    stops = [*(span.start for span in spans[1:]), len(text)][: len(spans)]
    for span, replacement, stop in zip(spans, replacements, stops, strict=True):
        following = text[span.end : min(stop, span.end + 130)]
        new = agree(replacement, following)
        same = _common_suffix(following, new)
        end = span.end + len(following) - same
        grown.append(Span(span.start, end, span.label, span.score, span.source))
        agreed.append(replacement + new[: len(new) - same])
    return grown, agreed


def _common_suffix(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[-1 - length] == other[-1 - length]:
        length += 1
    return length


def _doubts(folded: Folded, decisions: Sequence[Decision]) -> list[Doubt]:
    doubts: list[Doubt] = []
    for decision in decisions:
        span = folded.original(decision.span)
        if decision.review:
            doubts.append(Doubt(span.start, span.end, "scene", decision.review))
        elif decision.treatment != "keep" and span.score < DOUBTFUL:
            message = "확실하지 않지만 가렸습니다. 가릴 정보가 맞는지 확인하십시오."
            doubts.append(Doubt(span.start, span.end, "unsure", message))
    return doubts
