"""The pages: sign-in, queue, reading pane, users, audit, statistics. Who may what: ``states.MAY``.

Forms bring back the session's CSRF token, requests of the pane bring it as a header. No address
holds a word of a judgment.
"""

import hmac
import logging
import secrets
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Form, Request, UploadFile
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from thunder.bulk import page
from thunder.desk import evidence, statistics
from thunder.desk import messages as say
from thunder.desk.accounts import SESSION, Denied, Identity, Missing, Person, Standing
from thunder.desk.audit import Broken
from thunder.desk.desk import Blocked, Desk, Imported, OnDesk, Unread
from thunder.desk.drawing import NotDrawn, can_draw
from thunder.desk.formats import NotWritten
from thunder.desk.intake import Intake
from thunder.desk.limits import Rate
from thunder.desk.review import Refused
from thunder.desk.sign_on import CALLBACK, Flow, SignOn, Unreachable
from thunder.desk.states import RECALLS, Deed, Role, State
from thunder.desk.store import DONE_STATES, OPEN_STATES, Conflict
from thunder.desk.view import view_of
from thunder.desk.watching import Watch
from thunder.documents.sources import FORMATS, list_sources
from thunder.settings.messages import language
from thunder.taxonomy import profiles

log = logging.getLogger("thunder.desk")

MOST_UPLOAD = 64 * 2**20
_ROWS, _LONGEST_WORDS = 100, 200
_SIGN_INS = 30  # a minute from one address
_SIGN_ON_SECONDS = 600
_MOST_LINES = 500
_SUBCATEGORIES = 24


class Away(Exception):
    """Nobody is signed in."""


class Pages(NamedTuple):
    """What the pages work with; *is_tls*: browsers reach them over TLS, by a proxy."""

    desk: Desk
    intake: Intake
    two_people: bool
    is_tls: bool
    sign_on: SignOn = SignOn()
    watch: Watch | None = None

    @property
    def cookie(self) -> str:
        """The name of the session's cookie."""
        return "__Host-thunder" if self.is_tls else "thunder"

    def signed_in(self, answer: Response, token: str) -> Response:
        """Return *answer* with the session's cookie."""
        answer.set_cookie(
            self.cookie,
            token,
            max_age=int(SESSION),
            httponly=True,
            samesite="strict",
            secure=self.is_tls,
        )
        return answer

    def vouched(self, request: Request) -> Identity | None:
        """Return whom the court's proxy says that asks; Denied where it was not the proxy."""
        proxy = self.sign_on.proxy
        return proxy.identity(peer(request), request.headers) if proxy else None


class Shown(NamedTuple):
    """Which rows of a list a page shows: *first* to *last* of *total*, from 1."""

    total: int
    page: int

    @classmethod
    def of(cls, total: int, page: int) -> "Shown":
        """Return the page of *total* rows that is nearest to *page*."""
        return cls(total, max(1, min(page, -(-total // _ROWS))))

    @property
    def after(self) -> int:
        """How many rows come before."""
        return (self.page - 1) * _ROWS

    @property
    def last(self) -> int:
        """The number of the last row."""
        return min(self.total, self.after + _ROWS)


class Decide(BaseModel):
    """A decision on a version of a document."""

    version: int
    content: dict[str, Any]


class Turn(BaseModel):
    """Undo or redo on a version of a document."""

    version: int


class Step(BaseModel):
    """A step on a version of a document, with its reason where one is asked for."""

    version: int
    step: str
    reason: str = ""


_LOOK = Environment(
    loader=PackageLoader("thunder.desk"), autoescape=True, undefined=StrictUndefined
)


def rendered(name: str, *, status: int = 200, **facts: Any) -> HTMLResponse:
    """Return the page of a template; all that it shows is escaped."""
    known = {"say": say, "deeds": Deed, "language": language(), "said": "", "person": None}
    return HTMLResponse(_LOOK.get_template(name).render(known | facts), status)


def palette() -> str:
    """Return the colours of the reading pane as a style sheet: those of ``thunder deid --html``."""
    style = page.template().partition("<style>")[2].partition("{{palette}}")[0]
    return style + page.palette(_SUBCATEGORIES)


def routes(pages: Pages) -> APIRouter:
    """Return the routes of the pages."""
    router = APIRouter(include_in_schema=False)
    desk, store = pages.desk, pages.desk.store
    sign_ins = Rate(_SIGN_INS)
    flow = Flow(pages.sign_on) if pages.sign_on.provider else None
    begun = f"{pages.cookie}-sign-on"

    def signed_in(request: Request) -> Person:
        who = pages.vouched(request)
        try:
            person = store.person(request.cookies.get(pages.cookie, ""))
        except Denied:
            raise Away from None
        if person.subject and pages.sign_on.proxy and (who is None or who.key != person.subject):
            raise Away  # somebody else has signed on at the proxy since
        return person

    Somebody = Annotated[Person, Depends(signed_in)]

    def may(deed: Deed) -> Callable[[Person], Person]:
        def allowed(person: Somebody) -> Person:
            if not person.may(deed):
                raise Denied(deed.value)
            return person

        return allowed

    def with_token(request: Request, person: Somebody) -> Person:
        """Return who asks, if the request brings the session's token as a header."""
        _require_token(request.headers.get("x-csrf-token", ""), person)
        return person

    def with_form(person: Somebody, csrf: Annotated[str, Form()] = "") -> Person:
        """Return who asks, if the form brings the session's token."""
        _require_token(csrf, person)
        return person

    ByHeader = Annotated[Person, Depends(with_token)]
    ByForm = Annotated[Person, Depends(with_form)]

    def view(person: Person, opened: OnDesk) -> JSONResponse:
        history = store.history(person, opened.held.id)
        return JSONResponse(view_of(opened, desk.catalogue(opened.held.profile), history))

    # --- who is there ----------------------------------------------------------------------------

    def sign_in_form(*, said: str = "", status: int = 200) -> Response:
        by_court = bool(pages.sign_on.provider or pages.sign_on.proxy)
        return rendered("sign_in.html", by_court=by_court, said=said, status=status)

    @router.get("/sign-in")
    def sign_in_page() -> Response:
        return sign_in_form()

    @router.post("/sign-in")
    def sign_in(
        request: Request, name: Annotated[str, Form()], password: Annotated[str, Form()]
    ) -> Response:
        if sign_ins.wait(address_of(request)):
            return sign_in_form(said=say.TOO_OFTEN(), status=429)
        try:
            token = store.sign_in(name, password)
        except Denied:
            return sign_in_form(said=say.WRONG(), status=403)
        return pages.signed_in(_to("/"), token)

    @router.get("/sign-on")
    def sign_on(request: Request) -> Response:
        """Sign on by the court: at once whom its proxy names, else by way of its provider."""
        if sign_ins.wait(address_of(request)):
            return sign_in_form(said=say.TOO_OFTEN(), status=429)
        if pages.sign_on.proxy:
            who = pages.vouched(request)
            if who is None:
                return sign_in_form(said=say.NO_SIGN_ON(), status=403)
            return signed_on(lambda: who)
        if flow is None:
            raise Missing("sign-on")
        secret = secrets.token_urlsafe(32)
        try:
            answer = RedirectResponse(flow.begin(secret), 303)
        except Unreachable as error:
            log.error("sign-on: %s", error)
            return sign_in_form(said=say.UNREACHABLE(), status=502)
        answer.set_cookie(
            begun,
            secret,
            max_age=_SIGN_ON_SECONDS,
            httponly=True,
            samesite="lax",  # the provider leads back here
            secure=pages.is_tls,
        )
        return answer

    @router.get(CALLBACK)
    def signed_on_elsewhere(request: Request) -> Response:
        """Take what the provider says; the secret of who began is used once."""
        if sign_ins.wait(address_of(request)):
            return sign_in_form(said=say.TOO_OFTEN(), status=429)
        secret = request.cookies.get(begun, "")
        if flow is None or not secret:
            return sign_in_form(said=say.NO_SIGN_ON(), status=403)
        answer = signed_on(lambda: flow.end(secret, request.query_params))
        answer.delete_cookie(begun, secure=pages.is_tls, httponly=True, samesite="lax")
        return answer

    def signed_on(identity: Callable[[], Identity]) -> Response:
        try:
            token = store.sign_on(identity())
        except Denied as denied:
            log.warning("sign-on refused: %s", denied)
            return sign_in_form(said=say.NO_SIGN_ON(), status=403)
        except Unreachable as error:
            log.error("sign-on: %s", error)
            return sign_in_form(said=say.UNREACHABLE(), status=502)
        # led on by a page of one's own: a strict cookie is not sent where another site led
        return pages.signed_in(rendered("signed_on.html"), token)

    @router.post("/sign-out")
    def sign_out(request: Request, person: ByForm) -> Response:
        store.sign_out(request.cookies.get(pages.cookie, ""))
        answer = _to("/sign-in")
        answer.delete_cookie(pages.cookie, secure=pages.is_tls, httponly=True, samesite="strict")
        return answer

    @router.get("/password")
    def password_page(person: Somebody) -> Response:
        return rendered("password.html", person=person)

    @router.post("/password")
    def password(
        person: ByForm, old: Annotated[str, Form()], new: Annotated[str, Form()]
    ) -> Response:
        try:
            store.sign_in(person.name, old)
            store.set_password(person.name, new, actor=person.name)
        except Denied:
            return rendered("password.html", person=person, said=say.WRONG(), status=403)
        except ValueError:
            return rendered("password.html", person=person, said=say.BAD_PASSWORD(), status=422)
        return _to("/sign-in")

    # --- the queue -------------------------------------------------------------------------------

    def queue(
        person: Person, *, said: str = "", failures: tuple[str, ...] = (), page: int = 1
    ) -> Response:
        counts = store.counts()
        shown = Shown.of(sum(counts.get(state, 0) for state in OPEN_STATES), page)
        rows = store.queue(person, most=_ROWS, after=shown.after)
        return rendered(
            "queue.html",
            person=person,
            rows=rows,
            counts=counts,
            shown=shown,
            is_at_work=any(row.state is State.WAITING for row in rows),
            two_people=pages.two_people,
            profiles=profiles.names(),
            suffixes=",".join(f".{one}" for one in FORMATS),
            said=said,
            failures=failures,
            is_behind=desk.is_table_behind,
            aside=pages.watch.failures() if pages.watch and person.may(Deed.IMPORT) else 0,
        )

    @router.get("/")
    def queue_page(person: Annotated[Person, Depends(may(Deed.QUEUE))], page: int = 1) -> Response:
        return queue(person, page=page)

    @router.get("/released")
    def released_page(
        person: Annotated[Person, Depends(may(Deed.QUEUE))], page: int = 1
    ) -> Response:
        counts = store.counts()
        shown = Shown.of(sum(counts.get(state, 0) for state in DONE_STATES), page)
        rows = store.queue(person, states=DONE_STATES, most=_ROWS, after=shown.after)
        return rendered("released.html", person=person, rows=rows, shown=shown)

    @router.post("/find")
    def find(person: ByForm, words: Annotated[str, Form()]) -> Response:
        """Find documents by case number or title: sent as a form, as no address may hold them."""
        rows = store.find(person, words[:_LONGEST_WORDS], most=_ROWS)
        return rendered(
            "found.html", person=person, rows=rows, words=words, two_people=pages.two_people
        )

    @router.post("/documents")
    async def upload(
        person: ByForm, file: list[UploadFile], profile: Annotated[str, Form()] = "court"
    ) -> Response:
        if not person.may(Deed.IMPORT):
            raise Denied(Deed.IMPORT.value)
        if profile not in profiles.names():
            raise Refused("no such profile")
        added, failures = 0, []
        for one in file:
            content = await one.read()
            name = one.filename or ""
            done = await run_sync(_taken, desk, name, content, profile, person.name)
            added += len(done.added)
            failures += done.failures
        pages.intake.wake()
        return await run_sync(
            lambda: queue(person, said=say.IMPORTED(added=added), failures=tuple(failures))
        )

    @router.post("/documents/{id}/claim")
    def claim(id: str, person: ByForm) -> Response:
        store.claim(person, id)
        return _to(f"/documents/{id}")

    @router.post("/documents/{id}/recall")
    def recall(
        id: str,
        person: ByForm,
        step: Annotated[str, Form()],
        reason: Annotated[str, Form()] = "",
    ) -> Response:
        if not person.may(Deed.RECALL):
            raise Denied(Deed.RECALL.value)
        if step not in RECALLS or (step == "withdraw" and not reason.strip()):
            raise Refused("a step needs its reason")
        if step == "withdraw":
            desk.withdraw(person, id, reason=reason)
        else:
            store.recall(person, id, step, reason=reason)
        pages.intake.wake()
        return _to("/released" if step in ("withdraw", "correct") else "/")

    @router.get("/documents/{id}/released")
    def released(id: str, person: Annotated[Person, Depends(may(Deed.QUEUE))]) -> Response:
        text = desk.released(id)
        facts: dict[str, Any] = {
            "id": id,
            "title": store.title(id),
            "format": desk.released_as(id).upper(),
        }
        return rendered("text.html", person=person, text=text, **facts)

    @router.get("/documents/{id}/released/file")
    def released_file(id: str, person: Annotated[Person, Depends(may(Deed.QUEUE))]) -> Response:
        suffix = desk.released_as(id)
        content = desk.released_file(id, suffix)
        headers = {"content-disposition": f'attachment; filename="{id}.{suffix}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    # --- the reading pane ------------------------------------------------------------------------

    @router.get("/documents/{id}")
    def pane(id: str, person: Somebody) -> Response:
        held = store.held(person, id)
        is_drawn = can_draw(held.format)
        labels = desk.labels
        return rendered("read.html", person=person, held=held, labels=labels, is_drawn=is_drawn)

    @router.get("/documents/{id}/text")
    def text(id: str, person: Somebody) -> Response:
        return JSONResponse({"text": store.held(person, id).text})

    @router.get("/documents/{id}/view")
    def viewed(id: str, person: Somebody) -> Response:
        return view(person, desk.open(person, id))

    @router.get("/documents/{id}/drawn")
    def drawn(id: str, person: Somebody) -> Response:
        """Show the pages before and after, beside each other."""
        opened = desk.open(person, id)
        facts: dict[str, Any] = {
            "id": id,
            "title": opened.held.title,
            "version": opened.held.version,
        }
        try:
            facts |= desk.drawn(person, opened)
        except NotWritten as error:
            facts |= {"before": (), "after": (), "said": say.NOT_WRITTEN(why=error)}
        return rendered("drawn.html", person=person, **facts)

    @router.get("/documents/{id}/drawn/{side}/{number}")
    def drawn_page(id: str, side: str, number: int, person: Somebody) -> Response:
        pages_of = desk.drawn(person, desk.open(person, id)).get(side, ())
        if not 0 <= number < len(pages_of):
            raise Missing("page")
        return Response(pages_of[number], media_type="image/png")

    @router.post("/documents/{id}/decisions")
    def decide(id: str, person: ByHeader, asked: Decide) -> Response:
        return view(person, desk.decide(person, id, asked.content, version=asked.version))

    @router.post("/documents/{id}/undo")
    def undo(id: str, person: ByHeader, asked: Turn) -> Response:
        store.undo(person, id, version=asked.version)
        return view(person, desk.open(person, id))

    @router.post("/documents/{id}/redo")
    def redo(id: str, person: ByHeader, asked: Turn) -> Response:
        store.redo(person, id, version=asked.version)
        return view(person, desk.open(person, id))

    @router.post("/documents/{id}/steps")
    def step(id: str, person: ByHeader, asked: Step) -> Response:
        state = desk.step(person, id, asked.step, version=asked.version, reason=asked.reason)
        return JSONResponse({"state": state.value})

    # --- users, audit, statistics ----------------------------------------------------------------

    def users(person: Person, *, said: str = "", status: int = 200) -> Response:
        return rendered(
            "users.html", person=person, users=store.users(), roles=Role, said=said, status=status
        )

    @router.get("/users")
    def users_page(person: Annotated[Person, Depends(may(Deed.USERS))]) -> Response:
        return users(person)

    @router.post("/users")
    def add_user(
        person: ByForm,
        name: Annotated[str, Form()],
        role: Annotated[str, Form()],
        password: Annotated[str, Form()] = "",
    ) -> Response:
        """Add somebody; without a password one who signs on by the court."""
        if not person.may(Deed.USERS):
            raise Denied(Deed.USERS.value)
        try:
            if password:
                store.add_user(name, Role(role), password, actor=person.name)
            else:
                store.add_signing_on(name, Role(role), actor=person.name)
        except ValueError:
            return users(person, said=say.BAD_USER(), status=422)
        return users(person, said=say.DONE())

    @router.post("/users/change")
    def change_user(
        person: ByForm,
        name: Annotated[str, Form()],
        act: Annotated[str, Form()],
        value: Annotated[str, Form()] = "",
    ) -> Response:
        """Give somebody another password, role or standing."""
        if not person.may(Deed.USERS):
            raise Denied(Deed.USERS.value)
        try:
            if act == "password":
                store.set_password(name, value, actor=person.name)
            elif act == "role":
                store.set_role(person, name, Role(value))
            else:
                store.set_standing(person, name, Standing(act))
        except ValueError:
            return users(person, said=say.BAD_USER(), status=422)
        return users(person, said=say.DONE())

    @router.get("/audit")
    def audit_page(person: Annotated[Person, Depends(may(Deed.AUDIT))]) -> Response:
        try:
            found = store.verify()
            said = say.WHOLE(lines=found.lines, digest=found.digest)
        except Broken as broken:
            said = say.BROKEN(why=broken)
        lines = store.audited(most=_MOST_LINES)
        return rendered("audit.html", person=person, said=said, lines=lines[::-1])

    @router.get("/otherwise")
    def otherwise_page(person: Annotated[Person, Depends(may(Deed.AUDIT))]) -> Response:
        return rendered("otherwise.html", person=person, rows=store.otherwise(person))

    @router.get("/evidence")
    def evidence_page(person: Annotated[Person, Depends(may(Deed.AUDIT))]) -> Response:
        found = desk.evidence()
        plan = evidence.plan(found.quick.read, found.quick.leaks)
        return rendered("evidence.html", person=person, found=found, plan=plan)

    @router.get("/statistics")
    def statistics_page(person: Annotated[Person, Depends(may(Deed.AUDIT))]) -> Response:
        found = statistics.counted(store.audited())
        return rendered("statistics.html", person=person, found=found, counts=store.counts())

    return router


def address_of(request: Request) -> str:
    """Return the address of the browser that asks, as the proxy in front says it."""
    return request.client.host if request.client else ""


def peer(request: Request) -> str:
    """Return the address that the request came from: the proxy's own, where there is one."""
    return str(getattr(request.state, "peer", "")) or address_of(request)


def _taken(desk: Desk, name: str, content: bytes, profile: str, actor: str) -> Imported:
    """Import an uploaded file; it lies in a folder of its own while it is read."""
    shown = Path(name).name or "-"
    desk.releases.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=desk.releases.parent, prefix=".upload-") as folder:
        path = Path(folder) / f"file{Path(shown).suffix[:10].lower()}"
        path.write_bytes(content)
        (source,) = list_sources([path]).sources
        source = type(source)(source.path, shown, source.format)
        return desk.take_in([source], profile=profile, actor=actor)


def _require_token(token: str, person: Person) -> None:
    if not hmac.compare_digest(token.encode(), person.csrf.encode()):
        raise Denied("token")


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)


# --- what is refused ------------------------------------------------------------------------------

_WHY: Mapping[type[Exception], tuple[int, Any]] = {
    Denied: (403, say.REFUSED),
    Missing: (404, say.NOT_THERE),
    Conflict: (409, say.CONFLICT),
    Blocked: (409, say.BLOCKED),
    Refused: (422, say.NO_DECISION),
    Unread: (409, say.NOT_READ),
    NotWritten: (409, say.NOT_WRITTEN),
    NotDrawn: (404, say.NOT_THERE),
}
REFUSALS: tuple[type[Exception], ...] = (Away, *_WHY)


async def refused(request: Request, error: Exception) -> Response:
    """Return what is said of a request that is not granted: as JSON to the pane, else a page."""
    is_pane = "application/json" in request.headers.get("accept", "")
    if isinstance(error, Away):
        return JSONResponse({"said": say.SIGN_IN()}, 401) if is_pane else _to("/sign-in")
    status, message = _WHY[type(error)]
    facts: dict[str, object] = {"why": error} if isinstance(error, (Refused, NotWritten)) else {}
    if isinstance(error, Unread):
        facts["count"] = error.args[0]
    said = message(**facts)
    if is_pane:
        return JSONResponse({"said": said, "again": isinstance(error, Conflict)}, status)
    if isinstance(error, Conflict):
        said = say.TAKEN()
    return rendered("error.html", said=said, status=status)


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Return whether a browser sent a request for a page of another site."""
    origin = headers.get("origin", "")
    is_other = bool(origin) and urlsplit(origin).netloc != headers.get("host", "")
    return is_other or headers.get("sec-fetch-site", "") in ("cross-site", "same-site")
