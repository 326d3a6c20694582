"""The figures by characters as Markdown tables."""

from collections.abc import Iterable, Mapping, Sequence

from thunder.scoring.characters import Mentions, Report, Scored, labels_of, share
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; shares are written with four places, whole numbers with commas."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1)]
    lines += [[_cell(value) for value in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def summary(reports: Mapping[str, Report]) -> str:
    """Return a row a report: scores by characters, whole mentions, documents without a leak."""
    header = ("", "P", "R", "F1", "typed F1", "whole", "exact", "no leak", "documents", "mentions")
    return table(header, ([name, *_summary(report)] for name, report in reports.items()))


def _summary(report: Report) -> list[object]:
    binary, mentions = report.binary, report.all_mentions
    return [
        *(binary.precision, binary.recall, binary.f1, report.typed.f1),
        share(mentions.whole, mentions.number),
        share(mentions.exact, mentions.number),
        share(report.clean, report.documents),
        report.documents,
        mentions.number,
    ]


def groups(report: Report, *, top: int | None = None) -> str:
    """Return a row a group, the most frequent first: masked at all, and with the right group."""
    header = ("", "masked", "P", "R", "F1", "whole", "exact", "mentions")
    names = sorted(report.by_group, key=lambda name: (-_mentioned(report, name), name))
    return table(header, (_group(report, name) for name in names[:top]))


def _mentioned(report: Report, name: str) -> int:
    return report.mentions.get(name, Mentions()).number


def _group(report: Report, name: str) -> list[object]:
    typed, mentions = report.by_group[name], report.mentions.get(name, Mentions())
    return [
        name,
        report.covered[name].recall if name in report.covered else "–",
        typed.precision if typed.hits + typed.extra else "–",
        typed.recall if typed.hits + typed.missed else "–",
        typed.f1,
        share(mentions.whole, mentions.number),
        share(mentions.exact, mentions.number),
        mentions.number,
    ]


def leaks(report: Report, *, top: int = 20) -> str:
    """Return the groups that leak the most mentions: not masked whole, under whatever label."""
    by_leaks = sorted(report.mentions.items(), key=lambda item: item[1].whole - item[1].number)
    rows = (
        [name, found.number - found.whole, found.number, report.covered[name].missed]
        for name, found in by_leaks[:top]
        if found.number > found.whole
    )
    return table(("", "leaking mentions", "of", "characters"), rows)


def leaking(document: Scored) -> list[Span]:
    """Return the gold spans of which a character stays readable."""
    masked = labels_of(document.length, document.predicted)
    return [
        span
        for span in document.gold
        if span.label != IGNORED and None in masked[span.start : span.end]
    ]
