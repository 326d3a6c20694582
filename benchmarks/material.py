"""What the benchmarks read: annotated and whole judgments, and mentions to fill with."""

import argparse
import io
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from thunder.settings import user
from thunder.settings.config import ConfigError
from thunder.settings.data import Data
from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated, AnnotationError, meant, parse
from thunder.training_data.corpus.reading import files_in, opened
from thunder.training_data.filling import IGNORED, fill
from thunder.training_data.lists import load as load_lists

KEY = b"thunder benchmark 1"
PARTS = ("dev", "test")
ROOT = Path(__file__).resolve().parents[1]


class Judgment(NamedTuple):
    """An annotated judgment as published, and filled; *gold* are the spans of *text*."""

    id: str
    case_type: str
    published: Annotated
    text: str
    gold: tuple[Span, ...]


def parser(description: str) -> argparse.ArgumentParser:
    """Return an argument parser that knows where the data is: its ``data`` is a ``Data``."""
    arguments = argparse.ArgumentParser(description=description)
    told = "the root of [data] (thunder.toml, THUNDER_DATA)"
    arguments.add_argument("--data", type=data_under, default="", metavar="FOLDER", help=told)
    return arguments


def data_under(root: str = "") -> Data:
    """Return where data lie by the settings of the checkout, under *root* if it is named.

    What is wrong in the settings ends the program, with file, line and cure.
    """
    try:
        data = user.read(folder=ROOT).settings.data
    except ConfigError as error:
        sys.exit(str(error))
    return replace(data, root=Path(root).absolute() if root else ROOT / data.folder)


def parser_of_filled(description: str) -> argparse.ArgumentParser:
    """Return an argument parser for a benchmark of filled judgments."""
    arguments = parser(description)
    arguments.add_argument("--part", choices=PARTS, default="dev")
    arguments.add_argument("--limit", type=int, help="so many documents, spread over the part")
    arguments.add_argument("--profile", default="court")
    return arguments


def require(data: Data, *names: str) -> None:
    """Return nothing; end the program with a plain sentence where the data is not there."""
    try:
        for name in names:
            data.found(name)
    except ValueError as error:
        sys.exit(str(error))


def part_of(document_id: str) -> str:
    """Return the part a document belongs to, dev or test, whatever else is in the file."""
    return PARTS[crc32(document_id.encode()) % 2]


def marked(data: Data) -> Iterator[tuple[str, str, str]]:
    """Yield id, case type and marked-up text of every annotated judgment."""
    with data.path("annotated").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield row["id"], row["case_type"], row["text"]


def filled(data: Data, *, part: str, limit: int | None = None) -> Iterator[Judgment]:
    """Yield the judgments of *part* filled with invented mentions; broken ones are named."""
    lists = SharedLists(data)
    rows = [row for row in marked(data) if part_of(row[0]) == part]
    number = min(limit or len(rows), len(rows))
    for document_id, case_type, text in (rows[at * len(rows) // number] for at in range(number)):
        try:
            published = canonical(parse(text))
        except AnnotationError as error:
            print(f"{document_id}: {len(error.problems)} broken marks, left out", file=sys.stderr)
            continue
        new, gold = fill(
            published.text, published.spans, lists=lists, key=KEY, document_id=document_id
        )
        yield Judgment(document_id, case_type, published, new, tuple(gold))


def canonical(annotated: Annotated) -> Annotated:
    """Return the same with the taxonomy's labels, IGNORED where a name stands for no label.

    A number before 출구 is an exit's, whatever the annotator called it: courts leave it.
    """
    spans = [
        replace(span, label="출구번호" if is_exit else _canonical(annotated.text, span))
        for span in annotated.spans
        for is_exit in (span.label == "번" and _EXIT.match(annotated.text, span.end),)
    ]
    return Annotated(annotated.text, tuple(spans))


_EXIT = re.compile("번? ?출구")


def _canonical(text: str, span: Span) -> str:
    label = meant(text, span, load_taxonomy())
    return label.ko if label else IGNORED


def canonical_label(raw: str) -> str:
    """Return the taxonomy's name for an annotated label, wherever it stands."""
    label = load_taxonomy().resolve(raw)
    return label.ko if label else IGNORED


def whole(data: Data) -> Iterator[tuple[str, str]]:
    """Yield id and text of every whole public judgment."""
    for path in files_in(data.path("judgments")):
        with io.TextIOWrapper(opened(path), encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                yield str(row["id"]), row["text"]


class SharedLists:
    """The public mention lists, read at run time and never copied.

    Mentions that the court rule keeps readable (한국은행) fill no placeholder where a list has
    others: a court would not have put a letter for them.
    """

    def __init__(self, data: Data) -> None:
        require(data, "annotated", "mentions")
        kept = keeps()
        mentions: dict[str, list[str]] = defaultdict(list)
        with data.path("mentions").open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                mentions[_known(row["label"])] += row["mentions"]
        mentions["외국인이름"] = foreign_names(data)
        self._mentions = {
            label: tuple(m for m in found if not (kept(m) or _BESIDE.search(m))) or tuple(found)
            for label, found in mentions.items()
        }

    def mentions(self, label: str) -> Sequence[str]:
        """Return the mentions of *label*, of a near label where it has none of its own."""
        return self._mentions.get(label) or self._mentions.get(_NEAR.get(label, ""), ())


_BESIDE = re.compile("(?:앞|옆|뒤|자판기)$")  # how registers tell vending machines apart


def keeps() -> Callable[[str], bool]:
    """Return the question whether the court profile keeps a mention readable."""
    keep = load_policy("court").keeps
    return lambda mention: any(
        group.covers(mention, Span(0, len(mention), "mention")) for group in keep
    )


def _known(raw: str) -> str:
    try:
        return canonical_label(raw)
    except LookupError:
        return raw


def foreign_names(data: Data) -> list[str]:
    """Return names put together from the parts of one nationality, never whole real ones.

    Where the settings name no file of parts (nationality, part, count), shipped rules make them.
    """
    if not data.foreign_names:
        return list(load_lists().mentions("외국인이름")[:500])
    path = data.found("foreign_names")
    parts: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        nationality, part, _ = line.split("\t")
        parts[nationality].append(part)
    return [f"{one} {other}" for row in parts.values() for one, other in pairwise(sorted(row))]


_NEAR = {
    IGNORED: "빌딩",
    "건물": "빌딩",
    "식당": "한식당",
    "불특정회사명": "주식회사",
    "사무실": "주식회사",
    "유한회사": "주식회사",
    "매장": "의류매장",
    "국외주소": "해외주소",
    "국외대학교": "해외학교",
    "협동조합": "조합",
    "불특정제품명": "토목특허상품",
    "복합기업체": "복합기임대판매업",
    "유압밸브판매업체": "유압벨브판매업체",
    "중고등학교": "중학교",
    "기차역": "지하철역",
    "숙박시설": "모텔",
    "현장": "공사현장",
    "공사장": "공사현장",
}
