"""Nothing leaves the machine, and nothing is written where the README does not say so."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from ..started import started

ROOT = Path(__file__).resolve().parents[2]
JUDGMENT = ROOT / "tests" / "data" / "criminal-judgment.txt"
LOADED = 30.0
"""Seconds that a loaded process is watched: onnxruntime's reports begin some ten seconds in."""

TRACED = (
    "%network,open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink,symlinkat,"
    "rename,renameat,renameat2,unlink,unlinkat,truncate"
)
LOOKED_UP = re.compile(r"AF_INET|/etc/(?:resolv\.conf|hosts)")
WRITING = re.compile(r"O_(?:WRONLY|RDWR|CREAT|TRUNC)|^[0-9]+ +(?!open|%)[a-z]+")
PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')


def environment(home: Path, **own: str) -> dict[str, str]:
    """Return what a fresh account has, in the empty folder *home*."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT), **own}


def python(code: str, home: Path, **own: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment(home, **own), capture_output=True, text=True, check=True,
    )  # fmt: skip


@pytest.mark.parametrize("set_before", [None, "0", ""])
def test_a_library_that_reports_writes_no_device_id(tmp_path, set_before):
    own = {} if set_before is None else {"ORT_DISABLE_TELEMETRY": set_before}
    python("import thunder, onnxruntime", tmp_path, **own)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("ORT_DISABLE_TELEMETRY", "0", "1"),
        ("HF_HUB_DISABLE_TELEMETRY", "0", "1"),
        ("DO_NOT_TRACK", None, "1"),
        ("HF_HUB_OFFLINE", None, "1"),
        ("HF_HUB_OFFLINE", "0", "0"),  # asked for by name, and nothing of ours fetches
    ],
)
def test_what_is_set_before_any_library_is_loaded(tmp_path, name, before, after):
    own = {} if before is None else {name: before}
    said = python(f"import os, thunder; print(os.environ[{name!r}])", tmp_path, **own).stdout
    assert said == f"{after}\n"


def test_a_library_loaded_too_early_is_said(tmp_path):
    code = "import onnxruntime, thunder"
    assert "import thunder first" in python(code, tmp_path).stderr
    assert python(code, tmp_path, ORT_DISABLE_TELEMETRY="1").stderr == ""


# --- watched by the system's calls ----------------------------------------------------------------


def traced(command: list[object], home: Path, trace: Path) -> AbstractContextManager:
    strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-s", "4096", "-e", f"trace={TRACED}"]
    return started(
        [*strace, "-o", trace, sys.executable, *command],
        env=environment(home), stdin=subprocess.PIPE, cwd=home.parent,
    )  # fmt: skip


def lookups(trace: Path) -> list[str]:
    return [line for line in trace.read_text().splitlines() if LOOKED_UP.search(line)]


def written(trace: Path) -> set[str]:
    """Return the paths that were written, made or taken away, but for devices and Python's code."""
    lines = [line for line in trace.read_text().splitlines() if WRITING.search(line)]
    paths = {path for line in lines if "socket" not in line for path in PATH.findall(line)}
    return {one for one in paths if not one.startswith("/dev/") and "__pycache__" not in one}


def loaded(trace: Path) -> int:
    """Return how many processes opened a model."""
    opened = [line for line in trace.read_text().splitlines() if "/model.onnx" in line]
    return len({line.split()[0] for line in opened})


PYTHON_USE = f"""
import time
from thunder.masking.deidentify import deidentify
assert deidentify(open({str(JUDGMENT)!r}).read()).changes
time.sleep({LOADED})
"""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace, which .ci/run installs")
def test_nothing_leaves_the_machine_and_nothing_is_written_elsewhere(tmp_path):
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    out.mkdir()
    traces = [tmp_path / "python.trace", tmp_path / "command.trace"]
    text = JUDGMENT.read_text(encoding="utf-8")
    rows = [json.dumps({"id": str(number), "text": text}) + "\n" for number in range(41)]
    options = ["--format", "jsonl", "--workers", "2", "--audit", out / "audit", "-o", out / "rows"]
    with (
        traced(["-c", PYTHON_USE], home, traces[0]) as library,
        traced(["-m", "thunder", "deid", "-q", *options], home, traces[1]) as command,
    ):
        command.stdin.write("".join(rows[1:]).encode())
        command.stdin.flush()
        time.sleep(LOADED)  # it waits for more
        command.communicate(rows[0].encode(), timeout=240)
        library.wait(timeout=240)
    assert (library.returncode, command.returncode) == (0, 0)
    assert [lookups(trace) for trace in traces] == [[], []]
    assert (loaded(traces[0]) >= 1, loaded(traces[1]) >= 2) == (True, True)
    assert list(home.rglob("*")) == []
    assert written(traces[0]) == set()
    outside = {path for path in written(traces[1]) if not path.startswith(str(out))}
    assert outside == set()
