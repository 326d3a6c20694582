"""Reading a taxonomy folder strictly: one pass, which collects everything that is wrong."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.settings import journal
from thunder.settings.yamlfile import Problem, Reader, YamlFileError, line_of
from thunder.taxonomy import messages as say
from thunder.taxonomy.records import TREATMENTS, Category, Label, Main, Subcategory, Taxonomy

LABEL_REQUIRED = ("id", "ko", "en", "identifier", "treatment", "source")
LABEL_OPTIONAL = ("omission", "reason", "as_printed", "note", "aliases")
TOP_KEYS = ("version", "main", "sources", "files")
MAIN_KEYS = ("code", "ko", "en")
FILE_KEYS = ("code", "main", "ko", "en", "categories")
CATEGORY_KEYS = ("ko", "en", "labels")
RETIRED_REQUIRED, RETIRED_OPTIONAL = ("id", "ko", "reason"), ("successor",)
UNMAPPED_KEYS = ("names", "homonyms")
NAME_REQUIRED, NAME_OPTIONAL = ("name", "count"), ("note",)
HOMONYM_REQUIRED, HOMONYM_OPTIONAL = ("name", "label"), ("note",)
WRITTEN_ORDER = (
    *("id", "ko", "en", "identifier", "treatment", "omission", "reason"),
    *("source", "as_printed", "note", "aliases"),
)


class TaxonomyError(YamlFileError):
    """Everything wrong with a taxonomy folder, a line each: ``file:line: what``."""


class Place(NamedTuple):
    """Where a label stands: its file, line, and the steps from the top to it."""

    path: Path
    line: int
    steps: tuple[str | int, ...]


class Reading:
    """One pass over a folder, which collects what is wrong instead of stopping at it.

    ``places`` says where each id stands; ``replaced`` holds texts to read instead of files.
    """

    def __init__(self, folder: Path, *, replaced: Mapping[Path, str] | None = None) -> None:
        self.folder = folder
        self.replaced = replaced or {}
        self.readers: list[Reader] = []
        self.places: dict[int, Place] = {}
        self.names: dict[str, str] = {}
        self.label_names: list[str] = []
        self.headings: dict[tuple[str, str], str] = {}
        self.sources: dict[str, str] = {}
        self.mains: tuple[Main, ...] = ()
        self.retired: dict[int, str] = {}
        self.successors: dict[int, int] = {}
        self.heirs: list[tuple[int, Node]] = []

    def taxonomy(self) -> Taxonomy:
        """Return the folder's taxonomy; TaxonomyError with all problems of all files."""
        journal.require_clear(self.folder)
        top = self.open("taxonomy.yaml")
        found = top.mapping(top.root, required=TOP_KEYS)
        version = top.integer(found.get("version"))
        self.mains = tuple(self.main(top, node) for node in top.sequence(found.get("main")))
        self.sources = {
            key: top.text(node) for key, node in top.mapping(found.get("sources")).items()
        }
        self.retired = self.read_retired()
        subcategories = [self.subcategory(name) for name in self.files(top, found.get("files"))]
        is_sound = not any(reader.problems for reader in self.readers)
        unmapped, homonyms = self.read_unmapped(is_sound=is_sound)
        self.raise_unreadable()
        if is_sound:  # else labels that could not be read would be missing there, too
            self.check_gaps()
            self.check_successors()
        self.raise_problems()
        return Taxonomy(
            version,
            self.mains,
            tuple(subcategories),
            self.sources,
            unmapped,
            homonyms,
            self.retired,
            self.successors,
        )

    def open(self, name: str) -> Reader:
        path = self.folder / name
        self.readers.append(Reader(path, text=self.replaced.get(path)))
        return self.readers[-1]

    def raise_problems(self) -> None:
        problems: list[Problem] = [p for reader in self.readers for p in reader.problems]
        if problems:
            raise TaxonomyError(problems)

    def raise_unreadable(self) -> None:
        """Raise what keeps files from being read at all: else every label of theirs is missing."""
        unread = [p for reader in self.readers if reader.is_broken for p in reader.problems]
        if unread:
            raise TaxonomyError(unread)

    def main(self, reader: Reader, node: Node) -> Main:
        found = reader.mapping(node, required=MAIN_KEYS)
        code = reader.text(found.get("code"), choices=("direct", "quasi"))
        self.claim_heading(reader, found.get("code"), say.MAIN_CATEGORY(), code)
        return Main(code, reader.text(found.get("ko")), reader.text(found.get("en")))

    def files(self, reader: Reader, node: Node | None) -> list[str]:
        names = reader.texts(node)
        for item, name in zip(reader.sequence(node), names, strict=True):
            self.claim_heading(reader, item, say.FILE(), name)
        present = {f"labels/{path.name}" for path in (self.folder / "labels").glob("*.yaml")}
        for name in sorted(present - set(names)):
            reader.refuse(node or 1, say.NOT_AMONG_FILES(name=name))
        return list(dict.fromkeys(names))

    def subcategory(self, name: str) -> Subcategory:
        reader = self.open(name)
        found = reader.mapping(reader.root, required=FILE_KEYS)
        code = reader.text(found.get("code"))
        main = reader.text(found.get("main"), choices=[main.code for main in self.mains])
        ko, en = self.heading(reader, found, say.SUBCATEGORY())
        self.claim_heading(reader, found.get("code"), say.CODE(), code)
        parents = {"code": code, "main": main, "subcategory": ko}
        categories = tuple(
            self.category(reader, node, ("categories", at), parents)
            for at, node in enumerate(self.filled(reader, found.get("categories")))
        )
        return Subcategory(code, main, ko, en, categories)

    def category(
        self, reader: Reader, node: Node, steps: tuple[str | int, ...], parents: dict[str, str]
    ) -> Category:
        found = reader.mapping(node, required=CATEGORY_KEYS)
        # Two subcategories may share a category's name (건설), so it counts within its own.
        ko, en = self.heading(reader, found, say.CATEGORY_OF(code=parents["code"]))
        labels = tuple(
            self.label(reader, item, (*steps, "labels", at), {**parents, "category": ko})
            for at, item in enumerate(self.filled(reader, found.get("labels")))
        )
        return Category(ko, en, labels)

    def label(
        self, reader: Reader, node: Node, steps: tuple[str | int, ...], parents: dict[str, str]
    ) -> Label:
        found = reader.mapping(node, required=LABEL_REQUIRED, known=LABEL_OPTIONAL)
        number, ko = (
            reader.integer(found.get("id")),
            self.name(reader, found.get("ko"), say.A_LABEL()),
        )
        self.label_names.append(ko)
        self.claim_id(reader, found.get("id"), number, steps)
        treatment = reader.text(found.get("treatment"), choices=TREATMENTS)
        self.check_treatment(reader, found, treatment)
        identifier = reader.text(found.get("identifier"), choices=("direct", "quasi"))
        if identifier != parents["main"] and identifier in ("direct", "quasi"):
            reader.refuse(
                found["identifier"], say.OTHER_MAIN(identifier=identifier, main=parents["main"])
            )
        aliases = [
            self.name(reader, alias, say.AN_ALIAS(name=ko))
            for alias in reader.sequence(found.get("aliases"))
        ]
        default = ko if treatment == "omission" else ""
        return Label(
            id=number,
            ko=ko,
            en=reader.text(found.get("en")),
            identifier=identifier,
            treatment=treatment,
            source=reader.text(found.get("source"), choices=self.sources),
            omission=reader.text(found.get("omission")) or default,
            reason=reader.text(found.get("reason")),
            as_printed=reader.text(found.get("as_printed")),
            note=reader.text(found.get("note")),
            aliases=tuple(aliases),
            **parents,
        )

    def check_treatment(self, reader: Reader, found: dict[str, Node], treatment: str) -> None:
        if "omission" in found and treatment != "omission":
            reader.refuse(found["omission"], say.NO_OMISSION(treatment=treatment))
        if treatment == "keep" and "reason" not in found:
            reader.refuse(found["treatment"], say.NEEDS_REASON())

    def heading(self, reader: Reader, found: dict[str, Node], kind: str) -> tuple[str, str]:
        ko, en = reader.text(found.get("ko")), reader.text(found.get("en"))
        self.claim_heading(reader, found.get("ko"), kind, ko)
        return ko, en

    def filled(self, reader: Reader, node: Node | None) -> list[Node]:
        items = reader.sequence(node)
        if node is not None and not items:
            reader.refuse(node, say.EMPTY_LIST())
        return items

    def name(self, reader: Reader, node: Node | None, kind: str) -> str:
        """Return a label's name or alias, which must be one of its kind and fit the mark-up."""
        name = reader.text(node)
        if node is None or not name:
            return name
        if "<" in name or ">" in name or name.startswith("/"):
            reader.refuse(node, say.BREAKS_MARKS(name=name))
        if name in self.names:
            reader.refuse(node, say.NAME_TAKEN(name=name, what=self.names[name]))
        self.names.setdefault(name, say.AT(kind=kind, place=f"{reader.path.name}:{line_of(node)}"))
        return name

    def claim_heading(self, reader: Reader, node: Node | None, kind: str, name: str) -> None:
        if node is None or not name:
            return
        place = f"{reader.path.name}:{line_of(node)}"
        first = self.headings.setdefault((kind, name), place)
        if first != place:
            reader.refuse(node, say.GIVEN_TWICE(kind=kind, name=name, first=first))

    def claim_id(
        self, reader: Reader, node: Node | None, number: int, steps: tuple[str | int, ...]
    ) -> None:
        if node is None or any(one.line == line_of(node) for one in reader.problems):
            return
        if number < 1:
            reader.refuse(node, say.ID_POSITIVE())
        elif number in self.retired:
            reader.refuse(node, say.ID_REUSED(number=number, was=self.retired[number]))
        elif number in self.places:
            first = self.places[number]
            reader.refuse(
                node, say.ID_TWICE(number=number, first=f"{first.path.name}:{first.line}")
            )
        else:
            self.places[number] = Place(reader.path, line_of(node), steps)

    def check_gaps(self) -> None:
        """Refuse a missing id at the label after it: a class of old models lost its name."""
        known = self.places.keys() | self.retired.keys()
        reader_of = {reader.path: reader for reader in self.readers}
        for number, place in self.places.items():
            before = number - 1
            if before and before not in known:
                reader_of[place.path].refuse(place.line, say.ID_MISSING(before=before))

    def read_retired(self) -> dict[int, str]:
        reader = self.open("retired.yaml")
        found = reader.mapping(reader.root, required=("retired",))
        retired: dict[int, str] = {}
        for node in reader.sequence(found.get("retired")):
            item = reader.mapping(node, required=RETIRED_REQUIRED, known=RETIRED_OPTIONAL)
            reader.text(item.get("reason"))
            number = reader.integer(item.get("id"))
            if number < 1 or number in retired:
                reader.refuse(node, say.RETIRED_ID(number=number))
            retired[number] = reader.text(item.get("ko"))
            if "successor" in item:
                self.successors[number] = reader.integer(item["successor"])
                self.heirs.append((number, item["successor"]))
        return retired

    def check_successors(self) -> None:
        """Refuse a successor that is no id, or leads back; call after all labels."""
        reader = next(reader for reader in self.readers if reader.path.name == "retired.yaml")
        for number, node in self.heirs:
            seen = {number}
            heir = self.successors[number]
            while heir in self.successors and heir not in seen:
                seen.add(heir)
                heir = self.successors[heir]
            if heir in seen or heir not in self.places.keys() | self.retired.keys():
                reader.refuse(node, say.NO_SUCCESSOR(number=number))

    def read_unmapped(self, *, is_sound: bool) -> tuple[dict[str, int], dict[str, str]]:
        """Return the known names without a label, and the homonyms; call after all labels.

        Unless what was read before *is_sound*, no homonym is looked for among the labels.
        """
        labels = set(self.label_names) if is_sound else None
        reader = self.open("unmapped.yaml")
        found = reader.mapping(reader.root, required=UNMAPPED_KEYS)
        homonyms = dict(
            self.homonym(reader, node, labels) for node in reader.sequence(found.get("homonyms"))
        )
        unmapped: dict[str, int] = {}
        for node in reader.sequence(found.get("names")):
            item = reader.mapping(node, required=NAME_REQUIRED, known=NAME_OPTIONAL)
            reader.text(item.get("note"))
            name = self.name(reader, item.get("name"), say.NO_LABEL())
            unmapped[name] = reader.integer(item.get("count"))
        return unmapped, homonyms

    def homonym(self, reader: Reader, node: Node, labels: set[str] | None) -> tuple[str, str]:
        item = reader.mapping(node, required=HOMONYM_REQUIRED, known=HOMONYM_OPTIONAL)
        reader.text(item.get("note"))
        name, label = reader.text(item.get("name")), reader.text(item.get("label"))
        for choice in (name, label):
            if choice and labels is not None and choice not in labels:
                reader.refuse(node, say.NO_LABEL_NAME(name=choice))
        return name, label


def list_places(taxonomy: Taxonomy, places: Mapping[int, Place]) -> dict[int, str]:
    """Return where the replacement lists of each label stand: ``D.2.7-businesses/외식업``."""
    return {label.id: f"{places[label.id].path.stem}/{label.category}" for label in taxonomy}
