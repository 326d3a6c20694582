"""Short forms that a judgment defines for what is masked are masked, too; roles and things stay."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.names import defined
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.spans import Span

FIRM, PERSON, LOT, HOME = "주식회사", "내국인이름", "필지", "요양원"

DEFINED = [
    # What the judgment says, the mention, its label, and the short name (None: it names nobody).
    ("한빛전자테크(이하 ‘한빛’이라 한다)는", "한빛전자테크", FIRM, "한빛"),
    ("실로반사테크 주식회사(이하 ‘실반사’라 한다)는", "실로반사테크", FIRM, "실반사"),
    ("한빛테크 주식회사(이하 “피고 한빛”이라고만 한다)는", "한빛테크", FIRM, "한빛"),
    ("마루소프트코리아(이하 ‘MS사’라고 한다)는", "마루소프트코리아", FIRM, "MS사"),
    ("한빛테크(대표이사 홍길준, 이하 ‘한빛’이라 한다)는", "한빛테크", FIRM, "한빛"),
    ("한빛테크(2018. 1. 2. 파산하였는데, 이하 ‘나루’라 한다)는", "한빛테크", FIRM, "나루"),
    ("한빛테크[다음부터 ‘한빛’이라고 한다]는", "한빛테크", FIRM, "한빛"),
    ("한빛테크(이하 한빛이라 한다)는", "한빛테크", FIRM, "한빛"),
    ("한빛테크(이하 ‘주식회사 한빛’이라 한다)는", "한빛테크", FIRM, "한빛"),
    ("홍길준(이하 ‘길준’이라 한다)은", "홍길준", PERSON, "길준"),
    ("레 티 란(이하 ‘란’이라 한다)은", "레 티 란", PERSON, "란"),
    ("홍길준(이하 ‘준’이라 한다)은", "홍길준", PERSON, None),
    ("한빛테크(이하 ‘피고 회사’라 한다)는", "한빛테크", FIRM, None),
    ("한빛테크(이하 ‘이 사건 회사’라 한다)는", "한빛테크", FIRM, None),
    ("서한문(이하 ‘이 사건 서한문’이라 한다)을", "서한문", "내국인이름", None),
    ("한빛테크(이하 ‘소외회사’라고만 한다)는", "한빛테크", FIRM, None),
    ("한빛조합(이하 ‘조합’이라 한다)은", "한빛조합", FIRM, None),
    ("한빛마루(이하 ‘피고 복지법인’이라 한다)는", "한빛마루", FIRM, None),
    ("홍길준(이하 ‘망인’이라 한다)은", "홍길준", PERSON, None),
    ("한빛테크(이하 ‘원고 한국법인’이라 한다)는", "한빛테크", FIRM, None),
    ("한빛예술단(이하 ‘이 사건 예술단’이라 한다)은", "한빛", FIRM, None),
    ("홍길준(이하 ‘두목’이라 한다)은", "홍길준", PERSON, None),
    ("한빛동 12-3(이하 ‘한빛토지’라 한다)은", "한빛동 12-3", LOT, None),
    ("한빛테크(설립 자본금을 댄 자, 이하 ‘나루’라 한다)는", "한빛테크", FIRM, None),
    ("한빛테크가 산 배(이하 ‘나루호’라 한다)는", "한빛테크", FIRM, None),
    ("한빛테크(이하 생략)는", "한빛테크", FIRM, None),
    ("한빛테크(이하 ’한빛‘)의", "한빛테크", FIRM, "한빛"),
    ("Hanbit Tek(이하 ‘H2T)을", "Hanbit Tek", FIRM, "H2T"),
    # A quotation that never closes: what is said of the name is no part of it.
    ("한빛테크(이하 ‘파산자 회사라 한다)의", "한빛테크", FIRM, None),
    ("한빛테크(이하 ‘나루라 한다)의", "한빛테크", FIRM, "나루"),
    ("한빛테크(이하 ‘피고 나루라고만 함)의", "한빛테크", FIRM, "나루"),
    ("한빛테크(이하 ‘코라함선’이라 한다)의", "한빛테크", FIRM, "코라함선"),
    ("한빛테크(이하 나루라 하고, 뒤에 팔렸다)의", "한빛테크", FIRM, "나루"),
    ("Hanbit Gate Company Limited(이하 ‘HGC’)는", "Hanbit Gate", FIRM, "HGC"),
    ("HanbitNet Pte. Ltd(이하 ‘HPL’)는", "HanbitNet", PERSON, "HPL"),
    ("Hanbit A/S(이하 ‘한빛 A/S’라 한다)는", "Hanbit", FIRM, "한빛"),
    ("한빛노동조합(이하 ’이 사건 노동조합‘이라 한다)은", "한빛", FIRM, None),
    # A noun is joined to the mention.
    ("주식회사 범도연구소(이하 ‘누리솔’이라 한다)에", "범도", FIRM, "누리솔"),
    ("주식회사 범도은행(이하 ‘누리솔은행’이라 한다)에", "범도", FIRM, "누리솔"),
    ("사단법인 한국야구협회(이하 ‘야구협회’라 한다)는", "한국야구", FIRM, None),
    ("Hanbit Gate CO.,LTD.(이하 ‘중국 수출회사’라 한다)로부터", "Hanbit Gate", FIRM, None),
    ("주식회사 범도연구소(이하 ‘연구소’라 한다)에", "범도", FIRM, None),
    (
        "한국범도대학교 법학전문대학원(이하 ‘한국범대 법전원’이라 한다)과",
        "한국범도",
        HOME,
        "한국범대",
    ),
    ("범도노인요양시설(이하 ‘범도원’이라 한다)은", "범도", HOME, "범도원"),
    ("범도노인요양시설(이하 ‘범노요’라 한다)은", "범도", HOME, "범노요"),
    ("범도노인요양시설(이하 ‘피고 범도원’이라 한다)은", "범도", HOME, "범도원"),
    ("주식회사 범도노인요양시설(이하 ‘범도원’이라 한다)은", "주식회사 범도", HOME, "범도원"),
    ("범도빌딩(이하 ‘범도빌딩’이라 한다)은", "범도", HOME, "범도"),
    ("범도주식회사(이하 ‘나루’라 한다)는", "범도", FIRM, "나루"),
    ("범도노인요양시설(이하 ‘나루’라 한다)은", "범도", HOME, None),
    ("범도노인요양시설(이하 ‘도인시’라 한다)은", "범도", HOME, None),
    ("범도노인요양시설(이하 ‘피고 병원’이라 한다)은", "범도", HOME, None),
    ("범도아파트(이하 ‘이 사건 아파트’라 한다)는", "범도", HOME, None),
    ("범도가나다라마바사아자차카(이하 ‘범도원’이라 한다)는", "범도", HOME, None),
    ("범도가 세운 집(이하 ‘범도원’이라 한다)은", "범도", HOME, None),
    ("홍길준식당(이하 ‘길준’이라 한다)은", "홍길준", PERSON, None),
]


@pytest.mark.parametrize(("text", "mention", "label", "short"), DEFINED)
def test_what_is_a_short_name(text, mention, label, short):
    start = text.index(mention)
    found = defined.find(text, [Span(start, start + len(mention), label)])
    assert [text[one.start : one.end] for one in found] == ([short] if short else [])
    assert all(one.label == label for one in found)


LONG_FORMS = [
    ("주관사로 Narae Gate Securities(이하 ‘NGS’)를", "NGS", FIRM, ["Narae Gate Securities"]),
    ("주관사로 Narae(이하 ‘NGS’)를", "NGS", FIRM, []),
    ("나래증권(이하 ‘NGS’)를", "NGS", FIRM, []),
    ("Hong Gil Jun(이하 ‘길준’)을", "길준", PERSON, []),
]


@pytest.mark.parametrize(("text", "short", "label", "long"), LONG_FORMS)
def test_latin_words_that_a_masked_name_is_short_for_are_masked(text, short, label, long):
    start = text.index(short)
    found = defined.find(text, [Span(start, start + len(short), label)])
    assert [text[one.start : one.end] for one in found] == long


def test_a_short_name_is_masked_everywhere_with_its_own_letter():
    text = (
        "피고 주식회사 실로반사테크(이하 ‘실반사’라 한다)는 나리물산 주식회사(이하 ‘나리’라고 한다)"
        "와 계약하였다. 실반사가 돈을 냈고, 나리는 받았다. "
        "국민건강보험공단(이하 ‘공단’이라 한다)은 실반사에 물었다. 공단은 물러났다."
    )
    assert deidentify(text, tagger=RULES_ALONE).text == (
        "피고 주식회사 A(이하 ‘A’라 한다)는 B 주식회사(이하 ‘B’라고 한다)와 계약하였다. "
        "A가 돈을 냈고, B는 받았다. "
        "국민건강보험공단(이하 ‘공단’이라 한다)은 A에 물었다. 공단은 물러났다."
    )


IN_TURN = [
    # Each has its letter, whatever stands right before the brackets.
    (
        "한빛테크, 나루상사(이하 차례로 ‘한빛’, ‘나루’라 한다)는 계약하였다. 나루는 한빛에 물었다.",
        ["한빛테크", "나루상사"],
        {"한빛": 0, "나루": 1},
    ),
    (
        "원고, 한빛테크, 나루상사(이하 차례로 ‘원고’, ‘한빛’, ‘나루’라 한다)는",
        ["한빛테크", "나루상사"],
        {"한빛": 0, "나루": 1},
    ),
    (
        "한빛테크와 나루상사(이하 ‘원고 등’이라 하고, 각 순서대로 ‘한빛’과 ‘나루’라 한다)는",
        ["한빛테크", "나루상사"],
        {"한빛": 0, "나루": 1},
    ),
    # With the noun behind it, which is not masked.
    (
        "한빛증권 주식회사와 한누리투자증권 주식회사(이하 ‘한빛증권’, ‘한누리투자증권’이라 한다)에",
        ["한빛", "한누리"],
        {"한빛": 0, "한누리": 1},
    ),
    # Of no name a part: of the one in its place.
    (
        "한빛테크, 나루상사(이하 각 ‘솔빛’, ‘가람’이라 한다)는",
        ["한빛테크", "나루상사"],
        {"솔빛": 0, "가람": 1},
    ),
    # No names: of two contracts, of one thing, of fewer names than terms, of persons.
    (
        "한빛테크와 나루상사가 맺은 두 계약(이하 각 ‘솔빛’, ‘가람’이라 한다)은",
        ["한빛테크", "나루상사"],
        {},
    ),
    ("한빛테크, 나루상사(이하 통틀어 ‘솔빛’, ‘가람’이라 한다)는", ["한빛테크", "나루상사"], {}),
    ("한빛테크(이하 ‘솔빛’, ‘가람’이라 한다)는", ["한빛테크"], {}),
    ("한빛테크, 나루상사(이하 각 ‘솔빛’, ‘가람’, ‘마루’라 한다)는", ["한빛테크", "나루상사"], {}),
]


@pytest.mark.parametrize(("text", "names", "short"), IN_TURN)
def test_short_names_of_a_list_are_those_of_its_names_in_turn(text, names, short):
    spans = [Span(text.index(one), text.index(one) + len(one), FIRM) for one in names]
    found = {text[two.start : two.end]: one for one, two in defined.in_turn(text, spans)}
    assert found == {one: spans[number] for one, number in short.items()}


def test_a_person_s_short_name_in_a_list_is_a_part_of_it():
    text = "홍길준, 김판수(이하 차례로 ‘길준’, ‘갑을’이라 한다)는"
    spans = [Span(text.index(one), text.index(one) + 3, PERSON) for one in ("홍길준", "김판수")]
    assert [text[two.start : two.end] for _, two in defined.in_turn(text, spans)] == ["길준"]


def test_names_that_are_shortened_in_turn_keep_their_letters():
    text = (
        "원고 주식회사 실로반사테크, 피고 나리물산 주식회사(이하 차례로 ‘원고’, ‘나리’라 한다)는 "
        "왔다. "
        "누리솔 주식회사, 온새미 주식회사(이하 각 ‘누솔’, ‘아라온’이라 한다)는 나리에 물었다. "
        "아라온은 누솔과 함께 갔다."
    )
    assert deidentify(text, tagger=RULES_ALONE).text == (
        "원고 주식회사 A, 피고 B 주식회사(이하 차례로 ‘원고’, ‘B’라 한다)는 왔다. "
        "C 주식회사, D 주식회사(이하 각 ‘C’, ‘D’이라 한다)는 B에 물었다. "
        "D은 C과 함께 갔다."
    )


def test_the_short_form_of_what_stays_readable_stays():
    text = "서울한빛지방법원(이하 ‘한빛법원’이라 한다)은 물었다. 한빛법원은 기각하였다."
    assert deidentify(text, tagger=RULES_ALONE).text == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("건물[이하 ‘신사옥’이라 한다]로", {"신사옥"}),
        ("한빛은행(이하 ‘이 사건 신탁’이라 한다)에", set()),  # two syllables may be a name
        ("공군 나래비행단(이하 ‘비행단’이라 한다)은", {"비행단"}),
        ("우방건설 주식회사(이하 ‘우방건설’이라 한다)는", set()),
        ("한빛 Holdings(이하 ‘코리아홀딩스’라 한다)는", set()),
        ("이 건물은 신사옥이다", set()),
        ("건물(이하 ‘제2공장’이라 한다)에", {"제2공장"}),
        # Firms called so: of two words, like the long name, beside a legal form.
        ("나래 주식회사(이하 ‘대주건설’이라 한다)는", set()),
        ("나래조합(이하 ‘선산농협’이라 한다)은", set()),
        ("교육센터 주식회사(이하 ‘교육센터’라 한다)는", set()),
        ("교육 센터(이하 ‘교육센터’라 한다)는", set()),
        ("교육센터나래(이하 ‘교육센터’라 한다)는", set()),
        ("나래(이하 ‘교육센터’라 한다)는 주식회사 교육센터의", set()),
    ],
)
def test_a_plain_word_that_is_defined_is_one_everywhere(text, plain):
    assert defined.plain_terms(text) == plain
