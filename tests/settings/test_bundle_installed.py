"""A bundle, from the package index to a machine without a network: installed, run and tested there.

"Without a network" is a network namespace of its own, in which there is no device but ``lo``.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from thunder.settings import bundle

ROOT = Path(__file__).resolve().parents[2]
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
ROOMS = ("identifiers", "masking", "mentions", "text")
"""Whose tests are run there: what finds and masks."""
OTHERS = {"test_check_digits.py": "asks python-stdnum"}

CUT = ["unshare", "--map-root-user", "--net"]


def _can_cut() -> bool:
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    return subprocess.run([*CUT, "true"], capture_output=True).returncode == 0


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "setup.cfg").is_file(), reason="needs a checkout"),
    pytest.mark.skipif(not _can_cut(), reason="no network namespace is allowed here"),
    pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="needs ssh-keygen"),
]


def without_a_network(*command: object, cwd: Path, limit: int = 120) -> str:
    """Return what a command prints that has no network and a fresh account."""
    done = subprocess.run(
        [*CUT, *map(str, command)],
        env={"PATH": os.environ["PATH"], "HOME": str(cwd)},
        cwd=cwd, capture_output=True, text=True, timeout=limit,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """Return a folder in which a bundle of the base was unpacked and installed, as ``env``."""
    place = tmp_path_factory.mktemp("court")
    key = place / "maker"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    out = place / "bundle.tar"
    machine = next(one for one, its in bundle.MACHINES.items() if its == os.uname().machine)
    made = bundle.make(out, platform=machine, python=HERE, key=key)
    names = {wheel.name for wheel in made.wheels}
    assert not names & {"torch", "transformers", "huggingface-hub", "pyarrow"}
    with tarfile.open(out) as archive:
        archive.extractall(place, filter="data")
    root = place / "thunder-deid-bundle"
    assert (root / "docs" / "how-to" / "air-gapped.html").is_file()
    words = ["--key", f"{key}.pub", "--python", sys.executable, "env"]
    said = without_a_network("sh", root / "install.sh", *words, cwd=place)
    assert said.splitlines()[-1] == f"설치했습니다: {place / 'env'}"
    return place


def test_the_readmes_main_job_runs(place):
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.search(r"^\$ thunder deid tests/data/(\S+)\n(.*?)^```$", readme, re.M | re.S)
    assert shown
    text = ROOT / "tests" / "data" / shown[1]
    said = without_a_network(place / "env" / "bin" / "thunder", "deid", text, cwd=place)
    lines = shown[2].splitlines()
    assert len(lines) == 6
    assert [line for line in lines if line not in said.splitlines()] == []


def test_doctor_proves_it(place):
    said = without_a_network(place / "env" / "bin" / "thunder", "doctor", "--offline", cwd=place)
    assert said.count("[ok  ]") == 4, said
    assert str(ROOT) not in said  # the package that is installed, and no checkout


def test_the_tests_of_the_installed_package_pass(place):
    house = place / "house"
    fetch = [sys.executable, "-m", "pip", "download", "-q", "-d", house, "pytest", "hypothesis"]
    subprocess.run(fetch, check=True, capture_output=True, timeout=300)
    python = place / "env" / "bin" / "python"
    index = ["--isolated", "--no-index", "--find-links", house]
    without_a_network(python, "-m", "pip", "install", *index, "pytest", "hypothesis", cwd=place)
    proof = place / "proof"
    shutil.copytree(ROOT / "tests" / "data", proof / "tests" / "data")
    for path in (ROOT / "tests").glob("*.py"):
        shutil.copy(path, proof / "tests")
    for room in ROOMS:
        left = shutil.ignore_patterns("__pycache__", *OTHERS)
        shutil.copytree(ROOT / "tests" / room, proof / "tests" / room, ignore=left)
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "-m", "not slow"]
    (proof / "pytest.ini").write_text("[pytest]\nmarkers = slow: takes long\n")
    rooms = [f"tests/{room}" for room in ROOMS]
    said = without_a_network(python, "-m", "pytest", *options, *rooms, cwd=proof, limit=400)
    passed = re.search(r"(\d+) passed", said)
    assert passed and int(passed[1]) > 1000, said[-2000:]
