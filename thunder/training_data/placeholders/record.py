"""What the placeholder annotator finds: marks, what each stands for, and what is in doubt."""

from typing import NamedTuple

from thunder.taxonomy.lexicon import label_groups
from thunder.text.spans import Span

PERSON, SOME_FIRM = "내국인이름", "불특정회사명"
SURNAMES = (
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지엄채원천방공"
    "현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
"""The surnames of one syllable that may stand before a letter or circles: 김A, 박○○."""


def labels(group: str) -> frozenset[str]:
    """Return the labels of a group of ``taxonomy/cues/placeholder_labels.tsv``: body, vague …"""
    return label_groups("placeholder_labels")[group]


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
