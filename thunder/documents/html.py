"""HTML: texts and the attributes that are read aloud or shown, edited where they stand.

What a browser runs, loads or hides is dropped or cleaned by the lists below: an element or an
attribute that no list names goes, so that what this module reads otherwise than a browser does is
either read as text, and masked, or gone. The bytes between are the file's own.
"""

import base64
import binascii
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from thunder.documents.encoding import Encoding, Unreadable, decode, decode_as
from thunder.documents.segments import Action, Kind, Mask, Refused, Scrubbed, Segment, Written


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- what stays, what goes -----------------------------------------------------------------------

_BLOCKS = _words(
    """address article aside blockquote body caption center dd details dialog dir div dl dt
    fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
    legend li main menu nav ol optgroup option p pre section select summary table tbody td tfoot
    th thead title tr ul textarea"""
)
"""Elements that begin a line of their own: no word runs over their edges."""

_INLINE = _words(
    """a abbr acronym b bdi bdo big br button cite code col colgroup data del dfn em font i img
    input ins kbd label link map area mark meta meter nobr noscript output picture progress q rb
    rp rt rtc ruby s samp small span strike strong style sub sup svg g path rect circle line text
    tspan template time tt u var wbr"""
)
_DROPPED_WHOLE = _words("script iframe object embed applet noembed noframes xmp audio")
_DROPPED_WHOLE |= {"video", "canvas", "plaintext", "portal", "fencedframe"}
"""Elements that go with all that is in them."""

_VOID = _words("embed portal")
_RAW = _words("script style iframe noembed noframes xmp textarea title plaintext")
"""Elements whose content has no tags: it goes on to their own end tag."""

_KEPT_ATTRIBUTES = _words(
    """align bgcolor border cellpadding cellspacing char charoff charset checked clear color cols
    colspan compact coords dir disabled face frame frameborder headers height hspace lang
    marginheight marginwidth maxlength media multiple noshade nowrap open readonly rel reversed
    rows rowspan rules scope selected shape size span start tabindex type valign vspace width wrap
    xmlns xml:lang role viewbox d x y x1 x2 y1 y2 cx cy r fill stroke stroke-width transform
    class id for name aria-hidden aria-level"""
)
"""Attributes of layout: they stay as they are, if they are written in ASCII."""

_TEXT_ATTRIBUTES = _words(
    """abbr alt aria-description aria-label aria-roledescription aria-valuetext label placeholder
    summary title"""
)
_SHOWN_INPUTS = frozenset(("", "text", "search", "tel", "email", "url", "submit", "button"))
_SHOWN_INPUTS |= {"reset", "number", "date"}
_KEPT_META = frozenset(("content-type", "content-language", "x-ua-compatible", "viewport"))

_KINDS = {
    "td": Kind.CELL,
    "th": Kind.CELL,
    "caption": Kind.CAPTION,
    "figcaption": Kind.CAPTION,
    "header": Kind.HEADER,
    "footer": Kind.FOOTER,
    "aside": Kind.NOTE,
}

_WHOLE = "문서"
_COMMENT, _HANDLERS, _OTHER = "주석", "이벤트 속성", "그 밖의 속성"
_REASONS = {
    _COMMENT: "화면에 보이지 않는 글입니다",
    _HANDLERS: "실행되는 코드입니다",
    _OTHER: "남기는 속성의 목록에 없습니다",
    "href": "연결 주소에 개인정보가 들어갈 수 있습니다",
    "src": "문서 밖의 파일을 불러옵니다",
    "value": "화면에 보이지 않는 값입니다",
    "style": "주소와 숨은 글을 뺐습니다",
    "data:": "그림은 글로 읽지 못하므로 사람이 보아야 합니다",
    "meta": "작성자와 설명이 들어갈 수 있습니다",
    "link": "문서 밖의 파일을 불러옵니다",
    "base": "연결 주소에 개인정보가 들어갈 수 있습니다",
    "tag": "남기는 요소의 목록에 없습니다(안의 글은 남깁니다)",
}
_RUN = "실행되거나 다른 문서를 담는 요소입니다"

# --- the marked-up text, piece by piece ----------------------------------------------------------

_MARKUP = re.compile(
    r"<!--(?:>|->|.*?(?:--!?>|\Z))"  # a comment
    r"|<!(?P<declared>[^>]*+)(?:>|\Z)"
    r"|<\?[^>]*+(?:>|\Z)|</(?=[^a-zA-Z>])[^>]*+(?:>|\Z)|</>"  # what a browser takes for comments
    r"|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"[\s/]*+(?P<name>[^\s/>][^\s/>=]*+)"
    r"(?:\s*+=\s*+(?P<value>\"[^\"]*+\"?|'[^']*+'?|[^\s>]*+))?+"
)
_TAG_END = re.compile(r"[\s/]*+(?:>|\Z)")
_CHARACTERS = re.compile(
    r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[a-zA-Z][a-zA-Z0-9]{0,31};?)"
    r"|(?P<space>[ \t\n\r\f]+)|(?P<plain>[^& \t\n\r\f]+(?: [^& \t\n\r\f]+)*|&)"
)
_ASCII_DOCTYPE = re.compile(r"doctype[\x20-\x7e\s]*+", re.IGNORECASE)
_CSS_DROPPED = re.compile(
    r"/\*.*?(?:\*/|\Z)|@(?:import|namespace)\b[^;]*+;?|<!--|-->"
    r"|(?:\b(?:content|behavior|-moz-binding)|(?<![\w-])--[\w-]++)\s*+:[^;}]*+;?"
    r"|url\s*+\((?:\s*+\"[^\"]*+\"?|\s*+'[^']*+'?|[^)]*+)\s*+\)?|expression\s*+\([^;}]*+",
    re.DOTALL | re.IGNORECASE,
)
_DECLARED = re.compile(
    rb"<meta[^>]{0,400}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]+)", re.IGNORECASE
)
_CODECS = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **dict.fromkeys(("euc-kr", "euckr", "ks_c_5601-1987", "ksc5601", "ks_c_5601-1989"), "cp949"),
    **dict.fromkeys(("cp949", "ms949", "windows-949", "x-windows-949", "uhc", "korean"), "cp949"),
}
_HEAD = 4096
_DATA = re.compile(r"\s*data:", re.IGNORECASE)


class _Attribute(NamedTuple):
    """An attribute: where it stands with the space before it, and where its value does."""

    name: str
    value: str
    start: int
    end: int
    value_start: int
    value_end: int


class _Piece(NamedTuple):
    """Characters of a segment, and the stretch of the file that says them.

    A *plain* piece says them one by one, another all at once; one that is *fixed* is a tag.
    """

    at: int
    length: int
    start: int
    end: int
    is_plain: bool = False
    is_fixed: bool = False


@dataclass
class _Text:
    """The text of a segment as it is put together."""

    pieces: list[_Piece] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    length: int = 0
    is_bare: bool = False  # an attribute's value without quotes

    def add(self, text: str, start: int, end: int, **kind: bool) -> None:
        self.pieces.append(_Piece(self.length, len(text), start, end, **kind))
        self.said.append(text)
        self.length += len(text)

    def add_source(self, source: str, start: int, end: int, *, keeps_spaces: bool) -> None:
        """Add what *source* says between two places: references resolved, blanks run together."""
        for found in _CHARACTERS.finditer(source, start, end):
            if found["plain"] or (found["space"] and keeps_spaces):
                self.add(found[0], *found.span(), is_plain=True)
            elif not found["space"]:
                self.add(unescape(found[0]), *found.span())
            elif self.said and not self.said[-1][-1:].isspace():
                self.add(" ", *found.span())

    def stripped(self) -> "_Text":
        """Return the same without the blank that collapsed at its end."""
        while self.pieces and self.said[-1] in (" ", "\n"):
            self.length -= self.pieces.pop().length
            self.said.pop()
        return self


@dataclass
class _Scrubbing:
    """What goes, as edits of the source, and the count of what went by name and action."""

    edits: list[tuple[int, int, str]] = field(default_factory=list)
    counts: Counter[tuple[str, Action, str]] = field(default_factory=Counter)

    def add(self, start: int, end: int, part: str, new: str = "", reason: str = "") -> None:
        self.edits.append((start, end, new))
        action = Action.CLEANED if new else Action.DROPPED
        self.note(part, action, reason or _REASONS[part])

    def note(self, part: str, action: Action, reason: str) -> None:
        self.counts[part, action, reason] += 1

    def report(self) -> tuple[Scrubbed, ...]:
        return tuple(
            Scrubbed(part, action, f"{reason} ({count}곳)")
            for (part, action, reason), count in sorted(self.counts.items())
        )


class _Reader:
    """Goes through the source once, and notes segments, what goes, and what else is said."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.segments: list[Segment] = []
        self.texts: list[_Text] = []
        self.scrubbing = _Scrubbing()
        self.strings: list[str] = []
        self.held: list[bytes] = []
        self._open = _Text()
        self._captions: list[_Text] = []
        self._kinds: list[tuple[str, Kind]] = []
        self._rows = [False]
        self._pre = 0

    def read(self) -> None:
        """Read the source to its end."""
        source, at = self._source, 0
        for_text = 0
        while found := _MARKUP.search(source, at):
            self._text(for_text, found.start())
            if found["name"] is None:
                self._declaration(found)
                at = for_text = found.end()
                continue
            at = for_text = self._tag(found)
        self._text(for_text, len(source))
        self._flush()

    # texts

    def _text(self, start: int, end: int, *, keeps_spaces: bool = False) -> None:
        if start >= end:
            return
        self.strings.append(unescape(self._source[start:end]))
        is_kept = keeps_spaces or self._pre > 0
        self._open.add_source(self._source, start, end, keeps_spaces=is_kept)

    def _flush(self) -> None:
        text, self._open = self._open.stripped(), _Text()
        kind = self._kind
        if "".join(text.said).strip():
            self._add(text, kind)
        captions, self._captions = self._captions, []
        for caption in captions:
            self._add(caption, Kind.CELL if kind is Kind.CELL else Kind.CAPTION)

    def _add(self, text: _Text, kind: Kind) -> None:
        self.segments.append(Segment("".join(text.said), kind, _WHOLE))
        text.said.clear()
        self.texts.append(text)

    def _ends_with_tabulator(self) -> None:
        """Let what was read last be followed by a tabulator: a cell of the same row comes."""
        if self.segments:
            last = self.segments[-1]
            self.segments[-1] = Segment(last.text, last.kind, last.part, "\t")

    # what is no text

    def _declaration(self, found: re.Match[str]) -> None:
        self.strings.append(unescape(found[0]))
        declared = found["declared"]
        if declared is not None and _ASCII_DOCTYPE.fullmatch(declared):
            return
        self.scrubbing.add(*found.span(), _COMMENT)

    def _tag(self, found: re.Match[str]) -> int:
        """Take in a tag and, of an element without tags inside, its content; return its end."""
        name, is_end = found["name"].lower(), bool(found["end"])
        attributes, end = self._attributes(found.end())
        self.strings += [unescape(f"{one.name}\n{one.value}") for one in attributes]
        if name in _DROPPED_WHOLE:
            stop = end if is_end or name in _VOID else self._end_of(name, end)
            self.strings.append(unescape(self._source[end:stop]))
            self.scrubbing.add(found.start(), stop, f"<{name}>", reason=_RUN)
            return stop
        if name not in _BLOCKS and name not in _INLINE:
            self.strings.append(name)
            self.scrubbing.add(found.start(), end, "tag")
            return end
        if is_end:
            self._close(name)
            if attributes:
                self.scrubbing.add(found.start(), end, _OTHER, f"</{name}>")
            return end
        self._begin(name, found.start(), end)
        if self._goes_whole(name, attributes):
            self.scrubbing.add(found.start(), end, name)
        else:
            for one in attributes:
                self._attribute(name, one, attributes)
        return self._raw(name, end) if name in _RAW else end

    def _attributes(self, at: int) -> tuple[list[_Attribute], int]:
        source = self._source
        found: list[_Attribute] = []
        while not (end := _TAG_END.match(source, at)):
            one = _ATTRIBUTE.match(source, at)
            if one is None:  # cannot be: whatever is no end of a tag begins a name
                return found, len(source)
            raw = one["value"] or ""
            quote = raw[:1] if raw[:1] in ("'", '"') else ""
            closing = len(raw) > 1 and bool(quote) and raw.endswith(quote)
            inner = (one.start("value") + len(quote), one.end("value") - closing)
            inner = inner if one["value"] is not None else (one.end(), one.end())
            value = unescape(source[slice(*inner)])
            found.append(_Attribute(one["name"].lower(), value, *one.span(), *inner))
            at = one.end()
        return found, end.end()

    def _end_of(self, name: str, at: int) -> int:
        """Return where the element *name* ends, whose content begins at *at*."""
        found = re.compile(rf"</{name}(?=[\s/>])[^>]*+>?", re.IGNORECASE).search(self._source, at)
        return found.end() if found and name != "plaintext" else len(self._source)

    def _raw(self, name: str, at: int) -> int:
        """Take in content without tags, up to its end tag; return where that begins."""
        found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(self._source, at)
        end = found.start() if found else len(self._source)
        if name == "style":
            css = self._source[at:end]
            self.strings.append(css)
            if (cleaned := _CSS_DROPPED.sub(" ", css)) != css:
                self.scrubbing.add(at, end, "style", cleaned or " ")
        else:
            self._text(at, end, keeps_spaces=name == "textarea")
        return end

    def _begin(self, name: str, start: int, end: int) -> None:
        if name == "br":
            self._open.add("\n", start, end, is_fixed=True)
            return
        if name not in _BLOCKS:
            return
        self._flush()
        if name == "table":
            self._rows.append(False)
            self._kinds.append((name, self._kind))
        elif name == "tr":
            self._rows[-1] = False
        elif name in ("td", "th"):
            if self._rows[-1]:
                self._ends_with_tabulator()
            self._rows[-1] = True
            self._leave_cell()
        elif name == "pre":
            self._pre += 1
        if name in _KINDS:
            self._kinds.append((name, _KINDS[name]))

    def _close(self, name: str) -> None:
        if name not in _BLOCKS:
            return
        self._flush()
        if name == "pre" and self._pre:
            self._pre -= 1
        if name == "table" and len(self._rows) > 1:
            self._rows.pop()
        if name == "tr":
            self._rows[-1] = False
            self._leave_cell()
        elif any(one[0] == name for one in self._kinds):
            while self._kinds.pop()[0] != name:
                pass

    @property
    def _kind(self) -> Kind:
        return self._kinds[-1][1] if self._kinds else Kind.BODY

    def _leave_cell(self) -> None:
        """Forget what was opened since the table began: a cell needs no end tag."""
        while self._kinds and self._kinds[-1][0] != "table":
            self._kinds.pop()

    # attributes

    @staticmethod
    def _goes_whole(name: str, attributes: Sequence[_Attribute]) -> bool:
        """Return whether the tag goes: it says something of the document, or loads a file."""
        values = {one.name: one.value.strip().lower() for one in attributes}
        if name == "meta":
            said = values.get("http-equiv") or values.get("name") or ""
            is_kept = said in _KEPT_META or ("charset" in values and not said)
            return not is_kept or not values.get("content", "").isascii()
        if name == "link":
            href = values.get("href", "")
            is_beside = href.isascii() and not re.match(r"//|[a-z][a-z0-9+.-]*:", href)
            return values.get("rel") != "stylesheet" or not is_beside or "?" in href
        return name == "base"

    def _attribute(self, tag: str, one: _Attribute, beside: Sequence[_Attribute]) -> None:
        name, value = one.name, one.value
        if name in _TEXT_ATTRIBUTES or (name == "value" and self._is_shown(tag, beside)):
            if value.strip():
                text = _Text()
                start, end = one.value_start, one.value_end
                text.add_source(self._source, start, end, keeps_spaces=True)
                text.is_bare = not self._is_quoted(one)
                self._captions.append(text)
        elif name == "src" and tag in ("img", "input") and _DATA.match(value):
            self.held.append(_content_of(value))
            self.scrubbing.note("data:", Action.KEPT, _REASONS["data:"])
        elif name == "style":
            if (cleaned := _CSS_DROPPED.sub(" ", value)) != value:
                place = (one.value_start, one.value_end)
                new = escape(cleaned) if self._is_quoted(one) else f'"{escape(cleaned)}"'
                self.scrubbing.add(*place, "style", new or " ")
        elif not self._stays(tag, name, value):
            known = "src" if name in ("src", "srcset", "background", "poster") else name
            part = known if known in ("href", "src", "value") else _OTHER
            part = _HANDLERS if name.startswith("on") else part
            self.scrubbing.add(one.start, one.end, part)

    def _is_quoted(self, one: _Attribute) -> bool:
        return self._source[one.value_start - 1] in ("'", '"')

    @staticmethod
    def _is_shown(tag: str, beside: Sequence[_Attribute]) -> bool:
        kind = next((one.value.strip().lower() for one in beside if one.name == "type"), "")
        return tag == "input" and kind in _SHOWN_INPUTS

    @staticmethod
    def _stays(tag: str, name: str, value: str) -> bool:
        if not value.isascii():
            return name == "face"  # 굴림체
        if name == "href":
            return value.startswith("#") or tag == "link"
        if name == "value":
            return tag == "li" and value.strip().isdigit()
        if tag == "meta":
            return name in ("content", "http-equiv", "charset", "name")
        return name in _KEPT_ATTRIBUTES


def _content_of(address: str) -> bytes:
    """Return what a ``data:`` address holds."""
    head, _, content = address.partition(",")
    raw = unquote_to_bytes(content)
    if not head.rstrip().lower().endswith("base64"):
        return raw
    try:
        return base64.b64decode(raw)
    except binascii.Error:
        return raw


# --- the document --------------------------------------------------------------------------------


class HtmlDocument:
    """A page that was read."""

    format = "html"

    def __init__(self, source: str, encoding: Encoding) -> None:
        self._source, self._encoding = source, encoding
        self._read = _Reader(source)
        self._read.read()
        self.segments: Sequence[Segment] = self._read.segments

    @property
    def encoding(self) -> str:
        """How its characters are written."""
        return str(self._encoding)

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the page with *masks* in place; see thunder.documents.segments.Document."""
        edits = [edit for mask in masks for edit in self._edits(mask)]
        for number in {mask.segment for mask in masks}:
            edits += self._quotes(self._read.texts[number])
        if scrub:
            edits += self._read.scrubbing.edits
        pieces: list[str] = []
        done = 0
        for start, end, new in sorted(edits):
            pieces += (self._source[done:start], new)
            done = end
        source = "".join([*pieces, self._source[done:]])
        try:
            data = self._encoding.mark + self._encoding.encode(source)
        except Unreadable as error:
            raise Refused(_WHOLE, error.reason, error.advice) from None
        return Written(data, self._read.scrubbing.report() if scrub else ())

    def _edits(self, mask: Mask) -> Iterator[tuple[int, int, str]]:
        """Yield the edits of the source that put *mask* in place: all in the first run."""
        new = mask.replacement
        text = self.segments[mask.segment].text
        for piece in self._read.texts[mask.segment].pieces:
            first, last = max(mask.start, piece.at), min(mask.end, piece.at + piece.length)
            if first >= last or piece.is_fixed:
                continue
            start, end = piece.start, piece.end
            before = after = ""
            if piece.is_plain:
                start, end = start + first - piece.at, start + last - piece.at
            else:  # a reference that says more characters than are masked
                before, after = text[piece.at : first], text[last : piece.at + piece.length]
            yield start, end, escape(before + new + after)
            new = ""

    @staticmethod
    def _quotes(text: _Text) -> list[tuple[int, int, str]]:
        """Return the edits that put an attribute's value into quotes, if it has none."""
        if not text.is_bare:
            return []
        start, end = text.pieces[0].start, text.pieces[-1].end
        return [(start, start, '"'), (end, end, '"')]

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield what the page says, shown or not, and the content of each ``data:`` address."""
        yield _WHOLE, "\n".join(self._read.strings).encode("utf-8", "surrogatepass")
        for number, content in enumerate(self._read.held, 1):
            yield f"data:{number}", content


def open(data: bytes) -> HtmlDocument:
    """Return the page in *data*; Refused where its characters cannot be told.

    A byte order mark decides how they are written, then what the page declares, if it fits, then
    the bytes themselves.
    """
    try:
        return HtmlDocument(*_decoded(data))
    except Unreadable as error:
        raise Refused(_WHOLE, error.reason, error.advice) from None


def _decoded(data: bytes) -> tuple[str, Encoding]:
    declared = _DECLARED.search(data[:_HEAD])
    codec = _CODECS.get(declared[1].decode("ascii").lower()) if declared else None
    if codec and not data.startswith((BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return decode_as(data, Encoding(codec)), Encoding(codec)
        except Unreadable:
            pass  # it declares what it is not
    return decode(data)
