"""Calibration, intervals, spread over runs: by hand, and where they must not move."""

import numpy as np
import pytest

from thunder.scoring import bootstrap, calibration
from thunder.scoring.calibration import Point
from thunder.scoring.characters import Scored
from thunder.scoring.documents import Prediction, gold_of
from thunder.scoring.evaluation import evaluate
from thunder.scoring.figures import FIGURES, Spread, headline, resampled, spread
from thunder.text.spans import Span


def test_reliability_by_hand():
    points = [Point(0.95, True, True), Point(0.95, True, False), Point(0.15, False, False)]
    low, high = calibration.reliability(points)
    assert (low.low, low.number, low.touches) == (0.1, 1, 0.0)
    assert (high.high, high.number, high.touches, high.strict) == (1.0, 2, 1.0, 0.5)
    # two spans 0.05 too modest, one 0.15 too sure; strictly, two 0.45 too sure
    assert calibration.expected_error([low, high], strict=False) == pytest.approx(0.25 / 3)
    assert calibration.expected_error([low, high], strict=True) == pytest.approx(1.05 / 3)


def test_a_score_of_one_falls_into_the_last_bin():
    assert [one.low for one in calibration.reliability([Point(1.0, True, True)])] == [0.9]
    assert calibration.expected_error([], strict=True) == 0


def test_points_of_a_document():
    gold = (Span(0, 3, "내국인이름"), Span(10, 14, "은행"))
    said = (Span(0, 3, "내국인이름", 0.9), Span(9, 11, "은행", 0.4), Span(20, 22, "식당", 0.3))
    found = list(calibration.points(Scored(30, gold, said)))
    assert found == [Point(0.9, True, True), Point(0.4, True, False), Point(0.3, False, False)]


def test_spread_over_runs():
    assert spread([0.9]) == Spread(0.9, None)
    found = spread([0.90, 0.92, 0.94])
    assert (found.mean, found.deviation) == (pytest.approx(0.92), pytest.approx(0.02))


def test_draws_are_keyed_and_each_draws_as_many_documents():
    one, same = (bootstrap.draws(7, number=50, seed=3) for _ in range(2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, bootstrap.draws(7, number=50, seed=4))
    assert (one.sum(axis=1) == 7).all()
    # fixed for ever: an interval in a report can be made again
    assert bootstrap.draws(4, number=2, seed=1).tolist() == [[2, 1, 0, 1], [2, 0, 1, 1]]


@pytest.fixture
def two(gold):
    text = "원고 이을수는 졌다."
    return [gold, gold_of("사건 2", "eviction", text, [Span(3, 6, "내국인이름")])]


def measured(golds, systems, tokenizer, known):
    """Measure systems, each a list of runs, each a list of the spans of each document."""
    given = {
        system: {
            str(at): {
                gold.id: Prediction(gold.id, tuple(spans), (), True)
                for gold, spans in zip(golds, run, strict=True)
            }
            for at, run in enumerate(runs)
        }
        for system, runs in systems.items()
    }
    return evaluate(golds, given, tokenizer=tokenizer, taxonomy=known)


def test_perfect_and_empty_predictions(two, tokenizer, known):
    perfect, nothing = [gold.spans for gold in two], [(), ()]
    found = measured(two, {"all": [perfect], "none": [nothing]}, tokenizer, known)
    best = headline(found.systems["all"][0], known)
    worst = headline(found.systems["none"][0], known)
    harm = ("characters leaked", "characters over-masked")
    assert best == {name: 0.0 if name in harm else 1.0 for name in FIGURES}
    for name in ("binary token recall", "token micro recall", "binary token F1"):
        assert worst[name] == 0
    assert worst["direct entities masked everywhere"] == 0
    assert worst["characters leaked"] == 1
    found_intervals = resampled(found, number=20, seed=1)
    assert set(found_intervals.intervals["all"].values()) <= {(0.0, 0.0), (1.0, 1.0)}
    assert found_intervals.differences["none"]["binary token recall"] == (-1.0, -1.0)


def test_an_interval_holds_the_figure_and_is_that_of_the_documents_drawn(two, tokenizer, known):
    half = [two[0].spans, ()]
    found = measured(two, {"half": [half]}, tokenizer, known)
    run = found.systems["half"][0]
    clean = headline(run, known)["documents without a leak"]
    assert clean == 0.5
    low, high = resampled(found, number=400, seed=1).intervals["half"]["documents without a leak"]
    assert (low, high) == (0.0, 1.0)  # of two documents, a quarter of draws has one of them twice


def test_runs_of_one_system_share_a_row(two, tokenizer, known):
    from thunder.scoring.paper_tables import case_types, overall

    perfect, nothing = [gold.spans for gold in two], [(), ()]
    found = measured(two, {"ours": [perfect, nothing]}, tokenizer, known)
    (row,) = overall(found, "binary").rows
    assert row[:2] == ("ours", None)  # the precision of a run that says nothing is not defined
    assert row[2] == Spread(0.5, pytest.approx(2**-0.5))
    rows = case_types(found, "micro").rows
    assert [one[:2] for one in rows] == [
        ("Civil", "Eviction (eviction)"),
        ("Criminal", "Property theft & deception (fraud)"),
    ]


def test_documents_not_predicted_by_every_run_are_counted(two, tokenizer, known):
    one = Prediction(two[0].id, two[0].spans, (), True)
    given = {"ours": {"a": {one.id: one}}}
    found = evaluate(two, given, tokenizer=tokenizer, taxonomy=known)
    assert (len(found.golds), found.left_out) == (1, 1)
