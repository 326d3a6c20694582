"""What is asked of a run, and all that decides what it writes."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thunder.documents.records import Part, Reading
from thunder.masking.audit import Catalogue, Veil, catalogue, run_entry
from thunder.settings import resources
from thunder.tagger import chosen_tagger

if TYPE_CHECKING:
    from thunder.masking.case_ledger import CaseLetters
    from thunder.masking.deidentifier import Deidentifier

_LIBRARIES = ["mecab-ko", "numpy", "onnxruntime", "pyarrow", "tokenizers", "torch"]
_LIBRARIES += ["lxml", "pikepdf", "Pillow", "pypdfium2", "fonttools"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run reads and masks, and how large its shards are.

    ``ids_by_row``: a row's id is its place, whatever columns there are. ``taxonomy``, ``names`` and
    ``keep`` are a folder and two lists, "" for none. ``whole``: a table is one shard, one result.
    ``case``: all files of a folder are one case, and in one shard. ``audit``, ``mapping`` and
    ``report`` are kept of each shard.
    """

    profile: str = "court"
    model: str = chosen_tagger.DEFAULT
    recall: float | None = None
    agree_particles: bool = False
    text_column: str = "text"
    id_column: str = "id"
    ids_by_row: bool = False
    max_characters: int = 20_000_000
    ocr: bool = False
    shard_documents: int = 1000
    shard_bytes: int = 8_000_000
    taxonomy: str = ""
    names: str = ""
    keep: str = ""
    whole: bool = False
    checks: bool = False
    case: bool = False
    audit: bool = False
    mapping: bool = False
    report: bool = False
    letters: str = ""
    letter_keys: str = ""

    def case_letters(self) -> "CaseLetters | None":
        """Return where the letters of a case's other instances are, if they are kept."""
        from thunder.masking.case_ledger import CaseLetters

        return CaseLetters(Path(self.letters), Path(self.letter_keys)) if self.letters else None

    def reading(self, part: Part | None = None) -> Reading:
        """Return how files are read."""
        columns = self.text_column, self.id_column
        return Reading(*columns, self.max_characters, self.ocr, part)

    def catalogue(self) -> Catalogue:
        """Return what taxonomy and profile say; from now on this process works with that taxonomy.

        OSError, ValueError or LookupError where they are not there or do not fit.
        """
        return _catalogue(self)

    def deidentifier(self) -> "Deidentifier":
        """Return what masks: one thread, so that as many processes share a machine as it has cores.

        It is the same in a process for the same settings.
        """
        return _deidentifier(self)


@lru_cache(maxsize=1)
def _catalogue(settings: Settings) -> Catalogue:
    resources.choose_taxonomy(Path(settings.taxonomy) if settings.taxonomy else None)
    return catalogue(settings.profile)


@lru_cache(maxsize=1)
def _deidentifier(settings: Settings) -> "Deidentifier":
    from thunder.masking.deidentifier import Deidentifier
    from thunder.masking.known import Known, read_kept, read_names

    known = _catalogue(settings)
    names = read_names(Path(settings.names), known.taxonomy) if settings.names else ()
    kept = read_kept(Path(settings.keep)) if settings.keep else ()
    return Deidentifier(
        profile=settings.profile,
        model=settings.model,
        recall=settings.recall,
        agree_particles=settings.agree_particles,
        threads=1,
        known=Known(names, kept),
        letters=settings.case_letters(),
        checks=settings.checks,
    )


def decides(settings: Settings) -> dict[str, Any]:
    """Return version and SHA-256 of all that decides what is written, but for the input.

    Settings, model, taxonomy, policy, lists, code and the libraries at work. OSError, ValueError
    or LookupError where there is no such profile or model.
    """
    chosen = chosen_tagger.choose(settings.model, recall=settings.recall, threads=1)
    known = settings.catalogue()
    settings.deidentifier()  # what is wrong with lists and profile is said now
    tagger = chosen_tagger.entry(chosen)
    if chosen and tagger:
        tagger = tagger | {"weights_sha256": _weights(chosen)}
    entry = run_entry(known, {}, Veil(), tagger=tagger)
    kept = {key: entry[key] for key in sorted(entry) if key not in ("record", "time", "options")}
    lists = {
        name: {"sha256": hashlib.sha256(Path(place).read_bytes()).hexdigest()}
        for name, place in (("names", settings.names), ("keep", settings.keep))
        if place
    }
    if letters := settings.case_letters():
        lists["letters"] = {"sha256": letters.state()}
    return {"settings": asdict(settings), **kept, **lists, "libraries": _libraries()}


def _weights(chosen: chosen_tagger.Chosen) -> str:
    digest = hashlib.sha256()
    kinds = ("*.onnx", "*.safetensors", "*.xz")
    for path in sorted(path for kind in kinds for path in chosen.place.rglob(kind)):
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _libraries() -> dict[str, str]:
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def differences(planned: Mapping[str, Any], now: Mapping[str, Any], under: str = "") -> list[str]:
    """Return what differs between two answers of ``decides``: ``settings.recall``, ``rules``."""
    found: list[str] = []
    for key in sorted({*planned, *now}):
        before, after = planned.get(key), now.get(key)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            found += differences(before, after, f"{under}{key}.")
        elif before != after:
            shown = "" if key.endswith("sha256") else f" ({before} → {after})"
            found.append(f"{under}{key}{shown}")
    return found
