"""AI-Hub's folders of ZIPs of JSON, whole and in parts, as JSON lines."""

import io
import json
import tarfile
import zipfile

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.training_data.released import aihub
from thunder.training_data.released.archives import GetError

pytestmark = pytest.mark.usefixtures("english")

ONE = {
    "info": {"id": "가-1", "title": "제목"},
    "body": [{"text": "첫 문단이다."}, {"text": "둘째다."}],
}
TWO = {"info": {"id": "가-2"}, "body": []}


def zipped(*files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files:
            archive.writestr(name, json.dumps(content, ensure_ascii=False).encode("utf-8-sig"))
    return stream.getvalue()


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "법률" / "라벨링데이터"
    place.mkdir(parents=True)
    content = zipped(("판결/하나.json", ONE), ("판결/둘.json", TWO))
    (place / "TL_1.zip").write_bytes(content)
    again = zipped(("셋.json", {**ONE, "info": {"id": "가-3"}}))
    for number in range(0, len(again), 100):  # as aihubshell leaves large files
        (place / f"TL_2.zip.part{number}").write_bytes(again[number : number + 100])
    (place / "읽어보세요.txt").write_text("설명")
    return tmp_path / "법률"


def test_every_document_of_whole_and_cut_archives_is_read(folder):
    found = list(aihub.rows(folder, text="body.text", name="info.id"))
    assert [(row.id, row.text) for row in found] == [
        ("가-1", "첫 문단이다.\n둘째다."), ("가-2", ""), ("가-3", "첫 문단이다.\n둘째다."),
    ]  # fmt: skip
    assert found[0].place == "라벨링데이터/TL_1.zip/판결/하나.json"


def test_a_tar_of_archives_gives_the_same(folder, tmp_path):
    for part in folder.rglob("*.part*"):
        part.unlink()
    with tarfile.open(tmp_path / "download.tar", "w") as archive:
        archive.add(folder, "법률")
    found = list(aihub.rows(tmp_path / "download.tar", text="body.text", name="info.id"))
    assert [row.id for row in found] == ["가-1", "가-2"]


def test_documents_in_a_list_of_one_file(tmp_path):
    (tmp_path / "모두.json").write_text(json.dumps({"document": [ONE, TWO]}), "utf-8")
    found = list(aihub.rows(tmp_path, text="body.text", each="document"))
    assert [(row.id, bool(row.text)) for row in found] == [
        ("모두.json#1", True),
        ("모두.json#2", False),
    ]


def test_a_name_without_the_mark_of_utf8_is_cp949():
    info = zipfile.ZipInfo("판결.json".encode("cp949").decode("cp437"))
    info.flag_bits = 0
    assert aihub._name(info) == "판결.json"
    info = zipfile.ZipInfo("판결.json")
    info.flag_bits = 0x800
    assert aihub._name(info) == "판결.json"


def test_fields_are_listed_the_longest_first(folder):
    assert [path for path, _, _ in aihub.fields(folder)] == ["body.text", "info.id", "info.title"]


def run(*words):
    return CliRunner().invoke(app, ["data", "convert", *map(str, words)])


def test_the_command_lists_then_converts(folder, tmp_path, english):
    shown = run(folder)
    assert shown.exit_code == 0 and "body.text" in shown.output and "--text FIELD" in shown.output
    out = tmp_path / "out.jsonl"
    done = run(folder, "--text", "body.text", "--id", "info.id", "-o", out)
    assert done.exit_code == 0 and "out.jsonl: 2 documents" in done.output.replace("\n", "")
    assert "1 documents left out" in done.output
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["가-1", "가-3"]
    assert run(folder, "--text", "body.text", "-o", out).exit_code == 1  # it is there


def without_a_part(place):
    (place / "라벨링데이터" / "TL_2.zip.part100").unlink()
    return place


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: place / "nowhere", "no such file or folder"),
        (
            lambda place: (place / "라벨링데이터/TL_2.zip.part100").unlink() or place,
            "one may be missing",
        ),
        (lambda place: (place / "x.json").write_text("{") and place, "x.json: no JSON in UTF-8"),
        (lambda place: place / "라벨링데이터/읽어보세요.txt", "damaged or cut short"),
    ],
)
def test_what_cannot_be_read_is_named(folder, spoil, said):
    with pytest.raises(GetError, match=said):
        list(aihub.rows(spoil(folder), text="body.text"))


def test_a_field_that_no_document_has_is_said_and_nothing_is_written(folder, tmp_path, english):
    done = run(folder, "--text", "nothing", "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 1 and "run without --text" in done.output.replace("\n", " ")
    assert not (tmp_path / "out.jsonl").exists()
