"""Public judgments, masked by the courts, turned into annotated ones."""

from thunder.training_data.placeholders.annotating import annotate
from thunder.training_data.placeholders.record import Doubt, Found

__all__ = ["Doubt", "Found", "annotate"]
