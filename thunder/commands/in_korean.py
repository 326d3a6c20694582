"""Help and usage errors in Korean: of what typer and the commands' code say in English.

``thunder/commands/korean/`` has a table a command (``taxonomy.tsv``): a paragraph or a line of
help in English as the code has it, a tab, the same in Korean. ``{name}`` stands for what differs
from case to case. They are read when help or an error is shown, not when a command runs. What has
a ``Message`` of its own is Korean before, and stays.
"""

import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from thunder.settings.messages import Message, language

if TYPE_CHECKING:
    from typer._click import Command, Context

TABLES = Path(__file__).with_name("korean")
_UsageError: Any = next(one for one in typer.BadParameter.__mro__ if one.__name__ == "UsageError")
_USAGE = Message(ko="사용법:", en="Usage:")
_WORDS = MappingProxyType(
    {
        "ARGUMENTS_PANEL_TITLE": Message(ko="인자", en="Arguments"),
        "OPTIONS_PANEL_TITLE": Message(ko="옵션", en="Options"),
        "COMMANDS_PANEL_TITLE": Message(ko="명령", en="Commands"),
        "ERRORS_PANEL_TITLE": Message(ko="오류", en="Error"),
        "ABORTED_TEXT": Message(ko="중단했습니다.", en="Aborted."),
        "DEPRECATED_STRING": Message(ko="(곧 없어짐) ", en="(deprecated) "),
        "DEFAULT_STRING": Message(ko="[기본값: {{}}]", en="[default: {{}}]"),
        "ENVVAR_STRING": Message(ko="[환경 변수: {{}}]", en="[env var: {{}}]"),
        "REQUIRED_LONG_STRING": Message(ko="[꼭 필요함]", en="[required]"),
        "RICH_HELP": Message(
            ko="도움말: [blue]{{command_path}} {{help_option}}[/]",
            en="Try [blue]'{{command_path}} {{help_option}}'[/] for help.",
        ),
    }
)
"""What typer itself says around help and errors, by the names it has for them."""


def korean(text: str) -> str:
    """Return English *text* of the commands in Korean, by paragraph; what has no row stays."""
    paragraphs = re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(text)).split("\n\n")
    return "\n\n".join(_line(one.strip()) for one in paragraphs)


def tell_help(command: "Command", context: "Context") -> None:
    """Let help of *command*, its options and the commands below be in the language of messages."""
    _tell_words()
    if language() == "en":
        return
    for told in (command, *_below(command, context), *command.get_params(context)):
        for name in ("help", "short_help", "epilog", "show_default"):
            if isinstance(text := getattr(told, name, None), str):
                setattr(told, name, korean(text))


def usage(said: str) -> str:
    """Return the line of usage with its first word in the language of messages."""
    return said.replace(_USAGE.en, _USAGE(), 1)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Let errors of usage that are raised here be told in the language of messages."""
    try:
        yield
    except _UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # it is the help, told above
            _tell_words()
            if language() == "ko":
                told = _error(error.format_message())
                vars(error)["format_message"] = lambda: told
        raise


def _tell_words() -> None:
    """Let typer say its own words in the language of messages, where rich shows them."""
    from typer import rich_utils

    for name, message in _WORDS.items():
        if hasattr(rich_utils, name):
            setattr(rich_utils, name, message())


def _below(command: "Command", context: "Context") -> Iterator["Command | None"]:
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            yield command.get_command(context, name)


def _line(text: str) -> str:
    rows, forms = _help()
    return rows.get(text) or _filled(text, forms) or text


def _error(text: str) -> str:
    """Return an error of usage in Korean, what is said inside it (``{why}``), too."""
    rows, forms = _errors()
    return rows.get(text) or _filled(text, forms) or text


def _filled(text: str, forms: Mapping[re.Pattern[str], str]) -> str:
    for form, told in forms.items():
        if found := form.fullmatch(text):
            facts = found.groupdict()
            if "why" in facts:
                facts["why"] = _error(facts["why"])
            return told.format(**facts)
    return ""


@cache
def _help() -> tuple[Mapping[str, str], Mapping[re.Pattern[str], str]]:
    tables = sorted(TABLES.glob("*.tsv"))
    return _parted([row for table in tables if table.stem != "usage_errors" for row in rows(table)])


@cache
def _errors() -> tuple[Mapping[str, str], Mapping[re.Pattern[str], str]]:
    return _parted(rows(TABLES / "usage_errors.tsv"))


def rows(table: Path) -> list[tuple[str, str]]:
    """Return the rows of a table: English and Korean."""
    lines = table.read_text(encoding="utf-8").splitlines()
    return [(english, told) for english, _, told in (line.partition("\t") for line in lines)]


def _parted(
    found: list[tuple[str, str]],
) -> tuple[Mapping[str, str], Mapping[re.Pattern[str], str]]:
    """Return rows of one wording, and those with places for what differs: the surest first."""

    def doubt(row: tuple[str, str]) -> tuple[bool, int]:
        return row[0].startswith("{"), -len(_PLACE.sub("", row[0]))

    fixed = {english: told for english, told in found if not _PLACE.search(english)}
    forms = sorted(set(found) - set(fixed.items()), key=doubt)
    return fixed, {form(english): told for english, told in forms}


_PLACE = re.compile(r"\{(\w+)\}")


def form(english: str) -> re.Pattern[str]:
    """Return the pattern of what is said with other facts in the places of *english*."""
    pieces = _PLACE.split(english)
    made = [
        f"(?P<{piece}>.+?)" if number % 2 else re.escape(piece)
        for number, piece in enumerate(pieces)
    ]
    return re.compile("".join(made), re.DOTALL)
