"""A run checked as a whole, by code of its own: nothing of what plans or does shards is used.

The plan, the markers and the results are read as plain JSON, CSV and Parquet. The sum over ids is
that of their SHA-256, modulo 2^256: the ids in the results and in the dead letters of a shard have
to add up to what the plan says, so that none is missing and none there twice.
"""

import csv
import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_MOST_SAID = 20
_HIDDEN = ".thunder-run"
_CHANGED = "적은 뒤에 바뀌었습니다: 표지를 지우고 thunder bulk run을 하십시오"


@dataclass
class Verdict:
    """What was found: shards, documents out and dead, and what is wrong (at most twenty lines)."""

    shards: int = 0
    out: int = 0
    dead: int = 0
    wrong: int = 0
    said: list[str] = field(default_factory=list)

    def blame(self, place: object, what: str) -> None:
        """Note that something is wrong."""
        self.wrong += 1
        if len(self.said) < _MOST_SAID:
            self.said.append(f"{place}: {what}")


def verify(folder: Path) -> Verdict:
    """Return whether the results in *folder* are all of what was planned, once, as it was written.

    OSError and ValueError where there is no plan to be read.
    """
    verdict, expected = Verdict(), 0
    plan = folder / "plan.jsonl"
    seal, end = _seal(plan)
    if end.get("sha256") != seal:
        verdict.blame(plan, "적은 뒤에 바뀌었습니다: 다시 계획하십시오")
        return verdict
    with plan.open("rb") as lines:
        settings = json.loads(next(lines))["decides"]["settings"]
        for raw in lines:
            shard = json.loads(raw)
            if "end" in shard:
                break
            fingerprint = hashlib.sha256(raw).hexdigest()
            expected += len(_verify_shard(folder, shard, settings, fingerprint, verdict))
            verdict.shards += 1
    if verdict.shards != end.get("shards") or verdict.out + verdict.dead != end.get("rows"):
        verdict.blame(plan, f"문서 {end.get('rows')}건 가운데 {verdict.out + verdict.dead}건입니다")
    place = _results(folder)
    there = _count(place)
    if there != expected:
        verdict.blame(place, f"파일이 {expected}개여야 하는데 {there}개입니다")
    return verdict


def _count(place: Path) -> int:
    """Return how many results there are."""
    if not isinstance(place, Path):
        return len(place.fs.find(place.path))
    results = (path for path in place.rglob("*") if path.is_file())
    return sum(not _is_left_over(path) and _HIDDEN not in path.parts for path in results)


@contextmanager
def _here(path: Path, sha256: str) -> Iterator[Path]:
    """Yield where a file can be read, if it is there: one of a store, whose name has its SHA-256,
    is copied to this machine.
    """
    if isinstance(path, Path):
        yield path
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / f"copy{path.suffix}"
        with suppress(FileNotFoundError):
            path.fs.get_file(path.with_name(f"{path.stem}.{sha256}{path.suffix}").path, str(copy))
        yield copy


def _results(folder: Path) -> Path:
    """Return where the results are: a run that is hidden among them has them around it."""
    return folder.parent if folder.name == _HIDDEN else folder / "out"


def _is_left_over(path: Path) -> bool:
    """Return whether a process that was killed left *path*; the next run takes it away."""
    return path.name.startswith(".thunder-") and path.name.endswith(".partial")


def _seal(plan: Path) -> tuple[str, dict[str, Any]]:
    digest, last = hashlib.sha256(), b""
    with plan.open("rb") as lines:
        for raw in lines:
            digest.update(last)
            last = raw
    return digest.hexdigest(), json.loads(last)


def _verify_shard(
    folder: Path,
    shard: dict[str, Any],
    settings: dict[str, Any],
    fingerprint: str,
    verdict: Verdict,
) -> list[str]:
    """Return the files that a shard's marker names, and blame what does not fit."""
    number = shard["number"]
    place = f"{number // 1000:06}/{number:09}"
    path = folder / "done" / f"{place}.json"
    try:
        marker = json.loads(path.read_bytes())
    except FileNotFoundError:
        verdict.blame(path, "조각이 끝나지 않았습니다: thunder bulk run을 하십시오")
        return []
    if marker["fingerprint"] != fingerprint or marker["shard"] != number:
        verdict.blame(path, "조각이 다시 계획되었습니다: thunder bulk run을 하십시오")
        return []
    total, out = 0, 0
    for one in marker["files"]:
        result = _results(folder) / one["name"]
        with _here(result, one["sha256"]) as copy:
            if not copy.is_file() or _sha256(copy) != one["sha256"]:
                verdict.blame(result, _cure(folder, path))
                continue
            for id in _ids(copy, one, shard, settings):
                total, out = total + _number(id), out + 1
    letters = _lines(folder / "dead" / f"{place}.jsonl", marker["dead_sha256"], verdict)
    _lines(folder / "notices" / f"{place}.jsonl", marker["notices_sha256"], verdict)
    _verify_records(folder, place, marker.get("records", {}), out, verdict)
    dead = sum(_number(letter["id"]) for letter in letters)
    if settings["ids_by_row"] and shard["part"]:  # the results do not say from where they are
        total = int(marker["ids_out"], 16)
    if (total + dead) % (1 << 256) != int(shard["ids"], 16):
        verdict.blame(path, "id가 계획과 다릅니다: 빠지거나 겹친 문서가 있습니다")
    if out + len(letters) != shard["rows"]:
        verdict.blame(path, f"문서 {shard['rows']}건이 {out + len(letters)}건이 되었습니다")
    verdict.out += out
    verdict.dead += len(letters)
    return [one["name"] for one in marker["files"]]


def _verify_records(
    folder: Path, place: str, digests: dict[str, str], out: int, verdict: Verdict
) -> None:
    """Blame a record of a shard that is not as it was written, and an audit of other documents."""
    for kind, expected in digests.items():
        path = folder / kind / f"{place}{'.md' if kind == 'report' else '.jsonl'}"
        content = path.read_bytes() if path.is_file() else b""
        if (hashlib.sha256(content).hexdigest() if content else "") != expected:
            verdict.blame(path, _CHANGED)
        elif kind == "audit":
            entries = map(json.loads, content.splitlines())
            told = sum(entry["record"] == "document" for entry in entries)
            if told != out:
                verdict.blame(path, f"결과가 {out}건인데 감사 기록은 {told}건입니다")


def _cure(folder: Path, marker: Path) -> str:
    if isinstance(folder, Path):
        return "없거나 적은 뒤에 바뀌었습니다: 지우고 thunder bulk run을 하십시오"
    return f"없거나 적은 뒤에 바뀌었습니다: {marker}를 지우고 thunder bulk run을 하십시오"


def _lines(path: Path, expected: str, verdict: Verdict) -> list[dict[str, Any]]:
    with _here(path, expected) as copy:
        content = copy.read_bytes() if copy.is_file() else b""
    digest = hashlib.sha256(content).hexdigest() if content else ""
    if digest != expected:
        verdict.blame(path, _CHANGED)
    return [json.loads(line) for line in content.splitlines()]


def _number(id: str) -> int:
    return int(hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest(), 16)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _ids(
    path: Path, fact: dict[str, Any], shard: dict[str, Any], settings: dict[str, Any]
) -> Iterator[str]:
    """Yield the ids in a result: of a document its name, of a table what its column says."""
    if not shard["part"]:
        yield fact["name"]
    elif path.suffix in (".jsonl", ".ndjson"):
        yield from _of_lines(path, settings)
    elif path.suffix == ".parquet":
        yield from _of_parquet(path, settings)
    else:
        yield from _of_csv(path, fact, settings)


def _of_lines(path: Path, settings: dict[str, Any]) -> Iterator[str]:
    with path.open(encoding="utf-8-sig", newline="\n") as lines:
        for raw in lines:
            if raw.strip():
                row = json.loads(raw, parse_int=str, parse_float=str)
                value = row.get(settings["id_column"])
                is_text = isinstance(value, str)
                yield value if is_text else json.dumps(value, ensure_ascii=False)


def _of_csv(path: Path, fact: dict[str, Any], settings: dict[str, Any]) -> Iterator[str]:
    name, _, mark = fact["encoding"].partition(" ")
    codec = {"UTF-8": "utf-8-sig", "UTF-16-LE": "utf-16", "UTF-16-BE": "utf-16"}.get(name, name)
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding=codec if mark or name == "UTF-8" else name, newline="") as stream:
        first = stream.readline()
        stream.seek(0)
        candidates = [one for one in ",\t;|" if settings["text_column"] in _cells(first, one)]
        rows = csv.reader(stream, delimiter=candidates[0])
        header = [cell.strip() for cell in next(rows)]
        at = header.index(settings["id_column"]) if settings["id_column"] in header else None
        for row in rows:
            if row:
                yield "" if at is None else row[at]


def _cells(line: str, delimiter: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]


def _of_parquet(path: Path, settings: dict[str, Any]) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    names = file.schema_arrow.names
    column = settings["id_column"] if settings["id_column"] in names else settings["text_column"]
    for batch in file.iter_batches(columns=[column]):
        yield from batch.column(0).cast(pa.string()).to_pylist()
