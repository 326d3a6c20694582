"""이메일주소: e-mail addresses, whole, spaced, broken over a line or disguised.

The domain is read as in ``url``; an unknown ending of Latin letters is taken too, because a
missed address harms more than a masked one.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import HIDDEN
from thunder.identifiers.url import end_of_host
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "email"
LABEL = "이메일주소"

_GAP = r"(?:[ ]{0,2}\r?\n[ ]{0,2}|[ ]{0,2})"
_SIGN = lazy.compile(
    rf"{_GAP}(?:(?P<plain>@)|[(\[{{<] ?(?:at|AT|At|@|앳|골뱅이) ?[)\]}}>]|(?P<word>골뱅이)){_GAP}",
    needs=("@", "골뱅이", "at", "AT", "At", "앳"),
)
_LOCAL = lazy.compile(
    r"(?:[A-Za-z][A-Za-z0-9._%+-]{0,40}[._+-][ ]?\r?\n[ ]{0,2})?"
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_][A-Za-z0-9._%+-]{0,63}\Z"
)
_HANGUL_LOCAL = lazy.compile(r"[가-힣][가-힣A-Za-z0-9._-]{1,19}\Z")
_SPELT_HOST = expression(
    r"<mail-provider>(?P<ending>(?: ?(?:닷|점|쩜|쩜 ?씨오|[(\[]?(?:dot|DOT)[)\]]?|\.) ?"
    r"(?:com|net|co|kr|컴|넷|케이알)(?![A-Za-z])){1,2})?(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_SPELT_DOTS = lazy.compile(
    r"[A-Za-z0-9-]{2,40}(?: ?(?:닷|점|쩜| dot ) ?(?:com|net|co|or|go|kr|컴|넷)(?![A-Za-z])){1,2}"
)


def find(text: str) -> Iterator[Span]:
    """Yield the e-mail addresses of *text*."""
    reached = 0
    for sign in _SIGN.finditer(text):
        start = _start_of_local(text, sign, reached)
        domain = _end_of_domain(text, sign.end()) if start is not None else None
        if start is not None and domain is not None:
            reached, score = domain
            yield Span(start, reached, LABEL, score)


def _start_of_local(text: str, sign: re.Match[str], reached: int) -> int | None:
    """Return where the part before the sign begins, None where none or a hidden one stands."""
    at = sign.start()
    local = _LOCAL.search(text, max(reached, at - 110), at)
    if local is None and sign["plain"] and sign[0] == "@":
        local = _HANGUL_LOCAL.search(text, max(reached, at - 20), at)
    if local is None or text[local.start() - 1 : local.start()] in tuple(HIDDEN):
        return None
    if sign["word"] and (len(local[0]) < 3 or local[0] != local[0].lower()):
        return None  # 골뱅이 is a dish too
    return local.start()


def _end_of_domain(text: str, at: int) -> tuple[int, float] | None:
    end = end_of_host(text, at)
    if end is not None:
        host = "".join(text[at:end].split())
        if host.lower().endswith(words_of("mail-ending")):
            return end, 0.97
        last = host.rpartition(".")[2][-2:]
        return (end, 0.85) if len(last) == 2 and last.isascii() and last.isalpha() else None
    if (known := _SPELT_HOST.match(text, at)) is not None:
        return known.end(), 0.85 if known["ending"] else 0.7
    spelt = _SPELT_DOTS.match(text, at)
    return (spelt.end(), 0.85) if spelt else None
