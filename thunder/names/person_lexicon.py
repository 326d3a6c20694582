"""What the dictionary and the judgments' vocabulary say of a word that could be a name."""

from functools import lru_cache

from thunder.taxonomy.lexicon import table
from thunder.text.morphology import Morpheme, analyse

UNSEEN = 0, 0
"""How common a word is that no table has."""

_PARTICLES = ("J", "VCP", "E", "XSN")


@lru_cache(maxsize=1 << 16)
def word_class(word: str) -> str:
    """Return what Mecab takes the whole of *word* for: person, place, noun, nouns, verb …"""
    morphemes = tuple(analyse(word))
    if len(morphemes) == 1:
        return _kind(morphemes[0])
    kinds = [_kind(morpheme) for morpheme in morphemes]
    if "verb" in kinds or any(m.tag.startswith("E") for m in morphemes):
        return "clause"
    if all(kind in ("noun", "place", "proper", "suffix") for kind in kinds):
        return "pieces" if all(len(m) == 1 for m in map(_span, morphemes)) else "nouns"
    if kinds[-1] == "person" and morphemes[0].end == 1:
        return "surname+given"
    if kinds[0] == "person":
        return "person+"
    return "mixed"


def ends_in_particle(word: str) -> bool:
    """Return whether Mecab's last morpheme of *word* is a particle or an ending after a noun."""
    last = tuple(analyse(word))[-1]
    return last.start > 0 and last.tag.startswith(("J", "E", "VCP"))


@lru_cache(maxsize=1 << 16)
def cut_class(run: str, cut: int) -> str:
    """Return how a cut of *run* after *cut* syllables agrees with Mecab's morphemes of it.

    "whole" where the run ends there, "particle" and "other" where a morpheme ends there and a
    particle (or something else) follows, "through" plus the kind of the morpheme cut in two.
    """
    if cut == len(run):
        return "whole"
    for morpheme in analyse(run):
        if morpheme.end > cut:
            if morpheme.start < cut:
                return "through " + _kind(morpheme)
            return "particle" if morpheme.tag.startswith(_PARTICLES) else "other"
    return "other"


def commonness(word: str, *, tailed: bool) -> int:
    """Return how common *word* is in judgments where no name is meant: 0 for never seen.

    ``tailed``: before a particle, else alone (정상은 is common alone, not as 정상은과). 1 means
    about one judgment in 5,000, and each step twice as many.
    """
    return ordinary_words().get(word, UNSEEN)[tailed]


def is_common(word: str, *, tailed: bool) -> bool:
    """Return whether *word* is rather that word than the name of somebody who is called so."""
    return commonness(word, tailed=tailed) > (1 if len(word) == 2 else 4)


def is_ordinary(word: str) -> bool:
    """Return whether judgments write *word*, alone or before a particle, where no name is meant."""
    return word in ordinary_words()


@lru_cache(maxsize=1)
def ordinary_words() -> dict[str, tuple[int, int]]:
    """Return how common words are, alone and before a particle, as ``commonness`` says it."""
    found: dict[str, tuple[int, int]] = {}
    for alone, tailed, words in table("ordinary_words"):
        found |= dict.fromkeys(words.split(), (int(alone), int(tailed)))
    return found


@lru_cache(maxsize=1)
def behind_roles() -> frozenset[str]:
    """Return the words that stand behind a person's role in judgments and are no names."""
    return frozenset(word for (words,) in table("behind_roles") for word in words.split())


def _span(morpheme: Morpheme) -> range:
    return range(morpheme.start, morpheme.end)


def _kind(morpheme: Morpheme) -> str:
    tag, meaning = morpheme.tag, morpheme.meaning
    if tag == "NNP":
        return {"인명": "person", "지명": "place"}.get(meaning, "proper")
    if tag.startswith(("NN", "NR", "NP", "XR")):
        return "noun" if "+" not in tag else "clause"
    if tag.startswith(("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA", "EC", "EF", "EP", "ET")):
        return "verb"
    if tag.startswith(("MA", "MM", "IC")):
        return "adverb"
    if tag.startswith("XS"):
        return "suffix"
    return "unknown" if tag.startswith(("UN", "S")) else "particle"
