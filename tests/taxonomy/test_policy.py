"""Who stays readable: tables by the court rule, on invented sentences."""

import pytest

from thunder.taxonomy import load as load_taxonomy
from thunder.taxonomy.profiles import load
from thunder.text.spans import Span


def _decide(
    text: str, mentions: list[str], *, label: str, profile: str = "court", source: str = ""
):
    spans, at = [], 0
    for mention in mentions:
        start = text.index(mention, at)
        at = start + len(mention)
        spans.append(Span(start, at, label, source=source))
    return load(profile).decide(text, spans, load_taxonomy())


@pytest.mark.parametrize(
    ("text", "names", "reasons"),
    [
        ("재판장 판사 홍길동", ["홍길동"], ["법관"]),
        ("판사 홍길동(재판장) 성춘향 이몽룡", ["홍길동", "성춘향", "이몽룡"], ["법관"] * 3),
        ("대법관 홍길동(재판장) 성춘향(주심) 이몽룡", ["홍길동", "성춘향", "이몽룡"], ["법관"] * 3),
        ("판    사    홍길동", ["홍길동"], ["법관"]),
        ("판사 홍길동\n\n별지\n1. 성춘향", ["홍길동", "성춘향"], ["법관", ""]),
        ("판사 홍길동\n성춘향은", ["홍길동", "성춘향"], ["법관", ""]),
        ("검       사    홍길동(기소), 성춘향(공판)", ["홍길동", "성춘향"], ["검사", "검사"]),
        ("【검    사】 홍길동(기소), 성춘향(공판)", ["홍길동", "성춘향"], ["검사", "검사"]),
        ("【검    사】 홍길동(기소), 성춘향, 이몽룡(공판)", ["이몽룡"], ["검사"]),
        ("【검    사】 홍길동(기소), 성춘향, 이몽룡(각 공판)", ["성춘향"], ["검사"]),
        ("【검    사】 홍길동(기소)\n성춘향, 이몽룡은 말했다", ["이몽룡"], [""]),
        ("【피 고 인】 홍길동\n【검사】 성춘향", ["홍길동", "성춘향"], ["", "검사"]),
        ("검사 홍길동은 피고인 성춘향을", ["홍길동", "성춘향"], ["검사", ""]),
        ("변호인 변호사 홍길동(국선)", ["홍길동"], ["대리인·변호인"]),
        ("소송대리인 변호사 홍길동, 성춘향", ["홍길동", "성춘향"], ["대리인·변호인"] * 2),
        (
            "담당변호사 홍길동, 성춘향,\n이몽룡",
            ["홍길동", "성춘향", "이몽룡"],
            ["대리인·변호인"] * 3,
        ),
        ("피고 변호사 홍길동은", ["홍길동"], [""]),
        ("피해자 홍길동은 판사 앞에서", ["홍길동"], [""]),
        ("피고인은 판사에게 홍길동을", ["홍길동"], [""]),
        ("원고 홍길동의 소송대리인 변호사 성춘향", ["홍길동", "성춘향"], ["", "대리인·변호인"]),
        # Whom sentences alone tell of does not act in the case.
        ("피고인은 변호사 홍길동에게 맡겼다", ["홍길동"], [""]),
        ("변호사 홍길동, 성춘향과 사이에", ["홍길동", "성춘향"], ["", ""]),
        ("변호인 변호사 홍길동\n변호사 홍길동은", ["홍길동", "홍길동"], ["대리인·변호인"] * 2),
        ("변호인 변호사 홍길동\n변호사 성춘향은", ["홍길동", "성춘향"], ["대리인·변호인", ""]),
        ("변호인 변호사 홍길동원심판결", ["홍길동"], ["대리인·변호인"]),  # spaces were lost
        ("피고인을 위하여 변호사 홍길동이 변론하였다", ["홍길동"], ["대리인·변호인"]),
        ("변호인 홍길동의 참여하에 조사받았다", ["홍길동"], ["대리인·변호인"]),
        ("변호사 홍길동의 상고이유에 관하여", ["홍길동"], ["대리인·변호인"]),
        ("담당변호사 성춘향, 홍길동\n", ["홍길동"], ["대리인·변호인"]),  # the first was not found
        ("변호사 사무실, 홍길동의 집", ["홍길동"], [""]),
        ("판사 앞에서, 홍길동", ["홍길동"], [""]),
        ("피고 새봄의 파산관재인 변호사 홍길동", ["홍길동"], [""]),
        ("매도인의 대리인 홍길동", ["홍길동"], [""]),
        ("원고 대리인 변호사 홍길동", ["홍길동"], ["대리인·변호인"]),
    ],
)
def test_judges_prosecutors_and_counsel_stay_readable(text, names, reasons):
    decisions = _decide(text, names, label="내국인이름")
    assert [decision.reason for decision in decisions] == reasons
    assert [decision.treatment == "keep" for decision in decisions] == [bool(r) for r in reasons]


@pytest.mark.parametrize(
    ("text", "spans", "reasons"),
    [
        (
            "판사 홍길동(재판장) 성춘향 이몽룡",
            ["판사 홍길동", "성춘향", "이몽룡"],
            ["법관"] * 3,
        ),
        (
            "판사 홍길동(재판장) 성춘향 이몽룡",
            ["홍길동", "재판장) 성춘향", "이몽룡"],
            ["법관"] * 3,
        ),
        ("판사 홍길동(재판장) 성춘향", ["홍길동(재판장", "성춘향"], ["법관"] * 2),
        ("판사 홍길동 성춘향 이몽룡", ["홍길동 성춘향", "이몽룡"], ["법관"] * 2),
        ("재판장 판   사 홍길동", ["재판장 판   사 홍길동"], ["법관"]),
        ("검사 홍길동(기소), 성춘향(공판)", ["검사 홍길동", "성춘향"], ["검사"] * 2),
        ("피고 변호사 홍길동은", ["변호사 홍길동"], [""]),
        ("판사에게 홍길동을", ["판사에게 홍길동"], [""]),
    ],
)
def test_a_title_that_a_span_swallowed_counts_as_one(text, spans, reasons):
    decisions = _decide(text, spans, label="내국인이름")
    assert [decision.reason for decision in decisions] == reasons


@pytest.mark.parametrize(
    ("text", "mention", "kept"),
    [
        ("피고 강진군수", "강진군수", True),
        ("소외 김도윤전라남도 완도군 노화읍", "김도윤", False),
        ("피고 전라남도 완도군수", "전라남도 완도군수", True),
        ("피고 하남시장이 한 처분", "하남시장", True),
        ("피고 서울특별시 종로구청장", "서울특별시 종로구청장", True),
        ("피고 경상북도지사는", "경상북도지사", True),
        ("피고 제주특별자치도지사", "제주특별자치도지사", True),
        ("피고 포천시 (소송대리인", "포천시", True),
        ("피고 포천시장", "포천", True),
        ("피해자 강동구는", "강동구", False),
        ("원고 이중구는", "이중구", False),
        ("원고 남시우는", "남시우", False),
        ("박하남시장에서", "박하남", False),
        ("경기도 하남시가", "경기도 하남시", True),
        ("홍길동전라남도 완도군 노화읍", "홍길동", False),  # the next column of a table
    ],
)
def test_a_local_government_or_its_head_is_no_person(text, mention, kept):
    assert (_decide(text, [mention], label="내국인이름")[0].treatment == "keep") is kept


def test_a_market_is_masked_though_its_name_is_that_of_a_mayor():
    assert _decide("하남시장에서 과일을", ["하남"], label="시장")[0].treatment == "letter"


@pytest.mark.parametrize(
    ("text", "mention", "label", "kept"),
    [
        ("제13조(조합임원의 결격사유)", "제13", "필지", True),
        ("제19류 건축용 몰딩", "제19류", "고등학교", True),
        ("갑 제3호증의 1", "제3호증", "불특정회사명", True),
        ("제3조직의 사무실", "제3조직", "불특정회사명", False),
        ("제2고시원에서", "제2", "고시원", False),
    ],
)
def test_the_number_of_an_article_stays_readable(text, mention, label, kept):
    assert (_decide(text, [mention], label=label)[0].treatment == "keep") is kept


@pytest.mark.parametrize(
    ("text", "mention", "label", "reason"),
    [
        ("서울중앙지방법원 2020. 1. 9. 선고", "서울중앙지방법원", "불특정회사명", "법원"),
        ("대구지방법원 안동지원에서", "대구지방법원 안동지원", "불특정회사명", "법원"),
        ("수원구치소에", "수원", "구치소", "교정기관은 공개한다"),
        ("강남경찰서에서", "강남", "경찰서", "경찰"),
        ("국토교통부장관은", "국토교통부", "불특정회사명", "국가기관"),
        ("지방토지수용위원회의 재결", "지방토지수용위원회", "불특정회사명", "국가기관"),
        ("서울지방고용노동청장이", "서울지방고용노동청", "불특정회사명", "국가기관"),
        ("경기도하남교육지원청교육장", "경기", "사단법인", "지방자치단체"),
        ("서울중앙지방법원에서는", "서울중앙지방법원", "불특정회사명", "법원"),
        ("중국은행 계좌", "중국", "은행", ""),
        ("중앙시장에서", "중앙", "시장", ""),
        ("의정부역에서", "의정부", "지하철역", ""),
        ("의정부 소재", "의정부", "불특정회사명", ""),
        ("국민연금공단은", "국민연금공단", "불특정회사명", "공공기관"),
        ("국민연금공단법 제1조", "국민연금", "불특정회사명", "공공기관"),
        ("한국석유공사의", "한국석유공", "불특정회사명", "공공기관"),
        ("대한주택공사가", "대한주택공사", "불특정회사명", "공공기관"),
        ("주한나리대사관에서", "주한나리대사관", "불특정회사명", "외국과 국제기구"),
        ("중소기업은행 계좌", "중소기업", "은행", "특수은행"),
        ("기업은행의 계좌", "기업", "은행", "특수은행"),
        ("국민은행 계좌", "국민", "은행", ""),
        ("카카오톡으로", "카카오톡", "불특정회사명", "대화 도구"),
        ("전국금속노동조합은", "전국금속", "노동조합", "전국 단위 노동조합"),
        ("전국금속노동조합원이", "전국금속", "노동조합", "전국 단위 노동조합"),
        ("민주노총 위원장", "민주노총", "단체명", "전국 단위 노동조합"),
        ("금속노조의 교섭", "금속", "노동조합", "전국 단위 노동조합"),
        ("한빛중공업노동조합은", "한빛중공업", "노동조합", ""),
        ("전국금속노동조합 한빛지회는", "전국금속노동조합 한빛지회", "노동조합", ""),
        ("금속노조한빛지회", "금속노조한빛", "노동조합", ""),
        ("가람당은", "가람당", "정당", ""),
        ("라오스 국적을", "라오스", "보험사", "외국"),
        ("주식회사 라오스", "라오스", "주식회사", ""),
        ("라오스 모텔에서", "라오스", "모텔", ""),
        ("라오스댁은", "라오스댁", "음식점", ""),
        ("중국 길림성에서", "길림성", "불특정회사명", "외국의 도시와 주"),
        ("한-EU 자유무역협정", "EU", "불특정회사명", "국제기구"),
        ("진주의료원의 폐업", "진주", "의료원", "지방의료원"),
        ("나래의료원의 폐업", "나래", "의료원", ""),
        ("국군가람병원 부검실", "국군가람", "병원", "국군병원"),
        ("가람시립예술단 단원", "가람시립예술", "행정시", "지방자치단체"),
        ("가람시립 청소년교향악단이", "가람시립 청소년", "행정시", "지방자치단체"),
        ("한빛예술단은", "한빛", "단체명", ""),
        ("가람시청 건설과 직원", "가람시청 건설", "건설업체", "지방자치단체"),
        ("가람시청 한빛약국", "가람시청 한빛", "약국", ""),
        ("한빛관리공사가", "한빛관리공사", "불특정회사명", ""),
        ("나라장터 입찰", "나라장터", "사이트", "공공기관의 정보시스템"),
        ("중소기업 한빛상사", "한빛상사", "불특정회사명", ""),
        ("지원자 홍길동", "지원자", "불특정회사명", ""),
    ],
)
def test_public_bodies_stay_readable_and_businesses_do_not(text, mention, label, reason):
    assert _decide(text, [mention], label=label)[0].reason == reason


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("http://www.garam.go.kr", True),
        ("garam.go.kr/main/index.do", True),
        ("garam.go.kr/petition/view.do?no=123", False),  # somebody's post
        ("garam.go.kr.narae.com", False),
        ("www.narae.or.kr", False),
        ("dart.fss.or.kr", True),
    ],
)
def test_addresses_of_the_state_on_the_web_stay_readable(address, kept):
    decision = _decide(f"누리집({address})에서", [address], label="URL")[0]
    assert decision.treatment == ("keep" if kept else "omission")


def test_a_hospital_of_the_state_is_shown_where_somebody_was_treated():
    text = "진주의료원에서 치료를 받았다"
    assert "확인" in _decide(text, ["진주"], label="병원")[0].review
    assert _decide(text, ["진주"], label="병원", profile="strict")[0].treatment == "letter"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("원고 소송대리인 법무법인 새벽 담당변호사 홍길동", True),
        ("【변 호 인】 법무법인 새벽 외 2인", True),
        ("법무법인 새벽에 자문하였다", False),
        ("피고 법무법인 새벽 소송대리인", False),
    ],
)
def test_law_firms_stay_readable_only_as_counsel(text, kept):
    assert (_decide(text, ["새벽"], label="법무법인")[0].treatment == "keep") is kept


def test_a_prison_as_workplace_is_kept_but_shown_and_masked_in_the_strict_profile():
    text = "한빛교도소 소속 교도관으로 근무하는"
    court = _decide(text, ["한빛"], label="불특정회사명")[0]
    assert court.treatment == "keep"
    assert "확인" in court.review
    assert _decide(text, ["한빛"], label="불특정회사명", profile="strict")[0].treatment == "letter"


def test_the_recogniser_names_the_omission_where_it_knows_better():
    court = _decide("여권 M12345678", ["M12345678"], label="관리번호", source="rule:passport")[0]
    assert (court.treatment, court.omission) == ("omission", "여권번호")


def test_age_is_kept_by_the_court_rule_and_masked_in_the_strict_profile():
    assert _decide("(여, 23세)", ["23"], label="나이")[0].treatment == "keep"
    assert _decide("(여, 23세)", ["23"], label="나이", profile="strict")[0].treatment == "letter"


def test_an_unknown_profile_names_the_known_ones():
    with pytest.raises(LookupError, match="court"):
        load("no-such-profile")


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        ("name: x\nko: 가\nen: x\nkeeps: []\n", "unknown key 'keeps'"),
        ("name: x\nko: 가\nen: x\ntreatments: {나이: erase}\n", "erase"),
        ("name: x\nko: 가\nen: x\ntreatments: {없는라벨: letter}\n", "없는라벨"),
        ("name: x\nko: 가\nen: x\nkeep:\n  - reason: 법원\n    patterns: ['(']\n", "pattern"),
        ("name: x\nko: 가\nen: x\nextends: y\n", "y"),
    ],
)
def test_a_mistake_in_a_profile_is_named_with_its_file(tmp_path, yaml, problem):
    (tmp_path / "x.yaml").write_text(yaml, encoding="utf-8")
    with pytest.raises((ValueError, LookupError), match=problem) as caught:
        load("x", folder=tmp_path)
    assert "x.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "mentions", "kept"),
    [
        ("모로코 모텔에서 잤다. 그 후 모로코에서", ["모로코", "모로코"], [False, False]),
        ("주식회사 모로코의 대표이사. 모로코는", ["모로코", "모로코"], [False, False]),
        ("‘모로코’라는 상호로", ["모로코"], [False]),
        ("모로코 국적의 사람이 모로코에서", ["모로코", "모로코"], [True, True]),
        ("전국한빛전자노동조합은", ["전국한빛전자"], [False]),
    ],
)
def test_a_shop_called_like_a_state_is_masked_wherever_it_stands(text, mentions, kept):
    decisions = _decide(text, mentions, label="불특정회사명")
    assert [decision.treatment == "keep" for decision in decisions] == kept
