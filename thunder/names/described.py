"""Names that stand with a generic noun: 나리식당, 나리 식당, '나리 식당'."""

from collections.abc import Iterator

from thunder.names.chunks import CIRCLES, Chunk, digits_run_in, word_before
from thunder.names.descriptors import Reading, is_name
from thunder.names.evidence import score
from thunder.names.naming import (
    CERTAIN,
    Evidence,
    announced,
    evidence_before,
    is_place_name,
    is_supported,
    is_used_as_name,
    quoted_name,
    spaced_name,
)
from thunder.names.patterns.signs import sign
from thunder.names.survey import survey
from thunder.names.well_known import is_bank, is_known, is_station
from thunder.taxonomy.gazetteer import bare_names
from thunder.taxonomy.lexicon import words_of
from thunder.text.spans import Span


def find(text: str, *, kind: str) -> Iterator[Span]:
    """Yield the names before a descriptor of *kind*; the noun stays outside, unless it is inside.

    Scores run from a plain word before an ordinary noun to one that is joined and announced.
    """
    for hit in survey(text):
        if hit.reading and hit.reading.descriptor.kind == kind:
            span = _named(text, hit.word, hit.reading)
            if span:
                yield span


def _named(text: str, word: Chunk, reading: Reading) -> Span | None:
    start, end = word.start + reading.noun_start, word.start + reading.noun_end
    noun = Chunk(start, end, reading.descriptor.noun)
    if noun.text == "역" and not _is_stop(text, noun):
        return None
    if noun.text == "건설" and _are_works(text, noun):
        return None
    quoted = _quoted(text, noun, reading)
    if quoted:
        return quoted
    if reading.name_end:
        return _joined(text, word, noun, reading)
    if reading.noun_start:
        return None
    if reading.descriptor.joined and noun.text != "역":
        return None
    return _apart(text, noun, reading)


def _are_works(text: str, noun: Chunk) -> bool:
    """Return whether 건설 tells what is done to what stands before it, and is no builder's name."""
    return sign("works-follow").at(text, noun.end) and sign("built").at(text, noun.start)


def _quoted(text: str, noun: Chunk, reading: Reading) -> Span | None:
    start = quoted_name(text, noun)
    if start is None:
        return None
    name = text[start : noun.start].rstrip()
    apart = name != text[start : noun.start]
    if not is_name(name, reading.descriptor, apart=apart):
        return None
    return _span(start, start + len(name), noun, reading, score("quoted with its noun"))


def _joined(text: str, word: Chunk, noun: Chunk, reading: Reading) -> Span | None:
    name = word.text[: reading.name_end]
    if _is_cut(text, word, name) or _tells_the_town(name, noun.text):
        return None
    evidence = evidence_before(text, word.start)
    if noun.text == "역":
        evidence = Evidence.CLEAR
    used = is_used_as_name(text, noun.end, reading.descriptor)
    supported = is_supported(name, evidence, reading.descriptor, apart=False, used=used)
    if not supported and not is_known(name):
        return None
    start = word.start + digits_run_in(name)
    if _is_bank(name, noun.text) or _is_known_stop(text, name, noun):
        return _span(start, noun.start, noun, reading, CERTAIN)
    if evidence is not Evidence.CLEAR and start == word.start:
        start = announced(text, start) or start
    return _span(
        start, noun.start, noun, reading, score(evidence.value) + score("joined to its noun")
    )


def _is_known_stop(text: str, name: str, noun: Chunk) -> bool:
    """Return whether a station that everybody knows is spoken of as a place: 나루역 부근."""
    if noun.text != "역" or len(name) < 2 or not is_station(name):
        return False
    at = noun.start - len(name)
    is_led = sign("of-a-line").at(text, at) or sign("counter-of").at(text, at)
    return is_led or sign("at-a-station").at(text, noun.end)


def _is_bank(name: str, noun: str) -> bool:
    return is_bank(name) if noun in ("은행", "카드") else noun in words_of("savings-bank")


def _tells_the_town(name: str, noun: str) -> bool:
    """Return whether *name* says where, not whose: 인천공장, and 김포시장, who is a mayor."""
    if noun == "시장":
        return name in bare_names()
    return noun in words_of("site-by-town") and is_place_name(name)


def _is_cut(text: str, word: Chunk, name: str) -> bool:
    """Return whether *name* is the rest of something: of a court's circle, or of a particle."""
    before = text[word.start - 1 : word.start]
    return name[-1] == "·" or before in tuple(CIRCLES) or (before in (")", "]") and len(name) < 3)


def _is_stop(text: str, noun: Chunk) -> bool:
    """Return whether X역 is a station, or called like one: a line before it, an exit after it."""
    name = word_before(text, noun.start - (text[noun.start - 1 : noun.start] == " "))
    if name is None:
        return False
    if is_station(name.text) or sign("has-exits").at(text, noun.end):
        return True
    return sign("of-a-line").at(text, name.start)


def _apart(text: str, noun: Chunk, reading: Reading) -> Span | None:
    named = spaced_name(text, noun.start, reading.descriptor)
    if named is None:
        return None
    name, evidence = named
    if noun.text == "은행" and is_bank(name.text):
        return _span(name.start, name.end, noun, reading, CERTAIN)
    used = is_used_as_name(text, noun.end, reading.descriptor)
    if not is_supported(name.text, evidence, reading.descriptor, apart=True, used=used):
        return None
    return _span(name.start, name.end, noun, reading, score(evidence.value))


def _span(start: int, end: int, noun: Chunk, reading: Reading, sure: float) -> Span:
    descriptor = reading.descriptor
    return Span(start, noun.end if descriptor.inside else end, descriptor.label, sure)
