"""From what was read of tokens to mentions: whole, one label, the same ones everywhere."""

import numpy as np
import pytest

from thunder.tagger.decoding import decoded
from thunder.tagger.readings import Classes
from thunder.tagger.repeats import with_repeats
from thunder.tagger.thresholds import Thresholds
from thunder.tagger.whole import whole
from thunder.text.spans import Span

from .invented import KNOWN, TOKENIZER, marked, reading

HALF = Thresholds({"": 0.5})
PERSON = "내국인이름"


def _decoded(sentence: str, label: str = PERSON, **changes) -> list[str]:
    text, places = marked(sentence)
    found = decoded(reading(text, places, label), text, taxonomy=KNOWN, thresholds=HALF)
    return [text[span.start : span.end] for span in found]


@pytest.mark.parametrize(
    ("read", "masked"),
    [
        ("피고인 [홍길동]은 도주하였다.", ["홍길동"]),
        ("피고인 홍[길동]은 도주하였다.", ["홍길동"]),  # the surname was missed
        ("피고인 [홍길]동은 도주하였다.", ["홍길동"]),  # the last syllable was missed
        ("원고는 [김수]영의 남편이다.", ["김수영"]),
        ("[김]수[영]에게 송금하였다.", ["김수영"]),  # the middle was missed
        ("피해자 [홍길동,] 김철수", ["홍길동"]),
        ("[홍길동 김철수]는 공모하였다.", ["홍길동", "김철수"]),
        ("[남궁 민수]가 진술하였다.", ["남궁 민수"]),
    ],
)
def test_a_name_goes_whole_and_its_particle_stays(read, masked):
    assert _decoded(read) == masked


@pytest.mark.parametrize(
    ("read", "label", "masked"),
    [
        ("[나리]식당에서 일하였다.", "식당", ["나리"]),  # the descriptor stays
        ("[국민]은행에 예금하였다.", "은행", ["국민"]),
        ("전화 010-[123]4-5678로 걸었다.", "전화번호", ["010-1234-5678"]),
        ("주소 gildong[@]example.com 으로", "이메일주소", ["gildong@example.com"]),
        ("계좌 110-234-[567]890으로 보냈다.", "계좌번호", ["110-234-567890"]),
    ],
)
def test_numbers_go_whole_and_descriptors_stay(read, label, masked):
    assert _decoded(read, label) == masked


@pytest.mark.parametrize(
    ("sure", "doubtful", "masked"),
    [
        ("[강진현]은 말하였다.", "강진현[은] 말하였다.", ["강진현"]),
        ("피고인 [홍길동](45세)", "피고인 홍길동[(]45세)", ["홍길동"]),
        ("나, [박지현]과 함께", "[나,] 박지현과 함께", ["나", "박지현"]),  # doubtful by itself
        ("피고인 [홍길]동은", "피고인 홍길[동]은", ["홍길동"]),
    ],
)
def test_what_is_doubtful_joins_a_sure_mention_within_its_letters_only(sure, doubtful, masked):
    text, places = marked(sure)
    found = reading(text, places, PERSON)
    weak = reading(text, marked(doubtful)[1], PERSON, mass=0.1)
    for own, other in zip(found[2:], weak[2:], strict=True):
        own[weak.mass > 0] = other[weak.mass > 0]
    spans = decoded(found, text, taxonomy=KNOWN, thresholds=Thresholds({"": 0.05}))
    assert [text[span.start : span.end] for span in spans] == masked


@pytest.mark.parametrize(
    ("text", "found", "last", "expected"),
    [
        ("홍길동은 도주하였다", (0, 4), 0, "홍길동"),  # one token took in the particle
        ("홍길동에게 보냈다", (0, 5), 0, "홍길동"),
        ("김가은이 말하였다", (0, 3), 0, "김가은"),  # 은 is of the name
    ],
)
def test_a_token_of_another_tokenizer_gives_its_particle_back(text, found, last, expected):
    start, end = whole(text, *found, person=True, last=last)
    assert text[start:end] == expected


@pytest.mark.parametrize(
    ("text", "found", "person", "expected"),
    [
        ("김예렬에게 말하였다", "김예렬", True, "김예렬"),  # the morphemes are 김예렬에 | 게
        ("비씨컴퍼니의 직원", "비씨컴퍼니", False, "비씨컴퍼니"),
        ("홍길동은 도주하였다", "홍길", True, "홍길동"),  # half a name, whatever follows
        ("김순이가 말하였다", "김순", True, "김순이"),
    ],
)
def test_a_particle_is_never_taken_in_by_half(text, found, person, expected):
    start, end = whole(text, 0, len(found), person=person)
    assert text[start:end] == expected


def test_a_mention_has_one_label_by_vote_and_the_mean_score():
    text = "피고인 홍길동은"
    found = reading(text, [(4, 7)], PERSON)
    token = int(np.flatnonzero(found.starts == 5)[0])
    found.label[token], found.share[token] = KNOWN.label("외국인이름").id, 0.5
    found.mass[token] = 0.6
    (span,) = decoded(found, text, taxonomy=KNOWN, thresholds=HALF)
    assert (span.start, span.end, span.label) == (4, 7, PERSON)
    inside = found.mass[(found.starts >= 4) & (found.starts < 7)]
    assert span.score == pytest.approx(float(inside.mean()), abs=1e-4)


def test_a_label_with_a_lower_threshold_is_found_where_others_are_not():
    text, places = marked("피고인 [홍길동]은")
    unsure = reading(text, places, PERSON, mass=0.3)
    assert decoded(unsure, text, taxonomy=KNOWN, thresholds=HALF) == []
    lower = Thresholds({"": 0.5, "direct": 0.25})
    assert len(decoded(unsure, text, taxonomy=KNOWN, thresholds=lower)) == 1


@pytest.mark.parametrize(
    ("text", "first", "label", "everywhere"),
    [
        ("피고인 홍길동은 왔다. 홍길동의 차, 홍 길 동", (4, 7), PERSON, 3),
        ("전화 010-1234-5678, 또 010-1234-5678 번", (3, 16), "전화번호", 2),
        ("2020년 홍길동", (0, 4), "계좌번호", 1),  # a year is not looked for elsewhere
    ],
)
def test_what_is_found_once_is_masked_everywhere(text, first, label, everywhere):
    found = with_repeats(text, [Span(*first, label, 0.9, "tagger")])
    assert len(found) == everywhere
    assert all(one.label == label and 0 < one.score <= 0.9 for one in found)


def test_bio_tells_neighbours_apart():
    text = "홍길동 김철수"
    encoded = TOKENIZER.encode(text)
    classes = Classes(KNOWN, "bio")
    scores = np.full((len(encoded.ids), classes.number), -9, np.float32)
    for token, start in enumerate(encoded.starts.tolist()):
        scores[token, 1 if start in (0, 4) else 2] = 9
    read = classes.read(scores)
    assert read.begins.tolist() == [start in (0, 4) for start in encoded.starts.tolist()]
    assert (read.label == 1).all() and (read.mass > 0.99).all()
