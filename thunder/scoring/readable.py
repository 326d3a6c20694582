"""Judges, prosecutors, counsel, courts and agencies: names that a judgment must keep readable.

Found by the forms in which courts write them, apart from the recognisers and the policy whose
work is measured: the lines of signatures and headings (판사 …, 【검 사】 …, 대리인 변호사 …), and
the endings of the names of courts and agencies. What gold marks is left out: it is none of them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from thunder.scoring.evaluation import Evaluation, Measured
from thunder.scoring.figures import spread
from thunder.scoring.tables import Cell, Table

KINDS = ("judges", "prosecutors", "counsel", "firms", "courts", "agencies")


class Readable(NamedTuple):
    """A name that stays readable, of one of KINDS."""

    kind: str
    start: int
    end: int


_NAME = r"(?<![가-힣])[가-힣]{2,4}(?![가-힣])"
_NOTE = r"(?:[ \t]?\([^()\n]{1,20}\))?"
_NAMES = rf"{_NAME}{_NOTE}(?:[ \t,·ㆍ]{{1,8}}{_NAME}{_NOTE}){{0,12}}"
_BENCH = "판사|대법관|재판관|재판장|사법보좌관"
_AGENT = "소송대리인|대리인|변호인|담당변호사|소송수행자"


def _spaced(words: str) -> str:
    """Return the words with spaces allowed between their letters, as headings are written."""
    return "|".join(r"[ \t]{0,6}".join(word) for word in words.split("|"))


_SIGNED = re.compile(
    rf"^[ \t]*(?:재판장[ \t]+)?(?:{_spaced(_BENCH)})[ \t:]+(?P<names>{_NAMES})[ \t]*$", re.MULTILINE
)
_PROSECUTED = re.compile(
    rf"^[ \t]*【?[ \t]*(?:{_spaced('검사')})[ \t]*(?:】[ \t]*|[ \t:]+)(?P<names>{_NAMES})[ \t]*$",
    re.MULTILINE,
)
_AGENT_LINE = re.compile(rf"^[^\n]{{0,120}}?(?:{_spaced(_AGENT)})[^\n]{{0,200}}$", re.MULTILINE)
_LAWYERS = re.compile(rf"변호사[ \t]+(?P<names>{_NAMES})")
_FIRMS = re.compile(r"법무법인(?:[ \t]?\(유한?\))?[ \t]+(?P<names>[가-힣]{2,8}(?![가-힣]))")
_ONE = re.compile(_NAME)
_NOTES = re.compile(r"\([^()\n]{1,20}\)")
_COURT = re.compile(
    r"(?<![가-힣])(?:대법원|헌법재판소|특허법원|"
    r"[가-힣]{2,4}(?:지방|고등|가정|행정|회생)법원(?:[ \t]?[가-힣]{2,3}지원)?)"
)
_AGENCY = re.compile(
    r"(?<![가-힣])(?:대한민국|[가-힣]{2,8}(?:경찰서|경찰청|검찰청|지청|세무서|세관|교육청|교육지원청|"
    r"구청|시청|군청|교도소|구치소|보호관찰소|노동위원회|근로복지공단|국민연금공단|국세청|특허청|병무청)장?)"
    r"(?=[^가-힣]|[은는이가을를과와의에로도만]|소속|직원)"
)
_HEAD = re.compile(
    r"^[ \t]*【?[^\n]{0,6}(?:피|원)[ \t]{0,6}고(?!인)[^\n]{0,20}?(?:】|[ \t])[ \t]*"
    r"(?P<names>[가-힣]{2,8}(?:시장|군수|도지사|장관|교육감|위원회|공단|국세청장))"
    r"(?=[ \t]*(?:\(소송|$))",
    re.MULTILINE,
)


def readable(text: str) -> Iterator[Readable]:
    """Yield the names in *text* that stay readable; they may repeat, and are in no order."""
    for kind, line in (("judges", _SIGNED), ("prosecutors", _PROSECUTED)):
        for match in line.finditer(text):
            yield from _each(kind, text, *match.span("names"))
    for heading in _AGENT_LINE.finditer(text):
        for match in _LAWYERS.finditer(text, *heading.span()):
            yield from _each("counsel", text, *match.span("names"))
        for match in _FIRMS.finditer(text, *heading.span()):
            yield Readable("firms", *match.span("names"))
    for kind, name in (("courts", _COURT), ("agencies", _AGENCY)):
        yield from (Readable(kind, *match.span()) for match in name.finditer(text))
    yield from (Readable("agencies", *match.span("names")) for match in _HEAD.finditer(text))


def _each(kind: str, text: str, start: int, end: int) -> Iterator[Readable]:
    """Yield each name of a list, without what stands in brackets behind it: (재판장), (기소)."""
    notes = [note.span() for note in _NOTES.finditer(text, start, end)]
    for match in _ONE.finditer(text, start, end):
        if not any(first <= match.start() < last for first, last in notes) and match[0] != "외":
            yield Readable(kind, *match.span())


class Left(NamedTuple):
    """How many names of a kind there are and were touched, and how many of their characters."""

    names: int = 0
    touched: int = 0
    characters: int = 0
    masked: int = 0

    def plus(self, other: "Left") -> "Left":
        return Left(*(one + more for one, more in zip(self, other, strict=True)))


def left(document: Measured, found: Sequence[Readable]) -> dict[str, Left]:
    """Return what became of the names *found* in a document, by kind; gold spans are not asked."""
    gold, masked = (np.zeros(len(document.gold.text), dtype=bool) for _ in range(2))
    for span in document.gold.spans:
        gold[span.start : span.end] = True
    for span in document.scored.predicted:
        masked[span.start : span.end] = True
    counts: dict[str, Left] = {}
    for one in found:
        if not gold[one.start : one.end].any():
            number = int(masked[one.start : one.end].sum())
            more = Left(1, int(number > 0), one.end - one.start, number)
            counts[one.kind] = counts.get(one.kind, Left()).plus(more)
    return counts


def table(evaluation: Evaluation) -> Table:
    """Return for each kind of name how much of it each system masks."""
    found: dict[str, dict[str, list[Left]]] = {kind: {} for kind in KINDS}
    for system, runs in evaluation.systems.items():
        for run in runs:
            total: dict[str, Left] = {}
            for document in run.documents:
                names = list(readable(document.gold.text))
                for kind, more in left(document, names).items():
                    total[kind] = total.get(kind, Left()).plus(more)
            for kind, sums in total.items():
                found[kind].setdefault(system, []).append(sums)
    rows = [(kind, system, *_row(of)) for kind in KINDS for system, of in found[kind].items()]
    columns = (
        "names of",
        "system",
        "masked",
        "names",
        "touched",
        "characters",
        "masked characters",
    )
    note = (
        "Names that courts leave readable, told by signatures, headings and endings, outside of "
        "what gold marks: the share of their characters that is masked (0 is right), names, names "
        "with a masked character."
    )
    return Table("readable", "What must stay readable", note, columns, tuple(rows))


def _row(runs: Sequence[Left]) -> tuple[Cell, ...]:
    share = spread(one.masked / one.characters for one in runs)
    number = len(runs)
    means = [round(sum(column) / number) for column in zip(*runs, strict=True)]
    return (share, *means)
