"""``thunder doctor`` of an installation: what works, and which extra does the rest."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder import Deidentifier
from thunder.commands import installed
from thunder.commands.cli import app
from thunder.settings import messages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def base(monkeypatch):
    """An installation without extras: only the base's packages are there, and no torch."""
    distribution = importlib.metadata.distribution
    bare = {"thunder-deid", "numpy", "onnxruntime", "tokenizers", "typer", "rich"}

    def found(name):
        if name not in bare:
            raise importlib.metadata.PackageNotFoundError(name)
        return distribution(name)

    monkeypatch.setattr(installed, "distribution", found)
    monkeypatch.setattr(installed, "find_spec", lambda name: None)


def test_a_base_installation_does_its_main_job_and_names_the_extras(base):
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 0
    assert "[ok  ] 비실명 처리: 됩니다. 모델 mini-cc-by-nc-sa-4.0" in done.output
    assert "[none] documents: HWPX" in done.output
    assert "pip install 'thunder-deid[documents]' (Pillow, fonttools, lxml" in done.output
    assert "thunder-deid[train]" in done.output
    assert "transformers is not installed" not in done.output
    assert "torch:" not in done.output


def test_it_is_said_in_english_where_that_is_settled(base, monkeypatch):
    monkeypatch.setenv("THUNDER_LANGUAGE", "en")
    said = CliRunner().invoke(app, ["doctor"]).output
    assert "[ok  ] de-identification: works: tagger mini-cc-by-nc-sa-4.0" in said
    assert "not installed; pip install 'thunder-deid[documents]'" in said


def test_an_installation_that_masks_nothing_ends_with_1(base, monkeypatch):
    class Blind(Deidentifier):
        def deidentify(self, document, known=()):
            return super().deidentify("판결")

    monkeypatch.setattr(installed.thunder, "Deidentifier", Blind)
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "[fail] 비실명 처리: 되지 않습니다" in done.output
    assert "다시 설치하십시오" in done.output


def test_a_tagger_that_is_not_there_ends_with_1(base, monkeypatch):
    monkeypatch.setenv("THUNDER_MODEL", "nowhere")
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "nowhere" in done.output


def test_without_torch_the_command_still_ends_well():
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *r: None if name in ('torch', 'transformers') else find(name)\n"
        "sys.argv = ['thunder', 'doctor']; from thunder.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "비실명 처리" in done.stdout
    assert messages.language() == "ko"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ko", "argon2 패키지가 설치되어 있지 않습니다: pip install 'thunder-deid[desk]'"),
        ("en", "argon2 is not installed: pip install 'thunder-deid[desk]'"),
    ],
)
def test_a_command_whose_extra_is_missing_names_it(language, said):
    code = (
        "import sys; sys.modules['argon2'] = None; sys.argv = ['thunder', 'serve']\n"
        "from thunder.__main__ import main; main()"
    )
    env = os.environ | {"THUNDER_LANGUAGE": language}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT, env=env
    )
    assert (done.returncode, done.stderr.strip()) == (2, said)


def test_a_broken_file_that_ships_is_named_with_its_line_and_no_traceback(tmp_path):
    """Whoever edits the shipped rules in a checkout reads what is wrong, as with own ones."""
    own = tmp_path / "taxonomy"
    shutil.copytree(ROOT / "taxonomy", own)
    rules = own / "patterns" / "told.yaml"
    rules.write_text(rules.read_text("utf-8").replace("score: 0.9", "score: 9", 1), "utf-8")
    code = (
        "import sys; from pathlib import Path; from thunder.settings import resources\n"
        f"ships = resources.folder; there = Path({str(own)!r})\n"
        "resources.folder = lambda name: there if name == 'taxonomy' else ships(name)\n"
        "sys.argv = ['thunder', 'deid', '--model', 'none']\n"
        "from thunder.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="피고인 김도윤은",
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"{re.escape(str(rules))}:\d+: .+\n", done.stderr)
