"""The pages: who may reach what, and what nobody may do."""

import json
import re

import pytest
from fastapi.testclient import TestClient

from thunder.desk.accounts import Denied
from thunder.desk.pages import MOST_UPLOAD
from thunder.desk.server import SAFE, Parts, reviewing
from thunder.desk.states import Role, State

PASSWORD = "a long password"
TEXT = "피고인 강도윤은 <script>alert(1)</script> 웃었다. 강도윤은 갔다."
ROLES = {None: "n", Role.REVIEWER: "r", Role.CONFIRMER: "c", Role.ADMINISTRATOR: "a"}
ROLES |= {Role.AUDITOR: "u"}


@pytest.fixture
def app(desk, crew):
    return reviewing(Parts(desk, crew))


@pytest.fixture
def visit(app, store, people):
    """Return a function that gives a browser in which somebody is signed in, or nobody."""
    with TestClient(app):  # the application lives as long as this one

        def visitor(role=None):
            client = TestClient(app, follow_redirects=False)
            client.csrf = ""
            if role:
                client.post("/sign-in", data={"name": role.value, "password": PASSWORD})
                client.csrf = store.person(client.cookies["thunder"]).csrf
            return client

        yield visitor


def added(store, state=State.FREE):
    id = store.add("<b>2031고단1</b>", TEXT, profile="court", risk=0, actor="x")
    assert state is State.FREE
    return id


def asked(client, method, path, content=None):
    """Ask for *path* as the pane or a form does, with the right token."""
    if method == "GET":
        return client.get(path)
    if content is None:
        return client.post(path, data={"csrf": client.csrf})
    if isinstance(content, str):
        pairs = dict(pair.split("=") for pair in content.split("&"))
        return client.post(path, data=pairs | {"csrf": client.csrf})
    headers = {"accept": "application/json", "x-csrf-token": client.csrf}
    return client.post(path, json=content, headers=headers)


NOBODYS = "0" * 32
ROUTES = [  # who gets through: r reviewer, c confirmer, a administrator, u auditor, n nobody
    ("GET", "/sign-in", None, "nrcau"),
    ("GET", "/sign-on", None, ""),
    ("GET", "/sign-on/back", None, ""),
    ("GET", "/health", None, "nrcau"),
    ("GET", "/", None, "rcau"),
    ("GET", "/released", None, "rcau"),
    ("GET", "/?page=2", None, "rcau"),
    ("POST", "/find", "words=2031고단1", "rcau"),
    ("GET", "/password", None, "rcau"),
    ("GET", "/users", None, "a"),
    ("GET", "/audit", None, "au"),
    ("GET", "/statistics", None, "au"),
    ("GET", "/otherwise", None, "au"),
    ("GET", "/evidence", None, "au"),
    ("POST", "/users", "name=new&password=a long password&role=reviewer", "a"),
    ("POST", "/users/change", "name=new&act=role&value=auditor", "a"),
    ("POST", "/users/change", "name=new&act=password&value=another long password", "a"),
    ("POST", "/users/change", "name=new&act=removed", "a"),
    ("POST", "/documents/{free}/claim", None, "rc"),
    ("POST", "/documents/{free}/recall", "step=withdraw&reason=x", ""),
    ("GET", "/documents/{free}", None, ""),
    ("GET", "/documents/{free}/text", None, ""),
    ("GET", "/documents/{free}/view", None, ""),
    ("GET", "/documents/{free}/released", None, ""),
    ("GET", "/documents/{free}/released/file", None, ""),
    ("POST", "/documents/{free}/undo", {"version": 0}, ""),
    ("GET", "/documents/{others}", None, ""),
    ("GET", "/documents/{others}/text", None, ""),
    ("GET", "/documents/{others}/view", None, ""),
    ("GET", "/documents/{others}/drawn", None, ""),
    ("GET", "/documents/{others}/drawn/{side}/{number}", None, ""),
    ("POST", "/documents/{others}/decisions", {"version": 0, "content": {"kind": "x"}}, ""),
    ("POST", "/documents/{others}/undo", {"version": 0}, ""),
    ("POST", "/documents/{others}/redo", {"version": 0}, ""),
    ("POST", "/documents/{others}/steps", {"version": 0, "step": "put back"}, ""),
    ("POST", "/documents/{others}/claim", None, ""),
    ("POST", "/documents/{others}/recall", "step=reopen", ""),
    ("POST", "/v1/deidentify", {"text": "가"}, ""),
    ("GET", "/v1/documents/{others}", None, ""),
]


@pytest.mark.parametrize("role", ROLES, ids=str)
def test_who_may_reach_what(visit, store, sign_in, role):
    other, client = sign_in("somebody else", Role.CONFIRMER), visit(role)
    got, expected = [], []
    for method, path, content, may in ROUTES:
        others = added(store)
        store.claim(other, others)
        address = path.format(free=added(store), others=others, side="before", number=0)
        answer = asked(client, method, address, content)
        is_in = answer.status_code in (200, 303) and answer.headers.get("location") != "/sign-in"
        got.append((method, path, is_in))
        expected.append((method, path, ROLES[role] in may))
        assert is_in or "강도윤" not in answer.text
    assert got == expected


@pytest.mark.parametrize("role", Role)
def test_who_may_import(visit, store, role):
    client = visit(role)
    files = {"file": ("2031고단1.txt", TEXT.encode())}
    answer = client.post("/documents", data={"csrf": client.csrf}, files=files)
    is_allowed = role is Role.ADMINISTRATOR
    assert (answer.status_code == 200) == is_allowed
    assert bool(sum(store.counts().values())) == is_allowed


def test_every_route_of_the_pages_is_in_the_table(app):
    known = {
        (method, re.sub(r"\{.*?\}", "{id}", path.partition("?")[0]))
        for method, path, _, _ in ROUTES
    }
    known |= {("POST", one) for one in ("/sign-in", "/sign-out", "/password", "/documents")}
    known |= {("GET", "/marks.css"), ("GET", "/openapi.json")}

    def routes(found, prefix=""):
        for one in found:
            if hasattr(one, "methods"):
                path = re.sub(r"\{.*?\}", "{id}", one.path)
                yield from ((method, path) for method in (one.methods or ()) - {"HEAD"})
            elif hasattr(one, "original_router"):
                yield from routes(one.original_router.routes)

    of_pages = {one for one in routes(app.routes) if not one[1].startswith("/v1/")}
    assert len(of_pages) > 20
    assert of_pages <= known


FORMS = [("/sign-out", {}), ("/documents/{id}/claim", {}), ("/users", {"name": "x"})]
FORMS += [("/password", {"old": PASSWORD, "new": "another password"})]


@pytest.mark.parametrize(("path", "data"), FORMS)
def test_a_form_without_the_sessions_token_is_refused(visit, store, path, data):
    client = visit(Role.ADMINISTRATOR if path == "/users" else Role.REVIEWER)
    more = {"password": PASSWORD, "role": "reviewer"} if path == "/users" else {}
    for token in ("", "x", "강"):
        answer = client.post(path.format(id=added(store)), data=data | more | {"csrf": token})
        assert answer.status_code == 403
    assert client.get("/").status_code == 200


def test_a_request_of_the_pane_without_the_token_is_refused(visit, store, people):
    id = added(store)
    store.claim(people[Role.REVIEWER], id)
    client = visit(Role.REVIEWER)
    content = {"version": 0, "content": {}, "step": "put back"}
    for name in ("decisions", "undo", "redo", "steps"):
        assert client.post(f"/documents/{id}/{name}", json=content).status_code == 403
    assert store.held(people[Role.REVIEWER], id).version == 0


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_a_page_of_another_site_asks_for_nothing(visit, headers):
    data = {"name": "reviewer", "password": PASSWORD}
    assert visit().post("/sign-in", data=data, headers=headers).status_code == 403


def test_the_cookie_is_strict(visit):
    data = {"name": "reviewer", "password": PASSWORD}
    said = visit().post("/sign-in", data=data).headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said


def test_over_tls_the_cookie_is_for_https_and_this_host_alone(desk, crew, people):
    client = TestClient(reviewing(Parts(desk, crew, is_tls=True)), follow_redirects=False)
    data = {"name": "reviewer", "password": PASSWORD}
    said = client.post("/sign-in", data=data).headers["set-cookie"]
    assert said.startswith("__Host-thunder=")
    assert "Secure" in said


def test_every_page_has_the_safe_headers_and_is_never_kept(visit, store, people):
    client, id = visit(Role.REVIEWER), added(store)
    store.claim(people[Role.REVIEWER], id)
    for path in ("/", f"/documents/{id}", f"/documents/{id}/view", "/static/desk.js", "/nothing"):
        answer = client.get(path)
        assert {name: answer.headers[name] for name in SAFE} == SAFE, path


def test_what_a_judgment_or_its_title_says_is_text(visit, store, people):
    client, id = visit(Role.REVIEWER), added(store)
    store.claim(people[Role.REVIEWER], id)
    for path in ("/", f"/documents/{id}"):
        assert "<b>2031" not in client.get(path).text
        assert "&lt;b&gt;2031" in client.get(path).text
    assert "<script>alert" not in client.get(f"/documents/{id}").text
    text = client.get(f"/documents/{id}/text")
    assert text.headers["content-type"] == "application/json"


def test_guessing_passwords_is_slowed_for_a_name_and_for_an_address(visit, store):
    client = visit()
    answers = [
        client.post("/sign-in", data={"name": f"n{at}", "password": "x"}).status_code
        for at in range(40)
    ]
    assert answers[0] == 403
    assert answers[-1] == 429
    for _ in range(6):
        with pytest.raises(Denied):
            store.sign_in("reviewer", "wrong")
    with pytest.raises(Denied):
        store.sign_in("reviewer", PASSWORD)


def test_a_new_password_ends_the_sessions(visit):
    client, elsewhere = visit(Role.REVIEWER), visit(Role.REVIEWER)
    data = {"csrf": client.csrf, "old": PASSWORD, "new": "another password"}
    assert client.post("/password", data=data | {"old": "wrong"}).status_code == 403
    assert client.post("/password", data=data | {"new": "short"}).status_code == 422
    assert client.post("/password", data=data).status_code == 303
    assert elsewhere.get("/").headers["location"] == "/sign-in"


def test_an_upload_that_is_too_large_is_refused(visit):
    client = visit(Role.ADMINISTRATOR)
    headers = {"content-length": str(MOST_UPLOAD + 1)}
    answer = client.post("/documents", content=b"", headers=headers)
    assert answer.status_code == 413


def test_a_file_that_cannot_be_read_is_named_and_adds_nothing(visit, store, desk):
    client = visit(Role.ADMINISTRATOR)
    files = {"file": ("../../<i>강도윤</i>.hwpx", b"PK\x03\x04 nothing")}
    answer = client.post("/documents", data={"csrf": client.csrf}, files=files)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text
    assert "<i>강도윤" not in answer.text
    assert store.counts() == {}
    assert list(desk.releases.parent.glob(".upload-*")) == []


def waited(store, id):
    import time

    for _ in range(200):
        if store.state(id) is not State.WAITING:
            return store.state(id)
        time.sleep(0.02)
    raise AssertionError("it waits still")


def test_what_is_brought_by_a_program_is_fetched_when_people_have_released_it(
    visit, store, desk, people
):
    client = visit()
    client.headers["authorization"] = f"Bearer {store.add_token('cases', actor='')}"
    brought = client.post("/v1/documents", json={"text": "피고인 강도윤은 갔다.", "title": "1"})
    assert brought.status_code == 201
    id = brought.json()["id"]
    assert waited(store, id) is State.FREE
    assert client.get(f"/v1/documents/{id}/result").status_code == 409
    assert client.get(f"/v1/documents/{NOBODYS}").status_code == 404
    store.claim(people[Role.REVIEWER], id)
    desk.step(people[Role.REVIEWER], id, "finish", version=0)
    store.claim(people[Role.CONFIRMER], id)
    desk.step(people[Role.CONFIRMER], id, "release", version=0)
    assert client.get(f"/v1/documents/{id}").json()["state"] == "released"
    assert client.get(f"/v1/documents/{id}/result").json()["text"] == "피고인 A은 갔다."
    record = json.loads(desk.place(id, "json").read_text("utf-8"))
    assert (record["reviewer"], record["confirmer"]) == ("reviewer", "confirmer")
    assert "강도윤" not in desk.place(id, "json").read_text("utf-8")
    assert {path.stat().st_mode & 0o777 for path in desk.releases.iterdir()} == {0o600}


def released(store, desk, people):
    id = store.add("1", "피고인 강도윤은 갔다.", profile="court", risk=0, actor="x")
    store.claim(people[Role.REVIEWER], id)
    desk.step(people[Role.REVIEWER], id, "finish", version=0)
    store.claim(people[Role.CONFIRMER], id)
    desk.step(people[Role.CONFIRMER], id, "release", version=0)
    return id


def test_what_was_released_is_withdrawn_corrected_and_issued_again(visit, store, desk, people):
    id, client = released(store, desk, people), visit(Role.ADMINISTRATOR)
    assert desk.missing() == desk.changed() == []
    no_reason = asked(client, "POST", f"/documents/{id}/recall", "step=withdraw")
    assert no_reason.status_code == 422
    asked(client, "POST", f"/documents/{id}/recall", "step=withdraw&reason=아직 이르다")
    assert not desk.shelf.all()
    assert store.state(id) is State.WITHDRAWN
    asked(client, "POST", f"/documents/{id}/recall", "step=correct")
    reviewer, confirmer = people[Role.REVIEWER], people[Role.CONFIRMER]
    store.claim(reviewer, id)
    mask = {"kind": "letter", "wording": "강도윤", "letter": "Q"}
    desk.decide(reviewer, id, mask, version=0)
    desk.step(reviewer, id, "finish", version=1)
    store.claim(confirmer, id)
    desk.step(confirmer, id, "release", version=1)
    assert desk.released(id) == "피고인 Q은 갔다."
    store.verify()


def test_long_lists_come_by_pages_and_no_address_holds_words(visit, store):
    client = visit(Role.REVIEWER)
    for at in range(250):
        store.add(f"문서 {at:03}", TEXT, profile="court", risk=at, actor="x")
    seen = []
    for number, (first, last) in enumerate([(1, 100), (101, 200), (201, 250)], 1):
        page = client.get(f"/?page={number}").text
        assert f"{first}~{last}" in page
        seen += re.findall(r'"called">문서 (\d+)<', page)
    assert seen == [f"{at:03}" for at in range(249, -1, -1)]
    for beyond in ("0", "-3", "99"):
        assert client.get(f"/?page={beyond}").status_code == 200
    found = asked(client, "POST", "/find", "words=문서 007")
    assert re.findall(r'"called">문서 (\d+)<', found.text) == ["007"]
    assert 'method="post" action="/find"' in found.text


def test_a_file_changed_after_release_is_seen(store, desk, people):
    id = released(store, desk, people)
    desk.place(id).write_text("피고인 강도윤은 갔다.", encoding="utf-8")
    assert desk.changed() == [id]
    desk.place(id).unlink()
    assert desk.missing() == [id]


def test_a_document_that_fails_is_named_and_can_be_tried_again(visit, store, crew, monkeypatch):
    from thunder.desk import crew as crews
    from thunder.desk.crew import Failed

    monkeypatch.setattr(crews, "work", lambda task: Failed("RuntimeError"))
    client = visit(Role.ADMINISTRATOR)
    id = store.add("1", "피고인 강도윤은 갔다.", profile="court", risk=None, actor="x")
    assert waited(store, id) is State.FAILED
    assert "RuntimeError" in client.get("/").text
    monkeypatch.undo()
    asked(client, "POST", f"/documents/{id}/recall", "step=retry")
    assert waited(store, id) is State.FREE


def test_no_log_no_address_and_no_error_page_holds_a_word_of_a_judgment(
    visit, store, desk, people, caplog, monkeypatch
):
    caplog.set_level(0)
    client, admin, addresses = visit(Role.REVIEWER), visit(Role.ADMINISTRATOR), []
    for one in (client, admin):
        one.event_hooks["request"].append(lambda request: addresses.append(str(request.url)))
    files = {"file": ("2031고단1 강도윤.txt", TEXT.encode())}
    admin.post("/documents", data={"csrf": admin.csrf}, files=files)
    (row,) = store.queue(people[Role.REVIEWER])
    waited(store, row.id)
    asked(client, "POST", f"/documents/{row.id}/claim")
    mask = {"kind": "open", "wording": "강도윤"}
    place = f"/documents/{row.id}"
    headers = {"accept": "application/json", "x-csrf-token": client.csrf}
    client.post(f"{place}/decisions", json={"version": 0, "content": mask}, headers=headers)
    asked(client, "POST", "/find", "words=강도윤")

    def broken(*args, **facts):
        raise RuntimeError("강도윤")

    monkeypatch.setattr(desk, "open", broken)
    answers = [client.get(f"{place}/view"), client.get("/documents/강도윤")]
    answers.append(client.post(f"{place}/decisions", json={"content": "강도윤"}, headers=headers))
    assert [one.status_code for one in answers] == [500, 404, 422]
    assert not any("강도윤" in one.text for one in answers)
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert "RuntimeError" in logged
    assert "강도윤" not in logged.replace("/documents/강도윤", "")  # what we asked for ourselves
    own = [one for one in addresses if "%EA%B0%95" not in one]
    assert len(own) > 5
    assert all("강도윤" not in one for one in own)
