"""What stands around placeholders, as data: every example, what is refused and how."""

import pytest

from thunder.settings.yamlfile import YamlFileError
from thunder.training_data.placeholders import contexts
from thunder.training_data.placeholders.contexts import CONTEXTS, OMISSIONS

ROW = {"label": "353 은행", "weight": "7", "behind": '"~<account>"', "example": '"[A] 계좌"'}


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Return a writer of a table of one row, in the place of the shipped one."""

    def write(**changed):
        row = {key: value for key, value in {**ROW, **changed}.items() if value}
        lines = "\n    ".join(f"{key}: {value}" for key, value in row.items())
        path = tmp_path / f"{CONTEXTS}.yaml"
        path.write_text(f"rows:\n  - {lines}\n", "utf-8")
        return contexts.contexts(CONTEXTS)

    monkeypatch.setattr(contexts, "in_taxonomy", lambda _, name: tmp_path / name)
    contexts.contexts.cache_clear()
    yield write
    contexts.contexts.cache_clear()


def test_every_shipped_row_fits_its_example():
    assert len(contexts.contexts(CONTEXTS)) > 150
    assert [str(problem) for problem in contexts.failing()] == []


@pytest.mark.parametrize(
    ("sides", "left", "right", "speaks"),
    [
        ({}, "", " 계좌로", True),
        ({}, "", " 지점", False),
        ({"before": '"명의~"'}, "김새벽 명의 ", " 계좌", True),
        ({"before": '"명의~"'}, "김새벽의 ", " 계좌", False),
        ({"before": '"명의~"', "unless": '"차명의~"'}, "차명의 ", " 계좌", False),
        ({"near": '"송금|이체"'}, "", " 계좌로 이체하였다", True),
        ({"near": '"송금|이체"'}, "", " 계좌를 열었다", False),
        ({"behind": '"~계좌!(번호)"'}, "", " 계좌번호", False),
        ({"behind": '"~계좌&(로|에)"'}, "", " 계좌에", True),
    ],
)
def test_a_row_speaks_where_all_of_it_stands(table, sides, left, right, speaks):
    (row,) = table(**sides)
    assert row.vote == ("은행", 7.0)
    assert row.speaks(left, right) == speaks


@pytest.mark.parametrize(
    ("changed", "line", "says"),
    [
        ({"label": "은행"}, 2, "'은행' is no label: write its id and name, as in '353 은행'"),
        ({"label": "9999 은행"}, 2, "write its id and name"),
        ({"weight": "much"}, 3, "between 0 and 20"),
        ({"weight": ""}, 2, "weight"),
        ({"behind": '"~<accounts>"'}, 4, "is one of these meant: account"),
        ({"behind": '"~계좌!번호"'}, 4, "behind '!' stands"),
        ({"behind": ""}, 2, "a row says what stands there"),
        ({"example": '"A 계좌"'}, 5, "in square brackets"),
        ({"beside": "계좌"}, 6, "beside"),
    ],
)
def test_a_wrong_row_is_refused_with_file_line_and_cure(table, changed, line, says):
    with pytest.raises(YamlFileError) as raised:
        table(**changed)
    (problem, *_) = raised.value.problems
    assert (problem.path.name, problem.line) == (f"{CONTEXTS}.yaml", line)
    assert says in problem.message


def test_of_what_is_left_out_the_first_row_counts():
    assert next(contexts.said(OMISSIONS, "선박번호")) == "선박번호"
    assert next(contexts.said(OMISSIONS, "선박명")) == "선박명"
