"""What a user has settled for all commands: one file, and variables of the environment over it.

The file is the first of these that is there, never two of them together:

1. the one that the variable ``THUNDER_SETTINGS`` names, which has to be there;
2. ``thunder.toml`` in the working folder;
3. ``thunder/thunder.toml`` in ``$XDG_CONFIG_HOME`` (``~/.config`` without).

It is TOML, read as strictly as a training's (``thunder.settings.config``), and may hold::

    language = "en"          # of messages: ko (the default) or en
    profile = "strict"       # what stays readable
    model = "mini-free"      # the tagger: a shipped one, a folder, or none
    recall = 0.99            # what thresholds are for, from 0.9 to 0.999

    [places]                 # data of one's own; a relative path starts at the file's folder
    taxonomy = "taxonomy"    # labels, policy, cues, patterns, laid over the shipped ones
    lists = "lists"          # replacement lists

    [data]                   # what is trained and measured on (thunder.settings.data)
    root = "/scratch/data"   # public data; without it: data

``THUNDER_LANGUAGE``, ``THUNDER_PROFILE``, ``THUNDER_MODEL``, ``THUNDER_RECALL``,
``THUNDER_TAXONOMY``, ``THUNDER_LISTS`` and ``THUNDER_DATA`` (the root) go before the file, an
option before both. The commands read this; Python calls do not, unless they ask:
``thunder.Deidentifier.with_settings()``.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from thunder.settings import config_messages as say
from thunder.settings.config import ConfigError, from_table, parse
from thunder.settings.data import PREFIX, Data

FILE = "thunder.toml"
NAMED = "THUNDER_SETTINGS"


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of data of one's own; None: the shipped ones."""

    taxonomy: Path | None = None
    lists: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What is settled; None: what the command takes without settings."""

    language: Literal["ko", "en"] = "ko"
    profile: str | None = None
    model: str | None = None
    recall: float | None = None
    places: Places = field(default_factory=Places)
    data: Data = field(default_factory=Data)

    def __post_init__(self) -> None:
        if self.recall is not None and not 0.9 <= self.recall <= 0.999:
            raise ValueError(say.RECALL_RANGE(given=self.recall))

    def values(self) -> dict[str, Any]:
        """Return every value by its name; places by their own, of the data their root."""
        tables = ("places", "data")
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in tables}
        places = {one.name: getattr(self.places, one.name) for one in fields(Places)}
        return own | places | {"data": self.data.root}


NAMES = tuple(Settings().values())


class Effective(NamedTuple):
    """The settings that hold, and where each that is set comes from: a file's line, a variable."""

    settings: Settings
    origins: Mapping[str, str]
    file: Path | None


def read(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Effective:
    """Return the settings that hold in *folder* (the working one) under *environment*.

    ConfigError names the file, the line or the variable, what is wrong, and what may stand there.
    """
    given = os.environ if environment is None else environment
    file = _file(given, folder or Path())
    settings, origins = _of_file(file) if file else (Settings(), {})
    for name in NAMES:
        variable = f"THUNDER_{name.upper()}"
        if value := given.get(variable):
            settings = _over(settings, name, value, variable)
            origins[name] = variable
    return Effective(settings, origins, file)


def likely_language(
    environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Literal["ko", "en"]:
    """Return the language that settings ask for which may be wrong: for what is said of that."""
    given = os.environ if environment is None else environment
    wanted = given.get("THUNDER_LANGUAGE")
    if not wanted:
        try:
            file = _file(given, folder or Path())
            text = file.read_text(encoding="utf-8") if file else ""
        except (ConfigError, OSError, UnicodeDecodeError):
            return "ko"
        found = re.search(r"^language[ \t]*=[ \t]*[\"'](\w+)[\"']", text, re.M)
        wanted = found[1] if found else "ko"
    return "en" if wanted == "en" else "ko"


def resolved(path: Path) -> Path:
    """Return *path*; where it is ``data:NAME``, what the settings that hold here say of NAME.

    ValueError where there is no such name; ConfigError where the settings cannot be read.
    """
    text = str(path)
    if not text.startswith(PREFIX):
        return path
    return read().settings.data.path(text.removeprefix(PREFIX))


def _file(environment: Mapping[str, str], folder: Path) -> Path | None:
    if named := environment.get(NAMED):
        if not Path(named).is_file():
            raise ConfigError(say.NO_FILE(variable=NAMED, named=named))
        return Path(named)
    home = environment.get("XDG_CONFIG_HOME") or os.path.join(
        environment.get("HOME", ""), ".config"
    )
    places = (folder / FILE, Path(home) / "thunder" / FILE)
    return next((place for place in places if place.is_file()), None)


def _of_file(path: Path) -> tuple[Settings, dict[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(say.UNREADABLE(path=path, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise ConfigError(say.NOT_UTF8(path=path)) from None
    try:
        settings = parse(text, Settings, origin=str(path))
    except ConfigError as error:
        raise ConfigError(_with_line(str(error), path, text)) from None
    own = settings.places
    at_home = {
        one.name: path.parent / place for one in fields(own) if (place := getattr(own, one.name))
    }
    data = settings.data
    if data.root:
        data = replace(data, root=path.parent / data.root)
    settings = replace(settings, places=replace(own, **at_home), data=data)
    lines = {name: _line_of(text, "root" if name == "data" else name) for name in NAMES}
    return settings, {name: f"{path}:{line}" for name, line in lines.items() if line}


def _with_line(message: str, path: Path, text: str) -> str:
    """Return *message* with the line of the key that it quotes first."""
    quoted = re.search(r"'([^']+)'", message.removeprefix(f"{path}: "))
    line = _line_of(text, quoted[1]) if quoted else 0
    return f"{path}:{line}: {message.removeprefix(f'{path}: ')}" if line else message


def _line_of(text: str, key: str) -> int:
    """Return the line, from 1, on which *key* is set; 0 where it is not."""
    found = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", text, re.M)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _over(settings: Settings, name: str, value: str, variable: str) -> Settings:
    """Return *settings* with what a variable of the environment says."""
    plain: Any = value
    if name == "data":
        return replace(settings, data=replace(settings.data, root=Path(value).absolute()))
    if name == "recall":
        try:
            plain = float(value)
        except ValueError:
            raise ConfigError(say.RECALL_NUMBER(variable=variable, given=value)) from None
    if name in (one.name for one in fields(Places)):
        return replace(settings, places=replace(settings.places, **{name: Path(value)}))
    own = getattr(from_table({name: plain}, Settings, origin=variable), name)
    return replace(settings, **{name: own})
