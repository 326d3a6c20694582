"""The one way imports run: facts, domain, text to numbers, acts, command."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "thunder"

# A module or package imports only from layers above its own, or earlier in its own row.
ORDER = [
    ["offline", "spans", "korean", "discretion", "resources", "config"],
    ["yamlfile", "yamlblocks", "journal"],
    ["taxonomy", "annotation", "exchange", "gazetteer", "policy", "profiles", "pseudonyms"],
    ["rules", "inventions", "lists", "migrate"],
    ["morphology", "particles", "names", "tokenization", "near_duplicates", "masking"],
    ["replacement", "labeling", "onnx_model", "workers"],
    ["datasets", "scoring"],
    ["mentions", "attention", "encoder", "tagger"],
    ["doubts", "chosen_tagger", "deidentify", "deidentifying"],
    ["residue", "documents", "files", "bulk", "notices"],
    ["audit", "marks", "page", "recording", "publication"],
    ["placeholders", "invented", "diversity", "corpus"],
    ["training", "pretraining", "doctor", "finetuning"],
    ["tagger_sources", "systems", "evaluating"],
    ["commands", "cli", "__main__"],
]
FOR_MORE = {"thunder.training_data.lists.plot", "thunder.training_data.lists.faker"}
"""Drawing, and another library's provider: loaded by who asks for them alone."""

HEAVY = ["torch", "transformers", "tokenizers", "pandas", "numpy", "pyarrow"]


def _rank() -> dict[str, int]:
    return {name: place for place, name in enumerate(name for row in ORDER for name in row)}


def _imports(path: Path) -> set[str]:
    """Return the first-level names of the thunder modules that *path* imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("thunder.")}
    return found


def test_every_module_has_its_place():
    present = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in _modules()}
    assert present - {"__init__"} <= set(_rank())


def _modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own == "__init__":
        return
    rank = _rank()
    for name in _imports(path) & set(rank):
        assert rank[name] <= rank[own], f"{path.name} imports thunder.{name}, which comes later"


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


def test_light_modules_load_nothing_heavy():
    light = {name for row in ORDER[:3] for name in row}
    parts = (path.relative_to(PACKAGE).with_suffix("").parts for path in _modules())
    modules = {".".join(("thunder", *part)) for part in parts if part[0] in light} - FOR_MORE
    imports = ", ".join(sorted(name.removesuffix(".__init__") for name in modules))
    code = f"import sys, {imports}; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
