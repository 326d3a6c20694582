"""Annotated files are read to the last document: each is usable, or left out with its reason."""

import json
import lzma

import pytest

from thunder import taxonomy as taxonomies
from thunder.text.spans import IGNORED, Span
from thunder.training_data.datasets.annotated import LONGEST, LeftOut, Terms, read
from thunder.training_data.datasets.filling import Marked


def terms(**options):
    return Terms(taxonomies.load(), **options)


def line(**fields):
    return json.dumps({"id": "doc-1", "case_type": "fraud", **fields}, ensure_ascii=False)


def read_line(path, content, **options):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read([path], terms(**options)))


def test_a_judgment_has_canonical_labels_and_its_placeholders(tmp_path):
    text = "피해자 <<<내국인 이름>>>A<<</내국인 이름>>>이 <<<앞 노상>>>B<<</앞 노상>>> 앞에서"
    known = text.replace("내국인 이름", "내국인이름")
    found = read_line(tmp_path / "a.jsonl", line(text=known))
    spans = (Span(4, 5, "내국인이름"), Span(7, 8, IGNORED))
    assert found == [Marked("doc-1", "fraud", "피해자 A이 B 앞에서", spans)]


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ("<<<내국인이름>>>김철수이", "unbalanced or broken marks", "at line 1 column 1"),
        ("가\n나 김철수<<</내국인이름>>>", "unbalanced or broken marks", "at line 2 column 6"),
        ("<<<은행>>><<</은행>>>에", "unbalanced or broken marks", "at line 1 column 1"),
        (
            "<<<내국인이름>>>김철수<<</은행>>>",
            "unbalanced or broken marks",
            "at line 1 column 1, line 1 column 15",
        ),
        ("<<<김철수>>>A<<</김철수>>>", "an unknown label", "at line 1 column 1"),
        ("", "an empty document", ""),
        (" \n\u3000", "an empty document", ""),
        pytest.param("가" * 10**6, "longer than 500,000 characters", "1,000,000", id="a million"),
    ],
)
def test_a_document_that_cannot_be_used_is_named_and_its_mentions_are_not(
    text, reason, detail, tmp_path
):
    (found,) = read_line(tmp_path / "a.jsonl", line(text=text))
    assert found == LeftOut("doc-1", "a.jsonl", 1, reason, detail)
    assert "doc-1" in str(found)
    assert "김철수" not in str(found)


@pytest.mark.parametrize(
    ("content", "id_", "reason"),
    [
        ("{", "line 1", "not JSON"),
        pytest.param("[" * 100_000, "line 1", "not JSON", id="nested"),
        ("[]", "line 1", "not a JSON object"),
        ('{"id": 3, "text": "가"}', "line 1", "no text under 'id'"),
        ('{"id": "", "text": "가"}', "line 1", "no text under 'id'"),
        ('{"id": "doc-1"}', "doc-1", "no text under 'text'"),
        ('{"id": "doc-1", "text": "가", "case_type": 3}', "doc-1", "no text under 'case_type'"),
        ('{"id": "doc-1", "text": "가 \\ud800"}', "doc-1", "half a character (a lone surrogate)"),
        ('{"id": "\\ud800", "text": "가"}', "?", "half a character (a lone surrogate)"),
        ("가".encode("cp949"), "line 1", "not UTF-8"),
        (
            '{"id": "d", "text": "가", "names": "x"}',
            "d",
            "'names' is neither 'release' nor 'taxonomy'",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_left_out(content, id_, reason, tmp_path):
    (found,) = read_line(tmp_path / "a.jsonl", content)
    assert (found.id, found.reason) == (id_, reason)


def test_an_id_counts_once_over_all_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(line(text="가나다") + "\n\n", encoding="utf-8")
    first, second = read([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], terms())
    assert isinstance(first, Marked)
    assert second == LeftOut("doc-1", "b.jsonl", 1, "an id used before")


def test_packed_lines_and_single_texts_are_read(tmp_path):
    packed, single = tmp_path / "a.jsonl.xz", tmp_path / "판결.txt"
    packed.write_bytes(lzma.compress(line(text="가나다", case_type=None, kind="민사").encode()))
    single.write_text("<<<은행>>>A<<</은행>>>은행", encoding="utf-8")
    first, second = read([packed, single], terms())
    assert (first.id, first.case_type) == ("doc-1", "민사")
    assert second == Marked("판결", "unstated", "A은행", (Span(0, 1, "은행"),))


def test_a_packed_file_cut_short_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(line(text="가나다" * 9999).encode())[:-20])
    with pytest.raises(ValueError, match=r"a\.jsonl\.xz: damaged or cut short"):
        list(read([path], terms()))


def test_another_kind_of_file_is_an_error_that_says_which_are_known(tmp_path):
    with pytest.raises(ValueError, match=r"a\.hwp: cannot be read.*\.jsonl"):
        list(read([tmp_path / "a.hwp"], terms()))


@pytest.mark.parametrize(("names", "label"), [("release", "공사및공단"), ("taxonomy", "공사")])
def test_a_name_means_what_the_release_or_the_taxonomy_means_by_it(names, label, tmp_path):
    text = "<<<공사>>>A<<</공사>>>"
    (by_option,) = read_line(tmp_path / "a.jsonl", line(text=text), names=names)
    (by_field,) = read_line(tmp_path / "a.jsonl", line(text=text, names=names))
    assert by_option.spans == by_field.spans == (Span(0, 1, label),)


@pytest.mark.parametrize(
    ("names", "label"), [("release", "시아래주소"), ("taxonomy", "구아래주소")]
)
def test_the_rest_of_an_address_is_below_what_stands_before_it(names, label, tmp_path):
    text = "경산시 <<<구이하주소>>>A<<</구이하주소>>>에서"
    (judgment,) = read_line(tmp_path / "a.jsonl", line(text=text), names=names)
    assert judgment.spans == (Span(4, 5, label),)


@pytest.mark.parametrize("options", [{"longest": 0}, {"longest": LONGEST + 1}, {"names": "x"}])
def test_impossible_terms_are_refused(options):
    with pytest.raises(ValueError, match=r"longest|names"):
        terms(**options)
