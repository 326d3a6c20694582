"""The scripts for Slurm, with stand-ins for srun and scontrol: what starts, what is requeued."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRETRAIN, FINETUNE = "pretrain/cluster/slurm.sh", "finetune/cluster/slurm.sh"

pytestmark = pytest.mark.skipif(not (ROOT / PRETRAIN).is_file(), reason="needs a checkout")

_SRUN = """#!/usr/bin/env bash
echo "srun $MASTER_ADDR $MASTER_PORT $*" >> "$NOTED"
exit "$STATUS"
"""
_SCONTROL = """#!/usr/bin/env bash
echo "scontrol $*" >> "$NOTED"
[ "$1" = show ] && printf 'node7\\nnode8\\n'
exit 0
"""


def _started(folder: Path, script: str, *arguments: str, status: int = 0) -> tuple[int, list[str]]:
    for name, text in (("srun", _SRUN), ("scontrol", _SCONTROL)):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    noted = folder / "noted"
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "NOTED": str(noted)}
    env |= {"SLURM_JOB_NODELIST": "node[7-8]", "SLURM_JOB_ID": "41", "STATUS": str(status)}
    done = subprocess.run(["bash", script, *arguments], env=env, cwd=ROOT, timeout=60)
    return done.returncode, noted.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("script", "config", "train"),
    [
        (PRETRAIN, "pretrain/configs/370m.toml", "pretrain/train.py"),
        (FINETUNE, "finetune/configs/370m.toml", "finetune/train.py"),
        (FINETUNE, "finetune/configs/polyglot-ko.toml", "finetune/train.py"),
    ],
)
def test_every_node_meets_at_the_first_and_trains_what_the_configuration_is_of(
    tmp_path, script, config, train
):
    status, lines = _started(tmp_path, script, config, "--set", "seed=1203")
    assert status == 0 and len(lines) == 2
    assert lines[1].startswith("srun node7 20041 --kill-on-bad-exit=0 --wait=60 ")
    assert lines[1].endswith(f"python {train} {config} --set seed=1203")


@pytest.mark.parametrize(("status", "again"), [(0, False), (75, True), (1, False)])
def test_only_a_run_that_a_signal_stopped_is_requeued(tmp_path, status, again):
    done, lines = _started(tmp_path, FINETUNE, "finetune/configs/370m.toml", status=status)
    assert done == status
    assert ("scontrol requeue 41" in lines) is again
