"""Imported before anything else by the scripts: what is not installed is said, with the cure."""

import sys
from types import TracebackType

_CURE = (
    "run it with the Python of the environment that has it (.venv/bin/python); to make one: "
    "python3.11 -m venv .venv && .venv/bin/pip install torch==2.13.0 && "
    ".venv/bin/pip install -e '.[dev]'"
)
_shown = sys.excepthook


def _said(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    name = (getattr(error, "name", None) or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or "thunder." in str(error) or not name:
        _shown(kind, error, trace)
        return
    print(f"{name} is not installed for {sys.executable}: {_CURE}", file=sys.stderr)
    sys.exit(2)


sys.excepthook = _said
