"""아이디, 닉네임, 대화명, 별명: what people call themselves online, beside the word that says so.

A name in Latin letters needs its cue; a Hangul one needs quotes, a colon or brackets as well,
for "아이디와 비밀번호" names nobody. What a court has masked already ('C', ○○○) stays silent.
"""

import re
from collections.abc import Iterator
from string import ascii_letters, digits

from thunder.identifiers import formats
from thunder.identifiers.cues import NAMED, has_near
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "user_id"
ROWS = formats.Recogniser(NAME)
ID, NICKNAME, SCREEN_NAME, BYNAME = "아이디", "닉네임", "대화명", "별명"

_LABELS = {"닉": NICKNAME, "필": NICKNAME, "활": NICKNAME, "대": SCREEN_NAME, "별": BYNAME}
_CUE = expression(
    r"아이디(?!어|얼|비)|<nickname>|(?<![가-힣])별명(?!칭)|계정(?!<of-book-keeping>)"
    r"|(?<![A-Za-z_])(?:ID|Id|id(?=[ ]?[:=(‘“'\"는은가])"
    r"|(?:user|User|USER)[ _]?(?:id|ID|name|NAME))(?![A-Za-z])",
    needs=("<id-word>",),
)
_MASKED = expression(
    r"[A-Z]{1,3}[0-9]{0,2}|[OXㅇㅡ0x]+|[0-9]{1,4}|[가-힣]?[OX]{2,}"
    r"|.*<unnamed>.*"
)
_QUOTE = "‘’“”'\"`「」『』《》"
_IN_QUOTES = rf"[^{_QUOTE}()\[\]<>\n,;:]{{2,30}}"
_LATIN = r"@?[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9_-])?"
_GAP = r"[ ]{0,2}(?:\r?\n[ ]{0,2})?"
_BETWEEN = lazy.compile(
    r"(?: ?\((?:ID|id|아이디|닉네임)\))?(?:명|이름|주소)?(?P<particle>은|는|이|가|인|을|를)?"
    rf"{_GAP}(?P<colon>[:=]{_GAP})?(?P<bracket>[(\[{{<]?)[ ]?(?P<quote>[{_QUOTE}]?)"
)
_QUOTED = lazy.compile(rf"(?P<value>{_IN_QUOTES})[{_QUOTE}(,]")
_BARE_LATIN = lazy.compile(rf"(?P<value>{_LATIN})(?![A-Za-z0-9@○*]|\.[A-Za-z])")
_BARE_HANGUL = lazy.compile(
    r"(?P<value>[가-힣][가-힣A-Za-z0-9_]{1,11})(?P<then>[)\]}>,'\"’”]|\r?\n|\Z)"
)
_NEXT = lazy.compile(
    rf"[{_QUOTE}]?(?:\([^()\n]{{0,20}}\))?[ ]?(?:,|ㆍ|·|/|와|과|및|또는)[ ]?(?:(?:및|또는) )?"
    rf"[{_QUOTE}](?P<value>{_IN_QUOTES})[{_QUOTE}]"
)
_LINK = r"(?P<link><links-nickname>|)[ ]?(?:[가-힣]{2,6}[ ]?)??\Z"
_QUOTED_BEFORE = expression(rf"[{_QUOTE}](?P<value>{_IN_QUOTES})[{_QUOTE}]{_LINK}")
_LATIN_BEFORE = expression(rf"(?<![A-Za-z0-9._@○*-])(?P<value>{_LATIN}){_LINK}")
_PREVIOUS = lazy.compile(
    rf"[{_QUOTE}](?P<value>{_IN_QUOTES})[{_QUOTE}][ ]?(?:,|와|과|및|또는|ㆍ|·|/)[ ]?\Z"
)
_LETTERS, _DIGITS = frozenset(ascii_letters), frozenset(digits + "_")
_WRITTEN = lazy.compile(r"@?[\w ._~!^&+#♡♥?-]+")


def find(text: str) -> Iterator[Span]:
    """Yield the user ids, nicknames and screen names of *text*."""
    found: dict[tuple[int, int], Span] = {}
    for cue in _CUE.finditer(text):
        for span in (*_after(text, cue), *_before(text, cue)):
            found.setdefault((span.start, span.end), span)
    yield from found.values()
    handles = ROWS.find(text)
    yield from (span for span in handles if not any(map(span.overlaps, found.values())))


def _after(text: str, cue: re.Match[str]) -> Iterator[Span]:
    between = _BETWEEN.match(text, cue.end())
    assert between is not None  # every part of it is optional
    at = between.end()
    if between["quote"]:
        match = _QUOTED.match(text, at) if _opens(text, between.start("quote")) else None
        score = 0.9
    else:
        match, score = _BARE_LATIN.match(text, at), 0.9
        if match is None:
            match, score = _bare_hangul(text, cue, between)
    if match is None or not _is_name(text, cue, match["value"], quoted=bool(between["quote"])):
        return
    if between["particle"] in ("을", "를") and not _is_renamed(text, match):
        return
    yield _span(match, cue, score)
    if between["quote"]:
        yield from _chain(text, match, cue)


def _bare_hangul(
    text: str, cue: re.Match[str], between: re.Match[str]
) -> tuple[re.Match[str] | None, float]:
    """Return a nickname without quotes, if what stands round it sets it off, and its score."""
    at = between.end()
    match = _BARE_HANGUL.match(text, at)
    if match is None or between["particle"] or _label(cue) == ID:
        return None, 0.0
    if _is_set_off(text, cue, between):
        return match, 0.8
    is_listed = text[at - 1] == " " and match["then"] in tuple(",'\"’”")
    return (match, 0.7) if is_listed and cue[0] in ("닉네임", "대화명") else (None, 0.0)


def _is_set_off(text: str, cue: re.Match[str], between: re.Match[str]) -> bool:
    """Return whether a colon or a bracket marks what follows: (닉네임 은하수), 닉네임: 은하수."""
    if between["colon"] or between["bracket"]:
        return True
    return (
        re.search(r"[(\[][^()\[\]\n]{0,10}\Z", text[max(0, cue.start() - 12) : cue.start()])
        is not None
    )


def _is_renamed(text: str, match: re.Match[str]) -> bool:
    """Return whether 로 follows: 닉네임을 ‘달빛’으로 바꾸고, but not 아이디를 ‘네이버’에서 사고."""
    behind = text[match.end("value") :][:4]
    return behind[behind[:1] in tuple(_QUOTE) :].startswith(words_of("renames"))


def _chain(text: str, match: re.Match[str], cue: re.Match[str]) -> Iterator[Span]:
    """Yield the quoted names that go on after the first: 대화명 ‘달빛’, ‘은하’."""
    end = match.end("value")
    while following := _NEXT.match(text, end):
        if not _is_name(text, cue, following["value"], quoted=True):
            return
        end = following.end("value")
        yield _span(following, cue, 0.8)


def _before(text: str, cue: re.Match[str]) -> Iterator[Span]:
    """Yield the names before their cue: ‘달빛’이라는 닉네임, moon77 아이디."""
    at, low = cue.start(), max(0, cue.start() - 50)
    quoted = _QUOTED_BEFORE.search(text, low, at)
    match = quoted or _LATIN_BEFORE.search(text, low, at)
    if match is None or not _is_linked(text, cue, match, quoted=quoted is not None):
        return
    yield _span(match, cue, 0.9 if match["link"] else 0.8)
    start = match.start() if quoted else 0
    while start and (previous := _PREVIOUS.search(text, max(0, start - 30), start)):
        if not _is_name(text, cue, previous["value"], quoted=True):
            return
        start = previous.start()
        yield _span(previous, cue, 0.8)


def _is_linked(text: str, cue: re.Match[str], match: re.Match[str], *, quoted: bool) -> bool:
    value, link = match["value"], match["link"]
    if quoted and not _opens(text, match.start()):
        return False
    if not _is_name(text, cue, value, quoted=quoted):
        return False
    if link in ("을", "를"):
        return text.startswith(("로", "으로"), cue.end())
    if link:
        return True
    if match.end("value") + (1 if quoted else 0) < cue.start() - 1:
        return False  # a word between, and nothing that links it
    if not value.isascii():
        return _label(cue) != ID
    return quoted or _is_coined(value)


def _opens(text: str, at: int) -> bool:
    """Return whether the quotation mark at *at* begins a quotation: ‘, or by what precedes it."""
    if text[at] in "‘“「『《":
        return True
    low = max(0, at - 200)
    line = text[max(text.rfind("\n", low, at), low) : at]
    if text[at] in "'\"`":
        return line.count(text[at]) % 2 == 0 or (text[at] == "'" and line.endswith((" ", "(")))
    return not line or line[-1] in " (,:"  # ’ and ” are typed before a word, too


def _is_name(text: str, cue: re.Match[str], value: str, *, quoted: bool) -> bool:
    """Return whether *value* can be a name somebody chose, and not a word or a mask."""
    word = value.strip().lower().lstrip("@")
    if (
        not word
        or word in words_of("no-id")
        or _MASKED.fullmatch(value.strip())
        or not _WRITTEN.fullmatch(value)
    ):
        return False
    if re.search(r"@.*\.|www\.|\.(?:com|net|kr)\b", value):
        return False  # an e-mail address or a URL
    is_latin = value.isascii()
    if is_latin and _LETTERS.isdisjoint(value):
        return len(value) > 4 and cue[0] == "아이디" and quoted
    if is_latin and not quoted and not value.startswith("@"):
        return _is_coined(value) and (cue[0] != "계정" or _is_online(text, cue, value))
    if cue[0] == "계정" and not (is_latin and _is_coined(value)):
        return _is_online(text, cue, value)
    return any(map(str.isalpha, value))


def _is_online(text: str, cue: re.Match[str], value: str) -> bool:
    """Return whether an 계정 is one of a service and not one of book-keeping."""
    if value.isascii() and not _DIGITS.isdisjoint(value):
        return True
    return has_near(text, cue.start(), cue.end(), "platform", before=30, after=25)


def _is_coined(value: str) -> bool:
    """Return whether a Latin word looks like a user id: moon77, dal_bit; not Number, SNS."""
    if len(value) < 3 or _LETTERS.isdisjoint(value):
        return False
    if not _DIGITS.isdisjoint(value):
        return len(value) > 3
    return len(value) > 3 and value == value.lower() and not value.endswith((".", "-"))


def _label(cue: re.Match[str]) -> str:
    return _LABELS.get(cue[0][0], ID)


def _span(match: re.Match[str], cue: re.Match[str], score: float) -> Span:
    value = match["value"]
    start = match.start("value") + len(value) - len(value.lstrip())
    end = match.end("value") - (len(value) - len(value.rstrip()))
    is_plain = value.isascii() and score == 0.9
    return Span(start, end, _label(cue), NAMED if is_plain else score)
