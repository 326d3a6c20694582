"""Names in quotation marks where the text names something: 상호 'X', 'X'라는 식당, 'X' 식당에서."""

import re
from collections.abc import Iterator
from dataclasses import replace

from thunder.names.chunks import (
    TAIL,
    is_inflected,
    is_placeholder,
    is_unfamiliar,
    word_after,
    word_before,
)
from thunder.names.descriptors import PLACE, UNKNOWN, label_of, lexicon, read
from thunder.names.naming import is_proper
from thunder.names.patterns.rules import classes
from thunder.names.person_lexicon import commonness
from thunder.text.spans import Span

# Databases break lines and pad before a name. A straight mark there may as well be a closing one.
_PADDING = r"(?:(?<=[‘“「『〈])(?: {0,8}\n)? {0,16})?"
_QUOTATION = re.compile(
    rf"['‘\"“`「『<〈]{_PADDING}([^'’\"”`」』>〉'‘\"“\n]{{2,24}})['’\"”`」』>〉]"
)
# A post, whose title may be any words at all; a book's, a statute's and a chapter's stay.
_POST = re.compile(
    rf"['‘\"“`<〈]{_PADDING}([^'’\"”`>〉‘“<〈\n]{{2,40}})['’\"”`>〉]"
    r"이?라는[ \n]{1,12}제목(?:의|으로)[ \n]{1,12}(?:인터넷 )?"
    r"(?:(?:게시판|광고|홍보|판매|모집|구인) ?글|게시글|게시물|댓글|광고|글)"
    rf"{TAIL.pattern}(?![가-힣])"
)
_TRADE_NAME_BEFORE = re.compile(r"(?:상호|업체명|회사명|점포명|가게명)(?:는|가|인|:)? ?$")
_LOCATED_BEFORE = re.compile(
    r"(?:에 있는|소재|에 위치한|운영하는|운영의|경영하는|근무하는|일하는|(?<!소)위|[0-9]층),? ?$"
)
_AT_BEFORE = re.compile(r"(?:경|[0-9]|[시군구읍면동리로길]),? $")
_CALLED_AFTER = re.compile(
    r"이?(?:라는|란) ?(상호|이름의|업체|회사|식당|음식점|주점|술집|가게|점포|매장|카페|커피숍|"
    r"학원|병원|클럽|노래방|마트|사이트|어플|앱|게임|사업체|법인|공장|미용실|업소|부동산|모텔|"
    r"펜션|쇼핑몰|브랜드|단체|모임)"
)
_RUN_AFTER = re.compile(
    r"[을를] ?(?:[가-힣]{2}[·, ]{1,2})?(?:운영|경영)(?:하는|하던|한|해 ?온|하여 ?온) "
    r"(?:[가-힣]{0,6}(?:회사|법인|업체|사업자|업주|대표|개인사업자|사장)|자(?=[ 로이인,])|사람)"
)
_ENDS = re.compile(r"(?:에서|의|을|를|에|으로|로|이라는|라는|이|가|은|는)?(?:[ ,(]|$)")
_AT_AFTER = re.compile(r"에서 | (?:앞|내|안|부근|근처|인근)[ 에]")
# "'X' 광고", "'X' 팀": here a quotation is a slogan or a description as often as a name.
_SAID_OF = frozenset(
    ("광고", "방송", "신문", "카드", "시장", "시스템", "부동산", "주택", "용역", "팀", "코인")
)
_LETTERS = re.compile(r"[가-힣A-Za-z]{2}|[가-힣]")
# An article has a title as well; what is put up somewhere is a post.
_ONLINE = re.compile(
    "게시|등록|작성|올[리렸린려라]|댓글|사이트|카페|블로그|커뮤니티|인터넷|온라인|클릭|접속"
)
_NEAR = 80
_LEFT_OUT = re.compile(r"생략\)?$")
_FILE = re.compile(r"\.[A-Za-z]{2,4}$")
_TITLE = re.compile(r"(?:부장|과장|팀장|대리|실장|차장|사장|회장|변호사|검사|수사관|씨)$")
# ‘부(婦), 처(妻)’ are a statute's words with their Hanja.
_GLOSSED = re.compile(r"(?<![가-힣])[가-힣]\([\u3400-\u9fff]\)")
_TRADE_NAME = "names:trade_name:defined"
"""The source of what is looked for everywhere, as a short form is that the judgment defines."""

_SAYS_IT = re.compile(r"상호(?:는|가|인|:)? ?$")
_LEAST = 2
_MOST_WORDS = 4
_REACH = 16


def find(text: str) -> Iterator[Span]:
    """Yield quoted names; quotations of speech and defined terms ('이 사건 토지') are none."""
    yield from _posts(text)
    for match in _QUOTATION.finditer(text):
        found = _naming(text, match)
        phrase = match[1].strip()
        if found and _is_title(phrase):
            start = match.start(1) + match[1].index(phrase)
            name = _without_noun(phrase, Span(start, start + len(phrase), *found))
            is_sure = _is_trade_name(text, match) and _is_rare(text[name.start : name.end])
            yield replace(name, source=_TRADE_NAME) if is_sure else name


def _is_trade_name(text: str, quotation: re.Match[str]) -> bool:
    """Return whether the judgment says that a quotation is the name under which somebody trades."""
    before = text[max(0, quotation.start() - _REACH) : quotation.start()]
    called = _CALLED_AFTER.match(text, quotation.end())
    return (called is not None and called[1] == "상호") or _SAYS_IT.search(before) is not None


def _is_rare(name: str) -> bool:
    """Return whether *name* is masked wherever it stands: no 행복, which is a word elsewhere."""
    is_word = commonness(name, tailed=False) > 0 or commonness(name, tailed=True) > 1
    return not is_word and (len(name) > _LEAST or is_unfamiliar(name))


def _posts(text: str) -> Iterator[Span]:
    """Yield the whole titles of posts and advertisements: '나눔 하실 분'이라는 제목의 글."""
    for match in _POST.finditer(text):
        title = match[1].strip()
        around = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        if not _ONLINE.search(around) or is_placeholder(title) or _LEFT_OUT.search(title):
            continue
        if _LETTERS.search(title):
            start = match.start(1) + match[1].index(title)
            yield Span(start, start + len(title), "온라인게시글명", 1.0)


def _naming(text: str, quotation: re.Match[str]) -> tuple[str, float] | None:
    """Return the label and the score that the words around a quotation give it, or None."""
    before = text[max(0, quotation.start() - _REACH) : quotation.start()]
    called = _CALLED_AFTER.match(text, quotation.end())
    if called:
        return label_of(called[1]), 0.85
    if _TRADE_NAME_BEFORE.search(before) or _RUN_AFTER.match(text, quotation.end()):
        return UNKNOWN, 0.85
    noun = _noun_after(text, quotation.end())
    if noun:
        return noun, 0.85
    role = _role_before(text, quotation.start())
    if role:
        return role, 0.8
    if _LOCATED_BEFORE.search(before) and _ENDS.match(text, quotation.end()):
        return UNKNOWN, 0.8
    if _AT_BEFORE.search(before) and _AT_AFTER.match(text, quotation.end()):
        return UNKNOWN, 0.7
    return None


def _noun_after(text: str, at: int) -> str | None:
    """Return the label of the generic noun right after a quotation: 'X' 식당."""
    word = word_after(text, at + (text[at : at + 1] == " "))
    reading = read(word.text) if word else None
    if reading is None or reading.noun_start or reading.descriptor.noun in _SAID_OF:
        return None
    return reading.descriptor.label


def _role_before(text: str, at: int) -> str | None:
    """Return the label of what a quotation is introduced as: 투자회사인 'X', 사이트 'X'."""
    word = word_before(text, at - (text[at - 1 : at] == " "))
    if word is None:
        return None
    noun = word.text.removesuffix("인")
    reading = read(noun)
    if reading and reading.name_end and reading.descriptor.kind == PLACE:
        return None  # 나래병원 ‘위염’: it has its name, and the quotation says something else
    return label_of(noun) if noun.endswith(classes()["called"]) else None


def _without_noun(phrase: str, span: Span) -> Span:
    """Return the distinctive part of a quoted name, which its noun labels: '[나리] 식당'."""
    last = phrase.rsplit(maxsplit=1)[-1]
    reading = read(last)
    if reading is None or reading.descriptor.inside:
        return span
    name = phrase[: len(phrase) - len(last) + reading.noun_start].rstrip()
    if not name:
        return span
    label = reading.descriptor.label if span.label == UNKNOWN else span.label
    return replace(span, end=span.start + len(name), label=label)


def _is_title(phrase: str) -> bool:
    """Return whether a quotation is a name: few words, not inflected, no defined term."""
    parts = phrase.split()
    if not parts or len(parts) > _MOST_WORDS or not phrase[0].isalnum():
        return False
    if parts[0] in lexicon().never or not _LETTERS.search(phrase) or _FILE.search(phrase):
        return False
    if _GLOSSED.search(phrase):
        return False
    if len(parts) == 1:
        reading = read(phrase)
        return reading.name_end > 0 if reading else is_proper(phrase)
    if _TITLE.search(parts[-1]):
        return False  # '김한솔 부장': a person
    return not is_inflected(parts[-1]) and not is_placeholder(phrase)
