"""What an installation costs: seconds, bytes on the disk by package, and what of them a run uses.

    python benchmarks/install.py [--extras documents,parquet] [--wheelhouse FOLDER]

Installs the checkout into a new virtual environment (from the package index, without pip's cache;
or from a folder of wheels), then has the installed package de-identify invented judgments as
``thunder doctor --offline`` does, watched by ``strace``. A file counts as used where the run opened
it: a library of which one function is called counts whole.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

INSIDE = """
import importlib.metadata, json, os, pathlib, sys, tempfile
from thunder.commands import offline
with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(os.path.realpath(name))
    offline._write_inputs(work)
    done = offline._deid(work, in_namespace=False, strace=True)
    assert done.returncode == 0, done.stderr
    read = {os.path.realpath(one) for one in offline._seen(work / "watched", by_calls=True).read}
rows = {}
for one in importlib.metadata.distributions():
    files = {os.path.realpath(one.locate_file(file)) for file in one.files or []}
    sizes = {path: os.path.getsize(path) for path in files if os.path.isfile(path)}
    asked = [line.split(";")[0] for line in one.requires or [] if "extra" not in line]
    used = sum(sizes[path] for path in sizes.keys() & read)
    rows[one.name] = [one.version, sum(sizes.values()), used, asked]
print(json.dumps(rows))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extras", default="")
    parser.add_argument("--wheelhouse", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        began = time.monotonic()
        subprocess.run([sys.executable, "-m", "venv", work / "env"], check=True)
        python = work / "env" / "bin" / "python"
        made = time.monotonic()
        index = ["--no-index", "--find-links", asked.wheelhouse] if asked.wheelhouse else []
        what = f"{ROOT}[{asked.extras}]" if asked.extras else str(ROOT)
        pip = [python, "-m", "pip", "install", "-q", "--no-cache-dir", *index, what]
        subprocess.run([*map(str, pip)], check=True)
        installed = time.monotonic()
        done = subprocess.run(
            [python, "-I", "-c", INSIDE], check=True, capture_output=True, text=True, cwd=work
        )
        rows = json.loads(done.stdout)
        total = sum(path.lstat().st_size for path in (work / "env").rglob("*") if path.is_file())
    print(f"environment {made - began:.1f} s, pip install {installed - made:.1f} s")
    print(f"{total / 1e6:.0f} MB on the disk, of it pip, setuptools and Python's compiled files")
    print(f"{'package':22} {'version':14} {'MB':>7} {'used':>6}  asks for")
    for package, (version, size, used, needs) in sorted(rows.items(), key=lambda row: -row[1][1]):
        share = f"{used / size:.0%}" if size else ""
        print(f"{package:22} {version:14} {size / 1e6:7.2f} {share:>6}  {', '.join(needs)}")


if __name__ == "__main__":
    if not shutil.which("strace"):
        sys.exit("needs strace")
    main()
