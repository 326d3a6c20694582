"""A finished dataset: checked when it is opened, the same examples for everyone who reads it."""

import json
import pickle
import shutil
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.text.spans import IGNORED
from thunder.training_data.datasets import frames, splits
from thunder.training_data.datasets.building import build
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.shards import DatasetError
from thunder.training_data.lists import part_of

from ...labels_read_back import spans_from_labels
from .conftest import judgment, write_jsonl


@pytest.fixture(scope="module")
def dataset(built):
    return Dataset.open(built)


@pytest.fixture
def copy(built, tmp_path):
    return shutil.copytree(built, tmp_path / "copy")


def same(one, other):
    names = ("ids", "labels", "starts", "ends")
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    arrays = all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)
    return arrays and one[:3] == other[:3] and one[7:] == other[7:]


def all_same(some, others):
    return all(same(one, other) for one, other in zip(some, others, strict=True))


def test_every_document_is_in_one_part_and_once_in_an_epoch(dataset):
    parts = {name: dataset.part(name) for name in splits.PARTS}
    ids = sorted(id_ for part in parts.values() for id_ in part.ids())
    assert ids == sorted(judgment(n)["id"] for n in range(40))
    for part in parts.values():
        assert sorted(one.id for one in part.epoch(0)) == sorted(part.ids())


def test_an_example_says_what_its_text_says(dataset):
    for name in splits.PARTS:
        for one in dataset.part(name).epoch(0):
            assert len(one.ids) == len(one.labels) == len(one.starts) == len(one.ends)
            assert one.ends.max() <= len(one.text)
            found = spans_from_labels(one.labels, one.starts, one.ends, taxonomy=dataset.taxonomy)
            gold = [span for span in one.spans if span.label != IGNORED]
            assert all(any(span.overlaps(mention) for span in found) for mention in gold)


@settings(max_examples=25, deadline=None)
@given(epoch=st.integers(0, 1), start=st.integers(0, 45), workers=st.integers(1, 5))
def test_an_epoch_goes_on_from_any_position_and_is_the_same_for_any_workers(
    epoch, start, workers, dataset
):
    part = dataset.part("train")
    whole = list(part.epoch(epoch))
    assert all_same(list(part.epoch(epoch, start=start)), whole[start:])
    shared = [list(part.epoch(epoch, start=rank, step=workers)) for rank in range(workers)]
    assert all_same([shared[at % workers][at // workers] for at in range(len(whole))], whole)


def test_another_process_reads_the_same(dataset):
    part = dataset.part("train")
    sent = pickle.loads(pickle.dumps(part))
    assert all_same(list(sent.epoch(1)), list(part.epoch(1)))


def test_epochs_come_in_other_orders_with_other_mentions(dataset):
    first, second = (list(dataset.part("train").epoch(epoch)) for epoch in (0, 1))
    assert [one.id for one in first] != [one.id for one in second]
    texts = [{one.id: one.text for one in epoch} for epoch in (first, second)]
    assert all(texts[0][id_] != texts[1][id_] for id_ in texts[0])


def test_development_and_test_are_the_same_in_every_epoch(dataset):
    for name in ("dev", "test"):
        first, later = (list(dataset.part(name).epoch(epoch)) for epoch in (0, 7))
        assert all_same(first, later)


def test_a_drawn_epoch_is_the_one_that_would_have_been_stored(annotated, recipe, dataset, tmp_path):
    build([annotated], tmp_path / "one", recipe, Options(epochs=1))
    short = Dataset.open(tmp_path / "one")
    filler = short.filler("train", tokenizer=recipe.tokenizer)
    drawn = short.part("train").epoch(1, filler=filler)
    stored = dataset.part("train").epoch(1)
    assert all_same(list(drawn), list(stored))


def test_an_epoch_that_is_not_stored_needs_a_filler(dataset):
    with pytest.raises(ValueError, match=r"epoch 2 of train is not stored .*--epochs 3"):
        next(dataset.part("train").epoch(2))


def test_single_replacement_gives_the_same_fillings_in_every_epoch(annotated, recipe, tmp_path):
    single = replace(recipe, replacement="single")
    build([annotated], tmp_path / "d", single, Options(replicas=2))
    part = Dataset.open(tmp_path / "d").part("train")
    assert len(part) == 2 * len(part.ids())
    texts = [{(one.id, one.replica): one.text for one in part.epoch(e)} for e in (0, 9)]
    assert texts[0] == texts[1]
    assert len(texts[0]) == len(set(texts[0].values())) == len(part)


@pytest.mark.parametrize(("name", "held"), [("train", "train"), ("dev", "held-out")])
def test_names_come_from_the_part_of_the_lists_that_belongs_to_the_part(name, held, dataset):
    names = {
        one.text[span.start : span.end]
        for one in dataset.part(name).epoch(0)
        for span in one.spans
        if span.label == "내국인이름" and span.end - span.start == 3
    }
    assert names
    assert {part_of(mention) for mention in names} == {held}


def test_documents_added_do_not_change_the_order_of_the_others(recipe, dataset, tmp_path):
    more = write_jsonl(tmp_path / "more.jsonl", [judgment(n) for n in range(60)])
    build([more], tmp_path / "d", recipe, Options())
    old = [one.id for one in dataset.part("train").epoch(0)]
    new = [one.id for one in Dataset.open(tmp_path / "d").part("train").epoch(0)]
    assert [id_ for id_ in new if id_ in old] == old


@pytest.mark.parametrize("call", [{"start": -1}, {"step": 0}])
def test_impossible_positions_are_refused(call, dataset):
    with pytest.raises(ValueError, match="start is 0 or more and step 1 or more"):
        next(dataset.part("train").epoch(0, **call))
    with pytest.raises(ValueError, match="no position 99"):
        dataset.part("train").example(99)
    with pytest.raises(ValueError, match="unknown part 'valid'; known are train, dev, test"):
        dataset.part("valid")


# --- what is wrong is named ---------------------------------------------------------------------


def edit_manifest(folder, change):
    path = folder / "manifest.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    change(found)
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def cut(path):
    path.write_bytes(path.read_bytes()[:-3])


def flip(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda d: cut(d / "train-e0000-r0000-00000" / "tokens.npy"), r"tokens\.npy: .*cut short"),
        (lambda d: flip(d / "judgments-00000" / "text.npy"), r"text\.npy: its content is not"),
        (lambda d: (d / "dev-e0000-r0000-00000" / "rows.npy").unlink(), r"rows\.npy is missing"),
        (lambda d: shutil.rmtree(d / "train-e0001-r0000-00000"), r"e0001.*is missing"),
        (lambda d: cut(d / "splits.tsv"), r"splits\.tsv: missing, or not what was written"),
        (lambda d: (d / "splits.tsv").unlink(), r"splits\.tsv: missing"),
        (lambda d: cut(d / "manifest.json"), r"manifest\.json: damaged"),
        (lambda d: edit_manifest(d, lambda m: m["counts"].clear()), "changed since it was written"),
        (lambda d: edit_manifest(d, lambda m: m.pop("digest")), r"manifest\.json: damaged"),
        (lambda d: edit_manifest(d, lambda m: m.update(format="x")), "not of the format"),
        (lambda d: (d / "manifest.json").unlink(), r"manifest\.json is missing: this is no folder"),
        (lambda d: shutil.rmtree(d), r"manifest\.json is missing: there is no folder"),
    ],
)
def test_damage_is_named_and_nothing_is_read(damage, said, copy):
    damage(copy)
    with pytest.raises(DatasetError, match=said):
        Dataset.open(copy)


def test_an_unfinished_build_says_so(copy):
    (copy / "manifest.json").rename(copy / "building.json")
    with pytest.raises(DatasetError, match="its build was not finished; run the same"):
        Dataset.open(copy)


def test_a_quick_look_sees_sizes_but_not_bits(copy):
    flip(copy / "judgments-00000" / "text.npy")
    Dataset.open(copy, verify="quick")
    cut(copy / "judgments-00000" / "text.npy")
    with pytest.raises(DatasetError, match="cut short"):
        Dataset.open(copy, verify="quick")


def test_other_lists_than_the_dataset_was_made_with_draw_nothing(dataset, recipe, tmp_path):
    lists = shutil.copytree(recipe.opened_lists.folder, tmp_path / "lists")
    with next(lists.rglob("*.txt")).open("a", encoding="utf-8") as file:
        file.write("한 줄 더\n")
    with pytest.raises(DatasetError, match="made with another lists"):
        dataset.filler("train", tokenizer=recipe.tokenizer, lists=lists)


def test_other_code_is_warned_of(copy, recipe, monkeypatch):
    other = {"thunder": "0", "code": "0", "python": "3"}
    monkeypatch.setattr("thunder.training_data.datasets.dataset.made_by", lambda: other)
    with pytest.warns(UserWarning, match="made by other code"):
        Dataset.open(copy).filler("train", tokenizer=recipe.tokenizer)


# --- for people ---------------------------------------------------------------------------------


def test_a_row_a_mention(dataset):
    frame = frames.mentions(dataset.part("train"), limit=3)
    assert tuple(frame.columns) == frames.MENTIONS
    texts = {one.id: one.text for one in dataset.part("train").epoch(0)}
    for row in frame.itertuples():
        assert texts[row.id][row.start : row.end] == row.mention
    assert list(frame["id"].unique()) == list(texts)[:3]


def test_a_row_a_token(dataset):
    frame = frames.tokens(dataset.part("dev"), limit=2)
    assert tuple(frame.columns) == frames.TOKENS
    names = frame[frame["class"] > 0]["label"]
    assert {"O", "내국인이름"} <= set(frame["label"])
    assert all(dataset.taxonomy.label(name).id for name in names)


def test_the_names_of_bio_classes_say_where_a_mention_begins(annotated, recipe, tmp_path):
    build([annotated], tmp_path / "d", replace(recipe, scheme="bio"), Options())
    frame = frames.tokens(Dataset.open(tmp_path / "d").part("train"))
    assert {name[:2] for name in frame["label"]} <= {"O", "-", "B-", "I-"}
    assert "B-내국인이름" in set(frame["label"])


def test_without_texts_the_numbers_are_the_same(annotated, recipe, dataset, tmp_path):
    build([annotated], tmp_path / "d", recipe, Options(epochs=2, keep_text=False))
    bare = list(Dataset.open(tmp_path / "d").part("train").epoch(1))
    assert all_same(bare, [one._replace(text="") for one in dataset.part("train").epoch(1)])
