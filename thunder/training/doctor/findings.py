"""What an examination finds, one matter each, with its cure."""

from typing import Literal, NamedTuple

Level = Literal["ok", "warn", "fail"]


class Finding(NamedTuple):
    """One matter: *level* "fail" means that a run would not start or not end."""

    level: Level
    matter: str
    found: str
    cure: str = ""

    def __str__(self) -> str:
        cure = f"\n       -> {self.cure}" if self.cure else ""
        return f"[{self.level:<4}] {self.matter}: {self.found}{cure}"
