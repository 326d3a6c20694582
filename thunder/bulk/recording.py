"""The audit, the mapping and the report of a run, kept in step with its outputs and each other."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thunder.bulk import report
from thunder.bulk.logs import Log
from thunder.masking import audit, leaks
from thunder.masking.audit import Catalogue, Veil

if TYPE_CHECKING:
    from thunder.bulk.leaks import Searched
    from thunder.bulk.notices import Notice
    from thunder.bulk.running import Outcome
    from thunder.documents.records import Failure


class Recorder:
    """Writes what happens to the audit, what it must not say to the mapping, parts to the report.

    What was recorded for an output that did not come about is taken back from all.
    """

    def __init__(
        self,
        audit_log: Log,
        mapping: Log,
        report_log: Log,
        known: Catalogue,
        *,
        veil: Veil | None = None,
    ) -> None:
        """*veil*: names stand in the audit under its key, else under a new one."""
        self.known = known
        self._audit, self._mapping, self._report = audit_log, mapping, report_log
        self._veil = veil or Veil()
        self._told: tuple[str, ...] = ()
        self._mapping.add(audit.key_entry(self._veil))
        self._report.add_text(report.HEAD)

    def begin(self, options: Mapping[str, object], tagger: audit.Entry | None) -> None:
        """Record what runs, and as what."""
        paths = [one for value in options.values() for one in _paths(value)]
        self._tell(*paths)
        if self._audit.is_kept:  # the digests of all that decides take their time
            self._audit.add(audit.run_entry(self.known, options, self._veil, tagger=tagger))
        self.keep()

    def document(self, outcome: "Outcome", searched: "Searched | None" = None) -> None:
        """Record a document that is written, and how its file was cleaned and searched."""
        record, result = outcome.record, outcome.result
        parts = [one.part for one in searched.scrubbed] if searched else []
        self._tell(record.file, record.id, *self._veiled(parts))
        if self._audit.is_kept:
            entry = audit.document_entry(record, result, self.known, self._veil)
            self._audit.add({**entry, **(_search_entry(searched, self._veil) if searched else {})})
        if searched:
            self._report.add_text(report.of_document(record.file, len(result.changes), searched))
        if self._mapping.is_kept:
            self._mapping.add(*audit.mapping_entries(record, result))

    def failure(self, failure: "Failure") -> None:
        """Record a document that is held back."""
        self._tell(failure.file, failure.id, *self._veiled([failure.part]))
        self._audit.add(audit.failure_entry(failure, self._veil))
        self._report.add_text(report.of_failure(failure))

    def notice(self, notice: "Notice") -> None:
        """Record what is said of a file or of the run."""
        self._tell(notice.file, notice.column)
        self._audit.add(_warning_entry(notice, self._veil))

    def file(self, name: str, output: str, facts: Mapping[str, Any]) -> None:
        """Record that a file is done; *output* is its path, "" for standard output."""
        self._tell(name, output)
        names = {"file": self._veil(name), "output": self._veil(output) or None}
        self._audit.add({"record": "file", **names, **facts})

    def end(self, totals: Mapping[str, Any], *, is_complete: bool) -> None:
        """Close the audit with the totals; a run that was cut off leaves no empty mapping."""
        self._audit.add({"record": "end", "complete": is_complete, **totals})
        self._audit.secure()
        if is_complete:
            self._mapping.secure()
            self._report.add_text(report.of_totals(totals))
        self._report.secure()

    def secure(self) -> None:
        """Bring all that was recorded to the disk and to its place, before an output goes there."""
        self._mapping.secure()
        self._audit.secure()
        self._report.secure()

    def keep(self) -> None:
        """Let stand what was recorded until now."""
        self._mapping.keep()
        self._audit.keep()
        self._report.keep()

    def take_back(self) -> None:
        """Undo what was recorded since the last ``keep``."""
        self._mapping.take_back()
        self._audit.take_back()
        self._report.take_back()
        self._told = ()

    def _veiled(self, parts: Sequence[str]) -> list[str]:
        """Return those of *parts* that the audit veils."""
        return [part for part in parts if audit.part_name(part, self._veil) != part]

    def _tell(self, *names: str) -> None:
        """Write to the mapping which names stand behind the audit's, but those just told."""
        new = [name for name in dict.fromkeys(names) if name and name not in self._told]
        self._mapping.add(*(audit.name_entry(name, self._veil) for name in new))
        self._told = names


def _warning_entry(notice: "Notice", veil: Veil) -> audit.Entry:
    """Return the record of a notice: its kind and its figures."""
    entry: audit.Entry = {"record": "warning", "kind": str(notice.kind), "file": veil(notice.file)}
    column = {"column": veil(notice.column)} if notice.column else {}
    return {**entry, **column, **notice.facts}


def _search_entry(searched: "Searched", veil: Veil) -> audit.Entry:
    """Return what an audit says of a file's parts: what was cleaned, what was searched."""
    return {
        "format": searched.format,
        "scrubbed": [
            {
                "part": audit.part_name(one.part, veil),
                "action": str(one.action),
                "reason": one.reason,
            }
            for one in searched.scrubbed
        ],
        "leak_scan": {
            "segments": searched.segments,
            "parts": len(searched.parts),
            "bytes": searched.size,
            "wordings": searched.wordings,
            "encodings": list(leaks.ENCODINGS),
            "found": 0,
        },
    }


def _paths(option: object) -> Iterator[str]:
    if isinstance(option, Path):
        yield str(option)
    for one in option if isinstance(option, tuple) else ():
        yield from _paths(one)


@contextmanager
def recording(
    audit_path: Path | None,
    mapping_path: Path | None,
    report_path: Path | None,
    known: Catalogue,
    *,
    replace: bool,
) -> Iterator[Recorder]:
    """Yield a recorder of a run; what it began and never put in its place vanishes."""
    with (
        closing(Log(audit_path, replace=replace)) as audit_log,
        closing(Log(mapping_path, private=True)) as mapping,
        closing(Log(report_path, private=True, replace=replace)) as report_log,
    ):
        yield Recorder(audit_log, mapping, report_log, known)
