"""HWPX: Hancom's format of XML parts in a ZIP (KS X 6101, OWPML)."""

import re
from collections.abc import Collection, Iterable
from typing import cast

from thunder.documents import cleaning
from thunder.documents.cleaning import Report
from thunder.documents.markup import Edit, Markup, Token, What
from thunder.documents.packaged import Packaged, references
from thunder.documents.passages import Mode, Passage, Passages
from thunder.documents.segments import Action, Kind, Refused

_HML = "http://www.hancom.co.kr/hwpml"
_PREFIXES = {
    **{
        f"{_HML}/{year}/{name}": prefix
        for year in (2011, 2016, 2021, 2024)
        for name, prefix in {
            "paragraph": "hp",
            "section": "hs",
            "head": "hh",
            "core": "hc",
            "master-page": "hm",
            "history": "hhs",
            "app": "ha",
            "version": "hv",
            "extended": "he",
            "ooxmlchart": "ooxmlchart",
        }.items()
    },
    f"{_HML}/2016/meta/pkg#": "pkg",
    "http://www.idpf.org/2007/opf/": "opf",
    "http://www.idpf.org/2007/opf": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "urn:oasis:names:tc:opendocument:xmlns:container": "ocf",
    "urn:oasis:names:tc:opendocument:xmlns:config:1.0": "config",
    "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0": "odf",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
}
_CONTENTS = "Contents/content.hpf"
_CHARACTERS = {
    "hp:tab": "\t",
    "hp:lineBreak": "\n",
    "hp:nbSpace": "\u00a0",
    "hp:fwSpace": "\u3000",
    "hp:hyphen": "-",
}
_CONTAINERS: dict[str, tuple[Kind, int | None]] = {
    "hp:tc": (Kind.CELL, None),
    "hp:footNote": (Kind.NOTE, None),
    "hp:endNote": (Kind.NOTE, None),
    "hp:header": (Kind.HEADER, 1),
    "hp:footer": (Kind.FOOTER, 1),
    "hm:masterPage": (Kind.HEADER, 1),
    "masterPage": (Kind.HEADER, 1),
    "hp:drawText": (Kind.TEXT_BOX, 2),
    "hp:caption": (Kind.CAPTION, None),
    "hp:memo": (Kind.MEMO, 3),
}
_OWN_TEXTS = {"hp:script": Kind.BODY, "hp:text": Kind.TEXT_BOX, "hp:subText": Kind.BODY}
"""Elements that say something of their own beside the paragraph that they stand in."""
_OWN_ATTRIBUTES = {
    ("hp:textart", "text"),
    ("hp:listItem", "displayText"),
    ("hp:listItem", "value"),
    ("hp:btn", "caption"),
    ("hp:checkBtn", "caption"),
    ("hp:radioBtn", "caption"),
    ("hp:comboBox", "selectedValue"),
}
_WITH_OWN_ATTRIBUTES = {element for element, _ in _OWN_ATTRIBUTES}
_NUMBER = re.compile(r"\d+")


def open(data: bytes) -> "Hwpx":
    """Return the document that *data* is; Refused where it cannot be answered for."""
    return Hwpx(data)


class Hwpx(Packaged):
    """An opened HWPX file."""

    format = "hwpx"
    prefixes = _PREFIXES

    def check(self) -> None:
        if "mimetype" not in self.package or _CONTENTS not in self.package:
            raise Refused("", "HWPX가 아닙니다", "한글에서 HWPX로 다시 저장하십시오")
        manifest = "META-INF/manifest.xml"
        if manifest in self.package:
            for token in self.markup(manifest).tokens():
                if token.name == "odf:encryption-data":
                    raise Refused(
                        manifest, "암호가 걸렸거나 배포용인 문서입니다", "풀어서 다시 저장하십시오"
                    )

    def needed(self) -> Collection[str]:
        items, needed = dict[str, str](), set[str]()
        markup = self.markup(_CONTENTS)
        for token in markup.tokens():
            if token.what is What.OPEN and token.name == "opf:item":
                items[markup.attribute(token, "id")] = markup.attribute(token, "href")
            elif token.what is What.OPEN and token.name == "opf:itemref":
                needed.add(items.get(markup.attribute(token, "idref"), ""))
        return needed

    def read(self, passages: Passages) -> None:
        def order(name: str) -> tuple[bool, bool, list[int], str]:
            numbers = [int(number) for number in _NUMBER.findall(name)]
            return name.startswith("Chart/"), "section" not in name.lower(), numbers, name

        for name in sorted(self.parts(cleaning.TEXT), key=order):
            if name.startswith("Chart/"):
                read_chart(self.markup(name), passages)
            else:
                edits = _Section(self.markup(name), passages).read()
                self.removed[name] = [(edit, "변경 추적에서 지운 글") for edit in edits]

    def mended(self, dropped: Collection[str], report: Report) -> Iterable[tuple[str, Edit]]:
        gone = set[str]()
        contents = self.markup(_CONTENTS)
        for edit, own in references(contents, "opf:item", "href", dropped):
            gone.add(own)
            yield _CONTENTS, edit
        for edit, _ in references(contents, "opf:itemref", "idref", gone):
            yield _CONTENTS, edit
        for part, element, attribute in (
            ("META-INF/container.xml", "ocf:rootfile", "full-path"),
            ("META-INF/manifest.xml", "odf:file-entry", "odf:full-path"),
            ("META-INF/container.rdf", "pkg:hasPart", "rdf:resource"),
            ("META-INF/container.rdf", "rdf:Description", "rdf:about"),
        ):
            if part in self.package:
                for edit, _ in references(self.markup(part), element, attribute, dropped):
                    yield part, edit
        for part in self.parts(cleaning.TEXT):
            if part.startswith("Contents/"):
                for element in ("hp:ole", "hp:video"):
                    for name in ("binaryItemIDRef", "fileIDRef"):
                        for edit, _ in references(self.markup(part), element, name, gone):
                            report.add(part, Action.CLEANED, "끼워 넣은 개체의 자리")
                            yield part, edit


class _Section:
    """One section or master page as it is walked through."""

    def __init__(self, markup: Markup, passages: Passages) -> None:
        self._markup, self._passages = markup, passages
        self._kinds: list[tuple[Kind, int]] = [(Kind.BODY, 0)]
        self._paragraphs: list[Passage] = []
        self._deleted = set[str]()
        self._removed: list[Edit] = []
        self._changed = set[int]()  # by their lists of stale bytes, paragraphs with deleted words
        self._closing = {"hp:fieldBegin": self._leave, "hp:p": self._close_paragraph}
        self._closing |= {name: self._leave for name in _CONTAINERS}
        self._closing |= {
            "hp:tc": self._close_cell,
            "hp:tr": lambda: self._passages.end_cell("\n"),
            "hp:tbl": self._close_table,
        }

    def read(self) -> list[Edit]:
        """Begin a passage for each paragraph; return what takes deleted words out."""
        hidden = 0  # how deep in a hidden comment
        cache = 0
        for token in self._markup.tokens():
            what, name = token.what, token.name
            if name == "hp:hiddenComment" and what in (What.OPEN, What.CLOSE):
                hidden += 1 if what is What.OPEN else -1
            elif hidden:
                continue
            elif what is What.TEXT or what is What.CDATA:
                if name == "hp:t" or name == "hp:mainText":
                    self._say(token)
                elif name in _OWN_TEXTS:
                    self._say_apart(token, _OWN_TEXTS[name])
            elif what is What.OPEN:
                if name == "hp:linesegarray":
                    cache = token.start
                else:
                    self._open(token)
            elif what is What.CLOSE:
                if name == "hp:linesegarray":
                    if self._paragraphs:
                        stale = self._paragraphs[-1].stale
                        cast(list[tuple[int, int]], stale).append((cache, token.end))
                        if id(stale) in self._changed:
                            self._removed.append(Edit(cache, token.end, b""))
                elif name in self._closing:
                    self._closing[name]()
        return self._removed

    def _open(self, token: Token) -> None:
        name = token.name
        if name == "hp:p":
            kind, rank = self._kinds[-1]
            passage = Passage(self._markup.part, kind, rank, stale=[])
            self._paragraphs.append(self._passages.begin(passage))
        elif name in _CHARACTERS:
            if self._paragraphs:
                self._add(_CHARACTERS[name], token.start, token.end, Mode.ELEMENT)
        elif name in _CONTAINERS:
            kind, rank_here = _CONTAINERS[name]
            rank = self._kinds[-1][1]
            self._kinds.append((kind, max(rank, rank_here or 0)))
            if name == "hp:tc":
                self._passages.begin_cell()
        elif name == "hp:fieldBegin":
            is_memo = self._markup.attribute(token, "type") == "MEMO"
            self._kinds.append((Kind.MEMO, 3) if is_memo else self._kinds[-1])
        elif name == "hp:tr":
            self._passages.begin_cell()
        elif name in ("hp:deleteBegin", "hp:deleteEnd"):
            change = self._markup.attribute(token, "TcId")
            (self._deleted.add if name == "hp:deleteBegin" else self._deleted.discard)(change)
        elif name == "hp:compose":
            for one in self._markup.attributes(token):
                if one.name == "composeText" and self._paragraphs:
                    self._add(one.value, one.value_start, one.value_end, Mode.TEXT)
        elif name in _WITH_OWN_ATTRIBUTES:
            for one in self._markup.attributes(token):
                if (name, one.name) in _OWN_ATTRIBUTES:
                    passage = Passage(self._markup.part, Kind.TEXT_BOX, max(2, self._kinds[-1][1]))
                    self._passages.begin(passage).add(one.value, one.value_start, one.value_end)

    def _say(self, token: Token) -> None:
        mode = Mode.CDATA if token.what is What.CDATA else Mode.TEXT
        if self._paragraphs:
            self._add(self._markup.text(token), token.start, token.end, mode)

    def _add(self, text: str, start: int, end: int, mode: Mode) -> None:
        passage = self._paragraphs[-1]
        if self._deleted:
            self._removed.append(Edit(start, end, b""))
            self._changed.add(id(passage.stale))
            return
        passage.add(text, start, end, mode)

    def _say_apart(self, token: Token, kind: Kind) -> None:
        rank = self._kinds[-1][1]
        passage = Passage(self._markup.part, kind, rank)
        mode = Mode.CDATA if token.what is What.CDATA else Mode.TEXT
        self._passages.begin(passage).add(self._markup.text(token), token.start, token.end, mode)

    def _leave(self) -> None:
        self._kinds.pop()

    def _close_paragraph(self) -> None:
        self._paragraphs.pop()

    def _close_cell(self) -> None:
        self._kinds.pop()
        self._passages.end_cell("\t")

    def _close_table(self) -> None:
        """What follows a table in its paragraph is read behind it."""
        if self._paragraphs:
            old = self._paragraphs[-1]
            new = Passage(old.part, old.kind, old.rank, stale=old.stale)
            self._paragraphs[-1] = self._passages.begin(new)


def read_chart(markup: Markup, passages: Passages) -> None:
    """Begin a passage for each word in a chart: its titles, categories and series."""
    within = list[str]()
    for token in markup.tokens():
        if token.what is What.OPEN:
            within.append(token.name)
        elif token.what is What.CLOSE:
            within.pop()
        elif token.what is What.TEXT and _is_chart_text(within):
            passage = Passage(markup.part, Kind.TEXT_BOX, 2)
            passages.begin(passage).add(markup.text(token), token.start, token.end)


def _is_chart_text(within: list[str]) -> bool:
    if within[-1] == "a:t":
        return True
    return within[-1] == "c:v" and not any(name.startswith("c:num") for name in within)
