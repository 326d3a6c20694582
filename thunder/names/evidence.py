"""What each kind of evidence for a name weighs: ``taxonomy/cues/name_evidence.tsv``."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from thunder.settings.resources import folder
from thunder.settings.yamlfile import Problem, YamlFileError
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy import tables

SURE, QUITE_SURE = 0.5, 0.9
"""From these scores on a tagger's mention is sure, and quite sure."""

WITH_FORM = "beside its legal form"
"""The evidence by which a recogniser knows a firm for certain: 주식회사 한빛테크."""

_TABLE = "cues/name_evidence"
_SCORE, _POINT, _NEEDED = "score: ", "point: ", "needed: "


def score(evidence: str) -> float:
    """Return how sure a find is that *evidence* shows, 0 to 1."""
    return weights()[_SCORE + evidence]


def suffices(evidence: Collection[str], *, asked: str) -> bool:
    """Return whether the points of all *evidence* are as many as what is *asked* needs."""
    known = weights()
    return sum(known[_POINT + one] for one in evidence) >= needed(asked)


def needed(asked: str) -> float:
    """Return how many points what is *asked* needs."""
    return weights()[_NEEDED + asked]


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """Return the weights in use; YamlFileError names a row that lacks, and a score above 1."""
    path = tables.file_of(_TABLE)
    found = {evidence: float(weight) for evidence, weight, _ in tables.table(_TABLE)}
    shipped = folder("taxonomy") / f"{_TABLE}.tsv"
    asked = [row[0] for row in tables.rows_of(shipped, tables.COLUMNS[_TABLE])]
    wrong = [say.EVIDENCE_MISSING(id=one) for one in asked if one not in found]
    wrong += [
        say.EVIDENCE_IS_NO_SCORE(id=one)
        for one, weight in found.items()
        if one.startswith(_SCORE) and not 0 < weight <= 1
    ]
    if wrong:
        raise YamlFileError([Problem(path, 1, one) for one in wrong])
    return found
