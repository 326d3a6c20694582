"""Shorter forms of persons the document names in full: 길동이, 길동 씨, 홍 과장, 홍씨, 뚜언."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from thunder.names import person_titled
from thunder.names.chunks import HANGUL
from thunder.names.given_names import parts_of
from thunder.names.kinds import is_person
from thunder.names.person_foreign import NO_PART, is_foreign
from thunder.names.person_lexicon import word_class
from thunder.names.person_tails import agreement, tails, title_of
from thunder.names.runs import beginning_with
from thunder.taxonomy.lexicon import words_of
from thunder.text.spans import Span

SOURCE = "names:repeat"
LABEL = "내국인이름"
UNIQUE, AMBIGUOUS = 0.75, 0.5
"""Score of a short form that fits one known person, and of one that fits several."""

_GIVEN_AS_NAME = frozenset({"person", "unknown"})


def find(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield short forms in *text* of the persons among *spans*: a foreign one's are its parts.

    A form that fits two persons is yielded too, with a low score: it is a name all the same,
    and whose it is a person must say.
    """
    yield from _parts(text, spans)
    names = {text[span.start : span.end] for span in spans if span.label == LABEL}
    by_surname, by_given = _by_part(sorted(names))
    if not by_given:
        return
    for span in person_titled.find(text, known=by_surname.keys()):
        fitting = by_surname.get(text[span.start : span.end], ())
        if fitting:
            score = UNIQUE if len(fitting) == 1 else AMBIGUOUS
            yield Span(span.start, span.end, LABEL, score, SOURCE)
    yield from _given_names(text, by_given)


def _parts(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of foreign names by themselves: 뚜언은, of 응우옌 반 뚜언."""
    label_of: dict[str, str] = {}
    for span in spans:
        parts = text[span.start : span.end].split()
        if len(parts) > 1 and is_person(span.label):
            label_of |= {part: span.label for part in parts if _is_foreign_part(part)}
    for match in HANGUL.finditer(text) if label_of else ():
        for length in range(len(match[0]), 1, -1):
            label, tail = label_of.get(match[0][:length]), match[0][length:]
            if label and (not tail or tail in tails()):
                yield Span(match.start(), match.start() + length, label, UNIQUE, SOURCE)
                break


def _is_foreign_part(part: str) -> bool:
    is_name = HANGUL.fullmatch(part) is not None and len(part) > 1 and is_foreign(part)
    return is_name and word_class(part) not in NO_PART


def _by_part(names: Sequence[str]) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    by_surname: dict[str, list[str]] = defaultdict(list)
    by_given: dict[str, list[str]] = defaultdict(list)
    for name in names:
        surname, given = parts_of(name) or ("", "")
        if surname:
            by_surname[surname].append(name)
        if len(given) > 1:
            by_given[given].append(name)
    return by_surname, by_given


def _given_names(text: str, by_given: Mapping[str, list[str]]) -> Iterator[Span]:
    lengths = sorted({len(given) for given in by_given}, reverse=True)
    for start, run in beginning_with(text, {given[:2] for given in by_given}):
        for length in (length for length in lengths if run[:length] in by_given):
            titled = length == len(run) and _has_title_next(text, start + length)
            if titled or _reads_as_given_name(run[:length], run[length:]):
                score = UNIQUE if len(by_given[run[:length]]) == 1 else AMBIGUOUS
                yield Span(start, start + length, LABEL, score, SOURCE)
                break


def _reads_as_given_name(given: str, tail: str) -> bool:
    """Return whether *given* is no common word, or is called as only persons are (길동이가)."""
    kind = tails().get(tail)
    if kind is None or agreement(given, tail) == "clashes":
        return False
    word = word_class(given)
    if kind in ("pet", "title") or tail in ("아", "야"):
        return word not in ("verb", "adverb")
    if word == "clause":  # 지은, 하은: only before what follows no verb
        return tail in words_of("behind-no-verb")
    return word in _GIVEN_AS_NAME


def _has_title_next(text: str, end: int) -> bool:
    """Return whether 씨 or another title follows one space after *end*."""
    following = HANGUL.match(text, end + 1) if text[end : end + 1] == " " else None
    return following is not None and title_of(following[0]) != ""
