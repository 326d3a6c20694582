"""What becomes of each mention: by the rule, and by what is decided already."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from thunder.masking.known import Known
from thunder.masking.wordings import key_of, occurrences
from thunder.mentions.finding import with_more
from thunder.names import defined, person_context
from thunder.names.kinds import is_person
from thunder.names.person_context import PARTY
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.policy import Decision, Policy
from thunder.text.korean import Folded, fold
from thunder.text.spans import Span

KEEP = "keep"
GIVEN = "given"
"""The source of a span that was decided before."""

_KEPT_AS_GIVEN = "공개하기로 미리 정한 말"
_PARTY_IN_OFFICE = "당사자와 이름이 같아 직책 뒤에서도 가렸습니다. 다른 사람인지 확인하십시오."


class Rule(NamedTuple):
    """What decides: a profile of the court rule, and the labels it speaks of."""

    policy: Policy
    taxonomy: Taxonomy


def masked_of(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions by which something is masked."""
    return [decision for decision in decisions if decision.treatment != KEEP]


def by_rule(
    plain: str, mentions: Sequence[Span], rule: Rule, edges: Sequence["Edge"] = ()
) -> list[Decision]:
    """Return what the rule does with each of *mentions* (sorted, disjoint) of folded text.

    Brackets tell more of what stays readable, too (이하 ‘공단’이라 한다), so that it has to be
    known what is masked before what they say is. *edges*: where cells of tables begin.
    """
    walls = list(_walls(mentions, edges))
    decisions = rule.policy.decide(plain, mentions, rule.taxonomy, walls=walls)
    more = defined.told_in_brackets(plain, [one.span for one in masked_of(decisions)])
    starts = [span.start for span in mentions]
    if not all(_is_within(new, mentions, starts) for new in more):
        mentions = with_more(plain, mentions, more)
        decisions = rule.policy.decide(plain, mentions, rule.taxonomy, walls=walls)
    return list(_parties_in_every_role(plain, decisions, rule))


def _parties_in_every_role(
    plain: str, decisions: Sequence[Decision], rule: Rule
) -> Iterator[Decision]:
    """Yield *decisions*; who is a party somewhere is masked where an office is named before, too.

    검사 김도윤 stays readable, unless 피고인 김도윤 was one. A namesake is masked as well: both are
    shown to a person.
    """
    persons = [one for one in decisions if is_person(one.span.label)]
    parties = {
        key_of(plain[one.span.start : one.span.end])
        for one in masked_of(persons)
        if person_context.before(plain, one.span.start)[1] == PARTY
    }
    for one in decisions:
        is_kept = one.treatment == KEEP and is_person(one.span.label)
        if is_kept and key_of(plain[one.span.start : one.span.end]) in parties:
            masked = rule.policy.mask(one.span, rule.taxonomy.label(one.span.label))
            yield replace(masked, review=_PARTY_IN_OFFICE)
        else:
            yield one


def _is_within(new: Span, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Return whether one of the disjoint, sorted *spans* covers *new*, and is as sure."""
    at = bisect_right(starts, new.start) - 1
    return at >= 0 and spans[at].covers(new) and spans[at].score >= new.score


# --- segments ------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """Where a cell begins, in folded text, and the stretch of the cell before it in its row.

    None for the first of a row.
    """

    start: int
    before: tuple[int, int] | None


def edges(folded: Folded, text: str, segments: Sequence[tuple[int, int]]) -> list[Edge]:
    """Return where the cells of tables begin: segments of a line, parted by tabulators."""
    betweens = [text[end:start] for (_, end), (start, _) in pairwise(segments)]
    found: list[Edge] = []
    for number, between in enumerate(betweens, 1):
        start = plain_at(folded, segments[number][0])
        if "\t" in between:
            first, last = segments[number - 1]
            found.append(Edge(start, (plain_at(folded, first), plain_at(folded, last))))
        elif any("\t" in beside for beside in betweens[max(0, number - 2) : number + 1]):
            found.append(Edge(start, None))
    return found


def _walls(mentions: Sequence[Span], edges: Iterable[Edge]) -> Iterator[int]:
    """Yield the edges over which no list of judges or counsel goes on from before.

    A cell beside a heading (변호사 | 강도윤) has none. Of paragraphs the rule for lines holds: one
    that ends in a comma goes on.
    """
    ends = [mention.end for mention in mentions]
    for edge in edges:
        if edge.before is None:
            yield edge.start
            continue
        first, last = edge.before
        at = bisect_right(ends, first)
        if at < len(mentions) and mentions[at].start < last:
            yield edge.start


def _plain(folded: Folded, segments: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return *segments*, stretches of the original text, as they stand in the folded text."""
    if folded.starts is None:
        return segments
    return [(plain_at(folded, start), plain_at(folded, end)) for start, end in segments]


def within_segments(
    folded: Folded, decisions: Sequence[Decision], segments: Sequence[tuple[int, int]]
) -> list[Decision]:
    """Return *decisions* cut where a segment ends; between segments nothing is masked or kept.

    What was decided before to be masked is left whole: it is one thing, and gets one letter.
    """
    if not segments:
        return list(decisions)
    plain = _plain(folded, segments)
    ends = [end for _, end in plain]
    return [
        replace(decision, span=span)
        for decision in decisions
        for span in (
            [decision.span] if is_given(decision) else _pieces(folded, decision.span, plain, ends)
        )
    ]


def is_given(decision: Decision) -> bool:
    """Return whether it was decided before that something is masked."""
    return decision.span.source == GIVEN and decision.treatment != KEEP


def pieces(
    folded: Folded, spans: Sequence[Span], segments: Sequence[tuple[int, int]]
) -> list[list[Span]]:
    """Return for each of *spans* what of it lies in segments: itself, if it crosses no end."""
    plain = _plain(folded, segments)
    ends = [end for _, end in plain]
    return [list(_pieces(folded, span, plain, ends)) if segments else [span] for span in spans]


def _pieces(
    folded: Folded, span: Span, places: Sequence[tuple[int, int]], ends: Sequence[int]
) -> Iterator[Span]:
    for start, end in _shared(span, places, ends):
        if (start, end) == (span.start, span.end) or _has_letter(folded, start, end):
            yield replace(span, start=start, end=end)


def _shared(
    span: Span, places: Sequence[tuple[int, int]], ends: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield what *span* has in common with each of the sorted *places*."""
    for start, end in places[bisect_right(ends, span.start) :]:
        if start >= span.end:
            return
        yield max(start, span.start), min(end, span.end)


def _has_letter(folded: Folded, start: int, end: int) -> bool:
    return any(char.isalnum() for char in folded.text[start:end])


def plain_at(folded: Folded, offset: int) -> int:
    """Return where the folded text goes on at *offset* of the original."""
    return offset if folded.starts is None else bisect_left(folded.starts, offset)


# --- what is decided already ---------------------------------------------------------------------


def with_known(
    folded: Folded, decisions: Sequence[Decision], known: Known, rule: Rule
) -> list[Decision]:
    """Return *decisions* with what was decided before in the place of what they say otherwise."""
    if not known:
        return list(decisions)
    given = _over(_over([], _by_wording(folded.text, known, rule)), _by_place(folded, known, rule))
    return _over(decisions, given)


def _by_wording(plain: str, known: Known, rule: Rule) -> list[Decision]:
    """Return the decisions on wordings; of two that share a letter the longer one holds."""
    found: list[Decision] = []
    for name in known.names:
        label = rule.taxonomy.label(name.label)
        for start, end in _found(plain, name.forms):
            found.append(rule.policy.mask(Span(start, end, label.ko, source=GIVEN), label))
    for start, end in _found(plain, known.kept):
        found.append(_kept(start, end))
    found.sort(key=lambda one: (-len(one.span), one.span.start, one.treatment == KEEP))
    taken = bytearray(len(plain))
    chosen: list[Decision] = []
    for decision in found:
        place = slice(decision.span.start, decision.span.end)
        if not any(taken[place]):
            taken[place] = b"\1" * len(decision.span)
            chosen.append(decision)
    return sorted(chosen, key=lambda one: one.span.start)


def _found(plain: str, wordings: Iterable[str]) -> Iterator[tuple[int, int]]:
    for wording in wordings:
        if key := key_of(fold(wording).text):
            yield from occurrences(plain, key)


def _by_place(folded: Folded, known: Known, rule: Rule) -> list[Decision]:
    decisions: list[Decision] = []
    for span in known.masked:
        start, end = plain_at(folded, span.start), plain_at(folded, span.end)
        if start < end:
            label = rule.taxonomy.label(span.label)
            plain = Span(start, end, label.ko, span.score, span.source or GIVEN)
            decisions.append(rule.policy.mask(plain, label))
    for first, last in known.readable:
        start, end = plain_at(folded, first), plain_at(folded, last)
        if start < end:
            decisions.append(_kept(start, end))
    return sorted(decisions, key=lambda one: one.span.start)


def _kept(start: int, end: int) -> Decision:
    return Decision(Span(start, end, "", source=GIVEN), KEEP, reason=_KEPT_AS_GIVEN)


def _over(under: Sequence[Decision], over: Sequence[Decision]) -> list[Decision]:
    """Return both lists of disjoint, sorted decisions as one: where they meet, *over* holds."""
    left: list[Decision] = []
    for decision in under:
        start = decision.span.start
        for upper in _meeting(over, decision.span):
            if start < upper.span.start:
                free = replace(decision.span, start=start, end=upper.span.start)
                left.append(replace(decision, span=free))
            start = max(start, upper.span.end)
        if start < decision.span.end:
            left.append(replace(decision, span=replace(decision.span, start=start)))
    return sorted([*left, *over], key=lambda one: one.span.start)


def _meeting(decisions: Sequence[Decision], span: Span) -> Sequence[Decision]:
    """Return those of the disjoint, sorted *decisions* that share a character with *span*."""
    first = bisect_right(decisions, span.start, key=lambda one: one.span.end)
    last = bisect_left(decisions, span.end, key=lambda one: one.span.start)
    return decisions[first:last]
