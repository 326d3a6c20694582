"""Known names where they stand in a text, and firms that stand in a list of sums beside one."""

from collections.abc import Iterator

from thunder.names.chunks import Chunk, stem_length, word_after, word_before
from thunder.names.descriptors import ORGANISATION, UNKNOWN, read
from thunder.names.naming import Evidence, evidence_before, is_proper
from thunder.names.patterns.signs import sign
from thunder.names.survey import survey
from thunder.names.well_known import Entry
from thunder.text import lazy
from thunder.text.spans import Span

_ITEM = lazy.compile(r"(?<=[(, ])([가-힣A-Za-z]{3,14}) ?[0-9][0-9,]{2,16}(?:[만억])? ?원")
_SUMS = lazy.compile(r"\((?:[가-힣A-Za-z]{3,14} ?[0-9][0-9,]{2,16}[만억]? ?원(?:, ?| 등)?){2,20}\)")


def find(text: str) -> Iterator[Span]:
    """Yield known names; the generic noun of a name stays outside ([신한]카드)."""
    for hit in survey(text):
        if hit.entry and _counts(text, hit.word, hit.entry):
            yield _span(hit.word, hit.entry)
    yield from _homes(text)
    yield from _with_sums(text)


def _counts(text: str, word: Chunk, entry: Entry) -> bool:
    end = word.start + entry.length
    if entry.when == "bank":
        return sign("money-follows").at(text, end)
    if entry.when == "account":
        return sign("account-follows").at(text, end) and sign("owned-by").at(text, word.start)
    return entry.when == "alone"


def _span(word: Chunk, entry: Entry) -> Span:
    score = 0.85 if entry.when == "alone" else 0.8
    reading = read(word.text[: entry.length])
    if reading and not reading.descriptor.inside and reading.noun_start > 1:
        end = word.start + reading.noun_start
        return Span(word.start, end, reading.descriptor.label, score)
    return Span(word.start, word.start + entry.length, entry.label, score)


def _with_sums(text: str) -> Iterator[Span]:
    """Yield the firms of (나래건설 1,000원, 한빛철재 2,000원): all are, if one is by its noun."""
    for bracket in _SUMS.finditer(text):
        items = list(_ITEM.finditer(text, *bracket.span()))
        if len(items) < 2 or not any(_is_firm(item[1]) for item in items):
            continue
        for item in items:
            name = item[1]
            reading = read(name)
            if reading and _is_firm(name):
                length = len(name) if reading.descriptor.inside else reading.noun_start
                label = reading.descriptor.label
                yield Span(item.start(1), item.start(1) + length, label, 0.8)
            elif is_proper(name) and not sign("sum-of-money").fits(name):
                yield Span(*item.span(1), UNKNOWN, 0.8)


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
            yield Span(start, _home_end(word, end), "아파트", 0.8)


def _home_end(word: Chunk, brand_end: int) -> int:
    """Return where the flat's name ends in *word*: before 아파트, else before the particle."""
    reading = read(word.text)
    if reading and reading.noun_start > 1:
        inside = reading.descriptor.inside
        return word.start + (reading.noun_end if inside else reading.noun_start)
    return max(brand_end, word.start + stem_length(word.text))
