"""ODT: OpenDocument text of XML parts in a ZIP (ISO/IEC 26300)."""

from collections.abc import Collection, Iterable, Iterator

from thunder.documents import cleaning
from thunder.documents.cleaning import Report
from thunder.documents.markup import Edit, Markup, Token, What
from thunder.documents.packaged import Packaged, references
from thunder.documents.passages import Mode, Passage, Passages
from thunder.documents.segments import Action, Kind, Refused

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_PREFIXES = {
    f"{_OASIS}:{name}:1.0": prefix
    for name, prefix in {
        "office": "office",
        "text": "text",
        "table": "table",
        "drawing": "draw",
        "style": "style",
        "svg-compatible": "svg",
        "xsl-fo-compatible": "fo",
        "meta": "meta",
        "manifest": "manifest",
        "form": "form",
        "script": "script",
        "config": "config",
        "presentation": "presentation",
        "chart": "chart",
        "dr3d": "dr3d",
        "database": "db",
    }.items()
} | {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/1999/xhtml": "xhtml",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}
_MIMETYPES = (
    b"application/vnd.oasis.opendocument.text",
    b"application/vnd.oasis.opendocument.text-template",
)
_MANIFEST = "META-INF/manifest.xml"
_PARAGRAPHS = {"text:p", "text:h", "text:ruby-text"}
_CHARACTERS = {"text:tab": "\t", "text:line-break": "\n", "text:s": " "}
_CONTAINERS: dict[str, tuple[Kind, int]] = {
    "table:table-cell": (Kind.CELL, 0),
    "table:covered-table-cell": (Kind.CELL, 0),
    "text:note-body": (Kind.NOTE, 0),
    "office:annotation": (Kind.MEMO, 3),
    "draw:text-box": (Kind.TEXT_BOX, 2),
    "draw:custom-shape": (Kind.TEXT_BOX, 2),
    "draw:rect": (Kind.TEXT_BOX, 2),
    "draw:line": (Kind.TEXT_BOX, 2),
    "draw:polyline": (Kind.TEXT_BOX, 2),
    "draw:polygon": (Kind.TEXT_BOX, 2),
    "draw:path": (Kind.TEXT_BOX, 2),
    "draw:circle": (Kind.TEXT_BOX, 2),
    "draw:ellipse": (Kind.TEXT_BOX, 2),
    "draw:connector": (Kind.TEXT_BOX, 2),
    "draw:caption": (Kind.TEXT_BOX, 2),
    "style:header": (Kind.HEADER, 1),
    "style:header-left": (Kind.HEADER, 1),
    "style:header-first": (Kind.HEADER, 1),
    "style:footer": (Kind.FOOTER, 1),
    "style:footer-left": (Kind.FOOTER, 1),
    "style:footer-first": (Kind.FOOTER, 1),
}
_CELLS = ("table:table-cell", "table:covered-table-cell")
_UNREAD = {
    "text:tracked-changes",
    "text:note-citation",
    "text:table-of-content-source",
    "dc:creator",
    "dc:date",
    "meta:creator-initials",
    "meta:date-string",
    "svg:title",
    "svg:desc",
    "office:forms",
    "office:event-listeners",
    "office:scripts",
}
"""Elements whose text no page shows as the document's own."""
_WITH_PICTURE = (
    "draw:image",
    "draw:fill-image",
    "style:background-image",
    "text:list-level-style-image",
)


def open(data: bytes) -> "Odt":
    """Return the document that *data* is; Refused where it cannot be answered for."""
    return Odt(data)


class Odt(Packaged):
    """An opened ODT file."""

    format = "odt"
    prefixes = _PREFIXES

    def check(self) -> None:
        is_text = "mimetype" in self.package and self.package.read("mimetype") in _MIMETYPES
        if not is_text or "content.xml" not in self.package or _MANIFEST not in self.package:
            raise Refused("", "ODT가 아닙니다", "ODT로 다시 저장하십시오")
        if any(t.name == "manifest:encryption-data" for t in self.markup(_MANIFEST).tokens()):
            raise Refused(_MANIFEST, "암호가 걸린 문서입니다", "암호를 풀어 다시 저장하십시오")

    def read(self, passages: Passages) -> None:
        for name in ("content.xml", "styles.xml"):
            if name in self.package:
                _Story(self.markup(name), passages).read()

    def mended(self, dropped: Collection[str], report: Report) -> Iterable[tuple[str, Edit]]:
        kept = [name for name in self.package if name not in dropped]
        gone = set(dropped)
        for values in self._elements(_MANIFEST, ("manifest:file-entry",)):
            path = values.get("manifest:full-path", "")
            if path.endswith("/") and path != "/" and not any(n.startswith(path) for n in kept):
                gone.add(path)
        for edit, _ in references(
            self.markup(_MANIFEST), "manifest:file-entry", "manifest:full-path", gone
        ):
            yield _MANIFEST, edit
        for part in self.parts(cleaning.TEXT):
            lost = {
                values["xlink:href"]
                for values in self._elements(part, _WITH_PICTURE)
                if values.get("xlink:href", "").removeprefix("./") not in kept
                and "xlink:href" in values
            }
            for element in _WITH_PICTURE:
                for edit, _ in references(self.markup(part), element, "xlink:href", lost):
                    report.add(part, Action.CLEANED, "없앤 부분이나 바깥을 가리키던 그림")
                    yield part, edit

    def _elements(self, part: str, names: Collection[str]) -> Iterator[dict[str, str]]:
        """Yield the attributes of the elements of these names."""
        markup = self.markup(part)
        for token in markup.tokens():
            if token.what is What.OPEN and token.name in names:
                yield {one.name: one.value for one in markup.attributes(token)}


class _Story:
    """One part of text as it is walked through."""

    def __init__(self, markup: Markup, passages: Passages) -> None:
        self._markup, self._passages = markup, passages
        self._kinds: list[tuple[Kind, int]] = [(Kind.BODY, 0)]
        self._paragraphs: list[Passage] = []

    def read(self) -> None:
        """Begin a passage for each paragraph."""
        unread, depth = 0, 0
        for token in self._markup.tokens():
            what, name = token.what, token.name
            if what is What.OPEN:
                depth += 1
                if unread:
                    continue
                if name in _UNREAD:
                    unread = depth
                else:
                    self._open(token)
            elif what is What.CLOSE:
                if unread:
                    unread = 0 if unread == depth else unread
                elif name in _PARAGRAPHS:
                    self._paragraphs.pop()
                elif name in _CONTAINERS:
                    self._kinds.pop()
                    if name in _CELLS:
                        self._passages.end_cell("\t")
                elif name == "table:table-row":
                    self._passages.end_cell("\n")
                depth -= 1
            elif what is not What.OTHER and not unread and self._paragraphs:
                mode = Mode.CDATA if what is What.CDATA else Mode.TEXT
                text = self._markup.text(token).replace("\n", " ").replace("\t", " ")
                self._paragraphs[-1].add(text, token.start, token.end, mode)

    def _open(self, token: Token) -> None:
        name = token.name
        if name in _PARAGRAPHS:
            passage = Passage(self._markup.part, *self._kinds[-1])
            self._paragraphs.append(self._passages.begin(passage))
        elif name in _CHARACTERS:
            if self._paragraphs:
                text = _CHARACTERS[name]
                if name == "text:s":
                    count = self._markup.attribute(token, "text:c")
                    text *= min(int(count), 1000) if count.isdecimal() else 1
                self._paragraphs[-1].add(text, token.start, token.end, Mode.ELEMENT)
        elif name in _CONTAINERS:
            kind, rank = _CONTAINERS[name]
            self._kinds.append((kind, max(rank, self._kinds[-1][1])))
            if name in _CELLS:
                self._passages.begin_cell()
        elif name == "table:table-row":
            self._passages.begin_cell()
