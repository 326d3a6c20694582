"""Judgments in columns: pandas, Polars, datasets, and what they have in common."""

import pickle

import pytest

from thunder import Deidentifier
from thunder.integrations import columns

RULES = Deidentifier(model="none")
CASES = ["가", "나", "가", "나"]
TEXTS = [
    "피고인 김도윤은 자백하였다.",
    "피고인 서하린은 부인하였다.",
    "증인 한지우는 김도윤을 보았다.",
    None,
]
BY_ITSELF = [
    "피고인 A은 자백하였다.",
    "피고인 A은 부인하였다.",
    "증인 A는 B을 보았다.",
    None,
]
BY_CASE = [*BY_ITSELF[:2], "증인 B는 A을 보았다.", None]


def texts(cells):
    return [None if cell is None else cell.text for cell in cells]


# --- what they have in common ---------------------------------------------------------------------


@pytest.mark.parametrize(("cases", "expected"), [(None, BY_ITSELF), (CASES, BY_CASE)])
def test_one_person_has_one_letter_in_a_case(cases, expected):
    assert texts(columns.deidentify(TEXTS, deidentifier=RULES, cases=cases)) == expected


def test_a_cell_is_deidentified_as_its_text_by_itself():
    text = "피고인 김도윤\n서울 강남구 역삼동 648-23\n계좌(110-482-660153)\n"
    [cell] = columns.deidentify([text], deidentifier=RULES)
    result = RULES.deidentify(text)
    assert (cell.text, list(cell.entities)) == (result.text, result.entities)


@pytest.mark.parametrize("cases", [None, CASES])
def test_entities_are_places_of_the_cell(cases):
    cells = columns.deidentify(TEXTS, deidentifier=RULES, cases=cases)
    for text, cell in zip(TEXTS, cells, strict=True):
        for one in cell.entities if cell else ():
            assert text[one["start"] : one["end"]] in {"김도윤", "서하린", "한지우"}


def test_doubts_are_counted_in_the_cell_where_they_stand():
    cells = columns.deidentify(
        ["피고인 김도윤을 벌금에 처한다.", "검사 김도윤"], deidentifier=RULES, cases=[1, 1]
    )
    assert [cell.doubts for cell in cells] == [0, 1]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_cell_stays_missing(missing):
    assert columns.deidentify([missing, ""], deidentifier=RULES)[0] is None


@pytest.mark.parametrize(
    ("given", "cases", "error", "said"),
    [
        ([TEXTS[0], 7], None, TypeError, "row 1: the cell is no text but int"),
        (TEXTS, ["가"], ValueError, "1 names of cases for 4 texts"),
        (TEXTS, ["가", None, "가", "나"], ValueError, "row 1: the case it belongs to is missing"),
    ],
)
def test_what_is_wrong_is_named_by_its_row(given, cases, error, said):
    with pytest.raises(error, match=said):
        columns.deidentify(given, deidentifier=RULES, cases=cases)


def test_a_cell_shows_no_word_of_the_judgment():
    assert "자백" not in repr(columns.deidentify(TEXTS[:1], deidentifier=RULES))


# --- pandas ---------------------------------------------------------------------------------------


@pytest.fixture
def pandas():
    pandas = pytest.importorskip("pandas", reason="needs pip install '.[pandas]'")
    import thunder.integrations.pandas  # noqa: F401

    return pandas


def test_a_series_keeps_index_name_and_missing_cells(pandas):
    series = pandas.Series(TEXTS, index=list("dcba"), name="text")
    new = series.thunder.deidentify(RULES, cases=CASES)
    assert new.tolist()[:3] == BY_CASE[:3]
    assert new.isna().tolist() == [False, False, False, True]
    assert (new.index.tolist(), new.name, new.dtype) == (list("dcba"), "text", series.dtype)
    assert series.tolist()[:3] == TEXTS[:3]


def test_a_frame_keeps_its_other_columns(pandas):
    frame = pandas.DataFrame({"n": [1, 2, 3, 4], "case": CASES, "text": TEXTS}, index=[5, 5, 6, 6])
    new = frame.thunder.deidentify("text", RULES, cases="case", doubts="doubts")
    assert new["text"].tolist()[:3] == BY_CASE[:3]
    assert new[["n", "case"]].equals(frame[["n", "case"]])
    assert new["doubts"].tolist() == [0, 0, 0, 0]
    assert new.index.equals(frame.index)


@pytest.mark.parametrize("beside", ["김도윤", "김 도 윤", "kim %EA%B9%80%EB%8F%84%EC%9C%A4"])
def test_what_was_masked_may_not_stand_beside(pandas, beside):
    frame = pandas.DataFrame({"party": ["이름", beside], "text": [TEXTS[1], TEXTS[0]]})
    with pytest.raises(ValueError, match=r"row 1: .* column 'party'") as error:
        frame.thunder.deidentify("text", RULES)
    assert "김" not in str(error.value)
    new = frame.thunder.deidentify("text", RULES, residue="stays")
    assert new["text"].tolist() == [BY_ITSELF[1], BY_ITSELF[0]]


@pytest.mark.parametrize(
    ("column", "options", "error"),
    [
        ("no-such", {}, KeyError),
        ("text", {"cases": "no-such"}, KeyError),
        ("text", {"doubts": "case"}, ValueError),
        ("text", {"residue": "ignore"}, ValueError),
    ],
)
def test_a_frame_says_what_is_wrong(pandas, column, options, error):
    frame = pandas.DataFrame({"case": CASES, "text": TEXTS})
    with pytest.raises(error):
        frame.thunder.deidentify(column, RULES, **options)


# --- Polars ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cases", "expected"), [(None, BY_ITSELF), ("case", BY_CASE)])
@pytest.mark.parametrize("lazy", [False, True])
def test_an_expression_of_polars(cases, expected, lazy):
    polars = pytest.importorskip("polars", reason="needs pip install '.[polars]'")
    from thunder.integrations.polars import deidentify

    frame = polars.DataFrame({"case": CASES, "n": [1, 2, 3, 4], "text": TEXTS})
    if lazy:
        new = frame.lazy().with_columns(deidentify("text", RULES, cases=cases)).collect()
    else:
        new = frame.with_columns(deidentify("text", RULES, cases=cases))
    assert new["text"].to_list() == expected
    assert new.drop("text").equals(frame.drop("text"))


# --- datasets -------------------------------------------------------------------------------------


@pytest.fixture
def datasets():
    datasets = pytest.importorskip("datasets", reason="needs pip install '.[datasets]'")
    datasets.disable_progress_bars()
    return datasets


@pytest.mark.parametrize(("cases", "expected"), [(None, BY_ITSELF), ("case", BY_CASE)])
def test_a_function_for_map(datasets, cases, expected):
    from thunder.integrations.datasets import deidentify

    data = datasets.Dataset.from_dict({"case": CASES, "text": TEXTS})
    masks = deidentify("text", RULES, cases=cases, doubts="doubts")
    new = data.map(masks, batched=True, batch_size=None)
    assert new["text"][:] == expected
    assert new["case"][:] == CASES
    assert new["doubts"][:] == [0, 0, 0, 0]  # each mask is likely, by the card of the rules


def test_a_deidentifier_is_sent_to_the_processes_of_map():
    assert pickle.loads(pickle.dumps(RULES)).deidentify(TEXTS[0]).text == BY_ITSELF[0]
