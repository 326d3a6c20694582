"""Invented judgments to score by, and what measures them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from thunder import taxonomy, tokenization
from thunder.scoring.documents import Gold, gold_of
from thunder.settings import resources
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization import HybridTokenizer


@pytest.fixture(scope="session")
def known() -> Taxonomy:
    return taxonomy.load()


@pytest.fixture(scope="session")
def tokenizer() -> HybridTokenizer:
    return tokenization.load(resources.folder("tokenizer") / "32k")


def spans_of(text: str, *mentions: tuple[str, str]) -> tuple[Span, ...]:
    """Return spans of each mention with its label, wherever it stands in the text."""
    found = []
    for mention, label in mentions:
        at = text.find(mention)
        while at >= 0:
            found.append(Span(at, at + len(mention), label))
            at = text.find(mention, at + 1)
    return tuple(sorted(found))


TEXT = "피고인 홍길동은 한빛은행 계좌로 김갑순에게 돈을 보냈다. 홍길동은 서울 사람이다."
MENTIONS = (("홍길동", "내국인이름"), ("한빛", "은행"), ("김갑순", "내국인이름"))


@pytest.fixture
def gold() -> Gold:
    return gold_of("사건 1", "fraud", TEXT, spans_of(TEXT, *MENTIONS))


@pytest.fixture
def find() -> Callable[..., tuple[Span, ...]]:
    return spans_of


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, list[Any]], Path]:
    def written(name: str, rows: list[Any]) -> Path:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path = tmp_path / name
        path.write_text("".join(lines), encoding="utf-8")
        return path

    return written
