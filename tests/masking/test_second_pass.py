"""A court's marks stay as they are, and what stands beside them is masked as anywhere."""

from pathlib import Path
from random import Random

import pytest

from thunder import identifiers
from thunder.masking.deidentify import deidentify
from thunder.masking.lettering import Masked, assign
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.letters import given_out, letters_in
from thunder.text.spans import Span
from thunder.training_data.mention_makers import identifiers as made_up

from ..fake_tagger import FakeTagger
from ..identifiers.planting import CARRIERS

OWN_RESULTS = [
    "피고 주식회사 C은행(이하 ‘피고 은행’이라 한다)은 은행법에 따라 설립된 회사이다.",
    "원고는 주식회사 A, 피고 B증권 주식회사와 사이에 계약을 체결하였다. B증권은 이를 다투었다.",
    "그 후 주식회사 A에게 위약금을, ㈜B에게 대금을 지급하였다.",
    "피고인은 성남시 분당구 A에 있는 ‘B 교회'에서 C를 만났다.",
    "피고인은 고양시 일산서구 A아파트 B동 앞에서, A아파트 B동 3층 복도에서 피해자 C를 때렸다.",
    "서울 강남구 A, B호에 있는 C 아파트 D동 E호에서",
    "광주시 A 아파트 입구에 있는 B3차 앞에 도착하였다. 다시 C7차에서 내렸다.",
    "피고인은 하남시 A에 있는 B요양병원 6층에서",
    "피고인은 학교법인A의 이사장 B에게, 사단법인 C협회 및 의료법인 D의료재단의 직원이다.",
    "미국 회사 ‘A CORP’와 주식회사 B의 계약. ‘A CORP’는 이를 알았다.",
    "부산 사하구 A, BC에서 선박임대업을 하는 주식회사 D의 대표이사 E",
    "피고인 A는 계좌(신협, (계좌번호 1 생략))로, 다시 "
    "그 명의의 새마을금고 (계좌번호 2 생략)로 4,900,000원을 송금받았다.",
    "피고인은 차량 (차량번호 1 생략)을 몰고 (주소 생략)에 갔다. 주민등록번호 1 생략",
    "원고 1, 원고 2 주식회사, 소외 2 주식회사, ○○ 주식회사, □□□은행, 김○○, OOO 병원",
    "【원고】 A 주식회사 (소송대리인 변호사 홍길동)",
    "피고인 A은 서울 송파구 B로에 있는 구립 C어린이집에서 서울 송파구 D길을 보았다.",
    "원고 A 주식회사(구 상호인 ‘B 주식회사’) 명의의 가압류 등기",
]


@pytest.mark.parametrize("text", OWN_RESULTS)
def test_what_is_masked_already_stays(text):
    assert deidentify(text, tagger=RULES_ALONE).text == text


JUDGMENTS = [
    "피고인 홍길동은 2019. 3. 4. 서울 강남구 역삼동 123-4 한빛아파트 101동 1203호에서 피해자 "
    "성춘향을 때렸다. 한빛아파트 101동 앞에서 성춘향은 한빛은행 계좌(110-123-456789)로 송금하였다.",
    "원고 주식회사 한빛건설(이하 ‘한빛’이라 한다)은 피고 나래증권 주식회사와 다투었다. 나래증권은 "
    "한빛에게 대금을 주지 않았다.",
    "피해자 성춘향 명의의 새마을금고 (242-93945279-1)로 4,900,000원을 송금받았다.",
    "운전면허는 3개((강원 76자9119), (충북76다9211))뿐이고 (53가 6820)은 아니다.",
]


@pytest.mark.parametrize("text", JUDGMENTS)
def test_a_second_pass_changes_nothing(text):
    once = deidentify(text, tagger=RULES_ALONE).text
    assert once != text
    assert deidentify(once, tagger=RULES_ALONE).text == once


def _planted() -> list[str]:
    """Return the carriers of identifiers, each with two made up."""
    makes = {
        recogniser.NAME: getattr(made_up, recogniser.NAME) for recogniser in identifiers.RECOGNISERS
    }
    chance = Random(3)
    return [
        carrier.replace("{}", makes[kind](chance))
        for kind, carriers in CARRIERS.items()
        for carrier in carriers
    ]


def test_a_second_pass_over_a_judgment_changes_nothing():
    text = (Path(__file__).parents[1] / "data" / "criminal-judgment.txt").read_text("utf-8")
    once = deidentify(text, tagger=RULES_ALONE).text
    assert once != text
    assert deidentify(once, tagger=RULES_ALONE).text == once


@pytest.mark.parametrize("text", _planted())
def test_a_second_pass_over_planted_identifiers_changes_nothing(text):
    once = deidentify(text, tagger=RULES_ALONE).text
    assert deidentify(once, tagger=RULES_ALONE).text == once


def test_a_tagger_takes_no_mark_for_a_mention():
    tagger = FakeTagger(
        {
            "A은행": ("은행", 0.9),
            "B호에": ("호", 0.9),
            "C": ("내국인이름", 0.9),
            "펜션": ("펜션", 0.6),
            "○○": ("주점", 0.9),
            "한빛": ("주점", 0.9),
            "콘서트 D": ("사이트", 0.4),
        },
        masses={"E호": 0.4},
    )
    text = "A은행 직원 C는 B호에 있는 D 펜션, ○○ 주점, 콘서트 D와 한빛 주점을 E호에서 보았다."
    result = deidentify(text, tagger=tagger)
    assert result.text == text.replace("한빛", "F")
    assert "E호" not in [text[doubt.start : doubt.end] for doubt in result.doubts]


def test_what_a_tagger_doubts_near_a_mark_is_shown_and_not_masked():
    tagger = FakeTagger(
        {
            "비철금속": ("불특정회사명", 0.25),
            "프록시": ("가게", 0.9),
            "모": ("가게", 0.3),
            "홍길": ("내국인이름", 0.3),
            "노상": ("구아래주소", 0.75),
            "우수": ("건물", 0.6),
            "코스닥": ("건설업체", 0.4),
            "A이므": ("내국인이름", 0.3),
        },
        masses={"비철금속": 0.25},
    )
    text = "A는 비철금속 가공을 하는 홍길과 B 노상에서 C·우수 배관 대신 프록시모를 산 A이므로"
    result = deidentify(text, tagger=tagger)
    assert result.text == text.replace("홍길", "D").replace("프록시모", "E")
    assert "비철금속" in [text[doubt.start : doubt.end] for doubt in result.doubts]
    far = f"A가 왔다. {'그 뒤에는 아무 일도 없었다. ' * 5}이에 코스닥 상장을 서둘렀다."
    assert "코스닥" not in deidentify(far, tagger=tagger).text
    assert "코스닥" not in deidentify("A가 왔다.\n코스닥 상장", tagger=tagger).text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("피고인 A, 피해자 홍길동은 다투었다.", "피고인 A, 피해자 B은 다투었다."),
        (
            "피고인 A, B, C, D, E와 피해자 홍길동은 다투었다.",
            "피고인 A, B, C, D, E와 피해자 F은 다투었다.",
        ),
        ("피해자 A와 주식회사 한빛건설", "피해자 A와 주식회사 B"),
        ("피고인 A의 주민등록번호 561231-1234567", "피고인 A의 주민등록번호 (주민등록번호 1 생략)"),
        (
            "계좌번호 (계좌번호 1 생략)와 그 계좌 302-0708-5676-51로",
            "계좌번호 (계좌번호 1 생략)와 그 계좌 (계좌번호 2 생략)로",
        ),
        (
            "서울 강남구 A, B호에 사는 피해자 홍길동은 서울 서초구 반포동 12-3에 갔다.",
            "서울 강남구 A, B호에 사는 피해자 C은 서울 서초구 D에 갔다.",
        ),
        ("피고인 A가 (홍길동 생략)을, 증인 홍길동이", "피고인 A가 (B 생략)을, 증인 B이"),
    ],
)
def test_what_is_new_is_masked_and_letters_and_numbers_go_on(text, masked):
    assert deidentify(text, tagger=RULES_ALONE).text == masked


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("피고인 A는 LG전자 주식회사와", "LG전자"),
        ("피고인 A는 주식회사 A&B테크와", "A&B테크"),
        ("피해자는 A미래은행에서 대출을 받았다.", "미래"),
        ("서울 강남구에 있는 A사랑병원에서", "사랑"),
        ("■나래식당에서 피해자 A는", "나래"),
        ("피고인 A는 부산 중구에 있는 흥덕U건물 305호에서", "흥덕U"),
        ("서울 서초구 반포동 540, B동 1411호", "B동 1411"),
        ("피고인은 한빛아파트 B동 302호, 위 B동 옥상에서", "위 B동"),
        ("피고인 A는 한빛아파트 B동 302호에서, 그 B동에서", "그 B동"),
        ("한빛아파트 B동 제3층 제302호, 위 B동 옥상", "B동"),
        ("한빛아파트 D동 401, 402 및 403호", "D동"),
        ("한빛아파트 B동 지하 1층 302호, 위 B동 옥상", "B동"),
        ("피고인 A는 서울 관악구 가온건물 B106호에서", "B106"),
    ],
)
def test_letters_of_a_real_name_or_unit_are_no_marks(text, gone):
    assert gone not in deidentify(text, tagger=RULES_ALONE).text


def test_a_letter_of_a_text_switches_nothing_off():
    text = "피해자 홍길동은 주식회사 한빛건설에서 서울 강남구 역삼동 12-3 소재 나래은행으로 갔다."
    plain = [change.span for change in deidentify(text, tagger=RULES_ALONE).changes]
    lettered = deidentify("A, B ○○○ (주소 생략)\n" + text, tagger=RULES_ALONE)
    shift = len(lettered.original) - len(text)
    moved = [(one.span.start - shift, one.span.end - shift) for one in lettered.changes]
    assert moved == [(one.start, one.end) for one in plain]


@pytest.mark.parametrize(
    ("codes", "given"),
    [
        ("A B C", "A B C"),
        ("A B KT LG GS", "A B"),
        ("A BC D", "A BC D"),
        ("A B C BC", "A B C"),
        ("A B C DE F", None),
        ("A B C D DE F", None),
        ("A B C DEF G DEF", None),
        ("A B C D E F G H I J K LG", "A B C D E F G H I J K"),
        ("A B C D ED QQ", "A B C D"),
        ("K", ""),
        ("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z AA AB", None),
        ("A B C D E F G H I J K L M N O P Q R S T U V W X Z AA AC", None),
    ],
)
def test_a_series_comes_to_the_letters_that_were_given_out(codes, given):
    every = codes.split()
    assert given_out(every) == frozenset(every if given is None else given.split())


def test_letters_side_by_side_are_taken_each():
    assert letters_in("부산 사하구 A, BC에서 D는") == {"A", "B", "C", "BC", "D"}
    assert letters_in("A, B, C, D, D 계장, DE계장") == {"A", "B", "C", "D", "E", "DE"}
    assert letters_in("AB형") == {"AB"}


def test_a_number_in_the_text_is_not_given_to_another_thing():
    text = "(계좌번호 1 생략), (계좌번호 3 생략), 110-12-1, 220-12-1, 12가3456"
    kinds = {"110-12-1": "계좌번호", "220-12-1": "계좌번호", "12가3456": "차량번호"}
    places = [(text.index(one), text.index(one) + len(one)) for one in kinds]
    masked = [
        Masked(Span(*place, kind), entity, kind)
        for entity, (place, kind) in enumerate(zip(places, kinds.values(), strict=True))
    ]
    assert assign(text, masked) == ["(계좌번호 2 생략)", "(계좌번호 4 생략)", "(차량번호 1 생략)"]
