"""Annotated judgments filled with invented mentions, so that they read like unmasked ones.

Every choice is drawn by a key from the document, the kind of mention and its placeholder, never
from what was filled before: the same document and key give the same text in any order of work.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from random import Random
from typing import NamedTuple, Protocol

from thunder import inventions, particles
from thunder.inventions_addresses import address_after
from thunder.inventions_names import PLAIN, NameForms, korean_person, written
from thunder.inventions_names import korean_name as korean_name
from thunder.inventions_numbers import PATTERNS, number
from thunder.inventions_numbers import invented as invented
from thunder.lists import MadeMentions, Part, ReplacementLists, UsedUp, bare, load, part_of
from thunder.spans import Change, Span, replace_spans, require_disjoint

IGNORED = ""
"""The label of a span that is neither a hit nor a miss: what it holds may be masked or not."""

NOUN = "noun"
"""The source of a span that holds only the generic noun behind the mention before it."""


class Lists(Protocol):
    """Where the mentions of a label come from; the same object for a whole run."""

    def mentions(self, label: str) -> Sequence[str]:
        """Return the mentions known for *label*, none where it has no list."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Site:
    """One placeholder in its document, without the quotes it may have been marked with."""

    span: Span
    surface: str
    before: str
    after: str


class Form(NamedTuple):
    """How a mention is written: the part that identifies, and the generic noun behind it."""

    core: str
    noun: str = ""


def fill(
    text: str,
    spans: Sequence[Span],
    *,
    key: bytes,
    document_id: str,
    lists: Lists | None = None,
    part: Part = "all",
    forms: NameForms = PLAIN,
) -> tuple[str, list[Span]]:
    """Return *text* with every placeholder filled, and the spans moved to the mentions.

    *spans* (sorted, disjoint) carry labels of the taxonomy, IGNORED where there is none. One
    placeholder gets one mention in the whole document, two never the same; particles agree. A
    generic noun that stands behind a placeholder is not said twice (충주미래|병원), and one that
    the mention brings along becomes a span of its own, IGNORED, as courts leave it readable.

    *lists* are the shipped ones without it; only mentions of their *part* are taken. *forms* are
    the shares of Korean names that are spaced, or have Hanja or Latin letters beside them.
    """
    require_disjoint(spans, length=len(text))
    sites = [_site(text, span) for span in spans]
    source = _Mentions(lists if lists is not None else load(), part, forms)
    chosen = _forms(text, sites, source, key=key, document_id=document_id)
    edits = [(site.span, "".join(form)) for site, form in zip(sites, chosen, strict=True)]
    edits += _particles(text, edits)
    edits.sort()
    replacements = iter([replacement for _, replacement in edits])
    filled, changes = replace_spans(text, [span for span, _ in edits], lambda _: next(replacements))
    kept = [change for change in changes if change.span.source != _PARTICLE]
    moved = [_moved(change, form) for change, form in zip(kept, chosen, strict=True)]
    return filled, [span for parts in moved for span in parts]


_PARTICLE = "particle"


def _particles(text: str, edits: Sequence[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Return the particle behind each placeholder, agreed to what the placeholder becomes."""
    starts = {span.start for span, _ in edits}
    agreed: dict[int, tuple[Span, str]] = {}
    for span, mention in edits:
        particle = particles.find(text, span.end)
        if particle and particle.start not in starts:
            place = Span(particle.start, particle.end, _PARTICLE, source=_PARTICLE)
            agreed.setdefault(particle.start, (place, particle.form(mention)))
    return list(agreed.values())


def _moved(change: Change, form: Form) -> list[Span]:
    middle = change.new_start + len(form.core)
    spans = [Span(change.new_start, middle, change.span.label)]
    return [*spans, Span(middle, change.new_end, IGNORED, source=NOUN)] if form.noun else spans


QUOTES = "'\"‘’“”`´ \u00a0"


def _site(text: str, span: Span) -> Site:
    marked = text[span.start : span.end]
    surface = marked.strip(QUOTES) or marked
    start = span.start + marked.index(surface)
    end = start + len(surface)
    inner = Span(start, end, span.label)
    return Site(inner, surface, text[max(0, start - 80) : start], text[end : end + 60])


def _forms(
    text: str, sites: Sequence[Site], source: "_Mentions", *, key: bytes, document_id: str
) -> list[Form]:
    """Return the form of each site; sites with one placeholder of one kind share it.

    What stands in brackets behind a name (金漢煥) is written at its first site only.
    """
    groups: dict[tuple[str, str], list[Site]] = defaultdict(list)
    for site in sites:
        groups[kind_of(site.span.label), site.surface].append(site)
    forms: dict[tuple[str, str], Form] = {}
    taken: set[str] = set()
    for (kind, surface), group in groups.items():
        rng = _rng(key, document_id, kind, surface)
        forms[kind, surface] = form = _invent(kind, group, text, source, rng, taken)
        taken |= _claims(kind, form.core)
    return [_next_form(forms, (kind_of(site.span.label), site.surface)) for site in sites]


_IN_BRACKETS = re.compile(r"(?<=[가-힣])\([A-Z一-龥][A-Za-z一-龥 ,.-]+\)$")


def _claim(kind: str, mention: str) -> str:
    """Return what a mention takes from the rest: itself, a mere number within its kind only."""
    return mention if any(map(str.isalpha, mention)) else f"{kind}\0{mention}"


def _next_form(forms: dict[tuple[str, str], Form], group: tuple[str, str]) -> Form:
    form = forms[group]
    forms[group] = Form(_IN_BRACKETS.sub("", form.core), form.noun)
    return form


def _rng(key: bytes, *parts: str) -> Random:
    message = "\0".join(parts).encode()
    return Random(hashlib.blake2b(message, key=key, digest_size=16).digest())


# --- what kind of mention a label asks for -----------------------------------------------------

_ADDRESSES = ("주소", "임야", "토지", "필지")


def kind_of(label: str) -> str:
    """Return the kind of mention *label* asks for: one placeholder of one kind is one entity."""
    if label == "내국인이름":
        return "person"
    if label.endswith("아래주소") or label in _ADDRESSES:
        return "address"
    return label if label in PATTERNS or label in _MAKERS else "name"


@dataclass(frozen=True)
class _Mentions:
    """Where mentions come from, and which of them may be taken."""

    lists: Lists
    part: Part
    forms: NameForms

    def may_take(self, mention: str) -> bool:
        return self.part == "all" or part_of(mention) == self.part

    def of(self, label: str) -> Sequence[str]:
        """Return the mentions of *label*; those of buildings where there is no label."""
        if isinstance(self.lists, ReplacementLists) and label == IGNORED:
            return self.lists.mentions(_UNLABELLED)
        return self.lists.mentions(label)

    def draws(self, label: str) -> bool:
        """Return whether a mention of *label* is one piece, to be drawn as it stands."""
        if not isinstance(self.lists, ReplacementLists) or label == IGNORED:
            return False
        return self.lists.taxonomy.label(label).code in _IN_ONE_PIECE


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

_IN_ONE_PIECE = ("D.1.1", "D.1.2", "D.1.3", "D.1.4", "D.2.2", "D.2.12")
_UNLABELLED = "건물"


def _invent(
    kind: str, group: Sequence[Site], text: str, source: _Mentions, rng: Random, taken: set[str]
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
        return _named(group, text, source, rng, taken)
    return Form(_new(draw, kind, source, taken) or _spare(draw, kind, rng, taken))


def _new(draw: Callable[[], str], kind: str, source: _Mentions, taken: set[str]) -> str:
    """Return the first mention drawn that may be taken and is not taken yet; "" in the end."""
    for _ in range(_DRAWS):
        mention = draw()
        if source.may_take(mention) and not _claims(kind, mention) & taken:
            return mention
    return ""


def _claims(kind: str, mention: str) -> set[str]:
    return {_claim(kind, mention), _claim(kind, bare(mention))}


def _spare(draw: Callable[[], str], kind: str, rng: Random, taken: set[str]) -> str:
    """Return a mention for a document that needs more than a small world's part has (9호선).

    One of the other part rather than a mention twice, a number that exists nowhere rather than
    no mention.
    """
    drawn = (draw() for _ in range(_DRAWS))
    numbers = (invented("1##", rng) for _ in range(_DRAWS))
    for mention in chain(drawn, numbers):
        if not _claims(kind, mention) & taken:
            return mention
    raise UsedUp("no draw gave a new mention: the document holds too many of one kind")


_DRAWS = 300  # for one mention: a rule's held-out part is one in five


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
    group: Sequence[Site], text: str, source: _Mentions, rng: Random, taken: set[str]
) -> str:
    """Return the name of a person: nobody's who stands in *text* or got it already."""
    gender = next(filter(None, map(_gender, group)), "")
    born = next(filter(None, map(_born, group)), None)
    for _ in range(_DRAWS):
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


# --- names of things: companies, shops, schools … ----------------------------------------------

_ONE_SYLLABLE_NOUNS = frozenset("역방점동산교항실팀층호구군시읍면리원관당파")
_LEGAL_FORM = re.compile(r"^(?:주식회사|유한회사|\(주\)|㈜) ?| ?(?:주식회사|유한회사|\(주\)|㈜)$")
_WORD_BEHIND = re.compile(r"['’\"”`´ ]{0,2}([가-힣A-Za-z]{1,9})")
_ROOT_WORDS = """
한빛 나래 새롬 미르 가온 다솔 라온 해담 누리 도담 소담 아라 온새 이든 하람 예솔 산들 별하 다온
늘솔 단비 마루 벼리 보람 사랑 새길 솔빛 아름 여울 은솔 참빛 초롱 터울 한결 해오름 동우 성진 태경
신흥 대원 삼우 영진 우성 정우 진양 창대 현진 유창 서진 세원 명진 경원
"""
_ROOTS = tuple(_ROOT_WORDS.split())


_GENERIC_WORDS = """
식당 음식점 주점 술집 호프집 노래방 노래연습장 커피숍 카페 건물 빌딩 아파트 오피스텔 빌라 상가
회사 은행 병원 의원 호텔 모텔 마트 편의점 매장 가게 사무실 학교 학원 교회 시장 공원 조합 그룹
센터 클럽 사우나 사이트 카드 캐피탈 저축은행 보험 증권
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())


def _named(
    group: Sequence[Site], text: str, source: _Mentions, rng: Random, taken: set[str]
) -> Form:
    label = group[0].span.label
    nouns = _nouns(source, label)
    words = [match[1] for site in group if (match := _WORD_BEHIND.match(site.after))]
    outside = any(word[:length] in nouns for word in words for length in range(1, 10))
    ours = isinstance(source.lists, ReplacementLists)
    parted = _own_form if ours else _form
    form = partial(parted, words=words, nouns=nouns, label=label, outside=outside)

    def fit(mention: str) -> tuple[bool, bool, bool]:
        core, noun = form(mention)
        apart = core not in text and not any(core in other or other in core for other in taken)
        # Where a noun stands outside, the mention should end in it; where none does, in none.
        suits = len(mention) > len(core) if outside else not noun
        if ours and outside:  # no 좌룡지점|은행
            suits = not any(core.endswith(ending) for ending in (*nouns, "점"))
        return core not in taken, apart, suits and len(core) > 1

    drawn = _candidates(source, label, rng)
    # A part may hold nothing of a short list; then any mention does.
    allowed = [mention for mention in drawn if source.may_take(form(mention).core)] or drawn
    best = form(max(allowed, key=fit))
    if best.core in taken:  # a short list is used up
        return Form(_rooted(source, rng, taken))
    return best


def _candidates(source: _Mentions, label: str, rng: Random) -> list[str]:
    mentions = source.of(label)
    if not mentions:
        return [_rooted(source, rng, set())]
    number = _CANDIDATES if source.part == "all" else 3 * _CANDIDATES
    return [_LEGAL_FORM.sub("", rng.choice(mentions)) for _ in range(number)]


_CANDIDATES = 24  # mentions of which the one that suits its place best is taken


def _rooted(source: _Mentions, rng: Random, taken: set[str]) -> str:
    """Return a name of two roots that is in no list."""
    draw = partial(_two_roots, rng)
    return _new(draw, "name", source, taken) or _spare(draw, "name", rng, taken)


def _two_roots(rng: Random) -> str:
    return "".join(rng.sample(_ROOTS, 2))


def _form(
    mention: str, words: Sequence[str], nouns: frozenset[str], *, label: str, outside: bool
) -> Form:
    """Return *mention* parted into its core and its noun, the noun empty where it is *outside*."""
    own = [noun for noun in nouns if mention.endswith(noun) and noun != mention]
    noun = label if label in own else max(own, key=len, default="")
    if outside:
        noun = max([_said_again(mention, word) for word in words], key=len, default="") or noun
    core = mention.removesuffix(noun).rstrip()
    return Form(core, "" if outside else mention[len(core) :])


def _own_form(
    mention: str, words: Sequence[str], nouns: frozenset[str], *, label: str, outside: bool
) -> Form:
    """Return the form of a mention of our lists, which stand without a generic noun.

    Only what would be said twice is taken off (진주시|시), and a division is hidden whole: 내유동.
    """
    if outside:
        noun = max([_said_again(mention, word) for word in words], key=len, default="")
        return Form(mention.removesuffix(noun).rstrip() or mention)
    if label.startswith("행정"):
        return Form(mention)
    return _form(mention, words, nouns, label=label, outside=outside)


def _said_again(mention: str, word: str) -> str:
    """Return the longest ending of *mention* with which the *word* behind it begins."""
    for length in range(min(len(word), len(mention) - 1), 0, -1):
        if mention.endswith(word[:length]):
            return word[:length] if length > 1 or word[0] in _ONE_SYLLABLE_NOUNS else ""
    return ""


@lru_cache(maxsize=4096)
def _nouns(source: _Mentions, label: str) -> frozenset[str]:
    """Return the generic nouns in which mentions of *label* end: those that many share.

    The mentions of ``ReplacementLists`` stand without their noun, but for one syllable (진주시).
    """
    mentions = source.of(label)
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
    nouns = {noun for noun in shared if len(noun) > 1 or noun in _ONE_SYLLABLE_NOUNS}
    return frozenset(nouns | _GENERIC | ({label} if label.isalpha() else set()))


_SAMPLE = 500  # mentions of a rule, to see which endings they share
