"""Makers of invented mentions: plain functions of a ``random.Random``, by the name rules use.

A rule file of ``replacement_lists/`` names one (``maker: korean-name``), for the whole mention or
for a part of its patterns. Identifiers come from ``identifiers``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random

from thunder.taxonomy.lexicon import account_layouts
from thunder.training_data.mention_makers import addresses
from thunder.training_data.mention_makers import identifiers as made_up
from thunder.training_data.mention_makers.names import korean_name, mixed_name

Maker = Callable[[Random], str]

_MOBILE = re.compile(r"01[016789]|\+82-10")


def mobile(rng: Random) -> str:
    """Return an invented number of a mobile telephone."""
    while not _MOBILE.match(number := made_up.phone(rng)):
        pass
    return number


def landline(rng: Random) -> str:
    """Return an invented telephone number that is no mobile one."""
    while _MOBILE.match(number := made_up.phone(rng)):
        pass
    return number


def resident_or_foreigner(rng: Random) -> str:
    """Return an invented resident number, one in eight that of a foreigner."""
    return made_up.foreigner(rng) if rng.random() < 0.12 else made_up.resident(rng)


def bank_account(rng: Random, *, layouts: Sequence[str] = ()) -> str:
    """Return an invented account number in one of *layouts* (3-2-6), any bank's without them."""
    sizes = _sizes(rng.choice(layouts)) if layouts else rng.choice(_layouts())
    length = sum(sizes)
    digits = str(rng.randrange(10 ** (length - 1), 10**length))
    if rng.random() < 0.12:
        return digits
    ends = accumulate(sizes)
    return "-".join(digits[end - size : end] for size, end in zip(sizes, ends, strict=True))


@lru_cache(maxsize=1)
def _layouts() -> tuple[tuple[int, ...], ...]:
    layouts = (layout for some in account_layouts().values() for layout in some)
    return tuple(map(_sizes, layouts))


def _sizes(layout: str) -> tuple[int, ...]:
    return tuple(map(int, layout.split("-")))


_MAKERS: Mapping[str, Maker] = {
    "korean-name": mixed_name,
    "plain-korean-name": korean_name,
    "below-gu": addresses.below_gu,
    "below-gun": addresses.below_gun,
    "below-si": addresses.below_si,
    "below-do": addresses.below_do,
    "below-eup": addresses.below_eup,
    "below-dong": addresses.below_dong,
    "address": addresses.whole_address,
    "land": addresses.land,
    "forest": addresses.forest,
    "parcel": addresses.parcel,
    "lot": addresses.lot,
    "account": bank_account,
    "birth-date": made_up.birth_date,
    "business": made_up.business,
    "card": made_up.card,
    "corporation": made_up.corporation,
    "email": made_up.email,
    "foreigner": made_up.foreigner,
    "imo": made_up.imo,
    "landline": landline,
    "licence": made_up.licence,
    "military": made_up.military,
    "mobile": mobile,
    "passport": made_up.passport,
    "plate": made_up.plate,
    "postcode": made_up.postcode,
    "resident": made_up.resident,
    "resident-or-foreigner": resident_or_foreigner,
    "url": made_up.url,
    "user-id": made_up.user_id,
    "vessel": made_up.vessel,
    "wallet": made_up.wallet,
}


def maker_names() -> tuple[str, ...]:
    """Return the names of all makers."""
    return tuple(_MAKERS)


def maker(name: str) -> Maker:
    """Return the maker called *name*; LookupError names those there are."""
    if name not in _MAKERS:
        raise LookupError(f"unknown maker '{name}'; known are {', '.join(_MAKERS)}")
    return _MAKERS[name]
