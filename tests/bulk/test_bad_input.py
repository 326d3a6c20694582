"""What a run must not be led astray by: ids that are paths, clocks that differ."""

import csv
import json
import os
from pathlib import Path

import pytest

from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger import update as updating
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.state import state
from thunder.bulk.ledger.verify import verify

TEXT = "피고인 김도윤은 {}번 걸었다.\n"
SETTINGS = Settings(model="none", shard_documents=3)
NO_NAMES = [
    "../x",
    "../../etc/passwd",
    "/etc/passwd",
    "a/../../b",
    "..\\x",
    ".",
    "a\0b",
    "가" * 400,
]


def done(source: Path, folder: Path) -> planning.Plan:
    made = planning.write([source], folder, SETTINGS, decides(SETTINGS))
    for shard in made.each():
        shards.do(made, shard)
    return made


def test_ids_that_are_no_file_names_name_no_file(tmp_path):
    """An id is a cell like any other: results are called by their file and part."""
    source = tmp_path / "in"
    source.mkdir()
    rows = [{"id": id, "text": TEXT.format(at)} for at, id in enumerate(NO_NAMES)]
    rows.append({"id": "../dead", "text": ""})
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (source / "a.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    with (source / "b.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["id", "text"], ["../../y", TEXT.format(0)]])
    before = {path for path in tmp_path.rglob("*") if "run" not in path.parts}
    made = done(source, tmp_path / "run")
    assert {path for path in tmp_path.rglob("*") if "run" not in path.parts} == before
    names = {str(path.relative_to(made.results)) for path in made.results.rglob("*.*")}
    assert all(name.partition("/")[0] in ("a.jsonl", "b.csv") for name in names)
    parts = sorted((made.results / "a.jsonl").iterdir())
    kept = [json.loads(line)["id"] for part in parts for line in part.read_text().splitlines()]
    assert kept == NO_NAMES
    verdict = verify(made.folder)
    assert (verdict.said, verdict.out, verdict.dead) == ([], len(NO_NAMES) + 1, 1)


@pytest.fixture
def texts(tmp_path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for at in range(9):
        (folder / f"{at}.txt").write_text(TEXT.format(at), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "clock",
    [
        pytest.param(lambda at: 0, id="1970"),
        pytest.param(lambda at: 4_000_000_000, id="2096"),
        pytest.param(lambda at: 1_700_000_000 - at * 86_400, id="backwards"),
        pytest.param(lambda at: 1_700_000_000 + (-1) ** at * 10**8, id="to and fro"),
    ],
)
def test_no_clock_decides_anything(texts, tmp_path, clock):
    """Clocks that differ: what is done, what is verified, what has changed is the same."""
    for at, path in enumerate(sorted(texts.iterdir())):
        os.utime(path, (clock(at), clock(at)))
    made = done(texts, tmp_path / "run")
    for at, path in enumerate(sorted((made.folder / "done").rglob("*.json"))):
        os.utime(path, (clock(at), clock(at)))
    assert all(shards.is_done(made, shard) for shard in made.each())
    found = state(made)
    assert (found.rows_done, found.rate >= 0) == (9, True)
    assert found.seconds_left in (None, 0.0)
    assert verify(made.folder).said == []
    assert not updating.update(made), "nothing has changed but times"
    changed = texts / "3.txt"
    times = changed.stat()
    changed.write_text(TEXT.format(7), encoding="utf-8")  # as long as before
    os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert updating.update(made).changed == 1, "its bytes say so, whatever its time is"


def test_a_parquet_file_that_changed_within_its_time_is_seen(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "in" / "c.parquet"
    path.parent.mkdir()

    def write(first: int) -> None:
        rows = [TEXT.format((first + at) % 10) for at in range(6)]
        pq.write_table(pa.table({"id": list("abcdef"), "text": rows}), path, compression="none")

    write(0)
    made = planning.write([path.parent], tmp_path / "run", SETTINGS, decides(SETTINGS))
    first, second = made.each()
    shards.do(made, first)
    times = path.stat()
    write(1)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(shards.InputChanged, match=r"c\.parquet"):
        shards.do(made, second)
