"""Invented annotated judgments, and datasets made of them."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from thunder.settings import resources
from thunder.training_data.datasets import building
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe

_SCENES = {
    "fraud": "피고인 {A:내국인이름}은 {day} 피해자 {B:내국인이름}에게 거짓말하여 {C:은행}은행 "
    "계좌로 {number}만 원을 송금받았다.",
    "injury": "피고인은 {day} {D:구아래주소}에 있는 {E:식당} 식당에서 피해자 {F:내국인이름}의 팔을 "
    "{number}회 잡아당겼다.",
    "eviction": "원고 {G:내국인이름}은 {day} 피고 {H:주식회사} 주식회사에 점포를 월 차임 "
    "{number}만 원에 빌려주었다. 위 {G:내국인이름}은 인도를 구한다.",
}
_PLACEHOLDER = re.compile("{([A-Z]):([^}]*)}")
_WORDS = ("봄비", "여름밤", "가을바람", "겨울눈", "새벽길", "저녁놀", "아침해", "한낮볕", "달무리")


def judgment(number: int) -> dict[str, str]:
    """Return an invented judgment; no two are near-duplicates."""
    case_type = list(_SCENES)[number % len(_SCENES)]
    scene = _PLACEHOLDER.sub(r"<<<\2>>>\1<<</\2>>>", _SCENES[case_type])
    digest = hashlib.sha256(str(number).encode()).digest()
    asides = " ".join(_WORDS[byte % len(_WORDS)] for byte in digest[:24])
    day = f"2023. {number % 12 + 1}. {number % 27 + 1}.경"
    text = scene.format(day=day, number=10 + number)
    return {"id": f"doc-{number:04}", "case_type": case_type, "text": f"{text}\n{asides}"}


def write_jsonl(path: Path, records: list[dict[str, str]]) -> Path:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def digests(folder: Path) -> dict[str, str]:
    """Return the hash of every file under a folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.fixture(autouse=True, scope="session")
def no_waiting_for_disks() -> Iterator[None]:
    """Let no test wait until a disk has written: that takes longer than all else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def recipe() -> Recipe:
    return Recipe(resources.folder("tokenizer") / "32k")


@pytest.fixture(scope="session")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    return write_jsonl(folder / "invented.jsonl", [judgment(n) for n in range(40)])


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have so few judgments a shard that a small dataset has many shards."""
    monkeypatch.setattr(building, "_ROWS", 4)


@pytest.fixture(scope="session")
def built(annotated: Path, recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of 40 judgments with two epochs, for tests that only read it."""
    folder = tmp_path_factory.mktemp("built") / "dataset"
    building.build([annotated], folder, recipe, Options(epochs=2))
    return folder
