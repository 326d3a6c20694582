"""Who wins where the recognisers and the tagger disagree, and that nothing of a loser leaks."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder import taxonomy
from thunder.combining import SURELY_OUTSIDE, WEAK_NAME, WEAK_PERSON, combined, credible, precedence
from thunder.spans import Span, require_disjoint

from .fake_tagger import FakeTagger

KNOWN = taxonomy.load()
PERSON, COMPANY, ADDRESS, ACCOUNT = "내국인이름", "금융회사", "주소", "계좌번호"


def spans(sentence: str, *, source: str, label: str, score: float) -> list[Span]:
    """Return what a finder says of a text, in which its mentions stand in [brackets]."""
    found, at, start = [], 0, 0
    for char in sentence:
        if char == "[":
            start = at
        elif char == "]":
            found.append(Span(start, at, label, score, source))
        else:
            at += 1
    return found


def rule(sentence: str, label: str = ACCOUNT) -> list[Span]:
    return spans(sentence, source="rule:account", label=label, score=0.8)


def named(sentence: str, label: str = PERSON, score: float = 0.9) -> list[Span]:
    return spans(sentence, source="names:person", label=label, score=score)


def company(sentence: str, score: float) -> list[Span]:
    return named(sentence, COMPANY, score)


def tagger(sentence: str, label: str = PERSON, score: float = 0.95) -> list[Span]:
    return spans(sentence, source="tagger", label=label, score=score)


def doubtful(sentence: str, label: str = PERSON) -> list[Span]:
    return tagger(sentence, label, score=0.2)


def repeat(sentence: str, label: str = PERSON) -> list[Span]:
    return spans(sentence, source="names:repeat", label=label, score=1.0)


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
        (tagger("[가나다]", score=0.5), named("[가나다]", score=1.0)),
        (named("[가나다]", score=0.3), tagger("[가나다]", score=0.49)),
        (doubtful("[가나다]"), repeat("[가나다]")),
        (named("[가나다]", score=0.9), named("[가나다]", score=0.8)),
        (named("[가나다]"), named("[가나]다")),
        (named("[가나]다라"), named("가나[다라]")),
    ],
)
def test_from_structured_identifiers_down_to_repeats(stronger, weaker):
    assert precedence(stronger[0]) > precedence(weaker[0])
    first = combined("가나다라", [*weaker, *stronger], taxonomy=KNOWN)[0]
    assert replace(first, score=stronger[0].score) == stronger[0]


@pytest.mark.parametrize(
    ("text", "found", "masked"),
    [
        # The winner gives the label; a loser inside it says nothing more.
        (
            "한빛테크는",
            [*tagger("[한빛테크]는", COMPANY), *named("[한빛]테크는")],
            "[한빛테크|금융]는",
        ),
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
            [*tagger("[김도윤], 박서준"), *named("[김도윤, 박서준]")],
            "[김도윤|내국], [박서준|내국]",
        ),
        # A particle or a title after the winner is no leak, nor are marks.
        ("김도윤에게", [*tagger("[김도윤]에게"), *doubtful("[김도윤에게]")], "[김도윤|내국]에게"),
        ("김도윤 씨는", [*tagger("[김도윤] 씨는"), *named("[김도윤 씨는]")], "[김도윤|내국] 씨는"),
        ("(김도윤)은", [*tagger("([김도윤])은"), *named("[(김도윤)]은")], "([김도윤|내국])은"),
        # A structured identifier takes no other word in.
        (
            "12가3456한빛",
            [*rule("[12가3456]한빛"), *doubtful("[12가3456한빛]")],
            "[12가3456|계좌][한빛|내국]",
        ),
    ],
)
def test_what_a_loser_covers_beside_the_winner_stays_masked(text, found, masked):
    assert shown(text, combined(text, found, taxonomy=KNOWN)) == masked


@pytest.mark.parametrize(
    ("winner", "loser", "score"),
    [
        (tagger("[농협]은행", score=0.52), named("[농협]은행", score=0.95), 0.95),
        (tagger("[농협]은행", score=0.52), named("[농협은]행", score=0.95), 0.95),
        (tagger("[농협]은행", score=0.99), named("[농협]은행", score=0.95), 0.99),
        (tagger("[농협]은행", score=0.52), named("[농]협은행", score=0.95), 0.52),
        (tagger("[농협]은행", score=0.52), named("[농협]은행", ADDRESS, score=0.95), 0.52),
    ],
)
def test_two_that_agree_are_as_sure_as_the_surer_one(winner, loser, score):
    [found] = combined("농협은행", [*winner, *loser], taxonomy=KNOWN)
    assert (found.score, found.label, found.source) == (score, PERSON, "tagger")


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
    merged = combined(text, found, taxonomy=KNOWN)
    require_disjoint(merged, length=len(text))
    covered = {at for span in merged for at in range(span.start, span.end)}
    for span in found:
        lost = set(range(span.start, span.end)) - covered
        tails = {"가"}  # the only letter here that may follow a name
        assert all(not text[at].isalnum() or text[at] in tails for at in lost)
    assert merged == combined(text, reversed(found), taxonomy=KNOWN)


@pytest.mark.parametrize(
    ("score", "outside", "finder", "stays"),
    [
        (WEAK_NAME - 0.1, 0.0, company, False),  # weak, and the tagger is certain
        (WEAK_NAME - 0.1, 2 * SURELY_OUTSIDE, company, True),  # the tagger is not quite certain
        (WEAK_NAME, 0.0, company, True),  # a name seen in its context
        (WEAK_PERSON - 0.1, 0.0, named, False),
        (WEAK_PERSON, 0.0, named, True),  # a missed person weighs more
        (None, 0.0, rule, True),  # a structured identifier, whatever the tagger says
    ],
)
def test_a_weak_name_goes_where_the_tagger_is_certain_that_nothing_is_there(
    score, outside, finder, stays
):
    text = "어제 한빛에서 보았다"
    options = {} if score is None else {"score": score}
    found = finder("어제 [한빛]에서 보았다", **options)
    (read,) = FakeTagger({}, outside=outside).read_all([text])
    assert bool(credible(text, found, [], read.reading)) is stays


@pytest.mark.parametrize(
    ("sentence", "label", "score", "left"),
    [
        ("‘[달무리]’에서", COMPANY, 0.1, "달무리"),
        ("피해자 [도윤]이", PERSON, 0.1, "도윤"),
        ("주점 [달무리]에서", COMPANY, 0.1, ""),
        ("위 [달무리]를 때려", PERSON, 0.1, "달무리"),
        # A doubtful letter, number, end of a word or ordinary word is a slip …
        ("서 울 [한] 빛", PERSON, 0.4, ""),
        ("[14]:30경", ADDRESS, 0.2, ""),
        ("우울증으[로는] 병원에서", PERSON, 0.2, ""),
        ("피고인 [명의]의 계좌", COMPANY, 0.2, ""),
        ("갈등이 [심해졌고] 그 뒤", PERSON, 0.3, ""),
        # … unless the tagger is surer.
        ("피고인 [명의]의 계좌", COMPANY, 0.4, "명의"),
        ("서 울 [한] 빛", PERSON, 0.6, "한"),
        # Spaces are no part of a mention, nor is what has no letter a mention.
        ("앞[ 달무리 ]뒤", COMPANY, 0.9, "달무리"),
        ("앞[ (]뒤", COMPANY, 0.9, ""),
        # Pieces of one word are one mention; a doubtful particle after it is none.
        ("업체 [카스][토리]밧데리의", COMPANY, 0.2, "카스토리"),
        ("피해자 [도윤][에게]", PERSON, 0.2, "도윤"),
        # A role word names nobody, however sure the tagger is.
        ("[피고인] 도윤은", PERSON, 0.9, ""),
        # The court rule keeps 시·도 and 시·군·구 of an address, however sure the tagger is.
        ("주거 [서울 강남구 역삼동 648-23]", ADDRESS, 0.9, "역삼동 648-23"),
        ("주거 [수원시 팔달구]에", ADDRESS, 0.9, ""),
        ("주거 [강남구], 역삼동", ADDRESS, 0.2, ""),
    ],
)
def test_of_a_taggers_spans_only_what_may_be_a_mention_counts(sentence, label, score, left):
    text = sentence.replace("[", "").replace("]", "")
    (read,) = FakeTagger({}).read_all([text])
    found = credible(text, [], tagger(sentence, label, score), read.reading)
    assert [text[span.start : span.end] for span in found] == ([left] if left else [])


def test_time_grows_with_the_number_of_spans_not_its_square():
    import time

    def seconds(times: int) -> float:
        one = [*named("[김도윤]은 갔다 "), *doubtful("[김도윤은] 갔다 ")]
        found = [
            Span(span.start + 8 * n, span.end + 8 * n, span.label, span.score, span.source)
            for n in range(times)
            for span in one
        ]
        start = time.process_time()
        combined("김도윤은 갔다 " * times, found, taxonomy=KNOWN)
        return time.process_time() - start

    seconds(10)
    assert seconds(20_000) < 15 * max(seconds(4_000), 0.02)
