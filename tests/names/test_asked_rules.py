"""What readers still found, and rules in ``taxonomy/patterns/asked.yaml`` alone mask."""

import pytest

from thunder import Deidentifier
from thunder.names.patterns.rules import load

CASES = {
    "baptismal-name": ("피해자의 세례명은 체칠리아였다. 체칠리아는 성가대원이다.", "체칠리아"),
    "writes-as": ("닉네임 솔바람새가 댓글을 달았다.", "솔바람새"),
    "name-of-a-profile": ("카카오톡 프로필 명이 ‘나래별’인 자가 말을 걸었다.", "나래별"),
    "name-with-a-number": ("디스코드 닉네임 haram_s#9921을 쓰는 자이다.", "haram_s"),
    "account-of-a-service": ("대금은 페이팔 계정 harams77로 받았다.", "harams77"),
    "code-of-a-door": ("피고인은 도어락 번호 2580을 누르고 들어갔다.", "2580"),
    "what-unlocks": ("휴대폰 암호는 haram25였다.", "haram25"),
    "number-in-prison": ("수용자번호 731번인 피해자를 때렸다.", "731"),
    "number-of-a-card-of-identity": ("피고인은 사원증 번호 H-20931을 알려 주었다.", "20931"),
    "number-of-a-frame": ("차대번호 KNAFE221BA5123456을 긁어 내었다.", "KNAFE221BA5123456"),
    "number-of-a-sim": ("USIM 번호는 89820012345678901이다.", "89820012345678901"),
    "number-of-a-parcel": ("송장번호 612345678901로 보낸 상자를 가로챘다.", "612345678901"),
}


def test_each_of_these_rules_has_its_case() -> None:
    assert set(CASES) == {rule.id for rule in load(None).rules} & set(CASES)
    assert len(CASES) >= 10


@pytest.mark.parametrize("rule", CASES)
def test_it_is_masked_wherever_it_stands(rule: str) -> None:
    text, hidden = CASES[rule]
    assert hidden in text
    assert hidden not in Deidentifier(model="none").deidentify(text).text
