"""XLSX: SpreadsheetML in an OPC package (ECMA-376-1).

A cell is a segment, as it is shown: numbers and dates by their format. A masked cell holds its
text itself, whatever it held before, unless all cells that share a string are masked alike: then
the string is. Strings of the shared table that no cell uses are emptied. Sheets, and the columns of
a table, have to be called differently: of two that become one the later ends in a blank.
"""

import posixpath
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from itertools import groupby
from typing import NamedTuple

from thunder.documents.cleaning import Report
from thunder.documents.hwpx import read_chart
from thunder.documents.markup import Edit, Markup, Token, What, decoded, edited, escaped, places
from thunder.documents.numberformats import BUILT_IN, shown
from thunder.documents.opc import PREFIXES, Opc
from thunder.documents.passages import Mode, Passage, Passages
from thunder.documents.segments import Action, Kind, Mask, Refused, Segment

_FACT = re.compile(rb"""\s(r|s|t)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ADDRESS = re.compile(r"([A-Z]{1,3})(\d+)")
_EDGE = re.compile(r'&(?:([LCR])|"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d+|.)|([^&]+)', re.DOTALL)
_STRINGS = "xl/sharedStrings.xml"
_STYLES = "xl/styles.xml"
_SHEET_NAME = re.compile(r"[^][:*?/\\]{1,31}")
_NO_STRING = -1
_UNUSED = "어느 칸도 쓰지 않는 문자열"


def open(data: bytes) -> "Xlsx":
    """Return the document that *data* is; Refused where it cannot be answered for."""
    return Xlsx(data)


class _Cells:
    """The cells of a sheet that hold a text: where they stand, which shared string they use."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.starts, self.ends, self.strings = array("Q"), array("Q"), array("l")
        self.addresses: dict[str, int] = {}
        """Of the rows that tables have their columns' names in."""


class Xlsx(Opc):
    """An opened XLSX file."""

    format = "xlsx"
    name = "XLSX"
    prefixes = PREFIXES
    stripped = ("s:pageSetup",)

    def read(self, passages: Passages) -> None:
        self._strings = self._shared_strings()
        codes, is_1904 = self._formats()
        self._sheets: dict[str, _Cells] = {}
        self._tables = dict(self._tables_of_sheets())
        for part in self._in_order():
            self._sheets[part] = _Cells(len(self.leading))
            self._read_sheet(part, codes, is_1904, passages)
        self._read_names(passages)
        for part in self.text_parts("xl/drawings/"):
            self._read_drawing(part, passages)
        for part in self.text_parts("xl/charts/"):
            read_chart(self.markup(part), passages)
        for part in self.text_parts("xl/comments"):
            self._read_comments(part, passages)

    def told_apart(self, masks: Sequence[Mask]) -> Sequence[Mask]:
        by_segment = {number: list(g) for number, g in groupby(masks, key=lambda m: m.segment)}
        first, all_names = len(self.leading), list[list[_Name]]()
        sheets = [n for n, s in enumerate(self.segments[first:], first) if s.part == self.main_part]
        all_names.append([_Name(n, self._masked_text(n, by_segment.get(n, ()))) for n in sheets])
        for name in all_names[0]:
            if name.segment in by_segment and not _SHEET_NAME.fullmatch(name.text):
                reason = "가리고 나면 시트의 이름이 될 수 없습니다(31자까지, []:*?/\\ 없이)"
                raise Refused(self.main_part, reason, "시트의 이름을 바꾸어 다시 저장하십시오")
        columns = defaultdict[str, dict[int, _Name]](dict)
        for sheet, cells in self._sheets.items():
            for address, (part, column, attribute) in self._named_cells(sheet):
                number = cells.addresses.get(address, -1)
                if attribute == "name" and number >= 0:
                    text = self._masked_text(number, by_segment.get(number, ()))
                    columns[part][column] = _Name(number, text)
        all_names += (list(of_table.values()) for of_table in columns.values())
        for names in all_names:
            for name in _with_blanks(names, by_segment):
                own, text = by_segment[name.segment], self.segments[name.segment].text
                if own[-1].end == len(text):
                    own[-1] = replace(own[-1], replacement=own[-1].replacement + name.text)
                else:
                    last = text[-1] + name.text
                    own.append(Mask(name.segment, len(text) - 1, len(text), last))
        return [mask for own in by_segment.values() for mask in own]

    def masked(self, masks: Sequence[Mask]) -> Iterable[tuple[str, Edit]]:
        by_cell = {number: list(g) for number, g in groupby(masks, key=lambda m: m.segment)}
        used = Counter(self._string(number) for number in by_cell)
        alike = self._masked_alike(by_cell, used)
        for part, cells in self._sheets.items():
            numbers = self._of(cells, by_cell)
            data = self.package.read(part) if numbers else b""
            for number in numbers:
                if self._string(number) not in alike:
                    start, end = (one[number - cells.first] for one in (cells.starts, cells.ends))
                    cell = self._cell(data[start:end], number, by_cell[number])
                    yield part, Edit(start, end, cell)
        for string, count in used.items():
            if string in alike:
                for edit in self._strings.edits(string, by_cell[alike[string]]):
                    yield _STRINGS, edit
            elif string != _NO_STRING and count == self._strings.uses[string]:
                yield _STRINGS, self._strings.emptied(string)
        yield from self._columns(by_cell)

    def _string(self, number: int) -> int:
        """Return which shared string a cell uses."""
        cells = next(c for c in reversed(self._sheets.values()) if c.first <= number)
        return cells.strings[number - cells.first]

    def _masked_alike(self, masks: dict[int, list[Mask]], used: Counter[int]) -> dict[int, int]:
        """Return the strings that all their cells mask alike, each with one of its cells."""
        first, unlike = dict[int, int](), {_NO_STRING}
        for number, group in masks.items():
            string = self._string(number)
            one = masks[first.setdefault(string, number)]
            if [m[1:] for m in map(astuple, group)] != [m[1:] for m in map(astuple, one)]:
                unlike.add(string)
            if string != _NO_STRING and used[string] != self._strings.uses[string]:
                unlike.add(string)
        return {string: number for string, number in first.items() if string not in unlike}

    def mended(self, dropped: Collection[str], report: Report) -> Iterable[tuple[str, Edit]]:
        yield from super().mended(dropped, report)
        for string, count in enumerate(self._strings.uses):
            if not count and self._strings.passages[string].text:
                report.add(_STRINGS, Action.CLEANED, _UNUSED)
                yield _STRINGS, self._strings.emptied(string)

    # Reading.

    def _shared_strings(self) -> "_Strings":
        if _STRINGS not in self.package:
            return _Strings(None)
        return _Strings(self.markup(_STRINGS))

    def _formats(self) -> tuple[list[str], bool]:
        """Return the format code of each cell style, and whether days count from 1904."""
        own, styles, in_cells = dict[int, str](), list[int](), False
        if _STYLES in self.package:
            markup = self.markup(_STYLES)
            for token in markup.tokens():
                if token.name == "s:cellXfs":
                    in_cells = token.what is not What.CLOSE
                elif token.what is What.OPEN and token.name == "s:numFmt":
                    number = markup.attribute(token, "numFmtId")
                    own[_number(number)] = markup.attribute(token, "formatCode")
                elif in_cells and token.what is What.OPEN and token.name == "s:xf":
                    styles.append(_number(markup.attribute(token, "numFmtId")))
        markup, is_1904 = self.markup(self.main_part), False
        for token in markup.tokens():
            if token.what is What.OPEN and token.name == "s:workbookPr":
                is_1904 = markup.attribute(token, "date1904") in ("1", "true")
        return [own.get(one) or BUILT_IN.get(one, "General") for one in styles], is_1904

    def _in_order(self) -> list[str]:
        """Return the sheets as the tabs stand."""
        relations = "/_rels/".join(posixpath.split(self.main_part)) + ".rels"
        targets = dict[str, str]()
        if relations in self.package:
            targets = {own: target for own, _, target in self._relationships(relations)}
        markup = self.markup(self.main_part)
        tabs = [
            targets.get(markup.attribute(token, "r:id"), "")
            for token in markup.tokens()
            if token.what is What.OPEN and token.name == "s:sheet"
        ]
        lost = next((tab for tab in tabs if tab and tab not in self.package), "")
        if lost:
            raise Refused(lost, "빠진 시트입니다", "원본을 다시 받거나 다시 저장하십시오")
        sheets = [*self.text_parts("xl/worksheets/"), *self.text_parts("xl/chartsheets/")]
        places = {part: tab for tab, part in enumerate(tabs)}
        return sorted(sheets, key=lambda part: places.get(part, len(places)))

    def _read_sheet(self, part: str, codes: list[str], is_1904: bool, passages: Passages) -> None:
        markup, cells, leading = self.markup(part), self._sheets[part], self.leading
        data, strings = markup.data, self._strings
        wanted = {a for a, _ in self._named_cells(part)}
        start = row = is_sound = 0
        kind, style, address, said, rich = "", "", "", "", list[str]()
        for token in markup.tokens():
            what, name = token.what, token.name
            if what is What.OPEN:
                if name == "s:c":
                    start, kind, style, address, said = token.start, "", "", "", ""
                    rich.clear()
                    for fact, double, single in _FACT.findall(data, token.start, token.end):
                        value = (double or single).decode()
                        if fact == b"r":
                            address = value
                        elif fact == b"s":
                            style = value
                        else:
                            kind = value
                elif name == "s:row":
                    row = len(leading)
                elif name == "s:rPh":
                    is_sound += 1
            elif what is What.CLOSE:
                if name == "s:c":
                    string = _NO_STRING
                    if kind == "s":
                        string = _number(said, _NO_STRING)
                        said = strings.use(string)
                    elif kind == "inlineStr":
                        said = "".join(rich)
                    elif said and kind in ("", "n"):
                        code = codes[_number(style)] if _number(style) < len(codes) else "General"
                        said = _as_shown(said, code, is_1904)
                    if said and kind not in ("b", "e"):
                        if address in wanted:
                            cells.addresses[address] = len(leading)
                        cells.starts.append(start)
                        cells.ends.append(token.end)
                        cells.strings.append(string)
                        leading.append(Segment(said, Kind.CELL, part, "\t"))
                elif name == "s:row" and len(leading) > row:
                    last = leading[-1]
                    leading[-1] = Segment(last.text, last.kind, last.part, "\n")
                elif name == "s:rPh":
                    is_sound -= 1
            elif name == "s:v":
                said += markup.text(token)
            elif name == "s:t" and not is_sound:
                rich.append(markup.text(token))
            elif name.startswith(("s:odd", "s:even", "s:first")) and what is What.TEXT:
                of_head = Kind.HEADER if name.endswith("Header") else Kind.FOOTER
                _read_page_edge(markup, token, of_head, passages)

    def _read_names(self, passages: Passages) -> None:
        """Begin a passage for the name of each sheet: the tabs show them."""
        markup = self.markup(self.main_part)
        for token in markup.tokens():
            if token.what is What.OPEN and token.name == "s:sheet":
                for one in markup.attributes(token):
                    if one.name == "name":
                        passage = passages.begin(Passage(self.main_part, Kind.HEADER, 1))
                        passage.add(one.value, one.value_start, one.value_end)

    def _read_drawing(self, part: str, passages: Passages) -> None:
        markup, open_paragraphs = self.markup(part), list[Passage]()
        for token in markup.tokens():
            if token.name == "a:p" and token.what is What.OPEN:
                open_paragraphs.append(passages.begin(Passage(part, Kind.TEXT_BOX, 2)))
            elif token.name == "a:p" and token.what is What.CLOSE:
                open_paragraphs.pop()
            elif token.name == "a:t" and token.what in (What.TEXT, What.CDATA) and open_paragraphs:
                mode = Mode.CDATA if token.what is What.CDATA else Mode.TEXT
                open_paragraphs[-1].add(markup.text(token), token.start, token.end, mode)

    def _read_comments(self, part: str, passages: Passages) -> None:
        markup, passage, is_sound = self.markup(part), None, 0
        for token in markup.tokens():
            if token.name == "s:comment" and token.what is What.OPEN:
                passage = passages.begin(Passage(part, Kind.MEMO, 3))
            elif token.name == "s:rPh":
                is_sound += {What.OPEN: 1, What.CLOSE: -1}.get(token.what, 0)
            elif token.name != "s:t" or token.what not in (What.TEXT, What.CDATA):
                continue
            elif passage and not is_sound:
                mode = Mode.CDATA if token.what is What.CDATA else Mode.TEXT
                passage.add(markup.text(token), token.start, token.end, mode)

    def _tables_of_sheets(self) -> Iterator[tuple[str, list[str]]]:
        for part in self.text_parts("xl/worksheets/"):
            folder, _, name = part.rpartition("/")
            relations = f"{folder}/_rels/{name}.rels"
            if relations in self.package:
                yield (
                    part,
                    [
                        target
                        for _, kind, target in self._relationships(relations)
                        if kind.endswith("/table") and target in self.package
                    ],
                )

    def _named_cells(self, sheet: str) -> Iterator[tuple[str, tuple[str, int, str]]]:
        """Yield the address of each cell that a table repeats: part, column, attribute."""
        for part in self._tables.get(sheet, ()):
            markup = self.markup(part)
            for token in markup.tokens():
                if token.what is not What.OPEN or token.name != "s:table":
                    continue
                facts = {one.name: one.value for one in markup.attributes(token)}
                first, _, last = facts.get("ref", "").partition(":")
                corners = [_ADDRESS.fullmatch(one) for one in (first, last)]
                if not corners[0] or not corners[1]:
                    continue
                left, right = (_column(corner[1]) for corner in corners if corner)
                for at, column in enumerate(range(left, min(right, left + 16384) + 1)):
                    if facts.get("headerRowCount") != "0":
                        yield f"{_letters(column)}{corners[0][2]}", (part, at, "name")
                    if facts.get("totalsRowCount", "0") != "0":
                        address = f"{_letters(column)}{corners[1][2]}"
                        yield address, (part, at, "totalsRowLabel")

    # Writing.

    @staticmethod
    def _of(cells: _Cells, masks: dict[int, list[Mask]]) -> list[int]:
        end = cells.first + len(cells.starts)
        return [number for number in masks if cells.first <= number < end]

    def _masked_text(self, number: int, masks: Sequence[Mask]) -> str:
        text, out, at = self.segments[number].text, list[str](), 0
        for mask in masks:
            out += text[at : mask.start], mask.replacement
            at = mask.end
        return "".join((*out, text[at:]))

    def _cell(self, raw: bytes, number: int, masks: list[Mask]) -> bytes:
        """Return a cell that holds its masked text itself, in the format that it had."""
        tag = raw[: raw.index(b">")]
        name = tag[1:].split()[0].rstrip(b"/")
        prefix = name[: name.find(b":") + 1]
        facts = {m[1]: decoded(m[2] if m[2] is not None else m[3]) for m in _FACT.finditer(tag)}
        kept = b"".join(
            b" " + key + b'="' + escaped(facts[key]) + b'"' for key in (b"r", b"s") if key in facts
        )
        inner = None
        if facts.get(b"t") == "s":
            inner = self._strings.masked(_number_in(raw), masks, prefix)
        if inner is None:
            text = escaped(self._masked_text(number, masks))
            inner = b'<%bt xml:space="preserve">%b</%bt>' % (prefix, text, prefix)
        return b'<%b%b t="inlineStr"><%bis>%b</%bis></%b>' % (
            *(name, kept, prefix, inner, prefix, name),
        )

    def _columns(self, masks: dict[int, list[Mask]]) -> Iterator[tuple[str, Edit]]:
        """Yield what puts the masked names of columns into the tables that repeat them."""
        wanted = defaultdict[str, dict[tuple[int, str], str]](dict)
        for sheet, cells in self._sheets.items():
            for address, (part, column, attribute) in self._named_cells(sheet):
                number = cells.addresses.get(address, -1)
                if number in masks:
                    text = self._masked_text(number, masks[number])
                    wanted[part][column, attribute] = text.replace("\n", "_x000a_")
        for part, texts in wanted.items():
            markup, column = self.markup(part), -1
            for token in markup.tokens():
                if token.what is What.OPEN and token.name == "s:tableColumn":
                    column += 1
                    for one in markup.attributes(token):
                        if (column, one.name) in texts:
                            new = escaped(texts[column, one.name])
                            yield part, Edit(one.value_start, one.value_end, new)


class _Name(NamedTuple):
    """What a sheet or a column is called: the segment that says it, and its text."""

    segment: int
    text: str


def _with_blanks(names: list[_Name], masked: Collection[int]) -> Iterator[_Name]:
    """Yield the *masked* ones that are called as another, with the blanks they need at the end."""
    taken = {name.text.casefold() for name in names if name.segment not in masked}
    for name in names:
        if name.segment in masked:
            blanks = ""
            while (name.text + blanks).casefold() in taken:
                blanks += " "
            taken.add((name.text + blanks).casefold())
            if blanks:
                yield _Name(name.segment, blanks)


class _Strings:
    """The strings that cells share: their pieces, where they stand, how often they are used."""

    def __init__(self, markup: Markup | None) -> None:
        self._data = markup.data if markup else b""
        self.passages: list[Passage] = []
        self.uses = array("L")
        self._inner: list[tuple[int, int]] = []
        self._prefix = b""
        if markup:
            self._read(markup)

    def _read(self, markup: Markup) -> None:
        begin, is_sound, sound, text_tag = 0, 0, 0, 0
        for token in markup.tokens():
            what, name = token.what, token.name
            if name == "s:si" and what is What.OPEN:
                begin = token.end
                raw = markup.data[token.start + 1 : token.end]
                self._prefix = raw[: raw.find(b":") + 1]
                self.passages.append(Passage(markup.part, Kind.CELL))
            elif name == "s:si" and what is What.CLOSE:
                self._inner.append((begin, token.start))
                self.uses.append(0)
            elif name == "s:rPh" and what is What.OPEN:
                is_sound, sound = is_sound + 1, token.start
            elif name == "s:rPh" and what is What.CLOSE:
                is_sound -= 1
                if not is_sound and self.passages:
                    last = self.passages[-1]
                    last.stale = (*last.stale, (sound, token.end))
            elif name == "s:t" and what is What.OPEN:
                text_tag = (
                    token.end if b"preserve" not in markup.data[token.start : token.end] else -1
                )
            elif name != "s:t" or what not in (What.TEXT, What.CDATA) or is_sound:
                continue
            elif self.passages:
                mode = Mode.CDATA if what is What.CDATA else Mode.TEXT
                if mode is Mode.TEXT and token.start == text_tag:
                    mode = Mode.TRIMMED
                self.passages[-1].add(markup.text(token), token.start, token.end, mode)

    def use(self, number: int) -> str:
        """Return a string for one more cell, "" where there is none of this number."""
        if not 0 <= number < len(self.passages):
            return ""
        self.uses[number] += 1
        return self.passages[number].text

    def edits(self, number: int, masks: list[Mask]) -> Iterator[Edit]:
        """Yield what puts *masks* into a string."""
        return self.passages[number].edits(self._data, masks)

    def masked(self, number: int, masks: list[Mask], prefix: bytes) -> bytes | None:
        """Return what a cell holds with *masks*; None where it calls elements otherwise."""
        if prefix != self._prefix or not 0 <= number < len(self.passages):
            return None
        start, end = self._inner[number]
        edits = self.passages[number].edits(self._data, masks)
        moved = [Edit(one.start - start, one.end - start, one.new) for one in edits]
        return edited(self._data[start:end], moved)

    def emptied(self, number: int) -> Edit:
        """Return what takes a string out and leaves its place."""
        start, end = self._inner[number]
        return Edit(start, end, b"<" + self._prefix + b"t/>")


def _read_page_edge(markup: Markup, token: Token, kind: Kind, passages: Passages) -> None:
    """Begin a passage for each third of a header or footer, without the codes in it."""
    text, passage = markup.text(token), Passage(markup.part, kind, 1)
    passages.begin(passage)
    for match in _EDGE.finditer(text):
        if match[1]:
            passage = passages.begin(Passage(markup.part, kind, 1))
        elif match[2]:
            start, end = places(markup.data, token.start, token.end, match.span(2))
            passage.add(match[2], start, end)


def _number(text: str, otherwise: int = 0) -> int:
    is_number = text.isascii() and text.strip().isdigit() and len(text) < 10
    return int(text) if is_number else otherwise


def _number_in(cell: bytes) -> int:
    """Return the number of the shared string that a cell names."""
    match = re.search(rb"<(?:[^\s>:]+:)?v[^>]*>\s*(\d{1,9})\s*<", cell)
    return int(match[1]) if match else -1


def _as_shown(value: str, code: str, is_1904: bool) -> str:
    try:
        return shown(float(value), code, is_1904=is_1904)
    except (ValueError, OverflowError):
        return value


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(column: int) -> str:
    out = ""
    while column:
        column, rest = divmod(column - 1, 26)
        out = chr(65 + rest) + out
    return out
