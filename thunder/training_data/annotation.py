"""The annotation mark-up ``<<<label>>>mention<<</label>>>``: exact reading, writing, checking."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from thunder.taxonomy import Label, Taxonomy
from thunder.text.korean import require_encodable
from thunder.text.spans import Span, require_disjoint
from thunder.training_data import messages as say

_MARK = re.compile(r"<<<(/?)([^<>\n]+)>>>")
_LOOSE = re.compile(r"<<<|>>>")
_SHOWN = 40


class MarkProblem(NamedTuple):
    """One thing wrong with a mark: its line and column in the document (from 1), the mark, what.

    Where a document cannot be read at all, the mark is empty and only the reason counts.
    """

    line: int
    column: int
    mark: str
    reason: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.mark} {self.reason}" if self.mark else self.reason


class AnnotationError(ValueError):
    """Everything wrong with a document's marks, a line each; never a mention."""

    def __init__(self, problems: Iterable[MarkProblem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text without its marks, and its spans: sorted, disjoint, labels as they were written."""

    text: str
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        require_disjoint(self.spans, length=len(self.text))

    def canonical(self, taxonomy: Taxonomy) -> "Annotated":
        """Return the same with the taxonomy's own label names, read as the release meant them.

        A name that stands for no label (``앞 노상``) stays as it is: it still marks masked text.
        LookupError for an unknown name.
        """
        found = ((span, meant(self.text, span, taxonomy)) for span in self.spans)
        return replace(
            self, spans=tuple(replace(span, label=of.ko) if of else span for span, of in found)
        )


def parse(text: str, *, taxonomy: Taxonomy | None = None) -> Annotated:
    """Return the plain text and spans of a marked-up *text*; ``serialise`` gives *text* back.

    Spaces within a mention belong to it. AnnotationError lists every mark that is unbalanced,
    nested, crossed, loose or around nothing, and with a *taxonomy* every unknown label.
    """
    return _Parser(text, taxonomy).annotated()


def serialise(text: str | Annotated, spans: Iterable[Span] = ()) -> str:
    """Return the marked-up form of *text* with *spans*, or of an annotated text.

    ValueError where spans overlap or are unsorted, a label cannot stand in a mark, or the text
    itself holds ``<<<`` or ``>>>``.
    """
    annotated = text if isinstance(text, Annotated) else Annotated(text, tuple(spans))
    _require_plain(annotated.text)
    pieces: list[str] = []
    done = 0
    for span in annotated.spans:
        _require_label(span.label)
        mention = annotated.text[span.start : span.end]
        pieces += (annotated.text[done : span.start], f"<<<{span.label}>>>", mention)
        pieces.append(f"<<</{span.label}>>>")
        done = span.end
    pieces.append(annotated.text[done:])
    return "".join(pieces)


def read_jsonl(
    path: Path, *, taxonomy: Taxonomy | None = None
) -> Iterator[tuple[str, Annotated | AnnotationError]]:
    """Yield each document's id with its annotation, or with what is wrong with it.

    A line is a JSON object with the texts ``id`` and ``text``; a line that cannot be read, or
    repeats an id, is yielded as an error too: nothing is passed over but blank lines.
    """
    seen: set[str] = set()
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _read_line(line, say.LINE(number=number), seen, taxonomy)


def read_text(
    path: Path, *, taxonomy: Taxonomy | None = None
) -> Iterator[tuple[str, Annotated | AnnotationError]]:
    """Yield the one document of a text file, under the file's name, as ``read_jsonl`` does."""
    try:
        text = path.read_bytes().decode()
        yield path.stem, parse(text, taxonomy=taxonomy)
    except UnicodeDecodeError as error:
        yield path.stem, _unreadable(say.FILE_BYTE(byte=error.start + 1))
    except AnnotationError as error:
        yield path.stem, error


def _read_line(
    line: bytes, place: str, seen: set[str], taxonomy: Taxonomy | None
) -> tuple[str, Annotated | AnnotationError]:
    name = place
    try:
        record = json.loads(line.rstrip(b"\r\n").decode())
        identifier, text = _fields(record, place)
        require_encodable(identifier + text)
        name = identifier
        if name in seen:
            raise ValueError(say.ID_TWICE(place=place))
        seen.add(name)
        return name, parse(text, taxonomy=taxonomy)
    except AnnotationError as error:
        return name, error
    except UnicodeDecodeError as error:
        return name, _unreadable(say.BYTE(place=place, byte=error.start + 1))
    except json.JSONDecodeError as error:
        return name, _unreadable(say.NOT_JSON(place=place, column=error.colno, why=error.msg))
    except RecursionError:
        return name, _unreadable(say.TOO_DEEP(place=place))
    except ValueError as error:
        return name, _unreadable(str(error))


def _fields(record: object, place: str) -> tuple[str, str]:
    if not isinstance(record, dict):
        raise ValueError(say.NO_OBJECT(place=place))
    for key in ("id", "text"):
        if not isinstance(record.get(key), str):
            raise ValueError(say.NO_TEXT(place=place, key=key))
    return record["id"], record["text"]


def _unreadable(reason: str) -> AnnotationError:
    return AnnotationError([MarkProblem(0, 0, "", reason)])


def meant(text: str, span: Span, taxonomy: Taxonomy) -> Label | None:
    """Return the label that the released annotations mean by *span*'s name where it stands.

    None for a name without a label, LookupError for an unknown one. ``구이하주소`` is written for
    the rest of any address: it is the address below the division that stands just before it
    (경산시 <<<구이하주소>>>: 시아래주소), and the alias's own label (구아래주소) where none does.
    """
    if span.label == _REST_OF_ADDRESS:
        division = _DIVISION.search(text, max(0, span.start - _DIVISION_REACH), span.start)
        if division:
            return taxonomy.label(_BELOW[division[1]])
    return taxonomy.resolve(span.label)


_REST_OF_ADDRESS = "구이하주소"
_BELOW = {
    "도": "도아래주소",
    "시": "시아래주소",
    "군": "군아래주소",
    "구": "구아래주소",
    "읍": "읍아래주소",
    "면": "읍아래주소",
    "동": "동아래주소",
    "리": "동아래주소",
}
_DIVISION = re.compile(r"(?<![가-힣])[가-힣]{1,6}([도시군구읍면동리]),? ?\Z")
_DIVISION_REACH = 12


def _require_plain(text: str) -> None:
    loose = _LOOSE.search(text)
    if loose:
        raise ValueError(f"the text itself holds {loose[0]} at character {loose.start()}")


def _require_label(label: str) -> None:
    if not _MARK.fullmatch(f"<<<{label}>>>") or label.startswith("/"):
        raise ValueError(
            f"a label that cannot stand in a mark: {label[:_SHOWN]!r} (empty, <, >, or a leading /)"
        )


class _Open(NamedTuple):
    label: str
    mark: re.Match[str]
    start: int
    outer: "_Open | None"


class _Parser:
    """One reading of one text, which collects what is wrong instead of stopping at it."""

    def __init__(self, text: str, taxonomy: Taxonomy | None) -> None:
        self.text = text
        self.taxonomy = taxonomy
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.problems: list[MarkProblem] = []
        self.open: dict[int, _Open] = {}  # by place, the innermost last
        self.open_by_label: dict[str, list[_Open]] = {}
        self.opened: list[_Open] = []
        self.spans: list[Span] = []

    def annotated(self) -> Annotated:
        pieces: list[str] = []
        length = done = 0
        for mark in _MARK.finditer(self.text):
            pieces.append(self.text[done : mark.start()])
            length += mark.start() - done
            done = mark.end()
            self.read(mark, length)
        pieces.append(self.text[done:])
        self.check_nesting()
        plain = "".join(pieces)
        self.check_loose(plain, pieces)
        if self.problems:
            raise AnnotationError(self.problems)
        return Annotated(plain, tuple(self.spans))

    def read(self, mark: re.Match[str], at: int) -> None:
        """Note one mark, which stands at character *at* of the plain text."""
        closes, label = mark[1] == "/", mark[2]
        if closes:
            self.close(mark, label, at)
            return
        if self.taxonomy is not None and not self.taxonomy.knows(label):
            self.refuse(mark, say.NO_LABEL())
        opened = _Open(label, mark, at, self.innermost())
        self.open[mark.start()] = opened
        self.open_by_label.setdefault(label, []).append(opened)
        self.opened.append(opened)

    def innermost(self) -> _Open | None:
        return self.open[next(reversed(self.open))] if self.open else None

    def close(self, mark: re.Match[str], label: str, at: int) -> None:
        inner = self.innermost()
        if not self.open_by_label.get(label):
            inside = say.OPEN_IS(place=self.place(inner.mark)) if inner else ""
            self.refuse(mark, say.CLOSES_NOTHING(inside=inside))
            return
        opened = self.open_by_label[label].pop()
        if inner is not None and inner is not opened:
            self.refuse(mark, say.CROSSES(place=self.place(inner.mark)))
        del self.open[opened.mark.start()]
        if opened.start == at:
            self.refuse(opened.mark, say.MARKS_NOTHING())
        elif opened.outer is None:
            self.spans.append(Span(opened.start, at, label))

    def check_nesting(self) -> None:
        """Refuse marks left open, and marks inside others, unless only since those stay open."""
        for left in self.open.values():
            self.refuse(left.mark, say.NEVER_CLOSED())
        for opened in self.opened:
            if opened.outer is not None and opened.outer.mark.start() not in self.open:
                self.refuse(opened.mark, say.OPENS_INSIDE(place=self.place(opened.outer.mark)))

    def check_loose(self, plain: str, pieces: list[str]) -> None:
        """Refuse ``<<<`` and ``>>>`` that are no whole marks, at their place in the source."""
        ends = list(accumulate(map(len, pieces)))
        marks = [0, *accumulate(len(mark[0]) for mark in _MARK.finditer(self.text))]
        for loose in _LOOSE.finditer(plain):
            shift = marks[bisect_right(ends, loose.start())]
            self.refuse_at(loose.start() + shift, loose[0], say.NOT_WHOLE())

    def place(self, mark: re.Match[str]) -> str:
        line, column = self.position(mark.start())
        return say.PLACE(mark=_shown(mark[0]), line=line, column=column)

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def refuse(self, mark: re.Match[str], reason: str) -> None:
        self.refuse_at(mark.start(), mark[0], reason)

    def refuse_at(self, offset: int, mark: str, reason: str) -> None:
        self.problems.append(MarkProblem(*self.position(offset), _shown(mark), reason))


def _shown(mark: str) -> str:
    """Return the mark, cut short: a mark gone wrong may have swallowed text of the document."""
    return mark if len(mark) <= _SHOWN else f"{mark[:_SHOWN]}…"
