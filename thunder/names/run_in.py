"""What runs into a name's beginning where spaces are lost: 원고한빛, 5,000소외 나루, 및FF건설."""

import re

from thunder.names.chunks import is_inflected, is_unfamiliar, stem_length

_SHORTEST, _LONG = 2, 4
_EVIDENCE = 200_000  # characters counted through: a longer text must not take quadratic time
_CELL = re.compile(r"[0-9][0-9,.-]*(?=(?:소외|원고|피고)[ 가-힣A-Z])")
_PARTY = re.compile(
    r"(?:제?[0-9]+)?(?:피고(?:보조)?|원고(?:보조)?)?(?:승계)?(?:공?소외|원고|피고|참가인)"
    r"(?:들?[은는이가을를과와의]? +|[는를]|와(?=[A-Z])|(?P<doubt>[와과은이가을나의도로]))?"
)
# A court's text lost the spaces on both sides of Latin letters: 원고와FF및FF건설이.
_BEFORE_LATIN = re.compile(r"([가-힣]+)(?=[A-Z])")
_OF_SENTENCE = re.compile(
    "및|또는|혹은|그리고|또한|다만|비록|같은|[가-힣]{0,6}(?:하는|되는|하던|되던|있는|없는|들인)"
    "|[가-힣]{0,4}(?:포함|비롯|관|대|위|의)한"
)
_BETWEEN_LATIN = re.compile(r"[A-Z]+(?:및|와|과|또는)(?=[A-Z])")


def name_start(text: str, start: int, end: int) -> int:
    """Return where the name begins of what was found from *start* to *end*.

    Behind a cell's figure, a party's role with its particle, words before Latin letters. A
    syllable that may belong to the name (원고|가스나라) stays, unless the text writes the name
    without it elsewhere.
    """
    cell = _CELL.match(text, start, end)
    at = cell.end() if cell else start
    party = _PARTY.match(text, at, end)
    if party:
        at = _after_party(text, party, end)
    at = _after_words(text, at, end)
    return at if end - at >= _SHORTEST else start


def _after_party(text: str, party: re.Match[str], end: int) -> int:
    """Return where a name begins that took in the role before it, or where the role does."""
    if party["doubt"] is None:
        return party.end()
    longer, shorter = text[party.start("doubt") : end], text[party.end() : end]
    often = text.count(longer, 0, _EVIDENCE)
    is_elsewhere = len(shorter) >= _SHORTEST and text.count(shorter, 0, _EVIDENCE) > often
    return party.end() if is_elsewhere else party.start("doubt")


def _after_words(text: str, at: int, end: int) -> int:
    """Return where a name of Latin letters begins: behind 비록, 하는, 및 and FF및."""
    words = _BEFORE_LATIN.match(text, at, end)
    if words and _is_plain(words[1]):
        at = words.end()
    between = _BETWEEN_LATIN.match(text, at, end)
    return between.end() if between else at


def _is_plain(word: str) -> bool:
    """Return whether *word* is of the sentence: 또는, 승계하는, 이해관계인들은; no 한빛은."""
    if _OF_SENTENCE.fullmatch(word):
        return True
    stem = word[: stem_length(word)].removesuffix("들")
    return len(stem) >= _LONG and is_inflected(word) and not is_unfamiliar(stem)
