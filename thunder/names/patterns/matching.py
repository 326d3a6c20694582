"""All rules found in a text at once: one pass for the words that trigger them, then each rule."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from thunder.names.chunks import HANGUL, Chunk, name_length, word_after, word_before
from thunder.names.descriptors import UNKNOWN, read
from thunder.names.given_names import surnames
from thunder.names.patterns.conditions import Condition, Test
from thunder.names.quotations import noun_of, quotations
from thunder.names.runs import Index, Places
from thunder.taxonomy.grammar import (
    BUILT_IN,
    NAMED,
    Part,
    Piece,
    Word,
    beginnings,
    regex_of,
    required_literals,
    width_of,
)
from thunder.text import lazy

_REACH = 80  # how far before a trigger the signs of a rule may begin
_MEMBERS = 200  # of a list that goes on, so that a text full of lists takes no longer than others
_MOST = 1 << 12  # words whose answers each rule remembers
_MANY = 40  # words of a class
_NOT_IN_A_RUN = "<![가-힣]"
_BEHIND_SPACE = lazy.compile("[ ]([가-힣]+)")
_BY_RUN = lazy.compile("[ ]?[가-힣]")
_OF_HANGUL = lazy.compile(r"[가-힣(?:|)]+")


class Rule(NamedTuple):
    """A rule, ready to be looked for; a noun at ``label_from`` gives another label than its own.

    ``variants`` are its parts, more than once where alternatives were taken apart, each with the
    number of the part that triggers it. What an ``everywhere`` rule marks is masked
    wherever it stands. ``goes_on`` is what stands behind the mention, once or often, where it is
    the first of a list, ``goes_back`` what stands before it where it is the last: each member of
    the list is a mention by itself.
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
    goes_on: re.Pattern[str] | None = None
    goes_back: re.Pattern[str] | None = None


class Match(NamedTuple):
    """Where a rule fired: the mention, its label, and the words that were tested, by letter."""

    rule: Rule
    mention: Chunk
    label: str
    words: Mapping[str, Chunk]


_Numbered = tuple[int, "_Compiled"]
_Asked = tuple[Test, bool]
_Match = Callable[[str, int], re.Match[str] | None]
_Groups = tuple[tuple["_Trigger", ...], ...]
_Hits = tuple[tuple[int, _Groups, tuple[str, ...]], ...]
_Ranges = tuple[tuple[int, int], ...]


class Matcher:
    """Rules made ready; ``find`` yields what they say of a text.

    *in_runs* gives what ``hits_in`` says of each run of a text, where somebody asks that anyway.
    """

    def __init__(
        self, rules: Sequence[Rule], in_runs: "Callable[[str], Places[_Hits]] | None" = None
    ) -> None:
        triggers: dict[tuple[str, tuple[str, ...]], _Trigger] = {}
        of_literal: dict[str, dict[_Trigger, None]] = defaultdict(dict)
        self._at_quotations: list[_Compiled] = []
        variants = ((rule, *one) for rule in rules for one in rule.variants)
        for number, (rule, parts, at) in enumerate(variants):
            part = parts[at]
            if isinstance(part, Word):
                self._at_quotations.append(_Compiled(rule, parts[at:], parts[:at]))
                continue
            key = part.regex, required_literals(part)
            trigger = triggers.setdefault(key, _Trigger(part))
            trigger.add(number, rule, parts, at)
            for literal in required_literals(part):
                of_literal[literal][trigger] = None
        # What a longer trigger begins with triggers, too: 지점 and 지.
        self._of_longest = {
            word: _each_once(of_literal.get(word[:end], ()) for end in range(1, len(word) + 1))
            for word in sorted(of_literal)
        }
        # Words in Hangul are looked for in the runs of a text, which come again.
        of_hangul: dict[str, list[str]] = defaultdict(list)
        behind_space: dict[str, list[str]] = defaultdict(list)
        for word in self._of_longest:
            if head := HANGUL.match(word):
                of_hangul[head[0]].append(word)
            elif head := _BEHIND_SPACE.match(word):
                behind_space[head[1]].append(word)
        self._of_hangul = {
            head: tuple(sorted(words, key=len, reverse=True)) for head, words in of_hangul.items()
        }
        self._behind_space = {
            head: tuple(sorted(words, key=len, reverse=True))
            for head, words in behind_space.items()
        }
        self._longest_head = max(map(len, self._behind_space), default=0)
        others = [word for word in self._of_longest if not _BY_RUN.match(word)]
        self._in_runs = lazy.anywhere(self._of_hangul) if of_hangul else None
        self._in_text = lazy.anywhere(others) if others else None
        self._of_runs = in_runs or Index().question(self.hits_in)

    def find(self, text: str) -> Iterator[Match]:
        """Yield where each rule fires in folded *text*, by the place of its trigger."""
        if self._at_quotations:
            for start in quotations(text).by_start:
                for rule in self._at_quotations:
                    yield from rule.matches_at(text, (start,), start, {})
        done: dict[_Trigger, int] = {}
        for at, is_inside, groups in self._hits(text):
            for triggers in groups:
                found: list[tuple[int, Match]] = []
                for trigger in triggers:
                    if is_inside and trigger.begins_a_run:
                        continue
                    if at >= done.get(trigger, 0):
                        done[trigger] = trigger.match_at(text, at, found, is_inside=is_inside)
                if found:
                    yield from (match for _, match in sorted(found, key=itemgetter(0)))

    def _hits(self, text: str) -> Iterable[tuple[int, bool, _Groups]]:
        """Return where words that trigger stand, whether inside a run, and what they trigger."""
        hits: list[tuple[int, bool, _Groups]] = []
        for start, _, of_run in self._of_runs(text):
            for at, inside, beyond in of_run:
                place = start + at
                for word in beyond:
                    if place >= 0 and text.startswith(word, place):
                        hits.append((place, at > 0, self._of_longest[word]))
                        break
                else:
                    if inside:
                        hits.append((place, at > 0, inside))
        if self._in_text is not None:
            its = self._in_text.finditer(text)
            hits += ((hit.start(), False, self._of_longest[hit[1]]) for hit in its)
            hits.sort(key=itemgetter(0))
        return hits

    def hits_in(self, run: str) -> _Hits:
        """Return where words trigger in a run, what the longest does, and what to look at first.

        They are the longer ones that go on behind the run; from the space before the run on (-1)
        those that begin with one.
        """
        hits: list[tuple[int, _Groups, tuple[str, ...]]] = []
        heads = (run[:end] for end in range(min(len(run), self._longest_head), 0, -1))
        spaced = [word for head in heads for word in self._behind_space.get(head, ())]
        if spaced:
            hits.append((-1, (), tuple(sorted(spaced, key=len, reverse=True))))
        for hit in self._in_runs.finditer(run) if self._in_runs else ():
            at, head = hit.start(), hit[1]
            goes_on = at + len(head) == len(run)
            words = [word for word in self._of_hangul[head] if word != head] if goes_on else []
            word = self._longest_of(head)
            if at:
                words = [word for word in words if word in self._of_inside]
                word = word if word in self._of_inside else ""
            inside = self._in_run(run, at, word) if word else ()
            if inside or words:
                hits.append((at, inside, tuple(words)))
        return tuple(hits)

    def _in_run(self, run: str, at: int, word: str) -> "_Groups":
        """Return what *word* triggers at a place of *run* but for what cannot fire there."""
        groups = (
            tuple(trigger for trigger in triggers if trigger.may_fire(run, at))
            for triggers in self._of_longest.get(word, ())
        )
        return tuple(filter(None, groups))

    def _longest_of(self, head: str) -> str:
        """Return the longest word that triggers and that *head* begins with, or ""."""
        ends = range(len(head), 0, -1)
        return next((head[:end] for end in ends if head[:end] in self._of_longest), "")

    @cached_property
    def _of_inside(self) -> frozenset[str]:
        """The words that trigger something inside a run, too."""
        return frozenset(
            word
            for word, groups in self._of_longest.items()
            if not all(trigger.begins_a_run for triggers in groups for trigger in triggers)
        )


def _each_once(
    of_beginnings: Iterable[Iterable["_Trigger"]],
) -> tuple[tuple["_Trigger", ...], ...]:
    """Return the triggers of each beginning of a word that no shorter one has."""
    seen: set[_Trigger] = set()
    found = []
    for triggers in of_beginnings:
        new = tuple(one for one in triggers if one not in seen)
        seen.update(new)
        found += [new] if new else []
    return tuple(found)


class _Before(NamedTuple):
    """An expression for what ends at a place, and how many signs before it that begins at most."""

    pattern: re.Pattern[str]
    reach: int

    def at(self, text: str, place: int) -> re.Match[str] | None:
        """Return the longest match that ends at *place*."""
        return self.pattern.search(text, max(0, place - self.reach), place)


class _Group:
    """The rules of a trigger before which the same stands."""

    def __init__(self, trigger: str, before: _Before | None) -> None:
        self.before = before
        self.rules: dict[re.Pattern[str] | None, list[_Numbered]] = {}
        self._trigger = trigger  # "" where what stands behind it is asked
        self._behind: list[tuple[Rule, Sequence[Part]]] = []
        regex = before.pattern.pattern.removesuffix(r"\Z") if before else ""
        self.begins_a_run = regex.strip("(?:)") == _NOT_IN_A_RUN

    def add(
        self, onward: re.Pattern[str] | None, numbered: _Numbered, behind: Sequence[Part]
    ) -> None:
        """Add a rule, looked for by *onward* if by anything; *behind* the trigger its parts go on.

        ``rules`` are in that order by what is looked for.
        """
        self.rules.setdefault(onward, []).append(numbered)
        self._behind.append((numbered[1].rule, behind))

    @cached_property
    def passes(self) -> "_Match | None":
        """How the gate is asked, if there is one."""
        return self.gate and self.gate.match

    @cached_property
    def gate(self) -> re.Pattern[str] | None:
        """What matches wherever one of the rules fires; None where that says nothing."""
        behind = dict.fromkeys(_behind(rule, parts) for rule, parts in self._behind)
        is_dear = self.before is not None and not self.begins_a_run
        says_more = len(behind) > 1 or "(?=" in "".join(behind) or is_dear
        regex = f"{self._trigger}(?:{'|'.join(behind)})"
        if "" in behind or "(?P=" in regex or not says_more:
            return None
        return lazy.compile(NAMED.sub("(?:", regex))


class _Trigger:
    """All rules that one part triggers: what several of them ask of a place is asked once."""

    def __init__(self, part: Piece) -> None:
        self._regex = part.regex
        # What is only words is no part of any expression: a class may have hundreds.
        self._words = frozenset(part.literals if part.is_words else ())
        self._lengths = sorted({len(word) for word in self._words}, reverse=True)
        self._itself = lazy.compile(part.regex)
        self._expressions: dict[str, re.Pattern[str]] = {}
        # By what stands right before the trigger, then by what it begins: the rules, in order.
        self._groups: dict[str, _Group] = {}
        # Words it may be, the rule, what then stands behind, and the group.
        self._begun: list[tuple[Sequence[str], Rule, Sequence[Part], _Group]] = []
        self._is_open = False  # whether it is not known of each rule with which words it begins

    def add(self, number: int, rule: Rule, parts: Sequence[Part], at: int) -> None:
        """Add *rule*, which the part of *parts* with the number *at* triggers."""
        one = _Compiled(rule, parts[at + bool(self._words) :], parts[:at])
        before, onward = one.before, one.onward
        if before:
            one.left = one.left[1:]
        if onward is not None:
            onward = self._expressions.setdefault(onward.pattern, onward)
            if onward.pattern == f"(?:{self._regex})" and not self._words:
                onward = None
        written = before.pattern.pattern if before else ""
        trigger = "" if self._words else f"(?:{self._regex})"
        group = self._groups.setdefault(written, _Group(trigger, before))
        behind = parts[at + 1 :]
        group.add(onward, (number, one), behind)
        begun = beginnings(parts[at])
        self._is_open |= not begun
        self._begun += ((words, rule, (*rest, *behind), group) for words, rest in begun)

    def may_fire(self, run: str, at: int) -> bool:
        """Return whether a rule may fire at a place of a *run*, by what of it is behind that."""
        if self._is_open:
            return not (at and self.begins_a_run)
        known = self._of_words
        for end in range(at + 1, min(len(run), at + self._longest) + 1):
            for signs, begins_a_run in known.get(run[at:end], ()):
                if not (at and begins_a_run) and _may_follow(run[end : end + 1], signs):
                    return True
        return False

    @cached_property
    def _of_words(self) -> Mapping[str, Collection[tuple[_Ranges, bool]]]:
        """By each word it may be: the signs behind that, and whether it must begin a run there."""
        begun: defaultdict[tuple[frozenset[str], _Ranges], list[_Group]] = defaultdict(list)
        for some, rule, behind, group in self._begun:
            begun[frozenset(some), _signs_behind(rule, behind)].append(group)
        found: defaultdict[str, set[tuple[_Ranges, bool]]] = defaultdict(set)
        for (words, signs), groups in begun.items():
            for word in words:
                found[word].add((signs, all(group.begins_a_run for group in groups)))
        return found

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._of_words), default=0)

    @cached_property
    def begins_a_run(self) -> bool:
        """Whether the trigger is a word in Hangul with which a run begins where a rule fires."""
        is_word = _OF_HANGUL.fullmatch(self._regex) is not None
        return is_word and all(group.begins_a_run for group in self._groups.values())

    def match_at(
        self, text: str, at: int, found: "list[tuple[int, Match]]", *, is_inside: bool
    ) -> int:
        """Return where the trigger ends (*at* where it is none); add what its rules find."""
        end, begins = self._from(text, at)
        if not begins:
            return at
        for group in self._groups.values():
            if is_inside and group.begins_a_run:
                continue
            if (passes := group.passes) and not _at_some(passes, text, begins):
                continue
            before, start, words = group.before, at, {}
            if group.begins_a_run:
                if at and "가" <= text[at - 1] <= "힣":
                    continue
            elif before is not None:
                leading = before.at(text, at)
                if leading is None:
                    continue
                start = leading.start()
                if before.pattern.groups:
                    words = _groups(leading)
            for onward, rules in group.rules.items():
                if onward is None or _at_some(onward.match, text, begins):
                    for number, rule in rules:
                        if of_rule := rule.matches_at(text, begins, start, words):
                            found += ((number, one) for one in of_rule)
        return end

    def _from(self, text: str, at: int) -> tuple[int, Sequence[int]]:
        """Return where the trigger ends, and from where on the rest is looked for, in that order.

        That is behind each word that it may be, the longest first, or from *at* on with itself; no
        place where it does not stand at *at*.
        """
        words = self._words
        if not words:
            itself = self._itself.match(text, at)
            return (itself.end(), (at,)) if itself else (at, ())
        if len(words) == 1:  # it stands at every hit of its one word
            end = at + self._lengths[0]
            return end, (end,)
        ends = [at + long for long in self._lengths if text[at : at + long] in words]
        return (ends[0], ends) if ends else (at, ())


def _at_some(match: _Match, text: str, places: Sequence[int]) -> bool:
    return any(map(match, repeat(text), places))


_IN_WORD = "[가-힣A-Za-z0-9&·ㆍ.+-]"
_EDGE = f"(?:{BUILT_IN['edge']})"
_NO_HANGUL = (0, ord("가") - 1), (ord("힣") + 1, 0x10FFFF)


def _signs_behind(rule: Rule, parts: Sequence[Part]) -> _Ranges:
    """Return the ranges of code points with one of which *parts* begin, () where it may be any."""
    found: list[tuple[int, int]] = []
    for part in parts:
        if isinstance(part, Word):
            regex = "" if part.kind == "quoted" else _begins(rule, part.letter)
            some = lazy.begins_with(regex)
        elif part.regex == _EDGE:
            return (*found, *_NO_HANGUL)
        elif part.literals:
            some = [(ord(word[0]), ord(word[0])) for word in part.literals], part.optional
        else:
            some = lazy.begins_with(NAMED.sub("(?:", part.regex))
        if some is None:
            return ()
        found += some[0]
        if not some[1]:
            return tuple(sorted(set(found)))
    return ()


@lru_cache(maxsize=1 << 16)
def _may_follow(sign: str, signs: _Ranges) -> bool:
    """Return whether one of *signs* is the *sign* behind a word, or behind a run ("")."""
    if not signs:
        return True
    if not sign:
        return any(first < ord("가") or last > ord("힣") for first, last in signs)
    return any(first <= ord(sign) <= last for first, last in signs)


def _behind(rule: Rule, parts: Sequence[Part]) -> str:
    """Return what stands where *parts* do; of words, of which another may be the end, how wide.

    Of one of many words no more than how it begins: that is quicker to make than to go by.
    """
    for at, part in enumerate(parts):
        if isinstance(part, Piece) and part.is_words and len(part.literals) > _MANY:
            firsts = sorted({word[0] for word in part.literals})
            return _without_names(rule, regex_of(parts[:at])) + f"[{re.escape(''.join(firsts))}]"
        if isinstance(part, Word):
            before, rest = regex_of(parts[:at]), parts[at + 1 :]
            word = "" if part.kind == "quoted" else f"(?={_begins(rule, part.letter)})"
            if word and any(isinstance(one, Word) or not one.optional for one in rest):
                word += f"(?:{_IN_WORD}{{1,40}}(?:{_behind(rule, rest)})|{_IN_WORD}{{41}})"
            return _without_names(rule, before) + word
    return _without_names(rule, regex_of(parts))


def _without_names(rule: Rule, regex: str) -> str:
    return NAMED.sub(lambda it: f"(?:{_only(rule, it[1])}", regex)


def _begins(rule: Rule, letter: str) -> str:
    """Return the class of the signs with which the word *letter* of *rule* begins."""
    if any(one.letter == letter and one.written == "surname" for one in rule.where):
        return _surnames()
    return "[가-힣A-Za-z0-9]"


def _only(rule: Rule, letter: str) -> str:
    is_name = any(one.letter == letter and one.written == "surname" for one in rule.where)
    return f"(?={_surnames()})" if is_name else ""


@lru_cache(maxsize=1)
def _surnames() -> str:
    return f"[{''.join(sorted({one[0] for one in surnames()}))}]"


class _Compiled:
    """A rule cut at its trigger and at its words, each stretch between an expression."""

    def __init__(self, rule: Rule, right: Sequence[Part], left: Sequence[Part]) -> None:
        self.rule = rule
        self.is_list = rule.goes_on is not None or rule.goes_back is not None
        self._right = [*_onward(right)]
        self.left = [*_backward(left)]
        letters = dict.fromkeys(one.letter for one in (*rule.where, *rule.unless))
        self._tests = [(letter, _Tests(rule, letter)) for letter in letters]

    @property
    def before(self) -> _Before | None:
        """What stands right before the trigger, if it is no word."""
        first = self.left[0] if self.left else None
        return first if isinstance(first, _Before) else None

    @property
    def onward(self) -> re.Pattern[str] | None:
        """What begins with the trigger, if it is no word."""
        first = self._right[0] if self._right else None
        return None if isinstance(first, Word) else first

    def matches_at(
        self, text: str, begins: Sequence[int], start: int, words: Mapping[str, Chunk]
    ) -> Sequence[Match]:
        """Return what the rule finds from the first of *begins* on at which its first part stands.

        The parts that are left stand before *start*. Of a list all members that are asked for, be
        the first of them or not.
        """
        found = dict(words)
        begin: int | None = start
        if self.left:
            begin = _before(text, start, self.left, found)
        if begin is None or (found and not self.is_list and not self._hold(text, found)):
            return ()
        end = _after(text, begins, self._right, found)
        if end is None or not self._fits(text, begin, end):
            return ()
        if self.is_list:
            return [*self._members(text, found, begin, end)]
        return (self._match(found),) if self._hold(text, found) else ()

    def _members(
        self, text: str, first: Mapping[str, Chunk], start: int, end: int
    ) -> Iterator[Match]:
        """Yield the members of a list of which *first* is one, those that pass the tests."""
        if self._hold(text, first):
            yield self._match(first)
        if (onward := self.rule.goes_on) is not None:
            for _ in range(_MEMBERS):
                if (found := onward.match(text, end)) is None:
                    break
                end = found.end()
                yield from self._member(text, first, found)
        if (back := self.rule.goes_back) is not None:
            for _ in range(_MEMBERS):
                if (found := back.search(text, max(0, start - _REACH), start)) is None:
                    break
                start = found.start()
                yield from self._member(text, first, found)

    def _member(
        self, text: str, first: Mapping[str, Chunk], found: re.Match[str]
    ) -> Iterator[Match]:
        words = {**first, **_groups(found)}
        if self._hold(text, words):
            yield self._match(words)

    def _hold(self, text: str, words: Mapping[str, Chunk]) -> bool:
        """Return whether what is asked of *words*, those known by now, is so."""
        for letter, tests in self._tests:
            if (word := words.get(letter)) and not tests.hold(text, word):
                return False
        return True

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


class _Tests:
    """What is asked of one word of a rule; what a word answers wherever it stands is remembered."""

    def __init__(self, rule: Rule, letter: str) -> None:
        self._of_word, self._of_place = list[_Asked](), list[_Asked]()
        for wanted, conditions in ((True, rule.where), (False, rule.unless)):
            for one in conditions:
                if one.letter == letter:
                    its = self._of_place if one.of_place else self._of_word
                    its.append((one.holds, wanted))
        self._known: dict[str, bool] = {}

    def hold(self, text: str, word: Chunk) -> bool:
        holds = self._known.get(word.text)
        if holds is None:
            holds = all(test(text, word) == wanted for test, wanted in self._of_word)
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[word.text] = holds
        return holds and all(test(text, word) == wanted for test, wanted in self._of_place)


def _onward(parts: Sequence[Part]) -> Iterator[Word | re.Pattern[str]]:
    """Yield words, and the expressions between them."""
    for group in _grouped(parts):
        yield group if isinstance(group, Word) else lazy.compile(f"(?:{regex_of(group)})")


def _backward(parts: Sequence[Part]) -> Iterator[Word | _Before]:
    """Yield words, and expressions for what ends where each begins; the last first."""
    for group in reversed(_grouped(parts)):
        if isinstance(group, Word):
            yield group
        else:
            pattern = lazy.compile(rf"(?:{regex_of(group)})\Z")
            yield _Before(pattern, min(_REACH, width_of(group)))


def _grouped(parts: Sequence[Part]) -> list[Word | list[Part]]:
    """Return words, and the parts between them together."""
    groups: list[Word | list[Part]] = []
    for part in parts:
        if isinstance(part, Word):
            groups.append(part)
        elif groups and isinstance(groups[-1], list):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _before(
    text: str, at: int, stretches: Sequence[Word | _Before], words: dict[str, Chunk]
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
            word = _word_up_to(text, at)
            if word is None:
                return None
            words[one.letter] = word
            at = word.start
        else:
            found = one.at(text, at)
            if found is None:
                return None
            if one.pattern.groups:
                words |= _groups(found)
            at = found.start()
    return at


def _after(
    text: str,
    begins: Sequence[int],
    stretches: Sequence[Word | re.Pattern[str]],
    words: dict[str, Chunk],
) -> int | None:
    at = begins[0]
    if len(begins) > 1 and stretches and not isinstance(stretches[0], Word):
        first = stretches[0]
        at = next((one for one in begins if first.match(text, one)), at)
    for one in stretches:
        if isinstance(one, Word):
            if one.kind == "quoted":
                quotation = quotations(text).by_start.get(at)
                if quotation is None:
                    return None
                words[one.letter], at = quotation.phrase, quotation.end
                continue
            word = _word_at(text, at, one.kind == "name")
            if word is None:
                return None
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


@lru_cache(maxsize=64)  # the rules of one trigger ask for the same words
def _word_at(text: str, at: int, is_name: bool) -> Chunk | None:
    word = word_after(text, at)
    if word is None or not is_name:
        return word
    end = at + name_length(text, word.text)
    return Chunk(at, end, text[at:end])


@lru_cache(maxsize=64)
def _word_up_to(text: str, at: int) -> Chunk | None:
    return word_before(text, at)


def _groups(found: re.Match[str]) -> dict[str, Chunk]:
    return {name: Chunk(*found.span(name), word) for name, word in found.groupdict().items()}
