"""Who works at the desk, and who is signed in; the store is built on it.

A local account has a password; one that signs on by the court's provider or proxy
(``sign_on``) has none, and is known by what those call it. A role is given by an administrator,
or comes with the sign-on; administrators are made by administrators alone. An account that was
disabled or removed signs in no more: its sessions end, its documents are free; its name stays, in
the audit and beside its decisions.
"""

import hashlib
import secrets
import time
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from thunder.desk import audit
from thunder.desk import setting_messages as say
from thunder.desk.models import Document, User
from thunder.desk.models import Session as SignedIn
from thunder.desk.states import GIVEN_BACK, MAY, Deed, Role, State

SESSION = 8 * 3600.0
LEAST_PASSWORD, MOST_PASSWORD = 10, 200
_FREE_FAILURES, _LONGEST_LOCK = 4, 900.0
_LONGEST_NAME = 64
_NO_PASSWORD = "-"  # no hash: no password verifies against it


class Denied(Exception):
    """Who asks may not do this."""


class Missing(LookupError):
    """There is no such document or user."""


class Standing(StrEnum):
    """Whether an account may be used."""

    ACTIVE = "active"
    DISABLED = "disabled"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in; *subject*: by whom signed on, "" for a local account."""

    id: int
    name: str
    role: Role
    csrf: str = field(default="", repr=False)
    subject: str = ""

    def may(self, deed: Deed) -> bool:
        """Return whether the role allows it."""
        return deed in MAY[self.role]


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who works at the desk, as the administrator sees them."""

    name: str
    role: Role
    standing: Standing
    signs_on: bool


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a provider or a proxy vouches for: its own name (*issuer*), and what it calls them.

    *subject* never changes, *name* is what people read; *role* is given with it, None where the
    administrator gives roles, and ``has_roles`` tells a missing one from none to be given.
    """

    issuer: str
    subject: str
    name: str
    role: Role | None = None
    has_roles: bool = False

    @property
    def key(self) -> str:
        """What the account is bound to: a digest of issuer and subject."""
        return hashlib.sha256(f"{self.issuer}\n{self.subject}".encode()).hexdigest()


class Accounts:
    """Users and sessions in the database that ``_begin`` opens."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex())

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Session]:
        """Open a transaction."""

    def has_users(self) -> bool:
        """Return whether anybody can sign in."""
        with self._begin() as session:
            return bool(session.scalar(select(func.count(User.id))))

    def add_user(self, name: str, role: Role, password: str, *, actor: str) -> None:
        """Add somebody; ValueError for a name that is taken, or a name or password that is bad."""
        require_password(password)
        require_name(name)
        hashed = self._hasher.hash(password)
        with self._begin() as session:
            _add(session, name, role, hashed, actor)

    def add_signing_on(self, name: str, role: Role, *, actor: str) -> None:
        """Add somebody who signs on by the court's provider or proxy, which call them *name*.

        The first who signs on by that name has the account from then on. ValueError as above.
        """
        require_name(name)
        with self._begin() as session:
            _add(session, name, role, _NO_PASSWORD, actor)

    def users(self) -> list[Account]:
        """Return who works at the desk, by name; not who was removed."""
        with self._begin() as session:
            found = session.scalars(select(User).order_by(User.name))
            return [
                Account(
                    user.name,
                    Role(user.role),
                    Standing(user.standing),
                    user.password == _NO_PASSWORD,
                )
                for user in found
                if user.standing != Standing.REMOVED
            ]

    def names(self) -> list[tuple[int, str]]:
        """Return the id and name of everybody."""
        with self._begin() as session:
            return [(user.id, user.name) for user in session.scalars(select(User))]

    def set_password(self, name: str, password: str, *, actor: str) -> None:
        """Give somebody another password and end the sessions; Missing where there is nobody.

        ValueError for a bad password, and for who signs on by the court.
        """
        require_password(password)
        hashed = self._hasher.hash(password)
        with self._begin() as session:
            user = _user(session, name)
            if user.password == _NO_PASSWORD:
                raise ValueError(say.NO_PASSWORD_HERE())
            user.password, user.failures, user.locked_until = hashed, 0, 0.0
            session.execute(delete(SignedIn).where(SignedIn.user_id == user.id))
            audit.append(session, "set password", actor=actor, facts={"user": name})

    def set_role(self, person: Person, name: str, role: Role) -> None:
        """Give somebody another role; sessions end, what they hold is free.

        Denied to who is no administrator, and for one's own account; Missing for nobody.
        """
        with self._begin() as session:
            user = _others(session, person, name)
            user.role = role.value
            _let_go(session, user, actor=person.name)
            facts = {"user": name, "role": role.value}
            audit.append(session, "set role", actor=person.name, facts=facts)

    def set_standing(self, person: Person, name: str, standing: Standing) -> None:
        """Disable, enable or remove an account; sessions end, what it holds is free.

        What was removed never comes back, nor is its name given again. Denied, Missing as above.
        """
        with self._begin() as session:
            user = _others(session, person, name)
            user.standing, user.failures, user.locked_until = standing.value, 0, 0.0
            if standing is Standing.REMOVED:
                user.password, user.subject = _NO_PASSWORD, None
            _let_go(session, user, actor=person.name)
            facts = {"user": name, "standing": standing.value}
            audit.append(session, "set standing", actor=person.name, facts=facts)

    def sign_in(self, name: str, password: str) -> str:
        """Return the token of a new session; Denied, slower with each failure.

        Who is not there takes as long as who gives a wrong password.
        """
        now = time.time()
        with self._begin() as session:
            user = session.scalars(
                select(User).where(User.name == name).with_for_update()
            ).one_or_none()
            if user is not None and not (_is_active(user) and user.password != _NO_PASSWORD):
                user = None
            is_locked = user is not None and user.locked_until > now
            is_right = _verifies(self._hasher, user.password if user else self._nobody, password)
            if user is not None and is_right and not is_locked:
                user.failures = 0
                return _signed_in(session, user, {})
            if user is not None and not is_locked:
                user.failures += 1
                over = user.failures - _FREE_FAILURES
                if over >= 0:
                    user.locked_until = now + min(2.0 ** min(over, 20), _LONGEST_LOCK)
                audit.append(session, "sign in failed", actor=user.name, facts={})
        raise Denied("sign in")

    def sign_on(self, who: Identity) -> str:
        """Return the token of a new session for whom a provider or proxy vouches; else Denied.

        An account is made where a role comes with the sign-on; it is never an administrator's. A
        local account is nobody's by its name alone.
        """
        with self._begin() as session:
            user = self._signing_on(session, who)
            if user is not None:
                return _signed_in(session, user, {"by": who.issuer})
            facts = {"by": who.issuer, "subject": who.key}
            audit.append(session, "sign on refused", actor="", facts=facts)
        raise Denied("sign on")

    def _signing_on(self, session: Session, who: Identity) -> User | None:
        """Return the account of *who*, bound, made and given its role; None to refuse."""
        user = session.scalars(
            select(User).where(User.subject == who.key).with_for_update()
        ).one_or_none()
        if user is None:
            user = session.scalars(
                select(User).where(User.name == who.name).with_for_update()
            ).one_or_none()
            if user is not None and (user.password != _NO_PASSWORD or user.subject):
                return None
            if user is None:
                if who.role is None or not _is_name(who.name):
                    return None
                user = _add(session, who.name, who.role, _NO_PASSWORD, who.issuer)
        if not _is_active(user):
            return None
        user.subject = who.key
        if who.has_roles and user.role != Role.ADMINISTRATOR:
            if who.role is None:
                _let_go(session, user, actor=who.issuer)
                return None
            if user.role != who.role:
                user.role = who.role.value
                _let_go(session, user, actor=who.issuer)
                facts = {"user": user.name, "role": user.role}
                audit.append(session, "set role", actor=who.issuer, facts=facts)
        return user

    def person(self, token: str) -> Person:
        """Return whose session *token* is; Denied for none."""
        with self._begin() as session:
            found = session.get(SignedIn, digest_of(token))
            if found is None or found.expires < time.time():
                raise Denied("session")
            user = found.user
            if not _is_active(user):
                raise Denied("session")
            return Person(user.id, user.name, Role(user.role), found.csrf, user.subject or "")

    def sign_out(self, token: str) -> None:
        """End the session of *token*."""
        with self._begin() as session:
            found = session.get(SignedIn, digest_of(token))
            if found is not None:
                session.delete(found)


def require_password(password: str) -> None:
    """Return nothing; ValueError for a password that is too short or too long."""
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise ValueError(say.PASSWORD(least=LEAST_PASSWORD, most=MOST_PASSWORD))


def require_name(name: str) -> None:
    """Return nothing; ValueError for a name that cannot be one."""
    if not _is_name(name):
        raise ValueError(say.NAME(most=_LONGEST_NAME))


def digest_of(token: str) -> str:
    """Return what the database keeps of a token: its SHA-256."""
    return hashlib.sha256(token.encode()).hexdigest()


def _is_name(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable() and name == name.strip()


def _is_active(user: User) -> bool:
    return user.standing == Standing.ACTIVE


def _add(session: Session, name: str, role: Role, password: str, actor: str) -> User:
    if session.scalars(select(User).where(User.name == name)).one_or_none():
        raise ValueError(say.NAME_TAKEN())
    user = User(name=name, role=role.value, password=password, failures=0)
    session.add(user)
    session.flush()
    audit.append(session, "add user", actor=actor, facts={"user": name, "role": role.value})
    return user


def _user(session: Session, name: str) -> User:
    user = session.scalars(select(User).where(User.name == name).with_for_update()).one_or_none()
    if user is None or user.standing == Standing.REMOVED:
        raise Missing("user")
    return user


def _others(session: Session, person: Person, name: str) -> User:
    """Return somebody else's account, for an administrator: so one of them is always left."""
    if not person.may(Deed.USERS) or person.name == name:
        raise Denied(Deed.USERS.value)
    return _user(session, name)


def _signed_in(session: Session, user: User, facts: Mapping[str, object]) -> str:
    token = secrets.token_urlsafe(32)
    session.add(
        SignedIn(
            digest=digest_of(token),
            user_id=user.id,
            csrf=secrets.token_urlsafe(32),
            expires=time.time() + SESSION,
        )
    )
    audit.append(session, "sign in", actor=user.name, facts=facts)
    return token


def _let_go(session: Session, user: User, *, actor: str) -> None:
    """End the sessions of *user*, and free what they hold."""
    session.execute(delete(SignedIn).where(SignedIn.user_id == user.id))
    held = select(Document).where(Document.holder_id == user.id).with_for_update()
    for one in session.scalars(held):
        state = GIVEN_BACK[State(one.state)]
        facts = {"from": one.state, "to": state.value, "version": one.version}
        one.state, one.holder_id, one.lease_until = state.value, None, 0.0
        audit.append(session, "freed", actor=actor, document=one.id, facts=facts)


def _verifies(hasher: PasswordHasher, hashed: str, password: str) -> bool:
    try:
        return hasher.verify(hashed, password[:MOST_PASSWORD])
    except VerificationError:
        return False
