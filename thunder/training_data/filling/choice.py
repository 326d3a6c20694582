"""What each placeholder of a judgment becomes: a person, an address, a number, a thing."""

import re
from collections.abc import Sequence
from functools import partial
from random import Random

from thunder.taxonomy.lexicon import expression
from thunder.training_data import mention_makers
from thunder.training_data.filling.addresses import address_at, lot_among
from thunder.training_data.filling.fitting import (
    account_at_bank,
    asks_for_mobile,
    fits_place,
    fitting,
    number_at,
    plate_for_hire,
    station,
)
from thunder.training_data.filling.persons import person
from thunder.training_data.filling.sources import (
    DRAWS,
    MAKERS,
    Form,
    Group,
    Mentions,
    Site,
    claims,
    new_mention,
    spare_mention,
)
from thunder.training_data.filling.things import named
from thunder.training_data.mention_makers.numbers import PATTERNS, number

_STATIONS = ("지하철역", "기차역")


def invent(
    group: Group,
    text: str,
    source: Mentions,
    rng: Random,
    taken: set[str],
    *,
    surname: str = "",
    unlike: Sequence[str] = (),
) -> Form:
    """Return the form of one placeholder, given all its sites: a mention not *taken* yet."""
    kind, label = group.kind, group.label
    if label in _STATIONS and source.ships(label):
        found = station(group, source, rng, taken)
        if found is not None:
            return found
    if kind == "person":
        return person(group, text, source, rng, taken, surname=surname, unlike=unlike)
    if kind == "address":
        draw = partial(address_at, rng, group.sites, group.place)
        draw = partial(draw, level=group.level, since=group.since, here=group.here)
        draw = partial(lot_among, rng, group.beside) if group.beside else draw
    elif source.draws(label):
        draw = partial(_ship_or_any, source.of(label), group.sites[0], rng)
    elif kind in MAKERS:
        draw = partial(mention_makers.maker(MAKERS[kind]), rng)
    elif kind in PATTERNS:
        draw = partial(number, kind, rng)
    else:
        settled = number_at(group, rng)
        return Form(settled) if settled else named(group, text, source, rng, taken)
    made = plate_for_hire(group) or account_at_bank(group)
    draw = partial(made, rng) if made else draw
    if asks_for_mobile(group):
        draw = partial(mention_makers.maker("mobile"), rng)
    settled = number_at(group, rng)
    if settled and not claims(kind, settled) & taken:
        return Form(settled)
    fits = fits_place(group, text)
    mention = new_mention(partial(fitting, draw, fits), kind, source, taken)
    mention = mention or spare_mention(draw, kind, rng, taken)
    mention = _in_year(mention, group.since) if label.endswith("번호") else mention
    return Form(_without_region(mention, group.sites[0]) if kind == "차량번호" else mention)


def _in_year(number: str, year: int) -> str:
    """Return a number that begins with a year with that in which the text speaks of it."""
    return _BY_YEAR.sub(str(year), number) if year else number


_BY_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?=[-가-힣])")
_IN_REGION = expression("(?<![가-힣])<region> ?[(]?$")
_LED_BY_REGION = expression("<region> ?(?=[0-9])")


def _without_region(plate: str, site: Site) -> str:
    """Return a plate without the province that the text has said: 제주 [72바1234]."""
    return _LED_BY_REGION.sub("", plate) if _IN_REGION.search(site.before) else plate


def _ship_or_any(mentions: Sequence[str], site: Site, rng: Random) -> str:
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
