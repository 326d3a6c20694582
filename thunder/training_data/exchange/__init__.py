"""Label sets out, and annotations in and out, for the tools that annotators use."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from thunder.taxonomy import Taxonomy
from thunder.training_data.annotation import Annotated
from thunder.training_data.exchange import brat, conll, doccano, label_studio, webanno
from thunder.training_data.exchange.anchoring import Unit
from thunder.training_data.exchange.records import (
    Exported,
    Imported,
    Problem,
    file_name,
    settle,
    whole,
)

__all__ = [
    "Imported",
    "Problem",
    "Tool",
    "Unit",
    "export",
    "label_set",
    "read",
    "settled",
    "write_labels",
]


class Tool(StrEnum):
    """A tool or format to exchange annotations with."""

    DOCCANO = "doccano"
    LABEL_STUDIO = "label-studio"
    INCEPTION = "inception"
    BRAT = "brat"
    CONLL = "conll"


_READERS = {
    Tool.DOCCANO: doccano.read,
    Tool.LABEL_STUDIO: label_studio.read,
    Tool.INCEPTION: webanno.read,
    Tool.BRAT: brat.read,
    Tool.CONLL: conll.read,
}
_OWN_FILES = (Tool.BRAT, Tool.INCEPTION)


def export(
    documents: Sequence[tuple[str, Annotated]],
    folder: Path,
    *,
    tool: Tool,
    taxonomy: Taxonomy,
    only: Sequence[str] = (),
) -> list[Problem]:
    """Return the documents that *tool* cannot hold; the others, and the label set, are in *folder*.

    The label set holds every label of the taxonomy (or *only* those named) and every other name
    with which the documents are annotated. Label Studio gets buttons for a chosen few.
    """
    used = {span.label for _, annotated in documents for span in annotated.spans}
    labels = label_set(taxonomy, only=only, used=used)
    documents, problems = _apart(documents) if tool in _OWN_FILES else (documents, [])
    if tool is Tool.DOCCANO:
        return doccano.write(documents, folder, labels=labels)
    if tool is Tool.CONLL:
        return conll.write(documents, folder, labels=labels)
    if tool is Tool.INCEPTION:
        return problems + webanno.write(documents, folder, labels=labels)
    if tool is Tool.BRAT:
        return problems + brat.write(documents, folder, labels=labels, taxonomy=taxonomy)
    buttons = bool(only)
    return label_studio.write(documents, folder, labels=labels, taxonomy=taxonomy, buttons=buttons)


def write_labels(folder: Path, *, tool: Tool, taxonomy: Taxonomy, only: Sequence[str] = ()) -> None:
    """Write the label set alone, as *tool* reads it."""
    labels = label_set(taxonomy, only=only)
    if tool is Tool.DOCCANO:
        doccano.write_labels(folder, labels=labels)
    elif tool is Tool.CONLL:
        conll.write_labels(folder, labels=labels)
    elif tool is Tool.INCEPTION:
        webanno.write_labels(folder, labels=labels)
    elif tool is Tool.BRAT:
        brat.write_labels(folder, labels=labels, taxonomy=taxonomy)
    else:
        label_studio.write_labels(folder, labels=labels, taxonomy=taxonomy, buttons=bool(only))


def read(
    path: Path,
    *,
    tool: Tool,
    taxonomy: Taxonomy,
    unit: Unit | None = None,
    originals: Mapping[str, str] | None = None,
) -> Iterator[Imported]:
    """Yield the documents of an export of *tool*, anchored in their text, with what is wrong.

    An id that comes twice is a problem of the second document. An export without documents is
    one problem.
    """
    is_empty = True
    for one in settled(_READERS[tool](path), taxonomy=taxonomy, unit=unit, originals=originals):
        is_empty = False
        yield one
    if is_empty:
        yield Imported(path.name, None, (whole(path.name, f"no document of {tool} is here"),))


def settled(
    documents: Iterable[Exported],
    *,
    taxonomy: Taxonomy,
    unit: Unit | None = None,
    originals: Mapping[str, str] | None = None,
) -> Iterator[Imported]:
    """Yield *documents* anchored in their text, with what is wrong, each id once."""
    seen: set[str] = set()
    for exported in documents:
        imported = settle(exported, taxonomy, unit=unit, originals=originals)
        if imported.id in seen:
            reason = whole(imported.id, "comes twice: more than one annotator?")
            imported = replace(
                imported, annotated=None, problems=(*imported.problems, reason), unknown=()
            )
        seen.add(imported.id)
        yield imported


def label_set(
    taxonomy: Taxonomy, *, only: Sequence[str] = (), used: Iterable[str] = ()
) -> list[str]:
    """Return the names to offer, in the order of the taxonomy's tiers.

    A name in *used* that is an alias stands behind its label; names without a label come last.
    LookupError where *only* names what is no label.
    """
    chosen = {taxonomy.label(name).ko for name in only} or {label.ko for label in taxonomy}
    names: dict[str, None] = {}
    wanted = set(used)
    for category in taxonomy.categories:
        for label in category.labels:
            own = (label.ko, *label.aliases)
            names |= {name: None for name in own if name in wanted}
            names |= {label.ko: None} if label.ko in chosen else {}
    return list(names | {name: None for name in sorted(wanted)})


def _apart(
    documents: Sequence[tuple[str, Annotated]],
) -> tuple[list[tuple[str, Annotated]], list[Problem]]:
    """Return the documents with files of their own, and those whose file would be another's."""
    apart: list[tuple[str, Annotated]] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    for name, annotated in documents:
        try:
            stem = file_name(name).casefold()
        except ValueError as error:
            problems.append(whole(name, str(error)))
            continue
        if stem in seen:
            problems.append(whole(name, "its file would have the name of another's"))
        else:
            apart.append((name, annotated))
        seen.add(stem)
    return apart, problems
