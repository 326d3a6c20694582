"""What runs into a name's beginning where spaces are lost: 원고한빛, 5,000소외 나루, 및FF건설."""

import re

from thunder.names.chunks import HANGUL, is_inflected, is_unfamiliar, stem_length
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression

_SHORTEST, _LONG = 2, 4
_PARTY = expression(
    r"(?:제?[0-9][0-9,.-]*)?(?!<begins-like-a-party>)<party-run-in>"
    r"(?:들?[은는이가을를과와의]? +|[는를](?![가-힣]{2}\b)|와(?=[A-Z])"
    r"|(?P<doubt>[와과은는이가을를나의도로]))?"
)


def name_start(text: str, start: int, end: int) -> int:
    """Return where the name begins of what was found from *start* to *end*.

    Behind a cell's figure, a party's role with its particle, words before Latin letters. A
    syllable that may belong to the name (원고|가스나라) stays.
    """
    party = _PARTY.match(text, start, end)
    at = start
    if party and not _is_whole(text, party):
        at = party.end() if party["doubt"] is None else party.start("doubt")
    at = _after_words(text, at, end)
    return at if end - at >= _SHORTEST else start


def _is_whole(text: str, party: re.Match[str]) -> bool:
    """Return whether what looks like a role is the name's: another role or its form led it in."""
    return not party[0].endswith(" ") and sign("led-by-a-party").at(text, party.start())


def _after_words(text: str, at: int, end: int) -> int:
    """Return where a name of Latin letters begins: behind 비록, 하는, 및 and FF및."""
    words = HANGUL.match(text, at, end)
    if words and "A" <= text[words.end() : end][:1] <= "Z" and _is_plain(words[0]):
        at = words.end()
    between = sign("and-between-latin").match(text, at)
    return between.end() if between and between.end() < end else at


def _is_plain(word: str) -> bool:
    """Return whether *word* is of the sentence: 또는, 승계하는, 이해관계인들은; no 한빛은."""
    if sign("before-latin-of-the-sentence").fits(word):
        return True
    stem = word[: stem_length(word)].removesuffix("들")
    return len(stem) >= _LONG and is_inflected(word) and not is_unfamiliar(stem)
