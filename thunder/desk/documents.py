"""The API of documents: programs bring them to the desk, and fetch what people have released.

A program sees of a document where it stands, and its released result; never the original again.
"""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from thunder.desk.accounts import Missing
from thunder.desk.api import Judgment, Refusal, checked_document
from thunder.desk.desk import Desk
from thunder.desk.intake import Intake
from thunder.desk.limits import Limits
from thunder.desk.store import Conflict


class Brought(Judgment):
    """A judgment for the desk: ``title`` is what people know it by (its case number)."""

    title: str = Field(min_length=1, max_length=400)
    profile: str = "court"


class Standing(BaseModel):
    """A document by the desk's id, and where it stands."""

    id: str
    state: str


class Issued(BaseModel):
    """A released result."""

    id: str
    text: str


def routes(desk: Desk, intake: Intake, limits: Limits, profiles: tuple[str, ...]) -> APIRouter:
    """Return the routes under ``/v1/documents``."""
    router = APIRouter(tags=["documents"])

    @router.post("/v1/documents", response_model=Standing, status_code=201)
    def bring(request: Request, one: Brought) -> dict[str, Any]:
        """Give a judgment to the desk, where people review it."""
        if one.profile not in profiles:
            raise Refusal(422, "profile", f"a profile is one of {', '.join(profiles)}")
        document = checked_document(one, limits)
        id = desk.store.add(
            one.title,
            document.text,
            segments=document.segments,
            profile=one.profile,
            risk=None,
            actor=f"program {request.state.program}",
        )
        intake.wake()
        return {"id": id, "state": desk.store.state(id).value}

    @router.get("/v1/documents/{id}", response_model=Standing)
    def standing(id: str) -> dict[str, Any]:
        """Return where a document stands."""
        try:
            return {"id": id, "state": desk.store.state(id).value}
        except Missing:
            raise Refusal(404, "missing", "there is no such document") from None

    @router.get("/v1/documents/{id}/result", response_model=Issued)
    def result(id: str) -> dict[str, Any]:
        """Return the result, once people have released it; 409 before."""
        try:
            return {"id": id, "text": desk.released(id)}
        except Missing:
            raise Refusal(404, "missing", "there is no such document") from None
        except Conflict:
            raise Refusal(409, "not_released", "people have not released it") from None

    return router
