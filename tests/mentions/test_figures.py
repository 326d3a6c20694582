"""Figures of a table are no lot, no account and no name."""

import pytest

from thunder.mentions.generic_words import names_nobody

from ..found_spans import tagger


@pytest.mark.parametrize(
    ("sentence", "label", "figures"),
    [
        ("500110351002 [1000100651106011060] 2000", "특허번호", True),
        ("매출누락액3,[12093456243920662480186]이중", "계좌번호", True),
        ("제[10-1234567]호", "특허번호", False),
        ("계좌 [110-123-456789110-234-567890] 외", "계좌번호", False),  # two, glued
        ("계좌번호 [12345678901234567]로", "계좌번호", False),
        ("한빛은행 [123-45-678901-2-3-4-5-6]로", "계좌번호", False),
        ("카드번호는 [12345678901234567]이다", "카드번호", False),
        ("필지 [1168010100101230004]의", "관리번호", False),  # 필지고유번호 has 19 digits
        ("견뢰도[4-54-54-5444-43-43-42-32-32-3]합격", "관리번호", True),
        ("세액[2007-1066236613]----2008", "관리번호", True),
        ("계좌 [110-123]--456789", "계좌번호", False),  # as people type them
        ("소  계 [877864364](500)", "보험상품", True),
        ("중학교[407 384 352] 부산", "주소", True),
        ("주식회사 [446 446] 100", "필지", True),
        ("나래로 [12 304]", "주소", False),
        ("한빛아파트 [12 304]호", "호", False),
        ("중학교777 [751] 734 부산", "주소", True),
        ("역삼동 [751] 734", "필지", False),
        ("가 526 [72],986,020", "주소", True),
        ("(축사)7,4573,[277.3510]동", "필지", True),
        ("12-35 전 [506]평과", "주소", True),
        ("산 127([17필지])10", "주소", True),
        ("일원 [464] 필지 53,396㎡", "필지", True),
        ("역삼동 [12] 필지", "필지", False),
        ("\n   [4]) 1006 토지의", "필지", True),
        ("토지(역삼동 12, [14]) 지상", "필지", False),
        ("후관동[42실29]실", "실", True),
        ("공동원고 [1047]의 소는", "호", True),
        ("비용은 [6637]호 전기사업법 부칙", "호", True),
        ("피고 [1047]호에 거주하는", "호", False),
        ("홍길준([365])의 동의서", "내국인이름", True),
        ("오피스텔 [448개호] 중", "호", True),
        ("오피스텔 [444개]호의", "호", True),
        ("피해자 [สมชาย]는", "내국인이름", False),  # a name in letters of its own
        ("증인 [Петров]의", "외국인이름", False),
        ("피고인은 ‘[ㅇㄷㅎ]이", "내국인이름", False),
        ("홍길준허[4034] (소나타)", "내국인이름", False),  # the rest of a plate
        ("후보자[추천 수033](각 1인)", "차량번호", True),
        ("차량 [서울 가 12]34호", "차량번호", False),
        ("차량 [충남 마 123]*", "차량번호", False),
        ("차량 [12가 3456]을", "차량번호", False),
    ],
)
def test_figures(sentence: str, label: str, figures: bool) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, label, 0.6)
    assert names_nobody(text, span) is figures


@pytest.mark.parametrize(
    ("score", "figures"),
    [(0.3, True), (0.6, False)],  # a licence issued and renewed
)
def test_dates_glued_to_a_number(score: float, figures: bool) -> None:
    (span,) = tagger("[TFT-08-0302008.06.12.2008.09.29].", "관리번호", score)
    assert names_nobody("TFT-08-0302008.06.12.2008.09.29.", span) is figures
