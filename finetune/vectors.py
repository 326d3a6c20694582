"""Word vectors: python finetune/vectors.py CORPUS… --tokenizer 32k --output vectors.safetensors

For finetune/configs/bilstm.toml ([model] vectors = …), which then keeps them as they are.
"""

import argparse
import sys
from pathlib import Path

import _environment  # noqa: F401

from thunder.training.finetuning import vectors
from thunder.training.finetuning.starting import tokenizer_folder


def main() -> int:
    """Make what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(description="Make word vectors of a corpus.")
    parser.add_argument("corpus", type=Path, nargs="+", help="JSON lines or Parquet, or folders")
    parser.add_argument("--tokenizer", default="32k", help="a shipped one, or a folder")
    parser.add_argument("--output", type=Path, required=True, help="a file .safetensors")
    parser.add_argument("--width", type=int, default=100, help="the paper's 100")
    parser.add_argument("--window", type=int, default=5, help="neighbours on each side")
    parser.add_argument("--most", type=int, default=20_000_000, help="so many tokens are read")
    options = parser.parse_args()
    try:
        found = vectors.of_corpus(
            options.corpus,
            tokenizer=tokenizer_folder(options.tokenizer),
            width=options.width,
            window=options.window,
            most=options.most,
        )
        vectors.write(found, options.output)
    except (ValueError, LookupError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    known = int((found.abs().sum(dim=1) > 0).sum())
    print(
        f"{options.output}: {known:,} of {len(found):,} tokens have vectors, {found.shape[1]} wide"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
