"""What a person has to answer before release: found, and not found where nothing is to be asked.

In the examples [강도윤>A] is masked as A: a person's name, or of the label after a colon.
"""

import re
from itertools import pairwise

import pytest

from thunder import Deidentifier
from thunder.masking.checks import KINDS, checked, checks, find, is_hard
from thunder.masking.deciding import GIVEN
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified, Kept
from thunder.settings.yamlfile import YamlFileError
from thunder.text.spans import Span, replace_spans

MASK = re.compile(r"\[(?P<word>[^\]>]+)>(?P<letter>[^\]:]+)(?::(?P<label>[^\]]+))?\]")

FOUND = [
    ("birth", "[강도윤>A]은 사고 당시 45세 8개월 7일이었다.", ["45세 8개월 7일"]),
    ("birth", "만 65세가 되는 2031. 7. 26.까지 일한다.", ["만 65세가 되는 2031. 7. 26."]),
    ("birth", "60세에 달하는 2031년 7월 26일까지", ["60세에 달하는 2031년 7월 26일"]),
    ("birth", "2020. 3. 4. 성년에 이르렀다.", ["2020. 3. 4. 성년에 이르"]),
    ("spelling", "[한빛>A:불특정회사명]테크(Hanbit Tech)는", ["Hanbit Tech"]),
    ("spelling", "[강도윤>A](KANG DOYOON)은", ["KANG DOYOON"]),
    ("spelling", "[강도윤>A](姜道允)은", ["姜道允"]),
    ("spelling", "이케다([IKEDA>A])는", ["이케다"]),
    ("list", "[강도윤>A], 이서찬, [박한결>B]이 갔다.", ["이서찬"]),
    ("list", "수원시, 성남시, [용인시>A:불특정회사명], 화성시에 지점을 두었다.", ["용인시"]),
    ("edge", "[윤재>A]훈은 떠났다.", ["윤재훈은"]),
    ("edge", "강[도윤>A]은 떠났다.", ["강도윤"]),
    ("touch", "[강도윤>A][박한결>B]은 떠났다.", ["강도윤박한결"]),
    ("shared", "원고 [강도윤>A]\n피고 [박한결>A]\n주    문\n", ["박한결"]),
    (
        "shared",
        "원고 [한빛>A:불특정회사명]건설 주식회사\n피고 [한빛>A:불특정회사명]전자\n주 문\n",
        ["한빛"],
    ),
    ("profile", "피고인은 [강도윤>A]을 강제추행하였다. 강간", ["강제추행"]),
    ("profile", "아동복지법위반(아동학대)", ["아동복지법위반"]),
    ("pointer", "[강도윤>A]은 발명의 명칭: ‘접이식우산’인 특허", ["발명의 명칭: ‘접이식우산’인"]),
    ("pointer", "[강도윤>A]의 성과 본을 ‘김’", ["성과 본을 ‘김’"]),
    ("pointer", "[강도윤>A] 앞으로 접수 제12345호로 등기되었다.", ["접수 제12345호"]),
    ("pointer", "[강도윤>A]의 땅은 고시 제2019-12호로 편입되었다.", ["고시 제2019-12호"]),
    ("taken", "증인 B는 [강도윤>B]을 보았다.", ["B"]),
]

NOT_FOUND = [
    ("birth", "[강도윤>A]은 45세로 8개월 동안 일했다."),
    ("birth", "[45세 8개월 7일>(나이 1 생략):나이]이었다."),
    ("spelling", "[강도윤>A](CEO)은"),
    ("spelling", "[강도윤>A]([KANG DOYOON>A])은"),
    ("spelling", "[한빛>A:불특정회사명](ATM)에서"),
    ("list", "[강도윤>A], 피해자, [박한결>B]이 갔다."),
    ("list", "[강도윤>A], 어머니, [박한결>B]이 갔다."),
    ("list", "[용인시>A:불특정회사명]에 지점을 두었다."),
    ("edge", "[강도윤>A]에게서는 받지 못했다."),
    ("edge", "피고인[강도윤>A]측"),
    ("touch", "[강도윤>A]·[박한결>B]은"),
    ("touch", "[강도윤>A][010-1234-5678>(전화번호 1 생략):휴대폰번호]"),
    ("shared", "원고 [강도윤>A]\n반소피고 [강도윤>A]\n주 문\n"),
    ("shared", "원고 [강도윤>A]\n주 문\n[박한결>A]\n"),
    ("profile", "국제공항에서 폭행하였다."),
    ("pointer", "접수 제12345호로 등기되었다."),
    ("pointer", "[강도윤>A]은 떠났다.\n접수 제12345호"),
    ("taken", "증인 B는 [강도윤>A]을 보았다."),
]


def result(marked: str, kept: tuple[Kept, ...] = ()) -> Deidentified:
    """Return what stands in an example, as the engine would give it."""
    text, spans, letters = "", [], []
    for piece in re.split(r"(\[[^\]]+>[^\]]+\])", marked):
        if match := MASK.fullmatch(piece):
            label = match["label"] or "내국인이름"
            spans.append(Span(len(text), len(text) + len(match["word"]), label))
            letters.append(match["letter"])
            text += match["word"]
        else:
            text += piece
    given = iter(letters)
    new, changes = replace_spans(text, spans, lambda _: next(given))
    return Deidentified("", text, new, tuple(changes), kept)


@pytest.mark.parametrize(("kind", "marked", "wordings"), FOUND)
def test_is_asked(kind, marked, wordings):
    judgment = result(marked)
    found = [one for one in find(judgment) if one.kind == kind]
    assert [judgment.original[one.start : one.end].strip() for one in found] == wordings
    assert all(one.message == checks()[kind].message for one in found)


@pytest.mark.parametrize(("kind", "marked"), NOT_FOUND)
def test_is_not_asked(kind, marked):
    assert kind not in [one.kind for one in find(result(marked))]


def test_every_kind_has_a_sentence_and_an_example():
    assert set(checks()) == set(KINDS)
    assert {kind for kind, *_ in FOUND} == set(KINDS) - {"open"}


def test_a_crime_of_that_kind_is_not_asked_about_under_strict():
    assert not find(result("강제추행하였다."), profile="strict")


def test_what_was_decided_to_stay_readable_is_not_asked_again():
    text = "[강도윤>A] 앞으로 접수 제12345호로 등기되었다."
    start = result(text).original.index("접수")
    given = Kept(Span(start, start + 9, "", source=GIVEN), "")
    assert find(result(text))
    assert not find(result(text, (given,)))


def test_offsets_are_of_the_original_in_disguise_too():
    judgment = result("ａ\u200b[강도윤>A]은 사고 당시 ４５세 8개월 7일이었다.")
    (found,) = find(judgment)
    assert judgment.original[found.start : found.end].strip() == "４５세 8개월 7일"


def test_the_deidentifier_asks_where_it_is_told_to():
    text = "피고인 강도윤은 사고 당시 45세 8개월 7일이었다."
    plain = Deidentifier(model="none").deidentify(text)
    asked = Deidentifier(model="none", checks=True).deidentify(text)
    assert not [one for one in plain.doubts if is_hard(one)]
    assert [one.kind for one in asked.doubts if is_hard(one)] == ["birth"]
    assert (plain.text, plain.changes) == (asked.text, asked.changes)
    assert list(asked.doubts) == sorted(asked.doubts, key=lambda one: one.start)


@pytest.mark.parametrize(("kind", "is_one"), [("open", True), ("birth", True), ("near", False)])
def test_what_is_a_hard_check(kind, is_one):
    assert is_hard(Doubt(0, 1, kind, "")) is is_one


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("checks:\n  - kind: birth\n    name: x\n    message: m\n", "needs patterns"),
        ("checks:\n  - kind: new\n    name: x\n    message: m\n", "unknown 'new'"),
        (
            "checks:\n  - kind: birth\n    name: x\n    message: m\n    patterns: ['(']\n",
            "no regular expression",
        ),
    ],
)
@pytest.mark.usefixtures("english")
def test_mistakes_of_the_file_are_named(tmp_path, content, problem):
    path = tmp_path / "checks.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(YamlFileError, match=problem):
        checks(path)


def test_no_two_places_found_are_one():
    judgment = checked(result("[강도윤>A] 앞으로 접수 제12345호, 접수 제12345호"))
    assert len(judgment.doubts) == 1
    assert all(one < two for one, two in pairwise([d.start for d in judgment.doubts]))
