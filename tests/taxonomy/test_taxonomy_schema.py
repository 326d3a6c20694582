"""The JSON Schemas say what the loaders say, so that an editor completes and checks the YAML."""

import copy
import json
import re
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

from thunder.editing import edit as edits
from thunder.editing.edit import NewLabel, Spot
from thunder.settings import resources
from thunder.settings.yamlfile import YamlFileError, round_trip
from thunder.taxonomy import TREATMENTS, load, migration_files, profiles

from .taxonomy_folder import FILES, PLACES, write

TAXONOMY = resources.folder("taxonomy")
SCHEMAS = TAXONOMY / "schema"
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
SHIPPED = sorted(
    path
    for pattern in ("*.yaml", "labels/*.yaml", "policy/*.yaml", "migrations/*.yaml")
    for path in TAXONOMY.glob(pattern)
)


def schema(name):
    return Draft7Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")))


def data_of(path: Path):
    return YAML(typ="safe").load(path.read_text("utf-8"))


def schema_of(path: Path) -> Draft7Validator:
    """Return the schema that a file names in its first line."""
    line = MODELINE.match(path.read_text("utf-8"))
    assert line, f"{path} names no schema in its first line"
    target = (path.parent / line[1]).resolve()
    assert target.parent == SCHEMAS.resolve()
    return schema(target.name.removesuffix(".schema.json"))


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_every_schema_is_one(path):
    Draft7Validator.check_schema(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_shipped_files_fit_the_schema_they_name(path):
    assert [error.message for error in schema_of(path).iter_errors(data_of(path))] == []


def test_migrations_of_every_kind_fit_their_schema(tmp_path):
    folder = write(tmp_path / "taxonomy", FILES)
    shutil.copytree(SCHEMAS, folder / "schema")
    for plan, *arguments in (
        (edits.add, NewLabel("극장", "theatre"), Spot("번호")),
        (edits.rename, "주점", "술집업"),
        (edits.merge, "술집업", "식당"),
        (edits.split, "층", "지상층", [NewLabel("지하층", "basement")]),
        (edits.move, "극장", Spot("외식업")),
    ):
        edits.write(plan(folder, *arguments))
    edits.write(
        edits.split(
            *(folder, "계좌번호", "계좌번호", [NewLabel("증권계좌", "securities account")]),
            mentions={"증권계좌": ["112", "77-1"]},
        )
    )
    edits.write(edits.retire(folder, "계좌", reason="시험"))
    found = sorted((folder / "migrations").glob("*.yaml"))
    assert len(found) == 7
    for path in found:
        target = folder / "migrations" / MODELINE.match(path.read_text())[1]
        assert target.resolve() == folder / "schema/migration.schema.json"
        assert [error.message for error in schema("migration").iter_errors(data_of(path))] == []
    for name in ("retired", "unmapped", "taxonomy"):
        assert schema(name).is_valid(data_of(folder / f"{name}.yaml"))
    assert schema("label-file").is_valid(data_of(folder / PLACES))


# --- schema and loader agree --------------------------------------------------------------------


def mappings(schema_part):
    """Return the known and the required keys of every kind of mapping in a schema."""
    found = []

    def walk(part):
        if isinstance(part, dict):
            if part.get("additionalProperties") is False:
                keys = set(part["properties"])
                found.append((keys, set(part["required"])))
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(schema_part)
    return sorted((sorted(keys), sorted(required)) for keys, required in found)


def test_the_keys_of_a_label_file_are_those_of_the_loader():
    from thunder.taxonomy import file

    expected = [
        (sorted(file.FILE_KEYS), sorted(file.FILE_KEYS)),
        (sorted(file.CATEGORY_KEYS), sorted(file.CATEGORY_KEYS)),
        (sorted((*file.LABEL_REQUIRED, *file.LABEL_OPTIONAL)), sorted(file.LABEL_REQUIRED)),
    ]
    assert mappings(schema("label-file").schema) == sorted(expected)
    label = schema("label-file").schema["definitions"]["label"]["properties"]
    assert tuple(label) == file.WRITTEN_ORDER
    assert tuple(label["treatment"]["enum"]) == TREATMENTS


def test_the_keys_of_a_migration_are_those_of_the_loader():
    migration = schema("migration").schema
    arguments = {key for keys in migration_files.ARGUMENTS.values() for key in keys}
    optional = {key for keys in migration_files.OPTIONAL.values() for key in keys}
    assert set(migration["properties"]) == {*migration_files.COMMON, *arguments, *optional}
    assert set(migration["required"]) == set(migration_files.COMMON)
    assert tuple(migration["properties"]["operation"]["enum"]) == tuple(migration_files.ARGUMENTS)
    for rule in migration["allOf"]:
        operation = rule["if"]["properties"]["operation"]["const"]
        known = {
            *migration_files.ARGUMENTS[operation],
            *migration_files.OPTIONAL.get(operation, ()),
        }
        assert set(rule["then"]["required"]) == set(migration_files.ARGUMENTS[operation])
        assert set(rule["then"]["properties"]) == (arguments | optional) - known


def at(data, steps):
    for step in steps:
        data = data[step]
    return data


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
        # And what may be.
        (PLACES, LABEL, "note", "비고"),
        (PLACES, LABEL, "as_printed", "주 점"),
        (PLACES, LABEL, "aliases", ["술 집", "P주점"]),
        ("unmapped.yaml", ("names", 0), "note", "비고"),
        ("retired.yaml", ("retired", 0), "successor", 3),
    ],
)
def test_schema_and_loader_agree(tmp_path, name, steps, key, value):
    retired = "retired:\n  - id: 7\n    ko: 극장\n    reason: 시험\n"
    folder = write(tmp_path, {**FILES, "retired.yaml": retired})
    kind = "label-file" if name == PLACES else name.removesuffix(".yaml")
    data = data_of(folder / name)
    assert schema(kind).is_valid(data)
    load(folder)
    changed = copy.deepcopy(data)
    if value is None:
        del at(changed, steps)[key]
    else:
        at(changed, steps)[key] = value
    with (folder / name).open("w") as file:
        round_trip().dump(changed, file)
    assert schema(kind).is_valid(changed) == loads(folder)


def loads(folder):
    try:
        load(folder)
    except YamlFileError:
        return False
    return True


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
        ((), "extends", None),
        (("roles", 0), "line_has", None),
        (("keep", 0), "patterns", ["가+"]),
        (("keep", 0), "names", ["대법원"]),
    ],
)
def test_schema_and_loader_of_a_policy_agree(tmp_path, steps, key, value):
    data = YAML(typ="safe").load(POLICY)
    assert schema("policy").is_valid(data)
    if value is None:
        at(data, steps).pop(key, None)
    else:
        at(data, steps)[key] = value
    with (tmp_path / "own.yaml").open("w") as file:
        round_trip().dump(data, file)
    try:
        profiles.load("own", folder=tmp_path)
        is_read = True
    except YamlFileError:
        is_read = False
    assert schema("policy").is_valid(data) == is_read
