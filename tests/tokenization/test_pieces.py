"""Blocks, words and parts: where a text may be cut, and what a token may not cross."""

import hashlib
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.text.korean import fold
from thunder.text.morphology import boundaries
from thunder.tokenization import pieces

WORDS = (
    "피고인은 피해자를 폭행하였다. 국민은행에서 강남역에서 김수영의 ㈜한빛테크의 (주)새봄식품과 "
    "박서준에게 2019. 3. 12.경 20,000,000원을 010-0482-1196으로 제1항에도 사기죄의 하여금, "
    "abc@def.co.kr 12가3456 서울특별시 홍길동(가명)이라고 「형법」 「민법」상의 『소외회사』는 "
    "소송촉진 등에관한특례법위반으로 하였으나, 그러므로 ---------------------------------------- "
    "3명과 이민준으로부터 남궁민수가 손해배상금을 입금받았음에도 불구하고 ① ㈎ 丙은 30%"
)
RULES_DIGEST = {1: "3c665d643458ba42"}


def test_the_rules_are_renumbered_when_the_parts_of_a_word_change():
    parts = "\n".join("|".join(pieces.parts(f" {word}")) for word in WORDS.split())
    digest = hashlib.sha256(parts.encode()).hexdigest()[:16]
    assert digest == RULES_DIGEST[pieces.RULES], (
        "words are cut otherwise than tokenizers expect: raise pieces.RULES, train again"
    )


@pytest.mark.parametrize(
    ("word", "cut"),
    [
        ("홍길동이", "홍길동|이"),
        ("김수영의", "김수|영|의"),  # Mecab alone: 김수|영의
        ("국민은행에서", "국민|은행|에서"),  # one word of the dictionary
        ("강남역에서", "강남|역|에서"),
        ("㈜한빛테크의", "㈜|한빛|테크|의"),
        ("폭행하였다.", "폭행|하였다."),  # no mention lies within a predicate
        ("------------------------------", "------------------------------"),
    ],
)
def test_words_are_cut_at_morphemes_and_where_names_may_end(word, cut):
    ends = boundaries(word)
    assert "|".join(word[a:b] for a, b in zip([0, *ends], ends, strict=False)) == cut


@pytest.mark.parametrize("char", ["가", "7", "A", "-", "뷁", "洪", "👍", "\u0301", "ㅋ"])
@pytest.mark.parametrize("length", [513, 5_000])
def test_a_run_that_mecab_could_not_take_is_cut_and_loses_nothing(char, length):
    run = char * length
    found = pieces.words(run)
    assert "".join(found) == run
    assert max(map(len, found)) <= 512
    assert "".join("".join(pieces.parts(piece)) for piece in found) == run


def test_a_long_run_is_cut_after_punctuation():
    run = "피고인은2019.3.4.서울에서사기죄로,징역형을선고받았다." * 60
    assert all(piece[-1] in ".," for piece in pieces.words(run))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="가나0A \n\t\r\u3000\x0b-,.()", max_size=60))
def test_words_tile_the_text_and_parts_tile_the_word(text):
    found = pieces.words(text)
    assert "".join(found) == text
    for piece in found:
        assert piece.replace(" ", pieces.SPACE) == piece or len(piece.split()) <= 1
        if piece.strip():
            assert "".join(pieces.parts(piece)) == re.sub(r"^\s", pieces.SPACE, piece)


def test_blocks_tile_the_text_and_end_where_words_do(monkeypatch):
    monkeypatch.setattr(pieces, "BLOCK", 64)
    text = unicodedata.normalize("NFD", "피고인 홍길동은, 서울에서 ") * 9
    text += "가나다 라마바\u200b \u200b \u3164\u3164 a\u0301 \u0301b\x1f " * 40
    found = list(pieces.blocks(text))
    assert "".join(block for _, block in found) == text
    assert all(text[start : start + len(block)] == block for start, block in found)
    assert max(len(block) for _, block in found) <= 64
    whole = pieces.words(pieces.readable(text).text)
    assert [w for _, block in found for w in pieces.words(pieces.readable(block).text)] == whole


def test_the_characters_asked_first_are_those_that_folding_leaves():
    plain = [chr(code) for code in range(0x11000) if pieces._PLAIN.fullmatch(chr(code))]
    text = "가" + "나".join(plain)
    assert len(plain) > 30_000
    assert fold(text).text == text
    assert fold(text).starts is None
    assert not {pieces.SEPARATOR, pieces.SPACE} & set(plain)


@pytest.mark.parametrize("char", ["\ue000", "▁", "\x00", "\ud800"])
def test_what_marked_text_means_something_by_is_never_taken_from_a_text(char):
    if char == "\ud800":
        with pytest.raises(ValueError, match=r"U\+D800 at character 1"):
            pieces.readable(f"가{char}나")
    else:
        assert char not in pieces.readable(f"가{char}나").text
