"""The commands ``thunder annotation agree | adjudicate | guideline``."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from thunder.commands import lists_messages as say
from thunder.commands.tables import console, new_table, right
from thunder.commands.taxonomy_screen import Folder, problems_shown, taxonomy_of

First = Annotated[Path, typer.Argument(help="What one annotator made: annotated JSONL.")]
Second = Annotated[Path, typer.Argument(help="What the other made of the same documents.")]


def agree(
    first: First,
    second: Second,
    *,
    differences: Annotated[
        Path | None,
        typer.Option(help="Write what differs here, as TSV, with words of the text around it."),
    ] = None,
    top: Annotated[int, typer.Option(min=0, help="So many pairs of labels on the screen.")] = 10,
    folder: Folder = None,
) -> None:
    """Measure how far two annotators agree, by place and label, and list what differs."""
    from thunder.training_data import agreement

    taxonomy = taxonomy_of(folder)
    with problems_shown():
        texts = agreement.read(first, taxonomy)
        found = agreement.compare(texts, agreement.read(second, taxonomy))
        if differences:
            text = agreement.table(found.differences, texts)
            differences.write_text(text, encoding="utf-8")
    table = new_table("", *right(say.VALUE()))
    rows = {
        say.DOCUMENTS(): f"{found.documents:,}",
        say.MARKS(): f"{found.spans[0]:,}, {found.spans[1]:,}",
        say.SPAN_F1(): _shown(found.span_f1),
        say.PLACE_F1(): _shown(found.place_f1),
        say.LABEL_KAPPA(): _shown(found.label_kappa),
        say.CHARACTER_KAPPA(): _shown(found.character_kappa),
    }
    kinds = Counter[str](one.kind for one in found.differences)
    rows |= {say.DIFFERENT(kind=said()): f"{kinds[kind]:,}" for kind, said in say.KINDS.items()}
    for name, value in rows.items():
        table.add_row(name, value)
    console().print(table)
    pairs = Counter({pair: n for pair, n in found.labels.items() if pair[0] != pair[1]})
    for (one, other), count in pairs.most_common(top):
        typer.echo(f"  {one} / {other}: {count:,}")
    if differences:
        typer.echo(say.DIFFERENCES(place=differences, number=len(found.differences)))


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def adjudicate(
    first: First,
    second: Second,
    differences: Annotated[Path, typer.Argument(help="'agree --differences', decisions filled.")],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The annotated JSONL to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    folder: Folder = None,
) -> None:
    """Make one annotated file of two and of what was decided where they differ.

    A difference that is not decided, or a decision that is none, is listed, and nothing is written.
    """
    from thunder.training_data import agreement
    from thunder.training_data.annotation import serialise

    taxonomy = taxonomy_of(folder)
    with problems_shown():
        if output.exists() and not force:
            raise ValueError(say.EXISTS(place=output))
        one, two = (agreement.read(path, taxonomy) for path in (first, second))
        made = agreement.adjudicated(one, two, agreement.decisions(differences), taxonomy)
        lines = []
        for line in first.read_text(encoding="utf-8").splitlines():
            if line.strip():
                row = json.loads(line)
                row["text"] = serialise(made[row["id"]])
                lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        output.write_text("".join(lines), encoding="utf-8")
    spans = sum(len(document.spans) for document in made.values())
    typer.echo(say.ADJUDICATED(place=output, documents=len(made), marks=spans))


def guideline(
    output: Annotated[
        Path | None, typer.Argument(help="The Markdown file to write [default: the screen].")
    ] = None,
    *,
    folder: Folder = None,
) -> None:
    """Write the guideline for annotators in Korean, made from the taxonomy."""
    from thunder.training_data.guideline import guideline as made

    text = made(taxonomy_of(folder))
    if output is None:
        typer.echo(text, nl=False)
        return
    with problems_shown():
        output.write_text(text, encoding="utf-8")
    typer.echo(str(output))
