"""Sets of parameters, as records of HWP 5 hold them: read, and their strings replaced."""

from collections.abc import Callable
from struct import Struct

_NULL, _STRING, _SET, _ARRAY = 0, 1, 0x8000, 0x8001
_NUMBERS = range(2, 10)  # of whatever size they are called: four bytes
_DEEPEST = 16

_HEAD = Struct("<HhH")  # id, count, reserved
_ITEM = Struct("<HH")  # id, type


class _Unreadable(ValueError):
    """These are no parameters that are known."""


def with_strings(payload: bytes, change: Callable[[str], str]) -> bytes | None:
    """Return a set of parameters with each string as *change* gives it.

    None where something in it is not known.
    """
    try:
        new, end = _set(payload, 0, change, 0)
    except _Unreadable:
        return None
    return new if end == len(payload) else None


def _set(data: bytes, at: int, change: Callable[[str], str], depth: int) -> tuple[bytes, int]:
    if at + _HEAD.size > len(data) or depth > _DEEPEST:
        raise _Unreadable
    count, out = _HEAD.unpack_from(data, at)[1], [data[at : at + _HEAD.size]]
    at += _HEAD.size
    for _ in range(count):
        if at + _ITEM.size > len(data):
            raise _Unreadable
        kind = _ITEM.unpack_from(data, at)[1]
        value, end = _value(data, at + _ITEM.size, kind, change, depth)
        out += [data[at : at + _ITEM.size], value]
        at = end
    return b"".join(out), at


def _value(
    data: bytes, at: int, kind: int, change: Callable[[str], str], depth: int
) -> tuple[bytes, int]:
    """Return a value, strings in it changed, and where it ends."""
    if kind == _NULL:
        return b"", at
    if kind == _SET:
        return _set(data, at, change, depth + 1)
    end = at + 4
    if kind in _NUMBERS:
        if end > len(data):
            raise _Unreadable
        return data[at:end], end
    if kind == _STRING:
        end = at + 2 + 2 * int.from_bytes(data[at : at + 2], "little")
        if end > len(data):
            raise _Unreadable
        units = change(data[at + 2 : end].decode("utf-16-le", "replace")).encode("utf-16-le")
        return (len(units) // 2).to_bytes(2, "little") + units, end
    if kind == _ARRAY and end <= len(data) and depth < _DEEPEST:
        out = [data[at:end]]
        for _ in range(int.from_bytes(data[at : at + 2], "little")):
            if end + 2 > len(data):
                raise _Unreadable
            kind_of_one = int.from_bytes(data[end : end + 2], "little")
            value, after = _value(data, end + 2, kind_of_one, change, depth + 1)
            out += [data[end : end + 2], value]
            end = after
        return b"".join(out), end
    raise _Unreadable
