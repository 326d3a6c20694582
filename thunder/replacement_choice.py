"""What each placeholder of a judgment becomes: a person, an address, a number, a thing."""

from collections.abc import Sequence
from functools import partial
from random import Random

from thunder import inventions
from thunder.inventions_numbers import PATTERNS, number
from thunder.replacement_addresses import address_at
from thunder.replacement_persons import person
from thunder.replacement_sources import (
    MAKERS,
    Form,
    Group,
    Mentions,
    Site,
    new_mention,
    spare_mention,
)
from thunder.replacement_things import named


def invent(group: Group, text: str, source: Mentions, rng: Random, taken: set[str]) -> Form:
    """Return the form of one placeholder, given all its sites: a mention not *taken* yet."""
    kind, label = group.kind, group.label
    if kind == "person":
        return person(group, text, source, rng, taken)
    if kind == "address":
        draw = partial(address_at, rng, group.sites[0], group.place)
    elif source.draws(label):
        draw = partial(_fitting, source.of(label), group.sites[0], rng)
    elif kind in MAKERS:
        draw = partial(inventions.maker(MAKERS[kind]), rng)
    elif kind in PATTERNS:
        draw = partial(number, kind, rng)
    else:
        return named(group, text, source, rng, taken)
    return Form(new_mention(draw, kind, source, taken) or spare_mention(draw, kind, rng, taken))


def _fitting(mentions: Sequence[str], site: Site, rng: Random) -> str:
    """Return a mention of one piece; what stands behind a ship's 호 is the ship's name."""
    mention = rng.choice(mentions)
    if site.span.label not in ("선박번호", "어선"):
        return mention
    before_ho = site.after.startswith("호")
    while before_ho and not mention.removesuffix("호")[-1].isalpha():
        mention = rng.choice(mentions)
    return mention.removesuffix("호") if before_ho else mention
