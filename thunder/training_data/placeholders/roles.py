"""Placeholders of the law reports: 원고 1, 소외 2 주식회사, 피고인 3, 공소외 1, 소외인.

What is marked: the number alone where the role word stands apart (원고 <1>, 소외 <2> 주식회사),
because unmasked judgments keep the role (원고 홍길동, 소외 한빛 주식회사). The role is marked too
where it would not stay: joined to its number (소외1), without any number (소외인), repeated
(피해자 피해자 1), or as the value of a heading (【원고】 원고 1).
"""

import re
from collections.abc import Iterator

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, words_of
from thunder.training_data.placeholders.record import Mark

_ROLE = "(?:<instance-of-a-party> ?)?(?:공동 ?|상)?<numbered-role>"
_NUMBER = r"(?!0)[0-9]{1,3}(?![0-9])(?:-[0-9]{1,2}(?![0-9]))?(?!-)"
# What makes a number after a role a count, a date, a share or a section: 피고 3명, 원고 1/2.
_NO_NAME_AFTER = (
    r"(?![0-9]|[.,][0-9]|/[0-9]|<counted-of-a-party>|"
    r"만(?![이을은의에]|으로| (?!<counted-like-a-plate>))|"
    r"쪽(?!으로)|원(?!고)|회(?!사)|인(?![ )]))"
)
# Between the two a line may be broken: 원고⏎   1은, 원고⏎   1,⏎   2에게. A particle says that no
# list begins there.
_BROKEN = (
    r"[ \t]{0,8}\n[ \t]{0,40}(?=[0-9]{1,3}(?:-[0-9]{1,2})?(?:,\s{0,40}[0-9]{1,3}){0,9}"
    r"[은는이가을를의과와도에로])"
)
_NUMBERED = (
    rf"(?:(?<![가-힣A-Za-z0-9])|(?=<role-run-in>|<role-before-a-number> ?[0-9]))(?P<role>{_ROLE})"
    rf"(?P<space> {{0,2}}|{_BROKEN})(?P<first>{_NUMBER}){_NO_NAME_AFTER}"
)
_MORE = (
    rf"(?P<note>\([^()\n]{{0,60}}\))?(?:\s{{0,40}}[,·ㆍ、]\s{{0,40}}(?:및 |망 )?"
    rf"| ?<and-a-party>\s{{0,40}}| ?[~∼] ?)(?P<number>{_NUMBER}){_NO_NAME_AFTER}"
    rf"(?=[ ,·ㆍ、)\]】’'”\"~∼(.\n]|$|[은는이가을를의과와도에로및]|<behind-a-party>)"
)
_HEADING = re.compile(r"【(?P<title>[^【】\n]{1,60})】[ \t]*$")
_VALUE = (
    rf"【(?P<title>[^【】\n]{{1,60}})】\s*(?:[^【】\n]{{1,80}}(?:<acts-for-a-party>) )?"
    rf"(?P<value>(?:망 )?(?:{_ROLE}))(?= 외 ?[0-9]+| ?\(|"
    rf"\s*\n|\s*$| ?(?:소송|의 ))"
)
_REACH = 70


def find(text: str) -> Iterator[Mark]:
    """Yield the numbered and sole persons of *text*, in order; labels come from the context."""
    marks = [*_values_of_headings(text), *_in_the_text(text)]
    in_full = _in_full({mark.entity.rpartition(" ")[0] for mark in marks})
    for mark in marks:
        role, _, number = mark.entity.rpartition(" ")
        yield mark._replace(entity=f"{in_full[role]} {number}") if role in in_full else mark


def _in_full(said: set[str]) -> dict[str, str]:
    """Return the only role in full for which each short one of those *said* stands.

    Who is 독립당사자참가인 1 under the heading is 참가인 1 from there on.
    """
    short = said.intersection(words_of("short-role"))
    longer = {one: [role for role in said if role.endswith(one) and role != one] for one in short}
    return {one: roles[0] for one, roles in longer.items() if len(roles) == 1}


def _in_the_text(text: str) -> Iterator[Mark]:
    done = 0
    for match in expression(_NUMBERED).finditer(text):
        if match.start() < done or _closes_a_list(text, match):
            continue
        yield _first(text, match)
        done = match.end()
        for more in _further(text, match.end()):
            name = f"{_plain(match['role'])} {more['number']}"
            yield Mark(*more.span("number"), "role", name)
            done = more.end("number")
    for match in sign("sole-person").all(text):
        yield Mark(match.start(), match.end(), "role", match[0])


def role_start(text: str, start: int) -> int:
    """Return where the role begins whose number stands at *start*, *start* where none does."""
    role = sign("role-of-a-number").match(text, start)
    return role.start() if role else start


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
    heading = _HEADING.search(text[max(0, start - _REACH) : start])
    if heading:
        return sign("heading-of-parties").fits("".join(heading["title"].split()))
    return sign("role-repeated").at(text, start)


def _further(text: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the numbers that go on a list: 원고 1, 2, 5 내지 7."""
    while match := expression(_MORE).match(text, at):
        yield match
        at = match.end("number")


def _plain(role: str) -> str:
    """Return the role that numbers its persons: those of 제1심 공동피고 1 and 피고 1 are two.

    상피고인 3 is 피고인 3, of whom another of the accused speaks.
    """
    plain = role.replace(" ", "")
    fellow = plain.removeprefix("상")
    return fellow if fellow in words_of("numbered-role") else plain


def _values_of_headings(text: str) -> Iterator[Mark]:
    """Yield the bare role words that stand where a heading asks for a name: 【원고】 원고."""
    for match in expression(_VALUE).finditer(text):
        value = match["value"].removeprefix("망 ")
        if value.replace(" ", "") in match["title"].replace(" ", ""):
            yield Mark(match.end("value") - len(value), match.end("value"), "role", _plain(value))
