"""Released results that another model, policy or taxonomy would make otherwise.

Each is decided anew from its original and people's decisions, and compared with what was released.
Nothing released is written or taken back: that is an administrator's, document by document.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from thunder.desk.desk import Desk
from thunder.desk.store import Conflict, Held


@dataclass(frozen=True, slots=True)
class Compared:
    """How a released document would come out now.

    Places ``masked`` that were readable, ``opened`` that were masked, ``relettered``; and how many
    ``questions`` would have to be answered first. ``why``: why that cannot be known, else "".
    """

    id: str
    masked: int = 0
    opened: int = 0
    relettered: int = 0
    questions: int = 0
    is_other: bool = False
    why: str = ""


def compared(desk: Desk, *, profile: str = "", most: int = 0) -> Iterator[Compared]:
    """Yield each released document of *desk* as its model and taxonomy would have it now.

    *profile*: another than it was released by; *most*: only the first so many (0: all). What was
    found is kept in the store for the page, and noted in the audit when all is done.
    """
    found: list[Compared] = []
    for held in desk.store.finished():
        if most and len(found) >= most:
            break
        one = _compared(desk, held, profile or held.profile)
        desk.store.keep_compared(one.id, _kept(one))
        found.append(one)
        yield one
    facts = {
        "compared": len(found),
        "other": sum(one.is_other for one in found),
        "unknown": sum(bool(one.why) for one in found),
        "profile": profile,
        "model": desk.model,
    }
    desk.store.note("compare", actor="thunder desk compare", facts=facts)


def _kept(one: Compared) -> dict[str, int] | None:
    if not one.is_other:
        return None
    return {
        "masked": one.masked,
        "opened": one.opened,
        "relettered": one.relettered,
        "questions": one.questions,
    }


def _compared(desk: Desk, held: Held, profile: str) -> Compared:
    try:
        text = desk.released(held.id)
        record = json.loads(desk.place(held.id, "json").read_text(encoding="utf-8"))
        now = desk.decided(held, profile=profile)
    except Conflict:
        return Compared(held.id, why="file")
    except ValueError:
        return Compared(held.id, why="decisions")
    before = {_place(one): one["replacement"] for one in record["result"]["changes"]}
    after = {(one.span.start, one.span.end): one.replacement for one in now.result.changes}
    return Compared(
        held.id,
        masked=len(after.keys() - before.keys()),
        opened=len(before.keys() - after.keys()),
        relettered=sum(after[place] != before[place] for place in after.keys() & before.keys()),
        questions=len(now.open_questions),
        is_other=now.result.text != text,
    )


def _place(change: dict[str, Any]) -> tuple[int, int]:
    return change["start"], change["end"]
