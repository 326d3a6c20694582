"""Foreigners as patents name them, the parts apart by commas: 빌즈, 로버트(BILLS, Robert)."""

from collections.abc import Iterator

from thunder.names.naming import CERTAIN
from thunder.names.person_context import COMPANY
from thunder.names.person_foreign import LABEL, SOURCE, is_foreign, nationalities
from thunder.text import lazy
from thunder.text.spans import Span

_PART = r"[A-Z][A-Za-z.'’-]*(?: [A-Za-z][A-Za-z.'’-]*){0,2}"
_NAME = lazy.compile(
    r"(?<![가-힣])(?P<hangul>(?:[가-힣]{1,8}, ?){1,4}[가-힣]{1,8}) ?"
    rf"\((?P<latin>{_PART}(?:, ?{_PART}){{1,3}})\)",
    needs="[A-Z]",
)
_COMMA = lazy.compile(", ?")


def find(text: str) -> Iterator[Span]:
    """Yield both spellings of a surname in capitals with given names, as many parts in each."""
    for match in _NAME.finditer(text):
        hangul, latin = (_COMMA.split(match[group]) for group in ("hangul", "latin"))
        if len(hangul) < len(latin) or not _is_person(hangul[-len(latin) :], latin):
            continue
        commas = list(_COMMA.finditer(match["hangul"]))
        more = len(hangul) - len(latin)  # what is listed before the name
        start = match.start("hangul") + (commas[more - 1].end() if more else 0)
        yield Span(start, match.end("hangul"), LABEL, CERTAIN, SOURCE)
        yield Span(*match.span("latin"), LABEL, CERTAIN, SOURCE)


def _is_person(hangul: list[str], latin: list[str]) -> bool:
    """Return whether the parts are a person's: BEAMS, Richard; no USA, Canada, no firm."""
    surname, *given = latin
    if COMPANY.search(", ".join(latin)) or nationalities().keys() & set(hangul):
        return False
    is_cased = surname.isupper() and not any(map(str.isupper, given))
    return is_cased and any(map(is_foreign, hangul))
