"""Codes of devices, of places and of abroad, known by their form or by the word before them.

MAC and IP addresses, serial and chassis numbers, IBAN, coordinates, the identity numbers of
China, and the names with a number of game services (Mint#4482).
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import NAMED, is_near
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "codes"
PIERCES_SHIELDS = True

_MAC = lazy.compile(
    r"(?<![0-9A-Za-z:.-])[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Za-z]|[:-][0-9A-Fa-f])"
)
_IPV6 = lazy.compile(
    r"(?<![0-9A-Za-z:.])[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){3,7}(?![0-9A-Za-z:])",
    needs=("::", ":"),
)
_SERIAL = lazy.compile(
    r"(?:일련 ?번호|시리얼 ?(?:번호|넘버)|고유 ?번호|IMEI|차대 ?번호|S/N)"
    r"(?:는|은|가|이)?[ :]{0,3}[“\"‘'(]?"
    r"(?P<value>[A-Z0-9](?:[A-Z0-9-]{6,24})[A-Z0-9])(?![A-Za-z0-9])"
)
_COUNTRIES = {  # ISO 13616: the length of an account there
    **dict(AT=20, AU=20, BE=16, BG=22, CH=21, CY=28, CZ=24, DE=22, DK=18, EE=20, ES=24, FI=18),
    **dict(FR=27, GB=22, GE=22, GR=27, HR=21, HU=28, IE=22, IL=23, IS=26, IT=27, KZ=20, LI=21),
    **dict(LT=20, LU=20, LV=21, MC=27, MT=31, NL=18, NO=15, PL=28, PT=25, RO=24, RS=22, SA=24),
    **dict(AE=23, SE=24, SI=19, SK=24, TR=26, UA=29, QA=29, PK=24, JO=30, KW=30, LB=28, BH=22),
}
_IBAN = lazy.compile(
    rf"(?:{'|'.join(_COUNTRIES)})(?<![A-Za-z0-9]..)[0-9]{{2}}"
    rf"(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?[A-Z0-9]{{1,3}})?(?![A-Za-z0-9])"
)
_DEGREES = lazy.compile(
    r"(?<![0-9.,])(?P<north>[0-9]{1,2}\.[0-9]{4,12}) ?, ?"
    r"(?P<east>[0-9]{1,3}\.[0-9]{4,12})(?![0-9.,%])"
)
_SOUTHMOST, _NORTHMOST, _WESTMOST, _EASTMOST = 20, 50, 100, 150  # East Asia
_ONE_WAY = r"[0-9]{1,3} ?° ?(?:[0-9]{1,2} ?['′’] ?)?(?:[0-9]{1,2}(?:\.[0-9]{1,4})? ?(?:[\"″”]|''))?"
_MINUTES = lazy.compile(rf"[NS] ?{_ONE_WAY}[ ,]{{0,2}}[EW] ?{_ONE_WAY}", needs=("°",))
_CHINESE = lazy.compile(
    r"[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
    r"[0-9]{3}[0-9Xx](?<![0-9-].{18})(?![0-9A-Za-z-]| ?원)"
)
_IPV4 = lazy.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:\.[0-9]{1,3}){3}(?![0-9]|\.[0-9])")
_ONLINE = lazy.compile("접속|IP|아이피|작성|서버|로그인|게시|가입자|인터넷|주소")
_GAME = lazy.compile(
    r"(?<![A-Za-z가-힣0-9_#-])[A-Za-z가-힣][A-Za-z가-힣0-9_]{1,15}#[0-9]{3,6}(?![0-9])",
    needs=("#",),
)
_SERVICE = lazy.compile("계정|아이디|ID|닉|게임|배틀|디스코드|캐릭터|유저|플레이어|접속")


def find(text: str) -> Iterator[Span]:
    """Yield the codes of *text*."""
    for match in _MAC.finditer(text):
        yield Span(match.start(), match.end(), "일련번호", NAMED)
    for match in _IPV6.finditer(text):
        if _is_ipv6(match[0]):
            yield Span(match.start(), match.end(), "관리번호", NAMED)
    for match in _IPV4.finditer(text):
        is_one = all(int(part) < 256 for part in match[0].split("."))
        if is_one and is_near(text, match.start(), match.end(), _ONLINE, before=30, after=20):
            yield Span(match.start(), match.end(), "관리번호", NAMED)
    for match in _SERIAL.finditer(text):
        if sum(map(str.isdigit, match["value"])) > 1:
            yield Span(match.start("value"), match.end("value"), "일련번호", NAMED)
    for match in _IBAN.finditer(text):
        if len(match[0].replace(" ", "")) == _COUNTRIES[match[0][:2]]:
            yield Span(match.start(), match.end(), "계좌번호", NAMED)
    for match in _DEGREES.finditer(text):
        if _is_near_korea(match):
            yield Span(match.start(), match.end(), "관리번호", NAMED)
    for match in _MINUTES.finditer(text):
        yield Span(match.start(), match.end(), "관리번호", NAMED)
    for match in _CHINESE.finditer(text):
        yield Span(match.start(), match.end(), "주민등록번호", NAMED)
    for match in _GAME.finditer(text):
        if is_near(text, match.start(), match.end(), _SERVICE, before=30, after=20):
            yield Span(match.start(), match.end(), "아이디", NAMED)


def _is_ipv6(written: str) -> bool:
    """Return whether it has eight groups, or some left out once (::), and no more than that."""
    groups = written.split(":")
    short = written.count("::")
    letters = re.search("[A-Fa-f]|[0-9]{3}", written) is not None
    return letters and ":::" not in written and (len(groups) == 8 if not short else short == 1)


def _is_near_korea(match: re.Match[str]) -> bool:
    north, east = float(match["north"]), float(match["east"])
    return _SOUTHMOST <= north <= _NORTHMOST and _WESTMOST <= east <= _EASTMOST
