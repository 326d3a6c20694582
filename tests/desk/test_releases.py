"""A process killed in the middle of a release or a withdrawal: both are whole at the next start."""

import os

import pytest

from thunder.desk import releases
from thunder.desk.desk import Desk
from thunder.desk.states import Role, State
from thunder.desk.store import Conflict

TEXT = "피고인 강도윤은 갔다."


class Killed(BaseException):
    """Nothing of the process goes on after this."""


@pytest.fixture
def confirming(store, desk, people):
    """Return the id of a document that waits for nothing but its release."""
    id = store.add("1", TEXT, profile="court", risk=0, actor="x")
    store.claim(people[Role.REVIEWER], id)
    desk.step(people[Role.REVIEWER], id, "finish", version=0)
    store.claim(people[Role.CONFIRMER], id)
    return id


def kill_at(monkeypatch, where, name, turn=0):
    """Let the call number *turn* of a function never come back, nor begin."""
    real, calls = getattr(where, name), []

    def killed(*given, **named):
        calls.append(name)
        if len(calls) > turn:
            raise Killed
        return real(*given, **named)

    monkeypatch.setattr(where, name, killed)


PLACES = [  # where it is killed, and whether the release was noted
    ("before a file", (releases, "_write", 0), False),
    ("between the files", (releases, "_write", 1), False),
    ("before the line of the audit", ("store", "step", 0), False),
    ("after the line of the audit", (releases, "_put", 0), True),
    ("before the first file is in its place", (os, "replace", 0), True),
    ("before the second file is in its place", (os, "replace", 1), True),
    ("before the folder is on the disk", (releases, "bring_to_disk", 1), True),
]


@pytest.mark.parametrize(
    ("where", "is_noted"), [one[1:] for one in PLACES], ids=[p[0] for p in PLACES]
)
def test_a_release_cut_off_is_finished_or_undone(
    store, desk, people, confirming, monkeypatch, where, is_noted
):
    place, name, turn = where
    with monkeypatch.context() as patch:
        kill_at(patch, store if place == "store" else place, name, turn)
        with pytest.raises(Killed):
            desk.step(people[Role.CONFIRMER], confirming, "release", version=0)
    again = Desk(store, desk.releases, model="none")
    assert store.state(confirming) is (State.RELEASED if is_noted else State.CONFIRMING)
    again.recover()
    assert not again.recover().any
    assert again.missing() == again.changed() == again.shelf.cut_off() == []
    assert not list(desk.releases.glob(".*"))
    if is_noted:
        assert again.released(confirming) == "피고인 A은 갔다."
    else:
        assert not desk.shelf.all()
        again.step(people[Role.CONFIRMER], confirming, "release", version=0)
        assert again.released(confirming) == "피고인 A은 갔다."
    store.verify()


def test_a_release_cut_off_is_named_until_the_desk_is_started(
    store, desk, people, confirming, monkeypatch
):
    with monkeypatch.context() as patch:
        kill_at(patch, os, "replace")
        with pytest.raises(Killed):
            desk.step(people[Role.CONFIRMER], confirming, "release", version=0)
    assert desk.shelf.cut_off() == desk.missing() == [confirming]


def test_what_somebody_else_is_releasing_is_left_alone(store, desk):
    id = store.add("1", TEXT, profile="court", risk=0, actor="x")
    with desk.shelf.staged(id, {"txt": b"x"}):
        assert not Desk(store, desk.releases, model="none").recover().any
        assert desk.shelf.cut_off() == []
    assert desk.recover().undone == [id]


def test_a_refused_release_leaves_nothing(store, desk, people, confirming):
    with pytest.raises(Conflict):
        desk.step(people[Role.CONFIRMER], confirming, "release", version=7)
    with pytest.raises(Conflict), desk.shelf.staged(confirming, {"txt": b"x"}):
        raise Conflict("somebody was quicker")
    assert not list(desk.releases.iterdir())


def test_a_withdrawal_cut_off_takes_the_files_out(store, desk, people, confirming, monkeypatch):
    desk.step(people[Role.CONFIRMER], confirming, "release", version=0)
    with monkeypatch.context() as patch:
        kill_at(patch, desk.shelf, "remove")
        with pytest.raises(Killed):
            desk.withdraw(people[Role.ADMINISTRATOR], confirming, reason="이르다")
    assert len(desk.shelf.all()) == 2
    assert desk.recover().withdrawn == [confirming]
    assert not desk.shelf.all()


def test_files_of_no_document_of_the_desk_are_left_alone(store, desk):
    desk.releases.mkdir(parents=True)
    for name in ("읽어 주십시오.txt", f"{'0' * 32}.txt"):
        (desk.releases / name).write_text("x", encoding="utf-8")
    with desk.shelf.staged("0" * 32, {"txt": b"x"}):
        pass
    assert not desk.recover().any
    assert len(desk.shelf.all()) == 1
    assert len(list(desk.releases.glob(".*.staged"))) == 1
