"""A small invented corpus, and what prepares it."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from thunder.settings.resources import folder
from thunder.training_data.corpus import CorpusSettings, Manifest, PackedRows, Source, prepare
from thunder.training_data.corpus.settings import Cleaning, HeldOut

TOKENIZER = folder("tokenizer") / "32k"
_WHO = ["원고", "피고", "피고인", "피해자", "증인", "소외인", "신청인", "채권자", "법원", "재판부"]
_WHERE = ["법정에서", "주점에서", "사무실에서", "도로에서", "공장에서", "시장에서", "은행에서"]
_WHAT = ["진술하였다", "다투었다", "넘어졌다", "돌아갔다", "인정하였다", "매수하였다", "거절하였다"]
_WHEN = ["그날", "이튿날", "저녁에", "2021년", "2019년", "3월", "무렵", "새벽에", "당시", "이후"]


def invented(number: int, *, sentences: int = 20) -> str:
    """Return a text of its own for each number."""
    chance = random.Random(number)
    found = []
    for _ in range(sentences):
        words = [chance.choice(words) for words in (_WHEN, _WHO, _WHERE, _WHAT)]
        found.append(f"{words[0]} {chance.randrange(10_000)}호 사건의 {' '.join(words[1:])}.")
    return " ".join(found)


def english(number: int, *, sentences: int = 12) -> str:
    chance = random.Random(number)
    places = ["harbour", "station", "market", "office", "bridge", "school", "garden", "theatre"]
    return " ".join(
        f"The court heard witness {chance.randrange(10_000)} near the {chance.choice(places)}."
        for _ in range(sentences)
    )


def write_jsonl(path: Path, texts: list[str], field: str = "text") -> Path:
    lines = (json.dumps({"id": at, field: one}, ensure_ascii=False) for at, one in enumerate(texts))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def text() -> Callable[..., str]:
    return invented


@pytest.fixture
def jsonl() -> Callable[..., Path]:
    return write_jsonl


@pytest.fixture
def tokenizer_folder() -> Path:
    return TOKENIZER


def _settings(root: Path) -> CorpusSettings:
    korean = [invented(at, sentences=1 + at % 60) for at in range(150)]
    write_jsonl(root / "ko.jsonl", [*korean, korean[7], "짧다."])
    (root / "en").mkdir()
    for at in range(40):
        (root / "en" / f"{at:02}.txt").write_text(english(at), encoding="utf-8")
    return CorpusSettings(
        source=(
            Source("judgments", root / "ko.jsonl", "ko"),
            Source("english", root / "en", "en"),
        ),
        cleaning=Cleaning(shortest=20),
        held_out=HeldOut(share=0.1),
        lengths=(64,),
        piece_mb=0.05,
    )


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> CorpusSettings:
    return _settings(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def _prepared(
    settings: CorpusSettings, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Manifest]:
    out = tmp_path_factory.mktemp("corpus") / "out"
    return out, prepare(settings, tokenizer=TOKENIZER, out=out)


@pytest.fixture
def corpus(_prepared: tuple[Path, Manifest]) -> Path:
    """The folder of the prepared corpus: not to be written to."""
    return _prepared[0]


@pytest.fixture
def manifest(_prepared: tuple[Path, Manifest]) -> Manifest:
    return _prepared[1]


@pytest.fixture
def rows(corpus: Path) -> PackedRows:
    return PackedRows.open(corpus, length=64, seed=1)
