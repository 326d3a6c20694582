"""The dial: thresholds for several recalls, each with what it gave; what lies beyond is refused."""

import json

import pytest

from thunder import taxonomy
from thunder.mentions.candidates import KINDS
from thunder.mentions.scorecard import Card, Scorecard
from thunder.tagger import dial
from thunder.tagger.dial import Dial
from thunder.tagger.thresholds import USUAL, Outcome, Thresholds
from thunder.text.spans import Span
from thunder.training.finetuning.fitting import fit, measured
from thunder.training_data.invented_judgments import judgments

from ..fake_tagger import FakeTagger
from .invented import Neighbours, tagger

pytestmark = pytest.mark.usefixtures("english")

KNOWN = taxonomy.load()


def _set(recall, level, **changes):
    values = {"recall": recall, "reached": recall, "whole": 1.0, "precision": 0.9}
    return Thresholds({"": level}, Outcome(**{**values, "characters": 0.99, **changes}))


THREE = Dial((_set(0.95, 0.4), _set(0.99, 0.2), _set(0.999, 0.05)), 0.99, {"documents": 7})


@pytest.mark.parametrize(
    ("asked", "level"),
    [(None, 0.2), (0.95, 0.4), (0.96, 0.2), (0.99, 0.2), (0.995, 0.05), (0.999, 0.05)],
)
def test_what_lies_between_takes_the_stricter_set(asked, level):
    assert THREE.at(asked).nodes[""] == level


@pytest.mark.parametrize("asked", [0.5, 0.949, 0.9999, 1.0, 0.0, -1.0, float("nan")])
def test_what_lies_beyond_is_refused_with_the_choices(asked):
    with pytest.raises(ValueError, match=r"thresholds are for 0\.95, 0\.99, 0\.999"):
        THREE.at(asked)


def test_without_thresholds_the_usual_ones_and_no_recall_to_ask_for():
    assert Dial().at().nodes == {"": USUAL}
    with pytest.raises(ValueError, match="no thresholds were set for a recall of"):
        Dial().at(0.99)


def test_written_and_read_again(tmp_path):
    dial.write(tmp_path, THREE)
    assert dial.read(tmp_path, KNOWN) == THREE
    assert [one.recall for one in THREE.consequences()] == [0.95, 0.99, 0.999]


def _file(**changes):
    one = {"recall": 0.99, "reached": 0.99, "whole": 1, "precision": 1, "characters": 1}
    one |= {"nodes": {"": 0.5}, **changes.pop("set", {})}
    return json.dumps({"format": 3, "default": 0.99, "sets": [one], **changes})


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (_file(set={"nodes": {"": 0.5, "direct/D.9.9": 0.1}}), LookupError, "D.9.9"),
        (_file(set={"nodes": {"direct": 0.1}}), ValueError, "one for everything"),
        (_file(set={"nodes": {"": 5}}), ValueError, "0 < x <= 1"),
        (_file(set={"more": 1}), ValueError, "more"),
        (_file(format=1), ValueError, "its format is not 3: set the thresholds anew"),
        (_file(default=0.5), ValueError, "default 0.5 is none of 0.99"),
        (_file(sets=[]), ValueError, "no set of thresholds"),
        ("[]", ValueError, "thresholds.json"),
        ("", ValueError, "thresholds.json"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, content, error, message):
    (tmp_path / "thresholds.json").write_text(content, encoding="utf-8")
    with pytest.raises(error, match=message) as raised:
        dial.read(tmp_path, KNOWN)
    assert "thresholds.json" in str(raised.value)


def test_each_set_says_what_it_gave_on_the_documents_it_was_set_on():
    documents = [(one.id, one.text, one.spans) for one in judgments(4, seed=5)]
    made = fit(tagger(Neighbours(1), length=64, overlap=16), documents, recalls=(0.5, 0.9))
    assert made.recalls == (0.5, 0.9, 0.99) and made.default == 0.99
    assert made.about["documents"] == 4 and made.about["mentions"] > 0
    outcomes = made.consequences()
    assert [one.whole for one in outcomes] == sorted(one.whole for one in outcomes)
    assert [one.characters for one in outcomes] == sorted(one.characters for one in outcomes)
    for one in outcomes:
        assert one.reached >= one.recall or one.falls_short
        assert 0 < one.precision <= 1


class _Dialled(FakeTagger):
    """Finds its words wherever its dial stands."""

    taxonomy = KNOWN
    dial = Dial(
        (
            Thresholds(
                {"": 0.5},
                Outcome(recall=0.9, reached=0.0, whole=0.0, precision=0.0, characters=0.0),
            ),
        ),
        0.9,
    )

    def spans(self, read, *, levels=None):
        return super().spans(read)

    def _reading(self, plain):
        reading = super()._reading(plain)
        reading.label[:] = KNOWN.label("내국인이름").id
        return reading


@pytest.mark.parametrize(
    ("least", "characters", "precision"),
    [(0.0, 1.0, 0.5), (0.9, 0.0, 1.0)],  # the card holds nothing of it for a mention
)
def test_what_the_thresholds_give_is_measured_again(least, characters, precision):
    asked = _Dialled({"라온": ("내국인이름", 0.6), "달무리": ("내국인이름", 0.6)})
    cards = {(kind, "masked"): Card(0.0, {}) for kind in KINDS}
    asked.scorecard = Scorecard(cards, 0.02, dict.fromkeys(KINDS, least))
    text = "어제 라온과 달무 달무리를"
    made = measured(asked, [("1", text, [Span(3, 5, "내국인이름")])])
    (outcome,) = made.consequences()
    assert (outcome.characters, outcome.precision) == (
        characters,
        pytest.approx(precision, abs=0.1),
    )
    assert made.sets[0].nodes == asked.dial.sets[0].nodes
    assert made.about["documents"] == 1


def test_a_document_without_text_is_named():
    with pytest.raises(ValueError, match="document 7 has no text: build the dataset with --text"):
        fit(tagger(Neighbours(1), length=64, overlap=16), [("7", "", ())])
