"""An edit of the taxonomy under way: the draft, the migrations before it, what both must say."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from thunder.editing import messages as say
from thunder.editing import references
from thunder.editing.draft import Draft
from thunder.settings import journal
from thunder.settings.journal import Change
from thunder.settings.yamlblocks import Value, item_lines
from thunder.taxonomy import migration_files
from thunder.taxonomy.file import WRITTEN_ORDER, list_places
from thunder.taxonomy.migrations import Migration, Part, Placed, misfits, names_digest
from thunder.taxonomy.records import Label

OWN_SOURCE = "own"
_OWN_SOURCE_TEXT = "added with thunder taxonomy"


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit as it would be: its migration, every file it changes, and what should be known.

    ``history`` are the migrations before it, ``places`` where the lists of each id stand after it.
    """

    folder: Path
    migration: Migration
    history: tuple[Migration, ...]
    changes: tuple[Change, ...]
    places: Mapping[int, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewLabel:
    """What a new label says; *omission* and *reason* only with the treatments that have them."""

    ko: str
    en: str
    treatment: str = "letter"
    source: str = OWN_SOURCE
    omission: str = ""
    reason: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A granular category, by name and, where the name is not enough, its subcategory's code.

    With *en*, the category is new, and stands at the end of its subcategory.
    """

    category: str
    code: str = ""
    en: str = ""


@dataclass
class Work:
    """A draft with the migrations before it, and what an edit needs of both."""

    folder: Path
    today: str = ""
    draft: Draft = field(init=False)
    history: tuple[Migration, ...] = field(init=False)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        journal.require_clear(self.folder)
        self.draft = Draft(self.folder)
        self.history = migration_files.read(self.folder)
        migration_files.require_fit(self.folder, self.history, self.draft.start.taxonomy)
        self.today = self.today or datetime.date.today().isoformat()
        self._given = self.draft.start.taxonomy.classes - 1
        self._sourced = False

    @property
    def number(self) -> int:
        return len(self.history) + 1

    def label(self, name: str) -> Label:
        taxonomy = self.draft.start.taxonomy
        is_id = name.isascii() and name.isdecimal()
        return taxonomy.by_id(int(name)) if is_id else taxonomy.label(name)

    def neighbour(self, name: str, code: str, category: str) -> int:
        """Return the id of a label of this category."""
        label = self.label(name)
        if (label.code, label.category) != (code, category):
            raise ValueError(
                say.STANDS_ELSEWHERE(name=label.ko, code=label.code, category=label.category)
            )
        return label.id

    def placed(self, label: Label) -> Placed:
        return Placed(label.id, label.ko, self.at(label.code, label.category))

    def at(self, code: str, category: str) -> str:
        return f"{self.draft.file_of(code).stem}/{category}"

    def note(self, text: str) -> None:
        self.notes.append(text)

    def note_code(self, name: str) -> None:
        """Say where the library names a label that will be called otherwise."""
        used = references.in_code(self.folder, name)
        if used:
            self.note(say.LIBRARY_NAMES(name=name, places=", ".join(used)))

    def next_id(self) -> int:
        self._given += 1
        return self._given

    def main_of(self, code: str) -> str:
        return next(sub.main for sub in self.draft.start.taxonomy.subcategories if sub.code == code)

    def spot(self, spot: Spot) -> tuple[str, str]:
        """Return the code and the category that are meant; LookupError unless there is one."""
        subs = self.draft.start.taxonomy.subcategories
        if spot.code and all(sub.code != spot.code for sub in subs):
            codes = ", ".join(sub.code for sub in subs)
            raise LookupError(say.NO_SUBCATEGORY(code=spot.code, codes=codes))
        found = [
            sub.code
            for sub in subs
            for category in sub.categories
            if category.ko == spot.category and spot.code in ("", sub.code)
        ]
        if spot.en:
            return self._new_spot(spot, found)
        if len(found) != 1:
            raise LookupError(_which(spot, found))
        return found[0], spot.category

    def _new_spot(self, spot: Spot, found: Sequence[str]) -> tuple[str, str]:
        if not spot.code:
            raise LookupError(say.WHICH_SUBCATEGORY(category=spot.category))
        if found:
            raise ValueError(say.HAS_CATEGORY(code=spot.code, category=spot.category))
        return spot.code, spot.category

    def source(self, source: str) -> None:
        """Have the source of labels of one's own among the taxonomy's."""
        known = self.draft.start.taxonomy.sources
        if source == OWN_SOURCE and source not in known and not self._sourced:
            self.draft.add_source(OWN_SOURCE, _OWN_SOURCE_TEXT)
            self._sourced = True

    def put(
        self, lines: Sequence[str], code: str, category: str, en: str, *, behind: int = 0
    ) -> None:
        if en:
            self.draft.put_category(code, category, en, lines)
        else:
            self.draft.put_in(code, category, lines, behind=behind)

    def without_aliases(self, label: Label, names: Sequence[str]) -> Label:
        """Return a label that has given up the aliases among *names*: they are other labels'."""
        kept = tuple(alias for alias in label.aliases if alias not in names)
        if kept != label.aliases:
            self.draft.set_key(label.id, "aliases", kept)
        return replace(label, aliases=kept)

    def name(self, label: Label, new: str) -> None:
        """Give a label another name, everywhere the taxonomy's files say the old one."""
        references.refuse_homonym(self.draft, label.ko)
        references.rename(self.draft, label.ko, new)
        self.note_code(label.ko)
        others = [alias for alias in label.aliases if alias != new]
        self.draft.set_key(label.id, "ko", new)
        self.draft.set_key(label.id, "aliases", [label.ko, *others])
        if label.treatment == "omission" and label.omission == label.ko:
            self.draft.set_key(label.id, "omission", label.ko)
            self.note(say.STILL_SAY(name=label.ko))

    def part(self, old: Label, new: NewLabel, mentions: Sequence[str], *, behind: int) -> Part:
        """Put a label that is split off behind the one it comes from."""
        self.source(new.source)
        number = self.next_id()
        same = NewLabel(
            *(new.ko, new.en, old.treatment, new.source),
            omission=old.omission,
            reason=old.reason,
            note=new.note,
            aliases=new.aliases,
        )
        lines = label_lines(number, same, old.identifier)
        self.draft.put_in(old.code, old.category, lines, behind=behind)
        return Part(Placed(number, new.ko, self.at(old.code, old.category)), tuple(mentions))

    def take_away(self, label: Label, reason: str, *, successor: int) -> None:
        lines = self.draft.take_out(label.id)
        self.draft.retire(label, reason=reason, successor=successor, lines=lines)

    def edit(
        self,
        operation: str,
        label: Placed,
        *,
        to: str = "",
        into: Placed | None = None,
        parts: tuple[Part, ...] = (),
        aliases: tuple[str, ...] = (),
        reason: str = "",
    ) -> Edit:
        """Return the edit as it stands, once the taxonomy has been read strictly."""
        self.draft.count_up()
        after, places = self.draft.read()
        before = names_digest(self.draft.start.taxonomy)
        migration = Migration(
            number=self.number,
            date=self.today,
            operation=operation,
            label=label,
            version=after.version,
            before=before,
            after=names_digest(after),
            to=to,
            into=into,
            parts=parts,
            aliases=aliases,
            reason=reason,
        )
        for _, _, message in misfits([*self.history, migration]):
            raise ValueError(message)
        self.draft.record(migration)
        return Edit(
            *(self.folder, migration, self.history, tuple(self.draft.changes())),
            places=list_places(after, places),
            notes=tuple(self.notes),
        )


def label_lines(number: int, new: NewLabel, identifier: str) -> list[str]:
    """Return a new label as lines of its file."""
    said: dict[str, Value] = {
        **{"id": number, "ko": new.ko, "en": new.en, "identifier": identifier},
        **{"treatment": new.treatment, "omission": new.omission, "reason": new.reason},
        **{"source": new.source, "note": new.note, "aliases": new.aliases},
    }
    return item_lines({key: said[key] for key in WRITTEN_ORDER if said.get(key)})


def _which(spot: Spot, found: Sequence[str]) -> str:
    if found:
        return say.TWO_CATEGORIES(codes=", ".join(found), category=spot.category)
    where = say.IN_CODE(code=spot.code) if spot.code else ""
    return say.NO_CATEGORY(category=spot.category, where=where)
