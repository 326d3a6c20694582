"""The tables of benchmarks: Markdown, and the places that leak."""

from summaries import groups, leaking, leaks, summary, table

from thunder.scoring import Scored, measure
from thunder.text.spans import Span

GOLD = (Span(0, 3, "내국인이름"), Span(10, 14, "은행"))


def scored(*predicted: Span) -> Scored:
    return Scored(40, GOLD, predicted)


def test_a_mention_leaks_where_a_character_stays_readable():
    document = scored(Span(0, 3, "내국인이름"), Span(10, 13, "은행"), Span(20, 22, "식당"))
    assert leaking(document) == [GOLD[1]]


def test_tables_are_markdown():
    report = measure([scored(Span(0, 3, "내국인이름"))])
    assert table(("a", "b"), [["x", 0.5], ["y", 1234]]) == (
        "| a | b |\n| --- | ---: |\n| x | 0.5000 |\n| y | 1,234 |"
    )
    assert "| all | 1.0000 | 0.4286 | 0.6000 |" in summary({"all": report})
    assert "| 은행 | 0.0000 | – | 0.0000 |" in groups(report)
    assert leaks(report).splitlines()[-1] == "| 은행 | 1 | 1 | 4 |"
