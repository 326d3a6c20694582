"""The texts that a person reads in records other than a paragraph's: equations, word art, forms.

Each is a string inside a record; editing one changes lengths around it, and drops what was drawn
from it before.
"""

import re
from collections.abc import Callable, Mapping
from struct import Struct

from thunder.documents.hwp.records import (
    CTRL_HEADER,
    EQUATION,
    FORM_OBJECT,
    TEXT_ART,
    damaged,
    packed_string,
    word_string,
)

_FORM_TEXT = 12  # where the properties of a form begin, behind its kind and their length
SHOWN_OF_FORMS = ("Caption", "Text")
_CORNERS = 32  # bytes of the corners of word art
_AFTER_ART = 36  # bytes between the strings of word art and its outline
_WORD = Struct("<I")

Change = Callable[[str, str], str]
"""What gives a property, by key and value, its new value."""

# Controls whose header holds strings that are seen: overlaid letters, and ruby.
_STRINGS_OF_CONTROLS = {b"tcps": 1, b"tdut": 2}

HOLDERS = frozenset({CTRL_HEADER, EQUATION, FORM_OBJECT, TEXT_ART})


def shown(tag: int, payload: bytes, part: str) -> list[str]:
    """Return the texts of a record that a person sees, in their order."""
    if tag == FORM_OBJECT:
        return [value for key, value in _form_strings(_form(payload, part)) if _is_shown(key)]
    return [text for _, _, text in _places(tag, payload, part)]


def with_shown(tag: int, payload: bytes, texts: Mapping[int, str], part: str) -> bytes:
    """Return the record with other texts, by their number in ``shown``."""
    if tag == FORM_OBJECT:
        numbers = iter(range(len(payload)))
        return with_form_strings(
            payload, lambda key, old: texts.get(next(numbers), old) if _is_shown(key) else old, part
        )
    places = _places(tag, payload, part)
    for number in sorted(texts, reverse=True):
        begin, end, _ = places[number]
        payload = payload[:begin] + packed_string(texts[number]) + payload[end:]
    return _without_outline(payload, part) if tag == TEXT_ART else payload


def _places(tag: int, payload: bytes, part: str) -> list[tuple[int, int, str]]:
    """Return where each seen string of a record begins and ends, and what it says."""
    if tag == EQUATION:
        at, count = 4, 1
    elif tag == TEXT_ART:
        at, count = _CORNERS, 1
    else:
        at, count = 4, _STRINGS_OF_CONTROLS.get(payload[3::-1], 0)
    places = []
    for _ in range(count):
        text, end = word_string(payload, at, part)
        places.append((at, end, text))
        at = end
    return places


def _without_outline(payload: bytes, part: str) -> bytes:
    """Return word art without the outline of its letters, which is drawn anew from the text."""
    at = _CORNERS
    for _ in range(3):
        _, at = word_string(payload, at, part)
    at += _AFTER_ART
    if at + 4 > len(payload):
        return payload
    points = _WORD.unpack_from(payload, at)[0]
    return payload[:at] + bytes(4) + payload[at + 4 + 8 * points :]


# A form's properties: "Name:set:LENGTH:items ", each item "Key:wstring:LENGTH:value " or
# "Key:int:value ". A field to fill in says its guidance in the same way.
_PROPERTY = re.compile(r" *(?P<key>\w+):(?P<kind>\w+):")
_LENGTH = re.compile(r"(\d{1,5}):")


def _form(payload: bytes, part: str) -> str:
    return word_string(payload, _FORM_TEXT, part)[0]


def _is_shown(key: str) -> bool:
    return key in SHOWN_OF_FORMS


def _form_strings(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []

    def note(key: str, value: str) -> str:
        found.append((key, value))
        return value

    with_properties(text, note)
    return found


def with_form_strings(payload: bytes, change: Change, part: str) -> bytes:
    """Return a form object with each of its strings as *change* gives it."""
    text, end = word_string(payload, _FORM_TEXT, part)
    new = with_properties(text, change)
    if new is None:
        raise damaged(part, "양식 개체를 읽을 수 없습니다")
    units = len(new.encode("utf-16-le")) // 2
    return payload[:8] + _WORD.pack(units) + packed_string(new) + payload[end:]


def with_properties(text: str, change: Change, depth: int = 0) -> str | None:
    """Return *text*, a list of properties, with each string as *change*(key, value) gives it.

    None where it is no such list.
    """
    out: list[str] = []
    at = 0
    while at < len(text):
        found = _PROPERTY.match(text, at)
        if found is None:
            return None if text[at:].strip(" ") else "".join([*out, text[at:]])
        key, kind, at = found["key"], found["kind"], found.end()
        out.append(found[0])
        if kind in ("wstring", "set"):
            length = _LENGTH.match(text, at)
            if length is None or length.end() + int(length[1]) > len(text):
                return None
            at = length.end() + int(length[1])
            value = text[length.end() : at]
            new = change(key, value) if kind == "wstring" else None
            if kind == "set":
                new = with_properties(value, change, depth + 1) if depth < 8 else None
            if new is None:
                return None
            out.append(f"{len(new)}:{new}")
        else:
            end = text.find(" ", at)
            end = len(text) if end < 0 else end
            out.append(text[at:end])
            at = end
    return "".join(out)
