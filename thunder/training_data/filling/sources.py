"""Where the mentions that fill a judgment come from, and which of them are still free."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import NamedTuple, Protocol

from thunder.settings import resources
from thunder.text.spans import IGNORED, Span
from thunder.training_data.filling.facts import NOWHERE, Where
from thunder.training_data.lists import Part, ReplacementLists, UsedUp, bare, part_of
from thunder.training_data.mention_makers.names import NameForms
from thunder.training_data.mention_makers.numbers import invented


class Lists(Protocol):
    """Where the mentions of a label come from; the same object for a whole run."""

    def mentions(self, label: str) -> Sequence[str]:
        """Return the mentions known for *label*, none where it has no list."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Site:
    """One placeholder in its document, without the quotes it may have been marked with."""

    span: Span
    surface: str
    before: str
    after: str


class Land(NamedTuple):
    """Where land lies that a judgment names: its 시·군·구 and its 동·리, "" where unsaid.

    ``whole`` is set where the 동·리 itself is meant: an area that contains the land.
    """

    district: str
    division: str
    whole: bool = False


class Form(NamedTuple):
    """How a mention is written: the part that identifies, and the generic noun behind it.

    ``lead`` and ``trail`` stand round the two and stay readable for certain (주식회사, 과장).
    ``person`` holds surname and given name of a Korean whose core is just these two.
    """

    core: str
    noun: str = ""
    lead: str = ""
    trail: str = ""
    person: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        """The whole that takes the place of the placeholder."""
        return f"{self.lead}{self.core}{self.noun}{self.trail}"


@dataclass(frozen=True, slots=True)
class Group:
    """All sites of one placeholder: one entity. ``at`` are their numbers in the document.

    For a person, ``gender`` (남, 여) and year of birth are what the text says, if it does;
    ``words`` are those that stand right behind a thing. ``place`` is what the text states before
    an address; ``parent`` the number of the site whose division the first one lies in (Y B:
    [강남구] [역삼동 12]), ``kin`` that of a person of the same surname, -1 without. ``here`` is
    where the text is by then, what was filled in before it included, ``beside`` the land named
    before that this one lies with, ``parted_from`` the number of the site of the lot that this one
    was divided from, -1 without. ``since`` and ``until`` are the first and the last year in which
    the text speaks of it.
    ``level`` is that of the division by which an address is called later, ``within`` the number of
    the site of the address that a division is named after (원주시 [..] 토지(이하 ‘[..]리 토지’).
    ``unlike`` are the sites of persons whose surname this one does not bear: a spouse's;
    ``surname`` is the one that the text says (정○○, a member of 나주정씨), ``clan`` the number of
    the site of a clan that the person is of, -1 without.
    """

    kind: str
    surface: str
    sites: tuple[Site, ...]
    at: tuple[int, ...]
    gender: str = ""
    born: int | None = None
    words: tuple[str, ...] = ()
    place: str = ""
    parent: int = -1
    kin: int = -1
    here: Where = NOWHERE
    beside: Land | None = None
    since: int = 0
    until: int = 0
    parted_from: int = -1
    level: str = ""
    within: int = -1
    unlike: tuple[int, ...] = ()
    surname: str = ""
    clan: int = -1

    @property
    def label(self) -> str:
        return self.sites[0].span.label


def with_marks(groups: Sequence[Group], text: str, kind: str) -> str:
    """Return *text* in one line, the number of its group in place of each site of a *kind*: ⟪3⟫."""
    sites = sorted(
        (site.span.start, site.span.end, number)
        for number, group in enumerate(groups)
        if group.kind == kind
        for site in group.sites
    )
    pieces, at = [], 0
    for start, end, number in sites:
        pieces += [text[at:start], f"⟪{number}⟫"]
        at = end
    return _SPACE.sub(" ", "".join((*pieces, text[at:])))


def numbers_of(marks: str) -> list[int]:
    """Return the numbers in a stretch of text ``with_marks``."""
    return [int(number) for number in _NUMBER.findall(marks)]


_SPACE, _NUMBER = re.compile(r"\s+"), re.compile("[0-9]+(?=⟫)")


@dataclass(frozen=True)
class Mentions:
    """Where mentions come from, and which of them may be taken."""

    lists: Lists
    part: Part
    forms: NameForms

    def may_take(self, mention: str) -> bool:
        return self.part == "all" or part_of(mention) == self.part

    def ships(self, label: str) -> bool:
        """Return whether the list of *label* is ours: what is so in the world may stand for it."""
        lists = self.lists
        shipped = resources.folder("replacement_lists")
        return isinstance(lists, ReplacementLists) and shipped in lists.path(label).parents

    def of(self, label: str) -> Sequence[str]:
        """Return the mentions of *label*; those of buildings where there is no label."""
        if isinstance(self.lists, ReplacementLists) and label == IGNORED:
            return self.lists.mentions(_UNLABELLED)
        return self.lists.mentions(label)

    def draws(self, label: str) -> bool:
        """Return whether a mention of *label* is one piece, to be drawn as it stands."""
        if not isinstance(self.lists, ReplacementLists) or label == IGNORED:
            return False
        return self.lists.taxonomy.label(label).code in _IN_ONE_PIECE


MAKERS = {
    "계좌번호": "account",
    "차량번호": "plate",
    "전화번호": "landline",
    "휴대폰번호": "mobile",
    "주민등록번호": "resident",
    "카드번호": "card",
    "사업자등록번호": "business",
    "법인등록번호": "corporation",
    "면허번호": "licence",
    "이메일주소": "email",
    "URL": "url",
}
"""Labels that a maker serves where the lists are not our own."""

_IN_ONE_PIECE = ("D.1.1", "D.1.2", "D.1.3", "D.1.4", "D.2.2", "D.2.12")
_UNLABELLED = "건물"


def claim(kind: str, mention: str) -> str:
    """Return what a mention takes from the rest: itself, a mere number within its kind only."""
    return mention if any(map(str.isalpha, mention)) else f"{kind}\0{mention}"


def claims(kind: str, mention: str) -> set[str]:
    """Return what a mention takes from the rest in any of its written forms."""
    return {claim(kind, mention), claim(kind, bare(mention))}


def new_mention(draw: Callable[[], str], kind: str, source: Mentions, taken: set[str]) -> str:
    """Return the first mention drawn that may be taken and is not taken yet; "" in the end."""
    for _ in range(DRAWS):
        mention = draw()
        if source.may_take(mention) and not claims(kind, mention) & taken:
            return mention
    return ""


DRAWS = 300  # for one mention: a rule's held-out part is one in five


def spare_mention(draw: Callable[[], str], kind: str, rng: Random, taken: set[str]) -> str:
    """Return a mention for a document that needs more than a small world's part has (9호선).

    One of the other part rather than a mention twice, a number that exists nowhere rather than
    no mention.
    """
    drawn = (draw() for _ in range(DRAWS))
    numbers = (invented("1##", rng) for _ in range(DRAWS))
    for mention in chain(drawn, numbers):
        if not claims(kind, mention) & taken:
            return mention
    raise UsedUp("no draw gave a new mention: the document holds too many of one kind")
