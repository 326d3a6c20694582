"""Rows of a corpus to micro-batches of masked tokens: a pure function of seed and numbers.

Shapes: B rows, S tokens, N places that are asked.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import torch

from thunder.training.chance import key
from thunder.training.loop import Micro
from thunder.training.pretraining.masking import IGNORED, masked_batch
from thunder.training.pretraining.masking import Masking as Rule
from thunder.training.pretraining.settings import Pretraining
from thunder.training.settings import Phase
from thunder.training_data.corpus import PackedRows

FEW_SHAPES = 256  # where all shapes are compiled, the places asked are padded to a multiple of it


@dataclass(frozen=True, slots=True)
class Samples:
    """Makes micro-batches of *rows*; it can be sent to a worker.

    The places asked of a micro-batch are padded to a *multiple*.
    """

    rows: PackedRows
    rule: Rule
    seed: int
    multiple: int = 1

    def __call__(self, numbers: range) -> Micro:
        """Return the samples *numbers*, masked."""
        rows = [self.rows[number] for number in numbers]
        hidden = masked_batch(rows, seed=self.seed, numbers=numbers, rule=self.rule)
        documents_BS = torch.stack([torch.from_numpy(row.documents) for row in rows])
        labels_BS = torch.from_numpy(hidden.labels)
        labelled = int((labels_BS != IGNORED).sum())
        inputs = {
            "input_ids": torch.from_numpy(hidden.ids),
            "document_ids": documents_BS,
            "labels": labels_BS,
            "asked": _asked(labels_BS, self.multiple),
        }
        return Micro(tuple(numbers), inputs, int((documents_BS > 0).sum()), labelled)


def _asked(labels_BS: torch.Tensor, multiple: int) -> torch.Tensor:
    """Return the places that have a label, padded to a *multiple* with one that has none."""
    flat = labels_BS.flatten() != IGNORED
    places_N = flat.nonzero().flatten()
    padding = -len(places_N) % multiple
    free = (~flat).nonzero().flatten()[:1]
    return torch.cat([places_N, free.repeat(padding)]) if len(free) else places_N


def rows_of(settings: Pretraining, phase: Phase, *, part: str) -> PackedRows:
    """Return the corpus's rows for *phase*, after its tokenizer was compared.

    FileNotFoundError or ValueError name what is missing or does not fit.
    """
    corpus = settings.corpus
    rows = PackedRows.open(
        corpus.folder,
        length=phase.length,
        seed=key(settings.seed, part, phase.length) % 2**31,
        weights=corpus.weights if part == "train" else None,
        part=part,
    )
    rows.require_tokenizer(tokenizer_folder(corpus.tokenizer))
    return rows


def tokenizer_folder(name: str) -> Path:
    """Return the folder of the tokenizer *name*: a shipped one, or a path."""
    from thunder.settings.resources import folder

    shipped = folder("tokenizer") / name
    return shipped if shipped.is_dir() else Path(name)


def training(settings: Pretraining, number: int) -> Samples:
    """Return what makes the micro-batches of phase *number*."""
    phase = settings.phases[number]
    rows = rows_of(settings, phase, part="train")
    chance = key(settings.seed, "masking", number) % 2**31
    return Samples(rows, _rule(settings, rows), chance, _multiple(settings))


def held_out(settings: Pretraining, number: int) -> dict[str, Samples]:
    """Return what makes micro-batches of each source's held-out rows, masked always alike."""
    rows = rows_of(settings, settings.phases[number], part="held-out")
    rule = _rule(settings, rows)
    multiple = _multiple(settings)
    return {source: Samples(rows.only(source), rule, 0, multiple) for source in rows.sources}


def _multiple(settings: Pretraining) -> int:
    return FEW_SHAPES if settings.engine.compile else 1


def _rule(settings: Pretraining, rows: PackedRows) -> Rule:
    rule = Rule(rows.vocabulary, share=settings.masking.share)
    return replace(rule, whole_words=settings.masking.whole_words)
