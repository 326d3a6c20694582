"""Runs of many shards: killed, filled up, poisoned or left alone, they leave the same bytes."""

import csv
import fcntl
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from thunder.bulk.ledger import driver
from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger import update as updating
from thunder.bulk.ledger.driver import Share
from thunder.bulk.ledger.ids import Distinct, IdSum
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.verify import verify
from thunder.bulk.outputs import Refused
from thunder.commands.cli import app
from thunder.masking.deidentifier import Deidentifier

TEXT = "피고인 김도윤은 {}번 걸었다. 피해자 박서준이 보았다.\n"
SETTINGS = Settings(model="none", shard_documents=4)
POISON = "독약"
PLACES = ("out", "dead", "notices")


def invoke(*words: object):
    return CliRunner().invoke(app, ["bulk", *map(str, words)])


def tree(folder: Path) -> dict[str, bytes]:
    """Return all results and dead letters by their names."""
    found = [path for name in PLACES for path in (folder / name).rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file()}


def write_json(path: Path, rows: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def write_csv(path: Path, header: list[str], rows: list[list[str]], encoding: str) -> Path:
    with path.open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


@pytest.fixture(scope="module")
def inputs(tmp_path_factory) -> Path:
    """Return a folder with tables of all kinds, some rows of them no documents, and texts."""
    folder = tmp_path_factory.mktemp("bulk") / "in"
    rows = [{"id": at, "text": TEXT.format(at)} for at in range(9)]
    write_json(folder / "a.jsonl", [*rows, {"id": "empty", "text": ""}])
    with (folder / "a.jsonl").open("a") as stream:
        stream.write("\nno json\n\n")
    cells = [[f"b{at}", TEXT.format(at) + "둘째 줄", 'x,"y"'] for at in range(9)]
    write_csv(folder / "b.csv", ["id", "text", "요지"], cells, "cp949")
    write_csv(folder / "d.tsv", ["id", "text", "요지"], [["d", "피고인 이하준", ""]], "utf-16")
    ids, texts = [f"c{at}" for at in range(9)], [TEXT.format(at) for at in range(9)]
    pq.write_table(pa.table({"id": ids, "text": texts}), folder / "c.parquet", row_group_size=5)
    (folder / "민사").mkdir()
    for at in range(6):
        (folder / "민사" / f"{at}.txt").write_text(TEXT.format(at), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def undisturbed(inputs, tmp_path_factory) -> dict[str, bytes]:
    """Return what a run leaves that nothing happens to."""
    made = plan(inputs, tmp_path_factory.mktemp("undisturbed") / "run")
    for shard in made.each():
        shards.do(made, shard)
    assert verify(made.folder).said == []
    return tree(made.folder)


def plan(inputs: Path, folder: Path, settings: Settings = SETTINGS) -> planning.Plan:
    return planning.write([inputs], folder, settings, decides(settings))


def run(made: planning.Plan, workers: int = 1, share: Share = Share()) -> None:  # noqa: B008
    for _ in driver.run(made, driver.by_processes(workers), share=share):
        pass


# --- what comes out -------------------------------------------------------------------------------


def test_a_run_from_plan_to_verified(inputs, undisturbed, tmp_path):
    folder = tmp_path / "run"
    done = invoke("plan", inputs, "-o", folder, "--model", "none", "--shard-documents", 4)
    assert (done.exit_code, "문서 36건" in done.output) == (0, True), done.output
    assert invoke("verify", folder).exit_code == 1, "nothing is done yet"
    done = invoke("run", folder, "--workers", 2, "--metrics", tmp_path / "bulk.prom")
    assert (done.exit_code, "36/36, 남겨 둔 문서 2" in done.output) == (1, True), done.output
    assert tree(folder) == undisturbed
    found = json.loads(invoke("status", folder, "--json").output)
    assert (found["rows_done"], found["dead"], found["core_hours"] > 0) == (36, 2, True)
    assert "thunder_bulk_documents_done 36\n" in (tmp_path / "bulk.prom").read_text()
    done = invoke("verify", folder)
    assert (done.exit_code, "결과 34건, 남겨 둔 문서 2건" in done.output) == (0, True), done.output


def test_no_name_is_left_in_what_comes_out(undisturbed):
    for name, content in undisturbed.items():
        for codec in ("utf-8", "cp949", "utf-16-le"):
            for mention in ("김도윤", "박서준", "이하준"):
                assert mention.encode(codec) not in content, name
    letters = [content for name, content in undisturbed.items() if name.startswith("dead")]
    said = [json.loads(line) for content in letters for line in content.splitlines()]
    assert [(one["file"], one["row"]) for one in said] == [("a.jsonl", 10), ("a.jsonl", 12)]


def test_parts_of_a_table_have_its_rows_in_order(undisturbed):
    parts = sorted(name for name in undisturbed if name.startswith("out/b.csv"))
    rows = [list(csv.reader(undisturbed[name].decode("cp949").splitlines(True))) for name in parts]
    assert all(part[0] == ["id", "text", "요지"] for part in rows)
    ids = [row[0] for part in rows for row in part[1:]]
    assert ids == [f"b{at}" for at in range(9)]


@pytest.mark.parametrize("of", [1, 2, 3])
def test_any_number_of_workers_and_shares_leaves_the_same_bytes(
    inputs, undisturbed, tmp_path, forked, of
):
    made = plan(inputs, tmp_path / "run")
    for number in range(of, 0, -1):  # the last share first
        run(made, workers=of, share=Share(number, of))
    assert tree(made.folder) == undisturbed
    run(made)  # twice does no harm
    assert tree(made.folder) == undisturbed


# --- kills ----------------------------------------------------------------------------------------


def in_a_fork(act) -> int:
    """Return the process that does *act*; it never comes back into the tests."""
    process = os.fork()
    if process:
        return process
    try:
        os.setpgid(0, 0)
        act()
        os._exit(0)
    except BaseException:
        os._exit(1)


@pytest.mark.parametrize("seed", range(5))
def test_a_driver_killed_at_any_time_goes_on(inputs, undisturbed, tmp_path, forked, seed):
    made = plan(inputs, tmp_path / "run")
    rng = random.Random(seed)
    for _ in range(3):
        process = in_a_fork(lambda: run(made, workers=2))
        time.sleep(rng.uniform(0.0, 0.2))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    run(made, workers=2)
    assert tree(made.folder) == undisturbed
    assert verify(made.folder).said == []


@pytest.mark.parametrize("seed", range(5))
def test_workers_killed_at_any_time_cost_nothing(inputs, undisturbed, tmp_path, forked, seed):
    made = plan(inputs, tmp_path / "run")
    rng = random.Random(seed)
    for _ in driver.run(made, driver.by_processes(2)):
        alive = multiprocessing.active_children()
        if alive and rng.random() < 0.4:
            os.kill(rng.choice(alive).pid or 0, signal.SIGKILL)
    assert tree(made.folder) == undisturbed
    assert verify(made.folder).said == []


@pytest.mark.parametrize("at", range(6))
def test_a_kill_between_write_and_rename(inputs, undisturbed, tmp_path, forked, at):
    """The process dies before its *at*-th rename: of results, dead letters or the marker."""
    made = plan(inputs, tmp_path / "run")

    def die() -> None:
        real, left = os.replace, [at]

        def replace(*names: object) -> None:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            real(*names)

        os.replace = replace
        for shard in made.each():
            shards.do(made, shard)

    os.waitpid(in_a_fork(die), 0)
    run(made)
    assert tree(made.folder) == undisturbed


def test_a_full_disk_stops_the_run_and_it_goes_on(inputs, undisturbed, tmp_path, forked):
    made = plan(inputs, tmp_path / "run")

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
        with pytest.raises(Refused, match="쓰지 못했습니다"):
            run(made)

    _, status = os.waitpid(in_a_fork(fill), 0)
    assert status == 0
    assert tree(made.folder) != undisturbed
    run(made)
    assert tree(made.folder) == undisturbed


def test_a_document_that_kills_its_worker_is_a_dead_letter(tmp_path, forked, monkeypatch):
    rows = [{"id": at, "text": TEXT.format(POISON if at == 5 else at)} for at in range(12)]
    source = write_json(tmp_path / "in" / "a.jsonl", rows)
    real = Deidentifier.deidentify

    def deidentify(self, judgment, *, id=""):
        if POISON in judgment:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, judgment, id=id)

    made = plan(source, tmp_path / "run")
    monkeypatch.setattr(Deidentifier, "deidentify", deidentify)
    last = list(driver.run(made, driver.by_processes(2)))[-1]
    assert (last.rows, last.dead, last.poisoned) == (12, 1, 1)
    [letter] = [content for name, content in tree(made.folder).items() if "dead" in name]
    assert (json.loads(letter)["id"], json.loads(letter)["row"]) == ("5", 6)
    assert POISON not in letter.decode()
    assert verify(made.folder).said == []
    monkeypatch.setattr(Deidentifier, "deidentify", real)
    assert driver.reopen(made) == 1
    run(made)
    assert not [name for name in tree(made.folder) if "dead" in name]
    assert (verify(made.folder).out, verify(made.folder).said) == (12, [])


# --- every day anew -------------------------------------------------------------------------------


def texts(folder: Path, *numbers: int, told: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        (folder / f"{number:02}.txt").write_text(TEXT.format(number) + told, encoding="utf-8")


@pytest.fixture
def changed(tmp_path, forked) -> tuple[Path, planning.Plan]:
    """Return an input that was done, then changed, and the plan of before."""
    folder = tmp_path / "in"
    texts(folder / "가", *range(20, 40))
    texts(folder / "나", 1)
    (folder / "가" / "33.txt").write_text("", encoding="utf-8")  # a dead letter
    rows = [{"id": at, "text": TEXT.format(at)} for at in range(10)]
    write_json(folder / "t.jsonl", rows)
    write_json(folder / "u.jsonl", [{"id": "u", "text": "피고인 김도윤"}])
    made = plan(folder, tmp_path / "run")
    run(made)
    texts(folder / "가", 10, 50)  # added, before and behind
    texts(folder / "가", 25, told="덧붙인 말\n")  # changed
    (folder / "가" / "30.txt").unlink()
    (folder / "가" / "33.txt").unlink()  # whose letter goes, too
    (folder / "나" / "01.txt").unlink()  # with its folder
    (folder / "u.jsonl").unlink()
    write_json(folder / "t.jsonl", [*rows, {"id": 10, "text": "피고인 이하준"}])
    return folder, made


def test_an_update_does_what_has_changed_and_nothing_else(changed, tmp_path, forked, monkeypatch):
    folder, made = changed
    done = invoke("update", made.folder)
    said = "더해진 문서 2건, 바뀐 문서 1건, 빠진 문서 3건, 다시 할 표의 행 4개"
    assert (done.exit_code, said in done.output) == (0, True), done.output
    assert not (made.folder / "out" / "나").exists()
    told = tmp_path / "told"
    real = Deidentifier.deidentify

    def deidentify(self, judgment, *, id=""):
        with told.open("a") as stream:
            stream.write(f"{id}\n")
        return real(self, judgment, id=id)

    monkeypatch.setattr(Deidentifier, "deidentify", deidentify)
    run(planning.read(made.folder), workers=2)
    assert sorted(told.read_text().split()) == [
        "10",
        "8",
        "9",
        "가/10.txt",
        "가/25.txt",
        "가/50.txt",
    ]
    fresh = plan(folder, tmp_path / "fresh")
    run(fresh)
    assert tree(made.folder) == tree(fresh.folder)
    assert verify(made.folder).said == []
    assert "입력이 그대로입니다" in invoke("update", made.folder).output


@pytest.mark.parametrize("at", range(0, 12, 2))
def test_an_update_that_is_killed_goes_on(changed, tmp_path, forked, at):
    """It dies before its *at*-th change of a name: of plans, markers, dead letters, results."""
    folder, made = changed

    def die() -> None:
        left = [at]

        def counted(real):
            def act(*names: object, **options: object) -> object:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return real(*names, **options)

            return act

        for name in ("replace", "unlink", "link"):
            setattr(os, name, counted(getattr(os, name)))
        updating.update(planning.read(made.folder))

    os.waitpid(in_a_fork(die), 0)
    updating.update(planning.read(made.folder))
    run(planning.read(made.folder))
    fresh = plan(folder, tmp_path / "fresh")
    run(fresh)
    assert verify(made.folder).said == []
    assert tree(made.folder) == tree(fresh.folder)


def test_what_would_be_other_is_counted_and_not_written(inputs, undisturbed, tmp_path, forked):
    made = plan(inputs, tmp_path / "run")
    for shard in made.each():
        shards.do(made, shard)
    same = invoke("compare", made.folder, "--shards", 3)
    assert (same.exit_code, "9건 가운데 0건" in same.output) == (0, True), same.output
    keep = tmp_path / "keep.txt"
    keep.write_text("이하준\n", encoding="utf-8")  # of one document
    done = invoke("compare", made.folder, "--keep", keep, "--workers", 2)
    last = done.output.splitlines()[-1]
    assert last == "조각 12개의 문서 36건 가운데 1건이 달라집니다.", done.output
    assert tree(made.folder) == undisturbed
    assert not list(made.folder.glob(".thunder-*"))


def test_a_folder_is_gone_on_with(inputs, tmp_path, forked):
    """``thunder deid --resume`` leaves what ``thunder deid`` does, after a kill and a change."""

    def deid(out: Path, *words: object) -> Result:
        options = ["-o", out, "--model", "none", "--quiet", *words]
        return CliRunner().invoke(app, ["deid", *map(str, [folder, *options])])

    def found(out: Path) -> dict[str, bytes]:
        paths = [path for path in out.rglob("*") if path.is_file()]
        paths = [path for path in paths if ".thunder-run" not in path.parts]
        return {str(path.relative_to(out)): path.read_bytes() for path in paths}

    folder = tmp_path / "in"
    shutil.copytree(inputs, folder)
    out = tmp_path / "out"
    process = in_a_fork(lambda: deid(out, "--resume"))
    while not list(out.rglob(".thunder-run/done/*/*.json")):
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    assert deid(out, "--resume", "--workers", 2).exit_code == 1, "two rows are no documents"
    plain = deid(tmp_path / "plain")
    assert found(out) == found(tmp_path / "plain")
    again = deid(out, "--resume")
    assert sorted(again.output.splitlines()) == sorted(plain.output.splitlines())
    (folder / "민사" / "7.txt").write_text("피고인 김도윤", encoding="utf-8")
    (folder / "민사" / "0.txt").unlink()
    assert "더해진 문서 1건, 바뀐 문서 0건, 빠진 문서 1건" in deid(out, "--resume").output
    deid(tmp_path / "new")
    assert found(out) == found(tmp_path / "new")
    assert verify(out / ".thunder-run").said == []
    other = deid(out, "--resume", "--profile", "strict")
    assert (other.exit_code, "settings.profile" in other.output) == (2, True), other.output
    assert deid(out, "--resume", "--audit", tmp_path / "audit").exit_code == 2


def test_an_update_beside_a_run_is_refused(changed):
    _, made = changed
    with (made.folder / "locks" / "2-of-3").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = invoke("update", made.folder)
    assert (done.exit_code, "다른 실행이" in done.output) == (2, True), done.output


# --- what is refused ------------------------------------------------------------------------------


def test_bad_input_is_refused_with_file_and_cure(tmp_path):
    one = [{"id": 1, "text": "가"}]
    cases = {
        "id가 없습니다: --id-column": [("a.jsonl", [{"text": "가"}])],
        "b.jsonl:1: id가 a.jsonl:1의 id와 같습니다": [("a.jsonl", one), ("b.jsonl", one)],
        "a.jsonl:2: id가 a.jsonl:1의 id와 같습니다": [("a.jsonl", [*one, *one])],
    }
    for number, (said, files) in enumerate(cases.items()):
        folder = tmp_path / str(number)
        for name, rows in files:
            write_json(folder / name, rows)
        done = invoke("plan", folder, "-o", tmp_path / "run", "--model", "none")
        assert (done.exit_code, said in done.output) == (2, True), done.output
        assert not (tmp_path / "run" / "plan.jsonl").exists()
    done = invoke("plan", tmp_path / "0", "-o", tmp_path / "r", "--model", "none", "--ids-by-row")
    assert done.exit_code == 0, done.output


def test_tables_whose_columns_change_are_refused(tmp_path):
    write_csv(tmp_path / "a.csv", ["id", "text"], [["1", "가"]], "utf-8")
    write_csv(tmp_path / "b.csv", ["id", "text", "요지"], [["2", "나", ""]], "utf-8")
    with pytest.raises(Refused, match=r"b\.csv: 열이 a\.csv의 열과 다릅니다"):
        planning.write([tmp_path], tmp_path.parent / "run", SETTINGS, decides(SETTINGS))


def test_a_table_that_ends_in_an_open_quote_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text('id,text\n1,가\n2,"나\n3,다\n', encoding="utf-8")
    with pytest.raises(Refused, match=r"a\.csv: .*끝까지 읽지 못했습니다"):
        planning.write([tmp_path], tmp_path.parent / "run", SETTINGS, decides(SETTINGS))


def test_two_files_of_one_name_are_refused(tmp_path):
    paths = [write_json(tmp_path / name / "x.txt", []).parent for name in ("a", "b")]
    with pytest.raises(Refused, match=r"x\.txt: 같은 이름의 파일이 둘입니다"):
        planning.write(paths, tmp_path / "run", SETTINGS, decides(SETTINGS))


def test_a_folder_that_is_not_ours_is_left_alone(inputs, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine").write_text("x")
    with pytest.raises(Refused, match="비어 있지 않습니다"):
        plan(inputs, tmp_path / "run")
    with pytest.raises(Refused, match=r"입력 폴더 .* 안입니다"):
        plan(inputs, inputs / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["mine"]


def test_a_plan_is_not_planned_over(inputs, tmp_path):
    plan(inputs, tmp_path / "run")
    with pytest.raises(Refused, match="이미 계획이 있습니다"):
        plan(inputs, tmp_path / "run")


def test_a_plan_edited_by_hand_is_refused(inputs, tmp_path):
    made = plan(inputs, tmp_path / "run")
    text = made.path.read_text().replace("민사/0.txt", "../../x.txt")
    made.path.write_text(text)
    done = invoke("run", made.folder)
    assert (done.exit_code, "적은 뒤에 바뀌었습니다" in done.output) == (2, True)
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize(
    ("name", "differs"), [("version", "version"), ("rules_digest", "rules.sha256")]
)
def test_going_on_with_other_code_is_refused(inputs, tmp_path, monkeypatch, name, differs):
    made = plan(inputs, tmp_path / "run")
    if name == "version":
        monkeypatch.setattr("thunder.__version__", "0")
    else:
        monkeypatch.setattr("thunder.masking.audit.rules_digest", lambda: "0")
    done = invoke("run", made.folder)
    assert (done.exit_code, differs in done.output) == (2, True), done.output


@pytest.mark.parametrize("name", ["a.jsonl", "b.csv", "c.parquet", "민사/0.txt"])
def test_an_input_that_changed_stops_the_run(tmp_path, inputs, forked, name):
    copy = tmp_path / "in"
    for path in inputs.rglob("*"):
        if path.is_file():
            target = copy / path.relative_to(inputs)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    made = plan(copy, tmp_path / "run")
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(Refused, match=f"{name}: 계획한 뒤에 바뀌었거나"):
        run(made)


def test_two_runs_of_one_share_are_refused(inputs, tmp_path):
    made = plan(inputs, tmp_path / "run")
    (made.folder / "locks").mkdir()
    with (made.folder / "locks" / "1-of-1").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="다른 실행이 이 몫"):
            run(made)


@pytest.mark.parametrize("given", ["0/2", "3/2", "1", "a/b", "1/0"])
def test_a_share_that_is_none_is_refused(inputs, tmp_path, given):
    assert invoke("run", tmp_path, "--shard", given).exit_code == 2


# --- verify ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda run: (run / "out/a.jsonl/part-000000.jsonl").unlink(), "없거나"),
        (lambda run: (run / "out/b.csv/part-000001.csv").write_text("id,text\n"), "바뀌었습니다"),
        (lambda run: (run / "out/more.txt").write_text("x"), "파일이"),
        (lambda run: (run / "done/000000/000000001.json").unlink(), "끝나지 않았습니다"),
        (lambda run: next(run.glob("dead/*/*")).unlink(), "바뀌었습니다"),
        (lambda run: (run / "plan.jsonl").write_text("{}\n{}\n"), "바뀌었습니다"),
    ],
)
def test_verify_sees_what_was_spoilt(inputs, tmp_path, spoil, said):
    made = plan(inputs, tmp_path / "run")
    for shard in made.each():
        shards.do(made, shard)
    spoil(made.folder)
    done = invoke("verify", made.folder)
    assert (done.exit_code == 0, said in done.output) == (False, True), done.output


# --- ids ------------------------------------------------------------------------------------------


def test_the_sum_of_ids_tells_sets_apart():
    def total(*ids: str) -> str:
        found = IdSum()
        for id in ids:
            found.add(id)
        return str(found)

    assert total("a", "b", "c") == total("c", "a", "b")
    assert len({total("a", "b"), total("a"), total("a", "b", "b"), total("ab"), total()}) == 5


def test_an_id_that_comes_twice_is_found_among_many(tmp_path):
    with Distinct(tmp_path) as distinct:
        for number in range(20_000):
            distinct.add(f"id {number}", number // 100, number)
        assert distinct.twice() is None
        distinct.add("id 12345", 900, 7)
        assert distinct.twice() == ((123, 12345), (900, 7))
    assert list(tmp_path.iterdir()) == []
