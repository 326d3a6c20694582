"""What each recogniser, and what finds, filters or asks, buys: all are left out in turn.

    python benchmarks/gates.py GOLD … [--way rules|tagger] [--documents 200] [--kept FILE]

GOLD are files of filled development judgments that ``guard.py`` had an old commit make
(guard-work/gold/facts-….jsonl, whole-….jsonl; the first filling of each is read). A gate is a
recogniser of identifiers, or a function of ``thunder.mentions`` or ``thunder.names`` of one of
three forms: one that finds (text to spans; left out, it finds nothing), one that weighs (text and
spans to spans; left out, all spans pass), one that asks (an answer of yes or no; left out, it says
no). Each is left out in a process of its own, and the figures, by characters and documents, stand
beside those of all together, over the same documents, with the interval in which 95 % of the
paired bootstrap's draws lie. A tagger's reading stays what it was with all gates: its hints are
not drawn again. A run that was stopped goes on where it was. Prints Markdown, the dearest first;
those that change nothing last, by name.
"""

import argparse
import ast
import importlib
import json
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _environment  # noqa: F401
import numpy as np

from thunder import identifiers
from thunder.masking.deidentify import masked_spans
from thunder.mentions.finding import Found, Tagged
from thunder.mentions.recognising import recognised
from thunder.scoring.bootstrap import Figure, differences, draws, sums
from thunder.scoring.characters import labels_of
from thunder.tagger import chosen_tagger
from thunder.taxonomy import load as load_taxonomy
from thunder.text.korean import Folded, fold
from thunder.text.spans import Span
from thunder.training_data.filling import IGNORED

PACKAGES = ("mentions", "names")
THUNDER = Path(identifiers.__file__).resolve().parents[1]
DRAWS, SEED = 1000, 28
HITS, EXTRA, MISSED, LEAKS, DOCUMENTS = range(5)


class Case(NamedTuple):
    """A judgment with its gold, as a tagger read it, if one did."""

    text: str
    gold: tuple[Span, ...]
    folded: Folded
    tagged: Tagged | None


class Gate(NamedTuple):
    """A function by module and name, and its form: finds, weighs, asks; or an identifier."""

    module: str
    name: str
    form: str

    def __str__(self) -> str:
        return f"{self.module.removeprefix('thunder.')}.{self.name}"


class Outcome(NamedTuple):
    """Counts a document (rows), missed characters by family, and documents that differ."""

    counts: np.ndarray[Any, np.dtype[np.int64]]
    missed: Mapping[str, int]
    spans: tuple[tuple[tuple[int, int], ...], ...]


# --- the gates -----------------------------------------------------------------------------------


def gates() -> Iterator[Gate]:
    """Yield every gate of the package."""
    for one in identifiers.RECOGNISERS:
        yield Gate("thunder.identifiers", one.NAME, "identifier")
    for package in PACKAGES:
        for path in sorted((THUNDER / package).glob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                form = _form(node) if isinstance(node, ast.FunctionDef) else None
                if form:
                    yield Gate(f"thunder.{package}.{path.stem}", node.name, form)  # type: ignore[attr-defined]


def _form(node: ast.FunctionDef) -> str | None:
    gives = ast.unparse(node.returns) if node.returns else ""
    takes = [ast.unparse(one.annotation) for one in node.args.args if one.annotation]
    if gives == "bool":
        return "asks"
    if gives not in ("Iterator[Span]", "list[Span]", "Iterable[Span]"):
        return None
    if takes[:1] == ["str"] and len(takes) == 1:
        return "finds"
    is_spans = [one.split("[")[0] in _SEVERAL and "[Span]" in one for one in takes]
    return "weighs" if takes[:1] == ["str"] and is_spans[1:] == [True] else None


_SEVERAL = ("Iterable", "Sequence", "list", "Iterator")


def _without(gate: Gate) -> Callable[..., Any]:
    if gate.form == "finds":
        return lambda *_, **__: iter(())
    if gate.form == "asks":
        return lambda *_, **__: False
    return lambda _, spans, **__: list(spans)


def leave_out(gate: Gate) -> None:
    """Take *gate* out of this process, and forget what was remembered with it."""
    if gate.form == "identifier":
        kept = tuple(one for one in identifiers.RECOGNISERS if gate.name != one.NAME)
        identifiers.RECOGNISERS = kept
    else:
        old = getattr(importlib.import_module(gate.module), gate.name)
        new = _without(gate)
        for module in _modules():
            for name in [name for name, value in vars(module).items() if value is old]:
                setattr(module, name, new)
    for module in _modules():
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear") and not isinstance(value, type):
                value.cache_clear()


def _modules() -> list[Any]:
    wanted = tuple(f"thunder.{one}" for one in (*PACKAGES, "identifiers", "masking", "taxonomy"))
    return [module for name, module in list(sys.modules.items()) if name.startswith(wanted)]


# --- documents -----------------------------------------------------------------------------------


def cases(path: Path, *, way: str, number: int) -> list[Case]:
    """Return the first *number* judgments of the first filling, read if a tagger does."""
    with path.open() as lines:
        rows = [row for row in map(json.loads, lines) if not row["filling"]][:number]
    folded = [fold(row["text"]) for row in rows]
    tagged: list[Tagged | None] = [None] * len(rows)
    if way == "tagger":
        tagger = chosen_tagger.choose(chosen_tagger.DEFAULT).load()
        read = tagger.read_found(Found(one, recognised(one.text)) for one in folded)
        plain = (one._replace(folded=Folded(one.folded.text)) for one in read)
        tagged = [Tagged(tagger.spans(one), one.reading, card=tagger.scorecard) for one in plain]
    golds = [tuple(Span(*one) for one in row["gold"]) for row in rows]
    return [
        Case(row["text"], gold, one, its)
        for row, gold, one, its in zip(rows, golds, folded, tagged, strict=True)
    ]


def outcome(documents: Sequence[Case]) -> Outcome:
    """Return what is masked in *documents* by what stands in this process."""
    counts = np.zeros((len(documents), 5), dtype=np.int64)
    missed: dict[str, int] = {}
    spans = []
    taxonomy = load_taxonomy()
    for row, one in zip(counts, documents, strict=True):
        found = masked_spans(one.folded.text, tagged=one.tagged)
        masked = sorted((s.start, s.end) for s in map(one.folded.original, found))
        spans.append(tuple(masked))
        is_masked = np.zeros(len(one.text), dtype=bool)
        for start, end in masked:
            is_masked[start:end] = True
        for sign, label, hit in zip(
            one.text, labels_of(len(one.text), one.gold), is_masked, strict=True
        ):
            # A comma between two masks, with the mention round both, tells nobody anything.
            if label == IGNORED or (not hit and (label is None or not sign.isalnum())):
                continue
            row[EXTRA if label is None else HITS if hit else MISSED] += 1
            if label is not None and not hit:
                family = taxonomy.label(label).category
                missed[family] = missed.get(family, 0) + 1
        row[LEAKS], row[DOCUMENTS] = row[MISSED] > 0, 1
    return Outcome(counts, missed, tuple(spans))


_FIGURES: dict[str, Figure] = {
    "precision": lambda s: s[:, HITS] / np.maximum(1, s[:, HITS] + s[:, EXTRA]),
    "recall": lambda s: s[:, HITS] / np.maximum(1, s[:, HITS] + s[:, MISSED]),
    "without a leak": lambda s: 1 - s[:, LEAKS] / s[:, DOCUMENTS],
}


# --- the table -----------------------------------------------------------------------------------


def _left_out(gate: Gate, documents: Sequence[Case]) -> Outcome | str:
    leave_out(gate)
    try:
        return outcome(documents)
    except Exception as error:  # what stands on it cannot do without it: said in the table
        return type(error).__name__


_CASES: list[Case] = []


def _row(gate: Gate) -> tuple[Gate, Outcome | str]:
    """Run in a forked process of its own, which has the documents already."""
    return gate, _left_out(gate, _CASES)


def compared(gate: Gate, all_in: Outcome, out: Outcome) -> dict[str, Any]:
    """Return what *out* (without the gate) has less than *all_in*: what the gate buys."""
    drawn = draws(len(all_in.counts), number=DRAWS, seed=SEED)
    with_it, without = all_in.counts.astype(float), out.counts.astype(float)
    spread = differences(_FIGURES, sums(with_it, drawn), sums(without, drawn))
    row: dict[str, Any] = {"gate": str(gate), "form": gate.form}
    row["documents"] = sum(a != b for a, b in zip(all_in.spans, out.spans, strict=True))
    for name, figure in _FIGURES.items():
        value = figure(with_it.sum(0)[None])[0] - figure(without.sum(0)[None])[0]
        row[name] = [round(float(value), 5), *(round(float(one), 5) for one in spread[name])]
    families = {*all_in.missed, *out.missed}
    less = {one: out.missed.get(one, 0) - all_in.missed.get(one, 0) for one in sorted(families)}
    row["characters it saves"] = {one: number for one, number in less.items() if number}
    return row


def _shown(value: Sequence[float]) -> str:
    mean, low, high = (100 * one for one in value)
    return f"{mean:+.2f} ({low:+.2f} to {high:+.2f})"


def main() -> None:
    """Print a table for each file."""
    arguments = _arguments()
    for path in arguments.gold:
        _CASES[:] = cases(path, way=arguments.way, number=arguments.documents)
        all_in = outcome(_CASES)
        counts = all_in.counts.sum(0)[None].astype(float)
        figures = ", ".join(f"{name} {figure(counts)[0]:.4f}" for name, figure in _FIGURES.items())
        print(f"\n## {path.stem}, {arguments.way}, {len(_CASES)} documents\n\n{figures}\n")
        sys.stdout.flush()
        key = f"{path.stem} {arguments.way} {len(_CASES)} {counts[0].tolist()}"
        done = _done(arguments.kept, key)
        missing = [one for one in gates() if str(one) not in done and arguments.only in str(one)]
        pool = multiprocessing.get_context("fork").Pool(arguments.workers, maxtasksperchild=1)
        with pool:
            for gate, out in pool.imap_unordered(_row, missing):
                failed = isinstance(out, str)
                row = {"gate": str(gate), "fails": out} if failed else compared(gate, all_in, out)
                done[str(gate)] = row
                with arguments.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"of": key, **row}, ensure_ascii=False) + "\n")
        rows = [row for row in done.values() if arguments.only in row["gate"]]
        _print([row for row in rows if "fails" not in row], [r for r in rows if "fails" in r])


def _done(path: Path, key: str) -> dict[str, dict[str, Any]]:
    """Return what an earlier run that was stopped has found, over the same documents."""
    if not path.is_file():
        return {}
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["gate"]: row for row in rows if row["of"] == key}


def _print(rows: Sequence[dict[str, Any]], failed: Sequence[dict[str, Any]]) -> None:
    moved = [row for row in rows if row["documents"]]
    moved.sort(key=lambda row: (-row["without a leak"][0], -row["recall"][0], row["gate"]))
    names = list(_FIGURES)
    print("| gate | documents | " + " | ".join(f"{name}, points" for name in names) + " | saves |")
    print("|---|---:|" + "---:|" * len(names) + "---|")
    for row in moved:
        saved = ", ".join(f"{k} {v:+}" for k, v in row["characters it saves"].items())
        cells = " | ".join(_shown(row[name]) for name in names)
        print(f"| {row['gate']} | {row['documents']} | {cells} | {saved} |")
    idle = sorted(row["gate"] for row in rows if not row["documents"])
    print(f"\nNothing changes without {len(idle)} of {len(rows)}: {', '.join(idle)}")
    if failed:
        names = sorted(f"{row['gate']} ({row['fails']})" for row in failed)
        print(f"\nNothing works without: {', '.join(names)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", nargs="+", type=Path)
    parser.add_argument("--way", choices=("rules", "tagger"), default="tagger")
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="gates whose name holds this")
    kept = Path(__file__).resolve().parent / "guard-work" / "gates.jsonl"
    parser.add_argument("--kept", type=Path, default=kept, help="rows so far; a run goes on there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
