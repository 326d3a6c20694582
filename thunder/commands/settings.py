"""The command ``thunder settings``, and what the settings are to the other commands."""

from collections.abc import Mapping
from typing import Any

from thunder.settings import config_messages as say
from thunder.settings import user


class _EveryCommand(dict[str, Any]):
    """The same defaults for every command of a group."""

    def __init__(self, defaults: Mapping[str, Any]) -> None:
        super().__init__()
        self._defaults = defaults

    def get(self, name: str, default: Any = None) -> Any:
        return default if name == "help" else self._defaults  # the group's own only option


def defaults(settings: user.Settings) -> dict[str, Any]:
    """Return what options are when they are not given, by command, as typer takes it."""
    taxonomy, lists = settings.places.taxonomy, settings.places.lists
    labels = _EveryCommand({"folder": taxonomy, "lists": lists})
    made = _EveryCommand({"taxonomy": taxonomy, "lists": lists})
    return {
        "deid": {
            "profile": settings.profile,
            "model": settings.model,
            "recall": settings.recall,
            "taxonomy": taxonomy,
        },
        "taxonomy": labels,
        "annotation": labels,
        "lists": _EveryCommand({"folder": lists, "taxonomy": taxonomy}),
        "patterns": _EveryCommand({"taxonomy": taxonomy}),
        "dataset": made,
        "tagger": made,
        "data": _EveryCommand({"root": settings.data.folder, "taxonomy": taxonomy}),
        "evaluate": {"taxonomy": taxonomy, "lists": lists},
    }


def settings() -> None:
    """Show the settings that hold here, and where each comes from.

    A file (thunder.toml in this folder, or ~/.config/thunder/thunder.toml, or the one that
    THUNDER_SETTINGS names), over it the environment (THUNDER_LANGUAGE …), over it options.
    """
    from thunder.commands.tables import console, new_table

    found = user.read()
    table = new_table(say.SETTING(), say.VALUE(), say.FROM())
    for name, value in found.settings.values().items():
        shown = "-" if value is None else str(value)
        table.add_row(name, shown, found.origins.get(name, say.DEFAULT()))
    console().print(table)
