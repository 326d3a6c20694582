"""Numbers written so that no form of a number shows: in words, apart, in pieces, half hidden.

공일공에 칠이팔팔에 영삼육구, 수번 팔백삼십일, 도어락 별 이사공팔 우물정, 경북 83 아 1 9 0 4,
110/482/ 그리고 이어서 930 417. What the words beside it call such a number is its label;
without such a word only telephones, internet addresses and plates beside a vehicle are taken.
"""

import re
from collections.abc import Iterator

from thunder.identifiers.cues import NAMED, is_near
from thunder.taxonomy.lexicon import expression, labels_of
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
_NO_WORDS = frozenset("0123456789 ._~/·\n\r-")
_APART_AT_LEAST = 6  # gaps: a telephone in groups has two
_GAPS = lazy.compile(r"[ ._~/·-]+")
_PHONE_WORD = expression("<phone-word>")

_ANY = "관리번호"
_CUE = "<said-number>"
_PLACES_WORD = "자리"
_PLACE = f"(?:전화|카드|휴대폰|핸드폰)?[가-힣 ]{{0,4}}{_PLACES_WORD}"
_TO_VALUE = (
    r"(?:(?P<is>(?:는|은|가|를|을|이|인|로)?[ :]{0,2}[“\"‘']?)|[^.\n“\"‘']{1,24}[“\"‘'])"  # said
)
_LETTER_NAME = "<letter-name>"  # but those that are digits, too: 이, 오
_KEY = "<telephone-key>"
_NO_PARTICLE = "(?<!이(?=[라었고며다니므야]))"  # 사일이라고: 이 is no digit there
_TAIL = r"(?:[^가-힣]|\Z|<after-said>|으?로(?![가-힣])|인(?![가-힣]))"
_VALUE = (
    rf"{_TO_VALUE}"
    rf"(?P<value>(?:(?:{_LETTER_NAME}|[이오]){{1,8}} ?)?(?:{_KEY} ?)?{_WORD}{_SIGN}{{0,12}}"
    rf"(?:(?: ?- ?| ?다시 ?| ?에 ?| ){_SIGN}{{1,12}}){{0,5}}{_NO_PARTICLE}(?: ?{_KEY})?)(?={_TAIL})"
    r"(?! ?(?:여 ?)?<counted-in-words>)"
)
_CUED = expression(rf"(?P<cue>{_CUE}|{_PLACE}){_VALUE}")
_CUED_BY_WORD = expression(rf"(?P<cue>{_CUE}){_VALUE}")  # where the text holds no _PLACES_WORD
_LETTERED = expression(_LETTER_NAME)
_LEAST_SIGNS, _LEAST_OF_COUNT, _LEAST_IN_WORDS = 4, 3, 3
_IN_WORDS = frozenset(_DIGIT_WORDS + "0123456789")
_INTERNET = expression(
    rf"(?<![가-힣]){_SIGN}{{1,6}}(?: ?점 ?{_SIGN}{{1,6}}){{3}}{_NO_PARTICLE}(?={_TAIL})",
    needs=("점",),
)
_MAIL = expression(
    r"(?:메일|전자우편)(?: ?주소)?(?:은|는|이|가|을|를|인)?[ :]{0,2}[“\"‘']?"
    r"(?P<value>(?:[가-힣A-Za-z0-9]{1,20} ){0,5}[가-힣A-Za-z0-9]{1,24}"
    r"(?: ?골뱅이 ?[가-힣A-Za-z0-9]{2,20}"
    r"(?: ?(?:닷|점|쩜) ?(?:<ending-in-words>|[A-Za-z]{2,4})){1,3}"
    r"| (?:앳|엣|at|골뱅이) <mail-provider>(?: ?(?:닷|점|쩜)? ?(?:컴|넷|com|net))?))",
    needs=("골뱅이", "앳", "엣", " at "),
)
_APART_DIGITS = lazy.compile("[0-9] [0-9]")  # without which no digits stand apart
# 직원번호 제 0 0 5 8 3 1 호
_ROW = expression(
    r"(?:번호|<known-by-number>)(?:는|은|가|이)?[ :]{0,2}"
    r"(?P<value>(?:제 ?)?[0-9](?: [0-9]){3,15}(?: ?호)?)(?! ?[0-9])"
)
# 뒷번호 2918, 뒤 네 자리 2918: of a card or a telephone
_LAST = expression(
    r"<last-places>(?:는|은|가|이)?[ :]{0,2}[“\"‘']?(?P<value>[0-9]{4}|[0-9]{7})"
    r"(?![0-9]|[.,][0-9]| ?<no-last-places>)",
    needs=("번호", "자리"),
)

_SYLLABLE = "<plate-syllable>"
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
    r"(?:(?:[ /().-]|<said-between>|[두세네] ){1,16}"
    r"[0-9]{1,7}){1,5})"
    r"(?![0-9,])"
)
_PIECE = lazy.compile(r"[0-9]+(?:[ /-]{1,2}[0-9]+)*/?")

_ROAD = lazy.compile(
    rf"[가-힣]{{1,6}}[로길]{_WORD}{{1,8}}번?[가-힣]?길(?: ?{_SIGN}{{1,8}})?"
    rf"(?:(?:, ?| )(?:{_SIGN}{{1,6}}동 ?)?{_SIGN}{{2,6}}호)?(?![가-힣]{{3}})",
    needs=("길",),
)
_LOT = expression(
    r"(?<![가-힣])[가-힣]{1,4}[동리] [0-9](?: [0-9]){1,3}(?: ?(?:의|-) ?[0-9](?: [0-9]){0,3})?"
    r"(?: ?번지)?(?: <lowest-floor>)?(?: [A-Z]?[0-9]{1,4}호)?(?! ?[0-9])"
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
    if not _NO_WORDS.issuperset(match[0]):
        return True
    if len(_GAPS.findall(match[0])) < _APART_AT_LEAST:
        return False
    only_spaces = set(match[0]) <= set("0123456789 ")
    return not only_spaces or is_near(text, match.start(), match.end(), _PHONE_WORD, after=20)


def _value(match: re.Match[str], label: str) -> Span:
    return Span(match.start("value"), match.end("value"), label, NAMED)


def _label(cue: str) -> str:
    return next((label for word, label in labels_of("said_numbers").items() if word in cue), _ANY)


def _is_number(match: re.Match[str]) -> bool:
    """Return whether it has as many digits as no word has: four, or three right behind a cue."""
    value = _LETTERED.sub("", match["value"])
    if value.startswith("이 ") or sum(sign in _DIGIT_WORDS for sign in value) < _LEAST_IN_WORDS:
        return False  # 은행이 795,803,245원: the particle
    digits = sum(sign in _IN_WORDS for sign in value)
    counts = match["is"] is not None and not set("십백천").isdisjoint(match["value"])
    return digits >= (_LEAST_OF_COUNT if counts else _LEAST_SIGNS)


def _accounts(text: str) -> Iterator[Span]:
    for match in _PIECES.finditer(text):
        size = sum(map(str.isdigit, match["value"]))
        if 9 <= size <= 16 and any("가" <= sign <= "힣" for sign in match["value"]):
            for piece in _PIECE.finditer(text, *match.span("value")):
                yield Span(piece.start(), piece.end(), "계좌번호", NAMED)
