"""Hospitals, flats, buildings, stations, schools and parks by their noun; and what names none."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.names.naming import CERTAIN
from thunder.names.organisations import places


def plain(text: str) -> str:
    """Return *text* without the [brackets] that mark what is to be found."""
    return text.replace("[", "").replace("]", "")


def shown(text: str) -> str:
    """Return *text* with the spans found in brackets: a failing row reads like its expectation."""
    for span in reversed(list(places(text))):
        text = f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"
    return text


ALL = [
    # homes
    ("수원시 영통구 [새솔마을]아파트 101동 앞에서", "아파트"),
    ("김포시 [푸른나래] 아파트 주차장에서", "아파트"),
    ("위 [푸른나래]아파트 관리사무소에서", "아파트"),
    ("‘[한들 해오름] 아파트’ 신축공사", "아파트"),
    ("부천시 [다솜]빌라 202호에서", "빌라"),
    ("피고인의 주거지인 [다솜]빌라 앞에서", "빌라"),
    ("에 있는 [리버온]오피스텔 1205호", "오피스텔"),
    ("에 있는 [해솔]맨션 계단에서", "맨션"),
    ("에 있는 [청담별]원룸 302호에서", "주택"),
    ("의정부시 [민락빌]연립 나동", "주택"),
    ("이 사건 [방가네]연립을 매수하면서", "주택"),
    ("이 사건 \n        [방가네]연립은 원고의 소유로", "주택"),
    # mines
    ("1981. 10. 1.부터 [새벽나루]탄광에서 근무하였고", "광업소"),
    ("에 있는 [해오름]광업소에서 검탄원으로", "광업소"),
    # buildings
    ("서울 강남구 [정담]빌딩 3층에서", "빌딩"),
    ("종로구에 있는 [정담] 빌딩 옥상에서", "빌딩"),
    ("안양시 동안구 [벽담]건물 1층", "건물"),
    ("에 있는 [누리타워] 12층 사무실에서", "건물"),
    ("에 있는 [온빛프라자] 지하 주차장에서", "건물"),
    ("고양시에 있는 [두루]지식산업센터 엘리베이터에서", "건물"),
    ("김포시 [새터]상가 1층에서", "상가"),
    ("에 있는 [가람]지하상가 통로에서", "지하상가"),
    ("위 [솔내]시장에서 노점을 하는", "시장"),
    ("에 있는 [솔내] 시장 입구에서", "시장"),
    ("에 있는 [마루]아울렛 주차장에서", "아울렛"),
    ("에 있는 [목련]장례식장에서", "장례식장"),
    ("에 있는 [로즈]웨딩홀에서", "예식장"),
    # hospitals
    ("대구 중구에 있는 [한결미래]병원 응급실에서", "병원"),
    ("‘[한결미래]병원’에서 치료를 받고", "병원"),
    ("에 있는 [서담]대학교병원 병실에서", "병원"),
    ("[솔숲]요양병원 간호사", "요양병원"),
    ("에 있는 [온누리빛]한의원에서", "한의원"),
    ("에 있는 [하얀결] 치과에서", "치과"),
    ("에 있는 [튼튼걸음]정형외과에서", "정형외과"),
    ("에 있는 [맑은숨]이비인후과의원에서", "이비인후과"),
    ("에 있는 [밝은누리]안과에서", "안과"),
    ("에 있는 [효담]요양원에서", "요양원"),
    # schools and worship
    ("위 [솔뫼]초등학교 운동장에서", "초등학교"),
    ("‘[솔뫼]중학교’ 앞길에서", "중학교"),
    ("피고인은 [솔뫼]고등학교 교사로서", "고등학교"),
    ("에 있는 [한담]대학교 기숙사에서", "대학교"),
    ("[아기별]어린이집 원장", "어린이집"),
    ("에 있는 [꿈터]유치원 앞에서", "유치원"),
    ("에 있는 [새벽빛]교회 예배당에서", "교회"),
    ("위 [새벽빛] 교회 주차장에서", "교회"),
    # ways and stations
    ("지하철 2호선 [강남]역 승강장에서", "지하철역"),
    ("서울 관악구에 있는 [신림]역 4번 출구 앞에서", "지하철역"),
    ("[청량리]역에서 출발하는 열차", "지하철역"),
    ("지하철 9호선 [나루마을]역에서 하차하여", "지하철역"),
    ("[새미래]역 3번 출구 앞 노상에서", "지하철역"),
    ("지하철 1호선 [4.19민주묘지]역 하행 계단에서", "지하철역"),
    ("에 있는 [해들]터미널 대합실에서", "버스터미널"),
    ("에 있는 [달내] 버스정류장에서 버스를 기다리던", "버스정류장"),
    ("[미르골]사거리에서 신호를 위반하여", "교차로"),
    ("에 있는 [솔재]휴게소 화장실에서", "휴게소"),
    ("[늘봄]대교 위에서", "교량"),
    # open air and public rooms
    ("에 있는 [달빛]공원 벤치에서", "공원"),
    ("위 [달빛] 공원에서 산책을 하던", "공원"),
    ("에 있는 [글샘]도서관 열람실에서", "도서관"),
    ("[솔바위]해수욕장에서", "해수욕장"),
    ("에 있는 [아랫담]경로당에서", "경로당"),
    ("출동한 [솔내]지구대 소속 경찰관", "지구대"),
    ("[솔내]파출소에서 조사를 받던 중", "파출소"),
    # works
    ("에 있는 [가온누리] 사무실에서 서류를 작성하고", "사무실"),
    ("에 있는 [벽산정공]공장에서", None),
    ("위 [한울빛] 공사현장에서 작업하던", None),
]


@pytest.mark.parametrize(("text", "label"), ALL)
def test_the_distinctive_part_of_a_place_is_found(text: str, label: str | None) -> None:
    assert shown(plain(text)) == text


@pytest.mark.parametrize(("text", "label"), [row for row in ALL if row[1]])
def test_its_label_is_the_one_annotators_use(text: str, label: str) -> None:
    assert [span.label for span in places(plain(text))] == [label]


SILENT = [
    "위탁받은 시립병원에서",
    "두 곳의 국제여객선터미널에서",
    "그 무렵 화상전문병원으로 바꾸어",
    # said of something named before
    "이 사건 아파트의 소유권이전등기",
    "위 건물 2층에서",
    "위 아파트 관리사무소장",
    "같은 건물에 거주하는",
    "피고 병원 의료진의 과실",
    "이 사건 병원에 입원하여",
    "그 병원의 응급실",
    "인근 병원으로 후송되었다.",
    "여러 병원에서 치료를 받았다.",
    "다른 학교로 전학하였다.",
    "원고 교회의 교인총회",
    "피해자의 집 앞 놀이터에서",
    # kinds of place
    "종합병원에서 수술을 받았다.",
    "대학병원 응급실에 내원하였다.",
    "정신병원에 입원하였다.",
    "이른바 ‘사무장병원’의 형태로",
    "사무장 병원을 개설하여",
    "사무장의원을 운영하면서",
    "요양병원에 모시고",
    "상가 건물 1층에서",
    "상가건물 임대차보호법",
    "주상복합아파트를 신축하는",
    "임대아파트에 거주하며",
    "재건축 아파트를 분양받아",
    "신축 빌라를 매수하여",
    "다가구주택의 임차인",
    "연립을 매수하여",
    "다세대연립을 신축하고",
    "다세대주택·연립주택·아파트와 같은",
    "노후 연립주택의 소유자",
    "다세대 주택 301호",
    "집합건물의 소유 및 관리에 관한 법률",
    "무허가 건물을 철거하고",
    "2층 건물의 옥상에서",
    "지하주차장에서 차량을 운전하여",
    "공영주차장에 주차하고",
    "어린이공원에서 놀던",
    "근린공원 조성사업",
    "고속도로 휴게소에서",
    "시내버스 정류장에서",
    "버스정류장에서 기다리던",
    "초등학교 앞 횡단보도",
    "사립학교의 교원",
    "의과대학 교수",
    "국공립대학교 교원",
    "사립유치원 원장",
    "국공립어린이집을 위탁받아",
    "국회의원 선거에 출마한",
    "대의원총회의 결의",
    "석탄광업소의 근로자에게, 석탄광에서",
    "이 지역에서 구역 부근까지, 위 용역에서 병역까지",
    "‘긴급대의원 공지’를 통해",
    "총회는 고정대의원 및 비례대의원으로 구성되고 당연직대의원은",
    "미입주 아파트 3채를 동단위 아파트와",
    "부도 후 입주 아파트에 관하여",
    "다채널유료방송 시장에서의 점유율",
    "신용카드업시장에서 경쟁하는",
    "전기공사업 면허",
    "조합 사무실에서",
    "변호사 사무실에서 상담을",
    "관리사무소에 신고하였다.",
    "공사 현장에서 추락하여",
    "신축공사현장에서 작업하던",
    "사고 지점에서 정차하여",
    "범행 현장에서 체포되었다.",
    # words that only end like a station, a school …
    "징역 1년에 처한다.",
    "거래내역을 조회하여",
    "지하철 상가 부근에서",
    "사범대학 부설고등학교에 재학 중인",
    "의과대학 부속병원에서 진료를",
    "지역 주민들의 반대",
    "재개발구역 안의 토지",
    "개발제한구역에서 해제된",
    "용역을 제공하였다.",
    "국제무역에 종사하는",
    "통역인의 통역을 거쳐",
    "고객센터에 문의하였다.",
    "콜센터 직원을 사칭하여",
    "국내 시장에서의 점유율",
    "유가증권 시장에 상장된",
    "서울특별시장의 승인",
    "김포시장의 허가를 받아",
    "자유로운 시장 경쟁",
    "원고들과 건물의 임차인",
    "토지와 건물을 일괄하여 매각",
    "법률안과 시행령",
    "선원들에게 임금을",
    "비법인사단의 재산",
    "연대하여 지급할 의무",
    "중대한 과실로",
    "인천공장의 생산설비",
    "울산 사무실로 출근하여",
    "서울 병원에 다니다가",
    "강남구 아파트를 매수하여",
    # already masked
    "B아파트 101동에서",
    "○○아파트의 입주자",
    "C 병원에서 치료를",
    "△△빌딩 3층",
    "OOO병원에서",
    "D역 3번 출구",
    "(건물명 생략) 건물에서",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_names_no_place_stays_silent(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("에 있는 새솔아파트 앞에서", 0.95),
        ("에 있는 새솔 아파트 앞에서", 0.85),
        ("어제 새솔아파트로 이사하여", 0.65),
        # Known stations spoken of as places: no scorecard is asked.
        ("함께 양재역 부근 식당에", CERTAIN),
        ("지하철 3호선 매봉역의 서쪽", CERTAIN),
        ("입금(취급점 : 강남역)되었다", CERTAIN),
        ("이 제도는 강남역을 포함하여", 0.95),
    ],
)
def test_the_score_follows_the_evidence(text: str, score: float) -> None:
    (span,) = places(text)
    assert span.score == pytest.approx(score)
    assert span.source == "names:place"


def test_offsets_are_code_points_of_the_text_given() -> None:
    text = "😀 에 있는 새솔아파트"
    (span,) = places(text)
    assert text[span.start : span.end] == "새솔"


PIECES = ["새솔", "아파트", " ", "에 있는 ", "병원", "‘", "’", "역", "\n", "3번 출구", "1동", "○"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_gives_sorted_disjoint_spans_within_it(text: str) -> None:
    spans = list(places(text))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@given(st.text(max_size=60))
def test_no_text_at_all_breaks_it(text: str) -> None:
    list(places(text))
