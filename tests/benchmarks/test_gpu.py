"""The GPU benchmark runs from end to end, at toy sizes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_section_of_the_gpu_benchmark_runs_on_a_cpu(tmp_path):
    command = [sys.executable, "-W", "ignore", "benchmarks/gpu.py", "--smoke"]
    fresh = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command += ["--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=fresh, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    figures = json.loads((tmp_path / "gpu.json").read_text("utf-8"))
    assert {figure.get("section") for figure in figures} >= {
        "gate",
        "gemm",
        "attention",
        "steps",
        "packing",
    }
    assert not [figure for figure in figures if "error" in figure]
    assert all(figure["passed"] for figure in figures if figure.get("section") == "gate")
