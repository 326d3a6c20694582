"""Thresholds: inherited down the taxonomy, set for a recall."""

import pytest

from thunder import taxonomy
from thunder.tagger.thresholds import CEILING, FLOOR, Evidence, Outcome, Thresholds, fitted

KNOWN = taxonomy.load()
PERSON = KNOWN.label("내국인이름")
BANK = KNOWN.label("은행")
SHOP = KNOWN.label("가게")


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


@pytest.mark.parametrize(("mass", "level"), [(0.99, CEILING), (0.06, 0.06), (0.001, CEILING)])
def test_no_threshold_is_careless_nor_masks_everything(mass, level):
    """What FLOOR keeps out of reach costs nothing else."""
    nodes = fitted(_evidence(PERSON, *[mass] * 60), taxonomy=KNOWN, recall=0.99)
    assert Thresholds(nodes).of(PERSON) == pytest.approx(level)
    assert FLOOR < 0.06


def test_recall_is_bought_where_it_costs_least():
    """80 banks and 80 shops are doubted; among what is as doubtful, banks are rarely needless."""
    masses = [0.9] * 120 + [0.3] * 80
    mentions = _evidence(BANK, *masses) + _evidence(SHOP, *masses)
    needless = _evidence(BANK, *[0.3] * 20) + _evidence(SHOP, *[0.3] * 200)
    levels = Thresholds(fitted(mentions, needless, taxonomy=KNOWN, recall=0.75))
    assert levels.of(BANK) == pytest.approx(0.3) and levels.of(SHOP) == CEILING
    levels = Thresholds(fitted(mentions, needless, taxonomy=KNOWN, recall=1.0))
    assert levels.of(BANK) == levels.of(SHOP) == pytest.approx(0.3)


def test_a_direct_identifier_may_cost_more():
    """As many are won at the same cost: the person's are, the bank's are not."""
    masses = [0.9] * 60 + [0.3] * 20
    mentions = _evidence(PERSON, *masses) + _evidence(BANK, *masses)
    needless = _evidence(PERSON, *[0.3] * 60) + _evidence(BANK, *[0.3] * 60)
    levels = Thresholds(fitted(mentions, needless, taxonomy=KNOWN, recall=0.8))
    assert levels.of(PERSON) == pytest.approx(0.3) and levels.of(BANK) == CEILING


@pytest.mark.parametrize(("reached", "short"), [(0.97, True), (0.995, False)])
def test_what_does_not_reach_its_recall_says_so(reached, short):
    outcome = Outcome(recall=0.99, reached=reached, whole=1, precision=1, characters=1)
    assert outcome.falls_short is short


def test_no_mention_no_thresholds():
    with pytest.raises(ValueError, match="no mention to set thresholds on"):
        fitted([], taxonomy=KNOWN, recall=0.99)
