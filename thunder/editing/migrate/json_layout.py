"""JSON text changed in place: some of its strings, and the layout as it was."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from thunder.editing import messages as say

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]')
_INDENTS: tuple[int | str | None, ...] = (None, 2, 4, 1, "\t")
_SEPARATORS = ((", ", ": "), (",", ":"), (",", ": "))


class String(NamedTuple):
    """A string in JSON text: a key, or a value (in a list, too) under *key*."""

    value: str
    is_key: bool
    key: str


def loaded(text: str) -> Any:
    """Return the data of JSON *text*; ValueError for a key given twice in one object."""
    return json.loads(text, object_pairs_hook=_unrepeated)


def rewritten(text: str, new: Any, now: Callable[[String], str]) -> str:
    """Return *text* saying the data *new*.

    *now* gives what each string is to be. Where more than strings has changed, all is laid out as
    *text* is, or with an indent of 2 where that is unusual.
    """
    changed = _in_place(text, now)
    if _says(changed, new):
        return changed
    data, end = loaded(text), text[len(text.rstrip()) :]
    for layout in product(_INDENTS, _SEPARATORS, (False, True)):
        if _laid_out(data, *layout) == text.rstrip():
            return _laid_out(new, *layout) + end
    return _laid_out(new, 2, (",", ": "), False) + end


def _in_place(text: str, now: Callable[[String], str]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, string in _strings(text):
        new = now(string)
        if new != string.value:
            written = json.dumps(new, ensure_ascii="\\u" in text[start:end])
            pieces += (text[done:start], written)
            done = end
    return "".join((*pieces, text[done:]))


def _strings(text: str) -> Iterator[tuple[int, int, String]]:
    """Yield where each string of valid JSON stands, and what it is."""
    opened = [("[", "")]  # brackets, and the key that their values are under
    is_key = False
    for token in _TOKEN.finditer(text):
        mark, (bracket, key) = token[0], opened[-1]
        if mark in ("{", "["):
            is_key = mark == "{"
            opened.append((mark, "" if is_key else key))
        elif mark in ("}", "]"):
            opened.pop()
            is_key = False
        elif mark == ",":
            is_key = bracket == "{"
        else:
            value = json.loads(mark)
            yield token.start(), token.end(), String(value, is_key, key)
            if is_key:
                opened[-1] = (bracket, value)
                is_key = False


def _says(text: str, data: Any) -> bool:
    try:
        return json.dumps(loaded(text)) == json.dumps(data)
    except ValueError:
        return False  # two keys have become one


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        repeated = next(key for key in times if times[key] > 1)
        raise ValueError(say.KEY_TWICE(key=repeated[:40]))
    return found


def _laid_out(
    data: Any, indent: int | str | None, separators: tuple[str, str], ascii_only: bool
) -> str:
    return json.dumps(data, indent=indent, separators=separators, ensure_ascii=ascii_only)
