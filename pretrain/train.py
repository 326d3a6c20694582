"""Pre-train: python pretrain/train.py CONFIG [--set table.key=value …]; see pretrain/README.md.

Alone, or in each of the processes that torchrun, deepspeed or srun starts. Exit status: 0 at the
end of the run, 75 after a signal (the state is saved: start it again), 1 after an error.
"""

import argparse
from pathlib import Path

import _environment  # noqa: F401

from thunder.settings.config import load
from thunder.training.ending import end_with
from thunder.training.pretraining import Pretraining, run
from thunder.training.pretraining.samples import tokenizer_folder
from thunder.training.signals import EXIT_AGAIN


def main() -> int:
    """Run what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description="Pre-train the encoder on a prepared corpus.")
    parser.add_argument("config", type=Path, help="e.g. pretrain/configs/370m.toml")
    parser.add_argument("--set", action="append", default=[], metavar="table.key=value")
    parser.add_argument("--device", choices=["cpu", "cuda"], help="default: a GPU if there is one")
    parser.add_argument("--local_rank", type=int, help=argparse.SUPPRESS)  # the deepspeed launcher
    parser.add_argument("--places", action="store_true", help="print name and folders, and end")
    options = parser.parse_args()
    settings = load(options.config, Pretraining, changes=options.set)
    if options.places:  # a line each, for pretrain/run.sh
        tokenizer = tokenizer_folder(settings.corpus.tokenizer)
        places = (settings.corpus.folder, tokenizer, settings.checkpoints.folder)
        print(settings.name, *places, sep="\n")
        return 0
    result = run(settings, say=lambda line: print(line, flush=True), device=options.device)
    return EXIT_AGAIN if result.asked else 0


if __name__ == "__main__":
    end_with(main)
