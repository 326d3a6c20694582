"""Ages in the brackets that follow a name: '(여, 46세)', '(46세, 남)', '(만 12세)'.

The court rule leaves ages readable; the strict profile masks them (성폭력처벌법 제24조).
"""

from collections.abc import Iterator

from thunder.text import lazy
from thunder.text.spans import Span

NAME = "age"
_AGE = lazy.compile(
    r"\([^()\n]{0,12}?(?<![0-9])(?P<age>[0-9]{1,3})(?=세(?!대))[^()\n]{0,12}\)", needs=("세",)
)


def find(text: str) -> Iterator[Span]:
    """Yield the number of years in brackets, without 세."""
    for match in _AGE.finditer(text):
        yield Span(match.start("age"), match.end("age"), "나이", 0.95)
