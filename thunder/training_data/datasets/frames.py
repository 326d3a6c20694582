"""A dataset as pandas frames, for people who look into it: one row a mention, or one a token."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thunder.tokenization.labeling import IGNORE
from thunder.training_data import messages as say
from thunder.training_data.datasets import stored_spans
from thunder.training_data.datasets.dataset import Part
from thunder.training_data.datasets.examples import Example

if TYPE_CHECKING:
    import pandas as pd

_AROUND = 20  # characters of context on either side

MENTIONS = ("id", "epoch", "replica", "start", "end", "label", "mention", "before", "after")
TOKENS = (
    "id",
    "epoch",
    "replica",
    "position",
    "token",
    "start",
    "end",
    "class",
    "label",
    "surface",
)


def mentions(part: Part, *, limit: int | None = None, epoch: int = 0) -> "pd.DataFrame":
    """Return one row a mention of the first *limit* examples of an epoch.

    Columns are MENTIONS; ``label`` is empty where a tagger is not asked, ``mention``, ``before``
    and ``after`` in a dataset without texts. Places are code points of the filled text.
    """
    rows = (row for example in _examples(part, limit, epoch) for row in _mentions(example))
    return _frame(rows, MENTIONS)


def tokens(part: Part, *, limit: int | None = None, epoch: int = 0) -> "pd.DataFrame":
    """Return one row a token of the first *limit* examples.

    Columns are TOKENS: ``token`` is its id, ``class`` what a tagger is to say (-100: not asked),
    ``label`` its name, ``surface`` the characters it stands for.
    """
    rows = (row for example in _examples(part, limit, epoch) for row in _tokens(part, example))
    return _frame(rows, TOKENS)


FRAMES: Mapping[str, Callable[..., "pd.DataFrame"]] = {"mentions": mentions, "tokens": tokens}


def write(frame: "pd.DataFrame", path: Path) -> None:
    """Return once *frame* stands in *path*: .csv (UTF-8 with a mark, as Excel needs) or .parquet.

    ValueError for another suffix.
    """
    if path.suffix == ".csv":
        frame.to_csv(path, index=False, encoding="utf-8-sig")
    elif path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    else:
        raise ValueError(say.TABLE_NAME(path=path))


def _examples(part: Part, limit: int | None, epoch: int) -> Iterator[Example]:
    return islice(part.epoch(epoch), limit)


def _mentions(example: Example) -> Iterator[tuple[Any, ...]]:
    for span in example.spans:
        before = example.text[max(0, span.start - _AROUND) : span.start]
        after = example.text[span.end : span.end + _AROUND]
        mention = example.text[span.start : span.end]
        head = (example.id, example.epoch, example.replica)
        yield (*head, span.start, span.end, span.label, mention, before, after)


def _tokens(part: Part, example: Example) -> Iterator[tuple[Any, ...]]:
    columns = (example.ids, example.starts, example.ends, example.labels)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for position, (token, start, end, number) in enumerate(rows):
        head = (example.id, example.epoch, example.replica, position, token, start, end, number)
        yield (*head, _name(part, number), example.text[start:end])


def _name(part: Part, number: int) -> str:
    """Return the name of a class: O, "-" where nothing is asked, B- and I- with that scheme."""
    if number <= 0:
        return "-" if number == IGNORE else "O"
    taxonomy = part.dataset.taxonomy
    if part.dataset.manifest.options["scheme"] == "classes":
        return stored_spans.label_of(number, taxonomy)
    return ("B-" if number % 2 else "I-") + stored_spans.label_of((number + 1) // 2, taxonomy)


def _frame(rows: Iterable[tuple[Any, ...]], columns: tuple[str, ...]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns))
