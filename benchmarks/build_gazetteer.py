"""Make taxonomy/gazetteer/*.tsv from the open government tables of divisions and roads.

    python benchmarks/build_gazetteer.py data/entities taxonomy/gazetteer

Reads legal-divisions.tsv (the code table of 2021-11), roads.tsv and the Korean roads of
wikipedia-entities.tsv; writes divisions.tsv and roads.tsv. The hand-kept changes.tsv stays as it
is.
"""

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import _environment  # noqa: F401

from thunder.taxonomy.gazetteer import road_shape

RENAMED = {"강원도": "강원특별자치도", "전라북도": "전북특별자치도"}  # 2023-06, 2024-01
MOVED = {("경상북도", "군위군"): "대구광역시"}  # 2023-07
SEJONG = "세종특별자치시"
ROAD = re.compile(r"[가-힣0-9·]+(?<!고속도)(?<!고가도)(?<!전용도)(?<!순환도)(?:로|길)")
REMARK = re.compile(r"\(.*\)$")  # 기암리(岐岩): the Hanja tells two villages apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    divisions = divisions_table(rows(options.source / "legal-divisions.tsv"))
    write(options.target / "divisions.tsv", ["province", "district", "town", "names"], divisions)
    roads = {row["road"] for row in rows(options.source / "roads.tsv")}
    roads |= {
        row["name"]
        for row in rows(options.source / "wikipedia-entities.tsv")
        if (row["kind"], row["context"]) == ("도로", "KR")
    }
    shapes = sorted({road_shape(road) for road in roads if ROAD.fullmatch(road)})
    write(options.target / "roads.tsv", ["road"], ([shape] for shape in shapes))


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def divisions_table(source: Iterator[dict[str, str]]) -> Iterator[list[str]]:
    """Yield one row per 시군구 with its 읍면동, and one per 읍면 with its 리."""
    below: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for row in source:
        place = split(row["name"])
        if place:
            key, name = place
            if name not in below[key]:
                below[key].append(name)
    for (province, district, town), names in below.items():
        yield [province, district, town, " ".join(names)]


def split(name: str) -> tuple[tuple[str, str, str], str] | None:
    """Return ((시도, 시군구, 읍면), name) of a full name, None for 시군구 and above."""
    province, *rest = REMARK.sub("", name).split()
    rest = [SEJONG, *(part for part in rest if part != SEJONG)] if province == SEJONG else rest
    levels = 2 if len(rest) > 1 and rest[0][-1] == "시" and rest[1][-1] == "구" else 1
    district, below = " ".join(rest[:levels]), rest[levels:]
    if not below:
        return None
    province = MOVED.get((province, district), RENAMED.get(province, province))
    return (province, district, below[0] if len(below) > 1 else ""), below[-1]


def write(path: Path, header: list[str], table: Iterator[list[str]]) -> None:
    lines = ["\t".join(row) for row in (header, *table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
