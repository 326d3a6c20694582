"""All rules found in a text at once: one pass for the words that trigger them, then each rule."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from thunder.names.chunks import Chunk, name_length, word_after, word_before
from thunder.names.descriptors import UNKNOWN, read
from thunder.names.patterns.conditions import Condition
from thunder.names.patterns.grammar import Part, Word, regex_of, required_literals
from thunder.names.quotations import noun_of, quotations
from thunder.text import lazy

_REACH = 80  # how far before a trigger the signs of a rule may begin


class Rule(NamedTuple):
    """A rule, ready to be looked for; a noun at ``label_from`` gives another label than its own.

    ``variants`` are its parts, more than once where alternatives were taken apart, each with the
    number of the part that triggers it. What an ``everywhere`` rule marks is masked
    wherever it stands.
    """

    id: str
    variants: tuple[tuple[tuple[Part, ...], int], ...]
    mention: str
    label: str
    label_from: str
    score: float
    where: tuple[Condition, ...]
    unless: tuple[Condition, ...]
    after: re.Pattern[str] | None
    not_after: re.Pattern[str] | None
    followed_by: re.Pattern[str] | None
    not_followed_by: re.Pattern[str] | None
    everywhere: bool = False
    quoted: bool = False


class Match(NamedTuple):
    """Where a rule fired: the mention, its label, and the words that were tested, by letter."""

    rule: Rule
    mention: Chunk
    label: str
    words: Mapping[str, Chunk]


class Matcher:
    """Rules made ready; ``find`` yields what they say of a text."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        of_literal: dict[str, list[_Compiled]] = defaultdict(list)
        self._at_quotations: list[_Compiled] = []
        for rule in rules:
            for parts, anchor in rule.variants:
                one = _Compiled(rule, parts, anchor)
                if isinstance(parts[anchor], Word):
                    self._at_quotations.append(one)
                for literal in required_literals(parts[anchor]):
                    of_literal[literal].append(one)
        literals = sorted(of_literal)
        # What a longer trigger begins with triggers, too: 지점 and 지.
        self._of_longest = {
            word: tuple(
                dict.fromkeys(
                    rule
                    for other in literals
                    if word.startswith(other)
                    for rule in of_literal[other]
                )
            )
            for word in literals
        }
        self._trigger = lazy.anywhere(literals) if literals else None

    def find(self, text: str) -> Iterator[Match]:
        """Yield where each rule fires in folded *text*, by the place of its trigger."""
        if self._at_quotations:
            for start in quotations(text).by_start:
                for rule in self._at_quotations:
                    _, match = rule.match_at(text, start)
                    if match:
                        yield match
        if self._trigger is None:
            return
        done: dict[_Compiled, int] = {}
        for hit in self._trigger.finditer(text):
            at = hit.start()
            for rule in self._of_longest[hit[1]]:
                if at < done.get(rule, 0):
                    continue
                end, match = rule.match_at(text, at)
                done[rule] = end
                if match:
                    yield match


class _Compiled:
    """A rule cut at its trigger and at its words, each stretch between an expression."""

    def __init__(self, rule: Rule, parts: Sequence[Part], anchor: int) -> None:
        self.rule = rule
        is_word = isinstance(parts[anchor], Word)
        self._anchor = lazy.compile("" if is_word else regex_of([parts[anchor]]))
        self._right = [*_stretches(parts[anchor:], backwards=False)]
        self._left = [*_stretches(parts[:anchor], backwards=True)]
        first = self._right[0] if self._left and self._right else None
        self._first = None if isinstance(first, Word) else first

    def match_at(self, text: str, at: int) -> tuple[int, Match | None]:
        """Return where the trigger ends (*at* where it is none), and what the rule finds."""
        trigger = self._anchor.match(text, at)
        if trigger is None:
            return at, None
        words: dict[str, Chunk] = {}
        # What is looked for from where it begins is refuted sooner than what has to end there.
        if self._first and not self._first.match(text, at):
            return trigger.end(), None
        start = _before(text, at, self._left, words)
        if start is None:
            return trigger.end(), None
        end = _after(text, at, self._right, words)
        if end is None or not self._fits(text, start, end):
            return trigger.end(), None
        if not _hold(text, words, self.rule):
            return trigger.end(), None
        return trigger.end(), self._match(words)

    def _match(self, words: Mapping[str, Chunk]) -> Match:
        mention, label = words[self.rule.mention], self._label(words)
        reading = noun_of(mention.text) if self.rule.quoted else None
        if reading:  # '[나리] 식당': the noun stays outside, and says what it is
            label = reading.label if label == UNKNOWN else label
            end = mention.start + reading.name_end
            mention = Chunk(mention.start, end, mention.text[: reading.name_end])
        return Match(self.rule, mention, label, words)

    def _label(self, words: Mapping[str, Chunk]) -> str:
        if not self.rule.label_from:
            return self.rule.label
        reading = read(words[self.rule.label_from].text)
        return reading.descriptor.label if reading else self.rule.label

    def _fits(self, text: str, start: int, end: int) -> bool:
        rule, first = self.rule, max(0, start - _REACH)
        if rule.after and not rule.after.search(text, first, start):
            return False
        if rule.not_after and rule.not_after.search(text, first, start):
            return False
        if rule.followed_by and not rule.followed_by.match(text, end):
            return False
        return not (rule.not_followed_by and rule.not_followed_by.match(text, end))


def _hold(text: str, words: Mapping[str, Chunk], rule: Rule) -> bool:
    return all(one.holds(text, words[one.letter]) for one in rule.where) and not any(
        one.holds(text, words[one.letter]) for one in rule.unless
    )


_Stretch = Word | re.Pattern[str]


def _stretches(parts: Sequence[Part], *, backwards: bool) -> Iterator[_Stretch]:
    """Yield words, and the expressions between them; the last first, if *backwards*."""
    groups: list[list[Part]] = [[]]
    for part in parts:
        if isinstance(part, Word):
            groups += [[part], []]
        else:
            groups[-1].append(part)
    for group in reversed(groups) if backwards else groups:
        if group and isinstance(group[0], Word):
            yield group[0]
        elif group:
            yield lazy.compile(f"(?:{regex_of(group)})" + (r"\Z" if backwards else ""))


def _before(
    text: str, at: int, stretches: Sequence[_Stretch], words: dict[str, Chunk]
) -> int | None:
    """Return where the parts before a trigger begin, or None where they do not stand there."""
    for one in stretches:
        if isinstance(one, Word):
            if one.kind == "quoted":
                quotation = quotations(text).by_end.get(at)
                if quotation is None:
                    return None
                words[one.letter], at = quotation.phrase, quotation.start
                continue
            word = word_before(text, at)
            if word is None:
                return None
            words[one.letter] = word
            at = word.start
        else:
            found = one.search(text, max(0, at - _REACH), at)
            if found is None:
                return None
            if one.groups:
                words |= _groups(found)
            at = found.start()
    return at


def _after(
    text: str, at: int, stretches: Sequence[_Stretch], words: dict[str, Chunk]
) -> int | None:
    for one in stretches:
        if isinstance(one, Word):
            if one.kind == "quoted":
                quotation = quotations(text).by_start.get(at)
                if quotation is None:
                    return None
                words[one.letter], at = quotation.phrase, quotation.end
                continue
            word = word_after(text, at)
            if word is None:
                return None
            if one.kind == "name":
                end = at + name_length(text, word.text)
                word = Chunk(at, end, text[at:end])
            words[one.letter] = word
            at = word.end
        else:
            found = one.match(text, at)
            if found is None:
                return None
            if one.groups:
                words |= _groups(found)
            at = found.end()
    return at


def _groups(found: re.Match[str]) -> dict[str, Chunk]:
    return {name: Chunk(*found.span(name), word) for name, word in found.groupdict().items()}
