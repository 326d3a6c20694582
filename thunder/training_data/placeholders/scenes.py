"""What a shop or firm without a generic noun may be, by what is said to be done there."""

from collections.abc import Iterator

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import words_of
from thunder.training_data.placeholders import contexts
from thunder.training_data.placeholders.nouns import generic_nouns, is_business, says_kind
from thunder.training_data.placeholders.record import BANK, SOME_FIRM, Vote

_BEHIND, _BEFORE = 160, 100


def scene(text: str, start: int, end: int) -> Iterator[Vote]:
    """Yield the trades that the words around a shop's or lender's placeholder speak of."""
    lending = sign("spoken-of-lending")
    if sign("caller-of-a-lender").at(text, end):
        is_lent = any(lending.all(text, max(0, start - _BEFORE), end + _BEHIND))
        yield Vote(BANK if is_lent else SOME_FIRM, 4.4)
        return
    if sign("staff-of-a-lender").at(text, end):
        if any(lending.all(text, max(0, start - _BEFORE), end + _BEFORE)):
            yield Vote(BANK, 2.6)
        return
    if not (sign("shop-announced").at(text, start) or sign("shop-spoken-of").at(text, end)):
        return
    yield from _called_again(text, end)
    here, before = text[end : end + _BEHIND], text[max(0, start - _BEFORE) : start]
    for row in contexts.contexts(contexts.SCENES):
        if row.sides["said"].search(here):
            yield Vote(row.vote.label, 1.1)
        elif row.sides["said"].search(before):
            yield Vote(row.vote.label, 0.5)


def _called_again(text: str, end: int) -> Iterator[Vote]:
    """Yield the trade by whose noun the text goes on to speak of the place: 위 식당에서."""
    for match in sign("place-again").all(text, end, end + _BEHIND):
        word = match["N"]
        for length in range(len(word), 1, -1):
            noun = word[:length]
            label = generic_nouns().get(noun)
            if noun in words_of("says-nothing-new"):
                continue
            if label and says_kind(noun) and is_business(label):
                yield Vote(label, 2.0)
                return
