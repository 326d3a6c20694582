"""The prompts: templates in files, in Korean, each with its version in the first line.

A file begins with ``# 판 N``; what follows ``=== system`` and ``=== user`` is said, with
``{{word}}`` for what is put in. A folder of one's own comes before ``prompts/``.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "prompts"
_VERSION = re.compile(r"# 판 ([0-9]+)\n")
_PART = re.compile(r"^=== (system|user)\n", re.M)
_WORD = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is said to the model; ``name`` has the version, ``sha256`` is the template file's."""

    name: str
    sha256: str
    messages: list[dict[str, str]]


def prompt(name: str, words: Mapping[str, object], *, folder: Path | None = None) -> Prompt:
    """Return the template *name* with *words* put in.

    ValueError names the file where it has no version, no part, or a word that is not given.
    """
    own = folder / f"{name}.txt" if folder else None
    path = own if own is not None and own.is_file() else _FOLDER / f"{name}.txt"
    content = path.read_bytes()
    text = content.decode()
    version = _VERSION.match(text)
    parts = _PART.split(text[version.end() :] if version else "")[1:]
    if not version or not parts:
        raise ValueError(f"{path}: no '# 판 N' in the first line, or no '=== user'")
    unknown = {word for word in _WORD.findall(text) if word not in words}
    if unknown:
        known = ", ".join(sorted(words))
        raise ValueError(f"{path}: unknown {', '.join(sorted(unknown))}; known are {known}")
    messages = [
        {"role": role, "content": _WORD.sub(lambda found: str(words[found[1]]), said).strip()}
        for role, said in zip(parts[::2], parts[1::2], strict=True)
    ]
    return Prompt(f"{name}-{version[1]}", hashlib.sha256(content).hexdigest(), messages)
