"""How much of what the toolkit knows stands in code, and how much in data.

    python benchmarks/knowledge.py [TREE …]

TREE is a checkout (this one if none is named). Counts, for each room that finds and weighs names
and numbers: lines, expressions (calls of ``re``, ``lazy`` and the lexicon's ``expression``),
constants (names in capitals), and different Hangul words in strings that are no docstrings; and
beside them the rules, signs and words of classes in ``taxonomy/patterns`` and the entries of
``taxonomy/cues``. Prints Markdown.
"""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parents[1]
ROOMS = {
    "names": ("names",),
    "mentions": ("mentions",),
    "identifiers": ("identifiers", "rules"),  # rules: what it was called before
    "placeholders": ("training_data/placeholders", "placeholders"),
}
_HANGUL = re.compile(r"[가-힣]{2,}")
_CALLS = frozenset(
    ("compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")
)


class Counts(NamedTuple):
    """What stands in the code of a room."""

    lines: int
    expressions: int
    constants: int
    words: frozenset[str]


def counted(paths: list[Path]) -> Counts:
    """Return what stands in *paths*, files of Python."""
    lines = expressions = constants = 0
    words: set[str] = set()
    for path in paths:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        lines += len(source.splitlines())
        expressions += sum(map(_is_expression, ast.walk(tree)))
        constants += sum(1 for node in tree.body for _ in _constants(node))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.update(() if id(node) in said else _HANGUL.findall(node.value))
    return Counts(lines, expressions, constants, frozenset(words))


def _is_expression(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id == "expression"  # the lexicon's, with classes of words in it
    if not isinstance(node.func, ast.Attribute):
        return False
    of = node.func.value
    return isinstance(of, ast.Name) and of.id in ("re", "lazy") and node.func.attr in _CALLS


def _constants(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        for one in target.elts if isinstance(target, ast.Tuple) else [target]:
            if isinstance(one, ast.Name) and one.id == one.id.upper() and one.id != "__all__":
                yield one.id


def files_of(tree: Path, names: tuple[str, ...]) -> list[Path]:
    """Return the Python files of the first of the rooms *names* that *tree* has."""
    for name in names:
        if (tree / "thunder" / name).is_dir():
            return sorted((tree / "thunder" / name).rglob("*.py"))
    return []


def data_of(tree: Path) -> dict[str, int]:
    """Return how many rules, signs, words and entries the data of *tree* hold."""
    patterns = tree / "taxonomy" / "patterns"
    texts = {path.name: path.read_text("utf-8") for path in sorted(patterns.glob("*.yaml"))}
    signs, classes = texts.pop("signs.yaml", ""), texts.pop("classes.yaml", "")
    return {
        "rules": sum(len(re.findall(r"^ *- id:", text, re.M)) for text in texts.values()),
        "signs": len(re.findall(r"^ *- id:", signs, re.M)),
        "words of classes": len(_words(re.sub(r"#.*", "", classes))),
        "entries of cues": sum(
            len(_words(re.sub(r"^#.*", "", path.read_text("utf-8"), flags=re.M)))
            for path in (tree / "taxonomy" / "cues").rglob("*.*")
            if path.suffix in (".tsv", ".yaml")
        ),
    }


def _words(text: str) -> list[str]:
    return re.findall(r"[가-힣A-Za-z0-9]+", text)


def main() -> None:
    """Print a table for each tree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trees", nargs="*", type=Path, default=[HERE])
    for tree in parser.parse_args().trees:
        rooms = {name: counted(files_of(tree, places)) for name, places in ROOMS.items()}
        print(f"\n## {tree.resolve().name}\n")
        print("| room | lines | expressions | constants | Hangul words |")
        print("|---|---:|---:|---:|---:|")
        for name, one in (*rooms.items(), ("together", _sum(list(rooms.values())))):
            cells = (one.lines, one.expressions, one.constants, len(one.words))
            print(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
        print("\nData: " + ", ".join(f"{n:,} {what}" for what, n in data_of(tree).items()))


def _sum(rooms: list[Counts]) -> Counts:
    words = frozenset().union(*(one.words for one in rooms))
    return Counts(*(sum(one[at] for one in rooms) for at in range(3)), words)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
