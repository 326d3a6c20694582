"""Makers of identifiers: invented ones as judgments write them, a function for each recogniser.

Each is found by the recogniser of its name (``thunder.identifiers``), beside its cue where that
asks for one.
"""

import re
from functools import lru_cache
from itertools import accumulate
from random import Random

from thunder.identifiers import checks
from thunder.taxonomy import gazetteer
from thunder.taxonomy.lexicon import account_layouts, words_of

_CENTURIES = {"9": 18, "0": 18, "1": 19, "2": 19, "3": 20, "4": 20}
_OF_FOREIGNERS = {"5": 19, "6": 19, "7": 20, "8": 20}
_OFFICES = (
    *map(str, (1101, 1201, 1301, 1311, 1341, 1401, 1501, 1601, 1647, 1701, 1717, 1801, 1901, 1942)),
    *map(str, (2001, 2011, 2101, 2114, 2201, 2301, 2844, 2850)),
)
_PROVIDERS = ["naver.com", "hanmail.net", "daum.net", "gmail.com", "nate.com", "kakao.com"]
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_OLD_NETS = ("011", "016", "017", "018", "019")
_AREAS = "02 031 032 033 041 042 043 044 051 052 053 054 055 061 062 063 064"
_SERVICES = "070 080 060 0303 0502 0503 0504 0505 0506 0507 0508"
_CODES = f"{_AREAS} {_SERVICES}".split(" ")
_IN_SHORT = {
    "충청북도": "충북",
    "충청남도": "충남",
    "전라북도": "전북",
    "전라남도": "전남",
    "경상북도": "경북",
    "경상남도": "경남",
}
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def account(rng: Random) -> str:
    """Return an invented account number in a layout of one of the banks; found beside a cue."""
    layouts = [layout for layouts in account_layouts().values() for layout in layouts]
    groups = [_digits(rng, int(size)) for size in rng.choice(layouts).split("-")]
    groups[0] = rng.choice("123456789") + groups[0][1:]
    return ("-" if rng.random() < 0.85 else "").join(groups)


def _digits(rng: Random, size: int) -> str:
    return "".join(rng.choices("0123456789", k=size))


def address(rng: Random) -> str:
    """Return an invented address as it stands after a 시·군·구: 역삼동 123-4, 테헤란로12길 34."""
    return rng.choice((_lot_address, _village_address, _road_address))(rng)


def _lot_address(rng: Random) -> str:
    names = [name for name in _random_towns(rng) if name[-1] == "동" and len(name) > 2]
    name = rng.choice(names or ["역삼동"])
    if rng.random() < 0.1:
        return name
    if rng.random() < 0.1:
        name = f"{name[:-1]}{rng.randint(1, 5)}동"
    return f"{name} {_lot(rng)}"


def _village_address(rng: Random) -> str:
    towns = {town: villages for town, villages in _random_towns(rng).items() if villages}
    town = rng.choice(sorted(towns) or ["서종면"])
    village = rng.choice(towns.get(town, ("문호리",)))
    return f"{town} {village}{rng.choice(('', f' {_lot(rng)}'))}"


def _road_address(rng: Random) -> str:
    road = rng.choice(gazetteer.roads()).replace("#", str(rng.randint(1, 30)))
    branch = f"{rng.randint(1, 200)}{rng.choice(('길', '번길'))}"
    road += branch if road[-1] == "로" and rng.random() < 0.4 else ""
    number = f"{rng.randint(1, 400)}{rng.choice(('', f'-{rng.randint(1, 40)}'))}"
    towns = [name for name in _random_towns(rng) if name[-1] == "동"]
    reference = f" ({rng.choice(towns)})" if towns and rng.random() < 0.3 else ""
    return f"{road} {number}{reference}"


def _random_towns(rng: Random) -> dict[str, tuple[str, ...]]:
    return dict(gazetteer.below(rng.choice(gazetteer.district_names())))


def _lot(rng: Random) -> str:
    main = f"{rng.choice(('', '', '', '산 '))}{rng.randint(1, 1500)}"
    return main + rng.choice(("", "번지", f"-{rng.randint(1, 80)}", f"-{rng.randint(1, 80)}번지"))


def age(rng: Random) -> str:
    """Return an age in years, as it stands before 세."""
    return str(rng.randint(3, 92))


def birth_date(rng: Random) -> str:
    """Return an invented date of birth as judgments write it, without its cue."""
    year, month, day = rng.randint(1930, 2022), rng.randint(1, 12), rng.randint(1, 28)
    return rng.choice(
        [
            f"{year}. {month}. {day}.",
            f"{year}. {month}. {day}.",
            f"{year}.{month}.{day}.",
            f"{year}년 {month}월 {day}일",
            f"{year}-{month:02d}-{day:02d}",
            f"{year}{month:02d}{day:02d}",
            f"{year % 100:02d}{month:02d}{day:02d}",
        ]
    )


def business(rng: Random) -> str:
    """Return an invented number with a valid check digit: individuals' and companies' kinds."""
    kind = rng.choice([kind for kind in range(1, 100) if kind != 80])
    nine = f"{rng.randint(101, 899)}{kind:02d}{rng.randrange(10_000):04d}"
    joint = "-" if rng.random() < 0.95 else " - "
    return joint.join((nine[:3], nine[3:5], nine[5:] + checks.business(nine)))


def card(rng: Random) -> str:
    """Return an invented number with a valid check digit, mostly written 4-4-4-4."""
    prefix = rng.choice(words_of("card-prefix"))
    sizes = {"37": (4, 6, 5), "36": (4, 6, 4)}.get(prefix, (4, 4, 4, 4))
    body = prefix + "".join(rng.choices("0123456789", k=sum(sizes) - 1 - len(prefix)))
    number = body + checks.luhn(body)
    pieces = [number[end - size : end] for size, end in zip(sizes, accumulate(sizes), strict=True)]
    return ("-" if rng.random() < 0.9 else " ").join(pieces)


def codes(rng: Random) -> str:
    """Return an invented MAC address."""
    return ":".join(f"{rng.randrange(256):02x}" for _ in range(6))


def corporation(rng: Random) -> str:
    """Return an invented number with a valid check digit, mostly hyphenated."""
    office, kind = rng.choice(_OFFICES), rng.choice(words_of("kind-of-body"))
    twelve = f"{office}{kind}{rng.randrange(1, 1_000_000):06d}"
    joint = "-" if rng.random() < 0.95 else " - "
    return f"{twelve[:6]}{joint}{twelve[6:]}{checks.corporation(twelve)}"


def email(rng: Random) -> str:
    """Return an invented address as judgments write it, seldom spaced or disguised."""
    joint = rng.choice(["", "", ".", "_", "-"])
    local = _word(rng) + (joint + _word(rng) if joint else "")
    host = rng.choice([*_PROVIDERS, f"{_word(rng)}.co.kr", f"{_word(rng)}.com"])
    if rng.random() < 0.85:
        return f"{local}@{host}"
    return local + rng.choice([" @ ", "(at)", "[at]", " 골뱅이 ", "골뱅이"]) + host


def foreigner(rng: Random) -> str:
    """Return an invented number in any form that is recognised without a cue."""
    year, front = _front(rng, first_year=1935, last_year=2024)
    century = rng.choice([digit for digit, first in _OF_FOREIGNERS.items() if first == year // 100])
    return _written(rng, front, f"{century}{rng.randrange(1_000_000):06d}")


def licence(rng: Random) -> str:
    """Return an invented driver's licence number: by region code, at times by region name."""
    codes = dict(zip(words_of("licence-region"), words_of("licence-code"), strict=True))
    name, year = rng.choice(list(codes)), rng.randrange(100)
    tail = f"{year:02d}-{rng.randrange(1_000_000):06d}-{rng.randrange(100):02d}"
    if name != "경기북부" and rng.random() < 0.15:
        return f"{name} {tail}"
    return f"{codes[name]}-{tail}"


def military(rng: Random) -> str:
    """Return an invented number of an officer, a sergeant or an enlisted soldier."""
    digits = rng.choice([5, 6, 8, 8, 8])
    serial = rng.randrange(10 ** (digits - 1), 10**digits)
    return f"{rng.choice([*range(91, 100), *range(26)]):02d}-{serial}"


def passport(rng: Random) -> str:
    """Return an invented Korean passport number of the shape before or since December 2021."""
    kind = rng.choices("MSRGD", weights=(85, 5, 4, 4, 2))[0]
    if rng.random() < 0.4:
        return f"{kind}{rng.randrange(1000):03d}{rng.choice(_LETTERS)}{rng.randrange(10_000):04d}"
    return f"{kind}{rng.randrange(100_000_000):08d}"


def patent(rng: Random) -> str:
    """Return an invented number of a publication or an application."""
    if rng.random() < 0.5:
        return f"WO {rng.randint(2004, 2025)}/{rng.randint(1, 200_000):06d}"
    return f"PCT/KR{rng.randint(2004, 2025)}/{rng.randint(1, 30_000):06d}"


def phone(rng: Random) -> str:
    """Return an invented number, mobile in two of three, in any form that needs no cue."""
    if rng.random() < 0.65:
        return _mobile(rng)
    if rng.random() < 0.1:
        return f"{rng.choice(words_of('national-prefix'))}-{rng.randrange(2500, 10_000)}"
    form = rng.choice(("{}-{}-{}",) * 4 + ("{}){}-{}", "({}){}-{}"))
    middle = rng.randint(200, 999) if rng.random() < 0.6 else rng.randint(2000, 9999)
    return form.format(rng.choice(_CODES), middle, f"{rng.randrange(10_000):04d}")


def _mobile(rng: Random) -> str:
    middle, last = f"{rng.randint(2000, 9999)}", f"{rng.randrange(10_000):04d}"
    if rng.random() < 0.1:
        return f"{rng.choice(_OLD_NETS)}-{rng.randint(200, 999)}-{last}"
    rare = ("010{}{}", "010.{}.{}", "010 {} {}", "+82-10-{}-{}", "010)-{}-{}")
    return rng.choice(("010-{}-{}",) * 8 + rare).format(middle, last)


def plate(rng: Random) -> str:
    """Return an invented plate as judgments write it, of any kind found beside a vehicle."""
    gap, number = rng.choice(["", "", "", " "]), f"{rng.randrange(10000):04d}"
    province, district = rng.choice(_districts())
    space = rng.choice(["", " "])
    region = rng.choice(words_of("region")) + space
    private, commercial = map(rng.choice, map(words_of, ("private-plate", "commercial-plate")))
    rental, cycle = words_of("rental-plate"), words_of("cycle-plate")
    return rng.choice(
        [
            f"{rng.randint(1, 69):02d}{private}{gap}{number}",
            f"{rng.randint(100, 699)}{private}{gap}{number}",
            f"{rng.randint(1, 69):02d}{rng.choice(rental)}{gap}{number}",
            f"{region}{rng.randint(1, 99)}{gap}{private}{gap}{number}",
            f"{region}{rng.randint(70, 98)}{gap}{commercial}{gap}{number}",
            f"{region}0{rng.randint(1, 9)}{private}{gap}{number}",
            f"{province}{space}{district}{gap}{rng.choice(cycle)}{gap}{number}",
        ]
    )


@lru_cache(maxsize=1)
def _districts() -> tuple[tuple[str, str], ...]:
    """Return every district that a motorcycle's plate names, with the province it lies in."""
    divisions = (full.split() for full in gazetteer.district_names())
    pairs = {
        (_IN_SHORT.get(parts[0], parts[0][:2]), re.sub("[시군구]$", "", name))
        for parts in divisions
        for name in parts[1:]
    }
    regions, districts = words_of("region"), words_of("district")
    return tuple(sorted(one for one in pairs if one[0] in regions and one[1] in districts))


def postcode(rng: Random) -> str:
    """Return an invented post code, seldom one of the form used before August 2015."""
    if rng.random() < 0.2:
        return f"{rng.randint(100, 799)}-{rng.randint(1, 999):03d}"
    return f"{rng.randrange(1, 64):02d}{rng.randrange(1000):03d}"


def resident(rng: Random) -> str:
    """Return an invented number in any form that is recognised without a cue."""
    year, front = _front(rng, first_year=1890, last_year=2025)
    century = rng.choice([digit for digit, first in _CENTURIES.items() if first == year // 100])
    middle = f"{rng.randrange(100000):05d}"
    last = checks.resident(front + century + middle) if year < 2021 else str(rng.randrange(10))
    return _written(rng, front, century + middle + last)


def _front(rng: Random, *, first_year: int, last_year: int) -> tuple[int, str]:
    """Return an invented year of birth and the front part that holds it."""
    year, month = rng.randint(first_year, last_year), rng.randint(1, 12)
    return year, f"{year % 100:02d}{month:02d}{rng.randint(1, 28):02d}"


def _written(rng: Random, front: str, rear: str) -> str:
    """Return the number as judgments write it: mostly whole, at times spaced or half hidden."""
    whole = f"{front}-{rear}"
    rare = [f"{front}{rear}", f"{front} - {rear}", f"{whole[:8]}******", f"{whole[:10]}****"]
    return whole if rng.random() < 0.8 else rng.choice(rare)


def spelled(rng: Random) -> str:
    """Return an invented number in words, as it stands behind what it is the number of."""
    signs = "공일삼사오육칠팔구"
    return " ".join("".join(rng.choices(signs, k=4)) for _ in range(rng.randint(2, 3)))


def unit(rng: Random) -> str:
    """Return an invented building and unit: 101동 1203호, 제가동 제201호, B동 302호."""
    block = rng.choice((f"{rng.randint(101, 130)}", f"{rng.randint(1, 20)}", *"가나다ABC"))
    unit = f"{rng.randint(1, 25)}{rng.randint(1, 8):02d}"
    ordinal = rng.choice(("", "", "제"))
    return f"{ordinal}{block}동 {ordinal}{unit}호"


def url(rng: Random) -> str:
    """Return an invented address as judgments write it, under a domain name nobody picked."""
    word = _word(rng)
    host = f"{word}.{rng.choice(['com', 'net', 'co.kr', 'kr', 'or.kr', 'org'])}"
    path = rng.choice(
        [
            f"/{_word(rng)}",
            f"/{_word(rng)}/{rng.randrange(10**6)}",
            f"/board/view.php?no={rng.randrange(10**5)}",
            f"/wiki/{rng.choice(['달빛마을', '푸른언덕', '은하상회'])}",
            "/",
        ]
    )
    return rng.choice(
        [
            f"http://{host}",
            f"https://www.{host}{path}",
            f"www.{host}",
            f"hxxp://{host.replace('.', '[.]', 1)}{path}",
            f"{host}{path}",
            host,
            f"https://blog.naver.com/{word}",
            f"t.me/{word}",
        ]
    )


def _word(rng: Random) -> str:
    """Return an invented name of Latin letters, at times with digits, as people pick for a site."""
    vowels, consonants = "aeiou", "bdghjklmnrst"
    syllables = (rng.choice(consonants) + rng.choice(vowels) for _ in range(rng.randint(3, 5)))
    return "".join(syllables) + rng.choice(["", "", str(rng.randrange(10, 100))])


def user_id(rng: Random) -> str:
    """Return an invented user id in Latin letters, as it stands after 아이디."""
    word, other = _word(rng), _word(rng)
    year = rng.randint(60, 99)
    return rng.choice(
        [f"{word}{year}", f"{word}_{other}", f"{word}.{other}", f"{word}{year}_{other}"]
    )


def vessel(rng: Random) -> str:
    """Return an invented registration number of a fishing vessel, in either shape."""
    first, second = rng.randint(10**6, 10**7 - 1), rng.randint(6 * 10**6, 7 * 10**6 - 1)
    year, month = rng.randint(0, 24), rng.randint(1, 12)
    dated = f"{year:02d}{month:02d}-{rng.randint(1, 999):03d}-{first}-{rng.randrange(10)}"
    return rng.choice([f"{first}-{second}", dated])


def imo(rng: Random) -> str:
    """Return an invented IMO number with its check digit, without the letters IMO."""
    six = str(rng.randint(500_000, 999_999))
    return six + checks.imo(six)


def wallet(rng: Random) -> str:
    """Return an invented address: Bitcoin old and new, Ethereum, TRON."""
    forms = [
        lambda: base58check(rng, rng.choice([0x00, 0x05, 0x41])),
        lambda: "bc1q" + "".join(rng.choices(_BECH32, k=38)),
        lambda: "0x" + "".join(rng.choices("0123456789abcdefABCDEF", k=40)),
    ]
    return rng.choice(forms)()


def base58check(rng: Random, version: int) -> str:
    """Return the address of an invented hash under a version byte: 0 and 5 Bitcoin, 0x41 TRON."""
    payload = bytes([version]) + rng.randbytes(20)
    raw = payload + checks.base58check(payload)
    number, digits = int.from_bytes(raw, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        digits = checks.BASE58[rest] + digits
    return "1" * (len(raw) - len(raw.lstrip(b"\0"))) + digits
