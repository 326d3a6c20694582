"""Known names where they stand in a text: alone, or where money shows that 신한 is a bank."""

import re
from collections.abc import Iterator

from thunder.names.chunks import Chunk, stem_length, word_after, word_before
from thunder.names.descriptors import read
from thunder.names.known import Entry, brands
from thunder.names.naming import Evidence, evidence_before
from thunder.names.survey import survey
from thunder.spans import Span

_MONEY = re.compile(
    r"[^\n.]{0,14}?(?:계좌|통장|체크카드|예금|대출|송금|입금|출금|이체|지점|직원|현금|창구|"
    r"조합원|앞)"
)
_ACCOUNT = re.compile(r" ?(?:은행 ?)?(?:예금|체크|가상|입출금)? ?(?:계좌|통장|체크카드)")
_OWNED = re.compile(r"(?:명의의?|위|[가-힣]의|본인|날|및|,|소유의?) $")
_HOME = re.compile(
    r"[가-힣0-9A-Z]{0,8}(?: ?[0-9]{1,2}(?:차|단지))? ?(?:아파트|[0-9]{1,4}동|[0-9]{1,4}호)"
)


def find(text: str) -> Iterator[Span]:
    """Yield known names; the generic noun of a name stays outside ([신한]카드)."""
    for hit in survey(text):
        if hit.entry and _counts(text, hit.word, hit.entry):
            yield _span(hit.word, hit.entry)
    yield from _homes(text)


def _counts(text: str, word: Chunk, entry: Entry) -> bool:
    end = word.start + entry.length
    if entry.when == "bank":
        return _MONEY.match(text, end) is not None
    if entry.when == "account":
        owned = _OWNED.search(text[max(0, word.start - 12) : word.start])
        return owned is not None and _ACCOUNT.match(text, end) is not None
    return entry.when == "alone"


def _span(word: Chunk, entry: Entry) -> Span:
    score = 0.85 if entry.when == "alone" else 0.8
    reading = read(word.text[: entry.length])
    if reading and not reading.descriptor.inside and reading.noun_start > 1:
        end = word.start + reading.noun_start
        return Span(word.start, end, reading.descriptor.label, score)
    return Span(word.start, word.start + entry.length, entry.label, score)


def _homes(text: str) -> Iterator[Span]:
    """Yield flats called by their brand alone: "힐스테이트 101동", "한빛마을래미안 3단지"."""
    for match in brands().finditer(text):
        head = word_before(text, match.start())
        start = head.start if head else match.start()
        word = word_after(text, start)
        if word is None or word.end < match.end():
            continue
        announced = evidence_before(text, start) is Evidence.CLEAR
        if announced or _HOME.match(text, match.end()):
            yield Span(start, _home_end(word, match.end()), "아파트", 0.8)


def _home_end(word: Chunk, brand_end: int) -> int:
    """Return where the flat's name ends in *word*: before 아파트, else before the particle."""
    reading = read(word.text)
    if reading and reading.noun_start > 1:
        inside = reading.descriptor.inside
        return word.start + (reading.noun_end if inside else reading.noun_start)
    return max(brand_end, word.start + stem_length(word.text))
