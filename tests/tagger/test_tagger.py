"""A tagger over texts: no seams, any length, offsets of the text given, nothing foreign."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.tagger import folder
from thunder.tagger.backend import Batch, scored
from thunder.tagger.tagger import Tagger
from thunder.training_data.invented_judgments import judgments

from .invented import KNOWN, TOKENIZER, Neighbours, manifest, tagger

pytestmark = pytest.mark.usefixtures("english")

_SYLLABLES = st.text(alphabet="가나다라마바사아자차 .\n12", min_size=1, max_size=400)


@settings(max_examples=30, deadline=None)
@given(_SYLLABLES, st.integers(1, 4))
def test_a_window_changes_nothing_for_a_model_that_sees_less_than_an_overlap(text, reach):
    whole = tagger(Neighbours(reach), length=4096, overlap=0, budget=4096)
    windowed = tagger(Neighbours(reach), length=24, overlap=2 * reach + 1)
    assert _read(windowed, text) == _read(whole, text)


def _read(one: Tagger, text: str) -> list[tuple[float, int]]:
    (found,) = one.read_all([text])
    return list(zip(found.reading.mass.tolist(), found.reading.label.tolist(), strict=True))


def test_texts_together_read_as_each_alone():
    texts = ["", *(one.text for one in judgments(3)), "홍길동"]
    together = tagger(Neighbours(2), length=64, overlap=16)
    assert list(together.tag_all(texts)) == [together.tag(text) for text in texts]
    assert together.tag("") == []


def test_spans_are_disjoint_with_scores_in_a_disguised_text():
    text = "ⓐ 홍\u200b길동\r\n０１０－１２３４ \U0001f600 " * 40
    found = tagger(Neighbours(1), length=32, overlap=8).tag(text)
    assert found
    for before, after in pairwise(found):
        assert before.end <= after.start
    assert found[-1].end <= len(text) and all(0 < span.score <= 1 for span in found)


def test_a_batch_too_large_for_memory_is_halved():
    calls = []

    def small(batch, /):
        ids_BS, _, hints_BS = batch
        calls.append(len(ids_BS))
        if len(ids_BS) > 2:
            raise RuntimeError("CUDA out of memory")
        return np.repeat(hints_BS[..., None], 3, axis=2).astype(np.float32)

    ids = np.arange(35).reshape(7, 5)
    assert (scored(small, Batch(ids, ids, ids))[..., 1] == ids).all()
    assert max(calls) == 7 and sum(call for call in calls if call <= 2) == 7


def test_one_window_too_many_is_an_error_not_an_answer():
    def none(batch, /):
        raise MemoryError

    with pytest.raises(MemoryError, match="a single window of 5 tokens"):
        scored(none, Batch(np.ones((3, 5), np.int64), np.ones((3, 5), np.int64)))


def test_a_model_of_other_classes_is_refused():
    class Few(Neighbours):
        classes = 12

    with pytest.raises(ValueError, match="12 scores a token, the taxonomy has 730"):
        tagger(Few(1), length=32, overlap=8)


@pytest.fixture
def kept(tmp_path):
    """A tagger's folder as far as its manifest and tokenizer go."""
    TOKENIZER.save(tmp_path)
    folder.write(tmp_path, manifest())
    return tmp_path


def test_an_altered_or_missing_file_is_named(kept):
    path = kept / "tokenizer_config.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"tokenizer_config.json: altered"):
        Tagger.load(kept)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"tokenizer_config.json is missing"):
        Tagger.load(kept)


def test_another_tokenizer_is_refused(kept):
    folder.write(kept, manifest(tokenizer_sha256="0" * 64))
    with pytest.raises(ValueError, match="the tokenizer in it is not the one"):
        Tagger.load(kept)


def test_labels_of_another_taxonomy_are_refused(kept):
    folder.write(kept, manifest(labels="0" * 64))
    with pytest.raises(ValueError, match="its labels are not those of the taxonomy"):
        Tagger.load(kept)


def test_a_damaged_manifest_and_a_foreign_folder_are_named(kept, tmp_path_factory):
    with pytest.raises(FileNotFoundError, match="no folder of a tagger"):
        Tagger.load(tmp_path_factory.mktemp("empty"))
    path = kept / folder.NAME
    path.write_text(json.dumps({**json.loads(path.read_text()), "more": 1}))
    with pytest.raises(ValueError, match=r"tagger.json: damaged"):
        Tagger.load(kept)


def test_a_retired_label_counts_for_its_heir_and_one_without_for_nothing(monkeypatch):
    from thunder.tagger.readings import Classes

    heirs = {5: KNOWN.by_id(9), 6: None}
    before = type(KNOWN).successor
    monkeypatch.setattr(type(KNOWN), "successor", lambda own, id_: heirs.get(id_, before(own, id_)))
    scores = np.full((2, KNOWN.classes), -9, np.float32)
    scores[0, 5] = scores[1, 6] = 9
    found = Classes(KNOWN, "classes").read(scores)
    assert found.label[0] == 9 and found.mass[0] > 0.9
    assert found.mass[1] < 0.1


def test_no_window_is_lost_where_memory_runs_out():
    class Small(Neighbours):
        largest = 0

        def __call__(self, batch, /):
            self.largest = max(self.largest, len(batch.input_ids_BS))
            if len(batch.input_ids_BS) > 1:  # as onnxruntime says it
                raise RuntimeError("Failed to allocate memory for requested buffer of size 9")
            return super().__call__(batch)

    texts = [one.text for one in judgments(3)]
    small = tagger(Small(2), length=64, overlap=16)
    found = list(small.tag_all(texts))
    assert found == list(tagger(Neighbours(2), length=64, overlap=16).tag_all(texts))
    assert small._reader.scorer.largest > 1


def test_another_error_of_the_model_is_no_lack_of_memory():
    def broken(batch, /):
        raise RuntimeError("Non-zero status code returned while running MatMul node")

    with pytest.raises(RuntimeError, match="MatMul node"):
        scored(broken, Batch(np.ones((4, 5), np.int64), np.ones((4, 5), np.int64)))
