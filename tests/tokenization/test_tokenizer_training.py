"""A sample that depends on nothing but its key, and the same tokenizer from the same sentences."""

import json
import lzma
import subprocess
import sys
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thunder import tokenization
from thunder.taxonomy import load as load_taxonomy
from thunder.tokenization.pieces import parts
from thunder.tokenization.vocabulary import BYTES, FIXED, SPECIAL
from thunder.training.tokenizers import training
from thunder.training.tokenizers.training import Source, documents, is_held_out, ks_x_1001, sample

NOUNS = ("피고인", "피해자", "법원", "검사", "변호인", "증인", "계약", "금원")
VERBS = ("폭행하였다", "기망하였다", "주장한다", "인정된다", "지급하였다", "선고한다")


def _corpus(number):
    return [
        {
            "id": f"문서-{at}",
            "text": "".join(
                f"{NOUNS[(at + n) % 8]}은 {NOUNS[(3 * at + n) % 8]}을 {at}번 {VERBS[n]}. "
                for n in range(5)
            ),
        }
        for at in range(number)
    ]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "judgments.jsonl"
    lines = (json.dumps(row, ensure_ascii=False) for row in _corpus(200))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# --- the sample ----------------------------------------------------------------------------------


def test_a_sample_is_the_same_whatever_the_order_of_the_documents(corpus, tmp_path):
    taken = sample(Source(corpus, 100), seed=1)
    lines = corpus.read_text("utf-8").splitlines()
    (tmp_path / "other").mkdir()
    turned = tmp_path / "other" / corpus.name
    turned.write_text("\n".join(reversed(lines)), encoding="utf-8")
    assert len(taken) == 100
    assert sorted(sample(Source(turned, 100), seed=1)) == sorted(taken)
    assert sorted(sample(Source(corpus, 100), seed=2)) != sorted(taken)


def test_a_smaller_sample_lies_within_a_larger_one(corpus):
    small = Counter(sample(Source(corpus, 30), seed=1))
    assert not small - Counter(sample(Source(corpus, 300), seed=1))
    assert sample(Source(corpus, 0), seed=1) == []


def test_held_out_documents_are_never_trained_on(corpus):
    kept = {text for name, text in documents(corpus) if is_held_out(corpus.name, name)}
    taken = sample(Source(corpus, 10**6), seed=1)
    assert 2 <= len(kept) <= 25
    assert len(taken) == 5 * (200 - len(kept))
    assert not any(sentence in text for sentence in set(taken) for text in kept)


def test_a_packed_corpus_is_the_same_corpus(corpus):
    packed = corpus.with_name("judgments.jsonl.xz")
    packed.write_bytes(lzma.compress(corpus.read_bytes()))
    assert list(documents(packed)) == list(documents(corpus))


def _zst(path, raw):
    with pa.output_stream(str(path), compression="zstd") as stream:
        stream.write(raw)


def test_zst_and_parquet_hold_the_same_documents(corpus, tmp_path):
    plain = list(documents(corpus))
    _zst(tmp_path / "judgments.jsonl.zst", corpus.read_bytes())
    assert list(documents(tmp_path / "judgments.jsonl.zst")) == plain
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "judgments.parquet", row_group_size=7)
    assert list(documents(tmp_path / "judgments.parquet")) == plain
    without = [{"text": row["text"]} for row in rows]
    pq.write_table(pa.Table.from_pylist(without), tmp_path / "texts.parquet")
    assert [name for name, _ in documents(tmp_path / "texts.parquet")][:2] == ["1", "2"]


def test_a_folder_is_all_its_files(corpus, tmp_path):
    folder = tmp_path / "web"
    folder.mkdir()
    lines = corpus.read_text("utf-8").splitlines(keepends=True)
    (folder / "a.jsonl").write_text("".join(lines[:100]), "utf-8")
    _zst(folder / "b.jsonl.zst", "".join(lines[100:]).encode())
    (folder / "README.md").write_text("not text to train on", "utf-8")
    alone = [
        sentence
        for name in ("a.jsonl", "b.jsonl.zst")
        for sentence in sample(Source(folder / name, 10**6), seed=1)
    ]
    assert sample(Source(folder, 10**6), seed=1) == alone
    made = training.train_on(
        [Source(folder, 10**6)], vocabulary=2_640, seed=1, taxonomy=load_taxonomy()
    )
    assert [one.file for one in made.manifest.corpus] == ["web"]
    with pytest.raises(ValueError, match=r"none does not exist: there is no \.jsonl or \.parquet"):
        sample(Source(tmp_path / "none", 1), seed=1)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("not json 홍길동", "JSONDecodeError"),
        ('{"id": 1}', "KeyError"),
        ('["홍길동"]', "AttributeError"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_without_its_words(tmp_path, line, kind):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "가"}\n' + line, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"bad\.jsonl:2: .*\({kind}\)") as caught:
        list(documents(path))
    assert "홍길동" not in str(caught.value)


def test_a_damaged_packed_corpus_is_named(tmp_path):
    path = tmp_path / "bad.jsonl.xz"
    path.write_bytes(lzma.compress(b'{"text": "a"}\n' * 99)[:-9])
    with pytest.raises(ValueError, match=r"bad\.jsonl\.xz"):
        list(documents(path))


# --- training ------------------------------------------------------------------------------------

TRAIN = """
import sys
from pathlib import Path
from thunder.taxonomy import load
from thunder.tokenization import save
from thunder.training.tokenizers.training import Source, train_on
made = train_on([Source(Path(sys.argv[1]), 700)], vocabulary=2640, seed=1, taxonomy=load())
save(made, Path(sys.argv[2]))
"""


@pytest.fixture
def small(monkeypatch):
    """Make a vocabulary small enough for a few hundred sentences."""
    monkeypatch.setattr(training, "ks_x_1001", lambda *, hanja: list("가나다"))


def _train(sentences, vocabulary):
    return training.train(sentences, vocabulary=vocabulary, taxonomy=load_taxonomy())


def test_the_same_sentences_give_the_same_file_in_another_process(corpus, tmp_path):
    for name in ("one", "two"):  # hash seeds differ
        command = [sys.executable, "-c", TRAIN, str(corpus), str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
    for file in ("tokenizer.json.xz", "thunder.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    manifest = tokenization.load(tmp_path / "one").manifest
    assert manifest.seed == 1
    assert [(file.file, file.sentences) for file in manifest.corpus] == [(corpus.name, 700)]
    assert manifest.corpus[0].sha256 == training._sha256(corpus)


def test_the_vocabulary_stands_in_the_promised_order(corpus, small):
    made = _train(sample(Source(corpus, 900), seed=1), FIXED + 150)
    tokens = made.tokens(range(len(made)))
    assert tokens[: len(SPECIAL)] == list(SPECIAL)
    assert tokens[len(SPECIAL) : FIXED] == list(BYTES)
    assert tokens[made.manifest.vocabulary] == "<<<내국인이름>>>"
    assert len(made) == FIXED + 150 + 2 * len(load_taxonomy())
    assert len(set(tokens)) == len(tokens)


def test_no_token_crosses_a_part_of_a_word(corpus, small):
    sentences = sample(Source(corpus, 900), seed=1)
    made = _train(sentences, FIXED + 150)
    seen = {part for text in sentences for word in text.split() for part in parts(f" {word}")}
    allowed = "\0".join(seen | {part.removeprefix("▁") for part in seen})
    for token in made.tokens(range(FIXED, made.manifest.vocabulary)):
        assert token in allowed or len(token) == 1
    assert "▁피고인은" not in made.tokens(range(len(made)))


def test_too_few_sentences_for_the_vocabulary_are_an_error(small):
    with pytest.raises(ValueError, match="not 5000: train on more"):
        _train(["피고인은 사기죄로 처벌받았다."] * 3, 5_000)


def test_the_characters_of_the_korean_standard():
    assert len(ks_x_1001(hanja=False)) == 2_350
    both = ks_x_1001(hanja=True)
    assert len(both) == 2_350 + 4_888
    assert set("가홍洪鬱") <= set(both)


# --- what ships ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "vocabulary"), [("32k", 32_000), ("128k", 128_000)])
def test_the_shipped_tokenizers_say_what_they_were_trained_on(name, vocabulary):
    from thunder.settings.resources import folder

    manifest = tokenization.load(folder("tokenizer") / name).manifest
    assert (manifest.vocabulary, manifest.labels, manifest.seed) == (vocabulary, 729, 1)
    assert sum(file.sentences for file in manifest.corpus) == 1_000_000
    assert not [file for file in manifest.corpus if "annotated" in file.file]
    assert all(len(file.sha256) == 64 for file in manifest.corpus)


@pytest.mark.parametrize("name", ["32k", "128k"])
def test_every_character_of_the_korean_standard_is_representable(name):
    from thunder.settings.resources import folder

    tokenizer = tokenization.load(folder("tokenizer") / name)
    text = " ".join(ks_x_1001(hanja=True))
    encoded = tokenizer.encode(text)
    assert 1 not in encoded.ids.tolist()
    assert len(set(encoded.starts.tolist())) >= (len(text) + 1) // 2
