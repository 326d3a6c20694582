"""The commands ``invent`` and ``diversity``: judgments of our own, and how varied a corpus is."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table

from thunder.commands import invented_messages as say

if TYPE_CHECKING:
    from thunder.training_data.annotation import Annotated as Read
    from thunder.training_data.diversity import Diversity
    from thunder.training_data.invented_judgments import Invented

_SHOWN = 10  # repeated passages of each corpus


def invent(
    output: Annotated[Path, typer.Argument(help="The JSONL file to write.")],
    *,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many.")] = 100,
    kinds: Annotated[
        str, typer.Option(help="Kinds or families between commas: civil,injury,petition …")
    ] = "all",
    seed: Annotated[int, typer.Option(help="Another seed gives other judgments.")] = 0,
    first: Annotated[int, typer.Option(min=0, help="The number of the first.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Write invented judgments with their placeholders marked, one JSON object a line.

    Judgment number n of a seed is the same on every machine, whatever was written before it.
    """
    from thunder.training_data.invented_judgments import judgments

    chosen = _kinds(kinds)
    documents = judgments(number, kinds=chosen, seed=seed, first=first)
    try:
        marks = _write(documents, output, force=force)
    except FileExistsError:
        raise _failed(f"{output}: 파일이 이미 있습니다. 덮어쓰려면 --force를 주십시오") from None
    except OSError as error:
        raise _failed(f"{output}: 쓸 수 없습니다: {error.strerror}") from None
    typer.echo(f"{output}: 판결서 {number:,}건, 사건 종류 {len(chosen)}가지, 표시 {marks:,}개")


def diversity(
    corpora: Annotated[
        list[Path],
        typer.Argument(help="JSONL files (text), .txt files, folders of those, or synthesize's."),
    ],
    *,
    reference: Annotated[
        Path | None, typer.Option(help="The corpus whose words the others are held against.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=2, help="Documents taken of each corpus, the same number of all.")
    ] = 500,
    passages: Annotated[
        int, typer.Option(min=0, help="Repeated passages to show of each corpus.")
    ] = _SHOWN,
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write all measures beside the reference here: tables, pictures (matplotlib)."
        ),
    ] = None,
) -> None:
    """Measure how varied corpora are: distinct n-grams, divergence, Self-BLEU, repeated passages.

    The measures change with the size of a corpus, so each gives the same number of documents:
    --sample, or as many as the smallest has, drawn by a key from their ids. --report adds what
    takes longer: a classifier of real against made, Self-BLEU by label, sentence endings and
    particles, the longest passage shared; and of a folder that 'thunder synthesize' made the
    density of marks after each round.
    """
    from thunder.training_data.diversity import measure

    if report and not reference:
        raise _failed(say.NEEDS_REFERENCE())
    read = {path: _texts(path) for path in corpora}
    known = _texts(reference) if reference else []
    if report:
        _report(read, known, sample, report)
        return
    size = min(sample, *(len(texts) for texts in [*read.values(), *([known] if known else [])]))
    if size < 2:
        raise _failed("문서가 두 건 이상인 말뭉치만 잴 수 있습니다")
    held = _plain(_drawn(known, size))
    formulas = _formulas()
    found = {
        path: measure(_plain(_drawn(texts, size)), reference=held, formulas=formulas)
        for path, texts in read.items()
    }
    console = Console(highlight=False, markup=False)
    names = [path.name for path in found]
    short = len(set(names)) == len(names)
    console.print(table({path.name if short else str(path): one for path, one in found.items()}))
    for path, one in found.items():
        _show_passages(path, one, passages)


_Texts = list[tuple[str, "Read"]]


def _report(read: dict[Path, _Texts], known: _Texts, sample: int, folder: Path) -> None:
    """Write the measures of *read* beside *known*, half of which the other half is held against."""
    from thunder.scoring.tables import shown
    from thunder.training.synthesis import measuring

    size = min(sample, len(known) // 2, *(len(texts) for texts in read.values()))
    if size < measuring.LEAST_TEXTS:
        raise _failed(say.TOO_FEW(least=measuring.LEAST_TEXTS))
    real = _drawn(known, 2 * size)
    names = [_name(path) for path in read]
    try:
        corpora = [
            measuring.Corpus(
                _name(path) if names.count(_name(path)) == 1 else f"{at} {_name(path)}",
                _drawn(texts, size),
                measuring.run_report(path) if _is_run(path) else {},
            )
            for at, (path, texts) in enumerate(read.items(), 1)
        ]
        found = measuring.report(corpora, real[:size], real[size:], folder)
    except (OSError, ValueError) as error:
        raise _failed(say.FAILED(problem=error)) from None
    measures = found.tables[0]
    right = [Column(name, justify="right", overflow="fold") for name in measures.columns[1:]]
    page = Table(Column("measure", no_wrap=True), *right, box=SIMPLE_HEAD, pad_edge=False)
    for row in measures.rows:
        page.add_row(*map(shown, row))
    Console(highlight=False, markup=False).print(page)
    if found.not_drawn:
        typer.echo(say.NOT_DRAWN(problem=found.not_drawn), err=True)
    typer.echo(say.REPORTED(path=folder / "measures.md"))


def _name(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _is_run(path: Path) -> bool:
    """Return whether *path* is a folder that 'thunder synthesize' made."""
    return (path / "report.json").is_file() and (path / "texts.jsonl").is_file()


def table(found: "dict[str, Diversity]") -> Table:
    """Return the measures of corpora by name, a column each."""
    right = [Column(name, justify="right", overflow="fold") for name in found]
    shown = Table(Column("measure", no_wrap=True), *right, box=SIMPLE_HEAD, pad_edge=False)
    for name, values in _rows(list(found.values())):
        shown.add_row(name, *values)
    return shown


def _rows(found: "Sequence[Diversity]") -> Iterator[tuple[str, list[str]]]:
    yield "documents", [f"{one.documents:,}" for one in found]
    yield "words", [f"{one.words:,}" for one in found]
    yield "distinct words", [f"{one.distinct_words:.3f}" for one in found]
    yield "distinct bigrams", [f"{one.distinct_bigrams:.3f}" for one in found]
    yield "distinct trigrams", [f"{one.distinct_trigrams:.3f}" for one in found]
    yield "Self-BLEU", [f"{one.self_bleu:.3f}" for one in found]
    gaps = [one.divergence for one in found]
    yield "JS divergence (bits)", ["-" if gap is None else f"{gap:.3f}" for gap in gaps]
    yield "most repeated passage", [f"{one.most_repeated:.1%}" for one in found]
    yield "passages in over 5 %", [f"{len(one.repeated):,}" for one in found]


def _show_passages(path: Path, one: "Diversity", shown: int) -> None:
    for repeated in one.repeated[:shown]:
        typer.echo(f"{path.name}: {repeated.share:.1%} {repeated.passage}")


def _kinds(written: str) -> tuple[str, ...]:
    from thunder.training_data.invented_judgments import FAMILIES, KINDS, WRITINGS

    if written == "all":
        return KINDS
    chosen: list[str] = []
    for name in filter(None, map(str.strip, written.split(","))):
        if name not in FAMILIES and name not in (*KINDS, *WRITINGS):
            known = ", ".join([*FAMILIES, *KINDS, *WRITINGS])
            raise _failed(f"'{name}': 그런 사건 종류는 없습니다. 있는 것: {known}")
        chosen += FAMILIES.get(name, [name])
    if not chosen:
        raise _failed("--kinds에 사건 종류를 하나 이상 적어 주십시오")
    return tuple(dict.fromkeys(chosen))


def _write(documents: "Iterable[Invented]", path: Path, *, force: bool) -> int:
    """Return the number of marks written; the file appears whole or not at all."""
    from thunder.bulk.outputs import aside
    from thunder.training_data.annotation import serialise

    marks = 0
    with aside(path, replace=force) as stream:
        for one in documents:
            text = serialise(one.text, one.spans)
            row = {"id": one.id, "case_type": one.case_type, "text": text}
            stream.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
            marks += len(one.spans)
    return marks


def _texts(path: Path) -> _Texts:
    """Return the ids and texts of a corpus; what cannot be read is counted."""
    from thunder.training_data.annotation import Annotated as Read
    from thunder.training_data.annotation import read_jsonl, read_text

    try:
        files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        files = [path / "texts.jsonl"] if _is_run(path) else files
        documents = [
            found
            for file in files
            for found in (read_text(file) if file.suffix == ".txt" else read_jsonl(file))
        ]
    except OSError as error:
        raise _failed(f"{path}: 읽을 수 없습니다: {error.strerror}") from None
    texts = [(name, one) for name, one in documents if isinstance(one, Read)]
    if len(texts) < len(documents):
        typer.echo(f"{path}: 읽지 못한 문서 {len(documents) - len(texts)}건은 뺐습니다", err=True)
    if len(texts) < 2:
        raise _failed(f"{path}: 문서가 두 건 이상 있어야 합니다")
    return texts


def _plain(texts: "Sequence[Read]") -> list[str]:
    return [one.text for one in texts]


def _drawn(texts: _Texts, size: int) -> "list[Read]":
    from hashlib import blake2b

    ranked = sorted(texts, key=lambda one: blake2b(one[0].encode(), digest_size=8).digest())
    return [text for _, text in ranked[:size]]


def _formulas() -> tuple[str, ...]:
    from thunder.training_data.diversity import legal_formulas

    return legal_formulas()


def _failed(message: str) -> typer.Exit:
    typer.echo(message, err=True)
    return typer.Exit(1)
