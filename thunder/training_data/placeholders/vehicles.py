"""What a placeholder beside a vehicle is: its number, or the name of its model."""

import re
from collections.abc import Iterator

from thunder.training_data.placeholders.record import Vote

_VEHICLE = re.compile(
    r"택시|굴착기|굴삭기|열차|승용차|승합차|화물차|차량|화물|버스|오토바이|이륜차|트럭|덤프|"
    r"쏘렌토|쏘나타|소나타|아반떼|그랜저|벤츠|카니발|포터|면허권|견인"
)
_OPENS, _CLOSES = re.compile(r"\($"), re.compile(r"\)|,")
# 12가3456 B 승용차: the number stands there already, so what follows is the model.
_NUMBERED = re.compile(r"(?:차량번호[^()]{0,6}\)|[A-Z]{1,2}) $")
_CAR = re.compile(r" ?(?:승용|화물|승합|차량|자동차|택시)")
_NEAR = 24


def vehicle(left: str, right: str) -> Iterator[Vote]:
    """Yield what both sides say of a car: a number in brackets, or a model behind the number."""
    if _OPENS.search(left) and _CLOSES.match(right):
        if _VEHICLE.search(left[-_NEAR:]) or _VEHICLE.search(right[:10]):
            yield Vote("차량번호", 5.0)
    elif _NUMBERED.search(left) and _CAR.match(right):
        yield Vote("차량종류", 8.5)
