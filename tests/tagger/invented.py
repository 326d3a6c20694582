"""Readings and taggers of invented texts: what a model would say, said by a table."""

from collections.abc import Callable

import numpy as np

from thunder import taxonomy
from thunder.settings import resources
from thunder.tagger.folder import Manifest
from thunder.tagger.readings import Reading
from thunder.tagger.tagger import Tagger
from thunder.tagger.tokenizers import OurTokenizer
from thunder.taxonomy.migrations import names_digest
from thunder.tokenization import labeling

KNOWN = taxonomy.load()
TOKENIZER = OurTokenizer(resources.folder("tokenizer") / "32k")


def marked(sentence: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a sentence without its [brackets], and the places that they enclosed."""
    text, places, start = "", [], 0
    for char in sentence:
        if char == "[":
            start = len(text)
        elif char == "]":
            places.append((start, len(text)))
        else:
            text += char
    return text, places


def reading(text: str, places: list[tuple[int, int]], label: str, mass: float = 0.9) -> Reading:
    """Return a reading in which the tokens that begin in *places* are of *label*."""
    found = Reading.empty(*TOKENIZER.encode(text)[1:])
    for start, end in places:
        inside = (found.starts >= start) & (found.starts < end)
        assert inside.any(), f"no token begins in {start}:{end}"
        found.mass[inside], found.share[inside] = mass, 1
        found.label[inside] = KNOWN.label(label).id
    found.label[found.label == 0] = KNOWN.label("은행").id
    return found


def manifest(**changes: object) -> Manifest:
    """Return what a tagger of the shipped labels says of itself."""
    values = {
        "architecture": "encoder",
        "scheme": "classes",
        "classes": KNOWN.classes,
        "labels": names_digest(KNOWN),
        "tokenizer": "hybrid",
        "tokenizer_sha256": TOKENIZER.digest,
        "length": 32,
        "overlap": 8,
    }
    return Manifest(**{**values, **changes})


class Neighbours:
    """A model that sees *reach* tokens on each side, and says what it likes of their sum."""

    classes = labeling.classes(KNOWN)
    hints = 0

    def __init__(self, reach: int) -> None:
        self.reach, self.rows = reach, 0

    def __call__(self, batch, /):
        input_ids_BS, attention_mask_BS, _ = batch
        self.rows += len(input_ids_BS)
        ids = np.where(np.isin(input_ids_BS, (0, 2, 3)), 0, input_ids_BS)  # the frame is no word
        sums = sum(_shifted(ids * (k * k + 7), k) for k in range(-self.reach, self.reach + 1))
        scores = np.zeros((*ids.shape, self.classes), np.float32)
        hot = (sums % 5 == 0) & (attention_mask_BS > 0)
        scores[..., 0] = np.where(hot, -6, 6)
        scores[..., 1] = (sums % 101) / 25
        return scores


def _shifted(ids, by: int):
    moved = np.zeros_like(ids)
    width = ids.shape[1]
    if abs(by) < width:
        moved[:, max(0, by) : width + min(0, by)] = ids[:, max(0, -by) : width - max(0, by)]
    return moved


def tagger(scorer: Callable, *, length: int, overlap: int, budget: int = 512) -> Tagger:
    """Return a tagger round *scorer*."""
    about = manifest(length=length, overlap=overlap)
    return Tagger(TOKENIZER, scorer, manifest=about, taxonomy=KNOWN, budget=budget)
