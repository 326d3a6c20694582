"""Stored label names brought up to date: marks, lists, label maps, figures."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.editing import migrate
from thunder.settings.journal import commit
from thunder.taxonomy.migrations import Migration, Part, Placed
from thunder.text.spans import Span
from thunder.training_data import annotation
from thunder.training_data.lists import reading

from ..taxonomy.taxonomy_folder import LISTS, contents, write

pytestmark = pytest.mark.usefixtures("english")

AT = "D.2.1-places/외식업"


def migration(number, operation, label, **more):
    head = {"date": "2026-07-01", "version": number, "before": "", "after": ""}
    return Migration(
        number=number, operation=operation, label=Placed(*(*label, AT)[:3]), **head, **more
    )


EVERY = (
    migration(1, "rename", (2, "주점"), to="술집업"),
    migration(2, "merge", (3, "식당"), into=Placed(2, "술집업", AT)),
    migration(
        *(3, "split", (5, "계좌번호", "D.2.1-places/번호")),
        to="은행계좌",
        parts=(Part(Placed(7, "증권계좌", "D.2.1-places/번호"), ("77-1",)),),
        aliases=("계좌",),
    ),
    migration(4, "retire", (6, "층"), reason="시험"),
)


def migrated(path, migrations=EVERY, **more):
    """Return the plan for *path*, which is carried out."""
    plan = migrate.plan(path, migrations, **more)
    assert not plan.problems
    commit(path if path.is_dir() else path.parent, plan.changes, title="test")
    return plan


def said(plan):
    return [(done.was, done.now, done.times) for done in plan.done]


def problems(path):
    return [str(one).removeprefix(f"{path.parent}/") for one in migrate.plan(path, EVERY).problems]


# --- annotated documents ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<<<주점>>>B<<</주점>>>에서", "<<<술집업>>>B<<</술집업>>>에서"),
        ("<<<식당>>>B<<</식당>>>에서", "<<<술집업>>>B<<</술집업>>>에서"),
        ("<<<술집>>>B<<</술집>>>", "<<<술집>>>B<<</술집>>>"),  # another name, and still one
        ("<<<계좌번호>>>12-3<<</계좌번호>>>", "<<<은행계좌>>>12-3<<</은행계좌>>>"),
        ("<<<계좌번호>>>77-1<<</계좌번호>>>", "<<<증권계좌>>>77-1<<</증권계좌>>>"),
        ("<<<계좌>>>77-1<<</계좌>>>", "<<<증권계좌>>>77-1<<</증권계좌>>>"),
        ("<<<계좌>>>12-3<<</계좌>>>", "<<<계좌>>>12-3<<</계좌>>>"),
        ("<<<층>>>3<<</층>>>", "<<<층>>>3<<</층>>>"),
        ("주점 식당 <<<다방>>>주점<<</다방>>>", "주점 식당 <<<다방>>>주점<<</다방>>>"),
        # Unsound marks are renamed, but no mention is read from them.
        (
            "<<<주점>>>B <<<계좌번호>>>77-1<<</계좌번호>>>",
            "<<<술집업>>>B <<<은행계좌>>>77-1<<</은행계좌>>>",
        ),
    ],
)
def test_names_in_marks_change_and_nothing_else(tmp_path, before, after):
    text, lines = tmp_path / "a.txt", tmp_path / "b.jsonl"
    text.write_bytes(f"\ufeff가\r\n{before}\r\n나".encode())
    record = {"n": 1.50, "id": "주점", "text": f"가\n{before} 😀"}
    lines.write_text(json.dumps(record) + "\n\n" + json.dumps(record, ensure_ascii=False))
    migrated(tmp_path)
    assert text.read_bytes().decode() == f"\ufeff가\r\n{after}\r\n나"
    new = {**record, "text": f"가\n{after} 😀"}
    assert lines.read_text() == json.dumps(new) + "\n\n" + json.dumps(new, ensure_ascii=False)
    assert not any(
        change.before != change.after for change in migrate.plan(tmp_path, EVERY).changes
    )


@pytest.mark.parametrize(
    ("line", "after"),
    [
        (
            r'{"text":"\u003c<<주점>>>\/\"\ud83d\ude00<<</주점>>>"}',
            r'{"text":"\u003c<<술집업>>>\/\"\ud83d\ude00<<</술집업>>>"}',
        ),
        (
            r'{"text" : "<<<\uc8fc점>>>B<<</주점>>>" }',
            r'{"text" : "<<<\uc220\uc9d1\uc5c5>>>B<<</술집업>>>" }',
        ),
        (
            '{"other": {"text": "<<<주점>>>"}, "text": ""}',
            '{"other": {"text": "<<<주점>>>"}, "text": ""}',
        ),
    ],
)
def test_json_is_written_as_it_was(tmp_path, line, after):
    path = tmp_path / "a.jsonl"
    path.write_text(line)
    migrated(path)
    assert path.read_text() == after


def test_what_was_done_is_told_label_by_label(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "<<<주점>>>B<<</주점>>> <<<주점>>>C<<</주점>>>\n<<<식당>>>홍길동<<</식당>>> "
        "<<<계좌번호>>>D<<</계좌번호>>> <<<층>>>E<<</층>>>"
    )
    plan = migrated(path)
    assert said(plan) == [
        ("주점", "술집업", 2),
        ("식당", "술집업", 1),
        ("계좌번호", "은행계좌", 1),
        ("층", "", 1),
    ]
    assert [done.number for done in plan.done] == [2, 2, 3, 4]
    assert plan.done[2].what == "marks, any of which may be 증권계좌: only a person can tell"
    assert plan.shown == (
        f"{path}:1: 2 × <<<주점>>> → <<<술집업>>>",
        f"{path}:2: 1 × <<<계좌번호>>> → <<<은행계좌>>>",
        f"{path}:2: 1 × <<<식당>>> → <<<술집업>>>",
    )


def test_no_text_of_a_document_is_told(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "<<<주점>>>홍길동<<</주점>>>"}\n{"text": "홍길동", "text": ""}\n홍길동\n'
    )
    plan = migrate.plan(path, EVERY)
    told = [*map(str, plan.problems), *plan.shown, *map(str, plan.done)]
    assert len(told) == 4
    assert not any("홍길동" in line for line in told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"text": "a"}\n{"text": 3}\n', ["a.jsonl:2: no text under 'text', or two"]),
        (b'{"text": "a"}\n["a"]\n', ["a.jsonl:2: not one JSON object"]),
        (b'{"text": "a"} {}\n', ["a.jsonl:1: not one JSON object"]),
        (b'{"text": "a"\n', ["a.jsonl:1: not JSON at column 13: Expecting ',' delimiter"]),
        (b"{}\n" + '{"text": "가"}'.encode("cp949"), ["a.jsonl:1: no text", "a.jsonl:2: not"]),
    ],
)
def test_lines_that_cannot_be_read_are_told(tmp_path, content, told):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    found = problems(path)
    assert len(found) == len(told)
    assert all(one.startswith(start) for one, start in zip(found, told, strict=True)), found


def test_a_file_in_another_encoding_is_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("가\n<<<주점>>>B<<</주점>>>".encode("cp949"))
    assert problems(path) == ["a.txt:1: not UTF-8 but CP949 (완성형): save the file as UTF-8"]


LABELS = ["주점", "식당", "계좌번호", "층", "다방", "계좌"]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.text('가<\n"\\😀', max_size=3), st.sampled_from(LABELS)), max_size=6))
def test_every_document_keeps_its_text_and_its_spans(tmp_path_factory, pieces):
    text, spans = "", []
    for gap, label in pieces:
        text += gap + "77-1"
        spans.append(Span(len(text) - 4, len(text), label))
    if "<<<" in text:
        return
    path = tmp_path_factory.mktemp("documents") / "a.jsonl"
    path.write_text(json.dumps({"text": annotation.serialise(text, spans)}))
    migrated(path)
    after = annotation.parse(json.loads(path.read_text())["text"])
    assert after.text == text
    assert [(span.start, span.end) for span in after.spans] == [(s.start, s.end) for s in spans]
    first = path.read_bytes()
    migrated(path)
    assert path.read_bytes() == first


# --- lists --------------------------------------------------------------------------------------


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    return write(tmp_path / "lists", LISTS)


def test_lists_are_renamed_and_merged(lists):
    plan = migrated(lists)
    assert said(plan) == [("주점", "술집업", 3), ("식당", "술집업", 2), ("계좌번호", "은행계좌", 1)]
    assert contents(lists).keys() == {
        "D.2.1-places/번호/은행계좌.yaml",
        "D.2.1-places/외식업/다방.yaml",
        "D.2.1-places/외식업/술집업.txt",
        "parts/places.txt",
    }
    assert (lists / f"{AT}/술집업.txt").read_text() == (
        "# source: invented\n# licence: Apache-2.0\n# source: made up\n한울\n두레\n나리\n가람\n"
    )
    label = (lists / "D.2.1-places/번호/은행계좌.yaml").read_text()
    assert label == LISTS["D.2.1-places/번호/계좌번호.yaml"].replace("계좌번호", "은행계좌")
    before = contents(lists)
    assert said(migrated(lists)) == []
    assert contents(lists) == before


def test_lists_move_with_their_label(lists):
    moved = migration(1, "move", (2, "주점"), to="D.9-other/기타")
    migrated(lists, [moved])
    assert (lists / "D.9-other/기타/주점.txt").read_text() == LISTS[f"{AT}/주점.txt"]
    # Where the category was renamed since, the taxonomy at hand knows better.
    migrated(lists, [moved], places={2: "D.9-other/잡다"})
    assert not (lists / "D.9-other/기타").exists()
    assert (lists / "D.9-other/잡다/주점.txt").exists()


def test_a_list_of_a_label_that_is_gone_goes(lists):
    plan = migrated(lists, [migration(1, "retire", (2, "주점"), reason="시험")])
    assert said(plan) == [("주점", "", 5)]
    assert not (lists / f"{AT}/주점.txt").exists()


def test_a_split_hands_on_the_mentions_of_its_rule(lists):
    parts = (
        Part(Placed(7, "주막", AT), ("두레", "없는 것")),
        Part(Placed(8, "카페", AT), ("나리",)),
    )
    write(lists, {f"{AT}/카페.txt": "# source: x\n# licence: y\n나리\n다솜\n"})
    plan = migrated(lists, [migration(1, "split", (2, "주점"), to="주점", parts=parts)])
    assert said(plan) == [("주점", "주막", 1), ("주점", "카페", 1)]
    head = "# source: invented\n# licence: Apache-2.0\n"
    assert (lists / f"{AT}/주점.txt").read_text() == f"{head}한울\n"
    assert (lists / f"{AT}/주막.txt").read_text() == f"{head}두레\n"
    assert (lists / f"{AT}/카페.txt").read_text().splitlines()[-2:] == ["나리", "다솜"]


@pytest.mark.parametrize(
    ("gone", "into", "said_of_label"),
    [
        ("식당", "다방", "다방"),
        ("다방", "식당", "식당"),
        ("계좌번호", "다방", "다방"),
        ("다방", "계좌번호", "계좌번호"),
    ],
)
def test_a_list_and_a_rule_become_a_rule_that_makes_both(tmp_path, gone, into, said_of_label):
    names = {name: f"{AT}/{name}" for name in ("식당", "다방", "계좌번호")}
    account = LISTS["D.2.1-places/번호/계좌번호.yaml"].replace("maker: account", "maker: resident")
    files = {**LISTS, f"{AT}/계좌번호.yaml": account}
    del files["D.2.1-places/번호/계좌번호.yaml"]
    lists = write(tmp_path / "lists", files)
    merge = migration(1, "merge", (4, gone), into=Placed(3, into, AT))
    migrated(lists, [merge])
    left = {path.stem for path in (lists / AT).iterdir()} & names.keys()
    assert left == names.keys() - {gone}
    path = lists / AT / f"{said_of_label}.yaml"
    source, wrong = reading.read(path, root=lists)
    assert wrong == []
    made = {source.at(number) for number in range(2000)}
    expected = {"식당": {"나리", "가람"}, "다방": {"강변달", "별"}}
    for name in {gone, into} & expected.keys():
        assert expected[name] <= made
    if "계좌번호" in (gone, into):
        assert any(mention[:6].isdecimal() for mention in made)


def test_parts_of_one_name_that_differ_stay_apart(tmp_path):
    rule = LISTS[f"{AT}/다방.yaml"]
    other = rule.replace("label: 다방", "label: 찻집").replace("[달, 별]", "[해]")
    lists = write(tmp_path / "lists", {**LISTS, f"{AT}/찻집.yaml": other})
    migrated(lists, [migration(1, "merge", (9, "찻집"), into=Placed(4, "다방", AT))])
    text = (lists / f"{AT}/다방.yaml").read_text()
    assert text == rule.replace(
        "  place: parts/places.txt\n", "  place: parts/places.txt\n  stem_2: [해] # stems\n"
    ).replace(
        "weight: 3}\n",
        "weight: 3}\n  - '{place}{stem_2}'\n  - {pattern: \"{stem_2}\", weight: 3}\n",
    )


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("주점.txt", "# source: x\n나리\n한울\n".encode("cp949"), "2: not UTF-8 but CP949"),
        ("식당.yaml", b"parts: [\n", "1: not YAML"),
        (
            "식당.yaml",
            b"label: \xec\x8b\x9d\xeb\x8b\xb9\nwhat: 1\n",
            "1: a rule needs parts and pa",
        ),
    ],
)
def test_a_list_that_cannot_be_read_stops_all(lists, name, content, told):
    if name.endswith(".yaml"):
        (lists / AT / "식당.txt").unlink()
    (lists / AT / name).write_bytes(content)
    plan = migrate.plan(lists, EVERY)
    assert plan.changes == ()
    (problem,) = plan.problems
    assert str(problem).startswith(f"{lists / AT / name}:{told}")


# --- label maps and figures ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # A label map: the values are labels, the keys are what annotators wrote.
        ('{"주점": "주점",\n\n "밥집" :"식당"}\n', '{"주점": "술집업",\n\n "밥집" :"술집업"}\n'),
        ('{"a": "\\uc8fc\\uc810"}', '{"a": "\\uc220\\uc9d1\\uc5c5"}'),
        ('{"a": "층"}', '{"a": "층"}'),
        # Figures by label.
        ('{"by_label": {"주점": {"f1": 0.50}}}', '{"by_label": {"술집업": {"f1": 0.50}}}'),
        ('[{"label": "주점", "note": "주점"}]', '[{"label": "술집업", "note": "주점"}]'),
        ('{"label": ["주점", "다방"]}', '{"label": ["술집업", "다방"]}'),
        ('{"주점": 3}', '{"술집업": 3}'),
        # Two labels that have become one.
        (
            '{"주점": {"hits": 3, "f1": 0.5}, "다방": 1, "식당": {"hits": 4, "f1": 0.5}}',
            '{"술집업": {"hits": 7, "f1": null}, "다방": 1}',
        ),
        ('{\n  "주점": 367,\n  "식당": 376\n}\n', '{\n  "술집업": null\n}\n'),
        ('{"주점": 1, "식당": {"hits": 4}}', '{"술집업": null}'),
    ],
)
def test_json(tmp_path, before, after):
    path = tmp_path / "a.json"
    path.write_text(before)
    migrated(path)
    assert path.read_text() == after
    migrated(path)
    assert path.read_text() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("label,f1\n주점,0.50\n다방,1\n", "label,f1\n술집업,0.50\n다방,1\n"),
        ("\ufeff주점,0.50\r\n다방,1\r\n", "\ufeff술집업,0.50\r\n다방,1\r\n"),
        ('"n","label"\n"1","주점"\n', '"n","label"\n"1","술집업"\n'),
        ("label,hits,f1,who\n주점,3,0.5,a\n식당,4,0.5,a\n", "label,hits,f1,who\n술집업,7,,a\n"),
        # Rows of several runs are not put together.
        (
            "label,run\n주점,1\n주점,2\n식당,1\n식당,2\n",
            "label,run\n술집업,1\n술집업,2\n술집업,1\n술집업,2\n",
        ),
        ("label\n다방\n", "label\n다방\n"),
        ("", ""),
    ],
)
def test_csv(tmp_path, before, after):
    path = tmp_path / "a.csv"
    path.write_bytes(before.encode())
    migrated(path)
    assert path.read_bytes().decode() == after
    migrated(path)
    assert path.read_bytes().decode() == after


def test_figures_that_cannot_be_worked_out_are_told(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(
        '{"주점": {"f1": 0.5, "hits": 1}, "식당": {"f1": 0.6, "hits": 2}, "계좌번호": 1}'
    )
    plan = migrated(path)
    assert [(done.was, done.now, done.what) for done in plan.done] == [
        ("주점", "술집업", "keys"),
        ("식당", "술집업", "keys"),
        ("술집업", "", "figures of two labels: to be measured again"),
        ("술집업", "", "counts added up"),
        ("계좌번호", "은행계좌", "keys from before 증권계좌 were split off"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.json", b'{"a": 1,\n}', "a.json:2: not JSON"),
        ("a.json", b'{"a": 1, "a": 2}', "a.json:1: cannot be read: the key 'a' is given twice"),
        ("a.json", '{\n"주점": 1}'.encode("cp949"), "a.json:2: not UTF-8 but CP949"),
        ("a.csv", b'label\n"a"b\n', "a.csv:2: not CSV"),
    ],
)
def test_a_table_that_cannot_be_read_is_told(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    (found,) = problems(tmp_path / name)
    assert found.startswith(told)


# --- paths --------------------------------------------------------------------------------------


def test_a_path_that_is_nothing_of_all_this(tmp_path):
    (tmp_path / "a.docx").write_text("")
    with pytest.raises(
        ValueError, match=r"a\.docx: what this holds is not known; known are \.jsonl"
    ):
        migrate.plan(tmp_path / "a.docx", EVERY)
    with pytest.raises(ValueError, match=r"holds no \.jsonl, \.txt, \.json, \.csv and no repl"):
        migrate.plan(tmp_path, EVERY)
    with pytest.raises(FileNotFoundError):
        migrate.plan(tmp_path / "none.txt", EVERY)


def test_migrating_step_by_step_is_migrating_at_once(tmp_path, lists):
    write(tmp_path / "other", LISTS)
    for number in range(1, len(EVERY) + 1):
        migrated(lists, EVERY[:number])
    migrated(tmp_path / "other")
    assert contents(lists) == contents(tmp_path / "other")
