"""The weights of the evidence for a person's name, as the tables in ``taxonomy/cues`` give them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from thunder.taxonomy.lexicon import table

Cases = tuple[float, float, float]
"""A weight for each case: free, after a role word, before what only follows persons."""


class Weights(NamedTuple):
    """Log-odds by evidence: of the word itself, and of what stands around it."""

    word: dict[str, Cases]
    place: dict[str, float]

    def of_word(self, keys: Sequence[str]) -> Cases:
        """Return what *keys* and the base say together, for each case."""
        known = self.word
        free, after_role, before_sure = known["base"]
        for key in keys:
            if key in known:
                one, two, three = known[key]
                free += one
                after_role += two
                before_sure += three
        return free, after_role, before_sure

    def of_place(self, keys: Sequence[str]) -> float:
        """Return what *keys* of ``person_context`` say together."""
        known, said = self.place, 0.0
        for key in keys:
            said += known.get(key, 0.0)
        return said


@lru_cache(maxsize=1)
def load() -> Weights:
    """Return the shipped weights."""
    word = {row[0]: (float(row[1]), float(row[2]), float(row[3])) for row in _rows("word")}
    return Weights(word, {key: float(weight) for key, weight in _rows("place")})


def _rows(kind: str) -> list[list[str]]:
    return table(f"cc-by-nc-sa-4.0/person_{kind}_weights")
