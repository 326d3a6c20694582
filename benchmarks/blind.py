"""A blind sample: short excerpts of public and of invented judgments, for a reader to tell apart.

``python benchmarks/blind.py draw --output FOLDER --key KEY.json`` writes 40 excerpts of
either (``--each``) into ``FOLDER/excerpts.md`` by number, ``FOLDER/answers.tsv`` for what the
reader says (``real`` or ``made``), and the key elsewhere. Half are fact sections of crimes of the
same kinds, half come from the reasons of civil judgments with the same names of cases, about the
same things. Nothing of the form tells: excerpts are whole sentences of one paragraph, in pairs of
one length; numbers of headings are cut, placeholders are letters in order, years are one, dates
and white space are written alike, and what has the marks of one source alone, statutes and the set
phrases of interest are left out. ``python benchmarks/blind.py score answers.tsv KEY.json`` says how
many were told rightly. The excerpts quote judgments: keep them to yourself.
"""

import argparse
import csv
import io
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import _environment  # noqa: F401
from material import data_under

from thunder.training_data.annotation import Annotated, read_jsonl
from thunder.training_data.corpus.reading import files_in, opened
from thunder.training_data.invented_judgments import judgment

CRIMES = ("injury", "violence", "fraud", "sexual")
SUITS = ("traffic", "assault_damages", "medical", "construction", "deposit", "price", "eviction")
REAL, MADE = "real", "made"
_TITLES = re.compile(
    r"손해배상\((?:자|의)\)|하자보수|임대차보증금|보증금반환|물품대금|매매대금|건물(?:명도|인도).*|임대료|공사대금|대여금"
)
_TOPIC = re.compile(
    r"임대차|임차|보증금|차임|교통사고|충격하|승용차|병원|수술|치료|진료|하자|공사|물품|납품|때[려리렸]|폭행"
)
_SENTENCE = re.compile(r"[^.?!]*(?:(?:\d\.|[.?!](?=[\"”’']))[^.?!]*)*(?<!니)다\.(?=\s|$)")
_NUMBERED = re.compile(r"^\s*(?:\(?(?:[0-9]{1,2}|[가-하])[.)]\)?|[①-⑮○●Ⅰ-Ⅹ㉮-㉻](?:\.)?|-)\s*")
_FOREIGN = re.compile(
    r"[^가-힣A-Za-z0-9 .,:%'\"()?!㎡]|생략|별지|항소|선정자|참가인|원심|상고|제1심|연 \d+%|연 \d푼"
    r"|제\d+조|소외인|원고들|피고들|[고외] \d|(?:^|[ (])(?:[가-하]|\d)\)"
)
_DATE = re.compile(r"((?:19|20)\d\d)\. ?0?(\d{1,2})\.(?: ?0?(\d{1,2})(?:\.|(?= |경)))?(?=\s?)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?=[.년])")
_PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]{1,2}(?![A-Za-z])|소외 \d+")
_NO_PLACEHOLDER = frozenset(
    {"PC", "TV", "CD", "IP", "SK", "KT", "LG", "CJ", "GS", "SH", "LH", "IT"}
)
_PAIRS = ("()", "‘’", "“”")
_LEAST, _MOST = 70, 260


class Excerpt(NamedTuple):
    """A few sentences, what they come from, and whether they tell of a crime."""

    text: str
    source: str
    is_crime: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    acts = parser.add_subparsers(dest="act", required=True)
    draw = acts.add_parser("draw", help="write the excerpts and, elsewhere, the key")
    draw.add_argument("--data", default="", help="the root of [data] (thunder.toml)")
    draw.add_argument("--output", type=Path, required=True)
    draw.add_argument("--key", type=Path, required=True)
    draw.add_argument("--each", type=int, default=40)
    draw.add_argument("--seed", type=int, default=0)
    score = acts.add_parser("score", help="say how many were told rightly")
    score.add_argument("answers", type=Path)
    score.add_argument("key", type=Path)
    options = parser.parse_args()
    if options.act == "draw":
        sys.exit(_draw(options))
    sys.exit(_score(options.answers, options.key))


def _draw(options: argparse.Namespace) -> int:
    if options.key.resolve().is_relative_to(options.output.resolve()):
        print("the key lies in another folder than the excerpts", file=sys.stderr)
        return 2
    data = data_under(options.data)
    try:
        annotated, whole = data.found("annotated"), files_in(data.found("judgments"))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    rng = Random(options.seed)
    chosen: list[tuple[str, Excerpt]] = []
    for is_crime, public, made in (
        (True, facts(annotated), invented(CRIMES, options)),
        (False, reasons(whole), invented(SUITS, options)),
    ):
        size = options.each // 2 if is_crime else options.each - options.each // 2
        pairs = paired(excerpts(public, is_crime, rng), excerpts(made, is_crime, rng), size, rng)
        chosen += [
            (kind, one) for pair in pairs for kind, one in zip((REAL, MADE), pair, strict=True)
        ]
    rng.shuffle(chosen)
    options.output.mkdir(parents=True, exist_ok=True)
    blocks = [f"## {number}\n\n{one.text}\n" for number, (_, one) in enumerate(chosen, 1)]
    _put(options.output / "excerpts.md", "\n".join(blocks))
    rows = [f"{number}\t\n" for number in range(1, len(chosen) + 1)]
    _put(options.output / "answers.tsv", "".join(["number\tanswer\n", *rows]))
    key = {
        str(at): {"answer": kind, "from": one.source} for at, (kind, one) in enumerate(chosen, 1)
    }
    _put(options.key, json.dumps(key, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(chosen)} excerpts: {options.output / 'excerpts.md'}; the key: {options.key}")
    return 0


def _put(path: Path, text: str) -> None:
    with open(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)


def facts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the annotated fact sections of crimes, with letters."""
    for name, one in read_jsonl(path):
        if isinstance(one, Annotated):
            yield name, one.text


def reasons(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the reasons of lower courts' civil judgments in suits of the invented kinds."""
    for path in paths:
        with io.TextIOWrapper(opened(path), encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["level"] == "하급심" and _TITLES.fullmatch(row["title"]):
                    yield row["id"], row["text"].partition("유】")[2]


def invented(kinds: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield the facts of invented crimes, or the reasons of invented suits."""
    for number in range(20 * options.each):
        one = judgment(kinds[number % len(kinds)], seed=4000 + options.seed, number=number)
        begin = re.search(
            r"범\s*죄\s*사\s*실\]?\n" if kinds is CRIMES else r"\n이\s*유\n", one.text
        )
        end = re.search(r"\n증\s*거\s*의\s*요\s*지", one.text) if kinds is CRIMES else None
        if begin:
            yield one.id, one.text[begin.end() : end.start() if end else None]


def excerpts(texts: Iterator[tuple[str, str]], is_crime: bool, rng: Random) -> Iterator[Excerpt]:
    """Yield one excerpt a text, of one to three sentences of one paragraph, where it has any."""
    for source, text in texts:
        found = []
        for paragraph in re.sub(r"\n {4,}", " ", text).split("\n"):
            plain = _NUMBERED.sub("", _NUMBERED.sub("", paragraph)).strip()
            sentences = [one.group().strip() for one in _SENTENCE.finditer(plain)]
            for first in range(len(sentences)):
                for last in range(first + 1, min(first + 3, len(sentences)) + 1):
                    one = plainly(" ".join(sentences[first:last]))
                    if _LEAST <= len(one) <= _MOST and _is_alike(one, is_crime):
                        found.append(one)
        if found:
            yield Excerpt(rng.choice(found), source, is_crime)


def _is_alike(text: str, is_crime: bool) -> bool:
    """Return whether an excerpt is whole, of the topics of both, and without marks of a source."""
    if _FOREIGN.search(text) or not (is_crime or _TOPIC.search(text)):
        return False
    return all(text.count(one) == text.count(other) for one, other in _PAIRS) and (
        text.count('"') % 2 == text.count("'") % 2 == 0
    )


def plainly(text: str) -> str:
    """Return *text* with letters in order for placeholders, one year, and single spaces."""
    letters: dict[str, str] = {}

    def lettered(found: re.Match[str]) -> str:
        if found[0] in _NO_PLACEHOLDER:
            return found[0]
        return letters.setdefault(found[0], chr(ord("A") + len(letters) % 26))

    dated = _DATE.sub(_dated, text)
    one = _PLACEHOLDER.sub(lettered, _YEAR.sub("\0", dated)).replace("\0", "20XX")
    return re.sub(r"[‘’]", "'", re.sub(r"[“”]", '"', " ".join(one.split())))


def _dated(found: re.Match[str]) -> str:
    """Return a date as courts write it: 2020. 4. 3."""
    year, month, day = found.groups()
    written = f"{year}. {month}." + (f" {day}." if day else "")
    after = found.string[found.end() : found.end() + 1]
    return written + (" " if after.isdigit() else "")


def paired(
    public: Iterator[Excerpt], made: Iterator[Excerpt], size: int, rng: Random
) -> list[tuple[Excerpt, Excerpt]]:
    """Return *size* pairs of the same length, as nearly as there are any."""
    known, left = list(public), list(made)
    if min(len(known), len(left)) < size:
        raise SystemExit(f"only {min(len(known), len(left))} excerpts are there: take --each lower")
    pairs = []
    for one in rng.sample(known, size):
        nearest = min(left, key=lambda other: abs(len(other.text) - len(one.text)))
        left.remove(nearest)
        pairs.append((one, nearest))
    return pairs


def _score(answers: Path, key: Path) -> int:
    """Print how many answers were right, with the 95 % interval (Wilson)."""
    with answers.open(encoding="utf-8", newline="") as file:
        said = {
            row["number"]: (row["answer"] or "").strip()
            for row in csv.DictReader(file, delimiter="\t")
        }
    known = {number: one["answer"] for number, one in json.loads(key.read_text("utf-8")).items()}
    wrong = [number for number in known if said.get(number) not in (REAL, MADE)]
    if wrong:
        print(f"{answers}: no answer ({REAL} or {MADE}) for {', '.join(wrong)}", file=sys.stderr)
        return 1
    right = {
        kind: sum(said[n] == kind for n, one in known.items() if one == kind)
        for kind in (REAL, MADE)
    }
    total = sum(right.values())
    low, high = _wilson(total, len(known))
    of = {kind: sum(one == kind for one in known.values()) for kind in (REAL, MADE)}
    print(
        f"{total} of {len(known)} told rightly: {total / len(known):.1%} "
        f"({low:.1%} to {high:.1%}); "
        + ", ".join(f"{kind} {right[kind]} of {of[kind]}" for kind in (REAL, MADE))
    )
    return 0


def _wilson(right: int, number: int, z: float = 1.96) -> tuple[float, float]:
    share = right / number
    middle = share + z * z / (2 * number)
    wide = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return (middle - wide) / (1 + z * z / number), (middle + wide) / (1 + z * z / number)


if __name__ == "__main__":
    main()
