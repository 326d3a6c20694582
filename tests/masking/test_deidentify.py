"""The whole act: invariants on any text, and small judgments a lawyer can read."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.masking.deidentify import deidentify, deidentify_all
from thunder.masking.doubts import MOST_NEAR_MISSES
from thunder.mentions.finding import find_spans
from thunder.tagger.chosen_tagger import RULES_ALONE
from thunder.text.spans import require_disjoint

from ..fake_tagger import FakeTagger
from ..growth import grows_evenly

PERSON = "내국인이름"

ROOT = Path(__file__).resolve().parents[2]
JUDGMENT = (ROOT / "tests" / "data" / "criminal-judgment.txt").read_text("utf-8")

PIECES = st.sampled_from(
    [
        "피고인 김도윤은 ", "피해자 박서준(여, 46세)에게 ", "주식회사 한빛테크 명의의 ",
        "국민은행 계좌(110-482-660153)로 ", "010-0482-1196", "０１０－０４８２－１１９６", "👍🏽",
        "서울 강남구 역삼동 648-23에 있는 ", "12가3456 승용차", "㈜", "2023고단4821 ",
        "A형 간염 ", "갑 제1호증의 2", "도윤이는 ", "‘달무리’ 주점", "金道潤",
        "\r\n", "\n\n", "\t", " \u3000", "\u200b", "\x0b\x1f",
    ]
)  # fmt: skip
TEXTS = st.lists(
    st.one_of(PIECES, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8)),
    max_size=14,
).map("".join)


def undo(result) -> str:
    """Return the text with every replacement put back to what stood there."""
    pieces, last = [], 0
    for change in result.changes:
        pieces += [result.text[last : change.new_start]]
        pieces += [result.original[change.span.start : change.span.end]]
        last = change.new_end
    return "".join([*pieces, result.text[last:]])


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["NFC", "NFD"]), st.booleans())
def test_outside_the_replaced_spans_not_one_character_changes(text, form, agree):
    text = unicodedata.normalize(form, text)
    result = deidentify(text, agree_particles=agree, tagger=RULES_ALONE)
    assert undo(result) == text
    require_disjoint([change.span for change in result.changes], length=len(text))


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_the_same_text_gives_the_same_result(text):
    assert deidentify(text, tagger=RULES_ALONE) == deidentify(text, tagger=RULES_ALONE)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(ValueError, match="surrogate"):
        deidentify("피고인 \udc80", tagger=RULES_ALONE)


def test_an_empty_text_stays_empty():
    assert deidentify("", tagger=RULES_ALONE).text == ""


def test_a_look_alike_for_whoever_finds_it_is_asked_without_a_tagger_too():
    text = "피고인은 서울 서초구 나래로3길 14에 있는 서울중앙지방법원에서 소란을 피웠다."
    assert deidentify(text, tagger=RULES_ALONE).text == text
    beside = text.replace("서울중앙지방법원", "한빛빌딩")
    assert "나래로3길" not in deidentify(beside, tagger=RULES_ALONE).text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("피고인 김도윤은 피해자 박서준을 때렸다.", "피고인 A은 피해자 B을 때렸다."),
        ("피해자 김도윤에게 김도윤의 돈을", "피해자 A에게 A의 돈을"),
        (
            "피해자 김도윤(남, 49세)의 국민은행 계좌(110-482-660153)로",
            "피해자 A(남, 49세)의 B은행 계좌(계좌번호 1 생략)로",
        ),
        ("주식회사 한빛테크의 대표이사 김도윤", "주식회사 A의 대표이사 B"),
        ("서울 강남구 역삼동 648-23에 있는", "서울 강남구 A에 있는"),
        ("B형 간염을 앓는 피해자 김도윤과 증인 박서준은", "B형 간염을 앓는 피해자 A과 증인 C은"),
        ("판사 최한결", "판사 최한결"),
        ("2019노2100 판결, 갑 제1호증의 2", "2019노2100 판결, 갑 제1호증의 2"),
    ],
)
def test_by_the_court_rule(text, masked):
    assert deidentify(text, tagger=RULES_ALONE).text == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("피고인 김도윤은 피해자 박서준을 때렸다.", "피고인 A는 피해자 B를 때렸다."),
        ("피해자 ‘김도윤’은", "피해자 ‘A’는"),
        ("피해자 김도윤으로부터", "피해자 A로부터"),
    ],
)
def test_particles_agree_with_the_letter_only_where_asked(text, masked):
    assert deidentify(text, agree_particles=True, tagger=RULES_ALONE).text == masked


def test_the_same_person_under_another_form_keeps_the_letter():
    text = "피해자 김도윤은 회사를 나왔다. 김 도 윤이 전화하였고, 김도윤(金道潤)은 떠났다."
    letters = {change.replacement for change in deidentify(text, tagger=RULES_ALONE).changes}
    assert letters == {"A"}


def test_the_example_judgment_keeps_the_court_and_masks_the_parties():
    result = deidentify(JUDGMENT, tagger=RULES_ALONE)
    for name in ("강도윤", "남궁현", "배수아", "채민국", "온누리테크", "870314", "0482", "648-23"):
        assert name not in result.text, f"{name} is still there"
    for kept in (
        "서울한빛지방법원",
        "최한결",
        "윤재필",
        "서하린",
        "문정우",
        "유가온",
        "2023고단4821",
    ):
        assert kept in result.text, f"{kept} should be readable"
    assert undo(result) == JUDGMENT


# --- with a tagger ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "masked"),
    [
        # What no recogniser sees, and then everywhere in the document.
        ("그 무렵 다온이 왔다. 다온은", {"다온": (PERSON, 0.9)}, "그 무렵 A이 왔다. A은"),
        # The recognisers find what the tagger misses.
        ("피고인 김도윤은 010-0482-1196으로", {}, "피고인 A은 (전화번호 1 생략)으로"),
        # Half a name goes whole.
        ("피고인 김도윤은", {"도윤": (PERSON, 0.9)}, "피고인 A은"),
        # Judges and courts stay, whoever finds them.
        (
            "서울한빛지방법원 판사 최한결",
            {"서울한빛지방법원": ("중앙행정기관", 0.9), "최한결": (PERSON, 0.99)},
            "서울한빛지방법원 판사 최한결",
        ),
        # A structured identifier is no name, however sure the tagger is.
        (
            "계좌 110-482-660153으로",
            {"110-482-660153": (PERSON, 1.0)},
            "계좌 (계좌번호 1 생략)으로",
        ),
    ],
)
def test_a_tagger_and_the_recognisers_together(text, words, masked):
    assert deidentify(text, tagger=FakeTagger(words)).text == masked


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.sampled_from(["NFC", "NFD"]), st.floats(0.01, 1))
def test_with_a_tagger_too_nothing_else_changes(text, form, score):
    text = unicodedata.normalize(form, text)
    words = {word: (PERSON, score) for word in ("도윤", "10-", "빛테크 명", "👍", "간염을")}
    result = deidentify(text, tagger=FakeTagger(words))
    assert undo(result) == text
    require_disjoint([change.span for change in result.changes], length=len(text))
    # Only a judge's may be left, as the rule wants (판사도윤), and then it is among what was kept.
    surfaces = (text[one.span.start : one.span.end] for one in result.kept)
    kept = sum(unicodedata.normalize("NFC", surface).count("도윤") for surface in surfaces)
    assert unicodedata.normalize("NFC", result.text).count("도윤") == kept


def test_documents_together_are_as_each_alone():
    tagger = FakeTagger({"다온": (PERSON, 0.9)}, masses={"라온": 0.3})
    documents = [("1", "다온은 갔다"), ("2", ""), ("3", "라온과 다온"), ("4", JUDGMENT)]
    together = list(deidentify_all(documents, tagger=tagger))
    assert together == [deidentify(text, id=name, tagger=tagger) for name, text in documents]
    assert tagger.calls == 1 + len(documents)


def test_a_change_says_who_found_it_and_how_surely():
    result = deidentify("다온은 010-0482-1196", tagger=FakeTagger({"다온": (PERSON, 0.42)}))
    found = [(change.span.source, change.span.score) for change in result.changes]
    assert found[0] == ("tagger", 0.42)
    assert found[1][0] == "rule:phone"
    assert [(doubt.kind, doubt.score) for doubt in result.doubts] == [("unsure", 0.42)]


def test_what_the_tagger_nearly_masked_is_shown():
    masses = {"라온": 0.3, "마루": 0.05, "다온": 0.9, "은": 0.4}
    tagger = FakeTagger({"다온": (PERSON, 0.9)}, masses=masses)
    text = "다온은 라온과 마루에 갔다."
    result = deidentify(text, tagger=tagger)
    [near] = result.doubts
    assert (text[near.start : near.end], near.kind) == ("라온", "near")
    assert near.score == pytest.approx(0.3)
    assert result.text == "A은 라온과 마루에 갔다."


def test_of_near_misses_the_strongest_are_shown():
    masses = {f"다{at}람": 0.1 + at / 100 for at in range(10, 40)}
    text = " ".join(masses)
    found = deidentify(text, tagger=FakeTagger({}, masses=masses)).doubts
    strongest = list(masses)[: -MOST_NEAR_MISSES - 1 : -1]
    assert [text[near.start : near.end] for near in found] == strongest


def test_time_grows_with_the_length_not_its_square():
    tagger = FakeTagger({"강도윤": (PERSON, 0.9), "은": (PERSON, 0.2)}, masses={"습니": 0.3})

    assert grows_evenly(lambda times: find_spans(JUDGMENT * times), 8, 40)
    assert grows_evenly(lambda times: deidentify(JUDGMENT * times, tagger=tagger), 8, 40)


def test_the_rules_alone_load_no_library_of_taggers():
    code = (
        "import sys; from thunder.tagger.chosen_tagger import RULES_ALONE; "
        "from thunder.masking.deidentify import deidentify; "
        "deidentify('피고인 김도윤은', tagger=RULES_ALONE); "
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    heavy = ["numpy", "torch", "onnxruntime", "tokenizers", "thunder.tagger.tagger"]
    command = [sys.executable, "-c", code, *heavy]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        # Who is a party anywhere is masked in every role.
        (
            "피고인 김도윤은 검사로 재직하였다. 검사 김도윤은 뇌물을 받았다.",
            "피고인 A은 검사로 재직하였다. 검사 A은 뇌물을 받았다.",
        ),
        ("검사 윤재필, 피고인 김도윤은 웃었다.", "검사 윤재필, 피고인 A은 웃었다."),
        # In a slot that only a name can fill any word is one.
        ("피고인 배우자 (820101-1234567), 회사원", "피고인 A (주민등록번호 1 생략), 회사원"),
        (
            "피고인 전기, 주민등록번호 820101-1234567",
            "피고인 A, 주민등록번호 (주민등록번호 1 생략)",
        ),
    ],
)
def test_a_party_is_masked_in_every_role_and_whatever_word_the_name_is(text, masked):
    assert deidentify(text).text == masked


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("피고인 전기, 주민등록번호 820101-1234567\n전기를 훔쳤다. 전기가 없다.", ["전기"]),
        ("판사 김도윤은 피고인 김도윤을 심문하였다.", []),  # masked, and shown for another reason
        ("피고인 김도윤은 웃었다. 김도윤도 울었다.", []),
    ],
)
def test_what_is_masked_and_open_in_one_judgment_is_shown_once(text, shown):
    doubts = [one for one in deidentify(text).doubts if one.kind == "open"]
    assert [text[one.start : one.end] for one in doubts] == shown


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("피해자 김하늘은 집에 있었는데, 피고인이 하늘을 찾아와 때렸다.", ["하늘"]),
        ("피고 정대로는 돈을 빌렸는데, 대로는 이를 갚지 않았다.", ["대로"]),
        ("피해자 김정상은 다쳤으나, 혈압은 정상이다.", []),  # every judgment says so
    ],
)
def test_a_given_name_that_is_a_word_and_stays_readable_is_doubted(text, doubted):
    found = [one for one in deidentify(text, tagger=RULES_ALONE).doubts if one.kind == "open"]
    assert [text[one.start : one.end] for one in found] == doubted


def test_a_party_masked_behind_an_office_is_shown():
    (doubt,) = deidentify("검사 김도윤은 피고인 김도윤을 알았다.", tagger=RULES_ALONE).doubts
    assert (doubt.start, doubt.kind) == (3, "scene")
    assert "당사자와 이름이 같아" in doubt.message
