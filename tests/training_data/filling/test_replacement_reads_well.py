"""What readers of filled judgments stumbled over, one row a cause; all sentences are invented."""

import re

import pytest

from thunder.taxonomy import gazetteer
from thunder.training_data.annotation import parse
from thunder.training_data.filling import facts, fill, prepare

SEEDS = [str(seed) for seed in range(12)]


def filled(marked: str, seed: str) -> tuple[str, list[str]]:
    """Return a text with marks like <동아래주소|A> filled, and what the marks became."""
    annotated = parse(re.sub(r"<([가-힣]+)\|([^>]+)>", r"<<<\1>>>\2<<</\1>>>", marked))
    text, spans = fill(annotated.text, annotated.spans, key=b"reads", document_id=seed)
    return text, [text[span.start : span.end] for span in spans]


# --- places -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "district"),
    [
        ("춘천시 <행정동|△△>동 및 <행정동|□□>동 일원에서", "춘천시"),
        ("울산 남구에서 사업을 하던 피고는 <행정동|○○>동 아파트를 짓던 중", "울산 남구"),
        (
            "부산 남구 <구아래주소|(지번 생략)> 토지를 사고 <행정동|○○>동에서 일하였다.",
            "부산광역시 남구",
        ),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_later_dong_lies_in_the_district_said_before(marked, district, seed):
    province, _, last = district.rpartition(" ")
    names = [one for one in gazetteer.district_names() if one.endswith(last)]
    names = [one for one in names if not province or one[:2] == province[:2]]
    towns = {town for full in names for town in gazetteer.below(full)}
    text, _ = filled(marked, seed)
    for said in re.findall(r"([가-힣][가-힣0-9]*동)(?= |에서)", text):
        assert said in towns


@pytest.mark.parametrize(
    ("marked", "cities"),
    [
        (
            "【원심판결】 수원지방법원 안양지원 2020. 2. 4. 선고\n○○시에서, <행정시|○○>시의회는",
            {"과천", "군포", "의왕"},
        ),
        ("충북 단양군에서 차를 몰아 <행정시|◇◇>시 방면으로", {"청주", "충주", "제천"}),
        ("대전지방법원 서산지원 2020. 2. 4. 선고\n피고는 <행정시|◇◇>시장으로서", {"당진", "서산"}),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_city_without_more_is_one_of_the_province_and_of_the_court(marked, cities, seed):
    assert filled(marked, seed)[1][0].removesuffix("시") in cities


@pytest.mark.parametrize("seed", SEEDS)
def test_a_branch_stands_in_the_district_of_its_judgment(seed):
    _, (branch,) = filled("피고인은 서울 강남구에 있는 은행 <지점|○○>지점에서", seed)
    assert branch in facts.names_at(facts.where("서울 강남구 ", 7))


@pytest.mark.parametrize("seed", SEEDS)
def test_land_is_called_by_the_dong_that_it_lies_in(seed):
    _, (address, dong) = filled(
        "울산 남구 <구아래주소|(주소 생략)> 토지 및 건물(이하 ‘망인의 <행정동|○○>동 부동산’이라 "
        "한다)",
        seed,
    )
    assert f"{dong}동" in address


@pytest.mark.parametrize("seed", SEEDS)
def test_the_flat_above_is_one_floor_higher(seed):
    _, (own, above) = filled(
        "이 사건 아파트 <호|(동호수 1 생략)>에 거주하고, 피고들은 바로 위층인 "
        "<호|(동호수 2 생략)>에",
        seed,
    )
    number = r"(.*?)([0-9]+)호?$"
    (block, flat), (same, higher) = re.match(number, own).groups(), re.match(number, above).groups()
    assert (same, int(higher)) == (block, int(flat) + 100)


@pytest.mark.parametrize(
    ("marked", "never"),
    [
        ("충북 음성군 맹동면 △리 <필지|(지번 생략)> 외 3필지의", "△리 .*[면리] "),
        ("서울영등포구 <시아래주소|(주소 생략)>에 있는", "서울영등포구 (?:.*구 |강동|강남)"),
        ("회현리 <필지|(지번 1 생략)> 대지에 이르는 도로", "산 ?[0-9]"),
        ("피고의 <공장|□□>공장에서 일하였다.", "씨제관|정밀공장|금속공장"),
        ("<주식회사|A>에너지 주식회사가 공급하는", "(?:상사|산업|실업|통상|물산)에너지"),
        ("<협동조합|A>인삼협동조합은", "신용인삼|농협인삼"),
        ("<대학교|○○>대학교 <병원|△△>병원 의사는", "부천대학교|안양대학교"),
        ("<부서|○○>팀장으로서", "[과부실국]팀장"),
        ("서울 건물의 지하2층 점포 디<호|(호수 생략)>호를", "디[3-9][0-9]{2}호"),
        ("대구 달서구 도원동에 있는 <동아래주소|(주소 생략)> 자신의 집에서", "있는 [가-힣]+동"),
        ("공소외 <불특정회사명|공소외 4> 외국 회사에서 빌린", "[가-힣] 외국 회사"),
        ("2009. 3. 2. 대전지방법원 서산지원에서 <행정시|○○>시 의장에게", "당진"),
        ("2011. 6. 23.인천<행정구|○○>구 공장용지를", "영도|해운대|수성|강남"),
        ("수성구 연호동 <필지|(지번 생략)> 201호 토.건", "산 ?[0-9]"),
        ("독일 <불특정회사명|○○○○>사와 기술협약을", "[가-힣]사와"),
        ("청주시 상당구에 있는 청주 <경찰서|○○>경찰서", "청주 (?:청주|마산|부산|서울|대구|인천)"),
        ("충남 연기군 <군아래주소|(주소 생략)> 임야 110,380㎡", "연기군 [^ ]*(?:도|시) "),
        ("<위원회|○○>업무상질병판정위원회는", "무주|기장|고흥"),
        ("피고인의 휴대전화(<전화번호|(전화번호 생략)>)로 문자를", r"휴대전화\(0[2-9]"),
        ("부산 남구에 사는 피고인의 <전화번호|(전화번호 생략)>로", "의 (?:02|03[1-3]|053)"),
        ("포항시 북구 <구아래주소|(주소 1 생략)>의 토지", "만덕동|화명동|구포동|침산동|운암동"),
        ("소외 회사는 경남 (<도아래주소|(상세 주소 생략)>)에서", "나주|서울|경기|춘천"),
        ("창원시에서 <금융기관|○○>시농업협동조합이", "시시|관리시|강릉|수원|여수"),
        ("창원시에 있는 농협 <지점|□□>동지점으로", "점동지점|강남동"),
        ("이는 <종중|○○○>씨<종중|△△△>파 종중의 땅이다.", "씨씨|파파|씨 .*씨파"),
        ("<한방병원|○○>대학교한방병원의 진단서", "해맑은|유대|안양"),
        ("2015. 3. 2. <의원|○○>재활의학과에서", "외과재활|치과재활|내과재활"),
        ("<협회|○○>협회장에 대한 진료기록감정촉탁결과", "김치|첨단|부동산"),
        ("<보험사|○○>보험 주식회사가 화재로 인한 보험금을", "다이렉트|보증보험|생명"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_names_go_with_the_words_behind_them(marked, never, seed):
    assert not re.search(never, filled(marked, seed)[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_two_things_stand_at_two_addresses(seed):
    _, (house, bank) = filled(
        "대구 동구 <구아래주소|(이하 생략)> 소재 피해자의 집에서 속이고, 대구 동구 "
        "<구아래주소|(이하 생략)> 소재 대구은행에서 받았다.",
        seed,
    )
    assert house != bank


# --- addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "marked",
    [
        "경기 양주군 미금면 <읍아래주소|(주소 1 생략)> 답 863평을 매수하였다.",
        "1998. 5. 2. 전북 김제시 <시아래주소|(주소 생략)> 토지를 매수하였다.",
        "2019. 5. 2. 전북 김제시 <시아래주소|(주소 생략)> 전 863㎡를 매수하였다.",
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_fields_lie_on_no_mountain_and_on_no_road_before_there_were_such_addresses(marked, seed):
    assert not re.search(r"산 ?[0-9].*답|(?:로|길) ?[0-9]", filled(marked, seed)[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_shop_stands_at_one_address(seed):
    _, (first, _, again, _) = filled(
        "화수동 <필지|(지번 생략)>에서 ‘\n     <마트|○○>할인마트’라는 상호로 영업하였다. 피고는 "
        "화수동 <필지|(지번 생략)>에 있는 \n  <마트|○○>할인마트를 임차하였다.",
        seed,
    )
    assert first == again


# --- firms and goods --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "never"),
    [
        (
            "대표이사인 <건설업체|○○>건설(주)이 대금을 갚지",
            "삼성|현대|대우|건설건설|(?:전자|푸드)건설",
        ),
        ("㈜<건설업체|□□>종합건설에 대한 채권", "건설종합건설|개발종합건설|하우징종합건설"),
        ("<산업단지|○○>일반산업단지 개발계획", "(?:농공|첨단|국가|일반)일반산업단지"),
        ("금속을 도금하는 제조업체인 <주식회사|A> 주식회사는", "푸드|건설|제약|게임|투어|패션"),
        ("<금융기관|○○>신용협동조합에서 대출받았다.", "(?:금고|은행|캐피탈|코프)신용협동조합"),
        ("의료법인 <의료법인|○○>병원에서 승모판막 성형술을 시행한", "한방|치과|안과|요양|동물"),
        ("1940. 10. 31. 소외 <불특정회사명|소외 2> 회사와 신탁계약을", "테스트|테크|바이오|[A-Z]"),
        ("온열기[모델명: <불특정제품명|(모델명 1 생략)>]를 판매하였다.", "물티슈|공법|블록"),
        ("온열기[제품명: <불특정제품명|(제품명 생략)>]를 판매하였다.", "물티슈|공법|필터"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_names_of_firms_and_goods_are_what_their_words_say(marked, never, seed):
    assert not re.search(never, filled(marked, seed)[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_firm_of_abroad_has_no_korean_name(seed):
    _, (name,) = filled("이스라엘 선사인 소외 <불특정회사명|소외 2> 회사에 운송을 맡겼다.", seed)
    assert re.fullmatch(r"[A-Za-z&. ]+", name)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_called_later_in_a_bracket_keeps_its_name(seed):
    _, (now, before, later) = filled(
        "주식회사 <주식회사|◇◇◇>(변경 전 상호: <주식회사|☆☆☆> 주식회사, 이하 ‘소외 "
        "<불특정회사명|소외 3> 회사’라 한다)가 납품하였다.",
        seed,
    )
    assert now == later != before


@pytest.mark.parametrize("seed", SEEDS)
def test_a_number_that_begins_with_a_year_begins_with_that_of_the_text(seed):
    _, (number,) = filled("2019. 3. 22. <관리번호|(제조인증번호 생략)>로 제조인증을 받았다.", seed)
    assert not re.search("20(?!19)[0-9]{2}-", number)


# --- people -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "family"),
    [
        (
            "<내국인이름|원고>와 피고 <내국인이름|피고>는 2004. 4. 3. 혼인하였다가 2018. 7. 2. "
            "이혼하였고, 슬하에 소외 <내국인이름|소외 1>, 소외 <내국인이름|소외 2>를 두었다.",
            ({0, 2, 3}, {1, 2, 3}),
        ),
        (
            "원고 <내국인이름|원고 1>, 원고 <내국인이름|원고 2>이 1998. 9.경 아버지 소외 "
            "<내국인이름|소외 1>과 함께",
            ({0, 1, 2},),
        ),
        (
            "<내국인이름|A>, <내국인이름|B>는 조합원이었던 <내국인이름|C>의 사망에 따라 지위를 "
            "상속한 사람들이다.",
            ({0, 1, 2},),
        ),
        (
            "(원고 <내국인이름|원고 3>, 원고 <내국인이름|원고 4>는 미성년자이므로 "
            "법정대리인 친권자 부 원고 <내국인이름|원고 1>, 친권자 모 원고 <내국인이름|원고 2>)",
            ({0, 1, 2},),
        ),
        (
            "원고들은 망 <내국인이름|소외인>의 부모들이다. 부 원고 <내국인이름|원고 1>과 모 원고 "
            "<내국인이름|원고 2>는",
            ({0, 1},),
        ),
        (
            "소외 <내국인이름|소외 1>은 1988. 10. 5. 처인 원고 <내국인이름|원고 1>와 자녀인 나머지 "
            "원고들을 남기고 사망하였다. 원고 <내국인이름|원고 2>, 원고 <내국인이름|원고 3>은",
            ({0, 2, 3},),
        ),
        (
            "망 소외 <내국인이름|소외 1>의 배우자인 원심 공동원고 망 소외 <내국인이름|소외 2>와 "
            "자녀들인 원고 <내국인이름|원고 1>, 원고 <내국인이름|원고 2>는",
            ({0, 2, 3},),
        ),
        (
            "피해자 <내국인이름|A>와 그 아버지인 피해자 <내국인이름|B>, 그 어머니인 피해자 "
            "<내국인이름|C>, 그 동생인 피해자 <내국인이름|D> 사이의 대화",
            ({0, 1, 3},),
        ),
        (
            "소외 <내국인이름|소외 1>과 아버지 소외 <내국인이름|소외 2>의 형사사건",
            ({0, 1},),
        ),
        (
            "소외 <내국인이름|소외 1>의 3남인 소외 <내국인이름|소외 2>는 꿩을 길렀다.",
            ({0, 1},),
        ),
        ("망 <내국인이름|소외인>의 소송수계인 <내국인이름|원고>은", ({0, 1},)),
        (
            "원고 <내국인이름|원고 1>, 원고 <내국인이름|원고 2>는 부부이고 "
            "원고 <내국인이름|원고 3>, 원고 <내국인이름|원고 4>는 이들의 자녀이다.",
            ({0, 2, 3}, {1, 2, 3}),
        ),
        (
            "<내국인이름|소외 1> 및 그의 처 소외 <내국인이름|소외 2> 사이의 다섯 딸 중 "
            "한 사람인 소외 <내국인이름|소외 3>이",
            ({0, 2},),
        ),
        (
            "원고 <내국인이름|원고 1>, 원고 <내국인이름|원고 2>, 원고 <내국인이름|원고 3>에게 "
            "지급하라. "
            "원고 <내국인이름|원고 1>은 <내국인이름|소외인>의 남편, 나머지 원고들은 "
            "<내국인이름|소외인>의 자녀다.",
            ({0, 1, 2},),
        ),
        (
            "피해자 공소외 <내국인이름|공소외 1>의 집에서, 피고인은 피해자 또는 그 딸 공소외 "
            "<내국인이름|공소외 2>에게 송금하였다.",
            ({0, 1},),
        ),
        (
            "피고 <내국인이름|피고 1>, 피고 <내국인이름|피고 2>의 피상속인 망 "
            "<내국인이름|소외인>을",
            ({0, 1, 2},),
        ),
        (
            "소외 <내국인이름|소외 1>은 소외 <내국인이름|소외 2>에게 땅을 팔고 "
            "1949. 1. 7. 사망하였다. 이에 소외 <내국인이름|소외 3>이 그 재산상속인이 되었다.",
            ({0, 2},),
        ),
        (
            "원고 <내국인이름|원고>의 배우자(소외 <내국인이름|소외 1>)는 사망하였고, "
            "원고(1/2), 아들 소외 <내국인이름|소외 2>(1/2)가 상속하였다.",
            ({0, 2}, {1, 2}),
        ),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_children_bear_their_fathers_surname(marked, family, seed):
    _, names = filled(marked, seed)
    assert any(len({names[one][0] for one in members}) == 1 for members in family)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_couple_bears_two_surnames(seed):
    _, (wife, grandfather) = filled(
        "피고의 처 소외 <내국인이름|소외 1>의 분묘와 피고의 조부 소외 <내국인이름|소외 2>의 분묘",
        seed,
    )
    assert wife[0] != grandfather[0]


@pytest.mark.parametrize(
    "marked",
    [
        "접객원인 공소외 <내국인이름|공소외 1> 또는 공소외 <내국인이름|공소외 2>로 하여금",
        "임신부인 <내국인이름|A>에게",
        "소위 ‘마담’인 소외 <내국인이름|소외 1>의 소개로",
        "신고자[원고 <내국인이름|원고 2>, 여, 이 사건 아파트 거주]의 말은",
    ],
)
def test_who_is_called_by_a_womans_trade_is_a_woman(marked):
    annotated = parse(re.sub(r"<([가-힣]+)\|([^>]+)>", r"<<<\1>>>\2<<</\1>>>", marked))
    assert all(group.gender == "여" for group in prepare(annotated.text, annotated.spans).groups)
