"""A de-identifier that remembers what the tagger read: a decision does not make it read again.

What a tagger reads of a text depends on the text alone, and takes most of the time; the rest of the
recipe runs anew with each decision.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from thunder.masking.deidentifier import Deidentifier

if TYPE_CHECKING:
    from thunder.mentions.finding import Found
    from thunder.tagger.tagger import Read, Tagger
    from thunder.text.spans import Span

MOST_CHARACTERS = 3_000_000
"""Of the texts of which the reading is remembered."""


class Rereading(Deidentifier):
    """A ``Deidentifier`` for texts that come again and again."""

    def load(self) -> "Tagger | None":
        """Return the tagger, which remembers; None for the rules alone."""
        tagger = super().load()
        if tagger is None:
            return None
        if not hasattr(self, "_remembering"):
            self._remembering = Remembering(tagger)
        return cast("Tagger", self._remembering)


class Remembering:
    """What the recipe asks of a tagger, answered from memory where it was asked before."""

    def __init__(self, tagger: "Tagger") -> None:
        self._tagger = tagger
        self._reads: OrderedDict[str, tuple[Read, list[Span]]] = OrderedDict()
        self._lock = threading.Lock()

    def read_found(self, found: "Iterable[Found]") -> "Iterator[Read]":
        """Yield what was read of each text."""
        for one in found:
            yield self._known(one)[0]._replace(folded=one.folded)

    def spans(self, read: "Read") -> "Sequence[Span]":
        """Return the mentions of a text that was read here."""
        with self._lock:
            known = self._reads.get(read.folded.text)
        return known[1] if known else self._tagger.spans(read)

    def _known(self, one: "Found") -> "tuple[Read, list[Span]]":
        plain = one.folded.text
        with self._lock:
            known = self._reads.get(plain)
            if known:
                self._reads.move_to_end(plain)
                return known
        read = next(iter(self._tagger.read_found([one])))
        known = (read, self._tagger.spans(read._replace(folded=type(one.folded)(plain))))
        with self._lock:
            self._reads[plain] = known
            while len(self._reads) > 1 and sum(map(len, self._reads)) > MOST_CHARACTERS:
                self._reads.popitem(last=False)
        return known
