"""Names in letters that Korean is not written with, their words together."""

import pytest

from thunder.names.foreign_letters import find


@pytest.mark.parametrize(
    "sentence",
    [
        "증인 [Александр Петров]의 진술",
        "피해자 [สมชาย ใจดี]는 태국 사람이다",
        "피고인 [محمد علي]은 이집트 국적이다",
        "피고인 [さとうけんじ]는 일본 국적이다",
        "피고인 [Nguyễn Văn Hải]는 베트남 국적이다",
        "송금인은 [ﾀﾅﾍﾞ ｲﾁﾛｳ]로 찍혀 있다",
        "‘明白’과 ‘金錢’은 유언(遺言)이 아니다",
        "α선과 β값, NAFTA와 Korea Bank, 佐藤",
    ],
)
def test_a_run_of_foreign_letters_is_a_name(sentence):
    text = sentence.replace("[", "").replace("]", "")
    found = "|".join(text[span.start : span.end] for span in find(text))
    assert found == (
        sentence[sentence.index("[") + 1 : sentence.index("]")] if "[" in sentence else ""
    )
