"""Fine-tune: python finetune/train.py CONFIG [--set table.key=value …]; see finetune/README.md.

Alone, or in each of the processes that torchrun, deepspeed or srun starts. Exit status: 0 at the
end of the run, 75 after a signal (the state is saved: start it again), 1 after an error.
"""

import argparse
from pathlib import Path

import _environment  # noqa: F401

from thunder.settings.config import load
from thunder.training.ending import end_with
from thunder.training.finetuning import Finetuning, run
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


if __name__ == "__main__":
    end_with(main)
