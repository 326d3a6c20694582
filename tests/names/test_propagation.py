"""A mention found once is found everywhere, in the forms it takes, and nowhere inside a word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.names import propagation, runs
from thunder.text.spans import Span

PERSON = "내국인이름"


def _spread(text, *mentions, label=PERSON, score=0.9, source="names:person"):
    """Return what is found in *text* beyond the first occurrence of each of *mentions*."""
    spans = []
    for mention in mentions:
        start = text.index(mention)
        spans.append(Span(start, start + len(mention), label, score, source))
    return [text[span.start : span.end] for span in propagation.spread(text, sorted(spans))]


AGAIN = [
    ("홍길준이 왔다. 그 후 홍길준은 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준에게 주었다. 홍길준으로부터 받았다.", ["홍길준", "홍길준"]),
    ("홍길준(남, 30세)이 왔다. ‘홍길준’이라 한다.", ["홍길준"]),
    ("홍길준이 왔다. (홍길준)", ["홍길준"]),
    ("홍길준이 왔다. 김철우·홍길준·이영수", ["홍길준"]),
    ("홍길준이 왔다. 홍길준씨가 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준 과장이 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준과장이 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준,", ["홍길준"]),
    ("홍길준이 왔다. 홍길준\n", ["홍길준"]),
    ("홍길준이 왔다. 홍 길 준은 갔다.", ["홍 길 준"]),
    ("홍길준이 왔다.\n판사    홍 길 준\n", ["홍 길 준"]),
    ("홍길준이 왔다. 그 후 홍길\n준은 갔다.", ["홍길\n준"]),
    ("홍길준이 왔다. 그 후 홍\n    길준은 갔다.", ["홍\n    길준"]),
    ("홍길준이 왔다. 피해자홍길준은 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 위홍길준은 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준에서 홍길준에서는 홍길준에서의", ["홍길준"] * 3),
    ("홍길준이 왔다. 이영수및홍길준은 갔다.", []),  # 및 stands inside a word
    ("홍길준이 왔다. 2021홍길준은 갔다.", []),
]

SHORTER = [
    ("홍길준이 왔다. 길준이가 갔다.", ["길준"]),
    ("홍길준이 왔다. “길준아, 오너라.”", ["길준"]),
    ("홍길준이 왔다. 길준은 갔다.", ["길준"]),
    ("홍길준이 왔다. 길준 씨를 보았다.", ["길준"]),
    ("홍길준이 왔다. 홍 과장은 갔다.", ["홍"]),
    ("홍길준이 왔다. 홍 소장은 갔다.", ["홍"]),
    ("이길준이 왔다. 이 소장에는 없다.", []),
    ("홍길준이 왔다. 홍과장은 갔다.", ["홍"]),
    ("홍길준이 왔다. 홍씨는 갔다.", ["홍"]),
    ("홍길준이 왔다. 홍 씨는 갔다.", ["홍"]),
    ("홍길준이 왔다. 홍 대표가 갔다.", ["홍"]),
    ("이길준이 왔다. 이 과장은 갔다.", ["이"]),
    ("남궁길준이 왔다. 남궁 팀장은 갔다.", ["남궁"]),
    ("현장소장 도길준이 왔다. 도 소장, 방수를 하라고 하였다.", ["도"]),
    ("도길준이 왔다. 이 소장은 도 소장에 따라", []),  # nobody is called 소장
    ("조합장 소길준이 왔다. 소 조합장님이 갔다.", ["소"]),
    ("구길준이 왔다. 구 원장네 땅", ["구"]),
    ("염길준이 왔다. 염감사님은 모른다.", ["염"]),
    ("왕길준이 왔다. 왕이사와 신이사", ["왕"]),
    ("지길준이 왔다. 은행 지점장이 갔다.", []),
    ("정길준이 왔다. 정교사 자격과 정상사용", []),
]

LEFT_ALONE = [
    ("홍길준이 왔다. 홍길준수는 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 박홍길준은 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍길준법률사무소에 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍○○은 갔다.", ["홍길준"]),
    ("홍길준이 왔다. 홍시를 먹었다.", ["홍길준"]),
    ("홍길준이 왔다. 홍 시장에 갔다.", ["홍길준"]),
    ("이사랑이 왔다. 사랑은 아름답다.", ["이사랑"]),
    ("김하늘이 왔다. 하늘이 맑다.", ["김하늘"]),
    ("박정의가 왔다. 정의를 실현한다.", ["박정의"]),
    ("전길준이 왔다. 전 남편은 갔다.", ["전길준"]),
    ("이상이 왔다. 그 이상은 없다.", ["이상"]),
    ("고소영이 왔다. 고소장을 냈다.", ["고소영"]),
]


def test_a_nickname_is_found_again_unless_judgments_write_the_word():
    found = [
        _spread(
            f"‘{name}’라는 필명으로 썼다. {name}의 글이다.",
            name,
            label="별명",
            source="rule:user_id",
        )
        for name in ("달그림자", "사실")
    ]
    assert found == [["달그림자"], []]


@pytest.mark.parametrize(
    ("text", "name", "label", "found"),
    [
        ("응웬 반 뜨억(이하 ‘뜨억’이라고도 한다)은", "응웬 반 뜨억", "베트남이름", ["뜨억"]),
        ("하산 카림은 왔다. 하산은 갔다.", "하산 카림", "외국인이름", []),
        ("레 티 사랑은 왔다. 사랑은 아름답다.", "레 티 사랑", "베트남이름", []),
    ],
)
def test_parts_of_a_foreigner_s_name_are_found_unless_they_are_words(text, name, label, found):
    assert _spread(text, name, label=label) == found


WRITTEN_OUT = [
    ("홍○준이 왔다. 홍길준은 갔다.", "홍○준", ["홍길준"]),
    ("‘홍*준’이라 적혀 있으나 서류에는 홍길준이라고", "홍*준", ["홍길준"]),
    ("홍길*이 왔다. 위홍길준, 홍길준에게", "홍길*", ["홍길준"]),
    ("선우*준이 왔다. 선우길준, 선우길수는 갔다.", "선우*준", ["선우길준"]),
    ("홍○준이 왔다. 홍길준비물은 없다. 김철준은 갔다.", "홍○준", []),
    ("홍○○이 왔다. 홍길준은 갔다.", "홍○○", []),
    ("홍 길준이 왔다. 홍가길준은 갔다.", "홍 길준", []),  # a space hides nothing
]


def test_a_syllable_that_somebody_goes_by_is_found_with_its_particle():
    text = "레 티 란(이하 ‘란’이라 한다)은 왔다. 란이 갔다. 란의 집. 소란이 났다. 란가."
    at = text.index("란’")
    known = [Span(0, 5, PERSON, 0.9), Span(at, at + 1, PERSON, 0.9, "names:person:defined")]
    found = [text[span.start : span.end + 1] for span in propagation.spread(text, known)]
    assert found == ["란이", "란의"]


def test_a_given_name_is_found_behind_the_surname_of_another_person():
    text = "제길준의 딸 나경이 왔다. 장녀 제나경이다. 이나경은 모른다."
    assert _spread(text, "제길준", "나경") == ["제나경"]


@pytest.mark.parametrize(("text", "hidden", "found"), WRITTEN_OUT)
def test_a_name_with_a_hidden_syllable_is_found_where_it_is_written_out(text, hidden, found):
    assert _spread(text, hidden) == found


@pytest.mark.parametrize(("text", "found"), [*AGAIN, *SHORTER])
def test_a_person_is_found_again_in_each_form(text, found):
    name = next(name for name in re.findall("남궁길준|[가-힣]길준", text))
    assert _spread(text, name) == found


@pytest.mark.parametrize(("text", "names"), LEFT_ALONE)
def test_a_longer_word_or_a_common_noun_is_left_alone(text, names):
    assert _spread(text, *names) == []


@pytest.mark.parametrize(
    ("text", "mention", "label", "found"),
    [
        ("㈜한빛누리와 한빛누리의 계약", "한빛누리", "주식회사", ["한빛누리"]),
        ("주식회사 한빛누리, (주)한빛누리, ㈜한빛누리", "한빛누리", "주식회사", ["한빛누리"] * 2),
        ("달보라 식당에서 만나 달보라를 나왔다.", "달보라", "식당", ["달보라"]),
        ("SKYBLUE77과 SKYBLUE77이", "SKYBLUE77", "아이디", ["SKYBLUE77"]),
        ("SKYBLUE와 SKYBLUE2, MYSKYBLUE", "SKYBLUE", "닉네임", []),
        (
            "응웬 반 뚜언은 왔다. 응웬 반 뚜언이 갔다.",
            "응웬 반 뚜언",
            "베트남이름",
            ["응웬 반 뚜언"],
        ),
        ("미래 은행에서 미래를 생각했다.", "미래", "은행", []),
        ("사랑 병원에서 사랑을 받았다.", "사랑", "병원", []),
        # A city before its 구 is one, whatever bank is called so.
        ("대구은행 계좌, 대구 수성구에 사는, 대구 달서구 나래로", "대구", "은행", []),
        ("대구은행 계좌, 대구 계좌로", "대구", "은행", ["대구"]),
        ("A 마트와 A의 땅", "A", "마트", []),
        ("3동 앞 3에서", "3", "동", []),
        ("110-234-567890 계좌와 110-234-567890", "110-234-567890", "계좌번호", []),
    ],
)
def test_things_are_found_again_unless_they_are_numbers_or_common_nouns(
    text, mention, label, found
):
    assert _spread(text, mention, label=label, source="names:organisation") == found


def test_what_a_rule_found_is_left_to_the_rule():
    text = "역삼로 12에서 만났다. 역삼로 12에"
    assert _spread(text, "역삼로 12", label="구아래주소", source="rule:address") == []


def test_what_the_judgment_defines_is_found_though_it_is_a_common_word():
    text = "한빛 주식회사(이하 ‘하늘’이라 한다)와 하늘은, 하늘에서"
    first = Span(text.index("하늘"), text.index("하늘") + 2, "주식회사", 0.9, "names:defined")
    assert len(propagation.spread(text, [first])) == 2


def test_a_doubtful_mention_is_not_looked_for():
    assert _spread("홍길준이 왔다. 홍길준은 갔다.", "홍길준", score=0.3) == []


@pytest.mark.parametrize(
    ("name", "score", "again"),
    [
        ("조특법", 0.6, False),
        ("양도약정", 0.89, False),
        ("홍길준", 0.6, True),
        ("남궁민수", 0.6, True),
        ("양도약정", 0.97, True),  # what the tagger is sure of may be an alias
    ],
)
def test_what_no_name_is_like_is_spread_only_where_the_tagger_is_sure(name, score, again):
    text = f"{name}에 대하여 본다. 그 후 {name}의 일이다."
    assert bool(_spread(text, name, score=score, source="tagger")) is again


def test_a_repeat_is_less_sure_than_the_first_and_says_so():
    text = "홍길준이 왔다. 홍길준은 갔다."
    (again,) = propagation.spread(text, [Span(0, 3, PERSON, 0.9, "names:person")])
    assert again == Span(9, 12, PERSON, 0.855, "names:repeat")


@pytest.mark.parametrize(
    ("name", "later", "found"),
    [
        (
            "백영무",
            "영무는 그 돈을 썼다.",
            ["영무"],
        ),  # the dictionary has it; no judgment writes it
        ("신판구", "뒤에서 판구가 불렀다.", ["판구"]),
        ("조태술", "이사 태술을 해임하였다.", ["태술"]),
        ("남우주", "우주가 전학을 갔다.", ["우주"]),  # hardly any judgment writes it
        ("석가을", "가을이 되어 이사하였다.", []),  # they write these: a doubt says so
        ("서상태", "상태가 나빠졌다.", []),
        ("김지은", "건물을 지은 사람이 있다.", []),
    ],
)
def test_a_given_name_is_found_where_judgments_write_no_such_word(name, later, found):
    assert _spread(f"{name}은 왔다. {later}", name) == found


def test_a_short_form_that_fits_two_persons_is_yielded_with_a_low_score():
    text = "홍길준과 홍판수가 왔다. 홍 과장은 갔다."
    spans = [Span(0, 3, PERSON, 0.9, "names:person"), Span(5, 8, PERSON, 0.9, "names:person")]
    (short,) = propagation.spread(text, spans)
    assert text[short.start : short.end] == "홍"
    assert short.score == 0.5


PIECES = st.sampled_from(
    [
        "홍길준",
        "홍길준이",
        "홍 길 준",
        "길준아",
        "홍 과장",
        "홍씨",
        "한빛누리",
        "\n",
        " ",
        "(",
        "은",
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=25).map(" ".join))
def test_repeats_are_new_disjoint_and_within_the_text(text):
    known = [
        Span(start, start + 3, PERSON, 0.9, "names:person")
        for start in [text.find("홍길준")]
        if start >= 0
    ]
    taken = set(range(known[0].start, known[0].end)) if known else set()
    end = 0
    for span in propagation.spread(text, known):
        assert end <= span.start < span.end <= len(text)
        assert not taken & set(range(span.start, span.end))
        end = span.end
    if not known:
        assert propagation.spread(text, known) == []


def test_thousands_of_mentions_are_looked_for_in_one_reading(monkeypatch):
    """Count the look-ups: one for a word that begins like a mention, however many these are."""
    names = [f"김{a}{b}" for a in "가나다라마바사아자차" for b in "강경관광구국군권규근"]
    text = " ".join(f"{name}은" for name in names * 3)
    spans = [Span(at, at + 3, PERSON, 0.9, "names:person") for at in range(0, len(names) * 5, 5)]
    looked = []
    at = runs.Wordings.at
    monkeypatch.setattr(runs.Wordings, "at", lambda *a: looked.append(1) or at(*a))
    few = propagation.spread(text, spans[:10])
    assert 0 < len(looked) <= len(text.split())
    looked.clear()
    many = propagation.spread(text, spans)
    assert len(many) > len(few) > 0
    assert len(looked) <= len(text.split())
