"""Invented whole judgments, put together from pieces that lawyers can edit (``pieces/``)."""

from thunder.training_data.invented_judgments.grammar import PieceError
from thunder.training_data.invented_judgments.judgments import (
    FAMILIES,
    KINDS,
    Invented,
    family_of,
    judgment,
    judgments,
)

__all__ = ["FAMILIES", "KINDS", "Invented", "PieceError", "family_of", "judgment", "judgments"]
