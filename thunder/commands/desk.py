"""The command ``thunder desk``: the pages where people review, decide and release."""

import json
import secrets
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import desk_messages as say
from thunder.commands.serve import body_for, fail, opened, require_model, run
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from thunder.desk.desk import Desk
    from thunder.desk.tables import Table

_PORT = 8601
_ADMINISTRATOR = "admin"
_MOST_CHARACTERS = 2_000_000

app = typer.Typer(
    help="People review, decide and release in a browser (검토와 공개).",
    invoke_without_command=True,
)

Folder = Annotated[Path, typer.Option(help=say.FOLDER())]
Database = Annotated[str, typer.Option(metavar="URL", help=say.DATABASE())]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help=say.KEY())]
FOLDER = Path("thunder-desk")


@app.callback()
def desk(
    context: typer.Context,
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
    host: Annotated[str, typer.Option(help=say.HOST())] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help=say.PORT())] = _PORT,
    name: Annotated[list[str] | None, typer.Option(help=say.NAMES())] = None,
    tls: Annotated[bool, typer.Option("--tls", help=say.IS_TLS())] = False,
    sign_on: Annotated[Path | None, typer.Option(metavar="FILE", help=say.SIGN_ON())] = None,
    watch: Annotated[Path | None, typer.Option(metavar="FOLDER", help=say.WATCH())] = None,
    watch_profile: Annotated[str, typer.Option(metavar="NAME", help=say.WATCH_PROFILE())] = "court",
    table: Annotated[str, typer.Option(metavar="FILE|URL", help=say.TABLE())] = "",
    retain: Annotated[int, typer.Option(min=0, metavar="DAYS", help=say.RETAIN())] = 0,
    one_person: Annotated[bool, typer.Option("--one-person", help=say.ONE_PERSON())] = False,
    workers: Annotated[int, typer.Option(min=1, max=256, help=say.WORKERS())] = 1,
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=say.MODEL())] = DEFAULT,
) -> None:
    """People review, decide and release in a browser (검토와 공개).

    Without a command the desk starts; the first start makes an administrator and shows the
    password once.
    """
    if context.invoked_subcommand:
        return
    from thunder.desk import policy
    from thunder.desk.crew import Crew
    from thunder.desk.desk import Desk
    from thunder.desk.limits import Limits
    from thunder.desk.place import Place
    from thunder.desk.server import Parts, reviewing
    from thunder.desk.sign_on import SignOn, read
    from thunder.desk.states import Role
    from thunder.desk.watching import Watch

    require_model(model)
    _require_profile(watch_profile)
    if watch and not watch.is_dir():
        fail(say.NO_FOLDER(name=watch))
    try:
        by_court = read(sign_on) if sign_on else SignOn()
    except (OSError, ValueError) as error:
        fail(say.NOT_OPENED(why=error))
    results = _table(table)
    place = Place(folder, database, key)
    store = opened(place, two_people=not one_person)
    if not store.has_users():
        password = secrets.token_urlsafe(12)
        store.add_user(_ADMINISTRATOR, Role.ADMINISTRATOR, password, actor="thunder desk")
        typer.echo(say.FIRST(name=_ADMINISTRATOR, password=password))
        if not (place.folder / policy.FILE).exists():
            typer.echo(say.SETTINGS(path=policy.write_first(place.folder)))
            store.policy = policy.read(place.folder)
    if key is None:
        typer.echo(say.UNSEALED(), err=True)
    own = Desk(store, place.releases, model=model, table=results)
    parts = Parts(
        own,
        Crew(workers, model=model),
        Limits(characters=_MOST_CHARACTERS, body=body_for(_MOST_CHARACTERS)),
        (host, *(name or ())),
        tls,
        not one_person,
        by_court,
        Watch(own, watch, profile=watch_profile) if watch else None,
        retain,
    )
    run(reviewing(parts), host, port, says=say.AT)


@app.command()
def password(
    name: Annotated[str, typer.Argument(help=say.WHOSE())],
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
) -> None:
    """Give a local account a new password and show it once; its sessions end.

    For the owner of the desk's folder, where no administrator can sign in any more.
    """
    from thunder.desk.accounts import Missing
    from thunder.desk.place import Place

    with closing(opened(Place(folder, database, key))) as store:
        new = secrets.token_urlsafe(12)
        try:
            store.set_password(name, new, actor="thunder desk password")
        except Missing:
            fail(say.NOBODY(name=name))
        except ValueError:
            fail(say.SIGNS_ON(name=name))
    typer.echo(say.NEW_PASSWORD(name=name, password=new))


@app.command("import")
def take_in(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help=say.PATHS())],
    *,
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
    profile: Annotated[str, typer.Option(help=say.PROFILE())] = "court",
) -> None:
    """Give the desk documents to review: files and folders of any format that can be read.

    Exit status 1 where one could not be read; it is named, and the others are added.
    """
    from thunder.desk.desk import Desk
    from thunder.desk.place import Place
    from thunder.documents.sources import list_sources

    _require_profile(profile)
    place = Place(folder, database, key)
    with closing(opened(place)) as store:
        listing = list_sources(paths)
        done = Desk(store, place.releases).take_in(
            listing.sources, profile=profile, actor="thunder desk import"
        )
    failures = [*map(str, listing.failures), *done.failures]
    for failure in failures:
        typer.echo(failure, err=True)
    typer.echo(say.ADDED(added=len(done.added)))
    if failures:
        raise typer.Exit(1)


def _table(place: str) -> "Table | None":
    """Return the table of *place*, "" for none; end the command where it cannot be used."""
    from sqlalchemy.exc import SQLAlchemyError

    from thunder.desk import tables

    if not place:
        return None
    try:
        made = tables.opened(place)
        with made.alone():
            made.digests()
    except (OSError, ValueError) as error:
        fail(say.NOT_OPENED(why=error))
    except SQLAlchemyError as error:
        fail(say.NOT_OPENED(why=type(error).__name__))
    return made


def _require_profile(name: str) -> None:
    from thunder.taxonomy import profiles

    if name not in profiles.names():
        fail(say.NO_PROFILE(name=name, known=", ".join(profiles.names())))


@app.command()
def verify(folder: Folder = FOLDER, database: Database = "", key: Key = None) -> None:
    """Prove the audit whole, and released files to be what was released; else exit status 1.

    Keep the last digest elsewhere: it proves later that nothing before it was written anew.
    """
    from thunder.desk.audit import Broken
    from thunder.desk.desk import Desk
    from thunder.desk.place import Place

    place = Place(folder, database, key)
    with closing(opened(place)) as store:
        try:
            found = store.verify()
        except Broken as broken:
            typer.echo(say.BROKEN(why=broken), err=True)
            raise typer.Exit(1) from None
        typer.echo(say.VERIFIED(lines=found.lines, digest=found.digest))
        own = Desk(store, place.releases)
        cut_off, missing, changed = own.shelf.cut_off(), own.missing(), own.changed()
    if cut_off:
        typer.echo(say.CUT_OFF(ids=", ".join(cut_off)), err=True)
    if missing:
        typer.echo(say.FILES_MISSING(ids=", ".join(missing)), err=True)
    if changed:
        typer.echo(say.FILES_CHANGED(ids=", ".join(changed)), err=True)
    if cut_off or missing or changed:
        raise typer.Exit(1)


@app.command()
def compare(
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
    profile: Annotated[str, typer.Option(metavar="NAME", help=say.OTHER_PROFILE())] = "",
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=say.MODEL())] = DEFAULT,
    taxonomy: Annotated[Path | None, typer.Option(metavar="FOLDER", help=say.TAXONOMY())] = None,
    most: Annotated[int, typer.Option(min=0, help=say.MOST())] = 0,
) -> None:
    """List released results that would come out otherwise now; none is written or withdrawn.

    Each line: the document's id, places newly masked, opened, with another letter, open questions.
    The page 달라질 결과 shows them by title.
    """
    from thunder.desk.comparing import compared
    from thunder.desk.desk import Desk
    from thunder.desk.place import Place
    from thunder.settings import resources

    require_model(model)
    if profile:
        _require_profile(profile)
    if taxonomy:
        try:
            resources.choose_taxonomy(taxonomy)
        except (OSError, ValueError) as error:
            fail(say.NOT_OPENED(why=error))
    place = Place(folder, database, key)
    with closing(opened(place)) as store:
        own = Desk(store, place.releases, model=model)
        released, other, unknown, done = len(store.released()), 0, 0, 0
        for one in compared(own, profile=profile, most=most):
            done += 1
            if one.why:
                unknown += 1
                typer.echo(f"{one.id}\t{say.WHY[one.why]()}")
            elif one.is_other:
                other += 1
                counts = (one.masked, one.opened, one.relettered, one.questions)
                typer.echo("\t".join([one.id, *map(str, counts)]))
    typer.echo(
        say.COMPARED(
            done=done, other=other, unknown=unknown, rest=released - done, released=released
        ),
        err=True,
    )


@app.command("backup")
def save(
    archive: Annotated[Path, typer.Argument(metavar="FILE", help=say.ARCHIVE())],
    *,
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
) -> None:
    """Write the desk into one archive: all tables but sessions, and what was released.

    It may run beside the desk. Sealed words stay sealed; the key is not in it: keep that apart.
    """
    from thunder.desk import backup
    from thunder.desk.place import Place

    place = Place(folder, database, key)
    with closing(opened(place)) as store:
        try:
            counts = backup.save(store, place.releases, archive)
        except OSError as error:
            fail(say.NOT_OPENED(why=error))
    typer.echo(say.SAVED(documents=counts["documents"], lines=counts["audit"]))


@app.command()
def restore(
    archive: Annotated[Path, typer.Argument(metavar="FILE", help=say.ARCHIVE())],
    *,
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
) -> None:
    """Fill an empty desk (a new folder or database) from an archive, and prove its audit whole."""
    from thunder.desk import backup
    from thunder.desk.audit import Broken
    from thunder.desk.place import Place

    place = Place(folder, database, key)
    with closing(opened(place)) as store:
        try:
            counts = backup.restore(store, place.releases, archive)
            found = store.verify()
        except (OSError, ValueError, Broken) as error:
            fail(say.NOT_RESTORED(why=error))
    typer.echo(say.RESTORED(documents=counts["documents"]))
    typer.echo(say.VERIFIED(lines=found.lines, digest=found.digest))


@app.command()
def export(
    folder: Folder = FOLDER,
    database: Database = "",
    key: Key = None,
    annotated: Annotated[Path | None, typer.Option(metavar="FILE", help=say.ANNOTATED())] = None,
    proposals: Annotated[Path | None, typer.Option(metavar="FILE", help=say.PROPOSALS())] = None,
    teach: Annotated[Path | None, typer.Option(metavar="FOLDER", help=say.TEACH())] = None,
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=say.MODEL())] = DEFAULT,
) -> None:
    """Write what people decided, for training, word lists, contexts.

    All of it holds original words, and is its owner's alone (0600); nothing learns by itself.
    """
    from thunder.bulk.outputs import aside
    from thunder.desk import teaching
    from thunder.desk.desk import Desk
    from thunder.desk.place import Place

    if not annotated and not proposals and not teach:
        fail(say.NOTHING_ASKED())
    require_model(model)
    place = Place(folder, database, key)
    try:
        with closing(opened(place)) as store:
            own = Desk(store, place.releases, model=model)
            if annotated:
                with aside(annotated, private=True) as out:
                    for id, text in teaching.annotated(own):
                        if text:
                            line = json.dumps({"id": id, "text": text}, ensure_ascii=False)
                            out.write(line.encode() + b"\n")
                        else:
                            typer.echo(say.HAS_MARKS(id=id), err=True)
            if proposals:
                with aside(proposals, private=True) as out:
                    for one in teaching.proposals(own):
                        cells = (one.decision, one.wording, one.label, str(one.documents))
                        plain = "\t".join(" ".join(cell.split()) for cell in cells)
                        out.write(plain.encode() + b"\n")
            if teach:
                _teach(own, teach)
    except OSError as error:
        fail(say.NOT_OPENED(why=error))


def _teach(own: "Desk", folder: Path) -> None:
    """Write gold, contexts and what was nearly masked into the new folder *folder*."""
    from thunder.bulk.outputs import aside
    from thunder.desk import contexts

    folder.mkdir(mode=0o700)
    documents = list(contexts.reviewed(own))
    with aside(folder / "gold.jsonl", private=True) as out:
        for one in documents:
            out.write(contexts.as_line(contexts.gold(one)))
    found = contexts.contexts(documents)
    if found:
        patterns = folder / "patterns"
        patterns.mkdir(mode=0o700)
        contexts.write(found, patterns)
    bands = contexts.bands(documents)
    with aside(folder / "thresholds.tsv", private=True) as out:
        out.write(b"from\tto\tplaces\tmasked by people\n")
        for band in bands:
            line = f"{band.low:.1f}\t{band.high:.1f}\t{band.places}\t{band.masked}\n"
            out.write(line.encode())
    typer.echo(say.TAUGHT(documents=len(documents), contexts=len(found)))
