"""The journal of a run reads as if the run had never been broken."""

import json
import math

import pytest

from thunder.training.journal import Journal, read


def test_what_came_after_the_checkpoint_is_dropped(tmp_path):
    with Journal(tmp_path, start=0) as journal:
        for step in (1, 2, 3):
            journal.write("train", step, {"loss": 1.0 / step, "mfu": None})
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"kind": "train", "st')  # the machine stopped here
    with Journal(tmp_path, start=2) as journal:
        journal.write("train", 3, {"loss": 0.25})
    records = read(tmp_path / "log.jsonl")
    assert [(record["step"], record["loss"]) for record in records] == [(1, 1), (2, 0.5), (3, 0.25)]
    assert "mfu" not in records[0]


def test_tensorboard_has_the_same_curves(tmp_path):
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with Journal(tmp_path, start=0) as journal:
        journal.write("held-out/ko", 5, {"loss": 2.0})
    curves = reader.EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    (point,) = curves.Scalars("held-out/ko/loss")
    assert (point.step, point.value) == (5, 2.0)


def test_every_line_is_json(tmp_path):
    with Journal(tmp_path, start=0) as journal:
        journal.write("train", 1, {"note": "가", "gradient_norm": math.inf, "loss": math.nan})
    (line,) = journal.path.read_text().splitlines()
    assert json.loads(line) == {"kind": "train", "step": 1, "note": "가"}
