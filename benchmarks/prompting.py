"""A language model asked by prompt to mark mentions, its answer laid over the text it was given.

The paper's appendix A: asked so, models rewrite, leave out, sum up. So the answer is no result by
itself: it is aligned with the original, marks become spans where the words they hold still stand,
and what became of the rest is counted (``unfaithful``: characters of the original that are not in
the answer, and characters of the answer that are not in the original).

The server is any that speaks OpenAI's chat completions (vLLM, llama.cpp, Ollama …), at the address
given and nowhere else; whatever stands in the documents goes to it.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

MOST = 60
"""Labels that the prompt offers: those of gold that occur most."""

_MARK = re.compile(r"<<<(/?)([^<>\n]+)>>>")
_SYSTEM = (
    "당신은 한국 판결서의 개인정보를 찾습니다. "
    "주어진 글을 한 글자도 고치지 말고 그대로 다시 쓰되, "
    "사람 이름, 회사, 상호, 주소, 번호 등 개인을 알아볼 수 있는 표현만 "
    "<<<라벨>>>표현<<</라벨>>>로 감싸십시오. "
    "설명을 덧붙이지 마십시오. 쓸 수 있는 라벨: {labels}"
)


class ServerError(RuntimeError):
    """A server that does not answer as it should; the message has no text of a document."""


class Marked(NamedTuple):
    """Spans in the original, and characters lost from it and added to it."""

    spans: tuple[tuple[int, int, str], ...]
    lost: int
    added: int


def offered(documents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the labels that occur most in gold documents, the most frequent first."""
    counts = Counter(
        one["label"] for document in documents for one in document["entities"] if one["label"]
    )
    return [label for label, _ in counts.most_common(MOST)]


def asked(
    documents: Sequence[Mapping[str, Any]],
    *,
    server: str,
    model: str,
    key: str = "",
    timeout: float = 300.0,
) -> Iterator[dict[str, Any]]:
    """Yield a prediction a document: id, characters, entities, and how unfaithful it was."""
    labels = offered(documents)
    for document in documents:
        text = document["text"]
        answer = _answer(server, model, labels, text, key=key, timeout=timeout)
        marked = aligned(text, answer, labels=labels)
        yield {
            "id": document["id"],
            "characters": len(text),
            "entities": [
                {"start": start, "end": end, "label": label, "source": f"prompt:{model}"}
                for start, end, label in marked.spans
            ],
            "unfaithful": {"lost": marked.lost, "added": marked.added},
        }


def aligned(text: str, answer: str, *, labels: Sequence[str]) -> Marked:
    """Return the marks of *answer* as spans of *text*.

    A mark whose characters are found in the text, as they stand between what surrounds them, is a
    span from the first to the last of them; others are none. A label that was not offered counts
    as the first one offered: what is masked is right, its kind is wrong.
    """
    plain, marks = _unmarked(answer)
    place: dict[int, int] = {}
    kept = 0
    matcher = difflib.SequenceMatcher(None, text, plain, autojunk=False)
    for block in matcher.get_matching_blocks():
        kept += block.size
        place.update({block.b + at: block.a + at for at in range(block.size)})
    found: list[tuple[int, int, str]] = []
    for start, end, label in marks:
        here = [place[at] for at in range(start, end) if at in place]
        if not here:
            continue
        known = label if label in labels else labels[0]
        first, last = min(here), max(here) + 1
        if last - first <= 2 * (end - start) and (not found or found[-1][1] <= first):
            found.append((first, last, known))
    return Marked(tuple(found), len(text) - kept, len(plain) - kept)


def _unmarked(answer: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return an answer without its marks, and where they stood; marks left open are none."""
    pieces: list[str] = []
    marks: list[tuple[int, int, str]] = []
    done = length = 0
    begun: tuple[int, str] | None = None
    for mark in _MARK.finditer(answer):
        piece = answer[done : mark.start()]
        pieces.append(piece)
        length += len(piece)
        done = mark.end()
        if not mark[1]:
            begun = length, mark[2].strip()
        elif begun:
            if begun[0] < length:
                marks.append((begun[0], length, begun[1]))
            begun = None
    pieces.append(answer[done:])
    return "".join(pieces), marks


def _answer(
    server: str, model: str, labels: Sequence[str], text: str, *, key: str, timeout: float
) -> str:
    if urlsplit(server).scheme not in ("http", "https"):
        raise ServerError(f"{server}: give an address that begins with http:// or https://")
    body = {
        "model": model,
        "temperature": 0,
        "messages": [
            {"role": "system", "content": _SYSTEM.format(labels=", ".join(labels))},
            {"role": "user", "content": text},
        ],
    }
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    address = server.rstrip("/") + "/chat/completions"
    request = Request(address, data=json.dumps(body).encode(), headers=headers)
    try:
        with urlopen(request, timeout=timeout) as reply:
            return str(json.load(reply)["choices"][0]["message"]["content"] or "")
    except (URLError, TimeoutError, ConnectionError) as error:
        raise ServerError(
            f"{address}: does not answer ({getattr(error, 'reason', error)})"
        ) from None
    except (ValueError, LookupError, TypeError):
        raise ServerError(f"{address}: answers something else than a chat completion") from None
