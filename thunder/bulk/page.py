"""One page to check a result by eye: the original beside it, every change coloured and explained.

The page holds the original words: it is written for its owner alone and says so. It needs no
network and allows none (its content policy names its own style and script by their hashes).
"""

import base64
import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from thunder.bulk.marks import Mark, looks_of, marks
from thunder.documents.segments import Kind
from thunder.masking.audit import Catalogue
from thunder.masking.records import Deidentified

MOST_DOCUMENTS = 200
MOST_CHARACTERS = 5_000_000

_LINE_END = re.compile(r"\r\n?|\n")
_PARTS = {
    Kind.CELL: "표",
    Kind.NOTE: "주",
    Kind.HEADER: "머리말",
    Kind.FOOTER: "꼬리말",
    Kind.TEXT_BOX: "글상자",
    Kind.MEMO: "메모",
    Kind.CAPTION: "설명",
}
_TO_SHOW = {0: "\ufffd", 13: None}  # HTML has no NUL, and takes a lone \\r for a line end


@dataclass(frozen=True, slots=True)
class Shown:
    """A document of the page: the title it is chosen by, its result, the kinds of its segments."""

    title: str
    result: Deidentified
    kinds: tuple[Kind, ...] = ()


def render(documents: Sequence[Shown], known: Catalogue) -> str:
    """Return the page of *documents* as HTML.

    ValueError, with advice in Korean, for more than MOST_DOCUMENTS or MOST_CHARACTERS.
    """
    require_few(len(documents), sum(len(shown.result.original) for shown in documents))
    content = template()
    subs = [sub.ko for sub in known.taxonomy.subcategories]
    sections = [_section(at, shown, known) for at, shown in enumerate(documents)]
    title = " — ".join(["비실명 처리 검토", *(shown.title for shown in documents[:1])])
    values = {
        "title": escape(title),
        "about": escape(f"{known.policy.ko} · 문서 {len(documents)}건"),
        "documents": _chooser(documents),
        "legend": _legend(subs, documents, known),
        "sections": "\n".join(sections),
        "palette": palette(len(subs)),
    }
    values["policy"] = _content_policy(content.replace("{{palette}}", values["palette"]))
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], content)


def require_few(documents: int, characters: int) -> None:
    """Return nothing; ValueError, with advice in Korean, for more than one page can show."""
    if documents > MOST_DOCUMENTS or characters > MOST_CHARACTERS:
        raise ValueError(
            f"--html은 문서 {MOST_DOCUMENTS}건, {MOST_CHARACTERS:,}자까지 보여 줍니다: "
            "살펴볼 문서만 골라 따로 실행하거나 --audit을 쓰십시오"
        )


@lru_cache(maxsize=1)
def template() -> str:
    """Return the page without what is put into it."""
    return Path(__file__).with_name("page.html").read_text(encoding="utf-8")


def _content_policy(page: str) -> str:
    def hashes(tag: str) -> str:
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digests = (hashlib.sha256(content.encode()).digest() for content in found)
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    return f"default-src 'none'; style-src {hashes('style')}; script-src {hashes('script')}"


def palette(count: int) -> str:
    """Return a hue for each subcategory, as far from its neighbours' as the golden angle."""
    return "\n".join(
        f".c{at} {{ --hue: {(205 + at * 137.508) % 360:.0f}; }}" for at in range(count)
    )


# --- the parts beside the text ----------------------------------------------------------------


def _chooser(documents: Sequence[Shown]) -> str:
    if len(documents) < 2:
        return ""
    rows = []
    for shown in documents:
        count, doubts = len(shown.result.changes), len(shown.result.doubts)
        flag = f'<span class="flag" title="살펴볼 곳">? {doubts}</span>' if doubts else ""
        title = escape(shown.title)
        rows.append(
            f'<li><button type="button" title="{title}"><span class="name">{title}</span>{flag}'
            f'<span class="count" title="가린 곳">{count}</span></button></li>'
        )
    return (
        f'<nav aria-label="문서"><h2>문서 <span class="count">{len(documents)}</span></h2>'
        '<input class="filter" type="search" placeholder="문서 찾기" aria-label="문서 찾기">'
        f'<ul class="list">{"".join(rows)}</ul></nav>'
    )


def _legend(subs: Sequence[str], documents: Sequence[Shown], known: Catalogue) -> str:
    used = {
        known.subcategory(change.span) for shown in documents for change in shown.result.changes
    }
    rows = [(f"c{at}", looks_of(at), name) for at, name in enumerate(subs) if name in used]
    rows.append(("kept", "kept", "남긴 정보"))
    return "".join(
        f'<li><label><input type="checkbox" value="{value}" checked>'
        f'<span class="m sample {looks}" aria-hidden="true">가</span>{escape(name)}'
        f'<span class="count"></span></label></li>'
        for value, looks, name in rows
    )


# --- a document -------------------------------------------------------------------------------


def _section(at: int, shown: Shown, known: Catalogue) -> str:
    result = shown.result
    shown_marks = marks(result, known)
    structure = _Structure(result, shown.kinds)
    rows = "".join(
        _row(number, before, after, structure.kind_at(start))
        for number, (start, before, after) in enumerate(
            _lines(result, shown_marks, f"d{at}", structure), start=1
        )
    )
    notes = "".join(f"<li>{escape(d.message)}</li>" for d in result.doubts if d.start >= d.end)
    facts = (
        f"{len(result.original):,}자 · 가린 곳 {len(result.changes)} · 남긴 곳 {len(result.kept)} "
        f"· 살펴볼 곳 {len(result.doubts)}"
    )
    return (
        f'<section class="doc" aria-label="{escape(shown.title)}">'
        f'<div class="title"><h2>{escape(shown.title)}</h2><p>{facts}</p></div>'
        f'<ul class="notes" hidden>{notes}</ul>'
        '<table><colgroup><col class="n"><col><col></colgroup><thead><tr><th></th>'
        '<th scope="col">원문</th><th scope="col">비실명 처리한 결과</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _row(number: int, before: str, after: str, part: str) -> str:
    kind = ' class="blank"' if not before else ' class="long"' if len(before) > 2000 else ""
    named = f'<span class="part">{part}</span>' if part and before else ""
    return (
        f'<tr{kind}><th scope="row">{number}{named}</th><td class="original">{before}</td>'
        f'<td class="result">{after}</td></tr>\n'
    )


class _Structure:
    """What each line is in its document, and where a cell ends and the next begins."""

    def __init__(self, result: Deidentified, kinds: Sequence[Kind]) -> None:
        places = result.segments if kinds else ()
        self._starts = [start for start, _ in places]
        self._kinds = kinds
        self._ends_of_cells = {end for _, end in places if result.original[end : end + 1] == "\t"}

    def kind_at(self, offset: int) -> str:
        """Return in Korean what the line is that begins at *offset*, "" for running text."""
        at = bisect_right(self._starts, offset) - 1
        return _PARTS.get(self._kinds[at], "") if at >= 0 else ""

    def html(self, text: str, start: int) -> str:
        """Return as HTML the stretch of text that begins at *start*, the edges of cells drawn."""
        pieces: list[str] = []
        done = at = 0
        while (at := text.find("\t", at)) >= 0:
            if start + at in self._ends_of_cells:
                pieces += (_html(text[done:at]), '<span class="edge">\t</span>')
                done = at + 1
            at += 1
        return "".join([*pieces, _html(text[done:])])


def _lines(
    result: Deidentified, shown: Sequence[Mark], prefix: str, structure: _Structure
) -> Iterator[tuple[int, str, str]]:
    """Yield where each line of the text begins, and the line as HTML, before and after.

    No mark is cut by a line's end.
    """
    at = begun = 0
    pieces: tuple[list[str], list[str]] = ([], [])
    for number, mark in enumerate([*shown, None]):
        stop = mark.start if mark else len(result.original)
        for found in _LINE_END.finditer(result.original, at, stop):
            line = structure.html(result.original[at : found.start()], at)
            _add(pieces, line, line)
            yield begun, "".join(pieces[0]), "".join(pieces[1])
            pieces = ([], [])
            at = begun = found.end()
        rest = structure.html(result.original[at:stop], at)
        _add(pieces, rest, rest)
        if mark:
            before = result.original[mark.start : mark.end]
            after = result.text[mark.new_start : mark.new_end]
            name = f"{prefix}m{number}"
            _add(pieces, _mark(mark, before, f"{name}o"), _mark(mark, after, f"{name}r"))
            at = mark.end
    if any(pieces[0]):
        yield begun, "".join(pieces[0]), "".join(pieces[1])


def _add(pieces: tuple[list[str], list[str]], before: str, after: str) -> None:
    pieces[0].append(before)
    pieces[1].append(after)


def _mark(mark: Mark, text: str, name: str) -> str:
    is_original = name.endswith("o")
    facts = "".join(f' data-{key}="{_html(value)}"' for key, value in mark.facts.items() if value)
    label = _html(", ".join([text, mark.facts["what"], mark.facts.get("doubt", "")]).rstrip(", "))
    return (
        f'<span class="m {" ".join(mark.kinds)}" id="{name}" role="button" '
        f'tabindex="{0 if is_original else -1}" aria-label="{label}" '
        f'title="{_html(_title(mark))}"{facts}>{_html(text)}</span>'
    )


def _title(mark: Mark) -> str:
    """Return what the pointer shows: what the mark is, and how sure if that is in doubt."""
    score = mark.facts.get("score")
    said = [mark.facts["what"]]
    if score and "doubt" in mark.kinds:
        said.append(f"확신 {score}")
    return " · ".join(said)


def _html(text: str) -> str:
    return escape(text.translate(_TO_SHOW))
