"""Checkpoints: whole or not there, verified, kept by a rule; a full disk costs nothing old."""

import errno
import json
import resource
import shutil
from pathlib import Path

import pytest
import torch

from thunder.training import checkpoints
from thunder.training.checkpoints import CheckpointError
from thunder.training.processes import Processes

ALONE = Processes()


def _save(folder: Path, step: int, size: int = 4) -> Path:
    tensors = [("model/a", torch.full((size,), float(step))), ("exp_avg/a", torch.ones(size))]
    state = {"updates": step, "loss_scale": None}
    return checkpoints.save(folder, iter(tensors), state, step=step, processes=ALONE)


def test_what_was_saved_is_read_again(tmp_path):
    path = _save(tmp_path, 3)
    kept = checkpoints.kept(path)
    assert path.name == "step-0000000003" and checkpoints.step_of(path) == 3
    assert kept.updates == 3 and kept.loss_scale is None
    assert kept.read("model/a").tolist() == [3.0] * 4
    assert dict(checkpoints.weights(path)).keys() == {"a"}
    with pytest.raises(LookupError, match="holds no 'model/b': it was written for another model"):
        kept.read("model/b")
    assert not [one for one in path.rglob("*") if one.suffix in {".pt", ".bin", ".pkl"}]


def test_the_last_whole_one_is_found_and_what_is_wrong_with_later_ones_is_said(tmp_path):
    paths = [_save(tmp_path, step) for step in (1, 2, 3, 4, 5)]
    part = next(paths[4].glob("part-*"))
    part.write_bytes(part.read_bytes()[:-1] + b"!")
    (paths[3] / "manifest.json").unlink()
    next(paths[2].glob("part-*")).unlink()
    found = checkpoints.latest(tmp_path)
    assert found.path == paths[1]
    said = "\n".join(found.passed_over)
    for words in ("changed since it was written", "manifest.json is missing", "is missing"):
        assert words in said


def test_an_empty_or_missing_folder_has_none(tmp_path):
    assert checkpoints.latest(tmp_path / "none").path is None


@pytest.mark.parametrize(
    ("last", "every", "left"),
    [(2, 0, [5, 6]), (1, 2, [2, 4, 6]), (1, 0, [6]), (9, 0, [1, 2, 3, 4, 5, 6])],
)
def test_the_rule_of_what_is_kept(tmp_path, last, every, left):
    for step in range(1, 7):
        _save(tmp_path, step)
    checkpoints.prune(tmp_path, done=6, keep_last=last, keep_every=every)
    assert [checkpoints.step_of(path) for path in sorted(tmp_path.iterdir())] == left


def test_damaged_ones_of_later_steps_do_not_push_out_the_whole_ones(tmp_path):
    for step in (1, 2, 3, 4):
        _save(tmp_path, step)
    for step in (3, 4):
        (tmp_path / f"step-000000000{step}" / "manifest.json").unlink()
    (tmp_path / "step-by-step").mkdir()  # whatever it is, it is none of ours
    assert checkpoints.step_of(checkpoints.latest(tmp_path).path) == 2
    _save(tmp_path, 3)  # gone on from 2
    checkpoints.prune(tmp_path, done=3, keep_last=1, keep_every=0)
    assert checkpoints.step_of(checkpoints.latest(tmp_path).path) == 3


def test_a_part_that_is_seen_otherwise_than_it_was_written_is_not_sealed(tmp_path, monkeypatch):
    path = _save(tmp_path, 1)
    described = checkpoints._described
    monkeypatch.setattr(
        checkpoints, "_described", lambda one: {**described(one), "bytes": 1 + one.stat().st_size}
    )
    with pytest.raises(CheckpointError, match=r"has not the \d+ bytes that were written"):
        _save(tmp_path, 2)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def _no_room(*_args, **_how):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("written", ["save_file", "_write_json", "_on_disk"])
def test_a_full_disk_leaves_the_last_checkpoint_whole_and_says_so(tmp_path, monkeypatch, written):
    path = _save(tmp_path, 1)
    monkeypatch.setattr(checkpoints, written, _no_room)
    with pytest.raises(CheckpointError) as caught:
        _save(tmp_path, 2)
    said = str(caught.value)
    assert "step-0000000002: the checkpoint could not be written" in said
    assert "No space left on device" in said and f"the last whole one is {path}" in said
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert checkpoints.latest(tmp_path).path == path


@pytest.fixture
def tiny_files():
    """Let no file grow beyond 100 kB, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_library_that_writes_tensors_fails_cleanly_too(tmp_path, tiny_files):
    path = _save(tmp_path, 1)
    with pytest.raises(CheckpointError, match="the last whole one is"):
        _save(tmp_path, 2, size=100_000)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_leftovers_of_a_save_that_was_killed_are_never_found_and_go(tmp_path):
    path = _save(tmp_path, 1)
    shutil.copytree(path, tmp_path / ".partial-step-0000000002")
    assert checkpoints.latest(tmp_path).path == path
    _save(tmp_path, 3)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["step-0000000001", "step-0000000003"]


def test_the_same_step_saved_again_replaces_the_first(tmp_path):
    _save(tmp_path, 1)
    path = _save(tmp_path, 1, size=6)
    assert len(checkpoints.kept(path).read("model/a")) == 6


def test_a_manifest_names_every_file(tmp_path):
    path = _save(tmp_path, 1)
    files = json.loads((path / "manifest.json").read_text())["files"]
    assert set(files) == {one.name for one in path.iterdir()} - {"manifest.json"}
