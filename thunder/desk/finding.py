"""The numbers of cases by which documents are found."""

import re

from thunder.identifiers.lookalikes import cases_in
from thunder.text.korean import fold

HEADING = 1000
"""Characters of a judgment in which its own numbers stand, and those of the instances below."""

_BRACKETS = re.compile(r"\([^()]*\)")
_NUMBER = re.compile(r"(?P<series>\D*[0-9]+ ?\D*?[가-힣] ?)(?P<serials>[0-9].*)", re.S)


def case_numbers(text: str) -> list[str]:
    """Return the case numbers that *text* names, each whole: 2031고단1, 2(병합) is two."""
    found: dict[str, None] = {}
    for number in cases_in(fold(text).text):
        match = _NUMBER.fullmatch(_BRACKETS.sub("", number))
        if match is None:
            continue
        series = re.sub(r"\s", "", match["series"])
        first, *rest = re.findall(r"[0-9]+", match["serials"])
        found |= dict.fromkeys(f"{series}{one}" for one in (first, *rest))
    return list(found)
