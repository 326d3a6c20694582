"""What stands in the place of each masked mention: one letter for one person or thing."""

from collections.abc import Sequence

from thunder.masking.known import Known
from thunder.masking.pseudonyms import Masked, assign
from thunder.masking.wordings import key_of
from thunder.names import linking
from thunder.taxonomy.policy import Decision
from thunder.text.korean import fold
from thunder.text.particles import agree
from thunder.text.spans import Span

_LONGEST_TAIL = 130


def letter(plain: str, decisions: Sequence[Decision], known: Known) -> list[str]:
    """Return the replacement of each of *decisions* on folded text, all of which mask something."""
    entities = linking.entities(plain, [decision.span for decision in decisions])
    entities, fixed = _joined(plain, decisions, entities, known)
    masked = [
        Masked(decision.span, entity, decision.omission)
        for decision, entity in zip(decisions, entities, strict=True)
    ]
    return assign(plain, masked, fixed=fixed)


def _joined(
    plain: str, decisions: Sequence[Decision], entities: list[int], known: Known
) -> tuple[list[int], dict[int, str]]:
    """Return *entities* with those made one that are known to be, and the letters they have."""
    if not known:
        return entities, {}
    of_key: dict[str, set[int]] = {}
    for decision, entity in zip(decisions, entities, strict=True):
        key = key_of(plain[decision.span.start : decision.span.end])
        of_key.setdefault(key, set()).add(entity)
    one_of: dict[int, int] = {}
    fixed: dict[int, str] = {}
    of_letter: dict[str, int] = {}

    def root(entity: int) -> int:
        while entity in one_of:
            entity = one_of[entity]
        return entity

    def join(first: int, second: int) -> int:
        low, high = sorted((root(first), root(second)))
        if low != high:
            one_of[high] = low
        return low

    for wordings, given in known.one():
        same = [e for wording in wordings for e in of_key.get(key_of(fold(wording).text), ())]
        for entity in same[1:]:
            join(same[0], entity)
        if same and given:
            of_letter[given] = join(of_letter.get(given, same[0]), same[0])
    for given, entity in of_letter.items():
        fixed[root(entity)] = given
    return [root(entity) for entity in entities], fixed


def with_particles(
    text: str, spans: Sequence[Span], replacements: Sequence[str]
) -> tuple[list[Span], list[str]]:
    """Return spans and replacements that take in the particle after a mention, agreed."""
    grown: list[Span] = []
    agreed: list[str] = []
    stops = [*(span.start for span in spans[1:]), len(text)][: len(spans)]
    for span, replacement, stop in zip(spans, replacements, stops, strict=True):
        following = text[span.end : min(stop, span.end + _LONGEST_TAIL)]
        new = agree(replacement, following)
        same = _common_suffix(following, new)
        end = span.end + len(following) - same
        grown.append(Span(span.start, end, span.label, span.score, span.source))
        agreed.append(replacement + new[: len(new) - same])
    return grown, agreed


def _common_suffix(one: str, other: str) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[-1 - length] == other[-1 - length]:
        length += 1
    return length
