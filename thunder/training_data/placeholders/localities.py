"""Addresses and divisions of the country."""

import re
from collections.abc import Iterator

from thunder.names.court_marks import SIGNS
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression, labels_of, words_of
from thunder.training_data.placeholders.record import Vote

REACH = 60
_BREAK = re.compile(r"[ \t]*\n[ \t]+|[ \t]{2,}")


def left_of(text: str, start: int) -> str:
    """Return the last ``REACH`` characters before *start*, a line that is broken read as one.

    Law reports set a placeholder on a line of its own, far indented: 두산동 ↵ (이하 2 생략).
    """
    return _BREAK.sub(" ", text[max(0, start - 2 * REACH) : start])[-REACH:]


def right_of(text: str, end: int) -> str:
    """Return the ``REACH`` characters from *end* on, a line that is broken read as one."""
    return _BREAK.sub(" ", text[end : end + 2 * REACH])[:REACH]


_PLACE_BEFORE = (
    r"(?P<big><metropolis><rank-of-a-city>?|<province-in-full>)?"
    rf" ?(?P<unit>(?:[가-힣]{{1,5}}|(?P<masked>[{SIGNS}]{{1,5}}))"
    r"(?P<kind>시|군|구|읍|면|동|리))? ?>?$"
)
_DIVISIONS = "placeholder_divisions"


def place(left: str) -> Iterator[Vote]:
    """Yield the address that begins where a court cuts it: behind a 시, 군 or 구."""
    match = expression(_PLACE_BEFORE).search(left)
    if match is None:
        return
    # ○○동○○○ is a lot; ○○구△△ goes on to a quarter.
    if not left.endswith((" ", ">")) and not (match["masked"] and match["kind"] in "동리"):
        return
    unit, kind = match["unit"], match["kind"]
    if (
        unit
        and len(unit) > 1
        and unit not in words_of("no-division")
        and not sign("verb-of-a-condition").at(unit, len(unit))
    ):
        above = match["big"] or match["masked"]
        divided = above or sign("behind-a-division").at(left, match.start("unit"))
        if kind in "시군구":
            yield Vote(_below(kind), 5.5)
        elif kind in "읍면" or divided:
            yield Vote(_below(kind), 5)
    elif not unit and match["big"]:
        big = match["big"].rstrip("시").removesuffix("광역").removesuffix("특별")
        yield Vote(_below("시"), 5) if big in words_of("metropolis") else Vote(_below("도"), 4)
    elif not unit and sign("behind-a-city").at(left, len(left)):
        yield Vote(_below("시"), 5)


def _below(kind: str) -> str:
    """Return the label of what a court cuts off behind a division: of 두산동 ○○○."""
    return labels_of(_DIVISIONS)[f"{kind} 아래"]


def depth(left: str) -> str:
    """Return the label of an address that is left out behind *left*: 두산동 (주소 생략), or ""."""
    if lying := sign("lying-in-a-division").match(left, len(left)):
        left = left[: lying.end("D")] + " "
    elif left.endswith(tuple("시군구읍면")):
        left += " "
    if sign("abroad").at(left, len(left)):
        return "국외주소"
    if votes := [*same(left), *sorted(place(left), key=lambda vote: (-vote.weight, vote.label))]:
        return votes[0].label
    quarter = sign("behind-a-quarter").match(left, len(left))
    if quarter and quarter["U"] not in words_of("no-division"):
        return _below("동")
    return "번지" if sign("behind-a-road").at(left, len(left)) else ""


_DIVISION = (
    r"(?P<kind>동|읍|면|리|시|군|구)(?![가-힣])|광역(?=시)|특별(?=시)|(?P<joined>동|읍|면|리|시|군|구)"
    r"(?=[은는이가을를의에와과로도○△□◇☆▽◎]|<of-a-division>|내 )(?!의원|의회)"
)


def division(text: str, end: int) -> Iterator[Vote]:
    """Yield the division of the country whose name circles stand for: ○○동, △△군수."""
    if sign("office-of-a-body").at(text, end):
        yield Vote("부서", 5.5)
        return
    match = expression(_DIVISION).match(text, end)
    if match is None:
        return
    kind = match["kind"] or match["joined"] or "시"
    is_within = sign("in-a-district").at(text, end)
    around = sign("of-an-estate").all(text, max(0, end - REACH), end + REACH)
    if kind == "동" and not is_within and any(around):
        yield Vote("동", 7.5)
    elif text.startswith("시장", end):
        if not sign("open-market").at(text, end):
            yield Vote(labels_of(_DIVISIONS)[kind], 8.5)
    else:
        yield Vote(labels_of(_DIVISIONS)[kind], 7.5 if text[end + 1 : end + 2] == "당" else 6.5)


def same(left: str) -> Iterator[Vote]:
    """Yield what is cut off in the division just named: 같은 동 ○○○."""
    if match := sign("same-division").match(left, len(left)):
        yield Vote(_below(match["K"]), 5)
