"""Pipes and streams: a line comes out as soon as it is done, and what closes is said plainly."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.bulk.running import Outcome, run
from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import Source, read_all
from thunder.masking.deidentify import deidentify
from thunder.workers import Waiting

from ..started import started
from .test_documents import NAME, passed, write

ROOT = Path(__file__).resolve().parents[2]
DEID = [sys.executable, "-m", "thunder", "deid", "--model", "none", "--quiet"]


def json_line(number: int, text: str = f"{NAME}은 갔다.") -> bytes:
    return (json.dumps({"id": number, "text": text}, ensure_ascii=False) + "\n").encode()


def csv_line(number: int) -> bytes:
    return f'{number},"{NAME}은, \n갔다."\n'.encode()


# --- as it arrives ----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("format", "head", "line"), [("jsonl", b"", json_line), ("csv", b"id,text\n", csv_line)]
)
def test_what_has_come_is_done_before_more_is_waited_for(
    tmp_path,
    format,
    head,
    line,
    workers,
):
    os.mkfifo(tmp_path / "pipe")
    into = os.open(tmp_path / "pipe", os.O_RDWR)
    late = threading.Timer(60, os.close, [into])  # so that what waits for more ends, too
    late.start()
    items = run(
        read_all([Source(tmp_path / "pipe", "pipe", format)], Reading()),
        deidentify,
        workers=workers,
    )
    outcomes = (item.record.id for item in items if isinstance(item, Outcome))
    os.write(into, head + line(1) + line(2) + line(3)[:9])
    assert [next(outcomes), next(outcomes)] == ["1", "2"]
    os.write(into, line(3)[9:] + line(4)[:-1])
    assert next(outcomes) == "3"
    assert late.is_alive()
    late.cancel()
    os.close(into)
    assert list(outcomes) == ["4"]


def through_a_pipe(folder: Path, content: bytes, *, format: str, sizes: list[int]):
    """Return what ``passed`` returns for a pipe into which *content* is written piece by piece."""
    pipe = folder / "pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)

    def feed() -> None:
        with pipe.open("wb", buffering=0) as stream:
            at = 0
            for size in [*sizes, len(content)]:
                stream.write(content[at : at + size])
                at += size

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        return passed(pipe, format=format)
    finally:
        feeder.join()


TABLES = {
    "jsonl": ["{}", '{"text": "홍길동"}', "nope", '{"text": "나"}'],
    "csv": ["id,text", "1,홍길동", '2,"홍길\n동, ""x"""', "3,홍길동,4", "5,나"],
    "txt": ["홍길동은", "갔다."],
}


@given(
    st.sampled_from([(format, codec) for format in TABLES for codec in ("utf-8", "cp949")]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.lists(st.integers(0, 9), max_size=5),
)
def test_a_pipe_gives_what_a_file_gives(tmp_path_factory, kind, newline, is_marked, sizes):
    format, codec = kind
    mark = "\ufeff" if is_marked and codec == "utf-8" else ""
    content = (mark + newline.join(TABLES[format])).encode(codec)
    folder = tmp_path_factory.getbasetemp()
    out, records, failures = through_a_pipe(folder, content, format=format, sizes=sizes)
    of_file = passed(write(folder, "file", content), format=format)
    assert out == of_file[0]
    assert [(r.row, r.text) for r in records] == [(r.row, r.text) for r in of_file[1]]
    assert [(f.row, f.reason) for f in failures] == [(f.row, f.reason) for f in of_file[2]]


def test_utf16_out_of_a_pipe_is_read(tmp_path):
    content = "\ufeffid,text\n1,홍길동\n".encode("utf-16-le")
    out, _, failures = through_a_pipe(tmp_path, content, format="csv", sizes=[3, 5])
    assert (out, failures) == (content.replace(NAME.encode("utf-16-le"), b"A\0"), [])


def test_rows_before_the_first_hangul_do_not_settle_the_encoding(tmp_path):
    content = ("id,text\n" + "1,plain\n" * 9 + "2,홍길동은 법정에 나와서 말하였다.\n").encode(
        "cp949"
    )
    out, records, failures = through_a_pipe(tmp_path, content, format="csv", sizes=[20, 30])
    assert (len(records), failures) == (10, [])
    assert out == content.replace(NAME.encode("cp949"), b"A")


def test_one_that_is_damaged_later_is_said_from_its_row_on(tmp_path):
    content = "id,text\n1,홍길동은 갔다\n".encode() + b"2,\xff\xff\n3,x\n"
    _, [record], [failure] = through_a_pipe(tmp_path, content, format="csv", sizes=[26])
    assert (record.row, failure.row, "이 행부터" in failure.reason) == (2, 3, True)


def test_a_binary_pipe_is_named(tmp_path):
    _, _, [failure] = through_a_pipe(tmp_path, b"PK\x03\x04\n\n", format="csv", sizes=[])
    assert "ZIP" in failure.reason


def test_a_waiting_is_no_document(tmp_path):
    os.mkfifo(tmp_path / "a.txt")
    pipe = os.open(tmp_path / "a.txt", os.O_RDWR)
    items = read_all([Source(tmp_path / "a.txt", "a.txt", "jsonl")], Reading())
    next(items)
    assert isinstance(next(items), Waiting)
    os.write(pipe, b"\n")
    os.close(pipe)
    rest = [item for item in items if isinstance(item, Record | Failure)]
    assert ["문서가 하나도" in item.reason for item in rest] == [True]


# --- the command ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_gives_a_line_for_a_line_and_stops_with_its_reader(workers):
    command = [*DEID, "--format", "jsonl", "--workers", workers]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started(command, cwd=ROOT, bufsize=0, **pipes) as process:
        for number in range(3):
            process.stdin.write(json_line(number))
            assert json.loads(process.stdout.readline())["id"] == number
        os.set_blocking(process.stdin.fileno(), False)
        line, offered, taken = json_line(1, "법정에 나왔다. " * 1000), 3000, 0
        still_since = time.monotonic()
        while offered and time.monotonic() < still_since + 5:
            written = process.stdin.write(line)
            if not written:
                time.sleep(0.05)
                continue
            offered, taken, still_since = offered - 1, taken + written, time.monotonic()
            assert offered, "all was taken though nobody reads"
        assert taken < 20_000_000


def test_a_reader_that_leaves_is_said_and_leaves_no_traceback(tmp_path):
    path = write(tmp_path, "a.jsonl", b"".join(json_line(n, "갔다. " * 500) for n in range(200)))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([*DEID, path], cwd=ROOT, **pipes) as process:
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
        process.wait(60)
    assert process.returncode == 1
    assert said == "표준 출력: 받는 쪽이 먼저 닫았습니다 — 끝까지 받거나 -o로 파일에 쓰십시오\n"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("<&-", 2, "표준 입력이 닫혀 있습니다"),
        ("- <&-", 2, "표준 입력이 닫혀 있습니다"),
        ("{a} >&-", 2, "표준 출력이 닫혀 있습니다. -o에 파일을"),
        ("{a} -o {out} <&- >&-", 0, ""),
        ("{a} -o {out} 2>&- <&- >&-", 0, ""),
    ],
)
def test_a_closed_stream_is_said(tmp_path, words, status, said):
    a, out = write(tmp_path, "a.txt", "갔다."), tmp_path / "out.txt"
    line = " ".join(DEID) + " " + words.format(a=a, out=out)
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (
        *(status, True),
        False,
    )
    assert not out.exists() or out.read_text() == "갔다."


MASKS = """
import signal, sys
from thunder.workers import in_order

def masks(tasks):
    for task in tasks:
        yield signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

if __name__ == "__main__":
    answers = in_order([1] * 40, masks, workers=2, sent=lambda task: task, cost=lambda task: 0)
    print({answer for _, answer in answers})
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


def test_no_worker_ever_sees_an_interrupt(tmp_path):
    script = write(tmp_path, "masks.py", MASKS)
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["{True}", "False"], done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 0.05, 0.3])
def test_an_interrupt_of_all_shows_one_line(tmp_path, after):
    path = write(tmp_path, "a.jsonl", json_line(1, "갔다. " * 500) * 20_000)
    command = [*DEID, path, "-o", tmp_path / "out.jsonl", "--workers", "2"]
    with started(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(children.read_text().split()) < 2:
            assert process.poll() is None
            time.sleep(0.002)
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.read()
        process.wait(60)
    assert (process.returncode, said) == (130, "중단했습니다. 다 끝난 파일만 남겼습니다.\n")
