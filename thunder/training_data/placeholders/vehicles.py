"""What a placeholder in brackets beside a vehicle is: its number."""

import re
from collections.abc import Iterator

from thunder.training_data.placeholders.record import Vote

_VEHICLE = re.compile(
    r"택시|굴착기|굴삭기|열차|승용차|승합차|화물차|차량|화물|버스|오토바이|이륜차|트럭|덤프|"
    r"쏘렌토|쏘나타|소나타|아반떼|그랜저|벤츠|카니발|포터|면허권|견인"
)
_OPENS, _CLOSES = re.compile(r"\($"), re.compile(r"\)|,")
_NEAR = 24


def vehicle(left: str, right: str) -> Iterator[Vote]:
    """Yield what both sides say of a car: in brackets stands its number."""
    is_bracketed = _OPENS.search(left) and _CLOSES.match(right)
    if is_bracketed and (_VEHICLE.search(left[-_NEAR:]) or _VEHICLE.search(right[:10])):
        yield Vote("차량번호", 5.0)
