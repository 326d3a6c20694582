"""What a corpus is made of and how: the TOML that ``pretrain/prepare_corpus.py`` reads.

Paths are relative to the current folder; ``data:NAME`` is what the settings say of it
(``thunder.settings.data``). ``[mix]`` says which share of the tokens seen in training
comes from a language or a source, and adds up to 1; without it each document is seen as often as
any other, times the ``weight`` of its source::

    [[source]]
    name = "ko-statutes"
    path = "data:statutes"
    language = "ko"

    [mix]                # the 1.5B model of the paper: 22 of 60 billion tokens are Korean
    ko = 0.366667
    en = 0.633333
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from thunder.settings import user
from thunder.settings.config import require
from thunder.training_data.corpus.mixing import shares

_NAME = re.compile(r"[0-9a-z][0-9a-z._-]*")


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a folder of ``.txt``, ``.jsonl`` or ``.parquet`` (text also .xz, .gz, .bz2, .zst).

    ``field`` holds the text of a JSON line or a Parquet row. ``split`` says what a document of
    plain text is. ``weight`` 2 shows a document twice as often as 1 does. ``unreadable = "drop"``
    counts and leaves out lines that are no JSON or no UTF-8, instead of stopping.
    """

    name: str
    path: Path
    language: str
    weight: float = 1.0
    field: str = "text"
    split: Literal["file", "blank-line", "line"] = "file"
    unreadable: Literal["refuse", "drop"] = "refuse"

    def __post_init__(self) -> None:
        require(
            bool(_NAME.fullmatch(self.name)),
            f"the source name {self.name!r} is not of a-z, 0-9, '.', '-' and '_'",
        )
        require(bool(_NAME.fullmatch(self.language)), f"no language code: {self.language!r}")
        require(0 < self.weight < float("inf"), f"{self.name}: the weight must be above 0")
        require(bool(self.field), f"{self.name}: field is empty")
        object.__setattr__(self, "path", user.resolved(self.path))


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What a document must have to stay; shares are of its characters that are no white space."""

    shortest: int = 64  # characters: a heading or a stub teaches no context
    letters: float = 0.3  # less is tables of numbers, code or markup
    mojibake: float = 0.2  # more accented Latin letters than any language has
    replacement: float = 0.001  # more U+FFFD: read in the wrong encoding once
    repeated_lines: float = 0.5  # more in lines that stood there before: menus, templates

    def __post_init__(self) -> None:
        require(self.shortest >= 1, "'shortest' must be at least 1 character")
        for name in ("letters", "mojibake", "replacement", "repeated_lines"):
            require(0 <= getattr(self, name) <= 1, f"{name!r} is a share from 0 to 1")


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Near duplicates share so many of their runs of five tokens; 1.0 leaves only exact ones."""

    threshold: float = 0.8

    def __post_init__(self) -> None:
        require(0.3 <= self.threshold <= 1, "the threshold of near duplicates is 0.3 to 1")


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Which documents are kept for evaluation: a share of each source, so many at most."""

    share: float = 0.005
    most: int = 2000

    def __post_init__(self) -> None:
        require(0 <= self.share <= 0.5, "the held-out 'share' is 0 to 0.5")
        require(self.most >= 0, "'most' counts documents: it is not negative")


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """All that decides what a prepared corpus holds, beside its inputs and the tokenizer."""

    source: tuple[Source, ...]
    mix: Mapping[str, float] = field(default_factory=dict)
    cleaning: Cleaning = field(default_factory=Cleaning)
    duplicates: Duplicates = field(default_factory=Duplicates)
    held_out: HeldOut = field(default_factory=HeldOut)
    lengths: tuple[int, ...] = (512, 2048)  # of the rows that are planned now; others follow later
    piece_mb: float = 32.0  # of input, at most, behind one shard: what a kill costs a worker

    def __post_init__(self) -> None:
        require(bool(self.source), "there is no [[source]]")
        names = [source.name for source in self.source]
        twice = {name for name in names if names.count(name) > 1}
        require(not twice, f"two sources are called {', '.join(sorted(twice))}")
        both = {source.language for source in self.source} & set(names)
        require(not both, f"{', '.join(sorted(both))} names a source and a language")
        require(0 < self.piece_mb <= 1024, "'piece_mb' is above 0, 1024 at most")
        require(all(8 <= length <= 65_535 for length in self.lengths), "'lengths' are 8 to 65535")
        if self.mix:
            languages = {source.name: source.language for source in self.source}
            shares(self.mix, languages=languages, place="[mix] ")
