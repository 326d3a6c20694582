"""Names of things in a judgment: companies, shops, schools, with or without a generic noun."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import repeat
from operator import itemgetter
from random import Random

from thunder.taxonomy.lexicon import expression
from thunder.training_data.filling import facts
from thunder.training_data.filling.addresses import divisions_at
from thunder.training_data.filling.sources import (
    Form,
    Group,
    Mentions,
    Site,
    new_mention,
    spare_mention,
)
from thunder.training_data.lists import MadeMentions, ReplacementLists
from thunder.training_data.placeholders.nouns import stem_behind

_ONE_SYLLABLE_NOUNS = frozenset("역방점동산교항실팀층호구군시읍면리원관당파")
_LEGAL_FORM = "^<legal-form> ?| ?<legal-form>$"
OTHER_KIND = re.compile(
    r"(?:점|금고|중앙회|뱅크|[농수축낙신]협|조합|종회|종친회|문중)$"
)  # 은행 behind these says nonsense
_ROOT_WORDS = """
한빛 나래 새롬 미르 가온 다솔 라온 해담 누리 도담 소담 아라 온새 이든 하람 예솔 산들 별하 다온
늘솔 단비 마루 벼리 보람 사랑 새길 솔빛 아름 여울 은솔 참빛 초롱 터울 한결 해오름 동우 성진 태경
신흥 대원 삼우 영진 우성 정우 진양 창대 현진 유창 서진 세원 명진 경원
"""
_ROOTS = tuple(_ROOT_WORDS.split())

_GENERIC_WORDS = """
식당 음식점 주점 술집 호프집 노래방 노래연습장 커피숍 카페 건물 빌딩 아파트 오피스텔 빌라 상가
회사 은행 병원 의원 호텔 모텔 마트 편의점 매장 가게 사무실 학교 학원 교회 시장 공원 조합 그룹
센터 클럽 사우나 사이트 카드 캐피탈 저축은행 상호저축은행 신용금고 상호신용금고 보험 증권
신탁 투자신탁 자산신탁 부동산신탁
"""
GENERIC = frozenset(_GENERIC_WORDS.split())


def named(group: Group, text: str, source: Mentions, rng: Random, taken: set[str]) -> Form:
    """Return the form of the name of a thing that suits its sites best and is not *taken*."""
    (label, ending), words = _drawn_from(group), group.words
    nouns = _nouns(source, label)
    said = nouns | _KINDS | facts.trade_words()
    outside = any(word[:length] in said for word in words for length in range(1, 10))
    ours = isinstance(source.lists, ReplacementLists)
    if ours and not label.startswith("행정"):  # [한빛]에프씨: the rest of the name goes on
        outside = outside or any(stem_behind(text, site.span.end) for site in group.sites)
    parted = _own_form if ours else _form
    word_before = _WORD_BEFORE.search(group.sites[0].before)

    def form(mention: str) -> Form:
        found = parted(mention, words=words, nouns=nouns, label=label, outside=outside)
        rest = found.core.removeprefix(word_before[1]).strip() if word_before else ""
        return found._replace(core=rest) if len(rest) > 1 else found  # 청주 [상당]경찰서

    endings = {
        noun[-1]
        for word in words
        for noun in (word[:length] for length in range(2, 10))
        if noun in said
    }
    here = group.here.provinces
    year = year_of(text, group.sites[0].span.start) if group.label in _DATED else 0

    traded = _TRADED.search(group.label) is not None
    kind = " ".join((group.label, *words))
    near = _around(group)
    failed = group.label == "보험사" and _FAILED.search(near) is not None
    offices = any(word[:1] in _OFFICE_LEVELS for word in words) and label == "부서"
    goods = facts.goods() if label in _GOODS else ()
    insured = {one for one in facts.words("insurance") if one in _beside(group.sites[0])}

    def fit(form: Form, mention: str) -> tuple[bool, bool, bool, bool]:
        core, noun = form.core, form.noun
        fitting = not facts.says_elsewhere(core, here, villages=label in _SITES)
        fitting = fitting and not facts.says_another_district(core, group.here)
        if group.label in _DATED:
            when = (year, group.since, group.until)
            fitting = fitting and all(facts.existed(core, one) for one in when)
            fitting = fitting and (not failed or facts.ended(core))
        if core.startswith("미제"):
            fitting = fitting and "미군" in text
        if group.label in _BRANCHES and ours and " " in core:
            fitting = fitting and core.split()[0] in text  # 새마을금고 경인점 is of that bank
        if traded and ours:
            fitting = fitting and facts.fits_trade(core, text, kind, group.since, near=near)
            fitting = fitting and facts.fits_listed(core, near, group.since)
        if group.label in _MEMBERS and ours:
            fitting = fitting and any(core[at : at + 2] in text for at in range(2, len(core) - 1))
        if group.label == "보험상품" and ours:
            fitting = fitting and facts.sold(mention, group.since)
            fitting = fitting and (not insured or any(one in core for one in insured))
        if goods and (made := next(filter(core.endswith, goods), "")):
            fitting = fitting and made.split()[-1] in text
        fitting = fitting and (not ours or facts.borne(core, group.since))
        fitting = fitting and not (offices and core[-1:] in _OFFICE_LEVELS)
        apart = core not in text and not any(core in other or other in core for other in taken)
        apart = apart and not any(word[:2] in core for word in words if len(word) > 1)
        # Where a noun stands outside, the mention should end in it; where none does, in none.
        suits = len(mention) > len(core) if outside else not noun
        if ours and outside:  # no 좌룡지점|은행, no 한빛공인중개사사무소|부동산
            ends = _longest_ending(core, said)
            suits = not (core in nouns or ends or OTHER_KIND.search(core))
            suits = suits and core[-1:] not in endings  # no 협력단|공단
            suits = suits and not (core[-1:] == "차" and core[-2:-1].isdigit())  # nor 3차|빌리지
        return core not in taken, apart, fitting, suits and len(core) > 1

    drawn: list[str] = []
    best: tuple[tuple[bool, bool, bool, bool], Form] | None = None
    more = _MORE if insured else 1
    for mention in _candidates(group, label, source, rng, more):
        mention += ending
        drawn.append(mention)
        one = form(mention)
        if source.may_take(one.core):
            found = fit(one, mention), one
            if best is None or found[0] > best[0]:
                best = found
            if all(found[0]):  # no later one suits better
                return one
    # A part may hold nothing of a short list; then any mention does.
    _, chosen = best or max(((fit(form(m), m), form(m)) for m in drawn), key=itemgetter(0))
    # A short list is used up.
    return Form(rooted(source, rng, taken)) if chosen.core in taken else chosen


_KIND_WORDS = """
사무소 공인중개사 공인중개 중개 부동산 연습장 영업소 대리점 총판 출장소 볼링장 수영장 미용실
공장 사업소 현장 작업장 연구소 스튜디오 교육원 캠퍼스 농원 창고 휴게소 재단 협회
공사 공단 개발원 진흥원 연구원 평가원 의료원 지원단 관리단 관리소 교육센터
"""
_KINDS = facts.words("department") | facts.words("firm-ending") | frozenset(_KIND_WORDS.split())
"""What a thing is, where its name says so: behind it no other noun says it again."""

_TRADED = re.compile("(?:회사|회사명|업체|업|공장|매장|조합|병원|의원|의료법인|연구소|연구원)$")
"""Labels of firms and hospitals that say nothing of what is traded: the judgment does."""
_GOODS = ("불특정제품명",)
_OFFICE_LEVELS = ("과", "부", "팀", "실", "국")  # no 법무과|팀장
_MEMBERS = ("협회", "학회", "위원회")
"""Labels of bodies whose names say who they are for: the judgment speaks of them."""
_DATED = ("은행", "저축은행", "보험사", "카드회사", "금융회사", "금융기관", "증권사")
"""Labels of firms whose names have years."""
YEAR = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})(?=[.년])")


def year_of(text: str, at: int) -> int:
    """Return the year that *text* said last before *at*, else the first behind it, 0 for none."""
    before = [*YEAR.finditer(text, 0, at)]
    found = before[-1] if before else YEAR.search(text, at)
    return int(found[1]) if found else 0


def _drawn_from(group: Group) -> tuple[str, str]:
    """Return the label whose mentions fit what stands around, and what each of them ends in then.

    Before 대학교병원 stands the name of a university. Where a label says no more than that it is
    an organisation, the words around say which: [성진]마을회, [한빛고] 동창회, 의료법인 [새봄].
    In place of a label it may be a table of parts/: [서울]업무상질병판정위원회.
    """
    if group.label.endswith(("병원", "의원")) and any(w.startswith("대학교") for w in group.words):
        return _KOREAN if group.label == "한방병원" else _WESTERN, ""
    if group.label == "대학교" and any(_ITS_HOSPITAL.match(site.after) for site in group.sites):
        return _WESTERN, ""
    if not _ORGANISATION.search(group.label):
        return group.label, ""
    for one in facts.drawn():
        if _OF_LABEL.get(one.label, group.label) != group.label:
            continue
        if any(map(_SAID_AT[one.where], group.sites, repeat(one.noun))):
            return one.label, one.ending
    if _FIRM.search(group.label) and any(_OF_ABROAD.search(site.before) for site in group.sites):
        return "parts/business_latin.txt", ""
    return group.label, ""


_OF_LABEL = {
    "parts/public_agencies.txt": "공사및공단",
    "parts/public_corporations.txt": "공사및공단",
}
"""Tables for one label only: what stands before 공사대금 is no public corporation."""
_OPENING, _CLOSING = " '\"‘“[(:", " '\"’”"
_ITS_HOSPITAL = re.compile("대학교[^가-힣]{0,6}(?:병원|의과대학|의대|의료원|부속병원)")
_WESTERN = "parts/universities_of_medicine.txt"
_KOREAN = "parts/universities_of_korean_medicine.txt"
_SAID_AT: Mapping[str, Callable[[Site, str], bool]] = {
    "before": lambda site, noun: site.before.rstrip(_OPENING).endswith(noun),
    "behind": lambda site, noun: site.after.lstrip(_CLOSING).startswith(noun),
    "inside": lambda site, noun: noun in site.surface,
}
_ORGANISATION = re.compile(
    r"(?:회사|회사명|업체|단체|단체명|조합|협회|위원회|금융기관|신문사|언론사|산업단지|제품명|"
    r"종중|보험사|지회|지부|병원|공장|도로|대학교|공단|건물)$"
)
_FIRM = re.compile("(?:회사|회사명|업체)$")
_OF_ABROAD = facts.context(
    r"(?<![가-힣])<country>(?:의|인|계|국적의|소재|현지)? ?(?:법인|회사|선사|기업|업체|제조사|본사)"
    r"[^.\n]{0,12}$|(?<![가-힣])<country> (?:공소외 |소외 )?['‘\"“]?$"
)


def _around(group: Group) -> str:
    """Return what stands around the places of a thing: its trade is said there."""
    return "\n".join(f"{site.before[-60:]} {site.after}" for site in group.sites[:_LOOKED_AT])


def _beside(site: Site) -> str:
    """Return what stands right beside a place: 개인연금저축 [..], [..](운전자보험)."""
    return f"{site.before[-16:]} {site.after[:16]}"


_WORD_BEFORE = re.compile("([가-힣]{2,8}) $")
_LOOKED_AT = 12  # places of one thing: what is traded is said soon


def _candidates(
    group: Group, label: str, source: Mentions, rng: Random, more: int
) -> Iterator[str]:
    """Yield mentions one by one, so that no more are drawn than are looked at."""
    ours = isinstance(source.lists, ReplacementLists)
    near = divisions_at(group, label) if ours else ()
    mentions = [one for one in near if facts.stood(one, group.since)] or _mentions(label, source)
    if not mentions:
        yield rooted(source, rng, set())
        return
    if ours and label in _LOCAL:
        local = facts.names_at(group.here)
        said = label not in _BRANCHES or any(word.startswith(_BRANCHES) for word in group.words)
        behind = "" if said else label
        yield from (f"{one}{behind}" for one in rng.sample(local, min(_CANDIDATES, len(local))))
    number = more * (_CANDIDATES if source.part == "all" else 3 * _CANDIDATES)
    if ours and label in _BODIES and not isinstance(mentions, MadeMentions):
        stem = group.here.district[:-1]
        drawn = rng.sample(mentions, len(mentions))
        yield from sorted(drawn, key=lambda one: not stem or not one.startswith(stem))
    for _ in range(number):
        yield expression(_LEGAL_FORM).sub("", rng.choice(mentions))


def _mentions(label: str, source: Mentions) -> Sequence[str]:
    """Return the mentions of *label*, or the lines of a table of parts/."""
    return facts.lines(label) if label.startswith("parts/") else source.of(label)


_SITES = ("항구", "해수욕장", "해변", "저수지", "마을", "유원지", "하천")
"""Labels of places in the country, which are called after villages."""
_FAILED = re.compile("파산(?:선고|관재)|계약이전|영업정지|해산")
_BRANCHES = ("지점", "지회", "지부", "영업소", "출장소", "점", "동지점", "지사")
_LOCAL = ("우체국", "지구대", "파출소", "치안센터", "지점", "지회", "지부", "영업소", "출장소")
"""Labels of offices that are called after the 동·읍·면 they stand in."""
_BODIES = ("소방서", "경찰서", "세무서", "보건소", "구청", "시청", "군청", "백화점")
"""Labels whose lists are whole and short: all of it is looked through for one that lies here."""

_MORE = 10  # times as many where the text asks for one kind of a long list
_CANDIDATES = 48  # mentions of which the one that suits its place best is taken


def rooted(source: Mentions, rng: Random, taken: set[str]) -> str:
    """Return a name of two roots that is in no list."""
    draw = partial(_two_roots, rng)
    return new_mention(draw, "name", source, taken) or spare_mention(draw, "name", rng, taken)


def _two_roots(rng: Random) -> str:
    return "".join(rng.sample(_ROOTS, 2))


def _form(
    mention: str, words: Sequence[str], nouns: frozenset[str], *, label: str, outside: bool
) -> Form:
    """Return *mention* parted into its core and its noun, the noun empty where it is *outside*."""
    ends_in_label = label in nouns and label != mention and mention.endswith(label)
    noun = label if ends_in_label else _longest_ending(mention, nouns)
    if outside:
        noun = max([_said_again(mention, word) for word in words], key=len, default="") or noun
    core = mention.removesuffix(noun).rstrip()
    return Form(core, "" if outside else mention[len(core) :])


def _longest_ending(mention: str, nouns: frozenset[str]) -> str:
    """Return the longest of *nouns* in which *mention* ends without being it, "" for none."""
    for start in range(max(1, len(mention) - _LONGEST_NOUN), len(mention)):
        if mention[start:] in nouns:
            return mention[start:]
    return ""


_LONGEST_NOUN = 24


def _own_form(
    mention: str, words: Sequence[str], nouns: frozenset[str], *, label: str, outside: bool
) -> Form:
    """Return the form of a mention of our lists, which stand without a generic noun.

    Only what would be said twice is taken off (진주시|시), and a division is hidden whole: 내유동.
    """
    again = max([_said_again(mention, word) for word in words], key=len, default="")
    if label.startswith("행정") and any(word.startswith(label[-1]) for word in words):
        return Form(mention.removesuffix(again or label[-1]).rstrip() or mention)  # [부안]군지부장
    if outside or len(again) > 1:  # 108 대리운전| 대리운전 사업
        return Form(mention.removesuffix(again).rstrip() or mention)
    if label.startswith("행정"):
        return Form(mention)
    return _form(mention, words, nouns, label=label, outside=outside)


def _said_again(mention: str, word: str) -> str:
    """Return the longest ending of *mention* with which the *word* behind it begins."""
    for length in range(min(len(word), len(mention) - 1), 0, -1):
        if mention.endswith(word[:length]):
            alone = word[0] in _ONE_SYLLABLE_NOUNS and _NOUN_ALONE.fullmatch(word[1:])
            alone = alone or _OFFICE.match(word)
            return word[:length] if length > 1 or alone else ""
    return ""


_OFFICE_WORDS = """
시장 시청 시의회 시의원 시민 시립 군수 군청 군의회 군의원 군민 군립 구청 구의회 구의원 구민 구립
시농업 시농협 시축협 시축산 시수협 시산림 군농업 군농협 군축협 군축산 군산림
읍장 읍사무소 읍민 면장 면사무소 면민 동장 동사무소 동주민 동민 도지사 도청 도의회 도의원 도민 도립
"""
_OFFICE = re.compile("|".join(_OFFICE_WORDS.split()))
_NOUN_ALONE = re.compile(
    "(?:[은는이가을를의과와도로에]|에서|으로|에게|까지|부터|내|앞|뒤|옆|인근).*|"
)


@lru_cache(maxsize=4096)
def _nouns(source: Mentions, label: str) -> frozenset[str]:
    """Return the generic nouns in which mentions of *label* end: those that many share.

    The mentions of ``ReplacementLists`` stand without their noun, but for one syllable (진주시).
    """
    mentions = _mentions(label, source)
    looked_at = mentions[:_SAMPLE] if isinstance(mentions, MadeMentions) else mentions
    longest = 1 if isinstance(source.lists, ReplacementLists) else 8
    endings = Counter(
        mention[-length:]
        for mention in looked_at
        for length in range(1, longest + 1)
        if length < len(mention)
    )
    enough = max(3, len(looked_at) // 12)
    shared = (noun for noun, count in endings.items() if count >= enough and noun.isalpha())
    ours = isinstance(source.lists, ReplacementLists)
    single = _ONE_SYLLABLE_NOUNS - {"점"} if ours else _ONE_SYLLABLE_NOUNS  # 전주점 is a branch
    nouns = {noun for noun in shared if len(noun) > 1 or noun in single}
    return frozenset(nouns | GENERIC | ({label} if label.isalpha() else set()))


_SAMPLE = 500  # mentions of a rule, to see which endings they share
