"""Cases: the files of a folder read as one judgment, and their results parted again."""

from pathlib import Path

import pytest

from thunder.bulk.cases import Cases, _doubt_of, in_order_of_folders
from thunder.bulk.running import Outcome, run
from thunder.documents.records import Failure, Record, TextFile
from thunder.documents.sources import Finished, Opened, Source
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.doubts import Doubt
from thunder.masking.known import Known, Name
from thunder.masking.records import Deidentified, Kept
from thunder.text.spans import Span, replace_spans

ACT = Deidentifier(model="none", known=Known((Name(("강도윤",)), Name(("이서연",)))))


def a_file(name: str, *texts: str, segments=()) -> list:
    source = Source(Path(name), name, "txt")
    records = [Record(name, row, f"{name}:{row}", text) for row, text in enumerate(texts)]
    records = [one.with_segments(tuple(segments), ()) for one in records]
    return [Opened(source, TextFile(None, name, None)), *records, Finished(source)]


def results(*files: list, act=ACT.deidentify, most: int = 1000) -> list:
    cases = Cases(max_characters=most)
    items = [item for one in files for item in one]
    return list(cases.parted(run(cases.joined(items), act)))


def texts(found: list) -> list[str]:
    return [one.result.text for one in found if isinstance(one, Outcome)]


def test_one_person_has_one_letter_in_all_files_of_a_folder_and_in_no_other():
    found = results(
        a_file("가/1.txt", "피고인 강도윤은 걸었다."),
        a_file("가/2.txt", "이서연이 보았다.", "강도윤"),
        a_file("나/1.txt", "이서연과 강도윤"),
    )
    assert texts(found) == ["피고인 A은 걸었다.", "B이 보았다.", "A", "A과 B"]


def test_every_item_comes_back_in_its_place_and_every_result_is_its_own():
    lost = Failure("가/0.txt", 0, "사라졌습니다", "확인하십시오")
    file = a_file("가/1.txt", "강도윤과 이서연", "강도윤")
    found = results([lost], file, a_file("가/2.txt", "아무도 없다"))
    kinds = [Failure, Opened, Outcome, Outcome, Finished, Opened, Outcome, Finished]
    assert [type(one) for one in found] == kinds
    assert [one.record for one in found if isinstance(one, Outcome)] == [
        *file[1:3],
        Record("가/2.txt", 0, "가/2.txt:0", "아무도 없다"),
    ]
    for one in found:
        if isinstance(one, Outcome):
            assert one.result.original == one.record.text
            assert one.result.id == one.record.id
            for change in one.result.changes:
                place = slice(change.new_start, change.new_end)
                assert one.result.text[place] == change.replacement
                assert one.record.text[change.span.start : change.span.end] in ("강도윤", "이서연")


def test_segments_of_a_record_end_where_they_end():
    found = results(
        a_file("가/1.txt", "강도윤\t이서\n강도윤", segments=[(0, 3), (4, 6), (7, 10)]),
        a_file("가/2.txt", "강도"),
    )
    assert texts(found) == ["A\t이서\nA", "강도"]
    assert found[1].result.segments == ((0, 3), (4, 6), (7, 10))


def test_what_stays_and_what_is_doubtful_is_said_of_the_file_where_it_stands():
    def act(judgment):
        spans = [Span(at, at + 1, "내국인이름") for at, c in enumerate(judgment.text) if c == "X"]
        text, changes = replace_spans(judgment.text, spans, lambda _: "AA")
        kept = [Kept(Span(4, 5, "법관"), "법관")]
        doubts = (Doubt(0, 0, "look", "머리말이 없습니다."), Doubt(4, 6, "near", "보십시오."))
        return Deidentified("", judgment.text, text, tuple(changes), tuple(kept), doubts)

    _, first, _, _, second, _ = results(a_file("1", "XaX"), a_file("2", "판bX"), act=act)
    assert (first.result.text, second.result.text) == ("AAaAA", "판bAA")
    assert (first.result.kept, second.result.kept) == ((), (Kept(Span(0, 1, "법관"), "법관"),))
    assert first.result.doubts == (Doubt(0, 0, "look", "머리말이 없습니다."),)
    assert second.result.doubts == (Doubt(0, 2, "near", "보십시오."),)


def test_a_case_that_fails_fails_in_each_of_its_files_and_no_other_does():
    def act(judgment):
        if "오류" in judgment.text:
            raise RuntimeError("no")
        return ACT.deidentify(judgment)

    files = [a_file("가/1", "강도윤"), a_file("가/2", "오류"), a_file("나/1", "강도윤")]
    found = results(*files, act=act)
    assert [type(one).__name__[:4] for one in found] == ["Open", "Fail", "Fini"] * 2 + [
        "Open",
        "Outc",
        "Fini",
    ]
    assert [one.file for one in found if isinstance(one, Failure)] == ["가/1", "가/2"]


@pytest.mark.parametrize(("most", "failed"), [(7, 0), (6, 2)])
def test_a_case_that_is_too_long_fails_whole(most, failed):
    found = results(a_file("가/1", "강도윤"), a_file("가/2", "이서연이"), most=most)
    reasons = [one.reason for one in found if isinstance(one, Failure)]
    assert reasons == [f"사건의 글이 7자로 한도 {most}자를 넘습니다"] * failed


def test_files_of_a_folder_are_brought_together():
    names = ["a/1", "a/b/2", "a/3", "c/1", "a/b/4"]
    sources = [Source(Path(name), name, "txt") for name in names]
    assert [one.name for one in in_order_of_folders(sources)] == [
        "a/1",
        "a/3",
        "a/b/2",
        "a/b/4",
        "c/1",
    ]


def test_of_a_wording_s_places_a_record_gets_its_own():
    doubt = Doubt(12, 14, "near", "?", 0.5, ((2, 4), (12, 14), (18, 20)))
    assert _doubt_of(doubt, 10, 16) == Doubt(2, 4, "near", "?", 0.5, ((2, 4),))
