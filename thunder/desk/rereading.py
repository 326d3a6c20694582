"""A de-identifier that remembers what is mentioned in a text: a decision does not find it anew.

What is found depends on the text alone and takes most of the time; what is decided of it, the
letters, doubts and checks are made anew with each decision.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from thunder.masking.checks import checked
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.deidentify import Mentioned, decided, mentioned_in
from thunder.masking.records import Deidentified, Document
from thunder.tagger.chosen_tagger import RULES_ALONE

MOST_CHARACTERS = 3_000_000
"""Of the texts of which it is remembered."""


class Rereading(Deidentifier):
    """A ``Deidentifier`` for texts that come again and again; it takes the same options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._known: OrderedDict[str, Mentioned] = OrderedDict()
        self._lock = threading.Lock()

    def deidentify_many(
        self, judgments: Iterable[str | tuple[str, str] | Document]
    ) -> Iterator[Deidentified]:
        """Yield each of *judgments* de-identified, in their order."""
        for document in map(self._document, judgments):
            result = decided(
                document,
                self._mentioned(document),
                profile=self.profile,
                agree_particles=self.agree_particles,
                letters=self.letters,
            )
            yield checked(result, profile=self.profile) if self.checks else result

    def _mentioned(self, document: Document) -> Mentioned:
        with self._lock:
            known = self._known.get(document.text)
            if known is not None:
                self._known.move_to_end(document.text)
                return known
        ((_, known),) = mentioned_in([document], self.load() or RULES_ALONE)
        with self._lock:
            self._known[document.text] = known
            while len(self._known) > 1 and sum(map(len, self._known)) > MOST_CHARACTERS:
                self._known.popitem(last=False)
        return known
