"""Thresholds: inherited down the taxonomy, set for a recall, read strictly."""

import pytest

from thunder import taxonomy
from thunder.tagger import thresholds
from thunder.tagger.thresholds import CEILING, FLOOR, Evidence, Thresholds, fitted

KNOWN = taxonomy.load()
PERSON = KNOWN.label("내국인이름")
BANK = KNOWN.label("은행")


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ({"": 0.4}, 0.4),
        ({"": 0.4, "direct": 0.3}, 0.3),
        ({"": 0.4, "direct": 0.3, "direct/D.1.1": 0.2}, 0.2),
        ({"": 0.4, "direct/D.1.1": 0.2, "direct/D.1.1/내국인이름/내국인이름": 0.1}, 0.1),
        ({"": 0.4, "quasi": 0.1, f"quasi/{BANK.code}": 0.2}, 0.4),
    ],
)
def test_the_nearest_node_above_a_label_counts(nodes, expected):
    assert Thresholds(nodes).of(PERSON) == expected


def test_ids_that_are_no_labels_are_never_found():
    levels = Thresholds({"": 0.4}).by_id(KNOWN)
    assert len(levels) == KNOWN.classes and levels[0] > 1
    assert levels[PERSON.id] == pytest.approx(0.4)


def _evidence(label, *masses):
    return [Evidence(label.id, mass) for mass in masses]


def test_thresholds_reach_the_recall_on_what_they_are_set_on():
    masses = [k / 200 for k in range(1, 101)]
    nodes = fitted(_evidence(PERSON, *masses), taxonomy=KNOWN, recall=0.9)
    level = Thresholds(nodes).of(PERSON)
    assert sum(mass >= level for mass in masses) == 90


def test_a_node_with_few_mentions_leaves_them_to_its_parent():
    evidence = _evidence(PERSON, *[0.4] * 60) + _evidence(BANK, *[0.2] * 30)
    nodes = fitted(evidence, taxonomy=KNOWN, recall=1.0)
    assert nodes == {
        "": pytest.approx(0.2),
        "direct/D.1.1/내국인이름/내국인이름": pytest.approx(0.4),
    }


@pytest.mark.parametrize(("mass", "level"), [(0.99, CEILING), (0.001, FLOOR)])
def test_no_threshold_is_careless_nor_masks_everything(mass, level):
    nodes = fitted(_evidence(PERSON, *[mass] * 60), taxonomy=KNOWN, recall=0.99)
    assert Thresholds(nodes).of(PERSON) == level


def test_no_mention_no_thresholds():
    with pytest.raises(ValueError, match="no mention to set thresholds on"):
        fitted([], taxonomy=KNOWN, recall=0.99)


def test_written_and_read_again(tmp_path):
    made = Thresholds({"": 0.4, "direct": 0.25}, {"recall": 0.99})
    thresholds.write(tmp_path, made)
    assert thresholds.read(tmp_path, KNOWN) == made


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ('{"format": 1, "nodes": {"": 0.5, "direct/D.9.9": 0.1}}', LookupError, "D.9.9"),
        ('{"format": 1, "nodes": {"direct": 0.1}}', ValueError, "one for everything"),
        ('{"format": 1, "nodes": {"": 5}}', ValueError, "0 < x <= 1"),
        ('{"format": 2, "nodes": {"": 0.5}}', ValueError, "its format"),
        ("[]", ValueError, "thresholds.json"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, content, error, message):
    (tmp_path / "thresholds.json").write_text(content, encoding="utf-8")
    with pytest.raises(error, match=message) as raised:
        thresholds.read(tmp_path, KNOWN)
    assert "thresholds.json" in str(raised.value)
