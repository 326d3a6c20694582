"""What a shop or firm without a generic noun may be, by what is said to be done there."""

import re
from collections.abc import Iterator

from thunder.taxonomy.lexicon import words_of
from thunder.training_data.placeholders.nouns import generic_nouns, is_business, says_kind
from thunder.training_data.placeholders.record import Vote

_BEHIND, _BEFORE = 160, 100
_SHOP_BEFORE = re.compile(
    r"(?:에 있는|에 위치한|소재|[이가] 운영하는|[이가] 운영하던|운영의|근무하는|근무하던|위|층) "
    r"?[‘'“\"]?$"
)
_SHOP_AFTER = re.compile(
    r"['’”\"]?(?:에서| 앞| 내| 안|[을를] 운영|이?라는 상호|의 (?:업주|종업원|직원|손님))"
)
_SCENES = tuple(
    (re.compile(pattern), label)
    for pattern, label in (
        ("술값|주류|양주|맥주|소주|유흥|접대부|술을|안주", "주점"),
        ("음식|식사|삼겹살|국밥|고기|배달|주방", "식당"),
        ("마사지|안마", "마사지"),
        ("쇼핑카트|장을 보|마트", "마트"),
        ("커피|음료|카페", "카페"),
        ("유사수신|다단계|투자금|수익금|트레이딩", "금융회사"),
        ("진료|환자|치료|입원|간호", "병원"),
        ("예배|목사|신도|교인", "교회"),
        ("교사|학생|수업|학년", "중고등학교"),
        ("투숙|객실|숙박", "모텔"),
        ("헬스|트레이너|운동기구|운동을 하", "헬스장"),
        ("타석|스크린골프", "골프연습장"),
        ("캐디|티샷|라운딩|골프장", "골프장"),
        ("수영복|물놀이|수영", "수영장"),
        ("디제이|DJ|춤을 추", "클럽"),
        ("머리를 (?:자르|감)|미용", "미용실"),
        ("계산대|진열", "매장"),
        ("중고|판매글|판매한다는|게시글", "중고거래사이트"),
        ("게임머니|게임 ?아이템|게임 접속", "온라인게임"),
        ("시공|신축공사|공사대금|건축공사|하도급", "건설업체"),
        ("아파트|입주자|동대표|관리사무소", "아파트"),
        ("노래를 부르|노래방|노래방 도우미", "노래방"),
        ("피씨방|게임을 하", "PC방"),
        ("주유원|주유를|기름을 넣", "주유소"),
        ("영화를|상영", "영화관"),
        ("볼링", "볼링장"),
        ("낚시를|낚시터", "실내낚시터"),
        ("승마|말을 타", "승마장"),
        ("안경테", "안경점"),
        ("찜질|수면실|탈의실|목욕", "사우나"),
        ("당구", "당구장"),
        ("담배를 (?:구입|구매|사)|물건값", "편의점"),
        ("빵을|빵이", "빵집"),
        ("치킨", "치킨집"),
        ("휴대폰을? 개통|개통한 휴대|대리점 직원", "휴대전화대리점"),
        ("선임|후임|생활반|생활관|복무|중대장|영내|미군|지휘관", "군부대"),
        ("강아지|애견|분양받은 반려", "반려동물분양업체"),
        ("스님|관음전|주지스님|법회|사찰", "사찰"),
        ("옷을 (?:입어|구경|고르)|의류", "의류매장"),
        ("오락기|게임기|슬롯", "오락실"),
    )
)
# What a syllable behind the placeholder means where the words around it speak of such things.
_BY_SCENE = tuple(
    (re.compile(behind), re.compile(around), Vote(label, 9.0))
    for behind, around, label in (
        (
            r"[사암](?=[ ,.)'’에의를을은는와로]|$)",
            "스님|법사|주지|승려|불교|불자|신도|법당|대웅전|사찰|조계종|태고종|기도|천도재|불사",
            "사찰",
        ),
        (
            r"['’”\"]? ?프로그램",
            "악성|설치|유포|해킹|매크로|명령|컴퓨터|다운로드|서버",
            "소프트웨어",
        ),
        (r"['’”\"]? ?트레이딩", "투자|수익금|유사수신|FX|외환|배당|원금", "금융회사"),
        (r"국(?=[ .)'’에의을은이과]|$)", "한약|약사|조제|처방", "약국"),
    )
)


def by_scene(left: str, right: str) -> Iterator[Vote]:
    """Yield what the syllable behind a placeholder means in its surroundings: ○○사 and 스님."""
    for behind, around, vote in _BY_SCENE:
        if behind.match(right) and around.search(left + right):
            yield vote


_LENDING = re.compile(r"대출|금리|상환|금융기관|보이스피싱|전화금융사기|햇살론")
_STAFF = re.compile(r"['’”\"]? ?(?:은행 )?(?:직원|소속|상담|대출|팀장|콜센터|대리|과장|담당)")


# A lender that calls: "A B 팀장입니다", 'A회사' 직원을 사칭, A 채권추심팀.
_CALLER = re.compile(
    r"['’”\"]? [A-Z]{1,2} ?(?:대리|팀장|과장|차장|계장|입니다|이다)|"
    r" ?회사['’”\"]? ?(?:직원|대출|[A-Z]{1,2} ?(?:대리|팀장|과장))|"
    r"['’”\"]? ?[가-힣]{0,4}채권[가-힣]{0,3}팀|"
    r"의 직원(?:이라고|을 사칭|인 것처럼)"
)


def scene(text: str, start: int, end: int) -> Iterator[Vote]:
    """Yield the trades that the words around a shop's or lender's placeholder speak of."""
    if _CALLER.match(text, end):
        around = _LENDING.search(text, max(0, start - _BEFORE), end + _BEHIND)
        yield Vote("은행" if around else "불특정회사명", 4.4)
        return
    if _STAFF.match(text, end):
        if _LENDING.search(text, max(0, start - _BEFORE), end + _BEFORE):
            yield Vote("은행", 2.6)
        return
    left = text[max(0, start - 12) : start]
    if not (_SHOP_BEFORE.search(left) or _SHOP_AFTER.match(text, end)):
        return
    yield from _called_again(text, end)
    for pattern, label in _SCENES:
        if pattern.search(text, end, end + _BEHIND):
            yield Vote(label, 1.1)
        elif pattern.search(text, max(0, start - _BEFORE), start):
            yield Vote(label, 0.5)


_AGAIN = re.compile(r"(?:위|그|이|그 ?곳|같은) (?P<noun>[가-힣]{2,7})")


def _called_again(text: str, end: int) -> Iterator[Vote]:
    """Yield the trade by whose noun the text goes on to speak of the place: 위 식당에서."""
    for match in _AGAIN.finditer(text, end, end + _BEHIND):
        word = match["noun"]
        for length in range(len(word), 1, -1):
            noun = word[:length]
            label = generic_nouns().get(noun)
            if noun in words_of("says-nothing-new"):
                continue
            if label and says_kind(noun) and is_business(label):
                yield Vote(label, 2.0)
                return
