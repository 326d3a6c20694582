"""The court rule's letters and numbered omissions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from thunder.text.letters import letters, letters_in
from thunder.text.spans import Span

_OMITTED = re.compile(r"(?<![가-힣])(?P<name>[가-힣]{1,12}) ?(?P<number>[0-9]{1,6}) ?생략")
_BRACKETS = re.compile(r"[(（\[［][^()（）\[\]［］\n]{0,40}$")
_CLOSING = re.compile(r"[^()（）\[\]［］\n]{0,40}[)）\]］]")


@dataclass(frozen=True, slots=True)
class Masked:
    """A span to be replaced, whose entity it is, and how: by a letter or a named omission."""

    span: Span
    entity: int
    omission: str = ""


def assign(
    text: str, masked: Sequence[Masked], *, fixed: Mapping[int, str] | None = None
) -> list[str]:
    """Return the replacement of each of *masked*, given in order of the text.

    One series of letters serves all types in order of first appearance, and one entity keeps
    its letter; *fixed* gives entities the letter that they have already. Omissions count per
    name: '(계좌번호 1 생략)', without brackets of their own where the number stands in brackets
    already. Source: 재판예규 제1778호 as practised (reference sections 1.4 and 1.5).
    """
    letter_of = dict(fixed or {})
    fresh = letters(used=letters_in(text).union(letter_of.values()))
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
        self._used = {(said["name"], int(said["number"])) for said in _OMITTED.finditer(text)}
        self._last: dict[str, int] = {}

    def next(self, name: str) -> int:
        """Return the next number of *name*, from 1 on."""
        free = count(self._last.get(name, 0) + 1)
        self._last[name] = next(number for number in free if (name, number) not in self._used)
        return self._last[name]


def _in_brackets(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 41) : span.start]
    after = text[span.end : span.end + 41]
    return bool(_BRACKETS.search(before) and _CLOSING.match(after))
