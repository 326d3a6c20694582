"""Annotated judgments filled with invented mentions, so that they read like unmasked ones.

Every choice is drawn by a key from the document, the kind of mention and its placeholder, and by
what the document says around it: the same document and key give the same text in any order of work.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import NamedTuple

from thunder.text.spans import IGNORED, Span
from thunder.training_data.filling import facts
from thunder.training_data.filling import kin as kin_of
from thunder.training_data.filling.addresses import (
    among,
    division_of,
    land_of,
    narrowest,
    parted,
    place_of,
)
from thunder.training_data.filling.choice import invent
from thunder.training_data.filling.fitting import next_door
from thunder.training_data.filling.sites import QUOTES, Prepared, kind_of, prepare
from thunder.training_data.filling.sources import Form, Group, Land, Lists, Mentions, claims
from thunder.training_data.filling.variants import NONE, TRAINING, Variants, varied
from thunder.training_data.lists import Part, UsedUp, load
from thunder.training_data.mention_makers.names import PLAIN, NameForms
from thunder.training_data.mention_makers.names import korean_name as korean_name
from thunder.training_data.mention_makers.numbers import invented as invented

__all__ = [
    "IGNORED",
    "NONE",
    "NOUN",
    "QUOTES",
    "TRAINING",
    "Choice",
    "Lists",
    "Mentions",
    "Prepared",
    "Variants",
    "choose",
    "fill",
    "invented",
    "kind_of",
    "korean_name",
    "naming",
    "prepare",
    "spans_of",
    "written",
]

NOUN = "noun"
"""The source of a span that holds only the generic noun behind the mention before it."""


def fill(
    text: str,
    spans: Sequence[Span],
    *,
    key: bytes,
    document_id: str,
    lists: Lists | None = None,
    part: Part = "all",
    forms: NameForms = PLAIN,
    variants: Variants = NONE,
) -> tuple[str, list[Span]]:
    """Return *text* with every placeholder filled, and the spans moved to the mentions.

    *spans* (sorted, disjoint) carry labels of the taxonomy, IGNORED where there is none. One
    placeholder gets one mention in the whole document, two never the same; particles agree. A
    generic noun that stands behind a placeholder is not said twice (충주미래|병원), and one that
    the mention brings along becomes a span of its own, IGNORED, as courts leave it readable.
    Where brackets alone parted two addresses or houses, a space does.

    *lists* are the shipped ones without it; only mentions of their *part* are taken. *forms* are
    the shares of Korean names that are spaced, or have Hanja or Latin letters beside them,
    *variants* those of places where a mention is shortened, or gets a title or a legal form;
    these two stand outside the span. LookupError or ValueError name the document.
    """
    source = Mentions(lists if lists is not None else load(), part, forms)
    with naming(document_id):
        prepared = prepare(text, spans)
        chosen = choose(
            prepared, source=source, key=key, document_id=document_id, variants=variants
        )
    return written(prepared, chosen)


@contextmanager
def naming(document_id: str) -> Iterator[None]:
    """Return a context that puts the document's id before what a LookupError or ValueError says."""
    try:
        yield
    except UsedUp as error:
        raise UsedUp(f"{document_id}: {error}") from error
    except LookupError as error:
        raise LookupError(f"{document_id}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{document_id}: {error}") from error


class Choice(NamedTuple):
    """What a judgment is filled with: the form of each site, the spelling of each particle."""

    forms: Sequence[Form]
    particles: Sequence[str]


def choose(
    prepared: Prepared,
    *,
    source: Mentions,
    key: bytes,
    document_id: str,
    variants: Variants = NONE,
) -> Choice:
    """Return what fills a judgment made ready by ``prepare``; sites of one placeholder agree.

    UsedUp where the document needs more mentions than there are.
    """
    drawn: list[tuple[Group, Form, Random]] = []
    taken: set[str] = set()
    forms: list[Form] = [_NOTHING] * len(prepared.sites)
    filled: list[tuple[int, str]] = []
    lands: list[Land] = []
    for group in prepared.groups:
        rng = _rng(key, document_id, group.kind, group.surface)
        placed = _placed(group, prepared, forms)
        if group.kind != "person":
            placed = replace(placed, here=facts.where(prepared.text, _at(group), sorted(filled)))
        if group.kind == "address" and group.parent < 0:
            placed = replace(placed, beside=among(placed.sites, lands))
        kin = forms[group.kin].person if group.kin >= 0 else None
        of_clan = kin_of.clan_surname(forms[group.clan].text) if group.clan >= 0 else ""
        surname = group.surname or of_clan or (kin[0] if kin else "")
        others = (forms[at].person for at in group.unlike)
        unlike = tuple(other[0] for other in others if other)
        form = division_of(placed, forms[group.within].text) if group.within >= 0 else None
        if group.parted_from >= 0:
            form = form or parted(placed, forms[group.parted_from].text, taken, rng)
        if placed.beside and placed.beside.whole:
            form = Form(placed.beside.division)  # an area that contains the land named before
        form = form or next_door(placed, [one for one, _, _ in drawn], [f for _, f, _ in drawn])
        form = form or invent(
            placed, prepared.text, source, rng, taken, surname=surname, unlike=unlike
        )
        taken |= claims(group.kind, form.core)
        drawn.append((group, form, rng))
        land = land_of(placed.sites, placed.place, form.text) if group.kind == "address" else None
        lands += [land] if land else []
        if group.kind == "address" or group.label.startswith("행정"):
            filled += [(site.span.start, form.text) for site in group.sites]
        elif group.label in _OFFICES and (full := facts.district_of(form.core)):
            filled += [(site.span.start, full) for site in group.sites]
        for at in group.at:
            forms[at] = form
    surnames = Counter(form.person[0] for _, form, _ in drawn if form.person)
    for group, form, rng in drawn:
        ways = varied(group, form, prepared.text, variants=variants, rng=rng, surnames=surnames)
        for at, way in zip(group.at, ways, strict=True):
            forms[at] = way
    for at, form in enumerate(forms):
        if _runs_in(prepared, at):
            forms[at] = form._replace(lead=f" {form.lead}")
    return Choice(forms, [found.form(forms[site].text) for found, site in prepared.particles])


def _runs_in(prepared: Prepared, at: int) -> bool:
    """Return whether only the bracket that a site was put in parts it from what stands before.

    Brackets go with the marks, and a space takes their place: 집(주소 생략)(건물명 생략) becomes
    집 대신동 평민타워.
    """
    site, start = prepared.sites[at], prepared.sites[at].span.start
    if site.surface.startswith("(") and prepared.text[start - 1 : start].isalnum():
        return not site.before.endswith("제")  # 제[3]호
    first = prepared.sites[at - 1 if at else at]
    places = (kind_of(first.span.label), kind_of(site.span.label), first.span.label)
    apart = "address" in places or first.span.label in facts.words("house")
    brackets = first.surface.endswith(")") or site.surface.startswith("(")
    return at > 0 and apart and brackets and first.span.end == start


_NOTHING = Form("")
_OFFICES = ("경찰서", "소방서")
"""Labels of offices of a 시·군·구, of which others beside them are branches."""


def _at(group: Group) -> int:
    return group.sites[0].span.start


def _placed(group: Group, prepared: Prepared, forms: Sequence[Form]) -> Group:
    """Return *group* with what its first site has before it by now: division, line, floor, station.

    강남구 [역삼동 12], [2]호선 [강남]역 [11]번 출구, [3]층 [304]호.
    """
    first, number = group.sites[0], group.at[0]
    before, at = "", first.span.start
    while number and at - (end := prepared.sites[number - 1].span.end) <= _BESIDE:
        number -= 1
        site = prepared.sites[number]
        before = f"{forms[number].text}{prepared.text[end:at]}{before}"
        at = site.span.start
    if not before:
        return group
    start = prepared.sites[number]
    sites = (replace(first, before=f"{start.before}{before}"), *group.sites[1:])
    if group.parent < 0:
        return replace(group, sites=sites) if group.kind not in ("person", "address") else group
    place = place_of(narrowest(sites), prepared.text) if group.kind == "address" else ""
    return replace(group, sites=sites, place=place)


_BESIDE = 16  # characters between two placeholders that speak of one place


def written(prepared: Prepared, chosen: Choice) -> tuple[str, list[Span]]:
    """Return the text of a judgment filled as *chosen*, and the spans of its mentions."""
    pieces = [prepared.kept[0]]
    for place, kept in zip(prepared.order, prepared.kept[1:], strict=True):
        pieces.append(chosen.forms[place].text if place >= 0 else chosen.particles[~place])
        pieces.append(kept)
    return "".join(pieces), spans_of(prepared, chosen)


def spans_of(prepared: Prepared, chosen: Choice) -> list[Span]:
    """Return the spans of the mentions in the text that ``written`` makes of *chosen*."""
    return list(_spans(prepared, chosen))


def _spans(prepared: Prepared, chosen: Choice) -> Iterator[Span]:
    at = len(prepared.kept[0])
    for place, kept in zip(prepared.order, prepared.kept[1:], strict=True):
        if place >= 0:
            form = chosen.forms[place]
            start = at + len(form.lead)
            middle = start + len(form.core)
            yield Span(start, middle, prepared.spans[place].label)
            if form.noun:
                yield Span(middle, middle + len(form.noun), IGNORED, source=NOUN)
            at = middle + len(form.noun) + len(form.trail) + len(kept)
        else:
            at += len(chosen.particles[~place]) + len(kept)


def _rng(key: bytes, *parts: str) -> Random:
    message = "\0".join(parts).encode()
    return Random(hashlib.blake2b(message, key=key, digest_size=16).digest())
