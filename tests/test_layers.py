"""The plan of the house: which room may import which, and what one judgment needs of it."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "thunder"

# A room is a package or module directly under thunder/. It imports only from rooms on lower
# floors; those on one floor do not know each other. The ground floor comes first.
FLOORS = [
    ["settings", "text", "workers"],
    ["documents", "encoder", "taxonomy"],
    ["identifiers", "tokenization"],
    ["names"],
    ["mentions", "training_data"],
    ["editing", "scoring", "tagger"],
    ["masking"],
    ["bulk", "integrations", "training"],
    ["desk"],
    ["commands"],
]
ENTRIES = {"__init__", "__main__"}
MOST_ROOMS, MOST_FLOORS = 20, 10

# The closed core: all that de-identifying one judgment may load.
CORE = {"settings", "text", "taxonomy", "identifiers", "tokenization", "names", "mentions"}
CORE |= {"tagger", "masking"}
HEAVY = ["torch", "transformers", "pandas", "pyarrow", "typer", "rich"]

LIGHT = ["thunder", "thunder.text.spans", "thunder.text.korean", "thunder.taxonomy"]
LIGHT += ["thunder.taxonomy.profiles", "thunder.training_data.annotation", "thunder.editing.edit"]


def _modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    """Return the rooms that a module imports from, for types alone or inside a function, too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("thunder.")}
    return found


def _floors() -> dict[str, int]:
    return {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def test_the_plan_has_every_room_and_stays_small():
    rooms = {_room(path) for path in _modules()} - ENTRIES
    assert rooms == set(_floors())
    assert len(rooms) <= MOST_ROOMS
    assert len(FLOORS) <= MOST_FLOORS


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_downwards(path):
    own, floors = _room(path), _floors()
    if own in ENTRIES:
        return
    for room in (_imports(path) & set(floors)) - {own}:
        assert floors[room] < floors[own], f"thunder.{own} is not above thunder.{room}"


@pytest.mark.parametrize("package", sorted({p.parent for p in _modules()} - {PACKAGE}), ids=str)
def test_modules_of_a_package_import_in_no_circle(package):
    graph = {}
    for path in package.glob("[!_]*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.Pass()]
        of_package = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module]
        named = {f"{n.module}.{alias.name}" for n in of_package for alias in n.names}
        named |= {n.module for n in of_package}
        within = f"thunder.{package.relative_to(PACKAGE).as_posix().replace('/', '.')}."
        graph[path.stem] = {
            one.removeprefix(within).partition(".")[0] for one in named if one.startswith(within)
        }
    known = graph.keys()
    list(TopologicalSorter({k: v & known for k, v in graph.items()}).static_order())


def _loaded_by(code: str) -> set[str]:
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_one_judgment_is_deidentified_by_the_core_alone():
    loaded = _loaded_by(
        "from thunder import Deidentifier\n"
        "assert Deidentifier().deidentify('피고인 김도윤은 웃었다.').text == '피고인 A은 웃었다.'"
    )
    rooms = {name.split(".")[1] for name in loaded if name.startswith("thunder.")}
    assert rooms <= CORE
    assert not loaded & set(HEAVY)


def test_light_modules_load_nothing_heavy():
    loaded = _loaded_by(f"import {', '.join(LIGHT)}")
    assert not loaded & {*HEAVY, "numpy", "tokenizers", "onnxruntime", "mecab_ko"}
