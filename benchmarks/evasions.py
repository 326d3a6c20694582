"""How many names that are words, and how many hidden spellings, stay readable.

    python benchmarks/evasions.py [--way tagger|rules] [--show]

``evasions/words.txt`` and ``variations.txt`` are sentences, invented, a case each: what must not
stay readable stands in [ ], and a case leaks if a letter or digit of it does. ``spared.txt`` holds
look-alikes in which nothing is to be masked. Prints a row for each kind; ``--show``: the cases.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401

from thunder import Deidentifier

FOLDER = Path(__file__).resolve().parent / "evasions"
_MARKED = re.compile(r"\[((?:[^\[\]]|\[(?:at|dot)\])+)\]")


class Case(NamedTuple):
    """A sentence, and the stretches of it that have to be masked."""

    kind: str
    text: str
    wanted: tuple[tuple[int, int], ...]


def cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file: a sentence a line, ``##`` before the name of a kind."""
    kind = path.stem
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif line.strip() and not line.startswith("#"):
            yield _case(kind, line)


def _case(kind: str, line: str) -> Case:
    parts, wanted, end, length = [], [], 0, 0
    for match in _MARKED.finditer(line):
        parts += [line[end : match.start()], match[1]]
        length += match.start() - end
        wanted.append((length, length + len(match[1])))
        length, end = length + len(match[1]), match.end()
    return Case(kind, "".join([*parts, line[end:]]), tuple(wanted))


def left(case: Case, masked: list[tuple[int, int]]) -> str:
    """Return the letters and digits of what had to be masked in *case* that are not *masked*."""
    hidden = {at for start, end in masked for at in range(start, end)}
    wanted = [at for start, end in case.wanted for at in range(start, end)]
    return "".join(case.text[at] for at in wanted if at not in hidden and case.text[at].isalnum())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--way", choices=("tagger", "rules"), default="tagger")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    tool = Deidentifier(model="none") if arguments.way == "rules" else Deidentifier()
    counts: dict[str, list[int]] = {}
    for name in ("words", "variations", "spared"):
        some = list(cases(FOLDER / f"{name}.txt"))
        for case, result in zip(some, tool.deidentify_many([c.text for c in some]), strict=True):
            masked = [(one.span.start, one.span.end) for one in result.changes]
            shown = left(case, masked) if name != "spared" else [case.text[s:e] for s, e in masked]
            count = counts.setdefault(case.kind, [0, 0])
            count[0] += 1
            count[1] += bool(shown)
            if shown and arguments.show:
                print(f"{case.kind}: {case.text}  <- {shown}")
    print("\n| kind | cases | leak (of look-alikes: masked) |\n|---|---:|---:|")
    for kind, (number, wrong) in counts.items():
        print(f"| {kind} | {number} | {wrong} |")


if __name__ == "__main__":
    main()
