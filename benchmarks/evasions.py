"""How many names that are words, and how many hidden spellings, stay readable.

    python benchmarks/evasions.py [--way tagger|rules|FOLDER] [--tables FOLDER] [--show]
    python benchmarks/evasions.py --texts tests/data/other_domains   # writings, no judgments

``evasions/words.txt`` and ``variations.txt`` are sentences, invented, a case each: what must not
stay readable stands in [ ], and a case leaks if a letter or digit of it does. ``spared.txt`` holds
look-alikes in which nothing is to be masked. Prints a row for each kind; ``--show``: the cases.
``evasions/second`` is such a folder by somebody who had seen neither the code nor the first tables.
``evasions/third`` and ``fourth`` are others; classes of theirs were mended in sight of them.
``evasions/fifth``, ``tenth`` and ``twelfth`` are sealed: nothing was mended by them (of the twelfth
one look-alike was). ``eleventh`` was mended in sight. ``sixth`` to ``ninth``, by
four more authors, are of the records that judgments quote; classes of theirs were mended in sight
(``eighth`` was sealed for most of it). Of what leaks, the list of
doubts shows what a person can still catch: a leak counts as doubted where rows of the list touch
each stretch of it.

``--texts`` is a folder of JSONL files of whole texts (id, domain, text with marked mentions, keep):
how many mentions of persons are masked whole in each domain, names of one letter (``김 씨``) apart,
how many other mentions, and how many of the words to keep are touched.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401

from thunder import Deidentifier, taxonomy
from thunder.masking.doubts import Doubt
from thunder.training_data.annotation import Annotated, parse

_PERSONS = "인명"
TABLES = ("words", "variations", "spared")
FOLDER = Path(__file__).resolve().parent / "evasions"
_MARKED = re.compile(r"\[((?:[^\[\]]|\[(?:at|dot)\])+)\]")


class Case(NamedTuple):
    """A sentence, and the stretches of it that have to be masked."""

    kind: str
    text: str
    wanted: tuple[tuple[int, int], ...]


class Measured(NamedTuple):
    """A case, what of it stays readable (of a look-alike: is masked), and is that doubted?"""

    case: Case
    shown: str
    is_doubted: bool


def cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file: a sentence a line, ``##`` before the name of a kind."""
    kind = path.stem
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif line.strip() and not line.startswith("#"):
            yield _case(kind, line)


def _case(kind: str, line: str) -> Case:
    parts, wanted, end, length = [], [], 0, 0
    for match in _MARKED.finditer(line):
        parts += [line[end : match.start()], match[1]]
        length += match.start() - end
        wanted.append((length, length + len(match[1])))
        length, end = length + len(match[1]), match.end()
    return Case(kind, "".join([*parts, line[end:]]), tuple(wanted))


def left(case: Case, masked: list[tuple[int, int]]) -> str:
    """Return the letters and digits of what had to be masked in *case* that are not *masked*."""
    return "".join(case.text[at] for at in chain.from_iterable(_open(case, masked)))


def is_doubted(case: Case, masked: list[tuple[int, int]], doubts: Iterable[Doubt]) -> bool:
    """Return whether the rows *doubts* touch what is not *masked* of each wanted stretch."""
    rows = list(doubts)
    places = [place for one in rows for place in ((one.start, one.end), *one.places)]
    shown = {at for start, end in places for at in range(start, end)}
    return all(not shown.isdisjoint(stretch) for stretch in _open(case, masked))


def _open(case: Case, masked: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield where letters and digits stay readable, for each wanted stretch that has some."""
    hidden = {at for start, end in masked for at in range(start, end)}
    for start, end in case.wanted:
        stay = [at for at in range(start, end) if at not in hidden and case.text[at].isalnum()]
        if stay:
            yield stay


class Writing(NamedTuple):
    """A text of another domain: what has to be masked in it, and the words that have to stay."""

    id: str
    domain: str
    marked: Annotated
    keep: tuple[str, ...]


def writings(folder: Path) -> list[Writing]:
    """Return the texts in a folder's JSONL files; ValueError where it has none, or names a line."""
    known = taxonomy.load()
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                one = json.loads(line)
                marked = parse(one["text"], taxonomy=known)
                found.append(Writing(one["id"], one["domain"], marked, tuple(one["keep"])))
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}:{row}: no text of another domain: {error}") from None
    if not found:
        raise ValueError(f"{folder}: has no JSONL file of texts")
    return found


def masked_whole(one: Writing, masked: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str, str]]:
    """Yield for each mention its sort, its words and what of them is not *masked*.

    Sorts: "person", "surname alone" (a letter), "other", and "kept" for words to keep, of which
    what is masked is given.
    """
    known, text = taxonomy.load(), one.marked.text
    hidden = {at for start, end in masked for at in range(start, end)}
    for span in one.marked.spans:
        words = text[span.start : span.end]
        is_person = known.label(span.label).subcategory == _PERSONS
        sort = "other" if not is_person else "surname alone" if len(words) == 1 else "person"
        rest = [at for at in range(span.start, span.end) if at not in hidden]
        yield sort, words, "".join(text[at] for at in rest if text[at].isalnum())
    inside = {at for span in one.marked.spans for at in range(span.start, span.end)}
    for word in one.keep:
        places = [found.span() for found in re.finditer(re.escape(word), text)]
        free = [(start, end) for start, end in places if inside.isdisjoint(range(start, end))]
        touched = [text[at] for start, end in free for at in range(start, end) if at in hidden]
        yield "kept", word, "".join(touched)


def by_domain(tool: Deidentifier, texts: list[Writing], *, show: bool) -> None:
    """Print a row for each domain."""
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    results = tool.deidentify_many([one.marked.text for one in texts])
    for one, result in zip(texts, results, strict=True):
        masked = [(change.span.start, change.span.end) for change in result.changes]
        for sort, words, wrong in masked_whole(one, masked):
            for domain in (one.domain, "all"):
                counts.setdefault(domain, Counter())[sort, not wrong] += 1
            if wrong and show:
                print(f"{one.id}: {sort}: {words}  <- {wrong}")
    print("\n| domain | persons | whole | surnames alone | whole | other | whole | keep | whole |")
    print("|---|" + "---:|" * 8)
    for domain, count in sorted(counts.items(), key=lambda pair: pair[0] == "all"):
        cells = [domain]
        for sort in ("person", "surname alone", "other", "kept"):
            right, number = count[sort, True], count[sort, True] + count[sort, False]
            cells += [str(number), f"{right / number:.1%}" if number else "–"]
        print("| " + " | ".join(cells) + " |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--way", default="tagger", help="tagger, rules, or a tagger's name or folder"
    )
    parser.add_argument("--texts", type=Path, help="a folder of texts of other domains instead")
    parser.add_argument("--tables", type=Path, default=FOLDER, help="a folder of three tables")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    models = {"rules": {"model": "none"}, "tagger": {}}
    tool = Deidentifier(**models.get(arguments.way, {"model": arguments.way}))
    if arguments.texts:
        by_domain(tool, writings(arguments.texts), show=arguments.show)
        return
    found = {name: measured(tool, arguments.tables / f"{name}.txt") for name in TABLES}
    for case, shown, doubted in chain.from_iterable(found.values() if arguments.show else ()):
        if shown:
            print(f"{case.kind}: {case.text}  <- {shown}{' (doubted)' if doubted else ''}")
    print("\n| kind | cases | leak (of look-alikes: masked) | leak but doubted |")
    print("|---|---:|---:|---:|")
    for name, some in found.items():
        kinds = dict.fromkeys(one.case.kind for one in some)
        for kind in kinds if len(kinds) > 1 else ():
            print(_row(kind, [one for one in some if one.case.kind == kind]))
        print(_row(f"all of {name}", some))


def measured(tool: Deidentifier, path: Path) -> list[Measured]:
    """Return what stays readable in each case of the file *path*; of look-alikes what does not."""
    some = list(cases(path))
    found = []
    for case, result in zip(some, tool.deidentify_many([one.text for one in some]), strict=True):
        masked = [(one.span.start, one.span.end) for one in result.changes]
        if path.stem == "spared":
            found.append(Measured(case, " ".join(case.text[s:e] for s, e in masked), False))
            continue
        shown = left(case, masked)
        doubted = bool(shown) and is_doubted(case, masked, result.doubts)
        found.append(Measured(case, shown, doubted))
    return found


def _row(kind: str, some: list[Measured]) -> str:
    wrong, doubted = sum(bool(one.shown) for one in some), sum(one.is_doubted for one in some)
    return f"| {kind} | {len(some)} | {wrong} | {doubted} |"


if __name__ == "__main__":
    main()
