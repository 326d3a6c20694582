"""What decisions make of a judgment, and what stands against its release."""

import pytest

from thunder import Deidentifier
from thunder.desk.rereading import Rereading
from thunder.desk.review import Refused, known_of, require_valid, review

TEXT = "피고인 강도윤은 사고 당시 45세 8개월 7일이었다. 이솔바람은 보았다. 이솔바람은 갔다."
PERSON = "내국인이름"


def mask(wording):
    return {"kind": "mask", "wording": wording, "label": PERSON}


def leave(wording):
    return {"kind": "open", "wording": wording}


def at(kind, start, end):
    return {"kind": kind, "start": start, "end": end} | (
        {"label": PERSON} if kind == "mask place" else {}
    )


@pytest.fixture(scope="module")
def deidentifier():
    return Deidentifier(model="none", checks=True)


READINGS = [
    ([], "피고인 A은"),
    ([leave("강도윤")], "피고인 강도윤은"),
    ([leave("강도윤"), mask("강도윤")], "피고인 A은"),
    ([mask("강도윤"), leave("강도윤")], "피고인 강도윤은"),
    ([{"kind": "letter", "wording": "강도윤", "letter": "Q"}], "피고인 Q은"),
    ([at("open place", 4, 7)], "피고인 강도윤은"),
    ([at("open place", 4, 7), at("mask place", 4, 7)], "피고인 A은"),
    ([at("open place", 4, 5)], "피고인 강A은"),
    ([mask("이솔바람"), {"kind": "join", "wordings": ["이솔바람", "강도윤"]}], "A은 갔다"),
]


@pytest.mark.parametrize(("contents", "said"), READINGS)
def test_what_is_decided_is_what_stands_there(deidentifier, contents, said):
    assert said in review(TEXT, (), contents, deidentifier).result.text


def test_one_decision_is_for_all_places_of_a_wording(deidentifier):
    result = review(TEXT, (), [mask("이솔바람")], deidentifier).result
    assert "이솔바람" not in result.text
    assert result.text.count("B은") == 2


def test_a_hard_check_stands_against_release_until_it_is_answered(deidentifier):
    contents = [leave("이솔바람")]
    first = review(TEXT, (), contents, deidentifier)
    (question,) = first.open_questions
    assert question.doubt.kind == "birth"
    assert not first.may_be_released
    answer = {"kind": "answer", "check": "birth", "wording": question.wording}
    assert review(TEXT, (), [*contents, answer], deidentifier).may_be_released
    elsewhere = answer | {"wording": "44세 8개월 7일"}
    assert not review(TEXT, (), [*contents, elsewhere], deidentifier).may_be_released


def test_a_masked_wording_left_somewhere_stands_against_release(deidentifier):
    text = "가을하늘을 보았다. 가을하늘을 그렸다."
    contents = [at("mask place", 0, 4)]
    found = review(text, (), contents, deidentifier)
    assert found.leaks == 1
    assert not found.may_be_released
    assert not review(text, (), [*contents, at("open place", 11, 15)], deidentifier).leaks


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"kind": "delete"},
        {"kind": "mask", "wording": "강도윤"},
        {"kind": "mask", "wording": "", "label": PERSON},
        {"kind": "mask", "wording": " . ", "label": PERSON},
        {"kind": "mask", "wording": "강도윤", "label": "없음"},
        {"kind": "mask", "wording": "강" * 3000, "label": PERSON},
        {"kind": "mask", "wording": 3, "label": PERSON},
        {"kind": "mask", "wording": "강도윤", "label": PERSON, "more": "x"},
        {"kind": "open place", "start": 3, "end": 3},
        {"kind": "open place", "start": -1, "end": 3},
        {"kind": "open place", "start": 0, "end": 11},
        {"kind": "open place", "start": True, "end": 3},
        {"kind": "join", "wordings": ["강도윤"]},
        {"kind": "join", "wordings": [1, 2]},
        {"kind": "letter", "wording": "강도윤", "letter": "에이"},
    ],
)
def test_what_is_no_decision_is_refused_and_not_quoted(content):
    with pytest.raises(Refused) as error:
        require_valid(content, length=10, labels=frozenset({PERSON}))
    assert "강" not in str(error.value)


@pytest.mark.parametrize(
    "contents",
    [
        [at("mask place", 0, 5), at("open place", 3, 8), at("mask place", 4, 6)],
        [mask("가"), leave("가"), mask("가"), leave("나"), mask("나")],
    ],
)
def test_later_decisions_never_contradict_earlier_ones(contents):
    assert known_of(contents)


def test_what_is_reread_from_memory_is_what_is_read_anew():
    """The tagger that ships, once through memory and once not; decided and undecided."""
    texts = [
        TEXT,
        f"{TEXT}\n경기 가평군의 나래솜 주식회사는 새벽상사와 다투었다.",
        "\ufeff피고인 강도윤",
    ]
    plain, remembering = Deidentifier(checks=True), Rereading(checks=True)
    for contents in ([], [leave("강도윤"), mask("이솔바람")]):
        for text in (*texts, *texts):
            assert review(text, (), contents, remembering) == review(text, (), contents, plain)
