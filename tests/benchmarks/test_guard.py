"""The guard: what counts as a difference, what both sides read, and that each side runs alone."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from guarding import inputs, worker
from guarding.comparing import described, differences

ROOT = Path(__file__).resolve().parents[2]

GUARD = ROOT / "benchmarks" / "guard.py"
ANSWER = {
    "id": "2026고단1",
    "text": "피고인 A은 강남구에 산다.",
    "spans": [[4, 7, "내국인이름", 0.95, "names:person", "A"]],
    "kept": [[9, 12, "행정구", 0.9, "rule:address", "시·군·구"]],
    "doubts": [[4, 7, "unsure", 0.5, "확실하지 않습니다."]],
    "hints": [[4, 7, 3]],
}


@pytest.mark.parametrize(
    ("field", "new", "told"),
    [
        ("id", "2026고단1", []),
        ("spans", [], ["spans 4:7 내국인이름 0.95 names:person → nothing"]),
        (
            "spans",
            [[4, 8, "내국인이름", 0.95, "names:person", "A"]],
            ["spans 4:7 내국인이름 0.95 names:person → nothing (1 of 2)"],
        ),
        (
            "spans",
            [[4, 7, "외국인이름", 0.9, "names:foreign", "A"]],
            [
                "labels 4:7 내국인이름 0.95 names:person → 외국인이름 0.9 names:foreign",
                "scores 4:7 내국인이름 0.95 names:person → 외국인이름 0.9 names:foreign",
                "sources 4:7 내국인이름 0.95 names:person → 외국인이름 0.9 names:foreign",
            ],
        ),
        (
            "spans",
            [[4, 7, "내국인이름", 0.95, "names:person", "B"]],
            ["replacements 4:7 내국인이름 → 내국인이름"],
        ),
        (
            "kept",
            [[9, 12, "행정구", 0.9, "rule:address", "기관"]],
            ["kept 9:12 행정구 0.9 rule:address 시·군·구 → 행정구 0.9 rule:address 기관"],
        ),
        ("kept", [], ["kept 9:12 행정구 0.9 rule:address 시·군·구 → nothing"]),
        ("doubts", [], ["doubts 4:7 unsure 0.5 → nothing"]),
        (
            "doubts",
            [[2, 3, "near", 0.2, "아마"], [4, 7, "unsure", 0.5, "확실하지 않습니다."]],
            ["doubts 2:3 nothing → near 0.2"],
        ),
        ("hints", [[4, 7, 2]], ["hints 4:7 3 → 2"]),
        ("hints", [], ["hints 4:7 3 → nothing"]),
        ("text", "피고인 B은 강남구에 산다.", ["text 4:4"]),
        ("text", "피고인 A은 강남구에 산다. ", ["text 15:15"]),
        ("error", "ValueError", ["errors 0:0 nothing → ValueError"]),
    ],
)
def test_whatever_an_answer_says_otherwise_is_told_by_kind_and_place(field, new, told):
    assert [*map(described, differences(ANSWER, {**ANSWER, field: new}))] == told


def test_answers_to_two_documents_are_not_compared():
    with pytest.raises(ValueError, match="two documents"):
        differences(ANSWER, {**ANSWER, "id": "2026고단2"})


def test_sentences_are_the_strings_with_hangul_of_a_checkouts_tests_each_once(tmp_path):
    tests = tmp_path / "tests" / "rules"
    tests.mkdir(parents=True)
    (tests / "test_one.py").write_text(
        'A = ["피고인 홍길동은", "짧은 말", "only Latin letters"]\nB = f"피고인 {A}은 갔다."\n'
    )
    (tests / "test_two.py").write_text('C = ("피고인 홍길동은", "원고 김도윤이")\n')
    (tests / "judgment.txt").write_text("판결 이유는 같다.")
    found = [(row["id"].rpartition(":")[0], row["text"]) for row in inputs.sentences(tmp_path)]
    assert found == [
        ("tests/rules/judgment.txt:0", "판결 이유는 같다."),
        ("tests/rules/test_one.py:1", "피고인 홍길동은"),
        ("tests/rules/test_two.py:1", "원고 김도윤이"),
    ]


def test_a_sample_is_the_same_each_time_and_in_the_order_of_all():
    rows = [{"id": str(number), "text": "같은 글"} for number in range(100)]
    found = inputs.sample(rows, 10)
    assert len(found) == 10
    assert found == inputs.sample(rows, 10) == [row for row in rows if row in found]
    assert {row["id"] for row in found} == {row["id"] for row in inputs.sample(rows[::-1], 10)}
    assert inputs.sample(rows, None) == inputs.sample(rows, 100) == rows


def test_documents_are_read_together_alike_whatever_the_number_of_processes():
    documents = [(str(number), "가" * 5_000) for number in range(100)]
    found = list(worker.chunks(documents))
    assert [document for chunk in found for document in chunk] == documents
    assert max(len(chunk) for chunk in found) <= worker.DOCUMENTS
    assert {sum(len(text) for _, text in chunk) for chunk in found[:-1]} == {120_000}


def test_the_package_has_every_entry_point():
    for entry, place in worker.ENTRY_POINTS.items():
        module = worker.module_of(ROOT, entry)
        assert all(hasattr(module, name) for name in place.names)


def test_gold_is_made_by_modules_that_the_commit_of_the_gold_has():
    commit = re.search(r'^GOLD_COMMIT = "(.*)"$', GUARD.read_text(), re.MULTILINE)[1]
    listed = ["git", "ls-tree", "-r", "--name-only", commit, "thunder"]
    done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{commit} is not in this clone")
    files = set(done.stdout.split())
    tree = ast.parse((ROOT / "benchmarks" / "guarding" / "gold.py").read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    asked = [node.module for node in imports if node.module.partition(".")[0] == "thunder"]
    places = {name: name.replace(".", "/") for name in asked}
    assert asked
    assert [n for n, at in places.items() if not {f"{at}.py", f"{at}/__init__.py"} & files] == []


def test_the_rules_alone_are_asked_for_where_a_tagger_is_the_default(monkeypatch):
    def none(*_):
        raise AssertionError("a tagger is loaded")

    monkeypatch.setattr("thunder.masking.deidentify.default", none)
    answer = worker.answers(ROOT, "rules", [("1", "피고인 홍길동은 웃었다.")])
    assert "error" not in answer[0]


# --- whole runs, of small checkouts whose package masks what they are made with -------------------


ACT = """
from types import SimpleNamespace as Of
def deidentify_all(documents, **options):
    for name, text in documents:
        if "오류" in text:
            raise {error}("cannot be read")
        at = text.find("{word}")
        spans = [Of(start=at, end=at + {length}, label="{label}", score=1.0, source="test")]
        changes = [Of(span=one, replacement="A") for one in spans if at >= 0]
        yield Of(id=name, text=text.replace("{word}", "A"), changes=changes, kept=(), doubts=())
"""


def checkout(folder, *, module="deidentify", word="홍길동", label="이름", error="ValueError"):
    (folder / "thunder").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "thunder" / "__init__.py").write_text("")
    source = ACT.format(word=word, length=len(word), label=label, error=error)
    path = folder / "thunder" / f"{module}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    sentences = 'A = ["피고인 홍길동은", "원고 김도윤이", "오류가 있는 글"]\n'
    (folder / "tests" / "test_one.py").write_text(sentences)
    return folder


def guard(work, *arguments):
    command = [sys.executable, GUARD, *arguments, "--sets", "tests-rules", "--work", work]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("changed", "status", "told"),
    [
        ({}, 0, "no difference"),
        ({"module": "deid/act"}, 0, "no difference"),  # moved, and found where it went
        ({"label": "성명"}, 1, "1 differ (labels 1)"),
        ({"word": "김도윤"}, 1, "2 differ (spans 2, text 2)"),
        ({"error": "TypeError"}, 1, "1 differ (errors 1)"),
    ],
)
def test_two_checkouts_are_compared_by_what_they_do(tmp_path, changed, status, told):
    old, new = checkout(tmp_path / "old"), checkout(tmp_path / "new", **changed)
    done = guard(tmp_path / "work", old, new)
    assert (done.returncode, done.stderr.count("Traceback")) == (status, 0)
    assert f"tests-rules: 3 documents: {told}" in done.stdout
    assert "홍길동" not in done.stdout and "김도윤" not in done.stdout
    details = (tmp_path / "work" / "differences.jsonl").read_text().splitlines()
    assert bool(details) == bool(status)
    assert all(json.loads(line)["set"] == "tests-rules" for line in details)


def test_what_cannot_be_run_is_said_and_is_no_difference(tmp_path):
    old = checkout(tmp_path / "old")
    assert guard(tmp_path / "work", old, tmp_path).returncode == 2
    assert guard(tmp_path / "work", old, "no-such-commit").returncode == 2
    (old / "thunder" / "deidentify.py").rename(old / "thunder" / "deidentify.txt")
    done = guard(tmp_path / "work", old, old)
    assert done.returncode == 2
    assert "say in ENTRY_POINTS where it stands now" in done.stderr


def test_a_side_never_answers_with_the_package_of_another(tmp_path):
    rows = inputs.write([{"id": "1", "text": "피고인 홍길동은"}], tmp_path, "one")
    root = checkout(tmp_path / "old")
    command = [sys.executable, worker.__file__, rows, tmp_path / "out.jsonl", "--way", "rules"]
    done = subprocess.run([*command, "--root", root], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "not the package of" in done.stderr


@pytest.mark.slow
def test_this_checkout_with_the_shipped_tagger_tells_what_the_tagger_was_told(tmp_path):
    texts = [
        "피고인 홍길동(561231-1234567)은",
        "원고 김도윤은 서울 강남구 역삼동 1-2에 산다.",
        "무죄.",
    ]
    rows = ({"id": str(number), "text": text} for number, text in enumerate(texts))
    source, output = inputs.write(rows, tmp_path, "three"), tmp_path / "out.jsonl"
    command = [sys.executable, worker.__file__, source, output, "--root", ROOT, "--way", "tagger"]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    first, second, third = map(json.loads, output.read_text().splitlines())
    assert "홍길동" not in first["text"] and "김도윤" not in second["text"]
    assert first["hints"] and second["hints"] and third["hints"] == []
