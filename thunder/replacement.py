"""Annotated judgments filled with invented mentions, so that they read like unmasked ones.

Every choice is drawn by a key from the document, the kind of mention and its placeholder, never
from what was filled before: the same document and key give the same text in any order of work.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from random import Random

from thunder import particles
from thunder.inventions_names import PLAIN, NameForms
from thunder.inventions_names import korean_name as korean_name
from thunder.inventions_numbers import invented as invented
from thunder.lists import Part, load
from thunder.replacement_choice import invent, kind_of
from thunder.replacement_sources import IGNORED, Form, Lists, Mentions, Site, claims
from thunder.spans import Change, Span, replace_spans, require_disjoint

__all__ = ["IGNORED", "NOUN", "QUOTES", "Lists", "fill", "invented", "kind_of", "korean_name"]

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
) -> tuple[str, list[Span]]:
    """Return *text* with every placeholder filled, and the spans moved to the mentions.

    *spans* (sorted, disjoint) carry labels of the taxonomy, IGNORED where there is none. One
    placeholder gets one mention in the whole document, two never the same; particles agree. A
    generic noun that stands behind a placeholder is not said twice (충주미래|병원), and one that
    the mention brings along becomes a span of its own, IGNORED, as courts leave it readable.

    *lists* are the shipped ones without it; only mentions of their *part* are taken. *forms* are
    the shares of Korean names that are spaced, or have Hanja or Latin letters beside them.
    """
    require_disjoint(spans, length=len(text))
    sites = [_site(text, span) for span in spans]
    source = Mentions(lists if lists is not None else load(), part, forms)
    chosen = _forms(text, sites, source, key=key, document_id=document_id)
    edits = [(site.span, "".join(form)) for site, form in zip(sites, chosen, strict=True)]
    edits += _particles(text, edits)
    edits.sort()
    replacements = iter([replacement for _, replacement in edits])
    filled, changes = replace_spans(text, [span for span, _ in edits], lambda _: next(replacements))
    kept = [change for change in changes if change.span.source != _PARTICLE]
    moved = [_moved(change, form) for change, form in zip(kept, chosen, strict=True)]
    return filled, [span for parts in moved for span in parts]


_PARTICLE = "particle"


def _particles(text: str, edits: Sequence[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Return the particle behind each placeholder, agreed to what the placeholder becomes."""
    starts = {span.start for span, _ in edits}
    agreed: dict[int, tuple[Span, str]] = {}
    for span, mention in edits:
        particle = particles.find(text, span.end)
        if particle and particle.start not in starts:
            place = Span(particle.start, particle.end, _PARTICLE, source=_PARTICLE)
            agreed.setdefault(particle.start, (place, particle.form(mention)))
    return list(agreed.values())


def _moved(change: Change, form: Form) -> list[Span]:
    middle = change.new_start + len(form.core)
    spans = [Span(change.new_start, middle, change.span.label)]
    return [*spans, Span(middle, change.new_end, IGNORED, source=NOUN)] if form.noun else spans


QUOTES = "'\"‘’“”`´ \u00a0"


def _site(text: str, span: Span) -> Site:
    marked = text[span.start : span.end]
    surface = marked.strip(QUOTES) or marked
    start = span.start + marked.index(surface)
    end = start + len(surface)
    inner = Span(start, end, span.label)
    return Site(inner, surface, text[max(0, start - 80) : start], text[end : end + 60])


def _forms(
    text: str, sites: Sequence[Site], source: "Mentions", *, key: bytes, document_id: str
) -> list[Form]:
    """Return the form of each site; sites with one placeholder of one kind share it.

    What stands in brackets behind a name (金漢煥) is written at its first site only.
    """
    groups: dict[tuple[str, str], list[Site]] = defaultdict(list)
    for site in sites:
        groups[kind_of(site.span.label), site.surface].append(site)
    forms: dict[tuple[str, str], Form] = {}
    taken: set[str] = set()
    for (kind, surface), group in groups.items():
        rng = _rng(key, document_id, kind, surface)
        forms[kind, surface] = form = invent(kind, group, text, source, rng, taken)
        taken |= claims(kind, form.core)
    return [_next_form(forms, (kind_of(site.span.label), site.surface)) for site in sites]


_IN_BRACKETS = re.compile(r"(?<=[가-힣])\([A-Z一-龥][A-Za-z一-龥 ,.-]+\)$")


def _next_form(forms: dict[tuple[str, str], Form], group: tuple[str, str]) -> Form:
    form = forms[group]
    forms[group] = Form(_IN_BRACKETS.sub("", form.core), form.noun)
    return form


def _rng(key: bytes, *parts: str) -> Random:
    message = "\0".join(parts).encode()
    return Random(hashlib.blake2b(message, key=key, digest_size=16).digest())
