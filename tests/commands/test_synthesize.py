"""``thunder synthesize``: what it says, and how it ends."""

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

RUN = """
output = "{output}"
[texts]
domains = ["{domain}"]
labels = ["은행"]
wanted = 1
number = 2
"""


@pytest.fixture
def said(tmp_path):
    def run(*options, domain="판결", more=""):
        file = tmp_path / "run.toml"
        file.write_text(RUN.format(output=tmp_path / "made", domain=domain) + more, "utf-8")
        return CliRunner().invoke(app, ["synthesize", str(file), *options])

    return run


def test_judgments_are_made_without_a_model(said, tmp_path):
    done = said("--offline", "--set", "texts.number=3")
    assert done.exit_code == 0, done.output
    assert "판결: 글 3편" in done.output
    assert len((tmp_path / "made" / "texts.jsonl").read_text("utf-8").splitlines()) == 3


@pytest.mark.parametrize(
    ("options", "domain", "more", "status", "message"),
    [
        ((), "판결", "", 2, "no [server] to ask"),
        (("--set", "texts.nummer=3"), "판결", "", 2, "모르는 키 'nummer'"),
        ((), "판결", '[server]\nurl = "http://127.0.0.1:9/v1"\nattempts = 1\n', 1, "127.0.0.1:9"),
    ],
)
def test_it_says_what_is_wrong(said, options, domain, more, status, message):
    done = said(*options, domain=domain, more=more)
    assert (done.exit_code, message in done.output) == (status, True), done.output
