"""What the placeholder annotator finds: marks, what each stands for, and what is in doubt."""

from typing import NamedTuple

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import label_groups, words_of
from thunder.text.spans import Span

PERSON, SOME_FIRM, BANK = "내국인이름", "불특정회사명", "은행"
# What a party's role speaks for (피고 ○○○): a person, or the body that the mark is elsewhere.
PARTY = "당사자"


def surnames() -> str:
    """Return the surnames of one syllable that may stand before a letter or circles: 김A, 박○○."""
    return "".join(words_of("masked-surname"))


def labels(group: str) -> frozenset[str]:
    """Return the labels of a group of ``taxonomy/cues/placeholder_labels.tsv``: body, vague …"""
    return label_groups("placeholder_labels")[group]


def begins_line(text: str, at: int) -> bool:
    """Return whether nothing but blanks stands in the line of *text* before *at*."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t")


def without(text: str, name: str) -> str:
    """Return *text* without what the sign *name* finds at its end."""
    found = sign(name).match(text, len(text))
    return text[: found.start()] if found else text


class Mark(NamedTuple):
    """A placeholder in the text before it has a label.

    ``style`` is ``letter``, ``circle``, ``role`` (소외 2), ``omission`` ((주소 생략)) or ``open``
    (a company's real name that the court left in a judgment otherwise masked). ``entity`` is what
    mentions of the same thing have in common; ``label`` is given where the mark says it itself.
    """

    start: int
    end: int
    style: str
    entity: str
    label: str = ""


class Vote(NamedTuple):
    """One piece of context that speaks for a label, and how much."""

    label: str
    weight: float


class Doubt(NamedTuple):
    """A place that may be a name the court left, or a placeholder that nothing explains."""

    start: int
    end: int
    reason: str
    label: str = ""


class Found(NamedTuple):
    """An annotated judgment: *text* as it came, disjoint sorted spans, and who is who.

    A span's label is canonical and its score says how sure the label is. ``entities`` has one
    name for each span: spans with one name are one person, company, place or number.
    """

    text: str
    spans: tuple[Span, ...]
    entities: tuple[str, ...]
    doubts: tuple[Doubt, ...]
