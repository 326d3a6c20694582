"""The same tokens through transformers: padded, windowed, pickled, saved and found again."""

import json
import pickle
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers")

from transformers import AutoTokenizer

from thunder import tokenization
from thunder.settings.resources import folder
from thunder.taxonomy import load as load_taxonomy
from thunder.tokenization.pieces import marked_text
from thunder.tokenization.transformers import ThunderTokenizer
from thunder.tokenization.vocabulary import CLS, PAD, SEP

NFD = unicodedata.normalize("NFD", "피해자 김수영의")
TEXT = f"피고인 홍길동이\r\n{NFD} 집에서 👍🏽 𠮷 2,500만 원을 받았다."
TEXTS = st.lists(
    st.sampled_from(
        ["홍길동이 ", "국민은행", "\n", "  ", "[MASK]", "<<<은행>>>", NFD, "뷁", "\u200b"]
    ),
    max_size=8,
).map("".join)


@pytest.fixture(scope="module")
def hybrid():
    return tokenization.load(folder("tokenizer") / "32k")


@pytest.fixture(scope="module")
def tokenizer(hybrid):
    return ThunderTokenizer(hybrid=hybrid)


@pytest.fixture(scope="module")
def saved(tokenizer, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved")
    tokenizer.save_pretrained(place)
    return place


def _whole(hybrid, text):
    """Return ids and offsets as they should be: ours between [CLS] and [SEP]."""
    found = hybrid.encode(text)
    offsets = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    return [CLS, *found.ids.tolist(), SEP], [(0, 0), *offsets, (0, 0)]


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_ids_and_offsets_are_those_of_the_hybrid_tokenizer(hybrid, tokenizer, text):
    found = tokenizer(text, return_offsets_mapping=True)
    ids, offsets = _whole(hybrid, text)
    assert found["input_ids"] == ids
    assert found["offset_mapping"] == offsets
    assert tokenizer.tokenize(text) == hybrid.tokens(ids[1:-1])


def test_it_does_what_the_rust_tokenizer_does_with_marked_text(hybrid, tokenizer):
    options = {"max_length": 12, "stride": 3, "strategy": "longest_first", "direction": "right"}
    rust = pickle.loads(pickle.dumps(hybrid.backend))
    rust.enable_truncation(**options)
    pairs = [(TEXT, "가 나 다"), ("가", TEXT), (TEXT, TEXT)]
    for one, other in pairs:
        theirs = rust.encode(marked_text(one), marked_text(other))
        ours = tokenizer(
            one, other, truncation=True, max_length=12, stride=3, return_overflowing_tokens=True
        )
        assert ours["input_ids"] == [theirs.ids, *(more.ids for more in theirs.overflowing)]
        assert ours.encodings[0].type_ids == theirs.type_ids
        assert ours.encodings[0].sequence_ids == theirs.sequence_ids


@pytest.mark.parametrize("stride", [0, 4])
@pytest.mark.parametrize("side", ["left", "right"])
def test_windows_of_a_long_text_point_into_the_whole_text(hybrid, tokenizer, stride, side):
    text = " ".join([TEXT] * 7)
    tokenizer.padding_side = side
    found = tokenizer(
        [text, "짧다"],
        truncation=True,
        max_length=16,
        stride=stride,
        padding="max_length",
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )
    tokenizer.padding_side = "right"
    every = set(zip(*_whole(hybrid, text), strict=True)) - {(CLS, (0, 0)), (SEP, (0, 0))}
    seen = set()
    for sample, ids, offsets in zip(
        found["overflow_to_sample_mapping"],
        found["input_ids"],
        found["offset_mapping"],
        strict=True,
    ):
        assert len(ids) == 16
        pairs = zip(ids, map(tuple, offsets), strict=True)
        inside = {pair for pair in pairs if pair[0] not in (CLS, SEP, PAD)}
        seen |= inside if sample == 0 else set()
    assert seen == every
    assert found["overflow_to_sample_mapping"][-1] == 1


def test_a_batch_is_padded_to_its_longest_text(tokenizer):
    found = tokenizer(["가", TEXT], padding=True, pad_to_multiple_of=8, return_tensors="np")
    assert found["input_ids"].shape[1] % 8 == 0
    assert found["attention_mask"][1].sum() > found["attention_mask"][0].sum() == 3
    assert (found["input_ids"][0][3:] == PAD).all()
    alone = tokenizer(TEXT)["input_ids"]
    assert found["input_ids"][1][: len(alone)].tolist() == alone


def test_characters_find_their_tokens_and_words(tokenizer):
    found = tokenizer(TEXT)
    at = TEXT.index("홍길동")
    token = found.char_to_token(at)
    assert found.token_to_chars(token).start == at
    assert found.word_ids()[token] == 1
    assert found.word_ids()[0] is None
    rare = TEXT.index("𠮷")
    assert found.token_to_chars(found.char_to_token(rare)) == (rare, rare + 1)


def test_words_already_split_are_read_as_if_written_with_spaces(hybrid, tokenizer):
    words = ["피고인", "홍길동이", "", "갔다."]
    found = tokenizer(words, is_split_into_words=True, return_offsets_mapping=True)
    assert found["input_ids"] == _whole(hybrid, "피고인 홍길동이  갔다.")[0]
    for number, (start, end) in zip(found.word_ids(), found["offset_mapping"], strict=True):
        assert number is None or 0 <= start < end <= len(words[number])
    covered = {number for number in found.word_ids() if number is not None}
    assert covered == {0, 1, 3}
    batch = tokenizer([words, ["가"]], is_split_into_words=True)
    assert batch["input_ids"] == [found["input_ids"], tokenizer("가")["input_ids"]]
    pairs = tokenizer([(words, ["가"])], is_split_into_words=True)
    assert pairs["input_ids"] == [found["input_ids"] + tokenizer("가")["input_ids"][1:]]


@pytest.mark.parametrize("empty", ["", "   ", []])
def test_nothing_to_read(tokenizer, empty):
    found = tokenizer(empty, is_split_into_words=isinstance(empty, list))
    assert found["input_ids"] == [CLS, SEP]


def test_a_lone_surrogate_is_refused(tokenizer):
    with pytest.raises(ValueError, match="surrogate"):
        tokenizer("가\ud800")


def test_markers_are_not_special_and_have_ids_for_those_who_ask(tokenizer):
    label = load_taxonomy().label("은행")
    begin, end = tokenizer.hybrid.marker_ids(label.id)
    assert tokenizer.convert_tokens_to_ids(["<<<은행>>>", "<<</은행>>>"]) == [begin, end]
    assert not {begin, end} & set(tokenizer.all_special_ids)
    assert begin not in tokenizer("<<<은행>>>A<<</은행>>>")["input_ids"]
    assert tokenizer.mask_token_id not in tokenizer("[MASK]")["input_ids"]
    assert len(tokenizer.all_special_ids) == 5
    with pytest.raises(ValueError, match="vocabulary, which is fixed"):
        tokenizer.add_tokens(["새낱말"])


def test_it_pickles_with_its_settings(tokenizer):
    copied = pickle.loads(pickle.dumps(tokenizer))
    assert copied(TEXT)["input_ids"] == tokenizer(TEXT)["input_ids"]
    assert copied.pad_token_id == PAD


def test_a_saved_folder_is_read_by_every_way_offline(saved, tokenizer, monkeypatch, tmp_path):
    names = {path.name for path in saved.iterdir()}
    assert names >= {"tokenizer.json", "thunder.json", "tokenizer_config.json"}
    code = (
        "import os, sys; os.environ['HF_HUB_OFFLINE'] = '1'\n"
        "from transformers import AutoTokenizer\n"
        "found = AutoTokenizer.from_pretrained(sys.argv[1], trust_remote_code=True)\n"
        "import json; print(json.dumps(found(sys.argv[2], return_offsets_mapping=True).data))\n"
        "found.save_pretrained(sys.argv[3])\n"
    )
    text = TEXT.replace("\r\n", " ")
    run = [sys.executable, "-c", code, str(saved), text, str(tmp_path / "again")]
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "modules"))
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    expected = tokenizer(text, return_offsets_mapping=True)
    found = json.loads(done.stdout)
    assert found["input_ids"] == expected["input_ids"]
    assert [tuple(pair) for pair in found["offset_mapping"]] == expected["offset_mapping"]
    for place in (saved, tmp_path / "again"):
        plain = ThunderTokenizer.from_pretrained(place)
        assert plain(text)["input_ids"] == expected["input_ids"]
        same = tokenization.load(place).encode(text).ids.tolist()
        assert same == expected["input_ids"][1:-1]


def test_without_leave_to_run_code_a_folder_is_refused_not_misread(saved, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "n")
    with pytest.raises(ValueError, match="trust_remote_code"):
        AutoTokenizer.from_pretrained(saved)


def test_a_damaged_folder_is_named(saved, tmp_path):
    for path in saved.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = (tmp_path / "tokenizer.json").read_text("utf-8")
    (tmp_path / "tokenizer.json").write_text(content.replace('"피고인"', '"피고의"'), "utf-8")
    with pytest.raises(ValueError, match="damaged"):
        ThunderTokenizer.from_pretrained(tmp_path)
    (tmp_path / "thunder.json").unlink()
    with pytest.raises(ValueError, match=r"thunder\.json is missing"):
        ThunderTokenizer.from_pretrained(tmp_path)
