"""The command ``thunder serve``: the API without pages."""

import errno
import socket
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from thunder.commands import desk_messages as say
from thunder.settings.messages import Message
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from fastapi import FastAPI

    from thunder.desk.place import Place
    from thunder.desk.store import Store

_LOCAL = ("127.0.0.1", "localhost", "::1")
_PORT = 8600


def serve(
    *,
    folder: Annotated[Path, typer.Option(help=say.FOLDER())] = Path("thunder-desk"),
    database: Annotated[str, typer.Option(metavar="URL", help=say.DATABASE())] = "",
    key: Annotated[Path | None, typer.Option(metavar="FILE", help=say.KEY())] = None,
    host: Annotated[str, typer.Option(help=say.HOST())] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help=say.PORT())] = _PORT,
    name: Annotated[list[str] | None, typer.Option(help=say.NAMES())] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help=say.WORKERS())] = 1,
    model: Annotated[str, typer.Option(metavar="NAME|FOLDER|none", help=say.MODEL())] = DEFAULT,
    most_characters: Annotated[int, typer.Option(min=1, help=say.MOST_CHARACTERS())] = 1_000_000,
    requests: Annotated[int, typer.Option(min=1, help=say.REQUESTS())] = 600,
    new_token: Annotated[str, typer.Option(metavar="NAME", help=say.NEW_TOKEN())] = "",
    revoke_token: Annotated[str, typer.Option(metavar="NAME", help=say.REVOKE_TOKEN())] = "",
) -> None:
    """De-identify over HTTP, for programs that show a token (API).

    POST /v1/deidentify takes a judgment, /v1/deidentify/batch some, /v1/deidentify/stream lines of
    JSON; /v1/documents brings judgments to the desk (thunder desk) and fetches what was released
    there. /v1/label-studio is an ML back end for Label Studio. GET /health says how it does,
    /openapi.json describes all of it. No text is logged, and none is kept but of documents that
    are brought to the desk.
    """
    from thunder.desk.crew import Crew
    from thunder.desk.desk import Desk
    from thunder.desk.limits import Limits
    from thunder.desk.place import Place
    from thunder.desk.server import Parts, serving

    require_model(model)
    place = Place(folder, database, key)
    store = opened(place)
    if new_token or revoke_token:
        with closing(store):
            _tokens(store, new_token, revoke_token)
        return
    if not store.tokens():
        typer.echo(say.NO_TOKENS(), err=True)
    crew = Crew(workers, model=model)
    limits = Limits(characters=most_characters, requests=requests, body=body_for(most_characters))
    desk = Desk(store, place.releases, model=model)
    run(serving(Parts(desk, crew, limits, (host, *(name or ())))), host, port)


def body_for(characters: int) -> int:
    """Return the bytes that a request of so many characters may take, each escaped."""
    return 12 * characters + 2**20


def require_model(name: str) -> None:
    """Return nothing; end the command where there is no such tagger."""
    from thunder.tagger.chosen_tagger import choose

    try:
        choose(name)
    except (OSError, ValueError, LookupError) as error:
        fail(str(error.args[-1] if error.args else error))


def opened(place: "Place", *, two_people: bool = True) -> "Store":
    """Return the store of *place*; end the command where it cannot be opened."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return place.open(two_people=two_people)
    except (OSError, ValueError) as error:
        fail(say.NOT_OPENED(why=error))
    except SQLAlchemyError as error:
        fail(say.NOT_OPENED(why=type(error).__name__))


def run(app: "FastAPI", host: str, port: int, *, says: Message = say.LISTENING) -> None:
    """Serve *app* until it is interrupted, having said where."""
    import uvicorn

    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    _require_free(host, port, address)
    if host not in _LOCAL:
        typer.echo(say.BEYOND(host=host), err=True)
    typer.echo(says(address=address), err=True)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # read within, where it is known who sent them
        timeout_graceful_shutdown=10,
    )


def fail(message: str) -> NoReturn:
    """Say *message* and end the command with the status of wrong usage."""
    typer.echo(message, err=True)
    raise typer.Exit(2)


def _require_free(host: str, port: int, address: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            is_taken = error.errno == errno.EADDRINUSE
            fail(say.TAKEN(address=address) if is_taken else say.NOT_OPENED(why=error))


def _tokens(store: "Store", new: str, old: str) -> None:
    from thunder.desk.accounts import Missing

    try:
        if old:
            store.revoke_token(old, actor="thunder serve")
            typer.echo(say.REVOKED(name=old), err=True)
        if new:
            token = store.add_token(new, actor="thunder serve")
            typer.echo(say.TOKEN(name=new, token=token))
    except Missing:
        fail(say.NO_TOKEN(name=old))
    except ValueError as error:
        fail(str(error))
