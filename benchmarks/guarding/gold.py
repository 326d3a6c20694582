"""Judgments of a part filled, with their gold, and figures by it: by the code of one old commit.

``guard.py`` runs this in the environment of that commit, never of one that is looked at: what is
asked and how it is counted stay the same. Fact sections are those annotated by hand; whole
judgments are drawn and marked as ``finetune/ship.sh`` does, so that the development part is the
one that the shipped tagger had. What it imports stands where that commit had it.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FILLINGS = 3
WHOLE = 5600  # drawn, as ship.sh does; a tenth is the part


def main() -> None:
    arguments = _arguments()
    if arguments.outputs:
        print(json.dumps(figures(arguments.gold, arguments.outputs)))
    else:
        build(
            arguments.gold, arguments.kind, root=arguments.root, part=arguments.part,
            annotated=arguments.annotated, whole=arguments.whole,
        )  # fmt: skip


def build(
    target: Path, kind: str, *, root: Path, part: str, annotated: Path, whole: Sequence[Path]
) -> None:
    """Write the documents of the part, filled *FILLINGS* times, with their gold by the rule."""
    from thunder.tagger_sources import Way

    from thunder import evaluating, taxonomy

    work = target.with_suffix("")
    work.mkdir(exist_ok=True)
    source = _marked(work, whole, root=root) if kind == "whole" else annotated
    tokenizer = ["--tokenizer", root / "tokenizer/32k"]
    dataset = work / "dataset"
    _run("-m", "thunder", "dataset", "build", source, *tokenizer, "--output", dataset, *_WORKERS)
    way = Way(taxonomy.load())
    filled = evaluating.fillings(dataset, way, part=part, number=FILLINGS)
    aside = target.with_suffix(".new")
    with aside.open("w") as output:
        for number, golds in enumerate(filled):
            for one in golds:
                spans = one.with_kept_ignored(way.taxonomy).spans
                row = {"id": f"{one.id}#{number}", "text": one.text, "filling": number}
                row["gold"] = [[span.start, span.end, span.label] for span in spans]
                output.write(json.dumps(row) + "\n")
    aside.replace(target)


def _marked(work: Path, files: Sequence[Path], *, root: Path) -> Path:
    """Return a file of whole judgments whose placeholders are marked."""
    drawn, marked = work / "drawn.jsonl", work / "marked.jsonl"
    _run(root / "finetune/draw.py", *files, "--number", WHOLE, "--output", drawn)
    command = ["annotation", "placeholders", drawn, "-o", marked, "--companies", "--force"]
    _run("-m", "thunder", *command, *_WORKERS)
    return marked


_WORKERS = ("--workers", 2)  # they change no byte


def _run(*command: object) -> None:
    subprocess.run(
        [sys.executable, "-I", *map(str, command)], check=True, stdout=subprocess.DEVNULL
    )


def figures(gold: Path, outputs: Sequence[Path]) -> list[dict[str, Any]]:
    """Return for each of *outputs* what its spans are worth by *gold*, over the same documents."""
    with gold.open() as lines:
        rows = {row["id"]: row for row in map(json.loads, lines)}
    return [_figures(rows, output) for output in outputs]


def _figures(rows: dict[str, Any], output: Path) -> dict[str, Any]:
    from thunder.spans import Span

    from thunder.scoring import Scored, measure

    scored = []
    with output.open() as lines:
        for found in map(json.loads, lines):
            row = rows[found["id"]]
            masked = tuple(Span(*one[:3]) for one in found.get("spans", []))
            wanted = tuple(Span(*one) for one in row["gold"])
            scored.append(Scored(len(row["text"]), wanted, masked))
    report = measure(scored)
    mentions = report.all_mentions
    return {
        "precision": report.binary.precision,
        "recall": report.binary.recall,
        "label F1": report.typed.f1,
        "mentions whole": mentions.whole / max(1, mentions.number),
        "documents without a leak": report.clean,
        "of documents": report.documents,
        "characters missed": report.binary.missed,
        "characters beside": report.binary.extra,
    }


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("outputs", nargs="*", type=Path, help="answers to be measured")
    arguments.add_argument("--kind", choices=("facts", "whole"))
    arguments.add_argument("--root", type=Path)
    arguments.add_argument("--part", default="dev")
    arguments.add_argument("--annotated", type=Path)
    arguments.add_argument("--whole", type=Path, nargs="+", default=[])
    return arguments.parse_args()


if __name__ == "__main__":
    main()
