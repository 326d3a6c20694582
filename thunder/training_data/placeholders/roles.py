"""Placeholders of the law reports: 원고 1, 소외 2 주식회사, 피고인 3, 공소외 1, 소외인.

What is marked: the number alone where the role word stands apart (원고 <1>, 소외 <2> 주식회사),
because unmasked judgments keep the role (원고 홍길동, 소외 한빛 주식회사). The role is marked too
where it would not stay: joined to its number (소외1), without any number (소외인), repeated
(피해자 피해자 1), or as the value of a heading (【원고】 원고 1).
"""

import re
from collections.abc import Iterator

from thunder.training_data.placeholders.record import Mark

_ROLE = (
    "(?:제1심 ?|원심 ?|환송 ?전 ?|분리 ?전 ?|당심 ?)?(?:공동 ?|상)?(?:피고인|피고|원고|공소외|"
    "신청외|소외|청구외|항고외|"
    "피신청인|재신청인|신청인|피청구인|청구인|피항소인|항소인|피상고인|상고인|재항고인|항고인|"
    "피고보조참가인|원고보조참가인|독립당사자참가인|승계참가인|보조참가인|공동소송참가인|참가인|"
    "소송수계인|선정당사자|선정자|"
    "제3채무자|채무자|채권자|피해자|고소인|피고소인|고발인|피의자|증인|참고인|사건본인|망인|상대방|"
    "피수용자|수형자|피감호청구인|피부착명령청구자|피치료감호청구인|피신고인|"
    "특별항고인|이의신청인|피고겸반소원고|반소피고|반소원고|재심원고|재심피고|관계인|"
    "심판청구외|심판외|제3자|피상속인|상속인)"
)
_NUMBER = r"[0-9]{1,3}(?![0-9])(?:-[0-9]{1,2}(?![0-9]))?(?!-)"
# What makes a number after a role a count, a date, a share or a section: 피고 3명, 원고 1/2.
_NO_NAME_AFTER = (
    r"(?![0-9]|[.,][0-9]|/[0-9]|%|％|항|호|심|차|순위|위|층|억|만(?!이|을|은|의|으로|에)|천|원(?!고)|년|월|일|시간|분의|회(?!사)|번|"
    r"개|인(?![ )])|"
    r"명|대|매|장의|부분|주장|조|표|쪽|면|필지|평|㎡|m|세|ml|mg|kg)"
)
_NUMBERED = re.compile(
    rf"(?:(?<![가-힣A-Za-z0-9])|(?=공소외|신청외|소외 ?[0-9]|원고 ?[0-9]|피고인? ?[0-9]|피해자 "
    rf"?[0-9]))(?P<role>{_ROLE})(?P<space> {{0,2}})"
    rf"(?P<first>{_NUMBER}){_NO_NAME_AFTER}"
)
_MORE = re.compile(
    rf"(?P<note>\([^()\n]{{0,60}}\))?(?:\s{{0,40}}[,·ㆍ、]\s{{0,40}}(?:및 |망 )?| ?(?:및|내지|"
    rf"또는|과|와|부터|겸)\s{{0,40}}| ?[~∼] ?)"
    rf"(?P<number>{_NUMBER}){_NO_NAME_AFTER}(?=[ ,·ㆍ、)\]】’'”\"~∼(.\n]|$|"
    rf"[은는이가을를의과와도에로및]|내지|인|및|등|들|씨|회사)"
)
_SOLE = re.compile(
    r"(?<![가-힣A-Za-z0-9])(?:공소외인|소외인|신청외인|청구외인)(?!들|[ 0-9]{0,2}[0-9]|이 아닌)"
)
_HEADING = re.compile(r"【(?P<title>[^【】\n]{1,60})】[ \t]*$")
_PARTY = re.compile(
    r"원고|피고|신청인|청구인|참가인|항소인|상고인|항고인|채권자|채무자|당사자|상대방|사건본인|망인"
)
_VALUE = re.compile(
    rf"【(?P<title>[^【】\n]{{1,60}})】\s*(?P<value>(?:망 )?(?:{_ROLE}))(?= 외 ?[0-9]+| ?\(|"
    rf"\s*\n|\s*$| ?(?:소송|의 ))"
)
_REPEATED = re.compile(rf"(?:{_ROLE}) ?$")
_REACH = 70
# 원고 3(항소심판결의 원고 2): the number that the same person has in another instance's judgment.
_SAME = re.compile(
    r"\((?:이하 )?(?:대판|대법원|항소심|원심|제1심|환송|상고심|당심|병합)[가-힣 ]{0,14}[의:：]? ?"
)


def find(text: str) -> Iterator[Mark]:
    """Yield the numbered and sole persons of *text*, in order; labels come from the context."""
    yield from _values_of_headings(text)
    done = 0
    last = Mark(0, 0, "role", "")
    for match in _NUMBERED.finditer(text):
        if match.start() < done or _closes_a_list(text, match):
            continue
        mark = _first(text, match)
        if _SAME.fullmatch(text, last.end, match.start()):
            mark = mark._replace(entity=last.entity)
        yield mark
        last = mark
        done = match.end()
        for number in _further(text, match.end()):
            name = f"{_plain(match['role'])} {number[0]}"
            yield Mark(number.start(), number.end(), "role", name)
            done = number.end()
    for match in _SOLE.finditer(text):
        yield Mark(match.start(), match.end(), "role", match[0])


def _closes_a_list(text: str, match: re.Match[str]) -> bool:
    """Return whether the bracket behind a number is a list's (원고 1) 주장), opened nowhere."""
    if text[match.end() : match.end() + 1] != ")":
        return False
    left = text[max(0, match.start() - _REACH) : match.start()]
    return left.rfind("(") <= left.rfind(")")


def _first(text: str, match: re.Match[str]) -> Mark:
    name = f"{_plain(match['role'])} {match['first']}"
    whole = not match["space"] or _stands_for_role_too(text, match.start())
    return Mark(match.start("role" if whole else "first"), match.end("first"), "role", name)


def _stands_for_role_too(text: str, start: int) -> bool:
    """Return whether the word before is the role already: a heading, or 피해자 피해자 1."""
    before = text[max(0, start - _REACH) : start]
    heading = _HEADING.search(before)
    if heading:
        return _PARTY.search("".join(heading["title"].split())) is not None
    return _REPEATED.search(before) is not None


def _further(text: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the numbers that go on a list: 원고 1, 2, 5 내지 7."""
    while match := _MORE.match(text, at):
        number = re.compile(_NUMBER).match(text, match.start("number"))
        if number is None:
            return
        yield number
        at = number.end()


def _plain(role: str) -> str:
    """Return the role that numbers its persons: those of 제1심 공동피고 1 and 피고 1 are two."""
    return role.replace(" ", "")


def _values_of_headings(text: str) -> Iterator[Mark]:
    """Yield the bare role words that stand where a heading asks for a name: 【원고】 원고."""
    for match in _VALUE.finditer(text):
        value = match["value"].removeprefix("망 ")
        if value.replace(" ", "") in match["title"].replace(" ", ""):
            yield Mark(match.end("value") - len(value), match.end("value"), "role", _plain(value))
