"""Expressions compiled when first asked answer as others do, and skip no text they match in."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from thunder import identifiers, names
from thunder.settings.resources import in_taxonomy
from thunder.text import lazy

_ANY, _FOUND = "\0", "\1"
_MOST = 20_000


def _expressions() -> Iterator[tuple[str, lazy.Expression]]:
    for room in (names, identifiers):
        for one in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for name, value in vars(importlib.import_module(one.name)).items():
                for number, each in enumerate(value if isinstance(value, tuple) else (value,)):
                    if isinstance(each, lazy.Expression):
                        yield f"{one.name}.{name}.{number}", each


DATA = Path(__file__).parents[1] / "data"
EXPRESSIONS = dict(_expressions())
SELECTIVE = {k: one for k, one in EXPRESSIONS.items() if isinstance(one, lazy.Selective)}


def _written(items: Any, needs: tuple[str, ...], signs: frozenset[int]) -> set[str]:
    """Return what a match may look like, unknown signs as NUL, or that it holds what it needs."""
    found = {""}
    for kind, given in items:
        found = {
            _settled(head + rest, needs)
            for head in found
            for rest in ({""} if head == _FOUND else _one(kind, given, needs, signs))
        }
        assert len(found) < _MOST
    return found


def _one(kind: Any, given: Any, needs: tuple[str, ...], signs: frozenset[int]) -> set[str]:
    if kind is op.LITERAL:
        return {_FOUND if given in signs else chr(given)}
    if kind is op.IN:
        return _of_class(given, signs)
    if kind is op.BRANCH:
        return {one for branch in given[1] for one in _written(branch, needs, signs)}
    if kind is op.SUBPATTERN:
        return _written(given[-1], needs, signs)
    if kind is op.ASSERT:
        inside = _written(given[1], needs, signs)
        return {_FOUND} if inside == {_FOUND} else {_ANY}
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, item = given
        once = _written(item, needs, signs)
        return (once if most == 1 else {_ANY if o != _FOUND else o for o in once}) | (
            {""} if not least else set()
        )
    return {""} if kind in (op.AT, op.ASSERT_NOT) else {_ANY}


def _of_class(given: Any, signs: frozenset[int]) -> set[str]:
    members: list[int] = []
    for kind, value in given:
        if kind is op.LITERAL:
            members.append(value)
        elif kind is op.RANGE and value[1] - value[0] < 3000:
            members += range(value[0], value[1] + 1)
        else:
            return {_ANY}
    if signs and signs.issuperset(members):
        return {_FOUND}
    return {chr(one) for one in members} if len(members) < 12 else {_ANY}


def _settled(written: str, needs: tuple[str, ...]) -> str:
    if _FOUND in written or any(need in written for need in needs):
        return _FOUND
    kept = max(map(len, needs), default=1) - 1  # what a need may begin with, and what end with
    if len(written) <= 2 * kept + 1:
        return written
    return written[:kept] + _ANY + written[len(written) - kept :]


@pytest.mark.parametrize("name", SELECTIVE)
def test_what_an_expression_needs_stands_in_all_it_matches(name: str) -> None:
    one = SELECTIVE[name]
    needs = one.needs
    signs: frozenset[int] = frozenset()
    if isinstance(needs, str):
        signs = frozenset(code for code in range(0x10000) if re.match(needs, chr(code)))
        needs = ()
    written = _written(parser.parse(one.pattern, one.given_flags), tuple(needs), signs)
    assert written == {_FOUND}


def test_the_test_sees_a_need_that_is_none() -> None:
    for pattern, needs in (("가나|다라", ("가",)), ("가(?:나)?", ("가나",)), ("(?!가)나", ("가",))):
        assert _written(parser.parse(pattern), needs, frozenset()) != {_FOUND}


def _sentences() -> str:
    """Return what the expressions are looked for in: a judgment, and each rule's own examples."""
    files = [*DATA.glob("*.txt"), *in_taxonomy("patterns").glob("*.yaml")]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(files))


SENTENCES = _sentences()


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_by_their_first_signs_the_same_matches_are_found(name: str) -> None:
    one = EXPRESSIONS[name]
    by_first_sign = lazy.Expression(one.pattern, one.given_flags, str)
    whole = lazy._Whole(by_first_sign)
    whole._asked = lazy._OFTEN
    text = SENTENCES if by_first_sign.by_first_sign else ""
    found = [match.span() for match in whole.finditer(text)]
    assert found == [match.span() for match in one.compiled.finditer(text)]


def test_most_expressions_that_begin_in_several_ways_are_found_by_their_first_signs() -> None:
    assert sum(one.by_first_sign is not None for one in EXPRESSIONS.values()) > 50


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        ("(?<![가-힣])원고", "원"),
        ("(?:반소)?원고", "반원"),
        ("(?:제 ?)?[0-9]{1,2}호", "0123456789제"),
        ("(?:가|나[0-9])다|(?=라)라", "가나라"),
        ("원고", None),  # it is looked for so anyway
        ("(?:원고)?", None),  # it may be nothing
        ("(?<=가).나", None),  # any sign
        (r"(?<=가)\d", None),
    ],
)
def test_with_what_an_expression_begins(pattern: str, first: str | None) -> None:
    signs = lazy.first_signs(pattern)
    ranges = signs and sorted(signs)
    its = ranges and "".join(chr(code) for low, high in ranges for code in range(low, high + 1))
    assert its == first


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_each_expression_compiles(name: str) -> None:
    assert EXPRESSIONS[name].compiled.pattern == EXPRESSIONS[name].pattern


def test_it_is_compiled_when_it_is_asked_and_answers_as_others_do() -> None:
    one = lazy.compile("(?P<name>[가-힣]+)은")
    assert "compiled" not in vars(one)
    found = one.search("김도윤은")
    assert found is not None and found["name"] == "김도윤"
    assert one.groupindex == {"name": 1} and one.groups == 1
    assert "compiled" in vars(one)


def test_a_text_without_what_is_needed_is_not_searched() -> None:
    one = lazy.compile("(?<!새)종중", needs=("종중",))
    assert one.search("문중") is None and not list(one.finditer("문중"))
    assert "compiled" not in vars(one)
    assert one.search("김해 종중") and len(list(one.finditer("종중, 종중"))) == 2


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("피 고 인 김도윤", "피 고 인"),
        ("피고는", "피고"),
        ("피고인은", "피고인"),
        ("원  고", "원  고"),
    ],
)
def test_the_longest_of_some_words_be_their_signs_apart(text: str, word: str) -> None:
    found = re.search(lazy.any_of(("피고", "피고인", "원고"), between="[ ]{0,8}"), text)
    assert found is not None and found[0] == word


def test_words_that_overlap_are_all_found() -> None:
    found = lazy.anywhere(("지점", "점", "점포")).finditer("강남지점포")
    assert [(one.start(), one[1]) for one in found] == [(2, "지점"), (3, "점포")]


def test_without_pythons_own_parts_nothing_is_sped_up_and_all_is_found(monkeypatch) -> None:
    monkeypatch.setattr(lazy, "parser", None)
    assert lazy.first_signs("(?:가나|[다-마]라)바") is None
