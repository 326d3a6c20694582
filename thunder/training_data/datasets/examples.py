"""Annotated judgments turned into training examples: filled, tokenised, labelled.

Two ways, the same mentions, spans and labels: ``TextFirst`` fills the text and tokenises it, as a
tagger will meet it; ``TokenSplice`` puts the tokens of mentions between those of the text, which
is tokenised once (Thunder-DeID paper, Figure 3). An example depends on seed, document id, epoch
and replica alone: on no worker, order or restart.
"""

from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.labeling import SCHEMES, Labels, Offsets, Scheme, labels_from_spans
from thunder.tokenization.words import Encoded
from thunder.training_data.datasets.filling import LONGEST, Drawing, Filling, Marked, Replacement
from thunder.training_data.datasets.splice import Splicing
from thunder.training_data.filling import TRAINING, Variants, naming, written
from thunder.training_data.lists import Part, ReplacementLists
from thunder.training_data.lists import load as load_lists
from thunder.training_data.mention_makers.names import MIXED, NameForms
from thunder.training_data.messages import UNKNOWN_VALUE

__all__ = [
    "LONGEST",
    "Example",
    "Filler",
    "Marked",
    "Replacement",
    "TextFirst",
    "TokenSplice",
    "Way",
]

Way = Literal["text-first", "token-splice"]


class Example(NamedTuple):
    """A filled judgment as numbers; ``starts`` and ``ends`` are code points of its ``text``.

    ``labels`` are class numbers, IGNORE (-100) where a token is neither right nor wrong.
    """

    id: str
    epoch: int
    replica: int
    ids: NDArray[np.uint32]
    labels: Labels
    starts: Offsets
    ends: Offsets
    text: str
    spans: tuple[Span, ...] = ()


class Filler(Protocol):
    """What makes examples of judgments."""

    def example(self, judgment: Marked, *, epoch: int, replica: int = 0) -> Example:
        """Return the example of a judgment in an epoch and replica, both counted from 0."""
        ...


class _Maker:
    """What both ways share: the choice of mentions, and labels by the places of tokens."""

    def __init__(
        self,
        tokenizer: HybridTokenizer,
        taxonomy: Taxonomy,
        *,
        lists: ReplacementLists | None = None,
        scheme: Scheme = "classes",
        seed: int = 1,
        replacement: Replacement = "per-epoch",
        part: Part = "train",
        forms: NameForms = MIXED,
        variants: Variants = TRAINING,
    ) -> None:
        if scheme not in SCHEMES:
            facts = {"name": "scheme", "value": scheme, "known": ", ".join(SCHEMES)}
            raise ValueError(UNKNOWN_VALUE(**facts))
        drawing = Drawing(lists or load_lists(), part, forms, variants, seed, replacement)
        self.filling = Filling(drawing, taxonomy)
        self.tokenizer = tokenizer
        self.taxonomy = taxonomy
        self.scheme = scheme

    def _example(
        self,
        judgment: Marked,
        epoch: int,
        replica: int,
        encoded: Encoded,
        filled: tuple[str, list[Span]],
    ) -> Example:
        text, spans = filled
        ids, starts, ends = encoded
        labels = labels_from_spans(starts, ends, spans, taxonomy=self.taxonomy, scheme=self.scheme)
        numbers = ids.astype(np.uint32)
        return Example(
            judgment.id, epoch, replica, numbers, labels, starts, ends, text, tuple(spans)
        )


class TextFirst(_Maker):
    """Fills the text, then tokenises it: what a tagger will meet. The default."""

    def example(self, judgment: Marked, *, epoch: int, replica: int = 0) -> Example:
        """Return the example of a judgment; LookupError or ValueError name the document."""
        filled = written(*self.filling.choice(judgment, epoch=epoch, replica=replica))
        with naming(judgment.id):
            encoded = self.tokenizer.encode(filled[0])
        return self._example(judgment, epoch, replica, encoded, filled)


class TokenSplice(_Maker):
    """Tokenises the text once, and puts the tokens of mentions in: faster from epoch to epoch."""

    def __init__(self, tokenizer: HybridTokenizer, taxonomy: Taxonomy, **options: Any) -> None:
        super().__init__(tokenizer, taxonomy, **options)
        self._splicing = Splicing(tokenizer, taxonomy)

    def example(self, judgment: Marked, *, epoch: int, replica: int = 0) -> Example:
        """Return the example of a judgment; LookupError or ValueError name the document."""
        prepared, chosen = self.filling.choice(judgment, epoch=epoch, replica=replica)
        with naming(judgment.id):
            encoded = self._splicing.tokens(prepared, chosen)
        return self._example(judgment, epoch, replica, encoded, written(prepared, chosen))
