"""What a word says for and against being a name, as keys of the table of cues, and their weights.

The weights (``taxonomy/cues/cc-by-nc-sa-4.0/person_*_weights.tsv``) were fitted on public
judgments; those of a word are three, by the place where it stands.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from thunder.names.given_names import likeness, surname_of
from thunder.names.person_context import may_begin_with_role, role_group
from thunder.names.person_lexicon import UNSEEN, cut_class, ordinary_words, word_class
from thunder.names.person_tails import agreement, tails
from thunder.names.well_known import is_station
from thunder.taxonomy.gazetteer import is_division, is_road
from thunder.taxonomy.lexicon import table

LONGEST = 4
"""Syllables of the longest name; longer ones are found only as foreign names."""

LONGEST_RUN = 12
_LIKELY = -1.5
HOPELESS = -9.0
"""Log-odds of a word that no place where it stands can make a name."""


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
def weights() -> Weights:
    """Return the weights of the evidence for a name, as the tables in use give them."""
    word = {row[0]: (float(row[1]), float(row[2]), float(row[3])) for row in _rows("word")}
    return Weights(word, {key: float(weight) for key, weight in _rows("place")})


def _rows(kind: str) -> list[list[str]]:
    return table(f"cc-by-nc-sa-4.0/person_{kind}_weights")


class Cut(NamedTuple):
    """One way to read a run of Hangul: a name of ``length`` syllables, and its tail."""

    length: int
    tail: str
    word: Cases


@lru_cache(maxsize=1 << 17)
def cuts(run: str) -> tuple[Cut, ...]:
    """Return every reading of *run* as a name and a tail, with the log-odds of the word."""
    if not surname_of(run[:3]):
        return ()
    known = tails()
    found = []
    for length in range(2, min(len(run), LONGEST) + 1):
        keys = keys_of(run, length) if run[length:] in known else []
        word = weights().of_word(keys) if keys else (HOPELESS,) * 3
        if max(word) > HOPELESS:
            found.append(Cut(length, run[length:], word))
    return tuple(found)


AND = "와과및를"  # before a name, in text without spaces: 원고와홍길동은, 수탁자를홍길동으로


@lru_cache(maxsize=1 << 16)
def joined_cuts(run: str) -> tuple[str, tuple[Cut, ...]] | None:
    """Return the role *run* begins with, the readings of the rest: 피해자|홍길동은, 원고와|길동은.

    Only where the rest reads as a name by itself: 증인신문은, 원고적격이 begin alike.
    """
    if not may_begin_with_role(run):
        return None
    for length in range(len(run) - 3, 1, -1):
        role = run[: length - 1] if run[length - 1] in AND else run[:length]
        if role_group(role):
            likely = tuple(
                cut for cut in cuts(run[length:]) if cut.length > 2 and cut.word[0] > _LIKELY
            )
            return (run[:length], likely) if likely else None
    return None


def keys_of(run: str, length: int) -> list[str]:
    """Return the evidence in *run* for a name of *length* syllables; none: it cannot be one."""
    name, tail = run[:length], run[length:]
    kind = tails().get(tail)
    if kind is None or not surname_of(name):
        return []
    known = ordinary_words()
    longer = known.get(run, UNSEEN)[False] if tail else 0
    for end in range(length + 1, len(run)):
        longer = max(longer, known.get(run[:end], UNSEEN)[True])
    head = max(known.get(name[:2], UNSEEN))
    return [
        f"like {_half(likeness(name)):g} {length}",
        f"common {known.get(name, UNSEEN)[tail != '']}",
        f"class {word_class(name)} {length}",
        f"head {head} {length}" if length > 2 else "",
        "place name" if _is_place(name) else "",
        f"cut {cut_class(run, length)}",
        f"longer {longer}",
        f"last {name[-1]} {'tailed' if tail else 'bare'}",
        f"kind {kind or 'bare'}",
        f"tail {_plain(tail) or 'bare'}",
        "compound surname" if len(surname_of(name)) == 2 else "",
        f"agree {agreement(name, tail) or 'bare'}",
    ]


_ONE_FORM = {"는": "은", "를": "을", "와": "과"}


def _plain(tail: str) -> str:
    """Return *tail* in the one form that stands for its variants: 에게서는 → 에게, 와의 → 과의."""
    if tail.startswith(("에게", "한테")):
        return "에게"
    tail = tail.removeprefix("으")
    if len(tail) > 1 and tail[-1] in "는도만":
        tail = tail[:-1]
    return _ONE_FORM.get(tail[:1], tail[:1]) + tail[1:]


def _is_place(name: str) -> bool:
    station = name[-1] == "역" and is_station(name[:-1])
    return station or is_division(name) or (name[-1] in "로길" and is_road(name))


def _half(value: float) -> float:
    return max(-14.0, min(-3.0, round(value * 2) / 2))
