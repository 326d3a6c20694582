"""차량번호: plates of cars, taxis, lorries, machines and motorcycles, old and new.

A plate without a region looks like an old case number (85다1234) and like a party before a year
(피고인 12가 2020. 1.), so what stands around it decides. Forms: 자동차등록번호판 등의 기준에 관한
고시 and, for old plates, published judgments.
"""

import re
from collections.abc import Iterator

from thunder.identifiers import formats
from thunder.identifiers.cues import NAMED, is_near
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "plate"
LABEL = "차량번호"
ROWS = formats.Recogniser(NAME)

_GAP = r"(?:[ ]{0,2}\r?\n[ ]{0,2}|[ ]?-?[ ]?)"
_CORE = expression(rf"(?P<syllable><on-plate>)(?P<gap>{_GAP})(?P<number>[0-9]{{4}})(?![0-9])")
_NUMBERED = expression(
    rf"(?:(?P<region><region>)(?:시|도|특별시|광역시)?{_GAP})?"
    rf"(?P<class>(?<![0-9.,\-])[0-9]{{1,3}})(?P<gap>{_GAP})\Z"
)
_DISTRICTED = expression(rf"<region>{_GAP}(?:(?P<district><district>)[시군구]?{_GAP})?\Z")
_LONGEST_PREFIX = 20  # code points before the syllable: region, district, gaps
_VEHICLE = expression(r"<vehicle>|SM[3-7]|(?<![A-Z])K[3579](?![0-9])")
_OLD_YEARS, _NEW_YEARS = range(45, 100), range(27)  # of case numbers that look like plates
_CASE_BEFORE = expression(r"<court-or-act>[ ,ㆍ·및과와'‘\"“(]{0,3}\Z")
_CASE_AFTER = expression(
    r"호?(?:[ ,ㆍ·및()0-9\r\n]|[가-힣]{1,3}(?=[0-9])|<beside-case>){0,40}"
    r"(?:<behind-case>|공[0-9]{4})"
)
_DATE_AFTER = lazy.compile(r" ?(?:\.[ ]?[0-9]|년|\. ?경|-[0-9]|/[0-9])")
_UNIT_AFTER = expression(r"[.,][0-9]| ?(?:[0-9]|<counted-like-a-plate>|주(?!차))")
_REACH = 12
_PARTY_BEFORE = expression(r"(?:<party>|<counts-papers>) ?\Z")
_TAIL = lazy.compile(
    r"(?:호|\([^()\n]{0,12}\))?(?:,| 및| 내지|~|ㆍ|·) ?(?P<number>[0-9]{4})(?![0-9])"
)
_LAST_FOUR = expression(
    r"<number-of-car>판?(?: ?(?:끝|뒷) ?(?:네 ?)?<part-of-number>)?"
    r"(?:는|은|가)? ?[:'\"‘“(]{0,2} ?(?P<number>[0-9]{4})(?![0-9]|,[0-9])",
    needs=("번호",),
)


def find(text: str) -> Iterator[Span]:
    """Yield the plates of *text*, whole or with only the four last digits named as such."""
    previous, ends = -1, set[int]()
    for core in _CORE.finditer(text):
        if _is_date(text, core):
            continue
        hit = _numbered(text, core, previous) or _districted(text, core)
        if hit:
            plate = Span(hit[0], core.end(), LABEL, hit[1])
            for span in (plate, *_tails(text, core.end())):
                previous = span.end
                ends.add(previous)
                yield span
    yield from (span for span in _other_forms(text) if span.end not in ends)


def _numbered(text: str, core: re.Match[str], previous: int) -> tuple[int, float] | None:
    """Return start and score of a plate that has digits before its syllable, if it is one."""
    at = core.start()
    prefix = _NUMBERED.search(text, max(0, at - _LONGEST_PREFIX), at)
    if prefix is None or core["syllable"] in _of_two_wheels():
        return None
    digits, start = prefix["class"], prefix.start()
    if not prefix["region"] and (len(digits) == 1 or not int(digits)):
        return None
    vehicle = _is_vehicle(text, start, core.end()) or _is_listed(text, previous, start)
    if _is_case(text, start, core.end()) and not (vehicle and _needs_no_year(prefix, core)):
        return None
    if prefix["region"]:
        return start, NAMED if vehicle else 0.9
    if vehicle:
        return (start, NAMED) if _is_plain(text, prefix, core) else None
    score = _score_alone(text, prefix, core) if _is_plain(text, prefix, core) else 0.0
    return (start, score) if score else None


def _of_two_wheels() -> frozenset[str]:
    return frozenset(words_of("cycle-plate")) - frozenset(words_of("plate-syllable"))


def _is_numbered(text: str, at: int) -> bool:
    return _PARTY_BEFORE.search(text, max(0, at - _REACH), at) is not None


def _needs_no_year(prefix: re.Match[str], core: re.Match[str]) -> bool:
    """Return whether a plate cannot be a case number of two digits: 서울 85다1234, 123가4567."""
    if prefix["region"] or len(prefix["class"]) == 3:
        return True
    return core["syllable"] not in words_of("code-on-plate")


def _is_plain(text: str, prefix: re.Match[str], core: re.Match[str]) -> bool:
    """Return whether what stands around allows a plate: not 원고 12가 2020, not 12조 3456억."""
    joined = not (core["gap"] or prefix["gap"])
    if not joined and _is_numbered(text, prefix.start()):
        return False
    is_loose = not joined or core["syllable"] in words_of("counted-on-plate")
    return not (is_loose and _UNIT_AFTER.match(text, core.end()))


def _score_alone(text: str, prefix: re.Match[str], core: re.Match[str]) -> float:
    """Return the score of a plate with no vehicle near it, 0 where it may be something else."""
    syllable, two = core["syllable"], len(prefix["class"]) == 2
    year = int(prefix["class"])
    is_old = two and year in _OLD_YEARS and syllable in words_of("code-on-plate")
    is_new = two and year in _NEW_YEARS and syllable in words_of("common-code")
    if is_old or is_new or prefix["gap"] or syllable in ("호", *words_of("plate-of-forces")):
        return 0.0
    if syllable in words_of("counted-on-plate"):
        counts = _is_numbered(text, prefix.start())
        return 0.0 if core["gap"] or counts else 0.85
    return 0.85 if not core["gap"] else 0.6 if "\n" in core["gap"] else 0.75


def _is_listed(text: str, previous: int, start: int) -> bool:
    """Return whether only a comma or the like parts the plate from the one before it."""
    between = text[previous:start] if previous >= 0 else ""
    return 0 < len(between) <= 6 and set(between) <= set("호,ㆍ·및와과 ")


def _districted(text: str, core: re.Match[str]) -> tuple[int, float] | None:
    """Return start and score of a plate without a class number: 서울 강남 가 1234, 경기 바 1234."""
    at = core.start()
    prefix = _DISTRICTED.search(text, max(0, at - _LONGEST_PREFIX), at)
    if prefix is None or core["syllable"] not in words_of("cycle-plate"):
        return None
    if _UNIT_AFTER.match(text, core.end()):
        return None
    if _is_vehicle(text, prefix.start(), core.end()):
        return prefix.start(), 0.9
    is_year = core["number"][:2] in ("19", "20") and core["gap"] != ""
    return (prefix.start(), 0.8) if prefix["district"] and not is_year else None


def _tails(text: str, end: int) -> Iterator[Span]:
    """Yield what follows a plate as its last digits alone: 서울35사1201, 1212, 1215."""
    while tail := _TAIL.match(text, end):
        end = tail.end()
        if _DATE_AFTER.match(text, end) or _UNIT_AFTER.match(text, end):
            return
        yield Span(tail.start("number"), end, LABEL, 0.7)


def _other_forms(text: str) -> Iterator[Span]:
    yield from ROWS.find(text)
    for match in _LAST_FOUR.finditer(text):
        if not (_DATE_AFTER.match(text, match.end()) or _UNIT_AFTER.match(text, match.end())):
            yield Span(match.start("number"), match.end("number"), LABEL, 0.75)


def _is_vehicle(text: str, start: int, end: int) -> bool:
    return is_near(text, start, end, _VEHICLE, before=60, after=40)


def _is_case(text: str, start: int, end: int) -> bool:
    """Return whether a court stands directly before the number, or its judgment after it."""
    before = _CASE_BEFORE.search(text, max(0, start - 12), start)
    return before is not None or _CASE_AFTER.match(text, end) is not None


def _is_date(text: str, core: re.Match[str]) -> bool:
    """Return whether the four digits are the year of a date: 피고인 12가 2020. 1. 5."""
    if not 1900 <= int(core["number"]) < 2100:
        return False
    return _DATE_AFTER.match(text, core.end()) is not None
