"""Names in signature lines, after headings (피 고 인  홍길동) and in lists of counsel."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice

from thunder.names.evidence import score
from thunder.names.given_names import surname_of
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group, roles
from thunder.names.person_evidence import cuts
from thunder.names.person_lexicon import commonness
from thunder.names.runs import at_lines, question
from thunder.taxonomy.lexicon import words_of
from thunder.text import lazy
from thunder.text.spans import Span


def _spaced(written: str) -> str:
    """Return *written*, in which <judge> is any word for one, with spaces between its letters."""
    return written.replace("<judge>", lazy.any_of(words_of("judge"), between=r"[ \t]{0,6}"))


_SIGNATURE = lazy.compile(
    r"^[ \t]{0,60}(?:(?:<judge>)[ \t:：]{0,60})+(?=[가-힣])", re.MULTILINE, read=_spaced
)
_LETTERS = r"[가-힣](?:[ \t]{1,4}[가-힣](?![가-힣])){1,2}"
_ITEM = lazy.compile(
    rf"(?P<name>[가-힣]{{2,4}}(?![가-힣])|{_LETTERS})(?P<note>[ \t]{{0,60}}\([^()\n]{{1,24}}\))?"
)
_REST = lazy.compile(
    r"[ \t,·ㆍ・/_.]{0,60}(?:(?:<judge>)[ \t:：]{0,60})?(?P<end>\r?$)?", re.MULTILINE, read=_spaced
)
_NEXT_NUMBER = lazy.compile(
    r"[^\n]{0,200}\n(?:(?![ \t]{0,60}[0-9]{1,3}\.)[ \t]{4}[^\n]{0,200}\n){0,6}"
    r"[ \t]{1,80}[0-9]{1,3}\.[ \t]{0,60}"
)
_ORDINARY = 3


def find(text: str) -> Iterator[Span]:
    """Yield the names in signature lines, and in lists after 검사, 변호사, 판사 … in *text*."""
    for match in at_lines(_SIGNATURE, text):
        yield from _signatures(text, match.end())
    for match in chain(at_lines(_heading(), text), sign("guardian").all(text)):
        numbered = sign("numbered-in-a-list").match(text, match.end()) or match
        yield from _listed(text, numbered.end(), below=True)
    for start, run, lead in _LEADS(text):
        if ends := sign("role-ends").match(text, start + len(run)):
            names = _listed(text, ends.end(), below=False)
            # Of one outsider alone the words beside it tell more.
            yield from islice(names, int(lead == "outsiders"), None)


def _leads(run: str) -> str:
    """Return what kind of list follows *run*, "" where none does."""
    group = role_group(run)
    return (
        group if group in ("official", "counsel") else "outsiders" * (run in words_of("outsider"))
    )


_LEADS = question(_leads)


@lru_cache(maxsize=1)
def _heading() -> re.Pattern[str]:
    """Return the pattern of a line's beginning that consists of role words: 【원 고, 항소인】."""
    word = lazy.any_of((word for word in roles() if len(word) > 1), between=r"[ \t]{0,8}")
    names = rf"(?:(?:{word})[ \t]{{0,60}}[,·/]?[ \t]{{0,60}}){{1,4}}"
    heading = (
        rf"^[ \t]{{0,60}}[【\[(]?[ \t]{{0,60}}{names}(?:[】\])][ \t]{{0,60}}|[:：]|(?<=[ \t]))"
    )
    return lazy.compile(heading, re.MULTILINE)


def _signatures(text: str, at: int) -> list[Span]:
    """Return the names from *at* to the end of the line, none if it holds anything else."""
    found: list[Span] = []
    while item := _ITEM.match(text, at):
        if not _is_name(item["name"]):
            return []
        found.append(_span(item, "signature"))
        rest = _REST.match(text, item.end())
        if rest is None or rest["end"] is not None:
            return found
        at = rest.end()
    return []


def _listed(text: str, at: int, *, below: bool) -> Iterator[Span]:
    """Yield the names that stand between commas from *at* on.

    *below* a heading they may be written in spaced letters, and others be numbered under them.
    """
    while item := _ITEM.match(text, at):
        is_spaced = " " in item["name"] or "\t" in item["name"]
        ends = sign("name-of-a-list-ends").at(text, item.end("name"))
        if not (ends and _is_name(item["name"])) or (is_spaced and not below):
            return
        yield _span(item, "in a list of persons")
        joint = sign("next-in-a-list").match(text, item.end())
        joint = joint or (_NEXT_NUMBER.match(text, item.end()) if below else None)
        if joint is None:
            return
        at = joint.end()


def _is_name(spaced: str) -> bool:
    name = "".join(spaced.split())
    ordinary = commonness(name, tailed=False) > _ORDINARY
    if not surname_of(name) or ordinary or role_group(name):
        return False
    readings = cuts(name) if name == spaced else ()
    return not readings or max(readings, key=lambda cut: cut.word[0]).length == len(name)


def _span(item: re.Match[str], shown: str) -> Span:
    return Span(*item.span("name"), "내국인이름", score(shown), "names:person")
