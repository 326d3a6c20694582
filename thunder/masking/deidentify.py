"""Text in, de-identified text and the record of every change out."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from thunder.masking.doubts import Doubt, doubts
from thunder.masking.pseudonyms import Masked, assign
from thunder.mentions.finding import Tagged, find_spans, with_more
from thunder.names import bracketed, linking
from thunder.tagger.chosen_tagger import RulesAlone, default
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.policy import Decision
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.korean import Folded, fold, require_encodable
from thunder.text.particles import agree
from thunder.text.spans import Change, Span, replace_spans

if TYPE_CHECKING:
    from thunder.tagger import Tagger
    from thunder.tagger.tagger import Read


@dataclass(frozen=True, slots=True)
class Kept:
    """A stretch that was recognised and stays readable, and why the rule keeps it."""

    span: Span
    reason: str


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
    text: str,
    *,
    id: str = "",
    profile: str = "court",
    agree_particles: bool = False,
    tagger: "Tagger | RulesAlone | None" = None,
) -> Deidentified:
    """Return *text* de-identified by the court rule, with every change, keep and doubt.

    Offsets are code points of *text*; outside the changes the new text equals it, character for
    character. A *tagger* is asked besides the recognisers: the one that ships, or another; with
    ``thunder.tagger.chosen_tagger.RULES_ALONE`` none is. ``thunder.mentions`` says who wins.
    ``agree_particles`` also changes 은/는, 이/가 … to fit how the letter is read, which the courts
    do not do. ValueError for a text no file can hold (lone surrogates) or an unknown profile.
    """
    act = partial(deidentify_all, profile=profile, agree_particles=agree_particles, tagger=tagger)
    return next(act([(id, text)]))


def deidentify_all(
    documents: Iterable[tuple[str, str]],
    *,
    profile: str = "court",
    agree_particles: bool = False,
    tagger: "Tagger | RulesAlone | None" = None,
) -> Iterator[Deidentified]:
    """Yield each of *documents*, pairs of id and text, as ``deidentify`` returns it, in order.

    By a *tagger* they are read some at a time, together: what fails for one ends all.
    """
    for id_, text, folded, tagged in _read(documents, tagger):
        decisions = _decided(folded.text, tagged=tagged, profile=profile)
        new_text, changes = _masked(text, folded, decisions, agree_particles=agree_particles)
        kept = (Kept(folded.original(d.span), d.reason) for d in decisions if d.treatment == "keep")
        doubtful = doubts(folded, decisions, tagged.reading if tagged else None)
        yield Deidentified(id_, text, new_text, changes, tuple(kept), tuple(doubtful))


def masked_spans(plain: str, *, tagged: Tagged | None = None, profile: str = "court") -> list[Span]:
    """Return what of folded text would be masked: mentions, but for those the rule keeps."""
    return [one.span for one in _masked_of(_decided(plain, tagged=tagged, profile=profile))]


def masked_with(read: "Read", spans: Sequence[Span]) -> list[Span]:
    """Return what would be masked in a folded text in which a tagger found *spans*."""
    return masked_spans(read.folded.text, tagged=Tagged(spans, read.reading, read.named))


def _decided(plain: str, *, tagged: Tagged | None, profile: str) -> list[Decision]:
    """Return what to do with each mention.

    Brackets tell more of what stays readable, too (이하 ‘공단’이라 한다), so that it has to be
    known what is masked before what they say is.
    """
    policy, taxonomy = load_policy(profile), load_taxonomy()
    spans = find_spans(plain, tagged=tagged)
    decisions = policy.decide(plain, spans, taxonomy)
    more = bracketed.find(plain, [one.span for one in _masked_of(decisions)])
    starts = [span.start for span in spans]
    if all(_is_within(new, spans, starts) for new in more):
        return decisions
    return policy.decide(plain, with_more(plain, spans, more), taxonomy)


def _is_within(new: Span, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Return whether one of the disjoint, sorted *spans* covers *new*, and is as sure."""
    at = bisect_right(starts, new.start) - 1
    return at >= 0 and spans[at].covers(new) and spans[at].score >= new.score


def _masked_of(decisions: Iterable[Decision]) -> list[Decision]:
    return [decision for decision in decisions if decision.treatment != "keep"]


class _Document(NamedTuple):
    id: str
    text: str
    folded: Folded
    tagged: Tagged | None


def _read(
    documents: Iterable[tuple[str, str]], given: "Tagger | RulesAlone | None"
) -> Iterator[_Document]:
    """Yield each document folded and, but for the rules alone, read by the tagger."""
    tagger = default() if given is None else given
    if isinstance(tagger, RulesAlone):
        for id_, text in documents:
            require_encodable(text)
            yield _Document(id_, text, fold(text), None)
        return
    waiting: deque[tuple[str, str]] = deque()
    for read in tagger.read_all(_noted(documents, waiting)):
        id_, text = waiting.popleft()
        plain = read._replace(folded=Folded(read.folded.text))
        tagged = Tagged(tagger.spans(plain), read.reading, read.named)
        yield _Document(id_, text, read.folded, tagged)


def _noted(documents: Iterable[tuple[str, str]], waiting: deque[tuple[str, str]]) -> Iterator[str]:
    for document in documents:
        waiting.append(document)
        yield document[1]


def _masked(
    text: str, folded: Folded, decisions: Sequence[Decision], *, agree_particles: bool
) -> tuple[str, tuple[Change, ...]]:
    """Return *text* with what was decided to be masked replaced, and the changes."""
    masked = _masked_of(decisions)
    spans = [decision.span for decision in masked]
    replacements = assign(folded.text, _with_entities(folded.text, masked))
    if agree_particles:
        spans, replacements = _with_particles(folded.text, spans, replacements)
    return _replaced(text, folded, spans, replacements)


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
