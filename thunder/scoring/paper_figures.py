"""The figures that the Thunder-DeID paper gives, to stand beside ours: Tables 2 and H.1 to H.4."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from thunder.scoring.tables import Cell, Table

_FILE = Path(__file__).with_name("paper_figures.tsv")

MODELS = (
    "Thunder-DeID-370M",
    "Thunder-DeID-800M",
    "Thunder-DeID-1.5B",
    "Polyglot-ko-1.3B",
    "EXAONE-3.5-2.4B",
)
COLUMNS = tuple(f"{name.removeprefix('Thunder-DeID-')}*" for name in MODELS)
TABLES = {
    "single": {"binary": "H.1", "micro": "H.3"},
    "per-epoch": {"binary": "H.2", "micro": "H.4"},
}
SYSTEMS = {
    "370m": MODELS[0],
    "800m": MODELS[1],
    "1.5b": MODELS[2],
    "polyglot-ko": MODELS[3],
    "exaone-3.5": MODELS[4],
}
"""The paper's models by the names of the configurations here."""
UNITS = (
    "its tokens are those of each model's own tokenizer (ours are one tokenizer's for all), of "
    "the first 2,048 of a document, and its documents are the authors' test part with the "
    "authors' mentions: the same task and definition, other units"
)
NOTE = f"*: F1 printed in the paper (Table {{}}, {{}} replacement), by argmax; {UNITS}."
NOTE_2 = f"*: printed in the paper (Table {{}}, {{}} replacement), by argmax; {UNITS}."


class Printed(NamedTuple):
    """One line of a table of the paper; no case type in Table 2."""

    table: str
    setting: str
    case_type: str
    model: str
    precision: float
    recall: float
    f1: float


@lru_cache(maxsize=1)
def printed() -> tuple[Printed, ...]:
    """Return every line of the paper's tables, in its order."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return tuple(
        Printed(table, setting, case_type, model, *map(float, figures))
        for table, setting, case_type, model, *figures in rows
    )


def beside(kind: str, case_type: str, setting: str = "per-epoch") -> tuple[Cell, ...]:
    """Return the paper's F1 of each of MODELS for a case type (its own name of it), None for none.

    *kind* is binary or micro, *setting* single or per-epoch.
    """
    found = {one.model: one.f1 for one in printed() if _is(one, TABLES[setting][kind], case_type)}
    return tuple(found.get(model) for model in MODELS)


def of_system(kind: str, system: str, setting: str) -> tuple[Cell, ...]:
    """Return P, R and F1 of Table 2 for a system that is called as one of SYSTEMS, else None."""
    table = "2a" if kind == "binary" else "2b"
    for one in printed():
        if (one.table, one.setting, one.model) == (table, setting, SYSTEMS.get(system.casefold())):
            return (one.precision, one.recall, one.f1)
    return (None, None, None)


def _is(one: Printed, table: str, case_type: str) -> bool:
    return one.table == table and one.case_type == case_type


_TITLES = {
    "2a": "binary token-level, all case types",
    "2b": "token-level micro, all case types",
    "H.1": "binary token-level, mentions drawn once",
    "H.2": "binary token-level, mentions drawn anew each epoch",
    "H.3": "token-level micro, mentions drawn once",
    "H.4": "token-level micro, mentions drawn anew each epoch",
}


def tables() -> list[Table]:
    """Return the paper's own tables, whole."""
    return [_table(name, title) for name, title in _TITLES.items()]


def _table(name: str, title: str) -> Table:
    rows = tuple(
        (one.case_type or one.setting, one.model, one.precision, one.recall, one.f1)
        for one in printed()
        if one.table == name
    )
    first = "replacement" if name.startswith("2") else "case type"
    note = f"As printed, means of three seeds; {UNITS}."
    columns = (first, "model", "P", "R", "F1")
    return Table(f"paper-{name}", f"The paper's Table {name}: {title}", note, columns, rows)
