"""What courts leave out by saying what it was: (주소 1 생략), (차량등록번호 생략), <주소>."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from thunder.training_data.placeholders.cue_tables import PERSON
from thunder.training_data.placeholders.localities import REACH, depth, left_of
from thunder.training_data.placeholders.nouns import body_of, generic_nouns
from thunder.training_data.placeholders.record import Mark, labels

_OMISSION = re.compile(
    r"\((?:[^()\n]{0,20}\s{2,40})?\s{0,40}(?P<said>[^()\n]{1,40}?)\s{0,20}(?:을|를|은|는)? ?생략 "
    r"?(?P<closed>\))?"
)
_ANGLED = re.compile(
    r"<(?P<said>주소|상세주소|이름|성명|상호|전화번호|계좌번호|차량번호|지명|장소)>"
)
_NUMBERS = re.compile(r"[0-9]+(?:[,~∼-] ?[0-9]+)*")
# Omissions of passages, which stood for nothing to mask.
_PASSAGE = re.compile(
    r"(?:^(?:이하|중략|후략|전략|각|기재|내용|별지|목록|도면|단서|각호|각 호|괄호|주문|표|아래 "
    r"?표|본문|"
    r"이하 각|이하 내용|각주|사진|그림|증거|판례|참조|하략|일부|나머지|서명|날인|항|호|조문|"
    r"처리의견|"
    r"영문|기재 내용|각 기재|생략)$)|"
    r"(?:기재|내용|이하|별지|도면|목록|가지번호|부분|표|각호|조항|규정|단서|판례|양식|서식|의견|"
    r"그림|"
    r"문구|본문|생략|등|각 ?항|각 ?호|설명|인정근거|취지|이유|수식|계산|산식|사항|인용)$|"
    r"(?:기재|표기|표시)함에"
)
_LABELS = (
    ("주민(?:등록)?번호|주민등록$", "주민등록번호"),
    ("외국인등록번호|여권번호", "주민등록번호"),
    ("사업자등록번호", "사업자등록번호"),
    ("법인등록번호", "법인등록번호"),
    ("차량|자동차등록|자동차 ?등록|번호판|차번호", "차량번호"),
    ("[계게]좌|예금번호|통장번호", "계좌번호"),
    ("휴대|핸드폰", "휴대폰번호"),
    ("전화|연락처|팩스|발신번호", "전화번호"),
    ("이메일|메일 ?주소|전자우편", "이메일주소"),
    ("(?:사이트|홈페이지) ?(?:이름|명칭?)$", "사이트"),
    ("URL|인터넷|홈페이지|사이트 ?주소|도메인|IP ?주소|아이피|웹 ?주소|링크", "URL"),
    ("아이디|ID|계정", "아이디"),
    ("닉네임|대화명", "닉네임"),
    ("별명", "별명"),
    ("생년월일|출생일", "생년월일"),
    ("신용장번호|증권번호|보험증권|보증(?:서)? ?번호", "보증번호"),
    ("카드 ?번호", "카드번호"),
    ("수표", "수표번호"),
    ("어음", "어음번호"),
    ("사건 ?번호|공탁번호|심판번호|심급번호", "사건번호"),
    ("선박 ?번호", "선박번호"),
    ("선박|어선", "선박명"),
    ("출원번호|특허|실용신안|디자인 ?등록|상표|서비스표|발명", "특허번호"),
    ("접수", "접수번호"),
    ("군번", "군번"),
    ("면허", "면허번호"),
    ("수험", "수험번호"),
    ("비밀번호", "비밀번호"),
    ("등기", "등기번호"),
    ("관리번호|화물번호|물건번호|출생번호|고유번호", "관리번호"),
    ("일련번호|기계번호|제조번호|차대번호|식별번호|모델번호", "일련번호"),
    ("지번|번지|필지|토지|임야|산번지", "필지"),
    ("동호회", "동호회"),
    ("동 ?[·,및]? ?호수|동호$|상가.*호수", "호"),
    ("층 ?호수|호수|호실|아파트 호|세대", "호"),
    ("동 ?표시|동수", "동"),
    ("동명|동 이름|법정동", "행정동"),
    ("리명|리 이름", "행정리"),
    ("시 ?이름|시명", "행정시"),
    ("군명|군 이름", "행정군"),
    ("구명|구 이름", "행정구"),
    ("면명|면 이름", "행정면"),
    ("도로번호|도로명 ?번호", "번지"),
    ("도로명|길 이름", "도로"),
    ("주소|소재지|거주지|본적|등록기준지|상세지명|행정구역|지명|장소|좌표|위치", "주소"),
    ("정당|^당 ?(?:이름|명)", "정당"),
    ("부대", "군부대"),
    ("지점", "지점"),
    ("병원", "병원"),
    ("의원", "의원"),
    ("은행", "은행"),
    ("호텔", "호텔"),
    ("아파트", "아파트"),
    ("건물", "건물"),
    ("식당|음식점", "식당"),
    ("대학", "대학교"),
    ("초등학교", "초등학교"),
    ("중학교", "중학교"),
    ("고등학교", "고등학교"),
    ("학교", "중고등학교"),
    ("유치원", "유치원"),
    ("어린이집", "어린이집"),
    ("교회", "교회"),
    ("(?:^절|사찰)", "사찰"),
    ("경찰청|경찰서", "경찰서"),
    ("도매점|대리점|가맹점", "대리점"),
    ("쇼핑몰", "쇼핑몰"),
    ("사이트", "사이트"),
    ("카페", "카페명"),
    ("게임", "온라인게임"),
    ("프로그램|소프트웨어|앱|어플", "소프트웨어"),
    ("방송", "방송프로그램"),
    ("음반|노래|곡명", "음원서비스"),
    ("약품|의약품|약명", "의약품"),
    ("대출 ?상품", "대출상품"),
    ("제품|상품|모델|품명", "불특정제품명"),
    ("차종|차명", "차량종류"),
    ("그룹", "단체명"),
    ("동호회", "동호회"),
    ("단체|모임|조직", "단체명"),
    ("조합", "조합"),
    ("협회", "협회"),
    ("종중|문중", "종중"),
    ("부서|팀|과명", "부서"),
    ("직책|직위|직급|보직|직함", "보직"),
    ("사업 ?명|사업 ?이름", "사업"),
    ("공사 ?명", "공사"),
    ("영화|작품", "영화"),
    ("도서|서적|책 ?제목|저서|잡지", "서적"),
    ("신문|언론", "신문"),
    ("파일|제목|게시글|글 ?제목", "온라인게시글명"),
    ("신탁명|펀드|상품명칭", "금융투자상품"),
    ("보험", "보험상품"),
    ("통신사", "통신사"),
    ("법인 ?명|법인 ?이름", "주식회사"),
    ("회사|업체|상호|기업|거래처|사업장|명칭|기관", "불특정회사명"),
    ("영문 ?성명|영문 ?이름", "영어이름"),
    ("성명|이름|실명|인명|가명|예명", "내국인이름"),
    ("뒷번호|뒷자리", "주민등록번호"),
    ("번호", "관리번호"),
)
_READ = tuple((re.compile(pattern), label) for pattern, label in _LABELS)


def find(text: str) -> Iterator[Mark]:
    """Yield the omissions of *text* that say what is missing; the brackets stay outside.

    An unmasked judgment has the thing itself in brackets where it stands behind a name (계좌
    (110-…)), and without them elsewhere: only there the brackets are marked too.
    """
    found = list(_said(text))
    depths = _depths(text, found)
    for mark in found:
        yield mark._replace(label=depths.get(mark, mark.label))


def _depths(text: str, marks: Sequence[Mark]) -> dict[Mark, str]:
    """Return how deep the addresses begin that stand right after a district: 강남구 (주소 생략).

    A numbered one is the same place everywhere: where its district stands before it once, the
    other mentions (위 (주소 1 생략)) are as deep.
    """
    own: dict[Mark, str] = {}
    for at, mark in enumerate(marks):
        if mark.label in (_ADDRESS, _LOT):
            begins = depth(left_of(text, mark.start).removesuffix("("))
            if mark.label == _LOT:
                begins = begins if begins in labels("above-lots") else ""
            elif not begins and text.startswith("번지", mark.end):
                begins = _LOT
            elif not begins and at and _AND.fullmatch(text, marks[at - 1].end, mark.start):
                begins = own.get(marks[at - 1], "")
            own |= {mark: begins} if begins else {}
    usual: dict[str, Counter[str]] = defaultdict(Counter)
    for mark, label in own.items():
        if mark.label == _ADDRESS:
            usual[mark.entity][label] += 1
    numbered = {
        mark: min(usual[mark.entity].items(), key=lambda one: (-one[1], one[0]))[0]
        for mark in marks
        if mark.label == _ADDRESS and mark.entity in usual and mark.entity[-1:].isdigit()
    }
    return {**numbered, **own}


_ADDRESS, _LOT = "주소", "필지"
_AND = re.compile(r"\)?(?:\s{0,40}[,·ㆍ]\s{0,40}| ?(?:및|와|과)\s{1,40})\(?")


def _said(text: str) -> Iterator[Mark]:
    for match in _OMISSION.finditer(text):
        said = " ".join(match["said"].split())
        label = (
            _of_right(text, match.start(), said)
            or label_of(said)
            or _rest_of_address(text, match.start(), said)
        )
        if not label:
            continue
        end = match.end()
        if label == PERSON and (named := next(body_of(text[end : end + REACH]), None)):
            label = named.label  # (이름 생략)교회
        whole = match.start() + 1 == match.start("said")
        if match["closed"] and whole and not _behind_a_name(text, match.start(), label):
            yield Mark(match.start(), end, "omission", said, label)
        else:
            inner = end - (text[end - 1] == ")")
            yield Mark(match.start("said"), inner, "omission", said, label)
    for match in _ANGLED.finditer(text):
        said = match["said"]
        yield Mark(match.start(), match.end(), "omission", said, label_of(said))


_RIGHT = re.compile(
    r"(?:특허|실용신안|디자인|상표|의장|서비스표)(?:등록)?[({\[ ]{0,2}(?:등록번호 ?)?$|"
    r"(?:출원일|출원번호)[^\n]{0,90}$"
)


def _of_right(text: str, start: int, said: str) -> str:
    """Return the label of the number of a patent or another right: 특허 (등록번호 생략)."""
    numbered = "등록번호" in said and _RIGHT.search(text[max(0, start - 100) : start])
    return "특허번호" if numbered else ""


_REST = re.compile(r"이하(?: ?[0-9]+)?")
_CUT = re.compile(
    r"(?<![가-힣])[가-힣]{1,6}(?:시|군|구|읍|면|동|리|로|길|가)(?: ?[0-9-]{1,9})?\s{0,40}$"
)


def _rest_of_address(text: str, start: int, said: str) -> str:
    """Return the label of an address of which only the rest is left out: 천안시 (이하 생략)."""
    cut = _REST.fullmatch(said) and _CUT.search(text[max(0, start - 60) : start])
    return "주소" if cut else ""


_BEHIND = re.compile(
    r"(?:계좌|통장|번호|은행|차량|승용차|[A-Z○△□◇☆▽◎]|[0-9]|씨|카드|사이트|쇼핑몰|홈페이지|'|’|"
    r"\"|”)$"
)


def _behind_a_name(text: str, start: int, label: str) -> bool:
    behind = _BEHIND.search(text[max(0, start - 4) : start])
    return behind is not None and label in labels("explains")


def label_of(said: str) -> str:
    """Return the label of what an omission says was left out, "" where it is only a passage."""
    plain = " ".join(_NUMBERS.sub("", said).split()).removeprefix("이하 ").removeprefix("이하")
    plain = plain.strip(" :,")
    if not plain or len(plain) > 24 or _PASSAGE.search(plain):
        return ""
    label = next((label for pattern, label in _READ if pattern.search(plain)), "")
    if label in _VAGUE:
        return generic_nouns().get(_NAME_OF.sub("", plain).replace(" ", ""), label)
    return label


_VAGUE = frozenset(("불특정회사명", PERSON))
_NAME_OF = re.compile(
    r" ?(?:의 )?(?:이름|명칭|상호명?|명)$"
)  # (골프장 이름 생략) names a golf course
