"""What a written file says, read again by itself: nothing but what was decided, in any part."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from thunder.bulk.running import Outcome
from thunder.documents.detecting import opener
from thunder.documents.encoding import Unreadable
from thunder.documents.paged import PagedFile
from thunder.documents.part_names import is_of_format
from thunder.documents.segments import Action, Document, Kind, Refused, Scrubbed, Segment
from thunder.masking import leaks

_HELD = "결과를 내지 않았으니 이 문서를 따로 확인하십시오"
_HIDDEN = "이름을 보일 수 없는 부분"
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Searched:
    """A file that was written: what was cleaned in it, and what was searched without a find.

    ``parts`` are all that the file has now, ``size`` the bytes they hold.
    """

    format: str
    scrubbed: tuple[Scrubbed, ...]
    segments: int
    parts: tuple[str, ...]
    size: int
    wordings: int


def require_none(outcome: Outcome, file: PagedFile) -> Searched:
    """Return how the file that was written was cleaned and searched.

    Unreadable, naming the part, where a masked wording is left in it, or where it says something
    else than was decided.
    """
    result, record = outcome.result, outcome.record
    document: Document = record.rest
    scanned = frozenset(getattr(document, "scanned", ()))  # parts that only OCR reads
    try:
        again = opener(file.format, ocr=bool(scanned))(file.data)
        parts = list(again.strings())
    except Refused as error:
        reason = f"쓴 결과를 다시 열지 못했습니다({error.reason})"
        raise Unreadable(reason, _HELD, error.part) from None
    said = result.texts_of_segments()
    _require_same(document.segments, said, again, file.scrubbed, scanned)
    of_part: dict[str, list[str]] = {}
    for segment, text in zip(document.segments, said, strict=True):
        of_part.setdefault(segment.part, []).append(text)
    wordings = outcome.masked.wordings
    met = list(leaks.find(wordings, parts, of_part))
    for part in sorted(scanned):  # OCR puts blanks anywhere
        read = "\n".join(_squeezed(one.text) for one in again.segments if one.part == part)
        decided = {part: [_squeezed(text) for text in of_part.get(part, ())]}
        met += leaks.find([_squeezed(one) for one in wordings], [(part, read.encode())], decided)
    if met:
        raise Unreadable(
            f"결과의 {_listed(leak.part for leak in met)}에 가린 말이 남았습니다", _HELD
        )
    return Searched(
        file.format,
        file.scrubbed,
        len(said),
        tuple(name for name, _ in parts),
        sum(len(content) for _, content in parts),
        len(wordings),
    )


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


def _listed(parts: Iterable[str]) -> str:
    """Return the names of *parts*, as far as they cannot be a person's."""
    names = list(dict.fromkeys(part if is_of_format(part) else _HIDDEN for part in parts))
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" 외 {more}곳" if more > 0 else "")
