"""Sphinx extension: what pages say of commands and formats, read from the code when they are built.

``{{ commands }}`` in a page becomes every command with its options, ``{{ formats }}`` a table of
the documents with pages that this version reads, ``{{ policy }}`` the policy by its sources.
"""

import ast
import importlib.util
from collections.abc import Callable, Mapping
from functools import partialmethod
from unittest import mock

from sphinx.application import Sphinx
from typer import Context
from typer.cli import get_docs_for_click
from typer.core import TyperCommand
from typer.main import get_command

Command = next(base for base in TyperCommand.__mro__ if base.__name__ == "Command")


def commands() -> str:
    """Return every command of ``thunder`` with arguments and options, as Markdown, in English.

    The pages are English; Korean is what the command itself says: ``thunder … --help``.
    """
    from thunder.settings import messages

    messages.choose("en")
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


def formats() -> str:
    """Return the formats of documents with pages as a Markdown table, by their modules' words."""
    from thunder.documents.detecting import NAMES, OPENERS, SUFFIXES

    rows = ["| suffix | what | how |", "|---|---|---|"]
    for name, module in OPENERS.items():
        suffixes = ", ".join(f"`.{suffix}`" for suffix, of in SUFFIXES.items() if of == name)
        rows.append(f"| {suffixes} | {NAMES[name]} | {_first_line(module)} |")
    return "\n".join(rows)


def policy() -> str:
    """Return every line of every profile by the article, law or practice that it restates."""
    from thunder.taxonomy import profiles

    sections = {"written": "씀", "keep": "남김", "roles": "남김(직함)", "review": "확인"}
    rows = ["| 근거 | 줄 | 하는 일 | 보기(시험: `tests/taxonomy/test_policy_sources.py`) |"]
    rows.append("|---|---|---|---|")
    found = [line for name in profiles.names() for line in profiles.lines(name)]
    for line in sorted(found, key=lambda one: (one.source, one.place)):
        does = f"{sections[line.section]}: {line.name}"
        cells = (
            line.source,
            f"`{line.place}`",
            does,
            "<br>".join(f"`{one}`" for one in line.examples),
        )
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def _first_line(module: str) -> str:
    spec = importlib.util.find_spec(module)
    assert spec and spec.origin, module
    with open(spec.origin, encoding="utf-8") as file:
        words = ast.get_docstring(ast.parse(file.read())) or ""
    return words.partition("\n")[0].replace("|", "\\|")


PLACES: Mapping[str, Callable[[], str]] = {
    "{{ commands }}": commands,
    "{{ formats }}": formats,
    "{{ policy }}": policy,
}


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Put into the source of a page what it asks for."""
    for place, made in PLACES.items():
        if place in source[0]:
            source[0] = source[0].replace(place, made())


def changed(app: Sphinx, *_: object) -> list[str]:
    """Return the pages that are made anew in every build: what they ask for changes elsewhere."""
    return [
        page
        for page in app.env.found_docs
        if any(place in app.env.doc2path(page).read_text("utf-8") for place in PLACES)
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Return what Sphinx wants to know of the extension."""
    app.connect("source-read", fill)
    app.connect("env-get-outdated", changed)
    return {"parallel_read_safe": True}
