"""Duplicates go, the first stays; what is held out depends on the document alone."""

from collections import Counter

import numpy as np
import pytest

from thunder.training_data.corpus import CorpusSettings, PackedRows, Source, prepare
from thunder.training_data.corpus.selection import EXACT, HELD_OUT, NEAR, TRAIN
from thunder.training_data.corpus.settings import Cleaning, Duplicates, HeldOut


@pytest.fixture
def made(tmp_path, text, jsonl, tokenizer_folder):
    """Return a function that prepares sources of texts: what became of each, and the manifest."""

    def make(share=0.0, threshold=0.8, **sources):
        root = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        root.mkdir()
        settings = CorpusSettings(
            source=tuple(
                Source(name, jsonl(root / f"{name}.jsonl", texts), "ko")
                for name, texts in sources.items()
            ),
            cleaning=Cleaning(shortest=20),
            duplicates=Duplicates(threshold),
            held_out=HeldOut(share=share),
            lengths=(),
        )
        manifest = prepare(settings, tokenizer=tokenizer_folder, out=root / "out")
        return np.load(root / "out" / "parts.npy").tolist(), manifest, root / "out"

    return make


def test_the_first_of_equal_and_nearly_equal_texts_stays(made, text):
    one, other = text(1, sentences=40), text(2, sentences=40)
    near = one.replace("그날", "당시", 1)
    spaced = other.replace(". ", ".\n")
    parts, manifest, _ = made(a=[one, other, near], b=[spaced, one, text(3)])
    assert parts == [TRAIN, TRAIN, NEAR, EXACT, EXACT, TRAIN]
    assert manifest.sources["a"].dropped == {"near duplicate": 1}
    assert manifest.sources["b"].dropped == {"exact duplicate": 2}


def test_a_threshold_of_1_leaves_near_duplicates_in(made, text):
    one = text(1, sentences=40)
    parts, _, _ = made(threshold=1.0, a=[one, one.replace("그날", "당시", 1), one])
    assert parts == [TRAIN, TRAIN, EXACT]


def test_what_is_held_out_does_not_depend_on_the_company(made, text):
    texts = [text(at) for at in range(60)]
    alone, _, _ = made(share=0.2, a=texts)
    beside, _, _ = made(share=0.2, b=[text(at) for at in range(100, 130)], a=texts[::-1])
    assert beside[30:][::-1] == alone
    assert 4 <= Counter(alone)[HELD_OUT] <= 22


def test_no_held_out_text_is_trained_on(made, text):
    _, _, out = made(share=0.3, a=[text(at, sentences=3) for at in range(40)])
    seen = {part: set() for part in ("train", "held-out")}
    for part, found in seen.items():
        for row in PackedRows.open(out, length=512, part=part).epoch():
            for document in range(1, row.documents.max() + 1):
                found.add(row.ids[row.documents == document].tobytes())
    assert len(seen["train"]) + len(seen["held-out"]) == 40
    assert not seen["train"] & seen["held-out"]


def test_the_held_out_part_is_capped(tmp_path, text, jsonl, tokenizer_folder):
    settings = CorpusSettings(
        source=(Source("a", jsonl(tmp_path / "a.jsonl", [text(at) for at in range(40)]), "ko"),),
        held_out=HeldOut(share=0.5, most=3),
        lengths=(),
    )
    manifest = prepare(settings, tokenizer=tokenizer_folder, out=tmp_path / "out")
    assert manifest.sources["a"].parts["held-out"]["documents"] == 3
    assert manifest.sources["a"].parts["train"]["documents"] == 37


def test_a_source_of_which_nothing_is_left_is_an_error_with_the_reasons(made, text):
    with pytest.raises(ValueError, match=r"'b' is empty: of 2 .*\(too short 2\)"):
        made(a=[text(1)], b=["짧다.", "짧다."])
