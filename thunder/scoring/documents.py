"""Documents to score by, and what a system says of them, each refused where it makes no sense."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from thunder.identifiers.unit import readable_parts
from thunder.scoring import messages as say
from thunder.taxonomy import Taxonomy, profiles
from thunder.taxonomy.gazetteer import below_districts
from thunder.text.spans import IGNORED, Span, replace_spans, require_disjoint

_LISTED = 20
_RULE = "court"
_DISTRICTS = frozenset({"행정시", "행정군", "행정구"})
_IN_ADDRESS = re.compile(
    r"[시군구]?(?: |(?<=[시군구]))[가-힣0-9]{1,8}(?:[읍면동리구]|[0-9로]가|[로길](?= ?[0-9]))"
)


class ScoringError(ValueError):
    """What makes a scoring impossible, a line each, by file, row and document."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - _LISTED
        lines = [*problems[:_LISTED], *([f"… and {more:,} more"] if more > 0 else [])]
        super().__init__("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Gold:
    """A document and what should be masked in it: sorted, disjoint spans in code points.

    ``entities`` says for each span whom or what it mentions: spans that share a key are mentions
    of one. ``written`` is what the court wrote for it, "" where that is not known. Spans
    labelled IGNORED are neither hit nor miss.
    """

    id: str
    case_type: str
    text: str
    spans: tuple[Span, ...]
    entities: tuple[str, ...]
    written: tuple[str, ...]

    def __post_init__(self) -> None:
        require_disjoint(self.spans, length=len(self.text))
        if not len(self.spans) == len(self.entities) == len(self.written):
            raise ValueError("spans, entities and written forms must be as many")

    def with_kept_ignored(self, taxonomy: Taxonomy) -> "Gold":
        """Return the same with IGNORED for what the court rule keeps readable."""
        spans, entities, written = [], [], []
        for span, entity, form in zip(self.spans, self.entities, self.written, strict=True):
            for part in ruled(span, self.text, taxonomy):
                spans.append(part)
                entities.append(entity)
                written.append(form)
        return replace(self, spans=tuple(spans), entities=tuple(entities), written=tuple(written))

    def cut(self, end: int) -> "Gold":
        """Return the first *end* characters; a mention that goes on behind them is cut off, too."""
        kept = [at for at, span in enumerate(self.spans) if span.start < end]
        spans = (self.spans[at] for at in kept)
        return replace(
            self,
            text=self.text[:end],
            spans=tuple(replace(span, end=min(span.end, end)) for span in spans),
            entities=tuple(self.entities[at] for at in kept),
            written=tuple(self.written[at] for at in kept),
        )


def gold_of(
    id: str,
    case_type: str,
    text: str,
    spans: Sequence[Span],
    *,
    entities: Sequence[str] = (),
    written: Sequence[str] = (),
) -> Gold:
    """Return a document to score by; mentions of one label and wording are one entity.

    Unless *entities* (as many as *spans*, "" where unknown) say otherwise. ValueError where
    spans overlap or leave the text.
    """
    ordered = sorted(range(len(spans)), key=lambda at: spans[at])
    keys = list(entities) or [""] * len(spans)
    forms = list(written) or [""] * len(spans)
    if not len(keys) == len(forms) == len(spans):
        raise ValueError("spans, entities and written forms must be as many")
    return Gold(
        id,
        case_type,
        text,
        tuple(spans[at] for at in ordered),
        tuple(keys[at] or _same_wording(spans[at], text) for at in ordered),
        tuple(forms[at] for at in ordered),
    )


def _same_wording(span: Span, text: str) -> str:
    return f"{span.label}\0{text[span.start : span.end]}"


def ruled(span: Span, text: str, taxonomy: Taxonomy) -> list[Span]:
    """Return *span* with IGNORED for what the court rule keeps readable of it.

    That is all of it where its label is kept, where it names a body that stays readable though
    some court hid it (강남|구청장, 나래|경찰서), and where it is the 시·군·구 of an address; of a
    whole address its 시·도 and 시·군·구, its floor, 동 and 호 after numbers, in spans of their own.
    """
    treatment = "" if span.label == IGNORED else taxonomy.label(span.label).treatment
    if span.label in _DISTRICTS and _IN_ADDRESS.match(text, span.end):
        treatment = "keep"
    elif treatment == "letter":
        treatment = profiles.load(_RULE).decide(text, [span], taxonomy)[0].treatment
    if treatment == "keep":
        return [replace(span, label=IGNORED)]
    return list(_parts_of_address(span, text)) if treatment == "address" else [span]


def _parts_of_address(span: Span, text: str) -> Iterator[Span]:
    below = below_districts(text, span.start, span.end)
    kept = [(span.start, below), *readable_parts(text, below, span.end)]
    at = span.start
    for start, end in [*kept, (span.end, span.end)]:
        if any(map(str.isalnum, text[at:start])):
            yield replace(span, start=at, end=start)
        elif at < start:
            yield Span(at, start, IGNORED)
        if start < end:
            yield Span(start, end, IGNORED)
        at = end


class Prediction(NamedTuple):
    """What a system masked in a document.

    ``replacements`` are what it wrote instead, a form a span, none where it did not say;
    ``has_scores`` whether it said how sure it is of each span.
    """

    id: str
    spans: tuple[Span, ...]
    replacements: tuple[str, ...]
    has_scores: bool


class Said(NamedTuple):
    """What a file says of the document a prediction was made for: for checking only."""

    characters: int | None = None
    text: str | None = None


def misfit(prediction: Prediction, said: Said, gold: Gold) -> str:
    """Return why *prediction* was not made for the text of *gold*, "" where it may have been.

    The text of the file is the one that was read, or the one that was written instead.
    """
    length = len(gold.text)
    if said.characters is not None and said.characters != length:
        return say.OTHER_LENGTH(predicted=said.characters, length=length)
    try:
        require_disjoint(prediction.spans, length=length)
    except ValueError as error:
        return str(error)
    if said.text is None or said.text == gold.text:
        return ""
    if not prediction.replacements:
        return say.OTHER_TEXT(predicted=len(said.text), length=length)
    return _misfit_of_masked(prediction, said.text, gold.text)


def _misfit_of_masked(prediction: Prediction, written: str, text: str) -> str:
    form_of = dict(zip(prediction.spans, prediction.replacements, strict=True))
    expected, _ = replace_spans(text, prediction.spans, form_of.__getitem__)
    if written == expected:
        return ""
    return say.OTHER_MASKED_TEXT(written=len(written), expected=len(expected))
