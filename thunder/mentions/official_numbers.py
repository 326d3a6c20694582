"""Numbers that a judgment itself says lead to nobody: of cases, of headings of the tariff.

Those that are told by their form and by what stands beside them are look-alikes
(``taxonomy/patterns/lookalikes.yaml``).
"""

from functools import lru_cache

from thunder.identifiers.lookalikes import is_case, tariff_headings
from thunder.taxonomy.lexicon import expression
from thunder.text.spans import Span

# A case of a board or commission is told by its parties: 원고와 피고 사이의 2010-123호 … 사건.
_BOARD_CASE = expression(
    r"(?<=[가-힣)]) ?(?:사이의|간의)\s+((?:19|20)[0-9]{2}-[0-9]{1,4})(?= ?호[^.\n]{0,40}사건)"
)
_LONGEST_HEADING = 13  # 8541.40.10.00


def is_official(text: str, span: Span) -> bool:
    """Return whether *text* names the number of *span* as that of a case or a good."""
    word = text[span.start : span.end]
    number = word.removesuffix("호").rstrip()
    if is_case(word) or number in _board_cases(text):
        return True
    is_item = "호" in text[span.end - 1 : span.end + 2]
    digits = number.removeprefix("제").lstrip()
    is_heading = len(digits) <= _LONGEST_HEADING and not any(map(str.isalpha, digits))
    return is_item and is_heading and digits[:4] in tariff_headings(text)


@lru_cache(maxsize=1)
def _board_cases(text: str) -> frozenset[str]:
    return frozenset(_BOARD_CASE.findall(text))
