"""Recall against precision over a tagger's thresholds: a table and a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunder.scoring.evaluation import Evaluation
from thunder.scoring.figures import headline
from thunder.scoring.tables import Cell, Table
from thunder.settings.drawing import PlotError, opened

LEVELS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Thresholds for all labels alike."""


class Setting(NamedTuple):
    """Thresholds of a tagger: one *level* for all labels, or those set for a *recall*."""

    level: float | None = None
    recall: float | None = None

    @property
    def name(self) -> str:
        """What it is called: the level, or the recall it was set for."""
        return f"{self.level:g}" if self.recall is None else f"recall {self.recall:g}"


def named(name: str) -> Setting:
    """Return the setting of a name."""
    word, _, recall = name.rpartition(" ")
    return Setting(recall=float(recall)) if word else Setting(level=float(recall))


class Point(NamedTuple):
    """A setting, and the headline figures (``thunder.scoring.figures``) it gives."""

    setting: Setting
    figures: Mapping[str, float]


_SHOWN = {
    "binary token precision": "P",
    "binary token recall": "R",
    "binary token F1": "F1",
    "token micro F1": "label F1",
    "direct entities masked everywhere": "direct",
    "quasi entities masked everywhere": "quasi",
    "documents without a leak": "clean",
    "characters leaked": "leaked",
    "characters over-masked": "over-masked",
}


def points(evaluation: Evaluation) -> dict[str, list[Point]]:
    """Return the points of each system, whose runs are named after settings."""
    return {
        system: [Point(named(run.source), headline(run, evaluation.taxonomy)) for run in runs]
        for system, runs in evaluation.systems.items()
    }


def table(found: Mapping[str, Sequence[Point]]) -> Table:
    """Return the figures of each setting of each tagger."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (system, point.setting.name, *(point.figures[name] for name in _SHOWN))
        for system, of in found.items()
        for point in of
    )
    note = (
        "A token is masked from this threshold on, the same for all labels, or from those set for "
        "a recall on development data. P, R, F1 and label F1 by tokens (Appendix F); direct, "
        "quasi: entities masked everywhere; clean: documents without a leak; leaked, over-masked: "
        "shares of characters."
    )
    columns = ("system", "threshold", *_SHOWN.values())
    return Table("curve", "Recall and precision over thresholds", note, columns, rows)


def plot(found: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Return once *path* shows precision against recall, and leaks against over-masking.

    Words are in English where no font for Hangul is installed. PlotError without matplotlib, or
    where *path* cannot be written.
    """
    pyplot, font = opened()
    with pyplot.rc_context({"font.family": font or "sans-serif", "axes.unicode_minus": False}):
        figure, panels = pyplot.subplots(1, 2, figsize=(13, 6), layout="constrained")
        try:
            for axes, panel in zip(panels, _PANELS, strict=True):
                _draw(axes, found, panel, korean=bool(font))
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, dpi=120)
        except OSError as error:
            raise PlotError(f"{path} cannot be drawn: {error}") from None
        finally:
            pyplot.close(figure)


class _Panel(NamedTuple):
    across: str
    up: str
    korean: tuple[str, str]
    is_wide: bool = False  # values of several magnitudes
    is_low: bool = False  # the lower left is empty


_PANELS = (
    _Panel(
        "binary token recall",
        "binary token precision",
        ("이진 재현율(토큰)", "이진 정밀도(토큰)"),
        is_low=True,
    ),
    _Panel(
        "characters over-masked",
        "direct entities masked everywhere",
        ("잘못 가린 글자의 비율", "모두 가린 직접식별 개체의 비율"),
        is_wide=True,
    ),
)


def _draw(axes: Any, found: Mapping[str, Sequence[Point]], panel: _Panel, *, korean: bool) -> None:
    """Draw a line a tagger through its levels, stars where thresholds were set for a recall."""
    word = "재현율 맞춤" if korean else "set for a recall"
    for system, of in found.items():
        flat = [point for point in of if point.setting.recall is None]
        (line,) = axes.plot(*_values(flat, panel), marker="o", markersize=4, label=system)
        stars = [point for point in of if point.setting.recall is not None]
        if stars:
            style = {"markersize": 11, "color": line.get_color(), "label": f"{system}, {word}"}
            axes.plot(*_values(stars, panel), "*", **style)
    if panel.is_wide and all(one.figures[panel.across] > 0 for of in found.values() for one in of):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")  # 10^-2 needs a sign that fonts lack
    axes.margins(x=0.08)
    axes.set_xlabel(panel.korean[0] if korean else panel.across)
    axes.set_ylabel(panel.korean[1] if korean else panel.up)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower left" if panel.is_low else "lower right")
    _name(axes, [point for of in found.values() for point in of], panel)


def _name(axes: Any, of: Sequence[Point], panel: _Panel) -> None:
    """Write the thresholds beside their points, where no other name stands yet."""
    axes.figure.draw_without_rendering()  # so that places are known
    taken: list[tuple[float, float]] = []
    for point, x, y in zip(of, *_values(of, panel), strict=True):
        right, up = axes.transData.transform((x, y))
        if all(abs(right - one) > _APART or abs(up - other) > _APART / 2 for one, other in taken):
            taken.append((right, up))
            is_set = point.setting.recall is not None
            side: dict[str, Any] = {"xytext": (4, 5), "size": 7}
            if is_set:
                side = {"xytext": (-8, -3), "size": 8, "ha": "right"}
            name = f"{point.setting.recall:g}" if is_set else point.setting.name
            axes.annotate(name, (x, y), textcoords="offset points", **side)


_APART = 24  # pixels


def _values(of: Sequence[Point], panel: _Panel) -> tuple[list[float], list[float]]:
    return [one.figures[panel.across] for one in of], [one.figures[panel.up] for one in of]
