"""The results of a run, taken as they come: written, recorded, counted.

An output and what the audit and the mapping say of it come about together, or not at all. First
the output is finished aside, and its records are brought to the disk and to their place; then it
is renamed. Whatever ends the run between, a kill, too, leaves no output without its records.
"""

import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from thunder.bulk import leaks, notices
from thunder.bulk.logs import Unwritable
from thunder.bulk.notices import Concern, Notice, Place, Rows
from thunder.bulk.outputs import Partial, Targets, give_up_standard_output, why
from thunder.bulk.page import MOST_DOCUMENTS, Shown
from thunder.bulk.recording import Recorder
from thunder.bulk.running import Outcome
from thunder.documents.encoding import Unreadable
from thunder.documents.paged import PagedFile
from thunder.documents.records import Document, Failure, Record, Write
from thunder.documents.sources import Finished, Opened, Source
from thunder.masking.audit import Catalogue, Entry
from thunder.masking.checks import is_hard

Item = Opened | Outcome | Failure | Finished

_MOST_IDS = 1_000_000  # rows of a file whose ids are compared


@dataclass
class Tally:
    """What was done: documents, characters read, spans by what became of them, and concerns."""

    documents: int = 0
    failed: int = 0
    characters: int = 0
    masked: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    doubts: int = 0
    concerns: set[Concern] = field(default_factory=set)

    @property
    def done(self) -> int:
        """Documents that were passed on."""
        return self.documents - self.failed

    def add(self, other: "Tally") -> None:
        """Count *other* in."""
        for name in ("documents", "failed", "characters", "kept", "doubts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.masked.update(other.masked)
        self.concerns |= other.concerns


class _Held(io.RawIOBase):
    """Standard output, with what is written held back until it is released."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._waiting.append(bytes(content))
        return len(content)

    def release(self) -> None:
        sys.stdout.buffer.write(b"".join(self._waiting))
        sys.stdout.buffer.flush()
        self._waiting.clear()


class _Output:
    """One file's result on its way to its place."""

    def __init__(self, source: Source, document: Document, target: Path | None) -> None:
        self.source, self.document, self.target = source, document, target
        self.tally = Tally()
        self.residue: dict[Place, Rows] = {}
        self.repeated = Rows()
        self.checks: Counter[str] = Counter()
        self.checked = Rows()
        self.ids: set[int] = set()
        self.is_broken = False
        self.searched: leaks.Searched | None = None
        self._writing = ExitStack()
        self._held = _Held()
        self._partial: Partial | None = None
        self._write: Write | None = None

    def write(self, outcome: Outcome, *, replace: bool) -> None:
        """Write a result, beginning the output with the first."""
        if self._write is None:
            stream = cast("BinaryIO", self._held)
            if self.target:
                self._partial = Partial(self.target, private=False, replace=replace)
                stream = self._partial.stream
            self._write = self._writing.enter_context(self.document.writing(stream))
        self._write(outcome.record, outcome.result)
        if isinstance(self.document, PagedFile):
            self.searched = leaks.require_none(outcome, self.document)

    def notices(self) -> Iterator[Notice]:
        """Yield what is to be said of it."""
        name = self.source.name
        yield from (Notice(name, note, "note") for note in self.document.notes)
        if isinstance(self.document, PagedFile):
            yield from notices.of_scrubbing(name, self.document.scrubbed)
        yield from notices.of_residue(name, self.residue)
        if self.repeated.count:
            yield notices.of_repeated(name, self.repeated)
        if self.checks:
            yield notices.of_checks(name, self.checks, self.checked)

    def settle(self) -> str | None:
        """Finish what was written, not yet in its place; return its SHA-256 if it is a file."""
        self._writing.close()
        return self._partial.settle() if self._partial else None

    def publish(self) -> None:
        """Put the output in its place."""
        if self._partial:
            self._partial.publish()
        else:
            self._held.release()

    def close(self) -> None:
        """Let go of the file; one that is not in its place vanishes."""
        if self._partial:
            self._partial.close()

    def release(self) -> None:
        """Send on what was written to standard output."""
        self._held.release()

    def is_published(self) -> bool:
        """Return whether the output is in its place."""
        return self._partial is not None and self._partial.is_published()

    def abandon(self) -> None:
        """Let what was written vanish."""
        try:
            self._writing.__exit__(_GivenUp, _GivenUp(), None)
        finally:
            self.close()


def _held_back(record: Record, error: Unreadable) -> Failure:
    place, size = (record.file, record.row), record.size
    return Failure(*place, error.reason, error.advice, record.id, size, error.part)


class _GivenUp(Exception):
    """Passes through an output's contexts so that they take back what they wrote."""


class Publication:
    """Takes a run's items in order, and says through *report* what a person must hear."""

    def __init__(
        self,
        targets: Targets,
        recorder: Recorder,
        report: Callable[[Failure | Notice], None],
        *,
        replace: bool = False,
        with_page: bool = False,
        with_checks: bool = False,
        is_stopped_by_disk: bool = False,
    ) -> None:
        """*is_stopped_by_disk*: an output that the disk refuses ends the run with Unwritable."""
        self._is_stopped_by_disk = is_stopped_by_disk
        self._targets, self._recorder, self._report = targets, recorder, report
        self._replace, self._with_page, self._with_checks = replace, with_page, with_checks
        self._output: _Output | None = None
        self.tally = Tally()
        self.shown: list[Shown] = []

    @property
    def known(self) -> Catalogue:
        """What the taxonomy and the profile say of labels."""
        return self._recorder.known

    def begin(self, options: Mapping[str, object], tagger: Entry | None) -> None:
        """Open the records with what runs, and as what."""
        self._recorder.begin(options, tagger)

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
        output, self._output = self._output, None
        if output and output.is_published():
            self._recorder.keep()
            output.close()
        elif output:
            output.abandon()
            self._recorder.take_back()

    def note(self, notice: Notice) -> None:
        """Record and report something that does not hold a document back."""
        self._recorder.notice(notice)
        self._recorder.keep()
        self._say(notice)

    def _say(self, notice: Notice) -> None:
        if notice.concern:
            self.tally.concerns.add(notice.concern)
        self._report(notice)

    def end(self, *, is_complete: bool) -> None:
        """Close the records with the totals."""
        tally = self.tally
        documents = {"documents": tally.documents, "done": tally.done, "failed": tally.failed}
        counts = {"counts": dict(tally.masked), "kept": tally.kept, "doubts": tally.doubts}
        totals = {"characters": tally.characters, **documents, **counts}
        self._recorder.end(totals, is_complete=is_complete)

    def _fail(self, failure: Failure) -> None:
        self.tally.documents += 1
        self.tally.failed += 1
        self._recorder.failure(failure)
        if self._output is None:
            self._recorder.keep()
        self._report(failure)

    def _publish(self, outcome: Outcome) -> None:
        output = self._output
        assert output is not None, "a record follows its file's Opened"
        if output.is_broken:
            output.tally.documents += 1
            return
        try:
            output.write(outcome, replace=self._replace)
        except Unreadable as error:
            self._fail(_held_back(outcome.record, error))
            return
        except Exception as error:
            self._break(output, error)
            output.tally.documents += 1
            return
        self._recorder.document(outcome, output.searched)
        if output.target is None:
            self._send(output)
        self._count(output, outcome)
        if self._with_page and len(self.shown) <= MOST_DOCUMENTS:
            self.shown.append(Shown(outcome.record.id, outcome.result, outcome.record.kinds))

    def _send(self, output: _Output) -> None:
        """Send to standard output what was recorded: it cannot be taken back."""
        if not output.tally.documents:
            self._recorder.secure()
        self._recorder.keep()
        try:
            output.release()
        except Exception as error:
            self._break(output, error)

    def _count(self, output: _Output, outcome: Outcome) -> None:
        record, result = outcome.record, outcome.result
        masked = self.known.counts(result.changes)
        kept, doubts = len(result.kept), len(result.doubts)
        output.tally.add(Tally(1, 0, len(record.text), masked, kept, doubts))
        for place in notices.residue(outcome, str(output.target or "")):
            output.residue.setdefault(place, Rows()).add(record.row)
        hard = [doubt.kind for doubt in result.doubts if is_hard(doubt)]
        if self._with_checks and hard:
            output.checks.update(hard)
            output.checked.add(record.row)
        if len(output.ids) < _MOST_IDS:
            if hash(record.id) in output.ids:
                output.repeated.add(record.row)
            output.ids.add(hash(record.id))

    def _break(self, output: _Output, error: Exception) -> None:
        """Give up an output that cannot be written; the rest of its file is read for nothing."""
        output.is_broken = True
        output.abandon()
        self._recorder.take_back()
        if output.target is None:
            give_up_standard_output()
            raise Unwritable("표준 출력", " — ".join(why(error))) from None
        if self._is_stopped_by_disk and isinstance(error, OSError):
            raise Unwritable(output.target, " — ".join(why(error))) from None
        reason, advice = why(error)
        failure = Failure(output.source.name, 0, reason, advice, output.source.name)
        self._recorder.failure(failure)
        self._report(failure)

    def _finish(self, item: Finished) -> None:
        output = self._output
        if output is None:
            return
        if not output.is_broken and output.tally.documents:
            try:
                self._commit(output)
            except Unwritable:
                raise
            except Exception as error:
                self._break(output, error)
        elif not output.is_broken:
            output.abandon()
        self._recorder.keep()
        if output.is_broken:
            output.tally = Tally(output.tally.documents, failed=output.tally.documents)
        self.tally.add(output.tally)
        self._output = None

    def _commit(self, output: _Output) -> None:
        """Put an output in its place, after all that is recorded of it."""
        name, found = output.source.name, list(output.notices())
        digest = output.settle()
        for notice in found:
            self._recorder.notice(notice)
        facts = {"encoding": output.document.encoding, "documents": output.tally.documents}
        if digest:
            facts["sha256"] = digest
        self._recorder.file(name, str(output.target or ""), facts)
        self._recorder.secure()
        output.publish()
        self._recorder.keep()
        output.close()
        for notice in found:
            self._say(notice)
