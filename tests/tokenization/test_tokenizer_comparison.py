"""The figures of the comparison, on texts where everyone can count them."""

import json
import warnings

import pytest

from thunder.settings import drawing
from thunder.settings.resources import folder
from thunder.tokenization import load
from thunder.training.tokenizers import comparison, rivals
from thunder.training.tokenizers.rivals import Rival, Tokens
from thunder.training_data.annotation import parse

SENTENCES = [f"피고인 {name}은 집에서 {n}원을 받았다." for n in range(40) for name in ("갑", "을")]


def _by_character(text):
    places = [at for at, char in enumerate(text) if not char.isspace()]
    return Tokens(places, [at + 1 for at in places], unknown=text.count("갑"))


def _by_word(text):
    starts = [at for at, char in enumerate(text) if at == 0 or text[at - 1] == " "]
    return Tokens(starts, [text.find(" ", at) % (len(text) + 1) for at in starts], unknown=0)


@pytest.fixture
def results():
    texts = {"judgments": ["갑은 갔다", "을도"]}
    annotated = [parse("<<<내국인이름>>>갑<<</내국인이름>>>은 <<<은행>>>은행<<</은행>>> 갔다")]
    named = {"characters": _by_character, "words": _by_word}
    rows = [Rival(name, 10, read) for name, read in named.items()]
    return [comparison.measure(row, texts, annotated) for row in rows]


def test_lengths_and_mentions_are_counted(results):
    characters, words = results
    assert characters.kept == {"내국인이름": 1, "은행": 1}
    assert words.kept == {"내국인이름": 0, "은행": 1}
    assert (characters.kept_share, words.kept_share) == (1.0, 0.5)
    length = characters.lengths["judgments"]
    assert (length.characters, length.words, length.tokens, length.unknown) == (7, 3, 6, 1)
    assert (length.fertility, length.characters_a_token) == (2.0, 7 / 6)
    assert words.lengths["judgments"].fertility == 1.0
    assert (characters.syllables, words.syllables) == (2349, 2350)


def test_the_table_says_so(results):
    lines = comparison.markdown(results).splitlines()
    assert lines[2].startswith("| characters | 10 | 100.0 % | 1.17 | 2.00 | 16.67 % |")
    assert "| 내국인이름 | 1 | 100.0 % | 0.0 % |" in lines
    assert "| 은행 | 1 | 100.0 % | 100.0 % |" in lines


def test_nothing_to_measure_on_is_an_error():
    row = Rival("words", 10, _by_word)
    with pytest.raises(ValueError, match="nothing to measure on"):
        comparison.measure(row, {"judgments": ["가"]}, [parse("가나")])
    with pytest.raises(ValueError, match="nothing to measure on"):
        comparison.measure(row, {"judgments": []}, [parse("<<<은행>>>가<<</은행>>>")])


def test_without_a_font_that_has_hangul_labels_are_in_english(results, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(drawing, "_FONTS", ("No Such Font",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a glyph that the font lacks
        comparison.plot(results, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5000


# --- the others ----------------------------------------------------------------------------------


def _surfaces(rival, text):
    found = rival.read(text)
    return [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]


def test_spaces_are_no_part_of_a_token_for_any_of_them():
    pytest.importorskip("sentencepiece")
    ours = rivals.hybrid("ours", load(folder("tokenizer") / "32k"))
    built = [
        ours,
        rivals.plain_bpe(SENTENCES, vocabulary=200),
        rivals.sentencepiece(SENTENCES, vocabulary=60, kind="bpe"),
        rivals.sentencepiece(SENTENCES, vocabulary=60, kind="unigram"),
        rivals.mecab(SENTENCES, vocabulary=100),
    ]
    text = "피고인 갑은\n집에서  3원을"
    for rival in built:
        surfaces = _surfaces(rival, text)
        assert "".join(surfaces).replace(" ", "") == text.replace(" ", ""), rival.name
        assert all(one == one.strip() or not one.strip() for one in surfaces)
        assert surfaces.count("\n") == 1


def test_a_morpheme_never_seen_is_unknown_to_mecab_alone():
    rival = rivals.mecab(SENTENCES, vocabulary=100)
    assert rival.read("피고인은").unknown == 0
    assert rival.read("피고인과").unknown == 1


def test_a_character_that_vanishes_in_the_released_vocabulary_is_unknown(tmp_path):
    vocabulary = {"피": 0, "고": 1, "인": 2, "은": 3, " 피": 4, " ": 5, "피고": 6}
    content = {
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {
                    "type": "Split",
                    "pattern": {"Regex": r"[^\r\n\p{L}\p{N}]?\p{L}+|\s+"},
                    "behavior": "Isolated",
                    "invert": False,
                }
            ],
        },
        "model": {"type": "BPE", "vocab": vocabulary, "merges": [[" ", "피"], ["피", "고"]]},
    }
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    rival = rivals.released(path)
    assert _surfaces(rival, "피고인은 피고인") == ["피고", "인", "은", "피", "고", "인"]
    found = rival.read("피쉙고")
    assert found.unknown == 1
    assert "".join(_surfaces(rival, "피쉙고")) == "피쉙고"
