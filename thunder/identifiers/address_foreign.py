"""Foreign streets with their numbers, where the writing leaves no doubt."""

from collections.abc import Iterator

from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

_STREET = expression(
    r"<street>(?![A-Za-z])"
    r"(?:,? (?:Suite|Ste\.|Apt\.?|Unit|No\.|#) ?[0-9A-Z-]{1,6})?"
)
_NUMBER_AND_NAME = lazy.compile(
    r"(?<![A-Za-z0-9])[0-9]{1,5} (?:[A-Z0-9][A-Za-z0-9.'-]{0,20} ){1,4}$"
)
_LONGEST = 100
_JAPANESE = expression(
    r"[가-힣]{2,8}(?:\([^()\n]{1,8}\))? ?[0-9]{1,2} ?<japanese-block>(?:\([^()\n]{1,4}\))?"
    r"(?: ?[0-9]{1,3} ?번(?:\([^()\n]{1,4}\))?(?: ?[0-9]{1,3} ?호(?:\([^()\n]{1,4}\))?)?"
    r"| ?[0-9]{1,3}-[0-9]{1,3})?",
    needs=("<japanese-block>",),
)


def find(text: str) -> Iterator[Span]:
    """Yield streets written as 1234 Wilshire Blvd. or 구단키타 3정목 1번 1호, and no others."""
    for street in _STREET.finditer(text):
        before = max(0, street.start() - _LONGEST)
        name = _NUMBER_AND_NAME.search(text, before, street.start())
        if name:
            yield Span(name.start(), street.end(), "국외주소", 0.9)
    for match in _JAPANESE.finditer(text):
        yield Span(match.start(), match.end(), "국외주소", 0.9)
