"""Export: python pretrain/export.py RUN-OR-CHECKPOINT FOLDER: a Hugging Face folder.

The folder is read back and must give the same logits; the largest difference is printed.
"""

import argparse
import sys
from pathlib import Path

import _environment  # noqa: F401

from thunder.training.pretraining import export


def main() -> int:
    """Export what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Write a checkpoint as a Hugging Face folder.")
    parser.add_argument("checkpoint", type=Path, help="a checkpoint, or a run's folder: its last")
    parser.add_argument("folder", type=Path, help="a new folder")
    options = parser.parse_args()
    try:
        made = export(options.checkpoint, options.folder)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{made.folder}: step {made.step}, logits differ by {made.difference:.1e} at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
