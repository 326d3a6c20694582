"""A corpus prepared by a Ray cluster has the same bytes as one that was prepared here."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec

import pytest

from thunder.training_data.corpus import prepare, verify

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("ray"), reason="needs Ray (pip install '.[ray]')"),
]


@pytest.fixture
def cluster(tmp_path):
    """Yield the address of a cluster of one node with two processors; it ends with the test."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--head"]
    command += [f"--port={port}", "--num-cpus=2", "--node-ip-address=127.0.0.1"]
    command += ["--disable-usage-stats", "--include-dashboard=false"]
    command += ["--object-store-memory=80000000"]
    log = tmp_path / "ray.log"
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, start_new_session=True)
    ends = time.monotonic() + 120
    while "Ray runtime started" not in log.read_text():
        assert process.poll() is None and time.monotonic() < ends, log.read_text()
        time.sleep(0.2)
    yield f"127.0.0.1:{port}"
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_cluster_makes_the_same_corpus(cluster, settings, manifest, tmp_path, tokenizer_folder):
    out = tmp_path / "out"
    made = prepare(settings, tokenizer=tokenizer_folder, out=out, workers=2, ray=cluster)
    assert made.digest == manifest.digest
    verify(out)
    again = prepare(settings, tokenizer=tokenizer_folder, out=out, ray=cluster)
    assert again == made
