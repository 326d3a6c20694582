"""The commands: what they print, what they write, and what they say of bad input."""

import json
import sys

import pytest
from typer.testing import CliRunner

from thunder import tokenization
from thunder.commands.tokenizer import app
from thunder.settings.resources import folder
from thunder.text.spans import Span
from thunder.tokenization.pieces import parts
from thunder.training_data.annotation import serialise

NAMES = ("김수영", "박서준", "이민호", "최영수", "정해인", "한지민", "오세훈", "강동원")


def _run(*arguments, **options):
    return CliRunner().invoke(app, [*map(str, arguments)], **options)


def test_show_says_what_every_token_stands_for():
    done = _run("show", "홍길동의 𠮷")
    assert done.exit_code == 0
    rows = [line.split() for line in done.output.splitlines()]
    assert rows[0] == ["id", "start", "end", "token", "characters"]
    assert [row[1:3] for row in rows[1:5]] == [["0", "1"], ["1", "2"], ["2", "3"], ["3", "4"]]
    assert [row[3] for row in rows[-5:-1]] == ["<0xF0>", "<0xA0>", "<0xAE>", "<0xB7>"]
    assert rows[-1] == ["9", "tokens,", "6", "characters"]


def test_show_reads_standard_input_and_keeps_brackets():
    done = _run("show", "-", "--tokenizer", "128k", input="[b]가[/b]\n")
    assert done.exit_code == 0
    assert "10 characters" not in done.output
    assert "'[" in done.output and "'\\n'" in done.output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("show", "가", "--tokenizer", "64k"), "64k/thunder.json is missing"),
        (("export", "64k", "out"), "64k/thunder.json is missing"),
        (("train", "--vocabulary", 2000, "--out", "x", "corpus.jsonl"), "give FILE=SENTENCES"),
        (("train", "--vocabulary", 2000, "--out", "x", "corpus.jsonl=many"), "give FILE=SENTENCES"),
        (("train", "--vocabulary", 2000, "--out", "x", "/nowhere.jsonl=9"), "/nowhere.jsonl"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(arguments, problem):
    done = _run(*arguments)
    assert done.exit_code == 1
    assert problem in done.output
    assert len(done.output.splitlines()) == 1


def test_show_refuses_a_lone_surrogate_without_quoting_the_text():
    done = _run("show", "홍길동\ud800")
    assert done.exit_code == 1
    assert "surrogate" in done.output and "홍길동" not in done.output


def test_export_writes_what_transformers_reads(tmp_path):
    transformers = pytest.importorskip("thunder.tokenization.transformers")
    done = _run("export", "32k", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "tokenization_thunder.py" in done.output
    found = transformers.ThunderTokenizer.from_pretrained(tmp_path / "out")
    ours = tokenization.load(folder("tokenizer") / "32k")
    assert (
        found("피고인 김수영의")["input_ids"][1:-1] == ours.encode("피고인 김수영의").ids.tolist()
    )


def test_a_missing_library_is_left_to_the_command_to_name(monkeypatch, tmp_path):
    monkeypatch.delitem(sys.modules, "thunder.tokenization.transformers", raising=False)
    monkeypatch.setitem(sys.modules, "transformers", None)
    done = _run("export", "32k", tmp_path / "out")
    assert isinstance(done.exception, ModuleNotFoundError)
    assert done.exception.name == "transformers"


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for at in range(400):
            one, other = NAMES[at % 8], NAMES[(at // 8) % 8]
            text = f"피고인 {one}은 2019. 3. {at}.경 피해자 {other}의 집에서 {at}원을 받았다. " * 2
            file.write(json.dumps({"id": str(at), "text": text}, ensure_ascii=False) + "\n")
    return path


def test_train_writes_a_tokenizer_that_loads(corpus, tmp_path):
    done = _run("train", "--vocabulary", 2_640, "--out", tmp_path / "own", f"{corpus}=700")
    assert done.exit_code == 0, done.output
    assert "700 sentences of corpus.jsonl" in done.output
    made = tokenization.load(tmp_path / "own")
    assert made.manifest.vocabulary == 2_640
    shown = _run("show", "피고인은", "--tokenizer", tmp_path / "own")
    assert "피고인" in shown.output


def test_compare_sets_all_of_them_side_by_side(corpus, tmp_path):
    pytest.importorskip("sentencepiece")
    pytest.importorskip("matplotlib")
    annotated = tmp_path / "annotated.jsonl"
    with annotated.open("w", encoding="utf-8") as file:
        for name in NAMES:
            text = f"피해자 {name}의 돈"
            marked = serialise(text, [Span(4, 7, "내국인이름")])
            file.write(json.dumps({"id": name, "text": marked}, ensure_ascii=False) + "\n")
    options = ("--annotated", annotated, "--text", f"judgments={corpus}", "--vocabulary", 2_640)
    out = tmp_path / "out"
    done = _run("compare", *options, "--tokenizer", "32k", "--out", out, f"{corpus}=800")
    assert done.exit_code == 0, done.output
    table = (out / "comparison.md").read_text("utf-8")
    names = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()[2:8]]
    assert names[:3] == ["hybrid 32k", "hybrid, same sample", "plain BPE"]
    assert names[3:] == ["SentencePiece bpe", "SentencePiece unigram", "Mecab-ko alone"]
    assert "| 내국인이름 | 8 | 100.0 % | 100.0 % |" in table
    assert (out / "comparison.png").stat().st_size > 10_000
    assert all(len(parts(f" {name}의")) > 1 for name in NAMES)
