"""Runs from and to object storage: an S3 server as a process, and fsspec's memory."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.bulk.ledger import driver
from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger import update as updating
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.verify import verify
from thunder.bulk.outputs import Refused
from thunder.commands.cli import app
from thunder.documents import places

pytest.importorskip("upath", reason="needs pip install 'thunder-deid[storage]'")
pq = pytest.importorskip("pyarrow.parquet", reason="needs pip install 'thunder-deid[parquet]'")

TEXT = "피고인 김도윤은 {}번 걸었다. 피해자 박서준이 보았다.\n"
SETTINGS = Settings(model="none", shard_documents=3)
SECRET = "secret-of-the-court"


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """Yield the client of an S3 server that runs beside, whose address all clients here take."""
    pytest.importorskip("moto.server", reason="needs pip install 'moto[s3,server]'")
    pytest.importorskip("s3fs", reason="needs pip install 'thunder-deid[storage]'")
    import boto3

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    patch = pytest.MonkeyPatch()
    patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    patch.setenv("AWS_ACCESS_KEY_ID", "court")
    patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        client = boto3.client("s3")
        client.create_bucket(Bucket="court")
        yield client
    finally:
        patch.undo()
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> Path:
    """Return a folder with a table of each kind, one row no document, and documents."""
    import pyarrow as pa

    folder = tmp_path_factory.mktemp("storage") / "in"
    (folder / "민사").mkdir(parents=True)
    rows = [{"id": f"a{at}", "text": TEXT.format(at)} for at in range(7)]
    lines = [json.dumps(row, ensure_ascii=False) for row in [*rows, {"id": "none", "text": ""}]]
    (folder / "a.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
    cells = [f"b{at},{TEXT.format(at).strip()}" for at in range(4)]
    (folder / "b.csv").write_text("\n".join(["id,text", *cells, ""]), encoding="cp949")
    ids, texts = [f"c{at}" for at in range(4)], [TEXT.format(at) for at in range(4)]
    pq.write_table(pa.table({"id": ids, "text": texts}), folder / "c.parquet")
    for at in range(4):
        (folder / "민사" / f"{at}.txt").write_text(TEXT.format(at), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def on_disk(inputs, tmp_path_factory) -> planning.Plan:
    """Return what is done on a disk, undisturbed."""
    made = plan(inputs, tmp_path_factory.mktemp("disk") / "run")
    done(made)
    return made


@pytest.fixture
def bucket(s3, request) -> str:
    """Return an address that nobody else has."""
    return f"s3://court/{request.node.name.partition('[')[0]}-{os.urandom(3).hex()}"


@pytest.fixture(scope="module")
def stored(s3, inputs) -> str:
    """Return the address of the inputs on the store."""
    for path in inputs.rglob("*"):
        if path.is_file():
            s3.upload_file(str(path), "court", f"in/{path.relative_to(inputs)}")
    return "s3://court/in"


def plan(source, folder, settings: Settings = SETTINGS) -> planning.Plan:
    source, folder = (places.place(str(one)) for one in (source, folder))
    return planning.write([source], folder, settings, decides(settings))


def done(made: planning.Plan) -> None:
    for shard in made.each():
        if not shards.is_done(made, shard):
            shards.do(made, shard)


def results(made: planning.Plan) -> dict[str, bytes]:
    """Return all results and dead letters by the names that they have on a disk."""
    found = {}
    for shard in made.each():
        marker = shards.marker_of(made.folder, shard)
        for one in marker["files"]:
            path = shards.placed(made.results / one["name"], one["sha256"])
            found[one["name"]] = path.read_bytes()
        for kind in ("dead", "notices"):
            for at, one in enumerate(shards.lines_of(made.folder, marker, kind)):
                found[f"{kind} {shard.number} {at}"] = json.dumps(one).encode()
    return found


def objects(s3, address: str) -> dict[str, bytes]:
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    found = s3.list_objects_v2(Bucket=bucket, Prefix=f"{prefix}/").get("Contents", [])
    keys = [one["Key"] for one in found]
    return {key: s3.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}


def invoke(*words: object):
    return CliRunner().invoke(app, ["bulk", *map(str, words)])


# --- what comes out -------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["disk", "store"])
@pytest.mark.parametrize("target", ["disk", "store"])
def test_bytes_and_plan_are_those_of_a_disk(
    s3, inputs, stored, on_disk, bucket, tmp_path, source, target
):
    made = plan(
        inputs if source == "disk" else stored, bucket if target == "store" else tmp_path / "run"
    )
    done(made)
    assert results(made) == results(on_disk)
    assert made.path.read_bytes() == on_disk.path.read_bytes()
    verdict = verify(made.folder)
    assert (verdict.said, verdict.out, verdict.dead) == ([], 19, 1)


def test_in_memory(inputs, on_disk):
    import fsspec

    for path in inputs.rglob("*"):
        if path.is_file():
            fsspec.filesystem("memory").pipe(f"/in/{path.relative_to(inputs)}", path.read_bytes())
    made = plan("memory://in", "memory://run")
    done(made)
    assert results(made) == results(on_disk)
    assert verify(made.folder).said == []


def test_an_address_of_a_disk_is_a_path(inputs, on_disk, tmp_path):
    made = plan(inputs.as_uri(), f"file://{tmp_path}/run")
    assert isinstance(made.folder, Path)
    assert made.path.read_bytes() == on_disk.path.read_bytes()


def test_a_file_of_a_store_by_itself(s3, stored, tmp_path):
    made = plan(f"{stored}/a.jsonl", tmp_path / "run")
    done(made)
    assert (verify(made.folder).out, verify(made.folder).dead) == (7, 1)


@pytest.mark.slow
def test_as_a_user(s3, stored, bucket, on_disk, tmp_path):
    said = invoke("plan", stored, "-o", bucket, "--model", "none", "--shard-documents", 3)
    assert said.exit_code == 0, said.output
    assert invoke("verify", bucket).exit_code == 1, "nothing is done yet"
    said = invoke("run", bucket, "--workers", 2)
    assert (said.exit_code, "20/20, 남겨 둔 문서 1" in said.output) == (1, True), said.output
    assert results(planning.read(places.place(bucket))) == results(on_disk)
    found = json.loads(invoke("status", bucket, "--json").output)
    assert (found["rows_done"], found["dead"]) == (20, 1)
    said = invoke("verify", bucket)
    assert (said.exit_code, "결과 19건" in said.output) == (0, True), said.output
    said = invoke("replay", bucket)
    assert (said.exit_code, "20/20, 남겨 둔 문서 1" in said.output) == (1, True), said.output
    assert invoke("verify", bucket).exit_code == 0
    said = invoke("compare", bucket, "--profile", "older")
    assert (said.exit_code, "0" in said.output) == (0, True), said.output
    kept = b"".join(objects(s3, bucket).values()).decode("utf-8", "replace")
    assert SECRET not in kept


# --- exactly once ---------------------------------------------------------------------------------


def test_a_shard_done_twice_does_no_harm(s3, stored, bucket, on_disk):
    made = plan(stored, bucket)
    done(made)
    before = objects(s3, bucket)
    for shard in made.each():
        shards.do(made, shard)
    assert objects(s3, bucket) == before
    assert results(made) == results(on_disk)


@pytest.mark.parametrize(
    "at", [2, *(pytest.param(at, marks=pytest.mark.slow) for at in (0, 1, 3, 4))]
)
def test_a_kill_between_write_and_marker(s3, stored, bucket, on_disk, monkeypatch, at):
    """A process is killed when it has sent the files of its second shard, five times over."""
    made = plan(stored, bucket)
    child = f"""
import os, signal
from thunder.bulk.ledger import plan, shard
from thunder.documents import places
made = plan.read(places.place({bucket!r}))
create, count = places.create, [0]
def killed(*given):
    count[0] += 1
    if count[0] > {at}:
        os.kill(os.getpid(), signal.SIGKILL)
    return create(*given)
places.create = killed
for one in made.each():
    shard.do(made, one)
"""
    ended = subprocess.run([sys.executable, "-c", child], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    markers = [shard for shard in made.each() if shards.is_done(made, shard)]
    assert len(markers) == at, "files are there, their marker is not"
    done(made)
    assert results(made) == results(on_disk)
    assert verify(made.folder).said == []


@pytest.mark.slow
def test_two_runs_side_by_side(s3, stored, bucket, on_disk):
    made = plan(stored, bucket)
    command = [sys.executable, "-m", "thunder", "bulk", "run", bucket]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    said = [one.communicate(timeout=120)[0].decode() for one in both]
    assert [one.returncode for one in both] == [1, 1], said
    assert results(made) == results(on_disk)
    assert verify(made.folder).said == []


def test_of_two_attempts_the_first_counts(s3, stored, bucket):
    """One that masked otherwise, which must not be, leaves nothing that a marker names."""
    made = plan(stored, bucket)
    first = next(made.each())
    kept = shards.do(made, first)
    other = kept | {"out": 0, "files": [], "dead_sha256": "", "notices_sha256": ""}
    assert shards.commit(made, first, Path(), other) == kept
    assert shards.marker_of(made.folder, first) == kept


def test_a_run_of_an_older_plan_ends(s3, inputs, stored, bucket):
    made = plan(stored, bucket)
    s3.put_object(Bucket="court", Key="in/민사/new.txt", Body=TEXT.format(9).encode())
    try:
        changes = updating.update(made)
    finally:
        s3.delete_object(Bucket="court", Key="in/민사/new.txt")
    assert changes.added == 1
    with pytest.raises(Refused, match="다시 계획되었습니다"):
        shards.do(made, next(made.each()))


@pytest.mark.slow
def test_every_day_anew(s3, bucket, tmp_path):
    source = f"{bucket}-in"
    key = source.removeprefix("s3://court/")
    for at in range(8):
        s3.put_object(Bucket="court", Key=f"{key}/{at}.txt", Body=TEXT.format(at).encode())
    s3.put_object(Bucket="court", Key=f"{key}/empty.txt", Body=b"")
    made = plan(source, bucket)
    done(made)
    s3.put_object(Bucket="court", Key=f"{key}/1.txt", Body="피고인 이하준이다.\n".encode())
    s3.delete_object(Bucket="court", Key=f"{key}/5.txt")
    s3.put_object(Bucket="court", Key=f"{key}/new.txt", Body=TEXT.format(99).encode())
    assert invoke("update", bucket).exit_code == 0
    assert invoke("run", bucket).exit_code == 1
    whole = plan(source, f"{bucket}-whole")
    done(whole)
    now = planning.read(places.place(bucket))
    said = {name: body for name, body in results(now).items() if name.endswith(".txt")}
    assert said == {name: body for name, body in results(whole).items() if name.endswith(".txt")}
    assert verify(now.folder).said == []


# --- bad input ------------------------------------------------------------------------------------


def test_an_object_that_was_changed_is_found(s3, stored, bucket):
    made = plan(stored, bucket)
    done(made)
    one = next(key for key in objects(s3, bucket) if "/out/" in key)
    s3.put_object(Bucket="court", Key=one, Body=b"other")
    [said] = [one for one in verify(made.folder).said if "바뀌었습니다" in one][:1]
    assert "done/" in said, "the cure names the marker"
    stray = bucket.removeprefix("s3://court/") + "/out/stray.txt"
    s3.put_object(Bucket="court", Key=stray, Body=b"")
    assert any("파일이" in one for one in verify(made.folder).said)


@pytest.mark.parametrize("key", ["../x.txt", "a//b.txt", "./x.txt", "a" * 300 + ".txt"])
def test_a_key_that_is_no_file_name_is_refused(s3, bucket, tmp_path, key):
    prefix = bucket.removeprefix("s3://court/")
    s3.put_object(Bucket="court", Key=f"{prefix}/{key}", Body=b"text")
    with pytest.raises(Refused, match="파일 이름이 될 수 없는 키"):
        plan(bucket, tmp_path / "run")
    assert not (tmp_path / "run" / "plan.jsonl").exists()
    assert not list(tmp_path.rglob("x.txt"))


@pytest.fixture
def closed(s3):
    """Have the server refuse everyone it does not know, which is everyone."""
    import urllib.request

    def rights(count: bytes) -> None:
        url = f"{os.environ['AWS_ENDPOINT_URL']}/moto-api/reset-auth"
        plain = {"Content-Type": "text/plain"}
        urllib.request.urlopen(urllib.request.Request(url, count, plain, method="POST")).close()

    rights(b"0")
    yield
    rights(b"1000000000")


@pytest.mark.parametrize("which", ["input", "output"])
def test_a_bucket_without_rights(stored, inputs, tmp_path, closed, which):
    source = stored if which == "input" else inputs
    target = tmp_path / "run" if which == "input" else "s3://court/closed"
    said = invoke("plan", source, "-o", target, "--model", "none")
    assert (said.exit_code, "권한이 없습니다" in said.output) == (2, True), said.output
    assert SECRET not in said.output


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://no-such-bucket/run", "없는 버킷입니다"),
        (f"s3://me:{SECRET}@court/run", "자격 증명이나 선택 사항"),
        (f"s3://court/run?key={SECRET}", "자격 증명이나 선택 사항"),
        ("strange://court/run", "strange://는 열 수 없는"),
    ],
)
def test_an_address_that_cannot_be(s3, stored, address, said):
    done = invoke("plan", stored, "-o", address, "--model", "none")
    assert (done.exit_code, said in " ".join(done.output.split())) == (2, True), done.output
    assert SECRET not in done.output


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:1", "답하지 않습니다"),
        ("AWS_ACCESS_KEY_ID", "", "자격 증명이 없습니다"),
    ],
)
def test_a_store_that_cannot_be_reached(s3, monkeypatch, tmp_path, name, value, said):
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    done = invoke("plan", "s3://court/in", "-o", tmp_path / "run", "--model", "none")
    s3fs.S3FileSystem.clear_instance_cache()
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert SECRET not in done.output


def test_a_place_that_is_not_free(s3, stored, bucket):
    s3.put_object(Bucket="court", Key=bucket.removeprefix("s3://court/") + "/mine.txt", Body=b"x")
    with pytest.raises(Refused, match="비어 있지 않습니다"):
        plan(stored, bucket)
    with pytest.raises(Refused, match="입력 폴더"):
        plan(stored, f"{stored}/run")


def test_a_store_that_cannot_create_once_is_refused(monkeypatch, stored, bucket):
    from s3fs import S3FileSystem

    kept = S3FileSystem._pipe_file

    async def ignoring(self, path, data, *rest, mode="overwrite", **more):
        return await kept(self, path, data, *rest, **more)

    monkeypatch.setattr(S3FileSystem, "_pipe_file", ignoring)
    S3FileSystem.clear_instance_cache()
    with pytest.raises(places.Unreachable, match="이미 있는 것을 덮어쓰는 저장소"):
        plan(stored, bucket)
    S3FileSystem.clear_instance_cache()


def test_two_who_plan_again_at_once_are_refused(s3, stored, bucket):
    made = plan(stored, bucket)
    with (
        driver.alone(made),
        pytest.raises(Refused, match="다른 update나 replay"),
        driver.alone(made),
    ):
        pass
    with driver.alone(made):
        pass


def test_an_input_that_changed_stops_the_run(s3, bucket):
    key = bucket.removeprefix("s3://court/") + "-in/a.txt"
    s3.put_object(Bucket="court", Key=key, Body=TEXT.encode())
    made = plan(f"{bucket}-in", bucket)
    s3.put_object(Bucket="court", Key=key, Body=b"other")
    with pytest.raises(shards.InputChanged):
        done(made)
    s3.delete_object(Bucket="court", Key=key)
    with pytest.raises(shards.InputChanged):
        done(made)


def test_records_for_their_owner_alone_do_not_go_to_a_store(s3, stored, bucket):
    with pytest.raises(Refused, match="주인만 읽어야"):
        plan(stored, bucket, Settings(model="none", audit=True))


def test_a_case_is_kept_whole(s3, inputs, stored, bucket, tmp_path):
    settings = Settings(model="none", shard_documents=3, case=True)
    there = plan(f"{stored}/민사", bucket, settings)
    here = plan(inputs / "민사", tmp_path / "run", settings)
    done(there)
    done(here)
    assert results(there) == results(here)
