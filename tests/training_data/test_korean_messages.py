"""What editors of lists and annotations are told in Korean: file, line, what is wrong, the cure."""

import json

import pytest
from typer.testing import CliRunner

from thunder.commands.annotation import app as annotation
from thunder.commands.dataset import app as datasets
from thunder.commands.lists import app as lists
from thunder.settings import messages


@pytest.fixture(autouse=True)
def _in_korean(english):
    messages.choose("ko")


def told(app, *arguments):
    done = CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "150"})
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<<<은행>>>새봄", "1:1: <<<은행>>> 닫히지 않았습니다"),
        ("새봄<<</은행>>>", "1:3: <<</은행>>> 닫을 표시가 없습니다"),
        ("<<<은행>>><<</은행>>>", "1:1: <<<은행>>> 아무것도 싸지 않습니다"),
        ("<<<없는라벨>>>A<<</없는라벨>>>", "1:1: <<<없는라벨>>> 분류 체계에 없는 라벨입니다"),
        ("가 <<< 나", "온전한 표시가 아닙니다"),
    ],
)
def test_a_broken_mark_is_told_with_file_line_column_and_what_is_wrong(text, said, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "1", "text": text}, ensure_ascii=False), encoding="utf-8")
    code, output = told(annotation, "check", path)
    assert code == 1
    assert said in output
    assert str(path) in output.replace("\n", "")
    assert "표시가 잘못되었거나 읽지 못한 문서가 1건 있습니다." in output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "1행: 1열에서 JSON이 아닙니다"),
        ('["a"]', "1행: JSON 객체가 아닙니다"),
        ('{"id": "1"}', "1행: 'text'에 글이 없습니다"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_by_its_number(line, said, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(line, encoding="utf-8")
    assert said in told(annotation, "check", path)[1]


def test_a_refusal_says_that_nothing_was_changed(tmp_path):
    path, out = tmp_path / "a.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id": "1", "text": "가"}', encoding="utf-8")
    out.write_text("mine", encoding="utf-8")
    for command in (
        ("placeholders", path, "-o", out),
        ("import", "--from", "doccano", path, out),
        ("export", "--to", "brat", path, tmp_path),
    ):
        code, output = told(annotation, *command)
        assert code == 1
        assert "이미 있습니다" in output
        assert "바뀐 것이 없습니다." in output
    assert out.read_text("utf-8") == "mine"


def test_what_is_wrong_with_a_list_is_told_by_file_and_line_with_its_cure(tmp_path):
    from thunder.training_data.lists.lines import read_lines

    path = tmp_path / "은행.txt"
    path.write_text("# source: ours\n나리 \n나리\n나리\n\n두  칸\n", encoding="utf-8")
    _, problems = read_lines(path)
    assert [str(one).removeprefix(str(path)) for one in problems] == [
        ":2: '나리 ' 앞뒤에 빈칸이 있습니다. 지우십시오",
        ":4: '나리'은(는) 3행에 벌써 있습니다. 하나를 지우십시오",
        ":5: 빈 줄입니다. 지우십시오",
        ":6: '두  칸'에 빈칸이 잇달아 두 개 있습니다. 하나로 줄이십시오",
    ]
    assert "부분 'most'은(는) 없습니다" in told(lists, "sample", "은행", "--part", "most")[1]


def test_lists_from_elsewhere_are_told_of_in_korean(tmp_path):
    file = tmp_path / "mentions.jsonl"
    rows = [
        {"label": "은행", "mentions": ["가람", "가람", ""]},
        {"label": "없는라벨", "mentions": []},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    order = ("import", file, tmp_path / "own", "--source", "invented", "--licence", "Apache-2.0")
    code, output = told(lists, *order)
    assert code == 0
    for said in ("라벨 1개에 대체어 1개", "1개: 두 번 있는 것", "1개: 빈 것", "없는라벨"):
        assert said in output
    code, output = told(lists, *order)
    assert code == 1
    assert "이미 있습니다. 다른 폴더를 주십시오. 아무것도 바꾸지 않았습니다" in output.replace(
        "\n", ""
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stats", "A", "--names", "mine"), "'release' 또는 'taxonomy'"),
        (("stats", "B"), "주석 판결 파일로 읽을 수 없습니다. 읽는 것: .jsonl"),
    ],
)
def test_what_a_data_set_cannot_be_made_of_is_told_in_korean(arguments, said, tmp_path):
    good, other = tmp_path / "a.jsonl", tmp_path / "b.pdf"
    good.write_text(json.dumps({"id": "1", "text": "가"}), encoding="utf-8")
    other.write_bytes(b"%PDF")
    paths = {"A": good, "B": other}
    given = [paths.get(one, one) for one in arguments]
    code, output = told(datasets, *given, "--output", tmp_path / "out")
    assert code == 1
    assert said in output.replace("\n", "")
