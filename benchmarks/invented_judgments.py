"""What is left readable of whole invented judgments, and what is masked beside their marks.

    python benchmarks/invented_judgments.py [--way tagger|rules|FOLDER] [FOLDER…] [--show]

Prints a row for each folder of ``tests/data/judgments`` (its README says how they are marked): how
many marked stretches there are, of how many no letter or digit is masked, of how many marks of
what has to stay something is, and how many masks touch no stretch that is marked. ``--show``: each.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401

from thunder import Deidentifier

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "judgments"
_MARK = re.compile("[«»‹›]")


class Judgment(NamedTuple):
    """A text, the stretches of it that have to be masked, and those that have to stay."""

    name: str
    text: str
    masked: tuple[tuple[int, int], ...]
    kept: tuple[tuple[int, int], ...]


class Faults(NamedTuple):
    """Stretches of a judgment: wholly readable, touched though they stay, masked beside marks."""

    readable: list[tuple[int, int]]
    lost: list[tuple[int, int]]
    beside: list[tuple[int, int]]


def judgments(folder: Path) -> Iterator[Judgment]:
    """Yield the judgments of *folder*; ValueError names a file whose marks have no other half."""
    for path in sorted(folder.glob("*.txt")):
        parts, opened = [], []
        found: dict[str, list[tuple[int, int]]] = {"»": [], "›": []}
        marked, end, length = path.read_text(encoding="utf-8"), 0, 0
        for mark in _MARK.finditer(marked):
            parts.append(marked[end : mark.start()])
            length, end = length + len(parts[-1]), mark.end()
            if mark[0] in "«‹":
                opened.append((mark[0], length))
            elif opened and opened[-1][0] == {"»": "«", "›": "‹"}[mark[0]]:
                found[mark[0]].append((opened.pop()[1], length))
            else:
                raise ValueError(f"{path}: {mark[0]} at {mark.start()} closes nothing")
        if opened:
            raise ValueError(f"{path}: {opened[-1][0]} is not closed")
        text = "".join([*parts, marked[end:]])
        yield Judgment(path.stem, text, tuple(found["»"]), tuple(found["›"]))


def faults(one: Judgment, masks: list[tuple[int, int]]) -> Faults:
    """Return what the *masks* of a judgment do otherwise than its marks say."""
    hidden = {at for start, end in masks for at in range(start, end)}
    marked = {at for start, end in one.masked for at in range(start, end)}
    return Faults(
        [place for place in one.masked if hidden.isdisjoint(range(*place))],
        [place for place in one.kept if not hidden.isdisjoint(range(*place))],
        [place for place in masks if marked.isdisjoint(range(*place))],
    )


def measured(tool: Deidentifier, folder: Path) -> Iterator[tuple[Judgment, Faults]]:
    """Yield the judgments of *folder*, each with its faults."""
    some = list(judgments(folder))
    results = tool.deidentify_many([one.text for one in some])
    for one, result in zip(some, results, strict=True):
        masks = [(change.span.start, change.span.end) for change in result.changes]
        yield one, faults(one, masks)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--way", default="tagger")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    models = {"rules": {"model": "none"}, "tagger": {}}
    tool = Deidentifier(**models.get(arguments.way, {"model": arguments.way}))
    folders = arguments.folders or sorted(path for path in FOLDER.iterdir() if path.is_dir())
    rows = []
    for folder in folders:
        found = list(measured(tool, folder))
        for one, wrong in found if arguments.show else ():
            for kind, places in zip(wrong._fields, wrong, strict=True):
                for start, end in places:
                    around = one.text[max(0, start - 15) : start], one.text[end : end + 15]
                    shown = f"[{one.text[start:end]}]".join(around).replace("\n", "⏎")
                    print(f"{folder.name}/{one.name}: {kind}: {shown}")
        sums = [sum(len(getattr(wrong, kind)) for _, wrong in found) for kind in Faults._fields]
        marks = [sum(len(one.masked) for one, _ in found), sum(len(one.kept) for one, _ in found)]
        characters = sum(len(one.text) for one, _ in found)
        rows.append([folder.name, len(found), characters, marks[0], sums[0], marks[1], *sums[1:]])
    print("\n| folder | judgments | characters | to mask | readable | to stay | lost | beside |")
    print("|---|" + "---:|" * 7)
    for row in rows:
        print("| " + " | ".join(f"{one:,}" if isinstance(one, int) else one for one in row) + " |")


if __name__ == "__main__":
    main()
