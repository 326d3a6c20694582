"""What two commits do differently, over the same inputs: ``python benchmarks/guard.py OLD NEW``.

OLD and NEW are commits, or folders as they are (``.``): each runs in a worktree and an environment
of its own. Says for each set of inputs which documents differ, in spans, labels, scores, sources,
replacements, what stays readable, doubts, hints and text, the first difference of each kind with
its place; and the figures of both by gold, which the code of an older commit has made (--gold).
Details, with text, go to a file in --work alone. Exit status: 0 no difference, 1 differences,
2 it could not be run.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _environment  # noqa: F401
import material
from guarding import inputs, sides
from guarding.comparing import Difference, described, differences
from guarding.inputs import SETS, Set
from guarding.sides import Side

from thunder.training_data.corpus.reading import files_in

HERE = Path(__file__).resolve().parent
WORKER, GOLD = HERE / "guarding" / "worker.py", HERE / "guarding" / "gold.py"
GOLD_COMMIT = "9457c71"
DEVELOPMENT = "dev"
SOURCES = tuple(dict.fromkeys(one.source for one in SETS))
TESTS = {"tests", *(one.name for one in SETS if one.source == "tests")}


class Compared(NamedTuple):
    """A set of inputs with both sides' answers, and what differs in each differing document."""

    set: Set
    input: Path
    outputs: tuple[Path, Path]
    documents: int
    differing: dict[str, list[Difference]]


def main() -> int:
    """Print what differs; return the exit status."""
    arguments = _arguments()
    try:
        return _guard(arguments)
    except sides.NoSide as error:
        print(error, file=sys.stderr)
    except subprocess.CalledProcessError as error:
        print(f"stopped (exit {error.returncode}): {error.cmd}", file=sys.stderr)
    return 2


def _guard(arguments: argparse.Namespace) -> int:
    work = _work(arguments.work)
    old, new = (sides.opened(name, work) for name in (arguments.old, arguments.new))
    gold = _Gold(arguments, work)
    details = work / "differences.jsonl"
    found = []
    print(f"# {old.name} ({old.root}) against {new.name} ({new.root})", flush=True)
    with details.open("w", encoding="utf-8") as file:
        for one in SETS:
            if {one.source, one.name} & set(arguments.sets):
                compared = _compared(one, old, new, gold, arguments, work)
                _print(compared, arguments)
                _write(compared, file, arguments.show_text)
                found.append(compared)
    _print_figures(found, gold)
    number = sum(len(one.differing) for one in found)
    print(f"\n{number} documents differ" + (f": {details}" if number else ""))
    return 1 if number else 0


def _work(folder: Path) -> Path:
    for name in ("inputs", "outputs", "gold", "trees", "environments"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder.resolve()


class _Gold:
    """The filled judgments of a part, made when first asked for."""

    def __init__(self, arguments: argparse.Namespace, work: Path) -> None:
        self._name, self._data, self._work = arguments.gold, arguments.data, work
        self.part = arguments.part

    def side(self) -> Side:
        return sides.opened(self._name, self._work)

    def file(self, kind: str) -> Path:
        side = self.side()
        part = "" if self.part == DEVELOPMENT else f"{self.part}-"
        path = self._work / "gold" / f"{kind}-{part}{side.commit[:12] or 'folder'}.jsonl"
        if not path.is_file():
            print(f"making {path.name} with the code of {side.name}", file=sys.stderr)
            data = [
                "--part",
                self.part,
                "--annotated",
                self._data.path("annotated").resolve(),
                "--whole",
            ]
            data += [one.resolve() for one in files_in(self._data.path("judgments"))]
            side.run(GOLD, path, "--kind", kind, "--root", side.root, *data)
        return path


def _rows(one: Set, old: Side, gold: _Gold, arguments: argparse.Namespace) -> list[inputs.Row]:
    number = one.quick if arguments.quick else one.usual
    if one.source == "tests":
        return inputs.sample(inputs.sentences(old.root), number)
    if one.source == "public":
        is_all = arguments.all and one.way == "rules"
        return inputs.sample(inputs.public(arguments.data), None if is_all else number)
    number = number if arguments.part == DEVELOPMENT else None
    fillings = 1 if arguments.quick else one.fillings
    return inputs.sample(inputs.filled(gold.file(one.source), fillings=fillings), number)


def _compared(
    one: Set, old: Side, new: Side, gold: _Gold, arguments: argparse.Namespace, work: Path
) -> Compared:
    read = inputs.write(_rows(one, old, gold, arguments), work / "inputs", one.source)
    workers = arguments.workers
    before = _answered(old, "old", one, read, work, workers, is_kept=not arguments.afresh)
    after = _answered(new, "new", one, read, work, workers, is_kept=False)
    found = list(zip(_lines(before), _lines(after), strict=True))
    differing = {
        ours["id"]: unlike for ours, theirs in found if (unlike := differences(ours, theirs))
    }
    return Compared(one, read, (before, after), len(found), differing)


def _answered(
    side: Side, role: str, one: Set, read: Path, work: Path, workers: int, *, is_kept: bool
) -> Path:
    """Return the file of a side's answers: of an earlier run, if it *is_kept* and a commit's."""
    how = hashlib.blake2b(WORKER.read_bytes(), digest_size=4).hexdigest()
    key = f"{side.commit[:12] or 'folder'}-{one.way}-{how}"
    output = work / "outputs" / f"{role}-{key}-{read.name}"
    if is_kept and side.commit and output.is_file():
        return output
    start = time.perf_counter()
    aside = output.with_suffix(".partial")
    flags = ["--root", side.root, "--way", one.way, "--workers", workers]
    place = Path(side.run(WORKER, read, aside, *flags).strip())
    if not place.is_relative_to(side.root):
        raise sides.NoSide(f"{place}: not the package of {side.root}")
    aside.replace(output)
    print(f"{one.name}, {role}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return output


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open() as lines:
        yield from map(json.loads, lines)


def _print(compared: Compared, arguments: argparse.Namespace) -> None:
    """Print counts, ids, labels and offsets of what differs, never text."""
    one, differing, show = compared.set, compared.differing, arguments.show
    kinds = Counter(unlike.kind for found in differing.values() for unlike in found)
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    told = f"{len(differing)} differ ({told})" if differing else "no difference"
    print(f"\n{one.name}: {compared.documents} documents{_split(one, arguments.part)}: {told}")
    for id_, found in list(differing.items())[:show]:
        print(f"  {id_}: {'; '.join(map(described, found))}")
    if len(differing) > show:
        print(f"  … and {len(differing) - show} more")
    sys.stdout.flush()


def _split(one: Set, part: str) -> str:
    named = "test" if part != DEVELOPMENT else "development"
    return f" of the {named} part" if one.source in ("facts", "whole") else ""


def _write(compared: Compared, file: Any, show_text: bool) -> None:
    """Write every difference to *file* with the words around it; print them, too, if asked to."""
    if not compared.differing:
        return
    for row in _lines(compared.input):
        for unlike in compared.differing.get(row["id"], ()):
            around = slice(max(0, unlike.start - 40), unlike.end + 40)
            said = {"set": compared.set.name, "id": row["id"], **unlike._asdict()}
            if unlike.kind not in ("text", "errors"):
                said["around"] = row["text"][around]
            line = json.dumps(said, ensure_ascii=False)
            file.write(line.encode("utf-8", "backslashreplace").decode() + "\n")
            if show_text:
                print(f"  {line}".encode("utf-8", "backslashreplace").decode())


def _print_figures(found: Sequence[Compared], gold: _Gold) -> None:
    """Print both sides' figures by gold, of the sets that have it."""
    for one in found:
        if one.set.source not in ("facts", "whole"):
            continue
        printed = gold.side().run(GOLD, gold.file(one.set.source), *one.outputs)
        before, after = json.loads(printed)
        told = f"{one.set.name}, {one.documents} documents{_split(one.set, gold.part)}"
        print(f"\n{told}, by characters:")
        for name, value in before.items():
            mark = "" if value == after[name] else "  <-"
            print(f"  {name:26} {_figure(value)} {_figure(after[name])}{mark}")


def _figure(value: float) -> str:
    return f"{value:>10,}" if isinstance(value, int) else f"{value:>10.4f}"


def _arguments() -> argparse.Namespace:
    parser = material.parser(__doc__ or "")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("old", help="a commit, or a folder as it is")
    parser.add_argument("new", help="a commit, or a folder as it is, such as .")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small samples")
    size.add_argument("--all", action="store_true", help="every public judgment by the rules")
    told = "the part of the filled judgments; test is whole, and read by nobody"
    parser.add_argument("--part", choices=(DEVELOPMENT, "test"), default=DEVELOPMENT, help=told)
    names = [*SOURCES, *(one.name for one in SETS)]
    parser.add_argument("--sets", nargs="+", choices=names, default=SOURCES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--afresh", action="store_true", help="run OLD again, too")
    parser.add_argument("--show", type=int, default=20, help="so many documents a set")
    parser.add_argument("--show-text", action="store_true", help="print the words, too")
    parser.add_argument("--gold", default=GOLD_COMMIT, help="whose code makes the gold")
    parser.add_argument("--work", type=Path, default=HERE / "guard-work")
    arguments = parser.parse_args()
    if not all(one.partition("-")[0] == "tests" for one in arguments.sets):
        material.require(arguments.data, "annotated", "judgments")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
