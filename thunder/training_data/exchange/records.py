"""Documents on their way to and from the annotators' tools, and what is wrong with them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from thunder.taxonomy import Taxonomy
from thunder.text.korean import require_encodable
from thunder.text.spans import Span
from thunder.training_data import messages as say
from thunder.training_data.annotation import Annotated, serialise
from thunder.training_data.exchange.anchoring import Found, Unit, anchor, same_but_for_breaks

_UNSAFE = re.compile(r"[^\w.-]|^\.")
_CODED = re.compile("=([0-9A-F]{2})")
_LONGEST = 180
_SHOWN = 40


class Problem(NamedTuple):
    """Why something did not pass: document, offsets as the tool gave them, label, reason.

    Never a mention. Offsets are None where the whole document is meant.
    """

    document: str
    start: int | None
    end: int | None
    label: str
    reason: str

    def __str__(self) -> str:
        place = "" if self.start is None else f" {self.start}:{self.end}"
        label = self.label if len(self.label) <= _SHOWN else f"{self.label[:_SHOWN]}…"
        return f"{self.document}:{place}{' ' if label else ''}{label} {self.reason}"


@dataclass(frozen=True, slots=True)
class Exported:
    """A document as a tool exported it; ``text`` is None where the export does not hold it whole.

    ``checks`` are words with their offsets, which help to find the unit; ``documented`` is the
    unit the tool says it counts in; ``problems`` are reasons known already; ``notes`` say what
    our form has no place for.
    """

    id: str
    text: str | None = None
    found: tuple[Found, ...] = ()
    checks: tuple[Found, ...] = ()
    documented: Unit | None = None
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """A document read back: what is sure of it, None if nothing is, and what is wrong with it.

    A document with problems is to be held back: its annotations are not complete.
    """

    id: str
    annotated: Annotated | None
    problems: tuple[Problem, ...] = ()
    unknown: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()


def whole(document: str, reason: str) -> Problem:
    """Return a problem of the whole document."""
    return Problem(document, None, None, "", reason)


def settle(
    exported: Exported,
    taxonomy: Taxonomy,
    *,
    unit: Unit | None = None,
    originals: Mapping[str, str] | None = None,
) -> Imported:
    """Return the document with its annotations anchored in the text.

    The text is that of *originals* where given: the tool's may differ from it in line breaks
    alone. With a *unit* offsets are read in it and nothing is found out.
    """
    name = exported.id
    damage = _damage("".join((name, exported.text or "", *(one.label for one in exported.found))))
    if damage:
        name = name.encode(errors="replace").decode()
        return Imported(name, None, (whole(name, damage),))
    text, problems = _text(exported, originals)
    if text is None:
        return Imported(name, None, (*exported.problems, *problems), (), exported.notes)
    checked = (*exported.checks, *exported.found)
    documented = None if unit else exported.documented
    anchored = anchor(text, checked, documented=documented, units=(unit,) if unit else tuple(Unit))
    placed = list(zip(checked, anchored.places, strict=True))
    problems += [
        Problem(name, one.start, one.end, one.label, place)
        for one, place in placed
        if isinstance(place, str)
    ]
    spans = sorted(
        Span(*place, one.label)
        for one, place in placed[len(exported.checks) :]
        if not isinstance(place, str)
    )
    overlapping = _overlaps(name, spans)
    unknown = tuple(
        Problem(name, span.start, span.end, span.label, say.NO_LABEL())
        for span in spans
        if not taxonomy.knows(span.label)
    )
    all_problems = (*exported.problems, *problems, *overlapping)
    if overlapping:
        return Imported(name, None, all_problems, unknown, exported.notes)
    annotated = Annotated(text, tuple(spans))
    refused = _unwritable(annotated)
    if refused:
        return Imported(name, None, (*all_problems, whole(name, refused)), unknown, exported.notes)
    return Imported(name, annotated, all_problems, unknown, exported.notes)


def file_name(identifier: str) -> str:
    """Return *identifier* as the stem of a file, from which ``identifier_of`` gives it back.

    ValueError if it is empty or too long.
    """
    name = _UNSAFE.sub(lambda match: _code(match[0]), identifier)
    if not 0 < len(name.encode()) <= _LONGEST:
        raise ValueError(f"the id gives no file name of 1 to {_LONGEST} bytes")
    return name


def identifier_of(stem: str) -> str:
    """Return the id for which a file was named; a name of another's making is the id itself."""
    coded = re.split(r"((?:=[0-9A-F]{2})+)", stem)
    try:
        parts = [
            bytes.fromhex(part.replace("=", "")).decode() if _CODED.match(part) else part
            for part in coded
        ]
    except UnicodeDecodeError:
        return stem
    return "".join(parts)


def _code(char: str) -> str:
    return "".join(f"={byte:02X}" for byte in char.encode())


def _text(
    exported: Exported, originals: Mapping[str, str] | None
) -> tuple[str | None, list[Problem]]:
    if exported.text is None and exported.problems:
        return None, []  # it could not be read: no annotations are known
    if originals is None:
        if exported.text is None:
            reason = "the export does not hold the whole text: give the file with --originals"
            return None, [whole(exported.id, reason)]
        return exported.text, []
    if exported.id not in originals:
        return None, [whole(exported.id, "is not in the file of the originals")]
    original = originals[exported.id]
    if exported.text is not None and not same_but_for_breaks(exported.text, original):
        return None, [whole(exported.id, "the tool's text is not the original's")]
    return original, []


def _overlaps(name: str, spans: list[Span]) -> list[Problem]:
    problems: list[Problem] = []
    last: Span | None = None
    for span in spans:
        if last is not None and span.start < last.end:
            reason = f"overlaps {last.label[:_SHOWN]} at {last.start}:{last.end} of the text"
            problems.append(Problem(name, span.start, span.end, span.label, reason))
        last = span if last is None or span.end > last.end else last
    return problems


def _unwritable(annotated: Annotated) -> str:
    """Return why our own form cannot hold the document, "" if it can."""
    try:
        serialise(annotated)
    except ValueError as error:
        return str(error)
    return ""


def _damage(text: str) -> str:
    """Return why no file can hold *text*, "" if one can."""
    try:
        require_encodable(text)
    except ValueError as error:
        return str(error)
    return ""
