"""The report of measures: tables beside real text, and what the rounds did to the marks."""

import csv

import pytest

from thunder.settings.drawing import PlotError
from thunder.training.synthesis import measuring
from thunder.training.synthesis.measuring import REAL, Corpus
from thunder.training_data.annotation import Annotated
from thunder.training_data.invented_judgments import judgment

RUN = {
    "density": {"insert-1": 2.0, "insert-2": 4.0, "distract": 3.5},
    "density_of": {"insert-1": {"은행": 2.0}, "insert-2": {"은행": 4.0}, "distract": {"은행": 3.5}},
    "survival": {"insert-2": 1.0, "distract": 0.75},
}


def texts(kind, number):
    found = (judgment(kind, seed=5, number=n) for n in range(number))
    return [Annotated(one.text, one.spans) for one in found]


@pytest.fixture(scope="module")
def real():
    return texts("injury", 24)


@pytest.fixture(scope="module")
def written(tmp_path_factory, real):
    folder = tmp_path_factory.mktemp("measured")
    corpora = [Corpus("petitions", texts("petition", 12), RUN), Corpus("copies", real[12:])]
    return folder, measuring.report(corpora, real[:12], real[12:], folder)


def rows(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_made_texts_stand_beside_real_ones(written):
    folder, _ = written
    found = {row["measure"]: row for row in rows(folder, "measures")}
    assert list(found["texts"]) == ["measure", "petitions", "copies", REAL]
    assert {found["texts"][name] for name in ("petitions", "copies", REAL)} == {"12"}
    words = found["JS divergence of words (bits)"]
    assert float(words["copies"]) == 0.0 < float(words[REAL]) < float(words["petitions"])
    told = found["AUC of real against this"]
    assert float(told["petitions"]) > 0.95 > float(told["copies"])
    assert float(found["texts that share 8 words"]["copies"]) == 1.0
    assert float(found["texts that share 8 words"]["petitions"]) == 0.0
    assert int(found["longest shared passage (words)"]["copies"]) > 20


def test_the_rounds_are_told_by_label_with_what_survived(written):
    folder, _ = written
    assert rows(folder, "density_petitions") == [
        {"mark": "all marks", "insert-1": "2.0", "insert-2": "4.0", "distract": "3.5"},
        {"mark": "survived", "insert-1": "", "insert-2": "1.0", "distract": "0.75"},
        {"mark": "은행", "insert-1": "2.0", "insert-2": "4.0", "distract": "3.5"},
    ]
    assert not (folder / "density_copies.csv").exists()


def test_self_bleu_stands_apart_for_each_label(written):
    folder, _ = written
    found = {row["label"]: row for row in rows(folder, "self_bleu_by_label")}
    names = found["내국인이름"]
    assert int(names["petitions sentences"]) > 20 and 0 < float(names["petitions"]) < 1
    assert not any(
        int(row["petitions sentences"]) < 5 and row["petitions"] for row in found.values()
    )


def test_the_report_is_one_page_with_its_pictures(written):
    folder, measured = written
    page = (folder / "measures.md").read_text("utf-8")
    for title in ("Measures", "What gives texts away", "Density after each round: petitions"):
        assert f"## {title}" in page
    assert not measured.not_drawn
    for name in ("measures.svg", "density.svg"):
        assert f"![{name}]({name})" in page
        assert "<svg" in (folder / name).read_text("utf-8")


def test_tables_are_written_where_nothing_can_be_drawn(tmp_path, real, monkeypatch):
    def missing():
        raise PlotError("a plot needs matplotlib")

    monkeypatch.setattr(measuring, "opened", missing)
    made = [Corpus("made", texts("news", 12))]
    found = measuring.report(made, real[:12], real[12:], tmp_path)
    assert found.not_drawn == "a plot needs matplotlib"
    assert not list(tmp_path.glob("*.svg")) and (tmp_path / "measures.csv").is_file()


def test_a_report_that_is_none_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"report.json: cannot be read"):
        measuring.run_report(tmp_path)
