"""From decisions to a result, and what still stands against its release."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from thunder.masking.checks import is_hard
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.doubts import Doubt
from thunder.masking.known import Known, Name
from thunder.masking.leaks import wordings
from thunder.masking.records import Deidentified, Document
from thunder.masking.wordings import key_of
from thunder.text.korean import fold
from thunder.text.spans import Span

Content = Mapping[str, Any]
"""One decision as it is stored: its ``kind`` and what that kind needs (``KINDS``)."""

KINDS: Mapping[str, Mapping[str, type]] = {
    "mask": {"wording": str, "label": str},
    "open": {"wording": str},
    "mask place": {"start": int, "end": int, "label": str},
    "open place": {"start": int, "end": int},
    "edge": {"wording": str, "old": str, "label": str},
    "join": {"wordings": list},
    "letter": {"wording": str, "letter": str},
    "answer": {"check": str, "wording": str},
    "note": {"text": str},
    "read": {"start": int, "end": int},
}
MOST_CHARACTERS = 2000
"""Of a wording or a note."""

LEVEL = 0.2
"""What is not masked has to be answered where it is something to mask with this probability."""


class Refused(ValueError):
    """A decision that cannot be taken; the message says why and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt that a person may have answered: ``is_open`` until then."""

    doubt: Doubt
    wording: str = field(repr=False)
    is_open: bool
    must_be_answered: bool

    @property
    def rank(self) -> tuple[bool, bool, tuple[bool, float, int]]:
        """Sorts what has to be answered before the rest, hard checks first of all."""
        return not self.must_be_answered, not is_hard(self.doubt), self.doubt.rank


@dataclass(frozen=True, slots=True)
class Review:
    """A result with its questions, and the readable places of masked wordings."""

    result: Deidentified
    questions: tuple[Question, ...]
    leaks: int

    def with_questions(self, more: Sequence[Question]) -> "Review":
        """Return the same with *more* questions, in their order."""
        questions = sorted((*self.questions, *more), key=lambda one: one.rank)
        return replace(self, questions=tuple(questions))

    @property
    def open_questions(self) -> list[Question]:
        """What has to be answered before release, and is not yet."""
        return [one for one in self.questions if one.is_open and one.must_be_answered]

    @property
    def may_be_released(self) -> bool:
        """Whether nothing stands against it but a person's reading."""
        return not self.open_questions and not self.leaks


def require_valid(content: Content, *, length: int, labels: frozenset[str]) -> None:
    """Return nothing; Refused unless *content* is a decision about a text of *length*."""
    kind = content.get("kind")
    needs = KINDS.get(kind) if isinstance(kind, str) else None
    if needs is None or set(content) - {"kind", "said"} != set(needs):
        raise Refused("no such decision")
    for key, value in content.items():
        if key in needs and (not isinstance(value, needs[key]) or isinstance(value, bool)):
            raise Refused(f"'{key}' is of another kind")
        texts = value if isinstance(value, list) else [value]
        for text in texts:
            if isinstance(text, int) and key in ("start", "end"):
                continue
            if not isinstance(text, str) or not text.strip() or len(text) > MOST_CHARACTERS:
                raise Refused(f"'{key}' is empty or too long")
    if "start" in content and not 0 <= content["start"] < content["end"] <= length:
        raise Refused("the place is not in the text")
    if "label" in content and content["label"] not in labels:
        raise Refused("no such label")
    if kind == "join" and len(set(content["wordings"])) < 2:
        raise Refused("two wordings are needed to be one")
    if kind == "edge" and not _offset(content["wording"], content["old"]):
        raise Refused("a wording is made wider or cut, not replaced")
    if kind == "letter" and not (content["letter"].isascii() and content["letter"].isupper()):
        raise Refused("a letter is A, B … AA")
    wordings_given = [content.get("wording"), *content.get("wordings", ())]
    if kind != "answer" and any(
        one is not None and not key_of(fold(one).text) for one in wordings_given
    ):
        raise Refused("a wording needs a letter or a figure")


def _offset(new: str, old: str) -> tuple[int, int] | None:
    """Return what *new* has before and after *old* (less than 0: cut off); None for another."""
    if old in new:
        at = new.index(old)
        return at, len(new) - len(old) - at
    if new in old:
        at = old.index(new)
        return -at, len(new) + at - len(old)
    return None


def placed(contents: Sequence[Content], text: str) -> Iterator[Content]:
    """Yield *contents*, new edges of a wording as decisions about each of its places in *text*."""
    for one in contents:
        if one["kind"] != "edge":
            yield one
            continue
        before, after = _offset(one["wording"], one["old"]) or (0, 0)
        for at in _places(text, one["old"]):
            end = at + len(one["old"])
            if text[at - before : end + after] != one["wording"]:
                continue
            yield {
                "kind": "mask place",
                "start": at - before,
                "end": end + after,
                "label": one["label"],
            }
            if before < 0:
                yield {"kind": "open place", "start": at, "end": at - before}
            if after < 0:
                yield {"kind": "open place", "start": end + after, "end": end}


def known_of(contents: Sequence[Content]) -> Known:
    """Return what is decided; of decisions that contradict each other the later one holds."""
    by_wording: dict[str, Content] = {}
    places: list[Content] = []
    same: list[tuple[str, ...]] = []
    letters: dict[str, str] = {}
    for one in contents:
        kind = one["kind"]
        if kind in ("mask", "open"):
            by_wording.pop(one["wording"], None)
            by_wording[one["wording"]] = one
        elif kind in ("mask place", "open place"):
            places = [other for other in places if not _overlap(one, other)]
            places.append(one)
        elif kind == "join":
            same.append(tuple(one["wordings"]))
        elif kind == "letter":
            letters[one["wording"]] = one["letter"]
    return Known(
        names=tuple(
            Name((wording,), one["label"])
            for wording, one in by_wording.items()
            if one["kind"] == "mask"
        ),
        kept=tuple(wording for wording, one in by_wording.items() if one["kind"] == "open"),
        masked=tuple(
            sorted(
                Span(one["start"], one["end"], one["label"])
                for one in places
                if one["kind"] == "mask place"
            )
        ),
        readable=tuple(
            sorted((one["start"], one["end"]) for one in places if one["kind"] == "open place")
        ),
        same=tuple(same),
        letters=letters,
    )


def _overlap(one: Content, other: Content) -> bool:
    return bool(one["start"] < other["end"] and other["start"] < one["end"])


def review(
    text: str,
    segments: Sequence[tuple[int, int]],
    contents: Sequence[Content],
    deidentifier: Deidentifier,
) -> Review:
    """Return *text* de-identified as *contents* decide, and what is left to be answered.

    *deidentifier* is one with ``checks``. Letters are given out again from the beginning.
    """
    document = Document(text, "", tuple(segments), known_of(list(placed(contents, text))))
    return reviewed(deidentifier.deidentify(document), contents)


def reviewed(result: Deidentified, contents: Sequence[Content] = ()) -> Review:
    """Return *result*, made by *contents*, with what is left to be answered."""
    answered = {
        (one["check"], key_of(fold(one["wording"]).text))
        for one in contents
        if one["kind"] == "answer"
    }
    questions = [_question(doubt, result, answered) for doubt in result.doubts]
    return Review(result, tuple(sorted(questions, key=lambda one: one.rank)), _leaks(result))


def _question(doubt: Doubt, result: Deidentified, answered: set[tuple[str, str]]) -> Question:
    wording = result.original[doubt.start : doubt.end]
    is_open = (doubt.kind, key_of(fold(wording).text)) not in answered
    must = is_hard(doubt) or doubt.kind == "scene"
    must = must or (doubt.kind == "near" and (doubt.score or 0) >= LEVEL)
    return Question(doubt, wording, is_open, must)


def _leaks(result: Deidentified) -> int:
    """Return how many readable places have a masked wording that nothing decided to keep there."""
    covered = bytearray(len(result.original))
    for change in result.changes:
        covered[change.span.start : change.span.end] = b"\1" * len(change.span)
    for kept in result.kept:
        covered[kept.span.start : kept.span.end] = b"\1" * len(kept.span)
    return sum(
        not any(covered[at : at + len(wording)])
        for wording in wordings(result)
        for at in _places(result.original, wording)
    )


def _places(text: str, wording: str) -> list[int]:
    found, at = [], text.find(wording)
    while at >= 0:
        found.append(at)
        at = text.find(wording, at + 1)
    return found
