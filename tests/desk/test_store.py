"""Documents on their way: who may do what when, and nothing is lost, doubled or changed."""

import sqlite3
import time
from threading import Thread

import pytest

from thunder.desk import audit
from thunder.desk.accounts import Denied, Missing
from thunder.desk.states import GIVEN_BACK, MAY, NEXT, RECALLS, Deed, Role, State
from thunder.desk.store import Conflict, Store
from thunder.desk.vault import Vault, WrongKey, new_key, read_key

TEXT = "피고인 강도윤은 웃었다."
MASK = {"kind": "mask", "wording": "강도윤", "label": "내국인이름"}


def add(store, **facts):
    return store.add("판결.txt", TEXT, **{"profile": "court", "risk": 1, "actor": "x"} | facts)


WAY = [
    ("reviewer", "claim", State.CLAIMED),
    ("reviewer", "finish", State.REVIEWED),
    ("confirmer", "claim", State.CONFIRMING),
    ("confirmer", "release", State.RELEASED),
]


AGAIN = [
    ("reviewer", "claim", State.CLAIMED),
    ("reviewer", "to be read again", State.SECOND),
    ("confirmer", "claim", State.REREADING),
    ("confirmer", "differ", State.DIFFERING),
    ("third", "claim", State.SETTLING),
]


def go(store, people, id, to):
    """Take a document on its way up to the state *to*, and return who did the last step."""
    person = None
    if to is State.FREE:
        return person
    for who, step, state in AGAIN if to in {state for *_, state in AGAIN[1:]} else WAY:
        person = people[Role(who)] if who != "third" else third(store)
        if step == "claim":
            assert store.claim(person, id) is state
        else:
            assert store.step(person, id, step, version=0) is state
        if state is to:
            return person
    raise AssertionError(f"no way to {to}")


def third(store):
    """Return somebody who neither reviewed nor read again."""
    store.add_user("third", Role.CONFIRMER, "a long password", actor="")
    return store.person(store.sign_in("third", "a long password"))


def test_the_way_of_a_document_from_import_to_release(store, people):
    id = add(store)
    go(store, people, id, State.RELEASED)
    assert store.counts() == {"released": 1}
    assert store.queue(people[Role.REVIEWER]) == []
    assert store.released() == [id]


STEPS = [name for name in NEXT if name not in ("claim", *RECALLS)]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("state", [State.CLAIMED, State.CONFIRMING])
def test_a_step_is_taken_from_where_the_table_says_and_from_nowhere_else(
    store, people, state, step
):
    id = add(store)
    go(store, people, id, state)
    person = people[Role.REVIEWER if state is State.CLAIMED else Role.CONFIRMER]
    if state in NEXT[step]:
        assert store.step(person, id, step, version=0) is NEXT[step][state]
    else:
        with pytest.raises(Conflict):
            store.step(person, id, step, version=0)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("state", [State.FREE, State.REVIEWED])
def test_who_may_claim_what(store, people, role, state):
    id = add(store)
    go(store, people, id, state)
    needs = {State.FREE: Deed.REVIEW, State.REVIEWED: Deed.CONFIRM}[state]
    if needs in MAY[role]:
        store.claim(people[role], id)
        assert store.held(people[role], id).text == TEXT
    else:
        with pytest.raises(Denied):
            store.claim(people[role], id)


@pytest.mark.parametrize("role", Role)
def test_an_original_is_read_by_who_holds_it_and_by_nobody_else(store, people, sign_in, role):
    id = add(store)
    other = sign_in("other", Role.REVIEWER)
    store.claim(other, id)
    for deed in (
        lambda: store.held(people[role], id),
        lambda: store.decide(people[role], id, MASK, version=0),
        lambda: store.step(people[role], id, "finish", version=0),
        lambda: store.undo(people[role], id, version=0),
    ):
        with pytest.raises(Denied):
            deed()


def test_two_people_never_hold_one_document(store, people, sign_in):
    id = add(store)
    store.claim(people[Role.REVIEWER], id)
    with pytest.raises(Conflict):
        store.claim(sign_in("other", Role.REVIEWER), id)


def test_of_many_who_claim_at_once_one_gets_it(url, store, people, sign_in):
    id, got = add(store), []
    everybody = [sign_in(f"r{number}", Role.REVIEWER) for number in range(4)]

    def claim(person):
        own = Store(url, Vault())
        try:
            own.claim(person, id)
            got.append(person.name)
        except Conflict:
            pass
        finally:
            own.close()

    threads = [Thread(target=claim, args=(person,)) for person in everybody]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1
    store.verify()


@pytest.mark.parametrize("state", GIVEN_BACK)
def test_a_lease_that_runs_out_frees_the_document(url, sign_in, store, people, state):
    id = add(store)
    holder = go(store, people, id, state)
    quick = Store(url, Vault(), lease=0.0)
    other = sign_in("other", Role.CONFIRMER)
    with pytest.raises(Conflict):
        store.claim(other, id)
    quick.held(holder, id)  # renewed for no time at all
    time.sleep(0.01)
    with pytest.raises(Denied):
        store.held(holder, id)
    assert {row.state for row in store.queue(other)} == {GIVEN_BACK[state]}
    assert store.claim(other, id) is state
    quick.close()


@pytest.mark.parametrize("two_people", [True, False])
def test_who_reviewed_confirms_only_where_one_person_is_enough(url, store, people, two_people):
    own = Store(url, Vault(), two_people=two_people)
    person, id = people[Role.CONFIRMER], add(store)
    own.claim(person, id)
    own.step(person, id, "finish", version=0)
    if two_people:
        with pytest.raises(Denied):
            own.claim(person, id)
    else:
        assert own.claim(person, id) is State.CONFIRMING
    own.close()


def test_decisions_are_kept_undone_and_taken_again(url, store, people):
    person, id = people[Role.REVIEWER], add(store)
    store.claim(person, id)
    second = {"kind": "open", "wording": "웃었다"}
    version = store.decide(person, id, MASK, version=0)
    version = store.decide(person, id, second, version=version)
    version = store.undo(person, id, version=version)
    assert store.held(person, id).decisions == (MASK,)
    store.close()
    again = Store(url, Vault())
    version = again.redo(person, id, version=version)
    assert again.held(person, id).decisions == (MASK, second)
    version = again.undo(person, id, version=again.undo(person, id, version=version))
    assert again.held(person, id).decisions == ()
    version = again.decide(person, id, second, version=version)
    with pytest.raises(Conflict):
        again.redo(person, id, version=version)
    assert again.held(person, id).decisions == (second,)
    again.close()


def test_who_decides_on_an_older_version_is_told(store, people):
    person, id = people[Role.REVIEWER], add(store)
    store.claim(person, id)
    store.decide(person, id, MASK, version=0)
    for deed in (
        lambda: store.decide(person, id, MASK, version=0),
        lambda: store.undo(person, id, version=0),
        lambda: store.step(person, id, "finish", version=0),
    ):
        with pytest.raises(Conflict):
            deed()
    assert store.held(person, id).version == 1


def test_what_is_held_back_comes_again_by_an_administrator_alone(store, people):
    person, id = people[Role.REVIEWER], add(store)
    store.claim(person, id)
    store.step(person, id, "hold", version=0, reason="강도윤의 딸")
    with pytest.raises(Denied):
        store.recall(person, id, "reopen")
    store.recall(people[Role.ADMINISTRATOR], id, "reopen")
    assert store.counts() == {"free": 1}
    with pytest.raises(Missing):
        store.claim(person, "0" * 32)


def test_the_queue_begins_with_ones_own_and_then_the_riskiest(store, people):
    ids = [add(store, risk=risk) for risk in (1, 3, 2)]
    person = people[Role.REVIEWER]
    store.claim(person, ids[0])
    assert [row.id for row in store.queue(person)] == [ids[0], ids[1], ids[2]]
    assert [row.id for row in store.queue(person, most=1)] == [ids[0]]


# --- passwords and sessions ----------------------------------------------------------------------


def test_passwords_are_no_words_and_failures_lock(store, url, sign_in):
    sign_in("a", Role.REVIEWER)
    for name in ("a", "nobody"):
        with pytest.raises(Denied):
            store.sign_in(name, "wrong password")
    for _ in range(4):
        with pytest.raises(Denied):
            store.sign_in("a", "wrong password")
    with pytest.raises(Denied):
        store.sign_in("a", "a long password")
    rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT password FROM users")
    assert all(row[0].startswith("$argon2id$") for row in rows)


@pytest.mark.parametrize(
    ("name", "password"),
    [("b", "short"), ("b", "x" * 201), ("", "a long password"), ("b\n", "a long password")],
)
@pytest.mark.usefixtures("english")
def test_bad_names_and_passwords_are_refused(store, name, password):
    with pytest.raises(ValueError, match=r"characters"):
        store.add_user(name, Role.REVIEWER, password, actor="")


def test_a_session_ends_when_it_is_signed_out(store, sign_in):
    sign_in("a", Role.REVIEWER)
    token = store.sign_in("a", "a long password")
    assert store.person(token).name == "a"
    store.sign_out(token)
    for wrong in (token, "", "x"):
        with pytest.raises(Denied):
            store.person(wrong)


# --- what is stored ------------------------------------------------------------------------------


def bytes_of(tmp_path):
    return b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())


def test_the_database_is_the_owners_alone(store, tmp_path, people):
    add(store)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}


def test_under_a_key_no_word_of_a_judgment_is_readable(tmp_path):
    vault = Vault(bytes.fromhex(new_key()))
    store = Store(f"sqlite:///{tmp_path / 'd.db'}", vault)
    store.add_user("a", Role.REVIEWER, "a long password", actor="")
    person = store.person(store.sign_in("a", "a long password"))
    id = store.add("강도윤.txt", TEXT, profile="court", risk=0, actor="a")
    store.claim(person, id)
    store.decide(person, id, MASK, version=0)
    assert store.held(person, id).text == TEXT
    assert store.queue(person)[0].title == "강도윤.txt"
    assert "강도윤".encode() not in bytes_of(tmp_path)
    store.close()
    for other in (Vault(), Vault(bytes(32))):
        with pytest.raises(WrongKey):
            Store(f"sqlite:///{tmp_path / 'd.db'}", other)


def test_what_is_sealed_opens_nowhere_else():
    vault = Vault(bytes(range(32)))
    sealed = vault.seal("강도윤", place="a")
    assert vault.open(sealed, place="a") == "강도윤"
    with pytest.raises(WrongKey):
        vault.open(sealed, place="b")
    with pytest.raises(WrongKey):
        vault.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), place="a")


@pytest.mark.parametrize(
    ("content", "mode", "problem"),
    [("ab" * 32, 0o644, "chmod 600"), ("ab" * 31, 0o600, "64 hex"), ("요", 0o600, "64 hex")],
)
def test_a_key_is_read_from_a_file_of_the_owners(tmp_path, content, mode, problem):
    path = tmp_path / "key"
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    with pytest.raises(ValueError, match=problem):
        read_key(path)


# --- the audit -----------------------------------------------------------------------------------


def audited(url):
    rows = sqlite3.connect(url.removeprefix("sqlite:///")).execute("SELECT entry FROM audit")
    return "\n".join(row[0] for row in rows)


def test_every_deed_has_a_line_without_a_word_of_the_judgment(url, store, people):
    person, id = people[Role.REVIEWER], add(store)
    before = store.verify().lines
    store.claim(person, id)
    store.decide(person, id, MASK, version=0)
    store.undo(person, id, version=1)
    store.step(person, id, "hold", version=2, reason="강도윤의 딸이 보인다")
    assert store.verify().lines == before + 4
    said = audited(url)
    assert "도윤" not in said
    assert "판결" not in said
    assert said.count(id) == 5


def test_a_deed_that_fails_leaves_no_line(store, people):
    before, id = store.verify(), add(store)
    with pytest.raises(Denied):
        store.claim(people[Role.AUDITOR], id)
    assert store.verify().lines == before.lines + 1


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE audit SET entry = replace(entry, 'claim', 'xxxxx')",
        "DELETE FROM audit WHERE number = 2",
        "DELETE FROM audit WHERE number = (SELECT max(number) FROM audit)",
    ],
)
def test_a_changed_audit_is_refused_and_if_forced_seen(url, store, people, deed):
    store.claim(people[Role.REVIEWER], add(store))
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(deed)
    for name in ("update", "delete"):
        connection.execute(f"DROP TRIGGER audit_no_{name}")
    connection.execute(deed)
    connection.close()
    with pytest.raises(audit.Broken):
        store.verify()


def test_a_database_is_brought_to_todays_tables_once(url, store):
    before = store.verify()
    for _ in range(2):
        again = Store(url, Vault())
        assert again.verify() == before
        again.close()
