"""Numbers of notices, decisions and bills lead to nobody; those of registers may."""

import pytest

from thunder.mentions.generic_words import names_nobody

from ..found_spans import tagger


@pytest.mark.parametrize(
    ("sentence", "official"),
    [
        ("나래구공고 제[2011-123]호로", True),
        ("국토교통부 공고 [제2011-123호]로", True),
        ("의결 제2011-123호, 제[2011-124]호로", True),
        ("의결 제2011-123호, 제2011-124호, 제[2011-125]호로", True),
        ("고시인 「방화문의 기준」(제[2011-123]호", True),
        ("장관 결정서(대학 [12345-678])", True),
        ("원고는 제[2011-123]호 의결서를 받았다", True),
        ("처분서([제2011-123]호 의결서)에는", True),
        ("개정법률안(대안)(의안번호 [12345])에는", True),
        ("온천공 [SC-9]호공의", True),
        ("온천공 [SC-9호공]의", True),
        ("의결(약) 제[2011-123]호로", True),
        ("의결번호 제2011-방송-[12-0345]호로", True),
        ("세정[12345-678]호 질의회신에서", True),
        ("이하 ‘제[2011-123]호 고시’라 한다", True),
        ("압류(친환경농업과-[12345])를", True),
        ("도시재[생추진단-1234]로", True),
        ("피고인 사이의 [중앙2020부해1234] 사건", True),
        ("‘[FY2019]’에", True),
        ("[2001-2003] 사업연도의", True),
        ("성적서의 ‘ASTM [A123] 304/304L’", True),
        ("성적서의 ‘ASTM A123 304/[304L]’", True),
        ("KS D [3503]에 따른", True),
        ("계획도로([소1-69]호)", True),
        ("건물 임대업([68112])’", True),
        ("품목번호 8541호 또는 8542호로, [8542]호로 볼 수 없고", True),
        ("나래시 고시 제[2019-B103]호로", True),
        ("위 [별첨5]로 첨부된", True),
        ("별지 [3] 기재", True),
        ("[별표 제2호]의", True),
        # Numbers of registers, of members, of rooms.
        ("특허공고 제[95-1234]호", False),
        ("등록결정 제[40-1234567]호", False),
        ("회원권(제[2019-123]호)", False),
        ("한빛빌딩 제[1203]호", False),
        ("한빛빌딩 [B103]호", False),
        ("역삼동 [12-3] 토지", False),
        ("상품 [SC-9]의", False),
        ("회원번호 [2011-123]호 해임", False),
        ("이 사건 건물 [8542]호로 볼 수 없고", False),
        ("[2001-2003]호", False),
        ("면허 [소1-69123]", False),
        ("한빛빌딩 [소1-69123]", False),
        ("나래호텔본관-[101]", False),
        ("대출금업([68112345])", False),
    ],
)
def test_numbers_of_official_papers(sentence: str, official: bool) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, "호")
    assert names_nobody(text, span) is official


def test_the_number_of_a_team_is_no_unit() -> None:
    text = "부서의 Wireless2팀에서"
    (doubtful,) = tagger("부서의 [Wireless2]팀에서", "호", 0.2)
    (sure,) = tagger("부서의 [Wireless2]팀에서", "호", 0.9)
    assert names_nobody(text, doubtful)
    assert not names_nobody(text, sure)


def test_a_firm_before_its_business_year_is_no_year() -> None:
    (span,) = tagger("[한빛2000] 사업연도", "주식회사")
    assert not names_nobody("한빛2000 사업연도", span)


@pytest.mark.parametrize(
    "sentence", ["부서[입사일2005] 사업연도", "구분\n[35120송전] 및 배전업\n구분"]
)
def test_cells_of_a_table_that_begin_or_end_in_a_number(sentence: str) -> None:
    (span,) = tagger(sentence, "필지")
    assert names_nobody(sentence.replace("[", "").replace("]", ""), span)


@pytest.mark.parametrize(
    ("sentence", "label", "official"),
    [
        ("피고는 제[2021-187]호로 거부하였다", "필지", True),
        ("피고는 [제2021-187호]로 거부하였다", "호", True),
        ("면허 제[2021-187]호를", "면허번호", False),
        ("가람동 [2021-187] 대", "필지", False),
    ],
)
def test_a_papers_number_by_its_year_is_no_lot(sentence: str, label: str, official: bool) -> None:
    (span,) = tagger(sentence, label, 0.3)
    assert names_nobody(sentence.replace("[", "").replace("]", ""), span) is official
