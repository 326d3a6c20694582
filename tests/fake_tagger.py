"""A tagger that finds given words, each with a label and a score, and reads a token a character."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace

import numpy as np

from thunder import taxonomy
from thunder.mentions.finding import Found
from thunder.tagger.readings import Reading
from thunder.tagger.tagger import Read
from thunder.tagger.thresholds import Outcome
from thunder.text.korean import fold
from thunder.text.spans import Span

KNOWN = taxonomy.load()


class FakeTagger:
    """Finds *words* (word: label, score); *masses* are those of words it does not report."""

    scorecard = None
    manifest = SimpleNamespace(architecture="onnx", about={"licence": "CC BY-NC-SA 4.0"})
    thresholds = SimpleNamespace(
        about={"recall": 0.99},
        outcome=Outcome(recall=0.99, reached=0.991, whole=0.993, precision=0.95, characters=0.99),
    )

    def __init__(
        self,
        words: Mapping[str, tuple[str, float]],
        *,
        masses: Mapping[str, float] | None = None,
    ) -> None:
        self.words, self.masses = words, masses or {}
        self.calls = 0

    def read_all(self, texts: Iterable[str]) -> Iterator[Read]:
        """Yield the texts as read, nothing having been found in them before."""
        return self.read_found(Found(fold(text), ()) for text in texts)

    def read_found(self, found: Iterable[Found]) -> Iterator[Read]:
        """Yield the texts as read, some at a time; one that says 오류 fails, and all with it."""
        pool = [one.folded for one in found]
        self.calls += 1
        if any("오류" in folded.text for folded in pool):
            raise RuntimeError("the batch cannot be read")
        for folded in pool:
            yield Read(folded, self._reading(folded.text))

    def _reading(self, plain: str) -> Reading:
        at = np.arange(len(plain), dtype=np.int32)
        reading = Reading.empty(at, at + 1)
        reading.mass[:] = 0.0
        scores = {word: score for word, (_, score) in self.words.items()} | dict(self.masses)
        for word, score in scores.items():
            for match in re.finditer(re.escape(word), plain):
                reading.mass[match.start() : match.end()] = score
        return reading

    def spans(self, read: Read) -> list[Span]:
        """Return the words in a text that was read."""
        found = [
            Span(match.start(), match.end(), label, score, "tagger")
            for word, (label, score) in self.words.items()
            for match in re.finditer(re.escape(word), read.folded.text)
        ]
        return sorted(found)
