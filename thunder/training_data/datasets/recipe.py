"""What a dataset is made with: tokenizer, lists, taxonomy, way of filling, scheme, seed.

All of it is written down by hash, so that a dataset says what it was made from and refuses to
be drawn from with anything else.
"""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import thunder
from thunder import taxonomy as taxonomies
from thunder import tokenization
from thunder.settings import resources
from thunder.taxonomy import Taxonomy
from thunder.taxonomy.migrations import names_digest
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.labeling import SCHEMES, Scheme
from thunder.training_data import lists as mention_lists
from thunder.training_data import messages as say
from thunder.training_data.datasets.examples import Filler, Replacement, TextFirst, TokenSplice, Way
from thunder.training_data.datasets.messages import NO_TOKENIZER
from thunder.training_data.datasets.shards import file_digest
from thunder.training_data.datasets.splits import MENTIONS, PartName
from thunder.training_data.filling.variants import NONE, TRAINING
from thunder.training_data.lists import ReplacementLists

WAYS: tuple[Way, ...] = get_args(Way)
REPLACEMENTS: tuple[Replacement, ...] = get_args(Replacement)
VariantsName = Literal["training", "none"]
VARIANTS: tuple[VariantsName, ...] = get_args(VariantsName)
"""Mentions also as people write them again (길동, 홍 과장), or always in full."""

MentionsName = Literal["held-out", "same"]
MENTIONS_OF: tuple[MentionsName, ...] = get_args(MentionsName)
"""Development and test filled with mentions that training never has, or all parts from the same
lists, as in the paper."""

_Name = TypeVar("_Name", bound=str)
_TOKENIZER_FILES = ("thunder.json", "tokenizer.json", "tokenizer.json.xz")


@dataclass(frozen=True)
class Recipe:
    """How every judgment becomes examples; hashable, and picklable for other processes.

    *lists* and *taxonomy* are folders, the shipped ones without. ``single`` replacement draws
    each replica once, ``per-epoch`` draws anew each epoch (paper, section 4.1). ``same`` mentions
    are those of the whole lists in every part, as in the paper.
    """

    tokenizer: Path
    seed: int = 1
    way: Way = "text-first"
    scheme: Scheme = "classes"
    replacement: Replacement = "per-epoch"
    variants: VariantsName = "training"
    mentions: MentionsName = "held-out"
    lists: Path | None = None
    taxonomy: Path | None = None

    @classmethod
    def named(
        cls,
        tokenizer: Path,
        *,
        way: str,
        scheme: str,
        replacement: str,
        variants: str = "training",
        mentions: str = "held-out",
        seed: int = 1,
        lists: Path | None = None,
        taxonomy: Path | None = None,
    ) -> "Recipe":
        """Return the recipe with choices given by name; ValueError names those that are known."""
        return cls(
            tokenizer,
            seed=seed,
            way=_known("way", way, WAYS),
            scheme=_known("scheme", scheme, SCHEMES),
            replacement=_known("replacement", replacement, REPLACEMENTS),
            variants=_known("variants", variants, VARIANTS),
            mentions=_known("mentions", mentions, MENTIONS_OF),
            lists=lists,
            taxonomy=taxonomy,
        )

    def filler(self, part: PartName) -> Filler:
        """Return what fills the judgments of a part, with the mentions that belong to it.

        Only training judgments are drawn anew each epoch: figures on the others would not be
        comparable from one epoch to the next.
        """
        make = TextFirst if self.way == "text-first" else TokenSplice
        return make(
            self.opened_tokenizer,
            self.opened_taxonomy,
            lists=self.opened_lists,
            scheme=self.scheme,
            seed=self.seed,
            replacement=self.replacement if part == "train" else "single",
            part=MENTIONS[part] if self.mentions == "held-out" else "all",
            variants=TRAINING if self.variants == "training" else NONE,
        )

    @cached_property
    def opened_tokenizer(self) -> HybridTokenizer:
        return tokenization.load(self.tokenizer)

    @cached_property
    def opened_taxonomy(self) -> Taxonomy:
        return taxonomies.load(self.taxonomy)

    @cached_property
    def opened_lists(self) -> ReplacementLists:
        return mention_lists.load(self.lists, taxonomy=self.taxonomy)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

    def _digest_of_lists(self, folder: Path) -> str:
        own = (self.taxonomy or resources.taxonomy()) / mention_lists.OWN
        digests = [
            digest_of(_files(root, (".txt", ".tsv", ".yaml")), root=root)
            for root in dict.fromkeys((folder, own))
            if root.is_dir()
        ]
        return (
            digests[0]
            if len(digests) == 1
            else hashlib.sha256("".join(digests).encode()).hexdigest()
        )

    def options(self) -> dict[str, Any]:
        """Return what was chosen, for the manifest."""
        names = ("way", "scheme", "replacement", "variants", "seed")
        other = {"mentions": self.mentions} if self.mentions != "held-out" else {}
        return {name: getattr(self, name) for name in names} | other

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 (hex) of the tokenizer, the lists, the taxonomy and its labels."""
        found = [self.tokenizer / name for name in _TOKENIZER_FILES]
        present = [path for path in found if path.is_file()]
        if not present:
            raise FileNotFoundError(NO_TOKENIZER(folder=self.tokenizer))
        lists = self.lists or resources.folder("replacement_lists")
        return {
            "tokenizer": digest_of(present, root=self.tokenizer),
            "lists": self._digest_of_lists(lists),
            "taxonomy": self.opened_taxonomy.digest(),
            "labels": names_digest(self.opened_taxonomy),
        }


@lru_cache(maxsize=1)
def made_by() -> Mapping[str, str]:
    """Return the version of this package, the hash of its code, and of Python.

    Read once: what runs is the code as it was when the process began.
    """
    package = Path(thunder.__file__).resolve().parent
    return {
        "thunder": thunder.__version__,
        "code": digest_of(_files(package, (".py",)), root=package),
        "python": platform.python_version(),
    }


def digest_of(files: Iterable[Path], *, root: Path) -> str:
    """Return one SHA-256 (hex) for the names and contents of *files*, in whatever order given."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.relative_to(root).as_posix()}\0{file_digest(path)}\n".encode())
    return digest.hexdigest()


def _files(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix in suffixes]


def _known(name: str, value: str, known: tuple[_Name, ...]) -> _Name:
    found = next((one for one in known if one == value), None)
    if found is None:
        raise ValueError(say.UNKNOWN_VALUE(name=name, value=value, known=", ".join(known)))
    return found
