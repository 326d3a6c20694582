"""Pictures of figures: matplotlib without a screen, and a font for Hangul where one is."""

from importlib import import_module
from typing import Any

_FONTS = ("NanumGothic", "Noto Sans CJK KR", "Noto Sans KR", "Malgun Gothic", "AppleGothic")


class PlotError(RuntimeError):
    """The picture could not be drawn, and why."""


def opened() -> tuple[Any, str]:
    """Return pyplot, drawing without a screen, and the name of a font with Hangul, "" if none is.

    PlotError without matplotlib.
    """
    try:
        matplotlib: Any = import_module("matplotlib")
    except ImportError:
        raise PlotError("a plot needs matplotlib: pip install 'thunder-deid[evaluate]'") from None
    matplotlib.use("agg", force=False)
    return import_module("matplotlib.pyplot"), _hangul_font()


def _hangul_font() -> str:
    manager: Any = import_module("matplotlib.font_manager").fontManager
    installed = {font.name for font in manager.ttflist}
    return next((name for name in _FONTS if name in installed), "")
