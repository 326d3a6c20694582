"""The paper's experiment: list, data, run, tables; see finetune/experiments/paper.toml.

    python finetune/experiment.py list CONFIG            # the cells, by number, and their state
    python finetune/experiment.py data CONFIG            # the datasets; what is there is left
    python finetune/experiment.py run CONFIG 0 1 2       # these cells; none named: all left
    python finetune/experiment.py tables CONFIG          # of the cells that are done

A cell that was stopped goes on where it is run again (status 75: stopped by a signal, saved).
"""

import argparse
import subprocess
import sys
from pathlib import Path

import _environment  # noqa: F401

from thunder.settings.config import load
from thunder.training.finetuning import experiment as grid
from thunder.training.finetuning.experiment import Cell, Experiment
from thunder.training.processes import free_port

_TRAIN = str(Path(__file__).with_name("train.py"))


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("act", choices=["list", "data", "run", "tables"])
    parser.add_argument("config", type=Path)
    parser.add_argument("cells", type=int, nargs="*", help="numbers of cells, for run")
    parser.add_argument("--processes", type=int, default=1, help="of each cell, on this machine")
    parser.add_argument("--decide", default="", help="for tables: argmax (default), usual")
    parser.add_argument("--set", action="append", default=[], metavar="key=value")
    options = parser.parse_args()
    try:
        wanted = load(options.config, Experiment, changes=options.set)
        if options.act == "list":
            return _list(wanted)
        if options.act == "data":
            return _data(wanted)
        if options.act == "tables":
            return _tables(wanted, options.decide)
        return _run(wanted, options.cells, options.processes)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _list(wanted: Experiment) -> int:
    for cell in grid.cells(wanted):
        grid.settings(wanted, cell)  # what does not fit is said before anything is paid for
        print(f"{cell.number:>3}  {cell.state():<8} {cell.name}")
    return 0


def _data(wanted: Experiment) -> int:
    missing = [str(one) for one in (*wanted.judgments, wanted.lists) if one and not one.exists()]
    if missing:
        raise ValueError(
            f"there is no {', '.join(missing)}: 'thunder data list' says where data lie and how "
            "they are got; or name your own in the experiment's file"
        )
    for folder, words in grid.builds(wanted):
        if (folder / "manifest.json").is_file():
            print(f"{folder} is there")
        elif status := _thunder(words):
            return status
    return 0


def _run(wanted: Experiment, numbers: list[int], processes: int) -> int:
    cells = grid.cells(wanted)
    unknown = [number for number in numbers if number not in range(len(cells))]
    if unknown:
        raise ValueError(f"there is no cell {unknown[0]}: they are 0 to {len(cells) - 1}")
    for cell in [cells[number] for number in numbers] or cells:
        if cell.state() == "done":
            print(f"{cell.name} is done")
            continue
        print(f"--- cell {cell.number}: {cell.name}", flush=True)
        folder = grid.settings(wanted, cell).data.folder
        if not (folder / "manifest.json").is_file():
            raise ValueError(f"there is no dataset {folder}: 'experiment.py data' makes it")
        if status := _train(wanted, cell, processes):
            return status
        grid.finish(cell.run)
    return 0


def _train(wanted: Experiment, cell: Cell, processes: int) -> int:
    start = [sys.executable]
    if processes > 1:
        ways = ["--nproc_per_node", str(processes), "--master_port", str(free_port())]
        start += ["-m", "torch.distributed.run", *ways]
    changes = [word for one in grid.changes(wanted, cell) for word in ("--set", one)]
    command = [*start, _TRAIN, str(wanted.config(cell.model)), *changes]
    return subprocess.run(command, check=False).returncode


def _tables(wanted: Experiment, decide: str) -> int:
    (wanted.work / "tables").mkdir(parents=True, exist_ok=True)
    left = [cell.name for cell in grid.cells(wanted) if cell.state() != "done"]
    if left:
        print(f"without {len(left)} cells that are not done: {', '.join(left)}", file=sys.stderr)
    statuses = [_thunder(words) for words in grid.tables(wanted, decide=decide)]
    return max(statuses)


def _thunder(words: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "thunder", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
