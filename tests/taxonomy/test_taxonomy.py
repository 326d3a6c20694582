import re
import time
from collections import Counter
from pathlib import Path

import pytest

from thunder import taxonomy
from thunder.settings import resources
from thunder.settings.yamlfile import set_in_text
from thunder.taxonomy import TaxonomyError, load, set_value

SHIPPED = resources.folder("taxonomy")
FILES = sorted([*SHIPPED.glob("*.yaml"), *SHIPPED.glob("labels/*.yaml")])


# --- the shipped taxonomy -----------------------------------------------------------------------


def test_the_tiers_have_the_sizes_of_the_paper_and_the_released_repository():
    shipped = load()
    assert [main.code for main in shipped.mains] == ["direct", "quasi"]
    assert [sub.code for sub in shipped.subcategories] == [
        *(f"D.1.{number}" for number in range(1, 5)),
        *(f"D.2.{number}" for number in range(1, 13)),
    ]
    assert (len(shipped.categories), len(shipped), shipped.classes) == (80, 729, 730)
    assert Counter(label.source for label in shipped) == {
        "appendix_d": 711,
        "released_repository": 18,
    }
    assert len(shipped.unmapped) == 25


def test_labels_come_in_the_order_of_their_ids():
    assert [label.id for label in load()] == list(range(1, 730))


def test_the_readme_counts_what_is_there():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", (SHIPPED / "README.md").read_text(), re.M)
    counts = Counter(label.treatment for label in load())
    assert {name: int(number) for name, number in rows} == counts


def test_every_label_is_translated_and_what_is_kept_has_a_korean_reason():
    for label in load():
        assert re.search("[A-Za-z]", label.en), label
        if label.treatment == "keep":
            assert re.search("[가-힣]", label.reason), label


@pytest.mark.parametrize(
    ("name", "treatment", "omission"),
    [
        ("내국인이름", "letter", ""),
        ("닉네임", "letter", ""),
        ("주식회사", "letter", ""),
        ("호", "letter", ""),
        ("동", "letter", ""),
        ("행정시", "letter", ""),
        ("구아래주소", "address", ""),
        ("필지", "address", ""),
        ("계좌번호", "omission", "계좌번호"),
        ("휴대폰번호", "omission", "전화번호"),
        ("이메일주소", "omission", "이메일"),
        ("URL", "omission", "인터넷주소"),
        ("나이", "keep", ""),
        ("날짜", "keep", ""),
        ("사건번호", "keep", ""),
        ("층", "keep", ""),
        ("국가명", "keep", ""),
    ],
)
def test_how_the_court_rule_treats_a_label(name, treatment, omission):
    label = load().label(name)
    assert (label.treatment, label.omission) == (treatment, omission)


def test_a_label_knows_the_tiers_above_it():
    label = load().label("휴대폰번호")
    assert (label.main, label.code, label.subcategory, label.category) == (
        *("quasi", "D.2.2"),
        *("사건 관련 숫자 정보", "고유번호"),
    )
    assert label.identifier == "quasi"


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("내국인이름", "내국인이름"),
        ("술집", "주점"),
        ("구이하주소", "구아래주소"),
        ("(주)", "주식회사"),
        ("중고물품 거래 사이트", "중고거래사이트"),
        ("공사", "공사및공단"),  # as the annotators meant it, not the construction project
        ("앞 노상", None),
        ("앞길", None),
    ],
)
def test_raw_names_of_the_annotators(raw, name):
    label = load().resolve(raw)
    assert (label and label.ko) == name
    assert load().knows(raw)


def test_a_name_of_the_taxonomy_means_itself():
    assert load().label("공사").en == "construction work"
    assert all(load().label(label.ko) is label for label in load())


@pytest.mark.parametrize("unknown", ["주검", "은헹", "", "앞 노상 쪽"])
def test_an_unknown_name_is_refused_and_never_none(unknown):
    assert not load().knows(unknown)
    with pytest.raises(LookupError, match="unknown label"):
        load().resolve(unknown)


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(LookupError, match=r"near it are .*휴대폰번호"):
        load().label("휴대폰 번호")


@pytest.mark.parametrize("number", [0, -1, 730])
def test_an_id_that_no_label_has(number):
    with pytest.raises(LookupError, match=f"no label has the id {number}"):
        load().by_id(number)
    assert load().by_id(729).ko == "URL"


def test_loading_takes_well_under_a_third_of_a_second():
    def seconds() -> float:
        start = time.process_time()
        load(SHIPPED)
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 0.3


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_round_trip_leaves_every_shipped_file_as_it_is(path):
    text = path.read_text()
    assert set_in_text(text, (), "a key that is not there", "") == text


# --- folders of one's own -----------------------------------------------------------------------

SMALL = {
    "taxonomy.yaml": """\
version: 1
main:
  - code: direct
    ko: 직접 식별 정보
    en: Direct identifiers
sources:
  ours: invented for these tests
files:
  - labels/D.1.1-names.yaml
""",
    "labels/D.1.1-names.yaml": """\
# a comment
code: D.1.1
main: direct
ko: 인명
en: Names
categories:
  - ko: 이름
    en: names
    labels:
      - id: 1
        ko: 이름
        en: name
        identifier: direct
        # why a letter
        treatment: letter
        source: ours
        aliases: [성명, 성함]
      - id: 2
        ko: 전화
        en: phone
        identifier: direct
        treatment: omission
        source: ours
""",
    "unmapped.yaml": "names:\n  - name: 앞길\n    count: 3\nhomonyms: []\n",
    "retired.yaml": "retired: []\n",
}
NAMES = "labels/D.1.1-names.yaml"
TWIN = SMALL[NAMES].partition("      - id: 2")[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "labels").mkdir()
    for name, text in SMALL.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert text.count(old) == 1, old
    (folder / name).write_text(text.replace(old, new))


def problems(folder: Path) -> list[str]:
    with pytest.raises(TaxonomyError) as caught:
        load(folder)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return [str(problem).removeprefix(f"{folder}/") for problem in caught.value.problems]


def test_a_folder_of_ones_own(folder):
    own = load(folder)
    assert [label.ko for label in own] == ["이름", "전화"]
    assert own.label("성함").id == 1
    assert own.label("전화").omission == "전화"  # its own name where none is given


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        (NAMES, "ko: 전화", "ko: 성명", "19: '성명' is already an alias of 이름 at D.1.1-names"),
        (NAMES, "[성명, 성함]", "[성명, 성명]", "17: '성명' is already an alias of 이름"),
        (NAMES, "[성명, 성함]", "[이름]", "17: '이름' is already a label at D.1.1-names.yaml:11"),
        (NAMES, "[성명, 성함]", "[전화]", "19: '전화' is already an alias of 이름"),
        (NAMES, "[성명, 성함]", "[' 성명']", "17: ' 성명' has spaces around it"),
        (NAMES, "[성명, 성함]", "[성명, 112]", "17: expected text, not '112'"),
        (NAMES, "[성명, 성함]", "[<성명]", "17: '<성명' would break the mark-up"),
        (NAMES, "ko: 전화", "ko: 전>화", "19: '전>화' would break the mark-up"),
        (NAMES, "ko: 전화", "ko: /전화", "19: '/전화' would break the mark-up"),
        (NAMES, "ko: 전화", "ko: \u110c\u1165ㄴ화", "19: '\u110c\u1165ㄴ화' is not in Unicode's"),
        (NAMES, "id: 2", "id: 1", "18: the id 1 is given twice, first at D.1.1-names.yaml:10"),
        (NAMES, "id: 2", "id: 0", "18: an id is a positive number (0 is outside)"),
        (NAMES, "id: 2", "id: -2", "18: expected a whole number, not '-2'"),
        (NAMES, "id: 2", "id: 4", "18: there is no id 3: list what was taken out in retired"),
        (NAMES, "        en: phone\n", "", "18: the key 'en' is missing"),
        (NAMES, "en: phone\n", "en:\n", "20: expected text, not an empty value"),
        (NAMES, "en: Names\n", "", "2: the key 'en' is missing"),
        (NAMES, "main: direct", "main: indirect", "3: unknown 'indirect'; known are direct"),
        (NAMES, "main: direct\n", "", "2: the key 'main' is missing"),
        (NAMES, "treatment: letter", "treatment: mask", "15: unknown 'mask'; known are letter, om"),
        (NAMES, "treatment: letter", "treatment: keep", "15: what is kept readable needs a reason"),
        (NAMES, "# why a letter", "omission: 이름", "14: an omission's name, but the treatment is"),
        (NAMES, "# why a letter", "colour: red", "14: unknown key 'colour'; known are id, ko, en"),
        (NAMES, "# why a letter", "id: 1", "14: the key 'id' is given twice"),
        (NAMES, "source: ours\n        aliases", "source: x\n        aliases", "16: unknown 'x'"),
        (NAMES, "    en: names\n    labels", "    labels", "7: the key 'en' is missing"),
        ("taxonomy.yaml", "version: 1", "version: one", "1: expected a whole number, not 'one'"),
        ("taxonomy.yaml", "code: direct", "code: both", "3: unknown 'both'; known are direct, qu"),
        ("taxonomy.yaml", "names.yaml", "name.yaml", "9: labels/D.1.1-names.yaml is there, but no"),
        ("unmapped.yaml", "앞길", "성명", "2: '성명' is already an alias of 이름"),
        ("unmapped.yaml", "[]", "[{name: 전화, label: 집}]", "4: '집' is not the name of a label"),
        (
            "retired.yaml",
            "[]",
            "[{id: 2, ko: 집, reason: 겹침}]",
            "18: the id 2 was 집; ids are nev",
        ),
    ],
)
def test_what_is_wrong_is_refused_by_file_and_line(folder, name, old, new, found):
    edit(folder, name, old, new)
    where = NAMES if name == "retired.yaml" else name
    told = problems(folder)
    assert any(problem.startswith(f"{where}:{found}") for problem in told), told


def test_an_identifier_must_be_that_of_its_main_category(folder):
    text = (folder / NAMES).read_text()
    (folder / NAMES).write_text(text.replace("identifier: direct", "identifier: quasi", 1))
    assert problems(folder) == [f"{NAMES}:13: 'quasi' in a file of 'direct'"]


def test_a_repeated_category_and_code_name_their_first_place(folder):
    second = SMALL[NAMES].replace("id: 1", "id: 3").replace("id: 2", "id: 4")
    second = second.replace("ko: 이름\n        en", "ko: 별칭\n        en").replace("전화", "번호")
    second = second.replace("[성명, 성함]", "[별호]")
    (folder / "labels/D.1.2-more.yaml").write_text(second)
    edit(folder, "taxonomy.yaml", "names.yaml\n", "names.yaml\n  - labels/D.1.2-more.yaml\n")
    assert problems(folder) == [
        "labels/D.1.2-more.yaml:2: the code 'D.1.1' is given twice, first at D.1.1-names.yaml:2",
        "labels/D.1.2-more.yaml:4: the subcategory '인명' is given twice, first at "
        "D.1.1-names.yaml:4",
        "labels/D.1.2-more.yaml:7: the category of D.1.1 '이름' is given twice, first at "
        "D.1.1-names.yaml:7",
    ]


def test_everything_wrong_is_told_at_once(folder):
    edit(folder, NAMES, "en: phone\n", "en: ' phone'\n")
    edit(folder, NAMES, "treatment: omission", "treatment: omit")
    edit(folder, "unmapped.yaml", "count: 3", "count: many")
    (folder / "retired.yaml").unlink()
    assert [problem.split(": ")[0] for problem in problems(folder)] == [
        *(f"{NAMES}:20", f"{NAMES}:22"),
        *("retired.yaml:1", "unmapped.yaml:3"),
    ]


def test_a_retired_id_may_be_missing_and_keeps_its_class(folder):
    edit(folder, NAMES, "id: 2", "id: 3")
    retired = "retired:\n  - id: 2\n    ko: 팩스\n    reason: 전화와 합침\n"
    (folder / "retired.yaml").write_text(retired)
    own = load(folder)
    assert ([label.id for label in own], own.classes) == ([1, 3], 4)
    with pytest.raises(LookupError, match="no label has the id 2, it was 팩스"):
        own.by_id(2)


def test_ids_need_not_follow_the_order_of_the_file(folder):
    edit(folder, NAMES, "id: 2", "id: 9")
    edit(folder, NAMES, "id: 1", "id: 2")
    edit(folder, NAMES, "id: 9", "id: 1")
    assert [label.ko for label in load(folder)] == ["전화", "이름"]


def test_the_digest_follows_the_content_not_the_layout(folder):
    before = load(folder).digest()
    edit(folder, NAMES, "# why a letter", "# another comment")
    edit(folder, NAMES, "ko: 전화", "ko: '전화'")
    assert load(folder).digest() == before
    edit(folder, NAMES, "[성명, 성함]", "[성명]")
    assert load(folder).digest() != before


# --- editing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "key", "value", "old", "new"),
    [
        ("이름", "treatment", "address", "treatment: letter", "treatment: address"),
        ("성명", "aliases", "성명,성함, 이름표", "[성명, 성함]", "[성명, 성함, 이름표]"),
        ("이름", "en", "a name: of whom", "en: name\n", "en: 'a name: of whom'\n"),
        ("전화", "omission", "전화번호", "omission\n", "omission\n        omission: 전화번호\n"),
        ("이름", "note", "비고", "        aliases", "        note: 비고\n        aliases"),
        ("이름", "aliases", "", "        aliases: [성명, 성함]\n", ""),
    ],
)
def test_setting_a_value_changes_only_its_line(folder, label, key, value, old, new):
    set_value(folder, label, key, value)
    assert (folder / NAMES).read_text() == SMALL[NAMES].replace(old, new)
    load(folder)


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("treatment", "mask", "unknown 'mask'"),
        ("treatment", "keep", "needs a reason"),
        ("omission", "이름", "an omission's name, but the treatment is letter"),
        ("aliases", "전화", "is already an alias of 이름"),
        ("ko", "이<름", "would break the mark-up"),
        ("en", "", "the key 'en' is missing"),
        ("id", "7", "cannot set 'id'"),
        ("note", "두\n줄", "more than line|invisible character"),
    ],
)
def test_a_value_that_would_be_wrong_is_not_written(folder, key, value, error):
    with pytest.raises(ValueError, match=error):
        set_value(folder, "이름", key, value)
    assert (folder / NAMES).read_text() == SMALL[NAMES]


def test_an_edit_of_the_shipped_folder_is_seen_at_once(folder, monkeypatch):
    monkeypatch.setattr(resources, "folder", lambda name: folder)
    taxonomy.forget_shipped()
    assert load().label("이름").treatment == "letter"
    set_value(folder, "이름", "treatment", "address")
    assert load().label("이름").treatment == "address"
    monkeypatch.undo()
    taxonomy.forget_shipped()
