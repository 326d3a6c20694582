"""The labels that leak most; and, for eyes that may see the text, where."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thunder.scoring import tokens
from thunder.scoring.evaluation import Evaluation, Measured, Run
from thunder.scoring.mentions import Mention
from thunder.scoring.tables import Cell, Table
from thunder.spans import Span
from thunder.taxonomy import Taxonomy

_AROUND = 25
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
    note = "Mentions with a readable character, all runs together, whatever they were taken for."
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
    """A place in a document's own words: never show it but to those who may read the text."""

    system: str
    kind: str
    label: str
    document: str
    words: str


def contexts(evaluation: Evaluation, *, top: int) -> Iterator[Context]:
    """Yield places where the worst labels leak, and where too much is masked, in their words."""
    for system, runs in evaluation.systems.items():
        worst = worst_labels(runs, top=top)
        shown: Counter[tuple[str, str]] = Counter()
        for document in runs[0].documents:
            for kind, span in _places(document, worst):
                shown[kind, span.label] += 1
                if shown[kind, span.label] <= _EACH:
                    words = around(document.gold.text, span)
                    yield Context(system, kind, span.label, document.gold.id, words)


def _places(document: Measured, worst: Sequence[str]) -> Iterator[tuple[str, Span]]:
    leaking: list[Mention] = [one for one in document.mentions if not one.whole]
    yield from (("leaks", one.span) for one in leaking if one.span.label in worst)
    yield from (("over-masked", span) for span in document.excess.beside)


def around(text: str, span: Span) -> str:
    """Return a mention in brackets and what stands around it, line breaks as slashes."""
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    return f"{before}[{text[span.start : span.end]}]{after}".replace("\n", "/")
