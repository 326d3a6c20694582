"""Print how well systems find persons' names by the form in which they are written, in one run.

    python benchmarks/names.py JUDGMENTS.jsonl rules deid mine=predictions-{form}.jsonl

As the tables of "Building a Name Masking System": the same annotated judgments are filled once for
each form (full, family and given name; spaced, with Hanja, in Latin letters, of another country, a
random word of the text, an ordinary word), and every system is scored on persons' tokens. Systems
are those of `thunder evaluate` (RUN@T0.7 for the paper's threshold, RUN for the fitted ones); a
file of predictions has {form} in its name. Without judgments 200 invented ones are taken.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import _environment  # noqa: F401
from rich.console import Console
from rich.table import Table

FORMS = ("plain", "family", "given", "spaced", "hanja", "latin", "foreign", "random", "word")
_PERSONS = "D.1.1 인명"
_FIGURES = ("P", "R", "F1", "masked whole")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("systems", nargs="+", help="judgments (.jsonl), then systems")
    parser.add_argument("--forms", nargs="+", default=FORMS, choices=FORMS)
    parser.add_argument("--names", default="taxonomy", help="of labels: taxonomy, release")
    parser.add_argument("--number", type=int, default=200, help="of invented judgments")
    options = parser.parse_args()
    first = Path(options.systems[0])
    given = first if first.suffix == ".jsonl" and "=" not in options.systems[0] else None
    systems = options.systems[1:] if given else options.systems
    found: dict[tuple[str, str], dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        judgments = given or _invented(work / "invented.jsonl", options.number)
        for form in options.forms:
            gold = work / f"{form}.jsonl"
            _thunder("dataset", "fill", judgments, "--names", options.names, "--form", form,
                     "--part", "held-out", "-o", gold)  # fmt: skip
            asked = [one.replace("{form}", form) for one in systems]
            _thunder("evaluate", gold, *asked, "--csv", work / form, "--bootstrap", "0")
            for row in _rows(work / form / "subcategories.csv"):
                if row["group"] == _PERSONS:
                    found[row["system"], form] = row
    _show(found, options.forms)


def _invented(path: Path, number: int) -> Path:
    _thunder("dataset", "invent", path, "-n", number)
    return path


def _thunder(*words: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "thunder", *map(str, words)], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"thunder {' '.join(map(str, words))}: {done.stderr.strip()[-800:]}")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _show(found: dict[tuple[str, str], dict[str, str]], forms: Sequence[str]) -> None:
    table = Table("system", "figure", *forms)
    for system in dict.fromkeys(system for system, _ in found):
        for figure in _FIGURES:
            cells = [found[system, form][figure] for form in forms]
            table.add_row(
                system, figure, *(f"{float(cell):.3f}" if cell else "-" for cell in cells)
            )
    Console(highlight=False, width=40 + 10 * len(forms)).print(table)


if __name__ == "__main__":
    main()
