"""The unit and the container file of a court's server: what they call is there, linters agree."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

FOLDER = Path(__file__).parents[2] / "docs/how-to/desk-server"
FILES = ["thunder-desk.service", "Containerfile"]


@pytest.mark.parametrize("name", FILES)
def test_each_option_that_they_give_is_one(name):
    help = CliRunner().invoke(app, ["desk", "--help"], env={"COLUMNS": "200"}).output
    text = (FOLDER / name).read_text("utf-8")
    called = re.findall(r'thunder desk .*|ENTRYPOINT.*|CMD \["--.*', text)
    given = {one for line in called for one in re.findall(r"--[a-z-]+", line)}
    assert len(given) > 1
    assert {one for one in given if one not in help} == set()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze (systemd)")
def test_systemd_reads_the_unit():
    done = subprocess.run(
        ["systemd-analyze", "verify", FOLDER / "thunder-desk.service"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert said == []


def test_the_container_runs_as_nobody_special_and_fetches_nothing():
    text = (FOLDER / "Containerfile").read_text("utf-8")
    assert re.search(r"^USER [1-9]", text, re.M)
    assert "--no-index" in text
    assert not re.search(r"^ADD |curl|wget|latest", text, re.M)


def test_the_proxy_hands_no_browsers_sign_on_through():
    text = (FOLDER / "nginx.conf").read_text("utf-8")
    for name in ("X-Remote-User", "X-Remote-Groups", "X-Thunder-Proxy-Secret"):
        assert f'proxy_set_header {name} "";' in text
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in text
