"""A taxonomy of one's own under a library that knows labels by the names they shipped with.

The recognisers, the patterns and the shipped taggers call a label what it was called when they were
written or trained. So what finds mentions works with ``working()``: the shipped labels as they
shipped, and the new ones. What decides on them works with ``ruling()``: one's own labels, found
under the shipped names, too. An id says which is which. So an edit changes what is done with a
mention and what it is called, never whether it is found:

- renamed, moved, translated: found as ever, and called by the new name;
- merged: found as ever, treated and called as the label that took it over;
- split: found as the label that kept the id; a pattern, a list or training finds the others;
- added: only a pattern or a tagger that has learnt it finds it;
- retired: found as ever and left readable, with that reason.

Without a taxonomy of one's own both are the shipped one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from thunder.settings import resources
from thunder.taxonomy import messages as say
from thunder.taxonomy.file import Reading
from thunder.taxonomy.records import Category, Label, Subcategory, Taxonomy

RETIRED = "폐지한 라벨"
"""Why a mention of a retired label stays readable."""


def working() -> Taxonomy:
    """Return the labels by which mentions are found: as they shipped, and those added since."""
    return _both()[0] if resources.own_taxonomy() else _own()


def ruling() -> Taxonomy:
    """Return the labels by which mentions are treated and called: one's own."""
    return _both()[1] if resources.own_taxonomy() else _own()


def shipped() -> Taxonomy:
    """Return the labels that shipped, whatever was chosen."""
    return _read_shipped() if resources.own_taxonomy() else _own()


def name_of(found: str) -> str:
    """Return what the label is called that a mention was found as."""
    return ruling().label(found).ko if resources.own_taxonomy() else found


def chosen() -> Taxonomy:
    """Return the taxonomy this process works with as its folder has it, and nothing else."""
    return _own()


def forget() -> None:
    """Return once all will be read anew: files have changed."""
    for one in (_own, _read_shipped, _both):
        one.cache_clear()


@lru_cache(maxsize=1)
def _own() -> Taxonomy:
    return Reading(resources.taxonomy()).taxonomy()


@lru_cache(maxsize=1)
def _read_shipped() -> Taxonomy:
    return Reading(resources.folder(resources.TAXONOMY)).taxonomy()


@lru_cache(maxsize=1)
def _both() -> tuple[Taxonomy, Taxonomy]:
    return worked_with(_read_shipped(), _own()), ruled_by(_read_shipped(), _own())


def worked_with(shipped: Taxonomy, own: Taxonomy) -> Taxonomy:
    """Return *shipped* with the labels that *own* has added; *own* names are aliases.

    ValueError where a new label has the name of a shipped one: nobody could tell them apart.
    """
    new = [label for label in own if label.id >= shipped.classes]
    taken = {name for label in new for name in (label.ko, *label.aliases)}
    for label in shipped:
        if label.ko in taken:
            raise ValueError(say.NAME_SHIPPED(name=label.ko, number=label.id))
    changed = {}
    for label in shipped:
        mine = next((one for one in own if one.id == label.id), None)
        more = (mine.ko, *mine.aliases) if mine else ()
        unknown = [name for name in more if not shipped.knows(name)]
        aliases = tuple(name for name in (*label.aliases, *unknown) if name not in taken)
        if aliases != label.aliases:
            changed[label.id] = replace(label, aliases=aliases)
    later = {number: name for number, name in own.retired.items() if number >= shipped.classes}
    heirs = {number: heir for number, heir in own.successors.items() if number in later}
    return replace(
        _with(shipped, changed, new),
        unmapped={name: n for name, n in shipped.unmapped.items() if name not in taken},
        retired={**shipped.retired, **later},
        successors={**shipped.successors, **heirs},
    )


def ruled_by(shipped: Taxonomy, own: Taxonomy) -> Taxonomy:
    """Return *own* with every shipped name among the aliases, and what was retired as kept."""
    known = {name for label in own for name in (label.ko, *label.aliases)}
    changed: dict[int, Label] = {}
    gone: list[Label] = []
    for label in shipped:
        names = [name for name in (label.ko, *label.aliases) if name not in known]
        heir = own.successor(label.id)
        if heir is None:
            gone.append(replace(label, treatment="keep", reason=RETIRED, aliases=tuple(names[1:])))
        elif names:
            mine = changed.get(heir.id, heir)
            changed[heir.id] = replace(mine, aliases=(*mine.aliases, *names))
    return _with(own, changed, gone)


def _with(taxonomy: Taxonomy, changed: Mapping[int, Label], new: Iterable[Label]) -> Taxonomy:
    """Return *taxonomy* with some labels changed by id, and *new* ones in their categories."""
    waiting = list(new)
    subcategories = []
    for sub in taxonomy.subcategories:
        mine = [label for label in waiting if label.code == sub.code]
        categories = [
            Category(
                one.ko,
                one.en,
                (
                    *(changed.get(label.id, label) for label in one.labels),
                    *(label for label in mine if label.category == one.ko),
                ),
            )
            for one in sub.categories
        ]
        known = {one.ko for one in sub.categories}
        for name in dict.fromkeys(label.category for label in mine if label.category not in known):
            inside = tuple(label for label in mine if label.category == name)
            categories.append(Category(name, name, inside))
        subcategories.append(replace(sub, categories=tuple(categories)))
    codes = {sub.code for sub in taxonomy.subcategories}
    for code in dict.fromkeys(label.code for label in waiting if label.code not in codes):
        inside = tuple(label for label in waiting if label.code == code)
        category = Category(inside[0].category, inside[0].category, inside)
        head = inside[0]
        subcategories.append(
            Subcategory(code, head.main, head.subcategory, head.subcategory, (category,))
        )
    return replace(taxonomy, subcategories=tuple(subcategories))
