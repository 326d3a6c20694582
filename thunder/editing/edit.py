"""The edits of a taxonomy: each planned in memory, checked whole, and written all or not at all.

Every function returns an :class:`Edit`; :func:`write` puts it on disk. The ids of labels never
move. All of them raise LookupError for a label or category that is not there, ValueError (with
file and line where there is one) for what would be wrong afterwards.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from thunder.editing import messages as say
from thunder.editing import references
from thunder.editing.work import OWN_SOURCE, Edit, NewLabel, Spot, Work, label_lines
from thunder.settings import journal
from thunder.settings.journal import Change
from thunder.taxonomy import forget_shipped
from thunder.taxonomy.migrations import Part, Placed
from thunder.taxonomy.records import Label

__all__ = [
    "OWN_SOURCE",
    "Edit",
    "NewLabel",
    "Spot",
    "add",
    "merge",
    "move",
    "rename",
    "retire",
    "split",
    "write",
]


def add(folder: Path, new: NewLabel, spot: Spot, *, behind: str = "", today: str = "") -> Edit:
    """Return the edit that adds a label with the next free id to a category.

    It stands at the category's end, or behind the label called *behind*.
    """
    work = Work(folder, today)
    code, category = work.spot(spot)
    number = work.next_id()
    work.source(new.source)
    neighbour = work.neighbour(behind, code, category) if behind else 0
    work.put(
        label_lines(number, new, work.main_of(code)), code, category, spot.en, behind=neighbour
    )
    return work.edit("add", Placed(number, new.ko, work.at(code, category)))


def rename(folder: Path, label: str, new: str, *, en: str = "", today: str = "") -> Edit:
    """Return the edit that gives a label another name (and translation); the old one is an alias.

    What an omission is called in a judgment stays as it was.
    """
    work = Work(folder, today)
    old = work.label(label)
    if old.ko == new:
        raise ValueError(say.CALLED_THAT(name=old.ko))
    work.name(old, new)
    if en:
        work.draft.set_key(old.id, "en", en)
    return work.edit("rename", work.placed(old), to=new)


def merge(folder: Path, label: str, into: str, *, reason: str = "", today: str = "") -> Edit:
    """Return the edit that merges a label into another, which gets its names as aliases.

    Refused where the two are treated differently: mentions of one would be read otherwise.
    """
    work = Work(folder, today)
    gone, stays = work.label(label), work.label(into)
    _require_mergeable(gone, stays)
    references.refuse_homonym(work.draft, gone.ko)
    references.require_same_treatment(work.draft, gone.ko, stays.ko)
    references.rename(work.draft, gone.ko, stays.ko)
    if gone.omission != stays.omission:
        work.note(say.OMISSION_OF_BOTH(omission=stays.omission))
    work.note_code(gone.ko)
    placed, survivor = work.placed(gone), work.placed(stays)
    work.take_away(gone, reason or f"merged into {stays.ko}", successor=stays.id)
    work.draft.set_key(stays.id, "aliases", [*stays.aliases, gone.ko, *gone.aliases])
    return work.edit("merge", placed, into=survivor)


def split(
    folder: Path,
    label: str,
    first: str,
    others: Sequence[NewLabel],
    *,
    en: str = "",
    mentions: Mapping[str, Sequence[str]] | None = None,
    today: str = "",
) -> Edit:
    """Return the edit that splits a label: *first* keeps the id, *others* get new ones behind it.

    *first* may be the old name, *en* is its translation if that changes. The others are treated
    as the label is, and may be called as one of its aliases is. *mentions* says, by name, which
    mentions belong to one of them: ``thunder taxonomy migrate`` can decide those alone.
    """
    work = Work(folder, today)
    old = work.label(label)
    rules = _rules(mentions or {}, [other.ko for other in others])
    references.refuse_homonym(work.draft, old.ko)
    parts: list[Part] = []
    for other in others:
        behind = parts[-1].label.id if parts else old.id
        parts.append(work.part(old, other, rules.get(other.ko, ()), behind=behind))
    old = work.without_aliases(old, [name for one in others for name in (one.ko, *one.aliases)])
    references.copy(work.draft, old.ko, [other.ko for other in others])
    if first != old.ko:
        work.name(old, first)
    if en:
        work.draft.set_key(old.id, "en", en)
    work.note(say.STAY_WITH_FIRST(was=old.ko, first=first))
    return work.edit("split", work.placed(old), to=first, parts=tuple(parts), aliases=old.aliases)


def move(folder: Path, label: str, spot: Spot, *, today: str = "") -> Edit:
    """Return the edit that moves a label to another category, its comments with it."""
    work = Work(folder, today)
    old = work.label(label)
    code, category = work.spot(spot)
    if (code, category) == (old.code, old.category):
        raise ValueError(say.STANDS_THERE(name=old.ko, code=code, category=category))
    lines = work.draft.take_out(old.id)
    work.put(lines, code, category, spot.en)
    if work.main_of(code) != old.main:
        work.draft.set_key(old.id, "identifier", work.main_of(code))
    return work.edit("move", work.placed(old), to=work.at(code, category))


def retire(folder: Path, label: str, *, reason: str, today: str = "") -> Edit:
    """Return the edit that takes a label out; nothing takes over.

    Its names go to ``unmapped.yaml``: what is annotated with them still marks masked text.
    Refused while a policy, a cue or a homonym names it.
    """
    work = Work(folder, today)
    old = work.label(label)
    references.refuse_homonym(work.draft, old.ko)
    references.refuse_any(work.draft, old.ko)
    used = references.in_code(folder, old.ko)
    if used:
        raise ValueError(say.CODE_NAMES(place=used[0], name=old.ko))
    placed = work.placed(old)
    work.take_away(old, reason, successor=0)
    note = f"was label {old.id} until migration {work.number:04}"
    for name in (old.ko, *old.aliases):
        work.draft.add_to("unmapped.yaml", "names", {"name": name, "count": 0, "note": note})
    return work.edit("retire", placed, aliases=old.aliases, reason=reason)


def write(edit: Edit, more: Sequence[Change] = ()) -> None:
    """Return once an edit, and *more* changes beside it, are on disk: all of them, or none.

    ``journal.HalfApplied`` and ``journal.Conflict`` where that cannot begin.
    """
    journal.commit(edit.folder, [*edit.changes, *more], title=edit.migration.title)
    forget_shipped()


def _rules(
    mentions: Mapping[str, Sequence[str]], names: Sequence[str]
) -> Mapping[str, Sequence[str]]:
    """Return *mentions*, which must be of labels split off and of one each."""
    seen: dict[str, str] = {}
    for name, those in mentions.items():
        if name not in names:
            raise ValueError(say.LIST_OF_NONE(name=name, names=", ".join(names)))
        for mention in those:
            if seen.setdefault(mention, name) != name:
                raise ValueError(say.IN_TWO_LISTS(one=seen[mention], other=name))
    return mentions


def _require_mergeable(gone: Label, stays: Label) -> None:
    if gone.id == stays.id:
        raise ValueError(say.INTO_ITSELF(name=gone.ko))
    if gone.treatment != stays.treatment:
        raise ValueError(
            say.TREATED_OTHERWISE(
                gone=gone.ko, one=gone.treatment, stays=stays.ko, other=stays.treatment
            )
        )
