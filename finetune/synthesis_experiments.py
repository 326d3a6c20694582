"""Experiments with made texts, a command each; see finetune/experiments/synthesis.toml.

    python finetune/synthesis_experiments.py domains CONFIG   # train on one, test on each
    python finetune/synthesis_experiments.py curve CONFIG     # so many made texts, and real
    python finetune/synthesis_experiments.py pools CONFIG     # pools of 0, 1, 5, 10, 100 seeds
    python finetune/synthesis_experiments.py rare CONFIG      # rare labels, without and with

Each goes from its texts to its tables (WORK/tables/NAME). What is done is left, a run that was
stopped goes on (status 75: stopped by a signal, saved), and what a server answered is not asked
again. --tables scores the runs that are done, and trains none.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import _environment  # noqa: F401

from thunder.scoring.documents import Gold
from thunder.settings.config import load
from thunder.training.ending import end_with
from thunder.training.finetuning import experiment as grid
from thunder.training.finetuning import run
from thunder.training.signals import EXIT_AGAIN
from thunder.training.synthesis import experiments
from thunder.training.synthesis.batches import Waiting
from thunder.training.synthesis.experiments import NAMES, Experiments

_PEERS = Path(__file__).resolve().parents[1] / "benchmarks" / "peers.py"


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("config", type=Path)
    parser.add_argument("--tables", action="store_true", help="of the runs that are done")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="default: a GPU if there is one")
    parser.add_argument("--set", action="append", default=[], metavar="key=value")
    options = parser.parse_args()
    try:
        wanted = load(options.config, Experiments, changes=options.set)
        cells = experiments.cells(options.name, wanted)
        for cell in cells:
            experiments.settings(wanted, cell)  # what does not fit is said before it is paid for
        if not options.tables:
            if options.name == "pools":
                experiments.grow(wanted, _say)
            experiments.prepare(options.name, wanted, _say)
            for cell in cells:
                if grid.state_of(cell.run) == "done":
                    _say(f"{cell.system}, {cell.seed}: is done")
                    continue
                _say(f"--- {cell.system}, {cell.seed}")
                if run(experiments.settings(wanted, cell), say=_say, device=options.device).asked:
                    return EXIT_AGAIN
                grid.finish(cell.run)
        golds = experiments.golds(options.name, wanted)
        beside = _beside(wanted, golds) if options.name == "domains" else {}
        page = experiments.score(options.name, wanted, golds, beside, _say)
    except Waiting as waiting:
        print(f"requests wait for their answers in {waiting.paths[0].parent}", file=sys.stderr)
        return 3
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(page.read_text("utf-8"))
    return 0


def _beside(wanted: Experiments, golds: Sequence[Gold]) -> Mapping[str, Path]:
    """Return the predictions of Presidio and of the language model asked directly, where given.

    ValueError where one cannot be had: what it said is shown.
    """
    place = wanted.work / "beside"
    place.mkdir(parents=True, exist_ok=True)
    file = place / "gold.jsonl"
    rows = (
        {
            "id": one.id,
            "text": one.text,
            "entities": [{"start": s.start, "end": s.end, "label": s.label} for s in one.spans],
        }
        for one in golds
    )
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if not file.is_file() or file.read_text("utf-8") != lines:
        for old in place.glob("*.jsonl"):
            old.unlink()
        file.write_text(lines, encoding="utf-8")
    asked: dict[str, list[str]] = {}
    if wanted.presidio:
        asked["Presidio"] = [str(wanted.presidio), str(_PEERS), "presidio", str(file)]
    if wanted.server:
        where = ["--server", wanted.server, "--model", wanted.model]
        asked["language model"] = [sys.executable, str(_PEERS), "prompt", *where, str(file)]
    found = {name: place / f"{name.replace(' ', '-').lower()}.jsonl" for name in asked}
    for name, command in asked.items():
        if found[name].is_file():
            continue
        new = found[name].with_suffix(".new")
        done = subprocess.run([*command, str(new)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{name}: {done.stderr.strip().splitlines()[-1]}")
        _say(f"{name}: {done.stdout.strip()}")
        new.replace(found[name])
    return found


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    end_with(main)
