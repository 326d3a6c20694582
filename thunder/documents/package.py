"""A ZIP container read and written again member by member.

What nothing touches keeps its compressed bytes and its header; a container to which nothing is
done is given back as it came.
"""

import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from thunder.documents.segments import Refused

STORED, DEFLATED = 0, 8

_END, _ENTRY, _LOCAL = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END_FIELDS = struct.Struct("<4s4H2LH")
_ENTRY_FIELDS = struct.Struct("<4s6H3L5H2L")
_LOCAL_FIELDS = struct.Struct("<4s5H3L2H")
_ENCRYPTED, _SIZES_FOLLOW, _STRONGLY_ENCRYPTED, _UTF8 = 0x1, 0x8, 0x40, 0x800
_FOLDER_ATTRIBUTES = 0x10

MOST_MEMBERS = 20_000
MOST_BYTES = 1 << 30  # of all members, inflated
_BOMB_BYTES, _BOMB_RATIO = 1 << 26, 200  # more than both is no document

_DAMAGED = "원본을 다시 받거나, 만든 프로그램에서 열어 다시 저장하십시오"
_SAVE_AGAIN = "만든 프로그램에서 열어 다시 저장하십시오"


@dataclass(frozen=True, slots=True)
class Member:
    """One member: its name, where its record and its compressed bytes stand, its facts."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    start: int
    content: int
    end: int
    entry: bytes
    is_plain: bool
    """Whether neither of its headers holds more than the format asks for."""

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


class Package:
    """The members of *data*, by name and in their order.

    Refused for what is no ZIP, is damaged or encrypted, inflates beyond measure, or has names
    that lead out of it or are given twice. All members are inflated once to see that they can be.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._at, self._comment, entries = _directory(data)
        self.members: dict[str, Member] = {}
        known, total = set[str](), 0
        for entry in entries:
            member = _member(data, entry)
            if member.name.rstrip("/").lower() in known:
                raise Refused(member.name, "같은 이름의 부분이 둘 있습니다", _SAVE_AGAIN)
            known.add(member.name.rstrip("/").lower())
            self.members[member.name] = member
            total += member.size
            if total > MOST_BYTES:
                raise _too_large(member.name)
        self._refuse_overlaps()
        for name in self.members:
            self.read(name)

    def __contains__(self, name: object) -> bool:
        return name in self.members

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def read(self, name: str) -> bytes:
        """Return what the member *name* holds, inflated; Refused where it is damaged."""
        member = self.members[name]
        packed = self.data[member.content : member.content + member.packed]
        if member.method == STORED:
            data = packed
        else:
            inflating = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                data = inflating.decompress(packed, member.size + 1)
            except zlib.error:
                raise Refused(name, "압축이 깨졌습니다", _DAMAGED) from None
            if inflating.unused_data or inflating.unconsumed_tail or not inflating.eof:
                raise Refused(name, "압축한 길이가 적힌 것과 다릅니다", _DAMAGED)
        if len(data) != member.size or zlib.crc32(data) != member.crc:
            raise Refused(name, "내용이 적힌 길이나 검사값과 다릅니다", _DAMAGED)
        return data

    def has_hidden_bytes(self) -> bool:
        """Return whether bytes lie outside the members, or headers hold comments or more."""
        taken = sum(member.end - member.start for member in self.members.values())
        return bool(
            self._comment
            or taken != self._at
            or not all(member.is_plain for member in self.members.values())
        )

    def written(
        self,
        contents: Mapping[str, bytes],
        dropped: Collection[str] = (),
        *,
        bare: bool,
    ) -> bytes:
        """Return the container with new *contents* of some members and without the *dropped*.

        With *bare*, comments, extra fields and bytes between the members are left out.
        """
        if not contents and not dropped and not (bare and self.has_hidden_bytes()):
            return self.data
        out, directory, at, count = list[bytes](), list[bytes](), 0, 0
        for name, member in self.members.items():
            if name in dropped:
                continue
            if name in contents:
                record, entry = _new(member, contents[name], keep_extra=not bare)
            elif bare and not member.is_plain:
                packed = self.data[member.content : member.content + member.packed]
                record, entry = _record(member, packed, keep_extra=False)
            else:
                record, entry = self.data[member.start : member.end], member.entry
            directory.append(entry[:42] + struct.pack("<L", at) + entry[46:])
            out.append(record)
            at, count = at + len(record), count + 1
        comment = b"" if bare else self._comment
        names = b"".join(directory)
        end = _END_FIELDS.pack(_END, 0, 0, count, count, len(names), at, len(comment))
        return b"".join((*out, names, end, comment))

    def _refuse_overlaps(self) -> None:
        end = 0
        for member in sorted(self.members.values(), key=lambda member: member.start):
            if member.start < end:
                raise Refused(member.name, "ZIP의 부분들이 서로 겹칩니다", _SAVE_AGAIN)
            end = member.end
        if end > self._at:
            raise Refused("", "ZIP의 부분과 목록이 서로 겹칩니다", _SAVE_AGAIN)


def _directory(data: bytes) -> tuple[int, bytes, list[bytes]]:
    """Return where the list of members begins, the container's comment, and the entries."""
    if data.startswith(_COMPOUND):
        reason = "암호가 걸렸거나, ZIP이 아닌 옛 형식입니다"
        raise Refused("", reason, "암호를 풀고 새 형식으로 저장하십시오")
    end = data.rfind(_END)
    while end >= 0:
        if end + _END_FIELDS.size <= len(data):
            fields = _END_FIELDS.unpack_from(data, end)
            if end + _END_FIELDS.size + fields[7] == len(data):
                break
        end = data.rfind(_END, 0, end)
    if end < 0:
        raise Refused("", "ZIP이 아니거나 잘렸습니다", _DAMAGED)
    _, disk, first_disk, here, count, size, at, _ = fields
    if at == 0xFFFFFFFF or count == 0xFFFF or size == 0xFFFFFFFF:
        raise Refused("", "4 GiB가 넘는 ZIP(ZIP64)입니다", "문서를 나누어 저장하십시오")
    if disk or first_disk or here != count:
        raise Refused("", "여러 조각으로 나뉜 ZIP입니다", "한 파일로 다시 저장하십시오")
    if at + size != end:
        raise Refused("", "ZIP의 목록이 적힌 자리에 없습니다", _DAMAGED)
    if count > MOST_MEMBERS:
        raise Refused("", f"부분이 {MOST_MEMBERS:,}개를 넘습니다", "원본을 확인하십시오")
    entries, place = [], at
    for _ in range(count):
        if data[place : place + 4] != _ENTRY or place + _ENTRY_FIELDS.size > end:
            raise Refused("", "ZIP의 목록이 깨졌습니다", _DAMAGED)
        lengths = struct.unpack_from("<3H", data, place + 28)
        length = _ENTRY_FIELDS.size + sum(lengths)
        entries.append(data[place : place + length])
        place += length
    if place != end:
        raise Refused("", "ZIP의 목록이 깨졌습니다", _DAMAGED)
    return at, data[end + _END_FIELDS.size :], entries


def _member(data: bytes, entry: bytes) -> Member:
    fields = _ENTRY_FIELDS.unpack_from(entry)
    flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
    name_length, extra_length, comment_length, start = *fields[10:13], fields[16]
    raw_name = entry[_ENTRY_FIELDS.size : _ENTRY_FIELDS.size + name_length]
    name = _name(raw_name, flags)
    if flags & (_ENCRYPTED | _STRONGLY_ENCRYPTED):
        raise Refused(name, "암호가 걸린 부분입니다", "암호를 풀어 다시 저장하십시오")
    if method not in (STORED, DEFLATED):
        raise Refused(name, f"모르는 압축 방식({method})입니다", _SAVE_AGAIN)
    if size > MOST_BYTES or (size > _BOMB_BYTES and size > _BOMB_RATIO * packed):
        raise _too_large(name)
    if data[start : start + 4] != _LOCAL or start + _LOCAL_FIELDS.size > len(data):
        raise Refused(name, "ZIP의 목록이 가리키는 자리에 없습니다", _DAMAGED)
    local = _LOCAL_FIELDS.unpack_from(data, start)
    content = start + _LOCAL_FIELDS.size + local[9] + local[10]
    end = content + packed
    local_name = data[start + _LOCAL_FIELDS.size : start + _LOCAL_FIELDS.size + local[9]]
    if local_name != raw_name or local[3] != method or end > len(data):
        raise Refused(name, "ZIP의 목록과 부분의 머리가 서로 다릅니다", _DAMAGED)
    if flags & _SIZES_FOLLOW:
        end += _descriptor(data, end, crc, packed, size, name)
    elif local[6:9] != (crc, packed, size):
        raise Refused(name, "ZIP의 목록과 부분의 머리가 서로 다릅니다", _DAMAGED)
    is_plain = not (extra_length or comment_length or local[10])
    return Member(name, method, crc, packed, size, start, content, end, entry, is_plain)


def _descriptor(data: bytes, at: int, crc: int, packed: int, size: int, name: str) -> int:
    """Return the length of what follows a member whose sizes were not known before."""
    facts = struct.pack("<3L", crc, packed, size)
    for mark in (b"PK\x07\x08", b""):
        if data.startswith(mark + facts, at):
            return len(mark + facts)
    raise Refused(name, "부분의 길이가 적힌 것과 다릅니다", _DAMAGED)


def _name(raw: bytes, flags: int) -> str:
    try:
        name = raw.decode("utf-8" if flags & _UTF8 or raw.isascii() else "cp949")
    except UnicodeDecodeError:
        raise Refused("", "이름을 읽을 수 없는 부분이 있습니다", _SAVE_AGAIN) from None
    steps = name.removesuffix("/").split("/")
    if "\\" in name or ":" in steps[0] or any(step in ("", ".", "..") for step in steps):
        raise Refused(name, "이름이 파일 밖을 가리킵니다", "원본이 안전한지 확인하십시오")
    if not name.isprintable():
        raise Refused("", "이름에 보이지 않는 글자가 있는 부분이 있습니다", _SAVE_AGAIN)
    return name


def _too_large(name: str) -> Refused:
    return Refused(name, "풀면 지나치게 커집니다(압축 폭탄)", "원본이 안전한지 확인하십시오")


def _new(member: Member, data: bytes, *, keep_extra: bool) -> tuple[bytes, bytes]:
    """Return record and entry of *member* with other content, packed as the old one was."""
    packed = data
    if member.method == DEFLATED:
        packing = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = packing.compress(data) + packing.flush()
    facts = replace(member, crc=zlib.crc32(data), packed=len(packed), size=len(data))
    return _record(facts, packed, keep_extra=keep_extra)


def _record(member: Member, packed: bytes, *, keep_extra: bool) -> tuple[bytes, bytes]:
    """Return record and entry with the sizes in their heads, as no descriptor follows."""
    fields = list(_ENTRY_FIELDS.unpack_from(member.entry))
    name_end = _ENTRY_FIELDS.size + fields[10]
    name = member.entry[_ENTRY_FIELDS.size : name_end]
    rest = member.entry[name_end:] if keep_extra else b""
    fields[3] &= _UTF8
    fields[7:10] = member.crc, member.packed, member.size
    if not keep_extra:
        fields[11:13] = 0, 0
        fields[15] &= _FOLDER_ATTRIBUTES
    facts = (member.crc, member.packed, member.size)
    head = _LOCAL_FIELDS.pack(_LOCAL, *fields[2:7], *facts, len(name), 0)
    return head + name + packed, _ENTRY_FIELDS.pack(*fields) + name + rest
