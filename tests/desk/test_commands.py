"""The commands of the desk that open no page, from import to export, each seen to work."""

import json
import re

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.desk.accounts import Denied
from thunder.desk.desk import Desk
from thunder.desk.place import Place
from thunder.desk.states import Role
from thunder.settings.messages import choose
from thunder.training_data.annotation import parse


@pytest.fixture(autouse=True)
def _in_korean():
    yield
    choose("ko")


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Return a function that runs ``thunder`` in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*words, status=0):
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == status, done.output
        return done.output

    return run


def release_all():
    """Release what was imported, an 이솔바람 masked, as two people do."""
    place = Place()
    store = place.open()
    desk = Desk(store, place.releases, model="none")
    reviewer, confirmer = (
        store.person(store.sign_in(name, "a long password"))
        for name, role in (("kim", Role.REVIEWER), ("lee", Role.CONFIRMER))
        if not store.add_user(name, role, "a long password", actor="")
    )
    for one in store.waiting(10):
        store.ready(one.id, risk=0)
        store.claim(reviewer, one.id)
        mask = {"kind": "mask", "wording": "이솔바람", "label": "내국인이름"}
        desk.decide(reviewer, one.id, mask, version=0)
        desk.step(reviewer, one.id, "finish", version=1)
        store.claim(confirmer, one.id)
        desk.step(confirmer, one.id, "release", version=1)
    store.close()


def test_from_import_over_backup_to_export(call, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("피고인 강도윤은 이솔바람을 보았다.", encoding="utf-8")
    rows = [{"id": "b", "text": "피고인 강도윤은 이솔바람과 갔다."}, {"id": "c", "text": ""}]
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    said = call("desk", "import", "in", status=1)
    assert "2건을 넣었습니다" in said
    assert "b.jsonl:2" in said
    release_all()
    whole = call("desk", "verify")
    assert re.search(r"\d+줄, 마지막 값 [0-9a-f]{64}", whole)

    call("desk", "backup", "desk.zip")
    assert "2건" in call("desk", "restore", "desk.zip", "--folder", "again")
    assert call("desk", "verify", "--folder", "again") == whole
    call("desk", "restore", "desk.zip", "--folder", "again", status=2)
    call("desk", "backup", "desk.zip", status=2)

    call("desk", "export", "--annotated", "a.jsonl", "--proposals", "p.tsv")
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        found = parse(line["text"])
        assert [found.text[one.start : one.end] for one in found.spans] == ["강도윤", "이솔바람"]
    assert (tmp_path / "p.tsv").read_text("utf-8") == "mask\t이솔바람\t내국인이름\t2\n"
    modes = {(tmp_path / name).stat().st_mode & 0o777 for name in ("a.jsonl", "p.tsv")}
    assert modes == {0o600}
    call("desk", "export", status=2)

    (released, *_) = (tmp_path / "thunder-desk" / "released").glob("*.txt")
    released.write_text("강도윤", encoding="utf-8")
    assert released.stem in call("desk", "verify", status=1)


def test_tokens_are_shown_once_and_taken_back(call):
    said = call("serve", "--new-token", "cases")
    token = said.splitlines()[0].split()[-1]
    store = Place().open()
    assert store.program(token) == "cases"
    store.close()
    call("serve", "--new-token", "cases", status=2)
    call("serve", "--revoke-token", "cases")
    call("serve", "--revoke-token", "cases", status=2)


def test_the_folders_owner_gives_a_new_password_where_nobody_can_sign_in(call):
    store = Place().open()
    store.add_user("admin", Role.ADMINISTRATOR, "a long password", actor="")
    token = store.sign_in("admin", "a long password")
    store.add_signing_on("kim", Role.REVIEWER, actor="")
    new = call("desk", "password", "admin").splitlines()[0].split()[-1]
    with pytest.raises(Denied):
        store.person(token)
    store.person(store.sign_in("admin", new))
    assert new not in json.dumps(store.audited())
    store.close()
    call("desk", "password", "kim", status=2)
    call("desk", "password", "nobody", status=2)


WRONG = [
    (("desk", "--sign-on", "nowhere.toml"), "nowhere.toml"),
    (("desk", "--watch", "nowhere"), "nowhere"),
    (("desk", "--table", "results.xlsx"), ".parquet"),
    (("desk", "--table", "postgresql://nobody@127.0.0.1:9/x"), "열 수 없습니다"),
    (("desk", "compare", "--profile", "nothing"), "court"),
    (("desk", "import", "x", "--profile", "nothing"), "court"),
    (("desk", "verify", "--key", "nowhere"), "nowhere"),
    (("desk", "--model", "nothing"), "nothing"),
    (("desk", "verify", "--database", "sqlite:////nowhere/x.db"), "열 수 없습니다"),
]


@pytest.mark.parametrize(("words", "named"), WRONG)
def test_what_is_wrong_is_said_with_status_2(call, words, named):
    assert named in call(*words, status=2)
