"""Files in and out: nothing outside the masked words changes, and bad files are named."""

import csv
import io
import json
import os
import re
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thunder.bulk.outputs import Refused, aside, plan, require_free
from thunder.documents.encoding import Unreadable, decode
from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import Listing, Opened, Source, list_sources, read_all
from thunder.masking.records import Deidentified
from thunder.text.spans import Span, replace_spans

NAME = "홍길동"
LINES = "판  결\n피고인 홍길동은 🙂 '갔다'.\n\n증인 홍길동(洪吉東)\n"


def mask(text: str) -> Deidentified:
    spans = [
        Span(at, at + 3, "내국인이름", 0.9, "names:person")
        for at in range(len(text))
        if text.startswith(NAME, at)
    ]
    new_text, changes = replace_spans(text, spans, lambda _: "A")
    return Deidentified("", text, new_text, tuple(changes))


def passed(path: Path, *, reading: Reading | None = None, format: str = ""):
    """Return the bytes that come out of a file, its records, and its failures."""
    out, records, failures = io.BytesIO(), [], []
    with ExitStack() as stack:
        write = None
        for item in read_all(list_sources([path], format=format).sources, reading or Reading()):
            if isinstance(item, Opened):
                document = item.document
            elif isinstance(item, Failure):
                failures.append(item)
            elif isinstance(item, Record):
                write = write or stack.enter_context(document.writing(out))
                write(item, mask(item.text))
                records.append(item)
    return out.getvalue(), records, failures


def write(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# --- text -------------------------------------------------------------------------------------

ENCODINGS = [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe")]
ENCODINGS += [("utf-16-be", b"\xfe\xff"), ("cp949", b"")]


@pytest.mark.parametrize(("codec", "mark"), ENCODINGS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_text_comes_back_in_its_own_encoding_and_line_ends(tmp_path, codec, mark, newline):
    text = LINES.replace("🙂", "…").replace("\n", newline)
    raw = mark + text.encode(codec)
    out, [record], failures = passed(write(tmp_path, "판결.txt", raw))
    assert (record.text, failures) == (text, [])
    assert out == mark + text.replace(NAME, "A").encode(codec)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_any_text_without_names_comes_back_byte_for_byte(tmp_path_factory, text):
    raw = text.encode()
    path = write(tmp_path_factory.getbasetemp(), "any.md", raw)
    out, _, failures = passed(path)
    binary = b"\0" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff") or bool(failures)
    assert binary or out == raw


def test_a_replacement_that_the_encoding_lacks_is_refused_without_naming_it():
    with pytest.raises(Unreadable) as error:
        decode("홍길동".encode("cp949"))[1].encode("🙂")
    assert "1번째 글자를 CP949로" in str(error.value)
    assert "🙂" not in str(error.value)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"%PDF-1.7 ...", "PDF 파일입니다: 파일이 손상되었습니다"),
        (b"PK\x03\x04....mimetypeapplication/hwp+zip", "깨진 ZIP(HWPX, DOCX …) 파일입니다"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "복합 파일입니다"),
        (b"\0\1\2" * 50, "글이 아닌 파일입니다"),
        (b"text " * 50 + b"\0" * 20, "NUL"),
        ("피고인 홍길동".encode("utf-16-le"), "BOM이 없는 UTF-16"),
        ("피고인 홍길동".encode("utf-16-be"), "BOM이 없는 UTF-16"),
        (
            "피고인 홍길동은 서울에 산다.".encode() + b"\xed",
            "UTF-8 글이 17번째 글자에서 깨졌습니다",
        ),
        (b"caf\xe9 cr\xe8me", "인코딩을 알 수 없습니다"),
        ("これは日本語の文章です。".encode("shift-jis"), "인코딩을 알 수 없습니다"),
        (b"", "본문이 비어 있습니다"),
        (b" \r\n\t", "본문이 비어 있습니다"),
        (b"\xff\xfe\x00\xd8", "utf-16-le".upper()),
    ],
)
def test_what_is_no_text_is_named(tmp_path, raw, reason):
    out, records, [failure] = passed(write(tmp_path, "a.txt", raw))
    assert reason in failure.reason
    assert failure.advice
    assert (out, records, failure.file, failure.row) == (b"", [], "a.txt", 0)


def test_a_text_over_the_limit_is_named_with_its_length(tmp_path):
    path = write(tmp_path, "a.txt", "가" * 11)
    _, _, [failure] = passed(path, reading=Reading(max_characters=10))
    assert "11자로 한도 10자를" in failure.reason
    _, _, [failure] = passed(write(tmp_path, "b.txt", "가" * 99), reading=Reading(max_characters=9))
    assert "한도 9자를" in failure.reason


# --- JSON lines -------------------------------------------------------------------------------


def test_jsonl_keeps_every_byte_but_the_texts(tmp_path):
    line = '{ "n":1.10,"big":12345678901234567890123, "text" :"피고인 \\ud64d길동","e":1E5'
    line += ', "s":"\\ud800"}'
    raw = ("\ufeff" + line + "\r\n\r\n" + '{"text":"홍길동 \\n 🙂"}').encode()
    out, records, failures = passed(write(tmp_path, "a.jsonl", raw))
    assert failures == []
    first, second = out.decode().split("\r\n")
    kept, _, entities = first.partition(', "entities": ')
    assert kept == "\ufeff" + line.replace("\\ud64d길동", "A").removesuffix("}")
    assert json.loads(entities.removesuffix("}")) == [
        {
            "start": 4,
            "end": 7,
            "label": "내국인이름",
            "replacement": "A",
            "score": 0.9,
            "source": "names:person",
        }
    ]
    assert json.loads(second)["text"] == "A \n 🙂"
    assert [record.row for record in records] == [1, 3]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), st.booleans(), st.booleans())
def test_jsonl_passes_any_object_on_with_the_same_keys_in_order(
    tmp_path_factory, members, is_ascii, is_wide
):
    members = {**members, "text": f"{NAME}은"}
    line = json.dumps(members, ensure_ascii=is_ascii)
    if is_wide and not set("".join(line.split('"')[1::2])) & set(":{}\\"):
        line = line.replace(": ", " :\t").replace("{", "{ ").replace("}", "\t}")
    raw = line.encode("utf-8", "surrogatepass")
    path = write(tmp_path_factory.getbasetemp(), "any.jsonl", raw)
    out, _, failures = passed(path)
    if failures:
        assert b"\xed" in raw  # a lone surrogate that is no UTF-8
        return
    found = json.loads(out)
    expected = {**json.loads(line), "text": "A은"}
    entities = found.pop("entities")
    expected.pop("entities", None)
    assert found == expected
    assert [key for key in found] == [key for key in expected]
    assert [entity["start"] for entity in entities] == [0]


def test_entities_of_the_input_are_written_anew(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"entities":["홍길동"],"text":"홍길동"}')
    out, _, _ = passed(path)
    assert NAME not in out.decode()
    assert list(json.loads(out)) == ["entities", "text"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nope", "JSON이 아닙니다(1번째 글자)"),
        ('{"text": "홍길동"', "JSON이 아닙니다"),
        ('{"text": "홍길동",}', "JSON이 아닙니다"),
        ('{"text": "홍길동"} {}', "JSON이 아닙니다"),
        ("[" * 100_000, "JSON이 아닙니다"),
        ('["홍길동"]', "JSON 객체가 아닙니다"),
        ('{"body": "홍길동"}', "'text' 키가 없습니다"),
        ('{"text": null}', "본문이 없습니다"),
        ('{"text": ["홍길동"]}', "글이 아니라 list"),
        ('{"text": ""}', "비어 있습니다"),
        ('{"text": "a\\ud800b"}', "2번째 글자가 깨졌습니다(U+D800)"),
        ('{"text": "홍길동", "text": "x"}', "같은 키가 두 번"),
        (b'{"text": "\xff"}', "11번째 바이트가 UTF-8이 아닙니다"),
        ('{"text": "' + "가" * 101 + '"}', "한도 100자"),
        ('{"text": "' + "가" * 500_000 + '"}', "바이트로 너무 깁니다"),
    ],
)
def test_a_bad_row_is_named_and_left_out_and_the_others_pass(tmp_path, line, reason):
    line = line if isinstance(line, bytes) else line.encode()
    good = '{"id": 7, "text": "좋은 홍길동"}\n'.encode()
    path = write(tmp_path, "a.jsonl", good + line + b"\n" + good)
    out, records, [failure] = passed(path, reading=Reading(max_characters=100))
    assert reason in failure.reason
    assert NAME not in str(failure)
    assert str(failure).startswith("a.jsonl:2: ")
    assert [(record.row, record.id) for record in records] == [(1, "7"), (3, "7")]
    assert out.count(b"\n") == 2


def test_a_binary_or_utf16_jsonl_fails_as_a_file(tmp_path):
    for raw, reason in [(b"PK\x03\x04..", "ZIP"), ("{}".encode("utf-16"), "UTF-16")]:
        _, _, [failure] = passed(write(tmp_path, "a.jsonl", raw))
        assert reason in failure.reason


# --- CSV --------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("codec", "mark"), ENCODINGS)
def test_csv_keeps_every_byte_of_the_other_cells(tmp_path, delimiter, newline, codec, mark):
    rows = ["id,text,note", '1,"가, ""홍길동""\r\n나", spaced ', "2,홍길동,", '3,"홍길동",01.50']
    content = newline.join(row.replace(",", delimiter) for row in rows)
    out, records, failures = passed(write(tmp_path, "a.csv", mark + content.encode(codec)))
    assert failures == []
    assert out == mark + content.replace(NAME, "A").encode(codec)
    assert [record.text for record in records] == [f'가{delimiter} "홍길동"\r\n나', NAME, NAME]
    assert [(record.row, record.id) for record in records] == [(2, "1"), (3, "2"), (4, "3")]


CELL = st.text(st.sampled_from("ab\"',;\t\r\n 가힣"), max_size=8)


@given(
    st.lists(st.tuples(CELL, CELL.map(lambda cell: NAME + cell), CELL), min_size=1, max_size=5),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\r\n", "\n"]),
)
def test_csv_reads_and_writes_as_the_csv_module_does(
    tmp_path_factory, rows, delimiter, quoting, newline
):
    # The module leaves a lone \r unquoted where rows end in \n, and cannot read it back itself.
    assume(quoting == csv.QUOTE_ALL or not any("\r" in cell for row in rows for cell in row))
    held = io.StringIO(newline="")
    options = {"delimiter": delimiter, "quoting": quoting, "lineterminator": newline}
    csv.writer(held, **options).writerows([("id", "text", "note"), *rows])
    path = write(tmp_path_factory.getbasetemp(), "any.csv", held.getvalue())
    out, records, failures = passed(path)
    assert failures == []
    assert [record.text for record in records] == [text for _, text, _ in rows]
    back = list(csv.reader(io.StringIO(out.decode(), newline=""), delimiter=delimiter))
    assert back[1:] == [[first, text.replace(NAME, "A"), last] for first, text, last in rows]


@pytest.mark.parametrize(
    ("content", "row", "reason", "advice"),
    [
        ("id,body\n1,가\n", 0, "'text' 열이 없습니다", "열 2개 가운데 본문의 이름을 --text-column"),
        ("홍길동,010-1234-5678\n", 0, "'text' 열이 없습니다", "그 위에 열 이름을"),
        ("text,text\n가,나\n", 0, "'text' 열이 여러 개", ""),
        ("\n", 0, "첫 줄이 없습니다", ""),
        ("id,text\n1\n", 2, "칸이 1개로 첫 줄의 열 2개와 맞지 않습니다", "따옴표로 묶고"),
        ("id\ttext\n1\t가\t나\n", 2, "칸이 3개로", "탭 또는 따옴표가 든 칸은"),
        ("id,text\n1,\n", 2, "비어 있습니다", ""),
        ('id,text\n1,"열린 홍길동\n2,나\n', 2, "따옴표가 닫히지 않았습니다: 이 행부터", ""),
        ("id,text\n", 0, "문서가 하나도 없습니다", ""),
        ("", 0, "첫 줄이 없습니다", ""),
    ],
)
def test_a_bad_table_is_named(tmp_path, content, row, reason, advice):
    _, _, [failure] = passed(write(tmp_path, "a.csv", content))
    assert (failure.row, reason in failure.reason, advice in failure.advice) == (row, True, True)
    assert NAME not in str(failure)


def test_an_endless_row_ends_the_reading_not_the_memory(tmp_path):
    raw = "text\n가\n" + '"' + "가\n" * 600_000
    _, records, [failure] = passed(
        write(tmp_path, "a.csv", raw), reading=Reading(max_characters=10)
    )
    assert (len(records), failure.row) == (1, 3)
    assert "너무 깁니다: 이 행부터" in failure.reason


# --- Parquet ----------------------------------------------------------------------------------


def parquet(path: Path, table: pa.Table, **options) -> Path:
    pq.write_table(table, path, **options)
    return path


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
)
def test_parquet_copies_the_other_columns_and_keeps_the_schema(tmp_path, kind):
    texts = [f"피고인 {NAME}은 {number}" for number in range(600)]
    texts[3] = None
    table = pa.table(
        {
            "id": pa.array(range(600), pa.int64()),
            "text": pa.array(texts, pa.string()).cast(kind),
            "list": pa.array([[1.5, None], []] * 300),
        }
    ).replace_schema_metadata({"made": "by hand"})
    out, records, [failure] = passed(parquet(tmp_path / "a.parquet", table, row_group_size=100))
    back = pq.read_table(io.BytesIO(out))
    rest = table.take([at for at in range(600) if at != 3])
    assert back.schema.remove(3) == table.schema
    assert back.schema.metadata[b"made"] == b"by hand"
    assert back.select(["id", "list"]).equals(rest.select(["id", "list"]))
    assert back["text"].to_pylist() == [t.replace(NAME, "A") for t in texts if t]
    assert back["entities"].to_pylist()[0][0]["start"] == 4
    assert (failure.row, records[-1].row, records[-1].id) == (4, 600, "599")


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_broken_parquet_file_is_named(tmp_path, share):
    path = parquet(tmp_path / "a.parquet", pa.table({"text": [NAME * 1000]}))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    _, records, [failure] = passed(path)
    assert "깨진 Parquet 파일입니다" in failure.reason
    assert records == []


def test_parquet_that_breaks_off_keeps_the_rows_before(tmp_path):
    texts = [f"{number} {NAME}" * 500 for number in range(1000)]
    table = pa.table({"text": texts})
    path = parquet(tmp_path / "a.parquet", table, row_group_size=256, compression="none")
    raw = bytearray(path.read_bytes())
    third = pq.ParquetFile(path).metadata.row_group(2).column(0)
    start = third.dictionary_page_offset or third.data_page_offset
    raw[start : start + 200] = b"\xff" * 200
    path.write_bytes(raw)
    _, records, [failure] = passed(path)
    assert (len(records), failure.row) == (512, 513)
    assert "이 행부터" in failure.reason


def test_a_parquet_file_without_a_text_column_names_its_columns(tmp_path):
    path = parquet(tmp_path / "a.parquet", pa.table({"id": [1], "body": ["가"]}))
    _, _, [failure] = passed(path)
    assert "있는 열(id, body)" in failure.advice
    _, _, [failure] = passed(path, reading=Reading(text_column="id"))
    assert "글이 아닙니다" in failure.reason


@pytest.mark.parametrize("first", ["강도윤,김나래", "강 산;서울", "Kim Doyun\tLee", "강도윤"])
def test_the_cells_of_a_table_without_a_header_are_never_said(tmp_path, first):
    _, _, [failure] = passed(write(tmp_path, "a.csv", f"{first}\n둘째,줄\n"))
    assert not any(word in str(failure) for word in re.split("[,;\t]", first))


# --- files and folders ------------------------------------------------------------------------


def test_folders_are_listed_by_name_and_what_is_passed_over_is_counted(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ["b/2.TXT", "b/1.md", "a.jsonl", ".hidden.txt", "scan.tif", "x.rtf", "README"]:
        write(tmp_path, name, "가")
    os.mkfifo(tmp_path / "pipe.txt")
    listing = list_sources([tmp_path])
    names = [(source.name, source.format) for source in listing.sources]
    assert names == [("a.jsonl", "jsonl"), ("b/1.md", "md"), ("b/2.TXT", "txt")]
    counts = {"숨은 파일": 2, ".tif": 1, ".rtf": 1, "확장자 없음": 1, "특수 파일": 1}
    assert listing.skipped == counts
    assert listing.failures == []


def test_a_loop_of_links_and_a_dead_link_are_named(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "dead.txt").symlink_to(tmp_path / "nowhere.txt")
    write(tmp_path, "a.txt", "가")
    listing = list_sources([tmp_path])
    assert [source.name for source in listing.sources] == ["a.txt"]
    named = {failure.file: failure.reason for failure in listing.failures}
    assert "사라졌습니다" in named["dead.txt"]
    assert "돌아오는 링크" in named["sub/up"]


def test_an_unreadable_or_vanished_file_is_named_and_the_next_is_read(tmp_path, monkeypatch):
    sources = [Source(write(tmp_path, f"{n}.txt", "가"), f"{n}.txt", "txt") for n in "abc"]
    (tmp_path / "a.txt").unlink()
    whole_open = Path.open

    def guarded(path, *args, **options):
        if path.name == "b.txt":
            raise PermissionError(13, "denied")
        return whole_open(path, *args, **options)

    monkeypatch.setattr(Path, "open", guarded)
    items = list(read_all(sources, Reading()))
    reasons = [item.reason for item in items if isinstance(item, Failure)]
    assert reasons == ["파일이 사라졌습니다", "읽을 권한이 없습니다"]
    assert [item.file for item in items if isinstance(item, Record)] == ["c.txt"]


def test_an_unknown_suffix_needs_a_format(tmp_path):
    path = write(tmp_path, "a.log", NAME)
    _, _, [failure] = passed(path)
    assert "--format" in failure.advice
    assert passed(path, format="txt")[0] == b"A"
    _, _, [failure] = passed(write(tmp_path, "a.hwp", b"HWP Document File V3.00"))
    assert "HWP 3" in failure.reason


# --- outputs ----------------------------------------------------------------------------------


def listing_of(*paths: Path) -> Listing:
    return list_sources(paths)


def test_outputs_are_never_inputs_and_never_collide(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    a, b = write(tmp_path, "in/a.txt", "가"), write(tmp_path, "in/deep/a.txt", "나")
    folder, out = tmp_path / "in", tmp_path / "out"
    assert list(plan(listing_of(folder), out, force=False).values()) == [
        out / "a.txt",
        out / "deep" / "a.txt",
    ]
    (tmp_path / "link.txt").symlink_to(a)
    for inputs, to, words in [
        ([a], a, "입력 파일입니다"),
        ([a], tmp_path / "link.txt", "입력 파일입니다"),
        ([a, b], out, "같은 파일이 됩니다"),
        ([a, a], out, "같은 파일이 됩니다"),
        ([folder], folder, "입력 폴더"),
        ([folder], folder / "out", "입력 폴더"),
        ([folder], None, "-o FOLDER"),
        ([folder], write(tmp_path, "file.txt", ""), "폴더가 아닙니다"),
    ]:
        with pytest.raises(Refused, match=words):
            plan(listing_of(*inputs), to, force=True)


def test_an_output_that_exists_is_kept_without_force(tmp_path):
    a, out = write(tmp_path, "a.txt", "가"), write(tmp_path, "out.txt", "old")
    with pytest.raises(Refused, match="--force"):
        plan(listing_of(a), out, force=False)
    assert list(plan(listing_of(a), out, force=True).values()) == [out]


def test_a_device_or_pipe_is_never_replaced(tmp_path):
    a = write(tmp_path, "a.txt", "가")
    pipe, device = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")  # never by its own name: this may run as root
    for path in (pipe, device):
        with pytest.raises(Refused, match="보통 파일이 아닙니다"):
            plan(listing_of(a), path, force=True)
        with pytest.raises(OSError, match="no plain file"), aside(path, replace=True):
            pass
    assert (pipe.is_fifo(), device.is_char_device(), device.is_symlink()) == (True, True, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "link", "pipe"]


def test_what_is_never_replaced_is_not_advised_to_be(tmp_path):
    old = write(tmp_path, "map", "old")
    with pytest.raises(Refused, match="이미 있습니다") as refused:
        require_free([old], [], force=False, is_replaceable=False)
    assert "--force" not in str(refused.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "full"), ValueError()])
def test_what_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path, error):
    target = write(tmp_path, "a.txt", "old")
    with pytest.raises(type(error)), aside(target, replace=True) as stream:
        stream.write(b"half")
        raise error
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "old")]


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path):
    target = tmp_path / "a.txt"
    with pytest.raises(FileExistsError), aside(target) as stream:
        stream.write(b"new")
        target.write_text("other")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["other"]


def test_a_private_file_is_for_its_owner_alone(tmp_path):
    old = os.umask(0)
    try:
        with aside(tmp_path / "a", private=True) as stream:
            stream.write(b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
