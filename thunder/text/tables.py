"""Tables as lines of text: cells between bars or tabulators, and the heads of their columns."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from thunder.text import lazy

_ROW = lazy.compile(r"(?m)^[^\n|│┃¦\t]*[|│┃¦\t][^\n]*$")
_BORDER = lazy.compile(r"[|│┃¦\t]")
_RULE = lazy.compile(r"[-:=─━|│┃¦\t\r ]*")  # |---|:---:|
_BRACKETED = lazy.compile(r"\([^()]*\)")
_LONGEST_HEAD = 24
_SPACES = " \r\xa0\u3000"


class Cell(NamedTuple):
    """A cell without the spaces at its ends, in code points of the text."""

    start: int
    end: int


def below(text: str, is_head: Callable[[str], bool]) -> Iterator[Cell]:
    """Yield the cells that are not empty of the columns whose head *is_head*, row by row.

    A head is told without spaces and brackets: 생년월일 of 생 년 월 일(나이). It holds for the rows
    that follow it line by line, until one of them has heads again. Time is linear.
    """
    for table in _tables(text):
        columns: list[int] = []
        for row in table:
            heads = [at for at, cell in enumerate(row) if is_head(_head(text, cell))]
            if not heads:
                yield from (
                    row[at] for at in columns if at < len(row) and row[at].start < row[at].end
                )
            columns = heads or columns


def behind(text: str, is_head: Callable[[str], bool]) -> Iterator[Cell]:
    """Yield the cells right behind one that *is_head*, in its row: | 생년월일 | 1986. 8. 30. |."""
    for row in chain.from_iterable(_tables(text)):
        for head, cell in pairwise(row):
            if is_head(_head(text, head)):
                yield cell


def _head(text: str, cell: Cell) -> str:
    """Return a cell without spaces and brackets, "" where it is too long for a head."""
    if cell.end - cell.start > _LONGEST_HEAD:
        return ""
    word = text[cell.start : cell.end]
    return word if word.isalnum() else "".join(_BRACKETED.sub("", word).split())


@lru_cache(maxsize=2)
def _tables(text: str) -> list[list[list[Cell]]]:
    """Return the rows of cells of each table: lines with borders that follow one another."""
    tables: list[list[list[Cell]]] = []
    end = -2
    for line in _ROW.finditer(text):
        if line.start() != end + 1:
            tables.append([])
        end = line.end()
        if not _RULE.fullmatch(text, line.start(), end):
            tables[-1].append(list(_cells(text, line.start(), end)))
    return tables


def _cells(text: str, start: int, end: int) -> Iterator[Cell]:
    """Yield the cells of a line, but for what stands outside its first and its last border."""
    edges = [start, *(at for border in _BORDER.finditer(text, start, end) for at in border.span())]
    cells = [*zip(edges[::2], [*edges[1::2], end], strict=True)]
    for number, (first, last) in enumerate(cells):
        content = text[first:last]
        is_outside = number in (0, len(cells) - 1) and not content.strip(_SPACES)
        if not is_outside:
            stop = first + len(content.rstrip(_SPACES))
            yield Cell(min(stop, last - len(content.lstrip(_SPACES))), stop)
