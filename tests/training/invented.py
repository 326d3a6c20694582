"""A small invented corpus, prepared as a real one: what the tests of pre-training read."""

import json
import random
from pathlib import Path

from thunder.settings import config
from thunder.training.pretraining.samples import tokenizer_folder
from thunder.training_data.corpus import CorpusSettings, prepare

_WHO = ["피고인", "피해자", "원고", "피고", "증인", "검사", "변호인", "법원"]
_WHERE = ["가람시", "나래구", "다온로", "라온동", "마루읍"]
_WHAT = ["건물", "차량", "예금", "토지", "물품 대금", "보증금", "공사 대금", "임대료"]
_DID = ["반환하지 아니하였다", "지급하기로 약정하였다", "편취하였다", "인도받았다", "훼손하였다"]
_ENGLISH = ["The court", "A witness", "The plaintiff", "The defendant", "Counsel"]
_VERBS = ["returned", "sold", "inspected", "claimed", "described"]
_THINGS = ["the building", "a car", "the deposit", "some land", "the contract"]


def _korean(chance: random.Random) -> str:
    return (
        f"{chance.choice(_WHO)}은 {chance.randint(2001, 2024)}. {chance.randint(1, 12)}. "
        f"{chance.randint(1, 28)}. {chance.choice(_WHERE)}에서 {chance.choice(_WHO)}에게 "
        f"{chance.choice(_WHAT)} {chance.randint(1, 99)}만 원을 {chance.choice(_DID)}."
    )


def _english(chance: random.Random) -> str:
    day = f"{chance.randint(1, 28)} May {chance.randint(2001, 2024)}"
    return (
        f"{chance.choice(_ENGLISH)} {chance.choice(_VERBS)} {chance.choice(_THINGS)} on {day} "
        f"in the presence of {chance.randint(2, 99)} others."
    )


def corpus(folder: Path, *, documents: int = 120, seed: int = 1) -> Path:
    """Return the folder of a prepared corpus of invented Korean and English documents."""
    chance = random.Random(seed)
    sources = []
    for name, language, sentence in (("ko-cases", "ko", _korean), ("en-cases", "en", _english)):
        path = folder / f"{name}.jsonl"
        lines = [" ".join(sentence(chance) for _ in range(5)) for _ in range(documents)]
        path.write_text("".join(json.dumps({"text": line}) + "\n" for line in lines))
        sources.append({"name": name, "path": str(path), "language": language})
    table = {
        "source": sources,
        "duplicates": {"threshold": 1.0},
        "held_out": {"share": 0.1},
        "lengths": [64, 128],
    }
    settings = config.from_table(table, CorpusSettings, origin="invented")
    prepare(settings, tokenizer=tokenizer_folder("32k"), out=folder / "corpus")
    return folder / "corpus"
