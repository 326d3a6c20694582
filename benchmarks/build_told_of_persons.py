"""Make taxonomy/cues/told_of_persons.tsv: what judgments say of persons, and not of things.

    python benchmarks/build_told_of_persons.py data/judgments told_of_persons.tsv

In public judgments persons are numbers or letters behind a role (피고인 1은, 소외 2에게): what
stands around them is counted against what stands around common nouns, and weighed by a logistic
regression. Of the judgments one in ten is kept apart: printed is how many persons and how many
common nouns of those reach each sum of weights.
"""

import argparse
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import _environment  # noqa: F401
import numpy as np

from thunder.names.given_names import given_likeness
from thunder.names.person_lexicon import commonness, word_class
from thunder.names.person_tails import tails, titles
from thunder.names.told import BASE, begin_of, keys
from thunder.taxonomy.lexicon import classes_of

Example = tuple[bool, Sequence[str]]

_NO_THINGS = (
    *("party", "kin", "office", "official", "counsel", "relation", "human", "spoken-of"),
    *("not-a-name", "column", "friend", "signer", "body-behind-a-role"),
)
_LEAST_COMMON = 4
_LIKELY_GIVEN = -5.0
_SHARE_OF_THINGS = 0.15
_LEAST_SEEN = 25
_LEAST_WEIGHT = 0.25
_STEPS, _BATCH, _RATE, _DECAY = 4, 512, 0.2, 2e-6
_HEADING = """\
# 판결문이 사람을 두고 하는 말: 이름이 낱말이기도 할 때 그 자리가 사람을 가리키는지 가른다.
# What stands around a person in public judgments, whose persons are numbers (피고인 1은 갚지
# 않았다), against what stands around common nouns: weights of a logistic regression, above 0 for a
# person. base; form: the particle; before: the last sign of the word before (. also for none, 0 a
# digit); next: the word right behind, by its first two syllables; then: one of the eight words
# behind in the sentence. Counted by benchmarks/build_told_of_persons.py.
# place	weight	stems
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("judgments", type=Path, help="folder of .jsonl.xz with text")
    parser.add_argument("target", type=Path)
    parser.add_argument("--every", type=int, default=3, help="one judgment in so many is read")
    options = parser.parse_args()
    texts = texts_of(options.judgments, options.every)
    learned: list[Example] = []
    apart: list[Example] = []
    for number, text in enumerate(texts):
        (apart if number % 10 == 0 else learned).extend(examples(text, random.Random(number)))
    seen = Counter(key for _, found in learned for key in found)
    names = [BASE, *sorted(key for key, count in seen.items() if count >= _LEAST_SEEN)]
    weights = fitted(learned, {name: at for at, name in enumerate(names)})
    kept = {
        name: rounded
        for name, weight in zip(names, weights, strict=True)
        if ((rounded := round(weight * 4) / 4) and abs(rounded) >= _LEAST_WEIGHT) or name == BASE
    }
    options.target.write_text("".join([_HEADING, *rows(kept)]), encoding="utf-8", newline="\n")
    print(f"{len(learned):,} examples, {len(kept):,} weights of {len(names):,}")
    report(apart, kept)


def texts_of(judgments: Path, every: int) -> Iterator[str]:
    """Yield the text of one judgment in *every*."""
    for path in sorted(judgments.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file):
                if number % every == 0:
                    yield json.loads(line)["text"]


@lru_cache(maxsize=1)
def _of_persons() -> re.Pattern[str]:
    roles = sorted(map(re.escape, classes_of(None)["party"]), key=len, reverse=True)
    return re.compile(
        rf"(?<![가-힣A-Za-z0-9])({'|'.join(roles)}) ([0-9]{{1,2}}|[A-Z]{{1,2}})(?![A-Za-z0-9])"
    )


_WORD = re.compile(r"(?<![가-힣A-Za-z0-9])[가-힣]{2,7}(?![가-힣A-Za-z0-9])")


def examples(text: str, chance: random.Random) -> Iterator[Example]:
    """Yield what stands around each person of *text*, and around some of its common nouns."""
    for match in _of_persons().finditer(text):
        yield True, sorted(set(keys(text, match.start(), match.start(2), match.end())))
    for match in _WORD.finditer(text):
        if chance.random() < _SHARE_OF_THINGS and (length := thing(match[0])):
            start, end = match.start(), match.start() + length
            yield False, sorted(set(keys(text, begin_of(text, start), start, end)))


@lru_cache(maxsize=1 << 18)
def thing(run: str) -> int:
    """Return how long the common noun is that *run* begins with, before a particle; 0: none."""
    no_things = _no_things()
    for length in (3, 2):
        word, tail = run[:length], run[length:]
        if len(word) == length and tail in tails() and word not in no_things:
            common = commonness(word, tailed=bool(tail)) >= _LEAST_COMMON
            if common and word_class(word) == "noun" and given_likeness(word) < _LIKELY_GIVEN:
                return length
    return 0


@lru_cache(maxsize=1)
def _no_things() -> frozenset[str]:
    return frozenset(
        chain(chain.from_iterable(classes_of(None)[name] for name in _NO_THINGS), titles())
    )


def fitted(learned: Sequence[Example], number_of: dict[str, int]) -> list[float]:
    """Return the weight of each key of *number_of*, persons and things weighing the same."""
    random.Random(1).shuffle(learned := list(learned))
    persons = sum(is_person for is_person, _ in learned)
    share = {True: 0.5 / persons, False: 0.5 / (len(learned) - persons)}
    weights, squares = np.zeros(len(number_of)), np.full(len(number_of), 1e-6)
    rows = [
        np.array([0, *(number_of[key] for key in found if key in number_of)])
        for _, found in learned
    ]
    for _ in range(_STEPS):
        for first in range(0, len(learned), _BATCH):
            batch = range(first, min(first + _BATCH, len(learned)))
            slope = weights * _DECAY * len(batch)
            for at in batch:
                is_person = learned[at][0]
                chance = 1 / (1 + np.exp(-weights[rows[at]].sum()))
                slope[rows[at]] += (chance - is_person) * share[is_person] * len(learned)
            squares += slope**2
            weights -= _RATE * slope / np.sqrt(squares)
    return [float(weight) for weight in weights]


def rows(kept: dict[str, float]) -> Iterator[str]:
    """Yield a line for each place and weight, with the stems that have it."""
    stems: dict[tuple[str, float], list[str]] = defaultdict(list)
    for name, weight in kept.items():
        place, _, stem = name.rpartition(" ")
        stems[place, weight].append(stem)
    for (place, weight), found in sorted(stems.items()):
        yield f"{place}\t{weight:g}\t{' '.join(sorted(found))}\n"


def report(apart: Sequence[Example], kept: dict[str, float]) -> None:
    """Print how many persons and how many common nouns reach each sum of weights."""
    sums: dict[bool, list[float]] = {True: [], False: []}
    for is_person, found in apart:
        sums[is_person].append(kept[BASE] + sum(kept.get(key, 0.0) for key in found))
    for least in range(-2, 7):
        shares = [sum(one >= least for one in some) / len(some) for some in sums.values()]
        print(f"{least:>3}: {shares[0]:6.1%} of persons, {shares[1]:6.1%} of common nouns")


if __name__ == "__main__":
    main()
