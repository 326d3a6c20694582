"""The figures of a dataset as pictures; needs matplotlib."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from thunder.settings.drawing import PlotError, opened
from thunder.taxonomy import Taxonomy
from thunder.training_data.datasets.figures import Figures
from thunder.training_data.datasets.splits import PARTS, SHARES

_SHOWN = 30  # labels
_BINS = 60

Draw = Callable[[Any, Figures, Taxonomy, bool], None]


def plot(figures: Figures, taxonomy: Taxonomy, folder: Path) -> list[str]:
    """Return the names of the pictures (PNG) that now stand in *folder*.

    Labels are in English where no font for Hangul is installed. PlotError without matplotlib, or
    where a picture cannot be written.
    """
    pyplot, font = opened()
    wanted = {"labels.png": _labels, "lengths.png": _lengths, "tiers.png": _tiers}
    if figures.shares:
        wanted["splits.png"] = _splits
    folder.mkdir(parents=True, exist_ok=True)
    with pyplot.rc_context({"font.family": font or "sans-serif", "axes.unicode_minus": False}):
        for name, draw in wanted.items():
            _save(pyplot, folder / name, draw, figures, taxonomy, korean=bool(font))
    return list(wanted)


def _save(
    pyplot: Any, path: Path, draw: Draw, figures: Figures, taxonomy: Taxonomy, *, korean: bool
) -> None:
    figure, axes = pyplot.subplots(figsize=(9, 6), layout="constrained")
    try:
        draw(axes, figures, taxonomy, korean)
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise PlotError(f"{path} cannot be drawn: {error}") from None
    finally:
        pyplot.close(figure)


def _labels(axes: Any, figures: Figures, taxonomy: Taxonomy, korean: bool) -> None:
    """Draw the labels by rank: a few stand for most mentions, most occur a few times."""
    counts = sorted((n for name, n in figures.labels.items() if name), reverse=True)
    axes.plot(range(1, len(counts) + 1), counts, marker=".", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("라벨의 순위" if korean else "rank of the label")
    axes.set_ylabel("개체 수" if korean else "entities")
    axes.axhline(5, linestyle=":", color="grey")
    axes.set_title(_said(f"쓰인 라벨 {len(counts)} / {len(taxonomy)}", "labels used", korean))
    top = sorted(figures.labels.items(), key=lambda item: -item[1])
    names = [(taxonomy.label(name), n) for name, n in top[: _SHOWN // 3] if name]
    text = "\n".join(f"{label.ko if korean else label.en}  {n:,}" for label, n in names)
    axes.text(0.98, 0.97, text, transform=axes.transAxes, ha="right", va="top", linespacing=1.5)


def _lengths(axes: Any, figures: Figures, taxonomy: Taxonomy, korean: bool) -> None:
    """Draw how long the documents are."""
    unit = {"tokens": "토큰", "characters": "글자"}[figures.unit] if korean else figures.unit
    low, high = max(1, min(figures.lengths, default=1)), max(figures.lengths, default=1)
    ratio = (high / low) ** (1 / _BINS) if high > low else 2.0
    edges = [low * ratio**at for at in range(_BINS)] + [high + 1]
    axes.hist(figures.lengths, bins=edges if high > low else 1, color="tab:blue")
    axes.set_xscale("log")
    axes.set_xlabel(_said(f"문서 하나의 {unit} 수", f"{unit} a document", korean))
    axes.set_ylabel(_said("문서 수", "documents", korean))
    for limit in (512, 2048) if figures.unit == "tokens" else ():  # windows of a tagger
        axes.axvline(limit, linestyle=":", color="grey")
        axes.text(limit, 0.99, f" {limit}", transform=axes.get_xaxis_transform(), va="top")


def _tiers(axes: Any, figures: Figures, taxonomy: Taxonomy, korean: bool) -> None:
    """Draw how many entities each subcategory has."""
    names = {sub.code: sub.ko if korean else sub.en for sub in taxonomy.subcategories}
    counts = dict.fromkeys(names, 0)
    for name, count in figures.labels.items():
        if name:
            counts[taxonomy.label(name).code] += count
    codes = sorted(counts, key=lambda code: counts[code])
    bars = axes.barh([f"{code} {names[code]}" for code in codes], [counts[c] for c in codes])
    axes.bar_label(bars, [f"{counts[code]:,}" for code in codes], padding=3)
    axes.set_xlabel(_said("개체 수", "entities", korean))
    axes.margins(x=0.12)


def _splits(axes: Any, figures: Figures, taxonomy: Taxonomy, korean: bool) -> None:
    """Draw the share of each part in each case type, beside what was aimed at."""
    cases = list(figures.shares)
    left = [0.0] * len(cases)
    for part in PARTS:
        shares = [
            100 * row[part] / max(1, sum(row[one] for one in PARTS))
            for row in figures.shares.values()
        ]
        bars = axes.barh(cases, shares, left=left, label=part)
        axes.bar_label(bars, [f"{share:.1f}" for share in shares], label_type="center")
        left = [one + share for one, share in zip(left, shares, strict=True)]
    for limit in (100 * SHARES["train"], 100 * (SHARES["train"] + SHARES["dev"])):
        axes.axvline(limit, linestyle=":", color="black")
    axes.set_xlabel("%")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=len(PARTS))


def _said(korean_text: str, english: str, korean: bool) -> str:
    return korean_text if korean else english
