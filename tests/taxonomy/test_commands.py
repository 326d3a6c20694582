import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.annotation import app as annotation_app
from thunder.commands.taxonomy import app
from thunder.settings import resources
from thunder.taxonomy import load


def run(arguments, *, cli=app):
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "own"
    shutil.copytree(resources.folder("taxonomy"), own)
    return own


def test_the_shipped_taxonomy_is_in_order():
    code, said = run(["check"])
    assert code == 0
    assert "16 subcategories, 80 granular categories, 729 labels" in said
    assert "The taxonomy is in order" in said


@pytest.mark.parametrize("as_option", [False, True])
def test_check_lists_what_is_wrong_and_fails(folder, as_option):
    path = folder / "labels/D.1.2-age.yaml"
    path.write_text(
        path.read_text().replace("ko: 나이", "ko: 내국인이름").replace("id: 23", "id: 22")
    )
    code, said = run(["check", "--folder", folder] if as_option else ["check", folder])
    assert code == 1
    told = said.splitlines()
    assert told[0].startswith(f"{path}:12: '내국인이름' is already a label at D.1.1-names.yaml:")
    assert told[1].startswith(f"{path}:31: the id 22 is given twice, first at D.1.2-age.yaml:")
    assert told[-1] == f"{len(told) - 1} to be mended in the taxonomy."


def test_every_command_names_what_is_wrong_with_a_folder(folder):
    (folder / "retired.yaml").write_text("retired: [\n")
    for command in (["tree"], ["stats"], ["show", "호"], ["set", "호", "note", "글"], ["check"]):
        code, said = run([*command, "--folder", folder])
        assert (code, "retired.yaml:1: not YAML" in said) == (1, True), command


@pytest.mark.parametrize(
    ("options", "there", "not_there"),
    [
        (["--depth", 1], "사건관계인 특정 정보 (25)", "D.1.1"),
        (["--depth", 2], "D.1.1 인명 (20)", "외국인이름"),
        ([], "외국인이름 (12)", "몽골인이름"),
        (["--depth", 4], "2 몽골인이름 [letter]", "Mongolian"),
        (["--depth", 4, "--lang", "en"], "2 Mongolian names [letter]", "몽골인이름"),
    ],
)
def test_the_tree_goes_as_deep_as_asked(options, there, not_there):
    code, said = run(["tree", *options])
    assert code == 0
    assert there in said
    assert not_there not in said


@pytest.mark.parametrize("name", ["휴대폰번호", "40"])
def test_show_tells_all_of_a_label(name):
    code, said = run(["show", name])
    assert code == 0
    for part in ("휴대폰번호", "mobile phone number", "omission", "전화번호", "D.2.2", "고유번호"):
        assert part in said


def test_show_takes_an_alias_and_names_near_ones():
    assert "중고거래사이트" in run(["show", "인터넷중고거래사이트"])[1]
    code, said = run(["show", "휴대폰 번호"])
    assert code == 1
    assert "near it are 휴대폰번호" in said
    assert run(["show", "730"]) == (1, "no label has the id 730\n")


def test_stats_add_up():
    code, said = run(["stats"])
    rows = {line.split()[0]: line.split() for line in said.splitlines() if line.strip()}
    assert code == 0
    assert rows["all"][1:3] == ["80", "729"]
    assert sum(map(int, rows["all"][4:])) == 729
    assert (rows["appendix_d"][1], rows["released_repository"][1]) == ("711", "18")
    subcategories = [row for code, row in rows.items() if code.startswith("D.")]
    assert len(subcategories) == 16


def test_set_changes_one_line_of_ones_own_folder(folder):
    path = folder / "labels/D.2.8-products.yaml"
    before = path.read_text().splitlines()
    code, said = run(["set", "차종", "treatment", "keep", "--folder", folder])
    assert (code, "needs a reason" in said) == (1, True)
    assert path.read_text().splitlines() == before
    assert run(["set", "차종", "reason", "흔한 차종이다", "--folder", folder])[0] == 0
    assert run(["set", "차종", "treatment", "keep", "--folder", folder])[0] == 0
    at = before.index("        ko: 차량종류")
    treatment = before.index("        treatment: letter", at)
    changed = ["        treatment: keep", "        reason: 흔한 차종이다"]
    after = path.read_text().splitlines()
    assert after == before[:treatment] + changed + before[treatment + 1 :]
    label = load(folder).label("차량종류")
    assert (label.treatment, label.reason) == ("keep", "흔한 차종이다")
    assert load().label("차량종류").treatment == "letter"


@pytest.mark.parametrize(("key", "said"), [("id", "cannot set 'id'"), ("ko", "is already a label")])
def test_set_refuses_what_would_be_wrong(folder, key, said):
    code, output = run(["set", "호", key, "동", "--folder", folder])
    assert (code, said in output) == (1, True)


# --- thunder annotation check -------------------------------------------------------------------


def checked(*arguments):
    return run(["check", *arguments], cli=annotation_app)


def test_good_documents_are_counted(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"id": "1", "text": "<<<술집>>>B<<</술집>>> <<<주점>>>C<<</주점>>>"}\n'
        '{"id": "2", "text": "<<<앞 노상>>>B<<</앞 노상>>>"}\n'
    )
    code, said = checked(tmp_path)
    (row,) = [line.split() for line in said.splitlines() if "a.jsonl" in line]
    assert code == 0
    assert row == ["a.jsonl", "2", "3", "1", "1", "0"]  # documents, spans, no label, labels, bad


def test_bad_documents_are_listed_by_file_and_place(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.txt"
    first.write_text('{"id": "x", "text": "홍길동\\n<<<호>>>홍길동"}\n{"id": "y"}\n')
    second.write_text("<<<집>>>홍길동<<</집>>>")
    code, said = checked(first, second)
    assert code == 1
    assert said.splitlines()[-4:] == [
        f"{first}: x: 2:1: <<<호>>> is never closed",
        f"{first}: line 2: line 2 has no text under 'text'",
        f"{second}: b: 1:1: <<<집>>> is not a label of the taxonomy",
        "3 documents have wrong marks or could not be read.",
    ]
    assert "홍길동" not in said


def test_labels_of_ones_own_folder_count(tmp_path, folder):
    path = folder / "labels/D.2.12-url.yaml"
    path.write_text(path.read_text().replace("ko: URL\n        en", "ko: 누리주소\n        en"))
    (tmp_path / "a.txt").write_text("<<<누리주소>>>B<<</누리주소>>>")
    assert checked(tmp_path / "a.txt")[0] == 1
    assert checked(tmp_path / "a.txt", "--folder", folder)[0] == 0


def test_a_place_without_documents_is_no_success(tmp_path):
    for place in (tmp_path, tmp_path / "none"):
        code, said = checked(place)
        assert (code, "no such file, or a folder without" in said) == (1, True)
