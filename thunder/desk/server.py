"""The application: routes behind a gate that asks for a token, counts, measures, and tells nothing.

``serving`` is the API alone, ``reviewing`` the desk with its pages.

What goes wrong inside is said by type and place in the log, and to who asked not at all.
"""

import base64
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

from anyio.to_thread import run_sync
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import thunder
from thunder.desk import api, documents, label_studio, pages
from thunder.desk.accounts import Denied
from thunder.desk.api import Refusal, what_is_wrong
from thunder.desk.crew import Crew
from thunder.desk.desk import Desk
from thunder.desk.intake import Intake
from thunder.desk.keeping import Keeper
from thunder.desk.limits import Limits, Rate
from thunder.desk.sign_on import Proxy, SignOn
from thunder.desk.store import Store
from thunder.desk.watching import Watch
from thunder.taxonomy import profiles
from thunder.text.safe_errors import place_of

log = logging.getLogger("thunder.desk")

UPLOAD = "/documents"
STREAM = "/v1/deidentify/stream"
SAFE = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every answer."""

LOCAL = ("localhost", "127.0.0.1", "[::1]", "testserver")


class Parts(NamedTuple):
    """What an application is made of; all of it is closed with it.

    *hosts*: names besides the loopback's by which it is asked; *is_tls*: over TLS, by a proxy.
    """

    desk: Desk
    crew: Crew
    limits: Limits = Limits()
    hosts: tuple[str, ...] = ()
    is_tls: bool = False
    two_people: bool = True
    sign_on: SignOn = SignOn()
    watch: Watch | None = None
    retain: int = 0


def serving(parts: Parts) -> FastAPI:
    """Return the API alone, without pages."""
    return _app(parts)[0]


def reviewing(parts: Parts) -> FastAPI:
    """Return the desk: the pages, and the API beside them."""
    app, intake = _app(parts)
    app.include_router(
        pages.routes(
            pages.Pages(
                parts.desk, intake, parts.two_people, parts.is_tls, parts.sign_on, parts.watch
            )
        )
    )
    style = pages.palette()
    app.add_api_route("/marks.css", lambda: Response(style, media_type="text/css"), **_HIDDEN)
    app.mount("/static", StaticFiles(packages=[("thunder.desk", "static")]))
    for kind in pages.REFUSALS:
        app.add_exception_handler(kind, pages.refused)
    return app


_HIDDEN: dict[str, Any] = {"include_in_schema": False}


def _app(parts: Parts) -> tuple[FastAPI, Intake]:
    store, crew = parts.desk.store, parts.crew
    intake, keeper = Intake(store, crew), Keeper(parts.desk, retain=parts.retain, watch=parts.watch)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        recovered = await run_sync(parts.desk.recover)
        if recovered.any:
            log.warning("what was cut off: %s", recovered)
        intake.start()
        keeper.start()
        if parts.watch:
            parts.watch.start(intake.wake)
        yield
        await run_sync(keeper.close)
        if parts.watch:
            await run_sync(parts.watch.close)
        await run_sync(intake.close)
        await run_sync(crew.close)
        store.close()

    app = FastAPI(
        title="Thunder-DeID",
        version=thunder.__version__,
        description="De-identifies Korean court judgments (판결서 비실명 처리).",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        lifespan=living,
    )
    known = tuple(profiles.names())
    of_api = api.Parts(crew, parts.limits, known)
    app.include_router(api.routes(of_api))
    app.include_router(label_studio.routes(of_api))
    app.include_router(documents.routes(parts.desk, intake, parts.limits, known))
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_middleware(Gate, store=store, limits=parts.limits)
    app.add_middleware(Quiet, hosts=(*LOCAL, *parts.hosts))
    app.add_middleware(Peer, proxy=parts.sign_on.proxy)
    return app, intake


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    return error.response()


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return Refusal(422, "invalid", what_is_wrong(error.errors())).response()


async def _plain(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return Refusal(error.status_code, "refused", "there is no such thing here").response()


class Gate:
    """Lets programs with a token to ``/v1``, so often and with so much."""

    def __init__(self, app: ASGIApp, store: Store, limits: Limits) -> None:
        self._app, self._store = app, store
        self._limits, self._rate = limits, Rate(limits.requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"].startswith("/v1/"):
                scope.setdefault("state", {})["program"] = await self._program(scope)
            elif scope["method"] != "GET" and pages.is_foreign(Headers(scope=scope)):
                raise Refusal(403, "origin", "a page of another site may not ask for this")
            receive = self._measured(scope, receive)
        await self._app(scope, receive, send)

    async def _program(self, scope: Scope) -> str:
        try:
            token = _token(Headers(scope=scope).get("authorization", ""))
            name = await run_sync(self._store.program, token)
        except Denied:
            raise Refusal(401, "token", "show a token: Authorization: Bearer …") from None
        if wait := self._rate.wait(name):
            raise Refusal(429, "rate", "too many requests: come again", retry=wait)
        return name

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """Return *receive*, which refuses a body that is too large; a stream's lines are counted.

        Refusal at once for one that says so.
        """
        if scope["path"] == STREAM:
            return receive
        most, read = self._limits.body, 0
        if scope["path"] == UPLOAD:
            most = pages.MOST_UPLOAD
        said = Headers(scope=scope).get("content-length", "0")
        refusal = Refusal(413, "too_large", f"a request has {most} bytes at most")
        if not said.isdigit() or int(said) > most:
            raise refusal

        async def measured() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise refusal
            return message

        return measured


def _token(authorization: str) -> str:
    """Return the token that a request shows; Denied where it shows none.

    Programs that know no other way (Label Studio) show it as the password of a basic one.
    """
    kind, _, shown = authorization.partition(" ")
    if kind.lower() == "basic":
        try:
            return base64.b64decode(shown, validate=True).decode().partition(":")[2]
        except ValueError:
            raise Denied("token") from None
    if kind.lower() != "bearer":
        raise Denied("token")
    return shown.strip()


class Peer:
    """Keeps from where a request came, and takes a trusted proxy's word for whose it is.

    Trusted are this machine and the proxy that people sign on by.
    """

    def __init__(self, app: ASGIApp, proxy: Proxy | None) -> None:
        own = [str(one) for one in proxy.addresses] if proxy else []
        self._app: Any = ProxyHeadersMiddleware(cast(Any, app), ["127.0.0.1", "::1", *own])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client"):
            scope["state"] = {**scope.get("state", {}), "peer": scope["client"][0]}
        await self._app(scope, receive, send)


class Quiet:
    """The outermost: sets the safe headers, and turns what goes wrong into an answer and a line.

    A host that is none of its own is refused: a page elsewhere may have its name lead here.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        begun = False

        async def safe(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                own = {name.lower() for name, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in SAFE.items() if k.encode() not in own]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            host = Headers(scope=scope).get("host", "")
            if _without_port(host) not in self._hosts:
                raise Refusal(400, "host", "this server is not called so: --name NAME")
            await self._app(scope, receive, safe)
        except Exception as error:  # whatever it is, its message may hold a judgment
            refusal = error if isinstance(error, Refusal) else None
            if refusal is None:
                log.error("%s %s: %s", scope["method"], _route(scope), place_of(error))
                refusal = Refusal(500, "failed", "it failed; the server's log says where")
            if begun:
                raise ConnectionError("the answer was cut off") from None
            await refusal.response()(scope, receive, safe)


def _without_port(host: str) -> str:
    return host if host.endswith("]") else host.rpartition(":")[0] or host


def _route(scope: Scope) -> str:
    """Return the pattern of the path that was asked for, which holds nothing of who asked."""
    return str(getattr(scope.get("route"), "path", "?"))
