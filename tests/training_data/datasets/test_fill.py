"""Judgments filled for scoring: what is written, what is left, and that it can be scored by."""

import json

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app

from .conftest import judgment, write_jsonl

UNMARKED = {
    "id": "half-marked",
    "case_type": "fraud",
    "text": "피고인 <<<내국인이름>>>A<<</내국인이름>>>은\n"
    "피해자 B에게 <<<은행>>>C<<</은행>>>은행 계좌를 알렸다.",
}
TORN = {"id": "torn", "text": "<<<은행>>>새봄은행"}


def run(*arguments, language="ko"):
    env = {"COLUMNS": "120", "THUNDER_LANGUAGE": language}
    return CliRunner().invoke(app, ["dataset", "fill", *map(str, arguments)], env=env)


@pytest.fixture
def some(tmp_path):
    return write_jsonl(tmp_path / "some.jsonl", [*(judgment(n) for n in range(6)), UNMARKED, TORN])


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_each_entity_says_what_stands_where_and_what_stood_there(some, tmp_path):
    out = tmp_path / "gold.jsonl"
    assert run(some, "-o", out).exit_code == 0
    filled = rows(out)
    assert [row["id"] for row in filled] == [f"doc-{n:04}" for n in range(6)] + ["half-marked"]
    for row in filled:
        assert "<<<" not in row["text"]
        for one in row["entities"]:
            assert row["text"][one["start"] : one["end"]] == one["mention"] != one["written"]
    lease = filled[2]["entities"]
    landlord = [one for one in lease if one["written"] == "G"]
    assert len(landlord) == 2
    assert len({(one["mention"], one["entity"]) for one in landlord}) == 1


def test_a_seed_gives_a_file_and_a_judgment_may_be_filled_more_than_once(some, tmp_path):
    outs = [tmp_path / name for name in ("one", "two", "three")]
    for out, more in zip(outs, ((), (), ("--seed", 2)), strict=True):
        assert run(some, "-o", out, "--fillings", 2, *more).exit_code == 0
    first, second, third = (out.read_bytes() for out in outs)
    assert first == second != third
    assert [row["id"] for row in rows(outs[0])][:4] == [
        "doc-0000",
        "doc-0000#2",
        "doc-0001",
        "doc-0001#2",
    ]


def test_what_is_left_out_and_what_is_left_in_is_said_by_place_alone(some, tmp_path):
    done = run(some, "-o", tmp_path / "gold.jsonl")
    assert "some.jsonl:8: torn: 짝이 맞지 않거나 깨진 표시" in done.stderr
    assert "half-marked: 2행 5열" in done.stderr
    assert "판결 1건에 1곳" in done.stderr
    assert "새봄" not in done.output
    whole = run(some, "-o", tmp_path / "whole.jsonl", "--whole", language="en")
    assert (
        "half-marked: 1 placeholders without a mark, the first at line 2 column 5" in whole.stderr
    )
    assert len(rows(tmp_path / "whole.jsonl")) == 6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "most"], "--part: 'most'은(는) 없는 값입니다. 있는 것: all, train, held-out"),
        (["--variants", "some"], "--variants: 'some'"),
        (["--names", "mine"], "--names: 'release' 또는 'taxonomy'"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_written(options, said, some, tmp_path):
    done = run(some, "-o", tmp_path / "gold.jsonl", *options)
    assert (done.exit_code, said in done.stderr) == (1, True), done.stderr
    assert "바뀐 것이 없습니다." in done.stderr
    assert not (tmp_path / "gold.jsonl").exists()


def test_no_file_is_written_over_unasked_or_read_and_written_at_once(some, tmp_path):
    out = tmp_path / "gold.jsonl"
    out.write_text("mine", "utf-8")
    assert "이미 있습니다" in run(some, "-o", out).stderr
    assert "읽을 파일입니다" in run(some, "-o", some, "--force").stderr
    assert "파일이 없습니다" in run(tmp_path / "gone.jsonl", "-o", out, "--force").stderr
    assert out.read_text("utf-8") == "mine"
    nothing = write_jsonl(tmp_path / "torn.jsonl", [TORN])
    assert "하나도 없습니다" in run(nothing, "-o", out, "--force").stderr
    assert out.read_text("utf-8") == "mine"


def test_a_system_that_answers_with_the_gold_is_right_throughout(some, tmp_path):
    pytest.importorskip("torch", reason="thunder evaluate needs the extra evaluate")
    out, answers = tmp_path / "gold.jsonl", tmp_path / "answers.jsonl"
    assert run(some, "-o", out).exit_code == 0
    kept = [
        {"id": row["id"], "entities": [one for one in row["entities"] if one["label"]]}
        for row in rows(out)
    ]
    write_jsonl(answers, kept)
    report = tmp_path / "report.md"
    done = CliRunner().invoke(
        app,
        ["evaluate", str(out), f"mine={answers}", "--markdown", str(report), "--bootstrap", "0"],
    )
    assert done.exit_code == 0, done.output
    text = report.read_text("utf-8")
    tokens = text.split("## Token-level micro scores")[1]
    assert "| mine | 1.0000 | 1.0000 | 1.0000 | 1 | 7 |" in tokens, tokens[:900]
