"""Words of which each letter is written with several signs: as codes, or in single letters.

도인범 as &#46020;&#51064;&#48276;, %EB%8F%84…, \\ub3c4…, ㄷㅗㅇㅣㄴㅂㅓㅁ or with its letters taken
apart (NFD). Nobody has to read such a stretch to understand a judgment, so it is masked whole.
Where most of a text is written so, that is how the file was stored, and says nothing.
"""

from collections.abc import Iterator

from thunder.names.chunks import HANGUL
from thunder.names.evidence import score
from thunder.names.person_tails import ends_before_tail
from thunder.text.korean import Folded
from thunder.text.spans import Span

_LABEL, _SOURCE = "내국인이름", "names:person"
_WHOLE = 3  # letters: so many are a name by themselves, fewer are part of the word round them
_AT_MOST = 0.5  # of the Hangul of a text


def find(folded: Folded) -> Iterator[Span]:
    """Yield the disguised words of a text, in code points of its plain form."""
    stretches = folded.disguised()
    coded = sum(end - start for start, end in stretches)
    if not coded or coded > _AT_MOST * sum("가" <= char <= "힣" for char in folded.text):
        return
    done = 0
    for start, end in stretches:
        if end - start < _WHOLE:
            start, end = _word(folded.text, start, end)
        if start >= done:
            done = end
            yield Span(start, end, _LABEL, score("letters in code"), _SOURCE)


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the word round a stretch, without the particle at its end."""
    while start and "가" <= text[start - 1] <= "힣":
        start -= 1
    run = HANGUL.match(text, start)
    last = run.end() if run else end
    word = text[start:last]
    cuts = range(max(end, start + 2) - start, last - start)
    return start, start + next((cut for cut in cuts if ends_before_tail(word, cut)), last - start)
