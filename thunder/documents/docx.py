"""DOCX: WordprocessingML in an OPC package (ECMA-376-1, transitional and strict)."""

import re
from collections.abc import Iterator

from thunder.documents.hwpx import read_chart
from thunder.documents.markup import Edit, Markup, Token, What
from thunder.documents.opc import PREFIXES, Opc
from thunder.documents.passages import Mode, Passage, Passages
from thunder.documents.segments import Kind

_CHARACTERS = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_CHARACTERS |= {"a:br": "\n"}
_CONTAINERS: dict[str, tuple[Kind, int]] = {
    "w:tc": (Kind.CELL, 0),
    "w:footnote": (Kind.NOTE, 0),
    "w:endnote": (Kind.NOTE, 0),
    "w:comment": (Kind.MEMO, 3),
    "w:txbxContent": (Kind.TEXT_BOX, 2),
    "wps:txbx": (Kind.TEXT_BOX, 2),
}
_UNREAD = {"w:pPr", "w:rPr", "w:del", "w:moveFrom", "mc:Fallback", "w:sectPr"}
"""Elements that hold nothing that a page shows, or show again what is read beside them."""
_OWN_ATTRIBUTES = {"v:textpath": "string", "w:listEntry": "w:val"}
_PARAGRAPHS = {"w:p", "a:p", "w:rt"}
_LIVE = {"PAGE", "NUMPAGES", "SECTIONPAGES", "SECTION", "TOC", "PAGEREF", "SEQ"}
_LIVE |= {"FORMCHECKBOX", "FORMDROPDOWN"}
_LIVE_ARGUMENT = re.compile(
    r'\\[*@#!a-z]|"[0-9,;.\-]*"|_Toc\d+|MERGEFORMAT|Arabic|arabic', re.ASCII
)
"""Fields that are reckoned anew as pages change and that name nobody; others become text."""
_FIELD = "필드의 명령(주소, 이름, 경로)"


def open(data: bytes) -> "Docx":
    """Return the document that *data* is; Refused where it cannot be answered for."""
    return Docx(data)


class Docx(Opc):
    """An opened DOCX file."""

    format = "docx"
    name = "DOCX"
    prefixes = PREFIXES
    unwrapped = ("w:hyperlink",)

    def read(self, passages: Passages) -> None:
        notes = dict[tuple[str, str], list[Passage]]()
        for part, element in (("word/footnotes", "footnote"), ("word/endnotes", "endnote")):
            for name in self.text_parts(part):
                _Story(self, name, Passages(), notes).read_apart(f"w:{element}")
        for name in dict.fromkeys((self.main_part, *self.text_parts("word/document"))):
            _Story(self, name, passages, notes).read()
        for note in notes.values():
            passages.take(note)
        for part, kind in (("word/header", Kind.HEADER), ("word/footer", Kind.FOOTER)):
            for name in self.text_parts(part):
                _Story(self, name, passages, notes, kind, 1).read()
        for name in (*self.text_parts("word/diagrams/"), *self.text_parts("word/drawings/")):
            _Story(self, name, passages, notes, Kind.TEXT_BOX, 2).read()
        for name in self.text_parts("word/charts/"):
            read_chart(self.markup(name), passages)
        for name in self.text_parts("word/comments"):
            _Story(self, name, passages, notes, Kind.MEMO, 3).read()


class _Story:
    """One part of text as it is walked through."""

    def __init__(
        self,
        document: Docx,
        part: str,
        passages: Passages,
        notes: dict[tuple[str, str], list[Passage]],
        kind: Kind = Kind.BODY,
        rank: int = 0,
    ) -> None:
        self._markup: Markup = document.markup(part)
        self._removed = document.removed[part]
        self._passages, self._notes = passages, notes
        self._kinds = [(kind, rank)]
        self._paragraphs: list[Passage] = []
        self._text_tag = Token(What.OPEN, "", 0, 0)
        self._fields: list[_Field] = []

    def read_apart(self, element: str) -> None:
        """Begin the passages of each *element*, a note, and keep them by its id."""
        own = ""
        for token in self._tokens():
            if token.name == element and token.what is What.OPEN:
                own = self._markup.attribute(token, "w:id")
            self._step(token)
            if token.name == element and token.what is What.CLOSE:
                self._notes[element, own] = self._passages.taken_out()

    def read(self) -> None:
        """Begin a passage for each paragraph."""
        for token in self._tokens():
            self._step(token)
        for field in self._fields:  # they never end
            self._removed += field.edits()

    def _tokens(self) -> Iterator[Token]:
        """Yield the tokens outside of what is not read."""
        unread, depth = 0, 0
        for token in self._markup.tokens():
            if token.what is What.OPEN:
                depth += 1
                if not unread and token.name in _UNREAD:
                    unread = depth
            elif token.what is What.CLOSE:
                depth -= 1
                if unread > depth:
                    unread = 0
                    continue
            if not unread:
                yield token

    def _step(self, token: Token) -> None:
        what, name = token.what, token.name
        if what is What.OPEN:
            self._open(token)
        elif what is What.CLOSE:
            if name in _PARAGRAPHS:
                self._paragraphs.pop()
            elif name in _CONTAINERS:
                self._kinds.pop()
                if name == "w:tc":
                    self._passages.end_cell("\t")
            elif name in ("w:tr", "a:tr"):
                self._passages.end_cell("\n")
            elif name == "a:tc":
                self._passages.end_cell("\t")
            elif name in ("w:fldChar", "w:instrText") and self._fields:
                self._fields[-1].elements.append((self._text_tag.start, token.end))
                if self._fields[-1].has_ended:
                    self._removed += self._fields.pop().edits()
        elif what is not What.OTHER and self._paragraphs:
            if name in ("w:t", "m:t", "a:t"):
                mode = Mode.CDATA if what is What.CDATA else Mode.TEXT
                if name == "w:t" and self._is_trimmed(token):
                    mode = Mode.TRIMMED
                text = self._markup.text(token)
                self._paragraphs[-1].add(text, token.start, token.end, mode)
            elif name == "w:instrText" and self._fields:
                self._fields[-1].command += self._markup.text(token)

    def _open(self, token: Token) -> None:
        name, part = token.name, self._markup.part
        if name == "w:t":
            self._text_tag = token
        elif name in _PARAGRAPHS:
            kind, rank = self._kinds[-1]
            if name == "a:p" and rank < 2:
                kind, rank = Kind.TEXT_BOX, 2
            self._paragraphs.append(self._passages.begin(Passage(part, kind, rank)))
        elif name in _CHARACTERS or name == "w:sym":
            if self._paragraphs:
                character = _CHARACTERS.get(name) or self._symbol(token)
                passage = self._paragraphs[-1]
                passage.add(character, token.start, token.end, Mode.ELEMENT)
                passage.wrap = self._wrap(token)
        elif name in _CONTAINERS:
            kind, rank = _CONTAINERS[name]
            self._kinds.append((kind, max(rank, self._kinds[-1][1])))
            if name == "w:tc":
                self._passages.begin_cell()
        elif name in ("w:tr", "a:tr", "a:tc"):
            self._passages.begin_cell()
        elif name in ("w:footnoteReference", "w:endnoteReference"):
            own = self._markup.attribute(token, "w:id")
            note = self._notes.pop((name.removesuffix("Reference"), own), [])
            self._passages.take(note)
        elif name == "w:fldChar":
            self._text_tag = token
            kind_of_mark = self._markup.attribute(token, "w:fldCharType")
            if kind_of_mark == "begin":
                self._fields.append(_Field())
            elif kind_of_mark == "end" and self._fields:
                self._fields[-1].has_ended = True
        elif name == "w:instrText":
            self._text_tag = token
        elif name in _OWN_ATTRIBUTES:
            for one in self._markup.attributes(token):
                if one.name == _OWN_ATTRIBUTES[name]:
                    passage = self._passages.begin(Passage(part, Kind.TEXT_BOX, 2))
                    passage.add(one.value, one.value_start, one.value_end)

    def _is_trimmed(self, token: Token) -> bool:
        tag = self._text_tag
        is_first = tag.end == token.start
        return is_first and b"preserve" not in self._markup.data[tag.start : tag.end]

    def _symbol(self, token: Token) -> str:
        code = self._markup.attribute(token, "w:char")
        try:
            return chr(int(code, 16))
        except ValueError:
            return "\ufffd"

    def _wrap(self, token: Token) -> tuple[bytes, bytes]:
        """Return the tags of a text, by the prefix that the part has for them."""
        name = self._markup.data[token.start + 1 : token.end].split(b"/")[0].split()[0]
        prefix = name[: name.find(b":") + 1]
        return b"<" + prefix + b"t>", b"</" + prefix + b"t>"


class _Field:
    """A field between its marks: what it is told to show, and the elements that say so."""

    def __init__(self) -> None:
        self.command, self.has_ended = "", False
        self.elements: list[tuple[int, int]] = []

    def edits(self) -> list[tuple[Edit, str]]:
        """Return what makes plain text of the field, nothing where it may stay."""
        words = self.command.split()
        if words and words[0] in _LIVE and all(map(_LIVE_ARGUMENT.fullmatch, words[1:])):
            return []
        return [(Edit(start, end, b""), _FIELD) for start, end in self.elements]
