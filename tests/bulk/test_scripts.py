"""Runs on many machines: what is sent to Kubernetes fits its schema, what is sent to Slurm runs."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from thunder.bulk.ledger import scripts
from thunder.commands.cli import app

SCHEMA = Path(__file__).resolve().parents[1] / "data" / "kubernetes" / "job-1.33.json"
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch")


def thunder(*words: object) -> str:
    done = CliRunner().invoke(app, ["bulk", *map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def planned(folder: Path) -> Path:
    """Return a run of thirty texts in ten shards."""
    (folder / "in put").mkdir()
    for number in range(30):
        text = f"피고인 김도윤은 {number}번 걸었다.\n"
        (folder / "in put" / f"{number}.txt").write_text(text, encoding="utf-8")
    thunder(
        *("plan", folder / "in put", "-o", folder / "r un", "--model", "none"),
        *("--shard-documents", 3),
    )
    return folder / "r un"


# --- Kubernetes -----------------------------------------------------------------------------------


def validator():
    jsonschema = pytest.importorskip("jsonschema", reason="needs jsonschema, of the extra dev")
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


def test_the_manifest_fits_the_schema_of_kubernetes(tmp_path):
    folder = planned(tmp_path)
    options = ["--image", "registry/thunder:1", "--claim", "data", "--mount", tmp_path]
    text = thunder("script", "kubernetes", folder, "--tasks", 8, "--workers", 4, *options)
    job = YAML(typ="safe").load(text)
    assert list(validator().iter_errors(job)) == []
    assert job["spec"]["completionMode"] == "Indexed"
    assert job["spec"]["completions"] == 8
    job["spec"]["tasks"] = 8
    assert [error.validator for error in validator().iter_errors(job)] == ["additionalProperties"]


@pytest.mark.parametrize(("answer", "ends"), [(0, 0), (1, 0), (2, 2), (130, 130)])
def test_dead_letters_are_no_failure_of_a_pod(tmp_path, answer, ends):
    """Nor of Slurm's task; all else is, and the pod has its share of the shards."""
    said = tmp_path / "said"
    fake = tmp_path / "bin" / "thunder"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\necho "$@" > {said}\nexit {answer}\n')
    fake.chmod(0o755)
    environment = os.environ | {"PATH": f"{fake.parent}:{os.environ['PATH']}"}
    places = {"image": "x", "claim": "x", "mount": tmp_path}
    job = YAML(typ="safe").load(scripts.kubernetes(Path("/a b"), tasks=5, processes=2, **places))
    [pod] = job["spec"]["template"]["spec"]["containers"]
    index = {"JOB_COMPLETION_INDEX": "4"}
    assert subprocess.run(pod["command"], env=environment | index).returncode == ends
    assert said.read_text() == "bulk run /a b --workers 2 --shard 5/5\n"
    script = tmp_path / "job.sh"
    script.write_text(scripts.slurm(Path("/a b"), tasks=5, processes=2))
    index = {"SLURM_ARRAY_TASK_ID": "3"}
    assert subprocess.run(["bash", script], env=environment | index).returncode == ends
    assert said.read_text() == "bulk run /a b --workers 2 --shard 3/5\n"


def test_a_manifest_needs_image_and_volume(tmp_path):
    words = ["bulk", "script", "kubernetes", str(planned(tmp_path)), "--tasks", "2"]
    assert CliRunner().invoke(app, words).exit_code == 2


# --- Slurm ----------------------------------------------------------------------------------------

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    found = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return found


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the environment in which ``sbatch`` reaches a Slurm of one node, this machine."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o600)
    facts = {"host": socket.gethostname(), "folder": folder, "ports": free_ports(2)}
    (folder / "slurm.conf").write_text(CONFIGURATION.format(**facts))
    files = {"key-file": "key", "socket": "sock", "pid-file": "pid", "log-file": "log"}
    options = [f"--{name}={folder}/munge.{end}" for name, end in files.items()]
    environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    started = [["munged", *options, f"--seed-file={folder}/munge.seed", "--force"]]
    started += [[name, "-f", str(folder / "slurm.conf")] for name in ("slurmctld", "slurmd")]
    try:
        for command in started:
            subprocess.run(command, env=environment, check=True, timeout=30)
        ends = time.monotonic() + 30
        while (
            "idle"
            not in subprocess.run(
                ["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True
            ).stdout
        ):
            assert time.monotonic() < ends, "no node of Slurm"
            time.sleep(0.2)
        yield environment
    finally:
        for name in ("slurmd", "slurmctld", "munge"):
            if (folder / f"{name}.pid").exists():
                os.kill(int((folder / f"{name}.pid").read_text()), 15)


def queue(environment: dict[str, str]) -> str:
    """Return what Slurm has still to do."""
    done = subprocess.run(["squeue", "-h"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(shutil.which, DAEMONS)) or os.geteuid() != 0,
    reason="needs slurmctld, slurmd and munge (apt-get install), and root, whose daemons they are",
)
def test_slurm_does_the_shards_in_an_array(tmp_path):
    """A real Slurm of one node does them; what comes out is that of one process."""
    folder = planned(tmp_path)
    job = tmp_path / "job.sh"
    job.write_text(thunder("script", "slurm", folder, "--tasks", 3))
    with slurm(tmp_path / "slurm") as environment:
        subprocess.run(["sbatch", str(job)], env=environment, check=True, capture_output=True)
        ends = time.monotonic() + 120
        while queue(environment):
            assert time.monotonic() < ends, queue(environment)
            time.sleep(0.3)
    assert "결과 30건, 남겨 둔 문서 0건" in thunder("verify", folder)
