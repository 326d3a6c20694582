"""Verdicts of readers on what is masked beside the gold: kept by hash, and learnt from."""

import pytest

from thunder.scoring.documents import Gold
from thunder.scoring.verdicts import NAME, NOTHING, hash_of, parts_beside, read, write
from thunder.text.spans import Span

GOLD = Gold(
    "2020가합1", "", "라온이 다온과 서류를 보았다.", (Span(4, 6, "내국인이름"),), ("a",), ("",)
)


@pytest.mark.parametrize(
    ("masked", "parts"),
    [
        ((4, 6), []),
        ((0, 2), ["라온"]),
        ((0, 6), ["라온이"]),  # without the space at its end
        ((4, 10), ["과 서류"]),
        ((0, 10), ["라온이", "과 서류"]),
        ((15, 16), []),  # a mark alone
    ],
)
def test_parts_beside_the_gold(masked, parts):
    found = parts_beside(GOLD, [Span(*masked, "")])
    assert [GOLD.text[one.start : one.end] for one in found] == parts


def test_what_is_written_is_read_and_quotes_nobody(tmp_path):
    path = tmp_path / "read.tsv"
    key = GOLD.id, hash_of(GOLD, Span(0, 2, ""))
    write(path, {key: NAME, ("2020가합0", "0f"): NOTHING})
    assert read(path) == {key: NAME, ("2020가합0", "0f"): NOTHING}
    assert "라온" not in path.read_text("utf-8")


def test_spaces_do_not_count_but_the_judgment_does():
    other = Gold("2020가합2", "", "라 온", (), (), ())
    same = Gold("2020가합1", "", "라 온", (), (), ())
    assert hash_of(same, Span(0, 3, "")) == hash_of(GOLD, Span(0, 2, ""))
    assert hash_of(other, Span(0, 3, "")) != hash_of(GOLD, Span(0, 2, ""))


@pytest.mark.parametrize("line", ["2020가합1\t0f\tperhaps", "2020가합1\t\tname", "2020가합1"])
def test_a_line_that_is_no_verdict_is_refused_with_its_place(tmp_path, line):
    path = tmp_path / "read.tsv"
    path.write_text(f"judgment\twording\tverdict\n2020가합0\t0f\tname\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"read\.tsv:3: .*'name' or 'nothing'"):
        read(path)
