"""The TOML of a corpus is strict: what is wrong is named, with the file and the cure."""

from pathlib import Path

import pytest

from thunder.settings import config
from thunder.training_data.corpus import CorpusSettings
from thunder.training_data.corpus.mixing import by_source, shares

ONE = '[[source]]\nname = "a"\npath = "x"\nlanguage = "ko"\n'
TWO = ONE + '[[source]]\nname = "b"\npath = "y"\nlanguage = "en"\n'


def load(text):
    return config.parse(text, CorpusSettings, origin="corpus.toml")


@pytest.mark.parametrize(
    ("mix", "korean"),
    [
        ("ko = 0.5\nen = 0.5", 7 / 14),  # 370M: 7 and 7 of 14 billion tokens
        ("ko = 0.5\nen = 0.5", 15 / 30),  # 800M: 15 and 15 of 30
        ("ko = 0.366667\nen = 0.633333", 22 / 60),  # 1.5B: 22 and 38 of 60
    ],
)
def test_the_mixes_of_the_paper(mix, korean):
    assert load(f"{TWO}[mix]\n{mix}\n").mix["ko"] == pytest.approx(korean, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "missing 'source'"),
        ("source = []", r"no \[\[source\]\]"),
        (ONE + ONE, "two sources are called a"),
        (ONE + "wieght = 2.0", "unknown key 'wieght'; did you mean 'weight'"),
        (ONE + "weight = 0.0", "a: the weight must be above 0"),
        (ONE + 'split = "page"', "'split' must be one of 'file', 'blank-line', 'line'"),
        (ONE.replace('"a"', '"../a"'), "the source name '../a'"),
        (ONE.replace('"a"', '"ko"'), "ko names a source and a language"),
        (
            TWO + "[mix]\nko = 0.5\nen = 0.6",
            r"add up to 1, not 1\.1; in proportion: ko = 0\.454545",
        ),
        (TWO + "[mix]\nko = 7e9\nen = 7e9", "shares from 0 to 1"),
        (TWO + "[mix]\nko = 1.0", "all of a, b or all of en, ko; they name ko"),
        (TWO + "[mix]\na = 0.5\nko = 0.5", "all of a, b or all of en, ko; they name a, ko"),
        (ONE + "[held_out]\nshare = 0.7", "0 to 0.5"),
        (ONE + "[duplicates]\nthreshold = 0.1", "0.3 to 1"),
        (ONE + "[cleaning]\nletters = 40", "'letters' is a share"),
    ],
)
def test_what_is_wrong_is_named(text, problem):
    with pytest.raises(config.ConfigError, match=problem) as caught:
        load(text)
    assert str(caught.value).startswith("corpus.toml")


def test_weights_by_source():
    assert shares({"a": 0.25, "b": 0.75}, languages={"a": "ko", "b": "ko"})


@pytest.mark.parametrize("path", sorted(Path("pretrain/corpora").glob("*.toml")), ids=str)
def test_every_shipped_corpus_file_loads(path):
    assert config.load(path, CorpusSettings).source


@pytest.mark.parametrize(
    ("mix", "expected"),
    [
        (None, {"a": 0.1, "b": 0.3, "c": 0.6}),
        ({}, {"a": 0.1, "b": 0.3, "c": 0.6}),
        ({"a": 0.5, "b": 0.25, "c": 0.25}, {"a": 0.5, "b": 0.25, "c": 0.25}),
        ({"ko": 0.8, "en": 0.2}, {"a": 0.2, "b": 0.6, "c": 0.2}),  # a and b as 1 to 3
        ({"ko": 0.0, "en": 1.0}, {"a": 0.0, "b": 0.0, "c": 1.0}),
    ],
)
def test_the_share_of_a_language_is_divided_as_its_sources_are(mix, expected):
    languages = {"a": "ko", "b": "ko", "c": "en"}
    assert by_source(mix, {"a": 1, "b": 3, "c": 6}, languages) == pytest.approx(expected)


def test_what_is_missing_leaves_its_share_to_the_others():
    assert by_source({"a": 0.5, "b": 0.5}, {"b": 3.0}, {"a": "ko", "b": "en"}) == {"b": 1.0}
    with pytest.raises(ValueError, match="all weights are 0"):
        by_source({"ko": 0.0, "en": 1.0}, {"a": 3.0}, {"a": "ko", "b": "en"})
