"""What a whole text must not be: near to another, a copy of a seed; what a tagger makes of it."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from thunder.text.spans import Span
from thunder.training.synthesis.marks import Finder
from thunder.training_data.annotation import AnnotationError, parse
from thunder.training_data.diversity import legal_formulas, passage_shares
from thunder.training_data.near_duplicates import Hashes, jaccard, shingles

REASONS = {
    "near another": "the text is a near duplicate of one that was taken before",
    "near a seed": "the text is a near duplicate of one that it must be unlike",
    "copied": "the text shares a long passage with one that it must be unlike",
}


class Unlike:
    """Texts that none may be near to; what was taken is added. Formulas of law may be the same."""

    def __init__(self, texts: Iterable[str], *, near: float, passage: int) -> None:
        self._near, self._passage = near, passage
        self._formulas = legal_formulas()
        self._passages: set[str] = set()
        self._seeds: list[Hashes] = []
        self._taken: list[Hashes] = []
        for text in texts:
            self._passages.update(self._passages_of(text))
            self._seeds.append(_distinct(text))

    def reason(self, text: str) -> str:
        """Return why *text* is dropped, "" for one that is taken: it counts from now on."""
        own = _distinct(text)
        if not self._passages.isdisjoint(self._passages_of(text)):
            return "copied"
        if any(jaccard(own, other) >= self._near for other in self._seeds):
            return "near a seed"
        if any(jaccard(own, other) >= self._near for other in self._taken):
            return "near another"
        self._taken.append(own)
        return ""

    def _passages_of(self, text: str) -> Iterable[str]:
        return passage_shares([text], formulas=self._formulas, length=self._passage)


def texts_of(paths: Iterable[Path]) -> list[str]:
    """Return the texts of files of JSON lines, without marks; ValueError names file and line."""
    found: list[str] = []
    for path in paths:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{path}: cannot be read: {error}") from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                text = json.loads(line)["text"]
                found.append(parse(text).text)
            except AnnotationError:
                found.append(text)
            except (KeyError, TypeError, ValueError):
                raise ValueError(f"{path}: line {number} is no object with a text") from None
    return found


def missed(text: str, spans: Sequence[Span], find: Finder) -> int:
    """Return how many of *spans* a tagger does not touch at all."""
    found = find(text)
    return sum(
        not any(one.start < span.end and span.start < one.end for one in found) for span in spans
    )


def _distinct(text: str) -> Hashes:
    plain = " ".join(text.split())
    return np.unique(shingles(np.frombuffer(plain.encode("utf-32-le"), dtype=np.uint32)))
