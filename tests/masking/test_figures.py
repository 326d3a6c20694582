"""People of history and of books stay readable, but for who bears such a name and is a party."""

import pytest

from thunder import Deidentifier


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("이순신 장군의 난중일기를 새로 번역하였다.", True),
        ("원고 종중은 신숙주의 후손을 자처한다.", True),
        ("피고인 이순신은 도망하였다. 이순신은 곧 잡혔다.", False),
        ("이순신(당시 52세)은 넘어졌다. 이순신은 다쳤다.", False),
        ("피고인은 이순신에게서 돈을 빌렸고, 이순신은 이를 독촉하였다.", False),
    ],
)
def test_who_is_known_to_all_stays(text: str, left: bool) -> None:
    """A name said once of somebody in the case is masked everywhere."""
    result = Deidentifier(model="none").deidentify(text)
    assert ("이순신" in result.text or "신숙주" in result.text) is left
