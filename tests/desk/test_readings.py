"""Routes, second readings, planted leaks: what the gate asks of each, and what is told to whom."""

import json
import time

import pytest

from thunder.desk.accounts import Denied
from thunder.desk.desk import EVIDENCE, Blocked, Unread
from thunder.desk.policy import FIRST, Planted, Policy, Route, Routes, Second, read
from thunder.desk.readings import unread
from thunder.desk.states import Role, State
from thunder.desk.statistics import counted
from thunder.desk.store import Conflict, Store
from thunder.desk.teaching import proposals
from thunder.desk.vault import Vault
from thunder.desk.view import view_of
from thunder.settings.config import ConfigError

TEXT = "피고인 강도윤은 갔다. 이솔바람도 갔다.\n피고인 윤서진은 웃었다."
PERSON = "내국인이름"
ALL = {"kind": "read", "start": 0, "end": len(TEXT)}
MASK = {"kind": "mask", "wording": "이솔바람", "label": PERSON}

ROUTES = [  # questions, characters, profile, chance → how it is read
    (5, 10, "court", 0.9, Route.FULL),
    (4, 10, "court", 0.9, Route.QUICK),
    (4, 10, "court", 0.04, Route.SAMPLED),
    (0, 10, "strict", 0.9, Route.FULL),
    (0, 30_000, "court", 0.9, Route.FULL),
    (5, 10, "court", 0.04, Route.FULL),
]


@pytest.mark.parametrize(("risk", "characters", "profile", "chance", "route"), ROUTES)
def test_the_route_follows_from_the_policy(risk, characters, profile, chance, route):
    policy = Policy(Routes(5, 20_000, ("strict",), 0.05))
    facts = {"risk": risk, "characters": characters, "profile": profile, "chance": chance}
    assert policy.route(**facts) is route


def test_the_settings_file_is_read_strictly(tmp_path):
    assert read(tmp_path) == Policy()
    path = tmp_path / "desk.toml"
    path.write_text(FIRST, encoding="utf-8")
    assert read(tmp_path) == Policy(Routes(sampled=0.05))
    for wrong in ("[routes]\nsampled = 2", "[routes]\nsample = 0.1", "[second]\nshare = 'x'"):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(ConfigError, match=r"desk\.toml"):
            read(tmp_path)


@pytest.fixture
def policy():
    return Policy(Routes(full_questions=0))


@pytest.fixture
def store(url, policy):
    made = Store(url, Vault(), policy=policy)
    yield made
    made.close()


@pytest.fixture
def staff(sign_in):
    """Return three who may review and confirm."""
    return [sign_in(name, Role.CONFIRMER) for name in ("first", "second", "third")]


def ready(store, **facts):
    id = store.add("1", TEXT, profile="court", risk=None, actor="x")
    store.ready(id, risk=0, **facts)
    return id


def reading(desk, person, id, *decisions, version=0):
    """Claim, decide and finish; return where the document stands, and its version."""
    desk.store.claim(person, id)
    for content in decisions:
        version = desk.decide(person, id, content, version=version).held.version
    return desk.step(person, id, "finish", version=version), version


# --- routes ---------------------------------------------------------------------------------------


def test_what_is_read_in_full_is_finished_when_all_of_it_was_read(desk, store, staff):
    id = ready(store)
    store.claim(staff[0], id)
    with pytest.raises(Unread) as error:
        desk.step(staff[0], id, "finish", version=0)
    assert error.value.args == (len(TEXT),)
    opened = desk.decide(staff[0], id, ALL | {"end": 20}, version=0)
    assert opened.unread == ((20, len(TEXT)),)
    with pytest.raises(Unread):
        desk.step(staff[0], id, "finish", version=1)
    desk.decide(staff[0], id, ALL | {"start": 20}, version=1)
    assert desk.step(staff[0], id, "finish", version=2) is State.REVIEWED


def test_what_another_has_read_one_has_not_read_oneself(desk, store, staff):
    id = ready(store)
    store.claim(staff[0], id)
    desk.decide(staff[0], id, ALL, version=0)
    desk.step(staff[0], id, "put back", version=1)
    store.claim(staff[1], id)
    with pytest.raises(Unread):
        desk.step(staff[1], id, "finish", version=1)


def test_undo_takes_back_what_was_decided_and_not_what_was_read(desk, store, staff):
    id = ready(store)
    store.claim(staff[0], id)
    desk.decide(staff[0], id, MASK, version=0)
    desk.decide(staff[0], id, ALL, version=1)
    store.undo(staff[0], id, version=2)
    opened = desk.open(staff[0], id)
    assert not opened.unread
    assert "이솔바람" in opened.review.result.text
    assert [one.content["kind"] for one in store.history(staff[0], id)] == ["mask"]


UNREAD = [([], [(0, 6)]), ([(0, 2)], [(2, 6)]), ([(0, 2), (3, 6)], []), ([(1, 6)], [(0, 1)])]


@pytest.mark.parametrize(("reads", "left"), UNREAD)
def test_what_was_not_read_is_what_lies_outside_and_has_words(reads, left):
    assert unread("가나 다라마", reads) == left


def test_steps_that_only_the_gate_takes_cannot_be_asked_for(desk, store, staff):
    id = ready(store)
    store.claim(staff[0], id)
    for step in ("to be read again", "differ", "claim", "withdraw"):
        with pytest.raises(Conflict):
            desk.step(staff[0], id, step, version=0)


# --- a second reading -----------------------------------------------------------------------------


@pytest.fixture
def twice(store):
    store.policy = Policy(Routes(full_questions=0), Second(1.0))
    return store


def test_two_readings_that_agree_go_on_to_be_confirmed(desk, twice, staff):
    id = ready(twice)
    state, version = reading(desk, staff[0], id, MASK, ALL)
    assert state is State.SECOND
    state, version = reading(desk, staff[1], id, MASK, ALL, version=version)
    assert state is State.REVIEWED
    twice.claim(staff[2], id)
    desk.step(staff[2], id, "release", version=version)
    assert "이솔바람" not in desk.released(id)
    assert desk.evidence().read.read == 1
    assert desk.evidence().read.leaks == 0


def test_the_second_reader_sees_nothing_of_the_first(desk, twice, staff):
    id = ready(twice)
    _, version = reading(desk, staff[0], id, MASK, ALL)
    with pytest.raises(Denied):
        twice.claim(staff[0], id)
    twice.claim(staff[1], id)
    opened = desk.open(staff[1], id)
    assert "이솔바람" in opened.review.result.text
    shown = view_of(opened, desk.catalogue("court"), twice.history(staff[1], id))
    assert shown["history"] == []
    assert not shown["can_undo"]
    assert "first" not in json.dumps(shown, ensure_ascii=False)
    with pytest.raises(Conflict):
        twice.undo(staff[1], id, version=version)


def test_what_two_read_differently_a_third_settles(desk, twice, staff):
    id = ready(twice)
    _, version = reading(desk, staff[0], id, ALL)
    state, version = reading(desk, staff[1], id, MASK, ALL, version=version)
    assert state is State.DIFFERING
    for one in staff[:2]:
        with pytest.raises(Denied):
            twice.claim(one, id)
    twice.claim(staff[2], id)
    with pytest.raises(Blocked):
        desk.step(staff[2], id, "finish", version=version)
    (question,) = desk.open(staff[2], id).review.open_questions
    assert question.wording == "이솔바람"
    version = desk.decide(staff[2], id, MASK, version=version).held.version
    assert desk.step(staff[2], id, "finish", version=version) is State.REVIEWED
    twice.claim(staff[0], id)
    desk.step(staff[0], id, "release", version=version)
    assert "이솔바람" not in desk.released(id)
    found = desk.evidence()
    assert (found.read.read, found.read.leaks) == (1, 1)
    figures = counted(twice.audited())
    assert figures.agreement[PERSON] == pytest.approx(2 * 2 / (2 * 2 + 1))
    twice.verify()


def test_what_the_first_left_may_be_settled_by_an_answer(desk, twice, staff):
    id = ready(twice)
    _, version = reading(desk, staff[0], id, ALL)
    _, version = reading(desk, staff[1], id, MASK, ALL, version=version)
    answer = {"kind": "answer", "check": "reading", "wording": "이솔바람"}
    state, version = reading(desk, staff[2], id, answer, version=version)
    assert state is State.REVIEWED
    twice.claim(staff[1], id)
    desk.step(staff[1], id, "release", version=version)
    assert "이솔바람" in desk.released(id)


def test_nobody_is_drawn_where_the_share_is_nought(desk, store, staff):
    assert reading(desk, staff[0], ready(store), ALL)[0] is State.REVIEWED


# --- planted leaks --------------------------------------------------------------------------------

AT = TEXT.index("윤서진")
PLANT = {"wording": "윤서진", "label": PERSON}


@pytest.fixture
def planting(store):
    store.policy = Policy(Routes(full_questions=0), planted=Planted(1.0))
    return store


def shown(desk, person, id):
    return view_of(desk.open(person, id), desk.catalogue("court"), desk.store.history(person, id))


def test_a_planted_leak_stands_open_for_the_reviewer_and_nothing_says_so(desk, planting, staff):
    id = ready(planting, plant=PLANT)
    planting.claim(staff[0], id)
    opened = desk.open(staff[0], id)
    assert "윤서진은 웃었다" in opened.review.result.text
    marks = shown(desk, staff[0], id)["marks"]
    assert [mark for mark in marks if mark[0] < AT + 3 and mark[1] > AT] == []
    assert "planted" not in json.dumps(shown(desk, staff[0], id))


WAYS = [  # what the reviewer decides, and whether that catches it
    ([], 0),
    ([{"kind": "mask", **PLANT}], 1),
    ([{"kind": "mask place", "start": AT, "end": AT + 3, "label": PERSON}], 1),
    ([{"kind": "open", "wording": "윤서진"}], 0),
    ([{"kind": "open place", "start": AT, "end": AT + 3}], 0),
]


@pytest.mark.parametrize(("decisions", "caught"), WAYS)
def test_a_planted_leak_is_never_released(desk, planting, staff, decisions, caught):
    id = ready(planting, plant=PLANT)
    state, version = reading(desk, staff[0], id, *decisions, ALL)
    assert state is State.REVIEWED
    planting.claim(staff[1], id)
    opened = desk.open(staff[1], id)
    if "윤서진" in opened.review.result.text:
        with pytest.raises(Blocked):
            desk.step(staff[1], id, "release", version=version)
        assert not desk.shelf.all()
        mask = {"kind": "mask place", "start": AT, "end": AT + 3, "label": PERSON}
        version = desk.decide(staff[1], id, mask, version=version).held.version
    desk.step(staff[1], id, "release", version=version)
    assert "윤서진" not in desk.released(id)
    assert (desk.evidence().recall.planted, desk.evidence().recall.caught) == (1, caught)


def test_catching_a_planted_leak_is_no_miss_and_no_proposal(desk, planting, staff):
    id = ready(planting, plant=PLANT)
    _, version = reading(desk, staff[0], id, {"kind": "mask", **PLANT}, MASK, ALL)
    planting.claim(staff[1], id)
    desk.step(staff[1], id, "release", version=version)
    assert counted(planting.audited()).missed == {PERSON: 1}
    assert [one.wording for one in proposals(desk)] == ["이솔바람"]


def test_who_confirms_cannot_open_it_either(desk, planting, staff):
    id = ready(planting, plant=PLANT)
    _, version = reading(desk, staff[0], id, ALL)
    planting.claim(staff[1], id)
    leave = {"kind": "open", "wording": "윤서진"}
    version = desk.decide(staff[1], id, leave, version=version).held.version
    desk.step(staff[1], id, "release", version=version)
    assert "윤서진" not in desk.released(id)


def test_a_document_sent_back_shows_no_planted_leak_again(desk, planting, staff):
    id = ready(planting, plant=PLANT)
    _, version = reading(desk, staff[0], id, ALL)
    planting.claim(staff[1], id)
    desk.step(staff[1], id, "send back", version=version, reason="x")
    planting.claim(staff[2], id)
    assert "윤서진" not in desk.open(staff[2], id).review.result.text


def test_what_is_read_quickly_has_no_planted_leak(desk, store, staff):
    store.policy = Policy(planted=Planted(1.0))
    id = ready(store, plant=PLANT)
    store.claim(staff[0], id)
    assert "윤서진" not in desk.open(staff[0], id).review.result.text


# --- the lot --------------------------------------------------------------------------------------


def test_the_evidence_of_the_lot_is_written_with_each_release(desk, store, staff):
    store.policy = Policy(Routes(sampled=1.0))
    for decisions, leaks in (((), 0), ((MASK,), 1)):
        id = ready(store)
        _, version = reading(desk, staff[0], id, *decisions, ALL)
        store.claim(staff[1], id)
        desk.step(staff[1], id, "release", version=version)
        said = json.loads((desk.releases / EVIDENCE).read_text("utf-8"))
        assert said["quick"]["leaks"] == leaks
    assert said["released"] == said["quick"]["read"] == 2
    assert said["routes"] == {"sampled": 2}
    assert said["quick"]["bound"] == pytest.approx(0.9747, abs=1e-4)
    text = json.dumps(said, ensure_ascii=False)
    assert not any(name in text for name in ("강도윤", "first", "이솔바람"))
    desk.recover()
    assert (desk.releases / EVIDENCE).is_file()


def test_a_planted_wording_goes_with_the_original(desk, planting, staff, tmp_path):
    id = ready(planting, plant=PLANT)
    _, version = reading(desk, staff[0], id, ALL)
    planting.claim(staff[1], id)
    desk.step(staff[1], id, "release", version=version)
    assert desk.erase(1, now=time.time() + 2 * 86_400) == [id]
    held = b"".join(path.read_bytes() for path in tmp_path.glob("desk.db*"))
    assert "윤서진".encode() not in held
