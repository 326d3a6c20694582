"""How often filled judgments say what cannot be: stations, exits, banks, flats, plates, places.

Reads what ``thunder dataset fill`` wrote, and counts the mentions that the tables of facts
contradict. Prints Markdown.
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import _environment  # noqa: F401

from thunder.training_data.filling import facts
from thunder.training_data.filling.things import year_of

_LINE = re.compile(r"([0-9])호선[ ,'‘]{0,3}$")
_STATION = re.compile(r"([가-힣0-9·]{1,12}?)역?['’”\" ]{0,3}$")
_FLOOR = re.compile(r"([0-9]{1,2})층[ ,'’]{0,3}$")
_UNIT = re.compile(r"[^0-9]*([0-9]{1,2})[0-9]{2}")
_PLATE = re.compile(r"([가-힣]) ?[0-9]{4}$")
_STATIONS = ("지하철역", "기차역")
_SHOPS = (
    "식당",
    "주점",
    "카페",
    "노래방",
    "건물",
    "빌딩",
    "아파트",
    "모텔",
    "병원",
    "마트",
    "공원",
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("filled", type=Path, help="JSONL of thunder dataset fill")
    counts: Counter[tuple[str, bool]] = Counter()
    documents = 0
    with arguments.parse_args().filled.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            documents += 1
            for entity in row["entities"]:
                for what, right in _judged(row["text"], entity):
                    counts[what, right] += 1
    print("| what | contradicted | of |\n|---|---:|---:|")
    for what in sorted({name for name, _ in counts}):
        wrong, right = counts[what, False], counts[what, True]
        print(f"| {what} | {wrong} | {wrong + right} |")
    wrong = sum(number for (_, right), number in counts.items() if not right)
    print(f"| all, a document | {wrong / documents:.3f} | {documents:,} |")


def _judged(text: str, entity: dict[str, str | int]) -> list[tuple[str, bool]]:
    """Return what can be judged of a mention, and whether nothing known contradicts it."""
    label, mention = str(entity["label"]), str(entity["mention"])
    start, end = int(entity["start"]), int(entity["end"])
    before, after = text[max(0, start - 40) : start], text[end : end + 14]
    here = facts.where(text, start)
    found: list[tuple[str, bool]] = []
    if label in _STATIONS and here.provinces:
        name = mention.removesuffix("역")
        known = facts.stations_by_name().get(name, ())
        found.append(("station in its province", any(s.province in here.provinces for s in known)))
        line = _LINE.search(before)
        if line:
            found.append(("station on its line", any(f"{line[1]}호선" in s.lines for s in known)))
    if label in ("번", "출구번호", "번호") and re.match("번? ?출구", after):
        station = _STATION.search(before)
        known = facts.stations_by_name().get(station[1].split()[-1], ()) if station else ()
        most = max((one.exits for one in known), default=8)
        found.append(("exit of its station", mention.isdecimal() and int(mention) <= most))
    if label == "은행":
        found.append(("bank in its year", facts.existed(mention, year_of(text, start))))
    if label in ("호", "호실") and (floor := _FLOOR.search(before)):
        unit = _UNIT.match(mention)
        found.append(("flat on its floor", unit is None or unit[1] == floor[1]))
    if label == "차량번호" and "택시" in after and (plate := _PLATE.search(mention)):
        found.append(("plate of a taxi", plate[1] in "바사아자"))
    if label in _SHOPS and here.provinces:
        found.append(("place in a name", not facts.says_elsewhere(mention, here.provinces)))
    return found


if __name__ == "__main__":
    main()
