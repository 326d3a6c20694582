import stat
from pathlib import Path

import pytest

from thunder.settings import messages
from thunder.settings.yamlfile import Reader, YamlFileError, set_in_text, write_atomically

pytestmark = pytest.mark.usefixtures("english")


def problems(tmp_path, content):
    path = tmp_path / "a.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reader = Reader(path)
    found = reader.mapping(reader.root, required=("name",), known=("count", "on", "list"))
    reader.text(found.get("name"))
    reader.integer(found.get("count"))
    reader.boolean(found.get("on"))
    reader.texts(found.get("list"))
    return [str(problem).removeprefix(f"{tmp_path}/") for problem in reader.problems]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("name: 은행\ncount: 3\non: true\nlist: [가, 나]\n", []),
        (b"\xef\xbb\xbfname: \xec\x9d\x80\xed\x96\x89\n", []),  # a byte order mark
        ("", ["a.yaml:1: the file is empty"]),
        ("- 은행\n", ["a.yaml:1: expected keys and values, not a list"]),
        ("name: 은행\nname: 은행\n", ["a.yaml:2: the key 'name' is given twice"]),
        (
            "name: 은행\nnmae: 은행\n",
            ["a.yaml:2: unknown key 'nmae'; known are name, count, on, list"],
        ),
        ("count: 1\n", ["a.yaml:1: the key 'name' is missing"]),
        ("name:\n", ["a.yaml:1: expected text, not an empty value; put quotes around a text"]),
        ("name: 112\n", ["a.yaml:1: expected text, not '112'; put quotes around a text"]),
        ("name: '112'\n", []),
        ("name: ' 은행'\n", ["a.yaml:1: ' 은행' has spaces around it"]),
        ("name: ''\n", ["a.yaml:1: '' is empty"]),
        ("name: 은\u200b행\n", ["a.yaml:1: '은\\u200b행' holds an invisible character"]),
        (
            "name: \u110b\u1173\u11ab행\n",  # decomposed
            ["a.yaml:1: '\u110b\u1173\u11ab행' is not in Unicode's composed form (NFC)"],
        ),
        ("name: 은행\ncount: 세\n", ["a.yaml:2: expected a whole number, not '세'"]),
        ("name: 은행\ncount: -3\n", ["a.yaml:2: expected a whole number, not '-3'"]),
        ("name: 은행\ncount: 0x10\n", ["a.yaml:2: expected a whole number, not '0x10'"]),
        ("name: 은행\non: 예\n", ["a.yaml:2: expected true or false, not '예'"]),
        ("name: 은행\nlist: 가\n", ["a.yaml:2: expected a list, not '가'"]),
        (b"name: a\nlist: [\xff]\n", ["a.yaml:2: not UTF-8: save the file as UTF-8"]),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, content, found):
    assert problems(tmp_path, content) == found


@pytest.mark.parametrize(
    ("content", "line"), [("name: [가\nlist: 나\n", 1), ("name: 가\n\tlist: 나\n", 2), ("a: \0", 1)]
)
def test_broken_yaml_is_named_with_its_line(tmp_path, content, line):
    (problem,) = problems(tmp_path, content)
    assert problem.startswith(f"a.yaml:{line}: not YAML: ")


FAULTS = [
    ("이름: 가", '이름: "가', "따옴표를 열고 닫지 않았습니다"),
    ("이름: 가", "이름: '가", "따옴표를 열고 닫지 않았습니다"),
    ("  이름: 가", "\t이름: 가", "탭이 있습니다. 빈칸으로"),
    ("    이름: 가", "  이름: 가", "들여쓰기나 '-'"),
    ("이름: 가", "이름 가", "'키: 값' 꼴이 아닙니다"),
    ("이름: 가", "이름:가", "'키: 값' 꼴이 아닙니다"),
    ("이름: 가", "- 이름: 가", "들여쓰기나 '-'"),
    ("이름: 가", "이름: [가", "괄호를 열고 닫지 않았거나 쉼표가 빠졌습니다. ']'"),
    ("이름: 가", "이름: {가", "괄호를 열고 닫지 않았거나 쉼표가 빠졌습니다. '}'"),
    ("이름: 가", "이름: 가: 나", "한 줄에 쌍점(: )이 둘"),
    ("이름: 가", "이름: @가", "따옴표 없이 쓸 수 없는 기호"),
    ("이름: 가", "이름: *가", "따옴표 없이 쓸 수 없는 기호"),
    ("이름: 가", "이름: %가", "따옴표 없이 쓸 수 없는 기호"),
    ("이름: 가", '이름: "가" 나', "들여쓰기나 '-', 따옴표 뒤의 글"),
    ("이름: 가", '이름: "가\\원"', "큰따옴표 안의 '\\' 뒤에 올 수 없는 글자"),
    ("이름: 가", "이름: |가", "따옴표 없이 쓸 수 없는 기호"),
    ("이름: 가", "이름: \x07가", "보이지 않는 제어 문자"),
]


@pytest.mark.parametrize(("was", "now", "told"), FAULTS, ids=[now for _, now, _ in FAULTS])
def test_a_fault_of_syntax_is_one_message_at_its_own_line(was, now, told):
    """However far below the reader stumbles: at the end, or at the next quote."""
    messages.choose("ko")
    rows = [f"  - 번호: {number}\n    이름: 나\n    뜻: '다'\n" for number in range(40)]
    rows[20] = rows[20].replace("나", "가").replace(was, now)
    (problem,) = Reader(Path("a.yaml"), text=f"목록:\n{''.join(rows)}").problems
    assert problem.line == 1 + 3 * 20 + 2
    assert problem.message.startswith(f"YAML 문법에 맞지 않습니다: {told}"), problem.message


def test_a_misspelt_key_is_one_message(tmp_path):
    assert problems(tmp_path, "nmae: 은행\n") == ["a.yaml:1: unknown key 'nmae'; write 'name'"]


def test_a_missing_file_is_a_problem_of_that_file(tmp_path):
    (problem,) = Reader(tmp_path / "none.yaml").problems
    assert str(problem) == f"{tmp_path}/none.yaml:1: cannot be read: No such file or directory"


def test_all_problems_of_all_files_come_sorted_and_once(tmp_path):
    reader = Reader(tmp_path / "b.yaml", text="a: 1\n")
    reader.refuse(7, "later")
    reader.refuse(2, "earlier")
    reader.refuse(2, "earlier")
    assert [p.line for p in YamlFileError(reader.problems).problems] == [2, 7]


FILE = """\
# a comment that stays
labels:
  - id: 1
    ko: '은행'  # why
    treatment: letter
    # before aliases
    aliases: [가, 나]
  - id: 2
    ko: 호
    treatment: letter
"""
ORDER = ("id", "ko", "treatment", "reason", "aliases")


@pytest.mark.parametrize(
    ("at", "key", "value", "old", "new"),
    [
        (0, "treatment", "keep", "    treatment: letter\n    #", "    treatment: keep\n    #"),
        (0, "ko", "호텔", "    ko: '은행'  # why", "    ko: '호텔'  # why"),
        (0, "aliases", ["가", "다, 라"], "[가, 나]", "[가, '다, 라']"),
        (0, "aliases", [], "    aliases: [가, 나]\n", ""),
        (1, "aliases", ["실"], "letter\n", "letter\n    aliases: [실]\n"),
        (1, "reason", "112", "letter\n", "letter\n    reason: '112'\n"),
        (1, "reason", "", "ko: 호\n", "ko: 호\n"),
        (1, "ko", "호: 실", "ko: 호", "ko: '호: 실'"),
    ],
)
def test_an_edit_changes_only_its_line(at, key, value, old, new):
    changed = set_in_text(FILE, ("labels", at), key, value, order=ORDER)
    head, found, tail = FILE.rpartition(old) if at else FILE.partition(old)
    assert changed == head + found.replace(old, new) + tail


def test_windows_line_ends_stay():
    changed = set_in_text(FILE.replace("\n", "\r\n"), ("labels", 1), "ko", "실")
    assert changed == FILE.replace("ko: 호\n", "ko: 실\n").replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    [
        "labels:\n- id: 1\n  ko: 호\n",  # items not indented
        "labels:\n  - id: 1\n    ko:   호\n",
        "labels:\n  - id: 1\r\n    ko: 호\n",  # mixed line ends
    ],
)
def test_a_layout_that_would_be_lost_is_refused(text):
    with pytest.raises(ValueError, match="is laid out in a way that an edit would change"):
        set_in_text(text, ("labels", 0), "ko", "실")


def test_an_edit_that_would_take_a_comment_along_is_refused():
    text = "labels:\n  - id: 1\n    ko: 호\n    # of the next\n    en: unit\n"
    with pytest.raises(ValueError, match="more than line 3 would change"):
        set_in_text(text, ("labels", 0), "ko", "")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.yaml"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "새 글\r\n")
    assert path.read_bytes().decode() == "새 글\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "newer")
    assert path.read_bytes().decode() == "새 글\r\n"
    assert list(tmp_path.iterdir()) == [path]
