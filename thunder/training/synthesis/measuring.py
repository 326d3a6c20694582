"""What made texts are like beside real ones: tables (Markdown, CSV) and pictures of the measures.

Density of marks after each round and how many survived (SPY, Table 2); distinct bigrams,
Jensen-Shannon divergence and Self-BLEU (Ekuni et al., Table 4), Self-BLEU by label apart; a
classifier of real against made, sentence endings, particles, and the longest passage shared.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunder.scoring.tables import Cell, Table, markdown, save_csv
from thunder.settings.drawing import PlotError, opened
from thunder.training.synthesis.pools import sentences
from thunder.training_data import telling_apart
from thunder.training_data.annotation import Annotated
from thunder.training_data.diversity import PASSAGE, legal_formulas, measure, self_bleu

REAL = "real"
LEAST_TEXTS = 2 * telling_apart.FOLDS
_LEAST_SENTENCES, _MOST_SENTENCES = 5, 200
_NOTES = {
    "measures": "Words are what stands between spaces. All corpora have the same number of texts, "
    f"drawn by a key from their ids; '{REAL}' is held against as many other texts of the same "
    "reference. AUC: a classifier over runs of 2 to 4 characters, on texts that it did not learn "
    f"from; .5 says that nothing tells them apart. Passages of {PASSAGE} words that are formulas "
    "of law are left out.",
    "self_bleu_by_label": f"Of the sentences that hold a label, {_LEAST_SENTENCES} of them at "
    f"least and {_MOST_SENTENCES} at most: high where they repeat each other.",
    "density": "Marks a text after each round, in all and by label (labels that stay readable "
    "begin with 유지:); survived: marks of the round before that are still there, over all answers "
    "that could be read, those dropped for losing them included.",
    "giveaways": "Runs of characters that speak most for a text being made, and for its being "
    "real; _ is white space, 0 any digit.",
}


class Corpus(NamedTuple):
    """Texts by what they are called; *run* is the report of the run that made them, if any did."""

    name: str
    texts: Sequence[Annotated]
    run: Mapping[str, Any] = {}


class Measured(NamedTuple):
    """The tables of a report, and what could not be drawn ("" where nothing failed)."""

    tables: tuple[Table, ...]
    not_drawn: str


def run_report(folder: Path) -> Mapping[str, Any]:
    """Return the report of the run in *folder*; ValueError where there is none to be read."""
    try:
        found = json.loads((folder / "report.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{folder}/report.json: cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{folder}/report.json: is no report of a run")
    return found


def report(
    corpora: Sequence[Corpus], real: Sequence[Annotated], others: Sequence[Annotated], folder: Path
) -> Measured:
    """Return the measures of *corpora* beside *real* texts, now in *folder*.

    All have as many texts, ``LEAST_TEXTS`` at least; *others* are real ones, too, that *real* is
    held against. ValueError where a corpus has too few texts.
    """
    known = [one.text for one in others]
    rows = {one.name: _row([text.text for text in one.texts], known) for one in corpora}
    rows[REAL] = _row([one.text for one in real], known)
    tables = [
        _measures(rows),
        _giveaways({one.name: rows[one.name] for one in corpora}),
        _by_label({one.name: one.texts for one in corpora} | {REAL: real}),
        *(_density(one) for one in corpora if one.run.get("density")),
    ]
    filled = tuple(one for one in tables if one.rows)
    save_csv(folder, filled)
    try:
        pictures, failed = _drawn(rows, [one for one in corpora if one.run], folder), ""
    except PlotError as error:
        pictures, failed = [], str(error)
    text = markdown(filled, title="Made texts beside real ones", pictures=pictures)
    (folder / "measures.md").write_text(text, encoding="utf-8")
    return Measured(filled, failed)


class _Row(NamedTuple):
    figures: dict[str, Cell]
    speak_for: tuple[str, ...]
    speak_against: tuple[str, ...]


def _row(texts: Sequence[str], known: Sequence[str]) -> _Row:
    formulas = legal_formulas()
    found = measure(texts, reference=known, formulas=formulas)
    told = telling_apart.told_apart(known, texts)
    longest = telling_apart.longest_shared(texts, known, formulas=formulas)
    figures: dict[str, Cell] = {
        "texts": found.documents,
        "characters a text (median)": int(statistics.median(map(len, texts))),
        "distinct bigrams": found.distinct_bigrams,
        "JS divergence of words (bits)": found.divergence,
        "JS divergence of sentence endings (bits)": telling_apart.endings_divergence(texts, known),
        "JS divergence of particles (bits)": telling_apart.particles_divergence(texts, known),
        "Self-BLEU": found.self_bleu,
        "AUC of real against this": told.auc,
        "longest shared passage (words)": max(longest),
        f"texts that share {PASSAGE} words": telling_apart.copied(longest),
        f"most repeated passage of {PASSAGE} words": found.most_repeated,
    }
    return _Row(figures, told.second, told.first)


def _measures(rows: Mapping[str, _Row]) -> Table:
    names = next(iter(rows.values())).figures
    cells = tuple((name, *(row.figures[name] for row in rows.values())) for name in names)
    return Table("measures", "Measures", _NOTES["measures"], ("measure", *rows), cells)


def _giveaways(rows: Mapping[str, _Row]) -> Table:
    def said(grams: Sequence[str]) -> str:
        return ", ".join(gram.replace(" ", "_") for gram in grams)

    cells = tuple(
        (name, said(row.speak_for), said(row.speak_against)) for name, row in rows.items()
    )
    columns = ("corpus", "made", REAL)
    return Table("giveaways", "What gives texts away", _NOTES["giveaways"], columns, cells)


def _by_label(corpora: Mapping[str, Sequence[Annotated]]) -> Table:
    """Return the Self-BLEU of each label's sentences, and how many there are, by corpus."""
    of: dict[str, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    for name, texts in corpora.items():
        for text in texts:
            for sentence in sentences(text):
                for label in sorted({span.label for span in sentence.spans}):
                    of[label][name].append(sentence.text.split())
    cells: list[tuple[Cell, ...]] = []
    for label in sorted(of, key=lambda one: (-sum(map(len, of[one].values())), one)):
        row: list[Cell] = [label]
        for name in corpora:
            found = of[label][name][:_MOST_SENTENCES]
            enough = len(found) >= _LEAST_SENTENCES
            row += [len(found), self_bleu(found) if enough else None]
        if any(isinstance(cell, float) for cell in row):
            cells.append(tuple(row))
    columns = ("label", *(f"{name}{one}" for name in corpora for one in (" sentences", "")))
    title, note = "Self-BLEU by label", _NOTES["self_bleu_by_label"]
    return Table("self_bleu_by_label", title, note, columns, tuple(cells), is_long=True)


def _density(corpus: Corpus) -> Table:
    steps: Mapping[str, float] = corpus.run["density"]
    of: Mapping[str, Mapping[str, float]] = corpus.run.get("density_of", {})
    survived: Mapping[str, float] = corpus.run.get("survival", {})
    last = of.get(list(steps)[-1], {})
    labels = sorted({label for one in of.values() for label in one}, key=lambda x: -last.get(x, 0))
    cells: list[tuple[Cell, ...]] = [("all marks", *steps.values())]
    cells.append(("survived", *(survived.get(step) for step in steps)))
    cells += [(label, *(of.get(step, {}).get(label, 0.0) for step in steps)) for label in labels]
    name = f"density_{corpus.name}"
    title = f"Density after each round: {corpus.name}"
    return Table(name, title, _NOTES["density"], ("mark", *steps), tuple(cells), is_long=True)


# --- pictures -------------------------------------------------------------------------------------

_BARS = (
    "distinct bigrams",
    "JS divergence of words (bits)",
    "Self-BLEU",
    "AUC of real against this",
    "longest shared passage (words)",
)


def _drawn(rows: Mapping[str, _Row], runs: Sequence[Corpus], folder: Path) -> list[str]:
    """Return the names of the pictures (SVG) that now stand in *folder*; PlotError without any."""
    pyplot, font = opened()
    style = {"font.family": font or "sans-serif", "axes.unicode_minus": False}
    drawn = []
    with pyplot.rc_context(style):
        figure, axes = pyplot.subplots(1, len(_BARS), figsize=(15, 4), layout="constrained")
        names = [one if font else _plain(at, one) for at, one in enumerate(rows)]
        for bar, one in zip(_BARS, axes, strict=True):
            values = [float(row.figures[bar] or 0) for row in rows.values()]  # type: ignore[arg-type]
            colours = ["tab:grey" if name == REAL else "tab:blue" for name in rows]
            one.bar_label(one.bar(names, values, color=colours), fmt="%.3g")
            one.set_title(bar, fontsize=9)
            one.tick_params(axis="x", rotation=30)
        drawn.append(_saved(pyplot, figure, folder / "measures.svg"))
        if any(one.run.get("density") for one in runs):
            figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
            for at, one in enumerate(runs):
                steps = one.run.get("density", {})
                name = one.name if font else _plain(at, one.name)
                axes.plot(list(steps), list(steps.values()), marker="o", label=name)
            axes.set_ylabel("marks a text")
            axes.set_ylim(bottom=0)
            axes.legend()
            drawn.append(_saved(pyplot, figure, folder / "density.svg"))
    return drawn


def _plain(at: int, name: str) -> str:
    """Return a name that can be drawn without a font for Hangul."""
    return name if name.isascii() else f"corpus {at + 1}"


def _saved(pyplot: Any, figure: Any, path: Path) -> str:
    try:
        figure.savefig(path)
    except OSError as error:
        raise PlotError(f"{path} cannot be drawn: {error}") from None
    finally:
        pyplot.close(figure)
    return path.name
