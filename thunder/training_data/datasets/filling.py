"""What fills a judgment in a given epoch and replica, the same in both ways of filling."""

import hashlib
from typing import Literal, NamedTuple, get_args

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.training_data.datasets import messages as say
from thunder.training_data.filling import (
    IGNORED,
    Choice,
    Mentions,
    Prepared,
    Variants,
    choose,
    naming,
    prepare,
)
from thunder.training_data.lists import Part, ReplacementLists
from thunder.training_data.lists.parts import PARTS
from thunder.training_data.mention_makers.names import NameForms
from thunder.training_data.messages import UNKNOWN_PART_NAME, UNKNOWN_VALUE

Replacement = Literal["single", "per-epoch"]
"""Whether a replica is drawn once, or anew in each epoch (paper, section 4.1)."""

LONGEST = 500_000
"""Characters of a judgment; the longest of some 15,000 public ones has 59,904."""

_REMEMBERED = 2_500_000  # characters of judgments made ready, 23 MB: some 5,000 fact sections


class Marked(NamedTuple):
    """An annotated judgment, its placeholders in place; labels are the taxonomy's, or IGNORED."""

    id: str
    case_type: str
    text: str
    spans: tuple[Span, ...]


class Drawing(NamedTuple):
    """How mentions are drawn: from which lists and part, in which forms, by which seed."""

    lists: ReplacementLists
    part: Part
    forms: NameForms
    variants: Variants
    seed: int
    replacement: Replacement


class Filling:
    """Chooses the mentions of judgments; what is read of a text is remembered for other epochs."""

    def __init__(self, drawing: Drawing, taxonomy: Taxonomy) -> None:
        if drawing.part not in PARTS:
            raise ValueError(UNKNOWN_PART_NAME(part=drawing.part, known=", ".join(PARTS)))
        if drawing.replacement not in get_args(Replacement):
            known = ", ".join(get_args(Replacement))
            facts = {"name": "replacement", "value": drawing.replacement, "known": known}
            raise ValueError(UNKNOWN_VALUE(**facts))
        self.drawing = drawing
        self._taxonomy = taxonomy
        self._source = Mentions(drawing.lists, drawing.part, drawing.forms)
        self._ready: dict[str, Prepared] = {}
        self._characters = 0

    def choice(self, judgment: Marked, *, epoch: int, replica: int) -> tuple[Prepared, Choice]:
        """Return a judgment made ready, and what fills it in this epoch and replica.

        LookupError or ValueError name the document: unknown labels, labels without a list, a
        list used up, no text, too long a text, spans out of order.
        """
        if epoch < 0 or replica < 0:
            raise ValueError(f"epochs and replicas count from 0, got {epoch} and {replica}")
        with naming(judgment.id):
            prepared = self.prepared(judgment)
            chosen = choose(
                prepared,
                source=self._source,
                key=self._key(epoch, replica),
                document_id=judgment.id,
                variants=self.drawing.variants,
            )
        return prepared, chosen

    def prepared(self, judgment: Marked) -> Prepared:
        """Return a judgment made ready, as remembered if it has not changed."""
        known = self._ready.get(judgment.id)
        if known and known.text == judgment.text and known.spans == judgment.spans:
            return known
        self._require_sound(judgment)
        made = prepare(judgment.text, judgment.spans)
        if self._characters > _REMEMBERED:
            self._ready.clear()
            self._characters = 0
        self._ready[judgment.id] = made
        self._characters += len(judgment.text)
        return made

    def _require_sound(self, judgment: Marked) -> None:
        if not judgment.text.strip():
            raise ValueError(say.EMPTY())
        if len(judgment.text) > LONGEST:
            raise ValueError(say.TOO_LONG(length=len(judgment.text), most=LONGEST))
        for label in {span.label for span in judgment.spans} - {IGNORED}:
            if self._taxonomy.label(label).ko != label:
                right = self._taxonomy.label(label).ko
                raise ValueError(say.OTHER_NAME(label=label, right=right))
            self.drawing.lists.source(label)

    def _key(self, epoch: int, replica: int) -> bytes:
        drawn_in = epoch if self.drawing.replacement == "per-epoch" else 0
        message = f"{self.drawing.seed}\0{drawn_in}\0{replica}".encode()
        return hashlib.blake2b(message, digest_size=32, person=b"thunder filling").digest()
