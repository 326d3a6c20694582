"""Which label a placeholder has: what all mentions of one entity say together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from thunder.names.patterns.signs import sign
from thunder.names.person_foreign import label_for
from thunder.taxonomy.own import working as load_taxonomy
from thunder.training_data.placeholders.cues import (
    after,
    around,
    before,
    body_after,
    firm_at,
    is_company,
    is_titled,
    kind_around,
    named_as,
)
from thunder.training_data.placeholders.joining import joined
from thunder.training_data.placeholders.localities import division
from thunder.training_data.placeholders.nouns import is_body, is_trade, stem_behind
from thunder.training_data.placeholders.record import (
    PARTY,
    PERSON,
    SOME_FIRM,
    Mark,
    Vote,
    labels,
    surnames,
)
from thunder.training_data.placeholders.roles import role_start
from thunder.training_data.placeholders.trades import builds

_PRIOR = {"letter": 1.8, "role": 4.0, "circle": 0.4, "omission": 0.0, "open": 0.0}
_ENOUGH = {"letter": 8.0, "role": 4.0, "circle": 8.0, "omission": 8.0, "open": 8.0}
_SHARE = 1.0  # of what all mentions of the entity say, beside the mention's own context
_SURNAME = 3.0  # 허□□: a court that leaves a surname has masked a person
_MORE = 0.15  # of every mention but the strongest


class Decision(NamedTuple):
    """A mark's label and how sure it is, from 0 to 1."""

    label: str
    score: float


def decide(text: str, marks: Sequence[Mark]) -> list[tuple[Mark, Decision]]:
    """Return each mark with its label, by its own context and by its entity's other mentions.

    Circles of one shape may stand for several things (○○동, ○○병원): their marks come back with
    an entity for each kind of thing.
    """
    own = _in_lists(text, marks, [_strongest(votes(text, mark)) for mark in marks])
    own = _with_same_words(text, marks, _with_parties(marks, own))
    marks = joined(text, marks, own)
    together: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for mark, weights in zip(marks, own, strict=True):
        for label, weight in weights.items():
            together[mark.entity][label].append(weight)
    shared = {
        entity: {label: max(each) + _MORE * (sum(each) - max(each)) for label, each in of.items()}
        for entity, of in together.items()
    }
    decided = [
        (mark, _decision(mark, weights, shared.get(mark.entity, {})))
        for mark, weights in zip(marks, own, strict=True)
    ]
    return _with_builders(text, _with_nationalities(text, decided))


def _with_builders(
    text: str, decided: Sequence[tuple[Mark, Decision]]
) -> list[tuple[Mark, Decision]]:
    """Return the decisions with those companies as builders that are spoken of at their works."""
    works: dict[str, list[int]] = defaultdict(list)
    for mark, decision in decided:
        if decision.label == _COMPANY and mark.style == "letter":
            works[mark.entity].append(builds(text, mark.start, mark.end))
    builders = {entity for entity, counts in works.items() if sum(counts) >= _WORKS * len(counts)}
    return [
        (mark, decision._replace(label=_BUILDER))
        if decision.label == _COMPANY and mark.entity in builders
        else (mark, decision)
        for mark, decision in decided
    ]


_COMPANY, _BUILDER = "주식회사", "건설업체"
_WORKS = 2.0  # words of building around each mention


def _with_nationalities(
    text: str, decided: Sequence[tuple[Mark, Decision]]
) -> list[tuple[Mark, Decision]]:
    """Return the decisions with persons of a nationality named as such: 베트남 국적의 A."""
    nation: dict[str, str] = {}
    for mark, decision in decided:
        if decision.label == PERSON and mark.entity not in nation:
            label = label_for(text, role_start(text, mark.start), mark.end)
            if label:
                nation[mark.entity] = label
    return [
        (mark, decision._replace(label=nation.get(mark.entity, PERSON)))
        if decision.label == PERSON
        else (mark, decision)
        for mark, decision in decided
    ]


def _with_parties(
    marks: Sequence[Mark], own: Sequence[Mapping[str, float]]
) -> list[Mapping[str, float]]:
    """Return the weights with what a party's role speaks for given to what the mark is.

    피고 ○○○ is a person, but for the body that ○○○ stands for at more places than for a person.
    """
    bodies: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    people: dict[str, float] = defaultdict(float)
    for mark, weights in zip(marks, own, strict=True):
        people[mark.entity] += weights.get(PERSON, 0.0)
        for label, weight in weights.items():
            if label not in (PERSON, PARTY) and weight >= _NAMES and is_body(label):
                bodies[mark.entity][label] += weight
    party: dict[str, str] = {}
    for entity, weighed in bodies.items():
        label = min(weighed, key=lambda one: (-weighed[one], one))
        if weighed[label] > people[entity]:
            party[entity] = label
    return [
        _renamed(weights, party.get(mark.entity, PERSON)) if PARTY in weights else weights
        for mark, weights in zip(marks, own, strict=True)
    ]


def _with_same_words(
    text: str, marks: Sequence[Mark], own: Sequence[Mapping[str, float]]
) -> list[Mapping[str, float]]:
    """Return the weights with those circles alike that one word is joined to: △△개발, △△개발."""
    words = [
        (text[mark.start : mark.end], stem_behind(text, mark.end))
        if mark.style == "circle"
        else ("", "")
        for mark in marks
    ]
    together: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for word, weights in zip(words, own, strict=True):
        for label, weight in weights.items():
            together[word][label] = max(together[word].get(label, 0.0), weight)
    return [
        together[word] if word[1] else weights for word, weights in zip(words, own, strict=True)
    ]


def _renamed(weights: Mapping[str, float], label: str) -> Mapping[str, float]:
    """Return the weights with the party's given to *label*, the lesser of two by half."""
    rest = {one: weight for one, weight in weights.items() if one != PARTY}
    both = (rest.get(label, 0.0), weights[PARTY])
    return {**rest, label: max(both) + 0.5 * min(both)}


def _in_lists(
    text: str, marks: Sequence[Mark], own: Sequence[Mapping[str, float]]
) -> list[Mapping[str, float]]:
    """Return the weights with those of a list's ends given to its whole: 피해자 A, B, C 은행."""
    found = list(own)
    start = 0
    for at in range(1, len(marks) + 1):
        if at < len(marks) and _is_joined(text, marks[at - 1], marks[at]):
            continue
        if at - start > 1:
            for place in range(start, at):
                found[place] = _with_ends(own[place], own[start], own[at - 1])
        start = at
    return found


def _is_joined(text: str, mark: Mark, following: Mark) -> bool:
    if mark.style != following.style or mark.label or mark.style == "role":
        return False
    return sign("and-a-placeholder").fits(text[mark.end : following.start])


def _with_ends(
    own: Mapping[str, float], first: Mapping[str, float], last: Mapping[str, float]
) -> Mapping[str, float]:
    weights = dict(own)
    for end in (first, last):
        for label, weight in end.items():
            if end is not own and weight >= _OF_LISTS:
                weights[label] = max(weights.get(label, 0.0), 0.6 * weight)
    return weights


_OF_LISTS = 2.0
_NAMES = 5.0  # the noun or form beside an omission, not what only leans


def votes(text: str, mark: Mark) -> list[Vote]:
    """Return everything that the context of one mark speaks for."""
    if mark.style == "omission":
        return [
            Vote(mark.label, 9.0 if mark.label != SOME_FIRM else 5.0),
            *_named_thing(text, mark),
        ]
    if mark.style == "role":
        return _numbered(text, mark)
    found = [
        *before(text, mark.start, company=is_company(text, mark.end)),
        *after(text, mark.end),
        *around(text, mark.start, mark.end),
    ]
    houses = [vote for vote in found if vote.label in labels("house")]
    if houses and (form := firm_at(text, mark.start, mark.end)):
        found = [*(vote for vote in found if vote not in houses), form]
    if mark.style == "circle":
        is_named = mark.end - mark.start > 2 and text[mark.start] in surnames()
        return [
            *found,
            *division(text, mark.end),
            *([Vote(PERSON, _SURNAME)] if is_named else []),
        ]
    return found


def _numbered(text: str, mark: Mark) -> list[Vote]:
    """Return what makes a numbered party a body, and what kind the words around say it is."""
    start = role_start(text, mark.start)
    if is_titled(text, start):
        return []  # 변호사 소외 2 법률사무소
    body = list(body_after(text, mark.end))
    if not body or any(vote.label not in _ANY_FIRM for vote in body):
        return body
    kinds = kind_around(text, start, mark.end)
    return [*body, *(one for one in kinds if one.weight >= _NAMES and is_trade(one.label))]


_ANY_FIRM = ("주식회사", SOME_FIRM)


def _named_thing(text: str, mark: Mark) -> list[Vote]:
    """Return what follows an omission that says only that a name was left out."""
    if mark.label != SOME_FIRM:
        return []
    named = [*after(text, mark.end), *named_as(text, mark.start)]
    return [vote for vote in named if vote.weight >= _NAMES]


def _strongest(found: Sequence[Vote]) -> Mapping[str, float]:
    """Return the weight of each label: its best vote whole, the others by half."""
    weights: dict[str, list[float]] = defaultdict(list)
    for vote in found:
        weights[vote.label].append(vote.weight)
    return {label: max(each) + 0.5 * (sum(each) - max(each)) for label, each in weights.items()}


def _decision(mark: Mark, own: Mapping[str, float], shared: Mapping[str, float]) -> Decision:
    if mark.label and (mark.label != SOME_FIRM or mark.style == "open"):
        return Decision(mark.label, 0.98 if mark.style == "omission" else 0.9)
    total = {label: own.get(label, 0.0) + _SHARE * weight for label, weight in shared.items()}
    total[PERSON] = total.get(PERSON, 0.0) + _PRIOR[mark.style]
    if mark.style == "role":
        total = _specific(total, _ANY_FIRM)
    total = _specific(total, (SOME_FIRM,))
    ranked = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    label, best = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    strength = min(1.0, best / _ENOUGH[mark.style])
    return Decision(label, round(strength * (0.5 + 0.5 * (best - second) / max(best, 1e-9)), 3))


_BODIES = frozenset(("D.2.5", "D.2.6", "D.2.7", "D.2.9", "D.2.10"))


def _specific(total: Mapping[str, float], vague: Sequence[str]) -> dict[str, float]:
    """Return the weights with what speaks for some firm given to the kind of firm that is known."""
    some = sum(total.get(label, 0.0) for label in vague)
    bodies = {
        label: weight for label, weight in total.items() if label not in vague and _is_body(label)
    }
    best = max(bodies, key=lambda label: (bodies[label], label), default="")
    if not some or not best or bodies[best] < _KNOWN:
        return dict(total)
    rest = {label: weight for label, weight in total.items() if label not in vague}
    return {**rest, best: rest[best] + some}


_KNOWN = 1.5


@lru_cache(maxsize=1024)
def _is_body(label: str) -> bool:
    return label not in labels("vague") and load_taxonomy().label(label).code in _BODIES
