"""Firms are named by a trade that the judgment speaks of, brands and numbers fit its years."""

import re

import pytest

from thunder.training_data.annotation import parse
from thunder.training_data.filling import facts, fill

SEEDS = [str(seed) for seed in range(12)]


def mark(label: str, placeholder: str = "B") -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str) -> str:
    annotated = parse(marked)
    text, (span,) = fill(annotated.text, annotated.spans, key=b"test", document_id=seed)
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("name", "text", "year", "fits"),
    [
        ("대성제약", "의약품을 판매하는", 2005, True),
        ("대성제약", "토지를 매수하여 전매한", 2005, False),
        ("민락종합건설", "태양전지를 제조하는", 2014, False),
        ("민락종합건설", "신축공사를 도급받은", 2014, True),
        ("거산물산", "토지를 매수하여", 1990, True),
        ("한빛바이오", "의약품을 판매하는", 1980, False),  # nobody was called so then
        ("대한코스메틱", "화장품을 판매하는", 1985, False),
        ("대한코스메틱", "화장품을 판매하는", 2010, True),
    ],
)
def test_a_firm_is_called_by_a_trade_of_the_text_and_time(name, text, year, fits):
    assert facts.fits_trade(name, text, "", year) is fits


@pytest.mark.parametrize(
    ("name", "year", "borne"),
    [
        ("HS효성", 2007, False),
        ("HS효성", 2024, True),
        ("효성", 2007, True),
        ("paran.com", 2014, False),
        ("paran.com", 2008, True),
        ("노브랜드", 2009, False),
        ("통합진보", 2002, False),  # a party of 2011 to 2014
        ("거산", 1970, True),
    ],
)
def test_a_name_stands_in_the_years_in_which_it_was_borne(name, year, borne):
    assert facts.borne(name, year) is borne


@pytest.mark.parametrize("name", ["BNK저축", "OK저축"])
def test_a_savings_bank_has_its_name_since_a_year(name):
    assert not facts.existed(name, 2007)
    assert facts.existed(name, 2020)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_maker_is_not_called_after_what_it_does_not_make(seed):
    text = f"2003. 7.경 방향제를 제조하는 {mark('주식회사')} 주식회사에서 방향제를 만들었다."
    assert not re.search("목재|제약|건설|푸드|게임|섬유|철강|미디어", filled(text, seed))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("marked", "shape", "low", "high"),
    [
        (
            f"2004. 11. 24. {mark('특허번호', '(특허번호 생략)')}으로 등록받은",
            "10-0",
            400000,
            560000,
        ),
        (f"2005. 8.경 상표 {mark('특허번호', '(상표등록번호 1 생략)')}", "40-0", 580000, 650000),
        (f"2012. 1. 5. 등록디자인 {mark('특허번호', '(등록번호 생략)')}", "30-0", 580000, 840000),
    ],
)
def test_a_number_is_of_the_register_and_the_year(marked, shape, low, high, seed):
    number = filled(marked, seed)
    assert number.startswith(shape)
    assert low <= int(number[3:]) <= high


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_filed_bears_its_year(seed):
    number = filled(f"2002. 5. 30. {mark('특허번호', '(출원번호 생략)')}으로 출원한 특허", seed)
    assert number.startswith("10-2002-")
