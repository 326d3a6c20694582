"""What a shop or firm without a generic noun may be, by what is said to be done there."""

import re
from collections.abc import Iterator

from thunder.taxonomy.lexicon import words_of
from thunder.training_data.placeholders import contexts
from thunder.training_data.placeholders.nouns import generic_nouns, is_business, says_kind
from thunder.training_data.placeholders.record import SOME_FIRM, Vote

_BEHIND, _BEFORE = 160, 100
_SHOP_BEFORE = re.compile(
    r"(?:에 있는|에 위치한|소재|[이가] 운영하는|[이가] 운영하던|운영의|근무하는|근무하던|위|층) "
    r"?[‘'“\"]?$"
)
_SHOP_AFTER = re.compile(
    r"['’”\"]?(?:에서| 앞| 내| 안|[을를] 운영|이?라는 상호|의 (?:업주|종업원|직원|손님))"
)
_LENDING = re.compile(r"대출|금리|상환|금융기관|보이스피싱|전화금융사기|햇살론")
_STAFF = re.compile(r"['’”\"]? ?(?:은행 )?(?:직원|소속|상담|대출|팀장|콜센터|대리|과장|담당)")


# A lender that calls: "A B 팀장입니다", 'A회사' 직원을 사칭, A 채권추심팀.
_CALLER = re.compile(
    r"['’”\"]? [A-Z]{1,2} ?(?:대리|팀장|과장|차장|계장|입니다|이다)|"
    r" ?회사['’”\"]? ?(?:직원|대출|[A-Z]{1,2} ?(?:대리|팀장|과장))|"
    r"['’”\"]? ?[가-힣]{0,4}채권[가-힣]{0,3}팀|"
    r"의 직원(?:이라고|을 사칭|인 것처럼)"
)


def scene(text: str, start: int, end: int) -> Iterator[Vote]:
    """Yield the trades that the words around a shop's or lender's placeholder speak of."""
    if _CALLER.match(text, end):
        around = _LENDING.search(text, max(0, start - _BEFORE), end + _BEHIND)
        yield Vote("은행" if around else SOME_FIRM, 4.4)
        return
    if _STAFF.match(text, end):
        if _LENDING.search(text, max(0, start - _BEFORE), end + _BEFORE):
            yield Vote("은행", 2.6)
        return
    left = text[max(0, start - 12) : start]
    if not (_SHOP_BEFORE.search(left) or _SHOP_AFTER.match(text, end)):
        return
    yield from _called_again(text, end)
    here, before = text[end : end + _BEHIND], text[max(0, start - _BEFORE) : start]
    for row in contexts.contexts(contexts.SCENES):
        if row.sides["said"].search(here):
            yield Vote(row.vote.label, 1.1)
        elif row.sides["said"].search(before):
            yield Vote(row.vote.label, 0.5)


_AGAIN = re.compile(r"(?:위|그|이|그 ?곳|같은) (?P<noun>[가-힣]{2,7})")


def _called_again(text: str, end: int) -> Iterator[Vote]:
    """Yield the trade by whose noun the text goes on to speak of the place: 위 식당에서."""
    for match in _AGAIN.finditer(text, end, end + _BEHIND):
        word = match["noun"]
        for length in range(len(word), 1, -1):
            noun = word[:length]
            label = generic_nouns().get(noun)
            if noun in words_of("says-nothing-new"):
                continue
            if label and says_kind(noun) and is_business(label):
                yield Vote(label, 2.0)
                return
