"""What is masked beside the gold, and what people who read it said of it.

Where courts' own placeholders are the gold, it lacks what the courts left readable: a firm's real
name, a village. A mask beside it may be needless, or right. A table of verdicts says which, by
keyed hashes of the wordings, so that it quotes nobody; the key is the judgment's id, so who has a
list of names can try them: keep the verdicts on unpublished judgments as you keep these.
"""

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from thunder.scoring.documents import Gold
from thunder.text.spans import Span

NAME, NOTHING = "name", "nothing"
"""It tells of somebody and has to go; it does not."""

COLUMNS = ("judgment", "wording", "verdict")

Verdicts = Mapping[tuple[str, str], str]
"""NAME or NOTHING by a judgment's id and a wording's hash."""


def read(path: Path) -> dict[tuple[str, str], str]:
    """Return the verdicts in *path*; ValueError names a line that is none, with the cure."""
    found: dict[tuple[str, str], str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for number, row in enumerate(rows, 2):
            judgment, wording, verdict = (row.get(name) for name in COLUMNS)
            if not judgment or not wording or verdict not in (NAME, NOTHING):
                raise ValueError(
                    f"{path}:{number}: write {', '.join(COLUMNS)} with tabs between, the verdict "
                    f"'{NAME}' or '{NOTHING}'"
                )
            found[judgment, wording] = verdict
    return found


def write(path: Path, verdicts: Verdicts) -> None:
    """Write *verdicts* to *path*, in order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
        out.writerow(COLUMNS)
        out.writerows((*place, said) for place, said in sorted(verdicts.items()))


def parts_beside(gold: Gold, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of *spans* that no span of *gold* covers, without marks at their ends."""
    for span in spans:
        inside = (one for one in gold.spans if one.start < span.end and span.start < one.end)
        edges = [span.start, *(edge for one in inside for edge in (one.start, one.end)), span.end]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            found = [at for at in range(start, end) if gold.text[at].isalnum()]
            if found:
                yield Span(found[0], found[-1] + 1, span.label)


def hash_of(gold: Gold, span: Span) -> str:
    """Return the keyed hash that stands for what *span* covers in a judgment."""
    surface = "".join(gold.text[span.start : span.end].split())
    key = gold.id.encode()[:64]
    return hashlib.blake2b(surface.encode(), digest_size=8, key=key).hexdigest()
