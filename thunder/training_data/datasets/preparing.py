"""The first stage of a build: annotated files read, checked, stored by number, and split."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from thunder.text.spans import IGNORED
from thunder.training_data.datasets import messages as say
from thunder.training_data.datasets import shards, splits, workplace
from thunder.training_data.datasets.annotated import LeftOut, Terms, read
from thunder.training_data.datasets.filling import LONGEST, Marked
from thunder.training_data.datasets.judgments import Judgments, Writer
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.datasets.shards import DatasetError, Shard
from thunder.training_data.datasets.splits import PartName
from thunder.training_data.lists import ReplacementLists
from thunder.training_data.lists.reading import ListsError
from thunder.training_data.near_duplicates import bands_for, groups

NO_LIST = "a label without a list"


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen beside the recipe.

    So many *epochs* of per-epoch replacement are stored (the later ones are drawn in training);
    *replicas* multiply the training judgments. *near_duplicates* is the Jaccard index from which
    judgments stay together, 0 for none. *earlier* is the ``splits.tsv`` of a dataset whose
    documents keep their part.
    """

    epochs: int = 1
    replicas: int = 1
    keep_text: bool = True
    near_duplicates: float = 0.8
    longest: int = LONGEST
    names: str = "release"
    earlier: Path | None = None

    def __post_init__(self) -> None:
        for name in ("epochs", "replicas"):
            if getattr(self, name) < 1:
                raise ValueError(say.ONE_OR_MORE(name=name, given=getattr(self, name)))
        if self.near_duplicates:
            bands_for(self.near_duplicates)  # which thresholds are possible, it knows


Notice = Callable[[str, int, int], None]
"""``notice(stage, done, total)``: what a build is at; total 0 where it is not known."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The judgments written, their parts (``splits.tsv``), and what was left out of them."""

    shards: tuple[Shard, ...]
    left_out: tuple[LeftOut, ...]
    groups: Mapping[str, int]


def prepare(
    files: Sequence[Path], folder: Path, made_with: Recipe, options: Options, notice: Notice
) -> Prepared:
    """Return what *folder* holds once all *files* are read, checked and split into parts.

    Memory does not grow with the texts. DatasetError where no document can be used.
    """
    terms = Terms(made_with.opened_taxonomy, options.longest, options.names)
    left_out: list[LeftOut] = []
    writer = Writer(folder, terms.taxonomy)
    without = _WithoutList(made_with.opened_lists)
    for number, found in enumerate(read(files, terms)):
        if isinstance(found, Marked) and (label := without.first(found)):
            found = LeftOut(found.id, "", 0, NO_LIST, label)
        if isinstance(found, LeftOut):
            left_out.append(found)
        else:
            writer.add(found)
        if not number % 100:
            notice("reading", number, 0)
    stored = writer.close()
    judgments = Judgments(folder, [one.name for one in stored], terms.taxonomy)
    if not len(judgments):
        raise DatasetError(_nothing(files, left_out))
    notice("near-duplicates", 0, len(judgments))
    group_of = _groups(judgments, options.near_duplicates)
    left_out += _write_splits(folder, judgments, group_of, options.earlier)
    sizes = Counter(group_of.values())
    summary = {"groups": len(sizes), "in_groups": sum(n for n in sizes.values() if n > 1)}
    prepared = Prepared(tuple(stored), tuple(left_out), summary)
    _write_prepared(folder, prepared)
    return prepared


def _groups(judgments: Judgments, threshold: float) -> Mapping[str, str]:
    """Return the group of each judgment's near-duplicates; at threshold 0 each is alone."""
    ids = [head.id for head in judgments.heads()]
    if not threshold:
        return {id_: id_ for id_ in ids}
    return groups(ids, lambda row: judgments[row].text, threshold=threshold)


class _WithoutList:
    """Which labels have no list or rule that can be read; each is looked at once."""

    def __init__(self, lists: ReplacementLists) -> None:
        self._lists = lists
        self._missing: dict[str, bool] = {IGNORED: False}

    def first(self, judgment: Marked) -> str:
        """Return the first label of a judgment that has no list, "" where all have one."""
        labels = (span.label for span in judgment.spans)
        return next((label for label in labels if self._is_missing(label)), "")

    def _is_missing(self, label: str) -> bool:
        if label not in self._missing:
            try:
                self._lists.source(label)
                self._missing[label] = False
            except ListsError:
                self._missing[label] = True
        return self._missing[label]


def _write_splits(
    folder: Path, judgments: Judgments, groups: Mapping[str, str], earlier: Path | None
) -> list[LeftOut]:
    """Write ``splits.tsv``; return the documents that belong to no part."""
    known = {row.id: row.part for row in splits.read(earlier)} if earlier else {}
    parts = splits.assign(groups, earlier=known)
    rows: list[splits.Row] = []
    bridges: list[LeftOut] = []
    for head in judgments.heads():
        part = parts[head.id]
        if part is None:
            bridges.append(LeftOut(head.id, "", 0, splits.BRIDGE))
        else:
            rows.append(splits.Row(head.id, head.case_type, part, groups[head.id]))
    shards.replace_synced(folder / workplace.SPLITS, splits.write(rows))
    return bridges


def _write_prepared(folder: Path, prepared: Prepared) -> None:
    found = {
        "shards": [shard.as_json() for shard in prepared.shards],
        "left_out": [one._asdict() for one in prepared.left_out],
        "groups": dict(prepared.groups),
        "splits": shards.file_digest(folder / workplace.SPLITS),
    }
    text = json.dumps(found, ensure_ascii=False, sort_keys=True)
    shards.replace_synced(folder / workplace.PREPARED, text.encode())


def found_prepared(folder: Path) -> Prepared | None:
    """Return what an interrupted build had prepared, None unless all of it is there and whole."""
    try:
        found = json.loads((folder / workplace.PREPARED).read_bytes())
        if found["splits"] != shards.file_digest(folder / workplace.SPLITS):
            return None
        stored = tuple(map(Shard.from_json, found["shards"]))
        for shard in stored:
            shards.check(shard, folder / shard.name, full=True)
        left_out = tuple(LeftOut(**one) for one in found["left_out"])
        return Prepared(stored, left_out, found["groups"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _nothing(files: Sequence[Path], left_out: Sequence[LeftOut]) -> str:
    names = ", ".join(path.name for path in files)
    if not left_out:
        return say.NO_DOCUMENT(names=names)
    shown = (one._replace(reason=say.reason(one.reason)) for one in left_out[:3])
    first = "; ".join(map(str, shown))
    return say.NONE_USABLE(names=names, number=len(left_out), first=first)


def parts_of(folder: Path, ids: Sequence[str]) -> list[PartName | None]:
    """Return the part of each document by ``splits.tsv``, None for those in no part."""
    known = {row.id: row.part for row in splits.read(folder / workplace.SPLITS)}
    return [known.get(id_) for id_ in ids]
