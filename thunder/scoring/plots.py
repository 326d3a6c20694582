"""The figures of an evaluation as pictures; needs matplotlib."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from thunder.scoring import calibration, tokens
from thunder.scoring.evaluation import Evaluation, Run
from thunder.scoring.figures import FIGURES, headline, spread
from thunder.settings.drawing import PlotError, opened

_SHARES = [name for name in FIGURES if "leaked" not in name and "over" not in name]
_KOREAN = dict(
    zip(
        _SHARES,
        (
            *("이진 정밀도", "이진 재현율", "이진 F1"),
            *("라벨 정밀도", "라벨 재현율", "라벨 F1"),
            *("직접식별 개체", "준식별 개체", "통째로 가린 표현", "누출 없는 문서"),
        ),
        strict=True,
    )
)

Draw = Callable[[Any, Evaluation, bool], None]


def plot(evaluation: Evaluation, folder: Path) -> list[str]:
    """Return the names of the pictures (PNG) that now stand in *folder*.

    Names are in English where no font for Hangul is installed. PlotError without matplotlib, or
    where a picture cannot be written.
    """
    pyplot, font = opened()
    wanted = _wanted(evaluation)
    folder.mkdir(parents=True, exist_ok=True)
    with pyplot.rc_context({"font.family": font or "sans-serif", "axes.unicode_minus": False}):
        for name, draw in wanted.items():
            _save(pyplot, folder / name, draw, evaluation, korean=bool(font))
    return list(wanted)


def _wanted(evaluation: Evaluation) -> dict[str, Draw]:
    wanted: dict[str, Draw] = {
        "figures.png": _figures,
        "subcategories.png": _subcategories,
        "positions.png": _positions,
    }
    if any(_has_scores(runs) for runs in evaluation.systems.values()):
        wanted["calibration.png"] = _calibration
    return wanted


def _has_scores(runs: Sequence[Run]) -> bool:
    return all(one.points is not None for run in runs for one in run.documents)


def _save(pyplot: Any, path: Path, draw: Draw, evaluation: Evaluation, *, korean: bool) -> None:
    figure, axes = pyplot.subplots(figsize=(9, 6), layout="constrained")
    try:
        draw(axes, evaluation, korean)
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise PlotError(f"{path} cannot be drawn: {error}") from None
    finally:
        pyplot.close(figure)


def _figures(axes: Any, evaluation: Evaluation, korean: bool) -> None:
    """Draw the headline shares of each system, with their spread over runs."""
    places = range(len(_SHARES))
    for number, (system, runs) in enumerate(evaluation.systems.items()):
        values = [headline(run, evaluation.taxonomy) for run in runs]
        found = [spread(one[name] for one in values) for name in _SHARES]
        bars = [one.deviation or 0.0 for one in found]
        offset = 0.15 * (number - (len(evaluation.systems) - 1) / 2)
        heights = [place + offset for place in places]
        axes.errorbar([one.mean for one in found], heights, xerr=bars, fmt="o", label=system)
    axes.set_yticks(list(places), [_KOREAN[name] if korean else name for name in _SHARES])
    axes.set_xlim(-0.02, 1.02)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    axes.legend()


def _subcategories(axes: Any, evaluation: Evaluation, korean: bool) -> None:
    """Draw the share of mentions of each subcategory that are masked whole."""
    names = {sub.code: sub.ko if korean else sub.en for sub in evaluation.taxonomy.subcategories}
    codes = list(names)
    label = evaluation.taxonomy.label
    for system, runs in evaluation.systems.items():
        shares: list[float] = []
        for code in codes:
            whole = [
                m.whole for run in runs for m in run.mentions if label(m.span.label).code == code
            ]
            shares.append(sum(whole) / len(whole) if whole else float("nan"))
        axes.plot(shares, range(len(codes)), marker="o", linestyle="", alpha=0.7, label=system)
    axes.set_yticks(range(len(codes)), [f"{code} {names[code]}" for code in codes])
    axes.set_xlim(-0.02, 1.02)
    axes.invert_yaxis()
    axes.grid(alpha=0.3)
    axes.set_xlabel("통째로 가린 표현의 비율" if korean else "mentions masked whole")
    axes.legend()


def _positions(axes: Any, evaluation: Evaluation, korean: bool) -> None:
    """Draw binary recall by the thousand of tokens."""
    for system, runs in evaluation.systems.items():
        thousands = sorted({at for run in runs for one in run.documents for at in one.thousands})
        recalls = [
            tokens.binary(
                tokens.added(one.thousands.get(at, {}) for run in runs for one in run.documents)
            ).recall
            for at in thousands
        ]
        axes.plot([at + 0.5 for at in thousands], recalls, marker="o", label=system)
    axes.axvline(2.048, linestyle=":", color="grey")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("문서 안의 위치(토큰 1,000개 단위)" if korean else "place (thousand tokens)")
    axes.set_ylabel("이진 재현율" if korean else "binary recall")
    axes.legend()


def _calibration(axes: Any, evaluation: Evaluation, korean: bool) -> None:
    """Draw how often spans of a score touch a mention."""
    for system, runs in evaluation.systems.items():
        if _has_scores(runs):
            points = (point for run in runs for one in run.documents for point in one.points or ())
            bins = calibration.reliability(points)
            axes.plot(
                [one.score for one in bins], [one.touches for one in bins], marker="o", label=system
            )
    axes.plot([0, 1], [0, 1], linestyle=":", color="grey")
    axes.set_xlabel("점수" if korean else "score")
    axes.set_ylabel("가릴 표현에 닿는 비율" if korean else "touches a mention")
    axes.legend()
