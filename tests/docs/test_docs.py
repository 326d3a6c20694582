"""README and docs: commands print what is shown, Python runs, what they name is there."""

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.documents.detecting import NAMES, OPENERS

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"

pytestmark = pytest.mark.skipif(not README.is_file(), reason="needs a checkout with README.md")

PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)
HAND_WRITTEN = [README, ROOT / "CONTRIBUTING.md", *PAGES]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _blocks(kind: str, path: Path) -> list[str]:
    """Return what stands in the fenced blocks of *kind* of a page."""
    return re.findall(rf"^```{kind}\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)


def _examples() -> list[tuple[str, str]]:
    """Return (command, output) of every ```console block."""
    blocks = [block for path in HAND_WRITTEN for block in _blocks("console", path)]
    pieces = [piece for block in blocks for piece in re.split(r"^\$ ", block, flags=re.M) if piece]
    return [(command, output) for command, _, output in (p.partition("\n") for p in pieces)]


def test_there_are_examples():
    assert len(_examples()) >= 2


@pytest.mark.parametrize(("command", "output"), _examples())
def test_an_example_prints_what_is_shown(command, output, monkeypatch):
    """Lines of the output must appear in this order; others may stand between them."""
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "thunder"
    done = CliRunner().invoke(app, words[1:])
    assert done.exit_code == 0, done.output
    printed = done.output.splitlines()
    for line in output.splitlines():
        if line.strip() in {"", "..."}:
            continue
        assert line in printed, f"{command!r} did not print {line!r}"
        printed = printed[printed.index(line) + 1 :]


def test_the_readme_shows_lines_of_the_example_before_and_after():
    [before] = re.findall(r"<!-- before -->\n```text\n(.*?)```", README.read_text("utf-8"), re.S)
    judgment = (ROOT / "tests" / "data" / "criminal-judgment.txt").read_text("utf-8").splitlines()
    assert [line for line in before.splitlines() if line not in judgment] == []
    after = next(output for command, output in _examples() if "criminal-judgment" in command)
    assert len(before.splitlines()) == len(after.splitlines()) == 6


def test_both_commands_are_in_the_readme():
    text = README.read_text("utf-8")
    assert "<!-- try -->" in text
    assert "<!-- test -->" in text


@pytest.mark.parametrize(
    "path", [path for path in PAGES if _blocks("pycon", path)], ids=lambda path: path.stem
)
def test_the_python_of_a_page_runs(path):
    """All examples of a page are one session; a page names the packages that it needs."""
    for needed in re.findall(r"^<!-- needs: (\S+) -->$", path.read_text("utf-8"), re.M):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    session = "\n".join(_blocks("pycon", path))
    test = doctest.DocTestParser().get_doctest(session, {}, path.stem, str(path), 0)
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert tried and not failed, "".join(said)


@pytest.mark.parametrize("path", HAND_WRITTEN, ids=_name)
def test_links_between_files_lead_somewhere(path):
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
    links = [link for link in LINK.findall(text) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_test_that_a_page_names_is_one():
    tests = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    named = {
        (path.stem, name)
        for path in PAGES
        for name in re.findall(r"`(test_\w+)`", path.read_text("utf-8"))
    }
    assert named
    assert sorted(name for _, name in named if name not in tests) == []


# --- read from the code ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def from_code() -> ModuleType:
    pytest.importorskip("sphinx", reason="needs pip install '.[docs]'")
    path = ROOT / "docs" / "_extensions" / "from_code.py"
    spec = importlib.util.spec_from_file_location("from_code", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def commands(from_code) -> str:
    return from_code.commands()


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("deid", "--text-column"),
        ("deid", "--names"),
        ("taxonomy tree", "--depth"),
        ("taxonomy add", "--category"),
        ("annotation check", "--folder"),
        ("annotation placeholders", "--output"),
        ("lists sample", "-n"),
        ("tokenizer show", "--tokenizer"),
        ("dataset build", "--replacement"),
        ("dataset invent", "-n"),
        ("corpus show", "--help"),
        ("tagger thresholds", "--recall"),
        ("doctor", "--processes"),
        ("evaluate", "--by-rule"),
    ],
)
def test_the_page_of_commands_has_their_options(command, option, commands):
    own = re.search(rf"^#+ `thunder {command}`\n(.*?)(?=^#+ `|\Z)", commands, re.M | re.S)
    assert own, command
    assert re.search(rf"^\* `[^`]*{option}\b", own[1], re.M), own[1]


def test_the_page_of_documents_has_every_format(from_code):
    rows = from_code.formats().splitlines()[2:]
    assert [row.split(" | ")[1] for row in rows] == [NAMES[format] for format in OPENERS]
    assert all(row.split(" | ")[2].strip(" |") for row in rows)


# --- as pages -------------------------------------------------------------------------------------

LOADED = re.compile(
    r"<(?:script|img|iframe|link(?=[^>]*rel=\"(?:stylesheet|preload|icon|preconnect)))[^>]*"
    r"(?:src|href)=\"(?:https?:)?//[^\"]*\"|url\(['\"]?(?:https?:)?//|@import"
)


@pytest.mark.slow
def test_the_pages_are_built_without_a_warning_and_load_nothing(tmp_path):
    pytest.importorskip("furo", reason="needs pip install '.[docs]'")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, ROOT / "docs", tmp_path / "html", "-d", tmp_path / "trees"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = [p for p in (tmp_path / "html").rglob("*") if p.suffix in {".html", ".css"}]
    assert len(written) > len(PAGES)
    loaded = {hit for path in written for hit in LOADED.findall(path.read_text("utf-8"))}
    assert loaded == set()
    page = (tmp_path / "html" / "reference" / "command.html").read_text("utf-8")
    assert "--text-column" in page
