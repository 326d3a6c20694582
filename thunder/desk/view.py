"""What the reading pane shows of a document: marks, questions, who is who. Offsets: code points."""

from collections.abc import Iterable
from typing import Any

from thunder.bulk.marks import marks
from thunder.desk import messages as say
from thunder.desk.desk import OnDesk
from thunder.desk.policy import Route
from thunder.desk.states import State
from thunder.desk.store import Decided
from thunder.masking.audit import Catalogue
from thunder.masking.wordings import key_of
from thunder.text.korean import fold

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def view_of(opened: OnDesk, known: Catalogue, history: list[Decided]) -> dict[str, Any]:
    """Return what the pane shows, as it is sent."""
    result, review = opened.review.result, opened.review
    entities = _entities(opened)
    open_questions = len({_key(one) for one in review.open_questions})
    return {
        "version": opened.held.version,
        "marks": [
            [
                mark.start,
                mark.end,
                result.text[mark.new_start : mark.new_end],
                " ".join(mark.kinds),
                mark.facts["what"],
                mark.facts.get("doubt", ""),
            ]
            for mark in marks(result, known)
            if not any(start < mark.end and mark.start < end for start, end in opened.hidden)
            or "change" in " ".join(mark.kinds)
        ],
        "unread": opened.unread,
        "reading": _reading(opened),
        "questions": _questions(opened),
        "entities": entities,
        "left": say.LEFT(open=open_questions, leaks=review.leaks),
        "may_go": review.may_be_released and not opened.unread,
        "next_letter": _next_letter(one["letter"] for one in entities),
        "can_undo": any(one.is_done for one in history),
        "can_redo": any(not one.is_done for one in history),
        "history": [
            {"who": one.who, "what": _said(one), "done": one.is_done} for one in history[-50:]
        ],
    }


def _reading(opened: OnDesk) -> str:
    """Return how much is to be read yet, "" where that does not matter any more."""
    if opened.held.state not in (State.CLAIMED, State.REREADING):
        return ""
    route = opened.held.route
    said = say.ROUTES_SAY[route.value]()
    if route is Route.QUICK:
        return said
    count = sum(end - start for start, end in opened.unread)
    return f"{said} {say.UNREAD(count=count) if count else say.ALL_READ()}"


def _key(question: Any) -> tuple[str, str]:
    return question.doubt.kind, key_of(fold(question.wording).text) or str(question.doubt.start)


def _questions(opened: OnDesk) -> list[dict[str, Any]]:
    """Return the questions, those of one kind about one wording as one."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in opened.review.questions:
        row = found.setdefault(
            _key(one),
            {
                "start": one.doubt.start,
                "end": one.doubt.end,
                "wording": one.wording,
                "kind": one.doubt.kind,
                "message": one.doubt.message,
                "open": one.is_open,
                "must": one.must_be_answered,
                "count": 0,
            },
        )
        row["count"] += 1
    return list(found.values())


def _entities(opened: OnDesk) -> list[dict[str, Any]]:
    """Return by what stands there now: wordings, label, how many places, the first of them."""
    result = opened.review.result
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for change in result.changes:
        wording = result.original[change.span.start : change.span.end]
        row = found.setdefault(
            (change.replacement, change.span.label),
            {
                "letter": change.replacement,
                "label": change.span.label,
                "wordings": {},
                "start": change.span.start,
            },
        )
        row["wordings"][wording] = row["wordings"].get(wording, 0) + 1
    rows = [row | {"wordings": list(row["wordings"].items())} for row in found.values()]
    return sorted(rows, key=lambda row: not row["letter"].isascii())  # letters before the rest


def _next_letter(used: Iterable[str]) -> str:
    taken = set(used)
    for first in ["", *list(_LETTERS)]:
        for second in _LETTERS:
            if first + second not in taken:
                return first + second
    return "ZZ"


def _said(one: Decided) -> str:
    content = one.content
    kind = say.KINDS[str(content["kind"])]()
    words = content.get("wording") or " + ".join(content.get("wordings", ()))
    words = words or content.get("text") or ""
    return f"{kind}: {words}" if words else str(kind)
