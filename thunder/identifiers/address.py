"""Addresses below 시·군·구: what the court rule cuts and turns into one letter.

서울 강남구 [역삼동 123-4] 소재, 경기 양평군 [서종면 문호리 산 12-3]. The last readable level (구,
시, 군, 도) gives the label. Building names, floors and units are not part of it.
"""

from collections.abc import Iterator

from thunder.identifiers import address_loose, address_parts, address_reading, formats
from thunder.identifiers.address_districts import Level, levels
from thunder.identifiers.address_reading import Address
from thunder.taxonomy import gazetteer
from thunder.text.spans import Span, heaviest, sureness

NAME = "address"

WRITTEN = formats.Recogniser(NAME)
"""The rows of addresses that their form shows: streets abroad, lots before 번지."""

_LABELS = {"구": "구아래주소", "시": "시아래주소", "군": "군아래주소", "도": "도아래주소"}


def find(text: str) -> Iterator[Span]:
    """Yield every address below 시·군·구 in folded *text*, disjoint and sorted.

    Also lots whose 시·군·구 stands elsewhere (같은 동 123-5, 문호리 12-3), later mentions of a 동
    or road that an address in the same text has named (행정동, 도로), and foreign streets.
    """
    spans: list[Span] = []
    names: set[str] = set()
    for level in levels(text):
        for address in _below(text, level):
            label = _LABELS[level.district.level]
            spans.append(Span(address.start, address.end, label, address.score))
            names.update(address.names)
    written = [text[span.start : span.end] for span in spans]
    spans += address_loose.find(text, names=names, addresses=written)
    spans += WRITTEN.find(text)
    # A whole address rather than its parts.
    yield from heaviest(spans, weight=lambda span: len(span) * sureness(span))


def _below(text: str, level: Level) -> Iterator[Address]:
    """Yield the address directly below *level*, and the further ones of its list."""
    start = address_parts.skip_space(text, level.end)
    known = level.district.names.__contains__
    joined = start == level.end or "\n" in text[level.end : start]
    address = address_reading.read(text, start, known=known, by_form=not (joined or level.bare))
    if address is None or ((joined or level.bare) and not _is_below(address, level)):
        address = address_reading.joined(text, start) if start == level.end else None
    if address is None or gazetteer.below_joined(text, start, address.end) > start:
        return  # 대구|달성군가람읍: a level of its own
    yield address
    yield from address_reading.rest(text, address, known=known)


def _is_below(address: Address, level: Level) -> bool:
    """Return whether the first name is one that the gazetteer has below *level*."""
    return bool(address.names) and address.names[0] in level.district.names
