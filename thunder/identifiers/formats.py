"""Numbers known by their form and by the words beside them: ``taxonomy/patterns/formats.yaml``.

A row says what to look for in the language of the rules (``thunder.taxonomy.grammar``), what else
may be said of a number, and how sure it then is: the first line of ``scores`` whose conditions all
hold. A recogniser is the rows that bear its name, in their order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node, ScalarNode

from thunder.identifiers import checks
from thunder.identifiers.cues import HIDDEN, digits_of, is_named, is_near, naming
from thunder.identifiers.format_index import Index, Places, matches
from thunder.settings.yamlfile import Problem
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.grammar import (
    NAMED,
    Part,
    Piece,
    parsed,
    regex_of,
    required_literals,
    triggered,
    word_pattern,
)
from thunder.taxonomy.lexicon import FORMATS
from thunder.taxonomy.pattern_file import MARKED, PatternFile, Row, rows_of
from thunder.text import lazy
from thunder.text.spans import Span

_REQUIRED = ("of", "find", "label", "scores")
_BESIDE = ("not_after", "not_followed_by")
_TOLD = ("called", "near", "before", "behind", "like")
_KNOWN = (*_BESIDE, *_TOLD, "check", "needs", "next", "next_score")
_SCORE = re.compile(r"(0(?:\.[0-9]{1,2})?|1\.0)((?: -?[a-z0-9-]+)*)")
_FIRST = re.compile(r"(\[[^\]]+\])(?:\{(\d+),(\d+)\})?")
_ZEROS = {"zeros": 0, "nearly-zeros": 1}  # how many other digits there are
_FOLLOWS = "follows-one"
_OF_ITSELF = ("joined", "spaced", "hidden", *_ZEROS, "checked", _FOLLOWS)
_PARTS_A_LIST, _WIDEST_PART = frozenset("호,ㆍ·및와과 "), 6  # two that follow each other
_BEFORE = 60  # code points before a number in which what stands before it is looked for
_NOTHING = re.compile("(?P<X>)")  # of a row that is refused


class Score(NamedTuple):
    """How sure a number is where all conditions hold: a name of one, and whether it must hold."""

    score: float
    conditions: tuple[tuple[str, bool], ...]


class Near(NamedTuple):
    """Words that speak for a number, so many code points before it or behind it."""

    words: re.Pattern[str]
    before: int
    behind: int


@dataclass(frozen=True, slots=True, eq=False)
class Format(Row):
    """One row."""

    of: str
    label: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    scores: tuple[Score, ...]
    called: Mapping[str, re.Pattern[str]]
    near: Mapping[str, Near]
    before: Mapping[str, re.Pattern[str]]
    behind: Mapping[str, re.Pattern[str]]
    like: Mapping[str, re.Pattern[str]]
    check: str
    next: re.Pattern[str] | None
    next_score: float

    def find(self, text: str, places: Places = None) -> Iterator[Span]:
        """Yield where it stands in folded *text*, and what goes on after it in a list.

        *places* are those at which it may begin, if they are known.
        """
        at = -1  # where the one before it ends
        for match in matches(self, text, places):
            start, end = match.span("X")
            follows = 0 <= at < start <= at + _WIDEST_PART and _PARTS_A_LIST.issuperset(
                text[at:start]
            )
            score = self.score(text, start, end, follows=follows)
            if not score:
                continue
            closes = text[start - 1 : start] == "(" and ")" in text[start:end]
            yield Span(start - closes, end, self.label, score)  # (02) 123-4567
            at = match.end()
            while self.next and (more := self.next.match(text, at)):
                at = more.end()
                yield Span(*more.span("X"), self.label, min(score, self.next_score))

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield where the expression matches: where one of its words stands, if it has words."""
        return matches(self, text, None)

    def score(
        self, text: str, start: int, end: int, number: str = "", *, follows: bool = False
    ) -> float:
        """Return how sure what stands at start:end is, where it says *number*; 0: it is none.

        *follows*: whether only what parts a list stands between it and the one before it.
        """
        known = {_FOLLOWS: follows}
        for score, conditions in self.scores:
            for name, wanted in conditions:
                if name not in known:
                    known[name] = self._holds(text, start, end, name, number)
                if known[name] != wanted:
                    break
            else:
                return score
        return 0.0

    def _holds(self, text: str, start: int, end: int, name: str, number: str) -> bool:
        if name in self.called:
            return is_named(text, start, self.called[name])
        if name in self.near:
            words, before, behind = self.near[name]
            return is_near(text, start, end, words, before=before, after=behind)
        if name in self.before:
            return self.before[name].search(text, max(0, start - _BEFORE), start) is not None
        if name in self.behind:
            return self.behind[name].match(text, end) is not None
        number = number or text[start:end]
        if name in self.like:
            return self.like[name].fullmatch(number) is not None
        if _is_size(name):
            size, of = name.split("-")
            hidden = sum(sign in HIDDEN for sign in number) if of == "signs" else 0
            return len(digits_of(number)) + hidden >= int(size)
        return self._of_itself(number, name)

    def _of_itself(self, number: str, name: str) -> bool:
        if name == "joined":
            return "-" in number
        if name == "spaced":
            return " " in number and "-" not in number
        if name == "hidden":
            return any(sign in HIDDEN for sign in number)
        if name in _ZEROS:
            return len(digits_of(number).replace("0", "")) <= _ZEROS[name]
        return checks.CHECKS[self.check](number)


def _is_size(name: str) -> bool:
    """Return whether a condition says how many digits there are at least: 7-digits."""
    size, _, of = name.partition("-")
    return size.isdecimal() and of in ("digits", "signs")


_OF_A_LIST = 0.85


class Recogniser:
    """The rows of one name, as ``thunder.identifiers.Recogniser`` asks for."""

    def __init__(self, name: str) -> None:
        self.NAME = name

    @cached_property
    def rows(self) -> tuple[Format, ...]:
        """The rows, in their order."""
        return tuple(one for one in formats(None) if one.of == self.NAME)

    def find(self, text: str) -> Iterator[Span]:
        """Yield what the rows find in folded *text*; where two begin together, the first's.

        So, too, where one is the end of another that was found before it: 1234 of 12가1234.
        """
        standing = _index().standing(text).get(self.NAME)
        if not standing:
            return
        seen, begins = set[int](), dict[int, int]()
        for row, places in standing:
            for span in row.find(text, places):
                if span.start not in seen and begins.get(span.end, span.start) >= span.start:
                    seen.add(span.start)
                    begins[span.end] = span.start
                    yield span


@lru_cache(maxsize=4)
def formats(place: Path | None) -> tuple[Format, ...]:
    """Return the rows of the folder *place* (or in use), none where it has no such file.

    YamlFileError names every fault with file, line and cure.
    """
    return rows_of(_File, place, FORMATS, _File.row, required=_REQUIRED, known=_KNOWN)


@lru_cache(maxsize=1)
def _index() -> Index[Format]:
    """Return the rows in use, looked for together."""
    return Index(formats(None))


def failing(rows: tuple[Format, ...]) -> Iterator[Problem]:
    """Yield what does not hold of the examples of *rows*: file, line, and what is found instead."""
    for row in rows:
        for example in (*row.examples, *row.near_misses):
            plain = MARKED.sub(r"\1", example.text)
            found = [plain[span.start : span.end] for span in row.find(plain)]
            wanted = MARKED.findall(example.text) if example in row.examples else []
            if found != wanted:
                told, meant = (", ".join(some) or say.NOTHING() for some in (found, wanted))
                said = say.FORMAT_FINDS(id=row.id, found=told, wanted=meant)
                yield Problem(row.path, example.line, said)


class _File(PatternFile):
    """The file as it is read; what is wrong stands with its reader."""

    def row(self, node: Node, values: Mapping[str, Node]) -> Format:
        """Return what an entry says."""
        text, of = self.reader.text, {key: self.reader.mapping(values.get(key)) for key in _TOLD}
        near = {name: self._near(one) for name, one in of["near"].items()}
        called, before, behind, like = (
            {name: self._expression(one, kind) for name, one in of[kind].items()}
            for kind in ("called", "before", "behind", "like")
        )
        pattern, words = self._pattern(values)
        check = text(values.get("check"), choices=tuple(checks.CHECKS)) if "check" in values else ""
        names = {*called, *near, *before, *behind, *like}
        return Format(
            *self.told(node, values, "find", once=False, near=False),
            of=text(values["of"]),
            label=self.label(values["label"]).ko,
            pattern=pattern,
            words=words,
            scores=self._scores(values["scores"], names, check),
            called=called,
            near=near,
            before=before,
            behind=behind,
            like=like,
            check=check,
            next=self._expression(values["next"], "next") if "next" in values else None,
            next_score=self._next_score(values.get("next_score")),
        )

    def _pattern(self, values: Mapping[str, Node]) -> tuple[re.Pattern[str], tuple[str, ...]]:
        """Return the expression, and the words with one of which it begins, if it does."""
        parts = self.tried(values["find"], lambda: self._parsed(values["find"]))
        if not parts:
            return _NOTHING, ()
        before = self._alternatives(values.get("not_after"))
        never = self._alternatives(values.get("not_followed_by"))
        behind = f"(?!{'|'.join(never)})" if never else ""
        at = next((at for at, part in enumerate(parts) if part.masked), -1)
        letters = NAMED.findall(regex_of(parts))
        if at < 0 or len(set(letters)) < len(letters):
            self.reader.refuse(values["find"], say.FORMAT_MARKS_ONE())
        # What must not follow stands right behind the number, what else is looked for after it.
        regex, rest = regex_of(parts[: at + 1]) + behind, regex_of(parts[at + 1 :])
        head = None if at else self._headed(parts[0], before)
        apart = "".join(f"(?<!{one})" for one in before)
        written = f"{head}{behind}{rest}" if head else f"{apart}{regex}{rest}"
        try:
            re.compile(apart)
        except re.error as error:
            self.reader.refuse(values["find"], say.BEFORE_OF_ONE_WIDTH(why=error))
        variants = triggered(parts)
        words = [required_literals(some[anchor]) for some, anchor in variants]
        given = values.get("needs")
        begins: tuple[str, ...] = ()
        needs: str | tuple[str, ...] = ()
        if isinstance(given, ScalarNode):  # a sign that it holds
            needs = self.some(given)
        elif given is not None:
            needs = tuple(word for one in self.reader.sequence(given) for word in self._words(one))
        elif words and all(words):
            needs = tuple(sorted({word for one in words for word in one}))
            if head is None and all(anchor == 0 for _, anchor in variants):
                begins, needs = needs, ()
        return lazy.compile(written, needs=needs), begins

    def _words(self, node: Node) -> Sequence[str]:
        """Return a word that a text must hold, or those of a class of which it must hold one."""
        written = self.reader.text(node)
        if not (written.startswith("<") and written.endswith(">")):
            return [written]
        known = self.classes.get(written[1:-1], ())
        if isinstance(known, Piece) or not known:
            self.reader.refuse(node, say.UNKNOWN_CLASS(name=written[1:-1]))
            return []
        return known

    def _parsed(self, node: Node) -> list[Part]:
        return parsed(self.reader.text(node), self.classes)

    def _headed(self, number: Part, before: list[str]) -> str | None:
        """Return the number with what must not stand *before* it behind its first signs.

        So a search skips to them; None where its forms do not begin with one class of signs.
        """
        choices = map(regex_of, number.choices) if isinstance(number, Piece) else ()
        heads = [(_FIRST.match(choice), choice) for choice in choices]
        firsts = {head[1] if head and head[2] != "0" else "" for head, _ in heads}
        if len(firsts) != 1 or "" in firsts:
            return None
        (first,) = firsts
        known = [
            (int(head[2] or 1), int(head[3] or 1), choice[head.end() :])
            for head, choice in heads
            if head
        ]
        size = min(least for least, _, _ in known)
        rests = [
            f"{first}{{{least - size},{most - size}}}" * (most > size) + rest
            for least, most, rest in known
        ]
        firsts_of_all = first + f"{first}{{{size - 1}}}" * (size > 1)
        apart = "".join(f"(?<!{one}{first}{{{size}}})" for one in before)
        return f"(?P<X>{firsts_of_all}{apart}(?:{'|'.join(rests)}))"

    def _alternatives(self, node: Node | None) -> list[str]:
        """Return the expressions of the alternatives, those of one width each by itself."""
        written = f"({self.reader.text(node)})" if node else ""
        parts = self.tried(node, lambda: parsed(written, self.classes)) if node else ()
        if not parts or not isinstance(parts[0], Piece):
            return []
        return [regex_of(choice) for choice in parts[0].choices]

    def _expression(self, node: Node, kind: str) -> re.Pattern[str]:
        if kind == "like":
            read = self.tried(node, lambda: word_pattern(self.reader.text(node), self.classes))
            return read or _NOTHING
        regex = self.some(node)
        if kind == "called":
            return naming(regex)
        return lazy.compile(f"(?:{regex})\\Z" if kind == "before" else regex)

    def _near(self, node: Node) -> Near:
        items = self.reader.sequence(node)
        if len(items) != 3:
            self.reader.refuse(node, say.NEAR_NEEDS())
            return Near(_NOTHING, 0, 0)
        before, behind = (self.reader.integer(item) for item in items[:2])
        return Near(lazy.compile(self.some(items[2])), before, behind)

    def _next_score(self, node: Node | None) -> float:
        if node is None:
            return _OF_A_LIST
        written = self.reader.text(node)
        read = _SCORE.fullmatch(written)
        if read is None or read[2]:
            self.reader.refuse(node, say.SCORE_NEEDS(written=written))
        return float(read[1]) if read else 0.0

    def _scores(self, node: Node, names: set[str], check: str) -> tuple[Score, ...]:
        found = []
        for item in self.reader.sequence(node):
            written = self.reader.text(item)
            read = _SCORE.fullmatch(written)
            conditions = read[2].split() if read else []
            for name in (one.removeprefix("-") for one in conditions):
                if not (name in names or name in _OF_ITSELF or _is_size(name)):
                    self.reader.refuse(item, say.NO_CONDITION(name=name))
                if name == "checked" and not check:
                    self.reader.refuse(item, say.CHECKED_BY())
            if read is None:
                self.reader.refuse(item, say.SCORE_NEEDS(written=written))
                continue
            held = tuple((one.removeprefix("-"), one[0] != "-") for one in conditions)
            found.append(Score(float(read[1]), held))
        return tuple(found)
