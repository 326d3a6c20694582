"""Check digits: evidence that a number is one of its kind, never a veto."""

from collections.abc import Sequence


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
