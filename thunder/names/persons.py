"""Persons' names in a judgment: by how names are built, by cues beside them, by the document.

A rule-based second opinion, not a trained tagger: every reading of a word as a name is weighed
by tables that a lawyer can edit (``taxonomy/cues``), then by what the rest of the document says
of the same name. It yields every person it sees, judges and counsel too: who stays readable is
for ``thunder.taxonomy.policy`` to say.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import pairwise

from thunder.names import (
    contexts,
    person_context,
    person_foreign,
    person_lists,
    short_forms,
)
from thunder.names.evidence import score
from thunder.names.given_names import surname_of
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.person_evidence import AND, LONGEST_RUN, Cut, cuts, joined_cuts, weights
from thunder.names.person_lexicon import is_ordinary
from thunder.names.runs import question
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy, tables
from thunder.text.spans import Span, heaviest

SOURCE = "names:person"
LABEL = "내국인이름"
LEAST = -2.2
"""Log-odds from which a reading is yielded: a missed name harms more than a masked word."""

_NEARLY, _SURE = 0.95, 0.6
_CERTAIN = 30.0  # log-odds; more would overflow nothing, and say nothing

# Log-odds weights, fitted once (logistic regression) on public judgments filled with invented
# names: of the word itself, of the place where it stands, and of the surest other place of the
# same name; a name seen once only; where one starts, and less with each e-fold of the length, for
# in a long text more words look like names by chance.
OF_WORD, OF_PLACE, OF_SUREST, ALONE = 0.80, 1.20, 0.70, -2.1
BASE, PER_LENGTH = 2.5, -0.47
SHOWN_ELSEWHERE = 2.0

_MOST_SURE = 6.0
_CELL = lazy.compile("[가-힣]{2,4}")


@dataclass(slots=True)
class _Reading:
    """One run of Hangul read as a name and its tail, and the log-odds that it is one.

    ``word`` and ``place`` are what the word itself and the place where it stands say; ``odds``
    is the verdict, set by ``_weigh``.
    """

    start: int
    name: str
    tail: str
    word: float
    place: float
    odds: float = field(default=0.0)

    @property
    def end(self) -> int:
        """Where the name ends and its tail begins."""
        return self.start + len(self.name)

    @property
    def alone(self) -> float:
        """What the word and its place say together, before the rest of the document."""
        return self.word + self.place


def find(text: str) -> Iterator[Span]:
    """Yield every person named in *text* (folded), disjoint and in order; time is linear."""
    found = [
        *_weighed(text),
        *person_lists.find(text),
        *person_foreign.find(text),
        *short_forms.titled(text),
        *_in_columns(text),
        *(replace(span, source=SOURCE) for span in contexts.PERSONS.find(text)),
    ]
    chosen = _as_sure_as_elsewhere(text, heaviest(found))
    chosen = _without_given_names(text, chosen)
    chosen = person_foreign.whole(text, chosen)
    forms = (*person_foreign.other_forms(text, chosen), *person_foreign.readings(text, chosen))
    yield from heaviest([*chosen, *forms])


def _in_columns(text: str) -> Iterator[Span]:
    """Yield the names in columns of persons: a cell that begins like a surname and is no word."""
    for cell in tables.below(text, frozenset(words_of("column-of-persons")).__contains__):
        name = text[cell.start : cell.end]
        if (
            _CELL.fullmatch(name)
            and surname_of(name)
            and not (is_ordinary(name) or role_group(name) or name in words_of("column-in-a-row"))
        ):
            yield Span(cell.start, cell.end, LABEL, score("in a column of persons"), SOURCE)


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
    _weigh(text, readings)
    for reading in _best_of_each_run(readings):
        if reading.odds > LEAST:
            score = round(1 / (1 + math.exp(-min(reading.odds, _CERTAIN))), 3)
            label = person_foreign.label_for(text, reading.start, reading.end) or LABEL
            yield Span(reading.start, reading.end, label, score, SOURCE)


def _readings(text: str) -> Iterator[_Reading]:
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
) -> Iterator[_Reading]:
    """Yield the readings of a run that starts at *start*, with what word and place say."""
    before = weights().of_place(keys)
    behind: dict[bool, tuple[float, bool]] = {}  # of a bare name, and of one before a particle
    for cut in readable:
        end = start + cut.length
        tailed = bool(cut.tail)
        if tailed not in behind:
            keys, sure = person_context.after(text, end + len(cut.tail), tailed=tailed)
            behind[tailed] = before + weights().of_place(keys), sure
        place, sure = behind[tailed]
        word = cut.word[2 if sure else 1 if group else 0]
        yield _Reading(start, text[start:end], cut.tail, word, place)


def _weigh(text: str, readings: Sequence[_Reading]) -> None:
    """Set the odds of all *readings* of *text*: from each itself and from the others.

    A name is a name in the whole document: what one place shows counts for the others.
    """
    base = BASE + PER_LENGTH * math.log(len(text) + 100)
    same: dict[str, list[_Reading]] = defaultdict(list)
    for reading in readings:
        reading.odds = base + OF_WORD * reading.word + OF_PLACE * reading.place
        same[reading.name].append(reading)
    for group in same.values():
        _add_surest_other(group)
    _by_endings(readings)


def _best_of_each_run(readings: Sequence[_Reading]) -> list[_Reading]:
    """Return of the readings of one run the likeliest, in order of the text."""
    best: dict[int, _Reading] = {}
    for reading in readings:
        rival = best.get(reading.start)
        if rival is None or reading.odds > rival.odds:
            best[reading.start] = reading
    return list(best.values())


def _add_surest_other(group: Sequence[_Reading]) -> None:
    """Add to the odds of each of *group*, the readings of one name, what the others show."""
    if len(group) == 1:
        group[0].odds += ALONE
        return
    surest, second = nlargest(2, (reading.alone for reading in group))
    for reading in group:
        other = second if reading.alone == surest else surest
        reading.odds += OF_SUREST * max(-_MOST_SURE, min(_MOST_SURE, other))


def _by_endings(readings: Sequence[_Reading]) -> None:
    """김영이: 김영 + 이 where the document has 김영을 too, 김영이 where it has 김영이를."""
    seen = Counter((reading.name, reading.tail[:1]) for reading in readings)
    total = Counter(reading.name for reading in readings)
    for shorter, longer in _rivals(readings):
        for_shorter = total[shorter.name] - seen[shorter.name, longer.name[-1]]
        for_longer = total[longer.name] - seen[longer.name, ""]
        if bool(for_shorter) != bool(for_longer):
            gain = SHOWN_ELSEWHERE if for_shorter else -SHOWN_ELSEWHERE
            shorter.odds += gain
            longer.odds -= gain


def _rivals(readings: Sequence[_Reading]) -> Iterator[tuple[_Reading, _Reading]]:
    """Yield the readings of one run that differ by one syllable, neither of them hopeless."""
    for shorter, longer in pairwise(readings):
        same_run = shorter.start == longer.start and len(longer.name) == len(shorter.name) + 1
        if same_run and min(shorter.odds, longer.odds) > -3 and shorter.odds + longer.odds > -3:
            yield shorter, longer
