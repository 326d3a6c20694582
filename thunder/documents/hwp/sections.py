"""The sections of HWP 5: their records read as segments, and masks put back into the records."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from thunder.documents.hwp import paragraphs, strings
from thunder.documents.hwp.records import (
    CTRL_HEADER,
    FORM_OBJECT,
    LIST_HEADER,
    MEMO_LIST,
    OF_SECTIONS,
    PARA_CHAR_SHAPE,
    PARA_HEADER,
    PARA_LINE_SEG,
    PARA_RANGE_TAG,
    PARA_TEXT,
    SHAPE_COMPONENT,
    TABLE,
    damaged,
    records,
    size_of,
)
from thunder.documents.segments import Kind, Mask, Refused, Segment

# Which of the readings, one after the other, holds what: the body with its tables and notes,
# headers and footers, text boxes, memos; and what no page shows and scrubbing takes out.
_BODY, _MARGINS, _BOXES, _MEMOS, _NOWHERE = range(5)

_PARAGRAPH = -1  # in the place of a string's number: the text of the paragraph

_KINDS = {
    b"head": (Kind.HEADER, _MARGINS),
    b"foot": (Kind.FOOTER, _MARGINS),
    b"secd": (Kind.HEADER, _MARGINS),  # pages that lie behind all pages
    b"tcmt": (Kind.MEMO, _NOWHERE),  # hidden comments
}
_NOTES = (b"fn  ", b"en  ")
_OBJECTS = (b"tbl ", b"gso ", b"eqed", b"form")
# Controls without a list of paragraphs.
_OTHERS = (
    *(b"cold", b"atno", b"nwno", b"pghd", b"pgct", b"pgnp", b"pgod"),
    *(b"bokm", b"idxm", b"tdut", b"tcps"),
)
_KNOWN = frozenset((*_KINDS, *_NOTES, *_OBJECTS, *_OTHERS))
_IN_PARAGRAPH, _MEMO = b"para", b"memo"  # beside the names of controls
_TRACKED = (16, 17)  # kinds of ranges: inserted, deleted
_CELL = 12  # bytes of LIST_HEADER to the end of a cell's column and row


@dataclass(slots=True)
class _Owner:
    """What holds records one level deeper: where paragraphs below it belong."""

    kind: Kind
    reading: int
    control: bytes = b""
    is_table_known: bool = False
    row: int = -1


@dataclass(slots=True)
class _Reading:
    texts: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    cells: set[int] = field(default_factory=set)  # behind which another cell of the row follows
    sections: "array[int]" = field(default_factory=lambda: array("I"))
    places: "array[int]" = field(default_factory=lambda: array("Q"))  # of the record
    numbers: "array[int]" = field(default_factory=lambda: array("i"))  # of the string in it


class Sections:
    """The sections of a document: ``segments`` in reading order, and where each of them stands."""

    def __init__(self, contents: Sequence[bytes], parts: Sequence[str]) -> None:
        self._contents, self._parts = contents, parts
        readings = [_Reading() for _ in range(5)]
        for number, (data, part) in enumerate(zip(contents, parts, strict=True)):
            _read(data, number, part, readings)
        self._readings = readings[:_NOWHERE]
        self.segments: list[Segment] = []
        for reading in self._readings:
            for index, text in enumerate(reading.texts):
                self.segments.append(
                    Segment(
                        *(text, reading.kinds[index], parts[reading.sections[index]]),
                        "\t" if index in reading.cells else "\n",
                    )
                )

    def _place(self, segment: int) -> tuple[int, int, int]:
        """Return section, place of the record and number of the string of a segment."""
        if segment >= 0:
            for reading in self._readings:
                if segment < len(reading.places):
                    return (
                        *(reading.sections[segment], reading.places[segment]),
                        reading.numbers[segment],
                    )
                segment -= len(reading.places)
        raise ValueError("a mask names a segment that is not there")

    def edits(self, masks: Iterable[Mask]) -> dict[int, dict[int, bytes | None]]:
        """Return the new payloads of records by section and place; None drops a record."""
        wanted: dict[int, dict[int, dict[int, list[Mask]]]] = defaultdict(dict)
        last = None
        for mask in masks:
            if last and (last.segment, last.end) > (mask.segment, mask.start):
                raise ValueError("masks overlap or are not sorted")
            last = mask
            section, place, number = self._place(mask.segment)
            record = wanted[section].setdefault(place, defaultdict(list))
            record[number].append(mask)
        edits: dict[int, dict[int, bytes | None]] = {}
        for section, records_wanted in wanted.items():
            edits[section] = {}
            for place, by_number in records_wanted.items():
                edits[section] |= self._edits_at(section, place, by_number)
        return edits

    def _edits_at(
        self, section: int, place: int, masks: dict[int, list[Mask]]
    ) -> dict[int, bytes | None]:
        data, part = self._contents[section], self._parts[section]
        if _PARAGRAPH in masks:
            return _edited_paragraph(data, place, sorted(masks[_PARAGRAPH]), part)
        tag = int.from_bytes(data[place : place + 2], "little") & 0x3FF
        begin, end = size_of(data, place)
        payload = data[begin:end]
        texts = strings.shown(tag, payload, part)
        new = {n: _masked(texts[n], sorted(of_one)) for n, of_one in masks.items()}
        return {place: strings.with_shown(tag, payload, new, part)}


def _masked(text: str, masks: list[Mask]) -> str:
    parts, done = [], 0
    for mask in masks:
        if not 0 <= mask.start < mask.end <= len(text):
            raise ValueError("a mask lies outside its segment or covers nothing")
        parts += [text[done : mask.start], mask.replacement]
        done = mask.end
    return "".join([*parts, text[done:]])


def _edited_paragraph(
    data: bytes, place: int, masks: list[Mask], part: str
) -> dict[int, bytes | None]:
    """Return the edits of the records of the paragraph whose header is at *place*."""
    own: dict[int, tuple[int, bytes]] = {}  # of each tag where it stands, and its payload
    at = place
    while at < len(data):
        tag = int.from_bytes(data[at : at + 2], "little") & 0x3FF
        if tag != PARA_HEADER and not PARA_TEXT <= tag <= PARA_RANGE_TAG:
            break
        if tag in own:
            break  # the next paragraph
        begin, end = size_of(data, at)
        own[tag] = (at, data[begin:end])
        at = end
    text = paragraphs.edited(own[PARA_TEXT][1] if PARA_TEXT in own else b"\r\0", masks, part)
    edits: dict[int, bytes | None] = {}
    shapes = ranges = lines = 0
    if PARA_TEXT in own:
        edits[own[PARA_TEXT][0]] = text.payload or None
    if PARA_CHAR_SHAPE in own:
        at, payload = own[PARA_CHAR_SHAPE]
        new = paragraphs.shapes_of(payload, text)
        edits[at], shapes = new, len(new) // 8
    if PARA_RANGE_TAG in own:
        at, payload = own[PARA_RANGE_TAG]
        new = paragraphs.ranges_of(payload, text)
        edits[at], ranges = new or None, len(new) // 12
    if PARA_LINE_SEG in own:
        at, payload = own[PARA_LINE_SEG]
        new = paragraphs.lines_of(payload, text)
        edits[at], lines = new or None, paragraphs.lines_count(new)
    edits[place] = paragraphs.header_of(own[PARA_HEADER][1], text, shapes, ranges, lines)
    return edits


def _read(data: bytes, section: int, part: str, readings: list[_Reading]) -> None:
    """Read one section's records into *readings*."""
    owners = [_Owner(Kind.BODY, _BODY)]  # of each level
    paragraph = -1  # where the header of the paragraph stands whose text may follow
    holders = strings.HOLDERS
    reading, index = readings[_BODY], -1
    last_tag = -1
    for tag, level, at, begin, end in records(data, part, OF_SECTIONS):
        if PARA_TEXT <= tag <= PARA_RANGE_TAG:
            if paragraph < 0 or tag <= last_tag:
                raise damaged(part, "문단의 레코드가 문단 밖에 있습니다")
            last_tag = tag
            if tag == PARA_RANGE_TAG:
                _refuse_changes(data[begin:end], part)
            elif tag == PARA_TEXT:
                payload = data[begin:end]
                reading.texts[index] = paragraphs.text_of(payload, part)
            continue
        del owners[level + 1 :]
        if level >= len(owners):
            raise damaged(part, "레코드의 단계가 건너뜁니다")
        owner = owners[level]
        paragraph = -1
        if tag == PARA_HEADER:
            if end - begin < paragraphs.header_size():
                raise damaged(part, "문단의 머리가 잘렸습니다")
            reading = readings[owner.reading]
            index = len(reading.texts)
            _add(reading, "", owner.kind, section, at, _PARAGRAPH)
            paragraph, last_tag = at, PARA_HEADER
            owners.append(_Owner(owner.kind, owner.reading, _IN_PARAGRAPH))
            continue
        payload = data[begin:end]
        below = owner
        if tag == LIST_HEADER:
            _begin_list(owner, payload, readings)
        elif tag == CTRL_HEADER:
            below = _of_control(owner, payload, part)
        elif tag == TABLE:
            owner.is_table_known = True
        elif tag == SHAPE_COMPONENT:
            below = _Owner(Kind.TEXT_BOX, max(owner.reading, _BOXES))
        elif tag == MEMO_LIST:
            owner.control = _MEMO
        if tag in holders:
            for number, text in enumerate(strings.shown(tag, payload, part)):
                kind = Kind.TEXT_BOX if tag == FORM_OBJECT else owner.kind
                _add(readings[owner.reading], text, kind, section, at, number)
        owners.append(below)


def _refuse_changes(payload: bytes, part: str) -> None:
    """Refuse a paragraph with tracked changes: words that were deleted stand in its text."""
    if any(kind in _TRACKED for kind in payload[11::12]):
        raise Refused(
            *(part, "변경 내용을 추적한 글이 남아 있습니다"),
            "변경 내용을 모두 적용하고 추적을 끈 뒤 다시 저장하십시오",
        )


def _add(reading: _Reading, text: str, kind: Kind, section: int, at: int, number: int) -> None:
    reading.texts.append(text)
    reading.kinds.append(kind)
    reading.sections.append(section)
    reading.places.append(at)
    reading.numbers.append(number)


def _of_control(owner: _Owner, payload: bytes, part: str) -> _Owner:
    """Return what a control's lists of paragraphs are."""
    control = payload[3::-1]
    if len(control) < 4 or (control not in _KNOWN and not control.startswith(b"%")):
        raise Refused(part, "모르는 컨트롤이 있습니다", "HWPX로 다시 저장하여 처리하십시오")
    if control in _KINDS:
        kind, reading = _KINDS[control]
        return _Owner(kind, max(owner.reading, reading), control)
    kind = Kind.NOTE if control in _NOTES else owner.kind
    return _Owner(kind, owner.reading, control)


def _begin_list(owner: _Owner, payload: bytes, readings: list[_Reading]) -> None:
    """Say of the paragraphs that follow what they are: a cell, a caption, a memo."""
    if owner.control == b"tbl " and owner.is_table_known:
        row = int.from_bytes(payload[10:_CELL], "little")
        reading = readings[owner.reading]
        if owner.row == row:
            reading.cells.add(len(reading.texts) - 1)
        owner.row, owner.kind = row, Kind.CELL
    elif owner.control in _OBJECTS:
        owner.kind = Kind.CAPTION
    elif owner.control == _MEMO:
        owner.kind, owner.reading = Kind.MEMO, max(owner.reading, _MEMOS)
        owner.control = _IN_PARAGRAPH
    elif owner.control == _IN_PARAGRAPH:
        # Pages that lie behind the last one.
        owner.kind, owner.reading = Kind.HEADER, max(owner.reading, _MARGINS)
