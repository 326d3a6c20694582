"""Political parties by their names: those of the Republic, old and new, with or without their 당.

Courts letter them (○○당) more often than not since 2012; before, they mostly left them readable.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from thunder.names.chunks import TAIL
from thunder.names.naming import CERTAIN
from thunder.resources import folder
from thunder.rules.cues import is_near
from thunder.spans import Span

LABEL = "정당"
_NOUN = "당"
_FILE, _CUED = "political_parties.tsv", "cue"
_CUE = re.compile(
    "정당|당원|당적|입당|탈당|창당|당대표|당헌|공천|선거|후보|의원|대통령|정치자금|여당|야당"
)
_SIGHT = 60
_ABROAD = re.compile(r"(?:미국|일본|영국|독일|대만|북한|조선)(?:의)? ?\Z")
_PART = (
    "원|사|헌|규|적|세|직자|대표|소속|후보|예비후보|출신|의원|국회의원|공천|비례대표|지도부|원내|최고위원|"
    "사무총장|대변인|지구당|중앙당|시당|도당|측"
)
_AFTER = re.compile(rf"(?: ?(?:{_PART})[가-힣]*|{TAIL.pattern})(?![가-힣])")
_LOOKING_BACK = 8


class _Parties(NamedTuple):
    pattern: re.Pattern[str]
    cued: frozenset[str]


@lru_cache(maxsize=1)
def _parties() -> _Parties:
    path = folder("taxonomy") / "gazetteer" / _FILE
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = sorted((row["name"] for row in rows), key=len, reverse=True)
    pattern = re.compile(rf"(?<![가-힣A-Za-z0-9])(?:{'|'.join(map(re.escape, names))})")
    return _Parties(pattern, frozenset(row["name"] for row in rows if row["when"] == _CUED))


def find(text: str) -> Iterator[Span]:
    """Yield the parties' names, their 당 left out: 나래|당.

    A name that is a word besides (평화당, 새로운미래) counts near what parties do only.
    """
    pattern, cued = _parties()
    for match in pattern.finditer(text):
        start, end = match.span()
        if not _AFTER.match(text, end):
            continue
        if match[0] in cued and not is_near(text, start, end, _CUE, before=_SIGHT, after=_SIGHT):
            continue
        if not _ABROAD.search(text, max(0, start - _LOOKING_BACK), start):
            yield Span(start, end - match[0].endswith(_NOUN), LABEL, CERTAIN)
