"""What a run leaves: outputs with their records or neither, nothing unsaid, no name in the open."""

import json
import os
import random
import re
import stat
import subprocess
import sys
from itertools import count
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from thunder.bulk.outputs import Partial, sweep
from thunder.bulk.publication import Publication
from thunder.commands.cli import app
from thunder.documents.sources import Opened

ROOT = Path(__file__).resolve().parents[2]
NAME = "강도윤"
TEXT = f"피고인 {NAME}은 걸었다.\n"
HMAC = re.compile("[0-9a-f]{64}")


def run(*words: object, stdin: str | None = None):
    words = ("deid", "--model", "none", *words)
    return CliRunner().invoke(app, list(map(str, words)), input=stdin)


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def of_kind(path: Path, kind: str) -> list[dict]:
    return [entry for entry in lines_of(path) if entry["record"] == kind]


# --- nothing is left unsaid -------------------------------------------------------------------


@pytest.fixture
def leaky(tmp_path) -> Path:
    """Return a folder with a table that leaks, inputs of another kind and a hidden file."""
    row = {"id": 1, "text": TEXT, "요지": {"피고인": ["강 도윤"]}}
    write(tmp_path / "in" / "a.jsonl", json.dumps(row))
    write(tmp_path / "in" / "b.rtf", "x")
    write(tmp_path / "in" / "c.이름", "x")
    write(tmp_path / "in" / ".DS_Store", "x")
    return tmp_path / "in"


@pytest.mark.parametrize("quiet", [[], ["-q"]])
@pytest.mark.parametrize(
    ("allowed", "status"),
    [([], 1), (["residue"], 1), (["skipped"], 1), (["residue", "skipped"], 0)],
)
def test_leaks_and_skipped_files_are_said_and_end_with_1_unless_allowed(
    tmp_path, leaky, quiet, allowed, status
):
    allow = [word for concern in allowed for word in ("--allow", concern)]
    audit = tmp_path / "audit"
    done = run(leaky, "-o", tmp_path / "out", "--audit", audit, *quiet, *allow)
    assert done.exit_code == status
    said = done.stderr
    assert "a.jsonl: 주의: '요지' 열의 1행(처음은 1행)에 가린 말이 그대로 있습니다" in said
    assert "파일 2개를 건너뛰었습니다(.rtf 1, .이름 1)" in said
    assert "숨은 파일 1개" in said
    assert ("판결서 1건 중" in said) == (not quiet)
    warnings = {entry["kind"]: entry for entry in of_kind(audit, "warning")}
    residue = warnings["residue"]
    assert (residue["where"], residue["rows"], residue["first"]) == ("cell", 1, 1)
    assert warnings["skipped"]["files"] == {".rtf": 1, "다른 확장자": 1}
    assert warnings["hidden"]["files"] == {"숨은 파일": 1}


@pytest.mark.parametrize(
    ("options", "status"),
    [([], 0), (["--checks"], 1), (["--checks", "--allow", "checks"], 0)],
)
def test_what_a_person_has_to_answer_is_said_and_ends_with_1_unless_allowed(
    tmp_path, options, status
):
    text = TEXT + "\n사고 당시 45세 8개월 7일이었다.\n"
    audit, page = tmp_path / "audit", tmp_path / "page.html"
    path = write(tmp_path / "a.txt", text)
    done = run(path, "-o", tmp_path / "x", "-q", "--audit", audit, "--html", page, *options)
    assert done.exit_code == status
    assert ("셈할 수 있는 생년월일 1" in done.stderr) == bool(options)
    assert ('data-kind="check"' in page.read_text(encoding="utf-8")) == bool(options)
    (document,) = of_kind(audit, "document")
    found = [one for one in document["doubts"] if one["kind"] == "birth"]
    assert len(found) == bool(options)
    assert [one["places"] for one in of_kind(audit, "warning")] == [{"birth": 1}] * bool(options)


def test_hidden_files_alone_are_said_and_do_no_harm(tmp_path):
    write(tmp_path / "in" / ".DS_Store", "x")
    write(tmp_path / "in" / "a.txt", TEXT)
    done = run(tmp_path / "in", "-o", tmp_path / "out", "-q")
    assert done.exit_code == 0
    assert done.stderr == "주의: 숨은 파일 1개를 건너뛰었습니다\n"


def test_a_private_file_in_an_open_folder_is_said_and_audited(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    mapping, audit = tmp_path / "open" / "map", tmp_path / "audit"
    path = write(tmp_path / "a.txt", TEXT)
    done = run(path, "-o", tmp_path / "x", "-q", "--mapping", mapping, "--audit", audit)
    assert done.exit_code == 0
    assert f"{mapping}: 주의: 누구나 쓸 수 있는 폴더입니다" in done.stderr
    assert [entry["kind"] for entry in of_kind(audit, "warning")] == ["open folder"]


def test_only_what_there_is_can_be_allowed(tmp_path):
    done = run(write(tmp_path / "a.txt", TEXT), "--allow", "everything")
    assert done.exit_code == 2
    assert "residue" in done.stderr


@pytest.mark.parametrize("of", ["table", "column"])
def test_what_was_masked_is_looked_for_in_what_a_parquet_file_says_of_itself(tmp_path, of):
    said = {"author": "강 도윤"}
    column = pa.field("text", pa.string(), metadata=said if of == "column" else None)
    schema = pa.schema([column], metadata=said if of == "table" else None)
    pq.write_table(pa.table({"text": [TEXT]}, schema=schema), tmp_path / "a.parquet")
    done = run(tmp_path / "a.parquet", "-o", tmp_path / "x.parquet", "-q")
    assert done.exit_code == 1
    assert "1행(처음은 1행)에서 가린 말이 파일의 메타데이터에 그대로 있습니다" in done.stderr
    assert "도윤" not in done.stderr


@pytest.mark.parametrize(
    ("source", "content", "out", "said"),
    [
        ("강 도윤.txt", TEXT, "x.txt", "파일 이름에 가린 말이"),
        ("강도윤/a.txt", TEXT, "x", "파일 이름에 가린 말이"),
        ("a.txt", TEXT, "강도윤/a.txt", "결과의 경로에 가린 말이"),
        ("a.csv", f"강도윤,text\n1,{TEXT}", "x.csv", "열 이름에 가린 말이"),
        ("a.csv", f"id,text\n강-도윤,{TEXT}", "x.csv", "'id' 열의 1행(처음은 2행)"),
        ("a.csv", 'id,text\n"{""a"": ""\\uac15\\ub3c4\\uc724""}",' + TEXT, "x.csv", "'id' 열의"),
        ("a.csv", "tel,text\n010-****-6789,전화는 010-2345-6789이다.\n", "x.csv", "'tel' 열의"),
        ("a.csv", "no,text\n900101-1******,주민번호 900101-1234567\n", "x.csv", "'no' 열의"),
        (
            "a.csv",
            "who,text\n원고 강산은,원고 강산(1990. 1. 1.생)은 갔다.\n",
            "x.csv",
            "'who' 열의",
        ),
    ],
)
def test_what_was_masked_is_looked_for_wherever_else_it_is_written(
    tmp_path, source, content, out, said
):
    path = write(tmp_path / "in" / source, content)
    given = path if "/" not in source else tmp_path / "in"
    done = run(given, "-o", tmp_path / out, "-q")
    assert done.exit_code == 1
    assert said in done.stderr


def test_a_column_that_is_called_like_a_masked_name_is_not_named(tmp_path):
    rows = [{"text": TEXT, NAME: NAME}]
    path = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    done = run(path, "-o", tmp_path / "x.jsonl")
    assert NAME not in done.stderr
    assert "이름을 보일 수 없는 열의 1행" in done.stderr


# --- no name in the open ----------------------------------------------------------------------


def test_the_audit_holds_no_name_of_a_file_an_id_or_a_path(tmp_path):
    inside = tmp_path / NAME
    write(inside / f"{NAME}.txt", TEXT)
    write(inside / "b.jsonl", json.dumps({"id": f"id-{NAME}", "text": TEXT, "by": NAME}) + "\nx\n")
    write(inside / f"깨진 {NAME}.csv", "가\n")
    audit, mapping = tmp_path / f"audit {NAME}", tmp_path / f"map {NAME}"
    run(inside, "-o", tmp_path / f"out {NAME}", "--audit", audit, "--mapping", mapping)
    written = audit.read_text()
    assert NAME not in written
    assert str(tmp_path) not in written
    assert "b.jsonl" not in written
    names = {entry["hmac"]: entry["name"] for entry in of_kind(mapping, "name")}
    veiled = {
        entry[key]
        for entry in lines_of(audit)
        for key in ("file", "id", "output")
        if entry.get(key)
    }
    assert all(map(HMAC.fullmatch, veiled))
    assert veiled <= set(names)
    options = of_kind(audit, "run")[0]["options"]
    assert names[options["paths"][0]] == str(inside)
    assert names[options["audit"]] == str(audit)
    assert f"id-{NAME}" in names.values()
    columns = [names[e["column"]] for e in of_kind(audit, "warning") if "column" in e]
    assert columns == ["id", "by"]


def test_the_mapping_keeps_the_key_and_another_run_has_another(tmp_path):
    import hmac

    path = write(tmp_path / f"{NAME}.txt", TEXT)
    files = []
    for number in range(2):
        audit, mapping = tmp_path / f"audit{number}", tmp_path / f"map{number}"
        run(path, "-o", tmp_path / f"x{number}", "--audit", audit, "--mapping", mapping)
        [key] = [bytes.fromhex(e["key"]) for e in lines_of(mapping) if e["record"] == "key"]
        [file] = [entry["file"] for entry in of_kind(audit, "file")]
        assert file == hmac.new(key, f"{NAME}.txt".encode(), "sha256").hexdigest()
        files.append(file)
    assert files[0] != files[1]


# --- together or not at all -------------------------------------------------------------------

CRASHING = '''
"""Runs deid again and again, each time killed a step later, until it is not killed any more."""
import os, signal, sys
from pathlib import Path
from thunder.commands.deid import run
from thunder.commands import deid
import thunder.bulk.publication, thunder.masking.deidentify, thunder.bulk.outputs
import thunder.bulk.recording
import thunder.masking.audit, thunder.commands.cli, thunder.text.morphology
from typer.testing import CliRunner

base, end, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
thunder.masking.deidentify.deidentify("피고인 강도윤은 걸었다.")
audit = thunder.masking.audit
audit.run_entry(audit.catalogue("court"), {}, audit.Veil())

def after(steps):
    """Kill the process when it does its step number *steps* on the disk."""
    left = [steps]
    def counted(act):
        def acting(*args, **options):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), getattr(signal, end))
            return act(*args, **options)
        return acting
    for name in ("open", "replace", "fsync", "ftruncate", "fchmod"):
        setattr(os, name, counted(getattr(os, name)))
    Path.mkdir = counted(Path.mkdir)
    thunder.bulk.logs.line = counted(thunder.bulk.logs.line)

import random
steps = 0
draw = random.Random(seed)
while True:
    steps += draw.randint(1, 5)
    place = base / str(steps)
    place.mkdir()
    child = os.fork()
    if child == 0:
        after(steps)
        words = ["deid", "--model", "none", base / "in", "-o", place / "out"]
        words += ["--audit", place / "audit", "--mapping", place / "map"]
        done = CliRunner().invoke(thunder.commands.cli.app, list(map(str, words)))
        os._exit(done.exit_code)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        break
print(steps)
'''


def whole_lines(path: Path) -> list[dict]:
    """Return the lines of a log, but for a last one that was cut off."""
    lines = path.read_bytes().split(b"\n")[:-1]
    return [json.loads(line) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["SIGKILL", "SIGINT"])
def test_whenever_a_run_ends_no_output_is_without_its_records(tmp_path, end):
    for number in range(4):
        write(tmp_path / "in" / f"{number}.txt", TEXT)
    rows = [json.dumps({"id": n, "text": TEXT}) for n in range(3)]
    write(tmp_path / "in" / "9.jsonl", "\n".join(rows))
    code = write(tmp_path / "crashing.py", CRASHING)
    seed = random.randrange(1000)
    command = [sys.executable, code, tmp_path, end, str(seed)]
    umask = os.umask(0)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    finally:
        os.umask(umask)
    assert done.returncode == 0, done.stderr
    places = [place for place in tmp_path.iterdir() if place.name.isdigit()]
    assert len(places) > 10, seed
    published = 0
    for place in places:
        outputs = [path for path in (place / "out").glob("*") if not path.name.startswith(".")]
        published += len(outputs)
        for path in place.rglob("*"):
            if path.name.startswith(".thunder-") or path.name == "map":
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, (path, seed)
        if not outputs:
            continue
        mapping, audit = whole_lines(place / "map"), whole_lines(place / "audit")
        names = {e["hmac"]: e["name"] for e in mapping if e["record"] == "name"}
        mapped = {e["file"] for e in mapping if e["record"] == "replacement"}
        audited = {names[e["file"]] for e in audit if e["record"] == "file"}
        for output in outputs:
            assert output.name in mapped & audited, (place, seed)
        if end == "SIGINT" and any(e["record"] == "end" for e in audit):
            assert {path.name for path in outputs} == mapped == audited, (place, seed)
            assert not list(place.rglob(".thunder-*")), (place, seed)
    assert published > 10, seed


def test_the_mapping_stands_though_the_page_fails_at_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr("thunder.bulk.page.MOST_DOCUMENTS", 1)
    rows = "\n".join(json.dumps({"text": TEXT}) for _ in range(2))
    words = ["--html", tmp_path / "page", "--mapping", tmp_path / "map", "--audit", tmp_path / "au"]
    done = run("--format", "jsonl", "-o", tmp_path / "x.jsonl", *words, stdin=rows)
    assert done.exit_code == 1
    assert "--html" in done.stderr
    assert (tmp_path / "x.jsonl").exists()
    assert not (tmp_path / "page").exists()
    assert [e["originals"] for e in of_kind(tmp_path / "map", "replacement")] == [[NAME]] * 2
    assert len(of_kind(tmp_path / "au", "file")) == 1


def test_what_went_to_standard_output_is_in_the_mapping_though_the_run_is_cut_off(
    tmp_path, monkeypatch
):
    numbers = count()
    whole = Publication.take

    def take(self, item):
        if not isinstance(item, Opened) and next(numbers) == 2:
            raise KeyboardInterrupt
        whole(self, item)

    monkeypatch.setattr(Publication, "take", take)
    rows = "\n".join(json.dumps({"id": n, "text": TEXT}) for n in range(9))
    done = run("--format", "jsonl", "--mapping", tmp_path / "map", stdin=rows)
    assert done.exit_code == 130
    assert len(done.stdout.splitlines()) == 2
    assert [e["id"] for e in of_kind(tmp_path / "map", "replacement")] == ["0", "1"]


def test_of_an_output_that_cannot_be_placed_nothing_is_recorded_but_the_failure(
    tmp_path, monkeypatch
):
    for name in "ab":
        write(tmp_path / "in" / f"{name}.txt", TEXT)
    whole = Partial.publish

    def publish(self):
        if self.target.name == "a.txt":
            raise FileExistsError
        whole(self)

    monkeypatch.setattr(Partial, "publish", publish)
    audit, mapping = tmp_path / "audit", tmp_path / "map"
    done = run(tmp_path / "in", "-o", tmp_path / "out", "--audit", audit, "--mapping", mapping)
    assert done.exit_code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.txt"]
    assert [e["file"] for e in of_kind(mapping, "replacement")] == ["b.txt"]
    assert [e["record"] for e in lines_of(audit)] == ["run", "failure", "document", "file", "end"]


# --- what is half written ---------------------------------------------------------------------


def gone() -> int:
    """Return the id of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_the_next_run_removes_what_killed_ones_left_and_nothing_else(tmp_path):
    dead, alive = gone(), os.getpid()
    stale = write(tmp_path / "out" / f".thunder-{dead}-00ff00ff.partial", "x")
    kept = [
        write(tmp_path / "out" / name, "x")
        for name in (
            f".thunder-{alive}-00ff00ff.partial",
            f".thunder-{dead}-00ff00ff.partial.txt",
            f"thunder-{dead}-00ff00ff.partial",
            f".thunder-{dead}-theirs.partial",
        )
    ]
    link = tmp_path / "out" / f".thunder-{dead}-00ff0000.partial"
    link.symlink_to(kept[0])
    done = run(write(tmp_path / "a.txt", TEXT), "-o", tmp_path / "out" / "x.txt")
    assert done.exit_code == 0
    assert not stale.exists()
    assert all(path.exists() for path in [*kept, link])


def test_what_another_process_still_writes_is_not_removed(tmp_path, monkeypatch):
    """Its id may be another container's, unknown here: the lock tells."""
    dead = gone()
    monkeypatch.setattr("os.getpid", lambda: dead)
    partial = Partial(tmp_path / "x", private=False, replace=False)
    monkeypatch.undo()
    sweep([tmp_path])
    assert not partial.is_published()
    partial.close()
    assert list(tmp_path.iterdir()) == []


def test_an_output_is_open_to_others_only_in_its_place(tmp_path):
    umask = os.umask(0o022)
    try:
        partial = Partial(tmp_path / "x", private=False, replace=False)
        [path] = tmp_path.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        partial.publish()
        assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o644
        partial.close()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(umask)


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_korean_is_readable_whatever_the_locale(tmp_path, locale):
    path = write(tmp_path / "a.txt", TEXT)
    plain = {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "thunder", "deid", "--model", "none", path, "-o", path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=os.environ | plain | locale)
    assert done.returncode == 2
    assert "입력 파일입니다" in re.sub(r"[\s│|]+", " ", done.stderr.decode("utf-8"))
    command = [sys.executable, "-m", "thunder", "taxonomy", "tree", "--depth", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=os.environ | plain | locale)
    assert done.returncode == 0
    assert "사건관계인" in done.stdout.decode("utf-8")


def test_a_terminal_of_another_korean_encoding_keeps_it():
    command = [sys.executable, "-m", "thunder", "taxonomy", "tree", "--depth", "1"]
    korean = {"PYTHONIOENCODING": "euc_kr"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=os.environ | korean)
    assert done.returncode == 0
    assert "사건관계인" in done.stdout.decode("euc_kr")


def test_force_is_not_advised_where_it_is_refused(tmp_path):
    path, mapping = write(tmp_path / "a.txt", TEXT), write(tmp_path / "map", "x")
    for force in ([], ["--force"]):
        done = run(path, "-o", tmp_path / "x", "--mapping", mapping, *force)
        assert done.exit_code == 2
        said = re.sub(r"[\s│]+", " ", done.stderr)
        assert "이미 있습니다" in said
        assert "--force" not in said
