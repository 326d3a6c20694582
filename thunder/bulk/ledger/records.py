"""What a run records beside its results, a file a shard: the audit, the mapping, the report.

They hold what ``thunder deid`` writes, shard by shard, put in place before the shard's marker,
which has their SHA-256. Names stand in the audits veiled under one key of the run's own, made with
the plan: a shard that is done twice says the same. It lies beside the plan, for its owner alone;
the mappings repeat it.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from thunder.bulk import report
from thunder.bulk.logs import Log, line, naming
from thunder.bulk.outputs import Refused, aside, bring_to_disk
from thunder.masking import audit
from thunder.masking.audit import Entry, Veil

if TYPE_CHECKING:
    from thunder.bulk.ledger.settings import Settings

KEY = "audit.key"
AUDIT, MAPPING, REPORT = "audit", "mapping", "report"
SUFFIX = {AUDIT: ".jsonl", MAPPING: ".jsonl", REPORT: ".md"}
_PATHS = ("taxonomy", "names", "keep", "letters", "letter_keys")
_NOT_RECORDED = {"settings", "lists"}


def kept(settings: "Settings") -> list[str]:
    """Return which records are kept: ``audit``, ``mapping``, ``report``."""
    return [kind for kind in SUFFIX if getattr(settings, kind)]


def path_of(folder: Path, kind: str, number: int) -> Path:
    """Return where a record of a shard stands, if it says anything."""
    return folder / kind / f"{number // 1000:06}" / f"{number:09}{SUFFIX[kind]}"


def make_key(folder: Path, settings: "Settings") -> None:
    """Write the key of a run that needs one; one that an interrupted plan left is taken."""
    path = folder / KEY
    if not (settings.audit or settings.mapping) or path.exists():
        return
    with aside(path, private=True) as stream:
        stream.write(line(audit.key_entry(Veil())))


def veil_of(folder: Path, settings: "Settings") -> Veil:
    """Return what veils the names of the run in *folder*; Refused where its key is not there."""
    if not (settings.audit or settings.mapping):
        return Veil()
    path = folder / KEY
    try:
        return Veil(bytes.fromhex(json.loads(path.read_bytes())["key"]))
    except (OSError, ValueError, LookupError, TypeError):
        raise Refused(
            f"{path}: 감사 기록의 열쇠가 없거나 바뀌었습니다: 되돌리거나 다시 계획하십시오"
        ) from None


class _Line(NamedTuple):
    """What was recorded, and of which file of the input."""

    file: str
    entry: Entry


class HeldLog(Log):
    """Holds what is recorded of one shard in memory until it is written whole."""

    def __init__(self) -> None:
        super().__init__(None)
        self.file = ""
        self.lines: list[_Line] = []
        self._stands = 0

    @property
    def is_kept(self) -> bool:
        """Whether what is added goes anywhere."""
        return True

    def add(self, *entries: dict[str, Any]) -> None:
        """Hold *entries*."""
        self.lines += (_Line(self.file, entry) for entry in entries)

    def add_text(self, text: str) -> None:
        """Hold *text*."""
        self.add({"text": text})

    def keep(self) -> None:
        """Let stand what was added until now."""
        self._stands = len(self.lines)

    def take_back(self) -> None:
        """Undo what was added since the last ``keep``."""
        del self.lines[self._stands :]


def log_of(kind: str, settings: "Settings") -> Log:
    """Return what takes a shard's records of a kind; what is not kept is dropped."""
    return HeldLog() if kind in kept(settings) else Log(None)


def write(
    folder: Path,
    number: int,
    logs: dict[str, Log],
    *,
    veil: Veil,
    settings: "Settings",
    decides: dict[str, Any],
) -> dict[str, str]:
    """Return the SHA-256 of each record of a shard, in its place; "" for one that says nothing."""
    digests: dict[str, str] = {}
    for kind in kept(settings):
        log = logs[kind]
        assert isinstance(log, HeldLog), "a log that is kept is held"
        content = _content(kind, number, log.lines, veil, settings, decides)
        digests[kind] = _put(path_of(folder, kind, number), content, private=kind != AUDIT)
    return digests


def _content(
    kind: str,
    number: int,
    lines: Sequence[_Line],
    veil: Veil,
    settings: "Settings",
    decides: dict[str, Any],
) -> bytes:
    if kind == REPORT:
        texts = [one.entry["text"] for one in lines]
        pieces = [text for text in texts if text != report.HEAD]
        return "".join([report.HEAD, *pieces]).encode() if pieces else b""
    if kind == MAPPING:
        entries = [one.entry | {"file": one.file} if one.file else one.entry for one in lines]
        return b"".join(map(line, entries))
    run = {
        "record": "run",
        "tool": "thunder-deid",
        "shard": number,
        **{key: value for key, value in decides.items() if key not in _NOT_RECORDED},
        "tagger": _tagger(decides.get("tagger"), settings, veil),
        "options": {name: _veiled(name, one, veil) for name, one in asdict(settings).items()},
    }
    entries = [one.entry for one in lines]
    return b"".join(map(line, [run, *entries, _end(entries)]))


def _tagger(found: Entry | None, settings: "Settings", veil: Veil) -> Entry | None:
    """Return what an audit says of the tagger: one given by its folder is veiled."""
    if not found or "/" not in settings.model:
        return found
    return found | {"name": veil(found["name"])}


def _veiled(name: str, option: object, veil: Veil) -> object:
    """Return an option as an audit has it: paths are veiled."""
    is_path = name in _PATHS or (name == "model" and "/" in str(option))
    return veil(str(option)) if is_path else option


def _end(entries: Iterable[Entry]) -> Entry:
    """Return the last record of a shard's audit, reckoned from those before it."""
    characters = done = failed = keeps = doubts = 0
    counts: Counter[str] = Counter()
    for entry in entries:
        if entry["record"] == "document":
            done += 1
            characters += entry["characters"]
            keeps += len(entry["kept"])
            doubts += len(entry["doubts"])
            counts.update(entry["counts"])
        failed += entry["record"] == "failure"
    documents = {"documents": done + failed, "done": done, "failed": failed}
    figures = {"counts": dict(counts), "kept": keeps, "doubts": doubts}
    return {"record": "end", "complete": True, "characters": characters, **documents, **figures}


def _put(path: Path, content: bytes, *, private: bool) -> str:
    if not content:
        path.unlink(missing_ok=True)
        return ""
    with naming(path):
        with aside(path, private=private, replace=True) as stream:
            stream.write(content)
        bring_to_disk(path.parent)
    return hashlib.sha256(content).hexdigest()


# --- what is withdrawn ----------------------------------------------------------------------------


def narrow(folder: Path, number: int, names: set[str], settings: "Settings") -> dict[str, str]:
    """Return the SHA-256 of a shard's records, which from now on speak of the files *names* only.

    Refused where the run's key is not there.
    """
    veil = veil_of(folder, settings)
    veiled = {veil(name) for name in names}
    narrowed: dict[str, Callable[[bytes], bytes]] = {
        AUDIT: lambda content: _narrow_audit(content, veiled),
        MAPPING: lambda content: _narrow_mapping(content, names),
        REPORT: lambda content: report.narrowed(content.decode(), names).encode(),
    }
    digests: dict[str, str] = {}
    for kind in kept(settings):
        path = path_of(folder, kind, number)
        content = path.read_bytes() if path.exists() else b""
        digests[kind] = _put(
            path, narrowed[kind](content) if content else b"", private=kind != AUDIT
        )
    return digests


def _narrow_audit(content: bytes, veiled: set[str]) -> bytes:
    run, *entries, _ = map(json.loads, content.splitlines())
    left = [entry for entry in entries if entry["file"] in veiled]
    return b"".join(map(line, [run, *left, _end(left)]))


def _narrow_mapping(content: bytes, names: set[str]) -> bytes:
    entries = map(json.loads, content.splitlines())
    return b"".join(line(one) for one in entries if one.get("file", "") in {"", *names})
