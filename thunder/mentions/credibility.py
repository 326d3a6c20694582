"""What was found and is refuted: by the tagger, by the words themselves or by those beside them.

Who wins among what is left is ``arbiter``'s. A weak name goes where the tagger is all but certain
of no mention; a doubtful tagger's plain words go (``tagger_errors``), even a sure one's case
numbers and measures, and what names nobody (``generic_words``). What it saw in pieces is made
whole.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from thunder.mentions.arbiter import Finder, balanced, finder
from thunder.mentions.generic_words import is_office, is_person
from thunder.mentions.tagger_errors import is_sign, without_tagger_errors
from thunder.mentions.trimming import cited, mentioned, uncited
from thunder.names.evidence import SURE
from thunder.names.kinds import is_address
from thunder.names.naming import CERTAIN
from thunder.names.person_context import role_group
from thunder.names.person_tails import tails
from thunder.names.propagation import SLOT
from thunder.text.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEAK_NAME, WEAK_PERSON = CERTAIN, 0.95
"""A named recogniser's span with a lower score (or a person's) may be dropped by the tagger …"""

SURELY_OUTSIDE, SURELY_NO_PERSON = 0.2, 0.05
"""… where no token of it has this mass: the probability that it belongs to a mention.

But where the same word stands as a name elsewhere in the document.
"""

_SEAM = re.compile(r"[가-힣A-Za-z]{2}|[0-9][가-힣A-Za-z]{2}|[가-힣A-Za-z][.&][가-힣A-Za-z]")


class Reading(Protocol):
    """What a tagger read of each token: its code points, the probability that it is a mention's.

    And the id of the label it would have then, 0 where none was read.
    """

    @property
    def starts(self) -> "NDArray[np.int32]": ...
    @property
    def ends(self) -> "NDArray[np.int32]": ...
    @property
    def mass(self) -> "NDArray[np.float32]": ...
    @property
    def label(self) -> "NDArray[np.int16]": ...


def credible(
    text: str, named: Iterable[Span], tagged: Iterable[Span], reading: Reading | None
) -> list[Span]:
    """Return *named* and *tagged* without what the other side, or the word itself, refutes.

    Without a *reading* the one side does not refute the other, nor a word what a tagger doubts:
    what names nobody, and single signs, go all the same.
    """
    found = _standing(text, named, reading)
    citations = cited(text)
    tagged = [
        replace(span, start=start, end=end)
        for span in tagged
        for start, end in balanced(text, span.start, span.end)
    ]
    parts = [part for span in tagged for part in uncited(span, citations)]
    whole = [one for part in _joined(text, parts) for one in mentioned(text, part)]
    if reading is None:
        return found + [one for one in whole if not is_sign(text, one)]
    return found + list(without_tagger_errors(text, whole))


def _standing(text: str, named: Iterable[Span], reading: Reading | None) -> list[Span]:
    """Return *named* without what is refuted; a word that stands somewhere stays everywhere."""
    found = [(span, _is_word(text, span), _is_unseen(span, reading)) for span in named]
    stand = {text[one.start : one.end] for one, is_word, unseen in found if not is_word | unseen}
    return [
        one
        for one, is_word, unseen in found
        if not is_word and (not unseen or text[one.start : one.end] in stand)
    ]


def _is_word(text: str, span: Span) -> bool:
    """Return whether a weak person's name is the word for an office or a role."""
    word = text[span.start : span.end]
    return is_person(span) and span.score < SLOT and bool(is_office(word) or role_group(word))


def _is_unseen(span: Span, reading: Reading | None) -> bool:
    """Return whether a weak name stands where the tagger is all but certain of no mention."""
    if reading is None:
        return False
    mass = SURELY_NO_PERSON if is_person(span) else SURELY_OUTSIDE
    return _is_weak(span) and _most_mass(span, reading) < mass


def _is_weak(span: Span) -> bool:
    least = WEAK_PERSON if is_person(span) else WEAK_NAME
    return finder(span) is Finder.NAME and span.score < least


def _most_mass(span: Span, reading: Reading) -> float:
    """Return the largest mass of a token that *span* touches; 1 where it touches none."""
    first = int(reading.ends.searchsorted(span.start, "right"))
    last = int(reading.starts.searchsorted(span.end, "left"))
    return float(reading.mass[first:last].max()) if first < last else 1.0


def _joined(text: str, tagged: Iterable[Span]) -> Iterator[Span]:
    """Yield *tagged* with the doubtful pieces of one word made one, without a doubtful particle."""
    held: Span | None = None
    for span in sorted(tagged):
        follows = held is not None and held.end == span.start and span.score < SURE
        if follows and text[span.start : span.end] in tails():
            continue
        if held is not None and _is_one_word(text, held, span):
            best = max(held, span, key=lambda one: one.score)
            held = replace(best, start=held.start, end=span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _is_one_word(text: str, before: Span, span: Span) -> bool:
    """Return whether two spans meet within a word (2000|온누리, 제이.온), one in doubt.

    Or one of a syllable: 다|온영농. A person and the address in the next column are two.
    """
    if is_person(before) and is_address(span.label) and len(span) > 1:
        return False
    letters = 2 if text[before.end - 1].isdigit() else 1  # no 18|대
    seam = text[before.end - 1 : min(span.start + letters, span.end)]
    weak = min(before.score, span.score) < SURE or 1 in (len(before), len(span))
    return weak and _SEAM.fullmatch(seam) is not None
