"""Several files change together or not at all, whenever the process ends."""

import os
import shutil
import stat

import pytest

from thunder.settings import journal
from thunder.settings.journal import FOLDER, Change, Conflict, HalfApplied, Outcome, commit, finish

pytestmark = pytest.mark.usefixtures("english")


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").write_bytes(b"two")
    return tmp_path


def changes(root):
    return [
        Change(root / "a", b"one", b"ONE"),
        Change(root / "b", b"two", None),
        Change(root / "new" / "c", None, b"three"),
    ]


def state(root):
    names = ("a", "b", "new/c")
    return [(root / name).read_bytes() if (root / name).exists() else None for name in names]


BEFORE, AFTER = [b"one", b"two", None], [b"ONE", None, b"three"]


def test_all_changes_are_made_and_nothing_is_left_behind(root):
    (root / "a").chmod(0o640)
    commit(root, changes(root), title="an edit")
    assert state(root) == AFTER
    assert stat.S_IMODE((root / "a").stat().st_mode) == 0o640
    assert sorted(path.name for path in root.iterdir()) == ["a", "new"]
    assert finish(root) is None


def test_folders_that_are_empty_afterwards_go(root):
    commit(root, [Change(root / "x/y/c", None, b"3")], title="an edit")
    commit(root, [Change(root / "x/y/c", b"3", None)], title="another")
    assert not (root / "x").exists()


def test_what_does_not_change_is_not_written(root, monkeypatch):
    monkeypatch.setattr(os, "replace", None)
    commit(root, [Change(root / "a", b"one", b"one")], title="nothing")


def killed_at(monkeypatch, name, number):
    """Have the process end at the call of os.*name* with this number (from 0)."""
    calls = iter(range(1000))
    real = getattr(os, name)

    def call(*arguments, **options):
        if next(calls) == number:
            raise Killed
        return real(*arguments, **options)

    monkeypatch.setattr(os, name, call)
    # A process that is killed tidies nothing up.
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)


# os.replace: the journal, a, new/c. os.fsync: a, c and the journal aside, then folders.
@pytest.mark.parametrize(
    ("name", "number", "found", "outcome"),
    [
        ("fsync", 0, BEFORE, Outcome("", False)),
        ("fsync", 1, BEFORE, Outcome("", False)),
        ("fsync", 2, BEFORE, Outcome("", False)),
        ("replace", 0, BEFORE, Outcome("", False)),
        ("fsync", 4, BEFORE, Outcome("an edit", True)),
        ("replace", 1, BEFORE, Outcome("an edit", True)),
        ("fsync", 6, [b"ONE", b"two", None], Outcome("an edit", True)),
        ("fsync", 7, [b"ONE", None, None], Outcome("an edit", True)),
        ("replace", 2, [b"ONE", None, None], Outcome("an edit", True)),
        ("fsync", 8, AFTER, Outcome("an edit", True)),
    ],
)
def test_a_process_that_ends_between_two_steps(root, monkeypatch, name, number, found, outcome):
    with monkeypatch.context() as patch:
        killed_at(patch, name, number)
        with pytest.raises(Killed):
            commit(root, changes(root), title="an edit")
    assert state(root) == found
    assert finish(root) == outcome
    assert state(root) == (AFTER if outcome.finished else BEFORE)
    assert not (root / FOLDER).exists()
    assert finish(root) is None


def half_applied(root, monkeypatch):
    with monkeypatch.context() as patch:
        killed_at(patch, "replace", 2)
        with pytest.raises(Killed):
            commit(root, changes(root), title="an edit")


def test_a_half_applied_edit_is_told_and_blocks_the_next(root, monkeypatch):
    half_applied(root, monkeypatch)
    for act in (journal.require_clear, lambda root: commit(root, changes(root), title="next")):
        with pytest.raises(HalfApplied, match=r"journal\.json:1: .*stopped half-way"):
            act(root)
    assert state(root) == [b"ONE", None, None]


def test_finishing_may_be_interrupted_too(root, monkeypatch):
    half_applied(root, monkeypatch)
    with monkeypatch.context() as patch:
        killed_at(patch, "replace", 0)
        with pytest.raises(Killed):
            finish(root)
    assert finish(root) == Outcome("an edit", True)
    assert state(root) == AFTER


def test_what_someone_else_changed_meanwhile_is_never_overwritten(root, monkeypatch):
    half_applied(root, monkeypatch)
    (root / "new").mkdir(exist_ok=True)
    (root / "new" / "c").write_bytes(b"by hand")
    with pytest.raises(HalfApplied, match=r"cannot be finished.*\n.*new/c:1: was changed or lost"):
        finish(root)
    assert state(root) == [b"ONE", None, b"by hand"]
    (root / "new" / "c").unlink()
    assert finish(root) == Outcome("an edit", True)


def test_an_edit_that_had_changed_nothing_yet_gives_way(root, monkeypatch):
    with monkeypatch.context() as patch:
        killed_at(patch, "replace", 1)
        with pytest.raises(Killed):
            commit(root, changes(root), title="an edit")
    (root / "b").write_bytes(b"by hand")
    assert finish(root) == Outcome("an edit", False)
    assert state(root) == [b"one", b"by hand", None]


def test_a_file_that_is_not_as_planned_stops_all(root):
    (root / "b").write_bytes(b"by hand")
    with pytest.raises(Conflict, match="b:1: was changed by someone else meanwhile"):
        commit(root, changes(root), title="an edit")
    assert state(root) == [b"one", b"by hand", None]
    assert not (root / FOLDER).exists()


def test_a_full_disk_changes_nothing(root, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        commit(root, changes(root), title="an edit")
    assert state(root) == BEFORE
    assert not (root / FOLDER).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"title": "x", "steps": [{}]}'])
def test_a_broken_journal_is_told_and_left(root, text):
    (root / FOLDER).mkdir()
    (root / FOLDER / "journal.json").write_text(text)
    with pytest.raises(HalfApplied, match=r"journal\.json:1: the journal cannot be read"):
        finish(root)
    assert state(root) == BEFORE
