"""Check digits, and what else shows that a number is one of its kind: evidence, never a veto."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv6Address

from thunder.identifiers.cues import HIDDEN, digits_of
from thunder.taxonomy.lexicon import account_layouts
from thunder.text import lazy

_GROUP = lazy.compile(f"[0-9{HIDDEN}]+")


def luhn(number: str) -> str:
    """Return Luhn's check digit of *number* (ISO/IEC 7812): payment cards."""
    doubled = [int(digit) * (2 - at % 2) for at, digit in enumerate(reversed(number))]
    return str(-sum(product // 10 + product % 10 for product in doubled) % 10)


def business(nine: str) -> str:
    """Return the check digit of the first nine digits of a 사업자등록번호."""
    total = _weighed(nine, (1, 3, 7, 1, 3, 7, 1, 3, 5))
    return str((10 - (total + 5 * int(nine[8]) // 10) % 10) % 10)


def corporation(twelve: str) -> str:
    """Return the check digit of a 법인등록번호: weights 1 and 2 in turn, plain sum."""
    return str((10 - _weighed(twelve, (1, 2) * 6) % 10) % 10)


def resident(twelve: str) -> str:
    """Return the check digit of a 주민등록번호, as issued before 2020-10-05."""
    return str((11 - _weighed(twelve, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10)


def imo(six: str) -> str:
    """Return the check digit of an IMO number: weights 7 to 2, the sum's last digit."""
    return str(_weighed(six, (7, 6, 5, 4, 3, 2)) % 10)


def _weighed(digits: str, weights: Sequence[int]) -> int:
    return sum(weight * int(digit) for weight, digit in zip(weights, digits, strict=True))


_OF_COUNTRIES = {  # ISO 13616: the length of an account there
    **dict(AT=20, AU=20, BE=16, BG=22, CH=21, CY=28, CZ=24, DE=22, DK=18, EE=20, ES=24, FI=18),
    **dict(FR=27, GB=22, GE=22, GR=27, HR=21, HU=28, IE=22, IL=23, IS=26, IT=27, KZ=20, LI=21),
    **dict(LT=20, LU=20, LV=21, MC=27, MT=31, NL=18, NO=15, PL=28, PT=25, RO=24, RS=22, SA=24),
    **dict(AE=23, SE=24, SI=19, SK=24, TR=26, UA=29, QA=29, PK=24, JO=30, KW=30, LB=28, BH=22),
}


def is_iban(number: str) -> bool:
    """Return whether *number* is as long as an account of its country; many are copied wrongly."""
    plain = number.replace(" ", "")
    return len(plain) == _OF_COUNTRIES.get(plain[:2])


def is_internet_address(number: str) -> bool:
    """Return whether *number* is an address of the fourth version, or of the sixth."""
    if "." in number:
        return all(int(part) < 256 for part in number.split("."))
    try:
        IPv6Address(number)
    except ValueError:
        return False
    return True


BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def is_base58(address: str) -> bool:
    """Return whether *address* is Base58 and ends in the check of the rest (Bitcoin, TRON …)."""
    if not 25 <= len(address) <= 36 or not set(address) <= set(BASE58):
        return False
    number = 0
    for char in address:
        number = number * 58 + BASE58.index(char)
    if number.bit_length() > 200:
        return False
    raw = number.to_bytes(25, "big")
    return base58check(raw[:21]) == raw[21:]


def base58check(payload: bytes) -> bytes:
    """Return the four bytes that Base58Check appends: SHA-256 twice, cut."""
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]


def is_no_range(number: str) -> bool:
    """Return whether two numbers joined are no years and no pages: 1588-1234, but not 1588-1599."""
    digits = digits_of(number)
    if len(digits) < 8:  # some are hidden
        return False
    return not 0 <= int(digits[4:]) - int(digits[:4]) <= 300


@lru_cache(maxsize=1)
def _layouts() -> frozenset[tuple[int, ...]]:
    some = (layout for layouts in account_layouts().values() for layout in layouts)
    return frozenset(tuple(map(int, layout.split("-"))) for layout in some)


def is_of_a_bank(number: str) -> bool:
    """Return whether some bank groups the digits of its accounts so, hidden ones too."""
    return tuple(map(len, _GROUP.findall(number))) in _layouts()


def _by_last(check: Callable[[str], str], size: int) -> Callable[[str], bool]:
    """Return a test whether the last of *size* digits (0: any) is the others' check digit."""

    def holds(number: str) -> bool:
        digits = digits_of(number)
        if not set(HIDDEN).isdisjoint(number) or (size and len(digits) != size):
            return False
        return check(digits[:-1]) == digits[-1]

    return holds


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "luhn": _by_last(luhn, 0),
    "business": _by_last(business, 10),
    "corporation": _by_last(corporation, 13),
    "imo": _by_last(imo, 7),
    "resident": _by_last(resident, 13),
    "iban": is_iban,
    "ip": is_internet_address,
    "no-range": is_no_range,
    "base58": is_base58,
    "bank": is_of_a_bank,
}
"""The tests that a format may name (``check: luhn``)."""
