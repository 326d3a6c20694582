"""Who wins where the recognisers and the tagger disagree, and that nothing of a loser leaks."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder import taxonomy
from thunder.mentions.arbiter import Finder, alike, arbitrated, ranks, read_ranks
from thunder.settings.yamlfile import YamlFileError
from thunder.text.spans import Span, require_disjoint

from ..found_spans import (
    ACCOUNT,
    ADDRESS,
    COMPANY,
    PERSON,
    doubtful,
    named,
    repeat,
    rule,
    tagger,
)
from ..growth import grows_evenly

pytestmark = pytest.mark.usefixtures("english")

KNOWN = taxonomy.load()


def shown(text: str, found: list[Span]) -> str:
    """Return *text* with its spans in brackets, each with the first letter of its label."""
    for span in reversed(found):
        inside = f"[{text[span.start : span.end]}|{span.label[:2]}]"
        text = text[: span.start] + inside + text[span.end :]
    return text


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        (rule("[가나다]"), tagger("[가나다]")),
        (named("[가나다]", score=0.3), tagger("[가나다]", score=1.0)),
        (tagger("[가나다]", score=0.5), tagger("[가나다]", score=0.49)),
        (doubtful("[가나다]"), repeat("[가나다]")),
        (named("[가나다]", score=0.9), named("[가나다]", score=0.8)),
        (named("[가나다]"), named("[가나]다")),
        (named("[가나]다라"), named("가나[다라]")),
    ],
)
def test_from_structured_identifiers_down_to_repeats(stronger, weaker):
    first = arbitrated("가나다라", [*weaker, *stronger], taxonomy=KNOWN)[0]
    assert replace(first, score=stronger[0].score) == stronger[0]


@pytest.mark.parametrize(
    ("text", "found", "masked"),
    [
        # The winner gives the label; a loser that saw no more than half of it changes nothing.
        (
            "한빛테크는",
            [*named("[한빛테크]는", COMPANY), *tagger("[한빛]테크는")],
            "[한빛테크|금융]는",
        ),
        # A sure tagger knows better what kind of thing a recogniser found, a doubtful one does not;
        # what a structured identifier is, nobody knows better.
        (
            "한빛테크는",
            [*named("[한빛테크]는"), *tagger("[한빛테]크는", COMPANY)],
            "[한빛테크|금융]는",
        ),
        (
            "한빛테크는",
            [*named("[한빛테크]는"), *doubtful("[한빛테크]는", COMPANY)],
            "[한빛테크|내국]는",
        ),
        ("123-45", [*rule("[123-45]"), *tagger("[123-45]", COMPANY)], "[123-45|계좌]"),
        # What a loser saw beyond the winner: of the same word, or of the same kind, one mention.
        ("김도윤은", [*tagger("김[도윤]은"), *named("[김도윤]은")], "[김도윤|내국]은"),
        (
            "역삼동 648-23 한빛빌라 앞",
            [
                *rule("[역삼동 648-23] 한빛빌라 앞", ADDRESS),
                *tagger("역삼동 [648-23 한빛빌라] 앞", ADDRESS),
            ],
            "[역삼동 648-23 한빛빌라|주소] 앞",
        ),
        # … but no legal form alone, which names nobody, nor what stays of an address.
        (
            "역삼동 648, 3층 102동 507호에",
            [
                *rule("[역삼동 648], 3층 102동 507호에", ADDRESS),
                *rule("역삼동 648, 3층 [102]동 [507]호에", "호"),
                *tagger("[역삼동 648, 3층 102동 507호]에", ADDRESS),
            ],
            "[역삼동 648|주소], 3층 [102|호]동 [507|호]호에",
        ),
        (
            "127동 301호와 302호를",
            [
                *rule("[127]동 [301]호와 [302]호를", "호"),
                *tagger("127동 [301호와] [302호]를", ADDRESS),
            ],
            "[127|호]동 [301|호]호와 [302|호]호를",
        ),
        (
            "누리재단 학교법인을",
            [*named("[누리재단] 학교법인을"), *tagger("[누리재단 학교법인]을", COMPANY)],
            "[누리재단|금융] 학교법인을",
        ),
        # … which is a word of its own.
        ("Narco는", [*named("[Nar]co는"), *tagger("[Narco]는", COMPANY)], "[Narco|금융]는"),
        # Of another kind: a mention of its own, without the marks between.
        (
            "110-482-660153 (온누리)",
            [*rule("[110-482-660153] (온누리)"), *tagger("[110-482-660153 (온누리)]", COMPANY)],
            "[110-482-660153|계좌] ([온누리|금융])",
        ),
        # On both sides of the winner.
        (
            "한빛 110-482-660153 온누리",
            [
                *rule("한빛 [110-482-660153] 온누리"),
                *named("[한빛 110-482-660153 온누리]", COMPANY),
            ],
            "[한빛|금융] [110-482-660153|계좌] [온누리|금융]",
        ),
        # Two of one kind with a mark between stay two.
        (
            "김도윤, 박서준",
            [*named("[김도윤], 박서준"), *tagger("[김도윤, 박서준]")],
            "[김도윤|내국], [박서준|내국]",
        ),
        # What looks like a particle is none where the word goes on.
        (
            "나래와증권에서",
            [*named("[나래]와증권에서"), *tagger("[나래와]증권에서", COMPANY)],
            "[나래와|금융]증권에서",
        ),
        # A particle or a title after the winner is no leak, nor are marks.
        ("김도윤에게", [*tagger("[김도윤]에게"), *doubtful("[김도윤에게]")], "[김도윤|내국]에게"),
        ("김도윤 씨는", [*named("[김도윤] 씨는"), *tagger("[김도윤 씨는]")], "[김도윤|내국] 씨는"),
        ("(김도윤)은", [*named("([김도윤])은"), *tagger("[(김도윤)]은")], "([김도윤|내국])은"),
        # A structured identifier takes no other word in.
        (
            "12가3456한빛",
            [*rule("[12가3456]한빛"), *doubtful("[12가3456한빛]")],
            "[12가3456|계좌][한빛|내국]",
        ),
    ],
)
def test_what_a_loser_covers_beside_the_winner_stays_masked(text, found, masked):
    assert shown(text, arbitrated(text, found, taxonomy=KNOWN)) == masked


@pytest.mark.parametrize(
    ("winner", "loser", "score"),
    [
        (named("[농협]은행", score=0.52), tagger("[농협]은행", score=0.95), 0.95),
        (named("[농협]은행", score=0.52), tagger("[농협은]행", score=0.95), 0.95),
        (named("[농협]은행", score=0.99), tagger("[농협]은행", score=0.95), 0.99),
        (named("[농협]은행", score=0.52), tagger("[농]협은행", score=0.95), 0.52),
    ],
)
def test_two_that_agree_are_as_sure_as_the_surer_one(winner, loser, score):
    [found] = arbitrated("농협은행", [*winner, *loser], taxonomy=KNOWN)
    assert (found.score, found.label, found.source) == (score, PERSON, "names:person")


ANY_SPAN = st.builds(
    lambda start, length, label, score, source: Span(start, start + length, label, score, source),
    st.integers(0, 30),
    st.integers(1, 12),
    st.sampled_from([PERSON, COMPANY, ADDRESS, ACCOUNT]),
    st.floats(0, 1),
    st.sampled_from(["rule:phone", "tagger", "names:place", "names:repeat", "tagger:repeat"]),
)


@given(st.text("가나 ,12\n", min_size=42, max_size=42), st.lists(ANY_SPAN, max_size=8))
def test_whatever_overlaps_spans_are_disjoint_and_no_letter_that_was_found_is_lost(text, found):
    text = text.replace("나", "힣")  # no particle
    merged = arbitrated(text, found, taxonomy=KNOWN)
    require_disjoint(merged, length=len(text))
    covered = {at for span in merged for at in range(span.start, span.end)}
    for span in found:
        lost = set(range(span.start, span.end)) - covered
        tails = {"가"}  # the only letter here that may follow a name
        assert all(not text[at].isalnum() or text[at] in tails for at in lost)
    assert merged == arbitrated(text, reversed(found), taxonomy=KNOWN)


def test_within_a_rank_the_odds_add_up():
    """What the losers saw beside the winner belongs to its word."""
    ends = named("[가나다]라[마바사]", score=0.9)  # nine to one, twice
    for score, label in ((0.95, COMPANY), (0.94, PERSON)):
        middle = named("가나[다라마]바사", COMPANY, score=score)
        found = arbitrated("가나다라마바사", [*ends, *middle], taxonomy=KNOWN)
        assert {one.label for one in found} == {label}


def test_every_finder_has_a_rank():
    assert list(ranks()) == list(Finder)  # as they ship: from the strongest


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[identifier, name, sure tagger, doubtful tagger]", "'repeat' has no rank"),
        ("[identifier, name, name, sure tagger, doubtful tagger, repeat]", "has a rank already"),
        ("[identifier, name, tagger, sure tagger, doubtful tagger, repeat]", "tagger"),
        ("[identifier, name, sure tager, doubtful tagger, repeat]", "'sure tager'"),
    ],
)
def test_ranks_that_are_wrong_are_refused_with_file_and_line(tmp_path, written, said):
    path = tmp_path / "arbiter.yaml"
    path.write_text(f"ranks:\n  - finders: {written}\n    reason: all\n", encoding="utf-8")
    with pytest.raises(YamlFileError, match=r"arbiter\.yaml:2") as caught:
        read_ranks(path)
    assert said in str(caught.value)


def test_time_grows_with_the_number_of_spans_not_its_square():
    def combine(times: int) -> None:
        one = [*named("[김도윤]은 갔다 "), *doubtful("[김도윤은] 갔다 ")]
        found = [
            Span(span.start + 8 * n, span.end + 8 * n, span.label, span.score, span.source)
            for n in range(times)
            for span in one
        ]
        arbitrated("김도윤은 갔다 " * times, found, taxonomy=KNOWN)

    assert grows_evenly(combine, 4_000, 20_000, slack=3)


def test_one_wording_has_one_label_that_of_the_surest():
    text = "한빛 한빛 한빛 달무리"
    spans = [
        Span(0, 2, COMPANY, 0.7, "tagger"),
        Span(3, 5, "은행", 0.9, "tagger"),
        Span(6, 8, PERSON, 0.99, "tagger"),
        Span(9, 12, ADDRESS, 0.9, "tagger"),
    ]
    assert [one.label for one in alike(text, spans)] == ["은행", "은행", PERSON, ADDRESS]


def test_a_tagger_s_thing_is_the_person_of_whom_a_recogniser_is_certain_but_before_a_noun():
    text = "피고 감초롱, 의료법인 선목, 감초롱은 감초롱식당에서"
    at = [found.start() for found in re.finditer("감초롱", text)]
    person = Span(at[0], at[0] + 3, PERSON, 0.96, "names:person")
    things = [Span(start, start + 3, "주식회사", 0.9, "tagger") for start in at[1:]]
    assert [one.label for one in alike(text, [person, *things])] == [PERSON, PERSON, "주식회사"]


def test_what_a_judgment_defines_as_a_firm_is_no_person():
    text = "한빛 주식회사(이하 ‘천보’라 한다)와 천보는, 천보에게"
    at = [found.start() for found in re.finditer("천보", text)]
    defined = Span(at[0], at[0] + 2, "주식회사", 0.9, "names:defined")
    persons = [Span(start, start + 2, PERSON, 0.4, "tagger") for start in at[1:]]
    assert {one.label for one in alike(text, [defined, *persons])} == {"주식회사"}
