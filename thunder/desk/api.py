"""The API: judgments in, results out, by programs that show a token. It never logs a text.

``/v1/deidentify`` takes one judgment, ``/v1/deidentify/batch`` some, ``/v1/deidentify/stream`` any
number as lines of JSON, answered line by line in their order. Offsets are code points of the text
that came in. What fails comes back with its error and without a text.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import thunder
from thunder.desk.crew import Answer, Busy, Crew, Failed, entry
from thunder.desk.limits import Limits
from thunder.masking.records import Document
from thunder.text.korean import require_encodable

NDJSON = "application/x-ndjson"
_AHEAD = 32  # lines of a stream that are at work at once
_RETRY = 0.05
_LONGEST_ID = 400


class Refusal(HTTPException):
    """A request that is answered by an error: its status, a code, and what to do."""

    def __init__(self, status: int, code: str, message: str, *, retry: float = 0.0) -> None:
        super().__init__(status, code)
        self.status, self.code, self.message, self.retry = status, code, message, retry

    def response(self) -> JSONResponse:
        """Return the answer."""
        headers = {"Retry-After": str(max(1, round(self.retry)))} if self.retry else {}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        content = {"error": {"code": self.code, "message": self.message}}
        return JSONResponse(content, self.status, headers)


class Judgment(BaseModel):
    """One judgment; ``segments``: stretches [start, end] that end where they end (cells)."""

    text: str = Field(min_length=1, repr=False)
    id: str = Field("", max_length=_LONGEST_ID)
    segments: list[tuple[int, int]] = []


class One(Judgment):
    """One judgment, and the profile it is de-identified by."""

    profile: str = "court"


class Batch(BaseModel):
    """Judgments of one profile."""

    documents: list[Judgment] = Field(min_length=1)
    profile: str = "court"


class Entity(BaseModel):
    """What was masked, where it stands in the original, and what stands there now."""

    start: int
    end: int
    label: str
    replacement: str
    score: float
    source: str


class Question(BaseModel):
    """A place that a person has to look at."""

    start: int
    end: int
    kind: str
    message: str
    score: float | None = None
    blocks_release: bool


class Result(BaseModel):
    """A judgment de-identified; where it failed an ``error``, and no text."""

    id: str
    text: str | None = None
    entities: list[Entity] = []
    doubts: list[Question] = []
    error: str | None = None


class Results(BaseModel):
    """One for each judgment, in their order."""

    documents: list[Result]


class Health(BaseModel):
    """How the server does; ``waiting``: characters that are at work."""

    status: str
    version: str
    waiting: int


class Parts(NamedTuple):
    """What the API works with."""

    crew: Crew
    limits: Limits
    profiles: Sequence[str]


def routes(parts: Parts) -> APIRouter:
    """Return the routes under ``/v1``, and ``/health``."""
    router = APIRouter()
    crew, limits = parts.crew, parts.limits

    @router.get("/health", response_model=Health, tags=["health"])
    def health() -> dict[str, Any]:
        """Return whether judgments are taken now, ``ok`` or ``busy``."""
        status = "ok" if crew.can_take_more else "busy"
        return {"status": status, "version": thunder.__version__, "waiting": crew.waiting}

    @router.post(
        "/v1/deidentify",
        response_model=Result,
        response_model_exclude_unset=True,
        tags=["deidentify"],
    )
    async def deidentify(one: One) -> Mapping[str, object]:
        """Return one judgment de-identified, with entities and doubts."""
        profile = _profile(one.profile, parts)
        answer = await asyncio.wrap_future(submitted(crew, checked_document(one, limits), profile))
        if isinstance(answer, Failed):
            raise Refusal(500, "failed", f"the judgment was not de-identified: {answer.reason}")
        return entry(one.id, answer)

    @router.post(
        "/v1/deidentify/batch",
        response_model=Results,
        response_model_exclude_unset=True,
        tags=["deidentify"],
    )
    async def batch(batch: Batch) -> Mapping[str, object]:
        """Return judgments de-identified, each by itself, in their order."""
        profile = _profile(batch.profile, parts)
        if len(batch.documents) > limits.documents:
            raise Refusal(413, "too_many", f"a batch holds {limits.documents} documents at most")
        documents = [checked_document(one, limits) for one in batch.documents]
        answers = [submitted(crew, document, profile) for document in documents]
        done = [await asyncio.wrap_future(answer) for answer in answers]
        return {"documents": [entry(d.id, a) for d, a in zip(documents, done, strict=True)]}

    @router.post(
        "/v1/deidentify/stream",
        tags=["deidentify"],
        response_class=Response,
        responses={200: {"content": {NDJSON: {}}, "description": "A line for each judgment."}},
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {NDJSON: {"schema": {"type": "string"}}},
            }
        },
    )
    async def stream(request: Request, profile: str = "court") -> Response:
        """Take a judgment a line (``{"id": …, "text": …}``); answer each with a line, in order.

        Lines are read as fast as they are answered. One that is wrong has an ``error``.
        """
        chosen = _profile(profile, parts)
        return Answers(_answered(request, chosen, parts))

    return router


class Answers(Response):
    """Lines that are sent while the request is still being read.

    Starlette's own would watch for the asker's leaving by reading what is meant for us.
    """

    media_type = NDJSON

    def __init__(self, lines: AsyncIterator[bytes]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        try:
            async for line in self._lines:
                await send({"type": "http.response.body", "body": line, "more_body": True})
        except (ClientDisconnect, OSError):
            return  # nobody is there any more
        await send({"type": "http.response.body", "body": b""})


async def _answered(request: Request, profile: str, parts: Parts) -> AsyncIterator[bytes]:
    """Yield an answer for each line of *request*, of which some are at work at once."""
    waiting: deque[tuple[str, Future[Answer]]] = deque()
    async for line in _lines(request, parts.limits):
        waiting.append(await _begun(line, profile, parts))
        while len(waiting) >= _AHEAD or (waiting and waiting[0][1].done()):
            yield await _line(*waiting.popleft())
    while waiting:
        yield await _line(*waiting.popleft())


async def _lines(request: Request, limits: Limits) -> AsyncIterator[bytes | None]:
    """Yield the lines that are not empty; None for one that is longer than a body may be."""
    held, is_too_long = b"", False
    async for chunk in request.stream():
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            line, held = held + part, b""
            if is_too_long or len(line) > limits.body:
                yield None
            elif line.strip():
                yield line
            is_too_long = False
        held += rest
        if len(held) > limits.body:
            held, is_too_long = b"", True
    if is_too_long:
        yield None
    elif held.strip():
        yield held


async def _begun(line: bytes | None, profile: str, parts: Parts) -> tuple[str, "Future[Answer]"]:
    failed: Future[Answer] = Future()
    if line is None:
        failed.set_result(Failed(f"a line has {parts.limits.body} bytes at most"))
        return "", failed
    try:
        judgment = Judgment.model_validate_json(line)
    except ValidationError as error:
        failed.set_result(Failed(what_is_wrong(error.errors(include_input=False))))
        return "", failed
    try:
        document = checked_document(judgment, parts.limits)
    except Refusal as refusal:
        failed.set_result(Failed(refusal.message))
        return judgment.id, failed
    while True:
        try:
            return judgment.id, parts.crew.submit(document, profile=profile)
        except Busy:  # who streams waits, and is read no further meanwhile
            await asyncio.sleep(_RETRY)


async def _line(id: str, answer: "Future[Answer]") -> bytes:
    said = entry(id, await asyncio.wrap_future(answer))
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"


def submitted(crew: Crew, document: Document, profile: str) -> "Future[Answer]":
    """Return the answer to come; Refusal where too much waits already."""
    try:
        return crew.submit(document, profile=profile)
    except Busy:
        raise Refusal(503, "busy", "too much is waiting: come again", retry=1.0) from None


def _profile(name: str, parts: Parts) -> str:
    if name not in parts.profiles:
        raise Refusal(422, "profile", f"a profile is one of {', '.join(parts.profiles)}")
    return name


def checked_document(one: Judgment, limits: Limits) -> Document:
    """Return *one* as it is de-identified; Refusal says what is wrong with it."""
    if len(one.text) > limits.characters:
        raise Refusal(413, "too_long", f"a judgment has {limits.characters} characters at most")
    try:
        require_encodable(one.text)
    except ValueError:
        raise Refusal(422, "text", "the text holds half a character: send UTF-8") from None
    done = 0
    for start, end in one.segments:
        if not done <= start <= end <= len(one.text):
            raise Refusal(422, "segments", "segments stand in order and within the text")
        done = end
    return Document(one.text, one.id, tuple(one.segments))


def what_is_wrong(errors: Sequence[Any]) -> str:
    """Return where a request is not as the description says, and how: none of its words."""
    said = []
    for error in errors[:5]:
        place = ".".join(str(one) for one in error["loc"] if one != "body")
        said.append(f"{place[:60] or 'body'}: {error['type']}")
    return "; ".join(said)
