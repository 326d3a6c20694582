"""What a run says besides its failures: leaks, inputs passed over, open folders."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from thunder.documents.records import METADATA
from thunder.documents.segments import Action, Scrubbed
from thunder.masking.checks import checks

if TYPE_CHECKING:
    from thunder.bulk.running import Outcome

HIDDEN = "숨은 파일"
_TEXTS = frozenset({".pdf", ".hwp", ".hwpx", ".doc", ".docx", ".odt", ".rtf", ".html", ".htm"})
_OTHERS = frozenset({".xls", ".xlsx", ".xml", ".json", ".zip", ".jpg", ".png", ".tif", ".bak"})
_SUFFIXES = _TEXTS | _OTHERS
"""Suffixes that an audit names; another may be part of a name (판결.강도윤)."""


class Concern(StrEnum):
    """What ends a run with status 1 unless ``--allow`` names it."""

    RESIDUE = "residue"
    SKIPPED = "skipped"
    CHECKS = "checks"


class Where(StrEnum):
    """Where beside a text a masked word may stand."""

    CELL = "cell"
    COLUMN = "column"
    METADATA = "metadata"
    FILE = "file"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Place:
    """A column of a table, its name, its file's metadata, a file's name, or an output's path."""

    where: Where
    column: str = field(default="", repr=False)


@dataclass
class Rows:
    """How many rows, and the first of them."""

    count: int = 0
    first: int = 0

    def add(self, row: int) -> None:
        """Count *row* in."""
        self.first = row if not self.count else self.first
        self.count += 1


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said of a file ("": of the run).

    The message is for the screen; the audit has the kind and the facts, and of the column, whose
    name is the input's, a keyed hash.
    """

    file: str
    message: str
    kind: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    column: str = ""

    @property
    def concern(self) -> Concern | None:
        """What ``--allow`` calls it; None for what does not change the status."""
        return Concern(self.kind) if self.kind in set(Concern) else None

    def __str__(self) -> str:
        return f"{self.file}: 주의: {self.message}" if self.file else f"주의: {self.message}"


def residue(outcome: "Outcome", output: str) -> list[Place]:
    """Return where else what was masked stands: beside the text, in names, in the output's path."""
    mentions = outcome.masked.sought
    if not mentions:
        return []
    record = outcome.record
    texts = {Place(Where.FILE): record.file, Place(Where.OUTPUT): output}
    for name, cell in record.others().items():
        if name == METADATA:
            texts[Place(Where.METADATA)] = cell
            continue
        texts[Place(Where.CELL, name)] = cell
        texts[Place(Where.COLUMN, name)] = name
    return mentions.places(texts)


def of_residue(file: str, found: Mapping[Place, Rows]) -> Iterator[Notice]:
    """Yield what to say of residue; a column whose own name is residue is not named."""
    for place, rows in found.items():
        if place.where == Where.OUTPUT and Place(Where.FILE) in found:
            continue  # the file's own name is in that path
        is_shown = Place(Where.COLUMN, place.column) not in found
        message = _residue_message(place, rows, is_shown=is_shown)
        facts = {"where": str(place.where), "rows": rows.count, "first": rows.first}
        yield Notice(file, message, Concern.RESIDUE, facts, place.column)


def _residue_message(place: Place, rows: Rows, *, is_shown: bool) -> str:
    if place.where == Where.FILE:
        return "파일 이름에 가린 말이 그대로 있습니다 — 이름을 바꾸어 공개하십시오"
    if place.where == Where.OUTPUT:
        return "결과의 경로에 가린 말이 그대로 있습니다 — 다른 이름을 -o로 주십시오"
    many = f"{rows.count}행(처음은 {rows.first}행)"
    if place.where == Where.METADATA:
        return f"{many}에서 가린 말이 파일의 메타데이터에 그대로 있습니다 — 지우고 공개하십시오"
    if place.where == Where.COLUMN:
        return f"{many}에서 열 이름에 가린 말이 그대로 있습니다 — 열 이름을 바꾸십시오"
    column = f"'{place.column}' 열" if is_shown else "이름을 보일 수 없는 열"
    return f"{column}의 {many}에 가린 말이 그대로 있습니다 — 그 열을 빼고 공개하십시오"


def of_checks(file: str, found: Mapping[str, int], documents: Rows) -> Notice:
    """Return what to say of hard checks (kind → places) that a person has to answer."""
    said = ", ".join(f"{checks()[kind].name} {count}" for kind, count in found.items())
    message = (
        f"공개하기 전에 사람이 정할 곳이 문서 {documents.count}건에 있습니다"
        f"(처음은 {documents.first}행; {said}) — --html의 페이지나 --audit에서 보십시오"
    )
    facts = {"places": dict(found), "rows": documents.count, "first": documents.first}
    return Notice(file, message, Concern.CHECKS, facts)


def of_repeated(file: str, rows: Rows) -> Notice:
    """Return what to say of rows whose id stood before."""
    message = f"id가 앞의 행과 같은 행이 {rows.count}개 있습니다(처음은 {rows.first}행)"
    return Notice(file, message, "repeated ids", {"rows": rows.count, "first": rows.first})


def of_scrubbing(file: str, scrubbed: Sequence[Scrubbed]) -> Iterator[Notice]:
    """Yield what to say of pictures: nobody reads them but a person."""
    kept = sum(one.action is Action.KEPT for one in scrubbed)
    if kept:
        message = (
            f"그림 등 글로 읽지 못하는 곳 {kept}개를 그대로 두었습니다 — 공개하기 전에 눈으로 "
            "보십시오(무엇인지는 --report에 있습니다)"
        )
        yield Notice(file, message, "kept parts", {"parts": kept})


def of_skipped(skipped: Counter[str]) -> Iterator[Notice]:
    """Yield what to say of the files of the given folders that were not read (kind → count)."""
    kinds = {kind: count for kind, count in skipped.most_common() if kind != HIDDEN}
    if kinds:
        said = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        message = (
            f"파일 {sum(kinds.values())}개를 건너뛰었습니다({said}) — 읽는 형식으로 바꾸어 "
            "넣거나, 빼도 되면 --allow skipped를 주십시오"
        )
        facts: Counter[str] = Counter()
        for kind, count in kinds.items():
            is_told = kind in _SUFFIXES or not kind.startswith(".")
            facts[kind if is_told else "다른 확장자"] += count
        yield Notice("", message, Concern.SKIPPED, {"files": dict(facts)})
    if hidden := skipped[HIDDEN]:
        message = f"숨은 파일 {hidden}개를 건너뛰었습니다"
        yield Notice("", message, "hidden", {"files": {HIDDEN: hidden}})


def of_open_folder(path: str) -> Notice:
    """Return what to say of a private file in a folder in which everybody may write."""
    message = "누구나 쓸 수 있는 폴더입니다 — 원문이 들어가므로 다른 곳에 쓰십시오"
    return Notice(path, message, "open folder")
