"""Requests written to files and answered elsewhere: ``vllm run-batch`` on a cluster, or the like.

A run writes what it wants to know and ends; the cluster answers file by file; the same run goes
on from the answers, until it wants to know more. The form of both is that of OpenAI's batches, a
line a request with the ledger's key as its ``custom_id``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from thunder.training.synthesis.server import Answer, ServerError, answer_of
from thunder.training.synthesis.settings import Batch


class Waiting(Exception):
    """Requests lie in files and are not answered yet; the same run goes on when they are."""

    def __init__(self, number: int, paths: Sequence[Path]) -> None:
        super().__init__(f"{number} requests wait for answers")
        self.number, self.paths = number, tuple(paths)


class Batches:
    """The requests and answers of *given*'s folder; a model that is asked by files alone."""

    def __init__(self, given: Batch) -> None:
        self._given = given
        given.folder.mkdir(parents=True, exist_ok=True)
        self._answers = dict(self._read())

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self._given.folder)

    def models(self) -> list[str]:
        """Return the name that the run file gives."""
        return [self._given.model]

    def answer(self, key: str) -> Answer | None:
        """Return what was answered to the request *key*, None where nothing was yet."""
        return self._answers.get(key)

    def write(self, bodies: Mapping[str, Mapping[str, Any]]) -> Waiting:
        """Return what is waited for: the *bodies*, in files that stood there before or do now."""
        rows = [
            {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": body}
            for key, body in bodies.items()
        ]
        paths = []
        for old in self._given.folder.glob("requests-*.jsonl"):
            old.unlink()  # what is still wanted is among the bodies
        for number, start in enumerate(range(0, len(rows), self._given.per_file), 1):
            path = self._given.folder / f"requests-{number:04d}.jsonl"
            aside = path.with_name(f".{path.name}.new")
            some = rows[start : start + self._given.per_file]
            aside.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in some))
            aside.replace(path)
            paths.append(path)
        return Waiting(len(rows), paths)

    def _read(self) -> Iterator[tuple[str, Answer]]:
        """Yield what was answered; ServerError names the file and the line of what is no answer.

        A request that the cluster could not answer stands there with its error, and is asked anew.
        """
        for path in sorted(self._given.folder.glob("answers-*.jsonl")):
            lines = path.read_text("utf-8").split("\n")
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                    key, response = row["custom_id"], row.get("response") or {}
                    if row.get("error") or response.get("status_code") != 200:
                        continue
                    answer = answer_of(response["body"], model=self._given.model)
                except (AttributeError, KeyError, TypeError, ValueError):
                    raise ServerError(
                        f"{path}: line {number} is no answer to a batch's request (custom_id, "
                        "response.body): take the file away, or let it be written again"
                    ) from None
                yield key, answer
