"""Recall: every invented identifier, however disguised, is found exactly, and nothing else is."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from thunder import identifiers
from thunder.text.korean import fold
from thunder.training_data.mention_makers import identifiers as made_up

from .planting import CARRIERS, disguise, plant

BY_NAME = {recogniser.NAME: recogniser for recogniser in identifiers.RECOGNISERS}


class Document(NamedTuple):
    """Sentences joined by line ends, and what was planted where: start, end, recogniser."""

    text: str
    planted: list[tuple[int, int, str]]


def documents(names: list[str], *, size: int, seed: str) -> Iterator[Document]:
    """Yield documents of up to 250 sentences, *size* of every kind, the kinds in turn."""
    for first in range(0, size * len(names), 250):
        pieces: list[str] = []
        planted: list[tuple[int, int, str]] = []
        length = 0
        for number in range(first, min(first + 250, size * len(names))):
            name = names[number % len(names)]
            rng = Random(f"{seed}/{name}/{number}")
            identifier = disguise(rng, getattr(made_up, name)(rng), name=name)
            sentence = plant(rng, identifier, name=name)
            planted += [
                (length + start, length + end, f"rule:{name}") for start, end in sentence.stretches
            ]
            pieces.append(sentence.text + "\n")
            length += len(pieces[-1])
        yield Document("".join(pieces), planted)


def differences(document: Document) -> list[tuple[str, str, str]]:
    """Return what was missed, hit wrongly or called by another name, with its sentence."""
    found = {(hit.start, hit.end, hit.source) for hit in identifiers.find(fold(document.text))}
    wrong = sorted(found.symmetric_difference(document.planted))
    return [
        (
            "found" if each in found else "planted",
            each[2],
            document.text[max(0, each[0] - 25) : each[1] + 15],
        )
        for each in wrong
    ]


def test_every_recogniser_has_its_sentences() -> None:
    assert set(CARRIERS) >= set(BY_NAME)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_carriers_alone_hold_nothing(name: str) -> None:
    for carrier in CARRIERS[name]:
        assert identifiers.find(fold(carrier.replace("{}", "…"))) == []


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_finds_what_is_planted_and_nothing_else(name: str) -> None:
    for document in documents([name], size=175, seed="fast"):
        assert differences(document) == []


@pytest.mark.slow
def test_finds_ten_thousand_of_every_kind() -> None:
    sentences = 0
    for document in documents(sorted(BY_NAME), size=10_000, seed="slow"):
        assert differences(document) == []
        sentences += document.text.count(".\n")
    assert sentences >= 10_000 * len(BY_NAME)
