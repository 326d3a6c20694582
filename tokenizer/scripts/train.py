"""Train both shipped tokenizers, on a million sentences: two to three minutes each on two cores.

python tokenizer/scripts/train.py --data FOLDER --out tokenizer
"""

import argparse
from pathlib import Path

import _environment  # noqa: F401

from thunder.commands.tokenizer import app

SENTENCES = {  # half of it judgments, as that is what the tokens are for
    "judgments/judgments-other.jsonl.xz": 440_000,
    "judgments/judgments-letters.jsonl.xz": 60_000,
    "text/ko-wikipedia.jsonl.xz": 300_000,
    "text/ko-statutes.jsonl.xz": 100_000,
    "text/en-wikipedia.jsonl.xz": 100_000,
}
SIZES = {"32k": 32_000, "128k": 128_000}


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=Path("tokenizer"))
    given = arguments.parse_args()
    sources = [f"{given.data / file}={number}" for file, number in SENTENCES.items()]
    for name, size in SIZES.items():
        options = (f"--vocabulary={size}", f"--out={given.out / name}", "--seed=1")
        app(["train", *options, *sources], standalone_mode=False)


if __name__ == "__main__":
    main()
