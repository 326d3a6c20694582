"""A trained head after the labels changed: old rows kept by id, new ones begun.

A label's id is its row for good, so renamed, moved, merged and retired labels need nothing. An
added label begins at chance, one split off with the row of the label it was part of.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from thunder.tagger.folder import Manifest
from thunder.taxonomy import Taxonomy, migration_files
from thunder.taxonomy.migrations import Migration, names_digest, new_rows, since

_SPREAD = 0.02  # as all weights begin


def migrations_since(manifest: Manifest, taxonomy: Taxonomy, place: Path) -> Sequence[Migration]:
    """Return how the labels changed since a tagger was trained; *place* is the taxonomy's folder.

    ValueError where it was trained with labels that are no earlier state of these.
    """
    if manifest.labels == names_digest(taxonomy):
        return ()
    try:
        return since(migration_files.read(place), manifest.labels)
    except LookupError:
        raise ValueError(
            f"the tagger to start from has labels of which the taxonomy in {place} does not "
            "descend: start from the encoder instead"
        ) from None


def parents(migrations: Sequence[Migration], *, scheme: str) -> dict[int, int | None]:
    """Return each new class with the one whose row it begins with, None for chance."""
    rows = new_rows(migrations)
    if scheme == "classes":
        return rows
    both = {}
    for number, parent in rows.items():
        for place in (1, 0):  # B is 2k - 1, I is 2k
            both[2 * number - place] = None if parent is None else 2 * parent - place
    return both


def resized(head: nn.Linear, *, classes: int, new: Mapping[int, int | None]) -> nn.Linear:
    """Return a head of *classes* rows: the old ones as they were, *new* ones begun.

    ValueError where old and new rows are not all of them.
    """
    old = head.out_features
    if old + len(new) != classes or any(not old <= number < classes for number in new):
        raise ValueError(
            f"a head of {old} rows and {len(new)} new labels do not make {classes} classes: "
            "the migrations are not those between the two taxonomies"
        )
    made = nn.Linear(head.in_features, classes)
    with torch.no_grad():
        made.weight[:old], made.bias[:old] = head.weight, head.bias
        nn.init.normal_(made.weight[old:], std=_SPREAD)
        nn.init.zeros_(made.bias[old:])
        for number, parent in sorted(new.items()):
            if parent is not None:
                _copy(made.weight, made.bias, parent, number)
    return made


def _copy(weight: Tensor, bias: Tensor, parent: int, number: int) -> None:
    weight[number], bias[number] = weight[parent], bias[parent]
