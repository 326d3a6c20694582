"""우편번호: five digits since August 2015, 3-3 before, beside their cue or before a province."""

from collections.abc import Iterator

from thunder.identifiers.cues import NAMED
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "postcode"
LABEL = "주소"
FIRST_TWO = range(1, 64)  # 01 Seoul … 63 Jeju

_CODE = r"(?P<code>[0-9]{3} ?- ?[0-9]{3}|[0-9]{5})"
_END = r"(?![0-9]|-[0-9]|[.,][0-9]| ?(?:원|명|주|㎡|세대|건|개)(?![가-힣]))"
_NAMED = lazy.compile(
    r"우편 ?번호(?:는|은|가|이|인)?[ ]{0,2}(?:\r?\n[ ]{0,2})?[:=]?[ ]?"
    rf"[(\[‘“'\"]{{0,2}}{_CODE}{_END}"
)
_ABBREVIATED = lazy.compile(  # 우) 06236, (우: 06236), (우) 06236; but 경우 12345, 증권(우) 50000
    r"(?:(?<![가-힣A-Za-z0-9(\[])우 ?[):]?|(?:(?<![가-힣])|(?<=주소))[(\[]우[)\]:]?[ ]?:?|㉾|〒)"
    rf"[ ]{{0,2}}[(\[]?{_CODE}{_END}(?=[)\]\s,]|[가-힣]|\Z)"
)
_MAY_ABBREVIATE = lazy.compile(r"우[ ):\]]{0,4}[(\[]?[0-9]{3}|㉾|〒")
_PROVINCE = (
    r"<metropolis>(?:특별자치시|특별시|광역시|시)?"
    r"|(?:경기|강원|제주)(?:특별자치도|도)?|(?:충청|전라|경상)[남북]도|전북특별자치도|[충전경][남북]"
)
_BRACKETED = expression(rf"[(\[]{_CODE}[)\]][ ]{{0,2}}(?:\r?\n[ ]{{0,2}})?(?={_PROVINCE})")
_BARE = expression(
    r"(?<![0-9.,\-가-힣])(?P<code>[0-9]{5})[ ]"
    rf"(?=(?:{_PROVINCE})[ ][가-힣]{{1,4}}[시군구][ ])"
)
_PATTERNS = ((_NAMED, NAMED), (_ABBREVIATED, 0.9), (_BRACKETED, 0.9), (_BARE, 0.7))


def find(text: str) -> Iterator[Span]:
    """Yield the post codes of *text*."""
    reached: set[int] = set()
    for pattern, score in _PATTERNS:
        if pattern is _ABBREVIATED and not _MAY_ABBREVIATE.search(text):
            continue
        for match in pattern.finditer(text):
            if match.start("code") not in reached and _is_code(match["code"]):
                reached.add(match.start("code"))
                yield Span(match.start("code"), match.end("code"), LABEL, score)


def _is_code(code: str) -> bool:
    """Return whether five digits begin as a region's do; the codes of before 2015 all pass."""
    return "-" in code or int(code[:2]) in FIRST_TWO
