"""Label Studio's ML back end in ``thunder serve``: by token, within limits."""

import base64
import json
import logging
import threading
from contextlib import closing

import httpx2 as httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from thunder import Deidentifier, taxonomy
from thunder.desk.limits import Limits
from thunder.desk.server import Parts, serving
from thunder.training_data import annotation
from thunder.training_data.exchange import label_studio

TEXT = "피고인 강도윤은 한빛은행 계좌(110-482-660153)로 돈을 보냈다."
SECRETS = ("강도윤", "도윤", "660153")
FEW = (
    '<View><Labels name="kinds" toName="judgment"><Label value="인명"/><Label value="계좌번호"/>'
    '</Labels><Text name="judgment" value="$text"/></View>'
)
PREDICT = "/v1/label-studio/predict"


@pytest.fixture
def token(store):
    return store.add_token("label studio", actor="")


@pytest.fixture
def app(store, crew, desk):
    limits = Limits(characters=200, body=9000, documents=3, requests=30)
    return serving(Parts(desk, crew, limits))


@pytest.fixture
def ask(app, token):
    """Return a function that asks as Label Studio does, with a basic authentication."""
    with TestClient(app) as client:

        def post(path, content, *, auth=("studio", token)):
            body = content if isinstance(content, str) else json.dumps(content)
            return client.post(path, content=body, auth=auth or None)

        post.client = client
        yield post


def asking(*texts, config=FEW):
    return {"tasks": [{"data": {"text": one}} for one in texts], "label_config": config}


def test_a_project_is_set_up_and_its_tasks_are_pre_annotated(ask):
    said = ask("/v1/label-studio/setup", {"project": "9.1700000000", "schema": FEW})
    assert said.json()["model_version"].startswith("thunder-deid ")
    asked = {"tasks": [{"data": {"text": TEXT}}], "project": "9.1700000000"}
    [found] = ask(PREDICT, asked).json()["results"]
    assert [(one["value"]["labels"], one["value"]["text"]) for one in found["result"]] == [
        (["인명"], "강도윤"),
        (["계좌번호"], "110-482-660153"),
    ]


def test_a_real_client_over_a_socket(app, token):
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    running = threading.Thread(target=server.run)
    running.start()
    try:
        while not server.started and running.is_alive():
            running.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        at = f"http://127.0.0.1:{port}/v1/label-studio"
        with closing(httpx.Client(auth=("studio", token), timeout=30)) as client:
            assert client.get(f"{at}/health").json()["status"] == "UP"
            answer = client.post(f"{at}/predict", json=asking(TEXT, TEXT))
        assert [len(one["result"]) for one in answer.json()["results"]] == [2, 2]
        assert httpx.get(f"{at}/health").status_code == 401
    finally:
        server.should_exit = True
        running.join(30)


@pytest.mark.parametrize("auth", [None, ("studio", "guessed"), ("", "")])
@pytest.mark.parametrize("path", ["setup", "predict", "corrections", "webhook"])
def test_without_a_token_nothing_is_answered(ask, path, auth):
    assert ask(f"/v1/label-studio/{path}", asking(TEXT), auth=auth).status_code == 401


@pytest.mark.parametrize(
    "shown", ["Basic", "Basic ***", f"Basic {base64.b64encode(b'a').decode()}"]
)
def test_what_is_no_authentication_is_refused(ask, shown):
    answer = ask.client.get("/v1/label-studio/health", headers={"authorization": shown})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (asking("강도윤" * 70), 413, "too_long"),
        (asking("강도윤" * 4000), 413, "too_large"),
        (asking(*[TEXT] * 4), 413, "too_many"),
        (asking(TEXT, ""), 400, "label_studio"),
        (asking("강도윤\ud800"), 422, "text"),
        ("강도윤", 400, "label_studio"),
        ({"tasks": [{"data": {"text": TEXT}}], "project": "404"}, 400, "label_studio"),
        (asking(TEXT, config="<View/>"), 400, "label_studio"),
    ],
)
def test_what_is_refused_is_said_without_a_word_of_it(ask, content, status, code):
    answer = ask(PREDICT, content)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert not any(secret in answer.text for secret in SECRETS)


def test_what_annotators_leave_comes_back_as_annotated_judgments(ask, tmp_path):
    label_studio.write_labels(tmp_path, labels=["내국인이름", "계좌번호"], taxonomy=taxonomy.load())
    tree = (tmp_path / "config.xml").read_text("utf-8")
    [found] = ask(PREDICT, asking(TEXT, config=tree)).json()["results"]
    task = {"data": {"document": "7", "text": TEXT}, "annotations": [{"result": found["result"]}]}
    unsettled = {"data": {"document": "8", "text": TEXT}, "annotations": []}
    answer = ask("/v1/label-studio/corrections", [task, unsettled])
    done, failed = map(json.loads, answer.text.splitlines())
    back = annotation.parse(done["text"])
    assert isinstance(back, annotation.Annotated)
    expected = Deidentifier(model="none").deidentify(TEXT).changes
    assert (done["id"], back.text, len(back.spans)) == ("7", TEXT, len(expected))
    assert failed == {"id": "8", "error": "8: has 0 annotations by annotators, not one: "
                      "choose which is to count"}  # fmt: skip
    said = ask("/v1/label-studio/corrections", "강도윤").json()
    assert said == {"id": "the request", "error": "the request: is no JSON export of tasks"}


def test_nothing_is_logged_or_kept(ask, caplog, capfd, tmp_path):
    with caplog.at_level(logging.DEBUG):
        ask(PREDICT, asking(TEXT))
        ask("/v1/label-studio/webhook", {"action": "ANNOTATION_CREATED", "task": asking(TEXT)})
        ask("/v1/label-studio/corrections", [{"data": {"text": TEXT}, "annotations": []}])
    said = caplog.text + "".join(capfd.readouterr())
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(secret in said or secret.encode() in kept for secret in SECRETS)
