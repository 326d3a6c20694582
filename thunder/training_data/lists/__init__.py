"""The replacement lists: mentions of every label, chosen by key and never by state.

``load()`` gives the shipped ``replacement_lists/`` (or a folder of your own); a label's file is
read when it is first asked for. A label has a list (a mention a line) or a rule (YAML) that puts
mentions together; both answer in the same way.

Every mention belongs for good to one of two parts, by its hash: four in five to ``train``, one
in five to ``held-out``. 김한환, 김 한 환 and 김한환(金漢煥) are in the same part.
"""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from typing import overload

from thunder.settings import resources
from thunder.settings.yamlfile import Problem
from thunder.taxonomy import Taxonomy
from thunder.taxonomy import load as load_taxonomy
from thunder.training_data import messages as say
from thunder.training_data.lists.parts import PARTS as PARTS
from thunder.training_data.lists.parts import Part as Part
from thunder.training_data.lists.parts import bare as bare
from thunder.training_data.lists.parts import hashed
from thunder.training_data.lists.parts import part_of as part_of
from thunder.training_data.lists.reading import ListsError, MadeRule, MentionList, Source, read

OWN = "replacement_lists"
"""Where lists of one's own stand in the folder of a taxonomy of one's own."""

SUFFIXES = (".yaml", ".txt")
_DRAWS = 3000  # of a rule, before it is called used up


def load(folder: Path | None = None, *, taxonomy: Path | None = None) -> "ReplacementLists":
    """Return the lists of *folder*, the shipped ones (one object for all) without it.

    *taxonomy* is the folder of the taxonomy that the lists follow, the one this process works with
    without it. The lists in its folder OWN lie over those of *folder*, file by file.
    Nothing is read yet: ``thunder.training_data.lists.checking.check`` reads all of it.
    """
    if folder is None and taxonomy is None and resources.own_taxonomy() is None:
        return _shipped()
    return ReplacementLists(folder or resources.folder("replacement_lists"), taxonomy)


@lru_cache(maxsize=1)
def _shipped() -> "ReplacementLists":
    return ReplacementLists(resources.folder("replacement_lists"))


class ReplacementLists:
    """The mentions of all labels, a file each, under one folder."""

    def __init__(self, folder: Path, taxonomy: Path | None = None) -> None:
        self.folder = folder
        self.taxonomy_folder = taxonomy or resources.taxonomy()
        self.taxonomy: Taxonomy = load_taxonomy(taxonomy)
        self._pools: dict[tuple[str, Part], _Pool] = {}
        self._sources: dict[str, Source] = {}

    def path(self, label: str) -> Path:
        """Return where the list of *label* stands, or should: the rule's file if it is there.

        One's own before the folder's; under the label's name before an earlier one, wherever that
        stands: so a label that was renamed or moved keeps the list that shipped.
        """
        found = self.taxonomy.label(label)
        at = self.stems(label)
        earlier = [
            path.with_suffix("")
            for root in self.roots
            for name in (found.ko, *found.aliases)
            for path in self._elsewhere[root].get(name, ())
        ]
        known = (one.with_name(one.name + suffix) for one in (*at, *earlier) for suffix in SUFFIXES)
        missing = (self.own or self.folder) / at[0].relative_to(self.roots[0])
        return next(
            (path for path in known if path.is_file()), missing.with_name(f"{found.ko}.txt")
        )

    def stems(self, label: str) -> list[Path]:
        """Return where the list of *label* belongs in each of ``roots``, without a suffix."""
        found = self.taxonomy.label(label)
        place = Path(self._folders[found.code]) / found.category
        return [root / place / found.ko for root in self.roots]

    @property
    def own(self) -> Path | None:
        """Where lists of one's own stand, or would; None where the lists are not the shipped ones.

        The shipped ones are never edited: what they lack is to be written there.
        """
        over = self.folder == resources.folder("replacement_lists") and not self.is_as_shipped
        return self.taxonomy_folder / OWN if over else None

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders that lists are looked for in, one's own first."""
        own = self.taxonomy_folder / OWN
        return (own, self.folder) if own.is_dir() and own != self.folder else (self.folder,)

    def root(self, path: Path) -> Path:
        """Return in which of ``roots`` a list stands."""
        return next(one for one in self.roots if one in path.parents)

    @cached_property
    def _elsewhere(self) -> Mapping[Path, Mapping[str, list[Path]]]:
        """The lists that shipped, by their names, where the taxonomy may have been edited."""
        found: dict[Path, dict[str, list[Path]]] = {}
        for root in self.roots:
            found[root] = defaultdict(list)
            moved = root == resources.folder("replacement_lists") and not self.is_as_shipped
            for path in sorted(root.glob("*/*/*")) if moved else ():
                found[root][unicodedata.normalize("NFC", path.stem)].append(path)
        return found

    @property
    def is_as_shipped(self) -> bool:
        """Whether the lists follow the shipped taxonomy, each at its own place."""
        return resources.is_shipped(self.taxonomy_folder)

    def source(self, label: str) -> Source:
        """Return the list or rule of *label*; ListsError has what is wrong with its file.

        LookupError for an unknown label.
        """
        name = self.taxonomy.label(label).ko
        if name not in self._sources:
            self._sources[name] = self._read(name)
        return self._sources[name]

    def mentions(self, label: str) -> Sequence[str]:
        """Return the mentions of *label*; those of a rule are made when they are looked at."""
        source = self.source(label)
        return source.mentions if isinstance(source, MentionList) else MadeMentions(label, source)

    def choose(
        self,
        label: str,
        *,
        key: bytes,
        document_id: str,
        entity: str,
        part: Part = "all",
        avoid: Collection[str] = (),
    ) -> str:
        """Return the mention of *label* that *entity* bears in a document: always the same one.

        *key* (at most 64 bytes) makes the choice repeatable. What is in *avoid* is not chosen, in
        any of its written forms: give it the names of the other parties and the mentions that
        other entities of the document got, or let ``assign`` do so. UsedUp where nothing is left.
        """
        taken = set(map(bare, avoid)) if avoid else _NOTHING
        return self.choose_untaken(label, key, document_id, entity, part, taken)

    def assign(
        self,
        entities: Iterable[tuple[str, str]],
        *,
        key: bytes,
        document_id: str,
        part: Part = "all",
        avoid: Collection[str] = (),
    ) -> dict[tuple[str, str], str]:
        """Return a mention for each (label, entity) of a document, no two the same.

        The order of *entities* makes no difference. *avoid* as in ``choose``. Only a mention
        without letters may come twice, for entities of different labels: 3층, 3번 출구.
        """
        document = self.document(key=key, document_id=document_id, part=part, avoid=avoid)
        ordered = sorted(set(entities))
        return {(label, entity): document.choose(label, entity=entity) for label, entity in ordered}

    def document(
        self, *, key: bytes, document_id: str, part: Part = "all", avoid: Collection[str] = ()
    ) -> "Document":
        """Return the choices of one document, which go on from one entity to the next."""
        return Document(self, key, document_id, part, set(map(bare, avoid)))

    def choose_untaken(
        self, label: str, key: bytes, document_id: str, entity: str, part: Part, taken: "_Names"
    ) -> str:
        """Return what ``choose`` does, for *taken* mentions that are ``bare`` already."""
        pool = self._pools.get((label, part)) or self._pool(label, part)
        message = f"{document_id}\0{pool.label}\0{entity}".encode()
        digest = hashlib.blake2b(message, key=key, digest_size=16).digest()
        number = int.from_bytes(digest, "big")
        if not taken and pool.mentions:
            return pool.mentions[number % len(pool.mentions)]
        for mention in pool.draws(number):
            if not taken or bare(mention) not in taken:
                return mention
        raise UsedUp(f"no mention of '{pool.label}' ({part}) is left for another entity")

    def _pool(self, label: str, part: Part) -> "_Pool":
        if part not in PARTS:
            raise ValueError(say.UNKNOWN_PART_NAME(part=part, known=", ".join(PARTS)))
        # By the name of its file: a label that was renamed is drawn as before.
        pool = _Pool(self.path(label).stem, self.source(label), part)
        self._pools[label, part] = pool
        return pool

    def _read(self, name: str) -> Source:
        path = self.path(name)
        if not path.is_file():
            raise ListsError([Problem(path, 1, say.NO_LIST(label=name))])
        source, problems = read(path, root=self.root(path))
        if problems or source is None:
            raise ListsError(problems)
        return source

    @property
    def _folders(self) -> Mapping[str, str]:
        return subfolders(self.taxonomy_folder)


@lru_cache(maxsize=8)
def subfolders(taxonomy: Path) -> Mapping[str, str]:
    """Return the folder name of each subcategory by its code: the stem of its taxonomy file."""
    stems = [path.stem for path in sorted((taxonomy / "labels").glob("*.yaml"))]
    return {stem.partition("-")[0]: stem for stem in stems}


class UsedUp(LookupError):
    """A document asks for more entities of a label than its list or part has mentions."""


class Document:
    """The mentions that the entities of one document got, so that no two get the same."""

    def __init__(
        self, lists: ReplacementLists, key: bytes, document_id: str, part: Part, taken: set[str]
    ) -> None:
        self._lists = lists
        self._key = key
        self._id = document_id
        self._part = part
        self._names = taken
        self._numbers: dict[str, set[str]] = defaultdict(set)

    def choose(self, label: str, *, entity: str) -> str:
        """Return a mention that no other entity of the document has, see ``assign``."""
        numbers = self._numbers[label]
        taken = self._names | numbers if numbers else self._names
        mention = self._lists.choose_untaken(label, self._key, self._id, entity, self._part, taken)
        has_letters = any(map(str.isalpha, mention))
        (self._names if has_letters else numbers).add(bare(mention))
        return mention


_Names = set[str] | frozenset[str]
_NOTHING: frozenset[str] = frozenset()


class _Pool:
    """One part of a label's mentions; ``mentions`` is empty for a rule."""

    def __init__(self, label: str, source: Source, part: Part) -> None:
        self.label = label
        self._source = source
        self._part = part
        self.mentions: tuple[str, ...] = ()
        if isinstance(source, MentionList):
            self.mentions = _of_part(source.mentions, part)

    def draws(self, number: int) -> Iterator[str]:
        """Yield mentions, the first picked by *number*: each of a list, many of a rule."""
        if self.mentions:
            rng = Random(number)
            size = len(self.mentions)
            start, step = number % size, rng.randrange(size)
            yield self.mentions[start]
            later = (self.mentions[(start + step + at) % size] for at in range(size))
            yield from later
            return
        for mention in _made(self._source, number):
            if self._part == "all" or part_of(mention) == self._part:
                yield mention


def _made(source: Source, number: int) -> Iterator[str]:
    """Yield what a rule makes, the first of it ``source.at(number)``."""
    if isinstance(source, MadeRule):
        rng = Random(number)
        for _ in range(_DRAWS):
            yield source.make(rng)
        return
    yield source.at(number)
    rng = Random(number)
    for _ in range(_DRAWS):
        yield source.at(rng.getrandbits(128))


def _of_part(mentions: tuple[str, ...], part: Part) -> tuple[str, ...]:
    """Return the mentions of a list's part; a part that the hashes leave empty gets one."""
    if part == "all":
        return mentions
    return tuple(m for m in mentions if part_of(m) == part) or (min(mentions, key=hashed),)


class MadeMentions(Sequence[str]):
    """What a rule makes, as a sequence: the same mention at the same place, some of them twice."""

    def __init__(self, label: str, source: Source) -> None:
        self._label = label
        self._source = source

    def __len__(self) -> int:
        return 1_000_000

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...

    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self[place] for place in range(len(self))[at]]
        place = range(len(self))[at]
        message = f"{self._label}\0{place}".encode()
        digest = hashlib.blake2b(message, digest_size=16, person=b"place").digest()
        return self._source.at(int.from_bytes(digest, "big"))
