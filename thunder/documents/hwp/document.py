"""A file of HWP 5: refused, read, and written again."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from struct import Struct

from thunder.documents import cleaning, compound
from thunder.documents.cleaning import Report
from thunder.documents.compound import Compound
from thunder.documents.hwp import records, scrubbing
from thunder.documents.hwp.records import Stream
from thunder.documents.hwp.sections import Sections
from thunder.documents.segments import Action, Mask, Refused, Segment, Written

HEADER = "FileHeader"
DOC_INFO = "DocInfo"
SECTION = re.compile(r"BodyText/Section(0|[1-9]\d{0,4})")

_SIGNATURE = b"HWP Document File".ljust(32, b"\0")
_HEADER_BYTES = 256
_FLAGS = Struct("<I")
_AT_VERSION, _AT_FLAGS = 32, 36
_COMPRESSED = 1 << 0
_TRACKED = 1 << 14
_OF_DROPPED = 1 << 3 | 1 << 5 | 1 << 6  # scripts, XML templates, history
_SPARE = 49  # where the header's spare bytes begin
_VIEW = "ViewText/"

_PAIR = Struct("<HH")
_LINKED, _OBJECT = 0, 2  # types of what DocInfo says of BinData
_EMBEDDED = "끼워 넣은 개체에는 다른 문서나 차트의 자료가 들어 있습니다"
_DEEPEST = 4  # files in embedded objects of embedded objects

_OLD = re.compile(rb"HWP Document File V(\d)")
_UNLOCK = "한글에서 열어 보호를 풀고 다시 저장하십시오"
_REFUSED_FLAGS = (
    (1, "암호가 걸린 문서입니다", "한글에서 암호를 풀고 다시 저장하십시오"),
    (2, "배포용 문서입니다", "배포용으로 만들기 전의 원본을 쓰십시오"),
    (4, "DRM으로 보호된 문서입니다", _UNLOCK),
    (7, "전자 서명이 있는 문서입니다", "서명하기 전의 원본을 쓰십시오"),
    (8, "공인 인증서로 암호화된 문서입니다", _UNLOCK),
    (9, "전자 서명 예비 정보가 있는 문서입니다", "서명하기 전의 원본을 쓰십시오"),
    (10, "공인 인증서 DRM으로 보호된 문서입니다", _UNLOCK),
    (13, "가린 원문을 암호화해 담은 개인정보 보안 문서입니다", _UNLOCK),
)


def open(data: bytes) -> "Document":
    """Return the opened HWP 5 file.

    Refused with part, reason and cure where it is no HWP 5, protected, damaged, or holds records
    that nobody knows.
    """
    if data.startswith(b"PK"):
        raise Refused("", "HWP가 아니라 ZIP(HWPX 등)입니다", "확장자를 .hwpx로 고치십시오")
    old = _OLD.match(data)
    if old:
        raise Refused(
            "",
            f"HWP {old[1].decode()}.x 문서입니다",
            "한글에서 HWP 5나 HWPX로 다시 저장하십시오",
        )
    if not data.startswith(compound.MAGIC):
        raise Refused(
            *("", "HWP 문서가 아니거나 다른 프로그램으로 암호화되었습니다(DRM 등)"),
            "한글에서 열리는 원본인지 확인하십시오",
        )
    return Document(Compound.read(data), data)


class Document:
    """A file of HWP 5, opened."""

    format = "hwp"

    def __init__(self, parts: Compound, data: bytes) -> None:
        self._file, self._data = parts, data
        self._flags = _flags(parts)
        names = _sections(parts)
        self._streams = {name: self._inflated(name) for name in (DOC_INFO, *names)}
        _check(self._streams[DOC_INFO].data, len(names))
        self._sections = Sections([self._streams[name].data for name in names], names)
        self.segments: Sequence[Segment] = self._sections.segments

    def _inflated(self, name: str) -> Stream:
        content = self._file.streams[name]
        if self._flags & _COMPRESSED:
            return records.inflated(content, name)
        return Stream(content, False)

    def written(self, masks: Sequence[Mask], *, scrub: bool = True) -> Written:
        """Return the file with *masks* in place.

        Streams that no mask and no scrubbing touches are the same bytes; with no mask and
        ``scrub=False`` the whole file is. Scrubbing lays the file out anew, so that nothing is
        left between the streams.
        """
        if not masks and not scrub:
            return Written(self._data, ())
        report, edits = Report(), {name: scrubbing.Edits() for name in self._streams}
        for section, of_section in self._sections.edits(masks).items():
            edits[f"BodyText/Section{section}"] = of_section
        streams = self._scrubbed(edits, report) if scrub else dict(self._file.streams)
        for name, of_stream in edits.items():
            if of_stream:
                stream = self._streams[name]
                streams[name] = stream.holding(records.replaced(stream.data, of_stream))
        storages = {} if scrub else self._file.storages
        return Written(Compound(streams, storages).written(), tuple(report))

    def _scrubbed(self, edits: dict[str, scrubbing.Edits], report: Report) -> dict[str, bytes]:
        """Return the streams that are kept; what cleans their records is added to *edits*."""
        rules, names, streams = cleaning.load("hwp"), scrubbing.Names(), dict[str, bytes]()
        binaries = self._binaries()
        for name, content in self._file.streams.items():
            rule = rules.part(name)
            shown = name.lstrip("\x05")
            if name in self._streams:
                streams[name] = self._cleaned_stream(name, report)
            elif name.startswith("BinData/"):
                if name.upper() in binaries:
                    streams[name] = self._binary(name, binaries[name.upper()], rules, report)
                else:
                    report.add(shown, Action.DROPPED, "문서 어디에서도 쓰지 않는 자료")
            elif name == HEADER:
                streams[name] = _clean_header(content)
                if streams[name] != content:
                    report.add(name, Action.CLEANED, "딸린 자료의 표시와 남는 자리")
            else:
                reason = rule.why if rule else "무엇인지 모르는 부분"
                report.add(shown, Action.DROPPED, reason)
        for name, of_stream in edits.items():
            find = scrubbing.doc_info_edits if name == DOC_INFO else scrubbing.section_edits
            find(self._streams[name].data, name, of_stream, names, report)
        return streams

    def _cleaned_stream(self, name: str, report: Report) -> bytes:
        stream = self._streams[name]
        if stream.is_plain:
            return self._file.streams[name]
        report.add(name, Action.CLEANED, "압축된 자료 뒤에 붙은 바이트")
        return Stream(stream.data, True).holding(stream.data)

    def _binaries(self) -> dict[str, tuple[bool, bool]]:
        """Return of each stream of BinData that DocInfo names whether it is compressed, an object.

        Names are in upper case.
        """
        found, data = {}, self._streams[DOC_INFO].data
        for tag, _, _, begin, end in records.records(data, DOC_INFO, records.OF_DOC_INFO):
            if tag == records.BIN_DATA:
                payload = data[begin:end]
                properties, number = _PAIR.unpack_from(payload.ljust(_PAIR.size, b"\0"))
                if properties & 0xF == _LINKED:
                    continue
                ending = records.word_string(payload, 4, DOC_INFO)[0] if len(payload) > 5 else ""
                name = f"BinData/BIN{number:04X}" + (f".{ending}" if ending else "")
                way = properties >> 4 & 3
                is_compressed = way == 1 or (way == 0 and bool(self._flags & _COMPRESSED))
                found[name.upper()] = is_compressed, properties & 0xF == _OBJECT
        return found

    def _binary(
        self, name: str, how: tuple[bool, bool], rules: cleaning.Rules, report: Report
    ) -> bytes:
        """Return a picture without its metadata; an embedded object without its content."""
        is_compressed, is_object = how
        content = self._file.streams[name]
        stream = records.inflated(content, name) if is_compressed else Stream(content, False)
        if is_object:
            report.add(name, Action.DROPPED, _EMBEDDED)
            return stream.holding(scrubbing.empty_object())
        new = cleaning.clean_picture(name, stream.data, rules.pictures, report)
        if new == stream.data and stream.is_plain:
            return content
        return stream.holding(new)

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the inflated content of every stream, of embedded objects too.

        Of each section also its texts, in UTF-8, a line each: in the records, controls may stand
        between the letters of a word.
        """
        for name, content in self._file.streams.items():
            if name in self._streams:
                yield name, self._streams[name].data + self._streams[name].trailer
            else:
                yield from _contents(name, content)
        for name in self._streams.keys() - {DOC_INFO}:
            texts = (segment.text for segment in self.segments if segment.part == name)
            yield name, "\n".join(texts).encode()


def _contents(name: str, content: bytes, depth: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield a stream as it is, inflated where it can be, and the streams of a file in it."""
    try:
        stream = records.inflated(content, name)
        content = stream.data + stream.trailer
    except Refused:
        pass  # not compressed, or no whole stream: it is searched as it is
    yield name, content
    for start in (0, 4):  # objects are written behind their length
        if content.startswith(compound.MAGIC, start) and depth < _DEEPEST:
            with suppress(Refused):
                for inner, part in Compound.read(content[start:]).streams.items():
                    yield from _contents(f"{name}/{inner}", part, depth + 1)


def _clean_header(content: bytes) -> bytes:
    """Return the file's header without marks of parts that are dropped, its spare bytes zero."""
    flags = int(_FLAGS.unpack_from(content, _AT_FLAGS)[0]) & ~_OF_DROPPED
    kept = content[:_AT_FLAGS] + _FLAGS.pack(flags) + content[_AT_FLAGS + 4 : _SPARE]
    return kept.ljust(_HEADER_BYTES, b"\0")


def _flags(file: Compound) -> int:
    """Return the properties of the file's header; refused for those that lock it."""
    header = file.streams.get(HEADER)
    if header is None:
        raise Refused("", "복합 파일이지만 HWP 문서가 아닙니다", "파일의 형식을 확인하십시오")
    if len(header) < _HEADER_BYTES or not header.startswith(_SIGNATURE):
        raise records.damaged(HEADER, "파일 머리가 맞지 않습니다")
    major = header[_AT_VERSION + 3]
    if major != 5:
        raise Refused(HEADER, f"HWP {major}판은 읽지 못합니다", "HWP 5나 HWPX로 다시 저장하십시오")
    flags = int(_FLAGS.unpack_from(header, _AT_FLAGS)[0])
    for bit, reason, cure in _REFUSED_FLAGS:
        if flags >> bit & 1:
            raise Refused(HEADER, reason, cure)
    if flags & _TRACKED and any(name.startswith(_VIEW) for name in file.streams):
        raise Refused(
            *(_VIEW.rstrip("/"), "변경 내용을 추적하는 문서입니다"),
            "변경 내용을 모두 적용하고 추적을 끈 뒤 다시 저장하십시오",
        )
    return flags


def _sections(file: Compound) -> list[str]:
    found = [name for name in file.streams if SECTION.fullmatch(name)]
    names = [f"BodyText/Section{number}" for number in range(len(found))]
    if not found or set(found) != set(names):
        raise records.damaged("BodyText", "구역이 빠졌습니다")
    if DOC_INFO not in file.streams:
        raise records.damaged(DOC_INFO, "문서 정보가 없습니다")
    return names


def _check(doc_info: bytes, sections: int) -> None:
    """Refuse a document whose records are not whole, or that says another number of sections."""
    count = -1
    for tag, _, _, begin, _ in records.records(doc_info, DOC_INFO, records.OF_DOC_INFO):
        if tag == records.DOCUMENT_PROPERTIES and count < 0:
            count = int.from_bytes(doc_info[begin : begin + 2], "little")
    if count != sections:
        raise records.damaged(DOC_INFO, "구역의 수가 맞지 않습니다")
