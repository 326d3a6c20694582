"""A mention found in part goes whole: morphemes, numbers and names are never half masked.

The particle after a mention stays, and so does a descriptor (나리 | 식당): what grows is the
morpheme that the model cut through, the number or address that goes on, the name whose surname
or last syllable was missed.
"""

import re
from bisect import bisect_left, bisect_right

from thunder.names.given_names import surnames
from thunder.names.person_tails import tails
from thunder.text.morphology import boundaries

_REACH = 64  # characters looked at on each side: a longer word is cut there
_CHAIN = re.compile(r"[0-9A-Za-z]+(?:[-._@][0-9A-Za-z]+)*")
_EDGES = " \t\r\n\f\v,;"
_SHORTEST_NAME, _LONGEST_NAME = 3, 4


def whole(text: str, start: int, end: int, *, person: bool, last: int = -1) -> tuple[int, int]:
    """Return where the mention begins and ends of which *start* to *end* were found.

    *person*: a Korean name, whose missing syllables are known by the surname and by what may
    follow a name. *last* is where the last token begins: an end of a token that took in a
    particle goes back before it (tokens of other tokenizers do that). Time is bounded, whatever
    the text.
    """
    start, end = _stripped(text, start, end)
    start, end = _chained(text, start, end)
    end = _without_particle(text, max(start, last), end)
    if _is_hangul(text, start - 1) and _is_hangul(text, start):
        cuts = _cuts(text, start)
        start = cuts[bisect_right(cuts, start) - 1]
    if (
        _is_hangul(text, end - 1)
        and _is_hangul(text, end)
        and not _is_done(text, start, end, person)
    ):
        cuts = _cuts(text, end - 1)
        end = cuts[bisect_left(cuts, end)]
    return _whole_name(text, start, end) if person else (start, end)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the same without white space and commas at its ends, as it was if nothing else."""
    found = text[start:end]
    begin = start + len(found) - len(found.lstrip(_EDGES))
    stop = end - len(found) + len(found.rstrip(_EDGES))
    return (begin, stop) if begin < stop else (start, end)


def _chained(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the same with the whole number, address or Latin word at either end."""
    grown = start, end
    for match in _CHAIN.finditer(text, max(0, start - _REACH), end + _REACH):
        if match.start() < start < match.end():
            grown = match.start(), grown[1]
        if match.start() < end < match.end():
            grown = grown[0], match.end()
    return grown


def _cuts(text: str, at: int) -> list[int]:
    """Return where the morphemes begin and end of the word in which character *at* stands."""
    first, last = at, at + 1
    while first > max(0, at - _REACH) and not text[first - 1].isspace():
        first -= 1
    while last < min(len(text), at + _REACH) and not text[last].isspace():
        last += 1
    return [first, *(first + place for place in boundaries(text[first:last]))]


def _is_done(text: str, start: int, end: int, person: bool) -> bool:
    """Return whether a particle follows what was found, which is not a piece of a name.

    The morphemes of rare names are guesses: 김예렬에 | 게 would take in half of the particle.
    """
    is_name = end - start >= _SHORTEST_NAME or not person
    return is_name and text[end : _run_end(text, end)] in tails()


def _without_particle(text: str, last: int, end: int) -> int:
    """Return *end*, moved before the particle that the last token holds besides its mention."""
    if not _is_hangul(text, end - 1):
        return end
    run = _run_end(text, end)
    cuts = (cut for cut in _cuts(text, end - 1) if last < cut < end)
    return next((cut for cut in cuts if text[cut:run] in tails()), end)


def _whole_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a name with the surname before it and the syllables after it that were missed."""
    if not all("가" <= char <= "힣" for char in text[start:end]):
        return start, end
    head = text[_run_start(text, start) : start]
    if head in surnames() and len(head) + end - start <= _LONGEST_NAME:
        start -= len(head)
    rest = text[end : _run_end(text, end)]
    for more in range(max(0, _LONGEST_NAME - (end - start)) + 1):
        if rest[more:] in tails():
            return start, end + more
    return start, end


def _run_start(text: str, at: int) -> int:
    stop = max(0, at - _REACH)
    while at > stop and _is_hangul(text, at - 1):
        at -= 1
    return at


def _run_end(text: str, at: int) -> int:
    stop = at + _REACH
    while at < stop and _is_hangul(text, at):
        at += 1
    return at


def _is_hangul(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "가" <= text[at] <= "힣"
