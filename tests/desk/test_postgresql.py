"""The desk on a real PostgreSQL, which the test starts for itself in a folder of its own."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import create_engine, text

from thunder.desk import backup, tables
from thunder.desk.accounts import Identity, Standing
from thunder.desk.comparing import compared
from thunder.desk.desk import Desk
from thunder.desk.place import Place
from thunder.desk.states import Role, State
from thunder.desk.store import Conflict, Store
from thunder.desk.vault import Vault

from .test_killed import killed

pytest.importorskip("psycopg", reason="needs pip install 'thunder-deid[postgresql]'")

TEXT = "피고인 강도윤은 갔다. 이솔바람도 갔다."


def _programs():
    places = [Path(found).resolve().parent] if (found := shutil.which("pg_ctl")) else []
    return next(iter([*places, *sorted(Path("/usr/lib/postgresql").glob("*/bin"))]), None)


PROGRAMS = _programs()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAMS, reason="needs postgresql (apt-get install postgresql)"),
]


@pytest.fixture(scope="module")
def server():
    """Return the URL of a server on a socket; as root it runs as the user postgres."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    more = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        more = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def run(name, *words):
        subprocess.run(
            [PROGRAMS / name, *words], check=True, cwd=folder, capture_output=True, **more
        )

    data = folder / "data"
    run("initdb", "-D", data, "-U", "desk", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    yield f"postgresql+psycopg://desk@/postgres?host={folder}"
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def url(server):
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP DATABASE IF EXISTS court WITH (FORCE)"))
        connection.execute(text("CREATE DATABASE court"))
    engine.dispose()
    return server.replace("/postgres?", "/court?")


def test_the_url_is_taken_as_courts_write_it(server):
    written = server.replace("postgresql+psycopg://", "postgresql://")
    assert Place(database=written).url == server


def test_the_way_of_a_document_from_import_to_release(store, desk, people):
    id = store.add("1", TEXT, profile="court", risk=None, actor="x")
    assert [one.id for one in store.waiting(5)] == [id]
    store.ready(id, risk=3)
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    store.claim(reviewer, id)
    mask = {"kind": "mask", "wording": "이솔바람", "label": "내국인이름"}
    assert (
        desk.decide(reviewer, id, mask, version=0).review.result.text
        == "피고인 A은 갔다. B도 갔다."
    )
    store.undo(reviewer, id, version=1)
    store.redo(reviewer, id, version=2)
    desk.step(reviewer, id, "finish", version=3)
    store.claim(confirmer, id)
    desk.step(confirmer, id, "release", version=3)
    assert desk.released(id) == "피고인 A은 갔다. B도 갔다."
    assert store.state(id) is State.RELEASED
    store.verify()


def test_of_many_at_once_one_gets_the_document_and_no_decision_is_doubled(url, store, sign_in):
    id, got = store.add("1", TEXT, profile="court", risk=0, actor="x"), []
    everybody = [sign_in(f"r{number}", Role.REVIEWER) for number in range(6)]

    def work(person):
        own = Store(url, Vault())
        try:
            own.claim(person, id)
            got.append(person)
        except Conflict:
            pass
        finally:
            own.close()

    _at_once(work, everybody)
    (holder,) = got
    taken = []

    def decide(number):
        own = Store(url, Vault())
        content = {"kind": "note", "text": f"{number}"}
        try:
            taken.append(own.decide(holder, id, content, version=0))
        except Conflict:
            pass
        finally:
            own.close()

    _at_once(decide, range(6))
    assert taken == [1]
    assert len(store.held(holder, id).decisions) == 1
    store.verify()


def _at_once(work, everybody):
    threads = [Thread(target=work, args=(one,)) for one in everybody]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_nobody_changes_the_audit(url, store, people):
    before = store.verify()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE audit SET entry = 'x'"))
        connection.execute(text("DELETE FROM audit"))
    engine.dispose()
    assert store.verify() == before


def test_a_desk_moves_from_sqlite_and_counts_on(url, store, desk, tmp_path):
    small = Store(f"sqlite:///{tmp_path / 'small.db'}", Vault())
    small.add_user("kim", Role.REVIEWER, "a long password", actor="")
    id = small.add("1", TEXT, profile="court", risk=0, actor="x")
    person = small.person(small.sign_in("kim", "a long password"))
    small.claim(person, id)
    Desk(small, tmp_path / "r", model="none").decide(
        person, id, {"kind": "open", "wording": "강도윤"}, version=0
    )
    backup.save(small, tmp_path / "r", tmp_path / "small.zip")
    backup.restore(store, desk.releases, tmp_path / "small.zip")
    assert store.verify() == small.verify()
    small.close()
    person = store.person(store.sign_in("kim", "a long password"))
    store.decide(person, id, {"kind": "note", "text": "x"}, version=1)
    store.add_user("lee", Role.REVIEWER, "a long password", actor="")
    assert len(store.held(person, id).decisions) == 2


def test_a_killed_desk_loses_no_decision_and_doubles_none(url):
    assert "lost: 0, doubled: 0, files and audit whole" in killed("--database", url)


def test_accounts_finding_erasing_and_a_table_of_results_work_there(
    url, store, desk, people, tmp_path
):
    own = Desk(store, desk.releases, model="none", table=tables.opened(url))
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    ids = [
        store.add(f"2031고단{at}", TEXT, profile="court", risk=at, actor="x", once=f"{at}")
        for at in range(3)
    ]
    with pytest.raises(Conflict):
        store.add("again", TEXT, profile="court", risk=0, actor="x", once="0")
    assert [row.id for row in store.queue(reviewer, most=2, after=1)] == [ids[1], ids[0]]
    assert [row.id for row in store.find(reviewer, "2031 고단 2")] == [ids[2]]
    assert len(store.find(reviewer, "고단")) == 3
    for id in ids[:2]:
        store.claim(reviewer, id)
        own.step(reviewer, id, "finish", version=0)
        store.claim(confirmer, id)
        own.step(confirmer, id, "release", version=0)
    assert set(tables.opened(url).digests()) == set(ids[:2])
    own.withdraw(people[Role.ADMINISTRATOR], ids[0], reason="x")
    assert set(tables.opened(url).digests()) == {ids[1]}
    assert own.bring_table() == 0
    assert [one.is_other for one in compared(own)] == [False]
    store.claim(reviewer, ids[2])
    store.set_standing(people[Role.ADMINISTRATOR], "reviewer", Standing.DISABLED)
    assert store.state(ids[2]) is State.FREE
    store.add_signing_on("kim", Role.REVIEWER, actor="x")
    store.person(store.sign_on(Identity("https://login.court.example", "1", "kim")))
    assert sorted(own.erase(1, now=time.time() + 3 * 86_400)) == sorted(ids[:2])
    store.verify()
