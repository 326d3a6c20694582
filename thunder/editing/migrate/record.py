"""What a migration of stored names does to files, before it is done."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thunder.settings.journal import Change
from thunder.settings.yamlfile import Problem


class Done(NamedTuple):
    """What is done for one label in one file, or what is left as it is (*now* is "").

    *times* is how many of *what* (marks, mentions, values …); *number* the migration behind it.
    """

    path: Path
    was: str
    now: str
    what: str
    times: int
    number: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes to some files, label by label, the lines that show them, what is wrong.

    ``left`` are folders that stay whole, each with what it is: ``tagger``, ``checkpoint``,
    ``dataset``.
    """

    changes: tuple[Change, ...] = ()
    done: tuple[Done, ...] = ()
    shown: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    left: tuple[tuple[Path, str], ...] = ()


def together(plans: Iterable[Plan]) -> Plan:
    """Return the plans as one."""
    every = list(plans)
    return Plan(
        tuple(change for plan in every for change in plan.changes),
        tuple(done for plan in every for done in plan.done),
        tuple(line for plan in every for line in plan.shown),
        tuple(problem for plan in every for problem in plan.problems),
        tuple(dict.fromkeys(left for plan in every for left in plan.left)),
    )
