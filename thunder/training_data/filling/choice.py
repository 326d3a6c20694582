"""What each placeholder of a judgment becomes: a person, an address, a number, a thing."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from thunder.identifiers.plate import REGIONS
from thunder.training_data import mention_makers
from thunder.training_data.filling.addresses import address_at
from thunder.training_data.filling.persons import person
from thunder.training_data.filling.sources import (
    DRAWS,
    MAKERS,
    Form,
    Group,
    Mentions,
    Site,
    new_mention,
    spare_mention,
)
from thunder.training_data.filling.things import named
from thunder.training_data.mention_makers.numbers import PATTERNS, number


def invent(
    group: Group, text: str, source: Mentions, rng: Random, taken: set[str], *, surname: str = ""
) -> Form:
    """Return the form of one placeholder, given all its sites: a mention not *taken* yet."""
    kind, label = group.kind, group.label
    if kind == "person":
        return person(group, text, source, rng, taken, surname=surname)
    if kind == "address":
        draw = partial(address_at, rng, group.sites, group.place)
    elif source.draws(label):
        draw = partial(_fitting, source.of(label), group.sites[0], rng)
    elif kind in MAKERS:
        draw = partial(mention_makers.maker(MAKERS[kind]), rng)
    elif kind in PATTERNS:
        draw = partial(number, kind, rng)
    else:
        return named(group, text, source, rng, taken)
    if kind == "차량번호":
        draw = partial(_plate, draw, group.sites[0])
    return Form(new_mention(draw, kind, source, taken) or spare_mention(draw, kind, rng, taken))


_REGION = "|".join(REGIONS)
_IN_REGION = re.compile(rf"(?<![가-힣])(?:{_REGION}) ?$")
_LED_BY_REGION = re.compile(rf"(?:{_REGION}) ?(?=[0-9])")
_NUMBERED = re.compile(rf"(?:(?:{_REGION}) ?)?[0-9]")
_CYCLE = re.compile("오토바이|이륜|원동기|스쿠터")


def _plate(draw: Callable[[], str], site: Site) -> str:
    """Return a drawn plate that fits: motorcycles alone have a district (제주서귀포가1234).

    A province that the text has said is not said again: 제주 [72바1234].
    """
    said = bool(_IN_REGION.search(site.before))
    cycle = bool(_CYCLE.search(site.before[-12:] + site.after[:12])) and not said
    drawn = (draw() for _ in range(DRAWS))
    plate = next((one for one in drawn if bool(_NUMBERED.match(one)) is not cycle), draw())
    return _LED_BY_REGION.sub("", plate) if said else plate


def _fitting(mentions: Sequence[str], site: Site, rng: Random) -> str:
    """Return a mention of one piece; what stands behind a ship's 호 is the ship's name."""
    mention = rng.choice(mentions)
    if site.span.label not in ("선박번호", "어선"):
        return mention
    if not site.after.startswith("호"):
        return mention
    for _ in range(DRAWS):  # a list of one's own may hold numbers only
        if mention.removesuffix("호")[-1:].isalpha():
            break
        mention = rng.choice(mentions)
    return mention.removesuffix("호")
