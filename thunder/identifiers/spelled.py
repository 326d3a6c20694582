"""Numbers written so that no form of a number shows: in words, apart, in pieces, half hidden.

공일공에 칠이팔팔에 영삼육구, 수번 팔백삼십일, 도어락 별 이사공팔 우물정, 경북 83 아 1 9 0 4,
110/482/ 그리고 이어서 930 417. What the words beside it call such a number is its label;
without such a word only telephones, internet addresses and plates beside a vehicle are taken.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import NAMED, is_near
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "spelled"
PIERCES_SHIELDS = True

_DIGIT_WORDS = "공영일이삼사오육륙칠팔구"
_WORD = f"[{_DIGIT_WORDS}십백천]"
_SIGN = f"[0-9{_DIGIT_WORDS}십백천]"
_OR_LIKE = rf"[0-9OoIl\u3163{_DIGIT_WORDS}]"
_APART = "[ _.]?"
_GROUP = r"(?: ?에 ?|[ ._~/·-]{0,3})"
_PHONE = lazy.compile(
    rf"[0Oo공영](?<![0-9가-힣A-Za-z.,].){_APART}[1Il\u3163일]{_APART}[016789Oo공영]"
    rf"{_GROUP}{_OR_LIKE}(?:{_APART}{_OR_LIKE}){{2,3}}"
    rf"{_GROUP}{_OR_LIKE}(?:{_APART}{_OR_LIKE}){{3}}(?![0-9A-Za-z])"
)
_NO_DIGIT = lazy.compile(r"[^0-9 ._~/·\n\r-]")
_APART_AT_LEAST = 6  # gaps: a telephone in groups has two
_GAPS = lazy.compile(r"[ ._~/·-]+")
_PHONE_WORD = expression("<phone-word>")

# What such numbers are of, by the word before them: the first that fits.
_LABEL_OF = (
    ("계좌|통장|뱅크|카뱅|은행|농협|신협|금고", "계좌번호"),
    ("주민", "주민등록번호"),
    ("여권", "관리번호"),
    ("카드", "카드번호"),
    ("비밀번호|비번|도어락|패스워드", "비밀번호"),
    ("카톡|카카오톡|아이디|텔레그램|위챗", "아이디"),
    ("전화|휴대폰|핸드폰|연락처", "휴대폰번호"),
    ("", "관리번호"),
)
_CUE = (
    "(?:주민|여권|카드|전화|휴대폰|핸드폰|직원|수용|계좌|비밀|사원|등록) ?번호"
    "|번호|계좌"
    "|통장|카뱅|뱅크|은행|농협|신협|금고|도어락|비번|패스워드|수번|사번"
    "|학번|군번|카톡|카카오톡|아이디|텔레그램|위챗"
    "|연락처|전화"
)
_PLACES_WORD = "자리"
_PLACE = f"(?:전화|카드|휴대폰|핸드폰)?[가-힣 ]{{0,4}}{_PLACES_WORD}"
_TO_VALUE = (
    r"(?:(?P<is>(?:는|은|가|를|을|이|인|로)?[ :]{0,2}[“\"‘']?)|[^.\n“\"‘']{1,24}[“\"‘'])"  # said
)
_LETTER_NAME = (  # but those that are digits, too: 이, 오
    "(?:더블유|에이치|에이|에프|에스|엑스|와이|제트|제이|케이|아이|브이|비|씨|디|지|엘|엠|엔|피|큐|알|티|유)"
)
_KEY = "(?:별표|별|샵|우물정자|우물정)"
_NO_PARTICLE = "(?<!이(?=[라었고며다니므야]))"  # 사일이라고: 이 is no digit there
_TAIL = (
    r"(?:[^가-힣]|\Z|[은는가을를의에야번호]|으?로(?![가-힣])|이(?:다|고|며|라|었|야|므|니|가)|인(?![가-힣])"
    "|입니다|라고)"
)
_VALUE = (
    rf"{_TO_VALUE}"
    rf"(?P<value>(?:(?:{_LETTER_NAME}|[이오]){{1,8}} ?)?(?:{_KEY} ?)?{_WORD}{_SIGN}{{0,12}}"
    rf"(?:(?: ?- ?| ?다시 ?| ?에 ?| ){_SIGN}{{1,12}}){{0,5}}{_NO_PARTICLE}(?: ?{_KEY})?)(?={_TAIL})"
    r"(?! ?(?:여 ?)?(?:만|억|조|원|명|개|건|회|년|월|차|달러|번째|주|평|일부터|일까지))"
)
_CUED = lazy.compile(rf"(?P<cue>{_CUE}|{_PLACE}){_VALUE}")
_CUED_BY_WORD = lazy.compile(rf"(?P<cue>{_CUE}){_VALUE}")  # where the text holds no _PLACES_WORD
_LETTERED = lazy.compile(_LETTER_NAME)
_LEAST_SIGNS, _LEAST_OF_COUNT, _LEAST_IN_WORDS = 4, 3, 3
_IN_WORDS = frozenset(_DIGIT_WORDS + "0123456789")
_INTERNET = lazy.compile(
    rf"(?<![가-힣]){_SIGN}{{1,6}}(?: ?점 ?{_SIGN}{{1,6}}){{3}}{_NO_PARTICLE}(?={_TAIL})",
    needs=("점",),
)
_MAIL = lazy.compile(
    r"메일(?: ?주소)?(?:은|는|이|가|을|를)?[ :]{0,2}[“\"‘']?"
    r"(?P<value>(?:[가-힣A-Za-z0-9]{1,12} ){0,5}[가-힣A-Za-z0-9]{1,12} ?골뱅이 ?"
    r"[가-힣A-Za-z0-9]{2,12}"
    r"(?: ?(?:닷|점|쩜) ?(?:컴|넷|씨오|코|케이알|오알|[A-Za-z]{2,4})){1,3})",
    needs=("골뱅이",),
)
_APART_DIGITS = lazy.compile("[0-9] [0-9]")  # without which no digits stand apart
# 직원번호 제 0 0 5 8 3 1 호
_ROW = lazy.compile(
    r"(?:번호|사번|학번|수번|군번)(?:는|은|가|이)?[ :]{0,2}"
    r"(?P<value>(?:제 ?)?[0-9](?: [0-9]){3,15}(?: ?호)?)(?! ?[0-9])"
)
# 뒷번호 2918, 뒤 네 자리 2918: of a card or a telephone
_LAST = lazy.compile(
    r"(?:번호 ?뒤|뒷 ?번호|뒷 ?자리|끝 ?자리|끝 ?번호|뒤 ?(?:네|4) ?자리|끝 ?(?:네|4) ?자리)"
    r"(?:는|은|가|이)?[ :]{0,2}[“\"‘']?(?P<value>[0-9]{4}|[0-9]{7})"
    r"(?![0-9]|[.,][0-9]| ?(?:년|월|원|회|명|개|건|만|억|천|백|%|\.))",
    needs=("번호", "자리"),
)

_SYLLABLE = "[가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호]"
_PLATES = (
    rf"[{_DIGIT_WORDS}십](?<![가-힣].)[{_DIGIT_WORDS}십]{{1,3}}{_SYLLABLE} ?[{_DIGIT_WORDS}]{{4}}"
    "(?=호|[^가-힣]|[은는이가을를의])",
    rf"[0-9](?<![0-9].)[0-9]{{1,2}} ?{_SYLLABLE} ?(?=[0-9]{{0,3}}[?*○])"
    rf"(?=[?*○]?[0-9?*○]?[0-9])[0-9?*○]{{4}}(?![0-9])",
)
_PLATE = tuple(map(expression, _PLATES))
_PLATE_APART = expression(
    rf"(?:<region> ?)?(?<![0-9])[0-9]{{2,3}} ?{_SYLLABLE} [0-9] [0-9] [0-9] [0-9](?! ?[0-9])"
)
_VEHICLE = expression(r"<vehicle>|번호")

# An account said or noted in pieces: what joins them is words.
_PIECES = expression(
    r"<bank>(?:은행|뱅크|금고)? ?(?:계좌 ?)?(?P<value>[0-9]{2,6}"
    r"(?:(?:[ /().-]|그리고|이어서|다음|마지막|가운데|중간|[앞뒤끝]|[두세네] |자리|[는은로]){1,16}"
    r"[0-9]{1,7}){1,5})"
    r"(?![0-9,])"
)
_PIECE = lazy.compile(r"[0-9]+(?:[ /-]{1,2}[0-9]+)*/?")
_JOINED_BY_WORDS = lazy.compile("[가-힣]")

_ROAD = lazy.compile(
    rf"[가-힣]{{1,6}}[로길]{_WORD}{{1,8}}번?[가-힣]?길(?: ?{_SIGN}{{1,8}})?"
    rf"(?:(?:, ?| )(?:{_SIGN}{{1,6}}동 ?)?{_SIGN}{{2,6}}호)?(?![가-힣]{{3}})",
    needs=("길",),
)
_LOT = lazy.compile(
    r"(?<![가-힣])[가-힣]{1,4}[동리] [0-9](?: [0-9]){1,3}(?: ?(?:의|-) ?[0-9](?: [0-9]){0,3})?"
    r"(?: ?번지)?(?: (?:반지하|지하|지층|옥탑))?(?: [A-Z]?[0-9]{1,4}호)?(?! ?[0-9])"
)


def find(text: str) -> Iterator[Span]:
    """Yield the numbers of *text* that stand in words, apart, in pieces or half hidden."""
    for match in _PHONE.finditer(text):
        if _is_disguised(text, match):
            yield Span(match.start(), match.end(), "휴대폰번호", NAMED)
    cued = _CUED if _PLACES_WORD in text else _CUED_BY_WORD
    for match in cued.finditer(text):
        if _is_number(match):
            yield _value(match, _label(match["cue"]))
    for match in _INTERNET.finditer(text):
        yield Span(match.start(), match.end(), "관리번호", NAMED)
    is_apart = _APART_DIGITS.search(text) is not None
    rows = (_ROW,) if is_apart else ()
    for pattern, label in ((_MAIL, "이메일주소"), *((row, "관리번호") for row in (*rows, _LAST))):
        for match in pattern.finditer(text):
            yield _value(match, label)
    for pattern in (*_PLATE, _PLATE_APART) if is_apart else _PLATE:
        for match in pattern.finditer(text):
            if is_near(text, match.start(), match.end(), _VEHICLE, before=30, after=20):
                yield Span(match.start(), match.end(), "차량번호", NAMED)
    yield from _accounts(text)
    for pattern in (_ROAD, _LOT) if is_apart else (_ROAD,):
        for match in pattern.finditer(text):
            yield Span(match.start(), match.end(), "주소", NAMED)


def _is_disguised(text: str, match: re.Match[str]) -> bool:
    """Return whether its digits are words or letters, or stand apart and are no table's cells."""
    if _NO_DIGIT.search(match[0]):
        return True
    if len(_GAPS.findall(match[0])) < _APART_AT_LEAST:
        return False
    only_spaces = set(match[0]) <= set("0123456789 ")
    return not only_spaces or is_near(text, match.start(), match.end(), _PHONE_WORD, after=20)


def _value(match: re.Match[str], label: str) -> Span:
    return Span(match.start("value"), match.end("value"), label, NAMED)


def _label(cue: str) -> str:
    return next(label for words, label in _LABEL_OF if re.search(words, cue))


def _is_number(match: re.Match[str]) -> bool:
    """Return whether it has as many digits as no word has: four, or three right behind a cue."""
    value = _LETTERED.sub("", match["value"])
    if value.startswith("이 ") or sum(sign in _DIGIT_WORDS for sign in value) < _LEAST_IN_WORDS:
        return False  # 은행이 795,803,245원: the particle
    digits = sum(sign in _IN_WORDS for sign in value)
    counts = match["is"] is not None and re.search("[십백천]", match["value"]) is not None
    return digits >= (_LEAST_OF_COUNT if counts else _LEAST_SIGNS)


def _accounts(text: str) -> Iterator[Span]:
    for match in _PIECES.finditer(text):
        size = sum(map(str.isdigit, match["value"]))
        if 9 <= size <= 16 and _JOINED_BY_WORDS.search(match["value"]):
            for piece in _PIECE.finditer(text, *match.span("value")):
                yield Span(piece.start(), piece.end(), "계좌번호", NAMED)
