"""Names in letters that Korean is not written with: Александр Петров, สมชาย ใจดี, Nguyễn Văn Hải.

A judgment writes hardly anything else in them. Names in Chinese characters are shown by what stands
beside them: ``taxonomy/patterns/letters.yaml``. Latin words without marks are read elsewhere.
"""

from collections.abc import Iterator

from thunder.text import lazy
from thunder.text.spans import Span

_LABEL, _SCORE, _SOURCE = "외국인이름", 0.99, "names:person"
_SCRIPTS = (
    "\u0400-\u052f",  # Cyrillic
    "\u0531-\u0587",  # Armenian
    "\u0590-\u06ff\u0750-\u077f",  # Hebrew, Arabic
    "\u0900-\u10ff",  # of India, Thai, Lao, Tibetan, Burmese, Georgian
    "\u1200-\u137f",  # Ethiopic
    "\u1780-\u17ff\u1820-\u18aa",  # Khmer, Mongolian
    "\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f",  # kana
)
_WORDS = lazy.compile(
    "|".join(rf"[{one}]{{2,24}}(?:[ .·・･-]{{1,2}}[{one}]{{1,24}}){{0,5}}" for one in _SCRIPTS),
    needs=f"[{''.join(_SCRIPTS)}]",
)
# Latin words, one of them with a mark that Hangul's Latin never has.
_MARK = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_CAPITAL = "A-Z\u00c0-\u00de\u0110\u1e00-\u1eff"
_HAS_MARK = lazy.compile(f"[{_MARK}]")
_LATIN = lazy.compile(
    rf"(?<![A-Za-z{_MARK}])[{_CAPITAL}][A-Za-z{_MARK}'-]{{1,24}}"
    rf"(?: [{_CAPITAL}][A-Za-z{_MARK}'-]{{0,24}}){{0,5}}"
)


def find(text: str) -> Iterator[Span]:
    """Yield each run of such letters of folded *text*, its words together."""
    for match in _WORDS.finditer(text):
        yield Span(match.start(), match.end(), _LABEL, _SCORE, _SOURCE)
    if _HAS_MARK.search(text):
        for match in _LATIN.finditer(text):
            if _HAS_MARK.search(match[0]):
                yield Span(match.start(), match.end(), _LABEL, _SCORE, _SOURCE)
