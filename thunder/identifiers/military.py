"""군번: military service numbers, beside the word or beside a rank.

Since 1991 YY- and five digits (officers), six (sergeants) or eight (enlisted); older numbers have
five to nine digits, joined or not. None has a check digit.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import NAMED
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "military"
LABEL = "군번"

_NUMBER = r"(?:[A-Z]-?)?(?:[0-9]{2} ?- ?[0-9]{4,8}|[0-9]{5,10})"
_END = r"(?![0-9*○●]|-[0-9]|[.,][0-9]|원|명|만)"
_NAMED = lazy.compile(
    r"군번(?: ?\([^()\n]{0,10}\))?(?:은|는|이|가|인|을|를)?[ ]{0,2}(?:\r?\n[ ]{0,2})?[:=]?[ ]?"
    rf"[(\[‘“'\"]{{0,2}}(?:제 ?)?(?P<number>{_NUMBER}){_END}"
)
_NEXT = lazy.compile(
    rf"[)\]’”'\"호]{{0,2}}(?:,| 및|ㆍ|·|/) ?[(‘“'\"]?(?P<number>[0-9]{{2}}-[0-9]{{5,8}}){_END}"
)
_BESIDE_RANK = expression(
    rf"<rank> {{0,2}}[가-힣○A-Z]{{0,5}} ?[(\[] ?(?P<number>[0-9]{{2}} ?- ?[0-9]{{5,8}}){_END}",
    needs=("병", "사", "위", "령"),
)
_BEFORE_WORD = lazy.compile(
    r"(?<![0-9\-])(?P<number>[0-9]{2}-[0-9]{5,8})(?=[)\]’”'\"]? ?\(?군번)"  # 17-76012345(군번)
)


def find(text: str) -> Iterator[Span]:
    """Yield the military service numbers of *text*."""
    if "군번" in text:
        for match in _NAMED.finditer(text):
            yield _span(match, NAMED if "-" in match["number"] else 0.9)
            yield from _listed(text, match.end())
        yield from (_span(match, 0.9) for match in _BEFORE_WORD.finditer(text))
    for match in _BESIDE_RANK.finditer(text):
        yield _span(match, 0.75)


def _listed(text: str, end: int) -> Iterator[Span]:
    """Yield the numbers that go on after a named one: 군번 17-76012345, 17-76012346."""
    while following := _NEXT.match(text, end):
        end = following.end()
        yield _span(following, 0.85)


def _span(match: re.Match[str], score: float) -> Span:
    return Span(match.start("number"), match.end("number"), LABEL, score)
