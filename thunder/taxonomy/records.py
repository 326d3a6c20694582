"""What a taxonomy holds: labels in their three tiers, found by id, name and raw name."""

import difflib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from thunder.taxonomy import messages as say

TREATMENTS = ("letter", "omission", "address", "keep")


@dataclass(frozen=True, slots=True)
class Label:
    """One kind of personal information; ``id`` is its class in every tagger (0 is outside).

    ``identifier`` is direct or quasi. ``treatment`` is one of TREATMENTS; ``omission`` is the
    name in '(전화번호 1 생략)', ``reason`` says in Korean why a kept label stays readable.
    ``category``, ``subcategory`` and ``main`` name the tiers above (main by its code).
    """

    id: int
    ko: str
    en: str
    identifier: str
    treatment: str
    source: str
    category: str
    subcategory: str
    code: str
    main: str
    omission: str = ""
    reason: str = ""
    as_printed: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """Its place as a path and those above it, the nearest first; the last, "", is of all."""
        parts = self.main, self.code, self.category, self.ko
        return (*("/".join(parts[:depth]) for depth in (4, 3, 2, 1)), "")


@dataclass(frozen=True, slots=True)
class Category:
    """A granular category (tier 3) and its labels in the order of the file."""

    ko: str
    en: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Subcategory:
    """A subcategory (tier 2): the content of one file."""

    code: str
    main: str
    ko: str
    en: str
    categories: tuple[Category, ...]


@dataclass(frozen=True, slots=True)
class Main:
    """A main category (tier 1): ``direct`` or ``quasi`` identifiers."""

    code: str
    ko: str
    en: str


@dataclass(frozen=True)
class Taxonomy:
    """All labels; iterates over them in order of their ids.

    ``unmapped`` are names of the released annotations that stand for no label, with their
    counts; ``homonyms`` those that mean another label there than here; ``retired`` the last
    names of ids no longer used; ``successors`` the ids that took over from some of those.
    """

    version: int
    mains: tuple[Main, ...]
    subcategories: tuple[Subcategory, ...]
    sources: Mapping[str, str]
    unmapped: Mapping[str, int]
    homonyms: Mapping[str, str]
    retired: Mapping[int, str]
    successors: Mapping[int, int]

    def __iter__(self) -> Iterator[Label]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    @property
    def categories(self) -> tuple[Category, ...]:
        """All granular categories in the order of the files."""
        return tuple(category for sub in self.subcategories for category in sub.categories)

    @property
    def classes(self) -> int:
        """How many classes a tagger has: the highest id ever given, and outside."""
        return 1 + max((*self._by_id, *self.retired), default=0)

    def by_id(self, number: int) -> Label:
        """Return the label with this id; LookupError for outside (0), retired and unknown ids."""
        if number in self._by_id:
            return self._by_id[number]
        was = say.IT_WAS(name=self.retired[number]) if number in self.retired else ""
        heir = self.successor(number)
        into = say.WENT_INTO(name=heir.ko, number=heir.id) if heir else ""
        raise LookupError(say.NO_SUCH_ID(number=number, was=was, into=into))

    def below(self, node: str) -> Sequence[int]:
        """Return the ids of the labels at *node* or below it (``Label.nodes``); none: no node."""
        return self._below.get(node, ())

    def successor(self, number: int) -> Label | None:
        """Return the label that took over from a retired id; a label is its own successor."""
        while number in self.successors:
            number = self.successors[number]
        return self._by_id.get(number)

    def label(self, name: str) -> Label:
        """Return the label called *name* or having it as an alias; LookupError names near ones."""
        if name in self._by_name:
            return self._by_name[name]
        near = difflib.get_close_matches(name[:40], self._by_name, n=5, cutoff=0.5)
        labels = dict.fromkeys(self._by_name[choice].ko for choice in near)
        hint = say.NEAR_IT(names=", ".join(labels)) if labels else ""
        raise LookupError(say.UNKNOWN_LABEL(name=name[:40], hint=hint))

    def resolve(self, raw: str) -> Label | None:
        """Return the label that *raw* means in the released annotations.

        None only for the known names that stand for no label: they still mark masked text.
        LookupError for an unknown name. For an annotation made with this taxonomy's own names
        use :meth:`label`, which reads a homonym as this taxonomy does.
        """
        return None if raw in self.unmapped else self.label(self.homonyms.get(raw, raw))

    def knows(self, raw: str) -> bool:
        """Return whether *raw* is a label, an alias, or a known name without a label."""
        return raw in self._by_name or raw in self.unmapped

    def digest(self) -> str:
        """Return the SHA-256 (hex) of all that is said here; layout and comments do not count."""
        return self._digest

    @cached_property
    def _by_id(self) -> dict[int, Label]:
        labels = (label for category in self.categories for label in category.labels)
        return {label.id: label for label in sorted(labels, key=lambda label: label.id)}

    @cached_property
    def _by_name(self) -> dict[str, Label]:
        return {name: label for label in self for name in (label.ko, *label.aliases)}

    @cached_property
    def _below(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for label in self:
            for node in label.nodes:
                found.setdefault(node, []).append(label.id)
        return found

    @cached_property
    def _digest(self) -> str:
        content = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()
