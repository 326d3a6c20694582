"""Numbers of notices, decisions and bills lead to nobody; those of registers may."""

import pytest

from thunder.mentions.official_numbers import is_official

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
        # Numbers of registers, of members, of rooms.
        ("특허공고 제[95-1234]호", False),
        ("등록결정 제[40-1234567]호", False),
        ("회원권(제[2019-123]호)", False),
        ("한빛빌딩 제[1203]호", False),
        ("역삼동 [12-3] 토지", False),
        ("상품 [SC-9]의", False),
    ],
)
def test_numbers_of_official_papers(sentence: str, official: bool) -> None:
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, "호")
    assert is_official(text, span) is official
