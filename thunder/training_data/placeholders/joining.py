"""Which placeholders are one entity: circles by what they stand for, bodies, and short names."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from thunder.names.patterns.signs import sign
from thunder.training_data.placeholders.cues import after, is_titled
from thunder.training_data.placeholders.nouns import is_business
from thunder.training_data.placeholders.record import PERSON, SOME_FIRM, Mark, labels
from thunder.training_data.placeholders.roles import role_start

Weights = Mapping[str, float]
"""How much the context of one placeholder speaks for each label."""

_CLEAR = 5.0
_PERSONAL = 2.5
_BRACKET = 140  # signs from the beginning of a bracket to the short name in it


def joined(text: str, marks: Sequence[Mark], own: Sequence[Weights]) -> list[Mark]:
    """Return the marks with one entity name for each thing, by their context's *own* weights."""
    apart = _bodies_apart(text, _circles_apart(marks, own), own)
    return _with_short_names(text, apart, own)


def _circles_apart(marks: Sequence[Mark], own: Sequence[Weights]) -> list[Mark]:
    """Return the marks with an entity for each kind of thing one shape stands for: ○○동, ○○병원.

    A place that says nothing belongs to the kind that the shape stands for most often, where it
    stands for that at half of the clear places or more; else nothing speaks for it.
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    clear = [_clear_kind(mark, weights) for mark, weights in zip(marks, own, strict=True)]
    for mark, kind in zip(marks, clear, strict=True):
        if kind:
            kinds[mark.entity][kind] += 1
    found: list[Mark] = []
    for mark, kind, weights in zip(marks, clear, own, strict=True):
        if mark.style == "circle" and kinds[mark.entity]:
            of = kinds[mark.entity]
            firms = {one: of[one] for one in of if one != SOME_FIRM and is_business(one)}
            # Who works at ○○ works at the firm that the shape stands for elsewhere.
            places = {one: of[one] for one in of if one in labels("division")}
            among = places if kind in labels("of-a-place") else {}  # ○○구, ○○보건소
            if kind == SOME_FIRM:
                among = firms
            elif not kind:
                among = {one: of[one] for one in of.keys() - labels("only-joined")}
                among = among or ({} if weights else of)
            same = min(among, key=lambda one: (-of[one], one), default=kind)
            if kind or 2 * of[same] >= of.total():
                mark = mark._replace(entity=f"{mark.entity} {same}")
            elif not weights:
                mark = mark._replace(entity=f"{mark.entity} {mark.start}")
        found.append(mark)
    return found


def _clear_kind(mark: Mark, weights: Weights) -> str:
    """Return the label that a circle's own context leaves no doubt about, or ""."""
    if mark.style != "circle" or not weights:
        return ""
    label = min(weights, key=lambda one: (-weights[one], one))
    return label if weights[label] >= _CLEAR else ""


def _bodies_apart(text: str, marks: Sequence[Mark], own: Sequence[Weights]) -> list[Mark]:
    """Return the marks with persons and bodies of one number apart: 공소외 1, 공소외 1 회사.

    Some reports number them in two rows. They are one where the bare number never stands as
    only a person does.
    """
    numbered = [(mark, bool(w)) for mark, w in zip(marks, own, strict=True) if mark.style == "role"]
    bodies = {mark.entity for mark, is_body in numbered if is_body}
    persons: set[str] = set()
    for at, (mark, is_body) in enumerate(numbered):
        if not is_body and mark.entity in bodies and mark.entity not in persons:
            last = at  # of a list, what its last says: 소외 1, 2의 진술
            while last + 1 < len(numbered) and _goes_on(
                text, numbered[last][0], numbered[last + 1][0]
            ):
                last += 1
            if _is_person(text, mark) or (
                not numbered[last][1] and _is_person(text, numbered[last][0])
            ):
                persons.add(mark.entity)
    return [
        mark._replace(entity=f"{mark.entity} 법인") if mark.entity in persons and weights else mark
        for mark, weights in zip(marks, own, strict=True)
    ]


def _is_person(text: str, mark: Mark) -> bool:
    if is_titled(text, role_start(text, mark.start)):
        return True  # 변호사 소외 7
    return any(vote.label == PERSON and vote.weight >= _PERSONAL for vote in after(text, mark.end))


def _goes_on(text: str, mark: Mark, following: Mark) -> bool:
    return sign("and-a-number").fits(text[mark.end : following.start])


def _with_short_names(text: str, marks: Sequence[Mark], own: Sequence[Weights]) -> list[Mark]:
    """Return the marks with those that a judgment introduces as another's short name joined.

    Of circles only those are that name, from there on, that nothing else says what they are:
    주식회사 ○○건축(이하 ‘○○’이라 한다) is not ○○시.
    """
    same: dict[str, str] = {}
    circles: dict[str, tuple[int, str]] = {}
    for at, short in enumerate(marks):
        long = _long_before(text, marks, at) if short.style != "omission" else None
        if not long or long.style == "omission" or long.entity == short.entity:
            continue
        if long.style == short.style == "role":
            continue  # 원고 10(이하 ‘원고 1 등’): the court numbers each once
        if short.style == "circle":
            circles.setdefault(text[short.start : short.end], (at, long.entity))
        else:
            same.setdefault(short.entity, same.get(long.entity, long.entity))
    found: list[Mark] = []
    for at, (mark, weights) in enumerate(zip(marks, own, strict=True)):
        first, meant = circles.get(text[mark.start : mark.end], (len(marks), ""))
        if mark.style == "circle" and at >= first and not _clear_kind(mark, weights):
            found.append(mark._replace(entity=same.get(meant, meant)))
        else:
            found.append(mark._replace(entity=same.get(mark.entity, mark.entity)))
    return found


def _long_before(text: str, marks: Sequence[Mark], at: int) -> Mark | None:
    """Return the mark before the bracket that introduces that *at*, maybe behind other words in it.

    ○○○ 주식회사(변경 전 상호: □□ 주식회사, 이하 ‘소외 3 회사’라 한다)
    """
    short = marks[at]
    said = sign("hereafter-a-placeholder").match(text, short.start)
    if said is None or not sign("called-so").at(text, short.end):
        return None
    opening = _opening(text, said.start())
    long = next((mark for mark in reversed(marks[:at]) if mark.end <= opening), None)
    if long and sign("up-to-its-bracket").fits(text[long.end : opening]):
        return long
    return None


def _opening(text: str, at: int) -> int:
    """Return where the bracket begins that is open at *at*, -1 without any near."""
    closed = 0
    for place in range(at - 1, max(-1, at - _BRACKET), -1):
        if text[place] in ")]":
            closed += 1
        elif text[place] in "([":
            if not closed:
                return place
            closed -= 1
    return -1
