"""A small invented taxonomy, with policies, cues and lists, for the tests that edit one."""

from pathlib import Path

NAMES, PLACES = "labels/D.1.1-names.yaml", "labels/D.2.1-places.yaml"

FILES = {
    "taxonomy.yaml": """\
# The invented taxonomy: 2 main categories, 3 granular categories, 6 labels.
version: 4
main:
  - code: direct
    ko: 특정 정보
    en: Direct identifiers
  - code: quasi
    ko: 기타 정보
    en: Quasi-identifiers
sources:
  ours: invented for these tests
files:
  - labels/D.1.1-names.yaml
  - labels/D.2.1-places.yaml
""",
    NAMES: """\
# D.1.1 인명 (Names): 1 label in 1 granular category.
code: D.1.1
main: direct
ko: 인명
en: Names
categories:
  - ko: 이름
    en: names
    labels:
      - id: 1
        ko: 성명
        en: name
        identifier: direct
        treatment: letter
        source: ours
""",
    PLACES: """\
# D.2.1 장소 (Places): 5 labels in 2 granular categories.
# Places are lettered.
code: D.2.1
main: quasi
ko: 장소
en: Places
categories:
  # where one eats
  - ko: 외식업
    en: Eating
    labels:
      - id: 2
        ko: 주점
        en: pub
        identifier: quasi
        # why a letter: pubs are masked
        treatment: letter
        source: ours
        aliases: [술집, 호프]
      # restaurants, too
      - id: 3
        ko: 식당
        en: restaurant
        identifier: quasi
        treatment: letter
        source: ours
      - id: 4
        ko: 다방
        en: tea room
        identifier: quasi
        treatment: letter
        source: ours
  - ko: 번호
    en: Numbers
    labels:
      - id: 5
        ko: 계좌번호
        en: account number
        identifier: quasi
        treatment: omission
        source: ours
        aliases: [계좌]
      - id: 6
        ko: 층
        en: floor
        identifier: quasi
        treatment: keep
        reason: 흔한 것이다
        source: ours
# the end
""",
    "unmapped.yaml": """\
names:
  - name: 앞길
    count: 3
homonyms:
  - name: 다방
    label: 식당
""",
    "retired.yaml": "# Labels that were taken out.\nretired: []\n",
    "policy/strict.yaml": """\
name: strict
ko: 시험용
en: for tests
treatments:
  # even floors
  층: letter
roles:
  - reason: 손님
    labels: [주점, 식당, 외식업]
    words: [단골]
""",
    "cues/descriptors.yaml": """\
organisations:
  주점: [주점, 술집,
    호프집]  # pubs
  식당: [식당, 분식]
places:
  다방: [다방]
common: [식당]
""",
}

LISTS = {
    "D.2.1-places/외식업/주점.txt": "# source: invented\n# licence: Apache-2.0\n한울\n두레\n나리\n",
    "D.2.1-places/외식업/식당.txt": "# source: made up\n# licence: Apache-2.0\n나리\n가람\n",
    "D.2.1-places/외식업/다방.yaml": """\
label: 다방
source: composed
licence: Apache-2.0
parts:
  stem: [달, 별]  # stems
  place: parts/places.txt
patterns:
  - "{place}{stem}"
  - {pattern: "{stem}", weight: 3}
""",
    "D.2.1-places/번호/계좌번호.yaml": """\
label: 계좌번호
source: made
licence: Apache-2.0
maker: account
""",
    "parts/places.txt": "# source: invented\n# licence: Apache-2.0\n강변\n언덕\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    """Return *root*, in which these files are by now."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Return every file below *root* by its name, hidden ones too."""
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def changed(before: dict[str, bytes], root: Path) -> dict[str, list[str]]:
    """Return the lines that changed in each file of *root*, with - and + before them."""
    after = contents(root)
    found = {}
    for name in sorted(before.keys() | after.keys()):
        old, new = (side.get(name, b"").decode().splitlines() for side in (before, after))
        if old != new:
            gone = [f"-{line}" for line in old if line not in new]
            found[name] = gone + [f"+{line}" for line in new if line not in old]
    return found
