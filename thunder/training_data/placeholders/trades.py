"""The trade of a firm as its sentence names it: 주점인 A, 'A'라는 상호로 봉제업을 하는."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import words_of
from thunder.training_data.placeholders.nouns import (
    generic_nouns,
    is_trade,
    says_kind,
)
from thunder.training_data.placeholders.record import Vote, without

_NAMED, _DOES = 8.0, 6.0


def named_before(left: str, *, company: bool = False) -> Iterator[Vote]:
    """Yield the trade that the words before a placeholder name: 비철금속 가공업을 하는 A.

    *company* says that the legal form stands behind the placeholder.
    """
    bare = without(left, "form-at-the-end")
    # Who names a firm by its form after saying what it does mostly has a company in mind.
    company = company or bare != left
    told = ("firm-of-a-trade",) if company else ("trade-done", "firm-of-a-trade", "goods-made")
    for name in told:
        match = sign(name).match(bare, len(bare))
        label = _label_in(match["W"]) if match else ""
        if label:
            yield Vote(label, _DOES if name == "goods-made" else _NAMED)
            return


def named_after(right: str) -> Iterator[Vote]:
    """Yield the trade that is run under the placeholder's name: 'A'라는 상호로 치킨집을."""
    for name in ("called-at-a-trade", "trade-of-its-own"):
        match = sign(name).match(right, 0)
        label = _label_in(match["W"]) if match else ""
        if label:
            yield Vote(label, _NAMED)
            return


def _label_in(clause: str) -> str:
    """Return the label of the last word of *clause* that names a trade, "" where none does."""
    joined = "".join(clause.split())
    if label := label_of_trade(joined):
        return label
    for word in reversed(re.split(r"[ ,ㆍ·]+", clause)):
        label = label_of_trade(without(word, "particle-behind-a-trade"))
        if label:
            return label
    return ""


@lru_cache(maxsize=1 << 12)
def label_of_trade(what: str) -> str:
    """Return the label of the firms that do *what* (비철금속가공), "" where none is named so."""
    for stem in (what, what.removesuffix("업"), without(what, "doing-of-a-trade")):
        for start in range(max(0, len(stem) - 12), len(stem) - 1):
            for ending in ("", *words_of("ending-of-a-trade")):
                noun = stem[start:] + ending
                label = generic_nouns().get(noun)
                if not (label and says_kind(noun) and is_trade(label)):
                    continue
                if noun not in words_of("scene-of-anything"):
                    return label
    return ""


_NEAR = 50


def builds(text: str, start: int, end: int) -> int:
    """Return how often the words around a firm speak of building works."""
    return len(list(sign("spoken-of-building").all(text, max(0, start - _NEAR), end + _NEAR)))
