"""Numbers in words, apart, in pieces or half hidden; what only sounds like one stays."""

import re

import pytest

from thunder.identifiers import spelled
from thunder.text.korean import fold


@pytest.mark.parametrize(
    "sentence",
    [
        "통화에서 “내 번호는 [공일공에 삼삼이팔에 칠공구육]이야”라고 하였다",
        "전단의 [O1O 5ㅣ7O 3ㅣ92]는 그가 쓰던 것이다",
        "전단에는 상담 [0 1 0 . 8 8 2 1 . 4 0 3 7]이라고 적혔다",
        "그는 여권번호를 “[엠 칠이공삼삼팔사사]”라고 말하였다",
        "수번 [칠백이십삼]의 접견 기록",
        "카톡: [에스오와이 사이일공]이라고 적었다",
        "“도어락 [별 육이공삼 우물정]이니 들어와”라고 보냈다",
        "아이피는 [이공삼 점 공 점 백십이 점 칠십팔]이라고 하였다",
        "“메일은 [엠제이 점 한 공칠 골뱅이 네이버 닷컴]으로 주세요”라고 하였다",
        "“메일은 [케이와이와이 공사삼이 앳 다음넷]이요”라고 하였다",
        "전자우편 [park 공일 앳 네이버]로, 메일을 네이버로 보냈다",
        "이메일 [나래솜 골뱅이 네이버 닷컴]으로 보냈고 골뱅이 무침을 먹었다",
        "역무원(직원번호 [제 0 0 2 7 4 9 호])의 진술",
        "체크카드의 뒷번호 [4471]을 알려 주었다",
        "[이십칠너 삼일공팔]호 승합차가 지나갔다",
        "차량의 번호는 [31나 7?20] 비슷하였다",
        "‘[전북 82 바 3 0 1 7]’ 화물차가 들어왔다",
        "우리은행 [210/553/] 그리고 이어서 [804 211]로 보냈다",
        "그의 주거는 [나래로삼백이십일번길 십칠, 이공사호]이다",
        "그는 [나래동 3 2 7 의 1 4 반지하 B01호]에 살았다",
        "번호 삼백 명, 카드 이천이백만 원, 계좌로 삼백이십만 원을 보냈다",
        "농협은행이 795,803,245원을 배당받았다, 우리은행이 1234호이다, 카드 일 2020년",
        "| 0.5000 ± 0.1000 | 0.4000 … 0.6000 | 1,000 |",
        "전화로 이사 이야기를 하였고 자리 사이에 앉았다",
        "표의 값은 0 1 0 1 1 0 0 1 1 0 1이다",
        "비밀번호 뒷자리 3월 2일, 차량 27대 4대 중 3대, 010-3328-7096",
    ],
)
def test_a_number_is_one_however_it_is_written(sentence: str) -> None:
    folded = fold(sentence.replace("[", "").replace("]", ""))
    spans = [folded.original(span) for span in spelled.find(folded.text)]
    masked = {at for span in spans for at in range(span.start, span.end)}
    pieces = re.split(r"[\[\]]", sentence)
    wanted = "".join("x" * len(one) if at % 2 else one for at, one in enumerate(pieces))
    plain = "".join(pieces)
    assert "".join("x" if at in masked else sign for at, sign in enumerate(plain)) == wanted
