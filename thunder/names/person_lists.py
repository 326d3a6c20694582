"""Names in signature lines, after headings (피 고 인  홍길동) and in lists of counsel."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from thunder.names.given_names import surname_of
from thunder.names.person_context import role_group, roles
from thunder.names.person_evidence import cuts
from thunder.names.person_lexicon import commonness
from thunder.names.runs import at_lines, question
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

SIGNED, LISTED = 0.98, 0.93


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
_GUARDIAN = expression(
    r"<guardian>(?:인|겸)?[ \t]{0,60}<parent>?[ \t]{0,60}:?[ \t]{1,60}(?=[가-힣])",
    needs=("<guardian>",),
)
_NUMBER = lazy.compile(r"[ \t]{0,60}(?:[0-9]{1,3}\.|[가-하]\.)?[ \t]{0,60}")
_NEXT_NUMBER = lazy.compile(
    r"[^\n]{0,200}\n(?:(?![ \t]{0,60}[0-9]{1,3}\.)[ \t]{4}[^\n]{0,200}\n){0,6}"
    r"[ \t]{1,80}[0-9]{1,3}\.[ \t]{0,60}"
)
_AFTER_ROLE = lazy.compile(r"[ \t]{0,60}[:：】\])]?[ \t]{0,60}")
_COMMA = lazy.compile(r"[ \t]{0,60}[,·ㆍ・/][ \t]{0,60}\n?[ \t]{0,60}(?:[부모] )?")
_LIST_ENDS = lazy.compile(
    r"[ \t]{0,60}(?:[,·ㆍ・/()\]】\n\r]|$|외 ?[0-9]|[0-9]{6} ?-|(?:담당)?변[호리]사)|[ \t]{2}"
)
_ORDINARY = 3


def find(text: str) -> Iterator[Span]:
    """Yield the names in signature lines, and in lists after 검사, 변호사, 판사 … in *text*."""
    for match in at_lines(_SIGNATURE, text):
        yield from _signatures(text, match.end())
    for match in at_lines(_heading(), text):
        yield from _headed(text, match.end())
    for match in _GUARDIAN.finditer(text):
        yield from _headed(text, match.end())
    for start, run, lead in _LEADS(text):
        # Of one outsider alone the words beside it tell more.
        yield from islice(_list(text, start + len(run)), int(lead == "outsiders"), None)


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
        found.append(_span(item, SIGNED))
        rest = _REST.match(text, item.end())
        if rest is None or rest["end"] is not None:
            return found
        at = rest.end()
    return []


def _headed(text: str, at: int) -> Iterator[Span]:
    """Yield the names after a heading that ends at *at*, and those numbered below it."""
    joint = _NUMBER.match(text, at)
    while joint and (item := _ITEM.match(text, joint.end())):
        if not (_is_name(item["name"]) and _LIST_ENDS.match(text, item.end("name"))):
            return
        yield _span(item, LISTED)
        joint = _COMMA.match(text, item.end()) or _NEXT_NUMBER.match(text, item.end())


def _list(text: str, at: int) -> Iterator[Span]:
    """Yield the names that stand alone between commas after a role word that ends at *at*."""
    joint = _AFTER_ROLE.match(text, at)
    while joint and joint.end() > joint.start() and (item := _ITEM.match(text, joint.end())):
        whole = " " not in item["name"] and "\t" not in item["name"]
        if not (whole and _is_name(item["name"]) and _LIST_ENDS.match(text, item.end("name"))):
            return
        yield _span(item, LISTED)
        joint = _COMMA.match(text, item.end())


def _is_name(spaced: str) -> bool:
    name = "".join(spaced.split())
    ordinary = commonness(name, tailed=False) > _ORDINARY
    if not surname_of(name) or ordinary or role_group(name):
        return False
    readings = cuts(name) if name == spaced else ()
    return not readings or max(readings, key=lambda cut: cut.word[0]).length == len(name)


def _span(item: re.Match[str], score: float) -> Span:
    return Span(item.start("name"), item.end("name"), "내국인이름", score, "names:person")
