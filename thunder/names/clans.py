"""Clans by their seat, surname and branch: 나래정씨 문창공파 종중."""

from collections.abc import Iterator

from thunder.names.chunks import is_inflected
from thunder.names.given_names import surnames
from thunder.names.naming import CERTAIN
from thunder.names.person_context import role_group
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text.spans import Span

LABEL = "종중"

_CLAN = expression(
    r"(?<![가-힣])(?P<name>(?P<seat>[가-힣]{2,5})씨(?: ?[가-힣]{1,7}?파(?!파)){0,3}"
    r"(?P<more>(?: ?[가-힣]{1,8}?){0,2}?)|"
    r"(?P<branch>[가-힣]{1,8}공파)(?P<place> ?[가-힣]{0,6}?))"
    r" ?<clan>(?![가-힣]{0,12}유사)",
    needs=("<clan>",),
)


def find(text: str) -> Iterator[Span]:
    """Yield the names of clans, the noun (종중, 문중 …) left out."""
    for match in _CLAN.finditer(text):
        seat, more = match["seat"], match["more"] or match["place"] or ""
        if seat and not (seat[-1] in surnames() or seat[-2:] in surnames()):
            continue
        if all(map(_may_belong, more.split())):
            end = match.start("name") + len(match["name"].rstrip())
            yield Span(match.start("name"), end, LABEL, CERTAIN)


def _may_belong(word: str) -> bool:
    """Return whether *word* after the branch may be the name's: no role, no 이 사건, no verb."""
    return not (word in words_of("no-part-of-a-clan") or role_group(word) or is_inflected(word))
