"""What a file of a taxonomy or policy may not say is refused; what it may is read."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from thunder.settings.yamlfile import YamlFileError, round_trip
from thunder.taxonomy import load, profiles

from .taxonomy_folder import FILES, PLACES, write

RETIRED = "retired:\n  - id: 7\n    ko: 극장\n    reason: 시험\n"


def changed(path: Path, steps: tuple, key: str, value: object) -> None:
    """Change a value of a YAML file, or take it away."""
    data = YAML(typ="safe").load(path.read_text("utf-8"))
    part = data
    for step in steps:
        part = part[step]
    if value is None:
        part.pop(key, None)
    else:
        part[key] = value
    with path.open("w") as file:
        round_trip().dump(data, file)


LABEL = ("categories", 0, "labels", 0)


@pytest.mark.parametrize(
    ("name", "steps", "key", "value"),
    [
        # An unknown key, wherever one may stand.
        ("taxonomy.yaml", (), "colour", "red"),
        ("taxonomy.yaml", ("main", 0), "colour", "red"),
        (PLACES, (), "colour", "red"),
        (PLACES, ("categories", 0), "colour", "red"),
        (PLACES, LABEL, "colour", "red"),
        ("unmapped.yaml", (), "colour", "red"),
        ("unmapped.yaml", ("names", 0), "colour", "red"),
        ("unmapped.yaml", ("homonyms", 0), "colour", "red"),
        ("retired.yaml", (), "colour", "red"),
        ("retired.yaml", ("retired", 0), "colour", "red"),
        # A key that is missing.
        ("taxonomy.yaml", (), "version", None),
        ("taxonomy.yaml", ("main", 0), "en", None),
        (PLACES, (), "main", None),
        (PLACES, ("categories", 0), "en", None),
        *((PLACES, LABEL, key, None) for key in ("id", "ko", "en", "identifier", "treatment")),
        (PLACES, LABEL, "source", None),
        ("unmapped.yaml", ("names", 0), "count", None),
        ("retired.yaml", ("retired", 0), "reason", None),
        # A value that cannot be.
        ("taxonomy.yaml", (), "version", "one"),
        ("taxonomy.yaml", (), "version", -1),
        ("taxonomy.yaml", ("main", 0), "code", "both"),
        ("taxonomy.yaml", ("sources",), "ours", 3),
        (PLACES, LABEL, "id", 0),
        (PLACES, LABEL, "id", "2"),
        (PLACES, LABEL, "ko", 112),
        (PLACES, LABEL, "ko", "<주점"),
        (PLACES, LABEL, "ko", "/주점"),
        (PLACES, LABEL, "ko", " 주점"),
        (PLACES, LABEL, "en", ""),
        (PLACES, LABEL, "en", "pub "),
        (PLACES, LABEL, "treatment", "mask"),
        (PLACES, LABEL, "treatment", "keep"),  # without a reason
        (PLACES, LABEL, "omission", "주점"),  # without the treatment
        (PLACES, LABEL, "identifier", "other"),
        (PLACES, LABEL, "aliases", "술집"),
        (PLACES, LABEL, "aliases", ["술>집"]),
        (PLACES, ("categories", 0), "labels", []),
        ("unmapped.yaml", ("names", 0), "count", "many"),
        ("retired.yaml", ("retired", 0), "successor", "식당"),
    ],
)
def test_what_is_wrong_is_refused_with_its_file_and_line(tmp_path, name, steps, key, value):
    folder = write(tmp_path, {**FILES, "retired.yaml": RETIRED})
    load(folder)
    changed(folder / name, steps, key, value)
    with pytest.raises(YamlFileError, match=rf"{name}:[0-9]+: "):
        load(folder)


@pytest.mark.parametrize(
    ("name", "steps", "key", "value"),
    [
        (PLACES, LABEL, "note", "비고"),
        (PLACES, LABEL, "as_printed", "주 점"),
        (PLACES, LABEL, "aliases", ["술 집", "P주점"]),
        ("unmapped.yaml", ("names", 0), "note", "비고"),
        ("retired.yaml", ("retired", 0), "successor", 3),
    ],
)
def test_what_may_be_is_read(tmp_path, name, steps, key, value):
    folder = write(tmp_path, {**FILES, "retired.yaml": RETIRED})
    changed(folder / name, steps, key, value)
    load(folder)


POLICY = """\
name: own
ko: 시험용
en: for tests
treatments: {나이: letter}
omissions: {'rule:card': 카드번호}
keep:
  - reason: 법원
    endings: [법원]
roles:
  - reason: 법관
    labels: [인명]
    words: [판사]
    unless_after: [원고]
    line_has: [재판부]
review:
  - kind: scene
    endings: [교도소]
    near: [소속]
    message: 확인하십시오.
mask_on_review: true
"""


@pytest.mark.parametrize(
    ("steps", "key", "value"),
    [
        ((), "colour", "red"),
        (("keep", 0), "colour", "red"),
        (("roles", 0), "colour", "red"),
        (("review", 0), "colour", "red"),
        ((), "ko", None),
        (("keep", 0), "reason", None),
        (("keep", 0), "endings", None),
        (("roles", 0), "words", None),
        (("review", 0), "message", None),
        (("treatments",), "나이", "mask"),
        (("omissions",), "rule:card", ""),
        (("roles", 0), "labels", "인명"),
        ((), "mask_on_review", "yes"),
    ],
)
def test_what_is_wrong_in_a_policy_is_refused(tmp_path, steps, key, value):
    path = tmp_path / "own.yaml"
    path.write_text(POLICY, "utf-8")
    changed(path, steps, key, value)
    with pytest.raises(YamlFileError, match=r"own\.yaml:[0-9]+: "):
        profiles.load("own", folder=tmp_path)


@pytest.mark.parametrize(
    ("steps", "key", "value"),
    [
        ((), "extends", None),
        (("roles", 0), "line_has", None),
        (("keep", 0), "patterns", ["가+"]),
        (("keep", 0), "names", ["대법원"]),
    ],
)
def test_what_may_be_in_a_policy_is_read(tmp_path, steps, key, value):
    path = tmp_path / "own.yaml"
    path.write_text(POLICY, "utf-8")
    changed(path, steps, key, value)
    profiles.load("own", folder=tmp_path)
