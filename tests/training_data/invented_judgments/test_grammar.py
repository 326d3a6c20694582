"""What lawyers may write in a file of pieces, and what is refused by file and line."""

from random import Random

import pytest

from thunder.training_data.invented_judgments.grammar import PieceError, read
from thunder.training_data.invented_judgments.layout import Entity, letter
from thunder.training_data.invented_judgments.writing import Writer


def written(tmp_path, text, facts=None, *, seed=0, piece="start"):
    (tmp_path / "pieces.txt").write_text(text, encoding="utf-8")
    read.cache_clear()
    return Writer(read(tmp_path), facts or {}, Random(seed)).write(piece)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("가 <나|다", "'<' is never closed"),
        ("가 나> 다", "'>' with no '<'"),
        ("가 | 다", "'|' with no '<'"),
        ("가 {나} 다", "no slot such as"),
        ("가 {name 다", "no slot such as"),
        ("가 } 다", "no slot such as"),
        ("<?flag:가|나|다>", "more than two ways"),
        ("{unknown}", "neither a piece nor a fact"),
        ("{start}", "holds itself"),
        ("?flag: 가", "no alternative of 'start' fits"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(tmp_path, line, message):
    with pytest.raises(PieceError, match=message) as error:
        written(tmp_path, f"@start\n{line}\n")
    assert "pieces.txt:2" in str(error.value) or "the document" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("가\n", "before the first heading"),
        ("@start\n@next\n가\n", "has no alternative"),
        ("@start\n가\n@start\n나\n", "is there twice"),
        ("@Start\n가\n", "is no heading"),
    ],
)
def test_headings_that_are_refused(tmp_path, text, message):
    with pytest.raises(PieceError, match=message):
        written(tmp_path, text)


def test_an_empty_folder_is_refused(tmp_path):
    read.cache_clear()
    with pytest.raises(PieceError, match="no file of pieces"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("line", "facts", "text"),
    [
        ("<?drunk:술에 취하여|맨정신으로> 때렸다.", {"drunk": True}, "술에 취하여 때렸다."),
        ("<?drunk:술에 취하여|맨정신으로> 때렸다.", {}, "맨정신으로 때렸다."),
        ("<?!drunk:맨정신으로> 때렸다.", {"drunk": True}, "때렸다."),
        ("가\\n나", {}, "가\n나"),
        ("{7-7}회", {}, "7회"),
        ("{1500-1500}원", {}, "1,500원"),
        ("{2016-2016}년", {}, "2016년"),  # a year has no comma
        ("{tool}을 들고", {"tool": "망치"}, "망치를 들고"),
        ("{tool}를 들고", {"tool": "우산"}, "우산을 들고"),
        ("<칼|칼>으로 베었다.", {}, "칼로 베었다."),
        ("가 <|> 나", {}, "가 나"),  # what stays out leaves no second space
    ],
)
def test_what_a_line_becomes(tmp_path, line, facts, text):
    assert written(tmp_path, f"@start\n{line}\n", facts)[0] == text


def test_headings_are_numbered_by_level(tmp_path):
    text, _ = written(tmp_path, "@start\n§1 가\\n§2 나\\n§2 다\\n§1 라\\n§2 마\n")
    first = [line.split()[0] for line in text.splitlines()]
    assert first in (["1.", "가.", "나.", "2.", "가."], ["1.", "가)", "나)", "2.", "가)"])


def test_the_ways_of_drawing(tmp_path):
    pieces = "@start\n{a}{a}{a}/{b}{b}{b}/{c}{c}{c}\n@a\n1\n2\n3\n@b!\n1\n2\n3\n@c>\n1\n2\n"
    for seed in range(20):
        anew, once, in_order = written(tmp_path, pieces, seed=seed)[0].split("/")
        assert sorted(anew) == ["1", "2", "3"]
        assert len(set(once)) == 1
        assert in_order == "122"


def test_letters_follow_the_order_of_first_appearance(tmp_path):
    facts = {
        "victim": Entity("내국인이름"),
        "friend": Entity("내국인이름", "한"),
        "account": Entity("계좌번호", omission="계좌번호"),
    }
    line = "{friend}와 {victim}이 {friend}의 계좌({account})로 보냈다."
    text, spans = written(tmp_path, f"@start\n{line}\n", facts)
    assert text == "A과 B가 A의 계좌(계좌번호 1 생략)로 보냈다."
    assert [text[span.start : span.end] for span in spans] == ["A", "B", "A", "계좌번호 1 생략"]


@pytest.mark.parametrize(
    ("number", "written_as"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")]
)
def test_letters_skip_none(number, written_as):
    assert letter(number) == written_as
