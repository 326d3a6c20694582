"""TOML to frozen dataclasses: what is wrong is named with its file, its table and its key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thunder.settings.config import ConfigError, as_table, from_table, load, parse, require

pytestmark = pytest.mark.usefixtures("english")


@dataclass(frozen=True)
class Wheel:
    size: float
    spokes: int = 8

    def __post_init__(self) -> None:
        require(self.size > 0, f"'size' must be above 0, not {self.size}")


@dataclass(frozen=True)
class Cart:
    name: str
    wheels: tuple[Wheel, ...] = ()
    axle: Wheel | None = None
    folder: Path = Path("cart")
    kind: Literal["open", "closed"] = "open"
    range: tuple[float, float] = (0.0, 1.0)
    load: Mapping[str, float] = field(default_factory=dict)
    brakes: bool = False


def _cart(text: str, *changes: str) -> Cart:
    return parse(text, Cart, origin="cart.toml", changes=changes)


def test_nested_tables_become_nested_dataclasses():
    cart = _cart(
        'name = "a"\nfolder = "x/y"\nrange = [1, 2.5]\nload = { hay = 1 }\nbrakes = true\n'
        "[[wheels]]\nsize = 2\n[[wheels]]\nsize = 3.5\nspokes = 6\n[axle]\nsize = 1\n"
    )
    assert cart.wheels == (Wheel(2.0), Wheel(3.5, 6))
    assert cart.axle == Wheel(1.0)
    assert cart.folder == Path("x/y") and cart.range == (1.0, 2.5) and cart.load == {"hay": 1.0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nam = 'a'", "cart.toml: unknown key 'nam'; did you mean 'name'? Known are name, wheels"),
        ("", "cart.toml: missing 'name'"),
        ("name = 1", "cart.toml: 'name' must be a text in quotes, not 1"),
        ("name = 'a'\nbrakes = 1", "cart.toml: 'brakes' must be true or false, not 1"),
        ("name = 'a'\nkind = 'shut'", "'kind' must be one of 'open', 'closed', not \"shut\""),
        ("name = 'a'\nrange = [1]", "cart.toml: 'range' needs 2 values, not 1"),
        ("name = 'a'\nrange = 1", "cart.toml: 'range' must be a list, not 1"),
        ("name = 'a'\nload = 3", "cart.toml: 'load' must be a table, not 3"),
        ("name = 'a'\nload = { hay = 'x' }", "'hay' must be a number, not \"x\""),
        ("name = 'a'\n[axle]\nsize = true", "cart.toml: [axle] 'size' must be a number, not true"),
        ("name = 'a'\n[axle]\nsize = -1", "cart.toml: [axle] 'size' must be above 0, not -1"),
        ("name = 'a'\n[axle]\nsize = 1\nspoke = 2", "[axle] unknown key 'spoke'; did you mean"),
        ("name = 'a'\n[[wheels]]\nsize = 1\n[[wheels]]\nspokes = 2", "[wheels.1] missing 'size'"),
        ("name = 'a'\n[[wheels]]\nsize = 1\nspokes = 1.5", "'spokes' must be a whole number"),
        ("name = ", "cart.toml: not TOML"),
    ],
)
def test_what_is_wrong_is_named(text, problem):
    with pytest.raises(ConfigError) as caught:
        _cart(text)
    assert problem.lower() in str(caught.value).lower()


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("name=b c", "b c"),
        ('name="b"', "b"),
        ("axle.size=4", 4.0),
        ("wheels.0.spokes=3", 3),
        ("load.hay=0.5", 0.5),
    ],
)
def test_a_change_from_the_command_line_goes_over_the_file(change, found):
    cart = _cart("name = 'a'\n[[wheels]]\nsize = 1\n", change)
    places = [cart.name, cart.wheels[0].spokes, cart.axle and cart.axle.size, cart.load.get("hay")]
    assert found in places


@pytest.mark.parametrize("change", ["name", "=1", "wheels.3.size=1", "name.x=1"])
def test_a_change_that_goes_nowhere_is_refused(change):
    with pytest.raises(ConfigError, match=r"cart\.toml"):
        _cart("name = 'a'", change)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        load(tmp_path / "gone.toml", Cart)
    (tmp_path / "euc.toml").write_bytes("name = '가'".encode("euc-kr"))
    with pytest.raises(ConfigError, match="is not UTF-8"):
        load(tmp_path / "euc.toml", Cart)


@given(
    st.text(),
    st.lists(st.builds(Wheel, st.floats(0.1, 9), st.integers()), max_size=3),
    st.booleans(),
)
def test_settings_survive_as_a_plain_table(name, wheels, brakes):
    cart = Cart(name, tuple(wheels), brakes=brakes)
    again = from_table(as_table(cart), Cart, origin="again")
    assert again == cart
