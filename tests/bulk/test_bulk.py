"""Many documents: an outcome for each in order, whatever happens to one of them."""

import importlib
import sys

import pytest

from thunder.bulk.running import Outcome, run
from thunder.documents.records import Failure, Record
from thunder.documents.sources import Finished, Source
from thunder.masking.records import Deidentified
from thunder.text.safe_errors import describe
from thunder.text.spans import Change, Span, replace_spans

FAKE = '''
"""A de-identifier that does what the document asks for."""
import os, signal
from thunder.masking.records import Deidentified
from thunder.text.spans import Span, replace_spans

def deidentify(text, *, id):
    if "죽음" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "오류" in text:
        raise ValueError(f"cannot read {text}")
    spans = [Span(0, 3, "내국인이름")] if text.startswith("홍길동") else []
    new_text, changes = replace_spans(text, spans, lambda span: "A")
    return Deidentified(id, text, new_text, tuple(changes))

class Together:
    """Takes documents at once; one that is wrong spoils all after it, or its own result."""

    def __init__(self):
        self.sizes = []

    def __call__(self, documents):
        self.sizes.append(len(documents))
        texts = [text for _, text in documents]
        if any("죽음" in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        for name, text in documents:
            if "모자람" in text:
                return
            yield deidentify("다른 글" if "틀림" in text else text, id=name)
'''


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return a de-identifier that worker processes can import."""
    (tmp_path / "fake_deidentifier.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("fake_deidentifier").deidentify
    sys.modules.pop("fake_deidentifier")


@pytest.fixture
def together(fake):
    return importlib.import_module("fake_deidentifier").Together()


def records(*texts: str) -> list[Record]:
    return [Record("a.jsonl", row, f"id{row}", text) for row, text in enumerate(texts, start=1)]


def shown(items) -> list[str]:
    return [
        item.result.text
        if isinstance(item, Outcome)
        else item.reason
        if isinstance(item, Failure)
        else "."
        for item in items
    ]


def test_results_come_in_order_and_other_items_pass(fake):
    first, second = records("홍길동은 갔다", "아무도 없다")
    failure, finished = Failure("b", 0, "이유", "조언"), Finished(Source(None, "-", "txt"))
    items = list(run([failure, first, finished, second], fake))
    assert shown(items) == ["이유", "A은 갔다", ".", "아무도 없다"]
    assert [items[0], items[2]] == [failure, finished]
    assert items[1] == Outcome(first, items[1].result)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_fails_its_document_alone_and_quotes_nothing(fake, workers):
    items = records("홍길동 하나", "오류 김철수 010-1234-5678 Kim", "홍길동 둘")
    first, failure, last = run(items, fake, workers=workers)
    assert [first.result.text, last.result.text] == ["A 하나", "A 둘"]
    assert (failure.file, failure.row, failure.id) == ("a.jsonl", 2, "id2")
    assert "ValueError" in failure.reason
    assert "cannot read" in failure.reason
    for word in ("김철수", "1234", "Kim", "오류"):
        assert word not in str(failure)


def test_two_workers_give_what_one_gives(fake):
    items = records(*[f"홍길동 {number} " * (number % 50) + "끝" for number in range(300)])
    items[40:40] = [Finished(Source(None, "-", "txt"))]
    items[99] = Record("a.jsonl", 99, "id99", "오류")
    assert list(run(items, fake, workers=2)) == list(run(items, fake))


def test_documents_taken_together_give_what_each_gives_alone(fake, together):
    items = records(*[f"홍길동 {number}" for number in range(600)])
    items[40:40] = [Finished(Source(None, "-", "txt"))]
    assert list(run(items, fake, together=together)) == list(run(items, fake))
    assert together.sizes == [255, 256, 89]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("wrong", ["오류", "모자람", "틀림"])
def test_of_documents_taken_together_only_the_one_that_fails_alone_is_held_back(
    fake, together, wrong, workers
):
    texts = [f"홍길동 {number}" for number in range(20)]
    texts[7] = f"{wrong} 김철수"
    found = shown(run(records(*texts), fake, together=together, workers=workers))
    held = [text for text in found if "ValueError" in text]
    assert len(held) == (wrong == "오류")
    assert "김철수" not in "".join(held)
    alone = shown(run(records(*texts), fake))
    assert found == alone


def test_a_worker_that_dies_of_several_documents_fails_only_the_one_to_blame(fake, together):
    texts = [f"홍길동 {number}" for number in range(20)]
    texts[7] = "죽음"
    found = shown(run(records(*texts), fake, together=together, workers=2))
    assert [at for at, text in enumerate(found) if not text.startswith("A")] == [7]
    assert "SIGKILL" in found[7]


def test_a_worker_that_dies_fails_its_document_and_the_rest_goes_on(fake):
    texts = [f"홍길동 {number}" for number in range(60)]
    texts[20] = texts[21] = texts[59] = "죽음"
    found = shown(run(records(*texts), fake, workers=2))
    dead = [at for at, text in enumerate(found) if "SIGKILL" in text]
    assert dead == [20, 21, 59]
    assert [text for at, text in enumerate(found) if at not in dead] == [
        f"A {number}" for number in range(60) if number not in dead
    ]


def test_a_run_that_is_dropped_leaves_no_process(fake):
    import multiprocessing

    outcomes = run(records(*["홍길동"] * 500), fake, workers=2)
    assert next(outcomes).result.text == "A"
    outcomes.close()
    assert multiprocessing.active_children() == []


def test_documents_are_read_no_further_than_they_are_needed(fake):
    read = []

    def endless():
        for row in range(10_000):
            read.append(row)
            yield Record("a", row, "", "홍길동")

    outcomes = run(endless(), fake, workers=2)
    next(outcomes)
    outcomes.close()
    assert len(read) < 300


def unfaithful(text, *, id):
    spans = [Span(0, 3, "내국인이름")]
    _, changes = replace_spans(text, spans, lambda _: "A")
    return Deidentified(id, text, "A는 갔다", tuple(changes))


def misplaced(text, *, id):
    return Deidentified(id, text, "A은 갔다", (Change(Span(0, 3, "내국인이름"), "A", 1),))


def overlapping(text, *, id):
    change = Change(Span(0, 3, "내국인이름"), "A", 0)
    return Deidentified(id, text, "AA은 갔다", (change, change))


@pytest.mark.parametrize("wrong", [unfaithful, misplaced, overlapping])
def test_a_result_that_says_more_or_less_than_it_changed_is_held_back(wrong):
    [failure] = run(records("홍길동은 갔다"), wrong)
    assert isinstance(failure, Failure)
    assert "홍길동" not in str(failure)


@pytest.mark.parametrize(
    ("message", "text", "shown_as"),
    [
        ("spans overlap at 12:15", "12:15에 갔다", "spans overlap at 12:15"),
        ("'홍길동'", "홍길동", "'…'"),
        ("unknown 김철수씨", "없는 말", "unknown …"),  # Hangul never passes, whose ever it is
        ("bad 01012345678", "010-1234-5678", "bad …"),
        ("bad 010-1234-5678", "０１０-1234-5678", "bad …"),
        ("for KIM@x.kr", "kim@x.kr", "for …"),
        ("\\ud64d\\uae38\\ub3d9", "홍길동", ""),
        ("first\nsecond", "", "first"),
        ("x" * 500, "", "x" * 120),
    ],
)
def test_an_exception_is_described_without_the_documents_words(message, text, shown_as):
    assert describe(ValueError(message), text=text).partition(": ")[2] == shown_as


def test_an_exception_is_placed_in_our_code():
    [failure] = run(records("홍길동은 갔다"), overlapping)
    assert "(text/spans.py:" in failure.reason
