"""Texts with what is known of them (a retrieval's documents and nodes), de-identified by case.

The strings among the metadata are read with the texts and masked alike. What cannot be rewritten
(keys, ids, numbers) is searched for what was masked; a hit is an error.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import Any, TypeVar

from thunder.masking import audit
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Document
from thunder.masking.residue import sought
from thunder.settings import resources
from thunder.tagger import chosen_tagger

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, its metadata, and what it is called; its ``repr`` shows no word of them."""

    text: str = field(repr=False)
    metadata: Mapping[str, Any] = field(repr=False)
    id: str = field(default="", repr=False)


def deidentify(
    cases: Iterable[Sequence[Passage]],
    *,
    deidentifier: Deidentifier,
    keep_metadata: Iterable[str] = (),
) -> Iterator[list[Passage]]:
    """Yield the passages of each of *cases* de-identified: one letter a person over all of them.

    *keep_metadata* are keys whose values are left as they are. ValueError where something that was
    masked stands in a key, in a number or in an id: it names the place and quotes nothing.
    """
    kept = frozenset(keep_metadata)
    held: list[list[Passage]] = []

    def documents() -> Iterator[Document]:
        for case in cases:
            held.append(list(case))
            texts = [passage.text for passage in case]
            texts += [text for passage in case for text in _strings(passage.metadata, kept)]
            yield Document.of_segments(texts)

    for number, result in enumerate(deidentifier.deidentify_many(documents())):
        case, held[number] = held[number], []
        texts = result.texts_of_segments()
        given = iter(texts[len(case) :])
        masked = sought(result)
        new: list[Passage] = []
        for passage, text in zip(case, texts, strict=False):
            fixed = {"the id": passage.id, **dict(_fixed(passage.metadata, kept))}
            if masked and (left := masked.places(fixed)):
                left = ["a place whose key is masked" if masked.is_in(o) else o for o in left]
                raise ValueError(
                    f"passage {len(new)} of case {number}: what was masked stands in "
                    f"{', '.join(left)} as well: rename or drop it, or name its key in "
                    "keep_metadata"
                )
            metadata = {
                key: value if key in kept else _with(value, given)
                for key, value in passage.metadata.items()
            }
            new.append(Passage(text, metadata, passage.id))
        yield new


def by_case(items: Sequence[_Item], case: Callable[[_Item], object | None]) -> list[list[int]]:
    """Return the places of *items* by what *case* says of each; None is a case by itself."""
    groups: dict[object, list[int]] = {}
    for place, item in enumerate(items):
        named = case(item)
        groups.setdefault((named,) if named is not None else place, []).append(place)
    return list(groups.values())


def fingerprint(deidentifier: Deidentifier) -> str:
    """Return the SHA-256 (hex) of all by which *deidentifier* decides, for other tools' caches."""
    one = deidentifier
    tagger = chosen_tagger.entry(chosen_tagger.choose(one.model, recall=one.recall))
    run = audit.run_entry(audit.catalogue(one.profile), {}, audit.Veil(), tagger=tagger)
    del run["time"]
    decides = [run, one.agree_particles, one.checks, asdict(one.known), _of_ones_own()]
    content = json.dumps(decides, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _of_ones_own() -> list[tuple[str, str]]:
    """Return the files of a taxonomy of one's own, and their hashes."""
    place = resources.own_taxonomy()
    files = sorted(path for path in place.rglob("*") if path.is_file()) if place else ()
    return [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]


def _strings(metadata: Mapping[str, Any], kept: frozenset[str]) -> Iterator[str]:
    for key, value in metadata.items():
        if key not in kept:
            yield from _strings_of(value)


def _strings_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings_of(inner)


def _with(value: Any, given: Iterator[str]) -> Any:
    """Return *value* with its strings, in the order of ``_strings_of``, taken from *given*."""
    if isinstance(value, str):
        return next(given)
    if isinstance(value, Mapping):
        return {key: _with(inner, given) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([_with(inner, given) for inner in value])
    return value


def _fixed(metadata: Mapping[str, Any], kept: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield what of *metadata* cannot be rewritten, and where it stands."""
    numbers = count(1)
    for key, value in metadata.items():
        yield f"the key {next(numbers)} of its metadata", str(key)
        if key not in kept:
            yield from _fixed_of(value, f"the value of the key {key!r}")


def _fixed_of(value: Any, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        return
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _fixed_of(inner, where)
        yield f"a key within {where}", " ".join(map(str, value))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _fixed_of(inner, where)
    else:
        yield where, str(value)
