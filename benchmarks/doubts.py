"""What the list of doubts shows of the leaks that remain, and whether its probabilities hold.

    python benchmarks/doubts.py DATASET [--model mini-free] [--part test] [--fillings 1]

DATASET is a folder made by ``thunder dataset build``; its part is filled, de-identified, and each
mention of which a letter or digit stays readable is a leak. Prints how many of them the list as it
ships shows (rows, one a wording, for 10,000 characters), how many the first 5, 9, 20 and 40 rows
for 10,000 characters would (over all documents, by the probability alone), and the expected
calibration error of each kind: of masks, and of readable candidates, all and near the threshold
(those of .02 to .98). In brackets: of how many, and what the error would be on average if every
probability held exactly (so few fall beside their probability by chance alone; ``CHANCES`` draws).
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401

from thunder import taxonomy
from thunder.masking.deidentify import Mentioned, decided, mentioned_in
from thunder.masking.doubts import scorecard_of
from thunder.masking.records import Document
from thunder.mentions.candidates import KINDS
from thunder.mentions.scorecard import Scorecard
from thunder.scoring.calibration import Point, expected_error, reliability
from thunder.scoring.documents import Gold
from thunder.tagger.chosen_tagger import RULES_ALONE, RulesAlone, choose
from thunder.tagger.tagger import Tagger
from thunder.taxonomy import Taxonomy
from thunder.text.spans import IGNORED
from thunder.training.evaluating.evaluating import fillings
from thunder.training.evaluating.tagger_sources import Way
from thunder.training.scorecards import Example, examples_of

RATES = (5, 9, 20, 40)
NEAR = (0.02, 0.98)
CHANCES = 200


class Read(NamedTuple):
    """A document: its length, its leaks, the rows that show them, and its candidates."""

    characters: int
    leaks: tuple[tuple[int, int], ...]
    rows: tuple[tuple[tuple[int, int], ...], ...]
    candidates: tuple[tuple[float, Example], ...]

    def shown(self, rows: Sequence[Sequence[tuple[int, int]]]) -> int:
        """Return how many leaks one of *rows* touches."""
        return sum(
            any(start < last and first < end for row in rows for first, last in row)
            for start, end in self.leaks
        )


def read(golds: Sequence[Gold], tagger: "Tagger | RulesAlone", known: Taxonomy) -> Iterator[Read]:
    """Yield each of *golds* as it comes out."""
    card = scorecard_of(tagger)
    documents = [Document(gold.text, gold.id) for gold in golds]
    for gold, (document, found) in zip(golds, mentioned_in(documents, tagger), strict=True):
        yield _read(gold.with_kept_ignored(known), document, found, card, known)


def _read(
    gold: Gold, document: Document, found: Mentioned, card: Scorecard | None, known: Taxonomy
) -> Read:
    result = decided(document, found)
    masked = bytearray(len(gold.text))
    for change in result.changes:
        masked[change.span.start : change.span.end] = b"\1" * len(change.span)
    leaks = tuple(
        (span.start, span.end)
        for span in gold.spans
        if span.label != IGNORED
        and any(gold.text[at].isalnum() and not masked[at] for at in range(span.start, span.end))
    )
    rows = tuple(
        ((one.start, one.end), *one.places) for one in result.doubts if one.kind != "unsure"
    )
    candidates = tuple(
        (card.probability(one.candidate) if card else 0.0, one)
        for one in examples_of(gold, document, found, known)
    )
    return Read(len(gold.text), leaks, rows, candidates)


def _curve(found: Sequence[Read]) -> Iterator[tuple[float, float]]:
    """Yield for each rate the share of all leaks that the likeliest wordings show."""
    total = sum(len(one.leaks) for one in found)
    ranked = sorted(
        (
            (chance, number, example.places)
            for number, one in enumerate(found)
            for chance, example in one.candidates
            if not example.candidate.is_masked
        ),
        key=lambda row: -row[0],
    )
    for rate in RATES:
        most = rate * sum(one.characters for one in found) // 10_000
        rows: dict[int, list[Sequence[tuple[int, int]]]] = {}
        for _, number, places in ranked[:most]:
            rows.setdefault(number, []).append(places)
        yield rate, sum(found[n].shown(some) for n, some in rows.items()) / max(1, total)


def _error(rows: Sequence[tuple[float, Example]]) -> str:
    chances = [chance for chance, _ in rows]
    draws = random.Random(0)
    by_chance = (
        _error_of(chances, [draws.random() < one for one in chances]) for _ in range(CHANCES)
    )
    floor = sum(by_chance) / CHANCES
    found = _error_of(chances, [one.is_mention for _, one in rows])
    return f"{found:.3f} ({len(rows):,}; {floor:.3f})"


def _error_of(chances: Sequence[float], came: Sequence[bool]) -> float:
    points = [Point(chance, one, one) for chance, one in zip(chances, came, strict=True)]
    return expected_error(reliability(points), strict=False)


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    known = taxonomy.load()
    chosen = choose(arguments.model)
    tagger = chosen.load() if chosen else RULES_ALONE
    way = Way(known)
    golds = [
        gold
        for some in fillings(arguments.dataset, way, part=arguments.part, number=arguments.fillings)
        for gold in some[: arguments.limit or None]
    ]
    found = list(read(golds, tagger, known))
    characters = sum(one.characters for one in found)
    leaks = sum(len(one.leaks) for one in found)
    rows = sum(len(one.rows) for one in found)
    shown = sum(one.shown(one.rows) for one in found)
    print(f"{len(found):,} documents, {characters:,} characters, {leaks:,} leaks\n")
    print("| rows for 10,000 characters | of the leaks |\n|---:|---:|")
    print(f"| the list, {1e4 * rows / max(1, characters):.1f} | {shown / max(1, leaks):.1%} |")
    for rate, share in _curve(found):
        print(f"| {rate} | {share:.1%} |")
    print("\nExpected calibration error (of so many candidates; of a card that holds exactly):\n")
    print("| kind | masks | readable | readable, near |\n|---|---:|---:|---:|")
    for kind in KINDS:
        own = [row for one in found for row in one.candidates if row[1].candidate.kind == kind]
        masks = [row for row in own if row[1].candidate.is_masked]
        readable = [row for row in own if not row[1].candidate.is_masked]
        near = [row for row in readable if NEAR[0] <= row[0] <= NEAR[1]]
        print(f"| {kind} | {_error(masks)} | {_error(readable)} | {_error(near)} |")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--model", default="mini-cc-by-nc-sa-4.0")
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--fillings", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="only so many documents a filling")
    return parser.parse_args()


if __name__ == "__main__":
    main()
