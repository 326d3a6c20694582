"""An OpenAI-compatible server, asked over plain HTTP: /models, and /chat/completions.

Nothing but the standard library: no proxy of the environment is used, and no redirection followed,
so a prompt goes to the named host and to no other.
"""

import ipaddress
import json
import os
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from thunder.training.synthesis import settings

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT = 60.0
_MOST_BYTES = 32 << 20


class ServerError(ValueError):
    """A server that cannot be asked, or does not answer: what it said, and what may be done."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered: ``finish`` is "stop" unless it was cut off; tokens as it counted."""

    text: str
    finish: str
    model: str
    prompt_tokens: int
    answer_tokens: int


class Server:
    """A server ready to be asked from several threads.

    ServerError for a host that is not private and was not allowed, and where the variable that
    holds the token is not set.
    """

    def __init__(
        self, given: settings.Server, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._given, self._sleep = given, sleep
        parts = urlsplit(given.url)
        if not parts.hostname or parts.username or parts.query or parts.fragment:
            raise ServerError(f"[server] url: {given.url!r} is no plain address of a server")
        self._host, self._is_tls, self._path = parts.hostname, parts.scheme == "https", parts.path
        self._port = parts.port or (443 if self._is_tls else 80)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if given.token_variable:
            token = os.environ.get(given.token_variable, "")
            if not token:
                raise ServerError(f"the variable {given.token_variable} is not set")
            self._headers["Authorization"] = f"Bearer {token}"
        if not given.allow_public:
            self._require_private()

    @property
    def url(self) -> str:
        """Where it is."""
        return self._given.url

    def models(self) -> list[str]:
        """Return the names of the models that are served."""
        found = self._asked("GET", "/models", None)
        listed = found.get("data")
        names = [one.get("id") for one in listed] if isinstance(listed, list) else []
        return [name for name in names if isinstance(name, str)]

    def chat(self, body: Mapping[str, Any]) -> Answer:
        """Return the answer to the request *body*, sent again while the server is busy or away."""
        found = self._asked("POST", "/chat/completions", body)
        return answer_of(found, model=str(body.get("model") or ""))

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        said = ""
        for attempt in range(self._given.attempts):
            wait = min(_LONGEST_WAIT, 2.0**attempt)
            try:
                status, after, answer = self._sent(method, path, content)
            except (OSError, HTTPException) as error:
                said = f"{type(error).__name__}: {error}"
            else:
                if status == 200:
                    try:
                        found = json.loads(answer)
                    except (ValueError, RecursionError):
                        found = None
                    if isinstance(found, dict):
                        return found
                    said = "its answer is no JSON object"
                else:
                    said = f"status {status}: {_said(answer)}"
                    if status not in _AGAIN:
                        break
                    wait = min(_LONGEST_WAIT, after or wait)
            if attempt + 1 < self._given.attempts:
                self._sleep(wait)
        raise ServerError(f"{self._given.url}{path}: {said}")

    def _sent(self, method: str, path: str, content: bytes | None) -> tuple[int, float, bytes]:
        """Return status, seconds to wait as the server says, and body."""
        if not self._given.allow_public:
            self._require_private()
        connection = self._connection()
        try:
            connection.request(method, self._path.rstrip("/") + path, content, self._headers)
            answer = connection.getresponse()
            said = answer.read(_MOST_BYTES + 1)
            if len(said) > _MOST_BYTES:
                raise ServerError(f"{self._given.url}: an answer larger than {_MOST_BYTES} bytes")
            after = answer.headers.get("Retry-After", "")
            return answer.status, float(after) if after.isdigit() else 0.0, said
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        if self._is_tls:
            tls = ssl.create_default_context()
            return HTTPSConnection(self._host, self._port, timeout=self._given.timeout, context=tls)
        return HTTPConnection(self._host, self._port, timeout=self._given.timeout)

    def _require_private(self) -> None:
        try:
            found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise ServerError(f"{self._given.url}: {error.strerror}") from None
        addresses = {ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found}
        if any(address.is_global for address in addresses) or not addresses:
            raise ServerError(
                f"{self._given.url}: the host is not private: what is asked would leave the house. "
                "Set allow_public = true in [server] if it may"
            )


def answer_of(found: Mapping[str, Any], *, model: str) -> Answer:
    """Return what a completion says, by *model* where it names none; ServerError for another."""
    try:
        [choice] = found["choices"][:1]
        used = found.get("usage") or {}
        return Answer(
            str(choice["message"]["content"] or ""),
            str(choice.get("finish_reason") or ""),
            str(found.get("model") or model),
            int(used.get("prompt_tokens") or 0),
            int(used.get("completion_tokens") or 0),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ServerError("the server's answer has no choices[0].message.content") from None


def _said(answer: bytes) -> str:
    """Return what the server says of an error, cut short: it may quote what was asked."""
    try:
        found = json.loads(answer)
        inner = found.get("error", found) if isinstance(found, dict) else {}
        code = inner.get("type") or inner.get("code") if isinstance(inner, dict) else ""
    except (ValueError, RecursionError):
        code = ""
    return str(code or "no reason given")[:80]
