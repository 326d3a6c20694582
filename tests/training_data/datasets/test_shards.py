"""Shards are written whole or not at all, and whatever is wrong with one is named."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.training_data.datasets import shards
from thunder.training_data.datasets.shards import DatasetError

ARRAYS = {"numbers": np.arange(1000, dtype="<i4"), "none": np.zeros(0, "<u4")}


@pytest.fixture
def shard(tmp_path):
    return shards.write(tmp_path / "one", ARRAYS, {"build": "b"})


def test_what_is_written_is_read_again(shard, tmp_path):
    assert shards.finished(tmp_path / "one", of_build="b") == shard
    for name, array in ARRAYS.items():
        found = shards.mapped(tmp_path / "one", name)
        assert found.dtype == array.dtype
        assert found.tolist() == array.tolist()


def test_a_mapped_array_cannot_be_changed(shard, tmp_path):
    with pytest.raises(ValueError, match="read-only"):
        shards.mapped(tmp_path / "one", "numbers")[0] = 1


def damage_short(path):
    path.write_bytes(path.read_bytes()[:-1])


def damage_one_bit(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (damage_short, r"numbers\.npy: .* cut short"),
        (damage_one_bit, r"numbers\.npy: its content is not what was written"),
        (lambda path: path.unlink(), r"numbers\.npy is missing"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(damage, said, shard, tmp_path):
    damage(tmp_path / "one" / "numbers.npy")
    with pytest.raises(DatasetError, match=said + ".*build the dataset again"):
        shards.check(shard, tmp_path / "one", full=True)
    assert shards.finished(tmp_path / "one", of_build="b") is None


def test_a_shard_of_another_build_is_not_taken_for_finished(shard, tmp_path):
    assert shards.finished(tmp_path / "one", of_build="c") is None


@pytest.mark.parametrize("other", [{}, {"numbers": np.arange(9)}])
def test_of_two_that_write_one_shard_at_once_both_have_it_only_if_it_is_the_same(
    other, tmp_path, monkeypatch
):
    rename = shards._rename

    def rename_second(aside, place, shard):
        with monkeypatch.context() as patch:
            patch.setattr(shards, "_rename", rename)
            patch.setattr(os, "getpid", lambda: 1)
            shards.write(place, ARRAYS | other, {"build": "b"})
        rename(aside, place, shard)

    monkeypatch.setattr(shards, "_rename", rename_second)
    if other:
        with pytest.raises(OSError, match="not empty"):
            shards.write(tmp_path / "one", ARRAYS, {"build": "b"})
    else:
        shards.write(tmp_path / "one", ARRAYS, {"build": "b"})
        assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_an_array_of_objects_is_never_unpickled(tmp_path):
    np.save(tmp_path / "bad.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(DatasetError, match=r"bad\.npy cannot be read"):
        shards.mapped(tmp_path, "bad")


def test_a_shard_written_again_replaces_the_old_one_and_what_was_left_of_a_third(shard, tmp_path):
    left = tmp_path / f".one.{os.getpid()}.new"
    left.mkdir()
    (left / "stray.npy").touch()
    again = shards.write(tmp_path / "one", {"numbers": np.arange(2)}, {"build": "b"})
    assert shards.finished(tmp_path / "one", of_build="b") == again
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "numbers.npy",
        "shard.json",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


@given(st.lists(st.text()))
def test_texts_are_packed_and_unpacked(texts):
    content, ends = shards.packed(texts)
    assert [shards.unpacked(content, ends, at) for at in range(len(texts))] == texts


@given(st.lists(st.integers(0, 20)), st.integers(1, 5), st.integers(1, 30))
def test_chunks_hold_everything_in_order_and_are_no_larger_than_asked(sizes, rows, size):
    runs = list(shards.chunks(sizes, rows=rows, size=size))
    assert [at for run in runs for at in run] == list(range(len(sizes)))
    assert all(1 <= len(run) <= rows for run in runs)
    assert all(sum(sizes[at] for at in run) <= size or len(run) == 1 for run in runs)
