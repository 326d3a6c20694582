"""The kinds of text that can be made, and the kinds of what stays readable in them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from thunder.training_data import invented_judgments
from thunder.training_data import lists as replacement_lists
from thunder.training_data.filling import korean_name

_HERE = Path(__file__).resolve().parent
_COURTS = Path(invented_judgments.__file__).resolve().parent / "pieces" / "courts.tsv"


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of text: what the model is told of it, and how many characters it has.

    ``invented``: kinds or families of invented writings that are of this kind.
    """

    name: str
    about: str
    length: int
    invented: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A kind that stays readable, and the reason why; ``filled_by`` as ``kept.tsv`` has it."""

    name: str
    reason: str
    filled_by: str

    @property
    def noun(self) -> str:
        """The generic noun at the end of what is drawn, "" where there is none."""
        return self.filled_by.partition(" ")[2] if self.filled_by.startswith("list:") else ""

    def drawn(self, rng: Random) -> str:
        """Return one of the kind."""
        if self.filled_by == "person":
            return korean_name(rng)
        if self.filled_by == "court":
            return rng.choice(_courts())
        if self.filled_by == "case":
            day = f"{rng.randint(2003, 2024)}. {rng.randint(1, 12)}. {rng.randint(1, 28)}."
            kind = rng.choice(["다", "도", "두", "므"])
            number = f"{rng.randint(2001, 2023)}{kind}{rng.randint(100, 99999)}"
            return f"대법원 {day} 선고 {number} 판결"
        if self.filled_by.startswith("list:"):
            return rng.choice(_mentions(self.filled_by)).removesuffix(self.noun) + self.noun
        return rng.choice(self.filled_by.split("|"))


@cache
def domains() -> dict[str, Domain]:
    """Return the kinds of text by name."""
    rows = _rows(_HERE / "domains.tsv")
    return {
        name: Domain(name, about, int(length), tuple(invented.split(",")))
        for name, about, length, invented in rows
    }


@cache
def kept() -> dict[str, Kept]:
    """Return the kinds of what stays readable by name."""
    return {row[0]: Kept(*row) for row in _rows(_HERE / "kept.tsv")}


@cache
def _courts() -> list[str]:
    return [row[0] for row in _rows(_COURTS)[1:]]


@cache
def _mentions(filled_by: str) -> list[str]:
    label = filled_by.removeprefix("list:").partition(" ")[0]
    return list(replacement_lists.load().mentions(label))


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
