"""The house of two commits side by side: rooms, floors, lines, what one judgment loads.

A room is a package or module directly under ``thunder/``. A chain is a way from import to import,
counted in rooms or in modules; imports inside functions and for types count, and modules that
import each other in a circle count as one step.
"""

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Container, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import _environment  # noqa: F401
from guarding.sides import HERE, NoSide, Side, opened
from summaries import table

JUDGMENT = HERE / "tests" / "data" / "criminal-judgment.txt"
ENTRIES = {"__init__", "__main__"}
LOADED = """\
import runpy, sys
sys.argv[:] = ["thunder", "deid", "--quiet", *sys.argv[1:]]
try:
    runpy.run_module("thunder", run_name="__main__")
except SystemExit as end:
    assert not end.code, f"thunder deid ended with {end.code}"
print(*sys.modules)
"""

Graph = Mapping[str, set[str]]


class House(NamedTuple):
    """A checkout by numbers: lines by room, modules by room, what is loaded for one judgment."""

    name: str
    lines: Counter[str]
    modules: Counter[str]
    between_rooms: Graph
    between_modules: Graph
    loaded: list[str]


def measured(side: Side) -> House:
    """Return the numbers of a checkout; ``thunder deid`` is run there once."""
    package = side.root / "thunder"
    paths = sorted(path for path in package.rglob("*.py") if "_data" not in path.parts)
    named = {_module(path, side.root): path for path in paths}
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    rooms: dict[str, set[str]] = {}
    imports: dict[str, set[str]] = {}
    for module, path in named.items():
        text = path.read_text("utf-8")
        imports[module] = imported(text, named.keys()) - {module}
        room = _room(module)
        if room in ENTRIES:
            continue
        lines[room] += text.count("\n")
        modules[room] += 1
        rooms.setdefault(room, set()).update(map(_room, imports[module]))
    between = {room: found - {room} - ENTRIES for room, found in rooms.items()}
    return House(side.name, lines, modules, between, imports, _loaded(side))


def imported(text: str, modules: Container[str]) -> set[str]:
    """Return those of *modules* that the source *text* imports, at any place in it."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            whole = {one for one in inside if one in modules}
            found |= whole or {node.module}
    return {one for one in found if one in modules}


def longest_chain(graph: Graph) -> list[str]:
    """Return the longest way from import to import; a circle is cut where it closes."""
    edges = {name: set(found) for name, found in graph.items()}
    while True:
        try:
            order = list(TopologicalSorter(edges).static_order())
            break
        except CycleError as circle:
            round_trip = circle.args[1]  # each is imported by the next
            edges[round_trip[1]].discard(round_trip[0])
    chain: dict[str, list[str]] = {}
    for name in order:
        below = max((chain[one] for one in sorted(edges.get(name, ()))), key=len, default=[])
        chain[name] = [*below, name]
    return max(chain.values(), key=len, default=[])


def circles(graph: Graph) -> int:
    """Return how many names import themselves by way of others."""

    def reaches(start: str) -> bool:
        seen: set[str] = set()
        waiting = list(graph.get(start, ()))
        while waiting:
            name = waiting.pop()
            if name == start:
                return True
            if name not in seen:
                seen.add(name)
                waiting += graph.get(name, ())
        return False

    return sum(map(reaches, graph))


def _module(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(module: str) -> str:
    return (*module.split("."), "__init__")[1]


def _loaded(side: Side) -> list[str]:
    with TemporaryDirectory() as folder:
        script, output = Path(folder, "loaded.py"), Path(folder, "out.txt")
        script.write_text(LOADED, "utf-8")
        said = side.run(script, JUDGMENT, "-o", output)
    return said.splitlines()[-1].split()


def report(houses: list[House]) -> str:
    """Return the numbers of *houses* as Markdown tables."""
    rows: list[tuple[str, list[object]]] = [
        ("rooms", [len(house.lines) for house in houses]),
        ("longest chain of rooms", [len(longest_chain(h.between_rooms)) for h in houses]),
        ("rooms in a circle of imports", [circles(h.between_rooms) for h in houses]),
        ("modules", [house.modules.total() for house in houses]),
        ("longest chain of modules", [len(longest_chain(h.between_modules)) for h in houses]),
        ("modules in a circle of imports", [circles(h.between_modules) for h in houses]),
        ("lines", [house.lines.total() for house in houses]),
        (
            "modules of thunder that one `thunder deid` loads",
            [sum(name.split(".")[0] == "thunder" for name in h.loaded) for h in houses],
        ),
        ("all modules that it loads", [len(house.loaded) for house in houses]),
    ]
    header = ["", *(house.name for house in houses)]
    parts = [table(header, [[name, *values] for name, values in rows])]
    for house in houses:
        chain = " → ".join(reversed(longest_chain(house.between_rooms)))
        parts.append(f"Longest chain of rooms, {house.name}: {chain}")
    rooms = sorted({room for house in houses for room in house.lines})
    by_room = ([room, *(house.lines.get(room, "–") for house in houses)] for room in rooms)
    parts.append(table(["lines of room", *header[1:]], by_room))
    return "\n\n".join(parts)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sides", nargs=2, help="two commits, or folders as they are")
    parser.add_argument("--work", type=Path, default=HERE / "guard-work", help="as of the guard")
    arguments = parser.parse_args()
    try:
        sides = [opened(name, arguments.work.resolve()) for name in arguments.sides]
    except NoSide as error:
        sys.exit(str(error))
    print(report([measured(side) for side in sides]))


if __name__ == "__main__":
    main()
