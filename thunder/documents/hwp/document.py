"""A file of HWP 5: refused, read, and written again."""

import re
from collections.abc import Iterator, Sequence
from struct import Struct

from thunder.documents import compound
from thunder.documents.compound import Compound
from thunder.documents.hwp import records
from thunder.documents.hwp.records import Stream
from thunder.documents.hwp.sections import Sections
from thunder.documents.segments import Refused, Segment

HEADER = "FileHeader"
DOC_INFO = "DocInfo"
SECTION = re.compile(r"BodyText/Section(0|[1-9]\d{0,4})")

_SIGNATURE = b"HWP Document File".ljust(32, b"\0")
_HEADER_BYTES = 256
_FLAGS = Struct("<I")
_AT_VERSION, _AT_FLAGS = 32, 36
_COMPRESSED = 1 << 0
_TRACKED = 1 << 14
_VIEW = "ViewText/"

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

    format = "HWP"

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

    def strings(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the inflated content of every stream."""
        for name, content in self._file.streams.items():
            if name in self._streams:
                yield name, self._streams[name].data + self._streams[name].trailer
            else:
                yield name, content


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
    for tag, _, _, begin in records.records(doc_info, DOC_INFO, records.OF_DOC_INFO):
        if tag == records.DOCUMENT_PROPERTIES and count < 0:
            count = int.from_bytes(doc_info[begin : begin + 2], "little")
    if count != sections:
        raise records.damaged(DOC_INFO, "구역의 수가 맞지 않습니다")
