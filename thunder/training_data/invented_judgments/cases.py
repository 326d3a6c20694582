"""The facts that every invented case has: court, cast, places, days, and how sums are written."""

import csv
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from thunder.training_data.invented_judgments.layout import Entity
from thunder.training_data.invented_judgments.writing import Fact
from thunder.training_data.mention_makers.names import korean_name

PIECES = Path(__file__).resolve().parent / "pieces"
_HOLIDAYS = {(1, 1), (3, 1), (5, 5), (6, 6), (8, 15), (10, 3), (10, 9), (12, 25)}
_SOUNDS = ("하", "한")
_PLACES = 5
_LETTERED = 0.35  # of documents write numbers as letters too, as courts did before 2021


class Court(NamedTuple):
    """A court of first instance and what lies in its district."""

    court: str
    administrative: str
    province: str
    mayor: str
    police: str
    districts: tuple[str, ...]


class Case:
    """The facts of one case, growing.

    ``days`` are its dates in the order they came, ``sums`` its sums in won by name.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.facts: dict[str, Fact] = {}
        self.days: list[date] = []
        self.sums: dict[str, int] = {}
        self.lettered = rng.random() < _LETTERED
        self.in_man = rng.random() < 0.5  # 1억 2,000만 원, else 120,000,000원
        self.one_of("plain", "spaced", "bracketed")  # how headings are written
        self.court = rng.choice(_courts())
        self._add_cast()
        self._add_places()

    def set(self, **facts: Fact) -> None:
        """Return once the case has these facts."""
        self.facts.update(facts)

    def flag(self, name: str, chance: float) -> bool:
        """Return whether the fact *name* holds, drawn at the rate *chance* and kept."""
        self.facts[name] = held = self.rng.random() < chance
        return held

    def one_of(self, *names: str, weights: Sequence[float] | None = None) -> str:
        """Return the one of *names* that holds in this case; the others do not."""
        chosen = self.rng.choices(names, weights)[0]
        self.facts.update({name: name == chosen for name in names})
        return chosen

    def entity(self, key: str, label: str, *, omission: str = "") -> None:
        """Return once the case has somebody or something of that label under *key*."""
        self.facts[key] = Entity(label, self.rng.choice(_SOUNDS), "" if self.lettered else omission)

    def sum(self, name: str, won: int) -> int:
        """Return *won*, kept under *name* as the document writes sums."""
        self.facts[name] = self.written(won)
        self.sums[name] = won
        return won

    def written(self, won: int) -> str:
        """Return *won* as the document writes sums: 12,500,000원 or 1,250만 원."""
        return in_man(won) if self.in_man and won % 10_000 == 0 else f"{won:,}원"

    def day(self, name: str, *, after: tuple[int, int], office: bool = False) -> date:
        """Return a day so many days *after* the one before, kept under *name*.

        *office*: a day on which offices are open.
        """
        found = self.days[-1] + timedelta(days=self.rng.randint(*after))
        while office and (found.weekday() > 4 or (found.month, found.day) in _HOLIDAYS):
            found += timedelta(days=1)
        return self.add_day(name, found)

    def add_day(self, name: str, found: date) -> date:
        """Return *found*, kept under *name*; ValueError where it lies before the last day."""
        if self.days and found < self.days[-1]:
            raise ValueError(f"the day '{name}' lies before the day that came before it")
        self.days.append(found)
        self.facts[name] = dotted(found)
        self.facts[f"{name}_next"] = dotted(found + timedelta(days=1))
        self.facts[f"{name}_month"] = f"{found.year}. {found.month}."
        self.facts[f"{name}_year"] = str(found.year)
        return found

    def start(self, name: str, *, years: tuple[int, int]) -> date:
        """Return the first day of the case, in one of *years*."""
        first = date(years[0], 1, 1).toordinal()
        last = date(years[1], 12, 31).toordinal()
        return self.add_day(name, date.fromordinal(self.rng.randint(first, last)))

    def start_again(self, name: str, *, years: tuple[int, int]) -> date:
        """Return a day in *years*, kept under *name*; it comes after the days before them."""
        earlier, self.days = self.days, []
        found = self.start(name, years=years)
        if earlier[-1] > found:
            raise ValueError(f"the day '{name}' lies before the day that came before it")
        self.days = [*earlier, found]
        return found

    def _add_cast(self) -> None:
        for key, label, omission in _cast():
            self.entity(key, label, omission=omission)

    def _add_places(self) -> None:
        for number in range(1, _PLACES + 1):
            district = self.rng.choice(self.court.districts)
            self.entity(f"lot{number}", f"{district[-1]}아래주소")
            written = f"{self.court.province} {district}".strip()
            self.facts[f"district{number}"] = written
            self.facts[f"at{number}"] = f"{written} {{lot{number}}}"
            self.facts[f"head{number}"] = self._head_of(district)
            self.facts[f"police{number}"] = self._police_of(district)
        self.set(court=self.court.court, chief=self.court.police)

    def _head_of(self, district: str) -> str:
        """Return who heads *district*: 서울특별시 강남구청장, 천안시장, 홍성군수."""
        full = f"{self.court.mayor} {district}".strip()
        if district[-1] == "군":
            return f"{full[:-1]}군수"
        return f"{full}청장" if district[-1] == "구" else f"{full}장"

    def _police_of(self, district: str) -> str:
        words = [word[:-1] if len(word) > 2 else word for word in district.split()]
        return f"{self.court.province}{''.join(words)}경찰서"


def invented_name(rng: Random) -> str:
    """Return a name of somebody whom the court does not hide: a judge, counsel, a prosecutor."""
    return korean_name(rng, born=rng.randint(1962, 1990))


def dotted(day: date) -> str:
    """Return *day* as judgments write it: 2021. 3. 5."""
    return f"{day.year}. {day.month}. {day.day}."


def in_man(won: int) -> str:
    """Return a multiple of 10,000 won as 1억 2,500만 원."""
    eok, man = divmod(won // 10_000, 10_000)
    parts = [f"{eok:,}억"] if eok else []
    parts += [f"{man:,}만"] if man else []
    return f"{' '.join(parts) or '0'} 원"


@lru_cache(maxsize=1)
def _courts() -> tuple[Court, ...]:
    return tuple(
        Court(name, administrative, province, mayor, police, tuple(districts.split(",")))
        for name, administrative, province, mayor, police, districts in _rows("courts.tsv")
    )


@lru_cache(maxsize=1)
def _cast() -> tuple[tuple[str, str, str], ...]:
    return tuple((row[0], row[1], row[2]) for row in _rows("cast.tsv"))


def _rows(name: str) -> Iterator[list[str]]:
    with (PIECES / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        yield from rows
