"""Graft: python finetune/graft.py TAGGER OLD NEW FOLDER: what an encoder learnt since, in a tagger.

TAGGER was fine-tuned from the encoder OLD, which was trained on and is NEW now. The difference of
the two encoders is added to the tagger's weights (task arithmetic: Ilharco et al., ICLR 2023), so
that only a last, short fine-tuning has to be done again, not all of it: it is needed, and so are
new thresholds.
"""

import argparse
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from safetensors.torch import load_file, save_file

from thunder.finetuning.exporting import new_folder
from thunder.finetuning.tagging import Figures
from thunder.tagger import dial, folder

WEIGHTS = "model.safetensors"
ENCODER = "encoder."


def graft(place: Path, tagger: Path, old: Path, new: Path) -> None:
    """Write *tagger* with what *new* has beyond *old* (exported encoders) to the folder *place*.

    Its classifier and what the encoders lack (hints) stay as they are. ValueError names the
    folder whose weights do not fit the tagger's.
    """
    known = folder.read(tagger)
    weights, before, after = (load_file(one / WEIGHTS) for one in (tagger, old, new))
    for one, found in ((old, before), (new, after)):
        shapes = {name: weight.shape for name, weight in found.items() if name.startswith(ENCODER)}
        if not shapes or any(
            weights[name].shape != shapes[name] for name in shapes.keys() & weights
        ):
            raise ValueError(f"{one}: no encoder of the shape of {tagger}")
    if shapes.keys() != {name for name in before if name.startswith(ENCODER)}:
        raise ValueError(f"{new}: not the encoder of {old}, trained on")
    shared = shapes.keys() & weights
    if len(shared) < len(shapes):
        raise ValueError(f"{tagger}: lacks {len(shapes) - len(shared)} weights of {new}")
    for name in shared:
        weights[name] = weights[name].float() + after[name].float() - before[name].float()
    own = {"step", *Figures._fields}  # of the tagger as it was
    about = {name: one for name, one in known.about.items() if name not in own}
    about["run"] = f"{known.about.get('run')} on {new.name} for {old.name}"
    with new_folder(place) as written:
        kept = shutil.ignore_patterns(dial.NAME)
        shutil.copytree(tagger, written, ignore=kept, dirs_exist_ok=True)
        save_file(weights, written / WEIGHTS, metadata={"format": "pt"})
        folder.write(written, replace(known, about=about))


def main() -> int:
    """Graft what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Add what an encoder learnt since to a tagger.")
    parser.add_argument("tagger", type=Path, help="the folder of a tagger, made with torch")
    parser.add_argument("old", type=Path, help="the exported encoder that it was fine-tuned from")
    parser.add_argument("new", type=Path, help="that encoder, trained on and exported again")
    parser.add_argument("folder", type=Path, help="a new folder")
    options = parser.parse_args()
    try:
        graft(options.folder, options.tagger, options.old, options.new)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
