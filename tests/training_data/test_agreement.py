"""Two annotators: what they agree on, what differs, and one set out of both."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder import taxonomy as taxonomies
from thunder.commands.cli import app
from thunder.training_data import agreement
from thunder.training_data.agreement import AgreementError
from thunder.training_data.guideline import guideline

FIRST = {
    "a": "피고인 <<<내국인이름>>>A<<</내국인이름>>>은 <<<은행>>>B<<</은행>>>은행에서 C를 만났다.",
    "b": "피해자 <<<내국인이름>>>D<<</내국인이름>>>의 <<<식당>>>E 식당<<</식당>>>이다.",
}
SECOND = {
    "a": "피고인 <<<내국인이름>>>A<<</내국인이름>>>은 <<<증권사>>>B<<</증권사>>>은행에서 "
    "<<<내국인이름>>>C<<</내국인이름>>>를 만났다.",
    "b": "피해자 <<<내국인이름>>>D<<</내국인이름>>>의 <<<식당>>>E<<</식당>>> 식당이다.",
}


def _file(place: Path, texts: dict[str, str]) -> Path:
    rows = ({"id": name, "case_type": "fraud", "text": text} for name, text in texts.items())
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    place.write_text("".join(lines), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def known():
    return taxonomies.load()


@pytest.fixture
def both(tmp_path):
    return _file(tmp_path / "first.jsonl", FIRST), _file(tmp_path / "second.jsonl", SECOND)


def test_agreement_is_counted_by_place_and_by_label(both, known):
    one, two = (agreement.read(path, known) for path in both)
    found = agreement.compare(one, two)
    assert (found.documents, found.spans) == (2, (4, 5))
    assert found.place_f1 == pytest.approx(2 * 3 / 9)  # A, B, D
    assert found.span_f1 == pytest.approx(2 * 2 / 9)  # A, D
    assert [(one.id, one.kind) for one in found.differences] == [
        ("a", "label"), ("a", "only 2"), ("b", "edges"),
    ]  # fmt: skip
    # Labels at the same place: name/name twice, bank/broker once: seen 2/3, by chance 4/9.
    assert found.label_kappa == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    same = agreement.compare(one, one)
    assert (same.span_f1, same.label_kappa, same.character_kappa) == (1, 1, 1)
    assert not same.differences


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"a": FIRST["a"]}, "1 documents are in one set only: b"),
        ({**FIRST, "b": FIRST["b"] + " 끝"}, "another text under the same id: b"),
        ({**FIRST, "b": "<<<은행>>>A"}, "b: 1:1"),
    ],
)
def test_sets_of_other_documents_are_refused(change, problem, tmp_path, known):
    one = agreement.read(_file(tmp_path / "first.jsonl", FIRST), known)
    with pytest.raises(AgreementError, match=problem):
        agreement.compare(one, agreement.read(_file(tmp_path / "second.jsonl", change), known))


def _decided(path: Path, *decisions: str) -> None:
    head, *lines = path.read_text("utf-8").splitlines()
    assert len(lines) == len(decisions)
    done = [line + decision for line, decision in zip(lines, decisions, strict=True)]
    path.write_text("\n".join([head, *done, ""]), encoding="utf-8")


def test_what_differs_is_decided_by_a_third_person(both, tmp_path, known):
    runner, table = CliRunner(), tmp_path / "differences.tsv"
    words = [*map(str, both)]
    done = runner.invoke(app, ["annotation", "agree", *words, "--differences", str(table)])
    assert done.exit_code == 0, done.output
    assert (
        "은행 / 증권사: 1" in done.output and "피해자" not in done.output
    )  # no text on the screen
    assert "【B】은행에서" in table.read_text("utf-8")

    final = tmp_path / "final.jsonl"
    words = ["annotation", "adjudicate", *words, str(table), "-o", str(final)]
    done = runner.invoke(app, words)
    assert done.exit_code == 1 and not final.exists()
    assert done.output.count("not decided (1, 2, 0, or a label)") == 3

    _decided(table, "은행원들", "2", "2")
    done = runner.invoke(app, words)
    assert done.exit_code == 1 and "'은행원들' is neither 1, 2, 0 nor a label" in done.output
    table.write_text(table.read_text("utf-8").replace("은행원들", "카드회사"), encoding="utf-8")
    done = runner.invoke(app, words)
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in final.read_text("utf-8").splitlines()]
    assert [row["case_type"] for row in rows] == ["fraud", "fraud"]
    assert "<<<내국인이름>>>C<<</내국인이름>>>를" in rows[0]["text"]
    assert "<<<카드회사>>>B<<</카드회사>>>은행" in rows[0]["text"]
    assert rows[1]["text"] == SECOND["b"]
    done = runner.invoke(app, words)
    assert done.exit_code == 1 and "exists already" in done.output


def test_a_guideline_has_every_label_with_its_treatment(known, tmp_path):
    text = guideline(known)
    assert f"라벨 {len(list(known))}개" in text
    for label in known:
        assert f"\n| {label.ko} | {label.en} | " in text, label.ko
    assert "**가려진 자리**를" in text and "나이는 판결서에 그대로 공개된다" in text
    done = CliRunner().invoke(app, ["annotation", "guideline", str(tmp_path / "g.md")])
    assert done.exit_code == 0 and (tmp_path / "g.md").read_text("utf-8") == text


def test_the_marks_in_the_guideline_are_marks_of_labels_that_there_are(known):
    import re

    marks = set(re.findall(r"<<<([^/<>]+)>>>", guideline(known))) - {"라벨"}
    assert marks and all(known.knows(mark) for mark in marks), marks


def test_what_is_said_of_two_annotators_is_korean_by_default(both, tmp_path):
    from thunder.commands.annotation import app as annotation
    from thunder.settings import messages

    messages.choose("ko")
    runner, table, final = CliRunner(), tmp_path / "differences.tsv", tmp_path / "final.jsonl"
    words = [*map(str, both)]
    done = runner.invoke(annotation, ["agree", *words, "--differences", str(table)])
    assert "다른 곳: 라벨만 다름" in done.output and "다른 곳 3건" in done.output
    done = runner.invoke(annotation, ["adjudicate", *words, str(table), "-o", str(final)])
    assert done.exit_code == 1
    assert done.output.count("정하지 않았습니다 (1, 2, 0 또는 라벨을 적으십시오)") == 3
