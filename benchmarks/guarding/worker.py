"""One side's answers: run by ``guard.py`` in the environment of each commit, old or new.

``python -I worker.py --root TREE --way rules INPUT OUTPUT`` reads JSONL of id and text, writes
JSONL of what this commit's code does with each, in order. Modules move from commit to commit, so
this is one file that knows three places of the package, in ``ENTRY_POINTS``, and nothing else.
"""

import argparse
import ast
import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

DOCUMENTS, CHARACTERS = 40, 120_000  # of a chunk: the tagger reads its documents together


class Place(NamedTuple):
    """Modules that define all of *names*, newest first; others are looked for by *names*."""

    modules: tuple[str, ...]
    names: tuple[str, ...]


ENTRY_POINTS = {
    "the act on documents": Place(("thunder.masking.deidentify",), ("deidentify_all",)),
    "the shipped taggers": Place(
        ("thunder.tagger.chosen_tagger",), ("Chosen", "choose", "DEFAULT")
    ),
    "what a tagger is told": Place(("thunder.tagger.hints",), ("hints", "GRADES")),
}
"""What is called of the package; a layout that has another name for it gets a row of its own."""

WAYS: dict[str, dict[str, Any]] = {
    "rules": {},
    "strict": {"profile": "strict", "agree_particles": True},
    "tagger": {},
}
"""How documents are read: what ``deidentify_all`` is given, and a tagger for the last."""

Document = tuple[str, str]


def main() -> None:
    arguments = _arguments()
    require_own(arguments.root)
    with arguments.input.open(encoding="utf-8") as lines:
        documents = [(row["id"], row["text"]) for row in map(json.loads, lines)]
    work = partial(answers, arguments.root, arguments.way)
    with (
        ProcessPoolExecutor(arguments.workers, get_context("spawn")) as pool,
        arguments.output.open("w") as output,
    ):
        for done in pool.map(work, chunks(documents)):
            output.writelines(json.dumps(answer) + "\n" for answer in done)
    print(sys.modules["thunder"].__file__)


class Misplaced(Exception):
    """The package is not this side's, or has its entry points elsewhere: no document's fault."""


def require_own(root: Path) -> None:
    """Return nothing; Misplaced unless the package imported here is that of *root*."""
    found = Path(importlib.import_module("thunder").__file__ or "")
    if not found.resolve().is_relative_to((root / "thunder").resolve()):
        raise Misplaced(f"{found}: not the package of {root}")


def chunks(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield *documents* some at a time, the same whatever the number of processes."""
    chunk: list[Document] = []
    characters = 0
    for document in documents:
        chunk.append(document)
        characters += len(document[1])
        if len(chunk) == DOCUMENTS or characters >= CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def answers(root: Path, way: str, documents: list[Document]) -> list[dict[str, Any]]:
    """Return what is done with each of *documents*; they are read together, as the command does.

    Where one fails, each is read alone, and the answer of those that fail is the kind of error.
    """
    require_own(root)
    try:
        return _together(root, way, documents)
    except Misplaced:
        raise
    except Exception as error:  # to be compared: the other side may not fail
        if len(documents) == 1:
            return [{"id": documents[0][0], "error": type(error).__name__}]
    return [answer for document in documents for answer in answers(root, way, [document])]


def _together(root: Path, way: str, documents: list[Document]) -> list[dict[str, Any]]:
    act = module_of(root, "the act on documents").deidentify_all
    if way != "tagger":
        return [_record(done) for done in act(documents, **rules_alone(root), **WAYS[way])]
    tagger, heard = _tagger(root)
    heard.clear()
    records = [_record(done) for done in act(documents, tagger=tagger, **WAYS[way])]
    if len(heard) != len(documents):
        raise Misplaced(f"heard the hints of {len(heard)} of {len(documents)} documents")
    return [{**record, "hints": hints} for record, hints in zip(records, heard.copy(), strict=True)]


def rules_alone(root: Path) -> dict[str, Any]:
    """Return how the rules are asked for alone: by name, where a tagger is the default.

    A commit without such a name takes no tagger unless it is given one.
    """
    name = next(iter(_defining(root, ("RULES_ALONE",))), "")
    return {"tagger": importlib.import_module(name).RULES_ALONE} if name else {}


def _record(done: Any) -> dict[str, Any]:
    return {
        "id": done.id,
        "text": done.text,
        "spans": [[*_span(one.span), one.replacement] for one in done.changes],
        "kept": [[*_span(one.span), one.reason] for one in done.kept],
        "doubts": [[one.start, one.end, one.kind, one.score, one.message] for one in done.doubts],
    }


def _span(span: Any) -> list[Any]:
    return [span.start, span.end, span.label, span.score, span.source]


@lru_cache(maxsize=1)
def _tagger(root: Path) -> tuple[Any, list[Any]]:
    """Return the shipped tagger on one thread, and the list that takes what it is told."""
    taggers = module_of(root, "the shipped taggers")
    tagger = replace(taggers.choose(taggers.DEFAULT), threads=1).load()
    return tagger, _overheard(module_of(root, "what a tagger is told").hints)


def _overheard(hints: Any) -> list[Any]:
    """Return a list that takes start, end and hint of each token told of, a document a call."""
    heard: list[Any] = []

    def hints_heard(starts: Any, ends: Any, *rest: Any, **options: Any) -> Any:
        told = hints(starts, ends, *rest, **options)
        at = told.nonzero()[0]
        heard.append([[int(starts[n]), int(ends[n]), int(told[n])] for n in at])
        return told

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "thunder":
            for held in [one for one, value in vars(module).items() if value is hints]:
                setattr(module, held, hints_heard)
    return heard


def module_of(root: Path, entry: str) -> ModuleType:
    """Return the module that has an entry point: at a known place, or wherever it is defined."""
    place = ENTRY_POINTS[entry]
    for name in [*place.modules, *_defining(root, place.names)]:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "thunder":
                raise
            continue
        if all(hasattr(module, one) for one in place.names):
            return module
    wanted = f"{entry} ({', '.join(place.names)})"
    raise Misplaced(f"{root}: no module has {wanted}: say in ENTRY_POINTS where it stands now")


@lru_cache
def _defining(root: Path, names: tuple[str, ...]) -> list[str]:
    """Return the names of the modules below *root* whose own statements define all of *names*."""
    return [
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((root / "thunder").rglob("*.py"))
        if set(names) <= set(_defined(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("input", type=Path)
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--root", type=Path, required=True)
    arguments.add_argument("--way", choices=WAYS, required=True)
    arguments.add_argument("--workers", type=int, default=1)
    return arguments.parse_args()


if __name__ == "__main__":
    try:
        main()
    except Misplaced as error:
        sys.exit(str(error))
