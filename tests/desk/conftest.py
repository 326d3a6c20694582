"""A desk in a folder of its own, with somebody of each role."""

from functools import partial

import argon2
import pytest

from thunder.desk.crew import Crew
from thunder.desk.desk import Desk
from thunder.desk.states import Role
from thunder.desk.store import Store
from thunder.desk.vault import Vault

PASSWORD = "a long password"


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch):
    """Hash passwords in no time: how slow argon2 is by default is no question here."""
    quick = partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("thunder.desk.accounts.PasswordHasher", quick)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'desk.db'}"


@pytest.fixture
def store(url):
    made = Store(url, Vault())
    yield made
    made.close()


@pytest.fixture
def sign_in(store):
    """Return a function that gives the person of a name, added with a role where it is new."""
    known = set()

    def person(name, role):
        if name not in known:
            store.add_user(name, role, PASSWORD, actor="")
            known.add(name)
        return store.person(store.sign_in(name, PASSWORD))

    return person


@pytest.fixture
def people(sign_in):
    return {role: sign_in(role.value, role) for role in Role}


@pytest.fixture
def crew():
    made = Crew(0, model="none")
    yield made
    made.close()


@pytest.fixture
def desk(store, tmp_path):
    return Desk(store, tmp_path / "desk" / "released", model="none")
