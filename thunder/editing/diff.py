"""What differs between two taxonomies, label by label; labels are the same by their ids."""

from collections.abc import Iterator
from typing import NamedTuple

from thunder.taxonomy.records import Label, Taxonomy

KINDS = ("added", "retired", "renamed", "moved", "translation", "treatment", "aliases", "heading")
_VALUES = (("translation", "en"), ("treatment", "treatment"), ("treatment", "omission"))


class Difference(NamedTuple):
    """One difference: of which kind, of which label (by its newer name), was and is."""

    kind: str
    label: str
    was: str
    now: str


def differences(old: Taxonomy, new: Taxonomy) -> list[Difference]:
    """Return what differs, in the order of KINDS and of the ids."""
    before, after = ({label.id: label for label in one} for one in (old, new))
    found = [_added(label) for number, label in after.items() if number not in before]
    found += [_retired(label, new) for number, label in before.items() if number not in after]
    for number in sorted(before.keys() & after.keys()):
        found += _changes(before[number], after[number])
    found += _headings(old, new)
    return sorted(found, key=lambda one: KINDS.index(one.kind))


def _added(label: Label) -> Difference:
    return Difference("added", _name(label), "", f"{_place(label)}, {label.treatment}")


def _retired(label: Label, new: Taxonomy) -> Difference:
    heir = new.successor(label.id)
    return Difference("retired", _name(label), _place(label), f"→ {_name(heir)}" if heir else "")


def _changes(old: Label, new: Label) -> Iterator[Difference]:
    name = _name(new)
    if old.ko != new.ko:
        yield Difference("renamed", name, old.ko, new.ko)
    if _place(old) != _place(new):
        yield Difference("moved", name, _place(old), _place(new))
    for kind, key in _VALUES:
        was, now = getattr(old, key), getattr(new, key)
        # Without a key of its own, an omission is called as the label is.
        if was != now and not (key == "omission" and (was, now) == (old.ko, new.ko)):
            yield Difference(kind, name, was, now)
    gone, come = set(old.aliases) - set(new.aliases), set(new.aliases) - set(old.aliases)
    if gone or come:
        yield Difference("aliases", name, ", ".join(sorted(gone)), ", ".join(sorted(come)))


def _headings(old: Taxonomy, new: Taxonomy) -> Iterator[Difference]:
    """Yield the subcategories and categories that are new, gone, or translated otherwise."""
    before, after = _translations(old), _translations(new)
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield Difference("heading", name, before.get(name, ""), after.get(name, ""))


def _translations(taxonomy: Taxonomy) -> dict[str, str]:
    found = {}
    for sub in taxonomy.subcategories:
        found[f"{sub.code} {sub.ko}"] = sub.en
        found |= {f"{sub.code} {category.ko}": category.en for category in sub.categories}
    return found


def _name(label: Label) -> str:
    return f"{label.ko} ({label.id})"


def _place(label: Label) -> str:
    return f"{label.code} {label.category}"
