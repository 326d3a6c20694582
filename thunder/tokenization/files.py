"""A tokenizer's folder: ``tokenizer.json`` (plain or .xz) and ``thunder.json``, checked."""

import hashlib
import json
import lzma
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thunder.text.morphology import dictionary, dictionary_digest
from thunder.tokenization.pieces import RULES

MANIFEST = "thunder.json"


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """One file that a tokenizer was trained on, and how many sentences of it."""

    file: str
    sha256: str
    sentences: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a tokenizer was made with; another dictionary would make other tokens.

    ``vocabulary`` counts the special, byte and text tokens, ``labels`` the pairs of markers after
    them; ``rules`` is the version of the cutting rules (``thunder.tokenization.pieces.RULES``).
    """

    vocabulary: int
    labels: int
    rules: int
    dictionary: str
    dictionary_version: str
    dictionary_sha256: str
    seed: int = 0
    corpus: tuple[CorpusFile, ...] = ()


def manifest_of_today(*, vocabulary: int, labels: int) -> Manifest:
    """Return a manifest with the dictionary and the rules of this installation."""
    return Manifest(
        vocabulary=vocabulary,
        labels=labels,
        rules=RULES,
        dictionary="mecab-ko-dic",
        dictionary_version=dictionary()["mecab-ko-dic"],
        dictionary_sha256=dictionary_digest(),
    )


def write(folder: Path, tokenizer_json: str, manifest: Manifest) -> None:
    """Write ``tokenizer.json.xz`` and ``thunder.json`` to *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    content = tokenizer_json.encode()
    packed = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)
    (folder / "tokenizer.json.xz").write_bytes(packed)
    write_manifest(folder, manifest, content)


def write_manifest(folder: Path, manifest: Manifest, tokenizer_json: bytes) -> None:
    """Write ``thunder.json`` to *folder*, for a ``tokenizer.json`` with these bytes."""
    found = asdict(manifest) | {"tokenizer_sha256": hashlib.sha256(tokenizer_json).hexdigest()}
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def read(folder: Path, *, other_dictionary: str = "refuse") -> tuple[str, Manifest]:
    """Return the text of ``tokenizer.json`` and the manifest, checked against each other.

    ``other_dictionary="warn"`` goes on with another dictionary than the tokenizer was trained
    with. FileNotFoundError or ValueError name the file and what is wrong with it.
    """
    if other_dictionary not in ("refuse", "warn"):
        raise ValueError(f"other_dictionary is 'refuse' or 'warn', not {other_dictionary!r}")
    manifest, digest = _read_manifest(folder / MANIFEST)
    _check_rules(manifest, folder)
    _check_dictionary(manifest, folder, other_dictionary)
    path, content = _read_tokenizer(folder)
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{path}: damaged, or of another tokenizer than {folder / MANIFEST}")
    return content.decode(), manifest


def _read_manifest(path: Path) -> tuple[Manifest, str]:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this is no folder of a hybrid tokenizer")
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        digest = str(found.pop("tokenizer_sha256"))
        corpus = tuple(CorpusFile(**file) for file in found.pop("corpus"))
        manifest = Manifest(**found, corpus=corpus)
        if not all(isinstance(number, int) for number in (manifest.vocabulary, manifest.labels)):
            raise ValueError("vocabulary and labels are numbers")
        return manifest, digest
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged or of another kind: {error}") from error


def _read_tokenizer(folder: Path) -> tuple[Path, bytes]:
    plain, packed = folder / "tokenizer.json", folder / "tokenizer.json.xz"
    if plain.is_file():
        return plain, plain.read_bytes()
    if not packed.is_file():
        raise FileNotFoundError(f"{folder} holds neither tokenizer.json nor tokenizer.json.xz")
    try:
        return packed, lzma.decompress(packed.read_bytes())
    except (lzma.LZMAError, EOFError) as error:
        raise ValueError(f"{packed}: damaged: {error}") from error


def _check_rules(manifest: Manifest, folder: Path) -> None:
    if manifest.rules != RULES:
        raise ValueError(
            f"{folder}: trained with cutting rules {manifest.rules}, this version of thunder-deid "
            f"has {RULES}: the tokens would differ. Train it again or install its version"
        )


def _check_dictionary(manifest: Manifest, folder: Path, other_dictionary: str) -> None:
    if manifest.dictionary_sha256 == dictionary_digest():
        return
    message = (
        f"{folder}: trained with {manifest.dictionary} {manifest.dictionary_version} "
        f"({manifest.dictionary_sha256[:12]}), but this machine has "
        f"{dictionary()['mecab-ko-dic']} ({dictionary_digest()[:12]}): the tokens would differ. "
        f"Install mecab-ko-dic=={manifest.dictionary_version}"
    )
    if other_dictionary == "refuse":
        raise ValueError(message)
    warnings.warn(message, stacklevel=4)
