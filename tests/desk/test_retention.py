"""Originals are deleted on schedule, with a proof; what is found by its case number."""

import json
import sqlite3
import time

import pytest

from thunder.desk import backup
from thunder.desk.desk import Desk
from thunder.desk.finding import case_numbers
from thunder.desk.keeping import Keeper
from thunder.desk.states import Role, State
from thunder.desk.store import AT_REST, Conflict, Store
from thunder.desk.vault import Vault
from thunder.desk.watching import TAKEN, Watch

TEXT = "서울중앙지방법원\n판 결\n사건 2031고단1234, 1240(병합) 사기\n피고인 강도윤은 갔다."
DAY = 86_400.0


def released(store, desk, people, text=TEXT):
    id = store.add("2031고단1234.txt", text, profile="court", risk=0, actor="x")
    store.claim(people[Role.REVIEWER], id)
    note = {"kind": "mask", "wording": "갔다", "label": "내국인이름"}
    desk.decide(people[Role.REVIEWER], id, note, version=0)
    desk.step(people[Role.REVIEWER], id, "finish", version=1)
    store.claim(people[Role.CONFIRMER], id)
    desk.step(people[Role.CONFIRMER], id, "release", version=1)
    return id


class Clock:
    def __init__(self):
        self.now = time.time()

    def __call__(self):
        return self.now


def test_an_original_is_deleted_on_its_day_and_the_audit_proves_which(store, desk, people, url):
    id, clock = released(store, desk, people), Clock()
    keeper = Keeper(desk, retain=30, clock=clock)
    keeper.look()
    clock.now += 30 * DAY - 60
    keeper.look()
    assert not any(line["action"] == "erase" for line in store.audited())
    clock.now += 3600
    keeper.look()
    (line,) = [line for line in store.audited() if line["action"] == "erase"]
    (came,) = [line for line in store.audited() if line["action"] == "import"]
    assert line["document"] == id
    assert line["facts"]["text"] == came["facts"]["text"]  # this very text
    assert line["facts"]["rule"] == "nobody worked on it for 30 days"
    assert line["facts"]["decisions"] == 1
    assert line["time"] == pytest.approx(time.time(), abs=60)
    assert "강도윤" not in json.dumps(line, ensure_ascii=False)
    path = url.removeprefix("sqlite:///")
    rows = sqlite3.connect(path).execute("SELECT original FROM documents").fetchall()
    rows += sqlite3.connect(path).execute("SELECT content FROM decisions").fetchall()
    rows += sqlite3.connect(path).execute("SELECT content FROM files").fetchall()
    assert rows == [(b"",), (b"",)]
    clock.now += 3600
    keeper.look()  # once
    assert sum(line["action"] == "erase" for line in store.audited()) == 1
    store.verify()


def test_no_piece_of_it_is_left_in_the_files_of_the_database(store, desk, people, url, tmp_path):
    released(store, desk, people)
    words = "강도윤".encode()

    def held():
        return [path.name for path in tmp_path.glob("desk.db*") if words in path.read_bytes()]

    assert held()
    assert desk.erase(1, now=time.time() + 2 * DAY)
    assert held() == []
    desk._deidentifier("court")
    assert desk._remembered == {}


def test_the_file_that_came_in_goes_with_its_text(store, desk, people, url):
    file = ("hwpx", "피고인 강도윤".encode())
    facts = {"profile": "court", "risk": None, "actor": "x", "file": file}
    id = store.add("2031고단1234", TEXT, **facts)
    store.failed(id, "RuntimeError")
    assert desk.erase(1, now=time.time() + 2 * DAY) == [id]
    rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT * FROM files")
    assert rows.fetchall() == []


def test_the_released_result_and_its_record_stay(store, desk, people):
    id = released(store, desk, people)
    text = desk.released(id)
    desk.erase(1, now=time.time() + 2 * DAY)
    assert desk.released(id) == text
    assert desk.missing() == desk.changed() == []
    assert list(store.finished()) == []


@pytest.mark.parametrize("state", State)
def test_what_somebody_works_on_is_never_deleted(store, desk, url, state):
    id = store.add("1", TEXT, profile="court", risk=0, actor="x")
    connection = sqlite3.connect(url.removeprefix("sqlite:///"))
    connection.execute("UPDATE documents SET state = ?", (state.value,))
    connection.commit()
    assert desk.erase(1, now=time.time() + 2 * DAY) == ([id] if state in AT_REST else [])


def test_without_an_original_nothing_is_corrected_or_tried_again(store, desk, people):
    id, admin = released(store, desk, people), people[Role.ADMINISTRATOR]
    desk.erase(1, now=time.time() + 2 * DAY)
    desk.withdraw(admin, id, reason="x")
    with pytest.raises(Conflict, match="import it again"):
        store.recall(admin, id, "correct")


def test_each_step_begins_the_days_anew(store, desk, people):
    id = released(store, desk, people)
    desk.withdraw(people[Role.ADMINISTRATOR], id, reason="x")
    assert desk.erase(1, now=time.time() + DAY - 60) == []


def test_a_backup_from_before_brings_it_back_until_the_next_look(store, desk, people, tmp_path):
    id = released(store, desk, people)
    backup.save(store, desk.releases, tmp_path / "old.zip")
    folder = tmp_path / "again"
    folder.mkdir()
    again = Store(f"sqlite:///{folder / 'desk.db'}", Vault())
    backup.restore(again, folder / "released", tmp_path / "old.zip")
    clock = Clock()
    clock.now += 31 * DAY
    Keeper(Desk(again, folder / "released", model="none"), retain=30, clock=clock).look()
    assert [line["document"] for line in again.audited() if line["action"] == "erase"] == [id]
    again.close()


def test_files_that_the_watched_folder_took_go_with_their_days(store, desk, tmp_path):
    folder = tmp_path / "in"
    (folder / TAKEN).mkdir(parents=True)
    (folder / TAKEN / "a.txt").write_text(TEXT, "utf-8")
    (folder / "b.txt").write_text(TEXT, "utf-8")
    watch, clock = Watch(desk, folder), Clock()
    keeper = Keeper(desk, retain=30, watch=watch, clock=clock)
    keeper.look()
    assert (folder / TAKEN / "a.txt").exists()
    clock.now += 31 * DAY
    keeper.look()
    assert not (folder / TAKEN / "a.txt").exists()
    assert (folder / "b.txt").exists()
    (line,) = [line for line in store.audited() if line["action"] == "erase files"]
    assert len(line["facts"]["files"]) == 1


def test_without_a_schedule_nothing_is_deleted(store, desk, people):
    released(store, desk, people)
    clock = Clock()
    keeper = Keeper(desk, clock=clock)
    clock.now += 10_000 * DAY
    keeper.look()
    assert not any(line["action"] == "erase" for line in store.audited())


# --- found again ----------------------------------------------------------------------------------

NUMBERS = [
    ("2031고단1234", ["2031고단1234"]),
    ("2031 고단 1234 사기", ["2031고단1234"]),
    ("2031고단1234, 1240(병합)", ["2031고단1234", "2031고단1240"]),
    ("2031가합12, 2032나345", ["2031가합12", "2032나345"]),
    ("2031고단1234.txt", ["2031고단1234"]),
    ("2031노1(분리)", ["2031노1"]),
    ("강도윤", []),
]


@pytest.mark.parametrize(("text", "numbers"), NUMBERS)
def test_case_numbers_are_told_apart(text, numbers):
    assert case_numbers(text) == numbers


ASKED = [
    ("2031고단1234", ["a", "b"]),
    ("2031 고단 1240", ["a"]),
    ("2031고단123", []),
    ("2030노77", ["b"]),
    ("둘째", ["b"]),
    ("둘 째 판결", ["b"]),
    ("강도윤", []),
    ("%", []),
]


@pytest.mark.parametrize(("words", "found"), ASKED)
def test_documents_are_found_by_number_or_title(store, people, words, found):
    added = {
        "a": store.add("a.txt", TEXT, profile="court", risk=0, actor="x"),
        "b": store.add(
            "2031고단1234 둘째 판결", "원심 2030노77\n강도윤", profile="court", risk=0, actor="x"
        ),
    }
    rows = store.find(people[Role.AUDITOR], words)
    assert sorted(row.id for row in rows) == sorted(added[name] for name in found)


def test_what_is_found_by_is_no_number_to_read(store, url):
    store.add("x", TEXT, profile="court", risk=0, actor="x")
    rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT digest FROM cases")
    assert all(len(row[0]) == 64 for row in rows)
