"""Average: python finetune/average.py FOLDER TAGGER TAGGER…: one tagger of several of one start.

Weights of runs that went on from the same ones lie near each other; their mean is often better than
each. The last TAGGER's folder gives everything but the weights; thresholds have to be set anew.
"""

import argparse
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import _environment  # noqa: F401
import torch
from safetensors.torch import load_file, save_file

from thunder.tagger import dial, folder
from thunder.training.finetuning.exporting import new_folder
from thunder.training.finetuning.tagging import Figures

WEIGHTS = "model.safetensors"


def _run(about: Mapping[str, Any]) -> str:
    seed = about.get("seed")  # an average has none
    return str(about.get("run")) + (f" ({seed})" if seed is not None else "")


def average(place: Path, taggers: list[Path]) -> None:
    """Write the mean of *taggers* (of our encoder, one shape) to the new folder *place*.

    ValueError names a tagger that does not fit the others.
    """
    known = [folder.read(one) for one in taggers]
    alike = {(one.architecture, one.labels, one.tokenizer_sha256, one.classes) for one in known}
    if len(alike) > 1 or known[0].architecture != "encoder":
        raise ValueError(
            f"{', '.join(map(str, taggers))}: not taggers of one kind, made with torch"
        )
    weights = [load_file(one / WEIGHTS) for one in taggers]
    if any(
        {k: v.shape for k, v in one.items()} != {k: v.shape for k, v in weights[0].items()}
        for one in weights
    ):
        raise ValueError(f"{', '.join(map(str, taggers))}: weights of other shapes")
    mean = {
        name: torch.stack([one[name].float() for one in weights]).mean(0) for name in weights[0]
    }
    runs = " and ".join(_run(one.about) for one in known)
    own = {"step", "seed", *Figures._fields}  # of the last one alone
    about = {name: one for name, one in known[-1].about.items() if name not in own}
    about["run"] = f"the average of {runs}"
    files = [name for one in known for name in one.about.get("data", {}).get("files", ())]
    if "data" in about:  # each may have learnt from others
        about["data"] = {**about["data"], "files": list(dict.fromkeys(files))}
    with new_folder(place) as written:
        kept = shutil.ignore_patterns(dial.NAME)
        shutil.copytree(taggers[-1], written, ignore=kept, dirs_exist_ok=True)
        save_file(mean, written / WEIGHTS, metadata={"format": "pt"})
        folder.write(written, replace(known[-1], about=about))


def main() -> int:
    """Average what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Average the weights of taggers of one start.")
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("taggers", nargs="+", type=Path, help="folders of taggers, made with torch")
    options = parser.parse_args()
    try:
        average(options.folder, options.taggers)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
