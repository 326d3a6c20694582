"""A small server that answers as a language model's does, rightly and wrongly."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

MODEL = "stand-in"


class StandIn:
    """A server on this machine; *answer* gives (status, body) for the body of a request.

    A body that is a text is sent as it is, and one of bytes is cut off in the middle.
    """

    def __init__(self, answer: Callable[[dict], tuple[int, object]]) -> None:
        self.asked: list[dict] = []
        self.headers: list[dict] = []
        outer, lock = self, Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self._say(200, {"data": [{"id": MODEL}]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.asked.append(body)
                    outer.headers.append(dict(self.headers))
                    status, said = answer(body)
                self._say(status, said)

            def _say(self, status, said):
                content = said if isinstance(said, bytes) else _encoded(said)
                self.send_response(status)
                promised = len(content) + (10 if isinstance(said, bytes) else 0)
                self.send_header("Content-Length", str(promised))
                if status == 429:
                    self.send_header("Retry-After", "7")
                if status == 302:
                    self.send_header("Location", "http://example.org/")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *said):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> "StandIn":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _encoded(said: object) -> bytes:
    return (said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)).encode()


def chat(content: object, *, finish: str = "stop") -> dict:
    """Return the body of a completion whose message is *content*, as JSON unless it is a text."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return {
        "model": MODEL,
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7},
    }


def step_of(body: dict) -> str:
    """Return the step whose prompt a request holds; "probe" for the question what it can."""
    said = body["messages"][-1]["content"]
    signs = {
        "persona": "한 명 지어내라", "draft": "한 편 써라", "insert": "표시를 더 넣어",
        "distract": "당사자가 아닌 것을 더 넣어",
    }  # fmt: skip
    return next((step for step, sign in signs.items() if sign in said), "probe")
