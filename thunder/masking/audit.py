"""The record of a run: what was changed where, by which rules, without any original word.

A JSON object a line: ``run`` (what ran, with which versions), then ``document``, ``failure``,
``warning`` and ``file`` (an output, with its SHA-256) as they come, and ``end`` with the totals;
an audit without ``end`` is not whole, and of a file without ``file`` no output was left.

Names of files, paths, ids and columns may hold names of persons, and so may those parts of a file
that its format did not name: each stands as its HMAC under a key of the run's own (``Veil``), which
the mapping keeps.
"""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import thunder
from thunder.settings import resources
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.policy import Policy
from thunder.text.spans import Change, Span

if TYPE_CHECKING:
    from thunder.documents.records import Failure, Record
    from thunder.masking.doubts import Doubt
    from thunder.masking.records import Deidentified, Why

Entry = dict[str, Any]

_CODE = Path(thunder.__file__).resolve().parent
_DATA = ("*.yaml", "*.tsv", "*.txt")
_FITTED = "cues/cc-by-nc-sa-4.0"


@dataclass(frozen=True, slots=True)
class Veil:
    """Names as an audit has them: who lacks the key can test no guess.

    A plain hash would not do: there are too few names of persons.
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def __call__(self, name: str) -> str:
        """Return the HMAC-SHA256 of *name*, in hexadecimal digits; "" for no name."""
        if not name:
            return ""
        return hmac.digest(self.key, name.encode("utf-8", "surrogatepass"), "sha256").hex()


@dataclass(frozen=True)
class Catalogue:
    """What the taxonomy and a profile say of a span's label."""

    taxonomy: Taxonomy
    policy: Policy

    def label_id(self, span: Span) -> int:
        """Return the id of the span's label."""
        return self.taxonomy.label(span.label).id

    def subcategory(self, span: Span) -> str:
        """Return the Korean name of the subcategory of the span's label."""
        return self.taxonomy.label(span.label).subcategory

    def treatment(self, span: Span) -> str:
        """Return how a masked span is written: letter, omission or address."""
        label = self.taxonomy.label(span.label)
        treatment = self.policy.treatments.get(label.ko, label.treatment)
        if span.source in self.policy.omissions:
            return "omission"
        return "letter" if treatment == "keep" else treatment

    def counts(self, changes: Iterable[Change]) -> Counter[str]:
        """Return how many spans were changed in each subcategory."""
        return Counter(self.subcategory(change.span) for change in changes)


def catalogue(profile: str) -> Catalogue:
    """Return the taxonomy at work and the profile *profile*; LookupError names the known ones.

    YamlFileError where a table or a rule of one's own is wrong.
    """
    from thunder.mentions.recognising import require_own_in_order
    from thunder.taxonomy import own, profiles

    require_own_in_order()
    return Catalogue(own.ruling(), profiles.load(profile))


def run_entry(
    known: Catalogue, options: Mapping[str, object], veil: Veil, *, tagger: Entry | None = None
) -> Entry:
    """Return the first record: tool, options, and version and SHA-256 of all that decided.

    *tagger* is ``thunder.tagger.chosen_tagger.entry``, None for the rules alone. Paths are veiled.
    """
    from thunder.mentions.scorecard import NAME as SCORECARD
    from thunder.text import morphology

    taxonomy, policy = known.taxonomy, known.policy
    if tagger and isinstance(options.get("model"), Path):
        tagger = tagger | {"name": _veiled(options["model"], veil)}
    gazetteer = resources.all_in_taxonomy("gazetteer", "*.tsv")
    return {
        "record": "run",
        "tool": "thunder-deid",
        "version": thunder.__version__,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "options": {name: _veiled(value, veil) for name, value in options.items()},
        "profile": policy.name,
        "tagger": tagger,
        "taxonomy": {"version": taxonomy.version, "sha256": taxonomy.digest()},
        "policy": {"name": policy.name, "sha256": policy.digest},
        "rules": {
            "version": thunder.__version__,
            "sha256": rules_digest(),
            "patterns_sha256": _digest(_patterns()),
            "scorecard_sha256": _digest([resources.in_taxonomy(SCORECARD)]),
        },
        "gazetteer": {"sha256": _digest(gazetteer)},
        "dictionary": {**morphology.dictionary(), "sha256": morphology.dictionary_digest()},
    }


def _veiled(option: object, veil: Veil) -> object:
    if isinstance(option, Path):
        return veil(str(option))
    return [_veiled(one, veil) for one in option] if isinstance(option, tuple) else option


@lru_cache(maxsize=1)
def rules_digest() -> str:
    """Return the SHA-256 of the package's own code and data: rules, names, and what joins them."""
    files = {p for pattern in ("*.py", *_DATA) for p in _CODE.rglob(pattern)}
    return _digest(sorted(p for p in files if "_data" not in p.relative_to(_CODE).parts))


def _patterns() -> list[Path]:
    """Return the files of patterns and words in use, one's own among them."""
    kinds = (("patterns", "*.yaml"), ("cues", "*.yaml"), ("cues", "*.tsv"), (_FITTED, "*.tsv"))
    found = [path for kind in kinds for path in resources.all_in_taxonomy(*kind)]
    return [*found, resources.in_taxonomy("arbiter.yaml"), resources.in_taxonomy("checks.yaml")]


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def document_entry(record: "Record", result: "Deidentified", known: Catalogue, veil: Veil) -> Entry:
    """Return the record of a document among others, with where it stood."""
    place = {"id": veil(record.id), "file": veil(record.file), "row": record.row}
    return {"record": "document", **place, **result_entry(result, known)}


def part_name(part: str, veil: Veil) -> str:
    """Return the name of a file's part as an audit has it: veiled, unless its format gives it."""
    from thunder.documents.part_names import is_of_format

    return part if is_of_format(part) else veil(part)


def result_entry(result: "Deidentified", known: Catalogue) -> Entry:
    """Return what became of a document; offsets are code points of its text as it came in.

    Reasons and doubts are sentences of the rules; should one quote a masked mention, the
    mention is left out.
    """
    mentions = _mentions(result)
    return {
        "characters": len(result.original),
        "counts": dict(known.counts(result.changes)),
        "changes": [_change(change, known, result.why(change.span)) for change in result.changes],
        "kept": [
            {
                "start": kept.span.start,
                "end": kept.span.end,
                "label": kept.span.label,
                "reason": _without(kept.reason, mentions),
            }
            for kept in result.kept
        ],
        "doubts": [_doubt(doubt, mentions) for doubt in result.doubts],
    }


def _change(change: Change, known: Catalogue, why: "Why | None") -> Entry:
    from thunder.masking.explaining import sentence

    span = change.span
    return {
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "label_id": known.label_id(span),
        "treatment": known.treatment(span),
        "replacement": change.replacement,
        "score": round(span.score, 4),
        "source": span.source,
        **({"probability": round(why.probability, 4)} if why else {}),
        "why": sentence(span, why),
    }


def _doubt(doubt: "Doubt", mentions: Sequence[str]) -> Entry:
    from thunder.masking.explaining import reasons_of

    why = reasons_of(doubt)
    return {
        "start": doubt.start,
        "end": doubt.end,
        "kind": doubt.kind,
        "message": _without(doubt.message, mentions),
        **({} if doubt.score is None else {"score": round(doubt.score, 4)}),
        **({"places": [list(place) for place in doubt.places]} if doubt.places else {}),
        **({"why": why} if why else {}),
    }


def _mentions(result: "Deidentified") -> list[str]:
    found = {result.original[c.span.start : c.span.end] for c in result.changes}
    return sorted((mention for mention in found if len(mention) > 1), key=len, reverse=True)


def _without(sentence: str, mentions: Sequence[str]) -> str:
    for mention in mentions:
        sentence = sentence.replace(mention, "…")
    return sentence


def failure_entry(failure: "Failure", veil: Veil) -> Entry:
    """Return the record of a document that was held back.

    The advice is left out: it may name a table's columns.
    """
    part = {"part": part_name(failure.part, veil)} if failure.part else {}
    return {
        "record": "failure",
        "id": veil(failure.id),
        "file": veil(failure.file),
        "row": failure.row,
        **part,
        "reason": failure.reason,
    }


def mapping_entries(record: "Record", result: "Deidentified") -> list[Entry]:
    """Return, for each replacement of a document, the original mentions it stands for.

    This is the "additional information" of 개인정보보호법 제28조의4: keep it apart and locked.
    """
    originals: dict[str, dict[str, None]] = {}
    for change in result.changes:
        mention = result.original[change.span.start : change.span.end]
        originals.setdefault(change.replacement, {})[mention] = None
    place = {"id": record.id, "file": record.file, "row": record.row}
    return [
        {"record": "replacement", **place, "replacement": replacement, "originals": list(mentions)}
        for replacement, mentions in originals.items()
    ]


def key_entry(veil: Veil) -> Entry:
    """Return the mapping's first record: the key under which the audit's names stand."""
    return {"record": "key", "algorithm": "HMAC-SHA256", "key": veil.key.hex()}


def name_entry(name: str, veil: Veil) -> Entry:
    """Return the mapping's record of a name, and how the audit has it."""
    return {"record": "name", "hmac": veil(name), "name": name}
