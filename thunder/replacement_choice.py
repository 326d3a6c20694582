"""What each placeholder of a judgment becomes: a person, an address, a number, a thing."""

import re
from collections.abc import Sequence
from functools import partial
from random import Random

from thunder import inventions
from thunder.inventions_addresses import address_after
from thunder.inventions_names import korean_person, written
from thunder.inventions_numbers import PATTERNS, number
from thunder.lists import UsedUp
from thunder.replacement_sources import DRAWS, Form, Mentions, Site, new_mention, spare_mention
from thunder.replacement_things import named

_ADDRESSES = ("주소", "임야", "토지", "필지")


def kind_of(label: str) -> str:
    """Return the kind of mention *label* asks for: one placeholder of one kind is one entity."""
    if label == "내국인이름":
        return "person"
    if label.endswith("아래주소") or label in _ADDRESSES:
        return "address"
    return label if label in PATTERNS or label in _MAKERS else "name"


_MAKERS = {
    "계좌번호": "account",
    "차량번호": "plate",
    "전화번호": "landline",
    "휴대폰번호": "mobile",
    "주민등록번호": "resident",
    "카드번호": "card",
    "사업자등록번호": "business",
    "법인등록번호": "corporation",
    "면허번호": "licence",
    "이메일주소": "email",
    "URL": "url",
}
"""Labels that a maker serves where the lists are not our own."""


def invent(
    kind: str, group: Sequence[Site], text: str, source: Mentions, rng: Random, taken: set[str]
) -> Form:
    """Return the form of one placeholder, given all its sites: a mention not *taken* yet."""
    label = group[0].span.label
    if kind == "person":
        return Form(_person(group, text, source, rng, taken))
    if kind == "address":
        draw = partial(address_after, rng, group[0].before)
    elif source.draws(label):
        draw = partial(_fitting, source.of(label), group[0], rng)
    elif kind in _MAKERS:
        draw = partial(inventions.maker(_MAKERS[kind]), rng)
    elif kind in PATTERNS:
        draw = partial(number, kind, rng)
    else:
        return named(group, text, source, rng, taken)
    return Form(new_mention(draw, kind, source, taken) or spare_mention(draw, kind, rng, taken))


def _fitting(mentions: Sequence[str], site: Site, rng: Random) -> str:
    """Return a mention of one piece; what stands behind a ship's 호 is the ship's name."""
    mention = rng.choice(mentions)
    if site.span.label not in ("선박번호", "어선"):
        return mention
    before_ho = site.after.startswith("호")
    while before_ho and not mention.removesuffix("호")[-1].isalpha():
        mention = rng.choice(mentions)
    return mention.removesuffix("호") if before_ho else mention


def _person(
    group: Sequence[Site], text: str, source: Mentions, rng: Random, taken: set[str]
) -> str:
    """Return the name of a person: nobody's who stands in *text* or got it already."""
    gender = next(filter(None, map(_gender, group)), "")
    born = next(filter(None, map(_born, group)), None)
    for _ in range(DRAWS):
        person = korean_person(rng, gender=gender, born=born)
        if person.name in taken or person.name in text or not source.may_take(person.name):
            continue
        mention = written(rng, person, source.forms)
        if source.may_take(mention):
            return mention
    raise UsedUp("no draw gave a new name: the document holds too many persons")


_GENDER = re.compile(r"[ ]?\([^()\n]{0,24}?(?<![가-힣])([남여])(?:성|자)?(?![가-힣])")
_AGE = re.compile(r"[ ]?\([^()\n]{0,24}?(?<![0-9])([0-9]{1,2})세")
_KIN = re.compile(
    r"(?:(어머니|모친|누나|언니|여동생|아내|처|딸|이모|고모|할머니|장모|며느리|여자친구)"
    r"|아버지|부친|오빠|형|남동생|남편|아들|삼촌|할아버지|장인|사위)(?:인|이던|였던)? $"
)
_YEAR_OF_THE_FACTS = 2018  # when most of the published facts happened, to the year of a birth


def _gender(site: Site) -> str:
    """Return 남 or 여 where the text behind a name or a word of kinship before it says so."""
    match = _GENDER.match(site.after)
    kin = _KIN.search(site.before)
    return match[1] if match else ("여" if kin[1] else "남") if kin else ""


def _born(site: Site) -> int | None:
    """Return about when a person was born where the text behind the name says how old they are."""
    match = _AGE.match(site.after)
    return _YEAR_OF_THE_FACTS - int(match[1]) if match else None
