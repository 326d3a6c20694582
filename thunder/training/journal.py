"""The journal of a run: a line of JSON per record, and TensorBoard's curves of the same."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

Value = float | int | str | None


class Journal:
    """Writes records of a step to ``log.jsonl`` and, where it is installed, to TensorBoard.

    What was written for later steps than *start* is dropped: a run that goes on from a
    checkpoint leaves the journal that it would have left without the break.
    """

    def __init__(self, folder: Path, *, start: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "log.jsonl"
        _cut(self.path, start)
        self._file = self.path.open("a", encoding="utf-8")
        self._board = _board(folder / "tensorboard", start)

    def write(self, kind: str, step: int, values: Mapping[str, Value]) -> None:
        """Append a record; numbers become curves named ``kind/key``.

        None and what is no number (the norm of a gradient that overflowed in fp16) are left out:
        JSON has no word for it.
        """
        held = {key: value for key, value in values.items() if _is_told(value)}
        self._file.write(json.dumps({"kind": kind, "step": step, **held}) + "\n")
        self._file.flush()
        if self._board is not None:
            for key, value in held.items():
                if isinstance(value, int | float):
                    self._board.add_scalar(f"{kind}/{key}", value, step)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        if self._board is not None:
            self._board.close()


def _is_told(value: Value) -> bool:
    return value is not None and (not isinstance(value, float) or math.isfinite(value))


def read(path: Path) -> list[dict[str, Any]]:
    """Return the records of a journal; a last line cut off by a crash is left out."""
    if not path.is_file():
        return []
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            break  # the machine stopped while it was written; nothing whole follows
    return records


def _cut(path: Path, start: int) -> None:
    records = read(path)
    kept = [record for record in records if record["step"] <= start]
    if not path.is_file():
        return
    aside = path.with_name(".log.jsonl.partial")
    with aside.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in kept)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def _board(folder: Path, start: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None  # the same figures are in log.jsonl
    return SummaryWriter(str(folder), purge_step=start + 1 if start else None)


def progress(done: int, steps: int, values: Mapping[str, Any]) -> str:
    """Return the line that a run says of a record; MFU stands in it where it is known."""
    mfu = f", MFU {values['mfu']:.1%}" if values.get("mfu") is not None else ""
    left = (steps - done) * values["seconds_per_step"]
    hours = f"{left / 3600:.1f} h" if left > 5400 else f"{math.ceil(left / 60)} min"
    return (
        f"step {done}/{steps}: loss {values['loss']:.4f}, accuracy {values['accuracy']:.4f}, "
        f"rate {values['learning_rate']:.2e}, gradient {values['gradient_norm']:.3f}, "
        f"{values['tokens_per_second']:,.0f} tokens/s{mfu}, "
        f"data wait {values['data_wait']:.1%}, {hours} left"
    )
