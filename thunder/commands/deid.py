"""The command ``thunder deid``: what it is asked, what it refuses, how it ends."""

import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from enum import IntEnum
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.bulk.notices import Concern
from thunder.bulk.outputs import hold_standard_descriptors
from thunder.commands import deid_messages as say
from thunder.commands import letters_messages as letters_say
from thunder.commands.deid_plan import Options, Plan, folders_written_to, open_folders, plan_run
from thunder.documents.records import Failure
from thunder.documents.sources import FORMATS, STDIN, Item, read_all
from thunder.settings.messages import language
from thunder.tagger.chosen_tagger import DEFAULT

if TYPE_CHECKING:
    from thunder.bulk.publication import Publication
    from thunder.bulk.running import Result
    from thunder.commands.screen import Screen


class Status(IntEnum):
    """How the command ends."""

    DONE = 0
    SOME_FAILED = 1
    USAGE = 2
    INTERRUPTED = 130


def deid(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH…",
            help=say.PATHS(formats=" ".join(f".{one}" for one in FORMATS)),
            show_default=False,
            readable=False,  # one that is not fails alone
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help=say.OUT()),
    ] = None,
    format: Annotated[str, typer.Option(help=say.FORMAT(formats=", ".join(FORMATS)))] = "",
    text_column: Annotated[str, typer.Option(help=say.TEXT_COLUMN())] = "text",
    id_column: Annotated[str, typer.Option(help=say.ID_COLUMN())] = "id",
    file_column: Annotated[str, typer.Option(metavar="COLUMN", help=say.FILE_COLUMN())] = "",
    profile: Annotated[str, typer.Option(help=say.PROFILE())] = "court",
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME|FOLDER|none",
            help=say.MODEL(),
        ),
    ] = DEFAULT,
    recall: Annotated[
        float | None,
        typer.Option(
            min=0.9,
            max=0.999,
            help=say.RECALL(),
            show_default=say.RECALL_DEFAULT(),
        ),
    ] = None,
    taxonomy: Annotated[Path | None, typer.Option(metavar="FOLDER", help=say.TAXONOMY())] = None,
    agree_particles: Annotated[
        bool,
        typer.Option(
            "--agree-particles/--keep-particles",
            help=say.PARTICLES(),
        ),
    ] = False,
    audit: Annotated[
        Path | None,
        typer.Option(help=say.AUDIT()),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(help=say.MAPPING()),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help=say.REPORT()),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help=say.HTML()),
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option(
            help=say.NAMES(),
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(help=say.KEEP()),
    ] = None,
    letters: Annotated[
        Path | None, typer.Option(metavar="LEDGER", help=letters_say.LETTERS())
    ] = None,
    letter_keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=letters_say.KEYS(), envvar="THUNDER_LETTERS_KEYS"),
    ] = None,
    case: Annotated[
        bool,
        typer.Option(
            "--case",
            help=say.CASE(),
        ),
    ] = False,
    ocr: Annotated[
        bool,
        typer.Option(
            "--ocr",
            help=say.OCR(),
        ),
    ] = False,
    checks: Annotated[
        bool,
        typer.Option(
            "--checks",
            help=say.CHECKS(),
        ),
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help=say.WORKERS())] = 1,
    max_characters: Annotated[int, typer.Option(min=1, help=say.MAX_CHARACTERS())] = 20_000_000,
    force: Annotated[bool, typer.Option("--force", help=say.FORCE())] = False,
    resume: Annotated[bool, typer.Option("--resume", help=say.RESUME())] = False,
    allow: Annotated[
        list[Concern] | None,
        typer.Option(help=say.ALLOW()),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=say.QUIET())] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help=say.NO_PROGRESS())] = False,
) -> None:
    """De-identify judgments by the court rule (판결서 비실명 처리).

    Outside the masked words nothing changes: encoding, line ends, spacing, other columns. An
    output appears whole or not at all. A document that fails is held back and listed.

    Exit status: 0 all done; 1 some documents failed, a line each on stderr ("file:row: why —
    what to do") and in the audit, or something --allow names was found; 2 wrong usage, nothing
    was processed; 130 interrupted, only whole files were left, with what the audit and the
    mapping say of them.
    """
    from thunder.commands.screen import Screen

    hold_standard_descriptors()
    given = tuple(paths or ())
    options = Options(
        given or (Path(STDIN),),
        *(out, format, profile, agree_particles, audit, mapping, html, workers, model, recall),
        *(text_column, id_column, max_characters, force, frozenset(allow or ()), names, keep),
        case=case,
        ocr=ocr,
        file_column=file_column,
        checks=checks,
        taxonomy=taxonomy,
        report=report,
        letters=letters,
        letter_keys=letter_keys if letters else None,
    )
    if not given and sys.stdin and sys.stdin.isatty():
        raise typer.BadParameter(say.NO_INPUT())
    screen = Screen(is_quiet=quiet, shows_progress=not no_progress)
    with _ended_like_an_interrupt():
        raise typer.Exit(_resume(options, screen) if resume else run(options, screen))


def _resume(options: Options, screen: "Screen") -> Status:
    """Return how a run ended that goes on where one ended before."""
    from thunder.bulk.logs import Unwritable
    from thunder.bulk.outputs import Refused, why
    from thunder.commands.deid_resume import resume

    try:
        return Status.SOME_FAILED if resume(options, screen) else Status.DONE
    except KeyboardInterrupt:
        screen.error(say.INTERRUPTED())
        return Status.INTERRUPTED
    except OSError as error:
        screen.error(f"{error.filename}: {' — '.join(why(error))}")
    except (Refused, Unwritable, LookupError, ValueError) as error:
        screen.error(str(error.args[0] if error.args else error))
    return Status.USAGE


def run(options: Options, screen: "Screen") -> Status:
    """Return how a run ended; typer.BadParameter, before anything was read, for wrong usage."""
    from thunder.bulk.logs import Unwritable
    from thunder.bulk.outputs import sweep
    from thunder.bulk.publication import Publication
    from thunder.bulk.recording import recording

    plan = plan_run(options)
    sweep(folders_written_to(options, plan.targets))
    if plan.chosen:
        screen.tagger(plan.chosen)
    try:
        with recording(
            *(options.audit, options.mapping, options.report),
            plan.known,
            replace=options.force,
        ) as recorder:
            publication = Publication(
                *(plan.targets, recorder, screen.report),
                replace=options.force,
                with_page=options.html is not None,
                with_checks=options.checks,
            )
            status = _published(publication, plan, options, screen)
            publication.end(is_complete=status is Status.DONE)
    except Unwritable as error:
        screen.error(str(error))
        return Status.SOME_FAILED
    if status is not Status.DONE:
        return status
    subcategories = {sub.ko: getattr(sub, language()) for sub in plan.known.taxonomy.subcategories}
    screen.summary(publication.tally, order=subcategories)
    is_clean = not publication.tally.failed and publication.tally.concerns <= options.allow
    return Status.DONE if is_clean else Status.SOME_FAILED


def _published(
    publication: "Publication", plan: Plan, options: Options, screen: "Screen"
) -> Status:
    """Publish everything; return DONE, or how the run was cut off (said on the screen)."""
    from thunder.bulk.logs import Unwritable
    from thunder.tagger.chosen_tagger import entry

    try:
        publication.begin(options.as_entry(), entry(plan.chosen))
        _note_inputs(publication, plan, options)
        _publish(publication, plan, options, screen)
        if options.html:
            _write_page(publication, options.html, replace=options.force)
    except KeyboardInterrupt:
        screen.error(say.INTERRUPTED())
        return Status.INTERRUPTED
    except Unwritable as error:
        screen.error(str(error))
        return Status.SOME_FAILED
    return Status.DONE


def _note_inputs(publication: "Publication", plan: Plan, options: Options) -> None:
    """Say what is passed over, and which private files stand in the open."""
    from thunder.bulk import notices

    for path in open_folders(options):
        publication.note(notices.of_open_folder(str(path)))
    for notice in notices.of_skipped(plan.listing.skipped):
        publication.note(notice)


def _publish(publication: "Publication", plan: Plan, options: Options, screen: "Screen") -> None:
    from thunder.bulk.running import Outcome

    listing = plan.listing
    items: Iterator[Item] = chain(listing.failures, read_all(listing.sources, options.reading))
    total, seen = sum(source.size for source in listing.sources), 0
    outcomes = _outcomes(items, plan, options)
    try:
        with closing(outcomes), screen.progress(total) as advance:
            for item in outcomes:
                publication.take(item)
                if isinstance(item, Outcome | Failure):
                    seen += 1
                    advance(item.record.size if isinstance(item, Outcome) else item.size, seen)
    except BaseException:
        publication.abandon()
        raise


def _outcomes(
    items: Iterator[Item], plan: Plan, options: Options
) -> "Generator[Result, None, None]":
    """Yield what becomes of *items*, with the tagger that was chosen or by the rules alone."""
    from thunder.bulk.cases import Cases
    from thunder.bulk.running import run as run_all
    from thunder.masking.deidentifier import Deidentifier
    from thunder.tagger.chosen_tagger import forget

    if options.workers > 1:
        forget()  # every worker process loads its own
    act = Deidentifier(
        profile=options.profile,
        model=options.model,
        recall=options.recall,
        agree_particles=options.agree_particles,
        threads=plan.chosen.threads if plan.chosen else 0,
        known=plan.decided,
        checks=options.checks,
        letters=plan.letters,
    )
    together = act.deidentify_many if plan.chosen else None
    if not options.case:
        return run_all(items, act.deidentify, together=together, workers=options.workers)
    cases = Cases(max_characters=options.max_characters)
    joined = cases.joined(items)
    results = run_all(joined, act.deidentify, together=together, workers=options.workers)
    return cases.parted(results)


def _write_page(publication: "Publication", path: Path, *, replace: bool) -> None:
    from thunder.bulk.logs import Unwritable, naming
    from thunder.bulk.outputs import aside
    from thunder.bulk.page import render

    try:
        page = render(publication.shown, publication.known)
    except ValueError as error:
        raise Unwritable(path, str(error)) from None
    with naming(path), aside(path, private=True, replace=replace) as stream:
        stream.write(page.encode("utf-8", "backslashreplace"))


@contextmanager
def _ended_like_an_interrupt() -> Iterator[None]:
    """Let a request to end (SIGTERM, a closed terminal) clean up as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, interrupt) for number in ends]
    try:
        yield
    finally:
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)
