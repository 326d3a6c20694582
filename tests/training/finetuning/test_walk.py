"""The walk from an archive to the paper's tables, small: every step is its own command. Slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
WALK = ROOT / "finetune" / "walk.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not WALK.is_file(), reason="needs a checkout"),
]


def test_from_an_archive_to_the_papers_tables(tmp_path):
    pytest.importorskip("deepspeed", reason="needs pip install '.[cluster]'")
    command = [sys.executable, WALK, tmp_path, "--small"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=os.environ)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "weights, 2 processes" in done.stdout and "engine.kind=deepspeed" in done.stdout
    cells = [path.parent.name for path in (tmp_path / "runs").glob("*/done")]
    assert len(cells) == 12
    for way, tables in (("single", ("2a", "H.1", "H.3")), ("per-epoch", ("2a", "H.2", "H.4"))):
        text = (tmp_path / "tables" / f"{way}.md").read_text("utf-8")
        assert [one for one in tables if f"(Table {one}, {way} replacement)" not in text] == []
        for system in ("ours", "polyglot-ko", "exaone-3.5"):
            assert f"| {system} |" in text
        assert "| 1.5B* |" in text  # the paper's own column
    again = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ)
    assert again.returncode == 0 and again.stdout.count("done before") == 11
    assert (tmp_path / "walk.log").read_text("utf-8").count("== grid-tables") == 2
