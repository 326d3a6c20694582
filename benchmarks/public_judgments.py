"""Every public judgment through the de-identifier: no crash, no changed word, what is found.

Annotated judgments run with their marks taken out, whole ones as they are. They are masked
already, so the recognisers of structured identifiers should find next to nothing: --rules-only
lists each of their hits, the digits written as 9.
"""

import argparse
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

import _environment  # noqa: F401
from material import marked, parser, require, whole
from summaries import table

from thunder import identifiers
from thunder.masking.deidentify import deidentify
from thunder.masking.records import Deidentified
from thunder.settings.data import Data
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.korean import fold

_MARK = re.compile(r"<<</?[^<>\n]+>>>")
_STEP = 500


class Outcome(NamedTuple):
    """One document: what went wrong ('' if nothing), hits by what found them, contexts of hits."""

    id: str
    failure: str
    hits: dict[tuple[str, str], int]
    places: tuple[str, ...] = ()


def main() -> None:
    arguments = _arguments()
    require(arguments.data, "annotated", "judgments")
    work = _rules_only if arguments.rules_only else _whole_way
    failures: list[Outcome] = []
    hits: Counter[tuple[str, str]] = Counter()
    number = 0
    with Pool(arguments.workers) as pool:
        documents = _documents(arguments.data, every=arguments.every)
        for number, outcome in enumerate(pool.imap(work, documents, chunksize=16), 1):
            hits.update(outcome.hits)
            failures += [outcome] if outcome.failure else []
            for place in outcome.places:
                print(f"{outcome.id}: {place}")
            if number % _STEP == 0:
                print(f"{number} documents, {len(failures)} failures", file=sys.stderr)
    print(f"\n{number} documents, {len(failures)} failures")
    for outcome in failures:
        print(f"- {outcome.id}: {outcome.failure}")
    rows = ([source, label, count] for (source, label), count in hits.most_common())
    print(table(("source", "label", "hits"), rows))
    sys.exit(1 if failures else 0)


def _documents(data: Data, *, every: int) -> Iterator[tuple[str, str]]:
    annotated = ((name, _MARK.sub("", text)) for name, _, text in marked(data))
    for documents in (annotated, whole(data)):
        for number, document in enumerate(documents):
            if number % every == 0:
                yield document


def _whole_way(document: tuple[str, str]) -> Outcome:
    name, text = document
    try:
        done = deidentify(text, id=name, tagger=RULES_ALONE)
    except Exception as error:  # a document that breaks is what we look for: it is reported
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno}"
        return Outcome(name, f"{type(error).__name__} at {place}", {})
    hits = Counter((change.span.source, change.span.label) for change in done.changes)
    return Outcome(name, "" if _put_back(done) == text else "changed text", dict(hits))


def _put_back(done: Deidentified) -> str:
    """Return the new text with every replacement undone: the old text, if nothing else changed."""
    pieces, end = [], 0
    for change in done.changes:
        pieces.append(done.text[end : change.new_start])
        pieces.append(done.original[change.span.start : change.span.end])
        end = change.new_end
    return "".join([*pieces, done.text[end:]])


def _rules_only(document: tuple[str, str]) -> Outcome:
    name, text = document
    spans = identifiers.find(fold(text))
    places = tuple(
        f"{span.source} {span.label} {span.score:.2f}: "
        + re.sub(r"[0-9]", "9", text[max(0, span.start - 30) : span.end + 20]).replace("\n", "/")
        for span in spans
    )
    return Outcome(name, "", dict(Counter((s.source, s.label) for s in spans)), places)


def _arguments() -> argparse.Namespace:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--rules-only", action="store_true", help="list the rules' hits")
    arguments.add_argument("--every", type=int, default=1, help="only every n-th document")
    arguments.add_argument("--workers", type=int, default=2)
    return arguments.parse_args()


if __name__ == "__main__":
    main()
