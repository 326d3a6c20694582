"""The fused kernels: their checks in Triton's interpreter, and what they compile to."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="the triton package is not installed"
)


def run(*arguments: str, **environment: str) -> str:
    """Return what a fresh interpreter printed; fail with it where it failed."""
    fresh = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)} | environment
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=fresh, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_the_kernels_pass_their_checks_in_the_interpreter():
    checks = str(HERE / "fused_checks.py")
    said = run("-m", "pytest", "-p", "no:cacheprovider", "-m", "", checks, TRITON_INTERPRET="1")
    assert " passed" in said


@pytest.mark.slow
def test_the_kernels_pass_more_checks_in_the_interpreter():
    checks = str(HERE / "fused_checks.py")
    run(
        "-m", "pytest", "-p", "no:cacheprovider", "-m", "", checks,
        TRITON_INTERPRET="1", THUNDER_SLOW_KERNELS="1",
    )  # fmt: skip


@pytest.mark.slow
def test_the_kernels_compile_for_an_h100_and_fit_its_memory():
    code = (
        "import torch\n"
        f"import sys; sys.path.append({str(ROOT / 'benchmarks')!r})\n"
        "import compiled_kernels as kernels\n"
        "for kernel in kernels.KERNELS:\n"
        "    for far in (False, True):\n"
        "        found = kernels.compiled(kernel, far=far)\n"
        "        assert found.shared <= kernels.SHARED_LIMIT, found\n"
        "        assert found.instructions['wgmma.mma_async'] > 0, found\n"
        "for kernel in kernels.KERNELS:\n"
        "    found = kernels.compiled(kernel, dtype=torch.float32, chance=True, width=32)\n"
        "    assert found.shared <= kernels.SHARED_LIMIT, found\n"
        "print('compiled')\n"
    )
    assert "compiled" in run("-W", "ignore", "-c", code, TRITON_INTERPRET="0")
