"""The results of a run, taken as they come: written, audited, mapped, counted."""

import hashlib
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from thunder import audit
from thunder.bulk import Outcome
from thunder.files.documents import Document, Failure, Write
from thunder.files.encoding import Unreadable
from thunder.files.outputs import (
    Log,
    Targets,
    Unwritable,
    aside,
    give_up_standard_output,
    why,
)
from thunder.files.sources import Finished, Opened, Source
from thunder.page import MOST_DOCUMENTS, Shown

Item = Opened | Outcome | Failure | Finished

_SHORTEST_RESIDUE = 3  # characters: shorter mentions turn up by chance
_MOST_IDS = 1_000_000  # rows of a file whose ids are compared


@dataclass
class Tally:
    """What was done: documents, characters read, and spans by what became of them."""

    documents: int = 0
    failed: int = 0
    characters: int = 0
    masked: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    doubts: int = 0

    @property
    def done(self) -> int:
        """Documents that were passed on."""
        return self.documents - self.failed

    def add(self, other: "Tally") -> None:
        """Count *other* in."""
        for name in ("documents", "failed", "characters", "kept", "doubts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.masked.update(other.masked)


@dataclass
class _Rows:
    """How many rows, and the first of them."""

    count: int = 0
    first: int = 0

    def add(self, row: int) -> None:
        self.first = row if not self.count else self.first
        self.count += 1


class _Output:
    """One file's result on its way to its place."""

    def __init__(self, source: Source, document: Document, target: Path | None) -> None:
        self.source, self.document, self.target = source, document, target
        self.tally = Tally()
        self.residue: dict[str, _Rows] = {}
        self.ids: set[int] = set()
        self.repeated = _Rows()
        self.is_broken = False
        self._stack = ExitStack()
        self._write: Write | None = None

    def write(self, outcome: Outcome, *, replace: bool) -> None:
        """Write a result, opening the output at the first."""
        if self._write is None:
            stream = self._stack.enter_context(self._stream(replace=replace))
            self._write = self._stack.enter_context(self.document.writing(stream))
        self._write(outcome.record, outcome.result)
        if self.target is None:
            sys.stdout.buffer.flush()

    def _stream(self, *, replace: bool) -> AbstractContextManager[BinaryIO]:
        if self.target is None:
            return nullcontext(sys.stdout.buffer)
        return aside(self.target, replace=replace)

    def commit(self) -> None:
        """Put the output in its place."""
        self._stack.close()
        if self.target is None:
            sys.stdout.buffer.flush()

    def abandon(self) -> None:
        """Let what was written vanish."""
        given_up = _GivenUp()
        self._stack.__exit__(_GivenUp, given_up, None)


class _GivenUp(Exception):
    """Passes through an output's contexts so that they take back what they wrote."""


class Publication:
    """Takes a run's items in order, and says through *report* what a person must hear."""

    def __init__(
        self,
        targets: Targets,
        known: audit.Catalogue,
        record: Log,
        report: Callable[[Failure | str], None],
        *,
        replace: bool = False,
        with_page: bool = False,
    ) -> None:
        self.known = known
        self.mapping = Log(None, None)
        self._targets, self._record, self._report = targets, record, report
        self._replace, self._with_page = replace, with_page
        self._output: _Output | None = None
        self.tally = Tally()
        self.shown: list[Shown] = []

    def take(self, item: Item) -> None:
        """Do with *item* what its kind asks for."""
        if isinstance(item, Opened):
            self._output = _Output(item.source, item.document, self._targets[item.source])
        elif isinstance(item, Failure):
            self._fail(item)
        elif isinstance(item, Finished):
            self._finish(item)
        else:
            self._publish(item)

    def abandon(self) -> None:
        """Give up the file that is being written, if any: the run was cut off."""
        if self._output:
            self._output.abandon()
            self._output = None

    def warn(self, file: str, message: str) -> None:
        """Report something that does not hold a document back."""
        self._record.add({"record": "warning", "file": file, "message": message})
        self._report(f"{file}: 주의: {message}")

    def end(self, *, is_complete: bool) -> None:
        """Close the audit with the totals."""
        tally = self.tally
        totals = {"documents": tally.documents, "done": tally.done, "failed": tally.failed}
        counts = {"counts": dict(tally.masked), "kept": tally.kept, "doubts": tally.doubts}
        entry = {"record": "end", "complete": is_complete, "characters": tally.characters}
        self._record.add({**entry, **totals, **counts})

    def _fail(self, failure: Failure) -> None:
        self.tally.documents += 1
        self.tally.failed += 1
        self._record.add(audit.failure_entry(failure))
        self._report(failure)

    def _publish(self, outcome: Outcome) -> None:
        output = self._output
        assert output is not None, "a record follows its file's Opened"
        if output.is_broken:
            output.tally.documents += 1
            return
        record, result = outcome.record, outcome.result
        try:
            output.write(outcome, replace=self._replace)
        except Unreadable as error:
            self._fail(Failure(record.file, record.row, error.reason, error.advice, record.id))
            return
        except Exception as error:
            self._break(output, error)
            output.tally.documents += 1
            return
        entry = audit.document_entry(record, result, self.known)
        self._record.add(entry)
        self.mapping.add(*audit.mapping_entries(record, result))
        self._count(output, outcome)
        if self._with_page and len(self.shown) <= MOST_DOCUMENTS:
            self.shown.append(Shown(record.id, result))

    def _count(self, output: _Output, outcome: Outcome) -> None:
        record, result = outcome.record, outcome.result
        masked = self.known.counts(result.changes)
        kept, doubts = len(result.kept), len(result.doubts)
        output.tally.add(Tally(1, 0, len(record.text), masked, kept, doubts))
        for place in residue(outcome):
            output.residue.setdefault(place, _Rows()).add(record.row)
        if len(output.ids) < _MOST_IDS:
            if hash(record.id) in output.ids:
                output.repeated.add(record.row)
            output.ids.add(hash(record.id))

    def _break(self, output: _Output, error: Exception) -> None:
        """Give up an output that cannot be written; the rest of its file is read for nothing."""
        output.is_broken = True
        output.abandon()
        if output.target is None:
            give_up_standard_output()
            raise Unwritable("표준 출력", error) from None
        reason, advice = why(error)
        failure = Failure(output.source.name, 0, reason, advice, output.source.name)
        self._record.add(audit.failure_entry(failure))
        self._report(failure)

    def _finish(self, item: Finished) -> None:
        output, self._output = self._output, None
        if output is None:
            return
        if not output.is_broken and output.tally.documents:
            try:
                output.commit()
            except Exception as error:
                self._break(output, error)
            else:
                self._committed(output)
        elif not output.is_broken:
            output.abandon()
        if output.is_broken:
            output.tally = Tally(output.tally.documents, failed=output.tally.documents)
        self.tally.add(output.tally)

    def _committed(self, output: _Output) -> None:
        name = output.source.name
        entry: audit.Entry = {"record": "file", "file": name, "output": None}
        entry |= {"encoding": output.document.encoding, "documents": output.tally.documents}
        if output.target:
            with output.target.open("rb") as written:
                digest = hashlib.file_digest(written, "sha256").hexdigest()
            entry |= {"output": str(output.target), "sha256": digest}
        self._record.add(entry)
        for note in output.document.notes:
            self.warn(name, note)
        for place, rows in output.residue.items():
            self.warn(name, _residue_warning(place, rows))
        if same := output.repeated.count:
            first = output.repeated.first
            self.warn(name, f"id가 앞의 행과 같은 행이 {same}개 있습니다(처음은 {first}행)")


def residue(outcome: Outcome) -> list[str]:
    """Return where else a masked mention stands: the columns beside the text, "" for the name.

    Those are passed on unread; mentions under three characters turn up by chance.
    """
    changes, original = outcome.result.changes, outcome.result.original
    mentions = {original[change.span.start : change.span.end] for change in changes}
    mentions = {mention for mention in mentions if len(mention) >= _SHORTEST_RESIDUE}
    cells = outcome.record.others() if mentions else {}
    if not outcome.record.row:
        cells = {"": outcome.record.file}
    return [name for name, cell in cells.items() if any(mention in cell for mention in mentions)]


def _residue_warning(place: str, rows: _Rows) -> str:
    if not place:
        return "파일 이름에 가린 말이 그대로 있습니다 — 이름을 바꾸어 공개하십시오"
    where = f"'{place}' 열의 {rows.count}행(처음은 {rows.first}행)"
    return f"{where}에 가린 말이 그대로 있습니다 — 그 열을 빼고 공개하십시오"
