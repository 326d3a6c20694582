"""The packages of others: none is loaded before it is asked for, and a version has to fit."""

import configparser
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from thunder.integrations import foreign

ROOT = Path(__file__).resolve().parents[2]
MODULES = {
    "pandas": "pandas",
    "polars": "polars",
    "datasets": "datasets",
    "presidio": "presidio-analyzer",
    "langchain": "langchain-core",
    "llamaindex": "llama-index-core",
    "spacy": "spacy",
    "huggingface": "transformers",
    "labelstudio": "starlette",
}
LOADED = {"pandas", "polars", "datasets", "presidio_analyzer", "presidio_anonymizer", "torch"}
LOADED |= {"langchain_core", "llama_index", "spacy", "transformers", "starlette", "faker"}
LOADED |= {"pydantic", "requests", "httpx", "httpx2", "anyio", "aiohttp"}


def test_nothing_of_others_is_loaded_by_the_library():
    code = (
        "import thunder, thunder.integrations, thunder.integrations.foreign, sys\n"
        "thunder.Deidentifier(model='none').deidentify('피고인 김도윤은')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {name.partition(".")[0] for name in done.stdout.split()} & LOADED


def test_every_module_is_here():
    folder = ROOT / "thunder" / "integrations"
    if not folder.is_dir():
        pytest.skip("needs a checkout")
    inner = {"__init__", "columns", "foreign", "passages"}
    assert {path.stem for path in folder.glob("*.py")} - inner == MODULES.keys()


@pytest.mark.parametrize(("module", "package"), MODULES.items())
def test_a_module_says_which_version_was_tested(monkeypatch, module, package):
    monkeypatch.setattr(foreign.metadata, "version", lambda name: "0.0.1")
    monkeypatch.delitem(sys.modules, f"thunder.integrations.{module}", raising=False)
    tested = foreign.PACKAGES[package].tested
    with pytest.raises(ImportError, match=f"{package} 0.0.1 does not fit .{package} {tested} was"):
        importlib.import_module(f"thunder.integrations.{module}")


@pytest.mark.skipif(not (ROOT / "setup.cfg").is_file(), reason="needs a checkout with setup.cfg")
@pytest.mark.parametrize("package", foreign.PACKAGES.values(), ids=lambda package: package.name)
def test_an_extra_installs_what_fits_and_the_page_says_what_was_tested(package):
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = parser["options.extras_require"][package.extra].splitlines()
    [line] = [line for line in lines if line.split(" ")[0] == package.name]
    assert line.startswith(f"{package.name} >= {package.least}")
    assert "<" not in line or line.endswith(f"< {package.below}")
    index = ROOT / "docs" / "how-to" / "integrations" / "index.md"
    assert package.tested in index.read_text("utf-8")


@pytest.mark.parametrize(
    ("there", "fits"),
    [
        ("2.1.0", True),
        ("1.0", True),
        ("1.0.0rc1", True),
        ("0.20.31", False),
        ("3.0.0", False),
        ("10.1", False),
    ],
)
def test_a_version_that_does_not_fit_is_refused(monkeypatch, there, fits):
    monkeypatch.setattr(foreign.metadata, "version", lambda name: there)
    if fits:
        return foreign.require("polars")
    said = f"polars {there} does not fit .polars 2.1.0 was tested.*thunder-deid.polars."
    with pytest.raises(ImportError, match=said):
        foreign.require("polars")


def test_what_is_missing_is_named_with_the_cure(monkeypatch):
    def missing(name):
        raise foreign.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(foreign.metadata, "version", missing)
    with pytest.raises(ImportError, match=r"datasets is not installed .*thunder-deid\[datasets\]"):
        foreign.require("datasets")
