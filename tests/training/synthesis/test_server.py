"""A language model's server: asked patiently, believed in nothing, and only where it may be."""

import json
import socket

import pytest

from thunder.training.synthesis import settings
from thunder.training.synthesis.server import Server, ServerError

from .stand_in import MODEL, StandIn, chat

WHOLE = (200, chat({"text": "글"}))


def server(url, **given):
    slept = []
    return Server(settings.Server(url=url, **given), sleep=slept.append), slept


@pytest.mark.parametrize(
    ("first", "slept"),
    [
        ((429, {"error": {"type": "rate_limit"}}), [7.0]),
        ((500, "oops"), [1.0]),
        ((503, {"error": "loading"}), [1.0]),
        ((200, b'{"choices": [{"mess'), [1.0]),
        ((200, "<html>"), [1.0]),
        ((200, "[]"), [1.0]),
    ],
    ids=["429", "500", "503", "cut off", "html", "no object"],
)
def test_what_may_pass_is_asked_again(first, slept):
    answers = [first, WHOLE]
    with StandIn(lambda body: answers.pop(0)) as stand_in:
        asked, waited = server(stand_in.url)
        answer = asked.chat({"model": MODEL})
    assert (answer.text, answer.finish, answer.answer_tokens) == ('{"text": "글"}', "stop", 7)
    assert waited == slept


@pytest.mark.parametrize(
    ("answer", "asked", "said"),
    [
        ((400, {"error": {"type": "bad_request", "message": "피고인 김도윤"}}), 1, "400: bad_req"),
        ((401, {"error": {"code": "invalid_api_key"}}), 1, "401: invalid_api_key"),
        ((404, "no such page"), 1, "404"),
        ((302, ""), 1, "302"),
        ((500, "oops"), 3, "500"),
        ((200, {"choices": []}), 1, r"no choices\[0\].message.content"),
        ((200, {"choices": [{"message": None}]}), 1, "no choices"),
    ],
)
def test_what_does_not_pass_is_said_and_nothing_quoted(answer, asked, said):
    with StandIn(lambda body: answer) as stand_in:
        made, _ = server(stand_in.url, attempts=3)
        with pytest.raises(ServerError, match=said) as error:
            made.chat({"model": MODEL})
        assert len(stand_in.asked) == asked
    assert "도윤" not in str(error.value)


def test_a_server_that_is_away_is_named():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made, slept = server(f"http://127.0.0.1:{port}/v1", attempts=3)
    with pytest.raises(ServerError, match=f"127.0.0.1:{port}/v1/models: ConnectionRefusedError"):
        made.models()
    assert slept == [1.0, 2.0]


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888"])
def test_a_host_that_is_not_private_is_refused(monkeypatch, address):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **options: found)
    with pytest.raises(ServerError, match="not private"):
        server("http://llm.example.org/v1")
    made, _ = server("http://llm.example.org/v1", allow_public=True)
    assert isinstance(made, Server)


def test_a_name_that_becomes_another_address_is_refused(monkeypatch):
    with StandIn(lambda body: WHOLE) as stand_in:
        made, _ = server(stand_in.url)
        elsewhere = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("8.8.8.8", 80))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **options: elsewhere)
        with pytest.raises(ServerError, match="not private"):
            made.chat({"model": MODEL})
        assert not stand_in.asked


@pytest.mark.parametrize("url", ["http://", "http://a:b@127.0.0.1/v1", "http://127.0.0.1/v1?key=1"])
def test_an_address_has_nothing_secret_in_it(url):
    with pytest.raises(ServerError, match="no plain address"):
        server(url)


def test_the_token_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("COURT_TOKEN", "s3cret")
    with StandIn(lambda body: WHOLE) as stand_in:
        made, _ = server(stand_in.url, token_variable="COURT_TOKEN")
        made.chat({"model": MODEL})
        assert stand_in.headers[0]["Authorization"] == "Bearer s3cret"
    monkeypatch.delenv("COURT_TOKEN")
    with pytest.raises(ServerError, match="COURT_TOKEN is not set"):
        server("http://127.0.0.1:9/v1", token_variable="COURT_TOKEN")


def test_no_proxy_is_used(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with StandIn(lambda body: WHOLE) as stand_in:
        made, _ = server(stand_in.url)
        assert made.models() == [MODEL]
        assert json.loads(made.chat({"model": MODEL}).text) == {"text": "글"}
