"""Temples, by their denomination, abbot or halls: 대한불교조계종 나래사, 나래사 주지."""

import re
from collections.abc import Iterator
from itertools import islice

from thunder.names.chunks import OPENING, TAIL, stem_length
from thunder.names.descriptors import lexicon
from thunder.names.naming import CERTAIN
from thunder.names.person_context import role_group
from thunder.names.person_lexicon import commonness
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

_LABEL = "사찰"
_RUN = lazy.compile(r"[가-힣]{2,12}")
# 대한불교조계종, 한국불교태고종, 재단법인 대한불교진각종; 업종 and 품종 are none.
_DENOMINATION = expression(
    r"(?:불교 ?[가-힣]{1,8}종|<denomination>)"
    r"(?:유지재단)?(?:\([^()\n]{1,30}\))?(?: ?제 ?[0-9]{1,2} ?교구)?(?: ?(?:본사|말사|사찰))?인?"
    rf" ?[{OPENING}]?(?=[가-힣])",
    needs=("불교", "<denomination>"),
)
_CALLED = lazy.compile(rf"(?:사찰|말사|본사)인 [{OPENING}]?(?=[가-힣])")
# What only a temple has, after its name.
_HAS = expression(
    r"(?<![가-힣])(?P<name>[가-힣]{2,5}[사암])(?:의| 소속| 전| 현)? "
    r"?(?:주지(?!하)|<temple-part>)",
    needs=("주지", "<temple-part>"),
)
_NAME = lazy.compile(r"[가-힣]{1,5}(?:사|암|선원|정사|포교원)")
# Posts, bodies, acts; and what monks and laymen are called: 나래법사.
_NO_TEMPLE = expression(".*<no-temple>")
_SHORTEST_APART = 3
_MOST = 40  # temples: each is looked for in all of the text


def find(text: str) -> Iterator[Span]:
    """Yield the temples of *text* wherever they stand; 사 is the last syllable of their name."""
    names = list(islice(dict.fromkeys(_names(text)), _MOST))
    if not names:
        return
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    everywhere = lazy.compile(f"(?<![가-힣])(?:{longest_first})(?P<rest>[가-힣]{{0,12}})")
    found = {
        (match.start(), match.start("rest"))
        for match in everywhere.finditer(text)
        if TAIL.fullmatch(match["rest"])
    }
    found |= {match.span() for match in _after_denomination(text, longest_first)}
    for start, end in sorted(found):
        yield Span(start, end, _LABEL, CERTAIN)


def _after_denomination(text: str, names: str) -> Iterator[re.Match[str]]:
    """Yield the temples right after their denomination, be it without a space."""
    name = lazy.compile(names)
    for lead in _DENOMINATION.finditer(text):
        if match := name.match(text, lead.end()):
            yield match


def _names(text: str) -> Iterator[str]:
    for pattern in (_DENOMINATION, _CALLED):
        for match in pattern.finditer(text):
            run = _RUN.match(text, match.end())
            name = run[0][: stem_length(run[0])] if run else ""
            if _is_temple(name):
                yield name
    for match in _HAS.finditer(text):
        if len(match["name"]) >= _SHORTEST_APART and _is_temple(match["name"]):
            yield match["name"]


def _is_temple(name: str) -> bool:
    """Return whether *name* may be a temple's: no post, no body, no word of all judgments."""
    if _NAME.fullmatch(name) is None or _NO_TEMPLE.fullmatch(name):
        return False
    is_word = name in lexicon().apart or commonness(name, tailed=False) > 0
    return not is_word and not role_group(name)
