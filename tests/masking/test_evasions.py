"""Spellings that hide a name or a number, and names that are words."""

import pytest

from thunder.masking.deidentify import masked_spans


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "피고인\n  배우자 (820101-1234567), 회사원\n피고인 배우자는 피고인의 배우자를 때렸다.",
            ["배우자", "배우자"],
        ),
        ("피해자 사실(여, 34세)을 보았다. 사실은 피해자 사실이 다쳤다.", ["사실", "사실"]),
        ("피고인 전기는 전기를 훔쳤다. 증인 이상의 진술. 이상과 같다.", ["전기", "이상"]),
    ],
)
def test_a_word_that_is_a_partys_name_is_one_behind_its_role_and_a_word_elsewhere(text, masked):
    assert [text[s.start : s.end] for s in masked_spans(text) if s.label == "내국인이름"] == masked
