"""Profiles of the keep-policy, read strictly from ``taxonomy/policy/*.yaml``."""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml.nodes import Node

from thunder.settings.resources import all_in_taxonomy
from thunder.settings.resources import taxonomy as taxonomy_folder
from thunder.settings.yamlfile import Reader, YamlFileError
from thunder.taxonomy import TREATMENTS, Taxonomy
from thunder.taxonomy import messages as say
from thunder.taxonomy.own import ruling as load_taxonomy
from thunder.taxonomy.policy import (
    Keep,
    Policy,
    Review,
    Role,
    keep_pattern,
    last_letters,
    role_pattern,
    spaced,
    unless_pattern,
)
from thunder.text import lazy

_OPTIONAL = (
    "extends",
    "treatments",
    "omissions",
    "keep",
    "roles",
    "review",
    "mask_on_review",
    "written",
)
_CITED = ("source", "examples")
"""What each line may say of itself: which article or practice it restates, and what it does."""


class Line(NamedTuple):
    """A line of a policy: what it rules, what it restates, examples, and where it stands.

    *section* is ``keep``, ``roles``, ``review`` or ``written``; *name* the line's reason, kind or
    treatment. In an example the words in brackets are the mention, before a colon stands its
    label, behind an arrow what it becomes.
    """

    section: str
    name: str
    source: str
    examples: tuple[str, ...]
    place: str


def names(folder: Path | None = None) -> list[str]:
    """Return the names of the profiles in *folder*; without one those in use, shipped or own."""
    return sorted(_files(folder))


@lru_cache
def load(name: str, *, folder: Path | None = None) -> Policy:
    """Return the profile *name*, together with the one it extends.

    LookupError names the known profiles; YamlFileError lists every mistake with file and line.
    """
    files = _files(folder)
    if name not in files:
        known = ", ".join(sorted(files)) or "none"
        where = folder or taxonomy_folder() / "policy"
        raise LookupError(say.UNKNOWN_PROFILE(name=name, where=where, known=known))
    path = files[name]
    reader = Reader(path)
    keys = reader.mapping(reader.root, required=("name", "ko", "en"), known=_OPTIONAL)
    parent = _parent(reader, keys.get("extends"), folder)
    policy = _policy(reader, keys, parent, path)
    if reader.problems:
        raise YamlFileError(reader.problems)
    return policy


def lines(name: str, *, folder: Path | None = None) -> list[Line]:
    """Return every line of the profile *name* itself, with the article or practice it cites.

    YamlFileError and LookupError as ``load``.
    """
    load(name, folder=folder)
    reader = Reader(_files(folder)[name])
    keys = reader.mapping(reader.root, required=("name", "ko", "en"), known=_OPTIONAL)
    return list(_lines(reader, keys))


_NAMED_BY = {"written": "treatment", "keep": "reason", "roles": "reason", "review": "kind"}


def _lines(reader: Reader, keys: dict[str, Node]) -> Iterator[Line]:
    for section, key in _NAMED_BY.items():
        for item in reader.sequence(keys.get(section)):
            of = {node.value: value for node, value in item.value}
            source = reader.text(of["source"]) if "source" in of else ""
            examples = tuple(reader.texts(of.get("examples")))
            place = f"{reader.path.name}:{item.start_mark.line + 1}"
            yield Line(section, reader.text(of[key]), source, examples, place)


def _files(folder: Path | None) -> dict[str, Path]:
    paths = folder.glob("*.yaml") if folder else all_in_taxonomy("policy", "*.yaml")
    return {path.stem: path for path in paths}


def _parent(reader: Reader, node: Node | None, folder: Path | None) -> Policy | None:
    if node is None:
        return None
    name = reader.text(node)
    if name == reader.path.stem or name not in names(folder):
        reader.refuse(node, say.EXTENDS_UNKNOWN(name=name, known=names(folder)))
        return None
    return load(name, folder=folder)


def _policy(reader: Reader, keys: dict[str, Node], parent: Policy | None, path: Path) -> Policy:
    taxonomy = load_taxonomy()
    content = (parent.digest.encode() if parent else b"") + path.read_bytes()
    treatments = _treatments(reader, keys.get("treatments"), taxonomy)
    for item in reader.sequence(keys.get("written")):
        said = reader.mapping(item, required=("treatment", *_CITED))
        reader.text(said.get("treatment"), choices=TREATMENTS)
    omissions = reader.mapping(keys.get("omissions"))
    return Policy(
        name=reader.text(keys.get("name")),
        ko=reader.text(keys.get("ko")),
        en=reader.text(keys.get("en")),
        treatments={**(parent.treatments if parent else {}), **treatments},
        omissions={
            **(parent.omissions if parent else {}),
            **{key: reader.text(value) for key, value in omissions.items()},
        },
        keeps=(*_keeps(reader, keys.get("keep"), taxonomy), *(parent.keeps if parent else ())),
        roles=(*_roles(reader, keys.get("roles"), taxonomy), *(parent.roles if parent else ())),
        reviews=(*_reviews(reader, keys.get("review")), *(parent.reviews if parent else ())),
        mask_on_review=reader.boolean(keys.get("mask_on_review")),
        digest=hashlib.sha256(content).hexdigest(),
    )


def _treatments(reader: Reader, node: Node | None, taxonomy: Taxonomy) -> dict[str, str]:
    found = {}
    for name, value in reader.mapping(node).items():
        try:
            name = taxonomy.label(name).ko  # by an alias, too: it may be called otherwise by now
        except LookupError:
            reader.refuse(value, say.UNKNOWN_LABEL_HERE(name=name))
        found[name] = reader.text(value, choices=TREATMENTS)
    return found


def _keeps(reader: Reader, node: Node | None, taxonomy: Taxonomy) -> list[Keep]:
    found = []
    for item in reader.sequence(node):
        known = ("names", "endings", "patterns", "labels", "unless_after", "unless_before", *_CITED)
        keys = reader.mapping(item, required=("reason",), known=known)
        lists = [reader.texts(keys.get(key)) for key in ("names", "endings", "patterns")]
        reason = reader.text(keys.get("reason"))
        if not any(lists):
            reader.refuse(item, say.KEEPS_NOTHING())
        else:
            written = keep_pattern(*lists)
            is_plain = not lists[-1]  # words alone are always an expression
            pattern = lazy.compile(written) if is_plain else _compiled(reader, item, written)
            labels = _known_labels(reader, item, keys.get("labels"), taxonomy)
            beside = [reader.texts(keys.get(key)) for key in ("unless_after", "unless_before")]
            unless = lazy.compile(unless_pattern(*beside)) if any(beside) else None
            found.append(Keep(reason, pattern, labels, unless))
    return found


def _known_labels(
    reader: Reader, item: Node, node: Node | None, taxonomy: Taxonomy
) -> frozenset[str]:
    groups = {g for label in taxonomy for g in (label.category, label.subcategory)}
    labels = set()
    for name in reader.texts(node):
        try:
            labels.add(name if name in groups else taxonomy.label(name).ko)
        except LookupError:
            reader.refuse(item, say.UNKNOWN_GROUP(name=name))
    return frozenset(labels)


def _roles(reader: Reader, node: Node | None, taxonomy: Taxonomy) -> list[Role]:
    found = []
    for item in reader.sequence(node):
        keys = reader.mapping(
            item,
            required=("reason", "labels", "words"),
            known=("unless_after", "line_has", "formal", "acts", *_CITED),
        )
        labels = _known_labels(reader, item, keys.get("labels"), taxonomy)
        words, refused = reader.texts(keys.get("words")), reader.texts(keys.get("unless_after"))
        is_formal = reader.boolean(keys.get("formal"))
        acts = "|".join(map(re.escape, reader.texts(keys.get("acts"))))
        line_has = "|".join(map(spaced, reader.texts(keys.get("line_has"))))
        found.append(
            Role(
                reason=reader.text(keys.get("reason")),
                labels=labels,
                pattern=lazy.compile(role_pattern(words, refused, formal=is_formal)),
                last=last_letters(words),
                line_has=lazy.compile(line_has) if line_has else None,
                formal=is_formal,
                acts=lazy.compile(acts) if acts else None,
            )
        )
    return found


def _reviews(reader: Reader, node: Node | None) -> list[Review]:
    found = []
    for item in reader.sequence(node):
        required = ("kind", "endings", "near", "message")
        keys = reader.mapping(item, required=required, known=_CITED)
        endings = keep_pattern([], reader.texts(keys.get("endings")), [])
        near = "|".join(map(re.escape, reader.texts(keys.get("near"))))
        kind, message = reader.text(keys.get("kind")), reader.text(keys.get("message"))
        found.append(Review(kind, lazy.compile(endings), lazy.compile(near), message))
    return found


def _compiled(reader: Reader, node: Node, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        reader.refuse(node, say.NO_PATTERN(why=error))
        return re.compile("(?!)")
