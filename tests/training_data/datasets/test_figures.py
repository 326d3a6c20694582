"""The figures of a dataset: the right numbers, as tables, files and pictures."""

import csv

import pytest

from thunder import taxonomy as taxonomies
from thunder.training_data.datasets import figures as counted
from thunder.training_data.datasets import paper, plots, reports, tables
from thunder.training_data.datasets.annotated import Terms
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.tables import Table
from thunder.training_data.invented_judgments import KINDS

from .conftest import write_jsonl


@pytest.fixture
def figures(tmp_path):
    bank, name = "<<<은행>>>A<<</은행>>>", "<<<내국인이름>>>B<<</내국인이름>>>"
    rows = [("fraud", bank + name + name), ("fraud", bank), ("민사", "<<<앞>>>C<<</앞>>>")]
    records = [
        {"id": str(n), "case_type": case, "text": text} for n, (case, text) in enumerate(rows)
    ]
    records.append({"id": "torn", "case_type": "fraud", "text": "<<<은행>>>A"})
    path = write_jsonl(tmp_path / "a.jsonl", records)
    return counted.of_files([path], Terms(taxonomies.load()))


def named(figures, name):
    found = tables.tables(figures, taxonomies.load())
    return next(table for table in found if table.name == name)


def test_the_paper_adds_up():
    assert sum(row.documents for row in paper.TABLE_1) == 6_700
    assert sum(row.entities for row in paper.TABLE_1) == 48_306


@pytest.mark.parametrize(
    ("case_type", "row"),
    [
        ("fraud", "Property theft & deception"),
        ("crime_of_violence", "Violence"),
        ("민사", "Civil"),
        ("특허", None),
    ],
)
def test_the_papers_row_nearest_to_a_case_type(case_type, row):
    near = paper.nearest(case_type)
    assert (near.case_type if near else None) == row


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "case-types",
            (
                ("fraud", 2, 4, 2.0, "Property theft & deception"),
                ("민사", 1, 1, 1.0, "Civil"),
                ("all", 3, 5, 1.67, ""),
            ),
        ),
        ("lengths", ((1, 1, 1, 3, 3, 3, 3),)),
        ("labels-rare", ((1, 1), (2, 2))),
        ("left-out", (("unbalanced or broken marks", 1),)),
    ],
)
def test_figures_of_annotated_files(name, rows, figures):
    assert named(figures, name).rows == rows


def test_the_papers_table_has_ours_beside_it(figures):
    rows = {row[0]: row[1:] for row in named(figures, "table-1").rows}
    assert rows["Property theft & deception"] == (600, 4_376, 7.29, 2, 4, 2.0)
    assert rows["Eviction"] == (846, 6_816, 8.06, 0, 0, 0.0)
    assert rows["Criminal"] == (3_000, 14_607, 4.87, 2, 4, 2.0)
    assert rows["Civil"] == (3_000, 26_209, 8.74, 1, 1, 1.0)
    assert rows["all"] == (6_700, 48_306, 7.21, 3, 5, 1.67)


def test_entities_are_counted_by_tier_without_those_of_no_label(figures):
    rows = named(figures, "tiers").rows
    assert {row[1].split()[0]: row[2:4] for row in rows} == {"D.1.1": (1, 2), "D.2.6": (1, 2)}
    assert {row[0] for row in rows} == {"direct", "quasi"}


def test_figures_of_a_dataset_add_up(built):
    dataset = Dataset.open(built)
    figures = counted.of_dataset(dataset)
    assert sum(figures.documents.values()) == len(figures.lengths) == 40
    assert sum(figures.entities.values()) == sum(figures.labels.values())
    for part, row in figures.parts.items():
        stored = [one for epoch in (0, 1) for one in dataset.part(part).epoch(epoch)]
        once = stored if part == "train" else stored[: row["documents"]]
        assert row["tokens"] == sum(len(one.ids) for one in once)
        assert row["masked"] == sum(int((one.labels > 0).sum()) for one in once)
    assert named(figures, "splits").rows[-1][1:4] == tuple(
        figures.parts[part]["documents"] for part in ("train", "dev", "test")
    )


def test_tables_are_kept_as_markdown_and_csv(tmp_path):
    table = Table("one", "One", ("label", "number"), (("가|나", 1234), ("다", 5.5)))
    reports.save(tmp_path, [table], title="Figures", pictures=["a.png"])
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == (
        "# Figures\n\n## One\n\n| label | number |\n| --- | ---: |\n| 가\\|나 | 1,234 |\n"
        "| 다 | 5.50 |\n\n![a.png](a.png)\n"
    )
    with (tmp_path / "one.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["label", "number"], ["가|나", "1234"], ["다", "5.5"]]


@pytest.mark.slow
def test_plots_show_hangul_without_a_missing_letter(built, tmp_path, recwarn):
    pytest.importorskip("matplotlib")
    figures = counted.of_dataset(Dataset.open(built))
    names = plots.plot(figures, taxonomies.load(), tmp_path)
    assert set(names) == {"labels.png", "lengths.png", "tiers.png", "splits.png"}
    assert all((tmp_path / name).stat().st_size > 5_000 for name in names)
    assert not [one for one in recwarn if "Glyph" in str(one.message)]


@pytest.mark.slow
def test_one_document_can_be_drawn(figures, tmp_path):
    pytest.importorskip("matplotlib")
    alone = counted.Figures({"가": 1}, {"가": 0}, {}, [7], "characters", {}, {}, {})
    assert "splits.png" not in plots.plot(alone, taxonomies.load(), tmp_path)


def test_every_kind_of_invented_judgment_has_its_row_in_the_papers_table():
    assert not [kind for kind in KINDS if paper.nearest(kind) is None]
