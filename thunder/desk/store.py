"""Documents and decisions in a database; every deed with its line in the audit.

Users and sessions are in ``accounts``.

SQLite in WAL mode (a file of mode 0600), or PostgreSQL by its URL. A deed and its line are one
transaction. Two people never hold one document: who comes second is refused, a lease that was
not renewed runs out, and who decides on an older version of a document gets ``Conflict``.
"""

import json
import os
import secrets
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    case,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import Row as SqlRow
from sqlalchemy.orm import Session, sessionmaker

from thunder.desk import audit
from thunder.desk.accounts import Accounts, Denied, Missing, Person, digest_of, require_name
from thunder.desk.evidence import Verdict
from thunder.desk.finding import HEADING, case_numbers
from thunder.desk.models import (
    AuditEntry,
    Case,
    Chain,
    Decision,
    Document,
    File,
    Otherwise,
    Taken,
    Token,
    User,
)
from thunder.desk.policy import Policy, Route
from thunder.desk.states import GIVEN_BACK, HELD_BY, NEXT, RECALLS, Deed, State
from thunder.desk.vault import Vault
from thunder.text.korean import fold

LEASE = 15 * 60.0
"""Seconds after which a document that nobody touched is free again."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x7468756E  # PostgreSQL's, held while the tables are made
_upgrading = threading.Lock()  # Alembic keeps what it does in a variable of the process
DONE_STATES = (State.RELEASED, State.WITHDRAWN)
AT_REST = (*DONE_STATES, State.HELD, State.FAILED)
"""Where nobody works on a document."""

OPEN_STATES = tuple(state for state in State if state not in DONE_STATES)


_SHOWN = (
    Document.id,
    Document.title,
    Document.state,
    Document.risk,
    Document.characters,
    Document.holder_id,
    Document.reviewer_id,
    Document.second_id,
    Document.problem,
    Document.erased,
    Document.route,
)


class Conflict(Exception):
    """Somebody else was first, or the document is not where the step begins."""


@dataclass(frozen=True, slots=True)
class Row:
    """A document as the queue shows it; ``is_own_review``: who asks has read it before."""

    id: str
    title: str = field(repr=False)
    state: State
    risk: int
    characters: int
    holder: str
    is_own_review: bool
    problem: str = ""
    is_erased: bool = False
    route: Route = Route.QUICK

    @property
    def is_held(self) -> bool:
        """Whether somebody has it open."""
        return self.state in HELD_BY


@dataclass(frozen=True, slots=True)
class Held:
    """A document that somebody holds: its words, and what was decided of it.

    ``own`` of the decisions are the holder's. Where two read it, ``first`` and ``second`` are
    theirs; what only one may see is for who judges the readings, never for a page.
    """

    id: str
    title: str = field(repr=False)
    text: str = field(repr=False)
    segments: tuple[tuple[int, int], ...]
    profile: str
    state: State
    version: int
    decisions: tuple[Mapping[str, Any], ...] = field(repr=False)
    reviewer_id: int | None
    format: str = ""
    route: Route = Route.QUICK
    reading: int = 1
    own: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    first: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    second: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    planted: Mapping[str, Any] | None = field(default=None, repr=False)
    missed: int | None = None
    differed: int | None = None
    caught: int | None = None
    is_read_twice: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that is to be de-identified for the first time."""

    id: str
    text: str = field(repr=False)
    segments: tuple[tuple[int, int], ...]
    profile: str


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision as the history shows it."""

    number: int
    who: str
    content: Mapping[str, Any] = field(repr=False)
    is_done: bool


class Store(Accounts):
    """The desk's database, brought to today's tables when it is opened.

    *url* as SQLAlchemy takes it; *two_people*: who reviewed a document cannot confirm it.
    WrongKey (``vault``) where the key is not the one that the database was made with.
    """

    def __init__(
        self,
        url: str,
        vault: Vault,
        *,
        two_people: bool = True,
        lease: float = LEASE,
        policy: Policy | None = None,
    ) -> None:
        super().__init__()
        self._engine = _engine(url)
        self._vault = vault
        self._two_people, self._lease = two_people, lease
        self.policy = policy or Policy()
        self._sessions = sessionmaker(self._engine, expire_on_commit=False)
        with _upgrading, self._engine.begin() as connection:
            _upgrade(connection)
            if connection.scalar(select(Chain.id)) is None:
                witness = vault.seal(secrets.token_hex(32), place="chain")
                first = {"id": 1, "number": 0, "digest": audit.START, "witness": witness}
                connection.execute(insert(Chain), first)
        with self._begin() as session:
            chain = session.scalars(select(Chain)).one()
            self._secret = vault.open(chain.witness, place="chain")

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def _begin(self) -> Iterator[Session]:
        with self._sessions.begin() as session:
            yield session

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Yield a connection whose transaction sees all tables as they are at one moment."""
        with self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    def require_key(self, witness: bytes) -> None:
        """Return nothing; WrongKey where the vault's key is not that of the desk of *witness*."""
        self._secret = self._vault.open(witness, place="chain")

    # --- programs --------------------------------------------------------------------------------

    def add_token(self, name: str, *, actor: str) -> str:
        """Return a new token for the program *name*; ValueError for a name that is taken or bad.

        The database has its digest alone.
        """
        require_name(name)
        token = secrets.token_urlsafe(32)
        with self._begin() as session:
            if session.get(Token, name):
                raise ValueError("there is a token of this name already")
            session.add(Token(name=name, digest=digest_of(token), added=time.time()))
            audit.append(session, "add token", actor=actor, facts={"token": name})
        return token

    def revoke_token(self, name: str, *, actor: str) -> None:
        """Take the token of *name* out; Missing where there is none."""
        with self._begin() as session:
            found = session.get(Token, name)
            if found is None:
                raise Missing("token")
            session.delete(found)
            audit.append(session, "revoke token", actor=actor, facts={"token": name})

    def tokens(self) -> list[str]:
        """Return the names of the programs that may ask."""
        with self._begin() as session:
            return list(session.scalars(select(Token.name).order_by(Token.name)))

    def program(self, token: str) -> str:
        """Return whose token it is; Denied for nobody's."""
        with self._begin() as session:
            found = session.scalars(
                select(Token).where(Token.digest == digest_of(token))
            ).one_or_none()
            if found is None:
                raise Denied("token")
            return found.name

    # --- documents -------------------------------------------------------------------------------

    def add(
        self,
        title: str,
        text: str,
        *,
        segments: Sequence[tuple[int, int]] = (),
        profile: str,
        risk: int | None,
        actor: str,
        once: str = "",
        file: tuple[str, bytes] | None = None,
    ) -> str:
        """Add a document and return its id, which says nothing of it.

        *file*: format and bytes of what it came in, where its result is to be such a file, too.

        It is free to be claimed, or where its *risk* is not known (None) waits for that. Conflict
        where *once* was given with a document before.
        """
        id = secrets.token_hex(16)
        route = self._route(id, risk, len(text), profile) if risk is not None else Route.QUICK
        content = json.dumps({"text": text, "segments": list(segments)}, ensure_ascii=False)
        with self._begin() as session:
            if once:
                digest = self._veil(once)
                if session.get(Taken, digest):
                    raise Conflict("it came in before")
                session.add(Taken(digest=digest, added=time.time()))
            session.add(
                Document(
                    id=id,
                    title=self._vault.seal(title, place=f"{id}/title"),
                    original=self._vault.seal(content, place=f"{id}/original"),
                    profile=profile,
                    state=(State.WAITING if risk is None else State.FREE).value,
                    risk=risk or 0,
                    characters=len(text),
                    version=0,
                    added=time.time(),
                    moved=time.time(),
                    route=route.value,
                )
            )
            session.flush()
            for number in case_numbers(f"{title}\n{text[:HEADING]}"):
                session.add(Case(document_id=id, digest=self._veil(f"case {number}")))
            facts = {"characters": len(text), "profile": profile, "text": self._veil(text)}
            if file is not None:
                session.flush()  # the document's row comes first
                sealed = self._vault.seal_bytes(file[1], place=f"{id}/file")
                session.add(File(document_id=id, format=file[0], content=sealed))
                facts["format"] = file[0]
            audit.append(session, "import", actor=actor, document=id, facts=facts)
        return id

    def waiting(self, most: int, *, but: Collection[str] = ()) -> list[Waiting]:
        """Return up to *most* documents that wait to be de-identified, the oldest first."""
        with self._begin() as session:
            found = session.scalars(
                select(Document)
                .where(Document.state == State.WAITING.value, Document.id.not_in(but))
                .order_by(Document.added, Document.id)
                .limit(most)
            ).all()
            return [self._waiting(one) for one in found]

    def _waiting(self, one: Document) -> Waiting:
        content = json.loads(self._vault.open(one.original, place=f"{one.id}/original"))
        segments = tuple((start, end) for start, end in content["segments"])
        return Waiting(one.id, content["text"], segments, one.profile)

    def ready(self, id: str, *, risk: int, plant: Mapping[str, str] | None = None) -> None:
        """Put a document that waited into the queue, on the route that the policy gives it.

        *plant*: the ``wording`` and ``label`` of a mask that may be shown open to its reviewer,
        where the document is read in full and drawn for that.
        """
        with self._waited(id) as (session, one):
            route = self._route(id, risk, one.characters, one.profile)
            one.state, one.risk, one.problem = State.FREE.value, risk, ""
            one.route = route.value
            facts = {"risk": risk, "route": route.value}
            if plant and route is not Route.QUICK and self._is_drawn(id, "planted"):
                content = json.dumps(dict(plant), ensure_ascii=False)
                one.planted = self._vault.seal(content, place=f"{id}/planted")
            audit.append(session, "de-identify", actor="", document=id, facts=facts)

    def failed(self, id: str, problem: str) -> None:
        """Note why a document that waited was not de-identified, without its words."""
        with self._waited(id) as (session, one):
            one.state, one.problem = State.FAILED.value, problem[:200]
            audit.append(session, "fail", actor="", document=id, facts={"problem": problem})

    @contextmanager
    def _waited(self, id: str) -> Iterator[tuple[Session, Document]]:
        with self._begin() as session:
            one = self._document(session, id)
            if one.state != State.WAITING.value:
                raise Conflict("another process was quicker")
            one.moved = time.time()
            yield session, one

    def _route(self, id: str, risk: int, characters: int, profile: str) -> Route:
        chance = self._chance(id, "sampled")
        return self.policy.route(risk=risk, characters=characters, profile=profile, chance=chance)

    def _is_drawn(self, id: str, what: str) -> bool:
        share = self.policy.planted.share if what == "planted" else self.policy.second.share
        return self._chance(id, what) < share

    def _chance(self, id: str, what: str) -> float:
        """Return a number from 0 to 1 that nobody can tell who has not the desk's secret."""
        return int(self._vault.digest(f"{what}/{id}", salt=self._secret)[:13], 16) / 16**13

    def state(self, id: str) -> State:
        """Return where a document stands; Missing where there is none."""
        with self._begin() as session:
            return State(self._document(session, id).state)

    def title(self, id: str) -> str:
        """Return what a document is called."""
        with self._begin() as session:
            one = self._document(session, id)
            return self._vault.open(one.title, place=f"{id}/title")

    def queue(
        self,
        person: Person,
        *,
        states: Collection[State] = OPEN_STATES,
        most: int = 300,
        after: int = 0,
    ) -> list[Row]:
        """Return *most* documents of *states* *after* so many: what the person holds, the riskiest.

        What is released or withdrawn comes by its last step, the latest first.
        """
        _require(person, Deed.QUEUE)
        is_done = set(states) <= set(DONE_STATES)
        order = [Document.moved.desc()] if is_done else [Document.risk.desc(), Document.added]
        with self._begin() as session:
            self._free_idle(session)
            ids = list(
                session.scalars(
                    select(Document.id)
                    .where(Document.state.in_([state.value for state in states]))
                    .order_by(
                        case((Document.holder_id == person.id, 0), else_=1), *order, Document.id
                    )
                    .offset(after)
                    .limit(most)
                )
            )
            found = select(*_SHOWN).where(Document.id.in_(ids))
            rows = {row.id: row for row in self._rows(session, person, found)}
            return [rows[id] for id in ids]

    def find(self, person: Person, words: str, *, most: int = 300) -> list[Row]:
        """Return up to *most* documents by the case numbers that *words* names, else by title.

        A number is looked for in titles and headings. No state is left out.
        """
        _require(person, Deed.QUEUE)
        numbers = case_numbers(words)
        with self._begin() as session:
            if numbers:
                digests = [self._veil(f"case {number}") for number in numbers]
                those = select(Case.document_id).where(Case.digest.in_(digests))
            else:
                wanted = _plain(words)
                titles = session.execute(select(Document.id, Document.title))
                named = (
                    id
                    for id, title in titles
                    if wanted and wanted in _plain(self._vault.open(title, place=f"{id}/title"))
                )
                those = select(Document.id).where(Document.id.in_(list(islice(named, most))))
            found = select(*_SHOWN).where(Document.id.in_(those)).order_by(Document.moved.desc())
            return self._rows(session, person, found.limit(most))

    def _rows(
        self, session: Session, person: Person, found: "Select[*tuple[Any, ...]]"
    ) -> list[Row]:
        names = {user.id: user.name for user in session.scalars(select(User))}
        return [
            Row(
                one.id,
                self._vault.open(one.title, place=f"{one.id}/title"),
                State(one.state),
                one.risk,
                one.characters,
                names.get(one.holder_id or 0, ""),
                person.id in _readers(one, State(one.state)),
                one.problem,
                bool(one.erased),
                Route(one.route),
            )
            for one in session.execute(found)
        ]

    def counts(self) -> dict[str, int]:
        """Return how many documents stand in each state."""
        with self._begin() as session:
            rows = session.execute(
                select(Document.state, func.count()).group_by(Document.state)
            ).all()
            return {state: count for state, count in rows}

    def held(self, person: Person, id: str) -> Held:
        """Return a document that *person* holds, the lease renewed; Denied for anybody else."""
        with self._begin() as session:
            one = self._own(session, person, id)
            return self._held(session, one)

    def finished(self) -> Iterator[Held]:
        """Yield what was released, with its words and decisions: for the owner of the desk.

        Not what was erased.
        """
        for id in self.released():
            with self._begin() as session:
                one = self._document(session, id)
                held = None if one.erased else self._held(session, one)
            if held is not None:
                yield held

    def _held(self, session: Session, one: Document) -> Held:
        content = json.loads(self._vault.open(one.original, place=f"{one.id}/original"))
        decisions = [d for d in self._decisions(session, one.id) if d.status == "done"]
        of: dict[int, list[Decision]] = {1: [], 2: [], 3: []}
        for decision in decisions:
            of[decision.reading].append(decision)
        own = [d for d in of[one.reading] if d.user_id == one.holder_id]
        planted = one.planted and self._vault.open(one.planted, place=f"{one.id}/planted")
        return Held(
            one.id,
            self._vault.open(one.title, place=f"{one.id}/title"),
            content["text"],
            tuple((start, end) for start, end in content["segments"]),
            one.profile,
            State(one.state),
            one.version,
            tuple(map(self._content, of[one.reading])),
            one.reviewer_id,
            session.scalar(select(File.format).where(File.document_id == one.id)) or "",
            Route(one.route),
            one.reading,
            tuple(map(self._content, own)),
            tuple(map(self._content, of[1])),
            tuple(map(self._content, of[2])),
            json.loads(planted) if planted else None,
            one.missed,
            one.differed,
            one.caught,
            self._is_drawn(one.id, "second"),
        )

    def file(self, person: Person, id: str) -> bytes:
        """Return the file that a document came in, which *person* holds; Missing without one."""
        with self._begin() as session:
            self._own(session, person, id)
            found = session.get(File, id)
            if found is None:
                raise Missing("file")
            return self._vault.open_bytes(found.content, place=f"{id}/file")

    def claim(self, person: Person, id: str) -> State:
        """Give *person* a document to review or to confirm; Conflict where somebody has it."""
        with self._begin() as session:
            self._free_idle(session)
            one = self._document(session, id)
            state = _after("claim", State(one.state))
            _require(person, HELD_BY[state])
            if state is State.CONFIRMING:
                is_own = self._two_people and one.reviewer_id == person.id
            else:
                is_own = state is not State.CLAIMED and person.id in _readers(one, state)
            if is_own:
                raise Denied("another person has to")
            one.holder_id, one.lease_until = person.id, time.time() + self._lease
            self._move(session, one, state, "claim", person, {})
            return state

    def step(
        self,
        person: Person,
        id: str,
        name: str,
        *,
        version: int,
        facts: Mapping[str, object] | None = None,
        reason: str = "",
        found: Mapping[str, int] | None = None,
    ) -> State:
        """Take a document that *person* holds a step on (``states.NEXT``) and let go of it.

        *found*: what a reading found (columns of ``models.Document``), noted with the step.
        The *reason* stands sealed beside the decisions; the audit has its keyed digest.
        """
        with self._begin() as session:
            one = self._own(session, person, id)
            _require_version(one, version)
            state = _after(name, State(one.state))
            said = dict(facts or {}) | ({"reason": self._veil(reason)} if reason else {})
            said |= found or {}
            for column, value in (found or {}).items():
                setattr(one, column, value)
            if reason:
                self._add(session, one, person.id, {"kind": "note", "text": reason})
            self._pass_on(session, one, person, name)
            one.holder_id, one.lease_until = None, 0.0
            self._move(session, one, state, name, person, said)
            return state

    def _pass_on(self, session: Session, one: Document, person: Person, name: str) -> None:
        """Note who has read, and whose decisions hold from now on."""
        was = State(one.state)
        if was is State.REREADING and name in ("finish", "differ", "hold"):
            one.second_id, one.reading = person.id, 1
        elif was in (State.CLAIMED, State.SETTLING) and name in ("finish", "to be read again"):
            one.reviewer_id = person.id
        if name == "to be read again":
            one.reading = 2
        elif name == "differ":
            one.reading = 3
            for decision in self._decisions(session, one.id):
                content = self._content(decision)
                if (
                    decision.reading == 1
                    and decision.status == "done"
                    and content["kind"] != "read"
                ):
                    self._add(session, one, decision.user_id, content)

    def recall(self, person: Person, id: str, name: str, *, reason: str = "") -> State:
        """Take a document that nobody holds a step of ``states.RECALLS`` on.

        The *reason* stands sealed beside the decisions; the audit has its keyed digest.
        """
        _require(person, Deed.RECALL)
        with self._begin() as session:
            one = self._document(session, id)
            state = _after(name if name in RECALLS else "", State(one.state))
            if one.erased and name != "withdraw":
                raise Conflict("its original was deleted: import it again")
            facts = {"reason": self._veil(reason)} if reason else {}
            if reason:
                self._add(session, one, person.id, {"kind": "note", "text": reason})
            if name == "correct":
                one.reviewer_id = None
            self._move(session, one, state, name, person, facts)
            return state

    def erase(self, before: float, *, rule: str) -> list[str]:
        """Delete original and decisions of what nobody works on since *before*; return the ids.

        Each with its proof in the audit: the text's keyed digest, as it stands in the line of its
        import, how many decisions, by which *rule*. Title, result and audit stay.
        """
        with self._begin() as session:
            due = list(
                session.scalars(
                    select(Document.id)
                    .where(Document.state.in_([state.value for state in AT_REST]))
                    .where(Document.erased == 0.0, Document.moved < before)
                )
            )
        erased = []
        for id in due:
            with self._begin() as session:
                one = self._document(session, id)
                if one.erased or one.moved >= before or State(one.state) not in AT_REST:
                    continue  # somebody was quicker
                text = json.loads(self._vault.open(one.original, place=f"{id}/original"))["text"]
                decisions = self._decisions(session, id)
                facts = {
                    "text": self._veil(text),
                    "characters": one.characters,
                    "decisions": len(decisions),
                    "state": one.state,
                    "last step": round(one.moved, 3),
                    "rule": rule,
                }
                one.original, one.planted, one.erased = b"", None, time.time()
                for decision in decisions:
                    decision.content = b""
                session.execute(delete(File).where(File.document_id == id))
                audit.append(session, "erase", actor="", document=id, facts=facts)
                erased.append(id)
        if erased:
            self._sweep()
        return erased

    def _sweep(self) -> None:
        """Have the database let go of what was deleted, as far as it is asked."""
        with self._engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def released(self) -> list[str]:
        """Return the ids of what was released."""
        with self._begin() as session:
            found = select(Document.id).where(Document.state == State.RELEASED.value)
            return list(session.scalars(found))

    def noted(self) -> dict[str, dict[str, str]]:
        """Return the files of each released document, suffix and SHA-256, as the audit has them."""
        with self._begin() as session:
            lines = select(AuditEntry.entry).order_by(AuditEntry.number)
            found = dict(map(_files, session.scalars(lines.where(_says("action", "release")))))
            released = select(Document.id).where(Document.state == State.RELEASED.value)
            return {id: found.get(id, {}) for id in session.scalars(released)}

    @contextmanager
    def settled(self, id: str) -> Iterator[tuple[State | None, dict[str, str]]]:
        """Yield where a document stands (None: there is none), and the files released last.

        Nobody takes a step on it meanwhile.
        """
        with self._begin() as session:
            try:
                state = State(self._document(session, id).state)
            except Missing:
                yield None, {}
                return
            last = session.scalars(
                select(AuditEntry.entry)
                .where(_says("document", id), _says("action", "release"))
                .order_by(AuditEntry.number.desc())
                .limit(1)
            ).one_or_none()
            yield state, _files(last)[1] if last else {}

    def keep_compared(self, id: str, places: Mapping[str, int] | None) -> None:
        """Keep by how many *places* a released document would come out otherwise; None: by none."""
        with self._begin() as session:
            session.execute(delete(Otherwise).where(Otherwise.document_id == id))
            if places is not None and self._document(session, id).state == State.RELEASED.value:
                session.add(Otherwise(document_id=id, compared=time.time(), **places))

    def otherwise(self, person: Person, *, most: int = 300) -> list[tuple[Row, Otherwise]]:
        """Return the released documents that would come out otherwise, most places opened first."""
        _require(person, Deed.AUDIT)
        with self._begin() as session:
            kept = session.scalars(
                select(Otherwise)
                .order_by(Otherwise.masked.desc(), Otherwise.opened.desc(), Otherwise.document_id)
                .limit(most)
            ).all()
            those = [one.document_id for one in kept]
            found = select(*_SHOWN).where(Document.id.in_(those))
            rows = {row.id: row for row in self._rows(session, person, found)}
            return [(rows[one.document_id], one) for one in kept]

    def verdicts(self) -> tuple[list[Verdict], int, int]:
        """Return what readings found in what is released, and planted leaks: all, and caught."""
        missed = case((Document.missed > 0, 1), (Document.missed == 0, 0))
        leaked = case((Document.leaked > 0, 1), (Document.leaked == 0, 0))
        with self._begin() as session:
            rows = session.execute(
                select(Document.route, missed, leaked, func.count())
                .where(Document.state == State.RELEASED.value)
                .group_by(Document.route, missed, leaked)
            ).all()
            rows_of_plants = session.execute(
                select(Document.caught, func.count())
                .where(Document.caught.is_not(None))
                .group_by(Document.caught)
            ).all()
            caught = {bool(value): count for value, count in rows_of_plants}
        found = [Verdict(r, _truth(m), _truth(k), count) for r, m, k, count in rows]
        return found, sum(caught.values()), caught.get(True, 0)

    def audited(self, *, most: int | None = None) -> list[dict[str, Any]]:
        """Return the lines of the audit, the last *most* of them, in their order."""
        with self._begin() as session:
            found = select(AuditEntry.entry).order_by(AuditEntry.number.desc()).limit(most)
            return [json.loads(line) for line in session.scalars(found)][::-1]

    # --- decisions -------------------------------------------------------------------------------

    def history(self, person: Person, id: str) -> list[Decided]:
        """Return all decisions on a document that *person* holds, but those that were dropped."""
        with self._begin() as session:
            reading = self._own(session, person, id).reading
            names = {user.id: user.name for user in session.scalars(select(User))}
            return [
                Decided(one.number, names[one.user_id], self._content(one), one.status == "done")
                for one in self._decisions(session, id)
                if one.status != "dropped"
                and one.reading == reading
                and self._content(one)["kind"] != "read"
            ]

    def decide(
        self,
        person: Person,
        id: str,
        content: Mapping[str, Any],
        *,
        version: int,
        labels: Sequence[str] = (),
        is_of_plant: bool = False,
    ) -> int:
        """Store a decision on *version* of a document and return the new version.

        For the audit: *labels* of what it opens, and whether it masks what was planted.
        """
        with self._begin() as session:
            one = self._own(session, person, id)
            _require_version(one, version)
            for old in self._decisions(session, id):
                if old.status == "undone" and old.reading == one.reading:
                    old.status = "dropped"
            self._add(session, one, person.id, content)
            one.version += 1
            facts = self._facts(content) | ({"labels": list(labels)} if labels else {})
            facts |= {"planted": True} if is_of_plant else {}
            audit.append(session, "decide", actor=person.name, document=id, facts=facts)
            return one.version

    def undo(self, person: Person, id: str, *, version: int) -> int:
        """Take back the last decision and return the new version; Conflict without one."""
        return self._turn(person, id, version, "undo", "done", "undone")

    def redo(self, person: Person, id: str, *, version: int) -> int:
        """Take the last decision that was undone again and return the new version."""
        return self._turn(person, id, version, "redo", "undone", "done")

    def _turn(self, person: Person, id: str, version: int, name: str, old: str, new: str) -> int:
        with self._begin() as session:
            one = self._own(session, person, id)
            _require_version(one, version)
            found = [
                d
                for d in self._decisions(session, id)
                if d.status == old
                and d.reading == one.reading
                and self._content(d)["kind"] != "read"
            ]
            if not found:
                raise Conflict(f"nothing to {name}")
            decision = found[-1] if name == "undo" else found[0]
            decision.status = new
            one.version += 1
            facts = {"decision": decision.number}
            audit.append(session, name, actor=person.name, document=id, facts=facts)
            return one.version

    def verify(self) -> audit.Verified:
        """Return how long the audit is, its chain whole; ``audit.Broken`` where it is not."""
        with self._begin() as session:
            return audit.verify(session)

    def note(self, action: str, *, actor: str, facts: Mapping[str, object]) -> None:
        """Add a line to the audit that belongs to no document."""
        with self._begin() as session:
            audit.append(session, action, actor=actor, facts=facts)

    def note_erased(self, digests: Sequence[str], *, rule: str) -> None:
        """Note that files of these digests were deleted, as the keyed digest of each."""
        facts = {"files": [self._veil(one) for one in digests], "rule": rule}
        self.note("erase files", actor="", facts=facts)

    # --- what the steps share --------------------------------------------------------------------

    def _veil(self, text: str) -> str:
        return self._vault.digest(text, salt=self._secret)

    def _facts(self, content: Mapping[str, Any]) -> dict[str, object]:
        """Return of a decision what the audit may say: words as their keyed digests."""
        facts: dict[str, object] = {}
        for key, value in content.items():
            if key in ("wording", "text", "said"):
                facts[key] = self._veil(value)
            elif key == "wordings":
                facts[key] = [self._veil(one) for one in value]
            else:
                facts[key] = value
        return facts

    def _add(
        self, session: Session, one: Document, user_id: int, content: Mapping[str, Any]
    ) -> None:
        last = session.scalar(
            select(func.max(Decision.number)).where(Decision.document_id == one.id)
        )
        number = (last or 0) + 1
        sealed = self._vault.seal(
            json.dumps(dict(content), ensure_ascii=False), place=f"{one.id}/{number}"
        )
        session.add(
            Decision(
                document_id=one.id,
                number=number,
                user_id=user_id,
                content=sealed,
                reading=one.reading,
            )
        )
        session.flush()  # the next number follows

    def _decisions(self, session: Session, id: str) -> list[Decision]:
        found = select(Decision).where(Decision.document_id == id).order_by(Decision.number)
        return list(session.scalars(found))

    def _content(self, decision: Decision) -> Mapping[str, Any]:
        place = f"{decision.document_id}/{decision.number}"
        found: dict[str, Any] = json.loads(self._vault.open(decision.content, place=place))
        return found

    def _document(self, session: Session, id: str) -> Document:
        one = session.scalars(
            select(Document).where(Document.id == id).with_for_update()
        ).one_or_none()
        if one is None:
            raise Missing("document")
        return one

    def _own(self, session: Session, person: Person, id: str) -> Document:
        """Return the document if *person* holds it still, the lease renewed."""
        one = self._document(session, id)
        deed = HELD_BY.get(State(one.state))
        is_own = one.holder_id == person.id and one.lease_until > time.time()
        if deed is None or not is_own or not person.may(deed):
            raise Denied("document")
        one.lease_until = time.time() + self._lease
        return one

    def _move(
        self,
        session: Session,
        one: Document,
        state: State,
        name: str,
        person: Person,
        facts: Mapping[str, object],
    ) -> None:
        if State.RELEASED.value in (one.state, state.value):  # it is another result
            session.execute(delete(Otherwise).where(Otherwise.document_id == one.id))
        said = {"from": one.state, "to": state.value, "version": one.version, **facts}
        one.state, one.moved = state.value, time.time()
        audit.append(session, name, actor=person.name, document=one.id, facts=said)

    def _free_idle(self, session: Session) -> None:
        idle = session.scalars(
            select(Document)
            .where(Document.state.in_([state.value for state in GIVEN_BACK]))
            .where(Document.lease_until < time.time())
            .with_for_update(skip_locked=True)
        )
        for one in idle:
            state = GIVEN_BACK[State(one.state)]
            facts = {"from": one.state, "to": state.value}
            one.state, one.holder_id = state.value, None
            audit.append(session, "lease ran out", actor="", document=one.id, facts=facts)


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _readers(one: "Document | SqlRow[Any]", state: State) -> set[int]:
    """Return who cannot have a document next: who read it before; to confirm, the reviewer."""
    found = {one.reviewer_id}
    if state not in (State.REVIEWED, State.CONFIRMING):
        found.add(one.second_id)
    return {user for user in found if user is not None}


def _says(key: str, value: str) -> ColumnElement[bool]:
    """Return the condition that a line of the audit has *value* as its *key*."""
    return AuditEntry.entry.contains(f'"{key}": "{value}"', autoescape=True)


def _files(line: str) -> tuple[str, dict[str, str]]:
    """Return of a release's line the document and its files: suffix and SHA-256."""
    entry = json.loads(line)
    facts = entry["facts"]
    return entry["document"], dict(facts.get("files") or {"txt": facts.get("sha256", "")})


def _plain(words: str) -> str:
    """Return *words* as titles are compared: no spaces, no case, no disguise."""
    return "".join(fold(words).text.split()).casefold()


def _require(person: Person, deed: Deed) -> None:
    if not person.may(deed):
        raise Denied(deed.value)


def _require_version(one: Document, version: int) -> None:
    if one.version != version:
        raise Conflict("the document has changed")


def _after(step: str, state: State) -> State:
    try:
        return NEXT[step][state]
    except KeyError:
        raise Conflict(f"no {step} from {state.value}") from None


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite:///"):
        return create_engine(url, pool_pre_ping=True)
    path = Path(url.removeprefix("sqlite:///"))
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    path.chmod(0o600)  # SQLite gives its journals the mode of the database
    engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, record: object) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "busy_timeout=30000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA secure_delete=ON")

    @event.listens_for(engine, "begin")
    def _lock(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # who reads first and writes then never fails

    return engine


def _upgrade(connection: Connection) -> None:
    """Bring the tables to today's; nothing is done where they are. One at a time does."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if not inspect(connection).has_table("audit"):
        raise RuntimeError("the tables were not made")
