"""The sources of corpora that ship: they load, say their licences, and hold tokens enough."""

import re
import tomllib
from pathlib import Path

import pytest

from thunder.settings.config import load
from thunder.training.pretraining.settings import Pretraining
from thunder.training_data.corpus import CorpusSettings

ROOT = Path(__file__).resolve().parents[3]
CORPORA = sorted((ROOT / "pretrain" / "corpora").glob("*.toml"))
PAGE = ROOT / "docs" / "how-to" / "corpora.md"

pytestmark = pytest.mark.skipif(not CORPORA, reason="needs a checkout")


@pytest.mark.parametrize("path", CORPORA, ids=lambda path: path.stem)
def test_every_source_is_named_and_has_its_licence(path, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("THUNDER_DATA", raising=False)
    settings = load(path, CorpusSettings)
    lines = [one for one in path.read_text("utf-8").splitlines() if one.startswith("path = ")]
    for source, line in zip(settings.source, lines, strict=True):
        assert line.startswith('path = "data:')
        assert source.path.parts[0] == "data"
        assert re.search(r"# .*(CC BY|ODC-By|public domain)", line), source.name
        assert f"`{source.path.as_posix()}`" in PAGE.read_text("utf-8"), source.name


@pytest.mark.parametrize("name", ["370m", "800m", "1.5b"])
def test_each_size_has_its_corpus_mixed_as_its_run_reads_it(name):
    run = load(ROOT / "pretrain" / "configs" / f"{name}.toml", Pretraining)
    sources = load(ROOT / "pretrain" / "corpora" / f"{name}.toml", CorpusSettings)
    assert dict(sources.mix) == pytest.approx(dict(run.corpus.weights or {}))


@pytest.mark.parametrize(("name", "korean", "english"), [
    ("370m", 4.66, 3.84), ("800m", 4.66, 3.84), ("1.5b", 5.14, 4.64),
])  # fmt: skip
def test_the_gigabytes_that_a_file_states_follow_from_its_bytes_a_token(name, korean, english):
    path = ROOT / "pretrain" / "corpora" / f"{name}.toml"
    head = " ".join(
        line.lstrip("# ") for line in path.read_text("utf-8").split("\n\n")[0].split("\n")
    )
    tokens = load(ROOT / "pretrain" / "configs" / f"{name}.toml", Pretraining).phases[0].tokens
    mix = tomllib.loads(path.read_text("utf-8"))["mix"]
    assert f"a Korean token is {korean} bytes, an English one {english}" in head
    for language, rate in (("ko", korean), ("en", english)):
        assert f"{round((tokens or 0) * mix[language] * rate / 1e9)} GB" in head, language
