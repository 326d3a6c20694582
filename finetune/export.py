"""Export: a run's best checkpoint as a tagger, and as one that needs no torch, with its card.

python finetune/export.py RUN FOLDER [--onnx FOLDER2 [--int8]] [--recall 0.99]
python finetune/export.py TAGGER --onnx FOLDER2 --int8 --dataset DATASET   # exported before
python finetune/export.py SHIPPED --torch FOLDER2                          # back, to train it on
python finetune/export.py TAGGER --licence apache-2.0 [--figures F.json]   # its card alone
"""

import argparse
import sys
from pathlib import Path

import _environment  # noqa: F401

from thunder.tagger import folder
from thunder.training.finetuning import card, export
from thunder.training.finetuning.exporting import dataset_of
from thunder.training.finetuning.portable import COMPARED, Compared, export_onnx, thaw


def main() -> int:
    """Export what the command line names; return the exit status."""
    options = _parser().parse_args()
    try:
        if options.torch:
            if options.folder or options.onnx or options.licence or options.figures:
                raise ValueError("--torch is for a tagger without torch, and for nothing else")
            difference = thaw(options.source, options.torch)
            print(f"{options.torch}: scores differ by {difference:.1e} at most")
            return 0
        tagger = _tagger(options)
        if options.onnx:
            dataset = options.dataset or dataset_of(options.source)
            made = export_onnx(
                tagger,
                options.onnx,
                int8=options.int8,
                windows=tuple(options.windows) if options.windows else None,
                dataset=dataset,
                number=options.documents,
                recall=options.recall,
            )
            print(f"{options.onnx}: {_compared(made)}")
        if options.licence or options.figures:
            tables = card.tables_of(options.figures) if options.figures else {}
            print(card.write(options.onnx or tagger, licence=options.licence, tables=tables))
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _tagger(options: argparse.Namespace) -> Path:
    """Return the folder of the tagger, exported now if it was not yet."""
    source: Path = options.source
    if (source / folder.NAME).is_file():
        if options.folder:
            raise ValueError(f"{source} is a tagger already: leave {options.folder} out")
        if options.onnx and not options.dataset:
            raise ValueError("give --dataset: spans are compared on its documents")
        return source
    if not options.folder:
        raise ValueError(f"{source} is no tagger; of a run, give the folder to write, too")
    made = export(source, options.folder, recall=options.recall, licence=options.licence)
    print(f"{made.folder}: step {made.step}, {made.recall:.2%} of development mentions read whole")
    return made.folder


def _compared(made: Compared) -> str:
    return (
        f"other spans than the original's in {made.differing} of {made.documents} documents "
        f"({made.lost} of {made.spans} spans lost, {made.new} new)"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, help="a run's folder, or a tagger's")
    parser.add_argument("folder", type=Path, nargs="?", help="of a run: a new folder")
    parser.add_argument("--recall", type=float, help="the dial's default; else the run's setting")
    parser.add_argument("--onnx", type=Path, help="another new folder, for use without torch")
    parser.add_argument("--torch", type=Path, help="of an ONNX tagger: a new folder with torch")
    parser.add_argument("--int8", action="store_true", help="weights and products in int8")
    parser.add_argument(
        "--windows", type=int, nargs=2, metavar=("TOKENS", "SHARED"), help="of --onnx: 128 32"
    )
    parser.add_argument("--dataset", type=Path, help="to compare on, and to set thresholds on")
    parser.add_argument("--documents", type=int, default=COMPARED, help="so many are compared")
    parser.add_argument("--licence", choices=card.LICENCES, help="of the weights; writes the card")
    parser.add_argument("--figures", type=Path, help="JSON: tables for the card")
    return parser


if __name__ == "__main__":
    sys.exit(main())
