"""The library: one object, texts or segments, and what is decided before anything is read."""

import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thunder
from thunder import Deidentifier, Document, Known, Name
from thunder.masking.known import read_kept, read_names
from thunder.taxonomy import load
from thunder.text.spans import Span

RULES = Deidentifier(model="none")
TEXT = "피고인 김도윤은 피해자 서하린에게 한빛은행 계좌를 주었다. 김도윤은 자백하였다."


def decided(**known) -> Deidentifier:
    return Deidentifier(model="none", known=Known(**known))


@pytest.mark.parametrize(
    ("known", "text", "masked"),
    [
        # A certain name is masked wherever it stands, whatever word it is, written apart, too.
        ({"names": (Name(("전기",)),)}, "전기가 말했다. 전 기의 집.", "A가 말했다. A의 집."),
        ({"names": (Name(("이자",)),)}, "원금과 이자를 이자에게", "원금과 A를 A에게"),
        # Two syllables inside of a word are another word.
        ({"names": (Name(("전기",)),)}, "전기전자 공장", "전기전자 공장"),
        ({"names": (Name(("남궁가람",)),)}, "원고남궁가람외1", "원고A외1"),
        # Its forms are one; it may have a letter already, and a label of its own.
        ({"names": (Name(("한별", "한별나라"), "기업", "Q"),)}, "한별나라, 한별", "Q, Q"),
        ({"names": (Name(("0101",), "계좌번호"),)}, "비번 0101", "비번 (계좌번호 1 생략)"),
        # A role of those who stay readable does not save it.
        ({"names": (Name(("윤재필",)),)}, "검사 윤재필", "검사 A"),
        # What is said to stay stays; the longer wording counts.
        ({"kept": ("김도윤",)}, "피고인 김도윤은", "피고인 김도윤은"),
        ({"kept": ("한별나라",), "names": (Name(("한별",)),)}, "한별과 한별나라", "A과 한별나라"),
        # A place counts more than a wording.
        (
            {"kept": ("김도윤",), "masked": (Span(4, 7, "내국인이름"),)},
            "피고인 김도윤은",
            "피고인 A은",
        ),
        ({"readable": ((4, 7),)}, "피고인 김도윤은 피고인 서하린과", "피고인 김도윤은 피고인 A과"),
        # Two that are one, and a letter that is given: others go on after it.
        ({"same": (("김도윤", "서하린"),)}, "피고인 김도윤, 피해자 서하린", "피고인 A, 피해자 A"),
        ({"letters": {"서하린": "A"}}, "피고인 김도윤, 피해자 서하린", "피고인 B, 피해자 A"),
        (
            {"letters": {"김도윤": "C", "서하린": "C"}},
            "피고인 김도윤, 피해자 서하린",
            "피고인 C, 피해자 C",
        ),
    ],
)
def test_nothing_overrides_what_is_decided(known, text, masked):
    assert decided(**known).deidentify(text).text == masked


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    "known",
    [
        {"names": (Name(("가람",)),), "kept": ("가람",)},
        {"names": (Name(("가람",)), Name(("가람",)))},
        {"masked": (Span(0, 3, "내국인이름"),), "readable": ((2, 4),)},
    ],
)
def test_decisions_that_contradict_each_other_are_refused(known):
    with pytest.raises(ValueError, match=r"wording|overlap"):
        Known(**known)


@pytest.mark.parametrize(
    ("segments", "after", "masked"),
    [
        # A cell ends where it ends: no name runs into the next column.
        (["피고인 김도윤", "서하린", "전 화"], "\t", ["피고인 A", "B", "전 화"]),
        # One person has one letter in all of them.
        (["피고인 김도윤은", "", "김도윤의 처"], "\n", ["피고인 A은", "", "A의 처"]),
        # A number over a border is masked on both sides; what stands between is left alone.
        (["전화 010-2345", "-6789"], "\n", ["전화 (전화번호 1 생략)", "(전화번호 2 생략)"]),
    ],
)
def test_segments_are_one_judgment_and_end_where_they_end(segments, after, masked):
    known = Known(names=(Name(("서하린",)),))
    document = Document.of_segments(segments, after=after, known=known)
    result = RULES.deidentify(document)
    assert result.texts_of_segments() == masked
    assert after.join(masked) + after == result.text


def test_a_mention_over_a_border_is_masked_on_both_sides():
    text = "김도\n윤"
    known = Known(masked=(Span(0, 4, "내국인이름"),))
    assert RULES.deidentify(Document(text, known=known)).text == "A"
    document = Document(text, segments=((0, 2), (3, 4)), known=known)
    assert RULES.deidentify(document).text == "A\nA"


@pytest.mark.parametrize(
    ("segments", "masked"),
    [
        # A name over the edge of a cell is one name, the same as where it stands whole.
        (["서하", "린", "서하린은 갔다."], ["A", "A", "A은 갔다."]),
        (["성명 서", "하린", "02-345-6789"], ["성명 A", "A", "(전화번호 1 생략)"]),
    ],
)
def test_a_known_name_over_the_edge_of_a_cell_has_one_letter(segments, masked):
    known = Known(names=(Name(("서하린",)),))
    document = Document.of_segments(segments, after="\t", known=known)
    assert RULES.deidentify(document).texts_of_segments() == masked


@pytest.mark.parametrize(
    ("segments", "after", "masked"),
    [
        # Beside its heading a cell holds counsel, a judge; the next cells hold others.
        ("변호사|강도윤|이서연, 박준호", "\t\t\n", "변호사|강도윤|A, B"),
        ("검사|강도윤|이서연", "\t\t\n", "검사|강도윤|A"),
        ("변호사 강도윤, |이서연", "\t\n", "변호사 강도윤, |A"),
        ("판사 강도윤|판사 이서연", "\t\n", "판사 강도윤|판사 이서연"),
        # A list ends with its row, and the heading of a column is none of the row below.
        ("변호사|강도윤,|이서연|박준호", "\t\n\t\n", "변호사|강도윤,|A|B"),
        ("성명|변호사|강도윤|이서연", "\t\n\t\n", "성명|변호사|A|B"),
        # Paragraphs are lines: one that ends in a comma goes on.
        ("변호사 강도윤,|이서연", "\n\n", "변호사 강도윤,|이서연"),
        ("변호사 강도윤|이서연", "\n\n", "변호사 강도윤|A"),
    ],
)
def test_a_list_of_counsel_ends_with_its_cell_and_row(segments, after, masked):
    document = Document.of_segments(segments.split("|"), after=list(after))
    assert RULES.deidentify(document).texts_of_segments() == masked.split("|")


@given(
    st.lists(
        st.sampled_from(["피고인 김도윤은", "서하린", "", " ", "010-2345-6789", "A", "한빛은행\n"])
    )
)
def test_the_segments_put_together_are_the_text(segments):
    result = RULES.deidentify(segments)
    texts = result.texts_of_segments()
    assert "".join(f"{text}\n" for text in texts) == result.text
    for before, after, changes in zip(segments, texts, result.changes_of_segments(), strict=True):
        for change in changes:
            assert 0 <= change.span.start < change.span.end <= len(before)
            assert after[change.new_start : change.new_end] == change.replacement


def test_a_result_has_what_a_program_needs():
    result = RULES.deidentify(TEXT, id="1")
    assert [one["replacement"] for one in result.entities][:2] == ["A", "B"]
    record = RULES.audit(result)
    assert record["changes"][0]["label"] == "내국인이름"
    assert "김도윤" not in str(record) + repr(result)
    assert "김도윤" not in repr(Known(kept=("김도윤",), letters={"김도윤": "A"}))


def test_the_tagger_that_ships_is_asked_unless_it_is_refused_by_name():
    assert Deidentifier()._chosen is not None
    assert RULES.load() is None
    with pytest.raises(FileNotFoundError):
        Deidentifier(model="no-such")
    with pytest.raises(LookupError):
        Deidentifier(profile="no-such")


def test_the_surface_is_what_the_package_names():
    assert all(getattr(thunder, name) for name in thunder.__all__)
    with pytest.raises(AttributeError):
        _ = thunder.nothing


def _text_of(act: Deidentifier) -> str:
    return act.deidentify(TEXT).text


@pytest.mark.slow
@pytest.mark.parametrize("way", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_and_processes_share_one(way):
    act = Deidentifier(threads=1)
    expected = _text_of(act)
    with ThreadPoolExecutor(4) as threads:
        assert {*threads.map(_text_of, [act] * 8)} == {expected}
    context = multiprocessing.get_context(way)
    with ProcessPoolExecutor(2, mp_context=context) as processes:
        assert {*processes.map(_text_of, [act] * 4)} == {expected}
    assert _text_of(pickle.loads(pickle.dumps(act))) == expected
    assert os.getpid()


# --- lists ----------------------------------------------------------------------------------------


def test_lists_of_names_and_of_words_that_stay(tmp_path):
    names, kept = tmp_path / "names.tsv", tmp_path / "kept.txt"
    names.write_text("# 당사자\n김도윤|도윤\n\n한빛상사\t은행\tQ\n", encoding="utf-8-sig")
    kept.write_text("공단\n", encoding="utf-8")
    first, second = read_names(names, load())
    assert (first.forms, first.label, first.letter) == (("김도윤", "도윤"), "내국인이름", "")
    assert (second.label, second.letter) == ("은행", "Q")
    assert read_kept(kept) == ("공단",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("가람\t없는분류", "names.tsv:1: "),
        ("가람\n가람", "names.tsv:2: 앞에 나온 말"),
        ("가람|", "names.tsv:1: 한 줄에"),
        ("가람\t기업\tA\tB", "names.tsv:1: 한 줄에"),
    ],
)
def test_a_list_that_is_wrong_is_refused_by_file_and_line(content, said, tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read_names(path, load())
    assert said in str(error.value)
    assert "가람" not in str(error.value)
