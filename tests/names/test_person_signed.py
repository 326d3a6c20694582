"""Officers by rank, and authors of evidence; names are invented."""

import pytest

from thunder.names import person_signed


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("수원한빛경찰서 경위 오세창 작성의 수사보고", ["오세창", "오세창"]),
        ("한빛지구대 소속 경사 문태오가 출동하여", ["문태오"]),
        ("강력팀 순경 도하린은", ["도하린"]),
        ("배서윤에 대한 경찰 진술조서", ["배서윤"]),
        ("표은재의 진술서", ["표은재"]),
        ("사건의 경위 설명에 따르면", []),
        ("이 사건 처분의 경위 및 내용", []),
        ("피고인에 대한 경찰 피의자신문조서", []),
        ("피해자의 진술서", []),
        ("의사 작성의 진단서", []),
        ("변호인 작성의 의견서", []),
    ],
)
def test_officers_and_authors(text, names):
    assert [text[span.start : span.end] for span in person_signed.find(text)] == names
