"""Invented names, addresses and numbers look like real ones, and are nobody's that is known."""

import re
from collections import Counter
from random import Random

import pytest
from faker import Faker
from stdnum.kr import brn, rrn
from stdnum.luhn import is_valid as is_luhn

from thunder import identifiers
from thunder.identifiers import checks
from thunder.names.person_lexicon import behind_roles, is_ordinary
from thunder.taxonomy import gazetteer
from thunder.text.korean import fold
from thunder.training_data import mention_makers
from thunder.training_data.lists import load, part_of
from thunder.training_data.lists.faker import JudgmentProvider
from thunder.training_data.mention_makers import addresses
from thunder.training_data.mention_makers.names import (
    MIXED,
    PLAIN,
    NameForms,
    Person,
    figure_hash,
    is_public_figure,
    korean_name,
    korean_person,
    mixed_name,
    written,
)
from thunder.training_data.mention_makers.numbers import PATTERNS, invented, number
from thunder.training_data.mention_makers.roman import latin_name, romanised

# --- names ---------------------------------------------------------------------------------------


def drawn(count: int, make, **more) -> list[str]:
    rng = Random(11)
    return [make(rng, **more) for _ in range(count)]


def test_surnames_come_at_census_rates():
    surnames = Counter(korean_person(Random(seed)).surname for seed in range(6000))
    assert 0.19 < surnames["김"] / 6000 < 0.24
    assert 0.12 < surnames["이"] / 6000 < 0.17
    assert 0.06 < surnames["박"] / 6000 < 0.11
    assert 1 <= sum(len(surname) == 2 for surname in surnames.elements()) <= 25


@pytest.mark.parametrize(
    ("gender", "born", "typical", "never"),
    [
        ("여", 1938, {"자", "순", "숙"}, {"준", "빈", "윤"}),
        ("여", 2012, {"서", "윤", "아"}, {"자", "숙", "례"}),
        ("남", 1940, {"수", "영", "식"}, {"율", "온", "겸"}),
        ("남", 2015, {"준", "우", "도"}, {"식", "만", "복"}),
    ],
)
def test_given_names_belong_to_a_generation(gender, born, typical, never):
    rng = Random(5)
    given = [korean_person(rng, gender=gender, born=born).given for _ in range(600)]
    syllables = Counter("".join(given))
    assert all(syllables[syllable] > 20 for syllable in typical)
    assert all(syllables[syllable] < 12 for syllable in never)  # of all generations, now and then


@pytest.mark.parametrize(
    ("gender", "never"), [("남", "희숙자순혜림례란애"), ("여", "식철섭혁배범국덕")]
)
def test_given_names_fit_the_gender(gender, never):
    rng = Random(6)
    given = "".join(korean_person(rng, gender=gender).given for _ in range(3000))
    assert not set(given) & set(never)


def test_no_syllable_comes_twice_and_one_syllable_is_rare():
    names = drawn(4000, korean_name)
    assert all(len(set(name)) == len(name) for name in names)
    assert 0.005 < sum(len(name) == 2 for name in names) / 4000 < 0.03
    assert len(set(names)) > 3000


def test_public_figures_are_not_made():
    assert is_public_figure("이순신")
    assert not is_public_figure("이순신비")
    assert re.fullmatch("[0-9a-f]{10}", figure_hash("이순신"))
    assert not any(map(is_public_figure, drawn(5000, korean_name)))


def test_forms_come_at_the_stated_rates():
    names = drawn(20_000, mixed_name)
    spaced = sum(bool(re.fullmatch(r"[가-힣]+( [가-힣]+)+", name)) for name in names)
    hanja = sum(bool(re.search(r"\([一-龥]+\)$", name)) for name in names)
    latin = sum(bool(re.search("[A-Za-z]", name)) for name in names)
    assert abs(spaced / 20_000 - MIXED.spaced) < 0.005
    assert 0.6 * MIXED.hanja < hanja / 20_000 <= MIXED.hanja + 0.003  # native names have none
    assert abs(latin / 20_000 - MIXED.latin) < 0.005


@pytest.mark.parametrize(
    ("person", "forms", "shapes"),
    [
        (Person("김", "한환"), PLAIN, "김한환"),
        (Person("김", "한환"), NameForms(spaced=1), "김 한 환|김 한환"),
        (Person("남궁", "민"), NameForms(spaced=1), "남궁 민"),
        (Person("김", "한환"), NameForms(hanja=1), r"김한환\(金[漢翰韓][煥桓]\)"),
        (Person("제갈", "건"), NameForms(hanja=1), r"제갈건\(諸葛[建健乾]\)"),
        (Person("김", "슬기"), NameForms(hanja=1), "김슬기"),
        (Person("김", "한환"), NameForms(word=1), "(?!김한환)[가-힣]{2,3}"),
        (
            Person("이", "건"),
            NameForms(latin=1),
            r"(?:이건\()?(?i:(lee|yi|rhee),? geon|geon (lee|yi|rhee))\)?",
        ),
    ],
)
def test_the_forms_of_one_name(person, forms, shapes):
    rng = Random(2)
    assert all(re.fullmatch(shapes, written(rng, person, forms)) for _ in range(40))


def test_a_name_that_is_a_word_is_none_that_stands_behind_a_role():
    words = drawn(3000, lambda rng: written(rng, Person("김", "한환"), NameForms(word=1)))
    assert len(set(words)) > 2000  # so many that none is learnt by heart
    assert all(is_ordinary(word) for word in words)
    assert not {*words} & behind_roles()  # 피고 주장: there nobody could tell


@pytest.mark.parametrize(
    ("hangul", "latin"),
    [
        ("홍길동", "honggildong"),
        ("최헌영", "choeheonyeong"),
        ("백승관", "baekseunggwan"),
        ("왕옥희", "wangokhui"),
        ("뜌", "ttyu"),
    ],
)
def test_romanisation(hangul, latin):
    assert romanised(hangul) == latin


def test_only_hangul_is_romanised():
    with pytest.raises(ValueError, match=r"U\+0041 is no Hangul syllable"):
        romanised("A")
    assert re.fullmatch("(?i)[a-z ,-]+", latin_name(Random(1), "독고", "현"))


# --- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (addresses.lot, r"(?:산 )?[1-9][0-9]{0,3}(?:-[1-9][0-9]?)?(?:번지)?"),
        (addresses.forest_lot, r"산 ?[1-9][0-9]{0,2}(?:-[1-9][0-9]?)?"),
        (addresses.below_gu, r"[가-힣0-9]+(?:동|가|로|길|읍|면)(?:[ (,].*)?"),
        (addresses.below_gun, r"[가-힣0-9]+(?:읍|면|로|길)(?:[ (,].*)?"),
        (addresses.below_si, r"[가-힣0-9]+(?:동|가|로|길|읍|면)(?:[ (,].*)?"),
        (addresses.below_do, r"[가-힣]+[시군구] .+"),
        (addresses.below_eup, r"[가-힣0-9]+(?:리|로|길)(?:[ (,].*)?"),
        (addresses.below_dong, r"(?:산 ?)?[0-9-]+(?:번지)?(?:[ ,(].*)?"),
        (addresses.whole_address, r"[가-힣]{2,7} .+|[가-힣]+[시군구] .+"),
        (addresses.forest, r"(?:[가-힣0-9]+ ){0,2}(?:산 ?)?[0-9-]+(?:번지)?"),
        (addresses.parcel, r"(?:[가-힣0-9]+리 )?(?:산 )?[0-9-]+(?:번지)?"),
    ],
)
def test_addresses_have_the_shape_of_their_level(make, shape):
    made = drawn(2000, make)
    assert [address for address in made if not re.fullmatch(shape, address)] == []
    assert len(set(made)) > 1000
    assert not any("  " in address or address != address.strip() for address in made)


def test_towns_and_villages_are_real():
    for seed in range(300):
        district = Random(seed).choice(gazetteer.district_names())
        address = addresses.below_district(Random(seed), district, abroad=0.0)
        town = re.split("[ ,(]", address)[0]
        stems = [re.sub("[0-9]*[동읍면가]$", "", name) for name in gazetteer.below(district)]
        assert town in gazetteer.below(district) or town.startswith(tuple(stems))


@pytest.mark.parametrize(
    ("before", "shape"),
    [
        ("울산 울주군 언양읍 ", r"[가-힣]+리 .+"),
        ("서울 서초구 서초동 ", r"(?:산 )?[0-9].*"),
        ("세종 ", r"(?!세종).+"),
        ("서울 강남구 ", r"(?!강남구|서울).+"),
        ("피고인은 같은 날 ", r"[가-힣]+[도시] .+"),
        ("경북 ", r"[가-힣]+[시군] .+"),
    ],
)
def test_an_address_goes_on_from_what_stands_before_it(before, shape):
    for seed in range(60):
        address = addresses.address_after(Random(seed), before)
        assert re.fullmatch(shape, address), address


# --- numbers -------------------------------------------------------------------------------------


def test_check_digits_are_right():
    rng = Random(3)
    for _ in range(300):
        assert brn.is_valid(re.sub("[^0-9]", "", mention_makers.maker("business")(rng)))
        assert is_luhn(re.sub("[^0-9]", "", mention_makers.maker("card")(rng)))
        twelve_and_one = re.sub("[^0-9]", "", mention_makers.maker("corporation")(rng))
        assert checks.corporation(twelve_and_one[:12]) == twelve_and_one[12]
        assert checks.CHECKS["imo"](mention_makers.maker("imo")(rng))


def test_resident_numbers_are_of_all_centuries_and_checked_before_2020():
    rng = Random(4)
    whole = [
        n for n in (mention_makers.maker("resident")(rng) for _ in range(3000)) if "*" not in n
    ]
    digits = [re.sub("[^0-9]", "", number) for number in whole]
    assert {number[6] for number in digits} == set("1234") | {"9", "0"}
    old = [n for n in digits if n[6] in "12" and int(n[:2]) < 99]
    assert old
    assert all(rrn.calc_check_digit(number[:-1]) == number[-1] for number in old)
    new = [n for n in digits if n[6] in "34" and 21 <= int(n[:2]) <= 25]
    assert any(rrn.calc_check_digit(number[:-1]) != number[-1] for number in new)


def test_one_resident_number_in_eight_is_a_foreigners():
    rng = Random(5)
    made = [mention_makers.resident_or_foreigner(rng) for _ in range(3000)]
    foreign = sum(re.sub("[^0-9]", "", number)[6] in "5678" for number in made)
    assert 0.09 < foreign / 3000 < 0.15


@pytest.mark.parametrize("name", mention_makers.maker_names())
def test_makers_repeat_themselves_for_one_seed_only(name):
    make = mention_makers.maker(name)
    once = [make(Random(seed)) for seed in range(80)]
    assert once == [make(Random(seed)) for seed in range(80)]
    assert len(set(once)) > 60
    assert all(made == made.strip() and made for made in once)


def test_an_unknown_maker_is_refused():
    with pytest.raises(LookupError, match="unknown maker 'nobody'; known are korean-name"):
        mention_makers.maker("nobody")


def test_mobile_and_landline_do_not_mix():
    assert all(re.match(r"01|\+82-10", number) for number in drawn(500, mention_makers.mobile))
    assert not any(
        re.match(r"01|\+82-10", number) for number in drawn(500, mention_makers.landline)
    )


@pytest.mark.parametrize(
    ("label", "before", "share"),
    [
        ("계좌번호", "국민은행 계좌(", 0.98),
        ("휴대폰번호", "휴대전화(", 0.98),
        ("전화번호", "전화번호(", 0.98),
        ("주민등록번호", "주민등록번호(", 0.98),
        ("이메일주소", "이메일(", 0.97),
        ("URL", "인터넷주소(", 0.9),
        ("카드번호", "카드번호(", 0.98),
        ("사업자등록번호", "사업자등록번호(", 0.98),
        ("법인등록번호", "법인등록번호(", 0.98),
        ("차량번호", "차량번호(", 0.95),
        ("비트코인개인지갑", "지갑주소(", 0.98),
        ("군번", "군번(", 0.98),
        ("생년월일", "생년월일(", 0.95),
    ],
)
def test_our_recognisers_know_our_numbers(label, before, share):
    """What the lists make must be what the rules look for, or one of the two is unrealistic."""
    lists, found = load(), 0
    for seed in range(300):
        mention = lists.choose(label, key=b"test", document_id=str(seed), entity="A")
        text = f"피고인은 {before}{mention})을 알려 주었다."
        start = text.index(mention, text.index("("))
        spans = identifiers.find(fold(text))
        found += any(s.start <= start and s.end >= start + len(mention) for s in spans)
    assert found / 300 >= share


def test_patterns_fill_every_place():
    assert re.fullmatch(r"[1-9]0[1-9][a-z]{2}", invented("#0#@@", Random(1)))
    assert all(number(label, Random(seed)) for label in PATTERNS for seed in range(5))


# --- Faker ---------------------------------------------------------------------------------------


def test_every_label_comes_through_faker():
    fake = Faker("ko_KR")
    fake.add_provider(JudgmentProvider)
    fake.seed_instance(7)
    first = [fake.mention("세례명"), fake.party_name(gender="여", born=1950), fake.card_number()]
    fake.seed_instance(7)
    assert first == [
        fake.mention("세례명"),
        fake.party_name(gender="여", born=1950),
        fake.card_number(),
    ]
    assert all(part_of(fake.mention("세례명", "held-out")) == "held-out" for _ in range(20))
    with pytest.raises(LookupError, match="unknown label"):
        fake.mention("없는라벨")


@pytest.mark.parametrize(
    ("method", "shape"),
    [
        ("party_name_in_any_form", r".{2,}"),
        ("resident_number", r"[0-9]{6}.*"),
        ("foreigner_number", r"[0-9]{6}.*"),
        ("passport_number", r"[A-Z][0-9A-Z]{8}"),
        ("driving_licence_number", r".*[0-9]{6}-[0-9]{2}"),
        ("business_number", r"[0-9]{3} ?- ?[0-9]{2} ?- ?[0-9]{5}"),
        ("corporation_number", r"[0-9]{6} ?- ?[0-9]{7}"),
        ("account_number", r"[0-9-]{9,26}"),
        ("card_number", r"[0-9 -]{14,19}"),
        ("plate_number", r".*[0-9]{4}"),
        ("mobile_number", r"(?:\+82|01).*"),
        ("landline_number", r"[(0-9].*"),
        ("wallet_address", r"[0-9A-Za-z]{26,64}"),
        ("party_address", r".+"),
    ],
)
def test_the_methods_of_the_provider(method, shape):
    fake = Faker()
    fake.add_provider(JudgmentProvider)
    fake.seed_instance(1)
    assert all(re.fullmatch(shape, getattr(fake, method)()) for _ in range(50))
