"""Parties in a judgment's heading that are no persons: 【원    고】 한빛연구원, 나래노동조합."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from thunder.names.chunks import is_placeholder
from thunder.names.descriptors import is_noun, read
from thunder.names.legal_forms import LEGAL_FORM
from thunder.names.naming import CERTAIN, is_place_name
from thunder.names.patterns.signs import sign
from thunder.names.person_context import role_group
from thunder.names.runs import at_lines
from thunder.taxonomy.lexicon import expression, labels_of, words_of
from thunder.text import lazy
from thunder.text.spans import Span

_HEADING = lazy.compile(
    r"^[ \t]{0,60}(?:【(?P<roles>[^】\n]{2,40})】|(?P<bare>[원피][ \t]{1,8}고)[ \t])[ \t]{0,60}"
    r"(?P<party>[^\n【】(){},]{3,60})",
    re.MULTILINE,
)
_NAME = r"[가-힣A-Za-z0-9](?:[가-힣A-Za-z0-9Ⅰ-Ⅹ·.&/-]| (?! )){0,38}?"
_BETWEEN_ROLES = str.maketrans(",·/", "   ")
_OPEN_TO_TOWNS = "연구소"  # 나래연구원 of the province of that name is one of its offices
_BY_FORM = "주식회사"
_MOST = 40  # parties: each is looked for in all of the text


class Party(NamedTuple):
    """A party that is a body: its distinctive part, what follows it, and its label."""

    name: str
    rest: str
    label: str


def find(text: str) -> Iterator[Span]:
    """Yield the distinctive part of each party that is no person and no state body, everywhere.

    The role in the heading's brackets shows that the line names a party; its noun (한빛|연구원) or
    legal form stays readable and shows what it is. The whole is then found wherever it stands.
    """
    named = (party for match in at_lines(_HEADING, text) if (party := _party(match)))
    for party in islice(dict.fromkeys(named), _MOST):
        for match in _everywhere(party).finditer(text):
            yield Span(*match.span(1), party.label, CERTAIN)


def _party(heading: re.Match[str]) -> Party | None:
    roles = "".join((heading["roles"] or heading["bare"]).split())
    line = heading["party"]
    more = sign("and-more-parties").match(line, len(line))
    body = _body().fullmatch(line[: more.start() if more else len(line)].rstrip())
    of_party = any(
        role.endswith(words_of("party")) for role in roles.translate(_BETWEEN_ROLES).split()
    )
    if body is None or body["noun"] in words_of("state-body-noun") or not of_party:
        return None
    label = _labels()["".join(body["noun"].split())]
    name = body["name"].rstrip()
    name = _without_noun(name) if label == _BY_FORM else name
    if _is_readable(name, label):
        return None
    return Party(_without_lead(name, label), body[0][len(name) :], label)


@lru_cache(maxsize=1)
def _labels() -> Mapping[str, str]:
    """Return the label of each noun that a body is called by."""
    return dict(labels_of("party_bodies")) | dict.fromkeys(words_of("clan"), "종중")


@lru_cache(maxsize=1)
def _body() -> re.Pattern[str]:
    nouns = lazy.any_of(_labels(), between=" ?")
    rest = r"(?:[Ⅰ-Ⅹ0-9]{1,2}| ?[가-힣0-9]{2,12}<section>)?"
    return expression(rf"(?P<name>{_NAME}) ?(?P<noun>{nouns}){rest}")


def _without_noun(name: str) -> str:
    """Return *name* without what else it says of itself: 한빛|손해보험 주식회사."""
    last = name.rpartition(" ")[2]
    reading = read(last)
    if reading is None or reading.descriptor.inside or reading.noun_end < len(last):
        return name
    return name[: len(name) - len(last) + reading.noun_start] if reading.noun_start > 1 else name


def _without_lead(name: str, label: str) -> str:
    """Return *name* without the town or the denomination before it: 대한예수교장로회 |한빛."""
    first, _, rest = name.partition(" ")
    is_lead = is_place_name(first) or (label == "교회" and first[-1] in "회단")
    return rest if is_lead and len(rest) > 1 else name


def _is_readable(name: str, label: str) -> bool:
    """Return whether *name* is a state body's or nobody's: 원고, 학교법인 ○○, 한국…."""
    words = name.split()
    if (
        len(name) < 2
        or LEGAL_FORM.match(name)
        or any(is_placeholder(word) or role_group(word) for word in words)
    ):
        return True
    if label == _OPEN_TO_TOWNS and (name.startswith(words_of("state-body")) or is_place_name(name)):
        return True
    return len(words) == 1 and is_noun(words[0])


def _everywhere(party: Party) -> re.Pattern[str]:
    name, rest = (
        r"\s{0,2}".join(map(re.escape, part.split())) for part in (party.name, party.rest)
    )
    return lazy.compile(rf"(?<![가-힣A-Za-z0-9])({name}) ?{rest}")
