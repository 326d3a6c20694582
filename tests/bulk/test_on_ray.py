"""Shards on a Ray cluster of two nodes, which are processes of this machine with one disk."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("ray"), reason="needs Ray (pip install '.[ray]')"),
]

QUIET = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "THUNDER_LANGUAGE": "en"}
_STORE = "--object-store-memory=80000000"


def thunder(*words: object, **options: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "thunder", "bulk", *map(str, words)]
    return subprocess.Popen(
        command, env=QUIET, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


def said(process: subprocess.Popen) -> str:
    output, _ = process.communicate(timeout=180)
    assert process.returncode == 0, output
    return str(output)


@contextmanager
def node(log: Path, *words: str) -> Iterator[subprocess.Popen]:
    """Yield a node of one processor; it ends with the block, or before, by its process group."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1"]
    command += ["--node-ip-address=127.0.0.1", "--disable-usage-stats", _STORE, *words]
    process = started(command, log) or started(command, log) or started(command, log)
    assert process, log.read_text()
    try:
        yield process
    finally:
        end(process)


def started(command: list[str], log: Path) -> subprocess.Popen | None:
    """Return a node that is up; None where it gave up, as it does after 30 s of a busy machine."""
    with log.open("w") as stream:
        process = subprocess.Popen(
            command, env=QUIET, stdout=stream, stderr=stream, start_new_session=True
        )
    while "Ray runtime started" not in log.read_text():
        if process.poll() is not None:
            end(process)
            return None
        time.sleep(0.2)
    return process


def end(process: subprocess.Popen) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def results(folder: Path) -> dict[str, bytes]:
    found = (folder / "out").rglob("*")
    return {path.name: path.read_bytes() for path in found if path.is_file()}


def until_done(folder: Path, shards: int) -> None:
    ends = time.monotonic() + 120
    while len(list((folder / "done").rglob("*.json"))) < shards:
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_a_cluster_that_loses_a_node_and_the_driver_leaves_the_same_bytes(tmp_path):
    """Two nodes begin; one is lost, then the driver; the run that goes on has one node."""
    rows = [{"id": at, "text": "피고인 김도윤은 걸었다. " * 200} for at in range(600)]
    table = tmp_path / "a.jsonl"
    table.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        said(thunder("plan", table, "-o", folder, "--model", "none", "--shard-documents", 10))
    said(thunder("run", here))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    with (
        node(tmp_path / "head.log", "--head", f"--port={port}", "--include-dashboard=false"),
        node(tmp_path / "node.log", f"--address={address}") as other,
    ):
        driver = thunder("run", there.name, "--ray", address, cwd=tmp_path)
        until_done(there, 5)
        end(other)
        until_done(there, 15)
        driver.kill()
        driver.communicate()
        assert len(list((there / "done").rglob("*.json"))) < 60, "it was over before it was killed"
        assert "60/60" in said(thunder("run", there, "--ray", address))
    assert "600 documents out, 0 dead" in said(thunder("verify", there))
    assert results(there) == results(here)
