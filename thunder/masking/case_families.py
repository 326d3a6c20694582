"""Which judgments are one family: instances of a case, and cases that were joined.

A table says so, a line a judgment: its id, its case, and the cases below it, those it was appealed
from or joined of. Cases that are named together are one family, in order of instances.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

COLUMNS = ("id", "case", "below")
_BETWEEN = ";"


@dataclass(frozen=True, slots=True)
class Family:
    """Cases that belong together, and the ids of their judgments in order of instances."""

    cases: tuple[str, ...]
    ids: tuple[str, ...] = field(repr=False)


def read_families(path: Path) -> tuple[list[Family], dict[str, str]]:
    """Return the families of the table *path*, and the case of each id.

    CSV in UTF-8 with the columns ``id``, ``case`` and ``below``, of which the last may be empty and
    has several cases parted by semicolons. ValueError names file and line, and what to do.
    """
    case_of: dict[str, str] = {}
    below: dict[str, set[str]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            if missing := [one for one in COLUMNS if one not in (rows.fieldnames or ())]:
                raise ValueError(
                    f"{path}:1: 열이 없습니다({', '.join(missing)}): 첫 줄을 "
                    "id,case,below로 쓰십시오"
                )
            for row in rows:
                place = f"{path}:{rows.line_num}"
                id, case = (row["id"] or "").strip(), " ".join((row["case"] or "").split())
                if not id or not case:
                    raise ValueError(f"{place}: id나 case가 비었습니다: 채우십시오")
                if id in case_of:
                    raise ValueError(f"{place}: 앞에 나온 id입니다: 한 줄만 남기십시오")
                case_of[id] = case
                given = [" ".join(one.split()) for one in (row["below"] or "").split(_BETWEEN)]
                below.setdefault(case, set()).update(one for one in given if one)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: UTF-8이 아닙니다: UTF-8로 저장하십시오") from None
    if not case_of:
        raise ValueError(f"{path}: 판결이 하나도 없습니다: 한 줄에 하나씩 쓰십시오")
    depth = _depths(path, below)
    groups: dict[str, list[str]] = {}
    root = _roots(below)
    for case in sorted(depth):
        groups.setdefault(root[case], []).append(case)
    families = []
    ids_of: dict[str, list[str]] = {}
    for id in sorted(case_of):
        ids_of.setdefault(case_of[id], []).append(id)
    for cases in groups.values():
        order = sorted(cases, key=lambda case: (depth[case], case))
        ids = tuple(id for case in order for id in ids_of.get(case, ()))
        families.append(Family(tuple(sorted(cases)), ids))
    return sorted(families, key=lambda one: one.cases), case_of


def _roots(below: Mapping[str, set[str]]) -> dict[str, str]:
    parent: dict[str, str] = {}

    def root(case: str) -> str:
        while parent.setdefault(case, case) != case:
            case = parent[case]
        return case

    for case, others in sorted(below.items()):
        for other in sorted({case, *others}):
            low, high = sorted((root(case), root(other)))
            parent[high] = low
    return {case: root(case) for case in list(parent)}


def _depths(path: Path, below: Mapping[str, set[str]]) -> dict[str, int]:
    """Return how many instances are below each case; ValueError where one is below itself."""
    left = {case: set(others) for case, others in below.items()}
    for others in below.values():
        for other in others:
            left.setdefault(other, set())
    depth: dict[str, int] = {}
    while left:
        ready = sorted(case for case, others in left.items() if not others - depth.keys())
        if not ready:
            raise ValueError(
                f"{path}: 서로가 서로의 원심인 사건이 있습니다({min(left)}): below를 고치십시오"
            )
        for case in ready:
            depth[case] = max((depth[one] + 1 for one in left.pop(case)), default=0)
    return depth


def in_order(families: Sequence[Family]) -> list[str]:
    """Return the ids of all *families* in their order."""
    return [id for family in families for id in family.ids]
