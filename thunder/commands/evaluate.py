"""The command ``thunder evaluate``: any system scored against gold documents.

A system is a file of predictions, a tagger, a training run, or a word
(``thunder.training.evaluating.systems``).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands.tables import console, new_table
from thunder.commands.taxonomy_screen import problems_shown

if TYPE_CHECKING:
    from thunder.scoring.curves import Point
    from thunder.scoring.documents import Gold
    from thunder.scoring.evaluation import Evaluation
    from thunder.scoring.tables import Table
    from thunder.training.evaluating.tagger_sources import Way


def evaluate(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Documents to score by: JSONL of id, case_type, text, entities; or a folder made "
            "by 'thunder dataset build'."
        ),
    ],
    systems: Annotated[
        list[str],
        typer.Argument(
            metavar="SYSTEM…",
            help="What to score: JSONL of id and entities (also what 'thunder deid' wrote, or its "
            "--audit), a tagger's folder, a training run's folder (its best checkpoint), or the "
            "word rules, deid or deid:FOLDER (the recognisers alone, with the tagger that ships, "
            "with another). NAME=ONE,TWO,THREE are a system's runs (seeds): mean and spread.",
        ),
    ],
    *,
    part: Annotated[str, typer.Option(help="Part of a dataset: train, dev or test.")] = "test",
    tokenizer: Annotated[
        Path | None, typer.Option(help="Tokenizer that cuts the tokens; the shipped 32k without.")
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Only so many documents, spread over all; 0: all.")
    ] = 0,
    first: Annotated[
        int,
        typer.Option(
            min=0,
            help="Only so many tokens from the beginning of each document, as the paper's 2048; "
            "0: all.",
        ),
    ] = 0,
    fillings: Annotated[
        int,
        typer.Option(min=1, help="Draw a dataset's mentions so often, each time by another seed."),
    ] = 1,
    lists: Annotated[
        Path | None, typer.Option(help="The replacement lists a dataset was made with, if own.")
    ] = None,
    training: Annotated[
        Path | None,
        typer.Option(
            help="Training mentions, to tell seen from unseen: one a line, gold JSONL, or a "
            "dataset's folder (its train part; without, that of the dataset scored by)."
        ),
    ] = None,
    by_rule: Annotated[
        bool,
        typer.Option(
            "--by-rule",
            help="Labels that the court rule keeps readable are neither right nor wrong.",
        ),
    ] = False,
    paper: Annotated[
        bool, typer.Option("--paper", help="Show the paper's own figures (Tables 2, H.1-H.4).")
    ] = False,
    device: Annotated[
        str | None, typer.Option(help="Where taggers run: cpu or cuda; a GPU if there is one.")
    ] = None,
    only_predicted: Annotated[
        bool,
        typer.Option("--only-predicted", help="Score those documents alone that were predicted."),
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the whole report here.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write each table into this folder.")] = None,
    plots: Annotated[Path | None, typer.Option(help="Draw pictures into this folder.")] = None,
    curve: Annotated[
        Path | None,
        typer.Option(help="Draw each tagger's recall and precision over its thresholds (PNG)."),
    ] = None,
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
    """Score systems by tokens (the paper's tables), spans, entities and characters.

    Nothing is scored in part: predictions that lack a document, name another, overlap, have
    unknown labels or were made for another text are listed, and it ends with status 1.
    """
    with problems_shown():
        evaluating, report = _needed()
        way = _way(taxonomy, device)
        wanted = evaluating.named_systems(systems)
        everything = evaluating.fillings(gold, way, part=part, number=fillings, lists=lists)
        if first:
            everything = [evaluating.beginnings(golds, first, tokenizer) for golds in everything]
        _say_what_is_left_out(everything[0])
        known = training or (gold if gold.is_dir() else None)
        filled = [
            evaluating.ask(
                some, wanted, way, say=_say, everything=all_, only_predicted=only_predicted
            )
            for some, all_ in zip(evaluating.few(everything, limit), everything, strict=True)
        ]
        seen = evaluating.seen_in(known, way) if known else None
        found = evaluating.measured(
            filled,
            way,
            by_rule=by_rule,
            tokenizer=tokenizer,
            seen=seen,
            wanted=wanted,
            replacement=evaluating.replacement_of(gold),
        )
        tables = report.tables(found, draws=bootstrap, seed=seed, top=worst, paper=paper)
        if curve:
            chosen = filled[0].golds
            of = evaluating.curve(chosen, wanted, way, by_rule=by_rule, say=_say)
            tables.append(_drawn(of, curve))
        _write(found, tables, markdown=markdown, csv=csv, plots=plots, name=gold.name)
    for table in tables:
        if table.name in report.HEADLINES:
            _show(table)
    if found.left_out:
        typer.echo(f"예측이 없는 문서 {found.left_out:,}건은 빼고 채점했습니다.", err=True)
    if show_contexts:
        _show_contexts(found, worst)


def _needed() -> tuple[ModuleType, ModuleType]:
    """Return the modules that need more than the base install."""
    try:
        from thunder.scoring import report
        from thunder.training.evaluating import evaluating
    except ImportError as error:
        raise ValueError(f"{error}: pip install 'thunder-deid[evaluate]'") from None
    return evaluating, report


def _way(taxonomy: Path | None, device: str | None) -> "Way":
    from thunder import taxonomy as taxonomies
    from thunder.training.evaluating.tagger_sources import Way

    return Way(taxonomies.load(taxonomy), folder=taxonomy, device=device)


def _say_what_is_left_out(golds: "Sequence[Gold]") -> None:
    from thunder.text.spans import IGNORED

    spans = [span for gold in golds for span in gold.spans]
    if left := sum(span.label == IGNORED for span in spans):
        _say(f"정답 {len(spans):,}곳 가운데 라벨이 없는 {left:,}곳은 채점하지 않습니다.")


def _say(line: str) -> None:
    typer.echo(line, err=True)


def _write(
    found: "Evaluation",
    tables: "Sequence[Table]",
    *,
    markdown: Path | None,
    csv: Path | None,
    plots: Path | None,
    name: str,
) -> None:
    from thunder.scoring import tables as writing
    from thunder.scoring.plots import plot
    from thunder.settings.drawing import PlotError

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


def _drawn(found: "Mapping[str, Sequence[Point]]", path: Path) -> "Table":
    """Draw a curve, and return its table."""
    from thunder.scoring import curves
    from thunder.settings.drawing import PlotError

    try:
        curves.plot(found, path)
    except PlotError as error:
        raise ValueError(str(error)) from None
    return curves.table(found)


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

    kinds = {"leaks": "읽을 수 있게 남은 표현(가린 글자는 ■)", "over-masked": "잘못 가린 표현"}
    everything = worst.contexts(found, top=top)
    for (system, kind, label, number), places in groupby(everything, key=lambda one: one[:4]):
        typer.echo(f"\n{system}: {kinds[kind]}, {label} {number:,}곳")
        for place in places:
            typer.echo(_printable(f"  {place.document}  {place.words}"))


def _printable(line: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in line)
