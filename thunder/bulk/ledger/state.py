"""How far a run is, for people and for Prometheus: counts and times, no name and no text."""

from dataclasses import dataclass
from pathlib import Path

from thunder.bulk.ledger import shard as shards
from thunder.bulk.ledger.plan import Plan
from thunder.bulk.outputs import aside

_RECENT = 20  # shards whose markers tell the present rate


@dataclass(frozen=True, slots=True)
class State:
    """What the markers of a run say.

    ``rate``: documents a second over the last shards, by the clock of the disk; 0 where it is not
    known. ``core_hours``: processor time of what is done.
    """

    shards: int
    shards_done: int
    rows: int
    rows_done: int
    dead: int
    notices: int
    core_hours: float
    rate: float

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at this rate; None where it is not known."""
        return (self.rows - self.rows_done) / self.rate if self.rate else None

    @property
    def core_hours_in_all(self) -> float | None:
        """Core-hours the whole will have taken, from what is done; None before the first shard."""
        return self.core_hours * self.rows / self.rows_done if self.rows_done else None


def state(plan: Plan) -> State:
    """Return how far the run of *plan* is."""
    done = rows = dead = notices = 0
    seconds = 0.0
    recent: list[tuple[float, int]] = []
    for shard in plan.each():
        found = shards.marker_of(plan.folder, shard)
        if found is None:
            continue
        done, rows, dead = done + 1, rows + found["rows"], dead + found["dead"]
        notices += found["notices"]
        seconds += found["cpu_seconds"]
        changed = shards.marker_path(plan.folder, shard.number).stat().st_mtime
        recent = sorted([*recent, (changed, found["rows"])])[-_RECENT:]
    return State(
        *(plan.shards, done, plan.rows, rows, dead, notices, seconds / 3600, _rate(recent))
    )


def _rate(recent: list[tuple[float, int]]) -> float:
    """Return documents a second; markers that came at once, or by a clock that leapt, tell none."""
    elapsed = recent[-1][0] - recent[0][0] if recent else 0.0
    return sum(rows for _, rows in recent[1:]) / elapsed if elapsed > 0 else 0.0


def write_metrics(found: State, path: Path) -> None:
    """Write *found* to *path* as Prometheus reads it (its node exporter's text files)."""
    figures = {
        "shards": ("gauge", "Shards of the plan.", found.shards),
        "shards_done": ("gauge", "Shards that have their marker.", found.shards_done),
        "documents": ("gauge", "Documents of the plan.", found.rows),
        "documents_done": ("gauge", "Documents of the shards done.", found.rows_done),
        "documents_dead": ("gauge", "Documents that were not passed on.", found.dead),
        "notices": ("gauge", "Things a person has to look at.", found.notices),
        "documents_per_second": ("gauge", "Rate over the last shards.", found.rate),
        "core_seconds": ("counter", "Processor time of what is done.", found.core_hours * 3600),
    }
    lines = []
    for name, (kind, about, value) in figures.items():
        name = f"thunder_bulk_{name}" + ("_total" if kind == "counter" else "")
        lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}", f"{name} {value:.10g}"]
    with aside(path, replace=True) as stream:
        stream.write("\n".join([*lines, ""]).encode())
