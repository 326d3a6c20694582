"""The command ``thunder evaluate``: any system's predictions scored against gold documents."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.taxonomy_screen import console, new_table, problems_shown

if TYPE_CHECKING:
    from thunder.scoring.documents import Gold, Prediction
    from thunder.scoring.evaluation import Evaluation
    from thunder.scoring.tables import Table
    from thunder.taxonomy import Taxonomy


def evaluate(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Documents to score by: JSONL of id, case_type, text, entities; or a folder made "
            "by 'thunder dataset build'."
        ),
    ],
    predictions: Annotated[
        list[Path],
        typer.Argument(
            metavar="PREDICTIONS…",
            help="JSONL of id and entities, what 'thunder deid' wrote, or its --audit. NAME=FILE "
            "names a system; files of one name are its runs (seeds).",
        ),
    ],
    *,
    part: Annotated[str, typer.Option(help="Part of a dataset: train, dev or test.")] = "test",
    tokenizer: Annotated[
        Path | None, typer.Option(help="Tokenizer that cuts the tokens; the shipped 32k without.")
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")] = None,
    training: Annotated[
        Path | None,
        typer.Option(
            help="Training mentions, to tell seen from unseen: one a line, gold JSONL, or a "
            "dataset's folder (its train part)."
        ),
    ] = None,
    by_rule: Annotated[
        bool,
        typer.Option(
            "--by-rule",
            help="Labels that the court rule keeps readable are neither right nor wrong.",
        ),
    ] = False,
    only_predicted: Annotated[
        bool,
        typer.Option("--only-predicted", help="Score those documents alone that were predicted."),
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the whole report here.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write each table into this folder.")] = None,
    plots: Annotated[Path | None, typer.Option(help="Draw pictures into this folder.")] = None,
    worst: Annotated[int, typer.Option(min=1, help="So many labels that leak most.")] = 20,
    show_contexts: Annotated[
        bool,
        typer.Option(
            "--show-contexts",
            help="Show where they leak: this prints words of the judgments, for you alone.",
        ),
    ] = False,
    bootstrap: Annotated[
        int, typer.Option(min=0, help="Draws for the 95 % intervals; 0: none.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of these draws.")] = 1,
) -> None:
    """Score predictions by tokens (the paper's tables), spans, entities and characters.

    Nothing is scored in part: predictions that lack a document, name another, overlap, have
    unknown labels or were made for another text are listed, and it ends with status 1.
    """
    from thunder import taxonomy as taxonomies
    from thunder.scoring import report

    with problems_shown():
        known = taxonomies.load(taxonomy)
        golds = _golds(gold, part, taxonomy, known)
        if by_rule:
            golds = [one.with_kept_ignored(known) for one in golds]
        systems = _systems(predictions, golds, known, only_predicted=only_predicted)
        found = _evaluated(golds, systems, tokenizer, known, _seen(training, taxonomy, known))
        tables = report.tables(found, draws=bootstrap, seed=seed, top=worst)
        _write(found, tables, markdown=markdown, csv=csv, plots=plots, name=gold.name)
    for table in tables:
        if table.name in report.HEADLINES:
            _show(table)
    if found.left_out:
        typer.echo(f"예측이 없는 문서 {found.left_out:,}건은 빼고 채점했습니다.", err=True)
    if show_contexts:
        _show_contexts(found, worst)


def _golds(gold: Path, part: str, taxonomy: Path | None, known: "Taxonomy") -> "list[Gold]":
    from thunder.scoring.reading import read_gold

    if not gold.is_dir():
        return read_gold(gold, known)
    from thunder.scoring.stored import gold_of_part

    return gold_of_part(gold, part, taxonomy=taxonomy)


def _systems(
    predictions: Sequence[Path], golds: "Sequence[Gold]", known: "Taxonomy", *, only_predicted: bool
) -> "dict[str, dict[str, dict[str, Prediction]]]":
    """Return the predictions by system and file."""
    from thunder.scoring.reading import read_predictions

    systems: dict[str, dict[str, dict[str, Prediction]]] = {}
    for given in predictions:
        name, path = _named(given)
        runs = systems.setdefault(name, {})
        if str(path) in runs:
            raise ValueError(f"{path}: given twice as a run of '{name}'")
        if path.is_dir():
            raise ValueError(f"{path}: a folder; give the predictions themselves (JSONL)")
        runs[str(path)] = read_predictions(path, golds, known, only_predicted=only_predicted)
    return systems


def _named(given: Path) -> tuple[str, Path]:
    """Return the system and the file of an argument such as ``ours=run-1200.jsonl``."""
    name, equals, path = str(given).partition("=")
    if equals and not given.exists():
        return name, Path(path)
    return given.name.split(".")[0], given


def _seen(training: Path | None, taxonomy: Path | None, known: "Taxonomy") -> frozenset[str] | None:
    from thunder.scoring.reading import mentions_of, read_mentions

    if training is None:
        return None
    if training.is_dir():
        return mentions_of(_golds(training, "train", taxonomy, known))
    return read_mentions(training, known)


def _evaluated(
    golds: "Sequence[Gold]",
    systems: "dict[str, dict[str, dict[str, Prediction]]]",
    tokenizer: Path | None,
    known: "Taxonomy",
    seen: frozenset[str] | None,
) -> "Evaluation":
    from thunder import resources

    try:
        from thunder import tokenization
        from thunder.scoring.evaluation import evaluate as measure

        cutter = tokenization.load(tokenizer or resources.folder("tokenizer") / "32k")
        found = measure(golds, systems, tokenizer=cutter, taxonomy=known, seen=seen)
    except ImportError as error:
        raise ValueError(f"{error}: pip install 'thunder-deid[evaluate]'") from None
    if not found.golds:
        raise ValueError("no document was predicted by every run: nothing to score")
    return found


def _write(
    found: "Evaluation",
    tables: "Sequence[Table]",
    *,
    markdown: Path | None,
    csv: Path | None,
    plots: Path | None,
    name: str,
) -> None:
    from thunder.lists_plot import PlotError
    from thunder.scoring import tables as writing
    from thunder.scoring.plots import plot

    if plots:
        try:
            plot(found, plots)
        except PlotError as error:
            raise ValueError(str(error)) from None
    if csv:
        writing.save_csv(csv, tables)
    if markdown:
        left = f" ({found.left_out:,} documents left out)" if found.left_out else ""
        text = writing.markdown(tables, title=f"Evaluation on {name}{left}")
        markdown.write_text(text, encoding="utf-8")


def _show(table: "Table") -> None:
    """Show a table on the screen, as Markdown where it goes elsewhere."""
    from thunder.scoring import tables

    screen = console()
    if not screen.is_terminal:
        typer.echo(tables.section(table) + "\n")
        return
    first, *others = table.columns
    made = new_table(first, *others)
    for row in table.rows:
        made.add_row(*map(tables.shown, row))
    typer.echo(table.title)
    screen.print(made)


def _show_contexts(found: "Evaluation", top: int) -> None:
    from thunder.scoring import worst

    for context in _printable(worst.contexts(found, top=top)):
        typer.echo(context)


def _printable(contexts: "Iterable[tuple[str, ...]]") -> Iterable[str]:
    for context in contexts:
        line = "  ".join(context)
        yield "".join(char if char.isprintable() else "?" for char in line)
