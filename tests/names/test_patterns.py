"""Contexts as data: every example of every rule, what is refused and how, and how long it takes."""

import re

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.editing.pattern_examples import failing
from thunder.names import contexts
from thunder.names.patterns.edges import edges, trimmed
from thunder.names.patterns.lookalikes import lookalike, lookalikes
from thunder.names.patterns.matching import Matcher
from thunder.names.patterns.rules import load
from thunder.names.patterns.signs import sign, signs_of
from thunder.names.patterns.tracing import watched
from thunder.settings import messages
from thunder.settings.yamlfile import YamlFileError
from thunder.text.spans import Span

from ..growth import grows_evenly

CLASSES = "shop: [식당, 주점]\nlead: [대표, 대표이사]\n"
RULE = """
  - id: {id}
    find: "{find}"
    reason: a reason
    label: {label}
    score: {score}
    examples: {examples}
    near_misses: ["아무 말도 없다"]
"""
GOOD = {
    "id": "led-by",
    "find": "[X:word]의 <lead>",
    "label": "641 불특정회사명",
    "score": "0.7",
    "examples": '["[나래솜]의 대표는 웃었다"]',
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "classes.yaml").write_text(CLASSES, encoding="utf-8")

    def write(more="", **changed):
        rule = RULE.format(**{**GOOD, **changed})
        (tmp_path / "family.yaml").write_text(f"rules:{rule}{more}", encoding="utf-8")
        load.cache_clear()
        return tmp_path

    yield write
    load.cache_clear()


def test_every_shipped_rule_does_what_its_examples_say():
    patterns = load(None)
    assert len(patterns.described) > 20
    assert [str(problem) for problem in failing(patterns)] == []


def test_a_rule_of_ones_own_is_yaml_alone(folder):
    patterns = load(folder())
    (match,) = Matcher(patterns.rules).find("어제 나래솜의 대표이사는 웃었다")
    assert (match.mention.text, match.label, match.rule.id) == ("나래솜", "불특정회사명", "led-by")


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        ({"find": "[X:word]의 <leads>"}, 3, "<leads> is not known"),
        ({"find": "[X:word]의 (대표"}, 3, "is not closed"),
        ({"find": "[X:word]의 (대표|대표)"}, 3, "stands twice"),
        ({"find": "[X:word]의 (대표|)"}, 3, "an alternative is empty"),
        ({"find": "[X:word][Y:word]의 대표"}, 3, "nothing stands between X and Y"),
        ({"find": "대표(이사)??"}, 3, "'??'"),
        ({"find": "그의 대표"}, 3, "0 mentions"),
        ({"find": "[X:word] <digit>"}, 3, "must stand in the text"),
        ({"find": "[X:word]의.*대표 *"}, 3, "'*' cannot stand here"),
        ({"find": "[X:word] {digits 5-2}회"}, 3, "the first number is the smaller"),
        ({"find": "[X:word] {digits 1-999}회"}, 3, "is not known"),
        ({"label": "9999 없는라벨"}, 5, "no label with the id 9999"),
        ({"label": "14 영어이름"}, 5, "write '14 가수' or '5 영어이름'"),
        ({"label": "불특정회사명"}, 5, "write its id and name"),
        ({"label": "25 휴대폰 번호"}, 5, "none is called '휴대폰 번호': write '25 주민등록번호'"),
        ({"score": "7"}, 6, "between 0 and 1"),
        ({"examples": "[]"}, 7, "is empty: write a sentence"),
        ({"examples": '["나래솜의 대표"]'}, 7, "in square brackets"),
        ({"find": "[X:quote]의 <lead>"}, 3, "[X:quoted]"),
        ({"id": "Led By"}, 2, "small letters"),
    ],
)
def test_what_is_wrong_is_refused_with_file_line_and_cure(folder, changed, line, says):
    with pytest.raises(YamlFileError) as raised:
        load(folder(**changed))
    (problem, *_) = raised.value.problems
    assert (problem.path.name, problem.line) == ("family.yaml", line)
    assert says in problem.message


@pytest.mark.parametrize(
    ("given", "ko", "en"),
    [
        ("reason: a chief\n    reason_ko: 대표가 있다", "대표가 있다", "a chief"),
        ("reason: a chief", "a chief", "a chief"),
        ("reason_ko: 대표가 있다", "대표가 있다", "대표가 있다"),
        ("reason: 대표가 있다", "대표가 있다", "대표가 있다"),
    ],
)
def test_a_rule_says_why_in_the_language_of_messages_or_in_the_one_that_it_has(
    folder, given, ko, en
):
    place = folder()
    path = place / "family.yaml"
    path.write_text(path.read_text().replace("reason: a reason", given))
    (one,) = load(place).described
    for language, said in (("ko", ko), ("en", en)):
        messages.choose(language)
        assert str(one.reason) == said


def test_a_rule_without_a_reason_is_refused_once(folder):
    place = folder()
    path = place / "family.yaml"
    path.write_text(path.read_text().replace("    reason: a reason\n", ""))
    with pytest.raises(YamlFileError) as raised:
        load(place)
    (problem,) = raised.value.problems
    assert (problem.path.name, problem.line) == ("family.yaml", 2)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("reason: a reason", "reason_kr: 까닭", 4, "'reason_ko'"),
        ('"[X:word]의 <lead>"', "[X:word]의 <lead>", 3, "값 전체를 따옴표"),
        ('"[X:word]의 <lead>"', "“[X:word]의 <lead>”", 3, "굽은 따옴표"),
    ],
)
def test_a_slip_of_an_editor_is_one_fault_with_its_cure(folder, old, new, line, says):
    messages.choose("ko")
    place = folder()
    path = place / "family.yaml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(YamlFileError) as raised:
        load(place)
    (problem,) = raised.value.problems
    assert problem.line == line
    assert says in problem.message


def test_all_shipped_rows_say_why_in_korean_and_in_english():
    patterns = load(None)
    every = (*patterns.described, *patterns.formats, *patterns.signs.values())
    every = (*every, *patterns.lookalikes, *patterns.edges)
    lacking = [
        f"{one.path.name}:{one.line}: {one.id}"
        for one in every
        if one.reason.ko == one.reason.en or not re.search("[가-힣]", one.reason.ko)
    ]
    assert lacking == [], "give each a reason (English) and a reason_ko (Korean)"


def test_an_id_is_given_once(folder):
    with pytest.raises(YamlFileError, match=r"'led-by' is given twice, first at family.yaml:2"):
        load(folder(more=RULE.format(**GOOD)))


def test_a_test_that_is_not_known_names_those_that_are(folder):
    with pytest.raises(YamlFileError, match="the test 'propper' is not known; known are"):
        load(folder(more="    where: {X: [propper]}\n"))


@pytest.mark.parametrize(
    ("more", "text", "found"),
    [
        ("    where: {X: [at least 4 characters]}\n", "나래솜의 대표", []),
        ("    unless: {X: ['*솜']}\n", "나래솜의 대표", []),
        ("    unless: {X: ['*<shop>']}\n", "나래솜의 대표", ["나래솜"]),
        ("    not_after: 위<space>\n", "위 나래솜의 대표", []),
        ("    after: 위<space>\n", "위 나래솜의 대표", ["나래솜"]),
        ("    followed_by: 이사|였다\n", "나래솜의 대표는", []),
        ("    not_followed_by: 작|단\n", "나래솜의 대표작", []),
    ],
)
def test_tests_and_neighbours(folder, more, text, found):
    patterns = load(folder(more=more))
    assert [one.mention.text for one in Matcher(patterns.rules).find(text)] == found


LIST = """
  - id: on-a-list
    find: "{find}"
    {key}: "{member}"
    reason: a reason
    label: 1 내국인이름
    score: 0.9
    unless: {{X: [회사]}}
    examples: ["{example}"]
    near_misses: ["아무 말도 없다"]
"""


@pytest.mark.parametrize(
    ("find", "key", "member", "example"),
    [
        (
            "명단: 1. [X:hangul 2-4]",
            "goes_on",
            "(,| )~{digits 1-2}. [X:hangul 2-4]",
            "명단: 1. [구름] 2. [하늘], 3. 회사 4. [바다] 5번 구름",
        ),
        (
            "[X:hangul 2-4] 등 {digits 1-2}인",
            "goes_back",
            "<start>[X:hangul 2-4],<space>",
            "구름은 [구름], [하늘], 회사, [바다] 등 3인",
        ),
    ],
)
def test_each_member_of_a_list_that_passes_is_a_mention(folder, find, key, member, example):
    place = folder(LIST.format(find=find, key=key, member=member, example=example))
    assert [str(problem) for problem in failing(load(place))] == []


@pytest.mark.parametrize("member", [", {hangul 2-4}", ", [Y:hangul 2-4]", ", [X:word]"])
def test_a_list_that_does_not_say_its_members_is_refused(folder, member):
    example = "명단: 1. [구름], 하늘"
    place = folder(
        LIST.format(find="명단: 1. [X:hangul 2-4]", key="goes_on", member=member, example=example)
    )
    with pytest.raises(YamlFileError, match=r"family\.yaml:12: .*goes_on.*\[X:hangul 2-4\]"):
        load(place)


@pytest.mark.parametrize(
    ("text", "mention", "label"),
    [
        ("상호 ‘ 하람 식당 ’을 열었다", "하람", "식당"),  # its noun says what it is, and stays
        ("상호 ‘나래솜’이라는 것을 열었다", "나래솜", "불특정회사명"),
        ("상호 '나래솜' 옆의 '하람'", "나래솜", "불특정회사명"),  # which marks belong together
    ],
)
def test_a_quotation(folder, text, mention, label):
    patterns = load(folder(find="상호 [X:quoted]", examples='["상호 ‘[나래솜]’"]'))
    (match,) = Matcher(patterns.rules).find(text)
    assert (match.mention.text, match.label) == (mention, label)


def test_of_rules_that_mark_the_same_quotation_the_first_counts():
    text = "상호 ‘나래솜’이라는 식당을 열고, 층 ‘나래솜’"
    ids = {match.rule.id for match in contexts.matcher().find(text)}
    assert {"quoted-called", "quoted-trade-name"} <= ids
    found = [span for span in contexts.find(text) if span.start == text.index("나래솜")]
    assert [(span.label, span.score) for span in found] == [("식당", 0.85)]
    assert found[0].source == "names:trade_name:defined"  # it is masked wherever it stands


SIGN = """
  - id: acts
    {side}: "{pattern}"
    {more}
    reason: a reason
    examples: {examples}
    near_misses: ["[나래솜]은"]
"""
GOOD_SIGN = {
    "side": "behind",
    "pattern": "의 <lead>",
    "more": "",
    "examples": '["[나래솜]의 대표"]',
}


@pytest.fixture
def signs(folder):
    place = folder()

    def write(**changed):
        sign = SIGN.format(**{**GOOD_SIGN, **changed})
        (place / "signs.yaml").write_text(f"signs:{sign}", encoding="utf-8")
        signs_of.cache_clear()
        return place

    yield write
    signs_of.cache_clear()


@pytest.mark.parametrize(
    ("changed", "text", "holds"),
    [
        ({}, "[나래솜]의 대표이사", True),
        ({}, "[나래솜]은 의 대표", False),
        ({"more": "unless: 의 대표이사"}, "[나래솜]의 대표이사", False),
        ({"side": "before", "pattern": "<lead>,? "}, "대표, [나래솜]", True),
        (
            {"side": "before", "pattern": "<lead>,?~"},
            "대표\n[나래솜]",
            True,
        ),  # lines break anywhere
        ({"side": "before", "pattern": "<lead>,?~"}, "대표가 [나래솜]", False),
        ({"side": "word", "pattern": "*(솜|솔)"}, "[나래솜]은", True),
        ({"side": "word", "pattern": "*(솜|솔)"}, "[나래솜터]는", False),
    ],
)
def test_a_sign(signs, changed, text, holds):
    changed = {
        key: value.rstrip(" ") + "<space>" * value.endswith(" ") for key, value in changed.items()
    }
    (sign,) = signs_of(signs(**changed)).values()
    start, end = text.index("["), text.index("]") - 1
    assert sign.holds(text.replace("[", "").replace("]", ""), start, end) is holds


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        ({"side": "beside"}, 3, "'beside'"),
        ({"pattern": "의 <leads>"}, 3, "<leads> is not known"),
        ({"pattern": "[X:word]의"}, 3, "the word X cannot stand here"),
        ({"more": "before: 위"}, 2, "write one of before, behind, word"),
        ({"examples": "[]"}, 6, "is empty: write a sentence"),
        ({"examples": '["나래솜의 대표"]'}, 6, "in square brackets"),
        ({"examples": '["[나래솜]의 [대표]"]'}, 6, "has one word in square brackets"),
    ],
)
def test_a_sign_that_is_wrong_is_refused(signs, changed, line, says):
    with pytest.raises(YamlFileError) as raised:
        load(signs(**changed))
    assert any(p.line == line and says in p.message for p in raised.value.problems), raised.value


def test_an_example_of_a_sign_that_does_not_hold_is_named(signs):
    patterns = load(signs(examples='["[나래솜]의 사장"]'))
    (problem,) = failing(patterns)
    assert (problem.line, problem.message) == (6, "the sign 'acts' does not stand there: [나래솜]")


def test_a_sign_that_the_finders_miss_is_an_error():
    with pytest.raises(YamlFileError, match="the sign 'no-such-sign' is missing"):
        sign("no-such-sign")


LOOKALIKE = """
  - id: serial
    of: {of}
    {more}
    within: "{within}"
    before: "{before}"
    reason: a reason
    examples: {examples}
    near_misses: ["[3]은"]
"""
GOOD_LOOKALIKE = {
    "of": "[anything]",
    "more": "itself: '{digits 1-2}'",
    "within": "제{digits 1-2}",
    "before": "<lead><space>",
    "examples": '["대표 제[3]은"]',
}


@pytest.fixture
def alike(folder):
    place = folder()

    def write(**changed):
        row = LOOKALIKE.format(**{**GOOD_LOOKALIKE, **changed})
        (place / "lookalikes.yaml").write_text(f"lookalikes:{row}", encoding="utf-8")
        lookalikes.cache_clear()
        return place

    yield write
    lookalikes.cache_clear()


@pytest.mark.parametrize(
    ("changed", "text", "covers"),
    [
        ({}, "대표 제[3]은", True),
        ({}, "대표이사 제[12]는", True),
        ({}, "사장 제[3]은", False),
        (
            {},
            "대표 [제3]은",
            False,
        ),  # itself is the mention alone
        ({"more": "not_before: 새"}, "대표 [제3]은", True),
        ({"more": "behind: 의|를"}, "대표 제[3]은", False),
        ({"more": "not_behind: 은"}, "대표 제[3]은", False),
    ],
)
def test_a_lookalike(alike, changed, text, covers):
    (row,) = lookalikes(alike(**changed))
    start, end = text.index("["), text.index("]") - 1
    assert row.covers(text.replace("[", "").replace("]", ""), start, end) is covers


@pytest.mark.parametrize(
    ("more", "score", "is_one"),
    [("below: 0.8", 0.7, True), ("below: 0.8", 0.8, False), ("", 1.0, True)],
)
def test_a_lookalike_counts_below_its_score(alike, more, score, is_one):
    (row,) = lookalikes(alike(more=more))
    assert (score < row.below) is is_one


@pytest.mark.parametrize(
    ("of", "of_person", "of_account"),
    [
        ("[anything]", True, True),
        ("[person]", True, False),
        ("[number]", False, True),
        ("[27 계좌번호]", False, True),
        ("[1 내국인이름, number]", True, True),
        ("[thing, address]", False, False),
    ],
)
def test_of_what_a_lookalike_is(alike, of, of_person, of_account):
    (row,) = lookalikes(alike(of=of))
    assert (row.whose.has("내국인이름"), row.whose.has("계좌번호")) == (of_person, of_account)


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        ({"of": "[numbers]"}, 3, "is no label and no kind: write id and name"),
        ({"of": "[99999 계좌번호]"}, 3, "no label with the id 99999"),
        ({"of": "[713 닉네임]"}, 3, "write '713 가상화폐거래소' or '15 닉네임'"),
        ({"more": "below: 80"}, 4, "'80': a score lies between 0 and 1"),
        ({"more": "itself: '{digit 2}'"}, 4, "'{digit 2}' is not known"),
        ({"more": "inside: 위"}, 4, "inside"),
        ({"within": "<leads>"}, 5, "<leads> is not known"),
        ({"before": "[X:word]의"}, 6, "the word X cannot stand here"),
        ({"examples": "[]"}, 8, "is empty: write a sentence"),
        ({"examples": '["대표 제3은"]'}, 8, "in square brackets"),
    ],
)
def test_a_lookalike_that_is_wrong_is_refused(alike, changed, line, says):
    with pytest.raises(YamlFileError) as raised:
        load(alike(**changed))
    assert any(p.line == line and says in p.message for p in raised.value.problems), raised.value


def test_a_lookalike_that_says_nothing_of_itself_is_refused(alike):
    place = alike()
    row = (
        'lookalikes:\n  - {id: all, of: [anything], not_before: 위, reason: a, examples: ["[3]"], '
    )
    (place / "lookalikes.yaml").write_text(row + 'near_misses: ["위[3]"]}\n', encoding="utf-8")
    with pytest.raises(YamlFileError, match="it covers whatever stands there"):
        load(place)


def test_an_example_of_a_lookalike_that_does_not_hold_is_named(alike):
    patterns = load(alike(examples='["대표 제[3]은", "사장 제[4]는"]'))
    (problem,) = failing(patterns)
    assert (problem.line, problem.message) == (
        8,
        "the look-alike 'serial' does not cover this: [4]",
    )


EDGE = """
  - id: edge
    of: [anything]
    {goes}
    {more}
    reason: a reason
    examples: {examples}
    near_misses: ["[나래솜]은"]
"""
GOOD_EDGE = {"goes": "begins: <lead><blank>", "more": "", "examples": '["[대표 |나래솜]은"]'}


@pytest.fixture
def edge(folder):
    place = folder()

    def write(**changed):
        row = EDGE.format(**{**GOOD_EDGE, **changed})
        (place / "edges.yaml").write_text(f"edges:{row}", encoding="utf-8")
        edges.cache_clear()
        return place

    yield write
    edges.cache_clear()


@pytest.mark.parametrize(
    ("changed", "text", "left"),
    [
        ({}, "위 [대표 나래솜]은", "나래솜"),
        ({}, "위 [대표이사 나래솜]은", "나래솜"),
        ({}, "위 [대표나래솜]은", "대표나래솜"),
        ({}, "위 [대표 ]는", ""),
        ({"more": 'before: "위<space>"'}, "그 [대표 나래솜]은", "대표 나래솜"),
        ({"more": "not_behind: 나래"}, "위 [대표 나래솜]은", "대표 나래솜"),
        ({"more": "behind: 나래솜은"}, "위 [대표 나래솜]은", "대표 나래솜"),  # 은 is no part of it
        ({"goes": "ends: 원"}, "소외 [나래솜원]고", "나래솜"),
        ({"goes": "ends: 원", "more": "behind: 고"}, "소외 [나래솜원]은", "나래솜원"),
        ({"goes": "ends: 원", "more": "before: 솜"}, "소외 [나래솜원]은", "나래솜"),
        ({"goes": "ends: 원", "more": "not_before: 솜"}, "소외 [나래솜원]은", "나래솜원"),
        ({"goes": "ends: 원", "more": "before: 솜"}, "소외 솜[원]은", "원"),  # a mention stays
    ],
)
def test_an_edge(edge, changed, text, left):
    (row,) = edges(edge(**changed))
    plain = text.replace("[", "").replace("]", "")
    assert plain[slice(*row.cut(plain, text.index("["), text.index("]") - 1))] == left


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        ({"more": "ends: 원"}, 2, "begins or ends"),
        ({"goes": "before: 위"}, 2, "begins or ends"),
        ({"goes": "begins: <leads>"}, 4, "<leads> is not known"),
        ({"more": "within: 원"}, 5, "within"),
        ({"examples": '["대표 나래솜은"]'}, 7, "in square brackets"),
    ],
)
def test_an_edge_that_is_wrong_is_refused(edge, changed, line, says):
    with pytest.raises(YamlFileError) as raised:
        load(edge(**changed))
    assert any(p.line == line and says in p.message for p in raised.value.problems), raised.value


@pytest.mark.parametrize(
    ("examples", "says"),
    [
        ('["[대표 나|래솜]은"]', "the edge 'edge' leaves 나래솜, not 래솜"),
        ('["[사장 |나래솜]은"]', "the edge 'edge' leaves 사장 나래솜, not 나래솜"),
        ('["[대표 나래솜]은"]', "an example has one '|'"),
    ],
)
def test_an_example_of_an_edge_that_does_not_hold_is_named(edge, examples, says):
    (problem,) = failing(load(edge(examples=examples)))
    assert problem.line == 7
    assert says in problem.message


def test_who_watches_is_told_which_rows_dropped_and_cut_what_was_found():
    def span(text, word, label):
        start = text.index(word)
        return Span(start, start + len(word), label, 0.9)

    text = "피고 다온영농의 대표"
    with watched() as acted:
        trimmed(text, span(text, "피고 다온영농의", "불특정회사명"))
    assert [(one.row.id, text[one.left_start : one.left_end]) for one in acted] == [
        ("role-before", "다온영농의"),
        ("possessive", "다온영농"),
    ]
    text = "위 별지 3 기재"
    with watched() as acted:
        assert lookalike(text, span(text, "3", "번지"))
    assert [(one.row.id, one.left_start - one.left_end) for one in acted] == [("annex", 0)]
    assert lookalike(text, span(text, "3", "번지"))
    assert len(acted) == 1  # nobody watches any more


def test_an_example_that_does_not_hold_is_named(folder):
    patterns = load(folder(examples='["[나래솜]의 사장은 웃었다"]'))
    (problem,) = failing(patterns)
    assert problem.line == 7
    assert problem.message == "the rule 'led-by' finds nothing; marked is 나래솜"


@pytest.mark.parametrize(
    "unit", ["명의의 ", "역삼동에 있는 ", "1층 ", "가점", "인 인 ", "(((( ", "9호"]
)
def test_time_is_linear(unit):
    matcher = Matcher(load(None).rules)

    def find(characters):
        list(matcher.find(unit * (characters // len(unit))))

    assert grows_evenly(find, 20_000, 200_000, slack=4)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["check"], 0, "all hold"),
        (
            ["explain", "거래처인 나래솜에 보냈다", "--model", "none"],
            0,
            "[나래솜] 불특정회사명 0.7 ← being-called",
        ),
        (["explain", "상호는 ‘나래솜’이다", "--model", "none"], 0, "← quoted-trade-name"),
        (["explain", "아무 말도 없다", "--model", "none"], 1, "No rule fires"),
        (["test", "being-called"], 0, "+ 거래처인 [나래솜]에 보냈다"),
        (["test", "being-cold"], 2, "being-called"),
        (["explain", "위 별지 3 기재", "--model", "none"], 0, "[별지 3] a look-alike (anything)"),
        (
            ["explain", "상호 124,589,780나래화학 주식회사", "--model", "none"],
            0,
            "[780나래화학] → [나래화학] an edge was cut off ← sum-before: the end of a sum",
        ),
        (
            ["explain", "계좌번호 110-123-456789로", "--model", "none"],
            0,
            "← account-number: an acc",
        ),
        (["test", "business-number"], 0, "business-number (formats.yaml:"),
        (["test", "acts"], 0, "acts (signs.yaml:"),
        (["test", "annex"], 0, "+ 별지 [3] 기재"),
        (["test", "possessive"], 0, "+ 피해자 [한빛산업|의] 부장"),
    ],
)
def test_the_commands(arguments, status, says):
    done = CliRunner().invoke(app, ["patterns", *arguments])
    assert done.exit_code == status, done.output
    assert says in done.output


def test_coverage_counts_what_fires_and_what_is_right(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        '{"text": "거래처인 나래솜에 보냈다", "entities": [{"start": 5, "end": 8}]}\n'
        '{"text": "거래처인 하람솔에 보냈다", "entities": []}\n',
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["patterns", "coverage", str(rows)])
    (line,) = [one for one in done.output.splitlines() if " being-called" in one]
    assert line.split()[1:] == ["2", "0.500"]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (None, "cannot be opened"),
        (b"\xff\n", ":1: is not a line"),
        (b'{"text": "\xea\xb0\x80", "entities": [{"start": 0, "end": 9}]}\n', ":1: is not a line"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_refused(tmp_path, written, says):
    rows = tmp_path / "rows.jsonl"
    if written is not None:
        rows.write_bytes(written)
    done = CliRunner().invoke(app, ["patterns", "coverage", str(rows)])
    assert done.exit_code == 2
    assert says in done.output


def test_a_folder_that_has_no_rules_is_refused_with_the_cure(tmp_path):
    done = CliRunner().invoke(app, ["patterns", "check", str(tmp_path)])
    assert done.exit_code == 2
    assert f"--taxonomy {tmp_path}" in done.output.replace("\n", "")


def test_what_is_asked_for_is_told_alone():
    text = "거래처인 나래솜에 보냈고 거래처인 하람솔에도 보냈다"
    done = CliRunner().invoke(
        app, ["patterns", "explain", text, "--model", "none", "--at", "나래솜"]
    )
    assert "나래솜" in done.output and "하람솔" not in done.output
    done = CliRunner().invoke(app, ["patterns", "explain", text, "--model", "none", "--at", "없다"])
    assert done.exit_code == 2
    assert "does not stand in the text" in done.output


def test_what_fails_is_said_below_its_own_sentence(folder):
    place = folder(examples='["[나래솜]의 대표는 웃었다", "나래솜은 [웃었다]"]')
    done = CliRunner().invoke(app, ["patterns", "test", "--folder", str(place)])
    assert done.exit_code == 1
    assert [line[:5] for line in done.output.splitlines()[1:5]] == [
        "  + [",
        "  + 나",
        "    ✗",
        "  - 아",
    ]
