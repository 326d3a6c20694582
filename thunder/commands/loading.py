"""Groups of commands whose modules are loaded only when a command of theirs is named.

A command's module brings numpy, lists and rules with it; who asks for help, or for another
command, does not wait for them.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

if TYPE_CHECKING:
    from typer._click import Command, Context


class LoadingGroup(TyperGroup):
    """A group that knows some commands by name only; ``knowing`` makes one."""

    homes: ClassVar[Mapping[str, str]] = {}
    lines: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._found: dict[str, Command] = {}
        for name in self.homes:
            self.commands[name] = TyperCommand(name, help=self.lines.get(name))

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Return the command of this name, as far as a list of commands needs it."""
        return self.commands.get(cmd_name) if cmd_name in self.lines else self._loaded(cmd_name)

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        """Return the command that *args* begin with, loaded, and the rest of them."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, self._loaded(name) if name else command, rest

    def _loaded(self, name: str) -> "Command | None":
        if name not in self.homes:
            return self.commands.get(name)
        if name not in self._found:
            module, _, attribute = self.homes[name].partition(":")
            self._found[name] = command_of(name, getattr(import_module(module), attribute))
        return self._found[name]


def knowing(homes: Mapping[str, str], lines: Mapping[str, str] | None = None) -> type[LoadingGroup]:
    """Return the class of a group, for ``typer.Typer(cls=…)``, that loads commands when named.

    *homes* has the module and the function, or ``typer.Typer``, of each command by its name:
    ``thunder.commands.deid:deid``. *lines* has what a list of commands says of it; one without a
    line is loaded to be listed.
    """
    return type("_LoadingGroup", (LoadingGroup,), {"homes": homes, "lines": lines or {}})


def command_of(name: str, found: Any) -> "Command":
    """Return a function, or a group of commands that is a ``typer.Typer``, as a command."""
    if isinstance(found, typer.Typer):
        group = get_group(found)
        group.name = name
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name, help=_paragraphs(found.__doc__ or ""))(found)
    return get_command(alone)


def _paragraphs(docstring: str) -> str:
    """Return a docstring with a line a paragraph, which a terminal breaks as it likes."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(docstring))


def _validate_no_more_than_needed() -> None:
    """Let typer take a value that already is of its parameter's type as it is.

    To validate a text as a text it loads pydantic, which takes longer than showing a label does.
    Paths go to typer's own check of paths; what else has to be read (a number, one of several) is
    validated as ever. A typer that is made otherwise is left alone.
    """
    try:
        from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
        from typer._param_types import coerce_cli_path
    except ImportError:
        return

    class Plain(RuntimeParam):
        def _coerce_value(self, value: Any, param: Any, ctx: "Context") -> Any:
            own = self.parameter_info
            if not own.parser and type(value) is self.annotation:
                return value
            if not own.parser and self.annotation in (Path, list[Path]):
                check = partial(coerce_cli_path, parameter_info=own, path_type=Path)
                if self.annotation is Path:
                    return check(Path(value), param=param, ctx=ctx)
                return [check(Path(one), param=param, ctx=ctx) for one in value]
            return build_runtime_param(param.type_descriptor).coerce(value, param, ctx)

    def built(descriptor: TypeDescriptor) -> RuntimeParam:
        return Plain(descriptor.parameter_info, descriptor.annotation)

    vars(typer.core)["build_runtime_param"] = built


_validate_no_more_than_needed()


def _tell_help_in_the_language_of_messages() -> None:
    """Let every command put its help into the language of messages before it shows it."""

    def told(shown: Callable[..., None]) -> Callable[..., None]:
        def format_help(self: Any, ctx: "Context", formatter: Any) -> None:
            from thunder.commands.in_korean import tell_help

            tell_help(self, ctx)
            shown(self, ctx, formatter)

        return format_help

    def used(line: Callable[..., str]) -> Callable[..., str]:
        def get_usage(self: Any, ctx: "Context") -> str:
            from thunder.commands.in_korean import usage

            return usage(line(self, ctx))

        return get_usage

    for kind in (TyperCommand, TyperGroup):
        own: Any = kind  # typer has no other way to say it
        own.format_help = told(kind.format_help)
        own.get_usage = used(kind.get_usage)


_tell_help_in_the_language_of_messages()
