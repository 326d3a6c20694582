"""The labels edited by command: what changes on disk, what is refused, and a crash in between."""

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder import taxonomy
from thunder.commands.cli import app
from thunder.editing import edit as edits
from thunder.editing import references
from thunder.editing.edit import NewLabel, Spot, add, merge, move, rename, retire, split
from thunder.editing.migrate import History
from thunder.settings import resources
from thunder.settings.journal import FOLDER, Conflict, HalfApplied
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import TaxonomyError, load, migration_files
from thunder.taxonomy.migrations import names_digest

from .taxonomy_folder import FILES, LISTS, NAMES, PLACES, changed, contents, write

DAY = "2026-07-01"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "lists", LISTS)
    return write(tmp_path / "own", FILES)


@pytest.fixture
def lists(folder: Path) -> Path:
    return folder.parent / "lists"


def done(folder, plan, *arguments, **more):
    """Return the lines that an edit changed, by file; it is written and fits."""
    before = contents(folder)
    edit = plan(folder, *arguments, today=DAY, **more)
    assert contents(folder) == before  # planned, not written
    edits.write(edit)
    migrations = migration_files.read(folder)
    migration_files.require_fit(folder, migrations, load(folder))
    assert migrations[-1] == edit.migration
    lines = changed(before, folder)
    del lines[f"migrations/{edit.migration.file_name}"]
    return lines


COUNTED = ["-version: 4", "+version: 5"]


# --- the six edits ------------------------------------------------------------------------------


def test_add(folder):
    new = NewLabel("극장", "theatre", "omission", omission="시설", aliases=("영화관", "소극장"))
    lines = done(folder, add, new, Spot("외식업"))
    assert lines == {
        "taxonomy.yaml": [
            "-# The invented taxonomy: 2 main categories, 3 granular categories, 6 labels.",
            "-version: 4",
            "+# The invented taxonomy: 2 main categories, 3 granular categories, 7 labels.",
            "+version: 5",
            "+  own: added with thunder taxonomy",
        ],
        PLACES: [
            "-# D.2.1 장소 (Places): 5 labels in 2 granular categories.",
            "+# D.2.1 장소 (Places): 6 labels in 2 granular categories.",
            "+      - id: 7",
            "+        ko: 극장",
            "+        en: theatre",
            "+        omission: 시설",
            "+        source: own",
            "+        aliases: [영화관, 소극장]",
        ],
    }
    assert [label.ko for label in load(folder).categories[1].labels][-2:] == ["다방", "극장"]


def test_add_behind_a_label_in_a_new_category(folder):
    done(folder, add, NewLabel("극장", "theatre", source="ours"), Spot("여가", "D.2.1", "Leisure"))
    done(folder, add, NewLabel("당구장", "billiards"), Spot("여가"), behind="극장")
    done(folder, add, NewLabel("분식점", "snack bar"), Spot("외식업"), behind="주점")
    own = load(folder)
    assert [(one.ko, len(one.labels)) for one in own.categories] == [
        *(("이름", 1), ("외식업", 4), ("번호", 2), ("여가", 2))
    ]
    assert [label.id for label in own.categories[1].labels] == [2, 9, 3, 4]
    assert (folder / PLACES).read_text().endswith("# the end\n")


def test_rename(folder):
    assert done(folder, rename, "호프", "술집업", en="public house") == {
        "taxonomy.yaml": COUNTED,
        PLACES: [
            *("-        ko: 주점", "-        en: pub", "-        aliases: [술집, 호프]"),
            *("+        ko: 술집업", "+        en: public house"),
            "+        aliases: [주점, 술집, 호프]",
        ],
        "policy/strict.yaml": [
            "-    labels: [주점, 식당, 외식업]",
            "+    labels: [술집업, 식당, 외식업]",
        ],
        "cues/descriptors.yaml": ["-  주점: [주점, 술집,", "+  술집업: [주점, 술집,"],
    }
    assert load(folder).label("주점").id == 2


def test_rename_to_an_alias(folder):
    done(folder, rename, "주점", "술집")
    assert load(folder).label("주점").aliases == ("주점", "호프")
    done(folder, rename, "술집", "주점")  # and back again
    assert load(folder).label("술집").aliases == ("술집", "호프")


def test_a_renamed_omission_is_still_written_as_before(folder):
    done(folder, rename, "계좌번호", "은행계좌")
    label = load(folder).label("은행계좌")
    assert (label.omission, label.aliases) == ("계좌번호", ("계좌번호", "계좌"))


def test_a_homonym_follows_its_label(folder):
    lines = done(folder, rename, "식당", "음식점")
    assert lines["unmapped.yaml"] == ["-    label: 식당", "+    label: 음식점"]


def test_merge(folder):
    assert done(folder, merge, "주점", "식당", reason="뜻이 같다") == {
        "taxonomy.yaml": [
            "-# The invented taxonomy: 2 main categories, 3 granular categories, 6 labels.",
            "-version: 4",
            "+# The invented taxonomy: 2 main categories, 3 granular categories, 5 labels.",
            "+version: 5",
        ],
        PLACES: [
            "-# D.2.1 장소 (Places): 5 labels in 2 granular categories.",
            *("-      - id: 2", "-        ko: 주점", "-        en: pub"),
            "-        # why a letter: pubs are masked",
            "-        aliases: [술집, 호프]",
            "+# D.2.1 장소 (Places): 4 labels in 2 granular categories.",
            "+        aliases: [주점, 술집, 호프]",
        ],
        "retired.yaml": [
            "-retired: []",
            *("+retired:", "+  - id: 2", "+    # why a letter: pubs are masked"),
            *("+    ko: 주점", "+    reason: 뜻이 같다", "+    successor: 3"),
        ],
        "policy/strict.yaml": [
            "-    labels: [주점, 식당, 외식업]",
            "+    labels: [식당, 외식업]",
        ],
        "cues/descriptors.yaml": [
            *("-  주점: [주점, 술집,", "-    호프집]  # pubs", "-  식당: [식당, 분식]"),
            *("+  식당: [식당, 분식, 주점, 술집,", "+    호프집]"),
        ],
    }
    own = load(folder)
    assert own.label("호프").ko == "식당"
    assert own.successor(2) == own.label("식당")
    with pytest.raises(
        LookupError, match=r"no label has the id 2, it was 주점 and went into 식당 \(3"
    ):
        own.by_id(2)
    assert "# where one eats" in (folder / PLACES).read_text()


def test_merging_on_and_on_is_followed(folder):
    done(folder, merge, "주점", "식당")
    done(folder, rename, "식당", "음식점")
    done(folder, merge, "음식점", "성명")
    own = load(folder)
    assert {number: own.successor(number).ko for number in (2, 3)} == {2: "성명", 3: "성명"}
    assert own.label("호프").id == 1


def test_split(folder):
    others = [
        NewLabel("증권계좌", "securities account"),
        NewLabel("가상계좌", "virtual account", aliases=("임시계좌",)),
    ]
    mentions = {"증권계좌": ["77-1", "88"]}
    lines = done(
        folder, split, "계좌번호", "은행계좌", others, en="bank account", mentions=mentions
    )
    assert lines[PLACES] == [
        "-# D.2.1 장소 (Places): 5 labels in 2 granular categories.",
        *("-        ko: 계좌번호", "-        en: account number", "-        aliases: [계좌]"),
        "+# D.2.1 장소 (Places): 7 labels in 2 granular categories.",
        *("+        ko: 은행계좌", "+        en: bank account", "+        omission: 계좌번호"),
        "+        aliases: [계좌번호, 계좌]",
        *("+      - id: 7", "+        ko: 증권계좌", "+        en: securities account"),
        *("+        omission: 계좌번호", "+        source: own"),
        *("+      - id: 8", "+        ko: 가상계좌", "+        en: virtual account"),
        *("+        omission: 계좌번호", "+        source: own", "+        aliases: [임시계좌]"),
    ]
    own = load(folder)
    assert [label.id for label in own.categories[2].labels] == [5, 7, 8, 6]
    assert all(own.by_id(number).omission == "계좌번호" for number in (5, 7, 8))
    (migration,) = migration_files.read(folder)
    assert [part.mentions for part in migration.parts] == [("77-1", "88"), ()]


def test_what_is_split_off_is_treated_as_before_in_every_policy(folder):
    lines = done(folder, split, "층", "지상층", [NewLabel("지하층", "basement")])
    assert lines["policy/strict.yaml"] == [
        "-  층: letter",
        "+  지상층: letter",
        "+  지하층: letter",
    ]
    own = load(folder)
    assert (own.label("지하층").treatment, own.label("지하층").reason) == ("keep", "흔한 것이다")
    lines = done(folder, split, "주점", "주점", [NewLabel("선술집", "tavern")])
    assert lines["policy/strict.yaml"][1] == "+    labels: [주점, 식당, 외식업, 선술집]"


def test_an_alias_may_become_a_label_of_its_own(folder):
    lines = done(folder, split, "주점", "술집업", [NewLabel("호프", "beer hall")])
    assert "+        aliases: [주점, 술집]" in lines[PLACES]
    own = load(folder)
    assert [own.label(name).id for name in ("주점", "술집", "호프")] == [2, 2, 7]
    history = History(migration_files.read(folder))
    assert history.fate("호프") is None
    assert history.fate("주점").undecided == ("호프",)


def test_move(folder):
    lines = done(folder, move, "주점", Spot("이름"))
    assert lines[PLACES][-1] == "+# D.2.1 장소 (Places): 4 labels in 2 granular categories."
    assert lines[NAMES] == [
        "-# D.1.1 인명 (Names): 1 label in 1 granular category.",
        "+# D.1.1 인명 (Names): 2 labels in 1 granular category.",
        *("+      - id: 2", "+        ko: 주점", "+        en: pub"),
        *("+        # why a letter: pubs are masked", "+        aliases: [술집, 호프]"),
    ]
    assert load(folder).label("주점").identifier == "direct"
    assert "      # restaurants, too\n      - id: 3\n" in (folder / PLACES).read_text()


def test_the_last_label_takes_its_category_along(folder):
    done(folder, move, "계좌번호", Spot("외식업"))
    done(folder, move, "층", Spot("외식업"))
    assert [category.ko for category in load(folder).categories] == ["이름", "외식업"]
    assert (folder / PLACES).read_text().endswith("# the end\n")


def test_retire(folder):
    lines = done(folder, retire, "계좌번호", reason="쓰이지 않는다")
    assert lines["retired.yaml"] == [
        "-retired: []",
        *("+retired:", "+  - id: 5", "+    ko: 계좌번호", "+    reason: 쓰이지 않는다"),
    ]
    assert lines["unmapped.yaml"] == [
        *("+  - name: 계좌번호", "+    count: 0", "+    note: was label 5 until migration 0001"),
        *("+  - name: 계좌", "+    count: 0", "+    note: was label 5 until migration 0001"),
    ]
    own = load(folder)
    assert own.resolve("계좌") is None
    assert own.classes == 7


def test_windows_line_ends_and_a_byte_order_mark_stay(folder):
    for path in folder.rglob("*.yaml"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    done(folder, merge, "주점", "식당")
    done(folder, split, "층", "지상층", [NewLabel("지하층", "basement")])
    done(folder, retire, "계좌번호", reason="시험")
    for path in folder.rglob("*.yaml"):
        if path.parent.name != "migrations":
            content = path.read_bytes()
            assert content.startswith(b"\xef\xbb\xbf")
            assert content.count(b"\n") == content.count(b"\r\n"), path


# --- what is refused ----------------------------------------------------------------------------


def refused(folder, plan, *arguments, **more):
    before = contents(folder)
    with pytest.raises((ValueError, LookupError)) as caught:
        plan(folder, *arguments, **more)
    assert contents(folder) == before
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("plan", "arguments", "more", "told"),
    [
        (
            add,
            (NewLabel("호프", "pub"), Spot("번호")),
            {},
            f"{PLACES}:51: '호프' is already an alias of",
        ),
        (
            add,
            (NewLabel("앞길", "road"), Spot("번호")),
            {},
            "unmapped.yaml:2: '앞길' is already a lab",
        ),
        (
            add,
            (NewLabel("가", "a", "mask"), Spot("번호")),
            {},
            f"{PLACES}:54: unknown 'mask'; known ar",
        ),
        (
            add,
            (NewLabel("가", "a", "keep"), Spot("번호")),
            {},
            f"{PLACES}:54: what is kept readable ne",
        ),
        (
            add,
            (NewLabel("가", "a", omission="나"), Spot("번호")),
            {},
            f"{PLACES}:55: an omission's name",
        ),
        (
            add,
            (NewLabel("가<", "a"), Spot("번호")),
            {},
            f"{PLACES}:51: '가<' would break the mark-up",
        ),
        (add, (NewLabel("가", ""), Spot("번호")), {}, f"{PLACES}:50: the key 'en' is missing"),
        (
            add,
            (NewLabel("가", "a", source="x"), Spot("번호")),
            {},
            f"{PLACES}:55: unknown 'x'; known a",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("여가")),
            {},
            "there is no category 여가 (thunder taxonomy tre",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("이름", "D.2.1")),
            {},
            "there is no category 이름 in D.2.1",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("이름", "D.9")),
            {},
            "there is no subcategory D.9; known are D.",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("여가", en="L")),
            {},
            "in which subcategory is 여가 to be?",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("번호", "D.2.1", "N")),
            {},
            "D.2.1 has a category 번호 already",
        ),
        (
            add,
            (NewLabel("가", "a"), Spot("번호")),
            {"behind": "주점"},
            "주점 stands elsewhere, in D.2.1 외",
        ),
        (rename, ("주점", "식당"), {}, f"{PLACES}:22: '식당' is already a label at"),
        (rename, ("주점", "주점"), {}, "주점 is called that already"),
        (rename, ("집", "주점"), {}, "unknown label '집'"),
        (rename, ("주점", "술\n집"), {}, f"{PLACES}:13: '술\\n집' holds an invisible"),
        (
            rename,
            ("다방", "찻집"),
            {},
            "unmapped.yaml:5: '다방' means another label in the released",
        ),
        (merge, ("주점", "주점"), {}, "주점 cannot be merged into itself"),
        (
            merge,
            ("주점", "층"),
            {},
            "주점 is treated as 'letter', 층 as 'keep': what is masked now migh",
        ),
        (merge, ("성명", "식당"), {}, f"{NAMES}:1: would be left without a label"),
        (move, ("주점", Spot("외식업")), {}, "주점 stands in D.2.1 외식업 already"),
        (move, ("성명", Spot("외식업")), {}, f"{NAMES}:1: would be left without a label"),
        (
            retire,
            ("주점",),
            {"reason": "시험"},
            "cues/descriptors.yaml:2: names '주점': take it out",
        ),
        (retire, ("층",), {"reason": "시험"}, "policy/strict.yaml:6: names '층': take it out here"),
        (retire, ("계좌",), {"reason": ""}, "retired.yaml:5: '' is empty"),
        (
            split,
            ("층", "층", [NewLabel("층", "f")]),
            {},
            f"{PLACES}:51: '층' is already a label at",
        ),
        (
            split,
            ("층", "층", [NewLabel("가", "f")]),
            {"mentions": {"나": ["1"]}},
            "a mention list for 나,",
        ),
        (
            *(split, ("층", "층", [NewLabel("가", "f"), NewLabel("나", "g")])),
            *(
                {"mentions": {"가": ["1"], "나": ["1"]}},
                "a mention stands in the lists of 가 and 나",
            ),
        ),
    ],
)
def test_what_would_be_wrong_is_refused_and_nothing_changes(folder, plan, arguments, more, told):
    assert refused(folder, plan, *arguments, **more).startswith(told)


def test_a_policy_that_treats_two_labels_differently_stops_their_merger(folder):
    write(folder, {"policy/strict.yaml": FILES["policy/strict.yaml"].replace("  층:", "  주점:")})
    told = refused(folder, merge, "주점", "식당")
    assert told.startswith("policy/strict.yaml:6: treats '주점' and '식당' differently")
    text = FILES["policy/strict.yaml"].replace("층: letter", "주점: address\n  식당: address")
    write(folder, {"policy/strict.yaml": text})
    lines = done(folder, merge, "주점", "식당")
    assert "-  주점: address" in lines["policy/strict.yaml"]


@pytest.mark.parametrize("plan", [rename, merge])
def test_a_name_once_used_is_never_that_of_another_label(folder, plan):
    done(folder, plan, "주점", "술집업" if plan is rename else "식당")
    heir = load(folder).label("주점").ko
    taxonomy.set_value(folder, heir, "aliases", "")  # by hand, the old name was set free
    told = refused(folder, add, NewLabel("주점", "pub"), Spot("번호"))
    assert told == "'주점' was the name of label 2 and cannot be that of 7"


def test_names_changed_by_hand_stop_the_next_edit(folder):
    done(folder, rename, "주점", "술집업")
    path = folder / PLACES
    path.write_text(path.read_text().replace("ko: 계좌번호", "ko: 통장번호"))
    told = refused(folder, rename, "식당", "음식점")
    assert told.startswith("migrations/0001-rename-2.yaml:9: the digest under 'after' does not fit")


def test_a_folder_that_is_wrong_already_is_told(folder):
    (folder / "retired.yaml").write_text("retired: [\n")
    with pytest.raises(TaxonomyError, match=r"retired.yaml:1: not YAML"):
        rename(folder, "주점", "술집업")


def test_a_policy_in_another_encoding_is_told(folder):
    (folder / "policy/strict.yaml").write_bytes(FILES["policy/strict.yaml"].encode("cp949"))
    with pytest.raises(YamlFileError, match=r"strict.yaml:2: not UTF-8 but CP949"):
        rename(folder, "주점", "술집업")


@pytest.mark.parametrize(
    ("successor", "told"),
    [("9", "leads to no label"), ("2", "leads to no label"), ("one", "expected a whole number")],
)
def test_a_successor_that_is_none(folder, successor, told):
    done(folder, merge, "주점", "식당")
    path = folder / "retired.yaml"
    path.write_text(path.read_text().replace("successor: 3", f"successor: {successor}"))
    with pytest.raises(TaxonomyError, match=rf"retired\.yaml:7: .*{told}"):
        load(folder)


def test_the_shipped_library_itself_names_labels(monkeypatch):
    shipped = resources.folder("taxonomy")
    used = references.in_code(shipped, "내국인이름")
    assert any("names" in place for place in used)
    with pytest.raises(
        ValueError, match=r"\.py:\d+: the library itself names '내국인이름': merge it"
    ):
        retire(shipped, "내국인이름", reason="시험")


# --- a crash in between -------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


def kill_at(monkeypatch, number):
    """Have the process end when a file is renamed for the time *number* (0 is the journal)."""
    calls = iter(range(1000))
    real = os.replace

    def call(*arguments):
        if next(calls) == number:
            raise Killed
        return real(*arguments)

    monkeypatch.setattr(os, "replace", call)
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)


def merged(folder):
    edit = merge(folder, "주점", "식당", today=DAY)
    expected = {change.path: change.after for change in edit.changes}
    return edit, expected


@pytest.mark.parametrize("number", range(7))
def test_a_crash_is_found_and_made_good(folder, monkeypatch, number):
    before = contents(folder)
    edit, expected = merged(folder)
    with monkeypatch.context() as patch:
        kill_at(patch, number)
        with pytest.raises(Killed):
            edits.write(edit)
    if number:
        with pytest.raises(HalfApplied, match=r"journal\.json:1: an edit of .* stopped half-way"):
            load(folder)
        with pytest.raises(HalfApplied):
            rename(folder, "식당", "음식점")
    code, said = run("taxonomy", "check", folder)
    assert code == 0, said
    if number:
        assert "finished what was interrupted" in said
        assert {path: path.read_bytes() for path in expected} == expected
    else:
        assert "before it changed anything" in said
        assert contents(folder) == before
    assert not (folder / FOLDER).exists()


def test_two_edits_at_once_do_not_mix(folder):
    first, _ = merged(folder)
    edits.write(rename(folder, "성명", "이름들"))
    with pytest.raises(Conflict, match="was changed by someone else meanwhile"):
        edits.write(first)
    assert load(folder).label("주점").id == 2


# --- the commands -------------------------------------------------------------------------------


def run(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def command(folder, *arguments):
    own = ["--folder", folder, "--lists", folder.parent / "lists"]
    return run("taxonomy", *arguments, *own)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["add", "극장", "--en", "theatre", "--category", "번호", "--alias", "영화관"],
            "Label added: 3 files changed. Migration 0001.",
        ),
        (["rename", "2", "술집업"], "Label renamed: 7 files changed. Migration 0001."),
        (["merge", "술집", "식당"], "Label merged: 8 files changed. Migration 0001."),
        (
            ["split", "층", "지상층=floor", "지하층=basement"],
            "Label split: 4 files changed. Migration 0001.",
        ),
        (
            ["move", "주점", "--category", "번호"],
            "Label moved: 5 files changed. Migration 0001.",
        ),
        (["retire", "층수", "--reason", "시험"], "unknown label '층수'"),
        (
            ["retire", "계좌", "--reason", "시험"],
            "Label retired: 6 files changed. Migration 0001.",
        ),
        (
            ["set", "주점", "ko", "술집업"],
            "Label renamed: 5 files changed. Migration 0001.",
        ),
    ],
)
def test_commands(folder, arguments, told):
    if arguments[0] == "set":
        code, said = run("taxonomy", *arguments, "--folder", folder)
    else:
        code, said = command(folder, *arguments)
    assert told in said
    assert ("Nothing was changed." in said) == told.startswith("unknown")
    assert code == told.startswith("unknown")
    assert run("taxonomy", "check", folder)[0] == 0


def test_the_lists_follow_in_the_same_edit(folder, lists, monkeypatch):
    with monkeypatch.context() as patch:
        kill_at(patch, 7)
        with pytest.raises(Killed):
            CliRunner().invoke(
                app,
                [
                    "taxonomy",
                    "merge",
                    "주점",
                    "식당",
                    "--folder",
                    str(folder),
                    "--lists",
                    str(lists),
                ],
                catch_exceptions=False,
            )
    assert run("taxonomy", "check", folder)[0] == 0
    assert not (lists / "D.2.1-places/외식업/주점.txt").exists()
    assert (lists / "D.2.1-places/외식업/식당.txt").read_text().splitlines()[2:] == [
        *("# source: invented", "나리", "가람", "한울", "두레")
    ]


def test_a_dry_run_shows_the_diff_and_changes_nothing(folder):
    before = contents(folder.parent)
    code, said = command(folder, "rename", "주점", "술집업", "--dry-run")
    assert (code, contents(folder.parent)) == (0, before)
    assert "-        ko: 주점\n+        ko: 술집업\n" in said
    assert said.endswith("Label renamed: shown only, nothing was changed. Migration 0001.\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["split", "층", "층", "지하층"], "'지하층' is not of the form NAME=ENGLISH"),
        (["split", "층", "층", "가=b", "--mentions", "가=none.txt"], "none.txt: No such file"),
        (["merge", "주점", "층"], "thunder taxonomy set 주점 treatment keep"),
        (["add", "극장", "--en", "a", "--category", "없음"], "there is no category 없음"),
    ],
)
def test_commands_refuse_with_the_reason(folder, arguments, told):
    before = contents(folder.parent)
    code, said = command(folder, *arguments)
    assert (code, told in said, contents(folder.parent)) == (1, True, before)


def test_lists_that_are_not_there_or_wrong_stop_the_edit(folder, lists):
    before = contents(folder)
    code, said = run("taxonomy", "rename", "주점", "술집업", "--folder", folder, "--lists", "none")
    assert (code, "there is no such folder of replacement lists" in said) == (1, True)
    (lists / "D.2.1-places/외식업/주점.txt").write_bytes("나리\n".encode("cp949"))
    code, said = command(folder, "rename", "주점", "술집업")
    assert code == 1
    assert "주점.txt:1: not UTF-8 but CP949" in said
    assert "1 to be mended in the files." in said
    assert contents(folder) == before


def test_migrate_says_label_by_label_what_it_did(folder, tmp_path):
    mentions = tmp_path / "mentions.txt"
    mentions.write_text("# of securities firms\n77-1\n77-1\n")
    command(folder, "merge", "주점", "식당")
    rule = f"증권계좌={mentions}"
    command(folder, "split", "계좌번호", "은행계좌", "증권계좌=securities", "--mentions", rule)
    data = write(
        tmp_path / "data",
        {
            "a.jsonl": '{"id": "1", "text": "<<<주점>>>B<<</주점>>> '
            '<<<계좌번호>>>77-1<<</계좌번호>>>"}\n',
            "b.txt": "<<<주점>>>B<<</주점>>> <<<계좌번호>>>C<<</계좌번호>>>",
        },
    )
    before = contents(data)
    dry = run("taxonomy", "migrate", data, "--folder", folder, "--dry-run")[1]
    assert contents(data) == before
    assert f"{data / 'a.jsonl'}:1: 1 × <<<주점>>> → <<<식당>>>" in dry
    assert dry.endswith("Shown only: 2 files would change, up to migration 0002.\n")
    code, said = run("taxonomy", "migrate", data, "--folder", folder)
    rows = [line.split() for line in said.splitlines()]
    assert code == 0
    assert ["주점", "식당", "marks", "2", "2", "0001"] in rows
    assert ["계좌번호", "증권계좌", "marks", "1", "1", "0002"] in rows
    assert said.endswith("2 files changed, up to migration 0002.\n")
    first = contents(data)
    code, said = run("taxonomy", "migrate", data, "--folder", folder)
    assert contents(data) == first
    assert said.endswith("Nothing to change: all is up to migration 0002.\n")
    assert run("annotation", "check", data, "--folder", folder)[0] == 0


def test_migrate_up_to_a_number(folder, tmp_path):
    for new in ("술집업", "펍"):
        command(folder, "rename", "주점", new)
    path = tmp_path / "a.txt"
    path.write_text("<<<주점>>>B<<</주점>>>")
    assert run("taxonomy", "migrate", path, "--folder", folder, "--to", 1)[0] == 0
    assert path.read_text() == "<<<술집업>>>B<<</술집업>>>"
    assert run("taxonomy", "migrate", path, "--folder", folder)[0] == 0
    assert path.read_text() == "<<<펍>>>B<<</펍>>>"
    code, said = run("taxonomy", "migrate", path, "--folder", folder, "--to", 3)
    assert (code, "there is no migration 0003: the last is 0002" in said) == (1, True)


def test_migrate_changes_nothing_where_one_file_is_wrong(folder, tmp_path):
    command(folder, "rename", "주점", "술집업")
    good = {"a.txt": "<<<주점>>>B<<</주점>>>"}
    data = write(tmp_path / "data", {**good, "b.jsonl": '{"text": "가"}\n{"text": 1}\n'})
    more = write(tmp_path / "more", good)
    before = contents(tmp_path)
    code, said = run("taxonomy", "migrate", more, data, "--folder", folder)
    assert (code, contents(tmp_path)) == (1, before)
    assert f"{data / 'b.jsonl'}:2: no text under 'text', or two" in said


def test_migrate_finishes_what_was_interrupted(folder, lists, monkeypatch):
    run("taxonomy", "merge", "주점", "식당", "--folder", folder)
    with monkeypatch.context() as patch:
        kill_at(patch, 1)
        with pytest.raises(Killed):
            CliRunner().invoke(
                app,
                ["taxonomy", "migrate", str(lists), "--folder", str(folder)],
                catch_exceptions=False,
            )
    code, said = run("taxonomy", "migrate", lists, "--folder", folder)
    assert (code, f"finished what was interrupted: migrate {lists}" in said) == (0, True)
    assert not (lists / "D.2.1-places/외식업/주점.txt").exists()


def test_diff(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "old")
    for arguments in (
        ["add", "극장", "--en", "theatre", "--category", "여가", "--category-en", "Leisure"],
        ["merge", "주점", "식당"],
        ["rename", "층", "층수"],
        ["move", "층수", "--category", "이름"],
    ):
        more = ["--code", "D.2.1"] if "극장" in arguments else []
        assert command(folder, *arguments, *more)[0] == 0
    run("taxonomy", "set", "성명", "en", "full name", "--folder", folder)
    run("taxonomy", "set", "다방", "treatment", "address", "--folder", folder)
    code, said = run("taxonomy", "diff", tmp_path / "old", folder)
    rows = [" ".join(line.split()) for line in said.splitlines()]
    assert code == 0
    assert rows[3:-3] == [
        "added 극장 (7) D.2.1 여가, letter",
        "retired 주점 (2) D.2.1 외식업 → 식당 (3)",
        "renamed 층수 (6) 층 층수",
        "moved 층수 (6) D.2.1 번호 D.1.1 이름",
        "translation 성명 (1) name full name",
        "treatment 다방 (4) letter address",
        "aliases 식당 (3) 술집, 주점, 호프",
        "aliases 층수 (6) 층",
        "heading D.2.1 여가 Leisure",
    ]
    assert rows[-1] == "Differences between the two: 9"
    assert run("taxonomy", "diff", folder, folder)[1].splitlines()[0] == "no difference"


def test_the_digest_of_names_follows_names_alone(folder):
    before = names_digest(load(folder))
    taxonomy.set_value(folder, "성명", "en", "full name")
    taxonomy.set_value(folder, "주점", "aliases", "")
    assert names_digest(load(folder)) == before
    taxonomy.set_value(folder, "성명", "ko", "이름들")
    assert names_digest(load(folder)) != before


# --- the shipped taxonomy -----------------------------------------------------------------------


def test_the_shipped_taxonomy_can_be_edited_and_says_so_in_its_comments(tmp_path):
    own = tmp_path / "own"
    shutil.copytree(resources.folder("taxonomy"), own)
    before = contents(own)
    edit = add(own, NewLabel("드론대여점", "drone rental shop"), Spot("외식업"))
    edits.write(edit)
    lines = changed(before, own)
    shipped = load()
    places = sum(label.code == "D.2.7" for label in shipped)
    (count,) = [line for line in lines["labels/D.2.7-businesses.yaml"] if line.startswith("+#")]
    assert f": {places + 1} labels in " in count
    assert edit.migration.label.id == shipped.classes


@pytest.mark.slow
def test_the_readme_s_commands_work_one_after_the_other(tmp_path):
    own = tmp_path / "own"
    shutil.copytree(resources.folder("taxonomy"), own)
    recipes = (own / "README.md").read_text().partition("## Recipes")[2]
    commands = [shlex.split(found) for found in re.findall(r"`thunder (taxonomy [^`…]+)`", recipes)]
    edits = [one for one in commands if one[1] in (*migration_files.ARGUMENTS, "set", "check")]
    assert {one[1] for one in edits} == {*migration_files.ARGUMENTS, "set", "check"}
    for arguments in edits:
        if "my-taxonomy" not in arguments:
            code, said = run(*arguments, "--folder", own)
            assert code == 0, (arguments, said)
    assert len(migration_files.read(own)) == 6


VALUES = {
    "en": "bar",
    "aliases": "술집,선술집",
    "treatment": "address",
    "omission": "",
    "reason": "",
    "source": "ours",
    "note": "밤에 연다",
    "as_printed": "pub (bar)",
}
"""What ``set`` may write, but for the name: that is a rename, with a migration of its own."""


def test_every_other_key_is_among_these():
    assert set(taxonomy.EDITABLE) - {"ko"} == set(VALUES)


@pytest.mark.parametrize(("key", "value"), VALUES.items())
def test_nothing_stored_depends_on_what_else_is_set(folder, key, value):
    migrate_files = migration_files.FOLDER
    before, known = names_digest(load(folder)), contents(folder)
    taxonomy.set_value(folder, "주점", key, value)
    assert names_digest(load(folder)) == before
    migrations = [name for name in contents(folder) if name.startswith(migrate_files)]
    assert migrations == [name for name in known if name.startswith(migrate_files)]
