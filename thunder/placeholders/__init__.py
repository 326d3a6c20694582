"""Public judgments, masked by the courts, turned into annotated ones."""

from thunder.placeholders.annotating import annotate
from thunder.placeholders.record import Doubt, Found

__all__ = ["Doubt", "Found", "annotate"]
