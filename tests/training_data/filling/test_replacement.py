"""Annotated judgments are filled with mentions that read naturally, the same ones every time."""

import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.taxonomy import gazetteer
from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated, parse
from thunder.training_data.filling import IGNORED, NOUN, fill, invented, korean_name

KEY = b"test"
NAMES: dict[str, tuple[str, ...]] = {
    "병원": ("새봄병원", "온누리병원", "다솜병원", "한마음병원"),
    "식당": ("나리식당", "가람식당", "미소식당", "솔밭"),
    "은행": ("한빛은행", "새길은행", "나눔은행"),
    "주식회사": ("미래상사", "주식회사 대성정밀", "(주)한결", "두레테크"),
    "지하철역": ("가온역", "나루역", "다온역", "마루역"),
    "편의점": ("모아", "하나로"),
    "닉네임": ("푸른하늘", "별나라", "은구슬"),
    IGNORED: ("한빛빌딩", "새길프라자", "소망타워"),
}


class Lists:
    """A few invented mentions."""

    def mentions(self, label: str) -> Sequence[str]:
        return NAMES.get(label, ())


LISTS = Lists()


def filled(marked: str, *, document_id: str = "1", key: bytes = KEY) -> tuple[str, list[Span]]:
    """Return a marked-up text filled; ``?`` as label stands for a name without a label."""
    annotated = parse(marked.replace("<<<?>>>", "<<<앞>>>").replace("<<</?>>>", "<<</앞>>>"))
    spans = [Span(s.start, s.end, IGNORED if s.label == "앞" else s.label) for s in annotated.spans]
    return fill(annotated.text, spans, lists=LISTS, key=key, document_id=document_id)


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def mentions(marked: str, **more: str) -> list[str]:
    text, spans = filled(marked, **more)  # type: ignore[arg-type]
    return [text[span.start : span.end] for span in spans if span.source != NOUN]


SEEDS = [str(seed) for seed in range(20)]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_placeholder_is_one_person_throughout(seed):
    b, c = mark("내국인이름", "B"), mark("내국인이름", "C")
    first, other, again = mentions(f"피해자 {b}과 {c}이 다투다 {b}를", document_id=seed)
    assert first == again != other


@pytest.mark.parametrize("seed", SEEDS)
def test_one_letter_of_two_kinds_is_two_mentions(seed):
    marked = f"{mark('내국인이름', 'RA')}이 {mark('은행', 'RA')}은행에"
    assert len(set(mentions(marked, document_id=seed))) == 2


@pytest.mark.parametrize(
    "label", ["편의점", "은행", "호", "동", "내국인이름", "계좌번호", "구아래주소"]
)
def test_two_placeholders_never_get_the_same_mention(label):
    """Even where a list is shorter than the document needs."""
    marked = " 그리고 ".join(mark(label, letter) for letter in "BCDEFGH")
    assert len(set(mentions(marked))) == 7


def test_the_same_document_and_key_give_the_same_text():
    marked = f"{mark('내국인이름', 'B')}이 {mark('식당', 'C')} 식당에서 {mark('호', 'D')}호로"
    assert filled(marked) == filled(marked)
    assert len({filled(marked, document_id=seed)[0] for seed in SEEDS}) > 15
    assert filled(marked, key=b"other") != filled(marked)


def test_what_is_added_to_a_document_does_not_change_what_was_drawn():
    b, c = mark("내국인이름", "B"), mark("내국인이름", "C")
    assert mentions(f"{b}이 갔다")[0] == mentions(f"{c}은 왔고 {b}이 갔다")[1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (f"피고인은 {mark('병원', 'C')}병원에서", r"피고인은 \S{2,3}병원에서"),
        (f"피고인은 {mark('병원', 'C')} 병원에서", r"피고인은 \S{2,3} 병원에서"),
        (f"'{mark('식당', 'C')}' 식당에서", r"'(?:나리|가람|미소|솔밭)' 식당에서"),
        (f"{mark('은행', 'F')}은행 계좌로", r"\S{2}은행 계좌로"),
        (f"{mark('지하철역', 'RB')}역 3번 출구", r"\S{2}역 3번 출구"),
        (f"주식회사 {mark('주식회사', 'C')}의", r"주식회사 (?:미래상사|대성정밀|한결|두레테크)의"),
    ],
)
def test_a_noun_that_stands_outside_is_not_said_twice(marked, expected, seed):
    text, spans = filled(marked, document_id=seed)
    assert re.fullmatch(expected, text)
    assert len(spans) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_noun_the_mention_brings_along_is_neither_hit_nor_miss(seed):
    text, spans = filled(f"피고인은 {mark('병원', 'C')}에서", document_id=seed)
    core, noun = spans
    assert (core.label, noun.label, noun.source) == ("병원", IGNORED, NOUN)
    assert core.end == noun.start
    assert text[noun.start : noun.end] == "병원"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bare_placeholder_gets_a_name_without_a_noun_where_the_list_has_one(seed):
    text, spans = filled(f"피고인은 '{mark('식당', 'C')}'에서", document_id=seed)
    assert text == "피고인은 '솔밭'에서"
    assert len(spans) == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "female"),
    [
        (f"{mark('내국인이름', 'B')}(여, 34세)", True),
        (f"{mark('내국인이름', 'B')}(가명, 여, 34세)", True),
        (f"{mark('내국인이름', 'B')}(남, 34세)", False),
        (f"{mark('내국인이름', 'B')}은 {mark('내국인이름', 'B')}(34세, 남)", False),
        (f"어머니인 {mark('내국인이름', 'B')} 명의", True),
    ],
)
def test_given_names_fit_the_gender_that_the_text_says(marked, female, seed):
    name = mentions(marked, document_id=seed)[0]
    only_male, only_female = set("식철섭혁배범국덕"), set("희숙자순혜림례란애")
    assert not set(name[1:]) & (only_male if female else only_female)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("before", "district"),
    [
        ("서울 강남구", "서울특별시 강남구"),
        ("경남 고성군", "경상남도 고성군"),
        ("수원시 팔달구", "경기도 수원시 팔달구"),
    ],
)
def test_an_address_lies_in_the_district_that_stands_before_it(before, district, seed):
    label = "군아래주소" if district.endswith("군") else "구아래주소"
    address = mentions(f"{before} {mark(label, 'B')}에 있는", document_id=seed)[0]
    town = address.split()[0]
    known = [*gazetteer.below(district)]
    stems = tuple(re.sub(r"[0-9]*[동읍면가]$", "", name) for name in known)
    assert town in known or town.startswith(stems)
    assert "강남구" not in address


def test_an_address_below_a_town_is_a_village_and_a_lot():
    address = mentions(f"울산 울주군 언양읍 {mark('읍아래주소', 'B')}에 있는")[0]
    village, lot = address.split()
    assert village in gazetteer.villages("언양읍")
    assert re.fullmatch(r"[0-9]+(-[0-9]+)?", lot)


@pytest.mark.parametrize("seed", SEEDS)
def test_particles_agree_with_what_was_filled_in(seed):
    text, spans = filled(
        f"{mark('내국인이름', 'B')}는 {mark('내국인이름', 'C')}(여, 20세)를", document_id=seed
    )
    for span, forms in zip(spans, (("은", "는"), ("을", "를")), strict=True):
        has_final = (ord(text[span.end - 1]) - ord("가")) % 28 > 0
        following = text[span.end :].removeprefix("(여, 20세)")
        assert following.startswith(forms[0] if has_final else forms[1])


@pytest.mark.parametrize("surface", ["'C'", "‘C'", "‘C’", '"C"', "C "])
def test_quotes_marked_with_a_placeholder_stay_outside_the_span(surface):
    text, spans = filled(f"상호 {mark('편의점', surface)} 앞")
    kept = surface.replace("C", text[spans[0].start : spans[0].end])
    assert text == f"상호 {kept} 앞"


def test_a_name_without_a_label_is_filled_and_ignored():
    text, spans = filled(f"서울 중구에 있는 {mark('?', 'C')} 앞 노상에서")
    assert re.fullmatch(r"서울 중구에 있는 \S{4,} 앞 노상에서", text)
    assert {span.label for span in spans} == {IGNORED}


@pytest.mark.parametrize(
    ("label", "pattern"),
    [
        ("호", r"B?[1-9][0-9]{0,3}"),
        ("층", r"[1-9][0-9]?"),
        ("계좌번호", r"[0-9][0-9 -]{8,24}"),
        ("주민등록번호", r"[0-9]{6}.*"),
        ("아이디", r"[a-z_]+[0-9]*"),
    ],
)
def test_numbers_look_like_what_their_label_says(label, pattern):
    for seed in SEEDS:
        assert re.fullmatch(pattern, mentions(mark(label, f"{label} 1 생략"), document_id=seed)[0])


def test_invented_patterns_fill_every_place():
    assert re.fullmatch(r"[1-9]0[1-9][a-z]{2}", invented("#0#@@", Random(1)))


def test_surnames_come_at_their_true_rates():
    rng = Random(7)
    names = [korean_name(rng) for _ in range(4000)]
    share = sum(name.startswith("김") for name in names) / len(names)
    assert 0.19 < share < 0.24
    assert 0.005 < sum(len(name) == 2 for name in names) / len(names) < 0.03
    long = [name for name in names if name.startswith(("남궁", "황보", "선우", "제갈"))]
    assert long
    assert all(len(set(name)) == len(name) for name in long)


LABELS = ("내국인이름", "식당", "구아래주소", "호", IGNORED)
GAPS = st.text(alphabet="은는이가 을를에서\n(),.'가나다12", max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(GAPS, st.sampled_from(LABELS), st.sampled_from("BCD")), max_size=6), GAPS)
def test_nothing_but_placeholders_and_particles_changes(parts, last):
    text, spans = "", []
    for gap, label, placeholder in parts:
        text += gap
        spans.append(Span(len(text), len(text) + 1, label))
        text += placeholder
    text += last
    new, moved = fill(text, spans, lists=LISTS, key=KEY, document_id="x")
    Annotated(new, tuple(moved))  # sorted, disjoint, within the text
    cores = [span for span in moved if span.source != NOUN]
    assert [span.label for span in cores] == [span.label for span in spans]
    ends = [0, *(span.end for span in moved)]
    gaps = zip(ends, [*(span.start for span in moved), len(new)], strict=True)
    untouched = "".join(new[start:end] for start, end in gaps)
    original = "".join(gap for gap, _, _ in parts) + last
    assert _without_particles(untouched) == _without_particles(original)


def _without_particles(text: str) -> str:
    return re.sub("[은는이가을를과와아야]|으로|로|라|나", "", text)
