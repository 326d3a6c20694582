"""Bodies that are parties are masked by their distinctive part, wherever they stand."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.names import contexts, parties
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.spans import heaviest

PARTIES = [
    ("【피    고】 [한빛광학]연구원 (소송대리인 변호사 홍길준)", "연구소"),
    ("【원고】 [나래학습지산업]노동조합 외 9인", "노동조합"),
    ("【피고보조참가인】 [전국나래]노동조합 한빛지부", "노동조합"),
    ("【원고, 항소인】                [나래정씨 문창공파] 종중 외 1인", "종중"),
    ("【피고, 상고인】 [나래제1지구]토지구획정리사업조합", "재개발정비조합"),
    ("【피고보조참가인】 [한빛4구역] 도시환경정비사업조합", "재개발정비조합"),
    ("【원    고】 [한빛 마루 앤 트레이딩] 아게", "국외기업"),
    ("【원고】 [한빛-나래 마루 홀딩스] 언리미티드 컴퍼니(Hanbit)", "국외기업"),
    ("【피고, 상고인】 [코리아나래라] 주식회사 (소송대리인", "주식회사"),
    ("【피고, 상고인】 [한빛]손해보험 주식회사 외 2인", "주식회사"),
    ("【원    고】 [가린]영농조합법인", "영농조합법인"),
    ("원      고   [한빛광학]연구원\n", "연구소"),
    ("【원고】 대한예수교장로회 [한빛]교회", "교회"),
    ("【피고, 피상고인】 당진 [한빛] 지역주택조합 외 3인", "재개발정비조합"),
    ("【피    고】 한국한빛연구원", None),
    ("【피    고】 경기연구원", None),
    ("【피    고】 근로복지공단", None),
    ("【피    고】 한빛신용보증재단", None),
    ("【원고】 원고 종중", None),
    ("【원고】 원고 주식회사", None),
    ("【원고】 학교법인 한빛재단", None),  # found by its legal form
    ("【변 호 인】 법무법인 한빛재단", None),
    ("【원심판결】 한빛연구원", None),
    ("한빛광학연구원은", None),
]


@pytest.mark.parametrize(("expected", "label"), PARTIES)
def test_which_parties_are_bodies(expected, label):
    text = expected.replace("[", "").replace("]", "")
    found = list(parties.find(text))
    assert [(text[one.start : one.end], one.label) for one in found] == (
        [(expected[expected.index("[") + 1 : expected.index("]")], label)] if label else []
    )


def test_a_party_is_masked_wherever_it_stands():
    text = (
        "【피    고】 한빛광학연구원 (소송대리인 변호사 홍길준)\n"
        "【주    문】 피고 한빛광학연구원은 돈을 지급하라.\n"
        "【이    유】 만 55세인 한빛광학연구원(이하 ‘연구원’이라 한다) 직원"
    )
    assert deidentify(text, tagger=RULES_ALONE).text == (
        "【피    고】 A연구원 (소송대리인 변호사 홍길준)\n【주    문】 피고 A연구원은 돈을 "
        "지급하라.\n【이    유】 만 55세인 A연구원(이하 ‘연구원’이라 한다) 직원"
    )


CLANS = [
    ("원고 [나래정씨 문창공파] 종중에게", 1),
    ("원고 [나래정씨 문창공파 양달] 종중: 24원", 1),
    ("[나래정씨문창공파]종중(이하", 1),
    ("소외 [나래정씨]종중에서", 1),
    ("[문창공파 양달]문중의", 1),
    ("홍씨 종중", 0),
    ("나래정씨 이 사건 종중", 0),
    ("나래정씨 원고 종중", 0),
    ("고유 의미의 종중", 0),
    ("임대아저씨의 종중", 0),
]


@pytest.mark.parametrize(("expected", "count"), CLANS)
def test_what_names_a_clan(expected, count):
    text = expected.replace("[", "").replace("]", "")
    found = [text[one.start : one.end] for one in heaviest(contexts.find(text))]
    assert found == ([expected[expected.index("[") + 1 : expected.index("]")]] if count else [])
