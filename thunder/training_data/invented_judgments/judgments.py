"""Invented whole judgments of first instance, and other writings, number by number."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from thunder.text.spans import Span
from thunder.training_data.invented_judgments import administrative, civil, criminal
from thunder.training_data.invented_judgments.cases import PIECES, Case
from thunder.training_data.invented_judgments.grammar import read
from thunder.training_data.invented_judgments.writing import Writer
from thunder.training_data.invented_judgments.writings import WRITINGS, worded

FAMILIES: Mapping[str, Mapping[str, Callable[[Case], None]]] = {
    "civil": civil.KINDS,
    "criminal": criminal.KINDS,
    "administrative": administrative.KINDS,
    "writings": WRITINGS,
}
KINDS: tuple[str, ...] = tuple(
    kind for family, kinds in FAMILIES.items() if family != "writings" for kind in kinds
)
"""The kinds of judgments; other writings are made where their kind is named."""


class Invented(NamedTuple):
    """An invented judgment or writing as courts publish it: letters for names, each labelled."""

    id: str
    case_type: str
    text: str
    spans: tuple[Span, ...]


def judgment(kind: str, *, seed: int = 0, number: int = 0) -> Invented:
    """Return invented judgment *number* of a *kind* of KINDS: the same on every machine.

    LookupError for an unknown kind; ``grammar.PieceError`` where the pieces
    leave a slot open.
    """
    return written(invented_case(kind, seed=seed, number=number), kind, seed=seed, number=number)


def invented_case(kind: str, *, seed: int = 0, number: int = 0) -> Case:
    """Return the facts that ``judgment`` writes down."""
    case = Case(_rng("facts", kind, seed, number))
    family = family_of(kind)
    FAMILIES[family][kind](case)
    if kind not in WRITINGS:
        case.set(body=f"{{{kind}_body}}")
        case.facts |= {f"is_{family}": True, f"k_{kind}": True}
    return case


def written(case: Case, kind: str, *, seed: int, number: int) -> Invented:
    """Return the judgment that tells *case*."""
    writer = Writer(read(PIECES), case.facts, _rng("words", kind, seed, number))
    text, spans = worded(kind, *writer.write(kind if kind in WRITINGS else "judgment"))
    return Invented(f"invented-{kind}-{seed}-{number:06d}", kind, text, spans)


def judgments(
    count: int, *, kinds: Sequence[str] = KINDS, seed: int = 0, first: int = 0
) -> Iterator[Invented]:
    """Yield *count* judgments from number *first* on, the *kinds* in turn."""
    for number in range(first, first + count):
        yield judgment(kinds[number % len(kinds)], seed=seed, number=number)


def family_of(kind: str) -> str:
    """Return civil, criminal, administrative or writings; LookupError for an unknown kind."""
    for family, kinds in FAMILIES.items():
        if kind in kinds:
            return family
    known = ", ".join((*KINDS, *WRITINGS))
    raise LookupError(f"unknown kind '{kind}'; known are {known}")


def _rng(what: str, kind: str, seed: int, number: int) -> Random:
    message = "\0".join(("invented", what, kind, str(seed), str(number))).encode()
    return Random(hashlib.blake2b(message, digest_size=16).digest())
