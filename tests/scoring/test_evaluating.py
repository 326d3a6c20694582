"""Systems and fillings put together: names, limits, what is refused."""

import pytest

from thunder.scoring.documents import gold_of
from thunder.training.evaluating.evaluating import (
    ask,
    few,
    fillings,
    measured,
    named_systems,
    seen_in,
)
from thunder.training.evaluating.tagger_sources import Way


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["rules", "deid"], {"rules": ["rules"], "deid": ["deid"]}),
        (["runs/out.jsonl"], {"out": ["runs/out.jsonl"]}),
        (["ours=a,b,c"], {"ours": ["a", "b", "c"]}),
        (["ours=a", "ours=b"], {"ours": ["a", "b"]}),
        (["deid:models/mini"], {"deid+mini": ["deid:models/mini"]}),
    ],
)
def test_systems_and_their_runs(given, found):
    assert named_systems(given) == found


@pytest.mark.parametrize("given", [["a/mini", "b/mini"], ["rules", "rules"]])
def test_two_systems_of_one_name_are_not_taken_for_runs_of_one(given):
    with pytest.raises(ValueError, match="given twice, or two systems"):
        named_systems(given)


def test_a_run_is_given_once():
    with pytest.raises(ValueError, match="a: given twice"):
        named_systems(["ours=a,a"])


def documents(number):
    return [gold_of(f"사건 {at:02}", "", f"피고인 홍길동 {at}", []) for at in range(number)]


def test_a_few_documents_are_spread_over_all_and_the_same_in_each_filling():
    first, second = documents(20), list(reversed(documents(20)))
    chosen = few([first, second], 4)
    assert [one.id for one in chosen[0]] == ["사건 00", "사건 05", "사건 10", "사건 15"]
    assert {one.id for one in chosen[0]} == {one.id for one in chosen[1]}
    assert few([first], 0) == [first] == few([first], 99)


def test_a_file_cannot_be_filled_anew(write, known):
    path = write("gold.jsonl", [{"id": "1", "text": "가", "entities": []}])
    with pytest.raises(ValueError, match="cannot be filled anew"):
        fillings(path, Way(known), number=2)


def test_fillings_are_runs_of_every_system(gold, known, write, find):
    other = gold.text.replace("홍길동", "이을수")
    spans = find(other, ("이을수", "내국인이름"), ("한빛", "은행"), ("김갑순", "내국인이름"))
    golds = [gold, gold_of(gold.id, gold.case_type, other, spans)]
    lines: list[str] = []
    filled = [ask([one], {"rules": ["rules"]}, Way(known), say=lines.append) for one in golds]
    assert len(lines) == 2 and "문서 1건" in lines[0] and "홍길동" not in "".join(lines)
    found = measured(filled, Way(known), by_rule=True, seen=seen_in(names(write), Way(known)))
    runs = found.systems["rules"]
    assert [run.source for run in runs] == ["rules, filling 1", "rules, filling 2"]
    assert [run.documents[0].gold.text for run in runs] == [gold.text, other]
    assert found.seen == {"홍길동"}


def names(write):
    path = write("names", [])
    path = path.with_suffix(".txt")
    path.write_text("# names\n홍길동\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("rules", "rules"),
        ("mini-free", "thresholds of its default recall"),
        ("mini-free@0.99", "thresholds for recall 0.99"),
        ("mini-free@usual", "0.5 for every label"),
        ("mini-free@T0.7", "0.7 for every label"),
        ("mini-free@argmax", "argmax (the paper's)"),
        ("deid:mini-free@argmax", "rules and argmax (the paper's)"),
        ("none.jsonl", "as its file says"),
    ],
)
def test_each_system_says_by_which_rule_it_decides(source, rule):
    from thunder.training.evaluating.systems import decided

    assert decided(source) == rule


def test_one_threshold_may_hold_for_every_label(known):
    from thunder.training.evaluating.tagger_sources import opened

    way = Way(known)
    assert dict(opened("mini-free@T0.7", way).thresholds.nodes) == {"": 0.7}
    assert opened("mini-free@argmax", way).by_argmax
    assert not opened("mini-free@usual", way).by_argmax
