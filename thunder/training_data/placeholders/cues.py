"""What the words before and behind a placeholder say that it stands for."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thunder.taxonomy.lexicon import expression, legal_forms, table
from thunder.training_data.placeholders.cue_tables import AFTER, AROUND, BEFORE, PERSON, QUOTE
from thunder.training_data.placeholders.localities import REACH, left_of, place, right_of, unit
from thunder.training_data.placeholders.nouns import (
    body_of,
    generic_nouns,
    is_known,
    is_trade,
    joined_form,
    noun_after,
    noun_before,
)
from thunder.training_data.placeholders.record import Vote
from thunder.training_data.placeholders.scenes import by_scene, scene
from thunder.training_data.placeholders.trades import named_after, named_before
from thunder.training_data.placeholders.vehicles import vehicle

_BY_FORM, _BY_FORM_OF_BODY = 6.5, 14.0
_Q = QUOTE
_FORM_AFTER = rf"{_Q} ?(<legal-form>)"
_FORM_BEFORE = rf"(<legal-form>) ?{_Q}$"


def before(text: str, start: int, *, company: bool = False) -> list[Vote]:
    """Return what the text before *start* speaks for; *company*: a legal form stands behind."""
    left = left_of(text, start)
    votes = [vote for pattern, vote in BEFORE if pattern.search(left)]
    form = expression(_FORM_BEFORE).search(left)
    if form:
        votes.append(_of_form(form[1]))
    elif role := _role(left):
        votes.append(role)
    votes += place(left)
    votes += list(named_before(left, company=company)) or list(noun_before(left))
    return votes


def named_as(text: str, start: int) -> list[Vote]:
    """Return what the word right before *start* says is named there: 법무법인 (명칭 생략)."""
    left = left_of(text, start)
    form = expression(_FORM_BEFORE).search(left)
    return [_of_form(form[1])] if form else list(noun_before(left))


def after(text: str, end: int) -> list[Vote]:
    """Return what the text from *end* on speaks for."""
    right = right_of(text, end)
    votes = [vote for pattern, vote in AFTER if pattern.match(right)]
    form = expression(_FORM_AFTER).match(right)
    if form:
        votes.append(Vote(legal_forms()[form[1].replace(" ", "")], _BY_FORM))
    nouns = list(noun_after(right))
    votes += nouns
    if not any(is_known(vote.label) for vote in nouns):
        votes += joined_form(right)
    votes += named_after(right)
    return votes


def _of_form(form: str) -> Vote:
    """Return the vote of a legal form before a name: a school's body is named 학교법인 ○○학원."""
    label = legal_forms()[form.replace(" ", "")]
    return Vote(label, _BY_FORM if is_trade(label) else _BY_FORM_OF_BODY)


def is_company(text: str, end: int) -> bool:
    """Return whether a legal form stands behind the placeholder that ends at *end*."""
    return expression(_FORM_AFTER).match(text, end) is not None


_BODY_FORM = (
    r"(?:\([가-힣]{1,10}\))? ?(?:(<legal-form>)|(?P<firm>(?:외국 ?)?회사(?![원생]))|"
    r"(?P<law>(?:외국 ?)?법인(?!세|등기)))"
)


def body_after(text: str, end: int) -> Iterator[Vote]:
    """Yield what makes a numbered party (소외 2) a body: its legal form, or the noun of a body.

    A building, an account or a car behind it only belongs to the person.
    """
    right = text[end : end + REACH]
    form = expression(_BODY_FORM).match(right)
    if form:
        label = legal_forms().get((form[1] or "").replace(" ", ""), "불특정회사명")
        yield Vote(label, 9.0)
        return
    yield from body_of(right)


def around(text: str, start: int, end: int) -> list[Vote]:
    """Return what both sides of a placeholder speak for together."""
    left, right = left_of(text, start), right_of(text, end)
    votes = list(unit(left, right))
    if prison := _IN_PRISON.search(left):
        votes += _cell(prison["kind"], right)
    if "보험" in left and re.match(r" ?(?:계약|상품)", right):
        votes.append(Vote("보험상품", 5))
    if right.startswith(("은행", " 은행")):
        return votes
    if re.match(rf"{_Q} ?(?:은행)? ?(?:예금)?(?:계좌|통장)", right) and re.search(
        r"(?:명의의?|의) $", left
    ):
        votes.append(Vote("은행", 4))
    votes += _site(left, right)
    votes += by_scene(left, right)
    votes += [both for on, off, both in AROUND if on.search(left) and off.match(right)]
    votes += vehicle(left, right)
    if _ACCOUNT_OPENS.search(left) and _ACCOUNT_GOES_ON.match(right):
        votes.append(Vote("은행", 14.0))
    if _STANDS.search(left) and (beside := _BESIDE.match(right)):
        votes.append(Vote("건물" if beside["floor"] else "빌딩", 3.0))
    votes += scene(text, start, end)
    return votes


_IN_PRISON = re.compile(r"(?P<kind>교도소|구치소)(?: 제?[0-9A-Z]+동 ?중?)? $")
_ACCOUNT_OPENS = re.compile(r"(?:계좌|통장) ?\($")
_ACCOUNT_GOES_ON = re.compile(r"(?:은행)?,? ?\((?:계좌번호|[A-Z])|(?:은행)?,? [A-Z]{1,2}[)(]")
_STANDS = re.compile(r"(?:에 있는|에 위치한|소재) $")
_BESIDE = re.compile(r" ?(?:앞|뒤|옆)(?= |길)| (?P<floor>(?:지하 ?)?[0-9]+ ?층)")


def _cell(kind: str, right: str) -> Iterator[Vote]:
    """Yield what of a prison is meant: a cell, or a place whose kind nothing says."""
    if right.startswith("에서"):
        yield Vote(f"{kind}내장소", 5)
    elif right[:1] != "동":
        yield Vote("실", 3)


_ONLINE = re.compile(r"인터넷|네이버|온라인|사이트|다음 |게시|접속|포털")
_SOLD = re.compile(r"중고|판매|구매|구입")
_SITE = re.compile(rf"{_Q} ?(?P<noun>카페|사이트|까페|어플|앱|게시판|커뮤니티)")


def _site(left: str, right: str) -> Iterator[Vote]:
    """Yield what a site or a community on the net is: where things are sold, or talked of."""
    match = _SITE.match(right)
    if match is None or not _ONLINE.search(left + right):
        return
    if match["noun"] != "사이트":
        yield Vote("카페명" if match["noun"] in ("카페", "까페") else "사이트", 8.5)
    if _SOLD.search(right):
        yield Vote("중고거래사이트", 9.0)


def _role(left: str) -> Vote | None:
    """Return the vote of a word that stands before persons: 피해자, 증인, 그의 처."""
    match = _LAST_WORD.search(left)
    if match is None:
        return None
    word = match[1]
    weight = _role_weight(word)
    return Vote(PERSON, weight) if weight else None


_LAST_WORD = re.compile(r"([가-힣]{1,12})[ (]? {0,12}['\"‘“]?$")


@lru_cache(maxsize=1 << 14)
def _role_weight(word: str) -> float:
    roles = _roles()
    if word.endswith("인") and any(word[at:-1] in generic_nouns() for at in range(len(word) - 2)):
        return 0.0  # 사업장인 ‘○○’: what the thing is, not 장인, who is a person
    for length in range(min(len(word), 8), 1, -1):
        if word[-length:] in roles:
            return 5.0
    if word in roles:
        return 3.0
    return 3.0 if word.endswith("인") and word[:-1] in roles else 0.0


@lru_cache(maxsize=1)
def _roles() -> frozenset[str]:
    return frozenset(row[0] for row in table("person_roles")) - {
        "전부",
        "부",
        "모",
        "자",
        "형",
        "대표",
    }
