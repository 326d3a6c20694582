"""The figures of a dataset as plain tables, the paper's Table 1 beside them."""

from collections import Counter
from collections.abc import Mapping, Set
from typing import NamedTuple

from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED
from thunder.training_data.datasets import paper
from thunder.training_data.datasets.figures import Figures
from thunder.training_data.datasets.splits import PARTS

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
_TOP = 20
_RARE = 5  # labels with at most so many mentions are rare
NO_LABEL = "(no label)"


Cells = tuple[str | int | float, ...]


class Table(NamedTuple):
    """A table to show or to save: a name for its file, a title, and rows of texts and numbers."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Cells, ...]


def tables(figures: Figures, taxonomy: Taxonomy) -> list[Table]:
    """Return all tables in the order they are read; those without a row are left out."""
    made = [
        case_types(figures),
        beside_paper(figures),
        split_shares(figures),
        parts(figures),
        lengths(figures),
        tiers(figures, taxonomy),
        top_labels(figures, taxonomy),
        rare_labels(figures),
        left_out(figures),
    ]
    return [table for table in made if table.rows]


def case_types(figures: Figures) -> Table:
    """Return documents and entities of each case type, and the paper's row nearest to it."""
    rows: list[Cells] = []
    for case, documents in sorted(figures.documents.items()):
        near = paper.nearest(case)
        entities = figures.entities[case]
        own = (case, documents, entities, _ratio(entities, documents))
        rows.append((*own, near.case_type if near else "–"))
    documents, entities = sum(figures.documents.values()), sum(figures.entities.values())
    rows.append(("all", documents, entities, _ratio(entities, documents), ""))
    columns = ("case type", "documents", "entities", "each", "nearest in the paper")
    return Table("case-types", "Documents and entities by case type", columns, tuple(rows))


def beside_paper(figures: Figures) -> Table:
    """Return the paper's Table 1 with its subtotals, and what is nearest to each row here."""
    rows: list[Cells] = []
    for domain in paper.DOMAINS:
        inside = [row for row in paper.TABLE_1 if row.domain == domain]
        rows += [_beside(row, figures, {row.case_type}) for row in inside]
        if len(inside) > 1:
            names = {domain, *(row.case_type for row in inside)}
            rows.append(_beside(paper.subtotal(domain), figures, names))
    documents, entities = (sum(column) for column in list(zip(*paper.TABLE_1, strict=True))[2:])
    names = {row.case_type for row in paper.TABLE_1} | set(paper.DOMAINS)
    rows.append(_beside(paper.Row("all", "all", documents, entities), figures, names))
    columns = ("Table 1", "documents", "entities", "each", "ours", "entities", "each")
    return Table("table-1", "The paper's Table 1, ours beside it", columns, tuple(rows))


def _beside(row: paper.Row, figures: Figures, names: Set[str]) -> Cells:
    """Return a row of the paper's, and beside it the case types that are nearest to *names*."""
    cases = [case for case in figures.documents if _nearest_name(case) in names]
    documents = sum(figures.documents[case] for case in cases)
    entities = sum(figures.entities[case] for case in cases)
    theirs = (row.case_type, row.documents, row.entities, round(row.density, 2))
    return (*theirs, documents, entities, _ratio(entities, documents))


def _nearest_name(case_type: str) -> str:
    near = paper.nearest(case_type)
    return near.case_type if near else ""


def split_shares(figures: Figures) -> Table:
    """Return how many documents of each case type are in each part, and their shares."""
    whole: dict[str, int] = {
        part: sum(row[part] for row in figures.shares.values()) for part in PARTS
    }
    everything: dict[str, Mapping[str, int]] = dict(figures.shares)
    if everything:
        everything["all"] = whole
    rows: list[Cells] = []
    for case, counts in everything.items():
        total = sum(counts.values())
        shares = (_percent(counts[part], total) for part in PARTS)
        rows.append((case, *(counts[part] for part in PARTS), *shares))
    columns = ("case type", *PARTS, *(f"{part} %" for part in PARTS))
    return Table("splits", "Parts (80/10/10 by hash)", columns, tuple(rows))


def parts(figures: Figures) -> Table:
    """Return documents, examples, tokens and the share of masked tokens of each part."""
    rows = [
        (
            part,
            *(row[name] for name in ("documents", "examples", "tokens", "masked", "ignored")),
            _percent(row["masked"], row["tokens"]),
        )
        for part, row in ((one, figures.parts[one]) for one in PARTS if figures.parts)
    ]
    columns = ("part", "documents", "examples", "tokens", "masked", "ignored", "masked %")
    return Table("parts", "Stored examples", columns, tuple(rows))


def lengths(figures: Figures) -> Table:
    """Return quantiles of the documents' lengths."""
    found = figures.lengths
    row = tuple(found[round(share * (len(found) - 1))] for share in QUANTILES) if found else ()
    columns = tuple(f"{share:.0%}" for share in QUANTILES)
    title = f"Length of a document in {figures.unit} (quantiles)"
    return Table("lengths", title, columns, (row,) if row else ())


def tiers(figures: Figures, taxonomy: Taxonomy) -> Table:
    """Return entities by main category and subcategory, and how many of their labels occur."""
    counts: Counter[tuple[str, str]] = Counter()
    used: Counter[tuple[str, str]] = Counter()
    names = {sub.code: f"{sub.code} {sub.ko}" for sub in taxonomy.subcategories}
    for name, count in figures.labels.items():
        if name != IGNORED:
            label = taxonomy.label(name)
            tier = (label.identifier, names[label.code])
            counts[tier] += count
            used[tier] += 1
    total = sum(counts.values())
    rows = [(*tier, used[tier], n, _percent(n, total)) for tier, n in counts.most_common()]
    columns = ("identifier", "subcategory", "labels used", "entities", "entities %")
    return Table("tiers", "Entities by tier", columns, tuple(rows))


def top_labels(figures: Figures, taxonomy: Taxonomy) -> Table:
    """Return the most frequent labels."""
    total = sum(figures.labels.values())
    rows = [
        (*_named(name, taxonomy), count, _percent(count, total))
        for name, count in Counter(figures.labels).most_common(_TOP)
    ]
    columns = ("label", "in English", "entities", "entities %")
    return Table("labels-top", f"The {_TOP} most frequent labels", columns, tuple(rows))


def rare_labels(figures: Figures) -> Table:
    """Return how many labels occur so rarely, up to five times."""
    counts = Counter(figures.labels.values())
    rows: list[Cells] = [(n, counts[n]) for n in range(1, _RARE + 1) if counts[n]]
    often = sum(n for times, n in counts.items() if times > _RARE)
    rows += [(f"more than {_RARE}", often)] if often else []
    return Table("labels-rare", "How often a label occurs", ("times", "labels"), tuple(rows))


def all_labels(figures: Figures, taxonomy: Taxonomy) -> Table:
    """Return every label with its count, for the file only: 400 rows are no table to read."""
    rows = [
        (*_named(name, taxonomy), count) for name, count in Counter(figures.labels).most_common()
    ]
    return Table("labels", "All labels", ("label", "in English", "entities"), tuple(rows))


def left_out(figures: Figures) -> Table:
    """Return how many documents were left out for each reason."""
    rows = sorted(figures.left_out.items(), key=lambda item: (-item[1], item[0]))
    return Table("left-out", "Documents left out", ("reason", "documents"), tuple(rows))


def _named(name: str, taxonomy: Taxonomy) -> tuple[str, str]:
    if name == IGNORED:
        return NO_LABEL, "ignored: masked, but under a name that stands for no label"
    label = taxonomy.label(name)
    return label.ko, label.en


def _ratio(count: int, whole: int) -> float:
    return round(count / whole, 2) if whole else 0.0


def _percent(count: int, whole: int) -> float:
    return round(100 * count / whole, 2) if whole else 0.0
