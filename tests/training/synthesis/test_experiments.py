"""The experiments with made texts: their trainings, and each from its texts to its tables."""

import csv
import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

from thunder.settings.config import ConfigError, load
from thunder.training.synthesis import experiments
from thunder.training.synthesis.experiments import Experiments
from thunder.training_data.annotation import serialise
from thunder.training_data.datasets import splits
from thunder.training_data.invented_judgments import judgment

from .stand_in import StandIn, chat
from .written import mark

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "finetune" / "experiments" / "synthesis.toml"
SCRIPT = ROOT / "finetune" / "synthesis_experiments.py"

pytestmark = pytest.mark.skipif(not SHIPPED.is_file(), reason="needs a checkout")


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def texts(path, kind, numbers):
    found = (judgment(kind, seed=6, number=number) for number in numbers)
    rows = ({"id": one.id, "text": serialise(one.text, one.spans)} for one in found)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(lines, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Indictments and news to train on and to test on; one test is among the texts to train on."""
    place = tmp_path_factory.mktemp("experiments")
    texts(place / "real.jsonl", "indictment", range(8))
    texts(place / "made.jsonl", "news", range(8))
    texts(place / "real-test.jsonl", "indictment", range(7, 10))
    texts(place / "made-test.jsonl", "news", range(20, 23))
    shared = (
        '"engine.kind=plain", "engine.precision=fp32", "engine.threads=1", "schedule.epochs=1", '
        '"schedule.batch=4", "schedule.micro_batch=4", "schedule.length=128", '
        '"schedule.overlap=32", "schedule.budget=1024", "loading.workers=0", "schedule.peak=2e-2"'
    )
    (place / "own.toml").write_text(
        f'work = "{place}/work"\nmodels = ["smoke"]\nseeds = [1]\n'
        f'sizes = [5, 6]\nlabels = ["내국인이름", "치킨집"]\n'
        f'[tests]\n"공소장" = "{place}/real-test.jsonl"\n"뉴스" = "{place}/made-test.jsonl"\n'
        f'[real]\n"공소장" = "{place}/real.jsonl"\n[made]\n"뉴스" = "{place}/made.jsonl"\n'
        f"[changes]\nall = [{shared}]\n",
        encoding="utf-8",
    )
    return place


def test_the_shipped_file_names_every_training_of_every_experiment():
    wanted = load(SHIPPED, Experiments)
    assert [one.name for one in experiments.trainings("domains", wanted)] == [
        "real 판결", "made 탄원서·진술서",
    ]  # fmt: skip
    curve = experiments.trainings("curve", wanted)
    assert [(one.name, one.limit) for one in curve[:3]] == [
        ("20 real", 20), ("20 made", 20), ("100 real", 100),
    ]  # fmt: skip
    assert [one.name for one in experiments.trainings("rare", wanted)] == ["without", "with"]
    cells = experiments.cells("rare", wanted)
    assert [(one.model, one.training, one.seed) for one in cells[2:4]] == [
        ("mini", "without", 1205), ("mini", "with", 1200),
    ]  # fmt: skip
    assert len({cell.run for cell in cells}) == 2 * 2 * 3
    assert experiments.settings(wanted, cells[-1]).seed == 1205
    with pytest.raises(ValueError, match="'pool' names a run file"):
        experiments.trainings("pools", wanted)


def test_each_size_of_pool_is_a_run_of_its_own(tmp_path):
    (tmp_path / "pool.toml").write_text(
        'output = "x"\n[pool]\nlabel = "치킨집"\nseeds = ["a.jsonl"]\nsplits = "s.tsv"\n', "utf-8"
    )
    change = [f'pool="{tmp_path}/pool.toml"', 'real={"판결"="r.jsonl"}']
    wanted = load(SHIPPED, Experiments, changes=change)
    names = [one.name for one in experiments.trainings("pools", wanted)]
    assert names == ["real", *(f"real and a pool of {size}" for size in (0, 1, 5, 10, 100))]
    assert experiments.pool_run(wanted, 5).pool.size == 5
    assert experiments.pool_run(wanted, 5).output == Path("runs/synthesis/pools/5")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["tests={}"], "'tests' is empty"),
        (["real={}", "made={}"], r"give \[real\] or \[made\]"),
        (["server='http://127.0.0.1:1/v1'"], "'model' names the one to ask"),
        (["changes={minimal=['seed=1']}"], "for minimal, which is no model of it"),
    ],
)
def test_a_slip_is_refused_by_name(changes, said):
    with pytest.raises(ConfigError, match=said):
        load(SHIPPED, Experiments, changes=changes)


def test_what_is_near_to_a_test_is_not_trained_on(place, tmp_path):
    said = []
    wanted = load(place / "own.toml", Experiments, changes=[f'work="{tmp_path}"'])
    experiments.prepare("rare", wanted, said.append)
    assert said == [
        "without: 7 texts, 1 left out that are near to a test",
        "with: 15 texts, 1 left out that are near to a test",
    ]
    rows = (tmp_path / "trainings" / "without.splits.tsv").read_text("utf-8").splitlines()[1:]
    parts = [line.split("\t")[2] for line in rows]
    assert {part: parts.count(part) for part in set(parts)} == {"train": 6, "dev": 1, "test": 6}
    ids = {line.split("\t")[0].rpartition("/")[2] for line in rows if "\ttest\t" not in line}
    assert "invented-indictment-6-000007" not in ids
    found = experiments.golds("rare", wanted)
    assert sorted({one.case_type for one in found}) == ["공소장", "뉴스"]


def test_of_one_file_the_parts_of_a_dataset_are_kept_apart(place, tmp_path):
    ids = [f"invented-indictment-6-{number:06d}" for number in range(8)]
    parts = ["train"] * 5 + ["dev"] + ["test"] * 2
    rows = [splits.Row(one, "x", part, one) for one, part in zip(ids, parts, strict=True)]
    (tmp_path / "splits.tsv").write_bytes(splits.write(rows))
    changes = [
        f'work="{tmp_path}"', f'splits="{tmp_path}/splits.tsv"',
        f'tests={{"공소장"="{place}/real.jsonl"}}',
    ]  # fmt: skip
    wanted = load(place / "own.toml", Experiments, changes=changes)
    said = []
    experiments.prepare("rare", wanted, said.append)
    assert [line.partition(",")[0] for line in said] == ["without: 5 texts", "with: 13 texts"]
    assert len(experiments.golds("rare", wanted)) == 2
    (tmp_path / "splits.tsv").write_bytes(splits.write(rows[1:]))
    with pytest.raises(ValueError, match="invented-indictment-6-000000 is in no part"):
        experiments.prepare("rare", wanted, said.append)


@pytest.fixture(scope="module")
def script():
    """The script's module; it asks for an environment before it reads its command line."""
    before, path = sys.excepthook, list(sys.path)
    sys.path.insert(0, str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("synthesis_experiments", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.excepthook, sys.path[:] = before, path
    return module


def act(script, monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *map(str, words)])
    status = script.main()
    return status, capsys.readouterr()


def rows(place, name, table):
    path = place / "work" / "tables" / name / f"{table}.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_domains_against_domains_with_a_language_model_beside(script, place, monkeypatch, capsys):
    with StandIn(lambda body: (200, _echo(body))) as server:
        asks = ["--set", f'server="{server.url}"', "--set", 'model="stand-in"']
        asks += ["--set", "seeds=[1, 2]"]
        status, said = act(script, monkeypatch, capsys, "domains", place / "own.toml", *asks)
        assert status == 0, said.err
        asked = len(server.asked)
        again = act(script, monkeypatch, capsys, "domains", place / "own.toml", *asks)
        assert again[0] == 0 and "smoke: real 공소장, 1: is done" in again[1].err
        assert len(server.asked) == asked == 6
    found = {row["system"]: row for row in rows(place, "domains", "names")}
    trained = ["smoke: real 공소장", "smoke: made 뉴스"]
    assert list(found) == [*trained, "rules", "deid", "language model"]
    assert {found[one]["runs"] for one in trained} == {"2"}
    for row in found.values():
        assert all(0 <= float(row[test]) <= 1 for test in ("공소장", "뉴스", "all"))
    assert float(found["deid"]["all"]) > 0.7
    assert float(found["language model"]["all"]) < 0.1
    assert "# Experiment: domains" in said.out


def _echo(body):
    said = chat({"text": ""})
    said["choices"][0]["message"]["content"] = body["messages"][-1]["content"]
    return said


@pytest.mark.slow
def test_the_curve_has_as_many_made_texts_as_real_ones(script, place, monkeypatch, capsys):
    status, said = act(script, monkeypatch, capsys, "curve", place / "own.toml")
    assert status == 0, said.err
    names = [row["system"] for row in rows(place, "curve", "names")]
    assert names[:4] == ["smoke: 5 real", "smoke: 5 made", "smoke: 6 real", "smoke: 6 made"]
    assert "5 real: 5 texts" in said.err and "6 made: 6 texts" in said.err
    assert (place / "work/tables/curve/curve.svg").is_file()


@pytest.mark.slow
def test_rare_labels_stand_without_and_with_made_texts(script, place, monkeypatch, capsys):
    small = ["--set", 'models=["smoke", "bilstm"]']
    small += ["--set", 'changes.bilstm=["model.changes={embedding=16, width=16, dropout=0.5}"]']
    status, said = act(script, monkeypatch, capsys, "rare", place / "own.toml", *small)
    assert status == 0, said.err
    found = {row["label"]: row for row in rows(place, "rare", "rare")}
    assert list(found) == ["내국인이름", "치킨집"]
    assert int(found["내국인이름"]["mentions"]) > 5
    for system in ("smoke: without", "smoke: with", "bilstm: without", "bilstm: with"):
        assert 0 <= float(found["내국인이름"][system]) <= 1


@pytest.mark.slow
def test_pools_of_every_size_are_grown_and_trained_on(script, place, monkeypatch, capsys):
    seeds = place / "seeds.jsonl"
    sentence = f"피고인은 {mark('치킨집', 'A')}치킨에서 종업원으로 일하던 사람이다."
    seeds.write_text(json.dumps({"id": "s", "text": sentence}), "utf-8")
    (place / "seeds.tsv").write_bytes(splits.write([splits.Row("s", "형사", "train", "s")]))
    with StandIn(_grown()) as server:
        (place / "pool.toml").write_text(
            f'output = "x"\n[server]\nurl = "{server.url}"\nstructured = "none"\n[pool]\n'
            f'label = "치킨집"\nseeds = ["{seeds}"]\nsplits = "{place}/seeds.tsv"\nnumber = 2\n'
            "tries = 1\n",
            "utf-8",
        )
        small = ["--set", f'pool="{place}/pool.toml"', "--set", "pools=[0, 1]"]
        status, said = act(script, monkeypatch, capsys, "pools", place / "own.toml", *small)
    assert status == 0, said.err
    assert "a pool of 0: 1 sentences" in said.err and "a pool of 1: 1 sentences" in said.err
    names = [row["system"] for row in rows(place, "pools", "names")]
    assert names[:3] == [
        "smoke: real", "smoke: real and a pool of 0", "smoke: real and a pool of 1",
    ]  # fmt: skip


def _grown():
    """Return what answers with a sentence that holds the label, another each time."""
    places = iter(["시장", "역", "공원", "학교", "다리", "교회", "강가", "부두"])

    def answer(body):
        if "치킨집" not in body["messages"][-1]["content"]:
            return 200, chat({"text": "알았습니다."})
        shop = mark("치킨집", "A")
        text = f"피해자는 {next(places)} 옆 {shop}치킨 앞에서 넘어져 한참을 앉아 있었다."
        return 200, chat({"text": text})

    return answer
