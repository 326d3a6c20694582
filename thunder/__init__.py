"""Thunder-DeID: de-identification of Korean court judgments by the court rule.

``Deidentifier`` is the way in; ``Document``, ``Known`` and ``Name`` say what is known of a judgment
beforehand, and ``Deidentified`` is what comes out.
"""

from typing import TYPE_CHECKING

from thunder.settings import offline

if TYPE_CHECKING:
    from thunder.masking.deidentifier import Deidentifier
    from thunder.masking.known import Known, Name
    from thunder.masking.records import Deidentified, Document

__version__ = "0.1.0"
__all__ = ["Deidentified", "Deidentifier", "Document", "Known", "Name"]

_HOMES = {
    "Deidentified": "thunder.masking.records",
    "Deidentifier": "thunder.masking.deidentifier",
    "Document": "thunder.masking.records",
    "Known": "thunder.masking.known",
    "Name": "thunder.masking.known",
}

offline.keep()  # before any library is loaded that would report


def __getattr__(name: str) -> object:
    """Return a name of the library's, loaded when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'thunder' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
