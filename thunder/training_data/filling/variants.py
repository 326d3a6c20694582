"""How people write a mention when they write it again: 길동, 홍 과장, a firm without 주식회사.

Each place is drawn by itself, but the first of a placeholder always has the mention in full.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import NamedTuple

from thunder.taxonomy import gazetteer
from thunder.training_data.filling.sources import Form, Group, Site
from thunder.training_data.filling.things import GENERIC, OTHER_KIND


@dataclass(frozen=True, slots=True)
class Variants:
    """The shares of places where a mention is written otherwise than it was drawn.

    ``given_alone``: 길동; ``surname``: 홍 과장, 홍씨 (the title stays readable); ``abbreviated``:
    한빛대 for 한빛대학교, 온누리 for 온누리병원; all of them at later places only, and only where
    the words around allow it. ``legal_form``: of firms that stand without one, those that bring
    it (주식회사 한빛), and half of their later places go without. ``noun``: of things whose kind
    the text does not say, those that say it (숭실|대학교); the noun is neither right nor wrong.
    """

    given_alone: float = 0.0
    surname: float = 0.0
    legal_form: float = 0.0
    abbreviated: float = 0.0
    noun: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0.0 <= getattr(self, field.name) <= 1.0:
                raise ValueError(f"the rate {field.name} lies between 0 and 1")
        if self.given_alone + self.surname > 1.0:
            raise ValueError("the rates given_alone and surname are more than 1 together")


NONE = Variants()
"""Every place has the mention as it was drawn: for measuring, where fidelity counts."""

TRAINING = Variants(given_alone=0.03, surname=0.06, legal_form=0.15, abbreviated=0.12, noun=0.6)
"""What a tagger should have met; seldom enough that whole mentions stay the rule."""

_IN_BRACKETS = re.compile(r"(?<=[가-힣])\([A-Z一-龥][A-Za-z一-龥 ,.-]+\)$")
# A place that ends here: a particle, a comma, the end of a sentence.
_PARTICLE = r"(?:[은는이가을를의과와도]|에게서?|에 대하여|으?로부터|으?로)"
_FREE = re.compile(rf"{_PARTICLE}?(?=[ ,.\n]|$)(?! ?(?:\(|및 |명의자|작성))")
_IN_EVIDENCE = re.compile(r"의 (?:각 )?(?:법정|진술|일부|경찰|검찰)")
_FIRM_BEHIND = re.compile(
    rf"(?:{_PARTICLE}|에서?)(?=[ ,.\n]|$)|"
    " (?:명의|사무실|직원|운영|공장|대표|소속|법인|계좌|주식|내에서)"
)
_TITLES = ("과장", "부장", "대리", "차장", "팀장", "실장", "사장", "이사", "소장", "주임", "선생")
_TITLE_BEHIND = re.compile(
    rf" ?(?:{'|'.join(_TITLES)}|씨|군|양)(?=[은는이가을를의과와도에로,. ]|$)"
)
# Part of a longer word, in quotes or brackets, or behind a role: there courts write names in full.
_BOUND_BEFORE = re.compile(
    r"(?:[가-힣A-Za-z0-9'\"‘“(]|(?:원고|피고|피고인|소외|공소외|신청외|피해자|증인|참고인|참가인|망)"
    r"(?:\([^()\n]{1,24}\))? )$"
)


def varied(
    group: Group, form: Form, text: str, *, variants: Variants, rng: Random, surnames: Counter[str]
) -> list[Form]:
    """Return how the mention of *group* is written at each of its sites.

    What stands in brackets behind a name (金漢煥) is written at its first site only. *surnames*
    counts those of the document: a surname that two bear is not left alone.
    """
    later = form._replace(core=_IN_BRACKETS.sub("", form.core))
    forms = [form, *([later] * (len(group.at) - 1))]
    if group.kind == "name" and group.label in _NEVER_BARE and _takes_noun(group, form):
        forms = _with_nouns(group, forms)
        form = forms[0]
    if variants == NONE:
        return forms
    if group.kind == "person":
        if form.person is None:
            return forms
        short = _short_names(*form.person, text, rng, alone=surnames[form.person[0]] == 1)
        later_sites = zip(group.sites[1:], forms[1:], strict=True)
        return [form, *(_person(site, one, short, variants, rng) for site, one in later_sites)]
    if _FIRM.search(group.label) and not form.noun:
        return _abbreviated(group, _firms(group, forms, variants, rng), text, variants, rng)
    if _takes_noun(group, form) and rng.random() < variants.noun:
        forms = _with_nouns(group, forms)
    return _abbreviated(group, forms, text, variants, rng)


def _stands_alone(site: Site) -> bool:
    free = _FREE.match(site.after) and not _IN_EVIDENCE.match(site.after)
    return bool(free) and not _BOUND_BEFORE.search(site.before[-40:])


# --- persons ------------------------------------------------------------------------------------


class _ShortNames(NamedTuple):
    """What a person may be called: 길동, 홍 과장; None where another would be meant as well."""

    given: Form | None
    titled: Form | None


def _short_names(surname: str, given: str, text: str, rng: Random, *, alone: bool) -> _ShortNames:
    """Return the short names of a person, who has one title; *alone* bears the surname."""
    title = rng.choice((" 씨", "씨", *(f" {title}" for title in _TITLES)))
    return _ShortNames(
        Form(given) if len(given) > 1 and given not in text else None,
        Form(surname, trail=title) if alone else None,
    )


def _person(site: Site, form: Form, short: _ShortNames, variants: Variants, rng: Random) -> Form:
    """Return how a person is called at a later site."""
    draw = rng.random()
    if draw < variants.given_alone:
        return short.given if short.given and _stands_alone(site) else form
    if draw >= variants.given_alone + variants.surname or short.titled is None:
        return form
    if _TITLE_BEHIND.match(site.after):
        return short.titled._replace(trail="")
    return short.titled if _stands_alone(site) else form


# --- firms and things ---------------------------------------------------------------------------

_FIRM = re.compile(r"(?:회사|회사명|업체|제조업|건설업|가공업|판매업)$")
_LEGAL_BEFORE = re.compile(r"(?:주식회사|유한회사|법인|조합|\(주\)|㈜)['‘\"“ ]{0,2}$")
_LEGAL_BEHIND = re.compile(r"['’\"” ]{0,2}(?:주식회사|유한회사|\(주\)|㈜)")
_LEADS = ("주식회사 ", "주식회사 ", "주식회사 ", "(주)", "㈜")
_TRAILS = (" 주식회사", " 주식회사", "(주)")


def _firms(group: Group, forms: list[Form], variants: Variants, rng: Random) -> list[Form]:
    """Return the forms with a legal form where the firm has one that the text does not state."""
    stated = any(
        _LEGAL_BEFORE.search(site.before[-8:]) or _LEGAL_BEHIND.match(site.after)
        for site in group.sites
    )
    if stated or rng.random() >= variants.legal_form:
        return forms
    leads = rng.random() < 0.7
    written = rng.choice(_LEADS if leads else _TRAILS)
    return [
        form
        if (at and rng.random() < 0.5) or not _FIRM_BEHIND.match(site.after)
        else form._replace(lead=written)
        if leads
        else form._replace(trail=written)
        for at, (site, form) in enumerate(zip(group.sites, forms, strict=True))
    ]


_NOUN_LABELS = """
병원 의원 한의원 치과 요양병원 요양원 약국 은행 저축은행 대학교 대학원 고등학교
중학교 초등학교 유치원 어린이집 학원 도서관 아파트 오피스텔 빌라 빌딩 맨션 호텔 모텔
여관 펜션 리조트 콘도 교회 성당 사찰 주유소 노래방 식당 주점 카페 마트 편의점 시장
백화점 공원 클럽 나이트클럽 사우나 찜질방 PC방 당구장 미용실 헬스장 골프장 수영장 볼링장
우체국 주민센터 경찰서 파출소 지구대 소방서 교도소 구치소 세무서 터미널 캐피탈 공장
농장 상가 예식장 장례식장
"""
_NOUNS = frozenset(_NOUN_LABELS.split())
"""Labels that people say behind a name as they stand."""

_INSTITUTIONS = """
병원 의원 한의원 치과 요양병원 요양원 약국 은행 저축은행 대학교 고등학교 중학교 초등학교 유치원
어린이집 도서관 교회 주유소 노래방 공원 우체국 경찰서 파출소 지구대 소방서
교도소 구치소 세무서 시장 당구장 미용실 찜질방 PC방 골프장 수영장
볼링장 헬스장 호텔 모텔 백화점 예식장 장례식장 주민쉼터 경로당 마을회관 보건소 치안센터 체육관
고시원 휴게소 해수욕장 저수지 유원지 요금소 동물병원
"""
_NEVER_BARE = frozenset(_INSTITUTIONS.split())
"""Labels of which no name stands alone in a sentence: 성동에서 is no fire station."""

_OPEN = re.compile(rf"(?:{_PARTICLE}|에서?|에게|내|앞)?(?:에서?)?(?=[^가-힣A-Za-z0-9]|$)")


def _takes_noun(group: Group, form: Form) -> bool:
    """Return whether the kind of a thing is said neither by its name nor behind any place."""
    label, core = group.label, form.core
    if label not in _NOUNS | _NEVER_BARE or form.noun or OTHER_KIND.search(core):
        return False
    goes_on = core.endswith("치과") and label == "병원"  # 조선대학교치과|병원
    if core.endswith(("단지", "차", *GENERIC, *_NOUNS)) and not goes_on:
        return False
    return not any(word.startswith((label, *GENERIC)) or _ends_so(word) for word in group.words)


def _ends_so(word: str) -> bool:
    """Return whether a noun with something before it says what a thing is: 동전노래연습장."""
    return any(word.endswith(noun) and word != noun for noun in GENERIC if len(noun) > 2)


def _with_nouns(group: Group, forms: Sequence[Form]) -> list[Form]:
    """Return the forms with the noun of their kind where what stands behind them allows it."""
    noun = _unsaid(forms[0].core, group.label)
    return [
        form._replace(noun=noun) if _OPEN.match(site.after) else form
        for site, form in zip(group.sites, forms, strict=True)
    ]


def _unsaid(core: str, noun: str) -> str:
    """Return what of *noun* the name does not say: JT저축|은행."""
    lengths = range(len(noun) - 1, 1, -1)
    return next((noun[n:] for n in lengths if core.endswith(noun[:n])), noun)


def _abbreviated(
    group: Group, forms: list[Form], text: str, variants: Variants, rng: Random
) -> list[Form]:
    """Return the forms with some of the later ones shortened."""
    if group.kind != "name" or len(forms) == 1:
        return forms
    short = _abbreviation(forms[0], text)
    if short is None:
        return forms
    return [
        short if at and rng.random() < variants.abbreviated and _stands_alone(site) else form
        for at, (site, form) in enumerate(zip(group.sites, forms, strict=True))
    ]


_SHORT_ENDINGS = (
    ("여자고등학교", "여고"),
    ("여자중학교", "여중"),
    ("초등학교", "초"),
    ("고등학교", "고"),
    ("중학교", "중"),
    ("대학교", "대"),
    ("자동차", "차"),
)
_WORD = re.compile(r"[가-힣]{2,8}(?= )")


def _abbreviation(form: Form, text: str) -> Form | None:
    """Return a mention's short form; None where it has none, or *text* means another by it."""
    short = _short(form)
    taken = short is None or len(short.core) < 2 or short.core in text
    return None if taken else short


def _short(form: Form) -> Form | None:
    whole = form.core + form.noun
    for ending, short in _SHORT_ENDINGS:
        if whole.endswith(ending) and len(whole) > len(ending) + 1:
            return (
                Form(whole.removesuffix(ending), noun=short)
                if form.noun
                else Form(whole.removesuffix(ending) + short)
            )
    if form.noun:
        return Form(form.core)
    first = _WORD.match(form.core)
    return Form(first[0]) if first and not _says_little(first[0]) else None


def _says_little(word: str) -> bool:
    """Return whether *word* is a place or a generic noun: nobody calls a shop 서울 or 카페."""
    known = word in GENERIC or gazetteer.district(word) or gazetteer.bare_district(word)
    return bool(known) or gazetteer.is_division(word)
