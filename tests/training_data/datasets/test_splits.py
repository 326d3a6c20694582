"""The parts of a dataset: by hash, near-duplicates together, nobody ever moved."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.training_data.datasets import splits
from thunder.training_data.datasets.splits import PARTS, SHARES, Row

IDS = st.text(min_size=1, max_size=8)
GROUPS = st.dictionaries(IDS, st.integers(0, 5), max_size=30)


def named(numbers):
    """Return each document's group by its smallest id, as near_duplicates names it."""
    smallest = {n: min(id_ for id_, at in numbers.items() if at == n) for n in numbers.values()}
    return {id_: smallest[n] for id_, n in numbers.items()}


@given(GROUPS)
def test_near_duplicates_are_in_one_part(numbers):
    groups = named(numbers)
    parts = splits.assign(groups)
    for group in groups.values():
        assert len({parts[id_] for id_ in groups if groups[id_] == group}) == 1


@given(st.sets(IDS), st.sets(IDS))
def test_documents_added_move_no_other(old, new):
    before = splits.assign({id_: id_ for id_ in old})
    after = splits.assign({id_: id_ for id_ in old | new})
    assert {id_: after[id_] for id_ in old} == before


@given(GROUPS, GROUPS)
def test_with_earlier_parts_no_group_moves_whatever_joins_it(old, new):
    before = splits.assign(named(old))
    after = splits.assign(named(new | old), earlier=before)
    assert {id_: after[id_] for id_ in old} == before


@given(GROUPS, GROUPS)
def test_a_newcomer_is_never_apart_from_its_near_duplicates(old, new):
    before = splits.assign(named(old))
    groups = named({**new, **old})
    after = splits.assign(groups, earlier=before)
    for id_ in set(groups) - set(old):
        others = {after[other] for other in old if groups[other] == groups[id_]}
        assert after[id_] is None if len(others) > 1 else others <= {after[id_]}


def test_a_newcomer_near_two_parts_belongs_to_none():
    earlier = {"old-1": "train", "old-2": "test"}
    groups = dict.fromkeys(("old-1", "old-2", "new"), "new")
    assert splits.assign(groups, earlier=earlier) == {**earlier, "new": None}


@pytest.mark.parametrize("case_type", ["fraud", "민사"])
def test_each_case_type_has_eighty_ten_ten_within_chance(case_type):
    counts = Counter(splits.part_of(f"{case_type}/{n}") for n in range(20_000))
    for part in PARTS:
        assert abs(counts[part] / 20_000 - SHARES[part]) < 0.0085  # three standard deviations


def test_the_part_of_a_document_stays_for_good():
    """Another method would move documents from the test part of old datasets into training."""
    found = {n: splits.part_of(f"doc-{n}") for n in range(12)}
    assert {n: part for n, part in found.items() if part != "train"} == {1: "dev", 9: "test"}


@given(st.lists(st.builds(Row, IDS, IDS, st.sampled_from(PARTS), IDS)))
def test_what_is_written_is_read_again(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("splits") / "splits.tsv"
    path.write_bytes(splits.write(rows))
    assert splits.read(path) == rows


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no splits.tsv"),
        ("id\tpart\n", "no splits.tsv"),
        ("id\tcase_type\tpart\tgroup\na\tb\ttrain\ta", "cut short"),
        ("id\tcase_type\tpart\tgroup\na\tb\ttrain\n", ":2: expected"),
        ("id\tcase_type\tpart\tgroup\na\tb\tvalid\ta\n", ":2: expected"),
    ],
)
def test_a_damaged_file_is_refused_by_line(content, said, tmp_path):
    path = tmp_path / "splits.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        splits.read(path)
