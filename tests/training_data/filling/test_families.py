"""Who is whose kin in a judgment, and what follows for the names: a table that a lawyer can read.

Each row is a sentence with a letter for each person, and what must hold of the names: ``A=B`` the
same surname, ``A남`` a man, ``A여`` a woman, ``A<B`` A is born at least twenty years before B.
"""

import re

import pytest

from thunder.text.spans import Span
from thunder.training_data.filling import fill, prepare
from thunder.training_data.mention_makers.names import PLAIN

TABLE = [
    # siblings
    ("소외 A의 동생인 소외 B는 이를 알았다.", "A=B"),
    ("피고 A는 소외 B의 여동생이다.", "A=B A여"),
    ("소외 A는 원고 B의 친형으로서 이를 관리하였다.", "A=B A남 B남"),
    ("소외 A와 소외 B는 남매이다.", "A=B"),
    ("소외 A와 소외 B는 자매 사이로서 함께 살았다.", "A=B A여 B여"),
    ("소외 A가 돈을 갚지 못하자, 그 동생인 소외 B는 이를 갚기로 약정하였다.", "A=B"),
    ("【원고】 A\n원고의 형인 소외 B는 2005. 5. 1. 사망하였다.", "A=B A남 B남"),
    ("원고의 아버지 A가 사망하였고 원고의 형인 B가 상속하였다.", "A=B A남 B남"),
    ("망 A의 누나인 B와 형 C가 진술하였다.", "A=B B=C A남 B여 C남"),
    ("피고 A의 7대조 소외 B의 형인 소외 C의 묘가 있다.", "A=B B=C B남 C남"),
    # lovers, and what is said of a woman or a man
    ("증인 A와 다른 여자 종업원은 술을 마시지 않았다.", "A여"),
    ("피고 A는 소외 B와 부정행위를 하였고 원고 C와 소외 B는 부부이다.", "A≠B B≠C"),
    ("소외 A(여, 30세)와 소외 B의 부정행위로 혼인이 파탄되었다.", "A여 B남"),
    ("피고인은 피해자 A를 강간하려고 하였다.", "A여"),
    ("소외 A는 육군에 입대하였다.", "A남"),
    (
        "피고인 A는 피해자 B의 남편이자 피해자 C의 형부이고, 피고인 D, 피고인 E는 피고인 A의 "
        "부모이자 피해자 B의 시부모이다.",
        "A남 B여 C여 D≠E",
    ),
    ("소외 A와 법률상 혼인관계에 있는 원고 B와 상의하여", "A≠B"),
    ("피고의 가족관계증명서에도 망 소외 A가 피고의 모로 기록되었다.", "A여"),
    ("원고의 친구 소외 A와 그 동거녀를 만나는 자리에", "A남"),
    ("피고인 A의 특수강간미수의 점에 관한 상고이유", "A남"),
    ("원고 종중의 공동선조인 소외 A는 이를 매수하였고, 연고항존자인 소외 B가", "A=B A남"),
    ("소외 A는 1973. 1. 29.경 피고 B를 낳았고, 비석에 피고 B가 아들로 새겨져 있다.", "A여 B남"),
    ("피고인 A는 무죄. 피해자의 남편과 피고인이 불륜을 저지른 것으로 생각하고", "A여"),
    ("혼인생활을 하다가 딸인 원고 A를 출산하였다.", "A여"),
    ("사건본인 A, 사건본인 B의 친권자로 원고를 지정한다.", "A=B"),
    ("피고 A, 피고 B, 피고들 사이에 2016. 11. 21. 구청장에게 신고하여 한 혼인은", "A≠B"),
    # parents and children
    ("소외 A의 아버지인 소외 B", "A=B B남 B<A"),
    ("소외 A의 장녀인 B, 차녀인 C와 장남인 D", "A=B A=C A=D A남 B여 C여 D남 A<B"),
    ("피고 A는 망 소외 B(이하 ‘망인’이라 한다)와 소외 C 사이의 아들이다.", "A남 B≠C"),
    ("소외 A(여, 60세)의 남편 소외 B와 아들 소외 C", "B=C A여 B남 C남"),
    (
        "당시 망 소외 A의 가족으로는 배우자 원고 B, 자녀 원고 C(여, 1973. 4. 14.생), 원고 "
        "D(1978. 5. 18.생, 호주상속인)가 있었다.",
        "C=D C여 D남 A≠B",
    ),
    (
        "망 소외 A는 1983. 11. 25. 사망하였고, 당시 그 가족으로는 처 원고 B, 자녀 원고 C가 있었다.",
        "A=C A남 B여 A<C",
    ),
    ("소외 A는 소외 B와 혼인하여 자녀로 C, D를 두었다.", "C=D A≠B"),
    ("피고 A, 소외 B, 소외 C는 소외 D의 재산을 공동상속하였다.", "A=B B=C C=D D<A"),
    ("피고 A는 원고 B와 소외 C 사이에서 출생한 혼인 외의 자로 출생신고되었다.", "B≠C B<A"),
    ("망 A가 사망하여 망 A의 상속인 B(처), C(자), D(자)가 이를 승계하였다.", "A=C A=D A남 B여"),
    ("소외 A(피고인의 모친)는 【피고인】 B", "A여"),
    (
        "채무자 소외 A와 소외 B 사이의 상속재산 분할협의는 피상속인인 소외 C의 사망으로",
        "A=B A=C C<A",
    ),
    (
        "피해자 B에 대한 사기. 피해자 A의 아들 공소외 C, 피해자의 남편 공소외 D",
        "A여 D남 C=D C남",
    ),
    ("원고의 부 청구외 A는 자녀인 피고 B와 그 배우자인 피고 C 등과 함께", "A남 A=B B≠C"),
    ("위 소외 A의 장남으로서 부동산을 상속한 원고 B에게", "A=B B남 A<B"),
    ("청구외 A의 동생 청구외 B가", "A=B"),
    ("소외 A(원고 B의 배우자이자, 소외 C의 누나이다)는", "A=C A여 B남"),
    (
        "망 소외 A(원고 B의 처남이자, 2007. 8. 31. 사망하였다, 이하 ‘망인’이라고 한다)의 "
        "소외 C(망인의 누나)",
        "A=C A남 C여",
    ),
    ("재산상속을 원인으로 소외 A에게 864/7,056 지분, B 및 소외 C에게 각 576/7,056 지분이", "B=C"),
    # heirs, of one part together
    (
        "【피고】 망 소외 A의 소송수계인 B\n피고 C. 망 소외 A의 소송수계인인 피고들에 대한",
        "A=B A=C",
    ),
    (
        "【원고(선정당사자)】 A\n선정자 B와 선정자 C. 소외 D의 상속인들인 원고 등이 살았고, 소외 "
        "D의 처인 선정자 B는",
        "A=D C=D B여 D남",
    ),
    ("피고 A, B, C( D의 상속인들)에게", "A=D B=D C=D"),
    ("소외 A의 장손인 피고 B가 순차 상속하였다.", "A=B A남 B남 A<B"),
    ("【원고】 A\n원고의 선조인 소외 B가 사정받았다.", "A=B B남 B<A"),
    (
        "【원고】 A\n소외 B는 2014. 8. 1. 사망하였고, 공동상속인으로는 배우자인 소외 C와 자녀인 "
        "원고 등 6인이 있었다.",
        "A=B B남 C여",
    ),
    ("소외 A의 상속인 중 한 명인 소외 B와 사이에", "A=B"),
    ("소외 A(여)의 상속인들인 원고 B, C, D는", "B=C C=D A여"),
    (
        "피고 A, B, C는 각 말소하라. 피고 A 등은 소외 D의 사망 후 자신들의 상속재산을 넘겼다.",
        "A=D B=D C=D",
    ),
    # told of one subject in turn
    (
        "소외 A는 평양감사를 두루 거친 소외 B의 손자이자, 갑부이던 소외 C의 아들로서 받았다.",
        "A=B A=C A남 B남 C남 C<A",
    ),
    (
        "공소외 A는 공소외 B의 남동생인 공소외 C의 며느리이고, 피고인 D는 공소외 A의 아들이다.",
        "B=C A여 D남",
    ),
    (
        "피고인 A, 피고인 B는 2017. 2.경 혼인한 부부이고, 피해자 C(1세, (생략) 출생), 피해자 "
        "D(여, 0세)의 친부모이다. "
        "피고인 A는 현재 임신 중이다.",
        "B=C B=D A여 B남",
    ),
    ("피고 A와 피고 B, 원고와 피고들의 모친인 망 소외 C", "A=B C여 C<A"),
    ("망 소외 A가 1936. 5. 10. 사망함에 따라 망인의 손자인 소외 B에게 상속되었다.", "A=B A<B B남"),
    # couples
    ("피고인 A, 피고인 B는 각 유죄이다. 부부인 피고인들에게 선고된 형은", "A≠B"),
    ("피고인 A는 소외 B와 2010. 5. 1. 혼인신고를 마쳤다.", "A≠B"),
    ("소외 A와 소외 B는 법률상 부부이다.", "A≠B"),
    ("피해자 A의 남편은 집에 없었다.", "A여"),
    ("소외 A의 장모 소외 B", "A남 B여 B<A"),
    ("피고인 A와 피해자 B는 부부이다. 소외 C(피해자 B의 장인)가 신고하였다.", "A=C B남 C남 C<A"),
    ("원고 A는 소외 B와 혼인하였다. 소외 B의 시누이 소외 C가 그 집에 살았다.", "A=C B여 C여"),
    ("소외 A의 처남인 소외 B는 소외 C의 남편인 소외 A와 다투었다.", "B=C A남 B남 C여"),
    # a word for kin right beside a name, of whomever
    ("문을 열어라. 공소외 A(장인)에게 말하겠다.", "A남"),
    ("며느리인 소외 A와 형수 소외 B, 사위 소외 C, 시아버지 소외 D", "A여 B여 C남 D남"),
    ("이를 며느리인         소외 A, 손자인         소외 B,         소외 C에게", "A여 B=C"),
    (
        "피해자의 누나로서 피고인의 시누이이기도 한 공소외 A는 이 법정에서, 피해자 B를 때린 "
        "피고인 C의 선처를 바랐다.",
        "A=B A여 B남 C여",
    ),
    ("당시 사무실 여직원이면서 회계책임자를 겸하고 있던 공소외 A에게 여중생 공소외 B가", "A여 B여"),
    # renamed
    ("A(개명 전 B)는", "A=B"),
    # what says nothing of kin
    ("피고인 A의 형을 정함에 있어 피해자 B의 처벌을 원하는 의사를", ""),
]


def persons(sentence: str) -> tuple[list[str], list[Span]]:
    """Return the letters of the persons of a sentence, and where they stand."""
    found = [*re.finditer(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", sentence)]
    return [m[0] for m in found], [Span(m.start(), m.end(), "내국인이름") for m in found]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("sentence", "holds"), TABLE, ids=[row[0][:40] for row in TABLE])
def test_the_names_of_kin_fit(sentence, holds, seed):
    letters, spans = persons(sentence)
    text, filled = fill(sentence, spans, key=b"kin", document_id=str(seed), forms=PLAIN)
    names = {one: text[s.start : s.end] for one, s in zip(letters, filled, strict=True)}
    people = {group.surface: group for group in prepare(sentence, spans).groups}
    for claim in holds.split():
        one, what = claim[0], claim[1:]
        if what[0] == "=":
            assert names[one][0] == names[what[1]][0], (claim, text)
        elif what[0] == "≠":
            assert {people[one].gender, people[what[1]].gender} == {"남", "여"}, (claim, text)
        elif what[0] == "<":
            assert people[one].born + 20 <= people[what[1]].born, (claim, text)
        else:
            assert people[one].gender == what, (claim, text)


@pytest.mark.parametrize(
    ("sentence", "surnames"),
    [
        ("【원고】 나주정씨문중\n원고의 연고항존자 소외 A와 회원 소외 B는", "정정"),
        ("위 김해김씨 충정공파종회의 종중원인 A, B와 대표자 C가", "김김김"),
        ("반남 박씨 종중의 21세손 소외 A가 종손 소외 B를 입양하였다.", "박박"),
        ("【원고】 나주정씨문중\n피고 A는 매수인이다. 전주이씨종중의 종중원 B", "??"),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_members_of_a_clan_bear_its_surname(sentence, surnames, seed):
    _, spans = persons(sentence)
    text, filled = fill(sentence, spans, key=b"clan", document_id=str(seed), forms=PLAIN)
    drawn = [text[span.start : span.end] for span in filled]
    assert all(known in (name[0], "?") for name, known in zip(drawn, surnames, strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_a_surname_that_a_mark_shows_is_kept(seed):
    sentence = "피해자 정○○의 동생인 정OO, 최ㅇㅇ"
    spans = [
        Span(m.start(), m.end(), "내국인이름") for m in re.finditer("[정최][○Oㅇ]{2}", sentence)
    ]
    text, filled = fill(sentence, spans, key=b"shown", document_id=str(seed), forms=PLAIN)
    assert [text[span.start] for span in filled] == ["정", "정", "최"]


def test_no_kin_is_read_where_none_is_said():
    sentence = TABLE[-1][0]
    _, spans = persons(sentence)
    assert all(group.kin < 0 and not group.gender for group in prepare(sentence, spans).groups)
