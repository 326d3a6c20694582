"""The audit: append-only, each line chained to the one before by SHA-256.

A line says who did what with which document, when; no original word, no name of a party. Who takes
out, adds or changes one breaks the chain, unless he writes all that follows anew: so keep the last
digest elsewhere, too (``thunder desk verify`` prints it).
"""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from thunder.desk.models import AuditEntry, Chain

START = "0" * 64


class Broken(ValueError):
    """The chain is not whole; the message says from which line on."""


class Verified(NamedTuple):
    """How many lines there are, and the digest of the last."""

    lines: int
    digest: str


def append(
    session: Session, action: str, *, actor: str, document: str = "", facts: Mapping[str, object]
) -> None:
    """Add a line within the transaction of *session*, so that deed and line come about together."""
    end = session.scalars(select(Chain).with_for_update()).one()
    number = end.number + 1
    said = {"number": number, "time": round(time.time(), 3), "actor": actor, "action": action}
    entry = json.dumps(
        said | {"document": document, "facts": dict(facts)}, ensure_ascii=False, sort_keys=True
    )
    end.number, end.digest = number, chained(end.digest, entry)
    session.add(AuditEntry(number=number, entry=entry, digest=end.digest))


def chained(before: str, entry: str) -> str:
    """Return the digest of a line: SHA-256 of the one before and the line."""
    return hashlib.sha256(f"{before}\n{entry}".encode()).hexdigest()


def verify(session: Session) -> Verified:
    """Return how many lines there are, all in their chain; Broken names the first that is not."""
    end = session.scalars(select(Chain)).one()
    rows = session.scalars(
        select(AuditEntry).order_by(AuditEntry.number).execution_options(yield_per=500)
    )
    found = _verified((row.number, row.entry, row.digest) for row in rows)
    if found != (end.number, end.digest):
        raise Broken(f"the audit ends at line {found.lines}, and should at {end.number}")
    return found


def _verified(rows: Iterable[tuple[int, str, str]]) -> Verified:
    digest, number = START, 0
    for number, (given, entry, said) in enumerate(rows, 1):
        digest = chained(digest, entry)
        is_own = json.loads(entry).get("number") == number == given
        if not is_own or digest != said:
            raise Broken(f"line {number} of the audit is not what was written")
    return Verified(number, digest)
