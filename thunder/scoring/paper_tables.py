"""The paper's tables: token-level scores by system, case type, tier and label."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from thunder.scoring import paper_figures, tokens
from thunder.scoring.characters import Counts
from thunder.scoring.evaluation import Evaluation, Run
from thunder.scoring.figures import spread
from thunder.scoring.tables import Cell, Table
from thunder.taxonomy import Taxonomy
from thunder.training_data.datasets import paper

SCORES = ("P", "R", "F1")
_TOKENS = (
    "Tokens of the hybrid tokenizer, all of a document, not the first 2,048; one that shares a "
    "character with a mention has its label. Several runs: mean ± standard deviation (n - 1)."
)
DEFINITION = {
    "binary": f"Any label is positive, 'outside' negative (paper, Appendix F). {_TOKENS}",
    "micro": (
        "Summed over the labels, 'outside' left out: a token with another label than it should "
        f"have is a miss of the one and a false alarm of the other (paper, Appendix F). {_TOKENS}"
    ),
}

TIERS = (2, 16, 80, 729)


def tier_of(taxonomy: Taxonomy, tier: int) -> Callable[[int], str]:
    """Return the question for the group of a label (by its id) at a tier of TIERS."""
    names = {sub.code: sub.ko for sub in taxonomy.subcategories}
    mains = {main.code: main.ko for main in taxonomy.mains}
    label = taxonomy.by_id
    questions: dict[int, Callable[[int], str]] = {
        2: lambda number: mains[label(number).main],
        16: lambda number: f"{label(number).code} {names[label(number).code]}",
        80: lambda number: f"{label(number).code} {label(number).category}",
        729: lambda number: label(number).ko,
    }
    return questions[tier]


def _binary(run: Run) -> Counts:
    return tokens.binary(run.confusion)


def _micro(run: Run) -> Counts:
    return tokens.micro(run.confusion, tokens.same)


_KINDS: dict[str, tuple[str, Callable[[Run], Counts]]] = {
    "binary": ("Binary token-level", _binary),
    "micro": ("Token-level micro", _micro),
}
KINDS = tuple(_KINDS)


def _decided(evaluation: Evaluation) -> str:
    """Return the sentence that says by which rule each system masks, if that is known."""
    if not evaluation.decided:
        return ""
    rules: dict[str, list[str]] = {}
    for system, rule in evaluation.decided.items():
        rules.setdefault(rule, []).append(system)
    told = "; ".join(f"{', '.join(names)}: {rule}" for rule, names in rules.items())
    return f" Decided by: {told}. The paper's figures are by argmax."


def _setting(evaluation: Evaluation) -> str:
    return evaluation.replacement or "per-epoch"


def overall(evaluation: Evaluation, kind: str, *, beside: bool = False) -> Table:
    """Return the scores of one of KINDS of each system, as Table 2 of the paper.

    *beside*: with the paper's own scores of the systems that are called as its models are.
    """
    title, counts = _KINDS[kind]
    documents = len(evaluation.golds)
    number = sum(len(cut.starts) for cut in evaluation.tokens.values())
    rows: list[tuple[Cell, ...]] = [
        (system, *scores_of(map(counts, runs)), len(runs), documents, number)
        for system, runs in evaluation.systems.items()
    ]
    columns: tuple[str, ...] = ("system", *SCORES, "runs", "documents", "tokens")
    note = DEFINITION[kind] + _decided(evaluation)
    if beside:
        setting = _setting(evaluation)
        given = [paper_figures.of_system(kind, name, setting) for name in evaluation.systems]
        rows = [(*row, *scores) for row, scores in zip(rows, given, strict=True)]
        columns = (*columns, *(f"{name}*" for name in SCORES))
        note += " " + paper_figures.NOTE_2.format("2a" if kind == "binary" else "2b", setting)
    return Table(f"tokens-{kind}", f"{title} scores (Table 2)", note, columns, tuple(rows))


def scores_of(counts: Iterable[Counts]) -> tuple[Cell, ...]:
    """Return P, R and F1 over runs, None where a run leaves them undefined."""
    found = list(counts)
    said = all(one.hits + one.extra for one in found)
    there = all(one.hits + one.missed for one in found)
    return (
        spread(one.precision for one in found) if said else None,
        spread(one.recall for one in found) if there else None,
        spread(one.f1 for one in found) if said or there else None,
    )


def case_types(evaluation: Evaluation, kind: str, *, beside: bool = False) -> Table:
    """Return the scores of one of KINDS by case type, as Tables H.1 to H.4 of the paper.

    *beside*: with the F1 that the paper gives for the case type, a column a model.
    """
    title, counts = _KINDS[kind]
    numbers = Counter(gold.case_type for gold in evaluation.golds)
    rows: list[tuple[Cell, ...]] = []
    for case in sorted(numbers, key=_paper_order):
        for system, runs in evaluation.systems.items():
            scores = scores_of(counts(_of_case(run, case)) for run in runs)
            given = _of_paper(kind, case, _setting(evaluation)) if beside else ()
            rows.append((*_named(case), system, *scores, numbers[case], *given))
    more = paper_figures.COLUMNS if beside else ()
    columns = ("domain", "case type", "system", *SCORES, "documents", *more)
    note = f"{DEFINITION[kind]}{_decided(evaluation)} "
    note += "The paper's own name of a case type stands before ours."
    if beside:
        setting = _setting(evaluation)
        note += " " + paper_figures.NOTE.format(paper_figures.TABLES[setting][kind], setting)
    place = "H.1, H.2" if kind == "binary" else "H.3, H.4"
    name = f"{title} scores by case type (Tables {place})"
    return Table(f"case-types-{kind}", name, note, columns, tuple(rows))


def _of_paper(kind: str, case: str, setting: str) -> tuple[Cell, ...]:
    near = paper.nearest(case)
    return paper_figures.beside(kind, near.case_type if near else "", setting)


def _of_case(run: Run, case: str) -> Run:
    return run.of(lambda gold: gold.case_type == case)


def _paper_order(case: str) -> tuple[int, str]:
    near = paper.nearest(case)
    return (paper.TABLE_1.index(near) if near in paper.TABLE_1 else len(paper.TABLE_1), case)


def _named(case: str) -> tuple[str, str]:
    near = paper.nearest(case)
    return (near.domain, f"{near.case_type} ({case})") if near else ("–", case or "–")


def tiers(evaluation: Evaluation) -> Table:
    """Return the micro scores of each system with the labels of each tier."""
    rows: list[tuple[Cell, ...]] = []
    for tier in TIERS:
        group = tier_of(evaluation.taxonomy, tier)
        used = {group(number) for number in _gold_labels(evaluation)}
        for system, runs in evaluation.systems.items():
            found = [tokens.micro(run.confusion, group) for run in runs]
            rows.append((str(tier), system, *scores_of(found), len(used)))
    columns = ("tier", "system", *SCORES, "groups that occur")
    note = "Micro scores where a label of the right group is right: the finer, the harder."
    return Table("tiers", "By tier of the taxonomy", note, columns, tuple(rows))


def _gold_labels(evaluation: Evaluation) -> set[int]:
    found: set[int] = set()
    for cut in evaluation.tokens.values():
        found |= {number for number in cut.labels.tolist() if number > 0}
    return found


_NAMES = {2: "main", 16: "subcategories", 80: "categories", 729: "labels"}


def groups(evaluation: Evaluation, tier: int) -> Table:
    """Return the scores of each group of a tier, those with the most mentions first."""
    group = tier_of(evaluation.taxonomy, tier)
    numbers = _mention_numbers(evaluation, group)
    found = {
        system: [tokens.by_group(run.confusion, group) for run in runs]
        for system, runs in evaluation.systems.items()
    }
    whole = {
        system: [_whole(run, evaluation.taxonomy, group) for run in runs]
        for system, runs in evaluation.systems.items()
    }
    names = {name for runs in found.values() for run in runs for name in run} | set(numbers)
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(names, key=lambda name: (-numbers.get(name, 0), name)):
        for system, runs in found.items():
            scores = scores_of(run.get(name, Counts()) for run in runs)
            number = numbers.get(name, 0)
            masked = spread(run.get(name, 0) / number for run in whole[system]) if number else None
            rows.append((name, system, *scores, masked, number))
    columns = ("group", "system", *SCORES, "masked whole", "mentions")
    note = (
        "Token-level, the right group wanted; 'masked whole': mentions of which no character "
        "stays readable, under whatever label."
    )
    return Table(_NAMES[tier], f"By group: tier {tier}", note, columns, tuple(rows), tier > 16)


def _mention_numbers(evaluation: Evaluation, group: Callable[[int], str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    first = next(iter(evaluation.systems.values()))[0]
    for name in _groups_of(first, evaluation.taxonomy, group, whole=False):
        numbers[name] = numbers.get(name, 0) + 1
    return numbers


def _whole(run: Run, taxonomy: Taxonomy, group: Callable[[int], str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for name in _groups_of(run, taxonomy, group, whole=True):
        numbers[name] = numbers.get(name, 0) + 1
    return numbers


def _groups_of(
    run: Run, taxonomy: Taxonomy, group: Callable[[int], str], *, whole: bool
) -> Iterator[str]:
    for mention in run.mentions:
        if mention.whole or not whole:
            yield group(taxonomy.label(mention.span.label).id)


def confusions(evaluation: Evaluation, *, top: int = 200) -> Table:
    """Return which labels are taken for which others, in tokens, summed over runs."""
    rows: list[tuple[Cell, ...]] = []
    label = evaluation.taxonomy.by_id
    for system, runs in evaluation.systems.items():
        total = tokens.added(run.confusion for run in runs)
        wrong = [(count, pair) for pair, count in total.items() if pair[0] != pair[1] and all(pair)]
        for count, (gold, said) in sorted(wrong, key=lambda one: (-one[0], one[1]))[:top]:
            rows.append((system, label(gold).ko, label(said).ko, count))
    columns = ("system", "label", "taken for", "tokens")
    note = "Tokens that were masked under another label, all runs together."
    return Table("confusions", "Labels taken for others", note, columns, tuple(rows), True)
