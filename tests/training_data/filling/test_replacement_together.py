"""What one judgment says of one place, one family or one party stays together when it is filled."""

import re

import pytest

from thunder.taxonomy import gazetteer
from thunder.training_data.annotation import parse
from thunder.training_data.filling import fill

SEEDS = [str(seed) for seed in range(12)]


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str) -> tuple[str, list[str]]:
    annotated = parse(marked)
    text, spans = fill(annotated.text, annotated.spans, key=b"test", document_id=seed)
    return text, [text[span.start : span.end] for span in spans]


def below(placeholder: str) -> str:
    return mark("구아래주소", placeholder)


def whole(placeholder: str) -> str:
    return mark("주소", placeholder)


def person(placeholder: str) -> str:
    return mark("내국인이름", placeholder)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "marked",
    [
        f"서울 강서구 {below('ㄱ')} 임야 14,803㎡는 {below('ㄴ')} 임야 1,100㎡로 분할되었다.",
        f"서울 강서구 {below('ㄱ')} 임야 99㎡와 인접한 서울 강서구 {below('ㄴ')} 임야 51㎡",
        f"서울 강서구 {below('ㄱ')} 임야 99㎡[그 후 {whole('ㄴ')} 임야 28㎡로 분할되었다]",
        f"김포시 {mark('시아래주소', 'ㄱ')} 일대에 관하여 인가를 받았다. {whole('ㄴ')} 장 1,157㎡",
    ],
)
def test_land_of_one_judgment_lies_in_one_division(marked, seed):
    _, (first, second) = filled(marked, seed)
    division = re.sub(r" ?(?:산 ?)?[0-9][0-9-]*(?:번지)?$", "", first).split()[-1]
    assert division in second.split(), (first, second)


@pytest.mark.parametrize("seed", SEEDS)
def test_land_that_the_text_puts_elsewhere_lies_there(seed):
    marked = f"서울 강서구 {below('ㄱ')} 임야 9㎡, 대전 유성구 {below('ㄴ')} 임야 8㎡"
    _, (_, second) = filled(marked, seed)
    assert second.split()[0] in gazetteer.below("대전광역시 유성구")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("word", ["같은 동", "같은 리", "위 동"])
def test_in_the_same_division_stands_a_lot_alone(word, seed):
    marked = f"서울 종로구 {below('ㄱ')} 대 72㎡, {word} {mark('필지', 'ㄴ')} 대 9.9㎡"
    _, (_, second) = filled(marked, seed)
    assert re.fullmatch(r"(?:산 ?)?[0-9]+(?:-[0-9]+)?(?:번지)?", second)


@pytest.mark.parametrize("seed", SEEDS)
def test_land_and_others_has_a_lot(seed):
    _, (address,) = filled(f"서울 강서구 {below('ㄱ')} 외 22필지 일대를", seed)
    assert not re.search(r"(?:로|길) [0-9]", address)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_borough_is_one_of_its_city(seed):
    marked = f"고양시 {mark('행정구', 'ㄱ')}구{mark('행정동', 'ㄴ')}동에 있는"
    _, (borough, town) = filled(marked, seed)
    assert borough in ("덕양", "일산동", "일산서")
    assert f"{town}동" in gazetteer.below(f"경기도 고양시 {borough}구")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"피고 {mark('행정시')}시장은", "[가-힣]+(?<!시)시장은"),
        (f"{mark('행정군')}군수는", "[가-힣]+(?<!군)군수는"),
        (f"주식회사 {mark('신탁회사')}자산신탁에", "(?!.*신탁자산신탁).*"),
        (f"공소외 {mark('저축은행')} 상호저축은행의 대출금", "(?!.*은행 상호).*"),
    ],
)
def test_what_stands_behind_a_name_is_not_said_twice(marked, shape, seed):
    text, _ = filled(marked, seed)
    assert re.fullmatch(shape, re.sub("^피고 ", "", text)), text


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "marked",
    [
        f"{person('ㄱ')}(개명 전 {person('ㄴ')})은",
        f"【원고】 {person('ㄱ')}\n원고는 소외 {person('ㄴ')}의 동생이다.",
    ],
)
def test_one_family_has_one_surname(marked, seed):
    _, (one, other) = filled(marked, seed)
    assert one[0] == other[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_child_of_two_has_the_surname_of_one(seed):
    marked = (
        f"피고 {person('ㄱ')}은 망 소외 {person('ㄴ')}(이하 ‘망인’이라 한다)와"
        f" 소외 {person('ㄷ')} 사이의 아들이다."
    )
    _, (child, one, other) = filled(marked, seed)
    assert child[0] in (one[0], other[0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "marked",
    [
        f"소외 {person('소외 1')}(대법원판결의 {person('소외인')})와 함께",
        f"피고 {mark('신탁회사', '◇◇')}자산신탁 주식회사(이하 ‘피고"
        f" {mark('불특정회사명', '피고 2')} 회사’라고 한다)와",
        f"【원고】 {person('원고')}(반소피고) 1\n원고 {person('원고 1')}은",
    ],
)
def test_one_party_of_two_placeholders_has_one_name(marked, seed):
    _, (one, other) = filled(marked, seed)
    assert one.partition("(")[0] == other.partition("(")[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_land_is_called_by_the_division_of_its_address(seed):
    village = mark("행정리", "△△")
    marked = f"원주시 {mark('시아래주소', '(주소 1 생략)')} 외 4필지 토지(이하 ‘{village}리 토지’)"
    _, (address, village) = filled(marked, seed)
    assert f"{village}리 " in address


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape"),
    [
        (f"강원도 {mark('도아래주소')} 소재", r"[가-힣]+[시군] .*"),  # a 시·군 first
        (f"강동구 고덕2동 {mark('필지', '(지번 생략)')}에 있는", r"(?:산 ?)?[0-9-]+(?:번지)?.*"),
        (f"용산구 한강로1가 {mark('필지', '(지번 생략)')} 대 142㎡", r"(?:산 ?)?[0-9-]+(?:번지)?"),
        (f"평택시 {mark('시아래주소')} 앞 도로에서", r".*[0-9].*"),
        (f"원주시 {mark('시아래주소')} 소재 ○○아파트", r".*[0-9](?:번지)?"),  # one house, not two
        (f"수원시 팔달구 ○○아파트 {mark('호', '(동·호수 생략)')}", r"1[01][0-9]동 [0-9]+호"),
        (f"수원시 팔달구 ○○아파트 {mark('호', '(호수 1 생략)')}", r"[0-9]+호"),
    ],
)
def test_an_address_says_as_much_as_its_place_needs(marked, shape, seed):
    _, (mention,) = filled(marked, seed)
    assert re.fullmatch(shape, mention), mention


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "marked",
    [
        f"【피고】 주식회사 {mark('주식회사', '○○')}\n피고 {mark('불특정회사명', '피고 1')} 회사",
        f"{person('공동피고인 2')}(이하 ‘공동’ 표시를 생략한다)은 피고인 {person('피고인 2')}",
    ],
)
def test_a_party_named_again_by_its_part_keeps_its_name(marked, seed):
    _, (one, other) = filled(marked, seed)
    assert one == other
