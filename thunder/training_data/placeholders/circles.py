"""Circles, squares and their like in the place of a name: ○○ 주식회사, 김○○, □□동, ㅇㅇ, OOO."""

import re
from collections.abc import Iterable, Iterator

from thunder.names.court_marks import SIGNS
from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import expression
from thunder.training_data.placeholders.record import Doubt, Mark, begins_line

_NAME = (
    rf"(?P<surname>(?<![가-힣A-Za-z0-9])<masked-surname>)?(?P<signs>[{SIGNS}]{{2,}}(?:-[{SIGNS}0-9]+)*|"
    rf"(?<=<masked-surname>)[{SIGNS}]|(?<=[ (])[{SIGNS}](?=(?:구|군|시|동|읍|"
    rf"면)(?![가-힣])|구청|군청|시청|군수|(?:구|군|시|동|읍|"
    rf"면)[은는이가의에을를]))(?P<last>[가-힣])?"
    rf"|(?<=[ (‘“'\"제])(?P<one>[{SIGNS}])(?=<behind-one-sign>(?!님))"
    r"|(?P<zeros>(?:(?<=[동리가로])|(?<=[동리가로] )|(?=0+-0+(?:번지|토지)))0{2,4}-0{1,4}"
    r"(?![0-9-]))"
    r"|(?P<latin>(?<![A-Za-z0-9])(?<![0-9][,.])(?<!\. (?=0))<masked-surname>?(?:O{2,}|o{2,}|X{2,3}|"
    r"x{2,3}|ㅇ{2,}|Ｏ{2,}|0{2,4}(?![.:/-]|,[0-9]))(?![A-Za-z0-9]))"
    rf"|(?P<stars>(?<![*0-9A-Za-z-])\*{{2,}}(?![*0-9A-Za-z]))"
)


def find(text: str) -> Iterator[Mark]:
    """Yield the signs of *text* that stand for a name; bullets and table signs are none.

    A surname left before the signs belongs to the name (김○○), as does the last syllable of
    김○수. One sign alone is a bullet or a tick unless it stands between syllables of a name.
    """
    for match in expression(_NAME).finditer(text):
        start, end = match.span()
        if match["one"]:
            if begins_line(text, start):
                continue
        elif match["signs"]:
            start, end = _person(text, match)
            if _is_drawn(text, start, end) or sign("masked-amount").at(text, end):
                continue
        elif not match["zeros"] and (
            not _stands_for_a_word(text, start, end)
            or (match["latin"] and sign("masked-amount").at(text, end))
        ):
            continue
        yield Mark(start, end, "circle", text[start:end].translate(_ALIKE))
    for match in sign("circles-in-quotes").all(text):
        if len({*match["N"]}) == 2:  # one sign and the space
            yield Mark(*match.span("N"), "circle", match["N"].translate(_ALIKE))


_ALIKE = str.maketrans("OoＯㅇ", "○○○○")  # 이OO, 이○○


def of_zeros(text: str, marks: Iterable[Mark]) -> Iterator[Doubt]:
    """Yield the *marks* of zeros: where 00 is a name, no other 00 is known to be a number."""
    for mark in marks:
        if set(text[mark.start : mark.end]) == {"0"}:
            yield Doubt(mark.start, mark.end, ZEROS)


ZEROS = "zeros for names"


def _person(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the extent with the surname, and the last syllable of a name like 김○수."""
    signs = match["signs"]
    start = match.start("surname") if match["surname"] else match.start("signs")
    end = match.end("signs")
    if len(signs) == 1 and not match["surname"] and text[start - 1 : start] in (" ", "("):
        return start, end
    if len(signs) == 1 and match["last"] and _ends_a_name(text, end):
        end += 1
    if len(signs) == 1 and not match["surname"]:
        start -= 1
    return start, end


def _ends_a_name(text: str, at: int) -> bool:
    """Return whether the syllable at *at* is a name's last: of 김○수의 and 김○수, not 김○의."""
    return text[at] not in _PARTICLES or text[at + 1 : at + 2] in tuple(_PARTICLES + "(")


_PARTICLES = "은는이가을를의과와도에로만"


def _is_drawn(text: str, start: int, end: int) -> bool:
    """Return whether the signs are a line, a bullet or a scale: ○○○○○○○○○○○○○, ■■."""
    signs = text[start:end]
    if len(signs) > 14:
        return True
    if end - start == 1:
        return text[end : end + 1] not in tuple("구군시동읍면")
    if signs[0] in "■●▲" and begins_line(text, start):
        return text[end : end + 1] in (" ", "\n", "")
    return False


def _stands_for_a_word(text: str, start: int, end: int) -> bool:
    """Return whether Latin O and X or stars stand where a name could: 이OO, XX은행, **호."""
    before = text[start - 1 : start]
    return before in ("", " ", "\n", "'", "‘", '"', "“", "(", ")", ",", "주", "㈜") and sign(
        "word-behind-a-name"
    ).at(text, end)
