"""What is masked beside the gold of whole judgments, and what people who read it said.

A machine marked the courts' own placeholders in those judgments; what the courts left readable,
a firm's real name or a village, it did not. So a mask beside the gold may be needless, or right.

``python benchmarks/readings.py list DATASET SYSTEM --limit 60 > read.tsv`` writes a line for each
wording that a system masks beside the gold and nobody has judged yet, in its context. Write into
the first column what a reader says, ``name`` (it tells of somebody and has to go) or ``nothing``,
and add it with ``python benchmarks/readings.py take read.tsv``. ``read.tsv`` quotes judgments: keep
it to yourself. ``readings.tsv`` holds keyed hashes of wordings. ``benchmarks/taggers.py --whole``
then counts what was judged a name neither way; everything else beside the gold is needless.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import _environment  # noqa: F401

from thunder import taxonomy
from thunder.scoring.documents import Gold
from thunder.scoring.verdicts import NAME, NOTHING, hash_of, parts_beside, read, write
from thunder.text.spans import IGNORED, Span
from thunder.training.evaluating import evaluating
from thunder.training.evaluating.tagger_sources import Way

FILE = Path(__file__).with_name("readings.tsv")
_AROUND = 40


def known() -> dict[tuple[str, str], str]:
    """Return the verdicts so far, by the judgment's id and the wording's hash."""
    return read(FILE) if FILE.is_file() else {}


def corrected(gold: Gold, masked: Iterable[Sequence[Span]]) -> Gold:
    """Return *gold* with IGNORED for what some of *masked* cover and a reader called a name."""
    verdicts = known()
    free = sorted(
        part
        for spans in masked
        for part in parts_beside(gold, spans)
        if verdicts.get((gold.id, hash_of(gold, part))) == NAME
    )
    for span in free:
        gold = _with_ignored(gold, span)
    return gold


def _with_ignored(gold: Gold, span: Span) -> Gold:
    if any(span.start < one.end and one.start < span.end for one in gold.spans):
        return gold  # another system's mask of the same place is in already
    at = sum(one.start < span.start for one in gold.spans)
    new = replace(span, label=IGNORED)
    return replace(
        gold,
        spans=(*gold.spans[:at], new, *gold.spans[at:]),
        entities=(*gold.entities[:at], "", *gold.entities[at:]),
        written=(*gold.written[:at], "", *gold.written[at:]),
    )


def main() -> None:
    arguments = _arguments()
    if arguments.action == "take":
        _take(arguments.source)
        return
    way = Way(taxonomy.load(), device=None)
    everything = evaluating.fillings(arguments.source, way, part=arguments.part, number=1)
    (golds,) = evaluating.few(everything, arguments.limit)
    wanted = {"it": [arguments.system]}
    filling = evaluating.ask(golds, wanted, way, say=lambda line: print(line, file=sys.stderr))
    masked = filling.answers["it"][arguments.system].by_rule
    out = csv.writer(sys.stdout, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None)
    out.writerow(("verdict", "judgment", "wording", "label", "times", "context"))
    verdicts = known()
    for gold in golds:
        ruled = gold.with_kept_ignored(way.taxonomy)
        times: dict[str, int] = {}
        first: dict[str, Span] = {}
        for part in parts_beside(ruled, masked[gold.id].spans):
            hashed = hash_of(gold, part)
            times[hashed] = times.get(hashed, 0) + 1
            first.setdefault(hashed, part)
        for hashed, part in first.items():
            if (gold.id, hashed) not in verdicts:
                out.writerow(
                    ("", gold.id, hashed, part.label, times[hashed], _context(gold.text, part))
                )


def _context(text: str, span: Span) -> str:
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    shown = f"{before}⟦{text[span.start : span.end]}⟧{after}"
    return " ".join(shown.split())


def _take(path: Path) -> None:
    """Add the verdicts of *path* to FILE; a line without one is left."""
    verdicts = known()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for number, row in enumerate(rows, 2):
            said = row["verdict"].strip()
            if said and said not in (NAME, NOTHING):
                sys.exit(f"{path}:{number}: '{said}' is neither '{NAME}' nor '{NOTHING}'")
            if said:
                verdicts[row["judgment"], row["wording"]] = said
    write(FILE, verdicts)
    print(f"{FILE}: {len(verdicts)} wordings judged")


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("action", choices=("list", "take"))
    arguments.add_argument("source", type=Path, help="a dataset of whole judgments; read.tsv")
    arguments.add_argument("system", nargs="?", default="deid", help="'deid:TAGGER', as evaluated")
    arguments.add_argument("--part", choices=("dev", "test"), default="test")
    arguments.add_argument("--limit", type=int, default=0, help="so many documents, spread")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
