"""Regular expressions that are compiled when first asked, and skipped where none can match.

A toolkit of some eight hundred expressions spends more on compiling them than on a short judgment;
of most judgments it asks a third. And most texts hold none of the words without which an expression
matches nowhere: to look for a word costs a twentieth of looking for the expression.
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any, cast

op: Any
parser: Any
compiler: Any
try:  # Python's own parts, which a later one may call otherwise: then nothing is sped up by them
    from re import _compiler as compiler  # type: ignore[attr-defined,no-redef]
    from re import _constants as op  # type: ignore[attr-defined,no-redef]
    from re import _parser as parser  # type: ignore[attr-defined,no-redef]
except ImportError:
    op = parser = compiler = None

_TOGETHER = 12
"""First signs looked at as one class: of 150 branches one costs as much as 12 classes of 12."""
_OFTEN = 20
"""After so many texts it pays to look for an expression by the signs with which it begins."""
_RARE = 700
"""Signs at most with which an expression begins that is looked for by them."""


def compile(
    pattern: str,
    flags: int = 0,
    *,
    needs: Sequence[str] | Callable[[], Sequence[str]] = (),
    read: Callable[[str], str] = str,
) -> re.Pattern[str]:
    """Return *pattern* as ``re.compile`` does, compiled when it is first asked anything.

    What is compiled is what *read* returns of it then. *needs* are strings of which every match
    holds at least one, or a class of characters of which it does, as "[A-Z]" (a test sees to it):
    a text without them is not searched. Only ``search`` and ``finditer`` in a whole text go by
    them.
    """
    one = Selective(pattern, flags, read, needs) if needs else Expression(pattern, flags, read)
    return cast("re.Pattern[str]", one)


_OPTIMISE = "_optimize_charset"
_COMPILING = threading.RLock()
_optimised: dict[tuple[Any, ...], Any] = {}


@contextmanager
def _classes_remembered() -> Iterator[None]:
    """Have ``re`` make a class of characters ready once, in whatever expressions it stands.

    It marks the 11,172 characters of [가-힣] one by one each time: a fifth of a short judgment's
    time, in hundreds of expressions.
    """
    with _COMPILING:
        optimise = getattr(compiler, _OPTIMISE, None)
        if optimise is None:
            yield
            return

        def remembered(charset: Any, cased: Any = None, fixup: Any = None, *fixes: Any) -> Any:
            if fixup is not None:  # where case is ignored
                return optimise(charset, cased, fixup, *fixes)
            key = tuple(charset)
            if key not in _optimised:
                _optimised[key] = optimise(charset)
            return _optimised[key]

        setattr(compiler, _OPTIMISE, remembered)
        try:
            yield
        finally:
            setattr(compiler, _OPTIMISE, optimise)


class Expression:
    """What ``compile`` returns: it answers as a ``re.Pattern`` does."""

    def __init__(self, written: str, flags: int, read: Callable[[str], str]) -> None:
        self._written, self.given_flags, self._read = written, flags, read

    @cached_property
    def pattern(self) -> str:
        """The expression as it is compiled."""
        return self._read(self._written)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        with _classes_remembered():
            return re.compile(self.pattern, self.given_flags)

    @cached_property
    def by_first_sign(self) -> re.Pattern[str] | None:
        """What finds the first sign of each match many times faster; None where nothing would.

        A search tries an expression that begins with a look-behind or in several ways at every
        sign of a text; of a class of signs it is told where they stand.
        """
        signs = first_signs(self.pattern, self.given_flags)
        if signs is None or sum(last - first + 1 for first, last in signs) > _RARE:
            return None
        its = "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in sorted(signs))
        with _classes_remembered():
            return re.compile(rf"[{its}](?<=(?={self.pattern})[\s\S])", self.given_flags)

    @cached_property
    def _whole(self) -> "_Whole":
        return _Whole(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(re.Pattern, name):  # who asks that compiles nothing
            raise AttributeError(name)
        answer = self._whole.finditer if name == "finditer" else getattr(self.compiled, name)
        self.__dict__[name] = answer  # the next time it is found at once, as a pattern's is
        return answer


class _Whole:
    """What looks for all matches in a text: by their first signs where it is asked often."""

    def __init__(self, of: Expression) -> None:
        self._of, self._asked = of, 0
        self._plain = of.compiled.finditer

    def finditer(self, text: str, *where: int) -> Iterator[re.Match[str]]:
        """Yield the matches in *text*, or in a part of it."""
        self._asked += 1
        if where or self._asked <= _OFTEN or (by_first_sign := self._of.by_first_sign) is None:
            return self._plain(text, *where)
        return self._led(text, by_first_sign)

    def _led(self, text: str, by_first_sign: re.Pattern[str]) -> Iterator[re.Match[str]]:
        match, done = self._of.compiled.match, 0
        for hit in by_first_sign.finditer(text):
            at = hit.start()
            if at >= done and (found := match(text, at)):
                yield found
                done = found.end()


def first_signs(pattern: str, flags: int = 0) -> frozenset[tuple[int, int]] | None:
    """Return the ranges of code points with one of which every match of *pattern* begins.

    None where they are not known, where a match may be empty, and where ``re`` looks for them
    anyway: of an expression that begins with one sign or class.
    """
    if parser is None:
        return None
    parsed = parser.parse(pattern, flags)
    if parsed.state.flags & (re.IGNORECASE | re.VERBOSE | re.ASCII) or _is_plain(parsed):
        return None
    found = _firsts(parsed)
    return None if found is None or found[1] else frozenset(found[0])


@lru_cache(maxsize=1 << 12)
def begins_with(pattern: str) -> tuple[Sequence[tuple[int, int]], bool] | None:
    """Return the ranges of code points with which *pattern* begins, and whether it may be empty.

    None where they are not known.
    """
    return None if parser is None else _firsts(parser.parse(pattern))


def least_width(pattern: str) -> int:
    """Return how many code points *pattern* matches at least, 0 where that is not known."""
    return 0 if parser is None else int(parser.parse(pattern).getwidth()[0])


def runs_into_itself(pattern: str) -> bool:
    """Return whether a repeated *pattern* may part a text in many ways: ([0-9]{1,3}){2,4}."""
    if parser is None:
        return False
    parsed = parser.parse(pattern)
    least, most = parsed.getwidth()
    if least == most:
        return False
    first, last = _firsts(parsed), _firsts(parsed, backwards=True)
    if first is None or last is None or first[1]:
        return True
    while len(parsed) == 1 and parsed[0][0] is op.SUBPATTERN:
        parsed = parsed[0][1][-1]
    lead, rest = _firsts(parsed[:1]), _firsts(parsed[1:])
    if lead and lead[1] and rest and parsed[1:].getwidth()[0] == parsed[1:].getwidth()[1]:
        return _meet(lead[0], rest[0])  # ( ?[0-9]){2,4} is parted where its blank may stand
    return _meet(first[0], last[0])


def _meet(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> bool:
    return any(one <= upper and low <= other for one, other in some for low, upper in others)


def _is_plain(items: Any) -> bool:
    first: Any = items[0] if len(items) else (None, None)
    kind, given = first
    if kind is op.SUBPATTERN:
        return _is_plain(given[-1])
    if kind is op.BRANCH:
        return all(len(one) and one[0][0] is op.LITERAL for one in given[1])
    return kind in (None, op.LITERAL, op.IN)


def _firsts(items: Any, *, backwards: bool = False) -> tuple[list[tuple[int, int]], bool] | None:
    """Return the first signs of what is parsed, or the last ones if it is read *backwards*.

    And whether it may be empty; None: not known.
    """
    found: list[tuple[int, int]] = []
    for kind, given in reversed(items) if backwards else items:
        if kind in (op.ASSERT, op.ASSERT_NOT, op.AT):
            continue
        some = _firsts_of(kind, given, backwards=backwards)
        if some is None:
            return None
        found += some[0]
        if not some[1]:
            return found, False
    return found, True


def _firsts_of(
    kind: Any, given: Any, *, backwards: bool
) -> tuple[list[tuple[int, int]], bool] | None:
    if kind is op.LITERAL:
        return [(given, given)], False
    if kind is op.IN:
        if any(one not in (op.LITERAL, op.RANGE) for one, _ in given):
            return None
        return [its if one is op.RANGE else (its, its) for one, its in given], False
    if kind is op.SUBPATTERN:
        if given[1] or given[2]:
            return None
        return _firsts(given[-1], backwards=backwards)
    if kind is op.BRANCH:
        some = [_firsts(one, backwards=backwards) for one in given[1]]
        known = [one for one in some if one is not None]
        both = [sign for signs, _ in known for sign in signs], any(empty for _, empty in known)
        return both if len(known) == len(some) else None
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        inside = _firsts(given[2], backwards=backwards)
        return inside and (inside[0], inside[1] or not given[0])
    return None


class Selective(Expression):
    """An expression that is looked for only in texts that hold what its matches need."""

    def __init__(
        self,
        written: str,
        flags: int,
        read: Callable[[str], str],
        needs: Sequence[str] | Callable[[], Sequence[str]],
    ) -> None:
        super().__init__(written, flags, read)
        self._needs = needs

    @cached_property
    def needs(self) -> str | tuple[str, ...]:
        """What a text holds some of where the expression matches."""
        needs = self._needs() if callable(self._needs) else self._needs
        return needs if isinstance(needs, str) else tuple(needs)

    @cached_property
    def needs_a_sign(self) -> bool:
        """Whether it is one sign that a text has to hold: its order says nothing then."""
        if isinstance(self.needs, str):
            return parser is not None and parser.parse(self.needs).getwidth() == (1, 1)
        return all(len(word) == 1 for word in self.needs)

    def finditer(self, text: str, *where: int) -> Iterator[re.Match[str]]:
        """Yield the matches in *text*, or in a part of it."""
        found = where or self.may_be_in(text)
        return self._whole.finditer(text, *where) if found else iter(())

    def search(self, text: str, *where: int) -> re.Match[str] | None:
        """Return the first match in *text*, or in a part of it."""
        return self.compiled.search(text, *where) if where or self.may_be_in(text) else None

    def may_be_in(self, text: str) -> bool:
        """Return whether *text* holds some of what a match needs."""
        if isinstance(self.needs, str):
            return _holds(self.needs, text)
        return _holds_some(self.needs, text)


@lru_cache(maxsize=256)
def _holds_some(words: tuple[str, ...], text: str) -> bool:
    """Return whether one of *words* stands in *text*; several finders ask it."""
    return any(map(text.__contains__, words))


@lru_cache(maxsize=64)
def _holds(characters: str, text: str) -> bool:
    """Return whether one of a class of *characters* stands in *text*; several finders ask it."""
    return re.compile(characters).search(text) is not None


def any_of(words: Iterable[str], *, between: str = "") -> str:
    """Return an expression for the longest of *words*, which looks at each sign once.

    *between* is what may stand between the signs of a word: the spaces of 피  고  인.
    """
    return _tree(words, between, first=True)


def _tree(words: Iterable[str], between: str, *, first: bool) -> str:
    below: dict[str, list[str]] = {}
    ends = False
    for word in words:
        if word:
            below.setdefault(word[0], []).append(word[1:])
        else:
            ends = True
    branches = [
        re.escape(sign) + _tree(rest, between, first=False) for sign, rest in sorted(below.items())
    ]
    if not branches:
        return ""
    join = "" if first else between
    if len(branches) == 1 and not (ends or join):
        return branches[0]
    return (
        f"{'(?:' + join if join else ''}(?:{'|'.join(branches)}){')' if join else ''}{'?' * ends}"
    )


def anywhere(words: Iterable[str]) -> re.Pattern[str]:
    """Return an expression whose first group is the longest of *words* at each place it matches.

    It consumes but one character, so that words may overlap; their first signs are looked for as
    one class, which is many times faster than the words.
    """
    words = sorted(words)
    firsts = sorted({word[0] for word in words})
    some = [firsts[at : at + _TOGETHER] for at in range(0, len(firsts), _TOGETHER)]
    found = (f"(?={_class(group)}){any_of(w for w in words if w[0] in group)}" for group in some)
    return compile(f"{_class(firsts)}(?<=(?=({'|'.join(found)})).)", re.DOTALL)


def _class(signs: Iterable[str]) -> str:
    return f"[{''.join(map(re.escape, signs))}]"


def places(text: str, word: str) -> Iterator[int]:
    """Yield where *word* stands in *text*, in order; two may overlap."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
