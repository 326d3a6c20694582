"""What stays readable by the court rule, and how the rest is written.

A profile is a file in ``taxonomy/policy``; people edit it, this module only applies it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thunder.taxonomy import Label, Taxonomy
from thunder.taxonomy.gazetteer import district
from thunder.text import lazy
from thunder.text.spans import Span

# 국민연금공단은, 법원에서는, 경찰서장의, …공단법 end a body's name; 중국은행 goes on after 중국.
_TAIL = (
    "은|는|이|가|을|를|과|와|의|에|로|도|만|나|라|며|고|측|등|장|장관|까지|부터|에서|으로|에게|이라|이나|이며|처럼|"
    "보다|소속|직원|검사|판사|교육장|교육감|법"
)
_NOT_A_NAME_END = rf"(?=(?:{_TAIL}){{0,4}}(?![가-힣A-Za-z0-9]))"
_GOES_ON = lazy.compile(rf"(?:{_TAIL}){{1,4}}(?![가-힣A-Za-z0-9])")
_SAID_OF_HIM = 16
"""Characters behind a name in which a sentence says what he did."""
_NEXT_OF_A_LIST = lazy.compile(r"(?:,| 및) ?")
_HEAD_OF = {"시": "장", "군": "수", "구": "청장", "도": "지사"}
_HEADED = "|".join(f"{level}(?:{head})?" for level, head in _HEAD_OF.items())
_LOCAL_GOVERNMENT = lazy.compile(
    rf"(?:(?P<above>[가-힣]{{2,7}}[시도]) )?"
    rf"(?P<place>[가-힣]{{1,7}}?(?:{_HEADED})){_NOT_A_NAME_END}"
)
_PROVINCE = lazy.compile(
    r"(?:경기|강원|충청[남북]|전라[남북]|경상[남북]|(?:강원|전북|제주)특별자치|제주)도"
)
_LOCAL_REASON = "지방자치단체"
# 제13조(조합임원의 결격사유), 제19류 건축용 몰딩: cited, and no name however one read it.
_CITED = lazy.compile(
    r"제 ?[0-9]{1,4}(?:조|항|류|회|차|호증)(?:의 ?[0-9]{1,3})?(?: ?제[0-9]{1,3}[항호]){0,2}"
    rf"{_NOT_A_NAME_END}"
)
_BESIDE = 12
"""Characters on each side of a mention in which a legal form may make a firm of a country."""

_TITLES = (
    "재판장|판사|대법관|대법원장|재판관|법관|사법보좌관|검사|검찰총장|변호사|변호인|변리사|소송대리인|"
    "대리인|공익법무관|주심|기소|공판|국선"
)


_GAPS = r"[ \t]{0,8}"
# In a heading stand names alone, found or not: 【검 사】 홍길동(기소), 성춘향(공판).
_IN_A_LIST = lazy.compile(r"(?<![가-힣])[가-힣]{2,4}(?=(?: ?\([가-힣 ]{1,12}\))?,)")
_LISTED = lazy.compile(r"(?:[가-힣]{3,4}(?: ?\([^()\n]{0,30}\))?,[ \t]*)+\Z")
_PARTS_A_NAME = " \t:：】]］"
"""What may stand between a role word and a name, on its line."""


def spaced(word: str) -> str:
    """Return the expression for *word*, its letters spaced as in headings (변 호 인) or not."""
    return _GAPS.join(map(re.escape, word))


_TITLE = "|".join(map(spaced, _TITLES.split("|")))
_LEAD = lazy.compile(rf"[(\[【]?(?:(?:{_TITLE})[ \t)\]】:：,]{{1,60}})+(?=[가-힣A-Za-z])")


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a span: its treatment, why it is kept (if it is), what to look at."""

    span: Span
    treatment: str
    omission: str = ""
    reason: str = ""
    review: str = ""


@dataclass(frozen=True, slots=True)
class Keep:
    """A group of bodies that stay readable, as one pattern that starts at the mention.

    With *labels* it is asked for those, whatever their treatment (public addresses on the web).
    """

    reason: str
    pattern: re.Pattern[str]
    labels: frozenset[str] = frozenset()
    unless: re.Pattern[str] | None = None

    def covers(self, text: str, span: Span) -> bool:
        """Return whether a body of this group starts with the mention and covers it."""
        return self._fits(text, span) and not self.refuses(text, span)

    def _fits(self, text: str, span: Span) -> bool:
        match = self.pattern.match(text, span.start)
        return match is not None and match.end() >= span.end

    def refuses(self, text: str, span: Span) -> bool:
        """Return whether a mention of this group's words is somebody else's here: 모로코 모텔."""
        if self.unless is None or not self._fits(text, span):
            return False
        around = (
            text[max(0, span.start - _BESIDE) : span.start]
            + "\0"
            + text[span.end : span.end + _BESIDE]
        )
        return self.unless.search(around) is not None


@dataclass(frozen=True, slots=True)
class Role:
    """A role word after which a name stays readable."""

    reason: str
    labels: frozenset[str]
    pattern: re.Pattern[str]
    last: frozenset[str]  # letters in which its words end
    line_has: re.Pattern[str] | None = None
    formal: bool = False
    """Whether a name stays only that stands somewhere as headings have it, in no sentence."""
    acts: re.Pattern[str] | None = None
    """What a sentence says, right behind the name, of one who acts in the case."""

    def is_acting(self, text: str, span: Span, *, is_told: bool) -> bool:
        """Return whether who stands at *span* acts in the case; *is_told*: a sentence goes on."""
        behind = text[span.end : span.end + _SAID_OF_HIM]
        return not is_told or (self.acts is not None and self.acts.search(behind) is not None)

    def covers(self, before: str, line: str) -> bool:
        """Return whether *before*, in which earlier names are NUL, ends in this role's list."""
        if self.line_has and not self.line_has.search(line):
            return False
        return self.pattern.search(before) is not None


@dataclass(frozen=True, slots=True)
class Review:
    """A kept body that may be the scene or a workplace."""

    kind: str
    endings: re.Pattern[str]
    near: re.Pattern[str]
    message: str


@dataclass(frozen=True, slots=True)
class Policy:
    """One profile of what is masked and what stays readable."""

    name: str
    ko: str
    en: str
    treatments: dict[str, str]
    omissions: dict[str, str]
    keeps: tuple[Keep, ...]
    roles: tuple[Role, ...]
    reviews: tuple[Review, ...]
    mask_on_review: bool = False
    digest: str = ""

    def decide(
        self, text: str, spans: Sequence[Span], taxonomy: Taxonomy, *, walls: Sequence[int] = ()
    ) -> list[Decision]:
        """Return a decision for each of *spans* (sorted, disjoint), in their order.

        A role word before one of *walls* (sorted places of the text) is no role of who stands
        behind it.
        """
        befores = list(_befores(text, spans, walls))
        told = _Told(self._others(text, spans), self._only_told(text, spans, befores))
        return [
            self._decide(text, span, before, taxonomy.label(span.label), told)
            for span, before in zip(spans, befores, strict=True)
        ]

    def _only_told(
        self, text: str, spans: Sequence[Span], befores: Sequence[str]
    ) -> frozenset[str]:
        """Return who stands behind a formal role in sentences of this judgment alone.

        변호사 홍길동에게: who acts in the case stands in its heading, too.
        """
        told, acting = set[str](), set[str]()
        for span, before, is_told in zip(spans, befores, _in_sentences(text, spans), strict=True):
            for role in self._roles_before(before):
                if role.formal and role.covers(before, _line_around(text, span)):
                    is_acting = role.is_acting(text, span, is_told=is_told)
                    (acting if is_acting else told).add(text[span.start : span.end])
        return frozenset(told - acting)

    def _others(self, text: str, spans: Sequence[Span]) -> frozenset[str]:
        """Return the words that are a body's, and in some place of this judgment a firm's."""
        return frozenset(
            text[span.start : span.end]
            for span in spans
            if any(keep.refuses(text, span) for keep in self.keeps if keep.unless)
        )

    def _decide(self, text: str, span: Span, before: str, label: Label, told: "_Told") -> Decision:
        treatment = self.treatments.get(label.ko, label.treatment)
        reason = self._reason_to_keep(text, span, before, label, treatment, told)
        if reason:
            review = self._review(text, span)
            if not (review and self.mask_on_review):
                return Decision(span, "keep", reason=reason, review=review)
        return self.mask(span, label)

    def mask(self, span: Span, label: Label) -> Decision:
        """Return how *span* is masked, were it one that may stay readable elsewhere."""
        treatment = self.treatments.get(label.ko, label.treatment)
        omission = self.omissions.get(span.source, label.omission or label.ko)
        if treatment == "omission" or span.source in self.omissions:
            return Decision(span, "omission", omission=omission)
        return Decision(span, "letter" if treatment == "keep" else treatment)

    def _reason_to_keep(
        self,
        text: str,
        span: Span,
        before: str,
        label: Label,
        treatment: str,
        told: "_Told",
    ) -> str:
        if treatment == "keep":
            return label.reason or "공개하는 정보"
        cited = _CITED.match(text, span.start)
        if cited and cited.end() >= span.end:
            return "법령과 증거의 번호"
        groups = {label.ko, label.category, label.subcategory}
        for keep in self.keeps:
            is_other = keep.unless is not None and text[span.start : span.end] in told.others
            if groups & keep.labels and not is_other and keep.covers(text, span):
                return keep.reason
        if treatment != "letter":
            return ""
        is_told = text[span.start : span.end] in told.only_told
        roles = (one for one in self._roles_before(before) if not (one.formal and is_told))
        for role in roles:
            if groups & role.labels and role.covers(before, _line_around(text, span)):
                return role.reason
        if label.subcategory == "인명":
            return _LOCAL_REASON if _is_local_government(text, span) else ""
        is_other = text[span.start : span.end] in told.others
        kept = (one for one in self.keeps if not one.labels and not (is_other and one.unless))
        return next((one.reason for one in kept if one.covers(text, span)), "")

    def _roles_before(self, before: str) -> Iterator[Role]:
        """Yield the roles of which a word may stand before a name of *before*, by its end."""
        ends = last_letters([*before.split("\0"), _LISTED.sub("", before)])
        return (role for role in self.roles if not role.last.isdisjoint(ends))

    def _review(self, text: str, span: Span) -> str:
        around = text[max(0, span.start - 30) : span.end + 40]
        for review in self.reviews:
            if review.endings.match(text, span.start) and review.near.search(around):
                return review.message
        return ""


class _Told(NamedTuple):
    """What a judgment tells of its words elsewhere.

    ``others`` are a body's, and in some place a firm's; ``only_told`` stand behind a formal role
    in sentences alone.
    """

    others: frozenset[str]
    only_told: frozenset[str]


def _in_sentences(text: str, spans: Sequence[Span]) -> Sequence[bool]:
    """Return of each of *spans* whether a sentence goes on behind it, or behind a list of it."""
    found: list[bool] = []
    for at in range(len(spans) - 1, -1, -1):
        end = spans[at].end
        is_told = _GOES_ON.match(text, end) is not None
        if not is_told and found and _NEXT_OF_A_LIST.fullmatch(text, end, spans[at + 1].start):
            is_told = found[-1]
        found.append(is_told)
    return found[::-1]


def keep_pattern(names: Sequence[str], endings: Sequence[str], patterns: Sequence[str]) -> str:
    """Return one regular expression for whole *names*, words with *endings*, and *patterns*."""
    alternatives = [lazy.any_of(names)] if names else []
    alternatives += patterns  # before the endings: '대구지방법원 안동지원' ends in one, and goes on
    if endings:
        alternatives.append(rf"[가-힣A-Za-z0-9·]{{0,16}}?(?:{lazy.any_of(endings)})")
    return f"(?:{'|'.join(alternatives)}){_NOT_A_NAME_END}"


def unless_pattern(before: Sequence[str], after: Sequence[str]) -> str:
    """Return the expression for one of the words right before a mention (NUL), or after it."""
    befores = "|".join(map(re.escape, before)) or "(?!)"
    afters = "|".join(map(re.escape, after)) or "(?!)"
    quotes = "'\"‘’“”"
    return rf"(?:{befores})[은는이가의]? ?[{quotes}]?\0|\0[{quotes}]? ?(?:{afters})"


def role_pattern(words: Sequence[str], unless_after: Sequence[str], *, formal: bool) -> str:
    """Return the expression for a role word, its letters spaced or not, and the names after it.

    The word may stand in a heading's brackets (【검    사】). A list of names goes on over commas
    and brackets; a new line ends it, unless a comma stood before: the names below the judges'
    signatures are no judges. Behind a *formal* one, which asks for headings, it goes on over what
    nobody took for a name, too.
    """
    titles = lazy.any_of(words, between=_GAPS)
    refused = "".join(rf"(?<!{re.escape(word)} )(?<!{re.escape(word)})" for word in unless_after)
    listed = r"(?:\0|[가-힣]{3,4}(?=[ \t]*,))" if formal else r"\0"
    name = listed + r"(?:[ \t]*\([^()\n]{0,30}\)|\))?[ \t,·ㆍ/]*(?:(?<=,)\n\s*)?"
    parts = re.escape(_PARTS_A_NAME)
    return rf"{refused}(?:{titles})(?:[{parts}]*\n?[ \t]*)(?:{name})*\Z"


def last_letters(words: Iterable[str]) -> frozenset[str]:
    """Return the letter in which each of *words* ends, what may part it from a name left out."""
    return frozenset(word.rstrip(_PARTS_A_NAME + "\n")[-1:] for word in words)


def _befores(text: str, spans: Sequence[Span], walls: Sequence[int]) -> Iterator[str]:
    """Yield the text before each span, up to 300 characters or a wall, earlier spans made NUL.

    A title that a span has swallowed (판사 홍길동 as one name) is read as text before the name.
    """
    leads = [_lead(text, span) for span in spans]
    for index, span in enumerate(spans):
        pieces: list[str] = []
        end, floor = span.start, max(0, span.start - 300)
        wall = walls[nearest - 1] if (nearest := bisect_right(walls, span.start)) else 0
        floor = max(floor, wall)
        for at in range(index - 1, max(0, index - 40) - 1, -1):
            if spans[at].end <= floor or spans[at].start < wall:
                break
            pieces += (text[spans[at].end : end], "\0", leads[at])
            end = spans[at].start
        pieces.append(text[floor:end] if end > floor else "")
        yield _with_list("".join(reversed(pieces))) + leads[index]


def _with_list(before: str) -> str:
    """Return *before*, NUL for each name of a heading's list: 【검 사】 홍길동(기소), 성춘향, ."""
    at = before.rfind("】") + 1
    if not at or "\n" in before[at:]:
        return before
    return before[:at] + _IN_A_LIST.sub("\0", before[at:])


def _lead(text: str, span: Span) -> str:
    """Return the titles at the beginning of a span, with what stands between them and the name."""
    match = _LEAD.match(text, span.start, span.end)
    return match[0] if match else ""


def _is_local_government(text: str, span: Span) -> bool:
    """Return whether what looks like a name is a 시 or 군, or the head of a 시·군·구·도: 강진군수.

    A 구 alone is left out: 강남구 may be a person's name.
    """
    match = _LOCAL_GOVERNMENT.match(text, span.start)
    if match is None or match.end() < span.end:
        return False
    place, above = match["place"], match["above"]
    if above and not _is_district(above):
        return False  # a name that an address was glued to: 김도윤전라남도 완도군
    for level, head in _HEAD_OF.items():
        if place.endswith(level + head):
            return _is_district(place.removesuffix(head))
    return len(place) > 2 and place[-1] in "시군" and _is_district(place)


def _is_district(place: str) -> bool:
    return _PROVINCE.fullmatch(place) is not None or district(place) is not None


def _line_around(text: str, span: Span) -> str:
    start = text.rfind("\n", max(0, span.start - 300), span.start) + 1
    end = text.find("\n", span.end, span.end + 300)
    return text[max(start, span.start - 300) : end if end >= 0 else span.end + 300]
