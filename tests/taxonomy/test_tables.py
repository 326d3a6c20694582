"""Tables that people edit: a wrong row is named before a judgment is read."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thunder.editing.own import laid_over
from thunder.settings import resources
from thunder.settings.resources import folder
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import tables

SHIPPED = folder("taxonomy")


def test_every_table_that_ships_has_its_columns_written_down():
    files = {
        path.relative_to(SHIPPED).with_suffix("").as_posix()
        for place in (tables.CUES, tables.GAZETTEER)
        for path in (SHIPPED / place).rglob("*.tsv")
    }
    assert files == set(tables.COLUMNS)
    assert not [*tables.problems()]


@pytest.mark.parametrize("name", tables.COLUMNS)
def test_a_table_says_what_its_columns_are_called(name):
    head = [
        line.lstrip("# ")
        for line in tables.file_of(name).read_text("utf-8").splitlines()
        if line.startswith("#") or name.startswith("gazetteer/")
    ]
    assert "\t".join(tables.COLUMNS[name]) in head


@pytest.mark.parametrize(
    ("name", "row", "says"),
    [
        ("cues/surnames", "김", "1 fields, not 2 (surname, per_10000)"),
        ("cues/surnames", "김\t많음", "'많음' is no number"),
        ("cues/surnames", "\t12", "the field 1 is empty"),
        ("cues/account_layouts", "나래 3-2-6", "1 fields, not 2 (bank, layouts)"),
        ("cues/account_layouts", "나래\t3-2-6 3-2-x", "'3-2-x' is no layout"),
        ("cues/account_layouts", "나래\t3_2_6", "'3_2_6' is no layout"),
        ("cues/titles", "반장\tglued", "joined, spaced, clear, never"),
        ("cues/person_roles", "반장\tfriend", "party, kin, office, official, counsel, relation"),
        ("cues/nationalities", "몽골\t몽골이름", "no label '몽골이름'"),
        ("cues/legal_forms", "(협)\t주식회사\tanywhere", "as in '645 주식회사'"),
        ("cues/legal_forms", "(협)\t645 주식회사\tsomewhere", "anywhere, apart"),
        ("gazetteer/companies", "나래\t9999 SNS\talone", "no label '9999 SNS'"),
        ("gazetteer/political_parties", "나래당\talways", "alone, cue, post"),
    ],
)
def test_a_wrong_row_is_named_with_file_line_and_cure(tmp_path, name, row, says):
    path = tmp_path / "own.tsv"
    path.write_text(f"# 설명\n\n{row}\n", "utf-8")
    with pytest.raises(YamlFileError) as caught:
        tables.rows_of(path, tables.COLUMNS[name])
    assert says in str(caught.value)
    assert f"{path}:3: " in str(caught.value)


def test_all_wrong_rows_are_named_at_once(tmp_path):
    path = tmp_path / "surnames.tsv"
    path.write_text("김\n이\t많음\n박\t800\n", "utf-8")
    with pytest.raises(YamlFileError) as caught:
        tables.rows_of(path, tables.COLUMNS["cues/surnames"])
    assert [one.line for one in caught.value.problems] == [1, 2]


def test_a_word_stands_in_one_row_only(tmp_path):
    path = tmp_path / "titles.tsv"
    path.write_text("반장\tjoined\n소장\tclear\n반장\tspaced\n", "utf-8")
    with pytest.raises(YamlFileError, match="3: '반장' stands in line 1 already"):
        tables.rows_of(path, tables.COLUMNS["cues/titles"])


@pytest.mark.parametrize("content", [b"", b"# \xec\x84\xb1\n", b"\xb1\xe8\t12\n"])
def test_an_empty_table_and_another_encoding_are_refused(tmp_path, content):
    path = tmp_path / "surnames.tsv"
    path.write_bytes(content)
    with pytest.raises(YamlFileError, match=r"surnames.tsv:1: "):
        tables.rows_of(path, tables.COLUMNS["cues/surnames"])


def own_taxonomy(place: Path) -> Path:
    shutil.copytree(SHIPPED / "labels", place / "labels")
    shutil.copytree(SHIPPED / "migrations", place / "migrations")
    for name in ("taxonomy.yaml", "retired.yaml", "unmapped.yaml"):
        shutil.copy(SHIPPED / name, place / name)
    return place


def thunder(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "thunder", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("cues/person_roles.tsv", "피고인\tperson\n", "person_roles.tsv:1"),
        ("cues/descriptors.yaml", "organisations: [\n", "descriptors.yaml:1"),
        ("patterns/own.yaml", "rules: [\n", "own.yaml:1"),
        ("patterns/formats.yaml", "rules: [\n", "formats.yaml:1"),
        ("arbiter.yaml", "ranks: {}\n", "arbiter.yaml:1"),
        ("policy/court.yaml", "rules: [\n", "court.yaml:1"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_is_read_or_written_while_the_data_of_ones_own_is_broken(
    tmp_path, file, content, named, workers
):
    own = own_taxonomy(tmp_path / "own")
    (own / file).parent.mkdir(exist_ok=True)
    (own / file).write_text(content, "utf-8")
    (tmp_path / "a.txt").write_text("피고 김도윤은 서울에 산다.\n", "utf-8")
    given = (tmp_path / "a.txt", "--out", tmp_path / "out", "--model", "none")
    ran = thunder("deid", *given, "--taxonomy", own, "--workers", workers)
    assert ran.returncode == 2
    assert named in "".join(ran.stderr.replace("│", " ").split())
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()
    assert "김도윤" not in ran.stdout + ran.stderr
    checked = thunder("taxonomy", "check", own)
    assert checked.returncode == 1
    assert named in checked.stdout


def test_what_differs_from_the_shipped_files_is_shown_by_line(tmp_path):
    own = own_taxonomy(tmp_path / "own")
    (own / "cues").mkdir()
    table = (SHIPPED / "cues" / "titles.tsv").read_text("utf-8")
    changed = table.replace("\n님\tspaced\n", "\n물장\tjoined\n")
    (own / "cues" / "titles.tsv").write_text(changed, "utf-8")
    (own / "cues" / "surnames.tsv").write_bytes((SHIPPED / "cues" / "surnames.tsv").read_bytes())
    other, same = laid_over(own)[::-1]
    assert (other.name, other.how) == ("cues/titles.tsv", "other")
    assert other.lines == ("-님\tspaced", "+물장\tjoined")
    assert (same.name, same.how, same.lines) == ("cues/surnames.tsv", "same", ())


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("patterns/court.yml", "patterns/court.yaml"),
        ("pattern/court.yaml", "patterns/court.yaml"),
        ("cues/titels.tsv", "cues/titles.tsv"),
        ("cues/our-own-list.tsv", None),
        ("scorecards.json", "scorecard.json"),
        ("patterns/court.yaml", "read"),
        ("cues/titles.tsv", "read"),
        ("policy/ours.yaml", "read"),
        ("scorecard.json", "read"),
        ("replacement_lists/our-own.tsv", "read"),
        ("notes.txt", "read"),  # no data: a person's
        (".git/config.yaml", "read"),
    ],
)
def test_a_file_of_ones_own_that_nothing_reads_is_said(tmp_path, name, meant):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    found = resources.unread_files(tmp_path)
    assert found == ({} if meant == "read" else {path: meant or ""})
