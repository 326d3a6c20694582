"""Known names where they stand: firms, banks, brands of flats, political parties of the Republic.

And firms that stand in a list of sums beside one. Courts letter parties (○○당) more often than not
since 2012; before, they mostly left them readable.
"""

import re
from collections.abc import Iterator, Sequence

from thunder.identifiers.cues import is_near
from thunder.names.chunks import Chunk, stem_length, word_after, word_before
from thunder.names.descriptors import ORGANISATION, UNKNOWN, read
from thunder.names.evidence import score
from thunder.names.naming import CERTAIN, Evidence, evidence_before, is_proper
from thunder.names.patterns.signs import sign
from thunder.names.survey import survey
from thunder.names.well_known import Entry, political_parties
from thunder.text.spans import Span

PARTY, _PARTY_NOUN, _SIGHT = "정당", "당", 40


def find(text: str) -> Iterator[Span]:
    """Yield known names; the generic noun of a name stays outside ([신한]카드)."""
    for hit in survey(text):
        if hit.entry and _counts(text, hit.word, hit.entry):
            yield _span(hit.word, hit.entry)
    yield from _homes(text)
    yield from _with_sums(text)
    yield from parties(text)


def _counts(text: str, word: Chunk, entry: Entry) -> bool:
    end = word.start + entry.length
    if entry.when == "bank":
        return sign("money-follows").at(text, end)
    if entry.when == "account":
        return sign("account-follows").at(text, end) and sign("owned-by").at(text, word.start)
    return entry.when == "alone"


def _span(word: Chunk, entry: Entry) -> Span:
    sure = score("known by itself" if entry.when == "alone" else "known where it counts")
    reading = read(word.text[: entry.length])
    if reading and not reading.descriptor.inside and reading.noun_start > 1:
        end = word.start + reading.noun_start
        return Span(word.start, end, reading.descriptor.label, sure)
    return Span(word.start, word.start + entry.length, entry.label, sure)


def _with_sums(text: str) -> Iterator[Span]:
    """Yield the firms of (나래건설 1,000원, 한빛철재 2,000원): all are, if one is by its noun."""
    sure = score("beside a firm with a sum")
    for items in _lists_of_sums(text):
        if len(items) < 2 or not any(_is_firm(item["X"]) for item in items):
            continue
        for item in items:
            (start, end), name = item.span("X"), item["X"]
            reading = read(name)
            if reading and _is_firm(name):
                end = end if reading.descriptor.inside else start + reading.noun_start
                yield Span(start, end, reading.descriptor.label, sure)
            elif is_proper(name) and not sign("sum-of-money").fits(name):
                yield Span(start, end, UNKNOWN, sure)


def _lists_of_sums(text: str) -> Iterator[Sequence[re.Match[str]]]:
    """Yield what stands in brackets and is nothing but names, each with its sum."""
    items: list[re.Match[str]] = []
    for item in sign("name-with-a-sum").all(text):
        if not items or items[-1].end() != item.start():
            items = []
        if items or text[item.start() - 1 : item.start()] == "(":
            items.append(item)
            if text[item.end() : item.end() + 1] == ")":
                yield items
                items = []


def _is_firm(name: str) -> bool:
    reading = read(name)
    is_named = reading is not None and reading.name_end > 1 and reading.noun_end == len(name)
    return is_named and reading is not None and reading.descriptor.kind == ORGANISATION


def _homes(text: str) -> Iterator[Span]:
    """Yield flats called by their brand alone: "힐스테이트 101동", "한빛마을래미안 3단지"."""
    brands = (
        (hit.word.start + first, hit.word.start + last)
        for hit in survey(text)
        for first, last in hit.brands
    )
    for brand, end in brands:
        head = word_before(text, brand)
        start = head.start if head else brand
        word = word_after(text, start)
        if word is None or word.end < end:
            continue
        announced = evidence_before(text, start) is Evidence.CLEAR
        if announced or sign("of-a-home").at(text, end):
            yield Span(start, _home_end(word, end), "아파트", score("brand of a home"))


def _home_end(word: Chunk, brand_end: int) -> int:
    """Return where the flat's name ends in *word*: before 아파트, else before the particle."""
    reading = read(word.text)
    if reading and reading.noun_start > 1:
        inside = reading.descriptor.inside
        return word.start + (reading.noun_end if inside else reading.noun_start)
    return max(brand_end, word.start + stem_length(word.text))


def parties(text: str) -> Iterator[Span]:
    """Yield the parties' names, their 당 left out: 나래|당.

    A name that is a word besides (평화당, 새로운미래) counts near what parties do only, but then
    in the whole text; 국민의힘 before a post too.
    """
    found = list(_names_in(text))
    named = {match[0] for match in found if _is_party(text, match)}
    for match in found:
        if match[0] in named:
            yield Span(match.start(), match.end() - match[0].endswith(_PARTY_NOUN), PARTY, CERTAIN)


def _names_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the parties' names that are whole words, where no other state's party is meant."""
    pattern, _ = political_parties()
    at = 0
    while match := pattern.search(text, at):
        is_inside = text[match.start() - 1 : match.start()].isalnum()
        at = match.start() + 1 if is_inside else match.end()
        is_whole = not is_inside and sign("ends-a-party").at(text, match.end())
        if is_whole and not sign("of-another-state").at(text, match.start()):
            yield match


def _is_party(text: str, match: re.Match[str]) -> bool:
    """Return whether no word besides is meant: the name is none, or what is near says so."""
    when = political_parties()[1][match[0]]
    if when not in ("cue", "post") or (
        when == "post" and sign("post-of-a-party").at(text, match.end())
    ):
        return True
    return is_near(
        text, *match.span(), sign("spoken-of-parties").pattern, before=_SIGHT, after=_SIGHT
    )
