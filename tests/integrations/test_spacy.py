"""spaCy: a component found by its name, and offsets in characters."""

import configparser
import importlib
import shutil
from pathlib import Path

import pytest

from thunder import Deidentifier
from thunder.settings import resources

spacy = pytest.importorskip("spacy", reason="needs pip install '.[spacy]'")

from thunder.integrations import spacy as ours  # noqa: E402

RULES = Deidentifier(model="none")
TEXTS = ["피고인 홍길동이 한빛은행에 갔다.", "", "아무도 없다.", "원고 김도윤은 피고 서하린을"]
SETUP = Path(__file__).resolve().parents[2] / "setup.cfg"


@pytest.fixture(params=["xx", "ko", "en"])
def nlp(request):
    if request.param == "ko":
        return ours.blank(model="none")
    nlp = spacy.blank(request.param)
    nlp.add_pipe("thunder_deid", config={"model": "none"})
    return nlp


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_found_is_in_characters(nlp, text):
    doc, result = nlp(text), RULES.deidentify(text)
    assert doc.text == text
    assert doc._.thunder_deid["text"] == result.text
    assert doc._.thunder_deid["entities"] == result.entities
    for span, one in zip(doc.spans["thunder_deid"], result.entities, strict=True):
        assert span.start_char <= one["start"] < one["end"] <= span.end_char
        assert span.label_ == one["label"]


def test_many_are_read_as_one_by_one(nlp):
    assert [doc._.thunder_deid for doc in nlp.pipe(TEXTS)] == [
        nlp(text)._.thunder_deid for text in TEXTS
    ]


def test_what_was_found_is_kept_with_the_document(nlp):
    doc = nlp(TEXTS[0])
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.thunder_deid == doc._.thunder_deid


def test_doubts_are_in_characters(nlp):
    doc = nlp("피고인 김도윤을 벌금에 처한다.\n검사 김도윤")
    assert [(one["kind"], one["start"]) for one in doc._.thunder_deid["doubts"]] == [("scene", 21)]


def test_a_pipeline_is_saved_and_read_again(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again(TEXTS[0])._.thunder_deid["text"] == "피고인 A이 B은행에 갔다."


@pytest.mark.skipif(not SETUP.is_file(), reason="needs a checkout with setup.cfg")
def test_spacy_finds_it_by_the_entry_point():
    parser = configparser.ConfigParser()
    parser.read(SETUP, encoding="utf-8")
    name, _, place = parser["options.entry_points"]["spacy_factories"].strip().partition(" = ")
    module, _, function = place.partition(":")
    assert (name, function) == (ours.NAME, "make")
    assert getattr(importlib.import_module(module), function) is ours.make


def test_a_folder_of_another_taxonomy_is_refused_at_once(tmp_path):
    folder = tmp_path / "tagger"
    shutil.copytree(resources.folder("finetune/taggers") / "mini-free", folder)
    manifest = folder / "tagger.json"
    text = manifest.read_text("utf-8")
    digest = text.split('"labels": "')[1].split('"')[0]
    manifest.write_text(text.replace(digest, "0" * len(digest)), "utf-8")
    with pytest.raises(ValueError, match="분류 체계의 것도"):
        spacy.blank("xx").add_pipe("thunder_deid", config={"model": str(folder)})
