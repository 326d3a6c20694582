"""Where the shipped data folders are, however the package was installed."""

from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache
def folder(name: str) -> Path:
    """Return the shipped data folder *name* (``taxonomy``, ``replacement_lists`` …).

    The installed copy inside the package if it is there, else the folder beside ``setup.cfg``
    in a checkout. FileNotFoundError names both places.
    """
    installed = _PACKAGE / "_data" / name
    checkout = _PACKAGE.parent
    if installed.is_dir():
        return installed
    if (checkout / "setup.cfg").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise FileNotFoundError(
        f"the data folder {name!r} is neither installed at {installed} nor in a checkout at "
        f"{checkout / name}: install thunder-deid again (pip install .)"
    )
