"""Rows: every token once an epoch, the same in any process, in an order that resumes anywhere."""

import dataclasses
import os
import pickle
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from thunder import tokenization
from thunder.training_data.corpus import PackedRows, prepare
from thunder.training_data.corpus.rows import CLS, PAD, SEP

ROOT = Path(__file__).resolve().parents[3]


def pieces(row):
    """Return the documents of a row, without their frames."""
    return [row.ids[row.documents == at][1:-1] for at in range(1, row.documents.max() + 1)]


def same(one, other):
    return one.source == other.source and all(
        (a == b).all() for a, b in zip(one[:3], other[:3], strict=True)
    )


def test_a_row_is_framed_documents_and_then_padding(rows):
    for row in rows.epoch():
        assert len(row.ids) == len(row.documents) == len(row.words) == 64
        assert ((row.documents == 0) == (row.ids == PAD)).all()
        assert (np.diff(row.documents[row.documents > 0]) >= 0).all()
        for number in range(1, row.documents.max() + 1):
            inside = row.ids[row.documents == number]
            assert inside[0] == CLS
            assert inside[-1] == SEP
            assert (inside[1:-1] > SEP).all()


@pytest.mark.parametrize("length", [16, 64, 300])
def test_an_epoch_holds_every_token_of_the_part_once(corpus, manifest, length):
    for part in ("train", "held-out"):
        found = PackedRows.open(corpus, length=length, part=part)
        counted = Counter()
        for row in found.epoch():
            counted[row.source] += sum(map(len, pieces(row)))
        expected = {name: counts.parts[part]["tokens"] for name, counts in manifest.sources.items()}
        assert counted == {name: tokens for name, tokens in expected.items() if tokens}


def test_the_text_of_rows_is_the_text_that_went_in(corpus, settings, tokenizer_folder):
    tokenizer = tokenization.load(tokenizer_folder)
    texts = [path.read_text("utf-8") for path in sorted(settings.source[1].path.iterdir())]
    wholes = [tokenizer.encode(text).ids.tobytes() for text in texts]
    found = Counter()
    for part in ("train", "held-out"):
        for row in PackedRows.open(corpus, length=2000, part=part).only("english").epoch():
            for piece in pieces(row):  # a document, or a part of one where a row ended
                found[next(at for at, one in enumerate(wholes) if _bytes(piece) in one)] += 1
    assert set(found) == set(range(len(texts)))
    assert sum(found.values()) < len(texts) + 5


def _bytes(piece):
    return piece.astype(np.int32).tobytes()


def test_words_begin_where_morphemes_do(rows, tokenizer_folder):
    tokenizer = tokenization.load(tokenizer_folder)
    for row in list(rows.only("english").epoch())[:20]:
        tokens = tokenizer.tokens(row.ids)
        for at in np.flatnonzero(~row.words):
            assert tokens[at][0] not in "▁[", "the middle of an English word has no space"
        spaced = [token.startswith(("▁", "[")) for token in tokens]
        assert row.words[spaced].all()


def test_an_epoch_is_a_permutation_and_the_next_is_another(rows):
    english = rows.only("english")
    size = len(english)
    first, second = (
        [english[epoch * size + at].ids.tobytes() for at in range(size)] for epoch in range(2)
    )
    assert sorted(first) == sorted(second) == sorted(row.ids.tobytes() for row in english.epoch())
    assert first != second


def test_another_seed_is_another_order(corpus, rows):
    other = PackedRows.open(corpus, length=64, seed=2)
    assert sum(same(rows[at], other[at]) for at in range(50)) < 10


def test_any_sample_can_be_asked_for_first(corpus, rows):
    for number in (0, 17, 10**4, 10**15):
        assert same(PackedRows.open(corpus, length=64, seed=1)[number], rows[number])
    with pytest.raises(IndexError):
        rows[-1]


def test_rows_are_the_same_after_pickling_in_threads_and_in_a_fresh_process(corpus, rows):
    numbers = range(0, 200, 7)
    copy = pickle.loads(pickle.dumps(rows))
    assert len(pickle.dumps(rows)) < 1000  # no array travels
    with ThreadPoolExecutor(8) as threads:
        for number, row in zip(numbers, threads.map(copy.__getitem__, numbers), strict=True):
            assert same(row, rows[number])
    code = (
        "import sys; from thunder.training_data.corpus import PackedRows; "
        "r = PackedRows.open(sys.argv[1], length=64, seed=1); "
        "print(sum(int(r[n].ids.sum()) for n in range(0, 200, 7)), r.digest)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, corpus],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == [str(sum(int(rows[n].ids.sum()) for n in numbers)), rows.digest]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"ko": 0.5, "en": 0.5}, {"judgments": 0.5, "english": 0.5}),
        ({"judgments": 0.9, "english": 0.1}, {"judgments": 0.9, "english": 0.1}),
        ({"ko": 0.366667, "en": 0.633333}, {"judgments": 22 / 60, "english": 38 / 60}),
    ],
)
def test_samples_keep_to_the_weights(corpus, weights, expected):
    rows = PackedRows.open(corpus, length=64, weights=weights)
    for first, last in ((0, 600), (12_345, 12_945)):
        came = Counter(rows[number].source for number in range(first, last))
        for source, share in expected.items():
            assert came[source] == pytest.approx(600 * share, abs=2)


def test_without_weights_every_row_comes_as_often(rows):
    for source in rows.sources:
        assert rows.weights[source] == pytest.approx(len(rows.only(source)) / len(rows))


def test_the_weight_of_a_source_and_the_mix_of_its_corpus(
    corpus, settings, tmp_path, tokenizer_folder
):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    heavy = dataclasses.replace(settings.source[1], weight=3.0)
    other = dataclasses.replace(settings, source=(settings.source[0], heavy))
    prepare(other, tokenizer=tokenizer_folder, out=out)
    plain, found = (PackedRows.open(folder, length=64).weights for folder in (corpus, out))
    ratio = plain["english"] / plain["judgments"]
    assert found["english"] / found["judgments"] == pytest.approx(3 * ratio)
    mixed = dataclasses.replace(settings, mix={"ko": 0.25, "en": 0.75})
    prepare(mixed, tokenizer=tokenizer_folder, out=out)
    assert PackedRows.open(out, length=64).weights == {"judgments": 0.25, "english": 0.75}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"weights": {"ko": 0.7, "en": 0.7}}, r"add up to 1, not 1\.4"),
        ({"weights": {"ko": 1.0}}, "must name all of"),
        ({"weights": {"ko": 0.5, "jp": 0.5}}, "they name jp, ko"),
        ({"part": "test"}, "parts train and held-out, not 'test'"),
        ({"length": 4}, "8 to 65535"),
    ],
)
def test_what_cannot_be_opened_is_named(corpus, options, problem):
    with pytest.raises(ValueError, match=problem):
        PackedRows.open(corpus, **{"length": 64, **options})


def test_a_source_that_is_not_there_is_named(rows):
    with pytest.raises(LookupError, match="'statutes' in train; there are judgments, english"):
        rows.only("statutes")


def test_another_tokenizer_is_refused(rows, tokenizer_folder):
    rows.require_tokenizer(tokenizer_folder)
    with pytest.raises(ValueError, match="another tokenizer"):
        rows.require_tokenizer(ROOT / "tokenizer" / "128k")


def test_a_plan_for_another_length_is_made_once_and_kept(corpus, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    PackedRows.open(out, length=48)
    (kept,) = out.glob("plans/48-train-*")
    before = kept.stat().st_mtime_ns
    PackedRows.open(out, length=48)
    assert kept.stat().st_mtime_ns == before
    (kept / "english.rows.npy").write_bytes(b"")
    with pytest.raises(ValueError, match=r"48-train-.*damaged; delete this folder"):
        PackedRows.open(out, length=48)
