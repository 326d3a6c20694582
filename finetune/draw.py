"""Draw: python finetune/draw.py PLACE… --output whole.jsonl: some whole judgments of every kind.

The tagger that ships learns from judgments short enough that many different ones are read in the
same time; criminal and civil ones, which are most of what courts publish, get fixed shares.
"""

import argparse
import io
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import _environment  # noqa: F401

from thunder.training_data.corpus.reading import files_in, opened
from thunder.training_data.near_duplicates import groups

SHARES = {"형사": 0.42, "민사": 0.30}
"""Of all that is drawn, unless asked otherwise; other kinds share the rest as the files do."""


def drawn(
    paths: list[Path],
    *,
    number: int,
    lengths: range,
    seed: int,
    without: frozenset[str] = frozenset(),
    shares: Mapping[str, float] = SHARES,
) -> list[str]:
    """Return about *number* lines of the files, the same for one seed, in a drawn order.

    None of the judgments whose ids are in *without*; *shares* by kind. ValueError names the file
    and line that is no judgment, or shares above one.
    """
    if min(shares.values()) < 0 or sum(shares.values()) > 1:
        told = ", ".join(f"{kind}={share}" for kind, share in shares.items())
        raise ValueError(f"--share: {told} are not shares of one whole")
    chance = random.Random(seed)
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for id_, kind, line in _judgments(paths, lengths):
        if id_ not in without:
            kinds[kind].append(line)
    rest = sum(len(lines) for kind, lines in kinds.items() if kind not in shares)
    found: list[str] = []
    for kind, lines in kinds.items():
        chance.shuffle(lines)
        share = shares.get(kind, (1 - sum(shares.values())) * len(lines) / max(1, rest))
        found += lines[: int(number * share)]
    chance.shuffle(found)
    return found


def apart(lines: list[str], before: Mapping[str, str]) -> list[str]:
    """Return *lines* without near duplicates of the judgments *before*, texts by id.

    Many judgments of one trial or of one form are all but the same: drawn later, they would be
    trained on where the first is measured on.
    """
    texts = {**before, **{one["id"]: one["text"] for one in map(json.loads, lines)}}
    ids = list(texts)
    group_of = groups(ids, lambda row: texts[ids[row]])
    taken = {group_of[id_] for id_ in before}
    return [line for line in lines if group_of[json.loads(line)["id"]] not in taken]


def _judgments(paths: list[Path], lengths: range) -> Iterator[tuple[str, str, str]]:
    """Yield id, kind and line of every judgment whose text is as long as asked."""
    for path in (one for place in paths for one in files_in(place) or [place]):
        with io.TextIOWrapper(opened(path), encoding="utf-8") as file:
            for row, line in enumerate(file, 1):
                try:
                    judgment = json.loads(line)
                    id_, kind = str(judgment["id"]), str(judgment["kind"])
                    length = len(judgment["text"])
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(f"{path}:{row}: no judgment with id, kind, text") from error
                if length in lengths:
                    yield id_, kind, line


def _share(text: str) -> tuple[str, float]:
    kind, _, share = text.partition("=")
    return kind, float(share)


def main() -> int:
    """Write what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(description="Draw some whole judgments of every kind.")
    parser.add_argument(
        "files", nargs="+", type=Path, help="JSONL of id, kind, text; folders of it"
    )
    parser.add_argument("--output", type=Path, required=True, help="the JSONL file to write")
    parser.add_argument("--number", type=int, default=2600, help="about how many")
    parser.add_argument("--shortest", type=int, default=300, help="characters")
    parser.add_argument("--longest", type=int, default=7000, help="characters")
    parser.add_argument(
        "--without",
        type=Path,
        action="append",
        default=[],
        help="JSONL of what is not drawn again, nor its near duplicates",
    )
    parser.add_argument(
        "--share", type=_share, action="append", metavar="KIND=SHARE", help="e.g. 형사=0.34"
    )
    parser.add_argument("--seed", type=int, default=9, help="another seed draws others")
    options = parser.parse_args()
    lengths = range(options.shortest, options.longest + 1)
    try:
        rows = (line for *_, line in _judgments(options.without, range(sys.maxsize)))
        before = {str(one["id"]): str(one["text"]) for one in map(json.loads, rows)}
        lines = drawn(
            options.files,
            number=options.number,
            lengths=lengths,
            seed=options.seed,
            without=frozenset(before),
            shares={**SHARES, **dict(options.share or [])},
        )
        lines = apart(lines, before) if before else lines
        aside = options.output.with_name(f".{options.output.name}.new")
        aside.write_text("".join(lines), encoding="utf-8")
        aside.replace(options.output)  # whole or not at all
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}: {len(lines)} judgments")
    return 0


if __name__ == "__main__":
    sys.exit(main())
