"""What ``thunder deid`` was asked, and what it refuses before anything is read."""

import sys
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from thunder.bulk.notices import Concern
from thunder.commands import deid_messages as say
from thunder.commands import letters_messages as letters_say
from thunder.documents.records import Reading, Record
from thunder.documents.sources import FORMATS, STDIN, Listing, is_missing, list_sources, read_all
from thunder.settings import resources

if TYPE_CHECKING:
    from thunder.bulk.outputs import Targets
    from thunder.masking.audit import Catalogue
    from thunder.masking.case_ledger import CaseLetters
    from thunder.masking.known import Known
    from thunder.tagger.chosen_tagger import Chosen


_BINARY = {"parquet", "paged"}


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for."""

    paths: tuple[Path, ...]
    out: Path | None
    format: str
    profile: str
    agree_particles: bool
    audit: Path | None
    mapping: Path | None
    html: Path | None
    workers: int
    model: str
    recall: float | None
    text_column: str
    id_column: str
    max_characters: int
    force: bool
    allow: frozenset[Concern]
    names: Path | None = None
    keep: Path | None = None
    case: bool = False
    ocr: bool = False
    file_column: str = ""
    checks: bool = False
    taxonomy: Path | None = None
    report: Path | None = None
    letters: Path | None = None
    letter_keys: Path | None = None

    @property
    def reading(self) -> Reading:
        """How the files are read."""
        return Reading(self.text_column, self.id_column, self.max_characters, self.ocr)

    def as_entry(self) -> dict[str, object]:
        """Return the options as the audit records them: what is a path is one, to be veiled."""
        model: str | Path = Path(self.model) if Path(self.model).is_dir() else self.model
        return asdict(self) | {"model": model, "allow": tuple(sorted(self.allow))}


class Plan(NamedTuple):
    """What to read, by which rules and which tagger (None: the rules alone), and where to.

    *decided* is what the lists of names and of words that stay say.
    """

    listing: Listing
    known: "Catalogue"
    targets: "Targets"
    chosen: "Chosen | None"
    decided: "Known"
    letters: "CaseLetters | None" = None


def plan_run(options: Options) -> Plan:
    """Return what is to be done, the tagger loaded; typer.BadParameter for wrong usage."""
    from thunder.bulk.outputs import Refused, plan, why

    try:
        resources.choose_taxonomy(options.taxonomy)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    listing = _listed(options)
    chosen = _chosen(options)
    if chosen:
        chosen.load_ahead()
    from thunder.masking.audit import catalogue

    try:
        known = catalogue(options.profile)
        targets = plan(listing, options.out, force=options.force)
        _require_free_of_each_other(options, listing, targets)
    except (Refused, LookupError, ValueError) as error:
        raise typer.BadParameter(str(error.args[0] if error.args else error)) from None
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {' — '.join(why(error))}") from None
    decided = _decided(options, known)
    letters = _letters(options)
    if options.workers == 1:  # else each process loads its own
        from thunder.mentions import recognising

        recognising.load()
    if chosen:
        _load(chosen, options)
    if options.html:
        _require_few(listing, options.reading)
    return Plan(listing, known, targets, chosen, decided, letters)


def _letters(options: Options) -> "CaseLetters | None":
    """Return the ledger of letters, which can be read; typer.BadParameter for what cannot be."""
    if not options.letters:
        return None
    if not options.letter_keys:
        raise typer.BadParameter(letters_say.NEEDS_KEYS())
    if options.case:
        raise typer.BadParameter(letters_say.NOT_WITH_CASE())
    from thunder.masking.case_ledger import CaseLetters
    from thunder.masking.deidentifier import require_letters_allowed

    letters = CaseLetters(options.letters.resolve(), options.letter_keys.resolve())
    try:
        require_letters_allowed(options.profile)
        letters.state()
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return letters


def _decided(options: Options, known: "Catalogue") -> "Known":
    from thunder.masking.known import Known, read_kept, read_names

    try:
        names = read_names(options.names, known.taxonomy) if options.names else ()
        kept = read_kept(options.keep) if options.keep else ()
        return Known(names, kept)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    except OSError as error:
        raise typer.BadParameter(f"{error.filename}: {error.strerror}") from None


def _chosen(options: Options) -> "Chosen | None":
    """Return the tagger that was asked for; None without one."""
    from thunder.tagger import chosen_tagger

    if options.model == chosen_tagger.NONE and options.recall is not None:
        raise typer.BadParameter(say.RECALL_ALONE())
    try:
        chosen = chosen_tagger.choose(options.model, recall=options.recall)
    except OSError as error:
        raise typer.BadParameter(_refusal(options.model, error)) from None
    return chosen.shared(options.workers) if chosen else None


def _load(chosen: "Chosen", options: Options) -> None:
    """Load the tagger once; typer.BadParameter where it does not fit."""
    try:
        chosen.load()
    except ImportError:
        raise  # thunder.commands.cli names the extra that is missing
    except Exception as error:  # torch, onnxruntime, tokenizers: nothing in common
        raise typer.BadParameter(_refusal(options.model, error)) from None
    if options.workers > 1 and chosen.needs_torch:
        raise typer.BadParameter(say.WORKERS_OF_TORCH(workers=options.workers, model=options.model))


def _refusal(model: str, error: Exception) -> str:
    """Return why a tagger is not used, and that nothing was done without it."""
    reason = str(error.args[0]) if isinstance(error, LookupError) and error.args else str(error)
    reason = reason.partition("\n")[0] or type(error).__name__
    cure = "" if "--model" in reason else say.OTHER_MODEL()
    return f"--model {model}: {reason}{cure}"


def _listed(options: Options) -> Listing:
    if options.format and options.format not in FORMATS:
        raise typer.BadParameter(
            say.UNKNOWN_FORMAT(format=options.format, formats=", ".join(FORMATS))
        )
    names = [str(path) for path in options.paths]
    if STDIN in names and len(names) > 1:
        raise typer.BadParameter(say.STDIN_ALONE())
    if STDIN in names and sys.stdin is None:
        raise typer.BadParameter(say.STDIN_CLOSED())
    if options.out is None and sys.stdout is None:
        raise typer.BadParameter(say.STDOUT_CLOSED())
    missing = [name for name in names if name != STDIN and is_missing(name)]
    if missing:
        raise typer.BadParameter(say.NO_SUCH_FILE(names=", ".join(missing)))
    listing = list_sources(options.paths, format=options.format)
    if not listing.sources and not listing.failures:
        passed = ", ".join(f"{kind} {count}" for kind, count in listing.skipped.items())
        raise typer.BadParameter(
            say.NOTHING_TO_READ(names=", ".join(names))
            + (say.PASSED_OVER(passed=passed) if passed else "")
        )
    if options.file_column:
        from thunder.documents.filelists import with_files_named

        listing = with_files_named(listing, options.file_column, reading=options.reading)
        if not listing.sources and not listing.failures:
            raise typer.BadParameter(say.COLUMN_NAMES_NONE(column=options.file_column))
    if options.case:
        from thunder.bulk.cases import in_order_of_folders

        listing.sources = in_order_of_folders(listing.sources)
    to_terminal = options.out is None and sys.stdout.isatty()
    if to_terminal and any(FORMATS.get(one.format) in _BINARY for one in listing.sources):
        raise typer.BadParameter(say.TO_TERMINAL())
    return listing


def _require_free_of_each_other(options: Options, listing: Listing, targets: "Targets") -> None:
    from thunder.bulk.outputs import require_apart, require_free

    replaceable = [path for path in (options.audit, options.html, options.report) if path]
    never_replaced = [options.mapping] if options.mapping else []
    outputs = [target for target in targets.values() if target]
    require_apart([*outputs, *replaceable, *never_replaced])
    require_free(replaceable, listing.sources, force=options.force)
    require_free(never_replaced, listing.sources, force=False, is_replaceable=False)


def _require_few(listing: Listing, reading: Reading) -> None:
    """Refuse a page for more documents than one can show; what comes from a pipe shows later."""
    from thunder.bulk.page import MOST_DOCUMENTS, require_few

    files = [source for source in listing.sources if source.is_file]
    paged = [source for source in files if FORMATS.get(source.format) == "paged"]
    files = [source for source in files if source not in paged]  # a document each
    records = (item for item in read_all(files, reading) if isinstance(item, Record))
    try:
        most = MOST_DOCUMENTS + 1 - len(paged)
        require_few(len(paged) + sum(1 for _ in islice(records, max(0, most))), 0)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def open_folders(options: Options) -> list[Path]:
    """Return the private files of a run that are to stand where everybody may write."""
    from thunder.bulk.outputs import is_open_to_others

    private = [path for path in (options.mapping, options.html, options.report) if path]
    return [path for path in private if is_open_to_others(path.resolve().parent)]


def folders_written_to(options: Options, targets: "Targets") -> set[Path]:
    """Return the folders in which a run writes files."""
    own = (options.audit, options.mapping, options.html, options.report)
    return {path.parent for path in (*own, *targets.values()) if path}
