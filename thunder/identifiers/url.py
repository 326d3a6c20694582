"""인터넷주소: URLs and bare domains.

Forms with a scheme or ``www`` are taken whole; a bare domain needs a top-level domain that is no
abbreviation or file name. Particles and punctuation that follow an address are not part of it.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import HIDDEN, NAMED, has_near
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.korean import final_sound
from thunder.text.spans import Span

NAME = "url"
LABEL = "URL"
PLAIN = "com|net|org|info|biz|kr|shop|site|store|online|xyz|club|asia|page|blog"
SHORT = (  # words and abbreviations too: only beside what speaks of the web
    "tv|me|io|cc|us|jp|cn|uk|eu|de|fr|hk|sg|vn|ru|tw|au|ca|be|to|ly|gl|gg|ai|la|do|app|dev"
)

BREAK = r"(?:[ ]?\r?\n[ ]{0,2}|[ ])?"  # a line end, or the space that typesetters leave there
DOT = r"(?:\.|\[\.\]|\(\.\)|\[dot\]|\(dot\))"
_ENDING = (
    rf"(?:(?:co|or|go|ac|ne|re|pe|hs|ms|es|kg|sc){DOT}{BREAK}(?:kr|jp|uk)"
    rf"|com{DOT}(?:cn|tw|hk|au|sg|vn)|{PLAIN}|{SHORT})"
)
_END = rf"(?![a-z0-9-]|{DOT}[a-z]{{2}})"
# A host of any script whose ending is known; the line may break at a dot.
KNOWN_HOST = (
    rf"(?:www{DOT}{BREAK})?(?:[가-힣A-Za-z0-9_-]{{1,63}}{DOT}){{1,5}}?{BREAK}"
    rf"(?:{_ENDING}{_END}|(?i:{_ENDING})(?![A-Za-z0-9-])|<hangul-ending>)"
)
_KNOWN_HOST = expression(KNOWN_HOST)
_ANY_HOST = lazy.compile(
    rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,62}}(?:{DOT}[A-Za-z0-9_-]{{1,63}}){{1,6}}|localhost"
)
_TORN_HOST = lazy.compile(r"[A-Za-z0-9.-]{1,80}[ ]?\r?\n[ ]{0,2}[A-Za-z0-9-][A-Za-z0-9.-]{0,60}")

_OPENING = lazy.compile(
    rf"(?i:(?<![a-z])(?:h(?:tt|xx|\*\*)ps?|ftp)(?::|\[:\])[/\\]{{2}}|(?<![@.-])www(?={DOT}))"
)
_BARE_END = expression(
    rf"\.(?:{_ENDING}{_END}|(?i:{_ENDING})(?![A-Za-z0-9-])|<hangul-ending>(?=/|[^가-힣]|\Z))"
)
_DEFANGED_END = lazy.compile(rf"(?!\.){DOT}{_ENDING}{_END}")
_BARE_HOST = lazy.compile(
    rf"(?:[A-Za-z0-9][A-Za-z0-9_-]{{0,62}}{DOT}){{0,4}}[A-Za-z0-9][A-Za-z0-9_-]{{0,62}}\Z"
)
_HANGUL_HOST = lazy.compile(r"(?:(?<=[\s'\"‘’“”(\[<:,/])|\A)[가-힣A-Za-z0-9-]{2,20}\Z")
_SHORTENERS = frozenset(
    ("t.me", "t.co", "bit.ly", "me2.do", "han.gl", "goo.gl", "youtu.be", "vo.la", "band.us")
)

_PORT = r"(?::[0-9]{2,5}(?![0-9]))?"
_PATH_PART = r"(?:[A-Za-z0-9_~%$&*+=@#:;,.!/?|'-]|(?<=[/=_+#&-])[가-힣]+|\([^()\s]{1,40}\))*"
_PATH = lazy.compile(rf"{_PORT}(?:[/?#]{_PATH_PART})?")
_MORE_PATH = lazy.compile(_PATH_PART)
_NEXT_LINE = lazy.compile(r"[ ]?\r?\n[ ]{0,2}(?P<piece>[A-Za-z0-9_~%$&+=@#./?-]+)")
_LOOSE_END = ".,;:!?'*|"
_LAST_HANGUL = lazy.compile(r"[가-힣]+\Z")


def find(text: str) -> Iterator[Span]:
    """Yield the internet addresses of *text*."""
    opened = list(_opened(text))
    yield from opened
    yield from (span for span in _bare(text) if not any(map(span.overlaps, opened)))


def _opened(text: str) -> Iterator[Span]:
    """Yield addresses that begin with a scheme or www."""
    if "://" not in text and "[:]" not in text and "www" not in text and "WWW" not in text:
        return
    reached = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < reached:
            continue
        at = opening.start() if opening[0].lower() == "www" else opening.end()
        host_end = end_of_host(text, at)
        if host_end and "".join(text[at:host_end].split()).lower() not in ("www", "localhost"):
            reached = _end_of_path(text, host_end)
            yield Span(opening.start(), reached, LABEL, NAMED)


def _bare(text: str) -> Iterator[Span]:
    """Yield domains that stand alone: naver.com, 한국.kr/민원."""
    endings = [_BARE_END]
    if "[" in text or "(dot)" in text or "(.)" in text:
        endings.append(_DEFANGED_END)
    for pattern in endings:
        for ending in pattern.finditer(text):
            start = _start_of_host(text, ending)
            end = _end_of_path(text, ending.end())
            score = _score_bare(text, start, ending.end(), end) if start is not None else 0.0
            if start is not None and score:
                yield Span(start, end, LABEL, score)


def _start_of_host(text: str, ending: re.Match[str]) -> int | None:
    at = ending.start()
    host = _BARE_HOST.search(text, max(0, at - 80), at)
    if host is None or "가" <= text[at - 1] <= "힣":
        plain_ending = ending[0].startswith((".kr", ".com", ".net", ".org", ".co.kr", ".한", ".닷"))
        host = _HANGUL_HOST.search(text, max(0, at - 24), at) if plain_ending else None
    if host is None:
        return None
    before = text[host.start() - 1 : host.start()]
    return None if before and before in "@.-_&/\\" + HIDDEN else host.start()


def _score_bare(text: str, start: int, host_end: int, end: int) -> float:
    host = text[start:host_end]
    if not host[0].isalpha() and not host[1:2].isalnum():
        return 0.0  # 2.kr: a number before an abbreviation
    has_path = end > host_end + 1
    if host in _SHORTENERS:
        return 0.9 if has_path else 0.0
    near_web = has_near(text, start, end, "web-word", before=30, after=20)
    ending = host.rpartition(".")[2].strip("[])( \r\n").lower()
    if ending in words_of("hangul-ending"):
        return 0.75 if near_web and not host.endswith(("다.한국", "음.한국", "함.한국")) else 0.0
    if ending in SHORT.split("|") and not host.endswith(("co.jp", "co.uk")):
        is_lower = host == host.lower() and len(host.partition(".")[0]) > 1
        return 0.8 if is_lower and (near_web or has_path) else 0.0
    return 0.9 if near_web or has_path else 0.8


def end_of_host(text: str, at: int) -> int | None:
    """Return where the domain that begins at *at* ends, None where there is none.

    A domain whose ending is known may be broken over a line, at a dot or within a word.
    """
    known = _KNOWN_HOST.match(text, at)
    if known:
        return known.end()
    torn = _TORN_HOST.match(text, at)
    if torn:
        whole = _KNOWN_HOST.fullmatch("".join(torn[0].split()).rstrip("."))
        if whole:
            return torn.end() - (len(torn[0]) - len(torn[0].rstrip(".")))
    ascii_host = _ANY_HOST.match(text, at)
    return ascii_host.end() if ascii_host else None


def _end_of_path(text: str, at: int) -> int:
    match = _PATH.match(text, at)
    end = match.end() if match else at
    while following := _NEXT_LINE.match(text, end):
        if not _continues(text, at, end, following):
            break
        more = _MORE_PATH.match(text, following.start("piece"))
        end = max(following.end(), more.end() if more else 0)
    return _without_loose_end(text, at, end)


def _continues(text: str, at: int, end: int, following: re.Match[str]) -> bool:
    """Return whether the next line goes on with the path and not with a sentence."""
    piece = following["piece"]
    if piece[0] in "/?#" and len(piece) > 1:
        return True
    if end == at or piece.startswith(("http", "www")):
        return False
    if not set("=&?%/").isdisjoint(piece) and not piece.startswith("."):
        return True
    if text[end - 1] not in "/?=&_%-#" or piece.removesuffix(".").isdecimal():
        return False
    return re.match(r"[a-z0-9][A-Za-z0-9._-]{2,}", piece) is not None


def _without_loose_end(text: str, at: int, end: int) -> int:
    """Return *end* moved back over punctuation and over a particle after a Hangul path."""
    while end > at and text[end - 1] in _LOOSE_END:
        end -= 1
    last = _LAST_HANGUL.search(text, at, end)
    if last is None:
        return end
    if last[0] in words_of("after-address"):
        return last.start()
    particles = sorted(words_of("after-address"), key=len, reverse=True)
    for particle in particles:
        word = last[0].removesuffix(particle)
        if len(word) >= 2 and word != last[0]:
            return last.start() + len(word) if _agrees(word, particle) else end
    return end


def _agrees(word: str, particle: str) -> bool:
    """Return whether *particle* has the form that follows *word*: 대한민국에 yes, 국-가 no."""
    final = final_sound(word)
    if particle in words_of("url-after-consonant"):
        return final != ""
    is_of_vowel = particle in words_of("url-after-vowel")
    return not (is_of_vowel and final and not (particle[0] == "로" and final == "ㄹ"))
