"""Released results as rows: each once, whatever is cut off, and gone when they are withdrawn."""

import csv
import json

import pytest

from thunder.desk import tables
from thunder.desk.desk import Desk
from thunder.desk.keeping import Keeper
from thunder.desk.states import Role, State
from thunder.desk.tables import COLUMNS, TABLE

KINDS = ["results.jsonl", "results.csv", "results.parquet", "sqlite:///results.db"]
TEXT = '피고인 강도윤은 "갔다",\r\n그리고\n"웃었다".\r\n'
ISSUED = '피고인 {}은 "갔다",\r\n그리고\n"웃었다".\r\n'


@pytest.fixture(params=KINDS)
def place(request, tmp_path):
    name = request.param
    if name.startswith("sqlite"):
        return f"sqlite:///{tmp_path / 'results.db'}"
    return str(tmp_path / "out" / name)


@pytest.fixture
def desk(store, tmp_path, place):
    return Desk(store, tmp_path / "desk" / "released", model="none", table=tables.opened(place))


def rows_of(place):
    """Return the rows as others read them."""
    if place.endswith(".jsonl"):
        with open(place, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    if place.endswith(".csv"):
        with open(place, encoding="utf-8", newline="") as lines:
            return list(csv.DictReader(lines))
    if place.endswith(".parquet"):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(place).to_pylist()
    import sqlalchemy

    engine = sqlalchemy.create_engine(place)
    with engine.connect() as connection:
        found = connection.execute(sqlalchemy.text(f"SELECT * FROM {TABLE}")).mappings()
        rows = [dict(row) for row in found]
    engine.dispose()
    return rows


def texts(place):
    try:
        return sorted(row["text"] for row in rows_of(place))
    except FileNotFoundError:
        return []


def release(store, desk, people, id, version=0):
    store.claim(people[Role.REVIEWER], id)
    desk.step(people[Role.REVIEWER], id, "finish", version=version)
    store.claim(people[Role.CONFIRMER], id)
    assert desk.step(people[Role.CONFIRMER], id, "release", version=version) is State.RELEASED


def add(store, text=TEXT):
    return store.add("2031고단1", text, profile="court", risk=0, actor="x")


def test_a_released_result_is_a_row_and_nothing_else_is(store, desk, people, place):
    id, waiting = add(store), add(store)
    store.claim(people[Role.REVIEWER], waiting)
    release(store, desk, people, id)
    (row,) = rows_of(place)
    assert list(row) == list(COLUMNS)
    assert (row["id"], row["text"]) == (id, ISSUED.format("A"))
    assert (row["reviewer"], row["confirmer"]) == ("reviewer", "confirmer")
    assert json.loads(row["record"])["sha256"] == row["sha256"]
    assert not any("강도윤" in str(value) for value in row.values())


def test_what_is_withdrawn_goes_and_what_is_issued_again_is_there_once(store, desk, people, place):
    kept, id = add(store, "피고인 강도윤은 갔다."), add(store)
    release(store, desk, people, kept)
    release(store, desk, people, id)
    admin = people[Role.ADMINISTRATOR]
    desk.withdraw(admin, id, reason="아직 이르다")
    assert texts(place) == ["피고인 A은 갔다."]
    store.recall(admin, id, "correct")
    store.claim(people[Role.REVIEWER], id)
    letter = {"kind": "letter", "wording": "강도윤", "letter": "Q"}
    version = store.held(people[Role.REVIEWER], id).version
    version = desk.decide(people[Role.REVIEWER], id, letter, version=version).held.version
    desk.step(people[Role.REVIEWER], id, "finish", version=version)
    store.claim(people[Role.CONFIRMER], id)
    desk.step(people[Role.CONFIRMER], id, "release", version=version)
    assert texts(place) == sorted(["피고인 A은 갔다.", ISSUED.format("Q")])


def test_what_the_table_missed_comes_at_the_next_look_and_nothing_twice(
    store, desk, people, place, tmp_path
):
    first, second, third = (add(store, f"피고인 강도윤은 {at}번 갔다.") for at in "123")
    release(store, desk, people, first)
    without = Desk(store, desk.releases, model="none")  # as one that is killed before the table
    release(store, without, people, second)
    without.withdraw(people[Role.ADMINISTRATOR], first, reason="x")
    again = Desk(store, desk.releases, model="none", table=tables.opened(place))
    Keeper(again).look()
    assert texts(place) == ["피고인 A은 2번 갔다."]
    assert again.bring_table() == 0
    release(store, again, people, third)
    assert again.bring_table() == 0
    assert len(texts(place)) == 2


def test_a_table_that_fails_holds_no_release_back_and_is_made_good(
    store, desk, people, place, monkeypatch
):
    def full(*args):
        raise OSError("no space left")

    for kind in (tables.JsonLines, tables.Csv, tables.Parquet, tables.Database):
        monkeypatch.setattr(kind, "append", full)
    id, keeper = add(store), Keeper(desk)
    desk.bring_table()
    release(store, desk, people, id)
    assert store.state(id) is State.RELEASED
    assert desk.is_table_behind
    with pytest.raises(OSError, match="space"):
        keeper.look()
    monkeypatch.undo()
    keeper.look()
    assert not desk.is_table_behind
    assert texts(place) == [ISSUED.format("A")]


@pytest.mark.parametrize("name", ["results.jsonl", "results.csv"])
@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_a_line_that_was_cut_off_is_no_row(store, people, tmp_path, name, cut):
    place = str(tmp_path / name)
    desk = Desk(store, tmp_path / "r", model="none", table=tables.opened(place))
    for _ in range(2):
        release(store, desk, people, add(store))
    whole = rows_of(place)
    with open(place, "rb+") as file:
        size = file.seek(0, 2)
        file.truncate(size - cut)
    again = Desk(store, tmp_path / "r", model="none", table=tables.opened(place))
    assert again.bring_table() == 1
    assert rows_of(place) == whole
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["results.jsonl", "results.csv"])
@pytest.mark.usefixtures("english")
def test_a_file_that_is_somebody_elses_is_never_touched(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b'"a","b"\r\n"1","2"\r\n')
    table = tables.opened(str(path))
    with pytest.raises(ValueError, match="no table of released results"):
        tables.bring(table, {}, lambda id: None)
    assert path.read_bytes() == b'"a","b"\r\n"1","2"\r\n'


def test_two_processes_write_one_table(store, people, tmp_path):
    place = str(tmp_path / "results.jsonl")
    desks = [
        Desk(store, tmp_path / "r", model="none", table=tables.opened(place)) for _ in range(2)
    ]
    for at in range(6):
        release(store, desks[at % 2], people, add(store))
    assert len({row["id"] for row in rows_of(place)}) == len(rows_of(place)) == 6


@pytest.mark.parametrize("place", ["results", "results.xlsx"])
def test_what_is_no_table_is_said(place):
    with pytest.raises(ValueError, match=r"\.jsonl, \.csv, \.parquet"):
        tables.opened(place)
