"""What a bulk run records beside its results: the same at any number of workers, and verified."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.bulk.ledger import driver, records
from thunder.bulk.ledger import plan as planning
from thunder.bulk.ledger.settings import Settings, decides
from thunder.bulk.ledger.verify import verify
from thunder.bulk.outputs import Refused
from thunder.commands.cli import app

RECORDED = ("audit", "mapping", "report")
SETTINGS = Settings(
    model="none", shard_documents=4, checks=True, audit=True, mapping=True, report=True
)

NAMES = ("김도윤", "박서준")


def invoke(*words: object):
    return CliRunner().invoke(app, ["bulk", *map(str, words)])


def run(made: planning.Plan, workers: int = 1) -> None:
    for _ in driver.run(made, driver.by_processes(workers)):
        pass


@pytest.fixture
def documents(tmp_path) -> Path:
    """Return a folder of nine texts, one of them empty, in files that bear a name."""
    folder = tmp_path / "in"
    folder.mkdir()
    for at in range(9):
        text = f"피고인 김도윤은 {at}번 걸었다. 피해자 박서준이 보았다.\n" if at != 5 else ""
        (folder / f"{at}-김도윤.txt").write_text(text, encoding="utf-8")
    return folder


def planned(inputs: Path, folder: Path, settings: Settings = SETTINGS) -> planning.Plan:
    return planning.write([inputs], folder, settings, decides(settings))


def recorded(folder: Path) -> dict[str, bytes]:
    paths = [path for kind in RECORDED for path in (folder / kind).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def entries(folder: Path, kind: str) -> list[dict]:
    paths = sorted((folder / kind).rglob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def done(inputs: Path, folder: Path, settings: Settings = SETTINGS) -> planning.Plan:
    made = planned(inputs, folder, settings)
    run(made, workers=2)
    assert verify(folder).said == []
    return made


def test_an_audit_says_what_became_of_each_document_and_names_nobody(documents, tmp_path, forked):
    made = done(documents, tmp_path / "run")
    audit = entries(made.folder, "audit")
    kinds = [one["record"] for one in audit]
    counted = {kind: kinds.count(kind) for kind in ("run", "document", "failure", "file", "end")}
    assert counted == {"run": 3, "document": 8, "failure": 1, "file": 8, "end": 3}
    for one in audit:
        if one["record"] == "document":
            assert {change["source"] for change in one["changes"]}
    for content in (made.folder / "audit").rglob("*.jsonl"):
        assert not [name for name in NAMES if name in content.read_text("utf-8")]


def test_a_mapping_leads_back_and_is_for_its_owner_alone(documents, tmp_path, forked):
    made = done(documents, tmp_path / "run")
    mapping = entries(made.folder, "mapping")
    found = {word for one in mapping if "originals" in one for word in one["originals"]}
    assert set(NAMES) <= found
    names = {one["hmac"]: one["name"] for one in mapping if one["record"] == "name"}
    veiled = {one["file"] for one in entries(made.folder, "audit") if "file" in one}
    assert {names[one] for one in veiled} == {path.name for path in documents.iterdir()}
    private = [*(made.folder / "mapping").rglob("*.jsonl"), made.folder / records.KEY]
    assert {path.stat().st_mode & 0o077 for path in private} == {0}


def test_a_report_tells_of_what_was_held_back(documents, tmp_path, forked):
    made = done(documents, tmp_path / "run")
    [report] = (made.folder / "report").rglob("*.md")
    assert "## 5-김도윤.txt" in report.read_text("utf-8")


def test_records_are_the_same_at_any_number_of_workers(documents, tmp_path, forked):
    first = done(documents, tmp_path / "first")
    second = planned(documents, tmp_path / "second")
    shutil.copy(first.folder / records.KEY, second.folder / records.KEY)
    run(second)
    assert recorded(second.folder) == recorded(first.folder)


@pytest.mark.parametrize("kind", RECORDED)
def test_a_record_that_was_changed_is_seen(documents, tmp_path, forked, kind):
    made = done(documents, tmp_path / "run")
    path = next(path for path in (made.folder / kind).rglob("*") if path.is_file())
    path.write_bytes(path.read_bytes() + b"\n")
    assert [str(path) in said for said in verify(made.folder).said] == [True]


def test_without_its_key_a_run_does_not_go_on(documents, tmp_path):
    made = planned(documents, tmp_path / "run")
    (made.folder / records.KEY).unlink()
    with pytest.raises(Refused, match=r"audit\.key"):
        run(made)


def test_what_was_withdrawn_is_in_no_record(documents, tmp_path, forked):
    made = done(documents, tmp_path / "run")
    (documents / "5-김도윤.txt").unlink()
    (documents / "6-김도윤.txt").unlink()
    assert invoke("update", made.folder).exit_code == 0
    now = planning.read(made.folder)
    run(now)
    assert verify(made.folder).said == []
    for name, content in recorded(made.folder).items():
        assert "6-김도윤" not in content.decode(), name
    assert "report" not in {name.partition("/")[0] for name in recorded(made.folder)}
    numbers = [one["record"] for one in entries(made.folder, "audit")]
    assert numbers.count("document") == 7


# --- a folder, a case -----------------------------------------------------------------------------


def case(folder: Path, *texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for at, text in enumerate(texts):
        (folder / f"{at}.txt").write_text(text, encoding="utf-8")


TOGETHER = Settings(model="none", shard_documents=2, case=True)


def test_a_case_is_one_shard_and_has_one_letter_for_a_person(tmp_path, forked):
    folder = tmp_path / "in"
    first, second = "피고인 김도윤은 걸었다.\n", "피해자 박서준은 피고인 김도윤을 보았다.\n"
    case(folder / "가", first, "", second)
    case(folder / "나", second)
    made = done(folder, tmp_path / "run", TOGETHER)
    assert [[file.name for file in shard.files] for shard in made.each()] == [
        ["가/0.txt", "가/1.txt", "가/2.txt"],
        ["나/0.txt"],
    ]
    texts = {
        str(path.relative_to(made.results)): path.read_text("utf-8")
        for path in made.results.rglob("*.txt")
    }
    assert texts == {
        "가/0.txt": "피고인 A은 걸었다.\n",
        "가/2.txt": "피해자 B은 피고인 A을 보았다.\n",
        "나/0.txt": "피해자 A은 피고인 B을 보았다.\n",
    }


def test_a_case_of_which_a_file_changes_is_done_anew(tmp_path, forked):
    folder = tmp_path / "in"
    case(folder / "가", "피해자 박서준이 보았다.\n", "피고인 김도윤이 걸었다.\n")
    case(folder / "나", "피해자 박서준이 보았다.\n")
    made = done(folder, tmp_path / "run", TOGETHER)
    case(folder / "가", "아무도 없었다.\n")
    said = invoke("update", made.folder)
    assert "바뀐 문서 1건" in said.output, said.output
    now = planning.read(made.folder)
    run(now)
    assert verify(made.folder).said == []
    assert (made.results / "가" / "1.txt").read_text("utf-8") == "피고인 A이 걸었다.\n"


def test_a_table_is_no_case(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"id": "1", "text": "가"}\n')
    refused = invoke("plan", folder, "-o", tmp_path / "run", "--model", "none", "--case")
    assert (refused.exit_code, "표는 사건이 아닙니다" in refused.output) == (2, True)
