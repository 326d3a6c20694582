"""Persons' names in a judgment: by how names are built, by cues beside them, by the document.

A rule-based second opinion, not a trained tagger: every reading of a word as a name is weighed
by tables that a lawyer can edit (``taxonomy/cues``), then by what the rest of the document says
of the same name. It yields every person it sees, judges and counsel too: who stays readable is
for ``thunder.taxonomy.policy`` to say.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from thunder.names import (
    contexts,
    person_context,
    person_document,
    person_foreign,
    person_lists,
    short_forms,
)
from thunder.names.given_names import surname_of
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.person_document import Reading
from thunder.names.person_evidence import AND, LONGEST_RUN, Cut, cuts, joined_cuts, weights
from thunder.names.runs import question
from thunder.text.spans import Span, heaviest

SOURCE = "names:person"
LABEL = "내국인이름"
LEAST = -2.2
"""Log-odds from which a reading is yielded: a missed name harms more than a masked word."""

_NEARLY, _SURE = 0.95, 0.6
_CERTAIN = 30.0  # log-odds; more would overflow nothing, and say nothing


def find(text: str) -> Iterator[Span]:
    """Yield every person named in *text* (folded), disjoint and in order; time is linear."""
    found = [
        *_weighed(text),
        *person_lists.find(text),
        *person_foreign.find(text),
        *short_forms.titled(text),
        *(replace(span, source=SOURCE) for span in contexts.PERSONS.find(text)),
    ]
    chosen = _as_sure_as_elsewhere(text, heaviest(found))
    chosen = _without_given_names(text, chosen)
    yield from heaviest([*chosen, *person_foreign.other_forms(text, chosen)])


def _as_sure_as_elsewhere(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return *spans* with scores raised to nearly that of the same name's surest place."""
    best: dict[str, float] = {}
    for span in spans:
        name = text[span.start : span.end]
        best[name] = max(best.get(name, 0.0), span.score)
    raised: list[Span] = []
    for span in spans:
        score = max(span.score, round(_NEARLY * best[text[span.start : span.end]], 3))
        raised.append(Span(span.start, span.end, span.label, score, span.source))
    return raised


def _without_given_names(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return *spans* without unsure ones that are only a sure person's given name (길동, 길동이).

    ``propagation`` finds those as what they are.
    """
    sure = {text[span.start : span.end] for span in spans if span.score >= _SURE}
    given = {name[len(surname_of(name)) :] for name in sure}
    return [
        span
        for span in spans
        if span.score >= _SURE or text[span.start : span.end].removesuffix("이") not in given
    ]


def _weighed(text: str) -> Iterator[Span]:
    """Yield the Korean names whose odds, by the tables and the document, are good enough."""
    readings = list(_readings(text))
    person_document.weigh(text, readings)
    for reading in person_document.best_of_each_run(readings):
        if reading.odds > LEAST:
            score = round(1 / (1 + math.exp(-min(reading.odds, _CERTAIN))), 3)
            label = person_foreign.label_for(text, reading.start, reading.end) or LABEL
            yield Span(reading.start, reading.end, label, score, SOURCE)


def _readings(text: str) -> Iterator[Reading]:
    for start, run, (readable, joined) in _RUNS(text):
        if readable := _glossed(text, start + len(run), readable):
            keys, group = person_context.before(text, start)
            yield from _read(text, start, readable, keys, group)
        elif joined:
            glued, readable = joined
            role = glued.rstrip(AND)
            group = role_group(role)
            keys = [f"before word {role}", f"before group {group}"]
            yield from _read(text, start + len(glued), readable, keys, group)


def _readable(run: str) -> tuple[Sequence[Cut], tuple[str, Sequence[Cut]] | None] | None:
    """Return the readings of *run*, or a role it begins with and those of the rest, if any."""
    if not 2 <= len(run) <= LONGEST_RUN:
        return None
    alone = cuts(run)
    joined = None if alone else joined_cuts(run)
    return (alone, joined) if alone or joined else None


_RUNS = question(_readable)


def _glossed(text: str, end: int, readable: Sequence[Cut]) -> Sequence[Cut]:
    """Return the readings of a run up to *end* that the characters after it allow: 김도은(金道恩).

    There is one for each syllable of the name; a last one, were it a particle, has none.
    """
    gloss = sign("glossed").match(text, end) if "(" in text[end : end + 2] else None
    fit = [cut for cut in readable if gloss and not cut.tail and cut.length == len(gloss["G"])]
    return fit or readable


def _read(
    text: str, start: int, readable: Sequence[Cut], keys: Sequence[str], group: str
) -> Iterator[Reading]:
    """Yield the readings of a run that starts at *start*, with what word and place say."""
    before = weights().of_place(keys)
    behind: dict[bool, tuple[float, bool]] = {}  # of a bare name, and of one before a particle
    for cut in readable:
        end = start + cut.length
        run_end = end + len(cut.tail)
        tailed = bool(cut.tail)
        if tailed not in behind:
            keys, sure = person_context.after(text, run_end, tailed=tailed)
            behind[tailed] = before + weights().of_place(keys), sure
        place, sure = behind[tailed]
        word = cut.word[2 if sure else 1 if group else 0]
        yield Reading(start, run_end, text[start:end], cut.tail, word, place)
