"""What a language model wrote, read: one JSON object, whose marks are whole and hold no names.

``<<<label>>>A<<</label>>>`` marks what the lists will fill; ``<<<유지:kind>>>가<<</유지:kind>>>``
what stays readable. A reason is a word of ``REASONS``, and never a word of the text.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated, AnnotationError, parse

KEPT = "유지:"
REASONS: Mapping[str, str] = {
    "cut off": "the server cut the answer off (finish_reason is not stop)",
    "no json": "the answer is no JSON object of the form asked for",
    "control": "the text holds control characters or lone surrogates",
    "short": "the text has less than a third of the length asked for",
    "marks": "marks are unbalanced, nested, crossed, loose or around nothing",
    "label": "a mark has a label that was not allowed",
    "placeholder": "a mark holds something else than a placeholder",
    "wanted": "a label that was asked for is missing",
    "lost": "a mark of the round before is gone, or became another",
    "outside": "a name, number or address stands outside the marks",
}
_LETTERS = re.compile(r"[A-Z]{1,2}")
_SYLLABLE = re.compile(r"[가-힣]")

Finder = Callable[[str], list[Span]]
"""Returns what of a text would be masked."""


class Dropped(ValueError):
    """An answer that is not taken; its text is a reason of ``REASONS``."""


def fields(answer: str, finish: str, *, required: Mapping[str, type]) -> dict[str, Any]:
    """Return the object that *answer* is; its texts are NFC. Dropped where it is none."""
    if finish != "stop":
        raise Dropped("cut off")
    try:
        found = json.loads(answer, strict=False)
    except (ValueError, RecursionError):
        raise Dropped("no json") from None
    if not isinstance(found, dict) or found.keys() != required.keys():
        raise Dropped("no json")
    if not all(isinstance(found[name], kind) and found[name] for name, kind in required.items()):
        raise Dropped("no json")
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        if not all(isinstance(one, str) and one.strip() for one in value):
            raise Dropped("no json")
        return [_plain(one) for one in value]
    if not isinstance(value, str):
        return value
    text = unicodedata.normalize("NFC", value.replace("\r\n", "\n")).strip()
    if any(unicodedata.category(one) in {"Cc", "Cs", "Co"} and one not in "\n\t" for one in text):
        raise Dropped("control")
    return text


def unmarked(text: str, *, length: int, find: Finder) -> str:
    """Return a draft that holds no marks and nothing to be masked; Dropped else."""
    return checked(text, allowed=(), wanted=(), length=length, find=find).text


def checked(
    text: str,
    *,
    allowed: Collection[str],
    wanted: Collection[str],
    length: int,
    find: Finder,
    before: Annotated | None = None,
) -> Annotated:
    """Return the text and marks that *text* has; Dropped where they are not as asked for.

    *allowed* are labels and kinds (with ``유지:``), *wanted* those that must be there, *before* the
    text of the round before, all of whose marks must still be there.
    """
    found = read(text)
    if 3 * len(found.text) < length:
        raise Dropped("short")
    labels = {span.label for span in found.spans}
    if labels - set(allowed):
        raise Dropped("label")
    if not all(_is_placeholder(found, span) for span in found.spans):
        raise Dropped("placeholder")
    if set(wanted) - labels:
        raise Dropped("wanted")
    if before is not None and counted(before) - counted(found):
        raise Dropped("lost")
    marked = [(span.start, span.end) for span in found.spans]
    if any(not _within(span, marked) for span in find(found.text)):
        raise Dropped("outside")
    return found


def read(text: str) -> Annotated:
    """Return a text and its marks, whatever they are; Dropped where they are broken."""
    try:
        return parse(text)
    except AnnotationError:
        raise Dropped("marks") from None


def counted(annotated: Annotated) -> Counter[tuple[str, str]]:
    """Return how often each placeholder is marked by each label."""
    text = annotated.text
    return Counter((span.label, text[span.start : span.end]) for span in annotated.spans)


def _is_placeholder(found: Annotated, span: Span) -> bool:
    form = _SYLLABLE if span.label.startswith(KEPT) else _LETTERS
    return form.fullmatch(found.text, span.start, span.end) is not None


def _within(span: Span, marked: Collection[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in marked)
