"""Compound files (OLE2 structured storage) read, and written anew from their streams.

Source: [MS-CFB]. A file is a chain of sectors for each stream; small streams share sectors of
their own. Reading follows each chain once and refuses circles, chains that meet and chains that
end too early. Writing lays every sector out anew, so that nothing of the old file that is not
in a stream is in the new one: no free sectors, no ends of sectors, no deleted entries, no times.
"""

import sys
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from struct import Struct

from thunder.documents.segments import Refused

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_FREE, _END, _FAT, _DIFAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_NONE = 0xFFFFFFFF  # no entry
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_MINI, _SMALL = 64, 4096  # bytes of a sector of small streams; streams below are small
_IN_HEADER = 109  # FAT sectors that the header lists
_DEEPEST = 32  # storages within each other
_LARGEST = 1 << 31  # bytes of a file with sectors of 512 bytes

_HEADER = Struct("<8s16sHHHHH6sIIIIIIIIII")
_ENTRY = Struct("<64sHBBIII16sIQQIQ")

_CURE = "한글에서 열어 다른 이름으로 다시 저장하십시오"


@dataclass(frozen=True, slots=True)
class Storage:
    """What a storage, a folder of streams, has besides its streams."""

    clsid: bytes = bytes(16)
    state: int = 0


@dataclass(frozen=True, slots=True)
class Compound:
    """The streams of a compound file by path (``BodyText/Section0``), and its storages.

    The root's path is the empty string. Both keep the order of the file's directory tree.
    """

    streams: dict[str, bytes] = field(repr=False)
    storages: dict[str, Storage]

    @classmethod
    def read(cls, data: bytes) -> "Compound":
        """Return the streams of *data*; raises Refused where its chains are not whole."""
        return cls(*_Reader(data).read())

    def written(self) -> bytes:
        """Return a compound file of these streams, each byte of it accounted for."""
        return _written(self.streams, self.storages)


def damaged(what: str) -> Refused:
    """Return the refusal of a compound file that is broken in the way *what* says."""
    return Refused("", f"복합 파일(OLE)이 깨졌습니다: {what}", _CURE)


class _Reader:
    def __init__(self, data: bytes) -> None:
        if len(data) < 512 or not data.startswith(MAGIC):
            raise damaged("머리가 없습니다")
        (_, _, _, major, order, shift, mini_shift, _, _, fats, directory, _, small, minis) = (
            _HEADER.unpack_from(data)
        )[:14]
        mini_count, difat, difats = _HEADER.unpack_from(data)[14:17]
        if order != 0xFFFE or (major, shift) not in ((3, 9), (4, 12)) or mini_shift != 6:
            raise damaged("모르는 판이거나 구역의 크기가 맞지 않습니다")
        if len(data) > _LARGEST:
            raise damaged("파일이 너무 큽니다")
        self._data, self._size, self._small = data, 1 << shift, small
        self._wide = major == 4
        self._sectors = max(0, (len(data) - 1) // self._size)  # the last one may be cut short
        self._taken = bytearray(self._sectors)
        self._fat = self._table(self._fat_sectors(difat, difats, fats))
        self._entries = self._joined(self._chain(directory))
        chain = self._chain(minis) if mini_count else []
        self._mini_fat = self._table(chain)
        self._mini_taken = bytearray(len(self._mini_fat))
        self._mini = b""

    def read(self) -> tuple[dict[str, bytes], dict[str, Storage]]:
        streams: dict[str, bytes] = {}
        storages: dict[str, Storage] = {}
        seen = {0}
        _, kind, _, _, child, clsid, state, start, size = self._entry(0)
        if kind != _ROOT:
            raise damaged("목록의 뿌리가 없습니다")
        self._mini = self._stream(start, size)
        storages[""] = Storage(clsid, state)
        for number, parent in self._walk(child, "", seen, 0):
            name, kind, _, _, _, clsid, state, start, size = self._entry(number)
            path = f"{parent}/{name}" if parent else name
            if kind == _STORAGE:
                storages[path] = Storage(clsid, state)
            elif size < self._small:
                streams[path] = self._small_stream(start, size)
            else:
                streams[path] = self._stream(start, size)
        return streams, storages

    def _walk(self, top: int, parent: str, seen: set[int], depth: int) -> Iterator[tuple[int, str]]:
        """Yield the entries below *parent*, each once, in the order of their names."""
        if depth > _DEEPEST:
            raise damaged("폴더가 너무 깊습니다")
        names: set[str] = set()
        stack: list[int] = []
        here = top
        while stack or here != _NONE:
            while here != _NONE:
                if here in seen:
                    raise damaged("목록이 돌고 돕니다")
                seen.add(here)
                stack.append(here)
                here = self._entry(here)[2]
            here = stack.pop()
            name, kind, _, right, child, *_ = self._entry(here)
            if kind not in (_STORAGE, _STREAM) or not name or set(name) & set("/\\:!"):
                raise damaged("목록의 항목이 맞지 않습니다")
            if name.upper() in names:
                raise damaged("같은 이름이 두 번 있습니다")
            names.add(name.upper())
            yield here, parent
            if kind == _STORAGE:
                path = f"{parent}/{name}" if parent else name
                yield from self._walk(child, path, seen, depth + 1)
            here = right

    def _entry(self, number: int) -> tuple[str, int, int, int, int, bytes, int, int, int]:
        if (number + 1) * 128 > len(self._entries):
            raise damaged("목록이 끝 밖을 가리킵니다")
        name, length, kind, _, left, right, child, clsid, state, _, _, start, size = (
            _ENTRY.unpack_from(self._entries, number * 128)
        )
        if not 2 <= length <= 64 or length % 2:
            length = 2
        text = name[: length - 2].decode("utf-16-le", "surrogatepass")
        return text, kind, left, right, child, clsid, state, start, self._whole(size)

    def _whole(self, size: int) -> int:
        return size if self._wide else size & 0xFFFFFFFF

    def _fat_sectors(self, difat: int, difats: int, fats: int) -> list[int]:
        listed = list(Struct(f"<{_IN_HEADER}I").unpack_from(self._data, 76))
        per = self._size // 4 - 1
        for _ in range(min(difats, self._sectors + 1)):
            if difat in (_END, _FREE):
                break
            self._take(difat)
            at = (difat + 1) * self._size
            more = self._data[at : at + self._size].ljust(self._size, b"\xff")
            *numbers, difat = Struct(f"<{per + 1}I").unpack(more)
            listed += numbers
        sectors = [number for number in listed if number != _FREE]
        if len(sectors) < fats or fats * self._size > len(self._data):
            raise damaged("구역의 표가 모자랍니다")
        for number in sectors[:fats]:
            self._take(number)
        return sectors[:fats]

    def _table(self, sectors: list[int]) -> "array[int]":
        table = array("I")
        table.frombytes(self._joined(sectors))
        if sys.byteorder == "big":
            table.byteswap()
        return table

    def _take(self, sector: int) -> None:
        if sector >= self._sectors:
            raise damaged("구역이 파일의 끝 밖에 있습니다(잘린 파일)")
        if self._taken[sector]:
            raise damaged("구역이 두 번 쓰였습니다")
        self._taken[sector] = 1

    def _chain(self, start: int, most: int | None = None) -> list[int]:
        """Return the sectors of a chain; no sector is in two chains, so none is without end."""
        chain: list[int] = []
        fat, taken, sectors = self._fat, self._taken, self._sectors
        here = start
        while here < _DIFAT and (most is None or len(chain) < most):
            if here >= sectors or here >= len(fat) or taken[here]:
                self._take(here)
                raise damaged("구역의 표가 모자랍니다")
            taken[here] = 1
            chain.append(here)
            here = fat[here]
        if here != _END and (most is None or len(chain) < most):
            raise damaged("구역의 사슬이 끊겼습니다")
        return chain

    def _joined(self, chain: list[int]) -> bytes:
        """Return the bytes of *chain*, runs of neighbours at once."""
        data, size, parts = self._data, self._size, []
        at = 0
        while at < len(chain):
            end = at + 1
            while end < len(chain) and chain[end] == chain[end - 1] + 1:
                end += 1
            parts.append(data[(chain[at] + 1) * size : (chain[end - 1] + 2) * size])
            at = end
        joined = b"".join(parts)
        return joined + bytes(-len(joined) % size)

    def _stream(self, start: int, size: int) -> bytes:
        if not size:
            return b""
        if size > len(self._data):
            raise damaged("스트림이 파일보다 큽니다")
        needed = -(-size // self._size)
        chain = self._chain(start, needed)
        if len(chain) < needed or (chain[-1] + 1) * self._size + (size - 1) % self._size >= len(
            self._data
        ):
            raise damaged("스트림이 잘렸습니다")
        return self._joined(chain)[:size]

    def _small_stream(self, start: int, size: int) -> bytes:
        parts = []
        here, fat, taken = start, self._mini_fat, self._mini_taken
        for _ in range(-(-size // _MINI)):
            if here >= len(fat) or (here + 1) * _MINI > len(self._mini) + _MINI - 1:
                raise damaged("작은 스트림이 잘렸습니다")
            if taken[here]:
                raise damaged("작은 구역이 두 번 쓰였습니다")
            taken[here] = 1
            parts.append(self._mini[here * _MINI : (here + 1) * _MINI])
            here = fat[here]
        joined = b"".join(parts)
        if len(joined) < size:
            raise damaged("작은 스트림이 잘렸습니다")
        return joined[:size]


@dataclass(slots=True)
class _Node:
    """An entry of the directory that is being written."""

    name: str
    kind: int
    storage: Storage
    data: bytes = b""
    children: dict[str, "_Node"] = field(default_factory=dict)
    number: int = 0
    red: bool = False
    left: int = _NONE
    right: int = _NONE
    child: int = _NONE
    start: int = 0


def _written(streams: Mapping[str, bytes], storages: Mapping[str, Storage]) -> bytes:
    root = _Node("Root Entry", _ROOT, storages.get("", Storage()))
    for path, storage in storages.items():
        if path:
            _place(root, path).storage = storage
    for path, data in streams.items():
        node = _place(root, path)
        node.kind, node.data = _STREAM, data
    nodes = _numbered(root)

    small = [n for n in nodes if n.kind == _STREAM and 0 < len(n.data) < _SMALL]
    large = [n for n in nodes if n.kind == _STREAM and len(n.data) >= _SMALL]
    mini_fat: list[int] = []
    for node in small:
        node.start = len(mini_fat)
        mini_fat += _links(node.start, -(-len(node.data) // _MINI))
    mini = b"".join(n.data + bytes(-len(n.data) % _MINI) for n in small)

    lengths = [len(nodes) * 128, len(mini_fat) * 4, len(mini), *(len(n.data) for n in large)]
    counts = [-(-length // 512) for length in lengths]
    fats, difats = _fat_size(sum(counts))
    fat: list[int] = [_DIFAT] * difats + [_FAT] * fats
    starts = []
    for count in counts:
        starts.append(len(fat) if count else _END)
        fat += _links(len(fat), count)
    for node, start in zip(large, starts[3:], strict=True):
        node.start = start
    root.start, root.data = starts[2], mini
    for node in nodes:
        if node.kind == _STREAM and not node.data:
            node.start = _END

    fat_sectors = list(range(difats, difats + fats))
    header = _HEADER.pack(
        *(MAGIC, bytes(16), 0x3E, 3, 0xFFFE, 9, 6, bytes(6), 0, fats, starts[0], 0, _SMALL),
        *(starts[1], counts[1], 0 if difats else _END, difats, 0),
    )[:76]
    header += _numbers(fat_sectors[:_IN_HEADER], _IN_HEADER)
    parts = [header]
    for number in range(difats):
        listed = fat_sectors[_IN_HEADER + number * 127 : _IN_HEADER + (number + 1) * 127]
        after = number + 1 if number + 1 < difats else _END
        parts.append(_numbers(listed, 127) + _numbers([after], 1))
    parts.append(_numbers(fat, fats * 128))
    directory = b"".join(map(_packed, nodes))
    free = _ENTRY.pack(bytes(64), 0, 0, 0, _NONE, _NONE, _NONE, bytes(16), 0, 0, 0, 0, 0)
    parts.append(directory + free * (-len(nodes) % 4))
    parts.append(_numbers(mini_fat, counts[1] * 128))
    for data in (mini, *(n.data for n in large)):
        parts += [data, bytes(-len(data) % 512)]
    return b"".join(parts)


def _place(root: _Node, path: str) -> _Node:
    node = root
    for name in path.split("/"):
        node = node.children.setdefault(name, _Node(name, _STORAGE, Storage()))
    return node


def _numbered(root: _Node) -> list[_Node]:
    """Return all nodes in the directory's order, with their trees of siblings made."""
    nodes, at = [root], 0
    while at < len(nodes):
        children = sorted(nodes[at].children.values(), key=_order)
        for node in children:
            node.number = len(nodes)
            nodes.append(node)
        nodes[at].child = _tree(children, 0, (len(children) + 1).bit_length() - 1)
        at += 1
    return nodes


def _order(node: _Node) -> tuple[int, str]:
    return len(node.name.encode("utf-16-le", "surrogatepass")), node.name.upper()


def _tree(nodes: list[_Node], depth: int, full: int) -> int:
    """Return the number of the top of a balanced tree; its last level is red if not full."""
    if not nodes:
        return _NONE
    middle = len(nodes) // 2
    top = nodes[middle]
    top.red = depth == full
    top.left = _tree(nodes[:middle], depth + 1, full)
    top.right = _tree(nodes[middle + 1 :], depth + 1, full)
    return top.number


def _fat_size(sectors: int) -> tuple[int, int]:
    """Return how many sectors the FAT and the list of its sectors take beside *sectors*."""
    fats = difats = 0
    while True:
        needed = -(-(sectors + fats + difats) // 128)
        more = max(0, -(-(needed - _IN_HEADER) // 127))
        if (needed, more) == (fats, difats):
            return fats, difats
        fats, difats = needed, more


def _links(start: int, count: int) -> list[int]:
    return [*range(start + 1, start + count), _END] if count else []


def _numbers(numbers: list[int], count: int) -> bytes:
    return Struct(f"<{count}I").pack(*numbers, *[_FREE] * (count - len(numbers)))


def _packed(node: _Node) -> bytes:
    name = node.name.encode("utf-16-le", "surrogatepass")
    return _ENTRY.pack(
        *(name, len(name) + 2, node.kind, 0 if node.red else 1),
        *(node.left, node.right, node.child, node.storage.clsid, node.storage.state),
        *(0, 0, node.start, len(node.data)),
    )
