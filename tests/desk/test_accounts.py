"""Accounts: who is kept out, what is freed then, and what the audit keeps of it."""

import pytest

from thunder.desk.accounts import Denied, Identity, Missing, Standing
from thunder.desk.states import Role, State

PASSWORD = "a long password"
BY = "https://login.court.example"


def add(store):
    return store.add("2031고단1", "피고인 강도윤은 갔다.", profile="court", risk=0, actor="x")


@pytest.mark.parametrize("standing", [Standing.DISABLED, Standing.REMOVED])
def test_who_is_shut_out_is_gone_at_once_and_what_they_held_is_free(store, people, standing):
    admin, kim = people[Role.ADMINISTRATOR], people[Role.REVIEWER]
    token, id = store.sign_in("reviewer", PASSWORD), add(store)
    store.claim(kim, id)
    store.decide(kim, id, {"kind": "note", "text": "x"}, version=0)
    store.set_standing(admin, "reviewer", standing)
    for deed in (
        lambda: store.person(token),
        lambda: store.sign_in("reviewer", PASSWORD),
        lambda: store.held(kim, id),
        lambda: store.decide(kim, id, {"kind": "note", "text": "y"}, version=1),
    ):
        with pytest.raises(Denied):
            deed()
    assert store.state(id) is State.FREE
    said = [(one["action"], one["actor"]) for one in store.audited()]
    assert said[-2:] == [("freed", "administrator"), ("set standing", "administrator")]
    assert ("decide", "reviewer") in said  # who decided is kept
    store.claim(people[Role.CONFIRMER], id)
    assert store.history(people[Role.CONFIRMER], id)[0].who == "reviewer"
    store.verify()


@pytest.mark.usefixtures("english")
def test_who_was_disabled_may_be_enabled_and_who_was_removed_never(store, people):
    admin = people[Role.ADMINISTRATOR]
    store.set_standing(admin, "reviewer", Standing.DISABLED)
    store.set_standing(admin, "reviewer", Standing.ACTIVE)
    store.person(store.sign_in("reviewer", PASSWORD))
    store.set_standing(admin, "reviewer", Standing.REMOVED)
    assert "reviewer" not in [one.name for one in store.users()]
    for deed in (
        lambda: store.set_standing(admin, "reviewer", Standing.ACTIVE),
        lambda: store.set_role(admin, "reviewer", Role.AUDITOR),
        lambda: store.set_password("reviewer", PASSWORD, actor="administrator"),
    ):
        with pytest.raises(Missing):
            deed()
    with pytest.raises(ValueError, match="already"):  # the audit says of a name who it was
        store.add_user("reviewer", Role.REVIEWER, PASSWORD, actor="x")


@pytest.mark.parametrize("role", Role)
def test_only_an_administrator_changes_accounts_and_never_the_own(store, people, role):
    for name in ("administrator", "auditor"):
        may = role is Role.ADMINISTRATOR and name != "administrator"
        for deed in (
            lambda name: store.set_role(people[role], name, Role.AUDITOR),
            lambda name: store.set_standing(people[role], name, Standing.DISABLED),
        ):
            if may:
                deed(name)
            else:
                with pytest.raises(Denied):
                    deed(name)


def test_another_role_ends_the_session_and_frees_what_is_held(store, people):
    id, token = add(store), store.sign_in("reviewer", PASSWORD)
    store.claim(people[Role.REVIEWER], id)
    store.set_role(people[Role.ADMINISTRATOR], "reviewer", Role.AUDITOR)
    assert store.state(id) is State.FREE
    with pytest.raises(Denied):
        store.person(token)
    assert store.person(store.sign_in("reviewer", PASSWORD)).role is Role.AUDITOR


# --- whom the court's sign-on vouches for ---------------------------------------------------------


def vouched(name="kim", subject="1", role=None, *, has_roles=False, by=BY):
    return Identity(by, subject, name, role, has_roles)


def test_nobody_makes_an_account_without_a_role_given(store):
    with pytest.raises(Denied):
        store.sign_on(vouched())
    assert store.users() == []
    assert store.audited()[-1]["action"] == "sign on refused"


def test_an_account_that_an_administrator_added_is_bound_to_who_signs_on_first(store):
    store.add_signing_on("kim", Role.CONFIRMER, actor="admin")
    person = store.person(store.sign_on(vouched()))
    assert (person.name, person.role) == ("kim", Role.CONFIRMER)
    assert store.person(store.sign_on(vouched(name="kim after a wedding"))).name == "kim"
    for other in (vouched(subject="2"), vouched(by="https://elsewhere.example")):
        with pytest.raises(Denied):
            store.sign_on(other)


def test_a_local_account_is_nobodys_by_its_name(store, people):
    with pytest.raises(Denied):
        store.sign_on(vouched("administrator", role=Role.REVIEWER, has_roles=True))
    with pytest.raises(Denied):
        store.sign_on(vouched("administrator"))


@pytest.mark.parametrize("name", ["", " kim", "k" * 65, "kim\nadmin"])
def test_a_name_that_is_none_is_refused(store, name):
    with pytest.raises(Denied):
        store.sign_on(vouched(name, role=Role.REVIEWER, has_roles=True))


def test_a_role_that_comes_with_the_sign_on_is_followed_and_its_loss_shuts_out(store):
    def come(role):
        return store.sign_on(vouched(role=role, has_roles=True))

    id = add(store)
    token = come(Role.REVIEWER)
    store.claim(store.person(token), id)
    assert store.person(come(Role.CONFIRMER)).role is Role.CONFIRMER
    assert store.state(id) is State.FREE
    token = come(Role.CONFIRMER)
    with pytest.raises(Denied):
        come(None)
    with pytest.raises(Denied):
        store.person(token)
    store.verify()


def test_an_administrator_by_sign_on_is_made_by_an_administrator_and_stays_one(store, people):
    store.add_signing_on("park", Role.ADMINISTRATOR, actor="administrator")
    who = vouched("park", role=Role.REVIEWER, has_roles=True)
    assert store.person(store.sign_on(who)).role is Role.ADMINISTRATOR


@pytest.mark.usefixtures("english")
def test_who_signs_on_has_no_password_and_is_shut_out_like_everybody(store, people):
    store.add_signing_on("kim", Role.REVIEWER, actor="x")
    store.sign_on(vouched())
    for guess in ("-", "", PASSWORD):
        with pytest.raises(Denied):
            store.sign_in("kim", guess)
    with pytest.raises(ValueError, match="signs on"):
        store.set_password("kim", PASSWORD, actor="x")
    store.set_standing(people[Role.ADMINISTRATOR], "kim", Standing.DISABLED)
    with pytest.raises(Denied):
        store.sign_on(vouched())
    store.set_standing(people[Role.ADMINISTRATOR], "kim", Standing.REMOVED)
    with pytest.raises(Denied):
        store.sign_on(vouched(role=Role.REVIEWER, has_roles=True))
