"""How many mentions a second of processor time the replacement lists give on one core.

Warm: the files and tables are read before the clock starts. Each label is asked for mentions of
entities of ever new documents. Prints Markdown; exits with 1 where a goal is missed.
"""

import argparse
import sys
import time
from pathlib import Path
from statistics import harmonic_mean, median

import _environment  # noqa: F401

from thunder.training_data.lists import PARTS, Part, ReplacementLists, load
from thunder.training_data.lists.reading import MentionList

KEY = b"thunder benchmark 1"
GOALS = {"list": 200_000, "rule": 50_000}
A_DOCUMENT = ("내국인이름",) * 4 + ("구아래주소", "계좌번호", "호", "차량번호", "행정동", "닉네임")


def main() -> None:
    arguments = _arguments()
    lists = load(arguments.folder)
    speeds = {
        (part, kind): {name: _speed(lists, name, part, arguments.draws) for name in names}
        for part in PARTS
        for kind, names in _by_kind(lists).items()
    }
    print("# Mentions a second\n\n| part | kind | labels | slowest | | median | all in turn |")
    print("|---|---|---:|---|---:|---:|---:|")
    for (part, kind), found in speeds.items():
        slowest, figures = min(found, key=found.__getitem__), found.values()
        numbers = (found[slowest], median(figures), harmonic_mean(figures))
        row = [part, kind, str(len(found)), slowest, *(f"{number:,.0f}" for number in numbers)]
        print("| " + " | ".join(row) + " |")
    print(
        f"\nWhole documents of {len(A_DOCUMENT)} entities: {_documents(lists, 2000):,.0f} mentions"
    )
    missed = [
        kind for kind, goal in GOALS.items() if harmonic_mean(speeds["all", kind].values()) < goal
    ]
    sys.exit(f"slower than the goal: {', '.join(missed)}" if missed else 0)


def _by_kind(lists: ReplacementLists) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"list": [], "rule": []}
    for label in lists.taxonomy:
        if lists.path(label.ko).is_file():
            is_list = isinstance(lists.source(label.ko), MentionList)
            found["list" if is_list else "rule"].append(label.ko)
    return found


def _speed(lists: ReplacementLists, label: str, part: Part, draws: int) -> float:
    for number in range(300):
        lists.choose(label, key=KEY, document_id=f"warm {number}", entity="A", part=part)
    documents = [f"2019고단{number}" for number in range(draws)]
    start = time.process_time()
    for document in documents:
        lists.choose(label, key=KEY, document_id=document, entity="A", part=part)
    return draws / (time.process_time() - start)


def _documents(lists: ReplacementLists, number: int) -> float:
    """Return the mentions a second of whole documents, in which no two entities get the same."""
    entities = [(label, "BCDEFGHIJK"[place]) for place, label in enumerate(A_DOCUMENT)]
    start = time.process_time()
    for document in range(number):
        lists.assign(entities, key=KEY, document_id=str(document))
    return number * len(entities) / (time.process_time() - start)


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--folder", type=Path, help="lists of your own")
    arguments.add_argument("--draws", type=int, default=2000, help="mentions of each label")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
