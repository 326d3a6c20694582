"""Proposals for those who teach: contexts that show a name, and what thresholds would have given.

What people decided is compared with what the engine found by itself. A context is proposed where
people masked different names behind the same words in several documents, and where the rule made of
it holds: its own examples, which have invented names, and what it marks in the reviewed judgments.
A person reads each proposal before it is used; nothing learns by itself.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from thunder.bulk.outputs import aside
from thunder.desk.desk import Desk
from thunder.editing.pattern_examples import failing
from thunder.masking.records import Deidentified
from thunder.names.patterns.matching import Matcher
from thunder.names.patterns.rules import Patterns, load
from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.lexicon import PATTERNS
from thunder.text.korean import fold
from thunder.text.spans import Span

LEAST = 3
"""Documents in which people masked something behind the same words."""

LEAST_RIGHT = 0.8
"""Of what the rule would mark in the reviewed judgments, the share that people left masked."""

_BEFORE = re.compile(r"(?<![가-힣])([가-힣]{2,10} )?([가-힣]{2,10}) $")
_INVENTED, _PLAIN = "나래솜", "회사"
_BANDS = 10


class Reviewed(NamedTuple):
    """A released judgment: what the engine made of it alone, and what people left of that."""

    id: str
    alone: Deidentified
    final: Deidentified


@dataclass
class Context:
    """Words behind which people masked; ``right`` of ``marked`` places that the rule would mark."""

    words: str
    label: str
    documents: set[str] = field(default_factory=set)
    wordings: set[str] = field(default_factory=set)
    marked: int = 0
    right: int = 0


class Band(NamedTuple):
    """What was nearly masked, by its probability, and how many of it people masked."""

    low: float
    high: float
    places: int
    masked: int


def reviewed(desk: Desk) -> Iterator[Reviewed]:
    """Yield the released judgments whose originals are there, with and without decisions."""
    for held in desk.store.finished():
        alone = desk.decided(replace(held, decisions=()), profile=held.profile).result
        yield Reviewed(held.id, alone, desk.result(held))


def contexts(documents: Sequence[Reviewed]) -> list[Context]:
    """Return the contexts that hold, those of the most documents first."""
    found: dict[tuple[str, str], Context] = {}
    for one in documents:
        known = _places(one.alone)
        for change in one.final.changes:
            place = change.span.start, change.span.end
            if place in known:
                continue
            for words in _before(one.final, change.span.start):
                context = found.setdefault(
                    (words, change.span.label), Context(words, change.span.label)
                )
                context.documents.add(one.id)
                context.wordings.add(one.final.original[place[0] : place[1]])
    often = [one for one in found.values() if len(one.documents) >= LEAST and len(one.wordings) > 1]
    return sorted(
        (one for one in often if _holds(one, documents)),
        key=lambda one: (-len(one.documents), one.words),
    )


def _places(result: Deidentified) -> set[tuple[int, int]]:
    return {(one.span.start, one.span.end) for one in result.changes}


def _before(result: Deidentified, start: int) -> Iterator[str]:
    """Yield the word, and the two words, before a place: none that is masked itself."""
    match = _BEFORE.search(result.original, max(0, start - 24), start)
    if match is None:
        return
    taken = [(one.span.start, one.span.end) for one in result.changes]

    def is_free(at: int) -> bool:
        return not any(low < start and at < high for low, high in taken)

    if is_free(match.start(2)):
        yield match[2]
        if match[1] and is_free(match.start(1)):
            yield f"{match[1]}{match[2]}"


def _holds(one: Context, documents: Sequence[Reviewed]) -> bool:
    """Count what the rule of *one* would mark in *documents*; return whether it is proposed."""
    made = _working([one])
    if made is None:
        return False
    matcher = Matcher([made.described[0].rule])
    for document in documents:
        places = _places(document.final)
        folded = fold(document.final.original)
        for match in matcher.find(folded.text):
            at = folded.original(Span(match.mention.start, match.mention.end, one.label))
            one.marked += 1
            one.right += any(low <= at.start and at.end <= high for low, high in places)
    return one.marked > 0 and one.right / one.marked >= LEAST_RIGHT


def rules(found: Iterable[Context]) -> str:
    """Return the file of rules of *found*, as ``thunder patterns check`` reads it."""
    ids = {label.ko: f"{label.id} {label.ko}" for label in load_taxonomy()}
    lines = ["# 사람의 결정에서 나온 제안입니다. 읽고 고친 뒤에 쓰십시오.", "", "rules:"]
    for number, one in enumerate(found, 1):
        why = f"사람이 {len(one.documents)}건에서 가림; {one.marked}곳 가운데 {one.right}곳이 맞음"
        lines += [
            f"  - id: proposed-{number}",
            f'    find: "{one.words} [X:name]"',
            f"    reason: {why}",
            f"    label: {ids[one.label]}",
            "    score: 0.7",
            "    where: {X: [proper]}",
            f'    examples: ["{one.words} [{_INVENTED}]에 갔다"]',
            f'    near_misses: ["{one.words} {_PLAIN}에 갔다"]',
            "",
        ]
    return "\n".join(lines)


def _working(found: list[Context]) -> Patterns | None:
    """Return the rules of *found* if they read and hold by their own examples."""
    with TemporaryDirectory() as folder:
        write(found, Path(folder))
        try:
            made = load(Path(folder))
        except YamlFileError:
            return None
        return None if list(failing(made)) else made


def write(found: list[Context], folder: Path) -> None:
    """Write the rules of *found* into *folder*, with the word lists that they may ask for."""
    for name in ("classes.yaml", "signs.yaml"):
        _write(folder / name, in_taxonomy(PATTERNS, name).read_bytes())
    _write(folder / "proposed.yaml", rules(found).encode())


def _write(path: Path, content: bytes) -> None:
    with aside(path, private=True) as out:
        out.write(content)


def bands(documents: Iterable[Reviewed]) -> list[Band]:
    """Return by probability how much of what was nearly masked (``near``) people masked."""
    counted: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for one in documents:
        places = _places(one.final)
        for doubt in one.alone.doubts:
            if doubt.kind != "near" or doubt.score is None:
                continue
            band = counted[min(int(doubt.score * _BANDS), _BANDS - 1)]
            band[0] += 1
            band[1] += any(low < doubt.end and doubt.start < high for low, high in places)
    return [
        Band(at / _BANDS, (at + 1) / _BANDS, places, masked)
        for at, (places, masked) in sorted(counted.items(), reverse=True)
    ]


def gold(one: Reviewed) -> dict[str, Any]:
    """Return a judgment as ``thunder evaluate`` takes it to score by."""
    return {
        "id": one.id,
        "case_type": "",
        "text": one.final.original,
        "entities": [
            {"start": change.span.start, "end": change.span.end, "label": change.span.label}
            for change in one.final.changes
        ],
    }


def as_line(content: dict[str, Any]) -> bytes:
    """Return a line of JSON."""
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"
