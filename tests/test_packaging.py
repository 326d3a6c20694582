"""What ships is what is there: every data folder is mapped, every data file matched."""

import configparser
import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ["finetune/taggers", "replacement_lists", "taxonomy", "tokenizer"]

pytestmark = pytest.mark.skipif(
    not (ROOT / "setup.cfg").is_file(), reason="needs a checkout with setup.cfg"
)


def _setup() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def _lines(value: str) -> list[str]:
    return [line.strip() for line in value.splitlines() if line.strip()]


def _package(name: str) -> str:
    return f"thunder._data.{name.replace('/', '.')}"


def test_every_python_package_is_listed():
    listed = set(_lines(_setup()["options"]["packages"]))
    present = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "thunder").rglob("__init__.py")
    }
    assert listed == present | {_package(name) for name in SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_data_file_is_matched_by_package_data(name):
    patterns = _lines(_setup()["options.package_data"][_package(name)])
    for path in (ROOT / name).rglob("*"):
        inside = path.relative_to(ROOT / name)
        if path.is_dir() or path.suffix in {".md", ".png", ".py"} or "scripts" in inside.parts:
            continue
        flat = [p for p in patterns if "/" not in p]
        assert (
            any(fnmatch.fnmatch(inside.name, p.removeprefix("**/")) for p in patterns)
            if len(inside.parts) > 1
            else any(fnmatch.fnmatch(inside.name, p) for p in flat)
        ), f"{path} would not be in the wheel"
