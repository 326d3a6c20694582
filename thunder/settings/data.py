"""Where data to train and to measure on lie: the table ``[data]`` of the settings alone.

Every other configuration names data, never a folder: ``path = "data:judgments"`` in the source file
of a corpus is what ``[data]`` says (``thunder.settings.user``), relative paths from its root::

    [data]
    root = "/scratch/data"              # without it: data, in the working folder
    judgments = "/archive/judgments"    # a file, or a folder of files; without it: root/judgments

    [data.own]                          # what the project does not know
    aihub = "aihub.jsonl"               # data:aihub
"""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from thunder.settings import config_messages as say

PREFIX = "data:"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_CURES = {
    "annotated": "thunder data get thunder-deid --accept-licence",
    "mentions": "thunder data get thunder-deid --accept-licence",
    "judgments": "thunder data get judgments --accept-licence",
    "statutes": "thunder data get statutes --accept-licence",
}


@dataclass(frozen=True, slots=True)
class Data:
    """Each kind of data by its name: a file, or a folder of files; relative paths begin in *root*.

    ``foreign_names`` has no place of its own: without it, such names are made by the lists' rules.
    """

    root: Path | None = None
    annotated: Path = Path("thunder-deid/annotated.jsonl")
    mentions: Path = Path("thunder-deid/mentions.jsonl")
    judgments: Path = Path("judgments")
    statutes: Path = Path("statutes")
    ko_wikipedia: Path = Path("ko-wikipedia")
    en_wikipedia: Path = Path("en-wikipedia")
    ko_web: Path = Path("fineweb-2-ko")
    en_web: Path = Path("fineweb-edu")
    foreign_names: Path | None = None
    own: Mapping[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.own:
            if not _NAME.fullmatch(name):
                raise ValueError(say.DATA_NAME(name=name))
            if name in _NAMES:
                raise ValueError(say.DATA_OWN(name=name))

    @property
    def folder(self) -> Path:
        """The root; where none is named, ``data`` in the working folder."""
        return self.root or Path("data")

    def names(self) -> tuple[str, ...]:
        """Return every name that has a place."""
        known = tuple(name for name in _NAMES if getattr(self, name) is not None)
        return (*known, *self.own)

    def path(self, name: str) -> Path:
        """Return where *name* lies, whether anything is there or not; ValueError: no such name."""
        if name not in self.names():
            near = difflib.get_close_matches(name, self.names(), n=1)
            facts = {"name": name, "known": ", ".join(self.names())}
            raise ValueError(
                say.NO_DATA_NEAR(near=near[0], **facts) if near else say.NO_DATA(**facts)
            )
        own = getattr(self, name) if name in _NAMES else self.own[name]
        return self.folder / own

    def found(self, name: str) -> Path:
        """Return where *name* lies; ValueError with the cure where nothing is there."""
        place = self.path(name)
        if not place.exists():
            facts = {"name": name, "place": place}
            cure = _CURES.get(name)
            told = say.NO_PLACE_CURE if cure else say.NO_PLACE
            raise ValueError(told(cure=cure, **facts))
        return place


_NAMES = tuple(one.name for one in fields(Data) if one.name not in ("root", "own"))
