"""A desk from its archive is the desk it was."""

import sqlite3
import zipfile

import pytest

from thunder.desk import backup
from thunder.desk.backup import Unusable
from thunder.desk.desk import Desk
from thunder.desk.states import Role
from thunder.desk.store import Store
from thunder.desk.vault import Vault, WrongKey

TEXT = "피고인 강도윤은 갔다."
KEY = bytes(range(32))


def another(tmp_path, key=KEY):
    folder = tmp_path / "another"
    folder.mkdir()
    return Store(f"sqlite:///{folder / 'desk.db'}", Vault(key)), folder / "released"


@pytest.fixture
def store(url):
    made = Store(url, Vault(KEY))
    yield made
    made.close()


@pytest.fixture
def saved(store, desk, people, tmp_path):
    """Return the archive of a desk with a released document and one under review."""
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    for number in range(2):
        id = store.add(str(number), TEXT, profile="court", risk=0, actor="x")
        store.claim(reviewer, id)
        mask = {"kind": "letter", "wording": "강도윤", "letter": "Q"}
        desk.decide(reviewer, id, mask, version=0)
    desk.step(reviewer, id, "finish", version=1)
    store.claim(confirmer, id)
    desk.step(confirmer, id, "release", version=1)
    path = tmp_path / "desk.zip"
    backup.save(store, desk.releases, path)
    return path


def test_what_is_restored_is_what_was_saved(saved, store, desk, tmp_path):
    other, releases = another(tmp_path)
    backup.restore(other, releases, saved)
    again = Desk(other, releases, model="none")
    assert other.verify() == store.verify()
    assert again.missing() == again.changed() == []
    assert again.released(store.released()[0]) == "피고인 Q은 갔다."
    person = other.person(other.sign_in("reviewer", "a long password"))
    (row,) = other.queue(person)
    assert other.held(person, row.id).text == TEXT
    assert again.open(person, row.id).review.result.text == "피고인 Q은 갔다."
    assert other.verify().lines == store.verify().lines + 1
    other.close()


def test_an_archive_is_its_owners_and_sealed(saved):
    assert saved.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(saved) as archive:
        held = b"".join(archive.read(name) for name in archive.namelist())
    assert "강도윤".encode() not in held


def test_it_is_restored_into_an_empty_desk_alone(saved, store, desk):
    before = store.verify()
    with pytest.raises(Unusable, match="not empty"):
        backup.restore(store, desk.releases, saved)
    assert store.verify() == before


@pytest.mark.parametrize("key", [None, bytes(32)])
def test_another_key_restores_nothing(saved, tmp_path, key):
    other, releases = another(tmp_path, key)
    with pytest.raises(WrongKey):
        backup.restore(other, releases, saved)
    assert not other.has_users()
    assert not releases.exists()
    other.close()


def test_what_is_no_archive_or_damaged_restores_nothing(saved, tmp_path):
    other, releases = another(tmp_path)
    content = bytearray(saved.read_bytes())
    content[200] ^= 255
    for bad in (b"", b"nothing", bytes(content)):
        path = tmp_path / "bad.zip"
        path.write_bytes(bad)
        with pytest.raises(Unusable):
            backup.restore(other, releases, path)
    assert not other.has_users()
    other.close()


def test_an_archive_is_never_overwritten(saved, store, desk):
    with pytest.raises(FileExistsError):
        backup.save(store, desk.releases, saved)


def test_no_session_is_saved(saved, url):
    rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT digest FROM sessions")
    digests = [row[0].encode() for row in rows]
    with zipfile.ZipFile(saved) as archive:
        held = b"".join(archive.read(name) for name in archive.namelist())
    assert digests
    assert not any(digest in held for digest in digests)
