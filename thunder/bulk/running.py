"""Many documents through the de-identifier: an outcome for each, whatever happens to one."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Union

from thunder.documents.records import Failure, Record
from thunder.documents.sources import Finished, Item, Opened
from thunder.text.safe_errors import describe
from thunder.text.spans import replace_spans
from thunder.workers import Died, Waiting, batches, in_order, waiting_at_end

if TYPE_CHECKING:
    from thunder.masking.records import Deidentified
    from thunder.masking.records import Document as Judgment
    from thunder.masking.residue import Sought

Deidentify = Callable[..., "Deidentified"]
"""``deidentify(text, id=…)``, or of a judgment of segments ``deidentify(judgment)``; with more
than one worker it must be importable by name."""

Together = Callable[[Sequence[Any]], Iterable["Deidentified"]]
"""The same for some documents at once, judgments or pairs of id and text: a result for each, in
order."""

_Sent = Union[tuple[str, str], "Judgment"]
_Answer = Union["Deidentified", str]

_UNFAITHFUL = "결과가 적어 둔 곳 밖에서도 원문과 다릅니다"
_MEMORY = "메모리를 늘리거나 --workers를 줄이십시오; 결과에는 넣지 않았습니다"
_ADVICE = "이 문서를 따로 확인하십시오; 결과에는 넣지 않았습니다"
_MOST_TOGETHER = 256
_CHARACTERS_TOGETHER = 100_000
_BYTES_A_CHARACTER = 64  # of a file with pictures: 100,000 characters' worth is 6 MB


@dataclass(frozen=True, slots=True)
class Outcome:
    """A document and its result; ``case`` is what was masked in all of its case, if it has one."""

    record: Record
    result: "Deidentified"
    case: "Masked | None" = field(default=None, repr=False, compare=False)

    @property
    def masked(self) -> "Masked":
        """What must not be left in its file."""
        return self.case or Masked(self.result)


class Masked:
    """What was masked, as it is looked for in files and beside them; reckoned once."""

    def __init__(self, result: "Deidentified") -> None:
        self._result = result

    @cached_property
    def wordings(self) -> list[str]:
        """What is looked for in every part of a file that was written."""
        from thunder.masking import leaks

        return leaks.wordings(self._result)

    @cached_property
    def sought(self) -> "Sought":
        """What is looked for in other cells and in the names of files."""
        from thunder.masking.residue import sought

        return sought(self._result)


Result = Outcome | Opened | Failure | Finished


def run(
    items: Iterable[Item],
    deidentify: Deidentify,
    *,
    together: Together | None = None,
    workers: int = 1,
) -> Generator[Result, None, None]:
    """Yield an Outcome or a Failure for each Record of *items*, in their order.

    Anything else among *items* passes as it is. An exception in *deidentify*, a result that is
    not the text with its changes applied, or the death of a worker process fails the document,
    never the run. With *together* documents are taken some at a time; where that fails, those
    left are tried one by one. With *workers* > 1 as many processes share the documents. Where
    *items* say that no more has come in yet, what has is done and given before more is waited for.
    """
    work = partial(_attempts, deidentify, together)
    if workers > 1:
        pairs = in_order(items, work, workers=workers, sent=_sent, cost=_cost)
    else:
        pairs = _in_turn(items, work, most=_MOST_TOGETHER if together else 1)
    for item, answer in pairs:
        if not isinstance(item, Waiting):
            yield _outcome(item, answer) if isinstance(item, Record) else item


def _in_turn(
    items: Iterable[Item], work: Callable[[Sequence[_Sent]], Iterator[_Answer]], *, most: int
) -> Iterator[tuple[Any, Any]]:
    budget = _CHARACTERS_TOGETHER
    for batch in batches(items, sent=_sent, cost=_cost, most=most, budget=budget):
        answers = work([slot.sent for slot in batch if not slot.done])
        for slot in batch:
            yield slot.task, None if slot.done else next(answers)
        if pause := waiting_at_end(batch):
            pause.end()


def _sent(item: object) -> _Sent | None:
    if not isinstance(item, Record):
        return None
    if not item.segments:
        return item.id, item.text
    from thunder.masking.records import Document

    return Document(item.text, item.id, item.segments)


def _text_of(sent: _Sent) -> str:
    return sent[1] if isinstance(sent, tuple) else sent.text


def _cost(item: object) -> int:
    """Return what a record weighs: its characters, or what of its file is held beside them."""
    return max(len(item.text), item.size // _BYTES_A_CHARACTER) if isinstance(item, Record) else 0


def _attempts(
    deidentify: Deidentify, together: Together | None, documents: Sequence[_Sent]
) -> Iterator[_Answer]:
    """Yield the result for each document, or why there is none."""
    done = 0
    if together and len(documents) > 1:
        for result in _as_far_as_it_goes(together, documents):
            yield result
            done += 1
    for document in documents[done:]:
        yield _attempt(deidentify, document)


def _as_far_as_it_goes(together: Together, documents: Sequence[_Sent]) -> Iterator["Deidentified"]:
    """Yield results until one fails; which of the rest is to blame, each shows when alone."""
    try:
        for sent, result in zip(documents, together(documents), strict=False):
            if not _is_faithful(result, _text_of(sent)):
                return
            yield result
    except Exception:
        return


def _attempt(deidentify: Deidentify, document: _Sent) -> _Answer:
    """Return the result for a document, or why there is none."""
    text = _text_of(document)
    try:
        if isinstance(document, tuple):
            result = deidentify(text, id=document[0])
        else:
            result = deidentify(document)
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
