"""How much a reviewer has to do: keys pressed and places looked at, at the desk and in an editor.

    python benchmarks/reviewing.py [--documents 60] [--model none] [--jobs 2]

Invented judgments, filled with invented mentions, so that what has to be masked is known. A
simulated reviewer decides rightly wherever he looks, and looks where the way of working leads:

- *quick*: the desk's questions, then the rows of masked wordings; nothing else.
- *full*: those, and all of the text, a screen at a time.
- *editor, result*: the result of ``thunder deid`` in an editor beside its original, read word by
  word, each wrong wording replaced everywhere.
- *editor, original*: the original alone in an editor, each wording replaced by its letter.

A place looked at is a question, a row, or a word that is read. Hangul is counted by the keys of a
two-set keyboard. What is left is counted, too: who does not read does not see what nobody asks.
What the rule keeps readable is nothing left.
"""

import argparse
import unicodedata
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from statistics import mean, median
from typing import Any, NamedTuple

import _environment  # noqa: F401
from summaries import table

from thunder.desk.rereading import Rereading
from thunder.desk.review import Question, Review, review
from thunder.masking.wordings import key_of
from thunder.tagger.chosen_tagger import DEFAULT
from thunder.text.korean import fold
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED, fill
from thunder.training_data.invented_judgments.judgments import judgments

KEY = b"thunder benchmark of reviewers"
SCREEN = 1_000  # characters that stand in a window, original and result side by side
DEFAULT_LABEL = "내국인이름"
LABEL_KEYS = 3  # L, its first letter, Enter
FIND_KEYS = 2  # / and Enter
REPLACE_KEYS = 5  # Ctrl-H, Tab, letter, replace all, Esc
ROUNDS = 20
WAYS = ("quick", "full", "editor, result", "editor, original")
_DOUBLE = 2  # ㅘ, ㄺ and their like take two keys

Content = dict[str, Any]


class Done(NamedTuple):
    """One judgment by one way: its keys and places, and the wordings that still leak after it."""

    keys: int
    places: int
    left: int


def main() -> None:
    """Print what each way takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--model", default=DEFAULT)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    tasks = [(number, given.model) for number in range(given.documents)]
    if given.jobs > 1:
        with ProcessPoolExecutor(given.jobs) as executor:
            found = list(executor.map(reviewed, tasks))
    else:
        found = list(map(reviewed, tasks))
    rows = []
    for way in WAYS:
        done = [one[way] for one in found]
        rows.append(
            [
                way,
                f"{mean(one.keys for one in done):.0f}",
                f"{median(one.keys for one in done):.0f}",
                f"{mean(one.places for one in done):.0f}",
                f"{sum(bool(one.left) for one in done)} of {len(done)}",
                f"{mean(one.left for one in done):.2f}",
            ]
        )
    head = ["way", "keys, mean", "median", "places, mean", "documents that leak", "wordings left"]
    print(table(head, rows))


@lru_cache(maxsize=1)
def deidentifier(model: str) -> Rereading:
    """Return the desk's de-identifier."""
    return Rereading(model=model, checks=True)


def reviewed(task: tuple[int, str]) -> dict[str, Done]:
    """Return what each way takes for judgment *number*."""
    number, model = task
    (one,) = judgments(1, first=number)
    text, spans = fill(one.text, one.spans, key=KEY, document_id=one.id)
    gold = [span for span in spans if span.label != IGNORED]
    first = review(text, (), [], deidentifier(model))
    words = len(text.split())
    screens = -(-len(text) // SCREEN)
    quick, after = at_the_desk(text, gold, first, model)
    left = missing(after, gold)
    full = (
        quick.keys + screens + sum(find_keys(wording) + mask_keys(label) for wording, label in left)
    )
    wrong = [*missing(first, gold), *over_masked(first, gold)]
    by_hand = {text[one.start : one.end] for one in gold}
    return {
        "quick": quick._replace(left=len(left)),
        "full": Done(full, quick.places + words, 0),
        "editor, result": Done(
            screens + sum(REPLACE_KEYS + typed(wording) for wording, _ in wrong), words, 0
        ),
        "editor, original": Done(
            screens + sum(REPLACE_KEYS + typed(wording) for wording in by_hand), words, 0
        ),
    }


def at_the_desk(text: str, gold: Sequence[Span], first: Review, model: str) -> tuple[Done, Review]:
    """Return what answering all questions and rows takes, and what that makes."""
    decisions: list[Content] = []
    keys, asked, now = 0, set(), first
    for _ in range(ROUNDS):
        open_now = [one for one in now.questions if one.is_open and key(one) not in asked]
        if not open_now:
            break
        for question in open_now:
            if key(question) in asked:
                continue
            asked.add(key(question))
            content, cost = answered(question, now, gold)
            decisions.append(content)
            keys += 1 + cost
        now = review(text, (), decisions, deidentifier(model))
    for wording, _ in over_masked(now, gold):
        decisions.append({"kind": "open", "wording": wording})
        keys += find_keys(wording) + 1
    now = review(text, (), decisions, deidentifier(model))
    rows = {(one.replacement, one.span.label) for one in now.result.changes}
    return Done(keys + 1, len(asked) + len(rows), 0), now


def key(question: Question) -> tuple[str, str]:
    """Return what a question is about, as the pane groups them."""
    return question.doubt.kind, key_of(fold(question.wording).text)


def answered(question: Question, now: Review, gold: Sequence[Span]) -> tuple[Content, int]:
    """Return the right decision on a question, and its keys."""
    start, end = question.doubt.start, question.doubt.end
    truth = next((one for one in gold if one.start < end and start < one.end), None)
    masked = any(one.span.start < end and start < one.span.end for one in now.result.changes)
    text = now.result.original
    if truth is not None and not covered(now, truth):
        edges = abs(truth.start - start) + abs(truth.end - end)
        wording = text[truth.start : truth.end]
        return (
            {"kind": "mask", "wording": wording, "label": truth.label},
            edges + mask_keys(truth.label),
        )
    if truth is None and masked:
        return {"kind": "open", "wording": question.wording}, 1
    return {"kind": "answer", "check": question.doubt.kind, "wording": question.wording}, 1


def covered(now: Review, span: Span) -> bool:
    """Return whether all letters and figures of *span* are masked or were kept by the rule."""
    inside: set[int] = set()
    for one in now.result.changes:
        inside.update(range(one.span.start, one.span.end))
    for kept in now.result.kept:
        inside.update(range(kept.span.start, kept.span.end))
    text = now.result.original
    return all(at in inside for at in range(span.start, span.end) if text[at].isalnum())


def missing(now: Review, gold: Iterable[Span]) -> list[tuple[str, str]]:
    """Return the wordings that should be masked and are not somewhere, with their labels."""
    text = now.result.original
    open_ones = {text[one.start : one.end]: one.label for one in gold if not covered(now, one)}
    return sorted(open_ones.items())


def over_masked(now: Review, gold: Sequence[Span]) -> list[tuple[str, str]]:
    """Return the wordings that are masked and nowhere should be, with their labels."""
    text = now.result.original
    found = {}
    for one in now.result.changes:
        start, end = one.span.start, one.span.end
        if not any(span.start < end and start < span.end for span in gold):
            found[text[start:end]] = one.span.label
    return sorted(found.items())


def find_keys(wording: str) -> int:
    """Return the keys that finding a wording takes."""
    return FIND_KEYS + typed(wording)


def mask_keys(label: str) -> int:
    """Return the keys that masking what is chosen takes."""
    return 1 + (0 if label == DEFAULT_LABEL else LABEL_KEYS)


def typed(wording: str) -> int:
    """Return how many keys a two-set keyboard takes for *wording*."""
    keys = 0
    for letter in unicodedata.normalize("NFD", wording):
        name = unicodedata.name(letter, "")
        is_double = name.startswith("HANGUL J") and ("-" in name or name.split()[-1] in _DOUBLES)
        keys += _DOUBLE if is_double else 1
    return keys


_DOUBLES = frozenset({"WA", "WAE", "OE", "WEO", "WE", "WI", "YI"})


if __name__ == "__main__":
    main()
