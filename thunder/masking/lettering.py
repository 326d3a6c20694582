"""What stands in the place of each masked mention: the court rule's letters and omissions.

One letter for one person or thing; numbered omissions for numbers: (계좌번호 1 생략).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from thunder.masking.known import Known
from thunder.masking.wordings import key_of
from thunder.names import linking
from thunder.names.patterns.signs import sign
from thunder.taxonomy.policy import Decision
from thunder.text.korean import fold
from thunder.text.letters import letters, letters_in
from thunder.text.particles import agree
from thunder.text.spans import Span

_LONGEST_TAIL = 130
_OMITTED = re.compile(r"(?<![가-힣])(?P<name>[가-힣]{1,12}) ?(?P<number>[0-9]{1,6}) ?생략")
_BRACKETS = re.compile(r"[(（\[［][^()（）\[\]［］\n]{0,40}$")
_CLOSING = re.compile(r"[^()（）\[\]［］\n]{0,40}[)）\]］]")


def entities(
    plain: str, decisions: Sequence[Decision], known: Known
) -> tuple[list[int], dict[int, str]]:
    """Return whose each of *decisions* on folded text is, and the letters that some have."""
    found = linking.entities(plain, [decision.span for decision in decisions])
    return _joined(plain, decisions, found, known)


def letter(
    plain: str,
    decisions: Sequence[Decision],
    numbers: Sequence[int],
    fixed: Mapping[int, str],
    taken: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the replacement of each of *decisions* on folded text, all of which mask something.

    *numbers* say whose they are, *fixed* is as for ``assign``; no letter of *taken* is given out.
    """
    masked = [
        Masked(decision.span, entity, decision.omission)
        for decision, entity in zip(decisions, numbers, strict=True)
    ]
    return assign(plain, masked, fixed=fixed, taken=taken)


def _joined(
    plain: str, decisions: Sequence[Decision], entities: list[int], known: Known
) -> tuple[list[int], dict[int, str]]:
    """Return *entities* with those made one that are known to be, and the letters they have."""
    if not known:
        return entities, {}
    of_key: dict[str, set[int]] = {}
    for decision, entity in zip(decisions, entities, strict=True):
        key = key_of(plain[decision.span.start : decision.span.end])
        of_key.setdefault(key, set()).add(entity)
    one_of: dict[int, int] = {}
    fixed: dict[int, str] = {}
    of_letter: dict[str, int] = {}

    def root(entity: int) -> int:
        while entity in one_of:
            entity = one_of[entity]
        return entity

    def join(first: int, second: int) -> int:
        low, high = sorted((root(first), root(second)))
        if low != high:
            one_of[high] = low
        return low

    for wordings, given in known.one():
        same = [e for wording in wordings for e in of_key.get(key_of(fold(wording).text), ())]
        for entity in same[1:]:
            join(same[0], entity)
        if same and given:
            of_letter[given] = join(of_letter.get(given, same[0]), same[0])
    for given, entity in of_letter.items():
        fixed[root(entity)] = given
    return [root(entity) for entity in entities], fixed


@dataclass(frozen=True, slots=True)
class Masked:
    """A span to be replaced, whose entity it is, and how: by a letter or a named omission."""

    span: Span
    entity: int
    omission: str = ""


def assign(
    text: str,
    masked: Sequence[Masked],
    *,
    fixed: Mapping[int, str] | None = None,
    taken: frozenset[str] = frozenset(),
) -> list[str]:
    """Return the replacement of each of *masked*, given in order of the text.

    One series of letters serves all types in order of first appearance, and one entity keeps
    its letter; *fixed* gives entities the letter that they have already, and none of *taken* is
    given out anew. Omissions count per
    name: '(계좌번호 1 생략)', without brackets of their own where the number stands in brackets
    already. Source: 재판예규 제1778호 as practised (reference sections 1.4 and 1.5).
    """
    letter_of = dict(fixed or {})
    fresh = letters(used=letters_in(text).union(letter_of.values(), taken))
    numbers = _Numbers(text)
    number_of: dict[tuple[str, int], int] = {}
    replacements: list[str] = []
    for item in masked:
        if not item.omission:
            replacements.append(letter_of.get(item.entity) or next(fresh))
            letter_of[item.entity] = replacements[-1]
            continue
        key = (item.omission, item.entity)
        if key not in number_of:
            number_of[key] = numbers.next(item.omission)
        words = f"{item.omission} {number_of[key]} 생략"
        replacements.append(words if _in_brackets(text, item.span) else f"({words})")
    return replacements


class _Numbers:
    """The numbers of omissions, less those that stand in a text already."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last: dict[str, int] = {}

    @cached_property
    def _used(self) -> frozenset[tuple[str, int]]:
        omitted = _OMITTED.finditer(self._text)
        return frozenset((said["name"], int(said["number"])) for said in omitted)

    def next(self, name: str) -> int:
        """Return the next number of *name*, from 1 on."""
        free = count(self._last.get(name, 0) + 1)
        self._last[name] = next(number for number in free if (name, number) not in self._used)
        return self._last[name]


def _in_brackets(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 41) : span.start]
    after = text[span.end : span.end + 41]
    return bool(_BRACKETS.search(before) and _CLOSING.match(after))


def with_told(text: str, spans: Sequence[Span], replacements: Sequence[str]) -> list[Span]:
    """Return *spans* that take in what an omission in a text's own brackets says already.

    (1998. 3. 4.생) is 생년월일 1 생략: the sign told-by-an-omission.
    """
    told = sign("told-by-an-omission")
    return [
        replace(span, end=said.end())
        if replacement.endswith("생략") and (said := told.match(text, span.end))
        else span
        for span, replacement in zip(spans, replacements, strict=True)
    ]


def with_particles(
    text: str, spans: Sequence[Span], replacements: Sequence[str]
) -> tuple[list[Span], list[str]]:
    """Return spans and replacements that take in the particle after a mention, agreed."""
    grown: list[Span] = []
    agreed: list[str] = []
    stops = [*(span.start for span in spans[1:]), len(text)][: len(spans)]
    for span, replacement, stop in zip(spans, replacements, stops, strict=True):
        following = text[span.end : min(stop, span.end + _LONGEST_TAIL)]
        new = agree(replacement, following)
        same = _common_suffix(following, new)
        end = span.end + len(following) - same
        grown.append(Span(span.start, end, span.label, span.score, span.source))
        agreed.append(replacement + new[: len(new) - same])
    return grown, agreed


def _common_suffix(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[-1 - length] == other[-1 - length]:
        length += 1
    return length
