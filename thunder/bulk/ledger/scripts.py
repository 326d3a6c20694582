"""A run on many machines: the script for Slurm, the manifest for Kubernetes.

Each task does a share of the shards (``thunder bulk run --shard N/M``). Nothing is installed for
it, nobody has to be asked, and no machine speaks to another: they share the folder.
"""

import io
import shlex
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

_MIB_A_PROCESS = 1024  # 350 were measured, of the tagger that ships


def slurm(folder: Path, *, tasks: int, processes: int) -> str:
    """Return a batch script: an array of *tasks* tasks of *processes* processes over *folder*.

    A task that is preempted, or whose node fails, is put into the queue again and goes on.
    """
    place = shlex.quote(str(folder))
    return f"""#!/usr/bin/env bash
#SBATCH --job-name=thunder-bulk
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task={processes}
#SBATCH --mem={_MIB_A_PROCESS * processes}M
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="{str(folder).replace("%", "%%")}/slurm-%A-%a.log"
set -uo pipefail
export OMP_NUM_THREADS=1
thunder bulk run {place} --workers {processes} --shard "$SLURM_ARRAY_TASK_ID/{tasks}"
status=$?
# 1: all is done, and some documents are among the dead letters.
[ "$status" -eq 1 ] && exit 0
exit "$status"
"""


def kubernetes(
    folder: Path, *, tasks: int, processes: int, image: str, claim: str, mount: Path
) -> str:
    """Return the manifest (YAML) of an indexed job of *tasks* pods of *processes* processes.

    *image* has thunder-deid installed; the volume *claim* is mounted at *mount*, below which
    input and *folder* lie under the paths they were planned under. A pod that a node took along is
    started again and not counted; one that was refused (status 2) is not.
    """
    run = f"thunder bulk run {shlex.quote(str(folder))} --workers {processes}"
    share = f'--shard "$((JOB_COMPLETION_INDEX + 1))/{tasks}"'
    command = f'{run} {share}; s=$?; [ "$s" -eq 1 ] && exit 0; exit "$s"'
    resources = {"cpu": str(processes), "memory": f"{_MIB_A_PROCESS * processes}Mi"}
    container = {
        "name": "thunder",
        "image": image,
        "command": ["/bin/sh", "-c", command],
        "env": [{"name": "OMP_NUM_THREADS", "value": "1"}],
        "resources": {"requests": resources, "limits": {"memory": resources["memory"]}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "data", "mountPath": str(mount)},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
    }
    rules: list[dict[str, Any]] = [
        {
            "action": "Ignore",
            "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}],
        },
        {
            "action": "FailIndex",
            "onExitCodes": {"containerName": "thunder", "operator": "In", "values": [2]},
        },
    ]
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "thunder-bulk"},
        "spec": {
            "completionMode": "Indexed",
            "completions": tasks,
            "parallelism": tasks,
            "backoffLimitPerIndex": 5,
            "podFailurePolicy": {"rules": rules},
            "template": {
                "spec": {
                    "restartPolicy": "Never",
                    "automountServiceAccountToken": False,
                    "securityContext": {"runAsNonRoot": True},
                    "containers": [container],
                    "volumes": [
                        {"name": "data", "persistentVolumeClaim": {"claimName": claim}},
                        {"name": "tmp", "emptyDir": {}},
                    ],
                }
            },
        },
    }
    stream = io.StringIO()
    yaml = YAML()
    yaml.width = 1000
    yaml.dump(job, stream)
    return stream.getvalue()
