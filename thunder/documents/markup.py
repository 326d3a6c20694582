"""XML read for the places of what it says, so that its bytes are edited where they stand.

Nothing is written anew from a tree: what no edit touches stays as it was, down to the quotes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from typing import NamedTuple
from xml.parsers import expat

from thunder.documents.segments import Refused

MOST_NESTED = 1_000
_SAVE_AGAIN = "만든 프로그램에서 열어 다시 저장하십시오"
_ENCODINGS = {"", "utf-8", "utf8", "us-ascii"}

# Read only after expat has found the part well-formed: so a quote always has its partner.
_TOKEN = re.compile(
    rb"<(?:/([^\s>]++)[^>]*+"
    rb"|!--.*?--"
    rb"|!\[CDATA\[.*?\]\]"
    rb"|\?.*?\?"
    rb"|([^\s/>!?]++)((?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+))>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"([^\s=/]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_REFERENCE = re.compile(r"&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(\w+));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_CHARACTER = re.compile(rb"&[^;]++;|\r\n|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*+")
_RAW_CHARACTER = re.compile(rb"\r\n|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*+")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class What(IntEnum):
    """What a token is."""

    OPEN = 0
    CLOSE = 1
    TEXT = 2
    CDATA = 3
    OTHER = 4
    """A comment or an instruction to a program."""


class Token(NamedTuple):
    """A token, the name of its element (of the one around it for what is no tag), its bytes.

    An element without content is an OPEN and a CLOSE that has no bytes. A CDATA's bytes are
    those of what it says, without its brackets.
    """

    what: What
    name: str
    start: int
    end: int


class Edit(NamedTuple):
    """Bytes to be put in the place of those from ``start`` to ``end``."""

    start: int
    end: int
    new: bytes


class Attribute(NamedTuple):
    """An attribute: its name, where it and its value stand (without quotes), what it says."""

    name: str
    start: int
    value_start: int
    value_end: int
    value: str


def require_well_formed(part: str, data: bytes) -> None:
    """Return nothing; Refused for what is not well-formed, or not plain UTF-8 without a DTD.

    Without a DTD there are no entities, neither expanding ones nor such as fetch other files.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:4]:
        raise Refused(part, "UTF-8이 아닌 XML입니다", _SAVE_AGAIN)

    def declared(version: str, encoding: str | None, standalone: int) -> None:
        if (encoding or "").lower() not in _ENCODINGS:
            raise Refused(part, "UTF-8이 아닌 XML입니다", _SAVE_AGAIN)

    def doctype(*_: object) -> None:
        raise Refused(part, "문서 형 선언(DTD)이 든 XML입니다", "원본이 안전한지 확인하십시오")

    parser = expat.ParserCreate()
    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        line = f"{error.lineno}번째 줄에서" if error.lineno else ""
        raise Refused(part, f"XML이 {line} 깨졌습니다".replace("  ", " "), _SAVE_AGAIN) from None


class Markup:
    """A part that is XML, and the names that its formats give to namespaces.

    Names are read as ``prefix:local`` with the prefix that *prefixes* (namespace → prefix) has,
    whatever the part itself calls it; a namespace that is not there keeps the part's own prefix
    after a question mark. Attributes without a prefix have a bare name.
    """

    def __init__(self, part: str, data: bytes, prefixes: Mapping[str, str]) -> None:
        require_well_formed(part, data)
        self.part, self.data, self._prefixes = part, data, prefixes
        self._scopes = [_Scope({"xml": "xml"}, {})]

    def tokens(self) -> Iterator[Token]:
        """Yield what the part is made of, in order; Refused where it is nested too deeply.

        ``attributes`` reads names as they are where the walk stands.
        """
        data, at = self.data, 3 if self.data.startswith(b"\xef\xbb\xbf") else 0
        self._scopes = scopes = [_Scope({"xml": "xml"}, {})]
        names, scope, name = list[str](), scopes[0], ""
        opened = list[bool]()  # whether the element brought names of its own
        what_open, what_close, what_text = What.OPEN, What.CLOSE, What.TEXT
        token = tuple.__new__  # half the time of Token(), millions of times
        for match in _TOKEN.finditer(data, at):
            start, end = match.span()
            if at < start and names:
                yield token(Token, (what_text, name, at, start))
            at = end
            kind = match.lastindex
            if kind == 3:
                raw, attributes = match.group(2, 3)
                brings = b"xmlns" in attributes
                if brings:
                    scope = self._scope(scope, attributes)
                    scopes.append(scope)
                known = scope.names.get(raw)
                name = known if known is not None else scope.read(raw)
                yield token(Token, (what_open, name, start, end))
                if data[end - 2] == 47:  # a slash: nothing follows
                    yield token(Token, (what_close, name, end, end))
                    if brings:
                        scopes.pop()
                        scope = scopes[-1]
                    name = names[-1] if names else ""
                else:
                    names.append(name)
                    opened.append(brings)
                    if len(names) > MOST_NESTED:
                        reason = f"XML이 {MOST_NESTED:,}겹 넘게 겹쳐 있습니다"
                        raise Refused(self.part, reason, "원본이 안전한지 확인하십시오")
            elif kind == 1:
                yield token(Token, (what_close, names.pop(), start, end))
                if opened.pop():
                    scopes.pop()
                    scope = scopes[-1]
                name = names[-1] if names else ""
            elif data.startswith(b"<![CDATA[", start):
                yield Token(What.CDATA, name, start + 9, end - 3)
            elif not data.startswith(b"<?xml ", start):
                yield Token(What.OTHER, name, start, end)

    def attributes(self, token: Token) -> Iterator[Attribute]:
        """Yield the attributes of an element that ``tokens`` has just opened."""
        read = self._scopes[-1].read_attribute
        data = self.data
        begin = data.find(b" ", token.start, token.end)
        if begin < 0:
            begin = token.start
        for match in _ATTRIBUTE.finditer(data, begin, token.end):
            group = 2 if match.start(2) >= 0 else 3
            start, end = match.span(group)
            yield Attribute(read(match[1]), match.start(), start, end, decoded(match[group]))

    def attribute(self, token: Token, name: str) -> str:
        """Return what one attribute of an element just opened says, "" where it is not."""
        return next((a.value for a in self.attributes(token) if a.name == name), "")

    def text(self, token: Token) -> str:
        """Return what a TEXT or CDATA says."""
        if token.what is What.CDATA:
            return self.data[token.start : token.end].decode().replace("\r\n", "\n")
        return decoded(self.data[token.start : token.end])

    def _scope(self, outer: "_Scope", attributes: bytes) -> "_Scope":
        bound = dict(outer.bound)
        for match in _ATTRIBUTE.finditer(attributes):
            if match[1] == b"xmlns" or match[1].startswith(b"xmlns:"):
                own = match[1][6:].decode()
                space = decoded(match[2] if match[2] is not None else match[3])
                bound[own] = self._prefixes.get(space, f"?{own}") if space else ""
        return _Scope(bound, {})


class _Scope:
    """What the prefixes of a part mean at a place; names once read are remembered."""

    __slots__ = ("bound", "names")

    def __init__(self, bound: dict[str, str], names: dict[bytes, str]) -> None:
        self.bound, self.names = bound, names

    def read(self, raw: bytes) -> str:
        prefix, colon, local = raw.decode().rpartition(":")
        known = self.bound.get(prefix, f"?{prefix}" if colon else "")
        self.names[raw] = name = f"{known}:{local}" if known else local
        return name

    def read_attribute(self, raw: bytes) -> str:
        prefix, colon, local = raw.decode().rpartition(":")
        if not colon:
            return local
        return f"{self.bound.get(prefix, f'?{prefix}')}:{local}"


def decoded(raw: bytes) -> str:
    """Return what the bytes of a text or of an attribute's value say."""
    text = raw.decode()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERENCE.sub(_referred, text) if "&" in text else text


def _referred(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED.get(name, match[0])
    return chr(int(decimal) if decimal else int(hexadecimal, 16))


def places(
    data: bytes, start: int, end: int, indexes: Sequence[int], *, is_raw: bool = False
) -> list[int]:
    """Return where the characters *indexes*, rising, of a text from *start* to *end* begin.

    *is_raw* says that references are none there, as in a CDATA.
    """
    raw, found = data[start:end], list[int]()
    if b"\r" not in raw and (is_raw or b"&" not in raw):
        text, before, at = raw.decode(), 0, start
        for index in indexes:
            at += len(text[before:index].encode())
            before = index
            found.append(at)
        return found
    characters = (_RAW_CHARACTER if is_raw else _CHARACTER).finditer(raw)
    before, at = 0, start
    for index in indexes:
        for match in islice(characters, index - before):
            at = start + match.end()
        before = index
        found.append(at)
    return found


def escaped(text: str) -> bytes:
    """Return *text* as it may stand between tags and in quotes; ValueError for what never may."""
    if _NOT_XML.search(text):
        raise ValueError("a replacement holds a character that XML has not")
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;").encode()


def edited(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return *data* with *edits* done; those inside a stretch that another takes out are gone."""
    out, at, view = bytearray(), 0, memoryview(data)
    for start, end, new in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if start < at:
            if end > at:
                raise ValueError("edits overlap")
            continue
        out += view[at:start]
        out += new
        at = end
    out += view[at:]
    return bytes(out)
