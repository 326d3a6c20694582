"""A language model asked by prompt, with a server on this machine in its place."""

import importlib.util
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="needs a checkout")

LABELS = ["내국인이름", "은행"]
TEXT = "피고인 김도윤은 나래은행에서 그 대금을 제때 변제하였다."
MARKED = (
    "피고인 <<<내국인이름>>>김도윤<<</내국인이름>>>은 "
    "<<<은행>>>나래<<</은행>>>은행에서 그 대금을 제때 변제하였다."
)


@pytest.fixture(scope="module")
def prompting():
    spec = importlib.util.spec_from_file_location("prompting", BENCHMARKS / "prompting.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["prompting"] = module  # its classes look themselves up there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["prompting"]


@pytest.mark.parametrize(
    ("answer", "spans", "lost", "added"),
    [
        (MARKED, ["김도윤", "나래"], 0, 0),
        (TEXT, [], 0, 0),
        (MARKED.replace("제때 ", ""), ["김도윤", "나래"], 3, 0),  # appendix A: partial omission
        (f"다음과 같습니다.\n{MARKED}", ["김도윤", "나래"], 0, 10),
        (MARKED.replace("김도윤<<<", "A<<<"), ["나래"], 3, 1),  # masked instead of marked: no span
        (MARKED.replace("<<</은행>>>", ""), ["김도윤"], 0, 0),  # left open
        ("", [], len(TEXT), 0),
    ],
)
def test_marks_are_laid_over_the_text_and_changes_are_counted(
    prompting, answer, spans, lost, added
):
    found = prompting.aligned(TEXT, answer, labels=LABELS)
    assert [TEXT[start:end] for start, end, _ in found.spans] == spans
    assert (found.lost, found.added) == (lost, added)


def test_a_label_that_was_not_offered_masks_under_a_wrong_one(prompting):
    answer = MARKED.replace("은행>>>나", "금융기관>>>나").replace("/은행", "/금융기관")
    found = prompting.aligned(TEXT, answer, labels=LABELS)
    assert [label for *_, label in found.spans] == ["내국인이름", "내국인이름"]


class _Server(BaseHTTPRequestHandler):
    content = MARKED

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/chat/completions" and body["temperature"] == 0
        assert "내국인이름" in body["messages"][0]["content"]
        assert body["messages"][1]["content"] == TEXT
        reply = json.dumps({"choices": [{"message": {"content": self.content}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}/v1"
    made.shutdown()
    made.server_close()


def test_what_a_model_marks_is_scored_as_any_systems_predictions(
    prompting, server, tmp_path, monkeypatch, capsys
):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("peers", BENCHMARKS / "peers.py")
    peers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peers)
    entities = [
        {"start": 4, "end": 7, "label": "내국인이름"},
        {"start": 9, "end": 11, "label": "은행"},
    ]
    gold = {"id": "a", "case_type": "fraud", "text": TEXT, "entities": entities}
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold) + "\n", encoding="utf-8")
    words = ["prompt", f"{tmp_path}/gold.jsonl", f"{tmp_path}/small.jsonl"]
    monkeypatch.setattr(sys, "argv", ["peers.py", *words, "--server", server, "--model", "small"])
    peers.main()
    assert "1 documents, 0 of them changed" in capsys.readouterr().out
    files = [f"{tmp_path}/gold.jsonl", f"{tmp_path}/small.jsonl"]
    done = CliRunner().invoke(app, ["evaluate", *files, "--bootstrap", "0"])
    assert done.exit_code == 0, done.output
    assert "| small | 1.0000 | 1.0000 | 1.0000 |" in done.output
    assert "small: as its file says" in done.output


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "file:///etc/hosts"])
def test_a_server_that_does_not_answer_is_named_without_the_text(prompting, address):
    gold = [{"id": "a", "text": TEXT, "entities": [{"label": "은행"}]}]
    with pytest.raises(prompting.ServerError) as caught:
        list(prompting.asked(gold, server=address, model="small", timeout=5))
    assert address.split(":")[0] in str(caught.value) and "김도윤" not in str(caught.value)
