"""Gold documents from a dataset's part: the stored texts and spans of its first epoch.

The prepared judgments still hold the courts' placeholders: spans of one placeholder and kind are
one entity, however it is written (홍길동, 길동), and what the court wrote is known.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from thunder.scoring.documents import Gold, ScoringError, gold_of
from thunder.settings import resources
from thunder.text.spans import IGNORED, Span
from thunder.training_data.datasets.dataset import Dataset, Part
from thunder.training_data.datasets.examples import Example, Filler, Marked
from thunder.training_data.filling.sites import QUOTES, kind_of
from thunder.training_data.lists import UsedUp

COURT_FORM = re.compile(r"[A-Z]{1,3}|[○□△◇◎●ㅇ]+|[가-힣]{2,8} ?[0-9]{0,3} ?생략")
"""What courts write for a mention; anything else was put back by an annotator."""


def gold_of_part(folder: Path, part: str, *, taxonomy: Path | None = None) -> list[Gold]:
    """Return the documents of a part as stored for epoch 0, replica 0, in the files' order.

    ScoringError where the dataset keeps no texts; DatasetError where it is damaged.
    """
    dataset = Dataset.open(folder, verify="quick", taxonomy=taxonomy)
    chosen = dataset.part(part)
    examples = (one for one in chosen.epoch(0) if one.replica == 0)
    judgments = {judgment.id: judgment for judgment in chosen.judgments()}
    return [_gold(one, judgments[one.id], folder) for one in examples]


def redrawn(
    folder: Path,
    part: str,
    *,
    seed: int,
    seen: bool = False,
    taxonomy: Path | None = None,
    lists: Path | None = None,
) -> list[Gold]:
    """Return the documents of a part filled anew, with mentions drawn by another *seed*.

    From the same lists and their same part: held-out mentions stay held out, unless the documents
    are to have mentions that training has *seen*, as in the paper. Documents with more entities
    than a list has mentions are left out. ScoringError where the lists are others now.
    """
    dataset = Dataset.open(folder, verify="quick", taxonomy=taxonomy)
    tokenizer = resources.folder("tokenizer") / "32k"  # texts are the same with any
    recipe = dataset.recipe(tokenizer=tokenizer, lists=lists, taxonomy=taxonomy)
    if recipe.digests()["lists"] != dataset.manifest.inputs["lists"]:
        message = (
            f"{folder}: made with other replacement lists: what they hold out now may have been "
            "trained on. Give the lists it was made with (--lists), or build it again"
        )
        raise ScoringError([message])
    chosen = dataset.part(part)
    drawn = _drawn(chosen, replace(recipe, seed=seed).filler("train" if seen else chosen.name))
    return [_gold(example, judgment, folder) for example, judgment in drawn]


def _drawn(part: Part, filler: Filler) -> Iterator[tuple[Example, Marked]]:
    for judgment in part.judgments():
        try:
            yield filler.example(judgment, epoch=0), judgment
        except UsedUp:
            continue


def _gold(example: Example, judgment: Marked, folder: Path) -> Gold:
    if not example.text:
        message = (
            f"{folder}: document '{example.id}': the dataset keeps no texts; build with --text"
        )
        raise ScoringError([message])
    placeholders = placeholders_of(example.spans, judgment)
    return gold_of(
        example.id,
        judgment.case_type,
        example.text,
        example.spans,
        entities=[f"{kind}\0{mark}" if mark else "" for kind, mark in placeholders],
        written=[mark if COURT_FORM.fullmatch(mark) else "" for _, mark in placeholders],
    )


def placeholders_of(spans: Sequence[Span], judgment: Marked) -> list[tuple[str, str]]:
    """Return kind and placeholder of each filled span, ("", "") where it fills none.

    A generic noun that a mention brought along is a span of its own that fills none. Where the
    two rows of spans do not match, none is known.
    """
    found = list(_aligned(spans, judgment))
    return found if len(found) == len(spans) else [("", "")] * len(spans)


def _aligned(spans: Sequence[Span], judgment: Marked) -> Iterator[tuple[str, str]]:
    waiting = list(judgment.spans)
    nouns = len(spans) - len(waiting)
    done = -1
    for span in spans:
        if span.label == IGNORED and nouns > 0 and span.start == done:
            nouns -= 1
            yield "", ""
        elif waiting and waiting[0].label == span.label:
            mark = waiting.pop(0)
            yield kind_of(mark.label), judgment.text[mark.start : mark.end].strip(QUOTES)
        else:
            return
        done = span.end
