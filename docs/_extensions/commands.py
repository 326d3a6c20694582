"""Sphinx extension: ``{{ commands }}`` in a page becomes every command with its options.

Read from the typer application when the pages are built, so that it cannot fall behind.
"""

from functools import partialmethod
from unittest import mock

from sphinx.application import Sphinx
from typer import Context
from typer.cli import get_docs_for_click
from typer.core import TyperCommand
from typer.main import get_command

Command = next(base for base in TyperCommand.__mro__ if base.__name__ == "Command")

PLACE = "{{ commands }}"


def commands() -> str:
    """Return every command of ``thunder`` with arguments and options, as Markdown."""
    from thunder.commands.cli import app
    from thunder.commands.loading import LoadingGroup

    def loaded(group: LoadingGroup, context: Context, name: str) -> Command | None:
        return group._loaded(name)  # a list of commands makes do without their options

    command = get_command(app)
    context = Context(command, info_name="thunder")
    whole = partialmethod(Command.get_short_help_str, limit=1000)  # it cuts sentences at 45
    with (
        mock.patch.object(Command, "get_short_help_str", whole),
        mock.patch.object(LoadingGroup, "get_command", loaded),
    ):
        markdown = get_docs_for_click(obj=command, ctx=context, name="thunder", title="thunder")
    return markdown.partition("\n")[2].strip()  # the page has a title of its own


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the commands into the source of a page that asks for them."""
    if PLACE in source[0]:
        source[0] = source[0].replace(PLACE, commands())


def changed(app: Sphinx, *_: object) -> list[str]:
    """Return the pages that are made anew in every build: commands change elsewhere."""
    pages = (app.env.doc2path(page) for page in app.env.found_docs)
    return [app.env.path2doc(path) or "" for path in pages if PLACE in path.read_text("utf-8")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Return what Sphinx wants to know of the extension."""
    app.connect("source-read", fill)
    app.connect("env-get-outdated", changed)
    return {"parallel_read_safe": True}
