"""A build: the same bytes however it was done, and never a mixture of two."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from thunder.training_data import lists as mention_lists
from thunder.training_data.datasets import manifest, shard_building, shards, splits, workplace
from thunder.training_data.datasets.building import build
from thunder.training_data.datasets.preparing import NO_LIST, Options
from thunder.training_data.datasets.shard_building import USED_UP
from thunder.training_data.datasets.shards import DatasetError
from thunder.training_data.lists import UsedUp

from .conftest import digests, judgment, write_jsonl

pytestmark = pytest.mark.usefixtures("small_shards")
ONE = Options()


class Killed(BaseException):
    """Raised in place of a signal: nothing in a build catches it."""


@pytest.fixture(scope="module")
def whole(annotated, recipe, tmp_path_factory):
    """The files of an uninterrupted build with shards of four judgments."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thunder.training_data.datasets.building._ROWS", 4)
        folder = tmp_path_factory.mktemp("whole") / "dataset"
        build([annotated], folder, recipe, ONE)
    return digests(folder)


STEPS = ("_write_array", "_rename", "replace_synced", "settle")


def killed_at(moment, annotated, folder, recipe):
    """Run a build that is killed before or after its *moment*-th step; return whether it was."""
    left = iter(range(moment))

    def fatal(step):
        def run(*arguments):
            if next(left, None) is None:
                raise Killed
            result = step(*arguments)
            if next(left, None) is None:
                raise Killed
            return result

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in STEPS:
            patch.setattr(shards, name, fatal(getattr(shards, name)))
            for module in (manifest, workplace):
                if hasattr(module, name):
                    patch.setattr(module, name, getattr(shards, name))
        try:
            build([annotated], folder, recipe, ONE)
        except Killed:
            return True
    return False


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(moment=st.integers(0, 330))
@example(moment=0)
def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(
    moment, annotated, recipe, whole, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("killed") / "dataset"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thunder.training_data.datasets.building._ROWS", 4)
        killed = killed_at(moment, annotated, folder, recipe)
        complete = (folder / "manifest.json").is_file()
        assert killed or complete
        again = build([annotated], folder, recipe, ONE)
    assert again.state in ({"complete"} if complete else {"resumed", "new"})
    assert digests(folder) == whole


def test_killed_when_all_is_done_but_tidying_up(annotated, recipe, whole, tmp_path, monkeypatch):
    def fatal(folder):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(workplace, "leave", fatal)
        with pytest.raises(Killed):
            build([annotated], tmp_path / "d", recipe, ONE)
    assert build([annotated], tmp_path / "d", recipe, ONE).state == "complete"
    assert digests(tmp_path / "d") == whole


def test_finished_shards_are_not_made_again(annotated, recipe, tmp_path):
    assert killed_at(200, annotated, tmp_path / "d", recipe)
    notes = tmp_path.glob("d/[!.]*/shard.json")
    done = {path.parent.name: path.stat().st_mtime_ns for path in notes}
    assert len(done) > 3
    build([annotated], tmp_path / "d", recipe, ONE)
    for name, time in done.items():
        assert (tmp_path / "d" / name / "shard.json").stat().st_mtime_ns == time


def test_a_finished_shard_that_was_damaged_is_made_again(annotated, recipe, whole, tmp_path):
    assert killed_at(200, annotated, tmp_path / "d", recipe)
    victim = next(tmp_path.glob("d/train-*/tokens.npy"))
    victim.write_bytes(victim.read_bytes()[:-8])
    build([annotated], tmp_path / "d", recipe, ONE)
    assert digests(tmp_path / "d") == whole


def test_with_other_inputs_an_unfinished_build_starts_clean(annotated, recipe, tmp_path):
    assert killed_at(200, annotated, tmp_path / "d", recipe)
    other = write_jsonl(tmp_path / "other.jsonl", [judgment(n) for n in range(50, 60)])
    assert build([other], tmp_path / "d", recipe, ONE).state == "restarted"
    assert build([other], tmp_path / "e", recipe, ONE).state == "new"
    assert digests(tmp_path / "d") == digests(tmp_path / "e")


@pytest.mark.parametrize("change", ["seed", "options", "annotated"])
def test_a_complete_dataset_of_another_build_is_refused_then_replaced(
    change, annotated, recipe, tmp_path
):
    build([annotated], tmp_path / "d", recipe, ONE)
    files, made_with, options = [annotated], recipe, ONE
    if change == "seed":
        made_with = replace(recipe, seed=2)
    elif change == "options":
        options = Options(replicas=2)
    else:
        files = [write_jsonl(tmp_path / "other.jsonl", [judgment(n) for n in range(9)])]
    with pytest.raises(DatasetError, match=r"another build \(different: .*--overwrite"):
        build(files, tmp_path / "d", made_with, options)
    assert build([annotated], tmp_path / "d", recipe, ONE).state == "complete"
    assert build(files, tmp_path / "d", made_with, options, overwrite=True).state == "restarted"
    build(files, tmp_path / "e", made_with, options)
    assert digests(tmp_path / "d") == digests(tmp_path / "e")


def test_a_folder_of_other_files_is_left_alone(annotated, recipe, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"not empty \(thesis\.txt\)"):
        build([annotated], tmp_path, recipe, ONE, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_two_builds_in_one_folder_are_one_too_many(annotated, recipe, tmp_path):
    with (
        workplace.locked(tmp_path / "d"),
        pytest.raises(DatasetError, match="another build is running there"),
    ):
        build([annotated], tmp_path / "d", recipe, ONE)


def test_an_input_that_changes_meanwhile_stops_the_build(recipe, tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [judgment(n) for n in range(6)])

    def meddle(stage, done, total):
        if stage == "near-duplicates":
            write_jsonl(path, [judgment(n) for n in range(7)])

    with pytest.raises(DatasetError, match="an input changed while it was read"):
        build([path], tmp_path / "d", recipe, ONE, notice=meddle)
    assert not (tmp_path / "d" / "manifest.json").exists()
    build([path], tmp_path / "d", recipe, ONE)
    build([path], tmp_path / "e", recipe, ONE)
    assert digests(tmp_path / "d") == digests(tmp_path / "e")


def test_replicas_and_epochs_are_stored_for_training_alone(annotated, recipe, tmp_path):
    counts = build([annotated], tmp_path / "d", recipe, Options(2, 3)).manifest.counts["parts"]
    for part, times in (("train", 6), ("dev", 1), ("test", 1)):
        assert counts[part]["examples"] == times * counts[part]["documents"] > 0


def test_single_replacement_is_drawn_once_whatever_the_epochs(annotated, recipe, tmp_path):
    single = replace(recipe, replacement="single")
    counts = build([annotated], tmp_path / "d", single, Options(epochs=3)).manifest.counts["parts"]
    assert counts["train"]["examples"] == counts["train"]["documents"]


def test_documents_left_out_are_counted_by_reason_and_named(recipe, tmp_path):
    good = [judgment(n) for n in range(12)]
    bad = [
        {"id": "torn", "text": "<<<은행>>>A 은행"},
        {"id": "strange", "text": "<<<외계인>>>A<<</외계인>>>"},
        {"id": "blank", "text": " "},
        good[0],
    ]
    path = write_jsonl(tmp_path / "a.jsonl", [*good, *bad])
    found = build([path], tmp_path / "d", recipe, ONE).manifest
    assert found.reasons() == {
        "an empty document": 1,
        "an id used before": 1,
        "an unknown label": 1,
        "unbalanced or broken marks": 1,
    }
    assert [one.id for one in found.left_out] == ["torn", "strange", "blank", "doc-0000"]
    assert sum(row["documents"] for row in found.counts["parts"].values()) == 12


def test_nothing_usable_is_an_error_that_says_why(recipe, tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [{"id": "torn", "text": "<<<은행>>>A 은행"}])
    with pytest.raises(DatasetError, match=r"none of 1 documents .* torn: unbalanced"):
        build([path], tmp_path / "d", recipe, ONE)
    with pytest.raises(DatasetError, match="there is no document in it"):
        build([write_jsonl(tmp_path / "b.jsonl", [])], tmp_path / "e", recipe, ONE)


def test_a_label_without_a_list_leaves_its_documents_out(recipe, tmp_path):
    shutil.copytree(recipe.opened_lists.folder, tmp_path / "lists")
    mention_lists.load(tmp_path / "lists").path("은행").unlink()
    path = write_jsonl(tmp_path / "a.jsonl", [judgment(n) for n in range(12)])
    own = replace(recipe, lists=tmp_path / "lists")
    found = build([path], tmp_path / "d", own, ONE).manifest
    assert found.reasons() == {NO_LIST: 4}
    assert {one.detail for one in found.left_out} == {"은행"}
    assert set(found.counts["documents"]) == {"injury", "eviction"}


class Fails:
    """A filler that cannot fill one document."""

    def __init__(self, filler, error):
        self.filler, self.error = filler, error

    def example(self, judgment, *, epoch, replica=0):
        if judgment.id == "doc-0003" and epoch == 1:
            raise self.error
        return self.filler.example(judgment, epoch=epoch, replica=replica)


def failing(error):
    return lambda recipe, part: Fails(recipe.filler(part), error)


def test_a_document_whose_list_is_used_up_is_in_no_epoch(annotated, recipe, tmp_path, monkeypatch):
    assert splits.part_of("doc-0003") == "train"
    monkeypatch.setattr(shard_building, "_filler", failing(UsedUp("doc-0003: none left")))
    found = build([annotated], tmp_path / "d", recipe, Options(epochs=2)).manifest
    assert found.reasons() == {USED_UP: 1}
    assert found.failed == {"doc-0003"}
    assert sum(row["documents"] for row in found.counts["parts"].values()) == 39
    assert sum(sum(row.values()) for row in found.counts["documents"].values()) == 39


def test_a_mistake_in_the_filling_names_the_document_and_quotes_nothing(
    annotated, recipe, tmp_path, monkeypatch
):
    monkeypatch.setattr(
        shard_building, "_filler", failing(RuntimeError("피고인 A은 2023. 4. 4.경"))
    )
    with pytest.raises(DatasetError, match=r"^doc-0003 could not be filled: RuntimeError") as told:
        build([annotated], tmp_path / "d", recipe, Options(epochs=2))
    assert "피고인" not in str(told.value)
    assert not (tmp_path / "d" / "manifest.json").exists()


def test_documents_added_later_keep_every_part_with_the_earlier_splits(
    annotated, recipe, built, tmp_path
):
    near = [{**judgment(n), "id": f"a-{n:04}"} for n in range(4)]  # smaller ids, the same texts
    grown = write_jsonl(tmp_path / "grown.jsonl", [*near, *(judgment(n) for n in range(60))])
    earlier = built / "splits.tsv"
    build([grown], tmp_path / "d", recipe, Options(earlier=earlier))
    before = {row.id: row.part for row in splits.read(earlier)}
    after = {row.id: row.part for row in splits.read(tmp_path / "d" / "splits.tsv")}
    assert {id_: after[id_] for id_ in before} == before
    assert all(after[f"a-{n:04}"] == after[f"doc-{n:04}"] for n in range(4))


def test_the_manifest_names_everything_that_went_in(annotated, recipe, built):
    found = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    digest = shards.file_digest(annotated)
    assert found["inputs"]["annotated"] == [{"file": "invented.jsonl", "sha256": digest}]
    assert {"lists", "taxonomy", "tokenizer"} < set(found["inputs"])
    assert {"seed", "way", "scheme", "replacement", "epochs"} < set(found["options"])
    assert set(found["made_by"]) == {"thunder", "code", "python"}
    listed = {shard["name"] for kind in ("judgments", "examples") for shard in found[kind]}
    assert listed == {path.name for path in built.iterdir() if path.is_dir()}


def test_a_dataset_says_nothing_of_where_it_was_built(annotated, built):
    for path in built.rglob("*.json"):
        assert str(annotated.parent) not in path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_number_of_workers_changes_no_byte(annotated, recipe, whole, tmp_path):
    for workers in (2, 3):
        build([annotated], tmp_path / str(workers), recipe, ONE, workers=workers)
        assert digests(tmp_path / str(workers)) == whole


SCRIPT = """
import sys
from pathlib import Path
from thunder.training_data.datasets import building
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
building._ROWS = 4
if __name__ == "__main__":
    def say(stage, done, total):
        print(stage, flush=True)
    file, folder, tokenizer = map(Path, sys.argv[1:])
    building.build([file], folder, Recipe(tokenizer), Options(), workers=2, notice=say)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 3, 6])
def test_a_build_that_is_shot_goes_on_to_the_same_bytes(after, annotated, recipe, whole, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, script, annotated, tmp_path / "d", recipe.tokenizer]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for _ in range(after):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    build([annotated], tmp_path / "d", recipe, ONE)
    assert digests(tmp_path / "d") == whole
    assert not multiprocessing.active_children()
