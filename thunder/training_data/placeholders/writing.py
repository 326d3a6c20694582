"""An annotated judgment as it is written to a file: one placeholder text for one entity."""

from collections import defaultdict

from thunder.text.spans import Span, replace_spans
from thunder.training_data.annotation import Annotated
from thunder.training_data.placeholders.record import Found


def written(found: Found) -> Annotated:
    """Return the judgment with each placeholder so named that equal names are one entity.

    The mark-up has no other way to say who is who: the 1 of 원고 1 and that of 소외 1 become
    "원고 1" and "소외 1" inside their marks. Nothing outside the marks changes; where a
    placeholder already tells its entity, nothing changes inside either.
    """
    unclear = _unclear(found)
    names = iter(entity if entity in unclear else "" for entity in found.entities)

    def name(span: Span) -> str:
        return next(names) or found.text[span.start : span.end]

    text, changes = replace_spans(found.text, found.spans, name)
    spans = [
        Span(one.new_start, one.new_end, one.span.label, one.span.score, one.span.source)
        for one in changes
    ]
    return Annotated(text, tuple(spans))


def _unclear(found: Found) -> frozenset[str]:
    """Return the entities whose placeholder is a mere number, varies, or is another's too."""
    surfaces: dict[str, set[str]] = defaultdict(set)
    entities: dict[str, set[str]] = defaultdict(set)
    for span, entity in zip(found.spans, found.entities, strict=True):
        surface = found.text[span.start : span.end]
        surfaces[entity].add(surface)
        entities[surface].add(entity)
    return frozenset(
        entity
        for entity, written_as in surfaces.items()
        if len(written_as) > 1
        or any(one.replace("-", "").isdigit() or len(entities[one]) > 1 for one in written_as)
    )
