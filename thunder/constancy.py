"""A word is a mention in all of a judgment or in none of it: who decides where a tagger wavers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from thunder.combining import SURE
from thunder.nameless import is_person
from thunder.names.person_tails import tails
from thunder.spans import Span

_START = re.compile(r"(?<![^\W_])[^\W_]")  # of a word
_RUN = re.compile(r"[가-힣]*")
_WORD = re.compile(r"(?=.*[^\W\d_].*[^\W\d_])\D+", re.DOTALL)
_LONGEST_TAIL, _BEGINNING = 12, 2


def constant(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return disjoint, sorted *spans* without words that a tagger mostly leaves readable.

    A word that nothing but the tagger marks, and in no more places than it does not (상이연금), is
    no name: had it been sure once, all of them would be marked. A person has to be readable twice
    as often; persons it is sure of stay, and words with a digit: a number stands for anything.
    """
    found = list(spans)
    marked = Counter(text[span.start : span.end] for span in found)
    weak = {text[span.start : span.end] for span in found if _may_go(text, span)}
    weak -= {text[span.start : span.end] for span in found if not _may_go(text, span)}
    if not weak:
        return found
    covered = bytearray(len(text))
    for span in found:
        covered[span.start : span.end] = b"\1" * len(span)
    readable = _readable(text, weak, covered)
    return [span for span in found if not _is_wavering(text, span, marked, readable)]


def _is_wavering(
    text: str, span: Span, marked: Mapping[str, int], readable: Mapping[str, int]
) -> bool:
    word = text[span.start : span.end]
    least = marked[word] * (2 if is_person(span) else 1)
    return readable.get(word, 0) >= least


def _may_go(text: str, span: Span) -> bool:
    is_word = _WORD.fullmatch(text[span.start : span.end]) is not None
    if not is_word or not span.source.startswith("tagger"):
        return False
    return span.score < SURE or not is_person(span)


def _readable(text: str, words: Iterable[str], covered: bytearray) -> Counter[str]:
    """Return how often each of *words* stands in *text* by itself where nothing is marked.

    In one walk over the text, however many words there are.
    """
    by_beginning: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        by_beginning[word[:_BEGINNING]].append(word)
    found: Counter[str] = Counter()
    for match in _START.finditer(text):
        at = match.start()
        for word in by_beginning.get(text[at : at + _BEGINNING], ()):
            end = at + len(word)
            if text.startswith(word, at) and not any(covered[at:end]) and _ends(text, end):
                found[word] += 1
    return found


def _ends(text: str, end: int) -> bool:
    """Return whether a word, but for its particle, ends at *end*."""
    run = _RUN.match(text, end, end + _LONGEST_TAIL)
    rest = run[0] if run else ""
    return rest in tails() if rest else not text[end : end + 1].isalnum()
