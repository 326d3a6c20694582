"""The files of one folder as one case: read as one judgment, so that letters are shared over all.

All records of a folder are made one, whose result is parted into a result for each of them. What
stands between, the de-identifier and its processes, knows nothing of cases.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from thunder.bulk.running import Masked, Outcome, Result
from thunder.documents.records import Failure, Record
from thunder.documents.sources import Finished, Item, Opened, Source
from thunder.text.spans import Span, replace_spans
from thunder.workers import Waiting

if TYPE_CHECKING:
    from thunder.masking.doubts import Doubt
    from thunder.masking.records import Deidentified

_BETWEEN = "\n"


@dataclass(frozen=True, slots=True)
class _Case:
    """What was read of a folder, in order, and where the text of each record begins."""

    items: list[Item]
    starts: list[int]


def in_order_of_folders(sources: Iterable[Source]) -> list[Source]:
    """Return *sources* so that those of one folder follow each other, else in their order."""
    return sorted(sources, key=lambda source: str(_folder(source)))


class Cases:
    """Joins what is read to cases, and parts their results; *max_characters* is a case's most."""

    def __init__(self, *, max_characters: int) -> None:
        self._most = max_characters
        self._given: deque[_Case | None] = deque()  # for each item: the case that it stands for

    def joined(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield for each folder one record, whose segments are those of all records in it.

        What has no record passes as it is. A case that is too long fails whole.
        """
        of_files = (list(of_file) for of_file in _by_file(items))
        for _, group in groupby(of_files, key=_Folders()):
            found = [item for of_file in group for item in of_file]
            records = [item for item in found if isinstance(item, Record)]
            length = sum(len(record.text) for record in records)
            if records and length <= self._most:
                case, record = _join(found, records)
                self._given.append(case)
                yield record
                continue
            reason = f"사건의 글이 {length:,}자로 한도 {self._most:,}자를 넘습니다"
            advice = "--case 없이 하거나 --max-characters를 늘리십시오"
            for item in found:
                self._given.append(None)
                yield _failed(item, reason, advice)

    def parted(self, results: Generator[Result, None, None]) -> Generator[Result, None, None]:
        """Yield what *results*, in the order of what was joined, say of each record by itself.

        A case that failed has failed in each of its records.
        """
        with closing(results):
            for result in results:
                case = self._given.popleft()
                if case is None:
                    yield result
                else:
                    yield from _parts(case, result)


def _parts(case: _Case, result: Result) -> Iterator[Result]:
    numbers = iter(range(len(case.starts)))
    masked = Masked(result.result) if isinstance(result, Outcome) else None
    for item in case.items:
        if not isinstance(item, Record):
            if not isinstance(item, Waiting):
                yield item
        elif isinstance(result, Outcome):
            number = next(numbers)
            part = _part(result.result, item, case.starts[number], not number)
            yield Outcome(item, part, masked)
        else:
            assert isinstance(result, Failure), "a record becomes an outcome or a failure"
            yield Failure(item.file, item.row, result.reason, result.advice, item.id, item.size)


def _by_file(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield what belongs to one file: from its Opened to its Finished, or a failure alone."""
    held: list[Item] = []
    for item in items:
        if not isinstance(item, Waiting):
            held.append(item)
        if isinstance(item, Finished) or (isinstance(item, Failure) and len(held) == 1):
            yield held
            held = []
    if held:
        yield held


class _Folders:
    """Tells the folder of what was read of a file; a failure alone is of the one before.

    Else it would part the case that it stands in.
    """

    def __init__(self) -> None:
        self._last: Path | None = None

    def __call__(self, of_file: list[Item]) -> Path | None:
        source = next((one.source for one in of_file if isinstance(one, Opened | Finished)), None)
        self._last = _folder(source) if source else self._last
        return self._last


def _folder(source: Source) -> Path | None:
    return source.path.parent if source.path else None


def _join(items: list[Item], records: list[Record]) -> tuple[_Case, Record]:
    pieces: list[str] = []
    segments: list[tuple[int, int]] = []
    starts: list[int] = []
    done = 0
    for record in records:
        starts.append(done)
        own = record.segments or ((0, len(record.text)),)
        segments += [(done + start, done + end) for start, end in own]
        pieces += (record.text, _BETWEEN)
        done += len(record.text) + len(_BETWEEN)
    size = sum(record.size for record in records)
    whole = replace(records[0], text="".join(pieces), size=size, rest=None)
    return _Case(items, starts), whole.with_segments(tuple(segments), ())


def _failed(item: Item, reason: str, advice: str) -> Item:
    if not isinstance(item, Record):
        return item
    return Failure(item.file, item.row, reason, advice, item.id, item.size)


def _doubt_of(doubt: "Doubt", start: int, end: int) -> "Doubt":
    """Return a case's *doubt* in the record from *start* to *end*, without places of others."""
    own = [(max(first, start), min(last, end)) for first, last in doubt.places]
    return replace(
        doubt,
        start=doubt.start - start,
        end=min(doubt.end, end) - start,
        places=tuple((first - start, last - start) for first, last in own if first < last),
    )


def _part(whole: "Deidentified", record: Record, start: int, is_first: bool) -> "Deidentified":
    """Return what *whole* says of the record whose text begins at *start*."""
    end = start + len(record.text)
    first = bisect_left(whole.changes, start, key=lambda change: change.span.start)
    last = bisect_right(whole.changes, end, key=lambda change: change.span.end)
    own = whole.changes[first:last]
    replacements = iter(change.replacement for change in own)
    spans = [_moved(change.span, start) for change in own]
    text, changes = replace_spans(record.text, spans, lambda _: next(replacements))
    kept = (one for one in whole.kept if start <= one.span.start < end)
    doubts = (one for one in whole.doubts if start <= one.start < end and one.start < one.end)
    of_all = [one for one in whole.doubts if one.start >= one.end] if is_first else []
    return replace(
        whole,
        id=record.id,
        original=record.text,
        text=text,
        changes=tuple(changes),
        kept=tuple(replace(one, span=_moved(one.span, start, end)) for one in kept),
        doubts=(
            *of_all,
            *(_doubt_of(doubt, start, end) for doubt in doubts),
        ),
        reasons=tuple(
            replace(one, start=one.start - start, end=min(one.end, end) - start)
            for one in whole.reasons
            if start <= one.start < end
        ),
        segments=record.segments,
    )


def _moved(span: Span, by: int, stop: int | None = None) -> Span:
    end = span.end if stop is None else min(span.end, stop)
    return replace(span, start=span.start - by, end=end - by)
