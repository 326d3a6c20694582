"""Numbers by their form: each row holds on its examples; a broken one is refused."""

from pathlib import Path

import pytest

from thunder.identifiers import (
    RECOGNISERS,
    address,
    address_loose,
    birth_date,
    spelled,
    unit,
    user_id,
    wallet,
)
from thunder.identifiers.formats import Recogniser, failing, formats
from thunder.names import contexts
from thunder.settings.yamlfile import YamlFileError

pytestmark = pytest.mark.usefixtures("english")

CLASSES = "fruit: [사과, 배]\n"
ROW = """\
formats:
  - id: shelf
    of: shelf
    find: "[X={digits 2}<join>{digits 3}]"
    reason: where it stands
    label: 28 관리번호
    called: {named: "선반~번호"}
    near: {near: [10, 5, "<fruit>"]}
    like: {first: "1*"}
    check: luhn
    not_after: "<digit>|<digit>-"
    not_followed_by: "-?<digit>"
    scores: ["0 zeros", "0.9 named", "0.8 near -first", "0.7 checked"]
    examples: ["선반 번호: [12-345]", "사과 [21-345]"]
    near_misses: ["00-000", "사과 12-345", "1-12-345"]
"""


def read(folder: Path, row: str):
    (folder / "classes.yaml").write_text(CLASSES, encoding="utf-8")
    (folder / "formats.yaml").write_text(row, encoding="utf-8")
    return formats(folder)


def test_every_format_holds_on_its_examples():
    assert list(failing(formats(None))) == []


def test_every_format_belongs_to_a_recogniser():
    ours = {one.NAME for one in RECOGNISERS if isinstance(one, Recogniser)}
    ours |= {birth_date.WRITTEN.NAME, birth_date.IN_BRACKETS.NAME, address.WRITTEN.NAME}
    ours |= {address_loose.ON_LAND.NAME, contexts.PERSONS.NAME, contexts.BODIES.NAME}
    ours |= {one.NAME for one in unit.ROWS}
    ours |= {one.ROWS.NAME for one in (spelled, user_id, wallet)}
    assert {row.of for row in formats(None)} == ours


def test_a_row_is_read_and_tried(tmp_path):
    assert list(failing(read(tmp_path, ROW))) == []


def test_a_word_counts_only_where_another_does_not_stand_before_it(tmp_path):
    row = ROW.replace('"<fruit>"', '"^(풋|햇)<fruit>"')
    assert (
        list(failing(read(tmp_path, row.replace("사과 12-345", "풋사과 22-345, 햇배 22-345"))))
        == []
    )


def test_a_part_may_stand_several_times(tmp_path):
    row = ROW.replace("{digits 2}<join>{digits 3}", "{digits 2}(<join>{digits 3}){1-3}")
    row = row.replace('"선반 번호: [12-345]"', '"선반 번호: [12-345-678-901]"')
    assert (
        list(failing(read(tmp_path, row.replace("00-000", "선반 번호 12-345-678-901-234")))) == []
    )


def test_a_part_may_begin_with_what_may_stand_between(tmp_path):
    row = ROW.replace("{digits 2}<join>{digits 3}", "{digits 2}<join>(~{digits 1}){3-5}")
    row = row.replace('"선반 번호: [12-345]"', '"선반 번호: [12-3 45 6]"')
    assert list(failing(read(tmp_path, row))) == []


def test_a_text_is_searched_where_one_word_of_a_class_stands(tmp_path):
    row = ROW.replace("    check:", '    needs: ["<fruit>", 선반]\n    check:')
    assert list(failing(read(tmp_path, row))) == []


def test_a_bracket_that_a_number_closes_belongs_to_it(tmp_path):
    row = ROW.replace("<join>", "<closed>").replace("[12-345]", "[(12)345]")
    assert list(failing(read(tmp_path, row.replace("[21-345]", "[21)345]")))) == []


def test_one_may_speak_for_the_next_of_a_list(tmp_path):
    row = ROW.replace('"0.7 checked"', '"0.6 follows-one"')
    for text in ("[12-345], [13-345] 및 [14-345]", "[12-345]. 13-345", "[12-345] 옆 13-345"):
        read_again = read(tmp_path, row.replace("선반 번호: [12-345]", f"선반 번호: {text}"))
        assert list(failing(read_again)) == []
        formats.cache_clear()


def test_what_goes_on_after_a_number_has_a_score_of_its_own(tmp_path):
    (row,) = read(
        tmp_path,
        ROW.replace(
            "    check:",
            """\
    next: "(, )[X={digits 3}]"
    next_score: "0.5"
    check:""",
        ),
    )
    assert [span.score for span in row.find("선반 번호 12-345, 346, 347")] == [0.9, 0.5, 0.5]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[12-345]", "[1-345]", "finds nothing, not 1-345"),
        ("사과 12-345", "배 22-345", "finds 22-345, not nothing"),
    ],
)
def test_an_example_that_does_not_hold_is_told(tmp_path, old, new, said):
    (problem,) = failing(read(tmp_path, ROW.replace(old, new)))
    assert said in problem.message


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("28 관리번호", "999999 관리번호", 6, "no label with the id"),
        ("[X={digits 2}<join>{digits 3}]", "{digits 5}", 4, "marks one number"),
        ("{digits 3}]", "{digits 3}][X={digits 3}]", 4, "marks one number"),
        ("{digits 3}]", "{digits 3}](-|/[X={digits 3}])", 4, "marks one number"),
        ("<fruit>", "<vegetable>", 8, "<vegetable>"),
        ("0.9 named", "0.9 called", 13, "'called' is no condition"),
        ("0.9 named", "9 named", 13, "a score of at most 1"),
        ("check: luhn", "check: mod97", 10, "mod97"),
        ("    check:", '    next_score: "7"\n    check:', 10, "a score of at most 1"),
        ("<digit>|<digit>-", "{digits 1-3}", 4, "must not stand after"),
        ("<fruit>", "^(햇?|풋)<fruit>", 8, "must not stand after"),
        ("    check:", '    needs: ["<vegetable>"]\n    check:', 10, "<vegetable>"),
        ('"00-000", ', '"[00-000]", ', 15, "a near miss none"),
        ("[10, 5, ", "[10, ", 8, "how far before and behind"),
        ("    reason: where it stands\n", "", 2, "reason"),
        ("{digits 3}", "{digits 3-999}", 4, "not known"),
        ("{digits 3}", "(-{digits 3}){1-17}", 4, "1-17"),
        ("{digits 3}", "({digits 1-3}){1-9}", 4, "no place to be parted"),
        ("{digits 3}", "(-{digits 3})?{1-2}", 4, "1-2"),
    ],
)
def test_a_broken_row_is_refused_with_its_line(tmp_path, old, new, line, said):
    assert old in ROW
    with pytest.raises(YamlFileError) as refused:
        read(tmp_path, ROW.replace(old, new, 1))
    assert any(said in one.message and one.line == line for one in refused.value.problems), (
        refused.value
    )


def test_a_check_that_no_row_names_cannot_be_asked_for(tmp_path):
    with pytest.raises(YamlFileError, match="say by what it is checked"):
        read(tmp_path, ROW.replace("    check: luhn\n", ""))
