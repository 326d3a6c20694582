"""The commands ``thunder letters …``: letters kept over the instances of a case."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import deid_messages as deid
from thunder.commands import letters_messages as say
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from thunder.masking.case_ledger import Assigned, Judgment, Question
    from thunder.masking.deidentifier import Deidentifier
    from thunder.masking.records import Document

app = typer.Typer(
    help="Letters kept over the instances of a case and over joined cases.", no_args_is_help=True
)

Ledger = Annotated[Path, typer.Argument(metavar="LEDGER", help=say.LEDGER())]
Keys = Annotated[Path, typer.Option(metavar="FILE", help=say.KEYS(), envvar="THUNDER_LETTERS_KEYS")]


@app.command()
def assign(
    ledger: Ledger,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help=say.PATHS(), exists=True, readable=False)
    ],
    *,
    families: Annotated[Path, typer.Option(metavar="CSV", help=say.FAMILIES(), exists=True)],
    keys: Keys,
    profile: Annotated[str, typer.Option(help=deid.PROFILE())] = "court",
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=deid.MODEL())] = DEFAULT,
    recall: Annotated[float | None, typer.Option(min=0.9, max=0.999, help=deid.RECALL())] = None,
    text_column: Annotated[str, typer.Option(help=deid.TEXT_COLUMN())] = "text",
    id_column: Annotated[str, typer.Option(help=deid.ID_COLUMN())] = "id",
    max_characters: Annotated[int, typer.Option(min=1, help=deid.MAX_CHARACTERS())] = 20_000_000,
    taxonomy: Annotated[Path | None, typer.Option(metavar="FOLDER", help=deid.TAXONOMY())] = None,
    names: Annotated[Path | None, typer.Option(help=deid.NAMES())] = None,
    keep: Annotated[Path | None, typer.Option(help=deid.KEEP())] = None,
) -> None:
    """Read the judgments of families, and give out their letters in order of instances.

    Nothing is de-identified yet: thunder deid and thunder bulk plan take --letters. Options that
    decide what is masked have to be the same there. Exit status 1 where something is asked.
    """
    with _problems_shown():
        from thunder.documents.records import Reading
        from thunder.masking.case_families import read_families
        from thunder.masking.case_ledger import Assigned, Ledger
        from thunder.masking.deidentifier import Deidentifier, require_letters_allowed
        from thunder.masking.known import Known, read_kept, read_names
        from thunder.settings import resources
        from thunder.taxonomy.own import ruling

        require_letters_allowed(profile)
        resources.choose_taxonomy(taxonomy)
        found, case_of = read_families(families)
        act = Deidentifier(
            profile=profile,
            model=model,
            recall=recall,
            known=Known(
                read_names(names, ruling()) if names else (), read_kept(keep) if keep else ()
            ),
        )
        reading = Reading(text_column, id_column, max_characters)
        judgments = _read(paths, reading, act, case_of)
        if missing := [id for id in case_of if id not in judgments]:
            raise ValueError(say.NOT_IN_INPUT(path=families, count=len(missing), first=missing[0]))
        total = Assigned()
        with Ledger(ledger, keys, may_create=True) as book:
            for family in found:
                ours = [judgments[id] for id in family.ids]
                total.add(book.assign(family.cases, ours))
    _say_assigned(total)


def _read(
    paths: list[Path], reading: object, act: "Deidentifier", case_of: dict[str, str]
) -> dict[str, "Judgment"]:
    """Return what each judgment of *case_of* masks, by its id; ValueError where one has failed."""
    from thunder.documents.records import Failure, Record
    from thunder.documents.sources import list_sources, read_all
    from thunder.masking.deidentify import judgments_of
    from thunder.masking.records import Document
    from thunder.tagger.chosen_tagger import RULES_ALONE

    def documents() -> "Iterator[Document]":
        listing = list_sources(paths)
        if listing.failures:
            raise ValueError(str(listing.failures[0]))
        for item in read_all(listing.sources, reading):  # type: ignore[arg-type]
            if isinstance(item, Record) and item.id in case_of:
                yield Document(item.text, item.id, item.segments, act.known)
            elif isinstance(item, Failure) and item.id in case_of:
                raise ValueError(str(item))

    found: dict[str, Judgment] = {}
    tagger = act.load() or RULES_ALONE
    for one in judgments_of(documents(), case_of, profile=act.profile, tagger=tagger):
        if one.id in found:
            raise ValueError(say.TWICE(id=one.id))
        found[one.id] = one
    return found


def _say_assigned(total: "Assigned") -> None:
    typer.echo(
        say.ASSIGNED(
            judgments=total.judgments, known=total.known, given=total.given, kept=total.kept
        )
    )
    for question in total.questions:
        typer.echo(_said(question), err=True)
    if total.questions:
        raise typer.Exit(1)


def _said(question: "Question") -> str:
    one, other = (
        " ".join(say.STANDINGS.get(word, word) for word in words.split()) or "?"
        for words in question.standings
    )
    place = f"{question.judgment}: " if question.judgment else ""
    return place + say.QUESTION(
        number=question.number, letter=question.letter, other=question.other, one=one, its=other
    )


@app.command()
def questions(ledger: Ledger, *, keys: Keys) -> None:
    """List what a person has to decide: whether two letters are one person. It shows no name."""
    with _problems_shown():
        from thunder.masking.case_ledger import Ledger

        with Ledger(ledger, keys) as book:
            found = book.questions()
    for one in found:
        typer.echo(_said(one))
    if not found:
        typer.echo(say.NO_QUESTIONS())


Number = Annotated[int, typer.Argument(metavar="NUMBER", help=say.NUMBER())]


@app.command()
def same(ledger: Ledger, number: Number, *, keys: Keys) -> None:
    """Decide that both are one person: the earlier letter holds. Then de-identify again."""
    _decide(ledger, number, keys, is_same=True)


@app.command()
def different(ledger: Ledger, number: Number, *, keys: Keys) -> None:
    """Decide that they are two persons: both letters stay."""
    _decide(ledger, number, keys, is_same=False)


def _decide(ledger: Path, number: int, keys: Path, *, is_same: bool) -> None:
    with _problems_shown():
        from thunder.masking.case_ledger import Ledger

        with Ledger(ledger, keys) as book:
            question = book.decide(number, is_same=is_same)
    said = say.ONE if is_same else say.TWO
    typer.echo(said(letter=question.letter, other=question.other))


@app.command()
def close(
    ledger: Ledger,
    case: Annotated[str, typer.Argument(metavar="CASE", help=say.CASE())],
    *,
    keys: Keys,
) -> None:
    """Destroy the key and the rows of one family, by one of its cases: after the last instance."""
    with _problems_shown():
        from thunder.masking.case_ledger import Ledger

        with Ledger(ledger, keys) as book:
            was_there = book.forget(" ".join(case.split()))
        if not was_there:
            raise ValueError(say.NO_CASE())
    typer.echo(say.CLOSED())


@app.command()
def destroy(*, keys: Keys) -> None:
    """Destroy the key file, for good: no ledger made with it says anything any more."""
    with _problems_shown():
        from thunder.masking.case_ledger import destroy as destroyed

        destroyed(keys)
    typer.echo(say.DESTROYED(path=keys))


@contextmanager
def _problems_shown() -> Iterator[None]:
    """Say what is refused in a line, and end with 2."""
    try:
        yield
    except (ValueError, LookupError) as error:
        typer.echo(str(error.args[0] if error.args else error), err=True)
        sys.exit(2)
    except OSError as error:
        typer.echo(f"{error.filename}: {error.strerror}", err=True)
        sys.exit(2)
