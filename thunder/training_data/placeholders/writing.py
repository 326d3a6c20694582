"""An annotated judgment as it is written to a file: one placeholder text for one entity."""

from collections import defaultdict
from itertools import count

from thunder.text.spans import Span, replace_spans
from thunder.training_data.annotation import Annotated
from thunder.training_data.placeholders.record import Found


def written(found: Found) -> Annotated:
    """Return the judgment with each placeholder so named that equal names are one entity.

    The mark-up has no other way to say who is who: the 1 of 원고 1 and that of 소외 1 become
    "원고 1" and "소외 1" inside their marks, the circles of ○○병원 and of ○○동 "○○" and "○○ 2".
    Nothing outside the marks changes, no word is put in that the judgment does not have; where a
    placeholder already tells its entity, nothing changes inside either.
    """
    names = _names(found)
    mine = iter(found.entities)

    def name(span: Span) -> str:
        return names.get(next(mine)) or found.text[span.start : span.end]

    text, changes = replace_spans(found.text, found.spans, name)
    spans = [
        Span(one.new_start, one.new_end, one.span.label, one.span.score, one.span.source)
        for one in changes
    ]
    return Annotated(text, tuple(spans))


def _names(found: Found) -> dict[str, str]:
    """Return what each entity is called whose placeholder is a number, varies, or is another's."""
    surfaces: dict[str, list[str]] = defaultdict(list)
    entities: dict[str, set[str]] = defaultdict(set)
    for span, entity in zip(found.spans, found.entities, strict=True):
        surface = found.text[span.start : span.end]
        surfaces[entity].append(surface)
        entities[surface].add(entity)
    unclear = [
        entity
        for entity, forms in surfaces.items()
        if len(set(forms)) > 1
        or any(_is_number(one) or _bare(one) != one or len(entities[one]) > 1 for one in forms)
    ]
    # What the others are called stays theirs.
    taken = {one for entity in surfaces.keys() - set(unclear) for one in surfaces[entity]}
    names: dict[str, str] = {}
    for entity in unclear:
        names[entity] = _name(entity, surfaces[entity], taken)
        taken.add(names[entity])
    return names


def _name(entity: str, surfaces: list[str], taken: set[str]) -> str:
    """Return a name that is not *taken*: as the judgment writes it, with a number if need be."""
    own = [_bare(one) for one in surfaces if not _is_number(one)]
    if not own:
        return entity  # 원고 1: the role and the number that stand in the judgment
    free = next((one for one in own if one not in taken), "")
    return free or next(name for at in count(2) if (name := f"{own[0]} {at}") not in taken)


def _is_number(surface: str) -> bool:
    return _bare(surface).replace("-", "").isdigit()


def _bare(surface: str) -> str:
    """Return what is marked without the publisher's note behind it: 3(항소심판결의 원고 2)."""
    return surface.partition("(")[0].rstrip() or surface
