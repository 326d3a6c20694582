"""Files to score: what is read, and what is refused by document."""

import json

import pytest

from thunder.scoring.documents import ScoringError, gold_of
from thunder.scoring.reading import read_gold, read_mentions, read_predictions
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED

pytestmark = pytest.mark.usefixtures("english")

TEXT = "피고인 홍길동은 갔다."
NAME = {"start": 4, "end": 7, "label": "내국인이름"}
GOLD = {"id": "1", "case_type": "fraud", "text": TEXT, "entities": [NAME]}


def gold(*spans, id_="1"):
    return gold_of(id_, "fraud", TEXT, spans or [Span(4, 7, "내국인이름")])


def test_gold_documents(write, known):
    given = {**NAME, "entity": "A", "written": "A"}
    ignored = {"start": 0, "end": 3, "label": ""}
    (found,) = read_gold(write("g.jsonl", [{**GOLD, "entities": [given, ignored]}]), known)
    assert [(one.start, one.label) for one in found.spans] == [(0, IGNORED), (4, "내국인이름")]
    assert (found.entities[1], found.written) == ("A", ("", "A"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**GOLD, "entities": [{**NAME, "label": "이룸"}]}, "document '1': unknown label '이룸'"),
        ({**GOLD, "entities": [{**NAME, "label": "이룸"}]}, "thunder taxonomy tree"),
        ({**GOLD, "entities": [NAME, {**NAME, "start": 5}]}, "document '1': spans overlap"),
        ({**GOLD, "entities": [{**NAME, "end": 99}]}, "document '1': a span ends at 99, beyond"),
        ({**GOLD, "entities": [{**NAME, "end": 4}]}, "a span needs 0 <= start < end"),
        ({**GOLD, "entities": [{"start": 4, "label": "은행"}]}, "needs 'start' and 'end'"),
        ({**GOLD, "entities": None}, "'entities' must be a list"),
        ({**GOLD, "text": 3}, "'text' and 'case_type' must be strings"),
        ({**GOLD, "id": None}, "document without an id"),
        ([], "no JSON object"),
    ],
)
def test_bad_gold_is_named_by_line_and_document(write, known, row, said):
    path = write("g.jsonl", [{**GOLD, "id": "0"}, row])
    with pytest.raises(ScoringError) as caught:
        read_gold(path, known)
    assert f"{path}:2: " in str(caught.value) and said in str(caught.value)
    assert "홍길동" not in str(caught.value)


def test_everything_wrong_is_said_at_once(write, known):
    rows = [GOLD, GOLD, {**GOLD, "id": "2", "text": None}]
    with pytest.raises(ScoringError) as caught:
        read_gold(write("g.jsonl", rows), known)
    assert len(caught.value.problems) == 2
    with pytest.raises(ScoringError, match="holds no document"):
        read_gold(write("empty.jsonl", []), known)


def test_any_systems_own_form(write, known):
    row = {"id": 1, "entities": [{**NAME, "score": 0.5}], "characters": len(TEXT)}
    found = read_predictions(write("p.jsonl", [row]), [gold()], known)["1"]
    assert found.spans == (Span(4, 7, "내국인이름", 0.5),)
    assert (found.has_scores, found.replacements) == (True, ())


def test_what_the_command_wrote_and_its_audit(write, known):
    change = {**NAME, "replacement": "A", "score": 0.9}
    masked = {"id": "1", "text": "피고인 A은 갔다.", "entities": [change]}
    audit = [
        {"record": "run"},
        {"record": "document", "id": "1", "characters": len(TEXT), "changes": [change]},
        {"record": "end"},
    ]
    one = read_predictions(write("p.jsonl", [masked]), [gold()], known)
    other = read_predictions(write("a.jsonl", audit), [gold()], known)
    assert one == other and one["1"].replacements == ("A",)
    with pytest.raises(ScoringError, match="an audit without its end"):
        read_predictions(write("a.jsonl", audit[:-1]), [gold()], known)
    held = [*audit, {"record": "failure", "id": "2", "reason": "너무 깁니다"}]
    with pytest.raises(ScoringError, match="document '2': held back: 너무 깁니다"):
        read_predictions(write("a.jsonl", held), [gold()], known)


GOOD = {"id": "1", "entities": [NAME]}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{**GOOD, "id": "7"}, GOOD], "document '7': not among the documents"),
        ([], "document '1': no prediction"),
        ([GOOD, GOOD], "document '1': predicted twice"),
        ([{"id": "1", "entities": [{**NAME, "label": "PERSON"}]}], "'1': unknown label 'PERSON'"),
        ([{"id": "1", "entities": [{**NAME, "label": ""}]}], "a prediction without a label"),
        ([{"id": "1", "entities": [NAME, {**NAME, "start": 6, "end": 9}]}], "'1': spans overlap"),
        ([{"id": "1", "entities": [{**NAME, "end": 40}]}], "'1': a span ends at 40, beyond"),
        ([{**GOOD, "characters": 99}], "'1': made for a text of 99 characters, this one has 12"),
        ([{**GOOD, "text": "피고인"}], "'1': made for another text (3 characters"),
        (
            [{"id": "1", "text": "피고 A은 갔다.", "entities": [{**NAME, "replacement": "A"}]}],
            "'1': its masked text (9 characters) is not this text masked as it says (10)",
        ),
        ([{"id": "1"}], "'entities' must be a list of objects (an empty one"),
        ([{"id": "1", "entities": [{**NAME, "score": 2}]}], "a score lies between 0 and 1"),
        ([{"id": "1", "entities": [{**NAME, "score": "1"}]}], "'score' of the entity at 4:7"),
    ],
)
def test_bad_predictions_are_named_by_document(write, known, rows, said):
    with pytest.raises(ScoringError) as caught:
        read_predictions(write("p.jsonl", rows), [gold()], known)
    assert said in str(caught.value)
    assert "홍길동" not in str(caught.value)


def test_documents_may_be_left_out_if_that_was_asked_for(write, known):
    golds = [gold(), gold(id_="2")]
    path = write("p.jsonl", [GOOD])
    with pytest.raises(ScoringError, match="document '2': no prediction"):
        read_predictions(path, golds, known)
    assert list(read_predictions(path, golds, known, only_predicted=True)) == ["1"]
    with pytest.raises(ScoringError, match="holds no prediction"):
        read_predictions(write("none.jsonl", []), golds, known, only_predicted=True)


def test_broken_lines_are_named(tmp_path, known):
    path = tmp_path / "p.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n{\n\xff\n")
    with pytest.raises(ScoringError) as caught:
        read_predictions(path, [gold()], known)
    assert [line.split(":")[1] for line in caught.value.problems] == ["2", "3"]


def test_training_mentions(write, tmp_path, known):
    listed = tmp_path / "names.txt"
    listed.write_text("# names\n홍길동\n\n 김갑순 \n", encoding="utf-8")
    assert read_mentions(listed, known) == {"홍길동", "김갑순"}
    assert read_mentions(write("g.jsonl", [GOLD]), known) == {"홍길동"}
