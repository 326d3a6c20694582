"""What a written file says, read again by itself: nothing but what was decided, in any part."""

import re
from collections.abc import Collection, Sequence

from thunder.bulk.running import Outcome
from thunder.documents.detecting import opener
from thunder.documents.encoding import Unreadable
from thunder.documents.paged import PagedFile
from thunder.documents.segments import Action, Document, Kind, Refused, Scrubbed, Segment
from thunder.masking import leaks
from thunder.masking.audit import Entry
from thunder.masking.residue import Sought, sought

_HELD = "결과를 내지 않았으니 이 문서를 따로 확인하십시오"
_HIDDEN = "이름을 보일 수 없는 부분"
_FILE_NAME = re.compile(r"[/\\.]")
_MOST_NAMED = 3


def require_none(outcome: Outcome, file: PagedFile) -> Entry:
    """Return what an audit says of the file that was written: what was cleaned, what was searched.

    Unreadable, naming the part, where a masked wording is left in it, or where it says something
    else than was decided.
    """
    result, record = outcome.result, outcome.record
    names = _Names(sought(result))
    document: Document = record.rest
    scanned = frozenset(getattr(document, "scanned", ()))  # parts that only OCR reads
    try:
        again = opener(file.format, ocr=bool(scanned))(file.data)
    except Refused as error:
        raise Unreadable(f"쓴 결과를 다시 열지 못했습니다({error.reason})", _HELD) from None
    said = result.texts_of_segments()
    _require_same(document.segments, said, again, file.scrubbed, scanned)
    of_part: dict[str, list[str]] = {}
    for segment, text in zip(document.segments, said, strict=True):
        of_part.setdefault(segment.part, []).append(text)
    wordings, parts = leaks.wordings(result), list(again.strings())
    met = list(leaks.find(wordings, parts, of_part))
    for part in sorted(scanned):  # OCR puts blanks anywhere
        read = "\n".join(_squeezed(one.text) for one in again.segments if one.part == part)
        decided = {part: [_squeezed(text) for text in of_part.get(part, ())]}
        met += leaks.find([_squeezed(one) for one in wordings], [(part, read.encode())], decided)
    found = [names.shown(leak.part) for leak in met]
    if found:
        raise Unreadable(f"결과의 {_listed(found)}에 가린 말이 남았습니다", _HELD)
    return {
        "format": file.format,
        "scrubbed": [
            {"part": names.shown(one.part), "action": str(one.action), "reason": one.reason}
            for one in file.scrubbed
        ],
        "leak_scan": {
            "segments": len(said),
            "parts": len(parts),
            "bytes": sum(len(content) for _, content in parts),
            "wordings": len(wordings),
            "encodings": list(leaks.ENCODINGS),
            "found": 0,
        },
    }


def _require_same(
    segments: Sequence[Segment],
    said: Sequence[str],
    again: Document,
    scrubbed: Sequence[Scrubbed],
    scanned: Collection[str],
) -> None:
    """Return nothing; Unreadable unless a second reading gives the texts that were decided.

    What was dropped with its part may be missing, and memos. Where paragraphs begin may be read
    otherwise. What OCR reads is never twice the same: there wordings are looked for alone.
    """
    dropped = {one.part for one in scrubbed if one.action is Action.DROPPED}
    decided = [
        (_squeezed(text), segment.kind is Kind.MEMO or segment.part in dropped)
        for segment, text in zip(segments, said, strict=True)
        if segment.part not in scanned
    ]
    read = [_squeezed(one.text) for one in again.segments if one.part not in scanned]
    if "".join(text for text, _ in decided) == "".join(read):
        return
    left = iter([text for text in read if text])
    found = next(left, None)
    for text, may_be_missing in decided:
        if text and text == found:
            found = next(left, None)
        elif text and not may_be_missing:
            raise Unreadable("쓴 결과를 다시 읽으니 글이 정한 것과 다릅니다", _HELD)
    if found is not None:
        raise Unreadable("쓴 결과를 다시 읽으니 정하지 않은 글이 더 있습니다", _HELD)


def _squeezed(text: str) -> str:
    """Return *text* without its blanks: a letter in a gap may stand with others beside it."""
    return "".join(text.split())


class _Names:
    """Names of parts as a message may show them: a file's name may be a person's."""

    def __init__(self, masked: Sought) -> None:
        self._masked = masked

    def shown(self, part: str) -> str:
        """Return *part*, or that its name is not shown."""
        is_own = not part.isascii() and bool(_FILE_NAME.search(part))
        return _HIDDEN if is_own or self._masked.is_in(part) else part


def _listed(parts: Sequence[str]) -> str:
    names = list(dict.fromkeys(parts))
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" 외 {more}곳" if more > 0 else "")
