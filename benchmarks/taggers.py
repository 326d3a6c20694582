"""Taggers, the rules, both together and Presidio on held-out documents, as Markdown.

``python benchmarks/taggers.py DATASET SYSTEM… --whole DATASET --fillings 3 --curve curve.png``

A SYSTEM is what ``thunder evaluate`` takes: a tagger's folder (the transformer's, the BiLSTM's), a
training run's, ``NAME=run1,run2,run3`` for seeds. Each tagger is scored alone and together with the
rules, as ``thunder deid`` uses it, with its own thresholds (``mini=FOLDER@usual`` with one half for
all labels, as the paper decides); the rules alone stand beside, and Presidio where ``--presidio``
names a Python that has it (``pip install presidio-analyzer==2.2.366`` into an environment of its
own). ``--whole`` is a dataset of whole judgments, scored by kind of case and by what must stay
readable in them. ``--fillings 3`` draws the held-out mentions three times, by other seeds: mean and
deviation; ``--seen`` draws those that training had, as the paper does. Taggers run over the
documents once, and are measured twice: as they find (the paper's setting) and by the court rule
(labels that stay readable count for nothing).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import _environment  # noqa: F401
import readings

from thunder import taxonomy
from thunder.scoring import curves, paper_tables, privacy_tables, readable, tokens
from thunder.scoring.documents import Gold
from thunder.scoring.evaluation import Evaluation
from thunder.scoring.figures import headline, spread
from thunder.scoring.mentions import Mention
from thunder.scoring.tables import Cell, Table, section
from thunder.training.evaluating import evaluating, systems
from thunder.training.evaluating.evaluating import Filling
from thunder.training.evaluating.systems import Answers
from thunder.training.evaluating.tagger_sources import Way
from thunder.training_data.datasets import paper

PEERS = Path(__file__).with_name("peers.py")
PRESIDIO = "Presidio"


def main() -> None:
    arguments = _arguments()
    way = Way(taxonomy.load(), device=arguments.device)
    wanted = _with_rules(evaluating.named_systems(arguments.systems))
    print(f"# Taggers on {arguments.dataset.name}, {arguments.part} part\n")
    filled = _filled(arguments.dataset, wanted, way, arguments)
    seen = evaluating.seen_in(arguments.training or arguments.dataset, way)
    found = evaluating.measured(filled, way, by_rule=False, seen=seen)
    by_case = [_by_case(found, kind) for kind in paper_tables.KINDS]
    _print([_summary(found, "as found"), *by_case, privacy_tables.seen(found)])
    found = evaluating.measured(filled, way, by_rule=True, seen=seen)
    _print([_summary(found, "by the rule"), _by_case(found, "binary")])
    if arguments.curve:
        of = evaluating.curve(filled[0].golds, wanted, way, by_rule=False, say=_say)
        curves.plot(of, arguments.curve)
        _print([curves.table(of)])
    if arguments.whole:
        _whole_judgments(wanted, way, arguments)


def _whole_judgments(
    wanted: Mapping[str, Sequence[str]], way: Way, arguments: argparse.Namespace
) -> None:
    """Print the figures of whole judgments by kind: real ones by their own, invented ones apart."""
    print(f"# Whole judgments: {arguments.whole.name}, {arguments.part} part\n")
    filled = [
        Filling([replace(gold, case_type=_kind(gold.case_type)) for gold in golds], answers)
        for golds, answers in _filled(arguments.whole, wanted, way, arguments)
    ]
    filled = [Filling(list(_corrected(golds, answers)), answers) for golds, answers in filled]
    seen = evaluating.seen_in(arguments.training or arguments.whole, way)
    found = evaluating.measured(filled, way, by_rule=True, seen=seen)
    by_kind = paper_tables.case_types(found, "binary")._replace(title="Binary, by kind of case")
    of_law = [
        Filling([replace(gold, case_type=_law(gold.case_type)) for gold in one.golds], one.answers)
        for one in filled
    ]
    together = evaluating.measured(of_law, way, by_rule=True, seen=seen)
    by_law = paper_tables.case_types(together, "binary")._replace(title="Binary, by field of law")
    _print([_summary(found, "by the rule"), by_kind, by_law, readable.table(found)])


def _corrected(
    golds: Sequence[Gold], answers: Mapping[str, Mapping[str, Answers]]
) -> Iterator[Gold]:
    """Yield *golds* without what a reader called a name beside them: ``readings.py``."""
    runs = [said for of in answers.values() for said in of.values()]
    for gold in golds:
        masked = [run.by_rule[gold.id].spans for run in runs if gold.id in run.by_rule]
        yield readings.corrected(gold, masked)


def _kind(case_type: str) -> str:
    """Return 민사, 형사, 일반행정 … as they are, one name for all invented cases of a domain."""
    near = paper.nearest(case_type)
    return f"invented {near.domain.lower()}" if near and case_type.isascii() else case_type


def _law(kind: str) -> str:
    """Return the field of law of a kind of case; tax cases are heard as administrative ones."""
    real = kind.removeprefix("invented ")
    if real in ("형사", "criminal"):
        return "criminal"
    return "administrative and tax" if real in ("일반행정", "세무", "administrative") else "civil"


def _with_rules(given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the systems, each tagger followed by itself with the rules; the rules last."""
    found: dict[str, list[str]] = {}
    for name, sources in given.items():
        found[name] = list(sources)
        if not any(systems.is_ours(one) or systems.is_file(one) for one in sources):
            found[f"{name} + rules"] = [f"{systems.DEID}:{one}" for one in sources]
    return found | {systems.RULES: [systems.RULES]}


def _filled(
    dataset: Path, wanted: Mapping[str, Sequence[str]], way: Way, arguments: argparse.Namespace
) -> list[Filling]:
    """Return what every system says of each filling of a dataset's part."""
    everything = evaluating.fillings(
        dataset, way, part=arguments.part, number=arguments.fillings, seen=arguments.seen
    )
    filled = []
    for golds in evaluating.few(everything, arguments.limit):
        filling = evaluating.ask(golds, wanted, way, say=_say)
        if arguments.presidio:
            filling.answers[PRESIDIO] = {PRESIDIO: _presidio(golds, arguments.presidio, way)}
        filled.append(filling)
    return filled


def _presidio(golds: Sequence[Gold], python: Path, way: Way) -> Answers:
    """Return what Presidio finds, run by the Python of its own environment."""
    with tempfile.TemporaryDirectory() as folder:
        gold, found = Path(folder) / "gold.jsonl", Path(folder) / "presidio.jsonl"
        lines = (json.dumps({"id": one.id, "text": one.text}) + "\n" for one in golds)
        gold.write_text("".join(lines), encoding="utf-8")
        command = [python, PEERS, "presidio", gold, found]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{python}: {done.stderr.strip().splitlines()[-1]}")
        return systems.from_file(str(found), golds, way)


_HEADLINES = {
    "token micro F1": "label F1",
    "direct entities masked everywhere": "direct",
    "quasi entities masked everywhere": "quasi",
    "characters leaked": "leaked",
    "characters over-masked": "over-masked",
    "documents without a leak": "clean",
}


def _summary(found: Evaluation, how: str) -> Table:
    """Return the headline figures of each system, unseen mentions last."""
    rows: list[tuple[Cell, ...]] = []
    for system, runs in found.systems.items():
        values = [headline(run, found.taxonomy) for run in runs]
        unseen = spread(_whole(run.mentions, found.seen) for run in runs)
        binary = paper_tables.scores_of(tokens.binary(run.confusion) for run in runs)
        figures = (spread(one[name] for one in values) for name in _HEADLINES)
        rows.append((system, *binary, *figures, unseen, len(runs)))
    note = (
        "P, R, F1: binary, by tokens; label F1: micro over the labels (Appendix F). Direct, quasi: "
        "entities of which every mention is masked whole. Leaked: characters of mentions that stay "
        "readable; over-masked: of all that should stay. Clean: documents without a leak. Unseen: "
        "mentions masked whole whose wording the training part does not have. "
        f"{len(found.golds)} documents; runs are seeds times fillings."
    )
    columns = ("system", *paper_tables.SCORES, *_HEADLINES.values(), "unseen", "runs")
    return Table("summary", f"In short, {how}", note, columns, tuple(rows))


def _whole(mentions: Sequence[Mention], seen: frozenset[str] | None) -> float:
    """Return the share of the mentions not *seen* in training that are masked whole."""
    new = [one.whole for one in mentions if seen is None or one.surface not in seen]
    return sum(new) / len(new) if new else 1.0


def _by_case(found: Evaluation, kind: str) -> Table:
    return paper_tables.case_types(found, kind, beside=True)


def _print(tables: Sequence[Table]) -> None:
    for table in tables:
        print(section(table) + "\n")


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("dataset", type=Path, help="a dataset's folder")
    arguments.add_argument("systems", nargs="+", help="taggers, runs, prediction files")
    arguments.add_argument("--whole", type=Path, help="a dataset of whole judgments")
    arguments.add_argument("--training", type=Path, help="what taggers learnt from, if not DATASET")
    arguments.add_argument("--part", choices=("dev", "test"), default="test")
    arguments.add_argument("--fillings", type=int, default=1)
    arguments.add_argument("--seen", action="store_true", help="fill with training's mentions")
    arguments.add_argument("--limit", type=int, default=0, help="so many documents, spread")
    arguments.add_argument("--presidio", type=Path, help="a Python that has Presidio")
    arguments.add_argument("--curve", type=Path, help="a picture (PNG) of recall and precision")
    arguments.add_argument("--device", help="cpu or cuda")
    return arguments.parse_args()


if __name__ == "__main__":
    main()
