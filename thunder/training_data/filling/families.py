"""The people of a judgment as one graph: what follows from their ties for their names.

From all ties together follow the sexes (a couple is a man and a woman), the surnames (children
bear their father's) and about when each was born.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from thunder.training_data.filling import kin
from thunder.training_data.filling.sources import Group

_OPPOSITE = {"남": "여", "여": "남"}
_SAME_SURNAME = ("sibling", "agnate", "renamed")


def with_families(groups: Sequence[Group], text: str) -> list[Group]:
    """Return *groups* with the sex and the year of birth that their ties give the persons.

    ``kin`` is the number of a site before whose person bears the same surname, -1 for nobody,
    ``unlike`` are those of persons who bear another one, as spouses do.
    """
    if not any(group.kind == "person" for group in groups):
        return list(groups)
    people = _People(groups, text)
    said = kin.surnames(groups, text)
    of_family: dict[int, kin.Surname] = {}
    for number, surname in said.items():
        of_family.setdefault(people.surname_of(number), surname)
    head: dict[int, int] = {}
    found = []
    for number, group in enumerate(groups):
        if group.kind == "person":
            first = head.setdefault(people.surname_of(number), number)
            known = said.get(number) or of_family.get(people.surname_of(number), kin.UNSAID)
            group = replace(
                group,
                surname=known.said,
                clan=known.clan,
                gender=people.sexes.get(number, ""),
                born=people.born.get(number),
                kin=groups[first].at[0] if first != number else -1,
                unlike=tuple(
                    groups[head[other]].at[0]
                    for other in people.married_to(people.surname_of(number))
                    if other in head
                ),
            )
        found.append(group)
    return found


class _People:
    """The persons of a judgment by their numbers, and what is known of each."""

    def __init__(self, groups: Sequence[Group], text: str) -> None:
        said = kin.read(groups, text)
        self._ties = said.ties
        self._drawn = "남여"[crc32(text.encode()) % 2]
        self.sexes = {number: group.gender for number, group in enumerate(groups) if group.gender}
        self.born = {
            number: group.born for number, group in enumerate(groups) if group.born is not None
        }
        self._since = {number: group.since for number, group in enumerate(groups)}
        for number, sex in said.sexes.items():
            self.sexes.setdefault(number, sex)
        for tie in self._ties:
            for number, sex in ((tie.called, tie.kin.sex), (tie.other, tie.kin.other)):
                if sex:
                    self.sexes.setdefault(number, sex)
        self._couples = set(self._wed())
        self._lovers = {(tie.called, tie.other) for tie in self._ties if tie.kin.tie == "lover"}
        self._settle_sexes()
        self._surnames: dict[int, int] = {}
        self._settle_surnames()
        self._settle_births()

    def surname_of(self, number: int) -> int:
        """Return the number that stands for all of one surname."""
        while self._surnames.get(number, number) != number:
            number = self._surnames[number]
        return number

    def married_to(self, surname: int) -> Sequence[int]:
        """Return what stands for the surnames of those whom bearers of *surname* married."""
        pairs = ((self.surname_of(one), self.surname_of(other)) for one, other in self._couples)
        return sorted({who for pair in pairs if surname in pair for who in pair} - {surname})

    def _parents(self) -> Mapping[int, Sequence[int]]:
        """Return the parents of each child."""
        found: dict[int, list[int]] = defaultdict(list)
        for tie in self._ties:
            if tie.kin.tie in ("parent", "child"):
                pair = (tie.called, tie.other)
                parent, child = pair if tie.kin.tie == "parent" else pair[::-1]
                if parent not in found[child]:
                    found[child].append(parent)
        return found

    def _wed(self) -> Iterator[tuple[int, int]]:
        for tie in self._ties:
            if tie.kin.tie == "spouse":
                yield tie.called, tie.other
        for parents in self._parents().values():
            if len(parents) == 2:
                yield parents[0], parents[1]

    def _settle_sexes(self) -> None:
        """Give a couple two sexes; who is somebody's only parent is the father."""
        for tie in self._ties:
            if tie.kin.tie == "renamed":
                self._agree(tie.called, tie.other, same=True)
        pairs = [*sorted(self._couples), *sorted(self._lovers)]
        for _ in pairs:  # what is known of one reaches all that they are tied to in turn
            for one, other in pairs:
                self._agree(one, other, same=False)
        for one, other in pairs:
            if one not in self.sexes and other not in self.sexes:
                self.sexes[one] = self._drawn
            self._agree(one, other, same=False)
        for parents in self._parents().values():
            if len(parents) == 1:
                self.sexes.setdefault(parents[0], "남")

    def _agree(self, one: int, other: int, *, same: bool) -> None:
        for known, unknown in ((one, other), (other, one)):
            if known in self.sexes and unknown not in self.sexes:
                sex = self.sexes[known]
                self.sexes[unknown] = sex if same else _OPPOSITE[sex]

    def _settle_surnames(self) -> None:
        for tie in self._ties:
            if tie.kin.tie in _SAME_SURNAME:
                self._join(tie.called, tie.other)
        eldest: dict[int, int] = {}
        for child, parents in self._parents().items():
            married = {
                one if two == parent else two
                for parent in parents
                for one, two in self._couples
                if parent in (one, two)
            }
            fathers = (p for p in (*parents, *sorted(married)) if self.sexes.get(p) == "남")
            father = next(fathers, None)
            if father is not None and father != child:
                self._join(child, father)
            elif father is None:
                for mother in parents:  # of whose husband nothing is said
                    self._join(child, eldest.setdefault(mother, child))

    def _join(self, one: int, other: int) -> None:
        self._surnames[self.surname_of(one)] = self.surname_of(other)

    def _settle_births(self) -> None:
        """Let known years of birth give those of kin; where none is known, take usual ones."""
        beside: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for tie in self._ties:
            if tie.kin.tie != "renamed":
                beside[tie.called].append((tie.other, tie.kin.older))
                beside[tie.other].append((tie.called, -tie.kin.older))
        self._spread(beside, sorted(self.born))
        for number, year in self._since.items():
            if number not in self.born and 0 < year <= _LONG_AGO:
                self.born[number] = year - _AGE
                self._spread(beside, [number])
        for number in sorted(beside):
            if number not in self.born and any(older for _, older in beside[number]):
                eldest = max(beside[number], key=lambda one: -one[1])
                self.born[number] = _CHILD if eldest[1] <= -20 else _GROWN_UP
                self._spread(beside, [number])

    def _spread(self, beside: Mapping[int, Sequence[tuple[int, int]]], known: list[int]) -> None:
        """Give the kin of those *known* their years; each tie says by how much one is older."""
        for number in known:
            for other, older in beside.get(number, ()):
                if other not in self.born:
                    self.born[other] = self.born[number] + older
                    known.append(other)


_CHILD, _GROWN_UP = 1988, 1972
_LONG_AGO, _AGE = 1999, 36  # who acts in a year of the last century was born well before
