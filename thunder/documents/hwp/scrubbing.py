"""What hides in the records and streams of HWP 5 beside the text, and is taken out."""

import re
from collections import defaultdict
from collections.abc import Callable
from struct import Struct

from thunder.documents.cleaning import Report
from thunder.documents.compound import Compound
from thunder.documents.hwp import paragraphs
from thunder.documents.hwp.parameters import with_strings
from thunder.documents.hwp.records import (
    BIN_DATA,
    CHART_DATA,
    CTRL_DATA,
    CTRL_HEADER,
    DOC_DATA,
    FORM_OBJECT,
    LIST_HEADER,
    OF_DOC_INFO,
    OF_SECTIONS,
    PARA_CHAR_SHAPE,
    PARA_HEADER,
    PARA_LINE_SEG,
    STYLE,
    TRACK_CHANGE,
    TRACK_CHANGE_AUTHOR,
    TRACK_SETTINGS,
    VIDEO_DATA,
    packed_string,
    records,
    word_string,
)
from thunder.documents.hwp.strings import SHOWN_OF_FORMS, with_form_strings, with_properties
from thunder.documents.segments import Action

Edits = dict[int, bytes | None]
"""New payloads of records by where they begin; None takes a record out."""

_OBJECTS = (b"tbl ", b"gso ", b"eqed", b"form")
_HIDDEN = b"tcmt"
_DESCRIPTION = 44  # where the description stands in the header of an object
_COMMAND = 9  # where the command stands in the header of a field
_NAMED = bytes.fromhex("1b020100000000400100")  # parameters that are a name and nothing else

_NO_PARAMETERS = 6  # bytes of a set of parameters without any

_KEPT_COMMAND = re.compile(r"\$[A-Za-z]+;?")  # what to show, such as $author: no words of its own
_OF_LINK = re.compile(r"(;\d){3};?$")  # how it opens, behind its target
_MEMO = re.compile(r"(MEMO/\d*/\d*)/.*", re.DOTALL)

_WORD = Struct("<I")
_LINKED = 0  # the type of BIN_DATA that names a file elsewhere
_TRACK_TIME = slice(4, 14)
_NO_TIME = Struct("<5H").pack(1970, 1, 1, 0, 0)

# The names of styles that every document has, or that the program gives.
_STYLES = re.compile(
    r"바탕글|본문|개요 \d+|쪽 번호|머리말|각주|미주|메모|차례 제목|차례 \d+|캡션|"
    r"Normal|Body|Outline \d+|Page Number|Header|Footnote|Endnote|Memo|TOC Heading|TOC \d+|Caption|"
)


class Names:
    """Numbers that stand for names, the same for the same name in all of a document."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)

    def __call__(self, word: str, name: str) -> str:
        """Return *word* and the number of *name*; an empty name stays empty."""
        if not name:
            return ""
        numbers = self._numbers[word]
        return f"{word} {numbers.setdefault(name, len(numbers) + 1)}"


def section_edits(data: bytes, part: str, edits: Edits, names: Names, report: Report) -> None:
    """Add to *edits* what cleans the records of a section; they may hold masks already."""
    controls: list[bytes] = []  # of each level, the control that holds what lies deeper
    hidden = -1  # the level of the hidden comment that the records are in
    for tag, level, at, begin, end in records(data, part, OF_SECTIONS):
        if 0 <= hidden < level:
            _hide(tag, level - hidden, at, data[begin:end], edits)
            continue
        hidden = -1
        if tag not in _CLEANED_IN_SECTIONS:
            continue
        payload = edits.get(at, data[begin:end])
        if payload is None:
            continue
        del controls[level:]
        holder = controls[-1] if controls else b""
        new: bytes | None
        if tag == CTRL_HEADER:
            control = payload[3::-1]
            controls += [holder] * (level - len(controls)) + [control]
            if control == _HIDDEN:
                hidden = level
                report.add(part, Action.CLEANED, "숨은 설명의 글")
            new, reason = _control(control, payload, part)
        elif tag == CTRL_DATA:
            new, reason = _attached(holder, payload, names)
        else:
            clean, reason = _OF_SECTION[tag]
            new = clean(payload, part, names)
        if new != payload:
            edits[at] = new
            report.add(part, Action.CLEANED, reason)


def doc_info_edits(data: bytes, part: str, edits: Edits, names: Names, report: Report) -> None:
    """Add to *edits* what cleans the records of DocInfo."""
    for tag, _, at, begin, end in records(data, part, OF_DOC_INFO):
        if tag in _OF_DOC_INFO:
            clean, reason = _OF_DOC_INFO[tag]
            payload = data[begin:end]
            new = clean(payload, part, names)
            if new != payload:
                edits[at] = new
                report.add(part, Action.CLEANED, reason)


def empty_object() -> bytes:
    """Return what stands for an embedded object that was taken out: one without any content."""
    content = Compound({}, {}).written()
    return _WORD.pack(len(content)) + content


def _hide(tag: int, depth: int, at: int, payload: bytes, edits: Edits) -> None:
    """Take the text out of a hidden comment: its list and empty paragraphs are left."""
    if depth == 1 and tag == PARA_HEADER:
        edits[at] = paragraphs.emptied_header(payload)
    elif depth == 2 and tag == PARA_CHAR_SHAPE:
        edits[at] = payload[:8]
    elif depth == 2 and tag == PARA_LINE_SEG:
        edits[at] = paragraphs.first_line(payload)
    elif depth > 1:
        edits[at] = None


def _control(control: bytes, payload: bytes, part: str) -> tuple[bytes, str]:
    if control.startswith(b"%"):
        command, end = word_string(payload, _COMMAND, part)
        new = _command(control, command)
        if new == command:
            return payload, ""
        return payload[:_COMMAND] + packed_string(new) + payload[end:], _FIELDS.get(control, _FIELD)
    if control in _OBJECTS and len(payload) > _DESCRIPTION + 2:
        _, end = word_string(payload, _DESCRIPTION, part)
        return payload[:_DESCRIPTION] + bytes(2) + payload[
            end:
        ], "개체 설명(그림 파일의 이름과 경로)"
    if control == b"idxm":
        _, end = word_string(payload, 4, part)
        _, end = word_string(payload, end, part)
        return payload[:4] + bytes(4) + payload[end:], "찾아보기 표시"
    return payload, ""


_FIELD = "필드의 명령"
_FIELDS = {
    b"%hlk": "하이퍼링크의 주소",
    b"%%me": "메모를 쓴 사람과 때",
    b"%clk": "누름틀의 안내문",
    b"%mmg": "메일 머지 필드",
    b"%xrf": "상호 참조의 이름",
    b"%pat": "문서의 경로",
}


def _command(control: bytes, command: str) -> str:
    """Return a field's command without words of a person's own."""
    if control == b"%hlk":
        found = _OF_LINK.search(command)
        return found[0] if found else ""
    if control == b"%%me":
        return _MEMO.sub(r"\1/0/0//\\;;", command) if _MEMO.fullmatch(command) else ""
    if control == b"%clk":
        return with_properties(command, lambda key, value: "") or ""
    return command if _KEPT_COMMAND.fullmatch(command) else ""


def _attached(holder: bytes, payload: bytes, names: Names) -> tuple[bytes, str]:
    """Return what is attached to a control without its strings."""
    word, reason = "", "개체에 붙은 자료"
    if holder == b"bokm":
        word, reason = "책갈피", "책갈피 이름"
    elif holder.startswith(b"%"):
        word, reason = "필드", "필드 이름"
    if with_strings(payload, lambda old: "") is None:  # nobody knows it: nothing of it is left
        return payload[:2].ljust(_NO_PARAMETERS, b"\0"), reason
    return with_strings(payload, lambda old: names(word, old) if word else "") or b"", reason


def _list(payload: bytes, part: str, names: Names) -> bytes:
    at = payload.find(_NAMED)
    if at < 0:
        return payload
    name, end = word_string(payload, at + len(_NAMED), part)
    new = packed_string(names("셀", name))
    return payload[: at + len(_NAMED)] + new + payload[end:]


def _form(payload: bytes, part: str, names: Names) -> bytes:
    def change(key: str, value: str) -> str:
        if key in SHOWN_OF_FORMS:
            return value
        return names("양식", value) if key == "Name" else ""

    return with_form_strings(payload, change, part)


def _video(payload: bytes, part: str, names: Names) -> bytes:
    if payload[:4] != b"\1\0\0\0":  # not one that a page elsewhere shows
        return payload
    _, end = word_string(payload, 4, part)
    return payload[:4] + bytes(2) + payload[end:]


def _bin_data(payload: bytes, part: str, names: Names) -> bytes:
    if payload[0] & 0xF != _LINKED:
        return payload
    _, end = word_string(payload, 2, part)
    _, end = word_string(payload, end, part)
    return payload[:2] + bytes(4) + payload[end:]


def _style(payload: bytes, part: str, names: Names) -> bytes:
    name, middle = word_string(payload, 0, part)
    english, end = word_string(payload, middle, part)
    new = name if _STYLES.fullmatch(name) else names("스타일", name)
    new_english = english if _STYLES.fullmatch(english) else names("Style", name)
    if (new, new_english) == (name, english):
        return payload
    return packed_string(new) + packed_string(new_english) + payload[end:]


def _data(payload: bytes, part: str, names: Names) -> bytes:
    new = with_strings(payload, lambda old: "")
    return payload[:2].ljust(_NO_PARAMETERS, b"\0") if new is None else new


def _settings(payload: bytes, part: str, names: Names) -> bytes:
    return payload[:4] + bytes(len(payload) - 4) if len(payload) > 4 else payload


def _change(payload: bytes, part: str, names: Names) -> bytes:
    return payload[:4] + _NO_TIME + payload[14:] if len(payload) >= 14 else payload


def _author(payload: bytes, part: str, names: Names) -> bytes:
    end = 4 + 2 * _WORD.unpack_from(payload.ljust(4, b"\0"))[0]
    name = payload[4:end].decode("utf-16-le", "replace")
    new = names("작성자", name).encode("utf-16-le")
    return _WORD.pack(len(new) // 2) + new + payload[end:]


_Clean = Callable[[bytes, str, Names], bytes | None]

_OF_SECTION: dict[int, tuple[_Clean, str]] = {
    LIST_HEADER: (_list, "셀과 글상자의 필드 이름"),
    FORM_OBJECT: (_form, "양식 개체의 이름과 명령"),
    VIDEO_DATA: (_video, "동영상의 주소"),
    CHART_DATA: (lambda payload, part, names: None, "차트의 자료"),
}
_CLEANED_IN_SECTIONS = {CTRL_HEADER, CTRL_DATA, *_OF_SECTION}
_OF_DOC_INFO: dict[int, tuple[_Clean, str]] = {
    BIN_DATA: (_bin_data, "연결된 파일의 경로"),
    STYLE: (_style, "사람이 지은 스타일 이름"),
    DOC_DATA: (_data, "인쇄 설정 등의 글"),
    TRACK_SETTINGS: (_settings, "변경 추적 설정에 남은 메모리"),
    TRACK_CHANGE: (_change, "변경 추적의 때"),
    TRACK_CHANGE_AUTHOR: (_author, "변경 추적에 남은 사람"),
}
