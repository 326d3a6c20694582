"""Requests to a server, answered from the ledger where they were before."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from thunder.training.synthesis.batches import Batches
from thunder.training.synthesis.ledger import Ledger, key_of
from thunder.training.synthesis.local import LocalModel
from thunder.training.synthesis.prompts import Prompt
from thunder.training.synthesis.server import Answer, Server, ServerError
from thunder.training.synthesis.settings import Sampling

Schema = dict[str, Any]
PROBE = "probe"
"""The step of the ledger's line that says how this server is told the form of an answer."""
_PROBE = "본바탕-7391"  # what nobody says who is not held to it


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt of the *step* for one *item*; *number* counts how often it was asked for anew."""

    step: str
    item: str
    prompt: Prompt
    schema: Schema
    number: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What was answered: ``text`` as it came, ``finish`` as the server said."""

    request: Request
    text: str
    finish: str


_Missing = Mapping[str, tuple[Request, Mapping[str, Any]]]


class Asker:
    """Asks one model of one server; *structured* is how it is told the form of an answer.

    The server may be files that a cluster answers, or a model in this process.
    """

    def __init__(
        self, server: Server | Batches | LocalModel, ledger: Ledger, *, model: str,
        sampling: Sampling, seed: int, structured: str, parallel: int,
    ) -> None:  # fmt: skip
        self._server, self._ledger, self._parallel = server, ledger, parallel
        self._sampling, self._seed = sampling, seed
        self.model = model or self._first()
        self.structured = self._asked_dialect() if structured == "auto" else structured

    def _first(self) -> str:
        """Return the first model that the server has; a named one is not looked up.

        Not every server lists what it serves (``transformers serve`` 5.23 without a hub's cache).
        """
        served = self._server.models()
        if not served:
            raise ServerError("the server names no model: give 'model' in [server]")
        return served[0]

    def ask(self, requests: Iterable[Request]) -> list[Told]:
        """Return the answers in the order of *requests*; what is known is not asked.

        ServerError where a request is not answered; what was answered by then is in the ledger.
        ``batches.Waiting`` where the answers come in files and are not all there.
        """
        asked = list(requests)
        bodies = [self._body(one) for one in asked]
        keys = [
            key_of(body | {"number": one.number}) for one, body in zip(asked, bodies, strict=True)
        ]
        missing = {
            key: (one, body)
            for key, one, body in zip(keys, asked, bodies, strict=True)
            if key not in self._ledger
        }
        if isinstance(self._server, Batches):
            self._take(self._server, missing)
        else:
            self._ask(self._server, missing)
        return [
            Told(one, self._ledger[key]["answer"], self._ledger[key]["finish"])
            for key, one in zip(keys, asked, strict=True)
        ]

    def _ask(self, server: Server | LocalModel, missing: _Missing) -> None:
        """Ask *server* what is *missing*, some at a time."""

        def answered(key: str, request: Request, body: Mapping[str, Any]) -> None:
            begun = time.monotonic()
            answer = server.chat(body)
            self._note(key, request, answer, seconds=round(time.monotonic() - begun, 3))

        with ThreadPoolExecutor(self._parallel) as pool:
            running = [
                pool.submit(answered, key, one, body) for key, (one, body) in missing.items()
            ]
            try:
                for one in running:
                    one.result()
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _take(self, batches: Batches, missing: _Missing) -> None:
        """Note the answers that lie in files; ``Waiting`` where some do not."""
        waiting = {}
        for key, (request, body) in missing.items():
            answer = batches.answer(key)
            if answer is None:
                waiting[key] = body
            else:
                self._note(key, request, answer, seconds=0.0)
        if waiting:
            raise batches.write(waiting)

    def _note(self, key: str, request: Request, answer: Answer, *, seconds: float) -> None:
        self._ledger.write(
            {
                "key": key,
                "step": request.step,
                "item": request.item,
                "number": request.number,
                "prompt": request.prompt.name,
                "prompt_sha256": request.prompt.sha256,
                "model": answer.model,
                "structured": self.structured,
                "answer": answer.text,
                "finish": answer.finish,
                "prompt_tokens": answer.prompt_tokens,
                "answer_tokens": answer.answer_tokens,
                "seconds": seconds,
            }
        )

    def _body(self, request: Request) -> dict[str, Any]:
        sampling = self._sampling
        body: dict[str, Any] = {
            "model": self.model,
            "messages": request.prompt.messages,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "seed": _seed(self._seed, request),
        }
        if sampling.top_k:
            body["top_k"] = sampling.top_k
        return body | _held_to(request.schema, self.structured)

    def _asked_dialect(self) -> str:
        """Return what the ledger says that this model of this server can, or ask and note it."""
        key = key_of({"probe": self.model, "server": self._server.url})
        if key not in self._ledger:
            self._ledger.write({"key": key, "step": PROBE, "answer": self._dialect()})
        found: str = self._ledger[key]["answer"]
        return found

    def _dialect(self) -> str:
        """Return the first dialect that holds the model to a word that it would never say."""
        assert not isinstance(self._server, Batches)
        schema = {
            "type": "object",
            "properties": {"word": {"type": "string", "enum": [_PROBE]}},
            "required": ["word"],
            "additionalProperties": False,
        }
        for name in ("json_schema", "json_object"):
            body = {
                "model": self.model,
                "messages": [{"role": "user", "content": "아무 말이나 하라."}],
                "max_tokens": 64,
            }
            try:
                answer = self._server.chat(body | _held_to(schema, name))
                if json.loads(answer.text, strict=False) == {"word": _PROBE}:
                    return name
            except (ServerError, ValueError, RecursionError):
                continue
        return "none"


def _held_to(schema: Schema, structured: str) -> dict[str, Any]:
    if structured == "json_schema":
        named = {"name": "answer", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if structured == "json_object":
        return {"response_format": {"type": "json_object", "schema": schema}}
    return {}


def _seed(seed: int, request: Request) -> int:
    parts: Sequence[object] = (seed, request.step, request.item, request.number)
    return int(key_of({"seed": list(map(str, parts))})[:8], 16) >> 1
