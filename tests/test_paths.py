"""What documents and docstrings name is there: paths of the repository, modules of thunder."""

import re
from pathlib import Path

import pytest

import thunder

ROOT = Path(__file__).resolve().parent.parent
TOPS = ["benchmarks", "docs", "finetune", "pretrain", "replacement_lists", "taxonomy", "tests"]
TOPS += ["thunder", "tokenizer"]
QUOTED = re.compile(r"`+([^`\n]+)`+")
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(TOPS)})/[^\s`'\"(),;:]*[\w/>}}]")
MODULE = re.compile(r"(?<![\w./-])thunder(?:\.[A-Za-z]\w*)+(?![\w(])")
PATTERN = re.compile(r"[<*{$…]|NAME|NNNN")  # a reader puts something of his own for it
# Records of what was tried name what is gone.
PASSED = {"CHANGELOG.md", "finetune/LOG.md"}
# Made by a command, or the name of a file.
NOT_HERE = {"docs/_build", "benchmarks/guard-work", "thunder.json", "thunder.toml"}
NOT_HERE |= {"thunder/thunder.toml", "docs/index.html", "thunder.tar", "thunder.tar.sig"}


def _files() -> list[str]:
    below = [path for top in TOPS for path in (ROOT / top).rglob("*")]
    names = [
        path.relative_to(ROOT).as_posix()
        for path in (*ROOT.glob("*.md"), *below)
        if path.suffix in (".md", ".py", ".toml", ".sh")
    ]
    return sorted(
        name for name in names if name not in PASSED and not name.startswith(tuple(NOT_HERE))
    )


def _named(path: Path) -> set[str]:
    """Return the paths and modules that a document or a source names between backticks."""
    text = path.read_text("utf-8")
    if path.suffix in (".md", ".py"):
        text = "\n".join(QUOTED.findall(text))
    found = {*PATH.findall(text), *MODULE.findall(text)}
    return {
        name for name in found if not name.startswith(tuple(NOT_HERE)) and not PATTERN.search(name)
    }


def _is_there(name: str) -> bool:
    if "/" in name:
        return (ROOT / name).exists()
    parts = name.split(".")
    for size in range(len(parts), 1, -1):
        place = ROOT.joinpath(*parts[:size])
        sources = [place.with_suffix(".py"), place / "__init__.py"]
        for source in filter(Path.is_file, sources):  # the rest is a name in it
            rest = parts[size] if size < len(parts) else ""
            return re.search(rf"\b{rest}\b", source.read_text("utf-8")) is not None
    return parts[1] in thunder.__all__


@pytest.mark.parametrize("name", _files())
def test_what_is_named_is_there(name):
    assert [one for one in sorted(_named(ROOT / name)) if not _is_there(one)] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("see `thunder/masking/lettering.py`", {"thunder/masking/lettering.py"}),
        ("``thunder.text.spans.Span`` has", {"thunder.text.spans.Span"}),
        ("`taxonomy/cues/`, `tests/names/test_<kind>.py`, `thunder/no/*.py`", {"taxonomy/cues/"}),
        ("`tokenizer/32k/thunder.json`", {"tokenizer/32k/thunder.json"}),
        ("`thunder deid`, `thunder.deidentify(text)`", set()),
    ],
)
def test_what_counts_as_named(tmp_path, text, named):
    (tmp_path / "a.md").write_text(text, "utf-8")
    assert _named(tmp_path / "a.md") == named


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("taxonomy/cues/", True),
        ("taxonomy/clues/", False),
        ("thunder.text.spans.Span", True),
        ("thunder.text.spans.Spam", False),
        ("thunder.text.gone", False),
        ("thunder.Deidentifier", True),
    ],
)
def test_what_is_there(name, there):
    assert _is_there(name) is there
