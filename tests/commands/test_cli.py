"""The command: what it writes, what it says, how it ends, and what it never shows."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import thunder
from thunder.commands import cli
from thunder.commands.cli import app
from thunder.tagger.chosen_tagger import DEFAULT, SHIPPED
from thunder.text.spans import Span, replace_spans

from ..fake_tagger import FakeTagger
from ..started import started

ROOT = Path(__file__).resolve().parents[2]
SHIPPED_PLACE = ROOT / SHIPPED / DEFAULT
NAME = "홍길동"
TEXT = "피고인 홍길동은 서울중앙지방법원에 나왔다. 홍길동의 전화는 010-2345-6789이다.\n"
ORIGINALS = re.compile("홍길동|2345|6789")


def fake(self, text: str, *, id: str = ""):
    """Stand in for the de-identifier: mask the name; fail where the text says so."""
    from thunder.masking.doubts import Doubt
    from thunder.masking.records import Deidentified

    if "오류" in text:
        raise RuntimeError(f"cannot read {text}")
    if "중단" in text:
        raise KeyboardInterrupt
    found = re.finditer("홍길동|010-2345-6789", text)
    spans = [Span(m.start(), m.end(), "내국인이름", 0.9, "names:person") for m in found]
    new_text, changes = replace_spans(text, spans, lambda _: "A은" if self.agree_particles else "A")
    doubts = (Doubt(0, 1, "look", "보십시오."),) if "의심" in text else ()
    return Deidentified(id, text, new_text, tuple(changes), (), doubts)


@pytest.fixture
def faked(monkeypatch):
    monkeypatch.setattr("thunder.masking.deidentifier.Deidentifier.deidentify", fake)


def run(*words: object, stdin: str | bytes | None = None, model: object = "none"):
    return CliRunner().invoke(app, ["deid", "--model", str(model), *map(str, words)], input=stdin)


def folder(tmp_path: Path, **files: str) -> Path:
    inside = tmp_path / "in"
    inside.mkdir(parents=True)
    for name, text in files.items():
        (inside / f"{name}.txt").write_text(text, encoding="utf-8")
    return inside


def names_in(path: Path) -> list[str]:
    return sorted(str(p.relative_to(path)) for p in path.rglob("*") if p.is_file())


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def names_told(mapping: Path) -> dict[str, str]:
    """Return the names that a mapping tells of what its audit has of them."""
    return {e["hmac"]: e["name"] for e in lines_of(mapping) if e["record"] == "name"}


# --- what goes where --------------------------------------------------------------------------


def test_a_file_goes_to_standard_output_and_nothing_else_does(tmp_path, faked):
    done = run(folder(tmp_path, a=TEXT) / "a.txt")
    assert done.exit_code == 0
    assert done.stdout == TEXT.replace(NAME, "A").replace("010-2345-6789", "A")
    assert "판결서 1건 중 1건을 비실명 처리했습니다." in done.stderr


@pytest.mark.parametrize("words", [[], ["-"]])
def test_standard_input_is_read(faked, words):
    done = run(*words, stdin=f"증인 {NAME}\r\n".encode("cp949"))
    assert done.stdout_bytes == "증인 A\r\n".encode("cp949")


def test_standard_input_may_be_a_table_or_jsonl(faked):
    done = run("--format", "csv", stdin=f"id,text\n1,{NAME}\n")
    assert done.stdout == "id,text\n1,A\n"
    done = run("--format", "jsonl", stdin=json.dumps({"text": NAME}))
    assert json.loads(done.stdout)["text"] == "A"


def test_a_folder_goes_to_a_folder_with_the_same_names(tmp_path, faked):
    inside = folder(tmp_path, a=TEXT, b="없음")
    (inside / "deep").mkdir()
    (inside / "deep" / "c.jsonl").write_text(json.dumps({"text": NAME}) + "\n")
    done = run(inside, "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert names_in(tmp_path / "out") == ["a.txt", "b.txt", "deep/c.jsonl"]
    assert "인명" in done.stderr


def test_one_file_goes_to_the_file_named_or_into_the_folder(tmp_path, faked):
    source = folder(tmp_path, a=NAME) / "a.txt"
    assert run(source, "-o", tmp_path / "b.txt").exit_code == 0
    (tmp_path / "out").mkdir()
    assert run(source, "-o", tmp_path / "out").exit_code == 0
    assert (tmp_path / "b.txt").read_text() == (tmp_path / "out" / "a.txt").read_text() == "A"


def test_particles_are_agreed_only_when_asked(tmp_path, faked):
    source = folder(tmp_path, a=NAME) / "a.txt"
    assert run(source).stdout == "A"
    assert run(source, "--agree-particles").stdout == "A은"


# --- how it ends ------------------------------------------------------------------------------


def test_what_fails_is_said_by_file_and_row_and_left_out(tmp_path, faked):
    inside = folder(tmp_path, a=TEXT, b=f"오류 {NAME}", c="%PDF-1.4", d="")
    rows = ['{"id":1,"text":"홍길동"}', "nope", '{"text":"오류 홍길동"}', '{"id":1,"text":"나"}']
    (inside / "e.jsonl").write_text("\n".join(rows), encoding="utf-8")
    audit, mapping = tmp_path / "audit.jsonl", tmp_path / "mapping.jsonl"
    done = run(inside, "-o", tmp_path / "out", "--audit", audit, "--mapping", mapping)
    assert done.exit_code == 1
    assert names_in(tmp_path / "out") == ["a.txt", "e.jsonl"]
    lines = done.stderr.splitlines()
    for start in (
        "b.txt: 비실명 처리를 하지 못했습니다: RuntimeError",
        "c.txt: PDF 파일입니다: 파일이 손상되었습니다 — ",
        "d.txt: 본문이 비어 있습니다 — ",
        "e.jsonl:2: JSON이 아닙니다",
        "e.jsonl:3: 비실명 처리를 하지 못했습니다: RuntimeError",
        "e.jsonl: 주의: id가 앞의 행과 같은 행이 1개 있습니다(처음은 4행)",
    ):
        assert any(line.startswith(start) for line in lines), start
    assert "판결서 8건 중 3건을 비실명 처리했습니다. 5건은 처리하지 못해" in done.stderr
    entries, names = lines_of(audit), names_told(mapping)
    failed = [(names[e["file"]], e["row"]) for e in entries if e["record"] == "failure"]
    places = [("b.txt", 0), ("c.txt", 0), ("d.txt", 0), ("e.jsonl", 2), ("e.jsonl", 3)]
    assert failed == places


def test_a_file_given_by_name_that_may_not_be_read_fails_alone(tmp_path, faked, monkeypatch):
    inside = folder(tmp_path, a=TEXT, b=TEXT)
    whole_open, may = Path.open, os.access

    def guarded(path, *args, **options):
        if path.name == "b.txt" and path.parent == inside:
            raise PermissionError(13, "denied")
        return whole_open(path, *args, **options)

    monkeypatch.setattr(Path, "open", guarded)
    monkeypatch.setattr(os, "access", lambda p, *rest: "b.txt" not in str(p) and may(p, *rest))
    done = run(inside / "a.txt", inside / "b.txt", "-o", tmp_path / "out")
    assert (done.exit_code, names_in(tmp_path / "out")) == (1, ["a.txt"])
    assert "b.txt: 읽을 권한이 없습니다" in done.stderr


def test_a_pipe_is_not_replaced_with_force(tmp_path, faked):
    os.mkfifo(tmp_path / "pipe")
    for option in ("-o", "--audit", "--mapping", "--html"):
        done = run(
            folder(tmp_path / option, a=TEXT) / "a.txt", option, tmp_path / "pipe", "--force"
        )
        assert (done.exit_code, (tmp_path / "pipe").is_fifo()) == (2, True)
        assert "보통 파일이 아닙니다" in re.sub(r"[\s│]+", " ", done.stderr)


def test_a_folder_that_may_not_be_looked_into_is_said(tmp_path, faked, monkeypatch):
    inside = folder(tmp_path, a=TEXT)
    may = Path.is_dir

    def guarded(path):
        if path.name == "locked":
            raise PermissionError(13, "denied", str(path))
        return may(path)

    monkeypatch.setattr(Path, "is_dir", guarded)
    done = run(inside / "a.txt", "-o", tmp_path / "locked")
    assert done.exit_code == 2
    assert "쓸 권한이 없습니다" in re.sub(r"[\s│]+", " ", done.stderr)


def test_a_row_that_does_not_fit_its_header_ends_the_run_with_1(tmp_path, faked):
    (tmp_path / "a.csv").write_text(f"id,text\n1,{NAME}은 웃었다, {NAME}에게\n2,{NAME}\n")
    done = run(tmp_path / "a.csv")
    assert (done.exit_code, done.stdout) == (1, "id,text\n2,A\n")
    assert "a.csv:2: 칸이 3개로 첫 줄의 열 2개와 맞지 않습니다" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{in}/no.txt", "-o", "{tmp}/x"], "그런 파일이나 폴더가 없습니다"),
        (["{in}"], "-o FOLDER"),
        (["{in}/a.txt", "-o", "{in}/a.txt"], "입력 파일입니다"),
        (["{in}/a.txt", "-o", "{in}/b.txt"], "--force"),
        (["{in}", "-o", "{in}/out"], "입력 폴더"),
        (["{in}/a.txt", "--profile", "nope"], "court"),
        (["{in}/a.txt", "--format", "rtf"], "모르는 형식입니다"),
        (["{in}/a.txt", "-"], "표준 입력"),
        (["{in}/a.txt", "--workers", "0"], "--workers"),
        (["{in}/a.txt", "--audit", "{in}/b.txt"], "--force"),
        (["{in}/a.txt", "--mapping", "{in}/b.txt", "--force"], "덮어쓰지 않으니 다른 이름을"),
        (["{in}/a.txt", "--audit", "{tmp}/x", "--html", "{tmp}/x"], "같은 파일"),
        (["{tmp}/empty", "-o", "{tmp}/x"], "읽을 것이 없습니다"),
    ],
)
def test_wrong_usage_ends_with_2_and_does_nothing(tmp_path, faked, words, said):
    inside = folder(tmp_path, a=TEXT, b="있던 것")
    (tmp_path / "empty").mkdir()
    done = run(*(word.format(tmp=tmp_path, **{"in": inside}) for word in words))
    assert done.exit_code == 2
    assert said in re.sub(r"[\s│]+", " ", done.stderr)
    assert names_in(tmp_path) == ["in/a.txt", "in/b.txt"]
    assert (inside / "b.txt").read_text() == "있던 것"


def test_an_interrupt_ends_with_130_and_leaves_whole_files_only(tmp_path, faked):
    inside = folder(tmp_path, a=TEXT)
    rows = [{"text": NAME}, {"text": "중단"}, {"text": NAME}]
    (inside / "b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    own = ["--audit", tmp_path / "audit", "--mapping", tmp_path / "map", "--html", tmp_path / "p"]
    done = run(inside, "-o", tmp_path / "out", *own)
    assert done.exit_code == 130
    assert names_in(tmp_path / "out") == ["a.txt"]
    assert not (tmp_path / "p").exists()
    entries, names = lines_of(tmp_path / "audit"), names_told(tmp_path / "map")
    assert entries[-1]["complete"] is False
    assert [names[e["file"]] for e in entries if e["record"] == "file"] == ["a.txt"]
    assert "b.jsonl" not in names.values()  # it is taken back with its output
    mapped = [e["file"] for e in lines_of(tmp_path / "map") if e["record"] == "replacement"]
    assert set(mapped) == {"a.txt"}


def slow_input(tmp_path: Path) -> Path:
    path = tmp_path / "many.jsonl"
    line = json.dumps({"text": TEXT * 20}, ensure_ascii=False) + "\n"
    path.write_text(line * 20_000, encoding="utf-8")
    return path


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_leaves_nothing_half_written(tmp_path, end, workers):
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-m", "thunder", "deid", slow_input(tmp_path), "--workers", workers]
    own = ["--model", "none", "-o", out / "x.jsonl", "--mapping", out / "map"]
    with started([*command, *own], stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size for path in out.glob(".thunder-*")):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.kill(process.pid, end)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert "중단했습니다" in said
    assert "Traceback" not in said
    assert names_in(out) == []


# --- full disks -------------------------------------------------------------------------------


@pytest.fixture
def full_disk(monkeypatch):
    """Make every write to a file whose name holds a word fail as on a full disk."""

    def fill(word: str) -> None:
        from thunder.bulk import outputs

        whole_fdopen, whole_open, names = os.fdopen, os.open, {}

        def opened(path, *args, **options):
            descriptor = whole_open(path, *args, **options)
            names[descriptor] = str(path)
            return descriptor

        class Full:
            def __init__(self, stream):
                self.stream = stream

            def write(self, content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            writelines = write

            def __getattr__(self, name):
                return getattr(self.stream, name)

        def stream(descriptor, *args):
            whole = whole_fdopen(descriptor, *args)
            return Full(whole) if word in names[descriptor] else whole

        monkeypatch.setattr(outputs.os, "open", opened)
        monkeypatch.setattr(outputs.os, "fdopen", stream)

    return fill


def test_a_full_disk_fails_the_file_and_leaves_no_piece_of_it(tmp_path, faked, full_disk):
    inside = folder(tmp_path, a=TEXT)
    (inside / "full").mkdir()
    (inside / "full" / "b.jsonl").write_text(json.dumps({"text": NAME}) + "\n" + "nope\n")
    full_disk("/out/full/")
    done = run(inside, "-o", tmp_path / "out", "--audit", tmp_path / "audit")
    assert done.exit_code == 1
    assert "full/b.jsonl: 디스크가 가득 찼습니다 — 자리를 비우고" in done.stderr
    assert names_in(tmp_path / "out") == ["a.txt"]
    assert "판결서 3건 중 1건을" in done.stderr


@pytest.mark.parametrize("option", ["--audit", "--mapping", "--html"])
def test_a_full_disk_for_the_runs_own_files_is_said(tmp_path, faked, full_disk, option):
    inside = folder(tmp_path, a=TEXT)
    (tmp_path / "full").mkdir()
    full_disk("/full/")
    done = run(inside, "-o", tmp_path / "out", option, tmp_path / "full" / "x")
    assert done.exit_code == 1
    assert "x: 디스크가 가득 찼습니다" in done.stderr
    assert names_in(tmp_path / "full") == []


# --- privacy ----------------------------------------------------------------------------------


def test_no_original_word_is_said_or_audited(tmp_path, faked):
    inside = folder(tmp_path, a=TEXT, b=f"오류 {TEXT}")
    rows = [{"text": TEXT, "who": NAME}, {"text": f"오류 {TEXT}"}, {"text": [TEXT]}, [TEXT]]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (inside / "c.jsonl").write_text(f"{text}\n{NAME}\n", encoding="utf-8")
    (inside / "d.csv").write_text(f'id,text\n1\n2,"{TEXT}', encoding="utf-8")
    (inside / "e.csv").write_text(f"{NAME},010-2345-6789\n", encoding="utf-8")
    (inside / "f.txt").write_bytes(TEXT.encode() * 20 + b"\xff")
    audit = tmp_path / "audit.jsonl"
    done = run(inside, "-o", tmp_path / "out", "--audit", audit)
    assert done.exit_code == 1
    assert len([line for line in done.stderr.splitlines() if " — " in line]) >= 9
    assert not ORIGINALS.search(done.output)
    digests = re.compile("[0-9a-f]{64}")  # their digits are nobody's
    assert not ORIGINALS.search(digests.sub("", audit.read_text()))
    assert "'who' 열의 1행(처음은 1행)에 가린 말이 그대로 있습니다" in done.stderr


def test_a_masked_name_in_the_files_own_name_is_warned_of(tmp_path, faked):
    done = run(folder(tmp_path, **{NAME: TEXT}), "-o", tmp_path / "out")
    assert "파일 이름에 가린 말이 그대로 있습니다" in done.stderr


def test_mapping_and_page_hold_the_originals_for_their_owner_alone(tmp_path, faked):
    inside = folder(tmp_path, a=f"{TEXT}의심", b=NAME)
    mapping, page = tmp_path / "map.jsonl", tmp_path / "page.html"
    tmp_path.chmod(0o777)
    done = run(inside, "-o", tmp_path / "out", "--mapping", mapping, "--html", page)
    assert done.exit_code == 0
    assert done.stderr.count("누구나 쓸 수 있는 폴더입니다") == 2
    originals = [e["originals"] for e in lines_of(mapping) if e["record"] == "replacement"]
    assert originals == [[NAME, "010-2345-6789"], [NAME]]
    assert NAME in page.read_text()
    for path in (mapping, page):
        assert path.stat().st_mode & 0o777 == 0o600
    assert "살펴볼 곳이 1곳 있습니다" in done.stderr


def test_a_page_of_too_many_documents_is_refused_before_the_work(tmp_path, faked):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text":"가"}\n' * 201)
    done = run(path, "-o", tmp_path / "b.jsonl", "--html", tmp_path / "p.html")
    assert done.exit_code == 2
    assert "--html" in done.stderr
    done = run("--format", "jsonl", "--html", tmp_path / "p.html", stdin=path.read_text())
    assert done.exit_code == 1
    assert not (tmp_path / "p.html").exists()


def test_the_audit_names_its_outputs_by_digest(tmp_path, faked):
    import hashlib

    inside, audit = folder(tmp_path, a=TEXT), tmp_path / "audit.jsonl"
    run(inside, "-o", tmp_path / "out", "--audit", audit, "--profile", "strict")
    entries = {e["record"]: e for e in map(json.loads, audit.read_text().splitlines())}
    content = (tmp_path / "out" / "a.txt").read_bytes()
    assert entries["file"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert entries["file"]["encoding"] == "UTF-8"
    assert entries["run"]["profile"] == "strict"
    assert entries["end"]["complete"] is True
    assert list(entries) == ["run", "document", "file", "end"]


# --- the rest ---------------------------------------------------------------------------------


def test_two_workers_write_what_one_writes(tmp_path, monkeypatch):
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes(size))
    inside = folder(tmp_path, a=TEXT, b=f"{TEXT}오류가 있다.")
    rows = [{"id": n, "text": f"피해자 이몽룡({n}세)은 {TEXT}"} for n in range(40)]
    (inside / "c.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\nnope\n")
    said, written = [], []
    for workers in (1, 2):
        out, audit = tmp_path / f"out{workers}", tmp_path / f"audit{workers}"
        done = run(inside, "-o", out, "--audit", audit, "--workers", workers)
        assert done.exit_code == 1
        said.append(done.stderr)
        entries = [e | {"output": None} for e in lines_of(audit)[1:]]
        written.append([(out / name).read_bytes() for name in names_in(out)] + entries)
    assert said[0] == said[1]
    assert written[0] == written[1]
    assert "2345-6789" not in written[0][0].decode()


def test_a_quiet_run_says_what_failed_and_nothing_else(tmp_path, faked):
    done = run(folder(tmp_path, a=TEXT, b=""), "-o", tmp_path / "out", "--quiet")
    assert done.stderr.splitlines() == ["b.txt: 본문이 비어 있습니다 — 원본을 확인하십시오"]


def test_a_failure_is_one_line_however_long(tmp_path, faked):
    inside = folder(tmp_path, **{"가" * 80: ""})
    (inside / "줄\n바꿈.txt").write_text("")
    done = run(inside, "-o", tmp_path / "out", "-q")
    assert len(done.stderr.splitlines()) == 2


def test_existing_outputs_are_replaced_with_force(tmp_path, faked):
    source, out = folder(tmp_path, a=NAME) / "a.txt", tmp_path / "b.txt"
    out.write_text("old")
    assert run(source, "-o", out).exit_code == 2
    assert run(source, "-o", out, "--force").exit_code == 0
    assert out.read_text() == "A"


def test_version_and_help():
    done = CliRunner().invoke(app, ["--version"])
    assert done.output.strip() == f"thunder-deid {thunder.__version__}"
    done = CliRunner().invoke(app, ["deid", "--help"])
    text = re.sub(r"[\s│]+", " ", done.output)
    assert "종료 상태: 0 모두 처리함; 1 처리하지 못한 문서가 있음" in text
    assert "130 중단됨" in text
    assert {"taxonomy", "annotation"} <= set(CliRunner().invoke(app, ["--help"]).output.split())


@pytest.mark.parametrize(
    ("missing", "extra"), [("numpy", "train"), ("matplotlib.pyplot", "compare"), ("onnx", "onnx")]
)
def test_a_missing_library_is_named_with_the_extra_that_has_it(missing, extra, monkeypatch, capsys):
    def needs_it() -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr(cli, "app", needs_it)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert missing.split(".")[0] in said
    assert f"pip install 'thunder-deid[{extra}]'" in said


# --- the tagger ---------------------------------------------------------------------------------


@pytest.fixture
def tagged(tmp_path, monkeypatch):
    """Return a tagger's folder, and put in its place a tagger that finds 다온."""
    place = tmp_path / "tagger"
    place.mkdir()
    (place / "tagger.json").write_text("{}")
    words = {"다온": ("내국인이름", 0.9), "누리솔": ("내국인이름", 0.2)}
    fake_one = FakeTagger(words, masses={"라온": 0.3})
    monkeypatch.setattr("thunder.tagger.chosen_tagger.Chosen.load", lambda self: fake_one)
    return place


def test_a_tagger_is_asked_besides_the_rules(tmp_path, tagged):
    source = folder(tmp_path, a="다온은 라온과 누리솔에 갔다. 피고인 김도윤은 웃었다.") / "a.txt"
    audit, page = tmp_path / "audit", tmp_path / "page"
    done = run(source, "--audit", audit, "--html", page, model=tagged)
    assert done.exit_code == 0
    assert done.stdout == "A은 라온과 B에 갔다. 피고인 C은 웃었다."
    assert f"모델 {tagged}: 재현율 0.99에 맞춘 기준값입니다." in done.stderr
    assert "99.3%를 온전히" in done.stderr
    entries = {e["record"]: e for e in map(json.loads, audit.read_text().splitlines())}
    assert re.fullmatch("[0-9a-f]{64}", entries["run"]["tagger"]["name"])  # a path is veiled
    assert entries["run"]["tagger"]["licence"] == "CC BY-NC-SA 4.0"
    found = [(one["source"], one["score"]) for one in entries["document"]["changes"][:2]]
    assert found == [("tagger", 0.9), ("tagger", 0.2)]
    doubts = [(one["kind"], one["score"]) for one in entries["document"]["doubts"]]
    assert doubts == [("unsure", 0.2), ("near", 0.3)]
    assert not re.search("다온|라온|누리솔|김도윤", audit.read_text() + done.stderr)
    assert 'data-kind="near"' in page.read_text()


def test_without_a_tagger_the_audit_says_so(tmp_path, faked):
    audit = tmp_path / "audit"
    run(folder(tmp_path, a=TEXT) / "a.txt", "--audit", audit)
    assert json.loads(audit.read_text().splitlines()[0])["tagger"] is None


def test_a_document_that_a_tagger_cannot_read_fails_alone(tmp_path, tagged):
    inside = folder(tmp_path, a="다온", b="오류 다온", c="다온이")
    done = run(inside, "-o", tmp_path / "out", model=tagged)
    assert done.exit_code == 1
    assert names_in(tmp_path / "out") == ["a.txt", "c.txt"]
    assert (tmp_path / "out" / "c.txt").read_text() == "A이"
    assert "b.txt: 비실명 처리를 하지 못했습니다: RuntimeError" in done.stderr


@pytest.mark.parametrize(
    ("model", "words", "said"),
    [
        ("no-such", [], "'no-such' 폴더가 없습니다"),
        ("{tmp}", [], "태거의 폴더가 아닙니다"),
        ("{tmp}", ["--recall", "0.5"], "0.9 이상인 수를"),
        ("none", ["--recall", "0.99"], "함께 쓰지 않습니다"),
    ],
)
def test_a_tagger_that_does_not_fit_ends_with_2_and_does_nothing(tmp_path, model, words, said):
    inside = folder(tmp_path, a=TEXT)
    done = run(inside, "-o", tmp_path / "out", *words, model=model.format(tmp=tmp_path))
    assert done.exit_code == 2
    said_there = re.sub(r"[\s│]+", " ", done.stderr)
    assert said in said_there
    assert words or "none" in said_there
    assert names_in(tmp_path) == ["in/a.txt"]


def test_a_torch_tagger_runs_in_one_process(tmp_path, tagged, monkeypatch):
    monkeypatch.setattr(FakeTagger, "manifest", SimpleNamespace(architecture="encoder", about={}))
    inside = folder(tmp_path, a=TEXT)
    done = run(inside, "-o", tmp_path / "out", "--workers", 2, model=tagged)
    assert done.exit_code == 2
    assert "--workers를 빼십시오" in re.sub(r"[\s│]+", " ", done.stderr)


@pytest.mark.slow
@pytest.mark.skipif(not SHIPPED_PLACE.is_dir(), reason=f"{SHIPPED_PLACE} is not there yet")
def test_the_shipped_tagger_writes_the_same_with_two_workers_and_loads_no_torch(tmp_path):
    inside = folder(tmp_path, a=TEXT, b=f"{TEXT}그 무렵 김도윤이 왔다.")
    rows = [{"id": n, "text": f"피해자 이몽룡({n}세)은 {TEXT}"} for n in range(40)]
    (inside / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    written = []
    code = "import sys; from thunder.commands.cli import app; app(standalone_mode=False); "
    code += "sys.exit(any(m in sys.modules for m in ('torch', 'transformers')))"
    for workers in ("1", "2"):
        out = tmp_path / f"out{workers}"
        command = [sys.executable, "-c", code, "deid", inside, "-o", out, "--workers", workers]
        subprocess.run(list(map(str, command)), check=True, cwd=ROOT)
        written.append([(out / name).read_bytes() for name in names_in(out)])
    assert written[0] == written[1]
    assert "2345-6789" not in b"".join(written[0]).decode()
