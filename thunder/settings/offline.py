"""No library that Thunder-DeID loads tells anybody of it, looks anything up or notes who you are.

onnxruntime's official builds report to their maker: while it is imported it writes a device's
identifier under ``~/.cache/Microsoft``, and some seconds later it looks a host up and sends what
it noted of models and sessions. Nothing but a variable of the environment that is set before the
import prevents that (its ``disable_telemetry_events`` does not). So ``import thunder`` sets it, and
what else libraries ask, before any of them is loaded; processes that are started inherit it.
"""

import os
import sys
import warnings

ALWAYS = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "DO_NOT_TRACK": "1",
}
"""What is set whatever it was: a judgment's reader is told of by no setting of long ago."""

UNLESS_SET = {
    "HF_HUB_OFFLINE": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
}
"""What is left as it was: ``HF_HUB_OFFLINE=0`` lets a program that also imports ``thunder`` fetch a
model by its name. Nothing in ``thunder`` fetches any: it reads folders only. LangChain's tracing
sends every text of a chain to its maker, where somebody has turned it on."""

_OFF = ("1", "true", "yes", "on")


def keep() -> None:
    """Set what keeps every library silent.

    RuntimeWarning where onnxruntime was imported before, as it pleases: it is too late then.
    """
    said = os.environ.get("ORT_DISABLE_TELEMETRY", "").lower()
    os.environ.update(ALWAYS)
    for name, value in UNLESS_SET.items():
        os.environ.setdefault(name, value)
    if "onnxruntime" in sys.modules and said not in _OFF:
        warnings.warn(
            "onnxruntime was imported before thunder, with its reports to its maker on: import "
            "thunder first, or set ORT_DISABLE_TELEMETRY=1",
            RuntimeWarning,
            stacklevel=2,
        )
