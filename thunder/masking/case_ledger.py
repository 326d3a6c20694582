"""Letters kept over the instances of a case and over joined cases: a ledger without names.

A family is the cases that belong together: of first instance, on appeal, joined. It has a random
key. What the ledger keeps of a name is a tag, HMAC-SHA-256 under that key, with the letter that was
given out; which text a row is of is a tag under the court's key. The keys are in a file of their
own, elsewhere. Without it the ledger says how many families, letters and standings there are.

Two passes: ``Ledger.assign`` gives out letters, a family at a time, in the order of instances;
``CaseLetters`` then looks them up for a text and changes nothing, so that any number of processes,
in any order, write the same.
"""

import hashlib
import hmac
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from thunder.text.letters import letters

PERSON, THING = "person", "thing"
_WAIT = 60.0  # seconds for another run that assigns
_LEDGER = """
CREATE TABLE about (format INTEGER, check_tag BLOB, decided INTEGER);
CREATE TABLE family (tag BLOB PRIMARY KEY, place INTEGER);
CREATE TABLE of_case (tag BLOB PRIMARY KEY, family BLOB);
CREATE TABLE entry (family BLOB, number INTEGER, letter TEXT, kind TEXT,
    standings TEXT, PRIMARY KEY (family, number));
CREATE TABLE name (family BLOB, tag BLOB, number INTEGER, PRIMARY KEY (family, tag, number));
CREATE TABLE birth (family BLOB, number INTEGER, tag BLOB, PRIMARY KEY (family, number, tag));
CREATE TABLE judgment (tag BLOB PRIMARY KEY, family BLOB, place INTEGER);
CREATE TABLE used (judgment BLOB, tag BLOB, number INTEGER, PRIMARY KEY (judgment, tag, number));
CREATE TABLE question (id INTEGER PRIMARY KEY AUTOINCREMENT, family BLOB, judgment BLOB,
    number INTEGER, other INTEGER, reason TEXT);
"""
_KEYS = """
CREATE TABLE court (key BLOB);
CREATE TABLE family (tag BLOB PRIMARY KEY, key BLOB);
"""
_OF_FAMILY = ("family", "of_case", "entry", "name", "birth", "judgment", "question")

SAME_NAME = "앞 심급의 {letter}와 이름이 같지만 같은 사람인지 알 수 없습니다"
TWO_FIT = "앞 심급의 여러 글자({letter})와 이름이 같습니다"


class LedgerError(ValueError):
    """A ledger or its keys that cannot be used; the text says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or thing that a judgment masks: its normalised names, standings and birth dates."""

    kind: str
    names: tuple[str, ...] = field(repr=False)
    standings: frozenset[str] = frozenset()
    births: frozenset[str] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment to be assigned: its case, the SHA-256 of its text, its letters and entities.

    ``standing_letters``: those that its original has already. Entities are in order of appearance.
    """

    case: str
    id: str = field(repr=False)
    digest: bytes
    standing_letters: frozenset[str]
    entities: tuple[Entity, ...]


class Question(NamedTuple):
    """What a person has to decide: is the one with *letter* the one that *others* have already?

    ``judgment`` is the id, where it is known; a ledger does not keep ids.
    """

    number: int
    letter: str
    other: str
    standings: tuple[str, str]
    judgment: str = ""


@dataclass(slots=True)
class Assigned:
    """What an assignment did: judgments new and known, letters given and kept, questions."""

    judgments: int = 0
    known: int = 0
    given: int = 0
    kept: int = 0
    questions: list[Question] = field(default_factory=list)

    def add(self, other: "Assigned") -> None:
        """Count *other* in."""
        self.judgments += other.judgments
        self.known += other.known
        self.given += other.given
        self.kept += other.kept
        self.questions += other.questions


def digest_of(text: str) -> bytes:
    """Return the SHA-256 of a judgment's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _tag(key: bytes, kind: str, *parts: str | bytes) -> bytes:
    said = [
        part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts
    ]
    message = b"\0".join([kind.encode(), *said])
    return hmac.new(key, message, hashlib.sha256).digest()


def _name_tags(key: bytes, entity: Entity) -> list[bytes]:
    return [_tag(key, entity.kind, name) for name in entity.names]


# --- keys -----------------------------------------------------------------------------------------


class Keys:
    """The court's key and those of the families, in a file that its owner alone can read."""

    def __init__(self, path: Path, *, may_create: bool = False) -> None:
        is_new = not path.exists()
        if is_new and not may_create:
            raise LedgerError(
                f"{path}: 열쇠 파일이 없습니다: 있는 곳을 주십시오; 없앴다면 글자를 이을 수 "
                "없습니다"
            )
        if is_new:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        elif stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise LedgerError(f"{path}: 다른 사람도 읽을 수 있습니다: chmod 600으로 막으십시오")
        self.path = path
        self._db = _connect(path)
        try:
            _prepare(self._db, _KEYS if is_new else "")
            if is_new:
                self._db.execute("INSERT INTO court VALUES (?)", (secrets.token_bytes(32),))
            [(self.court,)] = self._db.execute("SELECT key FROM court")
        except (sqlite3.DatabaseError, ValueError):
            self._db.close()
            raise LedgerError(f"{path}: 열쇠 파일이 아닙니다: 다른 파일을 주십시오") from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def family(self, tag: bytes) -> bytes | None:
        """Return the key of a family; None where it is destroyed, or was never."""
        found = self._db.execute("SELECT key FROM family WHERE tag = ?", (tag,)).fetchone()
        return bytes(found[0]) if found else None

    def new_family(self, tag: bytes) -> bytes:
        """Return the key of a family, made where there is none."""
        fresh = (tag, secrets.token_bytes(32))
        self._db.execute("INSERT OR IGNORE INTO family VALUES (?, ?)", fresh)
        found = self.family(tag)
        assert found is not None
        return found

    def forget(self, tag: bytes) -> None:
        """Destroy the key of a family."""
        self._db.execute("DELETE FROM family WHERE tag = ?", (tag,))


def destroy(path: Path) -> None:
    """Overwrite the key file *path* with zeros and remove it: its ledgers say nothing any more.

    LedgerError for what is no key file. Copies that were made of it are not reached.
    """
    closing_keys = Keys(path)
    closing_keys.close()
    for one in (path, Path(f"{path}-journal"), Path(f"{path}-wal")):
        if one.exists():
            with one.open("r+b") as stream:
                stream.write(b"\0" * one.stat().st_size)
                stream.flush()
                os.fsync(stream.fileno())
            one.unlink()


def _connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rw'}"
    return sqlite3.connect(address, uri=True, timeout=_WAIT, isolation_level=None)


def _prepare(db: sqlite3.Connection, schema: str) -> None:
    """Have what is deleted be overwritten, and make the tables of a new file."""
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA synchronous = FULL")
    if schema:
        db.executescript(schema)


# --- the ledger -----------------------------------------------------------------------------------


class Ledger:
    """A ledger that letters are given out by; made, with its keys, where neither is there."""

    def __init__(self, path: Path, keys: Path, *, may_create: bool = False) -> None:
        if path.resolve().parent == keys.resolve().parent:
            raise LedgerError(f"{keys}: 열쇠가 장부와 같은 폴더에 있습니다: 다른 곳에 두십시오")
        is_new = not path.exists()
        if is_new and not may_create:
            raise LedgerError(f"{path}: 장부가 없습니다: 먼저 thunder letters assign을 하십시오")
        self.keys = Keys(keys, may_create=is_new)
        check = _tag(self.keys.court, "check")
        if is_new:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._db = _connect(path)
        try:
            if is_new:
                _prepare(self._db, _LEDGER)
                self._db.execute("INSERT INTO about VALUES (1, ?, 0)", (check,))
            _require_check(self._db, check, path, keys)
            _prepare(self._db, "")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of ledger and keys."""
        self._db.close()
        self.keys.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the ledger against other runs; what is done in the block is done whole or not."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            raise LedgerError(
                "다른 실행이 장부에 적고 있습니다: 끝나기를 기다려 다시 하십시오"
            ) from None
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def assign(self, cases: Sequence[str], judgments: Sequence[Judgment]) -> Assigned:
        """Return what was done for one family: its *cases*, and *judgments* in their order.

        A judgment that was assigned stays as it was. LedgerError for cases of two families that
        have letters already.
        """
        with self._locked():
            family = self._family(cases)
            key = self.keys.new_family(family)
            standing = frozenset().union(*(one.standing_letters for one in judgments))
            done = Assigned()
            for judgment in judgments:
                done.add(self._assign(family, key, judgment, standing))
            return done

    def _family(self, cases: Sequence[str]) -> bytes:
        tags = [_tag(self.keys.court, "case", case) for case in cases]
        marks = ",".join("?" * len(tags))
        sql = f"SELECT DISTINCT family FROM of_case WHERE tag IN ({marks})"
        found = [bytes(one) for (one,) in self._db.execute(sql, tags)]
        if len(found) > 1:
            raise LedgerError(
                f"{cases[0]} 등 {len(cases)}건: 이미 따로 글자를 준 사건들입니다: "
                "thunder letters close로 닫고 병합된 사건의 판결을 모두 한 번에 배정하십시오"
            )
        family = found[0] if found else _tag(self.keys.court, "family", min(cases))
        self._db.execute("INSERT OR IGNORE INTO family VALUES (?, 0)", (family,))
        self._db.executemany(
            "INSERT OR IGNORE INTO of_case VALUES (?, ?)", [(tag, family) for tag in tags]
        )
        return family

    def _assign(
        self, family: bytes, key: bytes, judgment: Judgment, standing: frozenset[str]
    ) -> Assigned:
        tag = _tag(self.keys.court, "judgment", judgment.digest)
        found = self._db.execute("SELECT family FROM judgment WHERE tag = ?", (tag,)).fetchone()
        if found:
            return Assigned(known=1)
        [(place,)] = self._db.execute(
            "SELECT count(*) FROM judgment WHERE family = ?", (family,)
        ).fetchall()
        self._db.execute("INSERT INTO judgment VALUES (?, ?, ?)", (tag, family, place))
        done, taken_here = Assigned(judgments=1), set[int]()
        for entity in judgment.entities:
            if not entity.names:
                continue
            number, others, reason = self._known(family, key, entity, taken_here)
            if number is None:
                number = self._new_entry(family, entity, standing)
                done.given += 1
            else:
                done.kept += 1
            taken_here.add(number)
            self._learn(family, key, tag, number, entity)
            if others:
                done.questions.append(
                    self._ask(family, tag, number, others, reason)._replace(judgment=judgment.id)
                )
        return done

    def _known(
        self, family: bytes, key: bytes, entity: Entity, taken: set[int]
    ) -> tuple[int | None, list[int], str]:
        """Return the entry that *entity* is; or None, those that it may be, and why it is asked."""
        tags = _name_tags(key, entity)
        marks = ",".join("?" * len(tags))
        named = f"FROM name WHERE family = ? AND tag IN ({marks})"
        sql = f"SELECT DISTINCT number {named} ORDER BY number"
        fitting = [one for (one,) in self._db.execute(sql, (family, *tags)) if one not in taken]
        if entity.kind != PERSON:
            return (fitting[0] if fitting else None), [], ""
        births = {
            _tag(key, "birth", name, birth) for name in entity.names for birth in entity.births
        }
        same, open_ = [], []
        for number in fitting:
            entry = self._entry(family, number)
            known = {
                bytes(one)
                for (one,) in self._db.execute(
                    "SELECT tag FROM birth WHERE family = ? AND number = ?", (family, number)
                )
            }
            if births and known:
                if births & known:
                    return number, [], ""
                continue  # two dates of birth: two persons
            if entity.standings & frozenset(entry.standings.split()):
                same.append(number)
            else:
                open_.append(number)
        if len(same) == 1:
            return same[0], [], ""
        if same:
            return None, same, TWO_FIT
        return None, open_, SAME_NAME

    def _entry(self, family: bytes, number: int) -> "_Entry":
        sql = "SELECT letter, kind, standings FROM entry WHERE family = ? AND number = ?"
        return _Entry(*self._db.execute(sql, (family, number)).fetchone())

    def _new_entry(self, family: bytes, entity: Entity, standing: frozenset[str]) -> int:
        used = {
            one
            for (one,) in self._db.execute("SELECT letter FROM entry WHERE family = ?", (family,))
        }
        letter = next(letters(used=standing | used))
        [(number,)] = self._db.execute(
            "SELECT coalesce(max(number), 0) + 1 FROM entry WHERE family = ?", (family,)
        ).fetchall()
        self._db.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, '')", (family, number, letter, entity.kind)
        )
        return int(number)

    def _learn(
        self, family: bytes, key: bytes, judgment: bytes, number: int, entity: Entity
    ) -> None:
        tags = _name_tags(key, entity)
        add = self._db.executemany
        add("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", [(family, tag, number) for tag in tags])
        add(
            "INSERT OR IGNORE INTO used VALUES (?, ?, ?)", [(judgment, tag, number) for tag in tags]
        )
        births = [_tag(key, "birth", name, one) for name in entity.names for one in entity.births]
        add(
            "INSERT OR IGNORE INTO birth VALUES (?, ?, ?)",
            [(family, number, one) for one in births],
        )
        before = frozenset(self._entry(family, number).standings.split())
        self._db.execute(
            "UPDATE entry SET standings = ? WHERE family = ? AND number = ?",
            (" ".join(sorted(before | entity.standings)), family, number),
        )

    def _ask(
        self, family: bytes, judgment: bytes, number: int, others: Sequence[int], reason: str
    ) -> Question:
        entries = [self._entry(family, one) for one in others]
        said = reason.format(letter=", ".join(one.letter for one in entries))
        found = self._db.execute(
            "INSERT INTO question (family, judgment, number, other, reason) VALUES (?, ?, ?, ?, ?)",
            (family, judgment, number, others[0], said),
        )
        entry = self._entry(family, number)
        their = (entry.standings, entries[0].standings)
        return Question(int(found.lastrowid or 0), entry.letter, entries[0].letter, their)

    # --- what a person decides ----------------------------------------------------------------

    def questions(self) -> list[Question]:
        """Return what is open, in order."""
        rows = self._db.execute("SELECT id, family, number, other FROM question ORDER BY id")
        return [self._question(*row) for row in rows.fetchall()]

    def _question(self, id: int, family: bytes, number: int, other: int) -> Question:
        one, its = self._entry(family, number), self._entry(family, other)
        return Question(id, one.letter, its.letter, (one.standings, its.standings))

    def decide(self, id: int, *, is_same: bool) -> Question:
        """Return the question *id*, decided: one person, who has the earlier letter, or two.

        LedgerError where there is no such question.
        """
        with self._locked():
            sql = "SELECT id, family, number, other FROM question WHERE id = ?"
            row = self._db.execute(sql, (id,)).fetchone()
            if row is None:
                raise LedgerError(
                    f"{id}: 그런 물음이 없습니다: thunder letters questions로 보십시오"
                )
            question = self._question(*row)
            _, family, number, other = row
            self._db.execute("DELETE FROM question WHERE id = ?", (id,))
            if is_same:
                self._join(family, number, other)
            self._db.execute("UPDATE about SET decided = decided + 1")
        return question

    def _join(self, family: bytes, number: int, other: int) -> None:
        run = self._db.execute
        standings = " ".join(
            sorted(
                {
                    word
                    for one in (number, other)
                    for word in self._entry(family, one).standings.split()
                }
            )
        )
        run(
            "UPDATE entry SET standings = ? WHERE family = ? AND number = ?",
            (standings, family, other),
        )
        for table in ("name", "birth"):
            run(
                f"UPDATE OR REPLACE {table} SET number = ? WHERE family = ? AND number = ?",
                (other, family, number),
            )
        run(
            "UPDATE OR REPLACE used SET number = ? WHERE number = ? AND judgment IN "
            "(SELECT tag FROM judgment WHERE family = ?)",
            (other, number, family),
        )
        for column in ("number", "other"):
            run(
                f"UPDATE question SET {column} = ? WHERE family = ? AND {column} = ?",
                (other, family, number),
            )
        run("DELETE FROM question WHERE number = other")
        run("DELETE FROM entry WHERE family = ? AND number = ?", (family, number))

    def forget(self, case: str) -> bool:
        """Return whether the family of *case* was there; its key and all its rows are gone."""
        tag = _tag(self.keys.court, "case", case)
        with self._locked():
            row = self._db.execute("SELECT family FROM of_case WHERE tag = ?", (tag,)).fetchone()
            if row is None:
                return False
            family = bytes(row[0])
            self.keys.forget(family)
            self._db.execute(
                "DELETE FROM used WHERE judgment IN (SELECT tag FROM judgment WHERE family = ?)",
                (family,),
            )
            for table in _OF_FAMILY:
                column = "tag" if table == "family" else "family"
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (family,))
        return True


class _Entry(NamedTuple):
    letter: str
    kind: str
    standings: str


def _require_check(db: sqlite3.Connection, check: bytes, path: Path, keys: Path) -> None:
    try:
        [(format_, found)] = db.execute("SELECT format, check_tag FROM about").fetchall()
    except (sqlite3.DatabaseError, ValueError):
        raise LedgerError(f"{path}: 글자 장부가 아닙니다: 다른 파일을 주십시오") from None
    if format_ != 1 or not hmac.compare_digest(bytes(found), check):
        raise LedgerError(f"{keys}: 이 장부의 열쇠가 아닙니다: {path}를 만들 때의 것을 주십시오")


# --- looking letters up ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OfJudgment:
    """What the ledger has for one text: its family's key and letters, and the text's own."""

    key: bytes = field(repr=False)
    letter_of: Mapping[bytes, str] = field(repr=False)
    question_of: Mapping[bytes, str] = field(repr=False)
    taken: frozenset[str] = frozenset()

    def find(self, entity: Entity) -> tuple[str, str]:
        """Return the letter of *entity*, "" where it has none, and what is asked of it."""
        for tag in _name_tags(self.key, entity):
            if tag in self.letter_of:
                return self.letter_of[tag], self.question_of.get(tag, "")
        return "", ""


@dataclass(frozen=True)
class CaseLetters:
    """Looks up the letters of texts in a ledger, and changes nothing; processes can have it."""

    path: Path
    keys: Path

    def state(self) -> str:
        """Return the SHA-256 of all letters that there are: a run goes on with the same alone."""
        with closing(_read(self.path, self.keys)[0]) as db:
            digest = hashlib.sha256()
            for sql in (
                "SELECT judgment, tag, number FROM used ORDER BY 1, 2, 3",
                "SELECT family, number, letter FROM entry ORDER BY 1, 2",
                "SELECT id, family, number, other FROM question ORDER BY 1",
            ):
                for row in db.execute(sql):
                    digest.update(repr(row).encode())
        return digest.hexdigest()

    def of(self, text: str) -> OfJudgment | None:
        """Return what the ledger has for *text*; None where it was not assigned.

        LedgerError where ledger and keys cannot be read, or do not belong together.
        """
        db, keys = _opened(self.path, self.keys, os.getpid())
        tag = _tag(keys.court, "judgment", digest_of(text))
        row = db.execute("SELECT family FROM judgment WHERE tag = ?", (tag,)).fetchone()
        if row is None:
            return None
        family = bytes(row[0])
        key = keys.family(family)
        if key is None:
            raise LedgerError(f"{self.keys}: 이 사건의 열쇠를 없앴습니다: 다시 배정하십시오")
        sql = (
            "SELECT used.tag, letter, (SELECT group_concat(reason, '; ') FROM question WHERE "
            "question.family = entry.family AND question.number = entry.number) FROM used JOIN "
            "entry ON entry.family = ? AND entry.number = used.number WHERE judgment = ? "
            "ORDER BY used.number DESC"
        )
        rows: list[Any] = db.execute(sql, (family, tag)).fetchall()
        taken = db.execute("SELECT letter FROM entry WHERE family = ?", (family,))
        return OfJudgment(
            key,
            {bytes(one): letter for one, letter, _ in rows},
            {bytes(one): reason for one, _, reason in rows if reason},
            frozenset(letter for (letter,) in taken),
        )


def _read(path: Path, keys: Path) -> tuple[sqlite3.Connection, Keys]:
    if not path.exists():
        raise LedgerError(f"{path}: 장부가 없습니다: 먼저 thunder letters assign을 하십시오")
    held = Keys(keys)
    db = _connect(path, read_only=True)
    try:
        _require_check(db, _tag(held.court, "check"), path, keys)
    except LedgerError:
        db.close()
        held.close()
        raise
    return db, held


@lru_cache(maxsize=4)
def _opened(path: Path, keys: Path, process: int) -> tuple[sqlite3.Connection, Keys]:
    """Return ledger and keys, opened once a process."""
    return _read(path, keys)
