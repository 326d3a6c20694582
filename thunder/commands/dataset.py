"""The commands ``thunder dataset …``: build a dataset, verify it, count it, look into it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands.dataset_messages import VERIFIED
from thunder.commands.dataset_screen import Progressing, show, show_built
from thunder.commands.loading import knowing
from thunder.commands.taxonomy_screen import problems_shown
from thunder.training_data import messages as say

if TYPE_CHECKING:
    from thunder.training_data.datasets.figures import Figures
    from thunder.training_data.datasets.tables import Table

_HOMES = {
    "fill": "thunder.commands.dataset_fill:fill",
    "invent": "thunder.commands.invented:invent",
    "diversity": "thunder.commands.invented:diversity",
}

app = typer.Typer(
    cls=knowing(_HOMES),
    help="Annotated judgments into training data.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # its tracebacks would show the text at hand
)

Files = Annotated[
    list[Path],
    typer.Argument(help="Annotated judgments: .jsonl of id, case_type, text (.xz too), or .txt."),
]
Folder = Annotated[Path, typer.Argument(help="A folder made by 'thunder dataset build'.")]
Tokenizer = Annotated[Path, typer.Option(help="A tokenizer's folder, such as tokenizer/32k.")]
Taxonomy = Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")]
Lists = Annotated[Path | None, typer.Option(help="A folder of replacement lists of your own.")]
Names = Annotated[
    str,
    typer.Option(help="What label names mean: as in the 'release', or in the 'taxonomy'."),
]
Longest = Annotated[int, typer.Option(min=1, help="Longer documents (characters) are left out.")]


@app.command()
def build(
    files: Files,
    *,
    tokenizer: Tokenizer,
    output: Annotated[Path, typer.Option(help="The folder to build in; a new or empty one.")],
    seed: Annotated[int, typer.Option(help="Another seed draws other mentions.")] = 1,
    replacement: Annotated[
        str, typer.Option(help="'single': drawn once; 'per-epoch': anew each epoch.")
    ] = "per-epoch",
    epochs: Annotated[
        int, typer.Option(min=1, help="Epochs to store; later ones are drawn in training.")
    ] = 1,
    replicas: Annotated[int, typer.Option(min=1, help="Fillings a training judgment.")] = 1,
    way: Annotated[str, typer.Option(help="'text-first' or 'token-splice'.")] = "text-first",
    scheme: Annotated[str, typer.Option(help="'classes' (730) or 'bio' (1,459).")] = "classes",
    variants: Annotated[
        str, typer.Option(help="'training': names also written short (길동, 홍 과장); or 'none'.")
    ] = "training",
    mentions: Annotated[
        str,
        typer.Option(
            help="Of the lists, for development and test: 'held-out' from training, or the 'same' "
            "(the paper's way)."
        ),
    ] = "held-out",
    lists: Lists = None,
    taxonomy: Taxonomy = None,
    names: Names = "release",
    near_duplicates: Annotated[
        float, typer.Option(help="Jaccard index from which judgments share a part; 0: none.")
    ] = 0.8,
    splits: Annotated[
        Path | None, typer.Option(help="splits.tsv of an earlier dataset: its parts are kept.")
    ] = None,
    longest: Longest = 500_000,
    text: Annotated[bool, typer.Option(help="Keep the filled texts, too.")] = True,
    workers: Annotated[int, typer.Option(min=1, help="Processes; they change no byte.")] = 1,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a complete dataset of other inputs.")
    ] = False,
) -> None:
    """Fill, tokenise and label annotated judgments, into shards with a manifest.

    A build that was killed goes on when it is run again with the same inputs, and starts clean
    with others. Documents that cannot be used are left out, counted and named.
    """
    from thunder.training_data.datasets import building
    from thunder.training_data.datasets.preparing import Options
    from thunder.training_data.datasets.recipe import Recipe

    with problems_shown():
        recipe = Recipe.named(
            tokenizer,
            way=way,
            scheme=scheme,
            replacement=replacement,
            variants=variants,
            mentions=mentions,
            seed=seed,
            lists=lists,
            taxonomy=taxonomy,
        )
        options = Options(epochs, replicas, text, near_duplicates, longest, names, splits)
        with Progressing() as shown:
            built = building.build(
                files,
                output,
                recipe,
                options,
                workers=workers,
                overwrite=overwrite,
                notice=shown.notice,
            )
        show_built(output, built)


@app.command()
def verify(folder: Folder, *, taxonomy: Taxonomy = None) -> None:
    """Compare every file of a dataset with its manifest; exit with 1 where one is not the same."""
    from thunder.training_data.datasets.dataset import Dataset

    with problems_shown():
        manifest = Dataset.open(folder, taxonomy=taxonomy).manifest
    shards = len(manifest.judgments) + len(manifest.examples)
    typer.echo(VERIFIED(folder=folder, shards=shards))


@app.command()
def stats(
    places: Annotated[
        list[Path], typer.Argument(help="A dataset's folder, or files of annotated judgments.")
    ],
    *,
    output: Annotated[
        Path | None, typer.Option(help="A folder for report.md, CSV files and plots.")
    ] = None,
    plots: Annotated[bool, typer.Option(help="Draw plots, too (needs matplotlib).")] = True,
    taxonomy: Taxonomy = None,
    names: Names = "release",
    longest: Longest = 500_000,
) -> None:
    """Count documents, entities, labels and tokens, beside the paper's Table 1."""
    from thunder import taxonomy as taxonomies
    from thunder.training_data.datasets import tables

    with problems_shown():
        counted = _figures(places, taxonomy, names, longest)
        known = taxonomies.load(taxonomy)
        made = tables.tables(counted, known)
        for table in made:
            show(table)
        if output is not None:
            everything = [*made, tables.all_labels(counted, known)]
            _save(output, everything, counted, taxonomy, with_plots=plots)


@app.command()
def frame(
    folder: Folder,
    *,
    output: Annotated[Path, typer.Option(help="The file to write: .csv or .parquet.")],
    part: Annotated[str, typer.Option(help="train, dev or test.")] = "train",
    rows: Annotated[str, typer.Option(help="'mentions' or 'tokens': what a row is.")] = "mentions",
    number: Annotated[int | None, typer.Option("-n", min=1, help="So many examples.")] = 100,
    taxonomy: Taxonomy = None,
) -> None:
    """Write the first examples as a table to look into (needs pandas)."""
    from thunder.training_data.datasets import frames
    from thunder.training_data.datasets.dataset import Dataset

    with problems_shown():
        if rows not in frames.FRAMES:
            known = ", ".join(frames.FRAMES)
            raise ValueError(say.UNKNOWN_VALUE(name="rows", value=rows, known=known))
        chosen = Dataset.open(folder, verify="quick", taxonomy=taxonomy).part(part)
        frames.write(frames.FRAMES[rows](chosen, limit=number), output)
    typer.echo(f"{output}")


def _figures(places: list[Path], taxonomy: Path | None, names: str, longest: int) -> "Figures":
    """Return the figures of one dataset, or of annotated files."""
    from thunder import taxonomy as taxonomies
    from thunder.training_data.datasets import figures
    from thunder.training_data.datasets.annotated import Terms
    from thunder.training_data.datasets.dataset import Dataset

    folders = [place for place in places if place.is_dir()]
    if not folders:
        return figures.of_files(places, Terms(taxonomies.load(taxonomy), longest, names))
    if len(places) > 1:
        raise ValueError(say.ONE_FOLDER())
    dataset = Dataset.open(folders[0], verify="quick", taxonomy=taxonomy)
    return figures.of_dataset(dataset)


def _save(
    output: Path,
    tables: "list[Table]",
    figures: "Figures",
    taxonomy: Path | None,
    *,
    with_plots: bool,
) -> None:
    from thunder import taxonomy as taxonomies
    from thunder.settings.drawing import PlotError
    from thunder.training_data.datasets import plots, reports

    pictures: list[str] = []
    if with_plots:
        try:
            pictures = plots.plot(figures, taxonomies.load(taxonomy), output)
        except PlotError as error:
            typer.echo(say.NO_PLOTS(why=error), err=True)
            raise typer.Exit(1) from None
    reports.save(output, tables, title="Dataset", pictures=pictures)
    typer.echo(f"{output}")
