"""Mentions written again as people write them, at the rates asked for and only where they fit."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.text.spans import Span
from thunder.training_data.annotation import Annotated, parse
from thunder.training_data.filling import IGNORED, NONE, TRAINING, Variants, fill
from thunder.training_data.mention_makers.names import MIXED

SEEDS = [str(seed) for seed in range(12)]
ALONE = Variants(given_alone=1.0)
NOUNS = Variants(noun=1.0)
TITLED = Variants(surname=1.0)


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def filled(marked: str, seed: str, variants: Variants) -> tuple[str, list[str]]:
    annotated = parse(marked)
    text, spans = fill(
        annotated.text, annotated.spans, key=b"test", document_id=seed, variants=variants
    )
    return text, [text[span.start : span.end] for span in spans]


B, C = mark("내국인이름", "B"), mark("내국인이름", "C")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_given_name_stands_alone_at_later_places_only(seed):
    text, (first, second) = filled(f"피해자 {B}은 그날 갔다. 피고인은 {B}에게 말했다.", seed, ALONE)
    if len(first) > 2:  # 김솔 keeps its surname
        assert first.endswith(second) and len(second) == len(first) - 1
    assert text.endswith(f"피고인은 {second}에게 말했다.")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_title_follows_the_surname_and_stays_readable(seed):
    marked = f"피해자 {B}은 그날 갔다. 피고인은 {B}과 {B}를 말렸다."
    text, (first, second, third) = filled(marked, seed, TITLED)
    assert first.startswith(second) and second == third
    titles = re.findall(rf"(?<![가-힣]){second}( ?[가-힣]{{1,2}}?)(?:과|와|을|를) ", text)
    assert len(titles) == 2 and titles[0] == titles[1]  # one person has one title


@pytest.mark.parametrize("seed", SEEDS)
def test_particles_agree_with_the_title(seed):
    text, (_, surname) = filled(f"피해자 {B}이 말했다. 그 후 {B}는 떠났다.", seed, TITLED)
    title, particle = re.search(rf"그 후 {surname}(.*)([은는]) 떠났다", text).groups()
    has_final = (ord(title[-1]) - ord("가")) % 28 > 0
    assert particle == ("은" if has_final else "는")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_title_that_stands_there_already_is_not_said_twice(seed):
    text, mentions = filled(f"피해자 {B}은 갔다. 당시 {B} 과장이 왔다.", seed, TITLED)
    assert text.endswith(f"당시 {mentions[1]} 과장이 왔다.")
    assert mentions[0].startswith(mentions[1]) and len(mentions[1]) <= 2


@pytest.mark.parametrize("variants", [ALONE, TITLED])
@pytest.mark.parametrize(
    "place",
    [
        f"{B}(여, 23세)은 왔다.",  # who is introduced
        f"증인 {B}의 법정진술",  # the evidence
        f"{B}의 검찰 진술조서",
        f"피해자 {B}에게",  # a role before it
        f"소외 {B}의 돈을",
        f"'{B}' 명의로",  # in quotes: the name of something else
        f"{B}파의 두목",  # part of a longer word
    ],
)
def test_a_name_is_whole_where_the_words_around_it_ask_for_it(place, variants):
    for seed in SEEDS:
        _, (first, second) = filled(f"피해자 {B}을 만났다.\n{place}", seed, variants)
        assert first == second


def test_a_surname_that_two_bear_is_not_left_alone():
    text = f"피해자 {B}과 {C}은 갔다. 피고인은 {B}에게, 또 {C}에게 말했다."
    together = 0
    for seed in range(400):
        _, (b, c, *later) = filled(text, str(seed), TITLED)
        if b[0] == c[0]:
            together += 1
            assert later == [b, c]
    assert together > 5


@pytest.mark.parametrize("seed", SEEDS)
def test_a_firm_may_bring_its_legal_form_which_stays_readable(seed):
    firm = mark("주식회사", "D")
    text, mentions = filled(
        f"피고인은 {firm}에서 일하며 {firm} 직원과 {firm}의 돈을", seed, Variants(legal_form=1.0)
    )
    assert len(set(mentions)) == 1
    name = re.escape(mentions[0])
    written = re.findall(rf"(주식회사 |\(주\)|㈜)?{name}( 주식회사|\(주\))?", text)
    assert len(written) == 3 and any(written[0])
    assert len(set(filter(any, written))) == 1  # one firm has one form


@pytest.mark.parametrize(
    "around", ["주식회사 {}의", "{} 주식회사의", "(주){}의", "㈜{}을", "{}㈜에"]
)
def test_a_legal_form_that_stands_there_already_is_not_said_twice(around):
    placed = around.format(mark("주식회사", "D"))
    for seed in SEEDS:
        text, (name,) = filled(placed, seed, Variants(legal_form=1.0))
        without_particle = re.sub("[의을를에]$", "", text)
        assert without_particle == re.sub("[의을를에]$", "", around.format(name))


HOSPITAL = mark("병원", "D")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_says_its_kind_where_the_text_does_not(seed):
    text, (core, noun, *again) = filled(f"그는 {HOSPITAL}에서, 또 {HOSPITAL}을", seed, NOUNS)
    assert noun == "병원" and again == [core, noun]
    assert re.fullmatch(rf"그는 {core}병원에서, 또 {core}병원을", text)
    said = filled(f"그는 {HOSPITAL} 병원에서, 또 {HOSPITAL}을", seed, NOUNS)[1]
    assert len(said) == 2 and not said[1].endswith("병원")


@pytest.mark.parametrize("seed", SEEDS)
def test_things_have_short_forms(seed):
    rates = Variants(noun=1.0, abbreviated=1.0)
    text, mentions = filled(f"그는 {HOSPITAL}에서, 또 {HOSPITAL}을 나왔다.", seed, rates)
    assert mentions == [mentions[0], "병원", mentions[0]]
    school = mark("대학교", "D")
    text, (core, _, short, end) = filled(f"그는 {school}에서, 또 {school}를 나왔다.", seed, rates)
    assert (core, end) == (short, "대")
    assert text == f"그는 {core}대학교에서, 또 {core}대를 나왔다."


def test_without_rates_every_place_has_the_mention_as_drawn():
    marked = f"피해자 {B}은 갔다. 피고인은 {B}에게 말했다. 그 후 {B}을"
    for seed in SEEDS:
        assert len(set(filled(marked, seed, NONE)[1])) == 1


def test_the_training_rates_leave_whole_mentions_the_rule():
    marked = "피해자 " + f"{B}은 갔다. 피고인은 " * 100 + f"{B}을 보았다."
    whole = [len(set(filled(marked, str(seed), TRAINING)[1])) for seed in range(3)]
    assert max(whole) <= 3
    counts = [mentions.count(mentions[0]) for _, mentions in
              (filled(marked, str(seed), TRAINING) for seed in range(5))]  # fmt: skip
    assert sum(counts) > 0.9 * 505


@pytest.mark.parametrize("rates", [{"surname": 1.5}, {"abbreviated": -0.1}])
def test_a_rate_lies_between_0_and_1(rates):
    with pytest.raises(ValueError, match=f"the rate {next(iter(rates))} lies between 0 and 1"):
        Variants(**rates)


def test_rates_that_exclude_each_other_are_at_most_1_together():
    with pytest.raises(ValueError, match="more than 1 together"):
        Variants(given_alone=0.6, surname=0.6)


GAPS = st.sampled_from(
    [
        "은 ",
        "이 피해자 ",
        "에게 ",
        "(여, 20세)과 ",
        " 주식회사의 ",
        "를 ",
        ", ",
        "\n1. 증인 ",
        " 과장이 ",
    ]
)
LABELS = st.sampled_from(
    ["내국인이름", "주식회사", "대학교", "베트남이름", "구아래주소", "호", IGNORED]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(GAPS, LABELS, st.sampled_from("BCD")), max_size=7), GAPS)
def test_outside_what_is_filled_in_nothing_but_particles_changes(parts, last):
    text, spans = "피고인은 ", []
    for gap, label, letter in parts:
        spans.append(Span(len(text), len(text) + 1, label))
        text += letter + gap
    rates = Variants(0.4, 0.4, 0.9, 0.9, 0.9)
    new, moved = fill(text, spans, key=b"k", document_id="x", forms=MIXED, variants=rates)
    again = fill(text, spans, key=b"k", document_id="x", forms=MIXED, variants=rates)
    assert (new, moved) == again
    Annotated(new, tuple(moved))  # sorted, disjoint, within the text
    assert [span.label for span in moved if not span.source] == [span.label for span in spans]
    # What was kept stands in the new text, in its order, between the mentions.
    pattern = re.escape("피고인은 ") + "".join(
        f".+?{_with_any_particle(gap)}" for gap, _, _ in parts
    )
    assert re.fullmatch(pattern, new, re.DOTALL)


def _with_any_particle(gap: str) -> str:
    for forms in ("은는", "이가", "을를", "과와"):
        if gap[0] in forms:
            return f"[{forms}]" + re.escape(gap[1:])
    if gap.startswith("(여, 20세)과"):
        return re.escape("(여, 20세)") + "[과와] "
    return re.escape(gap)
