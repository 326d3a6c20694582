"""A head after the labels changed: old rows as they were, new ones begun."""

import pytest
import torch
from torch import nn

from thunder.taxonomy import load
from thunder.taxonomy.migrations import Migration, Part, Placed, names_digest
from thunder.training.finetuning.head import migrations_since, parents, resized

from ...tagger.invented import manifest

KNOWN = load()


def _migration(operation, **changes):
    values = {
        "number": 1,
        "date": "2026-11-21",
        "operation": operation,
        "label": Placed(730, "새표지", "D.1.1-names/내국인이름"),
        "version": 2,
        "before": "a" * 64,
        "after": "b" * 64,
    }
    return Migration(**{**values, **changes})


def _split():
    return _migration(
        "split",
        label=Placed(3, "식당", "x"),
        to="식당",
        parts=(Part(Placed(730, "분식집", "x")), Part(Placed(731, "뷔페", "x"))),
    )


@pytest.mark.parametrize(
    ("migrations", "scheme", "expected"),
    [
        ([], "classes", {}),
        ([_migration("rename", to="다른이름")], "classes", {}),
        ([_migration("add")], "classes", {730: None}),
        ([_migration("add")], "bio", {1459: None, 1460: None}),
        ([_split()], "classes", {730: 3, 731: 3}),
        ([_split()], "bio", {1459: 5, 1460: 6, 1461: 5, 1462: 6}),
    ],
)
def test_new_labels_begin_at_chance_or_with_the_label_they_came_from(migrations, scheme, expected):
    assert parents(migrations, scheme=scheme) == expected


def test_old_rows_are_kept_by_id_and_split_ones_copied():
    torch.manual_seed(1)
    old = nn.Linear(7, 730)
    made = resized(old, classes=732, new={730: None, 731: 3})
    assert torch.equal(made.weight[:730], old.weight) and torch.equal(made.bias[:730], old.bias)
    assert torch.equal(made.weight[731], old.weight[3]) and made.bias[731] == old.bias[3]
    assert 0 < made.weight[730].abs().max() < 0.2 and made.bias[730] == 0


@pytest.mark.parametrize("new", [{}, {5: None}, {730: None, 731: None}])
def test_rows_that_do_not_add_up_are_refused(new):
    with pytest.raises(ValueError, match="do not make 731 classes"):
        resized(nn.Linear(7, 730), classes=731, new=new)


def test_a_tagger_of_foreign_labels_is_no_start(tmp_path):
    assert migrations_since(manifest(labels=names_digest(KNOWN)), KNOWN, tmp_path) == ()
    with pytest.raises(ValueError, match="does not descend"):
        migrations_since(manifest(labels="0" * 64), KNOWN, tmp_path)
