"""Numbers written so that no form of a number shows: in words, apart, in pieces, half hidden.

공일공에 칠이팔팔에 영삼육구, 수번 팔백삼십일, 도어락 별 이사공팔 우물정, 경북 83 아 1 9 0 4,
110/482/ 그리고 이어서 930 417. What the words beside it call such a number is its label;
without such a word only telephones, internet addresses and plates beside a vehicle are taken.
"""

import re
from collections.abc import Iterator

from thunder.identifiers import formats
from thunder.identifiers.cues import NAMED
from thunder.taxonomy.lexicon import expression, labels_of, words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "spelled"

ROWS = formats.Recogniser(NAME)

_WORD, _SIGN = "<number-word>", "<said-sign>"
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
_LETTERED = expression(_LETTER_NAME)
_LEAST_SIGNS, _LEAST_OF_COUNT, _LEAST_IN_WORDS = 4, 3, 3
_INTERNET = expression(
    rf"(?<![가-힣]){_SIGN}{{1,6}}(?: ?점 ?{_SIGN}{{1,6}}){{3}}{_NO_PARTICLE}(?={_TAIL})",
    needs=("점",),
)
# An account said or noted in pieces: what joins them is words.
_PIECES = expression(
    r"<bank>(?:은행|뱅크|금고)? ?(?:계좌 ?)?(?P<value>[0-9]{2,6}"
    r"(?:(?:[ /().-]|<said-between>|[두세네] ){1,16}"
    r"[0-9]{1,7}){1,5})"
    r"(?![0-9,])"
)
_PIECE = lazy.compile(r"[0-9]+(?:[ /-]{1,2}[0-9]+)*/?")


def find(text: str) -> Iterator[Span]:
    """Yield the numbers of *text* that stand in words, apart, in pieces or half hidden."""
    yield from ROWS.find(text)
    cue = f"{_CUE}|{_PLACE}" if _PLACES_WORD in text else _CUE
    for match in expression(f"(?P<cue>{cue}){_VALUE}").finditer(text):
        if _is_number(match):
            yield _value(match, _label(match["cue"]))
    for match in _INTERNET.finditer(text):
        yield Span(match.start(), match.end(), "관리번호", NAMED)
    yield from _accounts(text)


def _value(match: re.Match[str], label: str) -> Span:
    return Span(match.start("value"), match.end("value"), label, NAMED)


def _label(cue: str) -> str:
    return next((label for word, label in labels_of("said_numbers").items() if word in cue), _ANY)


def _is_number(match: re.Match[str]) -> bool:
    """Return whether it has as many digits as no word has: four, or three right behind a cue."""
    value = _LETTERED.sub("", match["value"])
    in_words = sum(sign in words_of("digit-word") for sign in value)
    if value.startswith("이 ") or in_words < _LEAST_IN_WORDS:
        return False  # 은행이 795,803,245원: the particle
    digits = in_words + sum("0" <= sign <= "9" for sign in value)
    counts = match["is"] is not None and not set("십백천").isdisjoint(match["value"])
    return digits >= (_LEAST_OF_COUNT if counts else _LEAST_SIGNS)


def _accounts(text: str) -> Iterator[Span]:
    for match in _PIECES.finditer(text):
        size = sum(map(str.isdigit, match["value"]))
        if 9 <= size <= 16 and any("가" <= sign <= "힣" for sign in match["value"]):
            for piece in _PIECE.finditer(text, *match.span("value")):
                yield Span(piece.start(), piece.end(), "계좌번호", NAMED)
