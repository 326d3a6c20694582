"""A tagger's recall and precision over its thresholds: points, table, picture."""

import pytest

from thunder.scoring import curves
from thunder.scoring.curves import Setting, named
from thunder.scoring.documents import Prediction
from thunder.scoring.evaluation import evaluate


@pytest.mark.parametrize("setting", [Setting(level=0.005), Setting(recall=0.995)])
def test_a_setting_is_known_by_its_name(setting):
    assert named(setting.name) == setting


def points(gold, known, tokenizer):
    runs = {
        "0.05": {gold.id: Prediction(gold.id, gold.spans, (), True)},
        "0.5": {gold.id: Prediction(gold.id, gold.spans[:1], (), True)},
        "recall 0.99": {gold.id: Prediction(gold.id, gold.spans[:2], (), True)},
    }
    found = evaluate([gold], {"mini": runs}, tokenizer=tokenizer, taxonomy=known)
    return curves.points(found)


def test_a_lower_threshold_finds_more(gold, known, tokenizer):
    of = points(gold, known, tokenizer)["mini"]
    recalls = [one.figures["binary token recall"] for one in of]
    assert recalls[0] == 1.0 > recalls[2] > recalls[1]


def test_table_and_picture(gold, known, tokenizer, tmp_path):
    pytest.importorskip("matplotlib")
    found = points(gold, known, tokenizer)
    rows = curves.table(found).rows
    assert [row[:2] for row in rows] == [("mini", "0.05"), ("mini", "0.5"), ("mini", "recall 0.99")]
    curves.plot(found, tmp_path / "new" / "curve.png")
    assert (tmp_path / "new" / "curve.png").stat().st_size > 10_000
