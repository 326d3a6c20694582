"""How varied a corpus is: distinct n-grams, divergence, Self-BLEU, repeated passages.

The measures are those of Ekuni et al. (LLM による合成データ生成を用いた個人情報分類の高精度化,
section 4.1), on words between spaces (어절), and the share of documents that one passage of
eight words is found in. All grow or fall with the size of a corpus: compare corpora of one size.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from thunder.training_data import messages as say

PASSAGE = 8
"""Words of a passage."""
OFTEN = 0.05
"""The share of documents beyond which a passage is repeated too often."""
_BLEU_ORDER = 4
_FORMULAS = Path(__file__).resolve().parent / "invented_judgments" / "formulas.txt"


class Repeated(NamedTuple):
    """A passage and the share of the corpus's documents that it is found in."""

    passage: str
    share: float


class Diversity(NamedTuple):
    """The measures of one corpus; shares and divergence lie between 0 and 1.

    ``divergence`` (bits) is None without a reference. ``repeated`` are the passages found in more
    than OFTEN of the documents, the most frequent first, and ``most_repeated`` is the greatest
    share of any passage.
    """

    documents: int
    words: int
    distinct_words: float
    distinct_bigrams: float
    distinct_trigrams: float
    self_bleu: float
    divergence: float | None
    most_repeated: float
    repeated: tuple[Repeated, ...]


def measure(
    texts: Sequence[str], *, reference: Sequence[str] = (), formulas: Iterable[str] = ()
) -> Diversity:
    """Return the measures of *texts*; the *formulas* of law count for no repeated passage.

    ValueError for a corpus of fewer than two documents with words.
    """
    documents = [words for words in map(str.split, texts) if words]
    if len(documents) < 2:
        raise ValueError(say.TWO_DOCUMENTS())
    others = [text.split() for text in reference]
    shares = passage_shares(texts, formulas=formulas)
    often = [Repeated(passage, share) for passage, share in shares.items() if share > OFTEN]
    return Diversity(
        documents=len(documents),
        words=sum(map(len, documents)),
        distinct_words=distinct(documents, n=1),
        distinct_bigrams=distinct(documents, n=2),
        distinct_trigrams=distinct(documents, n=3),
        self_bleu=self_bleu(documents),
        divergence=divergence(documents, others) if others else None,
        most_repeated=max(shares.values(), default=0.0),
        repeated=tuple(sorted(often, key=lambda one: (-one.share, one.passage))),
    )


def distinct(documents: Iterable[Sequence[str]], *, n: int) -> float:
    """Return the share of different n-grams among all of the corpus; 0 where there are none."""
    counts = Counter(gram for words in documents for gram in ngrams(words, n))
    return len(counts) / counts.total() if counts else 0.0


def divergence(one: Iterable[Sequence[str]], other: Iterable[Sequence[str]]) -> float:
    """Return the Jensen-Shannon divergence of two corpora's words, in bits: 0 same, 1 disjoint.

    ValueError where a corpus has no words.
    """
    first, second = _frequencies(one), _frequencies(other)
    total = 0.0
    for word in first.keys() | second.keys():
        p, q = first.get(word, 0.0), second.get(word, 0.0)
        middle = (p + q) / 2
        total += sum(x * math.log2(x / middle) for x in (p, q) if x) / 2
    return min(1.0, max(0.0, total))


def _frequencies(documents: Iterable[Sequence[str]]) -> Mapping[str, float]:
    counts = Counter(word for words in documents for word in words)
    if not counts:
        raise ValueError(say.NO_WORDS())
    total = counts.total()
    return {word: count / total for word, count in counts.items()}


def self_bleu(documents: Sequence[Sequence[str]]) -> float:
    """Return the mean BLEU-4 of each document against all others: high where they repeat.

    Counts are clipped by the other documents' greatest, beyond single words one is added to both
    sides (Lin and Och 2004), and a document shorter than the nearest other pays for it.
    """
    best = [_greatest(documents, n) for n in range(1, _BLEU_ORDER + 1)]
    lengths = sorted(len(words) for words in documents)
    scores = [_bleu(number, words, best, lengths) for number, words in enumerate(documents)]
    return sum(scores) / len(scores)


_Greatest = Mapping[tuple[str, ...], tuple[int, int, int]]


def _greatest(documents: Sequence[Sequence[str]], n: int) -> _Greatest:
    """Return for each n-gram its greatest count, whose it is, and the greatest of the rest."""
    best: dict[tuple[str, ...], tuple[int, int, int]] = {}
    for number, words in enumerate(documents):
        for gram, count in Counter(ngrams(words, n)).items():
            first, owner, second = best.get(gram, (0, -1, 0))
            if count > first:
                best[gram] = (count, number, first)
            elif count > second:
                best[gram] = (first, owner, count)
    return best


def _bleu(
    number: int, words: Sequence[str], best: Sequence[_Greatest], lengths: list[int]
) -> float:
    logs = 0.0
    for n, greatest in enumerate(best, 1):
        counts = Counter(ngrams(words, n))
        matches = 0
        for gram, count in counts.items():
            first, owner, second = greatest[gram]
            matches += min(count, second if owner == number else first)
        added = 0 if n == 1 else 1
        if matches + added == 0:
            return 0.0
        logs += math.log((matches + added) / (counts.total() + added))
    return _brevity(len(words), lengths) * math.exp(logs / len(best))


def _brevity(length: int, lengths: list[int]) -> float:
    others = list(lengths)
    others.remove(length)
    nearest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= nearest else math.exp(1 - nearest / length)


def ngrams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """Yield every run of *n* words."""
    return zip(*(words[start:] for start in range(n)), strict=False)


def passage_shares(
    texts: Sequence[str], *, formulas: Iterable[str] = (), length: int = PASSAGE
) -> dict[str, float]:
    """Return for each passage of *length* words the share of documents that hold it.

    What a formula of law matches is cut out, and no passage runs across the cut; … within a
    formula stands for up to 40 characters of one line.
    """
    pattern = _pattern(tuple(formulas))
    found: dict[tuple[str, ...], int] = defaultdict(int)
    for text in texts:
        for gram in _passages(text, pattern, length):
            found[gram] += 1
    return {" ".join(gram): count / len(texts) for gram, count in found.items()}


def _passages(text: str, pattern: re.Pattern[str] | None, length: int) -> set[tuple[str, ...]]:
    stretches = pattern.split(text) if pattern else [text]
    return {gram for stretch in stretches for gram in ngrams(stretch.split(), length)}


@lru_cache(maxsize=4)
def _pattern(formulas: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what matches any formula, the longest first."""
    written = [
        re.escape(formula).replace("…", r"[^\n]{1,40}?").replace(r"\ ", r"\s+")
        for formula in sorted(formulas, key=len, reverse=True)
    ]
    return re.compile("|".join(written)) if written else None


def legal_formulas(path: Path = _FORMULAS) -> tuple[str, ...]:
    """Return the listed formulas of law, a line each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return tuple(line.replace("\\n", "\n") for line in kept)
