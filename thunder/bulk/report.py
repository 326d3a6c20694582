"""The report of a run: which parts of each file with pages were dropped, cleaned and kept, and why.

A text for people, in Markdown. It names files and parts as they are called, which may be after a
person: it is for its owner alone. It has no word of a document.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from thunder.documents.detecting import kind_named
from thunder.documents.segments import Action

if TYPE_CHECKING:
    from thunder.bulk.leaks import Searched
    from thunder.documents.records import Failure

HEAD = """# 파일마다 없앤 것, 고친 것, 남긴 것

파일과 부분의 이름이 그대로 적혀 있고, 그것이 사람 이름일 수 있으니 내보내지 마십시오. 본문의 말은
없습니다. 글과 표(.txt, .jsonl, .csv …)는 부분이 없어 적지 않습니다. 맨 끝에 합계가 없으면 도중에
끊긴 것입니다.
"""
_DID = {Action.DROPPED: "없앰", Action.CLEANED: "고침", Action.KEPT: "남김"}
_OUTSIDE = "파일"
_NUMBERED = {"pdf"}  # whose parts have numbers instead of names
_MOST_NAMED = 40
_ROW = re.compile(r":[0-9]+$")


def of_document(file: str, changes: int, searched: "Searched") -> str:
    """Return what is reported of a file that was written."""
    lines = [_title(file), f"{kind_named(searched.format)}, 가린 곳 {changes:,}곳", ""]
    for action, did in _DID.items():
        reasons: dict[str, list[str]] = {}
        for one in searched.scrubbed:
            if one.action is action:
                reasons.setdefault(one.part or _OUTSIDE, []).append(one.reason)
        lines += [f"- {did} {_code(part)}: {'; '.join(said)}" for part, said in reasons.items()]
    named = {one.part for one in searched.scrubbed}
    rest = list(dict.fromkeys(part for part in searched.parts if part not in named))
    if rest:
        names = "" if searched.format in _NUMBERED else f": {_listed(rest)}"
        lines.append(f"- 그 밖의 부분 {len(rest):,}개는 그대로이거나 가린 말만 바뀜{names}")
    search = (
        f"쓴 파일의 부분 {len(searched.parts):,}개({searched.size:,}바이트)를 다시 읽어 가린 말 "
        f"{searched.wordings:,}가지를 찾았고, 남은 것이 없습니다."
    )
    return "\n".join([*lines, "", search, ""])


def narrowed(text: str, files: Collection[str]) -> str:
    """Return of a report without totals what it says of *files*; "" where that is nothing."""
    head, *sections = text.split("\n## ")
    titles = {_printable(file) for file in files}
    left = [one for one in sections if _ROW.sub("", one.partition("\n")[0]) in titles]
    return "\n## ".join([head, *left]) if left else ""


def of_failure(failure: "Failure") -> str:
    """Return what is reported of a document that was held back."""
    row = f":{failure.row}" if failure.row else ""
    part = f"{_code(failure.part)}: " if failure.part else ""
    said = f"**내지 않음** — {part}{failure.reason} — {failure.advice}"
    return f"{_title(failure.file + row)}\n{_printable(said)}\n"


def of_totals(totals: Mapping[str, Any]) -> str:
    """Return how the report ends."""
    return (
        f"\n---\n\n문서 {totals['documents']:,}건 가운데 {totals['done']:,}건을 냈고 "
        f"{totals['failed']:,}건을 내지 않았습니다.\n"
    )


def _title(file: str) -> str:
    return f"\n## {_printable(file)}\n"


def _listed(parts: Iterable[str]) -> str:
    names = [_code(part) for part in parts]
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" 외 {more:,}개" if more > 0 else "")


def _code(name: str) -> str:
    return "`" + _printable(name).replace("`", "'") + "`"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
