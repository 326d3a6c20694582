"""The command ``thunder text``: what a document says, in the order a person reads it."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from thunder.bulk.logs import Unwritable, naming
from thunder.bulk.outputs import (
    Refused,
    aside,
    give_up_standard_output,
    hold_standard_descriptors,
    require_apart,
    require_free,
)
from thunder.commands import deid_messages as say
from thunder.commands.screen import Screen
from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import (
    FORMATS,
    STDIN,
    Listing,
    Source,
    is_missing,
    list_sources,
    read_all,
)
from thunder.settings.messages import Message

_NO_FOLDER = Message(
    ko="{out}: 폴더가 아닙니다: 문서가 여럿이면 -o에 폴더를 주십시오",
    en="{out}: is not a folder: give -o a folder for more documents than one",
)
_STDOUT = Message(ko="표준 출력", en="standard output")


def text(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH…",
            help="Files and folders, as thunder deid takes them; - or nothing reads standard "
            "input.",
            show_default=False,
            readable=False,  # one that is not fails alone
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="A file for one file, a folder for more (NAME.txt); else stdout."
        ),
    ] = None,
    segments: Annotated[
        bool,
        typer.Option(
            "--segments",
            help="Give JSON lines instead, one for each paragraph, cell or note: file, row, id, "
            "segment, kind, text, after.",
        ),
    ] = False,
    format: Annotated[
        str, typer.Option(help=f"Format of files given by name and of stdin: {', '.join(FORMATS)}.")
    ] = "",
    text_column: Annotated[str, typer.Option(help="A table's column of the text.")] = "text",
    id_column: Annotated[str, typer.Option(help="A table's column of the id.")] = "id",
    ocr: Annotated[
        bool, typer.Option("--ocr", help="Read scanned pages of PDFs (Tesseract with Korean).")
    ] = False,
    max_characters: Annotated[
        int, typer.Option(min=1, help="A longer document fails.")
    ] = 20_000_000,
    force: Annotated[bool, typer.Option("--force", help="Replace outputs that exist.")] = False,
) -> None:
    """Give the text of documents, in the order a person reads it (문서의 글).

    Nothing is masked. Cells of a row are parted by tabulators; notes stand where they are called,
    headers, text boxes and memos at the end.

    Exit status: 0 all done; 1 some documents failed, a line each on stderr; 2 wrong usage.
    """
    hold_standard_descriptors()
    listing = _listed(tuple(paths or (Path(STDIN),)), format)
    targets = _targets(listing, out, suffix=".jsonl" if segments else ".txt", force=force)
    reading = Reading(text_column, id_column, max_characters, ocr)
    screen = Screen(is_quiet=True, shows_progress=False)
    for failure in listing.failures:
        screen.report(failure)
    has_failed = bool(listing.failures)
    try:
        for source in listing.sources:
            has_failed |= not _give(
                source, targets[source], reading, screen, by_segment=segments, force=force
            )
    except Unwritable as error:
        screen.error(str(error))
        has_failed = True
    raise typer.Exit(int(has_failed))


def _listed(paths: Sequence[Path], format: str) -> Listing:
    if format and format not in FORMATS:
        raise typer.BadParameter(say.UNKNOWN_FORMAT(format=format, formats=", ".join(FORMATS)))
    names = [str(path) for path in paths]
    if STDIN in names and len(names) > 1:
        raise typer.BadParameter(say.STDIN_ALONE())
    if missing := [name for name in names if name != STDIN and is_missing(name)]:
        raise typer.BadParameter(say.NO_SUCH_FILE(names=", ".join(missing)))
    listing = list_sources(paths, format=format)
    if not listing.sources and not listing.failures:
        raise typer.BadParameter(say.NOTHING_TO_READ(names=", ".join(names)))
    return listing


def _targets(
    listing: Listing, out: Path | None, *, suffix: str, force: bool
) -> dict[Source, Path | None]:
    if out is None:
        return dict.fromkeys(listing.sources)
    many = len(listing.sources) > 1 or bool(listing.folders) or out.is_dir()
    try:
        if many and out.exists() and not out.is_dir():
            raise Refused(_NO_FOLDER(out=out))
        targets = [out / f"{s.name}{suffix}" if many else out for s in listing.sources]
        require_apart(targets)
        require_free(targets, listing.sources, force=force)
    except Refused as error:
        raise typer.BadParameter(str(error)) from None
    return dict(zip(listing.sources, targets, strict=True))


def _give(
    source: Source,
    target: Path | None,
    reading: Reading,
    screen: Screen,
    *,
    by_segment: bool,
    force: bool,
) -> bool:
    """Write what *source* says; return whether nothing of it failed."""
    failures: list[Failure] = []
    texts = _texts(source, reading, failures, by_segment=by_segment)
    first = next(texts, None)
    if first is not None:
        name = target or _STDOUT()
        with naming(name):
            if target:
                with aside(target, replace=force) as stream:
                    _write(stream, first, texts)
            else:
                try:
                    _write(sys.stdout.buffer, first, texts)
                    sys.stdout.buffer.flush()
                except OSError:
                    give_up_standard_output()
                    raise
    for failure in failures:
        screen.report(failure)
    return not failures


def _write(stream: BinaryIO, first: str, others: Iterator[str]) -> None:
    stream.write(first.encode())
    for one in others:
        stream.write(one.encode())


def _texts(
    source: Source, reading: Reading, failures: list[Failure], *, by_segment: bool
) -> Iterator[str]:
    for item in read_all([source], reading):
        if isinstance(item, Record):
            yield from _lines(item) if by_segment else [_ended(item.text)]
        elif isinstance(item, Failure):
            failures.append(item)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _lines(record: Record) -> Iterator[str]:
    places = record.segments or ((0, len(record.text)),)
    stops = [*(start for start, _ in places[1:]), len(record.text)]
    place = {"file": record.file, "row": record.row, "id": record.id}
    for number, ((start, end), stop) in enumerate(zip(places, stops, strict=True)):
        kind = {"kind": str(record.kinds[number])} if record.kinds else {}
        said = {"text": record.text[start:end], "after": record.text[end:stop]}
        yield json.dumps({**place, "segment": number, **kind, **said}, ensure_ascii=False) + "\n"
