"""Set the shipped tokenizers beside others, on held-out judgments and filled annotated ones.

    python tokenizer/scripts/compare.py --out /tmp/comparison

The annotated judgments are filled as in benchmarks/ (the dev half), written to a folder that is
deleted afterwards, and read by ``thunder tokenizer compare``.
"""

import json
import sys
import tempfile
from pathlib import Path

import _environment  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

from material import filled, parser_of_filled  # noqa: E402

from thunder.commands.tokenizer import app  # noqa: E402
from thunder.training_data.annotation import serialise  # noqa: E402

SHARES = {  # a fifth of what the shipped ones were trained on
    "judgments/judgments-other.jsonl.xz": 88_000,
    "judgments/judgments-letters.jsonl.xz": 12_000,
    "text/ko-wikipedia.jsonl.xz": 60_000,
    "text/ko-statutes.jsonl.xz": 20_000,
    "text/en-wikipedia.jsonl.xz": 20_000,
}


def main() -> None:
    arguments = parser_of_filled(__doc__ or "")
    arguments.add_argument("--out", type=Path, help="write comparison.md and comparison.png here")
    given = arguments.parse_args()
    data, root = given.data, given.data.folder
    with tempfile.TemporaryDirectory() as folder:
        marked = Path(folder) / "filled.jsonl"
        with marked.open("w", encoding="utf-8") as file:
            for one in filled(data, part=given.part, limit=given.limit):
                gold = [span for span in one.gold if span.label]
                row = {"id": one.id, "text": serialise(one.text, gold)}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        out = [f"--out={given.out}"] if given.out else []
        released = root / "public-judgments/released-tokenizer-32k.json"
        texts = (
            f"--text=judgments={root / 'judgments/judgments-other.jsonl.xz'}",
            f"--text=lettered judgments={root / 'judgments/judgments-letters.jsonl.xz'}",
            f"--text=Korean Wikipedia={root / 'text/ko-wikipedia.jsonl.xz'}",
        )
        sources = [f"{root / name}={number}" for name, number in SHARES.items()]
        options = (f"--annotated={marked}", f"--released={released}", *texts, *out)
        app(["compare", *options, *sources])


if __name__ == "__main__":
    main()
