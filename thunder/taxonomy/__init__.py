"""What the labels are, and what the court rule does with them, read from ``taxonomy/``.

``load()`` gives the 729 labels with their ids, names and treatments, or those of a taxonomy of
one's own (``own`` says what becomes of a mention under one); ``profiles`` a profile of the rule
(``policy``: what stays readable), ``gazetteer`` places and firms known by name.
"""

from collections.abc import Sequence
from pathlib import Path

from thunder.settings.journal import Change
from thunder.settings.yamlfile import set_in_text, write_atomically
from thunder.taxonomy import messages as say
from thunder.taxonomy import own
from thunder.taxonomy.file import WRITTEN_ORDER, Reading, TaxonomyError
from thunder.taxonomy.records import TREATMENTS, Category, Label, Main, Subcategory, Taxonomy

__all__ = [
    "EDITABLE",
    "TREATMENTS",
    "Category",
    "Label",
    "Main",
    "Subcategory",
    "Taxonomy",
    "TaxonomyError",
    "forget_shipped",
    "load",
    "set_value",
    "value_set",
    "write",
]

EDITABLE = tuple(key for key in WRITTEN_ORDER if key not in ("id", "identifier"))


def load(folder: Path | None = None) -> Taxonomy:
    """Return the taxonomy of *folder*, the one this process works with (read once) without it.

    TaxonomyError lists everything wrong in the folder by file and line.
    """
    return own.chosen() if folder is None else Reading(folder).taxonomy()


def set_value(folder: Path, label: str, key: str, value: str | Sequence[str]) -> Path:
    """Return the file in which *key* of *label* now is *value*; only that line has changed.

    An empty value takes the key out; aliases are given as a list or between commas. Nothing
    is written where ``value_set`` raises. A new name leaves annotations behind:
    ``thunder.editing.edit.rename`` does not.
    """
    return write(value_set(folder, label, key, value))


def value_set(folder: Path, label: str, key: str, value: str | Sequence[str]) -> Change:
    """Return the change that ``set_value`` makes, once it has been read strictly.

    TaxonomyError where the taxonomy would be wrong afterwards, ValueError where the key is not
    one of EDITABLE or the file's layout would suffer, LookupError for an unknown label.
    """
    if key not in EDITABLE:
        raise ValueError(say.CANNOT_SET(key=key, known=", ".join(EDITABLE)))
    before = Reading(folder)
    place = before.places[before.taxonomy().label(label).id]
    with place.path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    new = _list(value) if key == "aliases" else str(value)
    changed = set_in_text(text, place.steps, key, new, order=WRITTEN_ORDER)
    Reading(folder, replaced={place.path: changed}).taxonomy()
    return Change(place.path, text.encode(), changed.encode())


def write(change: Change) -> Path:
    """Return the file that a change of ``value_set`` was written to."""
    write_atomically(change.path, (change.after or b"").decode())
    forget_shipped()
    return change.path


def forget_shipped() -> None:
    """Return once the taxonomy at work will be read anew: its files have changed."""
    own.forget()


def _list(value: str | Sequence[str]) -> list[str]:
    parts = value.split(",") if isinstance(value, str) else value
    return [part.strip() for part in parts if part.strip()]
