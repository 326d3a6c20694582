"""A wheel that is built of the sdist holds library and data, and works where nothing else is."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "setup.cfg").is_file(), reason="needs a checkout"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    _copy(ROOT, source)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def _copy(root: Path, target: Path) -> None:
    """Copy what ships, so that a stale build folder of the checkout cannot leak in."""
    import shutil

    for name in ("thunder", "taxonomy", "tokenizer", "replacement_lists", "finetune/taggers"):
        shutil.copytree(root / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, target / name)


def test_the_wheel_holds_the_data_and_no_scripts(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in (ROOT / "taxonomy").rglob("*"):
        if path.suffix in {".json", ".tsv", ".yaml"}:
            assert f"thunder/_data/taxonomy/{path.relative_to(ROOT / 'taxonomy')}" in names
    for path in (ROOT / "finetune" / "taggers").glob("*/*"):
        assert f"thunder/_data/{path.relative_to(ROOT)}" in names
    assert not [name for name in names if "thunder/_data/" in name and name.endswith(".py")]
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_the_wheel_works_outside_the_checkout(wheel, tmp_path):
    site = tmp_path / "site"
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "from thunder.masking.deidentify import deidentify\n"
        "import thunder; assert 'site' in thunder.__file__, thunder.__file__\n"
        "from thunder.tagger.chosen_tagger import DEFAULT, choose\n"
        "tagger = choose(DEFAULT).load()\n"
        "print(deidentify('피해자 홍길동은 010-0482-1196으로', tagger=tagger).text)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "피해자 A은 (전화번호 1 생략)으로"
