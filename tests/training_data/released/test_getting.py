"""Releases as they really lie, in small and invented: read, converted, what is left out said."""

import hashlib
import io
import json
import tarfile
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from thunder import taxonomy
from thunder.commands.cli import app
from thunder.training_data import lists
from thunder.training_data.released import archives, getting
from thunder.training_data.released.archives import GetError
from thunder.training_data.released.sources import SOURCES, source

pytestmark = pytest.mark.usefixtures("english")

ROOT = "SNU_Thunder-DeID-1707915/datasets"
RELEASE = {
    f"{ROOT}/0_raw_documents/fraud/doc_00001.md": "피고인은 <<<은행>>>A<<</은행>>>은행에 갔다.",
    f"{ROOT}/0_raw_documents/fraud/doc_00000.md": "피해자 <<<내국인이름>>>B<<</내국인이름>>>의 돈",
    f"{ROOT}/0_raw_documents/fraud/doc_00002.md": "피해자 <<<내국인이름>>>B의 돈",
    f"{ROOT}/0_raw_documents/fraud/doc_00003.md": "<<<없는라벨>>>B<<</없는라벨>>>의 돈",
    f"{ROOT}/0_raw_documents/fraud/doc_00004.md": " \n",
    f"{ROOT}/1_replacement/subset/사업체/금융/은행.json": '{"은행": ["가람", "나루", "가람"]}',
    f"{ROOT}/1_replacement-gpt/사업체/금융/새은행.json": '{"은행": ["다솜"]}',
    f"{ROOT}/1_replacement/subset/지리정보/주소/지번주소.json": '{"지번주소": {"가도": {}}}',
    f"{ROOT}/1_replacement/subset/all_categories.json": '{"사업체": {"목록": ["은행"]}}',
    f"{ROOT}/1_replacement/subset/사업체/금융/깨짐.json": '{"깨짐": [',
    "SNU_Thunder-DeID-1707915/README.md": "# SNU Thunder-DeID",
}
PRECEDENT = (
    "---\n판례일련번호: '1'\n사건번호: 2020가단1\n사건명: 대여금\n법원명: 대법원\n"
    "법원등급: 대법원\n사건종류: 민사\n첨부파일: []\n선고일자: 2020-01-02\n---\n\n# 대여금\n\n"
    "## 판시사항\n\n요약\n\n"
)
JUDGMENTS = {
    "precedent-kr-main/민사/대법원/대법원_2020-01-02_2020가단1.md": PRECEDENT
    + "## 판례내용\n\n【원고】 원고\n【주 문】\n 기각한다.\n",
    "precedent-kr-main/민사/대법원/대법원_2020-01-03_2020가단2.md": PRECEDENT,
    "precedent-kr-main/README.md": "# 판례",
}
STATUTES = {
    "legalize-kr-main/kr/가나다법/법률.md": "---\n제목: 가나다법\n소관부처:\n- 법무부\n---\n\n"
    "# 가나다법\n\n##### 제1조 (목적)\n\n이 법은 …\n",
    "legalize-kr-main/README.md": "# 법령",
}


def _folder(tmp_path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = tmp_path / "release" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "release"


def _tar(tmp_path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(tmp_path / "release.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return tmp_path / "release.tar.gz"


def _zip(tmp_path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(tmp_path / "release.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return tmp_path / "release.zip"


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _get(name: str, given: Path, out: Path, **options: str) -> getting.Got:
    return getting.get(source(name), out, taxonomy.load(), given=given, **options)


@pytest.mark.parametrize("pack", [_folder, _tar, _zip])
def test_the_paper_s_release(tmp_path, pack):
    got = _get("thunder-deid", pack(tmp_path, RELEASE), tmp_path / "out")
    assert [row["id"] for row in _rows(tmp_path / "out/annotated.jsonl")] == [
        "fraud/doc_00000",
        "fraud/doc_00001",
    ]
    assert _rows(tmp_path / "out/annotated.jsonl")[1] == {
        "id": "fraud/doc_00001",
        "case_type": "fraud",
        "text": "피고인은 <<<은행>>>A<<</은행>>>은행에 갔다.",
    }
    (banks,) = _rows(tmp_path / "out/mentions.jsonl")
    assert (banks["label"], banks["folder"]) == ("은행", "사업체/금융")
    assert sorted(banks["mentions"]) == ["가람", "나루", "다솜"]
    left = {Path(what).name.split(":")[0]: reason.split(":")[0] for what, reason in got.left_out}
    assert left == {
        "doc_00002": "unbalanced or broken marks (line 1)",
        "doc_00003": "an unknown label (line 1)",
        "doc_00004": "empty",
        "지번주소.json": "a tree, no list",
        "all_categories.json": "a table of labels, no list of mentions",
        "깨짐.json": "no JSON",
    }
    assert (tmp_path / "out/left-out.tsv").read_text(encoding="utf-8").count("\n") == 7
    record = json.loads((tmp_path / "out/source.json").read_text(encoding="utf-8"))
    assert record["licence"] == "CC BY-NC-SA 4.0"
    assert record["sha256"] == got.sha256
    assert getting.damaged(tmp_path / "out") == []
    (tmp_path / "out/mentions.jsonl").write_text("")
    assert getting.damaged(tmp_path / "out") == ["mentions.jsonl"]


def test_the_same_release_as_tables(tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    row = {"id": "a/1", "case_type": "a", "text": "<<<은행>>>A<<</은행>>>은행"}
    (place / "annotated_judgments.jsonl").write_text(json.dumps(row) + "\nno\n[]\n{}\n")
    lists_row = {"label": "은행", "folder": "사업체/금융", "mentions": ["가람"]}
    (place / "entity_mentions.jsonl").write_text(json.dumps(lists_row) + "\n")
    pq.write_table(
        pa.table({"annotated": ["<<<은행>>>B<<</은행>>>은행에서"]}), place / "train.parquet"
    )
    (place / "bad.parquet").write_bytes(b"PAR1")
    got = _get("thunder-deid", place, tmp_path / "out")
    assert got.rows == {"annotated.jsonl": 2, "mentions.jsonl": 1}
    assert [row["id"] for row in _rows(tmp_path / "out/annotated.jsonl")] == [
        "a/1",
        "train.parquet:1",
    ]
    assert sorted(got.left_out) == [
        ("annotated_judgments.jsonl:2", "no JSON object"),
        ("annotated_judgments.jsonl:3", "no JSON object"),
        ("annotated_judgments.jsonl:4", "neither 'text' nor 'mentions'"),
        ("bad.parquet", "no whole Parquet file"),
    ]


def test_judgments_without_the_publisher_s_summary(tmp_path):
    got = _get("judgments", _tar(tmp_path, JUDGMENTS), tmp_path / "out")
    assert _rows(tmp_path / "out/judgments.jsonl") == [
        {
            "id": "대법원_2020-01-02_2020가단1",
            "kind": "민사",
            "level": "대법원",
            "court": "대법원",
            "date": "2020-01-02",
            "title": "대여금",
            "text": "【원고】 원고\n【주 문】\n 기각한다.",
        }
    ]
    assert [reason for _, reason in got.left_out] == ["no 판례내용: only a summary is published"]


def test_statutes(tmp_path):
    _get("statutes", _tar(tmp_path, STATUTES), tmp_path / "out")
    assert _rows(tmp_path / "out/statutes.jsonl") == [
        {"title": "가나다법/법률", "text": "# 가나다법\n\n##### 제1조 (목적)\n\n이 법은 …"}
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda at: at / "nowhere", "no such file or folder"),
        (lambda at: _tar(at, {"README.md": "#"}), "nothing in it has the shape"),
        (lambda at: _cut(_tar(at, {"a.md": "가나다" * 5000})), "damaged or cut short"),
    ],
)
def test_what_is_no_release(tmp_path, given, said):
    with pytest.raises(GetError, match=said):
        _get("judgments", given(tmp_path), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".thunder-*"))


def _cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-40])
    return path


def test_hash_and_folder_are_checked(tmp_path):
    given = _tar(tmp_path, STATUTES)
    right = hashlib.sha256(given.read_bytes()).hexdigest()
    with pytest.raises(GetError, match=f"its SHA-256 is {right}, not 00"):
        _get("statutes", given, tmp_path / "out", sha256="00")
    _get("statutes", given, tmp_path / "out", sha256=right.upper())
    with pytest.raises(GetError, match="already there"):
        _get("statutes", given, tmp_path / "out")


@pytest.mark.parametrize("url", ["http://example.org/a.tar.gz", "file:///etc/passwd"])
def test_only_https_is_fetched(tmp_path, url):
    with pytest.raises(GetError, match="only https"):
        archives.download(url, tmp_path / "file")


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/none" else 200)
        self.send_header("Content-Length", "20" if self.path == "/cut" else "10")
        self.end_headers()
        if self.path != "/none":
            self.wfile.write(b"0123456789")

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.parametrize(
    ("path", "said"),
    [("/file", ""), ("/none", "Not Found.*--from FILE"), ("/cut", "10 of 20 bytes")],
)
def test_a_file_is_fetched_whole_or_not(tmp_path, monkeypatch, path, said):
    monkeypatch.setattr(archives, "_require_https", lambda url: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}{path}"
        if said:
            with pytest.raises(GetError, match=said):
                archives.download(url, tmp_path / "file")
        else:
            seen = []
            archives.download(url, tmp_path / "file", lambda *done: seen.append(done))
            assert (tmp_path / "file").read_bytes() == b"0123456789"
            assert seen == [(10, 10)]
        server.shutdown()


@pytest.mark.parametrize("one", SOURCES, ids=lambda one: one.name)
def test_every_source_is_an_ordinary_file_with_a_licence(one):
    assert one.url.startswith("https://")
    assert one.licence
    assert len(one.terms) > 50


def test_commands(tmp_path):
    run = CliRunner().invoke
    given = _tar(tmp_path, RELEASE)
    order = ["data", "get", "thunder-deid", "--from", str(given), "--root", str(tmp_path / "d")]
    refused = run(app, order)
    assert refused.exit_code == 1
    assert "Attribution-NonCommercial" in refused.output
    assert not (tmp_path / "d").exists()
    done = run(app, [*order, "--accept-licence"])
    assert done.exit_code == 0, done.output
    assert "annotated.jsonl: 2건" in done.output
    assert "뺀 것 6건" in done.output
    listed = run(app, ["data", "list", "--root", str(tmp_path / "d")])
    assert "있음" in listed.output
    unknown = run(app, ["data", "get", "nothing", "--accept-licence"])
    assert "known are thunder-deid" in unknown.output


def test_mention_lists_become_lists_of_one_s_own(tmp_path):
    file = tmp_path / "mentions.jsonl"
    rows = [
        {"label": "은행", "mentions": ["가람", " 나루  은행", "#1", "", "가람", "다\u200b솜"]},
        {"label": "내국인이름", "mentions": ["나루온", "도담별"]},
        {"label": "없는라벨", "mentions": ["가"]},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    order = ["lists", "import", str(file), str(tmp_path / "own"), "--source", "invented"]
    done = CliRunner().invoke(app, [*order, "--licence", "Apache-2.0"])
    assert done.exit_code == 0, done.output
    own = lists.load(tmp_path / "own")
    assert list(own.mentions("은행")) == ["가람", "나루 은행"]
    assert list(own.mentions("내국인이름")) == ["나루온", "도담별"]  # in place of a rule
    assert len(own.mentions("식당")) > 100  # as shipped
    for said in ("없는라벨", "stands there twice", "invisible", "begins with #", "blank"):
        assert said in done.output
    assert CliRunner().invoke(app, [*order, "--licence", "Apache-2.0"]).exit_code == 1
