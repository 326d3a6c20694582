"""특허번호: numbers of international applications and of their publication (WO, PCT).

One looks the applicant and the inventors up by it. Numbers of the Korean registers are the tagger's
(``thunder.mentions.number_kinds``).
"""

from collections.abc import Iterator

from thunder.identifiers.cues import NAMED
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "patent"
LABEL = "특허번호"

# WO 93/12345, WO 2005/012345, WO2005-012345; PCT/KR2005/001234, PCT/US93/01234: until 2003 the
# year had two digits and the number five (WIPO Standard ST.6, Administrative Instructions 307).
_NUMBER = lazy.compile(
    r"(?<![A-Za-z0-9])(?:WO ?(?:[0-9]{2} ?/ ?[0-9]{5}|(?:19|20)[0-9]{2} ?[/-]? ?[0-9]{6})"
    r"|PCT ?/ ?[A-Z]{2} ?(?:[0-9]{2} ?/ ?[0-9]{5}|(?:19|20)[0-9]{2} ?/ ?[0-9]{6}))"
    r"(?![0-9])(?: ?호)?",
    needs=("WO", "PCT"),
)


def find(text: str) -> Iterator[Span]:
    """Yield the numbers of international applications in *text*, with 호 as those of registers."""
    for number in _NUMBER.finditer(text):
        yield Span(number.start(), number.end(), LABEL, NAMED)
