"""The labels that leak most; and, for eyes that may see the text, where."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thunder.scoring import tokens
from thunder.scoring.evaluation import Evaluation, Measured, Run
from thunder.scoring.tables import Cell, Table
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span

_AROUND = 30
_EACH = 3


def labels(evaluation: Evaluation, *, top: int) -> Table:
    """Return for each system the labels with the most mentions that are not masked whole."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in evaluation.systems.items():
        taken = _taken_for(runs, evaluation.taxonomy)
        for label in worst_labels(runs, top=top):
            found = [one for run in runs for one in run.mentions if one.span.label == label]
            leaking = [one for one in found if not one.whole]
            leaked = sum(one.leaked for one in leaking)
            share = len(leaking) / len(found)
            rows.append(
                (system, label, len(leaking), len(found), share, leaked, taken.get(label, ""))
            )
    columns = ("system", "label", "leaking", "of", "share", "characters", "most often taken for")
    note = (
        "Mentions with a readable letter or digit, all runs together, whatever they were taken for."
    )
    return Table("worst", f"The {top} labels that leak most", note, columns, tuple(rows))


def worst_labels(runs: Sequence[Run], *, top: int) -> list[str]:
    """Return the labels with the most leaking mentions, the worst first."""
    leaking = Counter(one.span.label for run in runs for one in run.mentions if not one.whole)
    return sorted(leaking, key=lambda label: (-leaking[label], label))[:top]


def _taken_for(runs: Sequence[Run], taxonomy: Taxonomy) -> dict[str, str]:
    """Return for each label the one its tokens are most often given in its stead."""
    total = tokens.added(run.confusion for run in runs)
    most: dict[str, tuple[int, str]] = {}
    for (gold, said), count in sorted(total.items()):
        if gold != said and gold and said:
            name = taxonomy.by_id(gold).ko
            most[name] = max(most.get(name, (0, "")), (count, taxonomy.by_id(said).ko))
    return {name: f"{other} ({count})" for name, (count, other) in most.items()}


class Context(NamedTuple):
    """A place in a document's own words: never show it but to those who may read the text.

    ``number`` counts the places of this system, kind and label, all runs' first alone.
    """

    system: str
    kind: str
    label: str
    number: int
    document: str
    words: str


def contexts(evaluation: Evaluation, *, top: int) -> Iterator[Context]:
    """Yield places where the worst labels leak, then where too much is masked, in their words.

    The worst labels first, a wording of a document once.
    """
    for system, runs in evaluation.systems.items():
        leaks, excess = _places(runs[0].documents)
        worst = [label for label in worst_labels(runs, top=top) if label in leaks]
        most = sorted(excess, key=lambda label: (-len(excess[label]), label))[:top]
        for kind, found, labels in (("leaks", leaks, worst), ("over-masked", excess, most)):
            for label in labels:
                for id_, words in _shown(found[label]):
                    yield Context(system, kind, label, len(found[label]), id_, words)


_Places = dict[str, list[tuple[Measured, Span]]]


def _places(documents: Sequence[Measured]) -> tuple[_Places, _Places]:
    """Return by label where mentions leak, and what is masked beside all mentions."""
    leaks: _Places = {}
    excess: _Places = {}
    for document in documents:
        for mention in document.mentions:
            if not mention.whole:
                leaks.setdefault(mention.span.label, []).append((document, mention.span))
        for span in document.excess.beside:
            excess.setdefault(span.label, []).append((document, span))
    return leaks, excess


def _shown(places: Sequence[tuple[Measured, Span]]) -> Iterator[tuple[str, str]]:
    """Yield the first few places that differ in document or wording."""
    seen: set[tuple[str, str]] = set()
    for document, span in places:
        text = document.gold.text
        key = document.gold.id, text[span.start : span.end]
        if key not in seen and len(seen) < _EACH:
            seen.add(key)
            is_gold = span in document.gold.spans
            hidden = document.scored.predicted if is_gold else ()
            yield document.gold.id, around(text, span, hidden=hidden)


def around(text: str, span: Span, *, hidden: Sequence[Span] = ()) -> str:
    """Return a mention in brackets, what is *hidden* of it as ■, and what stands around it."""
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    mention = list(text[span.start : span.end])
    for other in hidden:
        for at in range(max(span.start, other.start), min(span.end, other.end)):
            mention[at - span.start] = "■"
    return _GAP.sub(_narrow, f"{before}[{''.join(mention)}]{after}")


_GAP = re.compile(r"\s+")


def _narrow(gap: re.Match[str]) -> str:
    return " / " if "\n" in gap[0] else " "
