"""Invented judgments and other writings, made of pieces that lawyers can edit (``pieces/``)."""

from thunder.training_data.invented_judgments.grammar import PieceError
from thunder.training_data.invented_judgments.judgments import (
    FAMILIES,
    KINDS,
    Invented,
    family_of,
    judgment,
    judgments,
)
from thunder.training_data.invented_judgments.writings import WRITINGS

__all__ = [
    "FAMILIES",
    "KINDS",
    "WRITINGS",
    "Invented",
    "PieceError",
    "family_of",
    "judgment",
    "judgments",
]
