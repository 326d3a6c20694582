"""The letters of a judgment whose family has some already: who is who, and who is asked about.

What a judgment masks is read as entities with names, standings (피고인, 증인 …) and dates of birth;
the ledger says which letter each has (``thunder.masking.case_ledger``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from thunder.identifiers.birth_date import DATE
from thunder.masking.case_ledger import PERSON, THING, Entity, OfJudgment, digest_of
from thunder.masking.doubts import Doubt
from thunder.names import linking
from thunder.names.kinds import is_person
from thunder.taxonomy.lexicon import table
from thunder.taxonomy.policy import Decision
from thunder.text.korean import Folded
from thunder.text.letters import letters_in
from thunder.text.spans import Span

_RESIDENT = "주민등록번호"
_BEFORE, _AFTER = 24, 40  # characters around a name in which its standing and its birth are said
_NO_SYLLABLE = re.compile(r"[^가-힣]+")
_NUMBERS = re.compile(r"[0-9]+")
_ANY = "any"
_FULL_NAME = 3  # letters: a shorter one does not count where one of these stands for the same

NAMESAKE = (
    "{reason}. 같은 사람이면 thunder letters same, 다른 사람이면 thunder letters different로 "
    "정하십시오."
)
CLASH = "앞 심급의 글자 {letter}가 이 판결서에 이미 쓰여 다른 글자를 주었습니다. 확인하십시오."
UNASSIGNED = "이 사건의 글자 장부에 없습니다. thunder letters assign을 다시 하십시오."


@dataclass(slots=True)
class Fixed:
    """What a ledger says of a text: letters of entities, those not to be given, and doubts.

    ``asked``: of an entity, the kind of doubt and its sentence.
    """

    letter_of: dict[int, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    asked: dict[int, tuple[str, str]] = field(default_factory=dict)


def entities_of(
    text: str, plain: str, spans: Sequence[Span], numbers: Sequence[int], mentions: Sequence[Span]
) -> dict[int, Entity]:
    """Return the entities whose *numbers* *spans* of a folded text have, in order of appearance.

    *text* is the original, by which what has no name of its own (김 과장) is known in it alone;
    *mentions* are all that there are, dates of birth that stay readable, too.
    """
    births = [one for one in mentions if one.label in (DATE, _RESIDENT)]
    digest = digest_of(text).hex()
    spans_of: dict[int, list[Span]] = {}
    for span, number in zip(spans, numbers, strict=True):
        spans_of.setdefault(number, []).append(span)
    return {number: _entity(plain, its, births, digest) for number, its in spans_of.items()}


def _entity(plain: str, spans: Sequence[Span], births: Sequence[Span], digest: str) -> Entity:
    kind = PERSON if any(is_person(one.label) for one in spans) else THING
    names = {name for span in spans if (name := linking.name_of(plain, span))}
    if kind == PERSON and any(len(name) >= _FULL_NAME for name in names):
        names = {name for name in names if len(name) >= _FULL_NAME}
    if not names:
        first = spans[0]
        names = {f"{digest} {plain[first.start : first.end]} {first.label}"}
    if kind != PERSON:
        return Entity(kind, tuple(sorted(names)))
    standings = {said for span in spans if (said := _standing(plain, span.start))}
    born = {date for span in spans if (date := _birth(plain, span, births))}
    return Entity(kind, tuple(sorted(names)), frozenset(standings), frozenset(born))


@lru_cache(maxsize=1)
def _standings() -> dict[str, str]:
    return dict(table("instance_roles"))


def _standing(plain: str, start: int) -> str:
    """Return the standing that the words before a name give it, "" for none."""
    line = plain[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    left = _NO_SYLLABLE.sub("", line)
    known = _standings()
    while left:
        word = max((word for word in known if left.endswith(word)), key=len, default="")
        if not word:
            return ""
        if known[word] != _ANY:
            return known[word]
        left = left.removesuffix(word)
    return ""


def _birth(plain: str, span: Span, births: Sequence[Span]) -> str:
    """Return the date of birth that stands right behind a name, as YYMMDD; "" for none."""
    near = [one for one in births if 0 <= one.start - span.end <= _AFTER]
    if not near or "\n\n" in plain[span.end : near[0].start]:
        return ""
    numbers = _NUMBERS.findall(plain[near[0].start : near[0].end])
    if near[0].label == _RESIDENT:
        return numbers[0][:6] if numbers and len(numbers[0]) >= 6 else ""
    if len(numbers) < 3:
        return ""
    year, month, day = (int(one) for one in numbers[:3])
    return f"{year % 100:02}{month:02}{day:02}"


def fixed(
    text: str,
    plain: str,
    decisions: Sequence[Decision],
    numbers: Sequence[int],
    mentions: Sequence[Span],
    of: OfJudgment,
    known: Mapping[int, str],
) -> Fixed:
    """Return the letters that entities with *numbers* have in their family.

    *known* are those that were decided before, which count more. A letter that the text has already
    is not given: a reader would take the one for the other.
    """
    lettered = [
        (one.span, number)
        for one, number in zip(decisions, numbers, strict=True)
        if not one.omission
    ]
    found = Fixed(taken=of.taken)
    standing = letters_in(plain)
    given = set(known.values())
    spans, its = [span for span, _ in lettered], [number for _, number in lettered]
    for number, entity in entities_of(text, plain, spans, its, mentions).items():
        if number in known:
            continue
        letter, reason = of.find(entity)
        if not letter:
            found.asked[number] = ("unassigned", UNASSIGNED)
        elif letter in standing or letter in given:
            found.asked[number] = ("letter", CLASH.format(letter=letter))
        else:
            found.letter_of[number] = letter
            given.add(letter)
            if reason:
                found.asked[number] = ("namesake", NAMESAKE.format(reason=reason))
    return found


def doubts_of(
    folded: Folded, decisions: Sequence[Decision], numbers: Sequence[int], found: Fixed
) -> list[Doubt]:
    """Return a doubt at the first place of each entity of which something is asked."""
    said: set[int] = set()
    doubts = []
    for decision, number in zip(decisions, numbers, strict=True):
        if number in found.asked and number not in said and not decision.omission:
            said.add(number)
            span = folded.original(decision.span)
            doubts.append(Doubt(span.start, span.end, *found.asked[number]))
    return doubts
