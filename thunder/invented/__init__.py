"""Invented whole judgments, put together from pieces that lawyers can edit (``pieces/``)."""

from thunder.invented.grammar import PieceError
from thunder.invented.judgments import FAMILIES, KINDS, Invented, family_of, judgment, judgments

__all__ = ["FAMILIES", "KINDS", "Invented", "PieceError", "family_of", "judgment", "judgments"]
