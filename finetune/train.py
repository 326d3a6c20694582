"""Fine-tune: python finetune/train.py CONFIG [--set table.key=value …]; see finetune/README.md.

Alone, or in each of the processes that torchrun, deepspeed or srun starts. Exit status: 0 at the
end of the run, 75 after a signal (the state is saved: start it again), 1 after an error.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

from thunder.config import load
from thunder.finetuning import Finetuning, run
from thunder.training.processes import Together, explained, leave
from thunder.training.signals import EXIT_AGAIN


def main() -> int:
    """Run what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description="Fine-tune a tagger on a dataset.")
    parser.add_argument("config", type=Path, help="e.g. finetune/configs/370m.toml")
    parser.add_argument("--set", action="append", default=[], metavar="table.key=value")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="default: a GPU if there is one")
    parser.add_argument("--local_rank", type=int, help=argparse.SUPPRESS)  # the deepspeed launcher
    options = parser.parse_args()
    settings = load(options.config, Finetuning, changes=options.set)
    result = run(settings, say=lambda line: print(line, flush=True), device=options.device)
    return EXIT_AGAIN if result.asked else 0


def _rank() -> str:
    return os.environ.get("RANK") or os.environ.get("SLURM_PROCID") or "0"


def _fail(error: Exception) -> int:
    """Say what went wrong: what all processes know once, what one of them met by itself there."""
    if isinstance(error, Together | ValueError | LookupError | FileNotFoundError):
        if _rank() == "0":
            print(f"error: {error}", file=sys.stderr)
        return 1
    known = explained(error)
    if known is None:
        traceback.print_exc()
    print(f"error in process {_rank()}: {known or error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        status = main()
    except Exception as error:  # whatever it is: this process must end, and so the others
        status = _fail(error)
    leave(status)
