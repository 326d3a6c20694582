"""Export: python finetune/export.py RUN FOLDER [--recall 0.99] [--onnx FOLDER]: a tagger."""

import argparse
import sys
from pathlib import Path

from thunder.finetuning import export
from thunder.finetuning.exporting import export_onnx


def main() -> int:
    """Export what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Write a run's best checkpoint as a tagger.")
    parser.add_argument("run", type=Path, help="the run's folder, e.g. runs/tagger-small")
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument("--recall", type=float, help="for thresholds; default: the run's setting")
    parser.add_argument("--onnx", type=Path, help="another new folder, for use without torch")
    options = parser.parse_args()
    try:
        made = export(options.run, options.folder, recall=options.recall)
        if options.onnx:
            export_onnx(options.folder, options.onnx)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{made.folder}: step {made.step}, {made.recall:.2%} of development mentions read whole")
    return 0


if __name__ == "__main__":
    sys.exit(main())
