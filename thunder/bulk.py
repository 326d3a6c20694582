"""Many documents through the de-identifier: an outcome for each, whatever happens to one."""

import re
import traceback
import unicodedata
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from thunder.files.documents import Failure, Record
from thunder.files.sources import Finished, Item, Opened
from thunder.spans import replace_spans
from thunder.workers import Died, in_order

if TYPE_CHECKING:
    from thunder.deidentify import Deidentified

Deidentify = Callable[..., "Deidentified"]
"""``deidentify(text, id=…)``; with more than one worker it must be importable by name."""

_PACKAGE = Path(__file__).resolve().parent
_WORD = re.compile(r"[^\x00-\x7f]+|[0-9][0-9._-]{3,}|[A-Za-z][\w@.+-]*[A-Za-z][\w@.+-]*", re.ASCII)
_NOT_PLAIN = re.compile("[^0-9a-z]")
_UNFAITHFUL = "결과가 적어 둔 곳 밖에서도 원문과 다릅니다"
_MEMORY = "메모리를 늘리거나 --workers를 줄이십시오; 결과에는 넣지 않았습니다"
_ADVICE = "이 문서를 따로 확인하십시오; 결과에는 넣지 않았습니다"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document and its result."""

    record: Record
    result: "Deidentified"


def run(
    items: Iterable[Item], deidentify: Deidentify, *, workers: int = 1
) -> Generator[Outcome | Opened | Failure | Finished, None, None]:
    """Yield an Outcome or a Failure for each Record of *items*, in their order.

    Anything else among *items* passes as it is. An exception in *deidentify*, a result that is
    not the text with its changes applied, or the death of a worker process fails the document,
    never the run. With *workers* > 1 as many processes share the documents.
    """
    attempt = partial(_attempt, deidentify)
    if workers > 1:
        pairs = in_order(items, attempt, workers=workers, sent=_sent, cost=_cost)
    else:
        pairs = ((item, attempt(sent) if (sent := _sent(item)) else None) for item in items)
    for item, answer in pairs:
        yield _outcome(item, answer) if isinstance(item, Record) else item


def _sent(item: object) -> tuple[str, str] | None:
    return (item.id, item.text) if isinstance(item, Record) else None


def _cost(item: object) -> int:
    return len(item.text) if isinstance(item, Record) else 0


def _attempt(deidentify: Deidentify, sent: tuple[str, str]) -> "Deidentified | str":
    """Return the result for a document, or why there is none."""
    name, text = sent
    try:
        result = deidentify(text, id=name)
        return result if _is_faithful(result, text) else _UNFAITHFUL
    except Exception as error:  # whatever it is, it is this document's alone
        return f"비실명 처리를 하지 못했습니다: {describe(error, text=text)}"


def _is_faithful(result: "Deidentified", text: str) -> bool:
    replacements = iter(change.replacement for change in result.changes)
    spans = [change.span for change in result.changes]
    rebuilt, changes = replace_spans(text, spans, lambda _: next(replacements))
    expected = (text, rebuilt, tuple(changes))
    return (result.original, result.text, tuple(result.changes)) == expected


def _outcome(record: Record, answer: "Deidentified | str | Died") -> Outcome | Failure:
    place = (record.file, record.row)
    if isinstance(answer, Died):
        reason, advice = f"작업 프로세스가 끝났습니다({answer})", _MEMORY
    elif isinstance(answer, str):
        reason, advice = answer, _ADVICE
    else:
        return Outcome(record, answer)
    return Failure(*place, reason, advice, record.id, record.size)


def describe(error: Exception, *, text: str) -> str:
    """Return an exception's type, place in this package, and message without *text*'s words.

    Of the message only ASCII words and short numbers stay, and of those none that the text
    holds: an exception often quotes what it stumbled over.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f for f in frames if _PACKAGE in Path(f.filename).parents]
    where = f" ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else ""
    message = _without_words_of(text, str(error).partition("\n")[0])
    return f"{type(error).__name__}{where}" + (f": {message[:120]}" if message else "")


def _without_words_of(text: str, message: str) -> str:
    if "\\" in message:  # escapes spell words that no comparison would find
        return ""
    held = _NOT_PLAIN.sub("", unicodedata.normalize("NFKC", text).casefold())

    def hidden(word: re.Match[str]) -> str:
        plain = _NOT_PLAIN.sub("", word[0].casefold())
        return "…" if not plain or plain in held else word[0]

    return _WORD.sub(hidden, message)
