"""The corpus's tokens are the tokenizer's own, with the beginnings of morphemes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder import tokenization
from thunder.settings.resources import folder
from thunder.training_data.corpus.tokens import START, MorphemeTokens

TOKENIZER = tokenization.load(folder("tokenizer") / "32k")
TOKENS = MorphemeTokens(TOKENIZER)


@given(st.text() | st.text(alphabet="가나다 \n\u300012,.A김수영은\u200b①Ａ"))
def test_the_ids_are_those_of_encode(text):
    found = TOKENS.encode(text) & np.uint32(START - 1)
    assert found.tolist() == TOKENIZER.encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("text", "morphemes"),
    [
        ("피고인은 상해를 가하였다.", ["피고인", "은", "▁상해", "를", "▁가하", "였다."]),
        ("국민은행 강남역", ["국민", "은행", "▁강남", "역"]),
        ("1234567원", ["123", "456", "7", "원"]),
        ("가\n나", ["가", "\n", "나"]),
    ],
)
def test_where_morphemes_begin(text, morphemes):
    found = TOKENS.encode(text)
    begins = np.flatnonzero(found & np.uint32(START))
    names = TOKENIZER.tokens(found & np.uint32(START - 1))
    groups = ["".join(group) for group in np.split(np.array(names, dtype=object), begins[1:])]
    assert groups == morphemes


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr("thunder.training_data.corpus.tokens._REMEMBERED", 50)
    tokens = MorphemeTokens(TOKENIZER)
    for at in range(30):
        tokens.encode(" ".join(f"{at}번{word}째" for word in range(20)))
    assert len(tokens._words) < 100


def test_no_text_is_no_tokens():
    assert not len(TOKENS.encode(""))
    assert not len(TOKENS.encode("  "))
