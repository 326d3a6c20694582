"""Capital letters in the place of a name: A, AB, RA, B1, 김A, 甲; and letters that are none."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from thunder.training_data.placeholders.cues import after, before
from thunder.training_data.placeholders.record import SURNAMES, Mark, labels

_LETTER = re.compile(
    rf"(?<![A-Za-z0-9₀-₉&＆@/#_+^=.:-])(?P<surname>(?<![가-힣])[{SURNAMES}])?"
    r"(?P<code>[A-Z](?=(?:PC|DVD|LPG|IT|VIP)[가-힣])|(?:[A-Z]{1,3}[0-9]{0,2}|[Ⓐ-Ⓩ]|"
    r"[甲乙丙丁戊己庚辛壬癸])"
    r"(?![A-Za-z0-9₀-₉&＆@#_+^=%²³℃°]|[/:-][A-Za-z0-9]|\.[A-Za-z0-9]|\([a-z]))"
)
# Latin words and abbreviations that stand in any judgment: alone, none of them is a party.
_WORDS = frozenset(
    str.split(
        """
        AI AK AS AT BB BJ BK BT CB CC CD CF CH CI CJ CK CM CP CT CU DB DC DJ DL DM DR DS EA
        ED EF EP ER EU EV FA FC FM FX GB GM GS HD HP HR HS IC ID II IP IQ IR IS IT IV IX JB
        KB KG KM KS KT LA LC LF LG LH LP LS LX MB MC MD MG MS MT MV NA NC NF NH NK NO OA OB
        OC OK OO OS OT PB PC PD PE PF PH PI PK PL PM PO PP PR PS PT PX QC QM QR RC RF RH RM
        RV SA SC SE SH SI SK SM SO SP ST SW TA TB TF TM TO TV UN US UV VC VI VR VS WM XL XO
        XR XX YG YS ABS APT ARS ATM BMW BTS CEO CFO CMA CRM CRP CSI DNA DSR DTI DVD EBS ECT
        EDI EEG EKG EMR EPS ERP ETF FAX FDA FOB FTA GDP GPS GSM HIV HWP IBK ICU IMF IPO IPS
        ISO ITC ITF JTB KBS KCC KDB KEB KTX LCD LED LNG LPG LSD LTV MBA MBC MBN MDF MOU MRI
        MRO NFC NGO NPL OEM OTP PCR PDA PDF PFV PMP POS PPT PVC RPM SBS SCI SKT SMS SNS SPC
        STX SUV TFT TNT UAE UCC UFO UPS URL USA USB VAN VAT VCR VIP VOD WBC WHO WTO YTN III
        VII NET COM INC LTD THE
        """
    )
)
# What follows a letter that is a kind, a grade, a unit or a formula: A형 간염, C등급, B급, D램.
_KIND_AFTER = re.compile(
    r"선 ?(?:촬영|검사|사진|을|상|소견)|의 ?제[0-9]+항|[ -]?Project| ?(?:형(?:의|은|이|을|"
    r"과)?(?: ?(?:간염|독감|혈액|행|인플|감염|바이러스|여드름|타입|\()|[ ,.)])|등급|급(?!여)|"
    r"학점|플러스|마이너스|타입|TYPE|코스|클래스|블록|존(?=[에은의이 ])|랭크|항목|"
    r"군(?![가-힣]*청)(?:에|의|은|이|을)? ?(?:해당|속하|환자|감염|약)|램|단자|밴드|라인|선호|값|"
    r"축|좌표|방향|벡터|"
    r"점(?:에서|과|을|은|이)|곡선|영역|구역|사이즈|컵|란(?:에|의|과|은|이)|열|칸|조(?:의)? ?[0-9]|"
    r"안(?:은|을|이|의|으로|과)|각도|자세|용지|셀|세포|림프)"
)
_KIND_BEFORE = re.compile(
    r"(?:비타민|혈액형|등급|학점|유형|타입|그룹|카테고리|섹션|코스|단계|도면|그림|표|부록|별지|"
    r"별첨|별표|첨부|항목|영역|"
    r"구간|가로|세로|높이|폭|변수|기호|부호|알파벳|이니셜|단면|좌표|화살표|구성요소|구성|모듈|"
    r"단자|전극|채널|버튼|키|"
    r"포인트|갤럭시|아이폰|자외선|호봉|체결력|인자|항원|간염) ?['\"‘“(\[]?$"
)
_FORMULA = re.compile(r"[=×÷≤≥<>+*∑√±∽≒]")
_ENUMERATION = re.compile(r"(?:^|\n)[ \t]*$")
_ENUMERATED = re.compile(r"[.)] ")
_STRONG = 4.0
_LETTERED = 0.34
_MANY = 15  # single letters in use: a court that needs more goes on with AA, AB


def find(text: str, *, strict: bool = False) -> Iterator[Mark]:
    """Yield the letters of *text* that stand for a name.

    A letter is a placeholder where somewhere it stands as only a name does (피해자 A, A
    주식회사); where the court masks with letters throughout, every other single letter is one
    too, and of pairs those that go on a row (Z, AA, AB; RA, RB). *strict* leaves these out.
    """
    seen = [mark for match in _LETTER.finditer(text) if (mark := _mark(text, match))]
    seen = _without_classes(text, seen)
    if strict:  # ALPG is a part of the invention, not A with its gas
        seen = [mark for mark in seen if not _LATIN.match(text, mark.end)]
    if not seen:
        return
    named = _named(text, seen)
    singles = list(dict.fromkeys(mark.entity for mark in seen if len(mark.entity) == 1))
    lettered = not strict and _is_lettered(singles, named)
    rows = _rows(
        {mark.entity for mark in seen}, named, many=len(singles) >= _MANY, lettered=lettered
    )
    for mark in seen:
        code = mark.entity
        single = len(code.lstrip(SURNAMES)) == 1 and (lettered or code in named)
        if single or code in rows or (lettered and code in named and code not in _WORDS):
            yield mark


def _mark(text: str, match: re.Match[str]) -> Mark | None:
    """Return the letter as a mark unless it is a kind, a formula or a list's letter."""
    start, end = match.span()
    if match["surname"] and match["code"] in _WORDS:
        return None
    if _is_kind(text, start, end) or _is_formula(text, start, end):
        return None
    if _is_list_letter(text, start, end):
        return None
    return Mark(start, end, "letter", text[start:end])


def _without_classes(text: str, seen: Sequence[Mark]) -> list[Mark]:
    """Return the marks without the letters of a classification: A그룹, B그룹, C그룹.

    Letters are that where two or more of them stand before one noun of classes.
    """
    nouns = {mark: match["noun"] for mark in seen if (match := _CLASS.match(text, mark.end))}
    letters: dict[str, set[str]] = defaultdict(set)
    for mark, noun in nouns.items():
        letters[noun].add(mark.entity)
    return [mark for mark in seen if len(letters[nouns.get(mark, "")]) < _CLASSES]


_CLASS = re.compile(r" ?(?P<noun>그룹|집단|유형|타입|카테고리|시나리오|구간|모형)(?![가-힣]*회장)")
_CLASSES = 2
_LATIN = re.compile("[A-Za-z]")


def _is_kind(text: str, start: int, end: int) -> bool:
    return bool(
        _KIND_AFTER.match(text, end) or _KIND_BEFORE.search(text[max(0, start - 12) : start])
    )


def _is_formula(text: str, start: int, end: int) -> bool:
    around = text[max(0, start - 2) : start] + " " + text[end : end + 2]
    return _FORMULA.search(around) is not None


def _is_list_letter(text: str, start: int, end: int) -> bool:
    return bool(
        _ENUMERATED.match(text, end) and _ENUMERATION.search(text[max(0, start - 12) : start])
    )


def _named(text: str, seen: Sequence[Mark]) -> frozenset[str]:
    """Return the codes that stand as only a name does at one of their places or more."""
    strength: dict[str, float] = defaultdict(float)
    for mark in seen:
        votes = [*before(text, mark.start), *after(text, mark.end)]
        of_names = [vote.weight for vote in votes if vote.label not in labels("thing")]
        strength[mark.entity] = max(strength[mark.entity], *of_names, 0.0)
    return frozenset(code for code, best in strength.items() if best >= _STRONG)


def _is_lettered(singles: Sequence[str], named: frozenset[str]) -> bool:
    """Return whether the court masks with letters.

    A third of the single letters stand as names do, or some do and all come in the order of the
    alphabet, as courts give them out.
    """
    sure = sum(letter in named for letter in singles)
    if not sure:
        return False
    if sure >= _LETTERED * len(singles):
        return True
    steps = [ord(then) - ord(first) for first, then in pairwise(singles)]
    return sum(step in (1, 2) for step in steps) >= 0.6 * len(steps)


_FIRST_ROWS = "ABR"  # rows that courts and annotators begin


def _rows(codes: set[str], named: frozenset[str], *, many: bool, lettered: bool) -> frozenset[str]:
    """Return the pairs and numbered letters that are part of a row: AA AB, RA RB, V1 V2."""
    rows: set[str] = set()
    by_first: Mapping[str, set[str]] = defaultdict(set)
    for code in codes:
        if len(code) == 2 and code.isascii() and code[0].isupper():
            by_first[code[0]].add(code[1])
    for first, lasts in by_first.items():
        for run in _runs(sorted(lasts)):
            found = {first + last for last in run}
            begins = run[0] == "A" and (len(run) > 1 or many or lettered or bool(found & named))
            if not begins or first + "A" in _WORDS:
                begins = bool(found & named) and len(run) > (1 if first in _FIRST_ROWS else 2)
            if begins or (many and first == "A"):
                rows |= found
    return frozenset(rows)


def _runs(lasts: Sequence[str]) -> Iterator[list[str]]:
    run: list[str] = []
    for last in lasts:
        if run and ord(last) != ord(run[-1]) + 1:
            yield run
            run = []
        run.append(last)
    if run:
        yield run
