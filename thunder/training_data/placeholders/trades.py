"""The trade of a firm as its sentence names it: 주점인 A, 'A'라는 상호로 봉제업을 하는."""

import re
from collections.abc import Iterator
from functools import lru_cache

from thunder.taxonomy.lexicon import expression, words_of
from thunder.training_data.placeholders.nouns import generic_nouns, is_trade, says_kind
from thunder.training_data.placeholders.record import Vote

_NAMED, _DOES = 8.0, 6.0
_LEGAL_FORM = " ?<legal-form> ?['‘]?$"
_TRADE = re.compile(
    r"(?P<what>[가-힣]{2,8}(?: [가-힣]{2,6})?)(?:업|업체|회사|사업)"
    r"(?: 등)?(?:을 (?:주된 )?(?:목적으로|영위|업으로)[가-힣]{0,3} ?하?는|을 하는|인) ?(?:위 "
    r")?['‘]?$"
)
_CLAUSE = re.compile(
    r"(?P<what>[가-힣 ,ㆍ·]{2,40}?)(?:을|를) (?:주된 |주요 |전문으로 )?(?:만들어 )?"
    r"(?:제조|제작|판매|생산|유통|수입|수출|영위|공급|시공|가공|취급|목적으로|업으로)"
    r"(?: ?및 ?[가-힣]{2,4})?[가-힣 ]{0,6}(?:하는|하던|된|한)(?: (?:회사|업체))?(?:인)? ?(?:위 )?"
    r"['‘]?$"
)
_IS_FIRM = re.compile(r"(?P<what>[가-힣 ,ㆍ·]{2,30})(?:회사|업체|법인)인 ?(?:위 )?['‘]?$")
_CALLED = re.compile(
    r"['’\"”]?(?: ?주식회사)?['’\"”]? ?(?:이?라는|이란|란) (?:상호|이름|명칭|간판)(?:으?로|의|를)? "
    r"(?P<what>[^.,'\"‘“]{2,28})"
)
_OWN_TRADE = re.compile(
    r"[은는이가] (?P<what>[가-힣 ,ㆍ·]{2,30})(?:업|업체|회사)(?:이다|으로서|로서)"
)
_DOING = re.compile(r"(?:제조|판매|생산|유통|도매|도소매|운영|사업|개발|납품|제작|가공|수출입)+$")
_PARTICLE = re.compile(r"(?:을|를|에|의|로|으로|등을|에서|에 종사하던)$")
_ENDINGS = ("업체", "", "업", "회사", "제조업", "판매업", "가공업", "관리회사", "유통업")


def named_before(left: str, *, company: bool = False) -> Iterator[Vote]:
    """Yield the trade that the words before a placeholder name: 비철금속 가공업을 하는 A.

    *company* says that the legal form stands behind the placeholder.
    """
    bare = expression(_LEGAL_FORM).sub("", left)
    # Who names a firm by its form after saying what it does mostly has a company in mind.
    company = company or bare != left
    patterns = (_IS_FIRM,) if company else (_TRADE, _IS_FIRM, _CLAUSE)
    for pattern in patterns:
        match = pattern.search(bare)
        label = _label_in(match["what"]) if match else ""
        if label:
            yield Vote(label, _DOES if pattern is _CLAUSE else _NAMED)
            return


def named_after(right: str) -> Iterator[Vote]:
    """Yield the trade that is run under the placeholder's name: 'A'라는 상호로 치킨집을."""
    for pattern in (_CALLED, _OWN_TRADE):
        match = pattern.match(right)
        label = _label_in(match["what"]) if match else ""
        if label:
            yield Vote(label, _NAMED)
            return


def _label_in(clause: str) -> str:
    """Return the label of the last word of *clause* that names a trade, "" where none does."""
    joined = "".join(clause.split())
    if label := label_of_trade(joined):
        return label
    for word in reversed(re.split(r"[ ,ㆍ·]+", clause)):
        label = label_of_trade(_PARTICLE.sub("", word))
        if label:
            return label
    return ""


@lru_cache(maxsize=1 << 12)
def label_of_trade(what: str) -> str:
    """Return the label of the firms that do *what* (비철금속가공), "" where none is named so."""
    for stem in (what, what.removesuffix("업"), _DOING.sub("", what)):
        for start in range(max(0, len(stem) - 12), len(stem) - 1):
            for ending in _ENDINGS:
                noun = stem[start:] + ending
                label = generic_nouns().get(noun)
                if not (label and says_kind(noun) and is_trade(label)):
                    continue
                if noun not in words_of("scene-of-anything"):
                    return label
    return ""


_BUILDS = re.compile(r"하도급|도급|시공|수주|시행사|건축|공사|현장|원청|건설")
_NEAR = 50


def builds(text: str, start: int, end: int) -> int:
    """Return how often the words around a firm speak of building works."""
    return len(_BUILDS.findall(text, max(0, start - _NEAR), end + _NEAR))
