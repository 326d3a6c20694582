"""TOML files as frozen dataclasses, strictly: what is unknown, mistyped or impossible is named.

A run's settings are nested dataclasses; a TOML table is a dataclass, an array of tables a tuple
of them. A class checks its own values in ``__post_init__`` and raises ValueError; the file and
the table are put in front here::

    pretrain/configs/370m.toml: [optimizer] unknown key 'weight_decy'; did you mean 'weight_decay'?
"""

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from thunder.settings import config_messages as say

Settings = TypeVar("Settings")

_NAMES = {
    bool: say.BOOL,
    int: say.INT,
    float: say.FLOAT,
    str: say.STR,
    Path: say.PATH,
    type(None): say.NOTHING,
}


class ConfigError(ValueError):
    """A configuration that cannot be used; the text names the file, the key and the cure."""


def load(path: Path, kind: type[Settings], *, changes: Sequence[str] = ()) -> Settings:
    """Return the TOML file *path* as a *kind*, with *changes* (``table.key=value``) over it.

    ConfigError names what is wrong, with the file. A value of a change is TOML; what is no TOML
    is taken as a text, so that ``corpus.folder=/data/32k`` needs no quotes.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(say.UNREADABLE(path=path, why=error.strerror)) from None
    except UnicodeDecodeError:
        raise ConfigError(say.NOT_UTF8(path=path)) from None
    return parse(text, kind, origin=str(path), changes=changes)


def parse(text: str, kind: type[Settings], *, origin: str, changes: Sequence[str] = ()) -> Settings:
    """Return TOML *text* as a *kind*; *origin* is the name that errors give it."""
    import tomllib  # here, as every command loads this module and few have a file to read

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(say.NOT_TOML(origin=origin, why=error)) from None
    for change in changes:
        _change(table, change, origin)
    return from_table(table, kind, origin=origin)


def from_table(table: Mapping[str, Any], kind: type[Settings], *, origin: str) -> Settings:
    """Return a plain table (of TOML or JSON) as a *kind*; ConfigError as in ``load``."""
    made: Settings = _record(dict(table), kind, origin, "")
    return made


def as_table(settings: Any) -> dict[str, Any]:
    """Return settings as a plain table that JSON can hold; ``from_table`` reads it back."""
    return {
        field.name: _plain(getattr(settings, field.name))
        for field in dataclasses.fields(settings)
        if getattr(settings, field.name) is not None
    }


def require(holds: bool, problem: str) -> None:
    """Raise ValueError(*problem*) unless it *holds*: for the ``__post_init__`` of settings."""
    if not holds:
        raise ValueError(problem)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return as_table(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _change(table: dict[str, Any], change: str, origin: str) -> None:
    """Set one ``a.b.0.c=value`` in the table; a number counts the tables of an array from 0."""
    key, equals, value = change.partition("=")
    if not equals or not key.strip():
        raise ConfigError(say.CHANGE_FORM(origin=origin, change=change))
    *tables, last = key.strip().split(".")
    place: Any = table
    for name in tables:
        place = _inside(place, name, change, origin)
    if not isinstance(place, dict):
        raise ConfigError(say.CHANGE_NO_KEY(origin=origin, change=change))
    place[last] = _toml_value(value.strip())


def _inside(place: Any, name: str, change: str, origin: str) -> Any:
    if isinstance(place, dict):
        return place.setdefault(name, {})
    if isinstance(place, list) and name.isdigit() and int(name) < len(place):
        return place[int(name)]
    raise ConfigError(say.CHANGE_NO_TABLE(origin=origin, change=change, name=name))


def _toml_value(text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _record(table: dict[str, Any], kind: type[Any], origin: str, place: str) -> Any:
    """Return *table* as the dataclass *kind*; *place* is the dotted name of the table."""
    types_of = typing.get_type_hints(kind)
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    where = f"{origin}: [{place}] " if place else f"{origin}: "
    for key in table:
        if key not in fields:
            raise ConfigError(_unknown(where, key, fields))
    missing = [name for name, field in fields.items() if name not in table and _needed(field)]
    if missing:
        raise ConfigError(say.MISSING(where=where, names=", ".join(map(repr, missing))))
    values = {
        key: _value(one, types_of[key], where, _dotted(place, key), origin)
        for key, one in table.items()
    }
    try:
        return kind(**values)
    except ConfigError:
        raise
    except ValueError as error:
        raise ConfigError(f"{where}{error}") from None


def _needed(field: "dataclasses.Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _unknown(where: str, key: str, known: Mapping[str, Any]) -> str:
    facts = {"where": where, "key": key, "known": ", ".join(known)}
    near = difflib.get_close_matches(key, known, n=1)
    return say.UNKNOWN_NEAR(near=near[0], **facts) if near else say.UNKNOWN(**facts)


def _dotted(place: str, key: str | int) -> str:
    return f"{place}.{key}" if place else str(key)


def _value(value: Any, kind: Any, where: str, place: str, origin: str) -> Any:
    """Return one value as what its annotation *kind* says."""
    plain = _simple(value, kind)
    if plain is not MISSING:
        return plain
    origin_of, inside = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _record(value, typing.cast("type[Any]", kind), origin, place)
    if origin_of in (Union, types.UnionType):
        return _one_of(value, inside, where, place, origin)
    if origin_of is tuple and isinstance(value, list):
        return _tuple(value, inside, where, place, origin)
    if origin_of in (dict, Mapping) and isinstance(value, dict):
        return {
            key: _value(one, inside[1], where, _dotted(place, key), origin)
            for key, one in value.items()
        }
    key = place.rsplit(".", 1)[-1]
    raise ConfigError(_unlike(where, key, _called(kind), value))


def _simple(value: Any, kind: Any) -> Any:
    """Return a value of a plain type, or MISSING where it is not of that type."""
    if get_origin(kind) is Literal:
        return value if value in get_args(kind) else MISSING
    if kind is float and type(value) is int:
        return float(value)
    if kind is Path and isinstance(value, str) and value:
        return Path(value)
    if kind in (bool, int, float, str) and type(value) is kind:
        return value
    return MISSING


def _one_of(value: Any, kinds: tuple[Any, ...], where: str, place: str, origin: str) -> Any:
    choices = [kind for kind in kinds if kind is not type(None)]
    if len(choices) == 1:
        return _value(value, choices[0], where, place, origin)
    for kind in choices:
        plain = _simple(value, kind)
        if plain is not MISSING:
            return plain
    called = say.OR().join(_called(kind) for kind in choices)
    key = place.rsplit(".", 1)[-1]
    raise ConfigError(_unlike(where, key, called, value))


def _tuple(
    value: list[Any], inside: tuple[Any, ...], where: str, place: str, origin: str
) -> tuple[Any, ...]:
    """Return a list as ``tuple[X, ...]`` or as a tuple of a fixed length."""
    if len(inside) == 2 and inside[1] is Ellipsis:
        kinds = [inside[0]] * len(value)
    elif len(inside) == len(value):
        kinds = list(inside)
    else:
        key = place.rsplit(".", 1)[-1]
        raise ConfigError(
            say.NUMBER_OF_VALUES(where=where, key=key, wanted=len(inside), given=len(value))
        )
    return tuple(
        _value(one, kind, where, _dotted(place, number), origin)
        for number, (one, kind) in enumerate(zip(value, kinds, strict=True))
    )


def _unlike(where: str, key: str, wanted: str, value: Any) -> str:
    return say.NOT_OF_KIND(where=where, key=key, wanted=wanted, given=_shown(value))


def _called(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return say.ONE_OF(choices=", ".join(map(repr, get_args(kind))))
    if get_origin(kind) is tuple:
        return say.A_LIST()
    if dataclasses.is_dataclass(kind) or get_origin(kind) in (dict, Mapping):
        return say.A_TABLE()
    return _NAMES[kind]() if kind in _NAMES else str(kind)


def _shown(value: Any) -> str:
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
