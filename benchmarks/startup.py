"""What a command costs before it does anything, by turns with another commit.

Two ratios: the processor time of ``thunder --help`` and ``thunder taxonomy show`` to that of
importing typer and rich; and the time of ``thunder deid`` on one short judgment, process start to
exit, to that of another checkout (``--against FOLDER``, with a ``.venv`` of its own). Every command
runs in turns with the others, byte code compiled beforehand; the least and the median are printed,
as Markdown, and how many modules each loads.

    git worktree add ../baseline 9457c71     # and an environment in ../baseline/.venv
    python benchmarks/startup.py --against ../baseline
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import _environment  # noqa: F401
import typer  # noqa: F401  (all is compared with it)

ROOT = Path(__file__).resolve().parent.parent
JUDGMENT = "피고인 김도윤은 서울중앙지방법원에 나왔다. 김도윤의 전화는 010-2345-6789이다.\n"
COMMANDS = {
    "thunder --help": ["--help"],
    "thunder taxonomy show": ["taxonomy", "show", "내국인이름"],
    "thunder deid": ["deid"],
}
_MAIN = "import runpy; runpy.run_module('thunder', run_name='__main__')"  # of any commit
_COUNTED = (
    "import atexit, sys; atexit.register(lambda: print(len(sys.modules), "
    "sum(m.partition('.')[0] == 'thunder' for m in sys.modules), file=sys.stderr)); " + _MAIN
)


def main() -> None:
    arguments = _arguments()
    checkouts = {"here": ROOT}
    if arguments.against:
        checkouts["against"] = arguments.against.resolve()
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "judgment.txt"
        text.write_text(JUDGMENT, encoding="utf-8")
        words = {name: [*given, *_input(name, text)] for name, given in COMMANDS.items()}
        commands = {("here", "import typer, rich"): [_python(ROOT), "-Pc", "import typer, rich"]}
        for place, checkout in checkouts.items():
            for name, given in words.items():
                commands[place, name] = [_python(checkout), "-Pc", _MAIN, *given]
        environment = _environment_of(Path(folder) / "byte-code")
        spent = _in_turns(commands, environment, arguments.turns)
        modules = {
            (place, name): _modules([_python(checkout), "-Pc", _COUNTED, *given], environment)
            for place, checkout in checkouts.items()
            for name, given in words.items()
        }
    _show(spent, modules)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="another checkout, with .venv in it")
    parser.add_argument("--turns", type=int, default=10, help="runs of each command [10]")
    return parser.parse_args()


def _python(checkout: Path) -> str:
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if own.is_file() else sys.executable


def _input(name: str, text: Path) -> list[str]:
    return [str(text)] if name == "thunder deid" else []


def _environment_of(byte_code: Path) -> dict[str, str]:
    """Return an environment in which modules are compiled once, as an installed package's are."""
    given = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "THUNDER_"))}
    return {**given, "PYTHONPYCACHEPREFIX": str(byte_code)}


Spent = dict[tuple[str, str], list[tuple[float, float]]]


def _in_turns(
    commands: dict[tuple[str, str], list[str]], environment: dict[str, str], turns: int
) -> Spent:
    """Return processor and wall seconds of each run; a first one of each is not counted."""
    spent: Spent = {key: [] for key in commands}
    for turn in range(turns + 1):
        for key, command in commands.items():
            measured = _run(command, environment)
            if turn:
                spent[key].append(measured)
    return spent


def _run(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, check=True, env=environment, stdin=subprocess.DEVNULL, capture_output=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def _modules(command: Sequence[str], environment: dict[str, str]) -> tuple[int, int]:
    """Return how many modules a command loads, and how many of them are ours."""
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    total, own = done.stderr.split()[-2:]
    return int(total), int(own)


def _show(spent: Spent, modules: dict[tuple[str, str], tuple[int, int]]) -> None:
    print("| | command | CPU s, least | median | wall s, least | median | modules | ours |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for (place, name), runs in spent.items():
        cpu, wall = ([run[at] for run in runs] for at in (0, 1))
        row = [min(cpu), statistics.median(cpu), min(wall), statistics.median(wall)]
        counted = modules.get((place, name), ("", ""))
        print(
            f"| {place} | {name} | {' | '.join(f'{one:.3f}' for one in row)} | "
            f"{counted[0]} | {counted[1]} |"
        )
    bare = spent["here", "import typer, rich"]
    print()
    for name in list(COMMANDS)[:2]:
        print(f"- {name} to importing typer and rich: {_ratio(spent['here', name], bare, 0)} (CPU)")
    if ("against", "thunder deid") in spent:
        new, old = spent["here", "thunder deid"], spent["against", "thunder deid"]
        print(
            f"- thunder deid to the other's: {_ratio(new, old, 1)} (wall), "
            f"{_ratio(new, old, 0)} (CPU)"
        )


def _ratio(one: list[tuple[float, float]], other: list[tuple[float, float]], at: int) -> str:
    """Return the ratio of the least, and of the medians."""
    ones, others = [run[at] for run in one], [run[at] for run in other]
    return (
        f"{min(ones) / min(others):.2f} of the least, "
        f"{statistics.median(ones) / statistics.median(others):.2f} of the medians"
    )


if __name__ == "__main__":
    main()
