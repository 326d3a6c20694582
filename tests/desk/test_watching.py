"""The watched folder: half-written files are left, each is taken once, failures are named."""

import json
import os

import pytest

from thunder.desk.desk import Desk
from thunder.desk.states import State
from thunder.desk.store import Store
from thunder.desk.vault import Vault
from thunder.desk.watching import FAILED, REASONS, SETTLED, TAKEN, Watch

TEXT = "피고인 강도윤은 갔다."


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "in"
    made.mkdir()
    return made


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def watch(desk, folder, clock):
    return Watch(desk, folder, clock=clock)


def settled(watch, clock):
    """Look, wait until all has settled, and look again."""
    first = watch.look()
    assert (first.added, first.failed) == (0, [])
    clock.now += SETTLED
    return watch.look()


def names(folder):
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_what_is_put_in_is_taken_once_and_put_away(store, watch, folder, clock):
    (folder / "2031").mkdir()
    (folder / "2031" / "a.txt").write_text(TEXT, "utf-8")
    rows = [{"id": str(at), "text": TEXT} for at in range(3)]
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert settled(watch, clock).added == 4
    assert names(folder) == ["taken/2031/a.txt", "taken/b.jsonl"]
    clock.now += SETTLED
    assert watch.look().added == 0
    assert store.counts() == {State.WAITING.value: 4}


def test_a_file_that_is_still_written_is_left(store, watch, folder, clock):
    path = folder / "a.txt"
    path.write_text("피고인 강", "utf-8")
    watch.look()
    clock.now += SETTLED - 1
    path.write_text(TEXT, "utf-8")
    assert watch.look().added == 0
    clock.now += SETTLED - 1
    assert watch.look().added == 0
    clock.now += 1
    assert watch.look().added == 1
    assert store.waiting(1)[0].text == TEXT


def test_a_file_that_is_open_for_writing_is_left_however_long(store, watch, folder, clock):
    with (folder / "a.txt").open("w", encoding="utf-8") as writing:
        writing.write("피고인 강")
        writing.flush()
        assert settled(watch, clock).added == 0
        writing.write("도윤은 갔다.")
    assert watch.look().added == 0  # it has changed
    clock.now += SETTLED
    assert watch.look().added == 1
    assert store.waiting(1)[0].text == TEXT


@pytest.mark.parametrize("name", [".a.txt", "a.txt.part", "a.tmp", "a.txt~", ".hidden/a.txt"])
def test_unfinished_names_are_passed_over_until_they_are_renamed(store, watch, folder, clock, name):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(TEXT, "utf-8")
    assert settled(watch, clock).added == 0
    assert path.exists()
    path.rename(folder / "done.txt")
    assert settled(watch, clock).added == 1


def test_links_and_pipes_are_not_followed(store, watch, folder, clock, tmp_path):
    (tmp_path / "secret.txt").write_text(TEXT, "utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(folder / "pipe.txt")
    assert settled(watch, clock).added == 0
    assert store.counts() == {}


BAD = [("a.hwpx", b"PK\x03\x04 nothing"), ("a.exe", b"MZ\x00\x01"), ("a.txt", b"")]


@pytest.mark.parametrize(("name", "content"), BAD)
def test_what_cannot_be_read_is_put_aside_with_the_reason(
    store, watch, folder, clock, name, content
):
    (folder / name).write_bytes(content)
    assert settled(watch, clock).failed == [name]
    assert names(folder) == sorted([f"{FAILED}/{name}", f"{FAILED}/{name}{REASONS}"])
    reasons = folder / FAILED / (name + REASONS)
    assert name in reasons.read_text("utf-8")
    assert reasons.stat().st_mode & 0o777 == 0o600
    assert watch.failures() == 1
    assert store.counts() == {}
    assert store.audited()[-1]["action"] == "import failed"


def test_of_a_table_the_good_rows_come_in_and_the_others_are_named(store, watch, folder, clock):
    rows = [{"id": "b", "text": TEXT}, {"id": "c", "text": ""}]
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    found = settled(watch, clock)
    assert (found.added, found.failed) == (1, ["b.jsonl"])
    assert "b.jsonl:2" in (folder / FAILED / f"b.jsonl{REASONS}").read_text("utf-8")


def test_the_same_content_comes_in_once_whatever_it_is_called(store, watch, folder, clock):
    (folder / "a.txt").write_text(TEXT, "utf-8")
    (folder / "b.txt").write_text(TEXT, "utf-8")
    found = settled(watch, clock)
    assert (found.added, found.known) == (1, ["b.txt"])
    (folder / "a.txt").write_text(TEXT, "utf-8")
    assert settled(watch, clock).known == ["a.txt"]
    assert names(folder) == [f"{TAKEN}/a-2.txt", f"{TAKEN}/a.txt", f"{TAKEN}/b.txt"]
    assert store.counts() == {"waiting": 1}


def test_what_was_in_the_middle_when_the_process_was_killed_is_neither_lost_nor_doubled(
    url, desk, folder, clock, monkeypatch
):
    rows = [{"id": str(at), "text": f"{TEXT} {at}"} for at in range(5)]
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    add, calls = Store.add, []

    def killed(self, *args, **facts):
        calls.append(args)
        if len(calls) == 3:
            raise SystemExit
        return add(self, *args, **facts)

    monkeypatch.setattr(Store, "add", killed)
    with pytest.raises(SystemExit):
        settled(Watch(desk, folder, clock=clock), clock)
    monkeypatch.undo()
    assert names(folder) == ["b.jsonl"]
    again = Store(url, Vault())
    found = settled(Watch(Desk(again, desk.releases, model="none"), folder, clock=clock), clock)
    assert found.added == 3
    assert sorted(one.text for one in again.waiting(9)) == [row["text"] for row in rows]
    assert names(folder) == ["taken/b.jsonl"]
    again.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another owner's folder (root)")
def test_what_cannot_be_moved_is_taken_once(store, desk, watch, folder, clock, monkeypatch):
    (folder / "a.txt").write_text(TEXT, "utf-8")

    def refused(*paths):
        raise PermissionError

    monkeypatch.setattr("thunder.desk.watching.os.rename", refused)
    assert settled(watch, clock).added == 1
    for _ in range(3):
        clock.now += SETTLED
        assert watch.look().known == []
    assert settled(Watch(desk, folder, clock=clock), clock).known == ["a.txt"]  # another start
    assert store.counts() == {"waiting": 1}


def test_the_desks_own_process_watches(store, desk, crew, folder, monkeypatch):
    from fastapi.testclient import TestClient

    from thunder.desk import watching
    from thunder.desk.server import Parts, reviewing

    monkeypatch.setattr(watching, "SETTLED", 0.05)
    monkeypatch.setattr(watching, "_PAUSE", 0.02)
    (folder / "a.txt").write_text(TEXT, "utf-8")
    with TestClient(reviewing(Parts(desk, crew, watch=Watch(desk, folder)))):
        import time

        for _ in range(200):
            if store.counts() == {"free": 1}:
                break
            time.sleep(0.02)
    assert store.counts() == {"free": 1}
