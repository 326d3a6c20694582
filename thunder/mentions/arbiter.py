"""The arbiter: of all that was found, one weighted choice of disjoint spans, in this one place.

Candidates are what the recognisers found, and what the tagger found in its shape, without what
names nobody (``thunder.mentions.shaping``). Look-alikes for whoever found them go after it, and
what is hardly a mention (``thunder.mentions.weighing``); what stays readable by the rule is decided
last (``thunder.taxonomy.policy``). Who gives way is data: ``taxonomy/arbiter.yaml`` ranks those who
find, told by ``Span.source`` and how sure they are.

    identifier        rule:…                         sure tagger       tagger, score >= SURE
    name              names:…                        doubtful tagger   tagger, score < SURE
                                                     repeat            names:repeat, tagger:repeat

From the strongest rank to the weakest those disjoint finds are taken whose odds add up to most, in
what is still free (``thunder.text.spans.heaviest``, by which the recognisers choose, too). They
give place and label; only a name gets the label of a sure tagger that saw more than half of it: the
recogniser knows where a name ends, the tagger what kind of thing it is. What a loser covers
beside the winner is a candidate again, with other edges: it is joined to the winner where both are
of one word, or of one kind (a code of the taxonomy) with nothing but spaces between, else it is a
span of its own. Where a loser of the winner's kind saw all of it too, the two agree: the surer
one's score counts.

(A sure tagger above the names leaked no less, and in whole judgments two mentions in a hundred more
began or ended elsewhere, so that one person got two letters.)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from thunder.identifiers.unit import is_readable_part
from thunder.mentions.generic_words import is_form
from thunder.names.chunks import hangul_at
from thunder.names.evidence import SURE, WITH_FORM, score
from thunder.names.kinds import is_name, is_number, is_person, label_of
from thunder.names.naming import CERTAIN
from thunder.names.person_tails import tails, title_of
from thunder.settings.resources import in_taxonomy
from thunder.settings.yamlfile import Reader, YamlFileError
from thunder.taxonomy import Taxonomy
from thunder.taxonomy import pattern_messages as say
from thunder.text.spans import Span, heaviest, sureness

NAME = "arbiter.yaml"

_PERSON, _BODY = "names:person", "names:organisation"
_LONGEST_PERSON = 3

_BRACKETS = {"(": ")", "[": "]", "〔": "〕", "（": "）", "［": "］"}
_CLOSING = frozenset(_BRACKETS.values())
_EDGES = " \t\r\n\f\v.,;:·/()[]{}<>'\"‘’“”「」『』"


class Finder(StrEnum):
    """Who finds a span, as ``taxonomy/arbiter.yaml`` calls them."""

    IDENTIFIER = "identifier"
    NAME = "name"
    SURE_TAGGER = "sure tagger"
    DOUBTFUL_TAGGER = "doubtful tagger"
    REPEAT = "repeat"


def finder(span: Span) -> Finder:
    """Return who found *span*."""
    family, _, name = span.source.partition(":")
    if name == "repeat":
        return Finder.REPEAT
    if family == "tagger":
        return Finder.SURE_TAGGER if span.score >= SURE else Finder.DOUBTFUL_TAGGER
    return Finder.IDENTIFIER if family == "rule" else Finder.NAME


@lru_cache(maxsize=1)
def ranks() -> Mapping[Finder, int]:
    """Return the rank of each finder, the strongest 0; YamlFileError says what is wrong, where."""
    return read_ranks(in_taxonomy(NAME))


def read_ranks(path: Path) -> Mapping[Finder, int]:
    """Return the ranks in the file *path*: each finder has one, and every rank its reason."""
    reader = Reader(path)
    top = reader.mapping(reader.root, required=("ranks",))
    found: dict[Finder, int] = {}
    for rank, node in enumerate(reader.sequence(top.get("ranks"))):
        row = reader.mapping(node, required=("finders", "reason"))
        reader.text(row.get("reason"))
        for item in reader.sequence(row.get("finders")):
            name = reader.text(item, choices=list(Finder))
            if name in found:
                reader.refuse(item, say.RANK_TWICE(name=name))
            elif name in list(Finder):
                found[Finder(name)] = rank
    for one in () if reader.problems else Finder:  # one that is misspelt is said, not missed
        if one not in found:
            reader.refuse(top["ranks"], say.NO_RANK(name=one))
    if reader.problems:
        raise YamlFileError(reader.problems)
    return found


def arbitrated(text: str, candidates: Iterable[Span], *, taxonomy: Taxonomy) -> list[Span]:
    """Return *candidates* made disjoint and sorted; what a loser covers beside the winners stays.

    Time is that of sorting, whatever overlaps.
    """
    known = ranks()
    by_rank: dict[int, list[Span]] = {}
    for span in sorted(candidates, reverse=True):
        by_rank.setdefault(known[finder(span)], []).append(span)
    choice = _Choice(text, taxonomy)
    for rank in sorted(by_rank):
        free = [span for span in by_rank[rank] if choice.is_free(span)]
        winners = heaviest(free)
        for span in winners:
            choice.insert(span)
        won = set(winners)
        losers = [span for span in by_rank[rank] if span not in won]
        for span in sorted(losers, key=lambda one: (sureness(one), -one.start, one), reverse=True):
            choice.lose(span)
    return choice.spans


def alike(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return *spans* with one label for all mentions of one wording: the surest one's.

    A firm's trade stands beside it once, and elsewhere it is just a name. Persons stay apart from
    things of the same name, but for what a tagger took for one and the judgment defines as a
    thing's name; numbers and addresses are what their form says.
    """
    found = list(_as_defined(text, spans))
    best: dict[tuple[str, bool], Span] = {}
    for span in found:
        if is_name(span.label):
            key = text[span.start : span.end], is_person(span.label)
            if key not in best or span.score > best[key].score:
                best[key] = span
    return [
        replace(span, label=best[text[span.start : span.end], is_person(span.label)].label)
        if is_name(span.label)
        else span
        for span in found
    ]


def _as_defined(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans*, a tagger's persons labelled as the thing that has that name for certain.

    And its things as the person of whom a recogniser is certain by that name, but before a noun.
    """
    found = list(spans)
    persons = {
        text[span.start : span.end]: span.label
        for span in found
        if span.source == _PERSON and span.score >= CERTAIN and is_person(span.label)
    }
    things = {
        text[span.start : span.end]: span.label
        for span in found
        if _tells_a_thing(span) and is_name(span.label) and not is_person(span.label)
    }
    for span in found:
        thing = things.get(text[span.start : span.end])
        person = persons.get(text[span.start : span.end])
        is_tagged = span.source.startswith("tagger")
        if thing and is_tagged and is_person(span.label):
            yield replace(span, label=thing)
        elif person and is_tagged and is_name(span.label) and _ends_its_word(text, span.end):
            yield replace(span, label=person)
        else:
            yield span


def _tells_a_thing(span: Span) -> bool:
    """Return whether a judgment defines *span*, or a recogniser knows it by its legal form.

    What is as short as a person's name may be a person's besides: 주식회사 부림, 집행관 부림.
    """
    is_long = span.source == _BODY and len(span) > _LONGEST_PERSON
    return span.source.endswith(":defined") or (is_long and span.score >= score(WITH_FORM))


def _ends_its_word(text: str, end: int) -> bool:
    """Return whether no noun follows in the same word: 감초롱은, and no 감초롱식당."""
    run = hangul_at(text, end)
    return not run or run in tails()


def balanced(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretch cut at the brackets in it that have no other half, and out of its own."""
    pairs: dict[int, int] = {}
    open_: list[int] = []
    odd: list[int] = []
    for at in range(start, end):
        if text[at] in _BRACKETS:
            open_.append(at)
        elif text[at] in _CLOSING:
            if open_ and _BRACKETS[text[open_[-1]]] == text[at]:
                pairs[open_.pop()] = at
            else:
                odd.append(at)
    if pairs.get(start) == end - 1:  # (KIM CHUL SOO), but not (주)한빛(유)
        odd += [start, end - 1]
    for before, after in pairwise([start - 1, *sorted([*odd, *open_]), end]):
        if before + 1 < after:
            yield before + 1, after


def _relabelled(one: Span, tagged: Span) -> Span:
    """Return a named recogniser's find with the label of what a sure tagger saw there.

    A foreigner stays one: what says so is beside the name, and few taggers have met such names.
    So does a number: the word before it says what it is (환자등록번호 00482913); and no name
    becomes one: numbers are known by their form.
    """
    shared = min(one.end, tagged.end) - max(one.start, tagged.start)
    is_named = finder(one) is Finder.NAME and is_name(one.label) and not is_number(tagged.label)
    is_its = is_named and 2 * shared > len(one)
    is_foreigner = one.source == _PERSON and one.label != label_of("of-here")
    return replace(one, label=tagged.label) if is_its and not is_foreigner else one


class _Choice:
    """What is chosen: disjoint spans in order of the text, from the strongest rank down."""

    def __init__(self, text: str, taxonomy: Taxonomy) -> None:
        self.spans: list[Span] = []
        self._text, self._taxonomy = text, taxonomy

    def is_free(self, span: Span) -> bool:
        """Return whether nothing that is chosen shares a character with *span*."""
        first, last = self._touched(span)
        return first == last

    def insert(self, span: Span) -> None:
        """Choose *span*, which is free."""
        at = bisect_left(self.spans, span.start, key=lambda one: one.start)
        self.spans.insert(at, span)

    def lose(self, span: Span) -> None:
        """Give the winners what *span* says of them, and choose what they leave of it."""
        self._support(span)
        for start, end in self._gaps(span):
            follows = start > span.start  # a stronger span ends right before
            first, last = self._trimmed(start, end)
            for piece in balanced(self._text, first, last):
                first, last = self._trimmed(*piece)
                part = self._text[first:last]
                is_particle = follows and part in tails() and not self._goes_on(last)
                is_form_of_it = is_form(part) and not self._is_within_word(first, last)
                is_read = is_particle or is_form_of_it or (follows and title_of(part) != "")
                if any(map(str.isalnum, part)) and not is_read:
                    self._take_rest(replace(span, start=first, end=last))

    def _is_within_word(self, first: int, last: int) -> bool:
        """Return whether Latin letters go on at either end: the co of Nar|co is no form."""
        return any(
            len(met) == 2 and met.isascii() and met.isalpha()
            for met in (self._text[max(0, first - 1) : first + 1], self._text[last - 1 : last + 1])
        )

    def _goes_on(self, end: int) -> bool:
        """Return whether a word goes on at *end*: the 와 of 나래와|증권 is no particle."""
        return "가" <= self._text[end : end + 1] <= "힣"

    def _support(self, span: Span) -> None:
        """Give stronger spans a sure tagger's label, and the one that agrees the surer's score."""
        first, last = self._touched(span)
        if finder(span) is Finder.SURE_TAGGER:
            for at in range(first, last):
                self.spans[at] = _relabelled(self.spans[at], span)
        one = self.spans[first]
        if last - first == 1 and span.covers(one) and self._are_alike(one, span):
            self.spans[first] = replace(one, score=max(one.score, span.score))

    def _gaps(self, span: Span) -> list[tuple[int, int]]:
        """Return the parts of *span* that no span covers yet."""
        first, last = self._touched(span)
        edges = [span.start]
        for one in self.spans[first:last]:
            edges += (one.start, one.end)
        pairs = zip(edges[::2], [*edges[1::2], span.end], strict=True)
        return [(start, end) for start, end in pairs if start < end]

    def _touched(self, span: Span) -> tuple[int, int]:
        """Return from and to which index the spans share a character with *span*."""
        first = bisect_right(self.spans, span.start, key=lambda one: one.end)
        return first, bisect_left(self.spans, span.end, key=lambda one: one.start)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch without spaces and marks at its ends; empty if nothing is left."""
        part = self._text[start:end]
        first = end - len(part.lstrip(_EDGES))
        return first, max(first, start + len(part.rstrip(_EDGES)))

    def _take_rest(self, rest: Span) -> None:
        """Join the rest of a loser to the span beside it, or let it stand by itself."""
        after = bisect_left(self.spans, rest.start, key=lambda one: one.start)
        for at in (after - 1, after):
            if 0 <= at < len(self.spans) and self._is_one(self.spans[at], rest):
                one = self.spans[at]
                start, end = min(one.start, rest.start), max(one.end, rest.end)
                self.spans[at] = replace(one, start=start, end=end)
                return
        if not is_readable_part(self._text, rest.start, rest.end):  # 1209|호
            self.insert(rest)

    def _is_one(self, one: Span, rest: Span) -> bool:
        """Return whether the two are one mention: of one word, or of one kind side by side."""
        seam, stop = min(one.end, rest.end), max(one.start, rest.start)
        if seam == stop and finder(one) is not Finder.IDENTIFIER:
            met = self._text[seam - 1 : seam + 1]
            if met.isalpha():
                return True
        return self._are_alike(one, rest) and not self._text[seam:stop].strip(" \t")

    def _are_alike(self, one: Span, other: Span) -> bool:
        return self._taxonomy.label(one.label).code == self._taxonomy.label(other.label).code
