"""Tables as they come: a row that does not fit is held back, all beside the text stays."""

import io
import json
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.documents.records import METADATA, Reading

from .test_documents import NAME, parquet, passed, write

HELD = "따옴표"  # what the advice for a row that does not fit speaks of


def held_rows(tmp_path, content, *, name="a.csv", reading=None):
    """Return the rows that pass with their texts, and those held back; nothing is said of words."""
    out, records, failures = passed(write(tmp_path, name, content), reading=reading)
    assert all("도윤" not in str(failure) + failure.id for failure in failures)
    assert all(HELD in failure.advice for failure in failures)
    return out, [(r.row, r.text) for r in records], [f.row for f in failures]


# --- CSV: a row that does not fit its header --------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "passes", "held"),
    [
        ("a.csv", "id,text\n1,김도윤은 웃었다, 이현에게\n2,나\n", [(3, "나")], [2]),
        ("a.csv", "text,id\n김도윤은, 웃었다,1\n나,2\n", [(3, "나")], [2]),
        ("a.tsv", "id\ttext\n1\t김도윤\t이현\n2\t나\n", [(3, "나")], [2]),
        ("a.csv", "id;text\n1;김도윤; 이현\n2;나, 다\n", [(3, "나, 다")], [2]),
        ("a.csv", "text\n김도윤은 웃었다, 이현에게\n나\n", [(3, "나")], [2]),
        ("a.csv", "id,text,note\n김도윤은 웃었다,비고\n2,나,\n", [(3, "나")], [2]),  # no id
        ("a.csv", "id,text\n1,나,\n", [], [2]),
        ("a.csv", "id,text,\n1,김도윤은 웃었다, 이현에게\n2,나,\n", [(3, "나")], [2]),
        ("a.csv", 'id,text,"",\n1,김도윤은 웃었다,,이현에게\n2,나,, \n', [(3, "나")], [2]),
        ("a.csv", ",text\n0,나\n", [(2, "나")], []),  # a number that a program put before
        ("a.csv", "id,text\n1\n2,나\n", [(3, "나")], [2]),
        ("a.csv", 'id,text\n1,그는 "아니, 김도윤"이라 했다\n2,나\n', [(3, "나")], [2]),
        # The quote of row 2 closes where row 3's should open: one cell would swallow both.
        ("a.csv", 'id,text\n1,"김도윤은\n2,"이현은"\n3,나\n', [(3, "나")], [2]),
        ("a.csv", 'id,text\n1,"김도윤"은 갔다\n2,나\n', [(3, "나")], [2]),
        ("a.csv", 'text,note\n나,"김도윤" 이라\n다,\n', [(3, "다")], [2]),
    ],
)
def test_a_row_that_does_not_fit_its_header_is_held_back(tmp_path, name, content, passes, held):
    out, found, failed = held_rows(tmp_path, content, name=name)
    assert (found, failed) == (passes, held)
    assert "도윤".encode() not in out


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('id,text\n1,"가\n나, ""다"""\n', ['가\n나, "다"']),
        ('\ufeff"id","text"\n"1","홍길동"\n', [NAME]),
        ("id,text,\n1,홍길동,\n", [NAME]),
        (",text,\nx,홍길동,\n", [NAME]),
        ("a,text,a\nx,홍길동,y\n", [NAME]),
        ('id,text\n1,"홍길동" \n', [NAME]),
        ('id,text\n1,"홍길동"', [NAME]),
        (f"id,text\n1,홍\0길동{'가' * 300}\n2,홍길동\n", [f"홍\0길동{'가' * 300}", NAME]),
        ("id,text\r1,홍길동\r2,나\r", [NAME, "나"]),
        ('"i\nd",text\n1,홍길동\n', [NAME]),
        ("id,text\n1,홍길동\n\n", [NAME]),
    ],
)
def test_an_odd_table_comes_back_byte_for_byte_but_for_the_text(tmp_path, content, texts):
    out, records, failures = passed(write(tmp_path, "a.csv", content))
    assert (failures, [record.text for record in records]) == ([], texts)
    assert out.decode() == content.replace(NAME, "A").removesuffix("\n\n") + (
        "\n" if content.endswith("\n\n") else ""
    )


def test_columns_of_one_name_or_none_are_told_apart(tmp_path):
    _, [record], _ = passed(write(tmp_path, "a.csv", ",a,text,a\n하나,둘,나,셋\n"))
    assert record.others() == {"(1번째)": "하나", "a": "둘", "a(4번째)": "셋"}


def test_an_endless_header_ends_the_reading_not_the_memory(tmp_path):
    path = write(tmp_path, "a.csv", 'id,"text\n' + "가,나\n" * 1_000_000)
    _, records, [failure] = passed(path, reading=Reading(max_characters=10))
    assert (records, failure.row) == ([], 0)


WORDS = st.text(st.sampled_from('ab",\t ;\n 가홍길동'), max_size=9)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=6))
def test_of_any_table_every_row_passes_with_its_other_cells_or_is_held_back(tmp_path_factory, rows):
    raw = "id,text,note\n" + "\n".join(",".join(cells) for cells in rows)
    out, records, failures = passed(write(tmp_path_factory.getbasetemp(), "t.csv", raw))
    kept = out.decode().removeprefix("id,text,note\n")
    for record in records:
        line, start, end = record.rest
        assert line[:start] in kept
        assert line[end:] in kept
        assert set(record.others()) == {"id", "note"}
        assert line.rstrip("\r\n").count(",") >= 2
    numbers = sorted([item.row for item in records] + [f.row for f in failures if f.row])
    assert len(set(numbers)) == len(numbers)


# --- JSON lines: values beside the text -------------------------------------------------------


@pytest.mark.parametrize("value", ["20230101", "1.10", "-0.0", "1e400", "NaN", "1" * 5000])
def test_a_number_for_a_text_is_held_back_not_written_as_a_string(tmp_path, value):
    out, records, [failure] = passed(write(tmp_path, "a.jsonl", f'{{"text": {value}}}'))
    assert (out, records) == (b"", [])
    assert "본문이 글이 아니라" in failure.reason


@pytest.mark.parametrize(
    "value",
    [
        *("7", "1.10", "-0.0", "1e400", "1E+5", "9" * 5000, "Infinity", "null"),
        *("[1.0, {}]", '{"a": 1, "a": 2}', r'"\u0041\/"', r'"\ud800"'),
    ],
)
def test_other_values_of_a_line_come_back_as_they_were_written(tmp_path, value):
    line = f'{{"id": {value},  "text": "홍길동", "b" : {value} }}'
    out, [record], failures = passed(write(tmp_path, "a.jsonl", line))
    assert failures == []
    assert out.decode().partition(', "entities"')[0] == line.replace(NAME, "A")[:-1]
    record.others()


def test_the_text_cannot_stand_where_the_changes_are_listed(tmp_path):
    reading = Reading(text_column="entities")
    table = pa.table({"entities": [NAME]})
    for path in (
        write(tmp_path, "a.jsonl", '{"entities": "홍길동"}'),
        parquet(tmp_path / "a.parquet", table),
    ):
        _, records, [failure] = passed(path, reading=reading)
        assert (records, "가린 곳을 적는" in failure.reason) == ([], True)


# --- Parquet: whatever stands beside the text -------------------------------------------------


def no_utf8(kind=None) -> pa.Array:
    offsets = pa.array([0, 2, 2], pa.int32()).buffers()[1]
    kind = kind or pa.string()
    return pa.Array.from_buffers(kind, 2, [None, offsets, pa.py_buffer(b"\xffa")])


BESIDE = {
    "nanoseconds": pa.array([10**18 + 1, None], pa.timestamp("ns")),
    "nanoseconds of Seoul": pa.array([10**18 + 1, 5], pa.timestamp("ns", "Asia/Seoul")),
    "far dates": pa.array([2**31 - 1, -(2**31)], pa.date32()),
    "far times": pa.array([2**62, 0], pa.timestamp("us")),
    "durations": pa.array([2**62, None], pa.duration("ns")),
    "times of day": pa.array([1, 2], pa.time64("ns")),
    "bytes": pa.array([b"\xff\x00", None]),
    "fixed bytes": pa.array([b"\xff\x00", None], pa.binary(2)),
    "strings that are no UTF-8": no_utf8(),
    "decimals": pa.array([Decimal("1.10"), None], pa.decimal128(38, 2)),
    "half floats": pa.array([1.5, None], pa.float16()),
    "negative zero": pa.array([-0.0, float("inf")]),
    "big integers": pa.array([2**64 - 1, None], pa.uint64()),
    "booleans": pa.array([True, None]),
    "nulls": pa.nulls(2),
    "lists": pa.array([[["x", None]], None]),
    "structs": pa.array([{"a": {"b": [1]}}, {"a": None}]),
    "maps": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int32())),
    "fixed lists": pa.array([[1, 2], [3, 4]], pa.list_(pa.int8(), 2)),
    "dictionary": pa.array(["x", None]).dictionary_encode(),
    "small dictionary": pa.array(["x", "y"])
    .dictionary_encode()
    .cast(pa.dictionary(pa.int8(), pa.string(), ordered=True)),
    "dictionary of bytes": pa.array([b"\xff", None]).dictionary_encode(),
    "string views": pa.array(["x", "a string over twelve bytes"], pa.string_view()),
    "nanoseconds in structs": pa.StructArray.from_arrays(
        [pa.array([1, 2], pa.timestamp("ns")), no_utf8()], names=["a", "a"]
    ),
}


@pytest.mark.parametrize("role", ["note", "id"])
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_any_column_beside_the_text_is_passed_on_as_it_is(tmp_path, beside, role):
    table = pa.table({role: beside, "text": [f"피고인 {NAME}", f"{NAME}은"]})
    path = parquet(tmp_path / "a.parquet", table)
    there = pq.read_table(path)
    out, records, failures = passed(path)
    back = pq.read_table(io.BytesIO(out))
    assert failures == []
    assert back.schema.remove(2) == there.schema
    assert back[role].equals(there[role])
    assert back["text"].to_pylist() == ["피고인 A", "A은"]
    for record in records:
        assert set(record.others()) == {role}


def test_words_beside_the_text_are_read_wherever_they_stand(tmp_path):
    table = pa.table(
        {
            "text": [NAME],
            "list": [[{"deep": [f"증인 {NAME}"]}]],
            "bytes": [NAME.encode()],
            "number": [9001011234567],
            "coded": pa.array([NAME]).dictionary_encode(),
        }
    )
    _, [record], _ = passed(parquet(tmp_path / "a.parquet", table))
    others = record.others()
    assert others.pop("number") == "9001011234567"
    assert all(NAME in cell for cell in others.values())
    assert set(others) == {"list", "bytes", "coded"}


KINDS = [pa.string(), pa.large_string(), pa.string_view()]
KINDS += [pa.dictionary(pa.int8(), pa.string(), ordered=True)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_text_of_any_kind_of_string_keeps_its_kind(tmp_path, kind):
    texts = [f"{number} {NAME}" for number in range(100)]
    plain = pa.array(texts)
    column = plain.dictionary_encode().cast(kind) if "dict" in str(kind) else plain.cast(kind)
    out, _, failures = passed(parquet(tmp_path / "a.parquet", pa.table({"text": column})))
    back = pq.read_table(io.BytesIO(out))
    assert (failures, back.schema.field("text").type) == ([], kind)
    assert back["text"].to_pylist() == [text.replace(NAME, "A") for text in texts]


def test_a_text_that_is_no_utf8_is_held_back_alone(tmp_path):
    table = pa.table({"text": pa.chunked_array([no_utf8(), pa.array([NAME])])})
    out, [record], failures = passed(parquet(tmp_path / "a.parquet", table))
    assert [failure.row for failure in failures] == [1, 2]
    assert "1번째 바이트가 UTF-8이 아닙니다" in failures[0].reason
    assert (record.row, pq.read_table(io.BytesIO(out))["text"].to_pylist()) == (3, ["A"])


def test_row_groups_and_columns_of_one_name_are_kept(tmp_path):
    columns = [pa.array(range(700)), pa.array([NAME] * 700), pa.array(["x"] * 700)]
    schema = pa.schema(
        [
            pa.field("a", pa.int64(), nullable=False, metadata={"of": "the field"}),
            pa.field("text", pa.string()),
            pa.field("a", pa.string()),
        ],
        metadata={"of": "the file"},
    )
    table = pa.Table.from_arrays(columns, schema=schema)
    out, records, failures = passed(
        parquet(tmp_path / "a.parquet", table, row_group_size=300, compression="zstd")
    )
    file = pq.ParquetFile(io.BytesIO(out))
    metadata = file.metadata
    assert [metadata.row_group(at).num_rows for at in range(3)] == [300, 300, 100]
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    assert file.schema_arrow.remove(3).equals(schema, check_metadata=True)
    assert file.read().column(0).equals(table.column(0))
    assert file.read().column(2).equals(table.column(2))
    others = records[0].others()
    assert others == {"a": "0", "a(3번째)": "x", METADATA: "of\nthe file\nof\nthe field"}
    assert failures == []


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (pa.table({"text": pa.array([], pa.string())}), "문서가 하나도 없습니다"),
        (pa.Table.from_arrays([pa.array(["x"])] * 2, names=["text", "text"]), "열이 여러 개"),
        (pa.table({"text": [b"x"]}), "글이 아닙니다"),
        (pa.table({"text": [["x"]]}), "글이 아닙니다"),
        (pa.table({"text": [1]}), "글이 아닙니다"),
    ],
)
def test_a_parquet_file_that_is_no_table_of_texts_is_named(tmp_path, table, reason):
    out, records, [failure] = passed(parquet(tmp_path / "a.parquet", table))
    assert (out, records, failure.row, reason in failure.reason) == (b"", [], 0, True)


def test_parquet_without_its_extra_is_named_with_the_cure(tmp_path, monkeypatch):
    path = parquet(tmp_path / "a.parquet", pa.table({"text": ["나"]}))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    out, records, [failure] = passed(path)
    assert (out, records, "pyarrow" in failure.reason) == (b"", [], True)
    assert failure.advice == "pip install 'thunder-deid[parquet]'"


def test_a_file_that_breaks_its_reader_fails_alone(tmp_path, monkeypatch):
    def breaks(self):
        raise NotImplementedError(f"cannot read {NAME}")
        yield

    monkeypatch.setattr("thunder.documents.parquet.ParquetTable.read", breaks)
    _, _, [failure] = passed(parquet(tmp_path / "a.parquet", pa.table({"text": [NAME]})))
    assert "NotImplementedError" in failure.reason
    assert NAME not in json.dumps([failure.reason, failure.advice], ensure_ascii=False)


def test_a_row_that_is_held_back_leaves_none_of_its_words_in_a_dictionary(tmp_path):
    kind = pa.dictionary(pa.int8(), pa.string(), ordered=True)
    words, rows = pa.array(["하", "중", "김도윤", "상"]), pa.array([3, 2, None, 0], pa.int8())
    grades = pa.DictionaryArray.from_arrays(rows, words, ordered=True)
    assert grades.type == kind
    table = pa.table({"text": ["가", None, "나", "다"], "grade": grades})
    path = parquet(tmp_path / "a.parquet", table)
    out, _, [failure] = passed(path)
    assert failure.row == 2
    assert "도윤".encode() not in out
    back = pq.read_table(io.BytesIO(out))
    assert back["grade"].to_pylist() == ["상", None, "하"]
    assert back.schema.field("grade") == pq.read_schema(path).field("grade")
