"""The two papers' experiments with made texts: trainings x tests x seeds, real tests only.

- ``domains`` (SPY, Table 3): trained on one domain, tested on each; the rules, ``thunder deid``,
  Presidio and a language model asked directly are rows beside.
- ``curve`` (Ekuni et al., Figure 2): by the number of made texts, against as many real ones.
- ``pools`` (their Table 3): real texts and what pools of 0, 1, 5, 10, 100 seeds grew to.
- ``rare``: the F1 of rare labels, trained on real texts without and with made ones.

Each training is run with each of some models (a transformer, the BiLSTM) and each seed. What a
training is made of lies in its ``trainings/NAME.jsonl``; nothing of it is near to a test text.
All systems are scored on the same filled test texts.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from thunder import taxonomy as taxonomies
from thunder.scoring import tokens
from thunder.scoring.characters import Counts
from thunder.scoring.documents import Gold
from thunder.scoring.evaluation import Evaluation, Run
from thunder.scoring.figures import spread
from thunder.scoring.paper_tables import scores_of
from thunder.scoring.stored import gold_of_part
from thunder.scoring.tables import Cell, Table, markdown, save_csv
from thunder.settings.config import load, require
from thunder.settings.drawing import PlotError, opened
from thunder.taxonomy import Taxonomy
from thunder.training.evaluating import evaluating
from thunder.training.evaluating.tagger_sources import Way
from thunder.training.finetuning import experiment as grid
from thunder.training.finetuning.settings import Finetuning
from thunder.training.synthesis import running
from thunder.training.synthesis.settings import Run as Synthesis
from thunder.training_data.annotation import Annotated, read_jsonl, serialise
from thunder.training_data.datasets import building, splits
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.near_duplicates import groups

Name = Literal["domains", "curve", "pools", "rare"]
NAMES: tuple[Name, ...] = get_args(Name)
ALL = grid.ALL
NAME_LABEL = "내국인이름"
_NEAR = 0.8
_DEV = 10  # a text in so many is for development
_TEST = "test"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiments:
    """What there is to train on and to test on; files are annotated texts (JSONL) by domain.

    - ``tests``: real texts that nobody trains on; ``real`` and ``made``: texts to train on.
    - ``splits``: the ``splits.tsv`` of a dataset: of ``real`` only its training part is trained on,
      of ``tests`` only its test part is tested on. Without it all of either is.
    - ``models``: configurations in ``configs``; ``changes`` by model, or ``all``, go over them.
    - ``sizes``: of the curve; ``labels``: the rare ones.
    - ``pool``: a run file with a [pool], run once for each size of ``pools``.
    - ``server`` and ``model``: a language model that is asked directly; ``presidio``: a Python that
      has it.
    """

    work: Path
    tests: Mapping[str, Path]
    real: Mapping[str, Path] = field(default_factory=dict)
    made: Mapping[str, Path] = field(default_factory=dict)
    splits: Path | None = None
    models: tuple[str, ...] = ("mini", "bilstm")
    seeds: tuple[int, ...] = (1200, 1203, 1205)
    sizes: tuple[int, ...] = (20, 100, 500, 2000)
    labels: tuple[str, ...] = ()
    pool: Path | None = None
    pools: tuple[int, ...] = (0, 1, 5, 10, 100)
    server: str = ""
    model: str = ""
    presidio: Path | None = None
    configs: Path = Path("finetune/configs")
    tokenizer: Path = Path("tokenizer/32k")
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("tests", "models", "seeds"):
            require(bool(getattr(self, name)), f"'{name}' is empty")
        require(bool(self.real or self.made), "give [real] or [made] texts to train on")
        require(not self.server or bool(self.model), "'model' names the one to ask at 'server'")
        unknown = sorted(set(self.changes) - {ALL, *self.models})
        require(not unknown, f"[changes] for {', '.join(unknown)}, which is no model of it")


class Training(NamedTuple):
    """What one training is called and made of: files by domain, and so many texts (0: all)."""

    name: str
    files: tuple[tuple[str, Path], ...]
    limit: int = 0

    def is_real(self, at: int, wanted: "Experiments") -> bool:
        """Return whether the file of that number holds real texts."""
        domain, path = self.files[at]
        return wanted.real.get(domain) == path


class Trained(NamedTuple):
    """One run: the model, what it is trained on, its seed, and where it lies."""

    model: str
    training: str
    seed: int
    run: Path

    @property
    def system(self) -> str:
        """What its row is called."""
        return f"{self.model}: {self.training}"


def trainings(name: Name, wanted: Experiments) -> list[Training]:
    """Return the trainings of an experiment in their order; ValueError for what it lacks."""
    real, made = tuple(wanted.real.items()), tuple(wanted.made.items())
    if name == "domains":
        return [
            Training(f"{kind} {domain}", ((domain, path),))
            for kind, of in (("real", real), ("made", made))
            for domain, path in of
        ]
    if not real:
        raise ValueError(f"{name}: give [real] texts to train on")
    if name == "pools":
        if wanted.pool is None:
            raise ValueError("pools: 'pool' names a run file with a [pool]")
        found = [Training("real", real)]
        for size in wanted.pools:
            grown = pool_run(wanted, size).output / "texts.jsonl"
            found.append(Training(f"real and a pool of {size}", (*real, ("pool", grown))))
        return found
    if not made:
        raise ValueError(f"{name}: give [made] texts to train on")
    if name == "rare":
        if not wanted.labels:
            raise ValueError("rare: 'labels' names the rare ones")
        return [Training("without", real), Training("with", (*real, *made))]
    return [
        Training(f"{size} {kind}", of, size)
        for size in wanted.sizes
        for kind, of in (("real", real), ("made", made))
    ]


def pool_run(wanted: Experiments, size: int) -> Synthesis:
    """Return the run that grows a pool of *size* seeds; ConfigError names what does not fit."""
    assert wanted.pool is not None
    run = load(wanted.pool, Synthesis)
    if run.pool is None:
        raise ValueError(f"{wanted.pool}: has no [pool]")
    output = wanted.work / "pools" / str(size)
    return replace(run, output=output, pool=replace(run.pool, size=size))


def grow(wanted: Experiments, say: Say) -> None:
    """Let each pool grow; what was answered before is not asked again."""
    for size in wanted.pools:
        report = running.run(pool_run(wanted, size))
        say(f"a pool of {size}: {report.texts.total()} sentences")


# --- what is trained on ---------------------------------------------------------------------------


class _Text(NamedTuple):
    id: str
    domain: str
    text: Annotated


def prepare(name: Name, wanted: Experiments, say: Say) -> None:
    """Build the dataset of each training; what is there is left. ValueError for one of no text."""
    recipe = Recipe.named(
        wanted.tokenizer, way="text-first", scheme="classes", replacement="per-epoch"
    )
    parts = {row.id: row.part for row in splits.read(wanted.splits)} if wanted.splits else None
    tests = [one for of in wanted.tests.items() for one in _read(of, _TEST, parts)]
    for training in trainings(name, wanted):
        folder = dataset(wanted, training.name)
        if (folder / "manifest.json").is_file():
            continue
        texts = [
            one
            for at, of in enumerate(training.files)
            for one in _read(of, str(at), parts if training.is_real(at, wanted) else None)
        ]
        apart = _apart(texts, tests)
        kept = sorted(apart, key=lambda one: _key(one.id))[: training.limit or None]
        if len(kept) < 2:
            raise ValueError(f"{name}: there are {len(kept)} texts for '{training.name}'")
        file = wanted.work / "trainings" / f"{_plain(training.name)}.jsonl"
        own = _written([*kept, *tests], file, {one.id for one in kept[::_DEV]})
        options = Options(near_duplicates=0, names="taxonomy", earlier=own)
        building.build([file], folder, recipe, options, overwrite=True)
        near = len(texts) - len(apart)
        say(f"{training.name}: {len(kept)} texts, {near} left out that are near to a test")


def dataset(wanted: Experiments, training: str) -> Path:
    """Return the folder of a training's dataset."""
    return wanted.work / "datasets" / _plain(training)


def _read(
    of: tuple[str, Path], place: str, parts: Mapping[str, splits.PartName] | None
) -> Iterator[_Text]:
    """Yield the texts of a file, of its training or its test part where *parts* are given."""
    domain, path = of
    try:
        found = list(read_jsonl(path))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    part: splits.PartName = "test" if place == _TEST else "train"
    for name, one in found:
        if parts is not None and name not in parts:
            raise ValueError(f"{path}: {name} is in no part of 'splits'")
        if isinstance(one, Annotated) and (parts is None or parts[name] == part):
            yield _Text(f"{place}/{domain}/{name}", domain, one)


def _apart(texts: Sequence[_Text], tests: Sequence[_Text]) -> list[_Text]:
    """Return the texts that are no near duplicates of a test."""
    everything = [*texts, *tests]
    group = groups([one.id for one in everything], lambda at: everything[at].text.text,
                   threshold=_NEAR)  # fmt: skip
    held = {group[one.id] for one in tests}
    return [one for one in texts if group[one.id] not in held]


def _written(texts: Sequence[_Text], path: Path, dev: set[str]) -> Path:
    """Write texts and their parts; return the file of the parts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = ({"id": one.id, "case_type": one.domain, "text": serialise(one.text)} for one in texts)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    parts: list[splits.Row] = []
    for one in texts:
        is_test = one.id.startswith(f"{_TEST}/")
        part: splits.PartName = "test" if is_test else "dev" if one.id in dev else "train"
        parts.append(splits.Row(one.id, one.domain, part, one.id))
    place = path.with_suffix(".splits.tsv")
    place.write_bytes(splits.write(parts))
    return place


def _key(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=8, person=b"experiment").digest()


def _plain(name: str) -> str:
    """Return a name as a folder's: no spaces, no separators."""
    return "-".join(name.replace("/", " ").split())


# --- what is trained ------------------------------------------------------------------------------


def cells(name: Name, wanted: Experiments) -> list[Trained]:
    """Return the runs of an experiment in their order."""
    return [
        Trained(model, one.name, seed, wanted.work / "runs" / f"{model}-{_plain(one.name)}-{seed}")
        for model in wanted.models
        for one in trainings(name, wanted)
        for seed in wanted.seeds
    ]


def settings(wanted: Experiments, cell: Trained) -> Finetuning:
    """Return the settings of a run; ConfigError names what does not fit."""
    own = [*wanted.changes.get(ALL, ()), *wanted.changes.get(cell.model, ())]
    where = [
        f"data.folder={dataset(wanted, cell.training)}", f"data.tokenizer={wanted.tokenizer}",
        f"checkpoints.folder={cell.run}", f"seed={cell.seed}",
    ]  # fmt: skip
    return load(wanted.configs / f"{cell.model}.toml", Finetuning, changes=[*where, *own])


# --- what comes out -------------------------------------------------------------------------------


def golds(name: Name, wanted: Experiments) -> list[Gold]:
    """Return the filled test texts that all systems are scored on."""
    first = trainings(name, wanted)[0]
    return gold_of_part(dataset(wanted, first.name), "test")


def score(
    name: Name, wanted: Experiments, found: Sequence[Gold], beside: Mapping[str, Path], say: Say
) -> Path:
    """Return the page of an experiment's tables, now in ``tables/NAME`` with them as CSV.

    *beside*: files of predictions of other systems. ValueError where no run is done.
    """
    done = [cell for cell in cells(name, wanted) if grid.state_of(cell.run) == "done"]
    if not done:
        raise ValueError(f"{wanted.work}: no run of '{name}' is done yet")
    sources: dict[str, list[str]] = {}
    for cell in done:
        sources.setdefault(cell.system, []).append(f"{cell.run}@argmax")
    if name == "domains":
        sources |= {"rules": ["rules"], "deid": ["deid"]}
        sources |= {system: [str(path)] for system, path in beside.items()}
    way = Way(taxonomies.load())
    filling = evaluating.ask(found, sources, way, say=say)
    evaluation = evaluating.measured([filling], way, by_rule=False)
    tables = _tables(name, wanted, evaluation)
    folder = wanted.work / "tables" / name
    save_csv(folder, tables)
    pictures = _curve(wanted, evaluation, folder, say) if name == "curve" else []
    page = folder / f"{name}.md"
    page.write_text(markdown(tables, title=f"Experiment: {name}", pictures=pictures), "utf-8")
    return page


def _names(taxonomy: Taxonomy) -> Callable[[int], str]:
    """Return the question whether a label (by its id) is a person's name, as its subcategory."""
    return lambda number: taxonomy.by_id(number).code


def _of(run: Run, test: str) -> Run:
    return run.of(lambda gold: not test or gold.case_type == test)


def _name_counts(run: Run, taxonomy: Taxonomy) -> Counts:
    code = taxonomy.label(NAME_LABEL).code
    return tokens.by_group(run.confusion, _names(taxonomy)).get(code, Counts())


def _whole(run: Run, taxonomy: Taxonomy) -> float | None:
    """Return the share of persons' names that are masked whole."""
    code = taxonomy.label(NAME_LABEL).code
    held = [one.whole for one in run.mentions if taxonomy.label(one.span.label).code == code]
    return sum(held) / len(held) if held else None


_MEASURES: Mapping[str, tuple[str, str]] = {
    "names": ("F1 of persons' names", "By tokens, as SPY's Table 3."),
    "whole": ("Persons' names masked whole", "Under whatever label."),
    "binary": ("F1 of masked or not", "By tokens, whatever the label."),
    "micro": ("Micro F1 of the labels", "By tokens (Thunder-DeID paper, Appendix F)."),
}


def _value(measure: str, run: Run, taxonomy: Taxonomy) -> float | None:
    if measure == "whole":
        return _whole(run, taxonomy)
    if measure == "names":
        counts = _name_counts(run, taxonomy)
    elif measure == "binary":
        counts = tokens.binary(run.confusion)
    else:
        counts = tokens.micro(run.confusion, tokens.same)
    return counts.f1 if counts.hits + counts.missed else None


def _cell(values: Sequence[float | None]) -> Cell:
    known = [one for one in values if one is not None]
    return spread(known) if known else None


def _tables(name: Name, wanted: Experiments, found: Evaluation) -> list[Table]:
    tests = (*wanted.tests, "") if len(wanted.tests) > 1 else tuple(wanted.tests)
    columns = ("system", "runs", *(test or "all" for test in tests))
    tables = [_rare(wanted, found)] if name == "rare" else []
    for measure, (title, note) in _MEASURES.items():
        rows: list[tuple[Cell, ...]] = []
        for system, runs in found.systems.items():
            of = [[_value(measure, _of(run, test), found.taxonomy) for run in runs]
                  for test in tests]  # fmt: skip
            rows.append((system, len(runs), *map(_cell, of)))
        said = f"{note} Columns are the tests, of real texts; mean and deviation over the seeds."
        tables.append(Table(measure, title, said, columns, tuple(rows)))
    counts = _precision(found)
    return [*tables, counts]


def _precision(found: Evaluation) -> Table:
    rows = tuple(
        (system, *scores_of(_name_counts(run, found.taxonomy) for run in runs))
        for system, runs in found.systems.items()
    )
    note = "Precision, recall and F1 of persons' names by tokens, over all tests."
    return Table("precision", "Persons' names", note, ("system", "P", "R", "F1"), rows)


def _rare(wanted: Experiments, found: Evaluation) -> Table:
    """Return the F1 of each rare label by system, and how many mentions the tests have."""
    rows: list[tuple[Cell, ...]] = []
    for name in wanted.labels:
        label = found.taxonomy.label(name)
        number = sum(span.label == label.ko for gold in found.golds for span in gold.spans)
        row: list[Cell] = [label.ko, number]
        for runs in found.systems.values():
            of = [
                tokens.by_group(run.confusion, tokens.same).get(label.id, Counts()) for run in runs
            ]
            row.append(_cell([one.f1 if number else None for one in of]))
        rows.append(tuple(row))
    note = "By tokens, over all tests; mean and deviation over the seeds. – : the tests have none."
    return Table(
        "rare", "F1 of rare labels", note, ("label", "mentions", *found.systems), tuple(rows)
    )


def _curve(wanted: Experiments, found: Evaluation, folder: Path, say: Say) -> list[str]:
    """Return the name of the picture of the learning curve; [] where it cannot be drawn."""
    try:
        pyplot, font = opened()
    except PlotError as error:
        say(str(error))
        return []
    with pyplot.rc_context({"font.family": font or "sans-serif", "axes.unicode_minus": False}):
        figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
        for model in wanted.models:
            for kind, style in (("real", "-"), ("made", "--")):
                points = []
                for size in wanted.sizes:
                    runs = found.systems.get(f"{model}: {size} {kind}", ())
                    values = [_value("names", run, found.taxonomy) for run in runs]
                    known = [one for one in values if one is not None]
                    points += [(size, sum(known) / len(known))] if known else []
                axes.plot(*zip(*points, strict=True), style, marker="o", label=f"{model}, {kind}")
        axes.set_xscale("log")
        axes.set_xlabel("texts trained on")
        axes.set_ylabel("F1 of persons' names")
        axes.set_ylim(0, 1)
        axes.legend()
        figure.savefig(folder / "curve.svg")
        pyplot.close(figure)
    return ["curve.svg"]
