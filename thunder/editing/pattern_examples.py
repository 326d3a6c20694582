"""Every example of every rule, run: it must fire on its examples, and not on its near misses."""

from collections.abc import Iterator

from thunder.identifiers import formats
from thunder.names.patterns.edges import CUT, Edge
from thunder.names.patterns.lookalikes import Lookalike
from thunder.names.patterns.matching import Matcher
from thunder.names.patterns.rules import Described, Patterns
from thunder.names.patterns.signs import Sign
from thunder.settings.yamlfile import Problem
from thunder.taxonomy import pattern_messages as say
from thunder.taxonomy.pattern_file import MARKED, Example
from thunder.text.korean import fold


def failing(patterns: Patterns) -> Iterator[Problem]:
    """Yield what does not hold: file, line, and what the rule did instead."""
    for one in patterns.described:
        matcher = Matcher([one.rule])
        for example in one.examples:
            yield from _unlike(one, example, matcher, wanted=_marked(example))
        for example in one.near_misses:
            yield from _unlike(one, example, matcher, wanted=[])
    yield from formats.failing(patterns.formats)
    for sign in patterns.signs.values():
        for example in sign.examples:
            yield from _unlike_sign(sign, example, wanted=True)
        for example in sign.near_misses:
            yield from _unlike_sign(sign, example, wanted=False)
    for lookalike in patterns.lookalikes:
        for example in lookalike.examples:
            yield from _unlike_lookalike(lookalike, example, wanted=True)
        for example in lookalike.near_misses:
            yield from _unlike_lookalike(lookalike, example, wanted=False)
    for edge in patterns.edges:
        for example in (*edge.examples, *edge.near_misses):
            yield from _unlike_edge(edge, example, is_cut=example in edge.examples)


def _marked(example: Example) -> list[str]:
    return MARKED.findall(example.text)


def _unlike_sign(sign: Sign, example: Example, *, wanted: bool) -> Iterator[Problem]:
    marked = MARKED.search(example.text)
    if marked is None:
        return
    text = fold(MARKED.sub(r"\1", example.text)).text
    if sign.holds(text, marked.start(), marked.start() + len(marked[1])) != wanted:
        said = say.SIGN_MISSES if wanted else say.SIGN_STANDS
        yield Problem(sign.path, example.line, said(id=sign.id, word=marked[1]))


def _unlike_lookalike(one: Lookalike, example: Example, *, wanted: bool) -> Iterator[Problem]:
    marked = MARKED.search(example.text)
    if marked is None:
        return
    text = fold(MARKED.sub(r"\1", example.text)).text
    if one.covers(text, marked.start(), marked.start() + len(marked[1])) != wanted:
        said = say.LOOKALIKE_MISSES if wanted else say.LOOKALIKE_COVERS
        yield Problem(one.path, example.line, said(id=one.id, word=marked[1]))


def _unlike_edge(one: Edge, example: Example, *, is_cut: bool) -> Iterator[Problem]:
    marked = MARKED.search(example.text)
    if marked is None:
        return
    if is_cut != (marked[1].count(CUT) == 1):
        yield Problem(one.path, example.line, say.EDGE_NEEDS_CUT())
        return
    head, _, rest = marked[1].partition(CUT)
    text = fold(MARKED.sub(head + rest, example.text)).text
    start, end = marked.start(), marked.start() + len(head + rest)
    left = text[slice(*one.cut(text, start, end))]
    wanted = (rest if one.at_beginning else head) if is_cut else head
    if left != wanted:
        yield Problem(one.path, example.line, say.EDGE_LEAVES(id=one.id, left=left, wanted=wanted))


def _unlike(
    one: Described, example: Example, matcher: Matcher, *, wanted: list[str]
) -> Iterator[Problem]:
    plain = fold(MARKED.sub(r"\1", example.text)).text
    mentions = sorted({match.mention for match in matcher.find(plain)})
    found = [mention.text for mention in mentions]
    if found != wanted:
        told, meant = (", ".join(some) or say.NOTHING() for some in (found, wanted))
        said = say.RULE_FINDS(id=one.rule.id, found=told, wanted=meant)
        yield Problem(one.path, example.line, said)
