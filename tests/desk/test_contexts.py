"""What people decided becomes files that the other commands read; nothing learns by itself."""

import json

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.desk import contexts
from thunder.desk.contexts import LEAST
from thunder.desk.desk import Desk
from thunder.desk.place import Place
from thunder.desk.states import Role

NAMES = ["이솔바람", "다온누리", "하람솔빛", "가온누림"]


def released(store, desk, people, text, *decisions):
    id = store.add("1", text, profile="court", risk=0, actor="x")
    store.claim(people[0], id)
    version = 0
    for decision in decisions:
        version = desk.decide(people[0], id, decision, version=version).held.version
    desk.step(people[0], id, "finish", version=version)
    store.claim(people[1], id)
    desk.step(people[1], id, "release", version=version)
    return id


def mask(wording):
    return {"kind": "mask", "wording": wording, "label": "불특정회사명"}


@pytest.fixture
def two(sign_in):
    return sign_in("kim", Role.REVIEWER), sign_in("lee", Role.CONFIRMER)


def proposed(desk):
    return contexts.contexts(list(contexts.reviewed(desk)))


def test_words_behind_which_people_masked_again_and_again_are_a_rule(store, desk, two):
    for name in NAMES:
        text = f"피고인은 서로 거래하던 {name} 창고에 갔다. 그 뒤 집에 갔다."
        released(store, desk, two, text, mask(name))
    found = proposed(desk)
    (one,) = [one for one in found if one.words == "거래하던"]
    assert (len(one.documents), one.label) == (4, "불특정회사명")
    assert one.right == one.marked == 4
    assert not any(name in contexts.rules(found) for name in NAMES)


ONCE = [
    ("too few documents", NAMES[: LEAST - 1], "거래하던"),
    ("always one name", [NAMES[0]] * 4, "거래하던"),
]


@pytest.mark.parametrize(("why", "names", "words"), ONCE, ids=[one[0] for one in ONCE])
def test_what_says_little_is_not_proposed(store, desk, two, why, names, words):
    for at, name in enumerate(names):
        text = f"피고인은 {words} {name} 창고에 {at}번 갔다."
        released(store, desk, two, text, mask(name))
    assert proposed(desk) == []


def test_a_context_before_what_people_left_open_is_not_proposed(store, desk, two):
    for name in NAMES:
        text = f"피고인은 거래하던 {name} 창고에 갔다."
        released(store, desk, two, text, mask(name))
    for name in ("아라솔누", "미리내솔", "온새미로"):
        released(store, desk, two, f"피고인은 거래하던 {name} 창고에 갔다.")
    assert [one.words for one in proposed(desk) if one.words == "거래하던"] == []


def test_a_name_is_no_context(store, desk, two):
    for name in NAMES:
        text = f"피고인은 강도윤 {name} 창고에 갔다."
        released(store, desk, two, text, mask(name), mask("강도윤"))
    assert not any("강도윤" in one.words for one in proposed(desk))


def test_what_is_taught_is_read_by_the_commands_that_check_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = Place()
    store = place.open()
    desk = Desk(store, place.releases, model="none")
    for name, role in (("kim", Role.REVIEWER), ("lee", Role.CONFIRMER)):
        store.add_user(name, role, "a long password", actor="")
    two = [store.person(store.sign_in(name, "a long password")) for name in ("kim", "lee")]
    for name in NAMES:
        released(store, desk, two, f"피고인 강도윤은 거래하던 {name} 창고에 갔다.", mask(name))
    store.close()

    def run(*words, status=0):
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == status, done.output
        return done.output

    run("desk", "export", "--teach", "taught", "--model", "none")
    run("patterns", "check", "taught/patterns")
    gold = [json.loads(line) for line in (tmp_path / "taught/gold.jsonl").read_text().splitlines()]
    assert len(gold) == 4
    assert "강도윤" in {one["text"][e["start"] : e["end"]] for one in gold for e in one["entities"]}
    run("evaluate", "taught/gold.jsonl", "taught/gold.jsonl", "--bootstrap", "0")
    assert (tmp_path / "taught/thresholds.tsv").read_text("utf-8").startswith("from\tto\tplaces")
    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "taught").rglob("*")}
    assert modes == {0}
    run("desk", "export", "--teach", "taught", "--model", "none", status=2)  # never over another


def test_what_the_tagger_nearly_masked_is_counted_by_its_probability(store, desk, two):
    from dataclasses import replace

    from thunder.masking.doubts import Doubt

    text = "피고인 강도윤은 이솔바람과 다온누리를 보았다."
    released(store, desk, two, text, mask("이솔바람"))
    (one,) = contexts.reviewed(desk)
    at, other = text.index("이솔바람"), text.index("다온누리")
    doubts = (
        Doubt(at, at + 4, "near", "x", 0.45),
        Doubt(other, other + 4, "near", "x", 0.41),
        Doubt(other, other + 4, "near", "x", 0.12),
    )
    alone = replace(one.alone, doubts=doubts)
    found = contexts.bands([one._replace(alone=alone)])
    assert found == [(0.4, 0.5, 2, 1), (0.1, 0.2, 1, 0)]
