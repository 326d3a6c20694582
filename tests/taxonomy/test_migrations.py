"""The record of how the labels changed: read strictly, followed, and turned into rows of a head."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.editing.migrate.history import History
from thunder.taxonomy import load, migration_files
from thunder.taxonomy.migration_files import MigrationError
from thunder.taxonomy.migrations import (
    Migration,
    Part,
    Placed,
    misfits,
    names_digest,
    new_rows,
    since,
)

from .taxonomy_folder import FILES, write

AT = "D.2.1-places/외식업"


def digest_of(state):
    return f"{state}".rjust(64, "f")


def chain(*steps):
    """Return migrations numbered from 1, whose digests fit: each step is an operation and words."""
    found = []
    for number, (operation, label, more) in enumerate(steps, 1):
        digests = {"before": digest_of(number - 1), "after": digest_of(number)}
        head = {"date": "2026-07-01", "version": number, **digests}
        migration = Migration(number=number, operation=operation, label=label, **head, **more)
        found.append(migration)
    return tuple(found)


def placed(number, ko):
    return Placed(number, ko, AT)


def rename(number, old, new):
    return "rename", placed(number, old), {"to": new}


def merge(number, ko, into, other):
    return "merge", placed(number, ko), {"into": placed(into, other)}


def split(number, ko, to, *parts, aliases=()):
    made = tuple(Part(placed(at, name), tuple(mentions)) for at, name, mentions in parts)
    return "split", placed(number, ko), {"to": to, "parts": made, "aliases": aliases}


def retire(number, ko, *aliases):
    return "retire", placed(number, ko), {"reason": "시험", "aliases": aliases}


def add(number, ko):
    return "add", placed(number, ko), {}


def move(number, ko, to):
    return "move", placed(number, ko), {"to": to}


# --- rows of a trained head ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "rows"),
    [
        ([], {}),
        ([rename(2, "주점", "술집")], {}),
        ([move(2, "주점", "D.9/기타")], {}),
        ([add(7, "극장")], {7: None}),
        ([merge(2, "주점", 3, "식당")], {}),
        ([merge(2, "주점", 3, "식당"), merge(3, "식당", 4, "다방")], {}),
        ([merge(2, "주점", 3, "식당"), retire(3, "식당")], {}),
        ([retire(2, "주점")], {}),
        ([split(5, "계좌", "계좌", (7, "가", ()), (8, "나", ()))], {7: 5, 8: 5}),
        ([split(5, "계좌", "계좌", (7, "가", ())), merge(7, "가", 5, "계좌")], {7: 5}),
    ],
)
def test_only_added_and_split_labels_have_new_rows(steps, rows):
    assert new_rows(chain(*steps)) == rows


def test_only_the_migrations_since_a_state_count():
    migrations = chain(add(7, "극장"), merge(2, "주점", 3, "식당"), retire(4, "다방"))
    states = [migrations[0].before, *(migration.after for migration in migrations)]
    assert [len(since(migrations, digest)) for digest in states] == [3, 2, 1, 0]
    with pytest.raises(LookupError, match="no migration begins or ends at the labels ffff"):
        since(migrations, "f" * 64)


# --- what became of a name ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "now"),
    [
        ([rename(2, "주점", "술집")], {"주점": "술집", "술집": None, "식당": None}),
        (
            [rename(2, "주점", "술집"), rename(2, "술집", "펍")],
            {"주점": "펍", "술집": "펍", "펍": None},
        ),
        ([rename(2, "주점", "술집"), rename(2, "술집", "주점")], {"주점": None, "술집": "주점"}),
        ([merge(2, "주점", 3, "식당")], {"주점": "식당", "식당": None}),
        (
            [merge(2, "주점", 3, "식당"), rename(3, "식당", "음식점")],
            {"주점": "음식점", "식당": "음식점", "음식점": None},
        ),
        ([retire(2, "주점", "호프")], {"주점": "", "호프": ""}),
        ([merge(2, "주점", 3, "식당"), retire(3, "식당")], {"주점": "", "식당": ""}),
        ([add(7, "극장"), move(7, "극장", "D.9/기타")], {"극장": None}),
    ],
)
def test_what_became_of_a_name(steps, now):
    history = History(chain(*steps))
    fates = {name: history.fate(name) for name in now}
    assert {name: fate and fate.name for name, fate in fates.items()} == now


SPLIT = split(5, "계좌번호", "은행계좌", (7, "증권계좌", ["77-1"]), aliases=("계좌",))


@pytest.mark.parametrize(
    ("name", "mention", "now", "undecided"),
    [
        ("계좌번호", "12-3", "은행계좌", ("증권계좌",)),
        ("계좌번호", "77-1", "증권계좌", ()),
        ("계좌번호", " 77-1", "증권계좌", ()),
        ("계좌번호", None, "은행계좌", ("증권계좌",)),
        ("계좌", "77-1", "증권계좌", ()),  # an alias follows the mention
        ("계좌", "12-3", "계좌", ("증권계좌",)),  # and stays an alias otherwise
        ("은행계좌", "12-3", "은행계좌", ("증권계좌",)),
    ],
)
def test_a_split_is_decided_by_the_mention_or_by_a_person(name, mention, now, undecided):
    fate = History(chain(SPLIT)).fate(name, mention=mention)
    assert (fate.name, fate.undecided) == (now, undecided)


def test_a_label_split_off_needs_no_word():
    assert History(chain(SPLIT)).fate("증권계좌", mention="77-1") is None


def test_the_last_migration_that_had_a_say_is_told():
    history = History(chain(rename(2, "주점", "술집"), add(7, "극장"), merge(2, "술집", 3, "식당")))
    assert history.fate("주점").number == 3


NAMES = [f"이름{at}" for at in range(4)]


@st.composite
def histories(draw):
    """Draw a chain of migrations that fit each other, and the mentions its rules know."""
    names = dict(enumerate(NAMES, 1))
    steps, top = [], len(names)
    for at in range(draw(st.integers(1, 7))):
        if not names:
            break
        number = draw(st.sampled_from(sorted(names)))
        ko, others = names[number], sorted(names.keys() - {number})
        kind = draw(st.sampled_from(["rename", "merge", "split", "retire"]))
        if kind == "merge" and others:
            into = draw(st.sampled_from(others))
            steps.append(merge(number, ko, into, names[into]))
            del names[number]
        elif kind == "split":
            top += 1
            names[number], names[top] = f"새{at}", f"딸{at}"
            rule = draw(st.lists(st.sampled_from("가나다"), unique=True))
            steps.append(split(number, ko, f"새{at}", (top, f"딸{at}", rule), aliases=(f"별{at}",)))
        elif kind == "retire":
            steps.append(retire(number, ko))
            del names[number]
        else:
            names[number] = f"새{at}"
            steps.append(rename(number, ko, f"새{at}"))
    return chain(*steps)


@given(histories(), st.sampled_from([*"가나다라", None]))
def test_following_a_name_twice_is_following_it_once(migrations, mention):
    assert misfits(migrations) == []
    history = History(migrations)
    known = {name for name in NAMES} | {f"{kind}{at}" for kind in "새딸별" for at in range(7)}
    for name in known:
        once = history.fate(name, mention=mention)
        if once is None or not once.name:
            continue
        twice = history.fate(once.name, mention=mention)
        assert twice is None or twice.name == once.name


# --- the files ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def store(folder, migrations):
    write(
        folder / "migrations", {one.file_name: migration_files.text_of(one) for one in migrations}
    )


EVERY = chain(
    add(7, "극장: 소"),
    rename(2, "주점", "술집"),
    merge(2, "술집", 3, "식당"),
    split(5, "계좌번호", "은행계좌", (8, "증권계좌", ["77-1", "1 2", "112"]), aliases=("계좌",)),
    move(7, "극장: 소", "D.9-x/기타"),
    retire(7, "극장: 소", "영화관"),
)


def test_what_is_written_is_read_again(folder):
    store(folder, EVERY)
    assert migration_files.read(folder) == EVERY


def test_no_folder_of_migrations_means_none(folder):
    assert migration_files.read(folder) == ()


def problems(folder):
    with pytest.raises(MigrationError) as caught:
        migration_files.read(folder)
    return [str(one).removeprefix(f"{folder}/migrations/") for one in caught.value.problems]


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("0001-add-7", "number: 1", "number: 2", "2: number 2 in a file called 0001-add-7.yaml"),
        ("0001-add-7", "operation: add", "operation: ad", "4: unknown 'ad'; known are add, rename"),
        ("0001-add-7", "date: '2026-07-01'", "date: '1 July'", "3: '1 July' is not a date like"),
        ("0001-add-7", "date: '2026-07-01'", "date: 2026-07-01", "3: expected text, not '2026-07"),
        ("0001-add-7", "version: 1", "version: 1\nwho: me", "7: unknown key 'who'; known are numb"),
        ("0001-add-7", "version: 1", "to: 극장", "6: unknown key 'to'"),
        ("0001-add-7", "version: 1\n", "", "2: the key 'version' is missing"),
        ("0001-add-7", ", at: D.2.1-places/외식업", "", "5: the key 'at' is missing"),
        ("0002-rename-2", "to: 술집\n", "", "2: the key 'to' is missing"),
        ("0002-rename-2", f"after: {digest_of(2)}", "after: 22", "9: expected text, not '22'"),
        ("0002-rename-2", f"after: {digest_of(2)}", "after: f", "9: 'f' is not a SHA-256 in hex"),
        ("0003-merge-2-into-3", "ko: 식당", "ko: [식당]", "6: expected text, not a list"),
        ("0004-split-5", "at: D.2.1-places/외식업\n    m", "m", "8: the key 'at' is missing"),
        ("0004-split-5", "      - 77-1", "      -  [77-1]", "12: expected text, not a list"),
    ],
)
def test_what_is_wrong_is_told_by_file_and_line(folder, name, old, new, told):
    store(folder, EVERY)
    path = folder / "migrations" / f"{name}.yaml"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    found = problems(folder)
    assert any(one.startswith(f"{name}.yaml:{told}") for one in found), found


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (1, ["0002-rename-2.yaml:1: out of order: number 0002 stands where 0001 must"]),
        (4, ["0005-move-7.yaml:1: out of order: number 0005 stands where 0004 must"]),
    ],
)
def test_a_gap_in_the_numbers(folder, gone, told):
    store(folder, [one for one in EVERY if one.number != gone])
    assert problems(folder) == told


def test_two_with_one_number_and_a_strange_name(folder):
    store(folder, EVERY)
    other = (folder / "migrations/0003-merge-2-into-3.yaml").read_text()
    write(folder / "migrations", {"0003-other.yaml": other, "notes.yaml": "", "README.md": "ok"})
    assert problems(folder) == [
        "0003-other.yaml:1: out of order: number 0003 stands where 0004 must",
        "notes.yaml:1: a migration is called NNNN-what.yaml",
    ]


def test_migrations_in_another_order_do_not_follow(folder):
    one, two = chain(rename(2, "주점", "술집"), rename(3, "식당", "음식점"))
    swapped = [
        Migration(**{**{key: getattr(two, key) for key in Migration.__slots__}, "number": 1}),
        Migration(**{**{key: getattr(one, key) for key in Migration.__slots__}, "number": 2}),
    ]
    store(folder, swapped)
    assert problems(folder) == [
        "0002-rename-2.yaml:8: does not follow 0001: its digest 'before' is not the 'after' of "
        "that one; one of them is missing, changed or out of order"
    ]


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([rename(2, "주점", "술집"), rename(2, "주점", "펍")], "label 2 is 술집, not 주점, by now"),
        ([retire(2, "주점"), rename(2, "주점", "펍")], "label 2 went away in 0001"),
        ([merge(2, "주점", 3, "식당"), merge(4, "다방", 2, "주점")], "label 2 went away in 0001"),
        ([add(7, "극장"), add(7, "영화관")], "the id 7 was given out before; ids are never reused"),
        (
            [rename(2, "주점", "술집"), rename(3, "식당", "주점")],
            "'주점' was the name of label 2 and cannot be that of 3",
        ),
        ([retire(2, "주점"), add(7, "주점")], "'주점' was the name of label 2 and cannot be that"),
    ],
)
def test_what_cannot_have_happened(steps, told):
    found = misfits(chain(*steps))
    assert [one.place for one in found] == [1]
    assert found[0].message.startswith(told)


def test_labels_changed_by_hand_do_not_fit(folder):
    taxonomy = load(folder)
    digest = names_digest(taxonomy)
    last = chain(move(7, "극장", "D.9-x/기타"))[0]
    values = {key: getattr(last, key) for key in Migration.__slots__}
    migrations = [Migration(**{**values, "before": digest, "after": digest})]
    store(folder, migrations)
    migration_files.require_fit(folder, migrations, taxonomy)
    path = folder / "labels/D.2.1-places.yaml"
    path.write_text(path.read_text().replace("en: tea room", "en: café"))
    migration_files.require_fit(folder, migrations, load(folder))  # a translation is no name
    path.write_text(path.read_text().replace("ko: 식당", "ko: 음식점"))
    write(folder, {"unmapped.yaml": "names: []\nhomonyms: []\n"})
    with pytest.raises(MigrationError, match=r"0001-move-7\.yaml:9: the digest under"):
        migration_files.require_fit(folder, migrations, load(folder))
