"""Which released results would come out otherwise, and that nothing is written for it."""

from thunder.desk.comparing import compared
from thunder.desk.states import Role

TEXT = "피고인 강도윤은 갔다. 그 뒤 강도윤은 웃었다."


def released(store, desk, people, text=TEXT, decision=None):
    id = store.add("2031고단1", text, profile="court", risk=0, actor="x")
    store.claim(people[Role.REVIEWER], id)
    version = 0
    if decision:
        version = desk.decide(people[Role.REVIEWER], id, decision, version=0).held.version
    desk.step(people[Role.REVIEWER], id, "finish", version=version)
    store.claim(people[Role.CONFIRMER], id)
    desk.step(people[Role.CONFIRMER], id, "release", version=version)
    return id


def files(desk):
    return {path.name: path.read_bytes() for path in desk.releases.iterdir()}


def test_what_would_change_is_counted_and_nothing_is_written(store, desk, people, monkeypatch):
    same = released(store, desk, people)
    other = released(store, desk, people, "피고인 강도윤은 갔다. 이솔바람도 갔다.")
    before, states = files(desk), store.counts()
    decided = desk.decided

    def later(held, *, profile):
        if held.id == other:  # a model that finds one name more
            more = {"kind": "mask", "wording": "이솔바람", "label": "내국인이름"}
            held = type(held)(
                **{name: getattr(held, name) for name in held.__slots__ if name != "decisions"},
                decisions=(*held.decisions, more),
            )
        return decided(held, profile=profile)

    monkeypatch.setattr(desk, "decided", later)
    found = {one.id: one for one in compared(desk)}
    assert not found[same].is_other
    assert found[other].is_other
    assert (found[other].masked, found[other].opened, found[other].relettered) == (1, 0, 0)
    assert files(desk) == before
    assert store.counts() == states
    ((row, one),) = store.otherwise(people[Role.AUDITOR])
    assert (row.id, one.masked) == (other, 1)
    facts = store.audited()[-1]["facts"]
    assert (facts["compared"], facts["other"], facts["unknown"]) == (2, 1, 0)
    monkeypatch.undo()
    list(compared(desk))
    assert store.otherwise(people[Role.AUDITOR]) == []


def test_another_policy_is_told_apart(store, desk, people):
    released(store, desk, people, "피고인 강도윤(010-1234-5678)은 갔다.")
    (one,) = compared(desk, profile="older")
    assert one.is_other
    assert one.relettered == 1
    (same,) = compared(desk, profile="court")
    assert not same.is_other


def test_decisions_of_people_hold_also_then(store, desk, people):
    open_ = {"kind": "open", "wording": "강도윤"}
    released(store, desk, people, decision=open_)
    (one,) = compared(desk)
    assert not one.is_other


def test_what_cannot_be_told_is_said(store, desk, people, monkeypatch):
    id = released(store, desk, people)
    desk.place(id).write_text("x", "utf-8")
    assert [one.why for one in compared(desk)] == ["file"]
    other = released(store, desk, people, TEXT + " ")

    def contradicts(held, *, profile):
        raise ValueError

    monkeypatch.setattr(desk, "decided", contradicts)
    assert {one.id: one.why for one in compared(desk)} == {id: "file", other: "decisions"}


def test_a_document_that_is_issued_again_is_on_the_list_no_more(store, desk, people):
    id = released(store, desk, people)
    store.keep_compared(id, {"masked": 1, "opened": 0, "relettered": 0, "questions": 0})
    assert len(store.otherwise(people[Role.AUDITOR])) == 1
    desk.withdraw(people[Role.ADMINISTRATOR], id, reason="x")
    assert store.otherwise(people[Role.AUDITOR]) == []
