"""The names in an address below 시·군·구: divisions (읍면동리가) and roads (로, 길)."""

from collections.abc import Callable
from typing import NamedTuple

from thunder.taxonomy import gazetteer
from thunder.taxonomy.lexicon import expression, words_of
from thunder.text import lazy


class Part(NamedTuple):
    """One division or road: where it ends, its name as the gazetteer has it, how it is known."""

    end: int
    name: str
    sure: bool  # in the gazetteer; False: by its form alone


# What may follow a name with no space between: a particle, or a word judgments write after places.
_AFTER_NAME = expression(r"(?![가-힣])|<place-particle>(?![가-힣])|<after-place>|산 ?[0-9]")
_SPACE = lazy.compile(r" {0,3}\n *| {1,12}|")

_RUN = lazy.compile(r"[가-힣]{2,9}")
_NUMBERS = "[0-9]{1,2}(?:[.,·][0-9]{1,2}){0,3}"
_NUMBERED = tuple(  # 신정3동; then 역삼제1동 and 구로본동, whose 제 is not of the name
    lazy.compile(rf"([가-힣]{{1,6}}?)(?:{infix})(동|리)")
    for infix in (f" ?{_NUMBERS}", f" ?제{_NUMBERS}|본")
)
_GA = lazy.compile(r"([가-힣]{1,5}) ?([0-9])가")
_FORM = lazy.compile(r"[가-힣]{1,4} ?[0-9]가|[가-힣]{1,4}(?:제?[0-9]{1,2})?(?:동|읍|리|면)")
_ROAD_RUN = lazy.compile(r"[가-힣A-Z0-9][가-힣A-Z0-9·]{1,17}")
_BRANCH = lazy.compile(r" ?[0-9]{1,4}번?[가-힣]?길")


def is_common(name: str) -> bool:
    """Return whether *name* is also an everyday word (이동, 처리, 서면), so weak by itself."""
    short = len(name) == 2 and name[-1] in "리면로길가"
    return short or name in words_of("common-dong") or name.endswith("거리")


def is_word(name: str) -> bool:
    """Return whether *name* is a word that only ends as a 동, 리 or 면 does: 공동, 처리."""
    stems = {"동": "no-dong", "면": "no-myeon"}.get(name[-1:])
    return name.endswith(words_of("no-ri")) or bool(stems and name[:-1] in words_of(stems))


def division(text: str, at: int, known: Callable[[str], bool]) -> Part | None:
    """Return the 읍·면·동·가·리 that begins at *at* and is *known*, the longest first.

    신정3동 and 답십리 5동 are known by 신정동 and 답십리동; 태평로 1가 by 태평로1가.
    """
    numbered = _ga(text, at, known) or _numbered(text, at, known)
    if numbered:  # before 당산동 is seen in 당산동3가, 평리 in 평리4동
        return numbered
    run = _RUN.match(text, at)
    for end in range(run.end() if run else at, at + 1, -1):
        name = text[at:end]
        if name[-1] in "동리읍면로" and known(name) and _division_ends(text, end, name):
            return Part(end, name, True)
    return None


def _division_ends(text: str, end: int, name: str) -> bool:
    if ends_name(text, end):
        return True
    village = _RUN.match(text, end) if name[-1] in "읍면" else None  # 서포면다평리
    return village is not None and village[0] in gazetteer.villages(name)


def _numbered(text: str, at: int, known: Callable[[str], bool]) -> Part | None:
    for pattern in _NUMBERED:
        match = pattern.match(text, at)
        if match and known(match[1] + match[2]) and ends_name(text, match.end()):
            return Part(match.end(), match[1] + match[2], True)
    return None


def _ga(text: str, at: int, known: Callable[[str], bool]) -> Part | None:
    match = _GA.match(text, at)
    name = f"{match[1]}{match[2]}가" if match else ""
    if match and (known(name) or known(match[1])) and ends_name(text, match.end()):
        return Part(match.end(), name, True)
    return None


def division_by_form(text: str, at: int) -> Part | None:
    """Return what is shaped like a 동·읍·면·리 at *at*; for use directly below a level only."""
    match = _FORM.match(text, at)
    if match and not is_word(match[0]) and ends_name(text, match.end()):
        return Part(match.end(), match[0], False)
    return None


def road(text: str, at: int) -> Part | None:
    """Return the road that begins at *at* with its branch (번길), in the table or by its form."""
    run = _ROAD_RUN.match(text, at)
    ends = (
        _with_branch(text, end, text[at:end])
        for end in range(run.end() if run else at, at + 1, -1)
        if text[end - 1] in "로길" and _ends_road(text, end)
    )
    longest = next(ends, None)
    if longest and longest.sure:
        return longest
    return next((part for part in ends if part and part.sure), longest)  # 테헤란로12길로


def _ends_road(text: str, end: int) -> bool:
    if text[end : end + 1].isdigit():  # 테헤란로123, but not 종로3가
        return text[end + 1 : end + 2] != "가" or text[end + 2 : end + 3] == "길"
    return ends_name(text, end)


def _with_branch(text: str, end: int, name: str) -> Part | None:
    branch = _BRANCH.match(text, end) if gazetteer.trunk(name) == name else None
    if branch and ends_name(text, branch.end()):
        end, name = branch.end(), name + branch[0].strip()
    sure = gazetteer.is_road(name)
    by_form = not name[0].isdigit() and not name.endswith(words_of("ends-no-road"))
    return Part(end, name, sure) if (sure or by_form) and name not in words_of("no-road") else None


def is_branched(name: str) -> bool:
    """Return whether *name* can only be a road: 강남대로84길, 경수대로508번길."""
    trunk = gazetteer.trunk(name)
    return trunk != name and len(trunk) > 2


def ends_name(text: str, end: int) -> bool:
    """Return whether a name may end at *end*: no further syllable but a particle or 소재."""
    return _AFTER_NAME.match(text, end) is not None


def is_office(text: str, end: int) -> bool:
    """Return whether the name that ends at *end* is that of a public office (역삼1동 주민센터)."""
    at = end + text.startswith(" ", end)
    return text.startswith(words_of("place-office"), at) or text.startswith(" 사무소", end)


def skip_space(text: str, at: int) -> int:
    """Return where the next word begins: after spaces or one line break."""
    match = _SPACE.match(text, at)
    return match.end() if match else at
