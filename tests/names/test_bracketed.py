"""What brackets say of a masked person is masked, too; after what stays readable it stays."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.tagger.chosen_tagger import RULES_ALONE

TOLD = [
    ("원고 홍길준(1980. 3. 4.)은 미성년자이다.", "원고 A(생년월일 1 생략)은 미성년자이다."),
    ("피고인 홍길준(洪吉俊)은 갔다.", "피고인 A(A)은 갔다."),
    (
        "피고인 응우옌 티 흐엉(NGUYEN THI HUONG)은 갔다. 흐엉은 왔다.",
        "피고인 A(A)은 갔다. A은 왔다.",
    ),
    ("원고 홍길준(Senior Manager)은 갔다.", "원고 A(Senior Manager)은 갔다."),
    ("피고(1997. 12. 8.)는 갔다.", "피고(생년월일 1 생략)는 갔다."),
    ("피해자(1998. 3. 4.생)를 때렸다.", "피해자(생년월일 1 생략)를 때렸다."),
    ("피해자(여, 1998. 3. 4.생)를 때렸다.", "피해자(여, 생년월일 1 생략)를 때렸다."),
    ("피해자는 1998. 3. 4.생 여성이다.", "피해자는 (생년월일 1 생략)생 여성이다."),
    ("원고(2015. 3. 4. 사망)의 상속인", "원고(2015. 3. 4. 사망)의 상속인"),
    ("판사 홍길준(1980. 3. 4.)이 심리하였다.", "판사 홍길준(1980. 3. 4.)이 심리하였다."),
    ("이 사건 계약(1980. 3. 4.)은 무효이다.", "이 사건 계약(1980. 3. 4.)은 무효이다."),
]


@pytest.mark.parametrize(("text", "masked"), TOLD)
def test_what_brackets_say_of_a_person(text, masked):
    assert deidentify(text, tagger=RULES_ALONE).text == masked
