"""The API: what programs get, what they are refused, and that no word is said anywhere else."""

import json
import logging
import os
import signal

import pytest
from fastapi.testclient import TestClient

from thunder import Deidentifier
from thunder.desk import crew as crews
from thunder.desk.crew import Busy, Crew, Failed, Task
from thunder.desk.limits import Limits, Rate
from thunder.desk.server import SAFE, Parts, serving
from thunder.masking.records import Document

TEXT = "피고인 강도윤은 사고 당시 45세 8개월 7일이었다."
SECRETS = ("강도윤", "도윤", "8개월")


@pytest.fixture
def ask(store, crew, desk):
    """Return a function that posts to the API as a program with a token."""
    token = store.add_token("case system", actor="")
    limits = Limits(characters=500, body=4000, documents=3, requests=50)
    with TestClient(serving(Parts(desk, crew, limits))) as client:

        def post(path, content, *, token=token, headers=None):
            own = {"authorization": f"Bearer {token}"} if token else {}
            if not isinstance(content, str | bytes) and not hasattr(content, "__next__"):
                content = json.dumps(content)
            kind = {"content-type": "application/json"}
            return client.post(path, content=content, headers=kind | own | (headers or {}))

        post.client = client
        yield post


def test_a_judgment_comes_back_as_the_library_gives_it(ask):
    expected = Deidentifier(model="none", checks=True).deidentify(TEXT)
    answer = ask("/v1/deidentify", {"text": TEXT, "id": "7"})
    assert answer.status_code == 200
    found = answer.json()
    assert found["id"] == "7"
    assert found["text"] == expected.text
    assert found["entities"] == expected.entities
    assert [(one["kind"], one["blocks_release"]) for one in found["doubts"]] == [("birth", True)]


def test_segments_end_where_they_end(ask):
    text = "피고인 강도\n윤은 갔다"
    apart = {"text": text, "segments": [[0, 6], [7, 12]]}
    assert ask("/v1/deidentify", apart).json()["text"].endswith("\n윤은 갔다")


def test_a_batch_comes_back_in_its_order(ask):
    documents = [{"id": str(at), "text": f"피고인 강도윤은 {at}번 갔다."} for at in range(3)]
    answer = ask("/v1/deidentify/batch", {"documents": documents}).json()
    said = [f"피고인 A은 {at}번 갔다." for at in range(3)]
    assert [one["text"] for one in answer["documents"]] == said
    assert [one["id"] for one in answer["documents"]] == ["0", "1", "2"]


def test_a_stream_is_answered_line_by_line_and_a_bad_line_alone_fails(ask):
    rows = [
        json.dumps({"id": str(at), "text": f"피고인 강도윤은 {at}번 갔다."}) for at in range(80)
    ]
    rows[3], rows[5] = '{"text": 강도윤', json.dumps({"id": "5", "text": "강" * 501})
    rows[7] = json.dumps({"id": "7", "text": "강" * 5000})
    body = "\n".join(rows).encode()
    pieces = (body[at : at + 700] for at in range(0, len(body), 700))
    answer = ask("/v1/deidentify/stream", pieces)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert len(found) == 80
    failed = {at for at, one in enumerate(found) if "error" in one}
    assert failed == {3, 5, 7}
    assert not any("text" in found[at] for at in failed)
    assert all(one["text"] == f"피고인 A은 {one['id']}번 갔다." for one in found if "text" in one)
    assert not any(secret in answer.text for secret in SECRETS)


REFUSED = [
    ("/v1/deidentify", {"text": ""}, 422, "invalid"),
    ("/v1/deidentify", {"txt": TEXT}, 422, "invalid"),
    ("/v1/deidentify", {"text": [TEXT]}, 422, "invalid"),
    ("/v1/deidentify", '{"text": 강도윤', 422, "invalid"),
    ("/v1/deidentify", '{"text": "강도윤\\ud800"}', 422, None),
    ("/v1/deidentify", {"text": TEXT, "profile": "강도윤"}, 422, "profile"),
    ("/v1/deidentify", {"text": TEXT, "segments": [[5, 3]]}, 422, "segments"),
    ("/v1/deidentify", {"text": TEXT, "segments": [[0, 300]]}, 422, "segments"),
    ("/v1/deidentify", {"text": "강도윤" * 200}, 413, "too_long"),
    ("/v1/deidentify", {"text": "강도윤" * 2000}, 413, "too_large"),
    ("/v1/deidentify/batch", {"documents": []}, 422, "invalid"),
    ("/v1/deidentify/batch", {"documents": [{"text": TEXT}] * 4}, 413, "too_many"),
    ("/v1/강도윤", {"text": TEXT}, 404, "refused"),
]


@pytest.mark.parametrize(("path", "content", "status", "code"), REFUSED)
def test_what_is_refused_is_said_without_a_word_of_it(ask, path, content, status, code):
    answer = ask(path, content)
    assert answer.status_code == status
    assert code is None or answer.json()["error"]["code"] == code
    assert not any(secret in answer.text for secret in SECRETS)
    assert "ud800" not in answer.text


def test_a_body_without_a_length_is_counted(ask):
    pieces = (b"x" * 1000 for _ in range(10))
    assert ask("/v1/deidentify", pieces).status_code == 413


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": "Bearer x"}, {"authorization": "Basic eDp4"}, {"authorization": ""}],
)
@pytest.mark.parametrize(
    "path", ["/v1/deidentify", "/v1/deidentify/batch", "/v1/deidentify/stream"]
)
def test_without_a_token_nothing_is_taken(ask, path, headers):
    answer = ask(path, {"text": TEXT}, token="", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_that_was_taken_out_is_worth_nothing(ask, store):
    token = store.add_token("other", actor="")
    assert ask("/v1/deidentify", {"text": TEXT}, token=token).status_code == 200
    store.revoke_token("other", actor="")
    assert ask("/v1/deidentify", {"text": TEXT}, token=token).status_code == 401
    assert store.tokens() == ["case system"]


def test_who_asks_too_often_is_told_when_to_come_again(ask):
    answers = [ask("/v1/deidentify", {"text": "가"}) for _ in range(60)]
    refused = [one for one in answers if one.status_code == 429]
    assert refused
    assert int(refused[0].headers["retry-after"]) >= 1


def test_a_rate_lets_through_so_many_a_minute():
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])
    assert [rate.wait("a") for _ in range(60)] == [0.0] * 60
    assert rate.wait("a") == pytest.approx(1.0)
    assert rate.wait("b") == 0.0
    now[0] = 1.0
    assert rate.wait("a") == 0.0
    assert rate.wait("a") > 0


def test_another_host_is_refused(ask):
    answer = ask("/v1/deidentify", {"text": TEXT}, headers={"host": "evil.example"})
    assert answer.status_code == 400


def test_every_answer_has_the_safe_headers(ask):
    for answer in (ask.client.get("/health"), ask("/v1/none", {}), ask("/v1/deidentify", {})):
        assert {name: answer.headers[name] for name in SAFE} == SAFE


def test_the_description_names_all_routes_and_loads_nothing(ask):
    described = ask.client.get("/openapi.json").json()
    assert {"/health", "/v1/deidentify", "/v1/deidentify/batch", "/v1/deidentify/stream"} <= set(
        described["paths"]
    )
    for page in ("/docs", "/redoc"):
        assert ask.client.get(page).status_code == 404


def test_what_goes_wrong_inside_is_said_by_place_alone(ask, monkeypatch, caplog, capfd):
    def broken(*_, **__):
        raise RuntimeError(TEXT)

    monkeypatch.setattr(Crew, "submit", broken)
    with caplog.at_level(logging.DEBUG):
        answer = ask("/v1/deidentify", {"text": TEXT})
    assert answer.status_code == 500
    said = answer.text + caplog.text + "".join(capfd.readouterr())
    assert "RuntimeError" in caplog.text
    assert not any(secret in said for secret in SECRETS)


def test_no_text_is_logged_or_kept(ask, caplog, capfd, tmp_path):
    with caplog.at_level(logging.DEBUG):
        ask("/v1/deidentify", {"text": TEXT, "id": "강도윤"})
        ask("/v1/deidentify/stream", json.dumps({"text": TEXT}))
    said = caplog.text + "".join(capfd.readouterr())
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert not any(secret in said or secret.encode() in kept for secret in SECRETS)


# --- the crew ------------------------------------------------------------------------------------


def test_more_than_the_crew_can_bear_is_refused_and_then_taken(monkeypatch):
    from threading import Event

    go = Event()
    monkeypatch.setattr(crews, "work", lambda task: go.wait(10) and Failed("x"))
    crew = Crew(0, model="none", most_waiting=10)
    first = crew.submit(Document("가" * 40))
    with pytest.raises(Busy):
        crew.submit(Document("가"))
    assert not crew.can_take_more
    go.set()
    first.result(10)
    assert crew.submit(Document("가")).result(10) == Failed("x")
    crew.close()
    with pytest.raises(Busy):
        crew.submit(Document("가"))


def test_busy_is_said_with_when_to_come_again(ask, monkeypatch):
    def busy(*_, **__):
        raise Busy

    monkeypatch.setattr(Crew, "submit", busy)
    answer = ask("/v1/deidentify", {"text": TEXT})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")


def test_a_document_that_fails_is_not_passed_on(ask, monkeypatch):
    def broken(task: Task):
        raise ValueError(task.document.text)

    monkeypatch.setattr(crews, "deidentifier", lambda *_: type("D", (), {"deidentify": broken}))
    answer = ask("/v1/deidentify", {"text": TEXT})
    assert answer.status_code == 500
    assert not any(secret in answer.text for secret in SECRETS)


def _dies(task):
    if "죽음" in task.document.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return Failed("worked")


@pytest.mark.slow
def test_a_judgment_that_kills_its_process_fails_alone(monkeypatch):
    monkeypatch.setattr(crews, "work", _dies)
    crew = Crew(2, model="none")
    texts = ["하나", "죽음", "둘", "셋"]
    answers = [crew.submit(Document(text)).result(60) for text in texts]
    crew.close()
    assert [one.reason == "worked" for one in answers] == [True, False, True, True]
    assert crew.waiting == 0
