"""Files cut into pieces: every text once, with its place, whatever the format and the size."""

import bz2
import gzip
import json
import lzma

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from thunder.training_data.corpus import Source
from thunder.training_data.corpus.reading import kind_of, pieces, texts

TEXTS = [f"{at}번째 문서이다. " + "가" * (at % 50) for at in range(100)]


def everything(source, *, most=1000):
    return [text for piece in pieces(source, most=most) for text in texts(piece, source)]


def packed(path, data):
    opener = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open, ".jsonl": open, ".txt": open}
    if path.suffix == ".zst":
        with pa.output_stream(str(path), compression="zstd") as stream:
            stream.write(data)
    else:
        with opener[path.suffix](path, "wb") as file:
            file.write(data)


@pytest.mark.parametrize("suffix", ["", ".xz", ".gz", ".bz2", ".zst"])
@pytest.mark.parametrize("most", [1, 700, 10**6])
def test_each_line_of_json_comes_once_with_its_number(tmp_path, suffix, most):
    path = tmp_path / f"a.jsonl{suffix}"
    packed(path, "".join(json.dumps({"text": text}) + "\n\n" for text in TEXTS).encode())
    found = everything(Source("a", tmp_path, "ko"), most=most)
    assert [text.text for text in found] == TEXTS
    assert [text.place for text in found] == [f"{path}:{2 * at + 1}" for at in range(100)]


@pytest.mark.parametrize("most", [1, 700, 10**6])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("split", "between"), [("blank-line", 2), ("line", 1)])
def test_plain_text_is_split_as_it_is_told(tmp_path, most, split, between, end):
    path = tmp_path / "a.txt"
    lines = [text if split == "line" else f"{text}\n둘째 줄" for text in TEXTS]
    path.write_bytes(("\n" * between).join(lines).replace("\n", end).encode())
    found = everything(Source("a", path, "ko", split=split), most=most)
    assert [text.text.replace("\r", "") for text in found] == lines


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".txt.zst"])
def test_a_folder_of_files_is_a_document_a_file(tmp_path, suffix):
    for at, text in enumerate(TEXTS):
        (tmp_path / f"{at % 3}").mkdir(exist_ok=True)
        packed(tmp_path / f"{at % 3}" / f"{at:03}{suffix}", text.encode())
    (tmp_path / "README.md").write_text("no text of the corpus")
    source = Source("a", tmp_path, "ko")
    assert sorted(text.text for text in everything(source)) == sorted(TEXTS)
    assert len(list(pieces(source, most=1000))) > 3


@pytest.mark.parametrize("most", [1, 10**6])
def test_parquet_is_read_by_row_groups(tmp_path, most):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"body": [*TEXTS, None]}), path, row_group_size=30)
    source = Source("a", path, "ko", field="body")
    found = everything(source, most=most)
    assert [text.text for text in found] == [*TEXTS, ""]
    assert found[-1].place == f"{path}:101"
    assert len(list(pieces(source, most=1))) == 4


def test_the_names_of_pieces_are_unique_and_in_order(tmp_path):
    for name in ("b.jsonl", "a.jsonl", "c.txt", "d.txt"):
        (tmp_path / name).write_text('{"text": "가나다"}\n' * 20)
    found = [piece.name for piece in pieces(Source("a", tmp_path, "ko"), most=100)]
    assert found == [f"{at:05}" for at in range(len(found))]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.jsonl", ".jsonl"), ("a.b.jsonl.xz", ".jsonl"), ("a.txt.zst", ".txt"),
     ("a.parquet", ".parquet"), ("a.json", ""), ("a.csv", ""), ("README", ""), ("a.xz", ""),
     (".txt", "")],
)  # fmt: skip
def test_which_files_are_read(tmp_path, name, kind):
    assert kind_of(tmp_path / name) == kind


SECRET = "홍길동은 서울에 산다"
KOREAN = SECRET.encode("cp949")
DAMAGED = SECRET.encode()[:-1] + b"\xff" + SECRET.encode()
CUT = lzma.compress(b'{"text": "a"}\n' * 9999)[:-30]


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.jsonl", f'{{"text": "가"}}\n{{"text": "{SECRET}', r"a\.jsonl:2: no JSON"),
        ("a.jsonl", f'{{"body": "{SECRET}"}}\n', r"a\.jsonl:1: .*no field 'text', but body: set"),
        ("a.jsonl", f'["{SECRET}"]\n', r"a\.jsonl:1: .*but no object"),
        ("a.jsonl", '{"text": 5}\n', r"a\.jsonl:1: the field 'text' is no text"),
        ("a.jsonl", b'{"text": "' + KOREAN, r"a\.jsonl:1: .*CP949: iconv -f CP949"),
        ("a.txt", KOREAN, r"a\.txt: not UTF-8, it seems to be CP949: iconv"),
        ("a.txt", SECRET.encode("utf-16"), r"a\.txt: not UTF-8, it seems to be UTF-16"),
        ("a.txt", DAMAGED, r"a\.txt: not UTF-8, but damaged"),
        ("a.jsonl.xz", CUT, r"a\.jsonl\.xz: damaged or cut short"),
        ("a.jsonl.gz", b"no gzip", r"a\.jsonl\.gz: damaged or cut short"),
        ("a.txt.zst", b"no zstd", r"a\.txt\.zst: damaged or cut short"),
        ("a.parquet", b"PAR1 no more", r"a\.parquet: no whole Parquet"),
        ("a.csv", b"", r"holds no \.txt, \.jsonl or \.parquet"),
    ],
)  # fmt: skip
def test_bad_files_are_named_and_never_quoted(tmp_path, name, data, problem):
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(ValueError, match=problem) as caught:
        everything(Source("a", tmp_path, "ko"))
    assert "길동" not in str(caught.value)
    assert "길동" not in repr(caught.value.__cause__)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"'a': .*nowhere does not exist"):
        everything(Source("a", tmp_path / "nowhere", "ko"))


def test_unreadable_records_can_be_left_out(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "ok"}\n{"te\n\xff\xfe\n{"text": 3}\n')
    found = everything(Source("a", tmp_path, "ko", unreadable="drop"))
    assert [text.text for text in found] == ["ok", None, None, None]
