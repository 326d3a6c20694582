"""The sizes of the replacement lists as a picture; needs matplotlib."""

from pathlib import Path
from typing import Any

from thunder.settings.drawing import PlotError, opened
from thunder.training_data.lists import ReplacementLists
from thunder.training_data.lists.survey import sizes_by_label

_RULE = "over 10,000 by rule"


def plot_sizes(lists: ReplacementLists, path: Path) -> None:
    """Return once *path* (.png, .svg, .pdf) shows how many mentions the labels of a category have.

    One point a label, by subcategory; names in English where no font for Hangul is installed.
    PlotError without matplotlib, or where *path* cannot be written.
    """
    pyplot, font = opened()
    with pyplot.rc_context({"font.family": font or "sans-serif", "axes.unicode_minus": False}):
        figure = _figure(pyplot, lists, korean=bool(font))
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as error:
            raise PlotError(f"{path} cannot be drawn: {error}") from None
        finally:
            pyplot.close(figure)


def _figure(pyplot: Any, lists: ReplacementLists, *, korean: bool) -> Any:
    names = {sub.code: sub.ko if korean else sub.en for sub in lists.taxonomy.subcategories}
    rows = list(names)
    figure, axes = pyplot.subplots(figsize=(10, 0.45 * len(rows) + 1.8), layout="constrained")
    for is_rule, mark, said in ((False, "o", "목록" if korean else "list"), (True, "|", _RULE)):
        points = [one for one in sizes_by_label(lists) if one.is_rule == is_rule]
        places = [rows.index(one.code) for one in points]
        axes.scatter([one.mentions for one in points], places, marker=mark, alpha=0.5, label=said)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [f"{code} {names[code]}" for code in rows])
    axes.invert_yaxis()
    axes.set_xlabel("라벨 하나의 표현 수" if korean else "mentions of a label")
    axes.axvline(100, linestyle=":", color="grey")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure
