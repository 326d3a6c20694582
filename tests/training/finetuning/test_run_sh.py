"""finetune/run.sh: which steps it takes, which it leaves when it is started again."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "finetune" / "run.sh"

pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="needs a checkout")

# In the place of python: notes what it is asked, makes what the step would make, and fails at the
# step that $FAILS names, as one that a signal stops.
_STAND_IN = r"""#!/usr/bin/env bash
echo "$*" >> "$NOTED"
case "$*" in *${FAILS:-nothing}*) exit 75 ;; esac
last=${!#}
case "$1 $2 $3" in
    "-m thunder annotation") touch "$last" ;;
    "-m thunder dataset") mkdir -p "$WORK/datasets/32k"; touch "$WORK/datasets/32k/manifest.json" ;;
    finetune/export.py*) mkdir -p "$3" ;;
    "-m thunder tagger") mkdir -p "$(dirname "$6")"; touch "$6" ;;
    "-c "*) echo 12345 ;;
esac
"""


class Act:
    """The script with its steps stood in for, so that it can be started as often as needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "python"
        self.python.write_text(_STAND_IN, encoding="utf-8")
        self.python.chmod(0o755)

    def started(self, *arguments: str, **env: str) -> tuple[int, list[str]]:
        """Return the exit status, and the steps that were taken, by their first words."""
        noted = self.folder / "noted"
        noted.unlink(missing_ok=True)
        own = {"PYTHON": self.python, "WORK": self.folder / "work", "NOTED": noted, **env}
        done = subprocess.run(
            [str(SCRIPT), *arguments],
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.said = done.stderr
        return done.returncode, noted.read_text("utf-8").splitlines() if noted.exists() else []


@pytest.fixture
def act(tmp_path: Path) -> Act:
    return Act(tmp_path)


def _steps(lines: list[str]) -> list[str]:
    """Return each step's own word, with the seed where it has one."""
    known = ("annotation", "dataset", "train.py", "export.py", "tagger", "evaluate")
    found = []
    for line in lines:
        words = [Path(word).name for word in line.split()]
        word = next((one for one in known if one in words[:6]), "")
        seed = next((one for one in ("1200", "1203") if f"-{one}" in line), "")
        found += [f"{word} {seed}" if word in known[2:5] else word] if word else []
    return found


_SEED = ("train.py {0}", "export.py {0}", "tagger {0}")
_OF = {seed: [step.format(seed) for step in _SEED] for seed in ("1200", "1203")}


def test_every_seed_is_trained_exported_and_asked_and_all_are_scored_together(act):
    status, lines = act.started("smoke", JUDGMENTS="a.jsonl", SEEDS="1200 1203", RAW="raw.jsonl.xz")
    assert status == 0, act.said
    assert _steps(lines) == ["annotation", "dataset", *_OF["1200"], *_OF["1203"], "evaluate"]
    (build,) = [line for line in lines if "dataset build" in line]
    assert f"build a.jsonl {act.folder}/work/datasets/raw.marked.jsonl --output" in build
    models = f"{act.folder}/work/models/tagger-smoke"
    assert f"smoke={models}-1200,{models}-1203 rules" in lines[-1]


def test_a_run_that_was_stopped_goes_on_where_it_was(act):
    seeds = {"JUDGMENTS": "a.jsonl", "SEEDS": "1200 1203"}
    status, _ = act.started("smoke", **seeds, FAILS="train.py*seed=1203")
    assert status == 75
    status, lines = act.started("smoke", **seeds)
    assert status == 0 and _steps(lines) == [*_OF["1203"], "evaluate"]
    assert _steps(act.started("smoke", **seeds)[1]) == ["evaluate"]


def test_changes_and_processes_reach_the_training(act):
    changes = "schedule.epochs=3 engine.kind=deepspeed"
    status, lines = act.started("370m", "8", JUDGMENTS="a.jsonl", SET=changes)
    (train,) = [line for line in lines if "train.py" in line]
    assert status == 0 and "--nproc_per_node 8 --master_port 12345" in train
    assert "--set schedule.epochs=3 --set engine.kind=deepspeed" in train


def test_an_unknown_size_is_refused_with_the_known_ones(act):
    status, lines = act.started("huge")
    assert status == 1 and not lines and "smoke.toml" in act.said
