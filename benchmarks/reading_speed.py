"""Characters a CPU second of one worker against another commit, same judgments, in turns.

    python benchmarks/reading_speed.py --against TREE [--model rules] [--documents 60] [--warm 30]

TREE is a worktree of the other commit with an environment in its ``.venv``. Each turn is a fresh
process a side, one thread, that looks for garbage as the command of its tree does: it loads its
tagger (none by ``--model rules``), reads some judgments that are not counted (what is
remembered of words is full in a worker that reads for hours), and then the others under a clock of
processor time; the least of the turns counts, as a busy machine adds. Says, too, in how
many judgments the masked spans differ. Prints Markdown.
"""

import argparse
import gc
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

import _environment  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent
TURN = "THUNDER_READING_TURN"
RULES = "rules"
FIRST = "피고인 김도윤은 서울 종로구에 있는 한빛은행에 갔다."  # that the tables are there


def main() -> None:
    if TURN in os.environ:
        print(json.dumps(turn(*json.loads(os.environ[TURN]))))
        return
    arguments = _arguments()
    from material import whole

    texts = [text for _, text in islice(whole(arguments.data), 0, None, arguments.step)]
    texts = texts[: arguments.warm + arguments.documents]
    sides = {"other": arguments.against, "this": ROOT}
    found: dict[str, list[dict[str, Any]]] = {side: [] for side in sides}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        for _ in range(arguments.turns):
            for side, root in sides.items():
                found[side].append(_turn(root, file.name, arguments))
    texts = texts[arguments.warm :]
    size = sum(map(len, texts))
    print(f"{len(texts)} judgments, {size:,} characters, {arguments.model}, one thread\n")
    print("| side | CPU s | characters a CPU second |\n|---|---:|---:|")
    least = {side: min(one["seconds"] for one in turns) for side, turns in found.items()}
    for side, seconds in least.items():
        print(f"| {side} | {seconds:.2f} | {size / seconds:,.0f} |")
    first, second = (turns[0]["spans"] for turns in found.values())
    other = sum(one != two for one, two in zip(first, second, strict=True))
    print(f"\n{least['other'] / least['this']:.2f} times; spans differ in {other} judgments")


def _turn(root: Path, texts: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what a fresh process of the tree *root* measures."""
    python = next(
        path for path in (root / ".venv/bin/python", Path(sys.executable)) if path.exists()
    )
    given = json.dumps([str(root), texts, arguments.model, arguments.warm])
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    done = subprocess.run(
        [str(python), str(Path(__file__).resolve())],
        env=os.environ | threads | {TURN: given, "PYTHONPATH": str(root)},
        cwd=root,
        check=True,
        stdout=subprocess.PIPE,
    )
    return dict(json.loads(done.stdout))


def turn(root: str, texts: str, model: str, warm: int) -> dict[str, Any]:
    """Return CPU seconds of all but the first *warm* texts, and a digest of each one's spans."""
    from dataclasses import replace

    from guarding.worker import module_of, require_own, rules_alone

    place = Path(root)
    require_own(place)
    _look_for_garbage(place)
    act = module_of(place, "the act on documents").deidentify_all
    if model == RULES:
        asked = rules_alone(place)
    else:
        chosen = module_of(place, "the shipped taggers").choose(model)
        asked = {"tagger": replace(chosen, threads=1).load()}
    documents = [(str(at), text) for at, text in enumerate(json.loads(Path(texts).read_text()))]
    list(act([("", FIRST), *documents[:warm]], **asked))
    began = time.process_time()
    done = list(act(documents[warm:], **asked))
    seconds = time.process_time() - began
    return {"seconds": seconds, "spans": [_digest(one) for one in done]}


def _look_for_garbage(root: Path) -> None:
    command = root / "thunder/commands/cli.py"
    written = command.read_text(encoding="utf-8") if command.exists() else ""
    if found := re.search(r"^_GARBAGE = ([0-9_]+), ([0-9_]+), ([0-9_]+)$", written, re.MULTILINE):
        gc.set_threshold(*map(int, found.groups()))


def _digest(done: Any) -> str:
    spans = [
        (one.span.start, one.span.end, one.span.label, one.replacement) for one in done.changes
    ]
    return hashlib.sha256(repr(spans).encode()).hexdigest()


def _arguments() -> argparse.Namespace:
    from material import parser

    arguments = parser(__doc__ or "")
    arguments.add_argument("--against", type=Path, required=True)
    arguments.add_argument("--documents", type=int, default=60, help="that are counted")
    arguments.add_argument("--warm", type=int, default=30, help="that are read before")
    arguments.add_argument("--step", type=int, default=40, help="every so many of all judgments")
    arguments.add_argument("--turns", type=int, default=3)
    arguments.add_argument("--model", default="mini-free", help=f"or {RULES}")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
