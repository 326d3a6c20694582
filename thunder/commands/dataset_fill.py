"""The command ``thunder dataset fill``: filled judgments with gold, to score any system by."""

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import dataset_messages as say
from thunder.commands.taxonomy_screen import problems_shown

if TYPE_CHECKING:
    from thunder.training_data.datasets.annotated import LeftOut
    from thunder.training_data.datasets.filling import Filling
    from thunder.training_data.datasets.gold import Filled, Left

_SHOWN = 20  # documents with something to say of, by name
_IDS = 3  # of those left out for the same reason
_VARIANTS = ("none", "training")


def fill(
    files: Annotated[
        list[Path],
        typer.Argument(help="Annotated judgments: .jsonl of id, case_type, text (.xz too), .txt."),
    ],
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="The JSONL file to write.")],
    seed: Annotated[int, typer.Option(help="Another seed draws other mentions.")] = 1,
    fillings: Annotated[
        int, typer.Option(min=1, help="Fill each judgment so often; J#2 is the second of J.")
    ] = 1,
    part: Annotated[
        str,
        typer.Option(
            help="Mentions of 'all' lists, of what training draws ('train'), or of what it never "
            "saw ('held-out')."
        ),
    ] = "all",
    variants: Annotated[
        str,
        typer.Option(help="'training': later places also written short (길동, 홍 과장); 'none'."),
    ] = "none",
    form: Annotated[
        str,
        typer.Option(
            help="How Koreans' names are written: 'mixed', all 'plain' (김한환), or all 'spaced', "
            "'hanja', 'latin', 'family', 'given', 'foreign', 'random' (a word of the text), "
            "'word' (an ordinary one)."
        ),
    ] = "mixed",
    whole: Annotated[
        bool,
        typer.Option("--whole", help="Leave out judgments with a placeholder nobody has marked."),
    ] = False,
    lists: Annotated[
        Path | None, typer.Option(help="A folder of replacement lists of your own.")
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(help="A taxonomy folder of your own.")] = None,
    names: Annotated[
        str,
        typer.Option(help="What label names mean: as in the 'release', or in the 'taxonomy'."),
    ] = "release",
    longest: Annotated[
        int, typer.Option(min=1, help="Longer documents (characters) are left out.")
    ] = 500_000,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Fill annotated judgments with invented mentions, and write them with their gold.

    Each line holds id, case_type, text and entities (start, end, label, mention, entity, written):
    what 'thunder evaluate' scores any system by. The same seed gives the same file, on every
    machine. Placeholders that nobody had marked stay in the text, and are counted and named.
    """
    from thunder import taxonomy as taxonomies
    from thunder.bulk.outputs import aside, why
    from thunder.training_data.datasets.annotated import LeftOut, Terms, read
    from thunder.training_data.datasets.gold import filled
    from thunder.training_data.datasets.messages import reason

    counts = _Counts()
    with problems_shown(changes=True):
        filling = _filling(seed, part, variants, form, lists, taxonomy)
        terms = Terms(taxonomies.load(taxonomy), longest, names)
        _require_free(output, files, force=force)
        try:
            with aside(output, replace=force) as stream:
                for one in filled(read(files, terms), filling, fillings=fillings):
                    if isinstance(one, LeftOut):
                        counts.leave_out(one._replace(reason=reason(one.reason)))
                    elif counts.takes(one, whole=whole):
                        stream.write(f"{json.dumps(one.row, ensure_ascii=False)}\n".encode())
                counts.show()
                if not counts.documents:
                    raise ValueError(say.NOTHING_FILLED())
        except OSError as error:
            raise ValueError(f"{error.filename or output}: {', '.join(why(error))}") from None
    typer.echo(
        say.FILLED(
            place=output,
            judgments=len(counts.judgments),
            mentions=counts.mentions,
            documents=counts.documents,
        )
    )


class _Counts:
    """What was filled, what was left out, and where placeholders stayed in the text."""

    def __init__(self) -> None:
        self.judgments: set[str] = set()
        self.documents = self.mentions = 0
        self._left_out: dict[str, list[LeftOut]] = defaultdict(list)
        self._left: dict[str, tuple[Left, ...]] = {}

    def leave_out(self, one: "LeftOut") -> None:
        """Count a judgment that is left out."""
        self._left_out[f"{one.reason}\0{one.detail}"].append(one)

    def takes(self, one: "Filled", *, whole: bool) -> bool:
        """Return whether a filled judgment is written; count it, or why it is not."""
        from thunder.training_data.datasets.annotated import LeftOut

        if whole and one.left:
            if one.judgment not in self._left:
                line, column = one.left[0]
                reason = say.REASON_LEFT(number=len(one.left), line=line, column=column)
                self.leave_out(LeftOut(one.judgment, "", 0, reason))
            self._left[one.judgment] = ()
            return False
        if one.left:
            self._left[one.judgment] = one.left
        self.judgments.add(one.judgment)
        self.documents += 1
        self.mentions += sum(bool(entity["written"]) for entity in one.row["entities"])
        return True

    def show(self) -> None:
        """Show on standard error what was left out and what was left in, by name."""
        for same in list(self._left_out.values())[:_SHOWN]:
            typer.echo(_named(same), err=True)
        if self._left_out:
            number = sum(map(len, self._left_out.values()))
            typer.echo(say.LEFT_OUT(number=number), err=True)
        left = {name: places for name, places in self._left.items() if places}
        for name, places in list(left.items())[:_SHOWN]:
            line, column = places[0]
            typer.echo(say.LEFT_PLACE(id=name, line=line, column=column), err=True)
        if left:
            number, shown = sum(map(len, left.values())), min(len(left), _SHOWN)
            typer.echo(say.LEFT(number=number, judgments=len(left), shown=shown), err=True)


def _named(same: "list[LeftOut]") -> str:
    """Return what was left out for one reason: one by its place, more by their first ids."""
    first, *others = same
    if not others:
        return str(first)
    ids = ", ".join(one.id for one in same[:_IDS])
    detail = f" ({first.detail})" if first.detail else ""
    return say.LEFT_OUT_FOR(ids=ids, number=len(same), reason=f"{first.reason}{detail}")


def _filling(
    seed: int, part: str, variants: str, form: str, lists: Path | None, taxonomy: Path | None
) -> "Filling":
    from thunder import taxonomy as taxonomies
    from thunder.training_data.datasets.filling import Drawing, Filling
    from thunder.training_data.filling import NONE, TRAINING
    from thunder.training_data.lists import load
    from thunder.training_data.lists.parts import PARTS
    from thunder.training_data.mention_makers.names import MIXED, PLAIN, NameForms

    known = next((one for one in PARTS if one == part), None)
    if known is None:
        raise ValueError(say.UNKNOWN(option="--part", given=part, known=", ".join(PARTS)))
    if variants not in _VARIANTS:
        known_ones = ", ".join(_VARIANTS)
        raise ValueError(say.UNKNOWN(option="--variants", given=variants, known=known_ones))
    forms = {"mixed": MIXED, "plain": PLAIN} | {
        one: PLAIN._replace(**{one: 1.0}) for one in NameForms._fields
    }
    if form not in forms:
        raise ValueError(say.UNKNOWN(option="--form", given=form, known=", ".join(forms)))
    ways = TRAINING if variants == "training" else NONE
    found = load(lists, taxonomy=taxonomy)
    return Filling(
        Drawing(found, known, forms[form], ways, seed, "single"), taxonomies.load(taxonomy)
    )


def _require_free(output: Path, files: list[Path], *, force: bool) -> None:
    for file in files:
        if not file.is_file():
            raise ValueError(say.NO_FILE(place=file))
        if output.exists() and output.samefile(file):
            raise ValueError(say.IS_INPUT(place=output))
    if output.is_dir():
        raise ValueError(say.IS_FOLDER(place=output))
    if output.exists() and not force:
        raise ValueError(say.EXISTS(place=output))
