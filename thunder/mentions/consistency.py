"""A word is a mention in all of a judgment or in none of it: who decides where a tagger wavers.

What a tagger is sure of is looked for everywhere (``thunder.names.propagation``), but for what is
rather a common word. What then still stands readable as often as it is marked is such a word: on
400 whole judgments of development 232 needless characters went for 21 that courts had masked. A
name that is lost so leaked where it stood readable anyway, and a person is shown the place
(``thunder.masking.doubts``).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from thunder.mentions.generic_words import is_person
from thunder.names.evidence import QUITE_SURE, SURE
from thunder.names.given_names import is_unlikely
from thunder.names.kind_repeats import noun_after
from thunder.names.propagation import ends_freely
from thunder.names.runs import Wordings
from thunder.text.spans import Span

_START = re.compile(r"(?<![^\W_])[^\W_]")  # of a word
_WORD = re.compile(r"(?=.*[^\W\d_].*[^\W\d_])[^\d\n]+")


def consistent(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return disjoint, sorted *spans* without words that a tagger mostly leaves readable.

    That is a word that nothing but the tagger marks, never quite surely, and in no more places than
    it does not (상이연금). A person has to be readable twice as often, and to be called what hardly
    anybody is. Words with a digit stay: a number stands for anything.
    """
    found = list(spans)
    marked = Counter(_wording(text, span) for span in found)
    weak = {_wording(text, span) for span in found if _may_go(text, span)}
    weak -= {_wording(text, span) for span in found if not _may_go(text, span)}
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
    word = _wording(text, span)
    least = marked[word] * (2 if is_person(span) else 1)
    return readable.get(word, 0) >= least


def _wording(text: str, span: Span) -> str:
    """Return what *span* covers, with the noun behind it that says what it names: 한빛|노동조합."""
    return text[span.start : span.end] + noun_after(text, span.end)


def _may_go(text: str, span: Span) -> bool:
    word = text[span.start : span.end]
    is_word = _WORD.fullmatch(word) is not None
    if not is_word or not span.source.startswith("tagger") or span.score >= QUITE_SURE:
        return False
    return not is_person(span) or (span.score < SURE and is_unlikely(word))


def _readable(text: str, words: Iterable[str], covered: bytearray) -> Counter[str]:
    """Return how often each of *words* stands in *text* by itself where nothing is marked.

    In one walk over the text, however many words there are.
    """
    known = Wordings(dict.fromkeys(words))
    found: Counter[str] = Counter()
    for at in map(re.Match.start, _START.finditer(text)):
        for word in known.at(text, at):
            end = at + len(word)
            if not any(covered[at:end]) and ends_freely(text, end):
                found[word] += 1
    return found
