"""The commands ``thunder lists …``: check, count, show and search the replacement lists."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from thunder.commands import lists_messages as say
from thunder.commands.loading import knowing
from thunder.settings.drawing import PlotError
from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import Label
from thunder.training_data.lists import PARTS, ReplacementLists, UsedUp, checking, load, survey
from thunder.training_data.lists.plot import plot_sizes
from thunder.training_data.lists.survey import Overlap, Size
from thunder.training_data.messages import UNKNOWN_PART_NAME

_HOMES = {"import": "thunder.commands.lists_import:import_"}

app = typer.Typer(
    cls=knowing(_HOMES), help="The replacement lists of all labels.", no_args_is_help=True
)

Folder = Annotated[
    Path | None,
    typer.Option("--folder", help="A folder of lists of your own instead of the shipped one."),
]
Taxonomy = Annotated[
    Path | None,
    typer.Option("--taxonomy", help="The taxonomy folder that the lists follow."),
]
_SHOWN = 15  # pairs of labels that share mentions


@app.command()
def check(
    place: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="The lists to check; without, the shipped."),
    ] = None,
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
    overlaps: Annotated[bool, typer.Option("--overlaps", help="All pairs that share.")] = False,
    figures: Annotated[
        Path | None,
        typer.Option(help="Full names of public figures, one a line: none may come out."),
    ] = None,
) -> None:
    """Check all lists and rules; list everything wrong by file and line, and exit with 1."""
    with _problems_shown():
        lists = load(place or folder, taxonomy=taxonomy)
        typer.echo(say.CHECKING(labels=len(lists.taxonomy)), err=True)
        problems = checking.check(lists, figures=_names(figures), watch=_watched)
    for problem in problems:
        typer.echo(str(problem))
    if problems:
        typer.echo(say.TO_MEND(number=len(problems)))
        raise typer.Exit(1)
    shared = survey.overlaps(lists)
    _console().print(_overlap_table(shared if overlaps else shared[:_SHOWN]))
    if len(shared) > _SHOWN and not overlaps:
        typer.echo(say.SHARED(pairs=len(shared), shown=_SHOWN))
    typer.echo(say.IN_ORDER(labels=len(lists.taxonomy)))


def _watched(labels: Sequence[Label]) -> Iterable[Label]:
    """Yield *labels* under a bar on standard error, for people only."""
    screen = Console(stderr=True)
    shown = screen.is_terminal
    return track(labels, say.CHECK(), console=screen, transient=True, disable=not shown)


def _names(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise typer.BadParameter(say.NO_TEXT_FILE(path=path)) from None
    return [line.strip() for line in lines if line.strip()]


@app.command()
def stats(
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the sizes to .png, .svg or .pdf.")] = None,
) -> None:
    """Show the size of all lists by granular category; --plot draws it (needs matplotlib)."""
    with _problems_shown():
        lists = load(folder, taxonomy=taxonomy)
        sizes = survey.sizes(lists)
    _console().print(_size_table(lists, sizes))
    if plot is not None:
        try:
            plot_sizes(lists, plot)
        except PlotError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(1) from None
        typer.echo(f"{plot}")


@app.command()
def sample(
    label: Annotated[str, typer.Argument(help="The label's name or an alias.")],
    *,
    number: Annotated[int, typer.Option("-n", min=1, max=100_000, help="How many.")] = 20,
    seed: Annotated[int, typer.Option(help="Another seed gives others.")] = 0,
    part: Annotated[str, typer.Option(help=f"One of {', '.join(PARTS)}.")] = "all",
    folder: Folder = None,
    taxonomy: Taxonomy = None,
) -> None:
    """Show mentions of a label, no two the same; as many as there are, where there are fewer."""
    chosen: list[str] = []
    with _problems_shown():
        lists = load(folder, taxonomy=taxonomy)
        for mention in _different(lists, label, part, seed):
            chosen.append(mention)
            if len(chosen) == number:
                break
    typer.echo("\n".join(chosen))


def _different(lists: ReplacementLists, label: str, part: str, seed: int) -> Iterator[str]:
    """Yield mentions as an endless document would get them, until they are used up."""
    known = next((one for one in PARTS if one == part), None)
    if known is None:
        raise ValueError(UNKNOWN_PART_NAME(part=part, known=", ".join(PARTS)))
    document = lists.document(key=b"sample", document_id=str(seed), part=known)
    entity = 0
    while True:
        try:
            yield document.choose(label, entity=str(entity))
        except UsedUp:
            return
        entity += 1


@app.command()
def find(
    text: Annotated[str, typer.Argument(help="A mention, or a piece of one.")],
    *,
    folder: Folder = None,
    taxonomy: Taxonomy = None,
) -> None:
    """Name the lists that hold a text and the rules that make it; exit with 1 where none does."""
    table = _table(say.LABEL(), say.HELD_AS(), say.FILE())
    with _problems_shown():
        lists = load(folder, taxonomy=taxonomy)
        for label, held in survey.find(lists, text):
            path = lists.path(label)
            table.add_row(label, held, str(path.relative_to(lists.root(path))))
    if not table.row_count:
        typer.echo(say.NOWHERE())
        raise typer.Exit(1)
    _console().print(table)


@contextmanager
def _problems_shown() -> Iterator[None]:
    """Show what is wrong with a folder, a label or a value as it is, and end with status 1."""
    try:
        yield
    except YamlFileError as error:
        typer.echo(str(error))
        raise typer.Exit(1) from None
    except (LookupError, ValueError, FileNotFoundError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


def _console() -> Console:
    return Console(highlight=False, markup=False)


def _table(*columns: str | Column) -> Table:
    folded = [Column(name, overflow="fold") if isinstance(name, str) else name for name in columns]
    return Table(*folded, box=SIMPLE_HEAD, pad_edge=False)


def _right(*names: str) -> list[Column]:
    return [Column(name, justify="right") for name in names]


def _overlap_table(shared: list[Overlap]) -> Table:
    table = _table(say.LABEL(), say.LABEL(), *_right(say.SHARE()), say.EXAMPLES())
    for pair in shared:
        table.add_row(pair.one, pair.other, str(pair.shared), ", ".join(pair.examples))
    return table


def _size_table(lists: ReplacementLists, sizes: dict[tuple[str, str], Size]) -> Table:
    names = {sub.code: f"{sub.code} {sub.ko}" for sub in lists.taxonomy.subcategories}
    counts = _right(*(name() for name in say.SIZES))
    table = _table(say.SUBCATEGORY(), say.CATEGORY(), *counts)
    before = ""
    for (code, category), size in sizes.items():
        if code != before and before:
            table.add_section()
        table.add_row(names[code] if code != before else "", category, *map(_number, size))
        before = code
    table.add_section()
    total = [sum(column) for column in list(zip(*sizes.values(), strict=True))[:4]]
    table.add_row(say.ALL(), "", *map(_number, total), "", "")
    return table


def _number(count: int) -> str:
    return f"{count:,}"
