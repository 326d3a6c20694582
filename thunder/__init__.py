"""Thunder-DeID: de-identification of Korean court judgments by the court rule."""

from thunder.settings import offline

__version__ = "0.1.0"

offline.keep()  # before any library is loaded that would report
