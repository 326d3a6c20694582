"""From pieces and the facts of a case to a text with its placeholders marked."""

from collections.abc import Mapping
from random import Random

from thunder.text.spans import Span
from thunder.training_data.invented_judgments.grammar import (
    IN_ORDER,
    ONCE,
    Alternative,
    Choice,
    Number,
    Piece,
    PieceError,
    Sequenced,
    Slot,
    Test,
    alternative,
)
from thunder.training_data.invented_judgments.layout import SEAM, Entity, Mention, Token, joined

_DEEPEST = 60  # pieces within pieces: more is a piece that holds itself

Fact = str | bool | Entity
Facts = Mapping[str, Fact]


class Writer:
    """The writing of one document; every draw comes from the one *rng* of the document."""

    def __init__(self, pieces: Mapping[str, Piece], facts: Facts, rng: Random) -> None:
        self._pieces = pieces
        self._facts = facts
        self._rng = rng
        self._left: dict[str, list[int]] = {}
        self._uses: dict[str, int] = {}
        self._fixed: dict[str, list[Token]] = {}
        self._depth = 0

    def write(self, piece: str) -> tuple[str, tuple[Span, ...]]:
        """Return the text of *piece* and its labelled placeholders.

        PieceError for a slot that is neither a fact nor a piece, a piece without an alternative
        for these facts, or one that holds itself.
        """
        return joined(self._slot(piece, "the document"), self._rng)

    def _slot(self, name: str, place: str) -> list[Token]:
        fact = self._facts.get(name)
        if isinstance(fact, Entity):
            return [Mention(name, fact), SEAM]
        if isinstance(fact, str):
            return [*self._sequence(alternative(fact, place=name).nodes, name), SEAM]
        piece = self._pieces.get(name)
        if piece is None:
            raise PieceError(f"{place}: '{name}' is neither a piece nor a fact of this case")
        return [*self._piece(piece, place), SEAM]

    def _piece(self, piece: Piece, place: str) -> list[Token]:
        if piece.name in self._fixed:
            return self._fixed[piece.name]
        self._depth += 1
        if self._depth > _DEEPEST:
            raise PieceError(f"{place}: the piece '{piece.name}' holds itself")
        chosen = self._alternative(piece, place)
        tokens = self._sequence(chosen.nodes, chosen.place)
        self._depth -= 1
        if piece.order == ONCE:
            self._fixed[piece.name] = tokens
        return tokens

    def _alternative(self, piece: Piece, place: str) -> Alternative:
        """Return the next alternative that fits the facts, none twice before all have come."""
        fitting = [at for at, one in enumerate(piece.alternatives) if self._fits(one)]
        if not fitting:
            raise PieceError(f"{place}: no alternative of '{piece.name}' fits this case")
        if piece.order == IN_ORDER:
            uses = self._uses.get(piece.name, 0)
            self._uses[piece.name] = uses + 1
            return piece.alternatives[fitting[min(uses, len(fitting) - 1)]]
        left = [at for at in self._left.get(piece.name, []) if at in fitting]
        if not left:
            left = self._rng.sample(fitting, len(fitting))
        self._left[piece.name] = left[1:]
        return piece.alternatives[left[0]]

    def _fits(self, one: Alternative) -> bool:
        return all(bool(self._facts.get(name)) == wanted for name, wanted in one.conditions)

    def _sequence(self, nodes: Sequenced, place: str) -> list[Token]:
        tokens: list[Token] = []
        for node in nodes:
            if isinstance(node, str):
                tokens.append(node)
            elif isinstance(node, Slot):
                tokens += self._slot(node.name, place)
            elif isinstance(node, Number):
                tokens += [self._number(node), SEAM]
            elif isinstance(node, Choice):
                tokens += [*self._sequence(self._rng.choice(node.options), place), SEAM]
            elif isinstance(node, Test):
                holds = bool(self._facts.get(node.flag)) == node.wanted
                tokens += [*self._sequence(node.yes if holds else node.no, place), SEAM]
        return tokens

    def _number(self, number: Number) -> str:
        drawn = self._rng.randrange(number.least, number.most + 1, number.step)
        is_year = number.least >= 1900 and number.most <= 2100
        return str(drawn) if is_year else f"{drawn:,}"
