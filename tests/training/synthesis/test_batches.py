"""Requests in files for a cluster: the run goes on from the answers, to the same texts."""

import json

import pytest

from thunder.settings.config import ConfigError, parse
from thunder.training.synthesis import running
from thunder.training.synthesis.batches import Waiting
from thunder.training.synthesis.server import ServerError
from thunder.training.synthesis.settings import Run

from .stand_in import MODEL, StandIn
from .test_running import one_label_a_round as one_label_a_round
from .test_running import rightly
from .test_running import settings as server_run

RUN = """
output = "{folder}/made"
[batch]
folder = "{folder}/batch"
model = "{model}"
per_file = {per_file}
[texts]
domains = ["탄원서·진술서"]
labels = ["내국인이름", "은행", "병원"]
wanted = 1
number = {number}
rounds = 2
distractors = ["판사", "검사"]
"""


def run_of(folder, *, number=1, per_file=100):
    text = RUN.format(folder=folder, model=MODEL, number=number, per_file=per_file)
    return parse(text, Run, origin="run.toml")


def answered(folder, turn, *, spoiled=()):
    """Answer every request that lies there as a cluster does; *spoiled* by their number in order.

    Returns how many there were.
    """
    number = 0
    for path in sorted((folder / "batch").glob("requests-*.jsonl")):
        lines = []
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
            bad = number in spoiled
            response = {"status_code": 500 if bad else 200, "body": rightly(row["body"])}
            error = {"code": "busy"} if bad else None
            one = {"id": "x", "custom_id": row["custom_id"], "response": response, "error": error}
            lines.append(json.dumps(one, ensure_ascii=False))
            number += 1
        answers = folder / "batch" / f"answers-{turn}-{path.stem}.jsonl"
        answers.write_text("\n".join(lines) + "\n", "utf-8")
    return number


def to_its_end(run, folder, **how):
    turns = []
    for turn in range(9):
        try:
            return running.run(run), turns
        except Waiting as waiting:
            assert answered(folder, turn, **(how if not turn else {})) == waiting.number
            turns.append((waiting.number, len(waiting.paths)))
    raise AssertionError(turns)


def test_a_run_by_files_ends_in_the_texts_of_a_run_by_server(tmp_path):
    report, turns = to_its_end(run_of(tmp_path), tmp_path)
    assert turns == [(1, 1)] * 5  # persona, draft, insert, insert, distract
    (tmp_path / "other").mkdir()
    with StandIn(lambda body: (200, rightly(body))) as stand_in:
        other = running.run(server_run(tmp_path / "other", stand_in.url))
    assert (report.texts, report.tokens) == (other.texts, other.tokens)
    for name in ("texts.jsonl", "filled.jsonl", "splits.tsv"):
        mine, theirs = (folder / "made" / name for folder in (tmp_path, tmp_path / "other"))
        assert mine.read_bytes() == theirs.read_bytes()
    assert running.run(run_of(tmp_path)) == report  # from the ledger: nothing waits


def test_what_the_cluster_could_not_answer_is_asked_anew_and_nothing_else(tmp_path):
    run = run_of(tmp_path, number=3, per_file=2)
    report, turns = to_its_end(run, tmp_path, spoiled={1})
    assert turns[:3] == [(3, 2), (1, 1), (3, 2)]
    assert report.requests == 15 - sum(report.given_up.values())  # of three texts, five steps


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        '{"response": {"status_code": 200, "body": {}}, "error": null}',
        '{"custom_id": "a", "response": {"status_code": 200, "body": {"choices": []}}}',
        "[]",
    ],
)
def test_a_file_that_holds_no_answers_is_named_with_its_line(tmp_path, line):
    with pytest.raises(Waiting):
        running.run(run_of(tmp_path))
    (tmp_path / "batch" / "answers-0.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(ServerError, match=r"answers-0\.jsonl: line 2 is no answer"):
        running.run(run_of(tmp_path))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[server]\nurl = "http://127.0.0.1/v1"\n', r"one of them"),
        ('[local]\nfolder = "x"\n', r"one of them"),
    ],
)
def test_one_place_is_asked(tmp_path, more, said):
    text = RUN.format(folder=tmp_path, model=MODEL, number=1, per_file=1) + more
    with pytest.raises(ConfigError, match=said):
        parse(text, Run, origin="run.toml")
