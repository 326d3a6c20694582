"""Codes of devices, of places and of abroad; versions, times and sums are none."""

import pytest

from thunder.identifiers import codes


@pytest.mark.parametrize(
    "sentence",
    [
        "물리주소 [5E-11-C0-7B-2D-9A]인 노트북과 [c0:7b:2d:9a:5e:11] 기기",
        "서버에 남은 접속주소 [2001:db8:7e::4d2c:19]는 원고의 것이다",
        "위 글은 [198.51.100.27]에서 작성되었다",
        "태블릿의 일련번호는 [QWPX7K3M2FJ5]이다",
        "차대번호 [KMHD741CBJU310482]인 승용차",
        "대금을 [DE27 1002 0500 7391 6402 18]로 보냈다",
        "지점은 [36.104417, 128.395026]이다",
        "복귀지점 [N35°11'24.8\" E129°04'37.2\"]의 모텔",
        "신분증 [330106199107214518]을 보였다",
        "[MoonTea#7310]이라는 계정으로 넘겼다",
        "02:14:33부터 03:15:20까지, 버전 10.1.2.3, 12.5, 37.2, 문서#1234, 비율 1:2:3:4",
        "총 330106199107214518원이 아니고 DE27이라는 모델이며 일련번호 순서대로",
    ],
)
def test_a_code_is_known_by_its_form_or_its_word(sentence: str) -> None:
    text = shown = sentence.replace("[", "").replace("]", "")
    for span in sorted(codes.find(text), reverse=True):
        shown = f"{shown[: span.start]}[{shown[span.start : span.end]}]{shown[span.end :]}"
    assert shown == sentence
