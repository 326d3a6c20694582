"""Why something is masked, or stays readable, in words: who proposed it, and which points count.

What a text says is never quoted here: features are numbers and words of a small set.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from thunder.masking.deciding import KEEP, Rule, masked_of
from thunder.masking.deidentify import Mentioned, decide, mentioned_in
from thunder.masking.doubts import Doubt
from thunder.masking.records import Document, Why
from thunder.mentions import weighing
from thunder.mentions.candidates import Candidate, everything
from thunder.mentions.scorecard import Reason, Weighed, raw
from thunder.settings.messages import Message, language
from thunder.taxonomy.own import ruling
from thunder.taxonomy.profiles import load as load_policy
from thunder.text.spans import Span

if TYPE_CHECKING:
    from thunder.tagger.chosen_tagger import RulesAlone
    from thunder.tagger.tagger import Tagger

LEAST = 0.05
"""Points: a reason that gives less is not named."""

_FOUND = Message(ko="찾은 규칙 {who}", en="found by {who}")
_CHANCE = Message(ko="가릴 정보일 확률 {chance:.2f}", en="a mention with probability {chance:.2f}")
_POINTS = Message(ko="{what}({points:+.1f})", en="{what} ({points:+.1f})")
_UNPROPOSED = Message(ko="아무도 제안하지 않음", en="proposed by nobody")
_DROPPED = Message(ko="제안한 규칙 {who}, 버려짐", en="proposed by {who}, and dropped")
_UNLIKELY = Message(
    ko="제안한 규칙 {who}, 가릴 정보일 확률이 {least:.2f}에 못 미쳐 버려짐",
    en="proposed by {who}, and dropped: less likely a mention than {least:.2f}",
)
_PROPOSED = Message(ko="제안한 규칙 {who}", en="proposed by {who}")
_KEPT = Message(ko="기준에 따라 남김: {reason}", en="kept by the rule: {reason}")

_FEATURES = {
    "mass": Message(ko="태거가 읽은 확률 {value}", en="the tagger's probability {value}"),
    "usual mass": Message(
        ko="같은 말에 태거가 준 평균 확률 {value}", en="the tagger's on average for it {value}"
    ),
    "mass beside": Message(
        ko="바로 옆 글자의 태거 확률 {value}", en="the tagger's beside it {value}"
    ),
    "common": Message(ko="판결서에서 흔한 정도 {value}", en="commonness in judgments {value}"),
    "tailed": Message(ko="조사 앞에서 흔한 정도 {value}", en="commonness before particles {value}"),
    "class": Message(ko="품사 {value}", en="word class {value}"),
    "length": Message(ko="길이 {value}", en="length {value}"),
    "form": Message(ko="글자 종류 {value}", en="written in {value}"),
    "likeness": Message(ko="사람 이름다움 {value}", en="like a person's name {value}"),
    "before": Message(ko="앞말 {value}", en="what stands before: {value}"),
    "within": Message(ko="낱말 가운데서 시작 {value}", en="begins within a word: {value}"),
    "after": Message(ko="뒷말 {value}", en="what stands after: {value}"),
    "noun": Message(ko="종류를 말하는 명사 {value}", en="noun of a kind: {value}"),
    "district": Message(ko="시·군·구 이름 {value}", en="name of a district: {value}"),
    "quoted": Message(ko="따옴표 {value}", en="quotation marks: {value}"),
    "elsewhere": Message(ko="다른 곳의 같은 말 {value}", en="the same words elsewhere: {value}"),
    "beside a mask": Message(ko="가린 곳 옆 {value}", en="beside a mask: {value}"),
    "kept": Message(ko="기준에 따라 남김 {value}", en="kept by the rule: {value}"),
    "source": Message(ko="규칙 {value}", en="finder {value}"),
    "label": Message(ko="라벨 번호 {value}", en="label id {value}"),
    "places": Message(ko="나온 횟수 {value}", en="places {value}"),
    "readable": Message(ko="읽히는 채 나온 비율 {value}", en="share of readable places {value}"),
    "score": Message(ko="규칙의 점수 {value}", en="the finder's score {value}"),
    "tagged": Message(ko="태거 후보의 점수 {value}", en="score of the tagger's candidate {value}"),
}

_VALUES = {
    **{
        "no": "아님",
        "yes": "맞음",
        "none": "없음",
        "word": "낱말",
        "space": "빈칸",
        "end": "줄 끝",
    },
    **{
        "person": "사람",
        "place": "지명",
        "proper": "고유명사",
        "noun": "명사",
        "nouns": "명사 여럿",
    },
    **{"verb": "동사", "adverb": "부사", "clause": "어절", "particle": "조사", "pieces": "낱글자"},
    **{
        "mixed": "섞임",
        "unknown": "모르는 말",
        "surname+given": "성과 이름",
        "person+": "사람 이름과 다른 말",
    },
    **{
        "Hangul": "한글",
        "digits": "숫자",
        "capitals": "로마자 대문자",
        "small letters": "로마자 소문자",
    },
    **{"digits, Hangul": "숫자와 한글", "digits, Latin": "숫자와 로마자", "letter": "글자"},
    **{"a kind": "종류를 말하는 명사", "the word goes on": "낱말이 이어짐"},
    **{"digit": "숫자 하나", "masked": "가린 말과 같음"},
    **{"part of a mask": "가린 말의 일부", "behind": "뒤", "before": "앞", "between": "사이"},
    **{"opens": "여는 것", "closes": "닫는 것", "quoted": "둘러쌈", "district": "온전한 이름"},
    **{"bare": "시·군·구 없는 이름", "is place": "장소 명사임", "is organisation": "단체 명사임"},
    **{"ends in place": "장소 명사로 끝남", "ends in organisation": "단체 명사로 끝남"},
    **{
        "before place": "장소 명사 앞",
        "before organisation": "단체 명사 앞",
        "before form": "법인격 앞",
    },
    **{
        "before common place": "흔한 장소 명사 앞",
        "before common organisation": "흔한 단체 명사 앞",
    },
}
"""How values of features are said in Korean; what lacks here is said as it is."""


def sentence(span: Span, why: Why | None = None) -> str:
    """Return why a *span* is masked: who found it, how likely it is a mention, and the points."""
    who = _FOUND(who=span.source or "?")
    return "; ".join([who, *_weighed(why.probability, why.reasons)] if why else [who])


def reasons_of(doubt: Doubt) -> str:
    """Return how likely there is something to mask at *doubt*, and the points; "" without any."""
    is_weighed = doubt.score is not None and doubt.reasons
    return "; ".join(_weighed(doubt.score or 0.0, doubt.reasons)) if is_weighed else ""


def _weighed(chance: float, reasons: Sequence[Reason]) -> Iterator[str]:
    yield _CHANCE(chance=chance)
    named = [
        _POINTS(what=_FEATURES[one.feature](value=_shown(one)), points=one.points)
        for one in reasons
        if abs(one.points) >= LEAST
    ]
    if named:
        yield ", ".join(named)


def _shown(reason: Reason) -> str:
    if isinstance(reason.value, str):
        return _VALUES.get(reason.value, reason.value) if language() == "ko" else reason.value
    return f"{reason.value:.4g}"


# --- on demand -----------------------------------------------------------------------------------


class Explained(NamedTuple):
    """A stretch of a text: is it masked, was it proposed, how likely is it a mention, and why."""

    start: int
    end: int
    is_masked: bool
    is_proposed: bool
    probability: float
    sentence: str


def explained(
    text: str, tagger: "Tagger | RulesAlone", *, profile: str = "court"
) -> list[Explained]:
    """Return each mask of *text* and each word of it that stays readable, with the reasons.

    They are in order, in code points. LookupError for an unknown profile, ValueError for a text
    that no file can hold.
    """
    document = Document(text)
    ((_, found),) = mentioned_in([document], tagger)
    folded, card = found.folded, found.seen.scorecard
    weighs = card is not None and any(card.masked.values())
    unlikely = list(_unlikely(document, tagger, found)) if weighs else []
    decisions = decide(folded, found.mentions, document, Rule(load_policy(profile), ruling()))
    masked = [one.span for one in masked_of(decisions)]
    kept = [one for one in decisions if one.treatment == KEEP]
    told: list[Explained] = []
    spans = [decision.span for decision in kept]
    for one in everything(folded.text, found.seen.evidence, masked=masked, kept=spans):
        at = (its for its in unlikely if one.start < its.end and its.start < one.end)
        dropped = next(at, one)
        weighed = card.weigh(dropped) if card else Weighed(raw(one), ())
        parts = list(_weighed(weighed.probability, weighed.reasons)) if card else []
        least = card.least(dropped) if card and dropped is not one else 0.0
        reasons = (
            _KEPT(reason=decision.reason)
            for decision in kept
            if decision.span.start < one.end and one.start < decision.span.end
        )
        said = "; ".join([_proposed(one, *reasons, least=least), *parts])
        for place in one.places:
            span = folded.original(Span(*place, ""))
            flags = one.is_masked, _is_proposed(one)
            told.append(Explained(span.start, span.end, *flags, weighed.probability, said))
    return sorted(told)


def _unlikely(
    document: Document, tagger: "Tagger | RulesAlone", found: Mentioned
) -> Iterator[Candidate]:
    """Yield what was found and its scorecard held for no mention, as it was weighed."""
    ((_, all_found),) = mentioned_in([document], tagger, weighed=False)
    kept = set(found.mentions)
    pairs = weighing.weighed(found.folded.text, all_found.mentions, found.seen.evidence)
    yield from (one for span, one in pairs if span not in kept)


def _is_proposed(candidate: Candidate) -> bool:
    features = candidate.features
    return candidate.is_masked or features["source"] != "none" or features["tagged"] != 0


def _proposed(candidate: Candidate, *reasons: str, least: float) -> str:
    """Return who proposed *candidate*, and what became of it; *reasons* are the rule's to keep.

    Something that is less likely a mention than *least* was weighed and dropped.
    """
    source = str(candidate.features["source"])
    if candidate.is_masked:
        return _FOUND(who=source)
    if not _is_proposed(candidate):
        return _UNPROPOSED()
    who = source if source != "none" else "tagger"
    if reasons:
        return "; ".join([_PROPOSED(who=who), *reasons])
    return _UNLIKELY(who=who, least=least) if least else _DROPPED(who=who)
