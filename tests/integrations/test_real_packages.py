"""A new environment with the packages of others: our tests and the examples of the docs run there.

They are not among the packages that a developer has: only here are all of them asked.
"""

import os
import subprocess
import venv
from pathlib import Path

import pytest

from ..test_wheel import wheel  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = "datasets,labelstudio,langchain,llamaindex,pandas,polars,presidio,spacy"
OTHERS = ("Faker", "httpx2", "hypothesis", "label-studio-sdk", "langchain")
OTHERS += ("langchain-text-splitters", "pytest", "universal_pathlib>=0.3.8,<0.4")
ELSEWHERE = ("torch", "transformers")  # which a developer has


def _run(*command, timeout, **options):
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=timeout, **options
    )


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.cfg").is_file(), reason="needs a checkout with setup.cfg")
def test_the_integrations_in_a_new_environment(wheel, tmp_path):  # noqa: F811
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q")
    reached = _run(*pip, "--no-deps", "--target", tmp_path / "probe", "sniffio", timeout=120)
    if reached.returncode:
        pytest.skip("no index of packages can be reached")
    made = _run(*pip, f"thunder-deid[{EXTRAS}] @ file://{wheel}", *OTHERS, timeout=900)
    assert made.returncode == 0, made.stderr[-2000:]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    where = _run(python, "-c", "import thunder; print(thunder.__file__)", timeout=60, env=alone,
                 cwd=tmp_path)  # fmt: skip
    assert where.stdout.startswith(str(tmp_path)), where.stderr
    done = _run(
        *(python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"),
        *("-c", ROOT / "setup.cfg", "--rootdir", ROOT, ROOT / "tests" / "integrations"),
        ROOT / "tests/docs/test_docs.py::test_the_python_of_a_page_runs",
        timeout=600, env=alone, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    skipped = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert [line for line in skipped if not any(name in line for name in ELSEWHERE)] == []
