"""What systems say of documents: our own masking, a tagger, and how each is named."""

import numpy as np
import pytest

from thunder.scoring.curves import Setting
from thunder.scoring.documents import ScoringError, gold_of
from thunder.settings import resources
from thunder.tagger.folder import Manifest
from thunder.tagger.tagger import Tagger
from thunder.tagger.tokenizers import OurTokenizer
from thunder.taxonomy.migrations import names_digest
from thunder.text.spans import Span
from thunder.tokenization import labeling
from thunder.training.evaluating import systems, tagger_sources
from thunder.training.evaluating.systems import asked, from_file, swept
from thunder.training.evaluating.tagger_sources import Way, dialled, opened


@pytest.fixture
def way(known):
    return Way(known)


class Words:
    """A model that gives the tokens of each word a label, more or less surely."""

    hints = 0

    def __init__(self, known, tokenizer, **sure):
        self.classes = labeling.classes(known)
        found = {word: tokenizer.encode(word).ids.tolist() for word in sure}
        self._odds = {
            id_: (known.label(label).id, odds)
            for word, (label, odds) in sure.items()
            for id_ in found[word]
        }

    def __call__(self, batch, /):
        input_ids_BS = batch.input_ids_BS
        scores = np.zeros((*input_ids_BS.shape, self.classes), np.float32)
        scores[..., 0] = 12
        for place in np.ndindex(input_ids_BS.shape):
            label, odds = self._odds.get(int(input_ids_BS[place]), (1, -12))
            scores[(*place, label)] = 12 + odds
        return scores


@pytest.fixture
def words(known):
    """Return what makes a tagger that knows some words: name, label, log odds."""
    tokenizer = OurTokenizer(resources.folder("tokenizer") / "32k")
    manifest = Manifest(
        architecture="onnx",
        scheme="classes",
        classes=known.classes,
        labels=names_digest(known),
        tokenizer="hybrid",
        tokenizer_sha256=tokenizer.digest,
        length=64,
        overlap=16,
    )

    def made(**sure):
        model = Words(known, tokenizer, **sure)
        return Tagger(tokenizer, model, manifest=manifest, taxonomy=known)

    return made


SCENE = "피고인 홍길동(여, 34세)은 3층에서 잠을 잤다. 판사 김갑순"


def document(*mentions, find):
    return gold_of("1", "fraud", SCENE, find(SCENE, *mentions))


def labels(prediction):
    return [span.label for span in prediction.spans]


def test_our_masking_as_found_and_by_the_rule(find, way):
    gold = document(("홍길동", "내국인이름"), ("34", "나이"), find=find)
    said = asked("rules", [gold], way)
    assert labels(said.by_rule["1"]) == ["내국인이름"]  # age and judge stay readable
    assert said.by_rule["1"].replacements == ("A",)
    assert labels(said.found["1"]) == ["내국인이름", "나이"]


def test_what_gold_never_marks_is_no_finding(find, way):
    said = asked("rules", [document(("홍길동", "내국인이름"), find=find)], way)
    assert said.found == said.by_rule


def test_by_the_rule_a_label_that_stays_readable_is_not_masked(find, way, words, monkeypatch):
    made = words(홍길동=("내국인이름", 6), 층=("층", 6))
    monkeypatch.setattr(systems, "opened", lambda source, way: made)
    monkeypatch.setattr(systems, "is_tagger", lambda source: True)
    gold = document(("홍길동", "내국인이름"), ("3", "층"), find=find)
    said = asked("x", [gold], way)
    assert set(labels(said.found["1"])) == {"내국인이름", "층"}
    assert set(labels(said.by_rule["1"])) == {"내국인이름"}


def test_a_name_taken_for_a_floor_leaks_by_the_rule(find, way, write):
    gold = document(("홍길동", "내국인이름"), find=find)
    place = {"start": gold.spans[0].start, "end": gold.spans[0].end}
    only = write("a.jsonl", [{"id": "1", "entities": [{**place, "label": "층"}]}])
    assert from_file(str(only), [gold], way).by_rule["1"].spans == ()
    # who says what was written instead did mask it
    written = {**place, "label": "층", "replacement": "A"}
    masked = write("b.jsonl", [{"id": "1", "entities": [written]}])
    assert labels(from_file(str(masked), [gold], way).by_rule["1"]) == ["층"]


def test_a_document_is_read_once_and_decoded_for_each_threshold(find, way, words, monkeypatch):
    made = words(홍길동=("내국인이름", 6), 김갑순=("내국인이름", -2))  # sure; doubtful
    monkeypatch.setattr(systems, "opened", lambda source, way: made)
    found = swept("x", [document(find=find)], way, [Setting(level=0.5), Setting(level=0.05)])
    masked = {name: [SCENE[s.start : s.end] for s in one["1"].spans] for name, one in found.items()}
    assert masked == {"0.5": ["홍길동"], "0.05": ["홍길동", "김갑순"]}


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("models/mini", ("models/mini", "")),
        ("models/mini@0.995", ("models/mini", "0.995")),
        ("mini@.99", ("mini", ".99")),
        ("mini@usual", ("mini", "usual")),
        ("a@b.jsonl", ("a@b.jsonl", "")),
    ],
)
def test_a_recall_behind_a_tagger(source, parts):
    assert dialled(source) == parts


def test_what_is_no_system_is_told_what_may_be_given(tmp_path, find, way):
    gold = document(find=find)
    with pytest.raises(FileNotFoundError, match=r"no such file or folder: give a JSONL file"):
        from_file("nothing.jsonl", [gold], way)
    with pytest.raises(FileNotFoundError, match=r"neither a tagger .* nor a training run"):
        asked(str(tmp_path), [gold], way)
    (tmp_path / "step-0000000100").mkdir()
    with pytest.raises(FileNotFoundError, match="its first epoch is not over"):
        asked(str(tmp_path), [gold], way)
    with pytest.raises(FileNotFoundError, match="none of this name ships"):
        asked("deid:nobody", [gold], way)


def test_a_text_that_no_file_can_hold_is_named(way):
    gold = gold_of("사건 7", "", "홍길동 \ud800", [Span(0, 3, "내국인이름")])
    with pytest.raises(ScoringError, match="document '사건 7'"):
        asked("rules", [gold], way)


@pytest.mark.slow
def test_the_best_checkpoint_of_a_run_is_a_tagger(tmp_path, way, monkeypatch):
    from thunder.training.finetuning import export, run

    from ..training.finetuning.conftest import built, smoke

    dataset = built(tmp_path, 25)
    settings = smoke(dataset, tmp_path / "run", "schedule.epochs=1")
    run(settings, say=lambda line: None)
    exported = export(tmp_path / "run", tmp_path / "tagger").folder
    text = "피고인 홍길동은 서울 강남구 역삼동에 있는 집에서 피해자를 때렸다."
    reads = [
        next(opened(str(place), way).read_all([text])).reading
        for place in (tmp_path / "run", exported)
    ]
    np.testing.assert_array_equal(reads[0].mass, reads[1].mass)
    with pytest.raises(ValueError, match="export it first"):
        opened(f"{tmp_path / 'run'}@0.99", way)
    assert tagger_sources.is_tagger(str(exported))
    set_for = {
        dial: opened(f"{exported}{dial}", way).thresholds.outcome for dial in ("@0.99", "@usual")
    }
    assert set_for["@0.99"].recall == 0.99 and set_for["@usual"] is None
