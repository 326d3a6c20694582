"""Words in codes, in single letters or with their letters taken apart are masked whole."""

import base64
import unicodedata

import pytest

from thunder.names import disguised
from thunder.text.korean import fold

CODED = base64.b64encode("소나루".encode()).decode()


@pytest.mark.parametrize(
    "sentence",
    [
        "작성자가 [&#49548;&#45208;&#47336;]로 남아 있다",
        "로그의 author=[&#xC18C;&#xB098;&#xB8E8;] 항목이다",
        "주소는 ?name=[%EC%86%8C%EB%82%98%EB%A3%A8]&step=2 라고 되어 있다",
        "보낸 사람은 [\\uc18c\\ub098\\ub8e8]로 기록되어 있다",
        f"머리글 From: [=?UTF-8?B?{CODED}?=] 부분이다",
        "게시판에 “[ㅅㅗㄴㅏㄹㅜ] 조심하세요”라고 적었다",
        "그가 쓴 “[ㅅㅗ나루]는 사기꾼”이라는 글이다",
        f"파일명은 [{unicodedata.normalize('NFD', '소나루')}].pdf로 저장되어 있었다",
        "웃음소리 ㅋㅋㅋ와 ㅠㅠ, ㄱ, ㄴ, ㄷ 부분, &nbsp;과 &#45;는 아무도 아니다",
        unicodedata.normalize("NFD", "파일 전체가 이렇게 저장되어 있으면 아무것도 아니다"),
        "소나루\u0301는 악센트가 있을 뿐이다",
        "서류의 [소\u200b나\u200b루] 부분에 보이지 않는 글자가 있고, 줄\u200b끝은 하나뿐이다",
    ],
)
def test_a_disguised_word_is_masked_whole(sentence: str) -> None:
    text = shown = sentence.replace("[", "").replace("]", "")
    folded = fold(text)
    spans = sorted(folded.original(span) for span in disguised.find(folded))
    for span in reversed(spans):
        shown = f"{shown[: span.start]}[{shown[span.start : span.end]}]{shown[span.end :]}"
    assert shown == sentence
