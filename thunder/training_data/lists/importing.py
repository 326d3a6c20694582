"""Mention lists from elsewhere as a folder of replacement lists of one's own.

The folder is the shipped one (or another base) in which the lists of the labels named are
replaced, rules too. What cannot be a mention is left out, with the reason.
"""

import json
import shutil
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from thunder.taxonomy import load as load_taxonomy
from thunder.training_data import messages as say
from thunder.training_data.lists import load
from thunder.training_data.lists.lines import read_lines


@dataclass(frozen=True, slots=True)
class Imported:
    """Mentions by label, how many were left out for which reason, and names of no label."""

    mentions: dict[str, int]
    left_out: Counter[str]
    unknown: tuple[str, ...]


def import_lists(
    file: Path,
    folder: Path,
    *,
    source: str,
    licence: str,
    base: Path | None = None,
    taxonomy: Path | None = None,
) -> Imported:
    """Return what of *file* stands in *folder*, a copy of *base* (the shipped lists without it).

    A line of *file* is a JSON object of ``label`` (a name or an alias) and ``mentions``; lists of
    one label are put together. ValueError for another file, FileExistsError where *folder* is
    there already.
    """
    if folder.exists():
        raise FileExistsError(say.FOLDER_THERE(folder=folder))
    labels = load_taxonomy(taxonomy)
    gathered: dict[str, list[str]] = {}
    left_out: Counter[str] = Counter()
    unknown: list[str] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        name, mentions = _row(line, f"{file}:{number}")
        label = labels.resolve(name) if labels.knows(name) else None
        if label is None:
            unknown.append(name)
        else:
            gathered.setdefault(label.ko, []).extend(mentions)
    shutil.copytree(load(base, taxonomy=taxonomy).folder, folder)
    lists = load(folder, taxonomy=taxonomy)
    counts = {}
    for name, mentions in sorted(gathered.items()):
        kept = _kept(mentions, left_out)
        if not kept:
            continue
        path = lists.path(name)
        path.unlink(missing_ok=True)
        target = path.with_suffix(".txt")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = f"# source: {source}\n# licence: {licence}\n" + "".join(f"{one}\n" for one in kept)
        target.write_text(text, encoding="utf-8")
        _, problems = read_lines(target)
        if problems:  # what _kept lets through, lines.py must, too
            raise ValueError("\n".join(map(str, problems)))
        counts[name] = len(kept)
    return Imported(counts, left_out, tuple(sorted(set(unknown))))


def _row(line: str, place: str) -> tuple[str, list[str]]:
    try:
        row = json.loads(line)
        name, mentions = row["label"], row["mentions"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(say.NO_RECORD(place=place)) from None
    if not isinstance(name, str) or not isinstance(mentions, list):
        raise ValueError(say.WRONG_RECORD(place=place))
    return name, [one for one in mentions if isinstance(one, str)]


def _kept(mentions: list[str], left_out: Counter[str]) -> list[str]:
    """Return the mentions as lines of a list: composed, single spaces, none twice, sorted."""
    kept: dict[str, None] = {}
    for mention in mentions:
        text = " ".join(unicodedata.normalize("NFC", mention).split())
        if not text:
            left_out[say.LEFT_BLANK()] += 1
        elif text.startswith("#"):
            left_out[say.LEFT_COMMENT()] += 1
        elif any(unicodedata.category(char)[0] == "C" for char in text):
            left_out[say.LEFT_INVISIBLE()] += 1
        elif text in kept:
            left_out[say.LEFT_TWICE()] += 1
        else:
            kept[text] = None
    return sorted(kept)
