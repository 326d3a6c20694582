"""The commands ``thunder tokenizer train | compare | show | export``."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from thunder.settings import resources

if TYPE_CHECKING:
    from thunder.tokenization import HybridTokenizer
    from thunder.training.tokenizers.rivals import Rival
    from thunder.training.tokenizers.training import Source
    from thunder.training_data.annotation import Annotated as AnnotatedText

app = typer.Typer(
    help="The hybrid tokenizer: show, export, train and compare.", no_args_is_help=True
)

Tokenizer = Annotated[str, typer.Option(help="32k, 128k, or the folder of one of your own.")]


@app.command()
def show(
    text: Annotated[str, typer.Argument(help='The text, or "-" to read it from standard input.')],
    *,
    tokenizer: Tokenizer = "32k",
) -> None:
    """Show the tokens of a text: id, place in the text (from 0), token and characters."""
    with _problems_shown():
        whole = sys.stdin.read() if text == "-" else text
        found = _load(tokenizer)
        encoded = found.encode(whole)
    table = Table("id", "start", "end", "token", "characters", box=None)
    tokens = found.tokens(encoded.ids.tolist())
    for row in zip(*(numbers.tolist() for numbers in encoded), tokens, strict=True):
        id_, start, end, token = row
        table.add_row(str(id_), str(start), str(end), repr(token)[1:-1], repr(whole[start:end]))
    Console(markup=False, highlight=False).print(table)
    typer.echo(f"{len(tokens)} tokens, {len(whole)} characters")


@app.command()
def export(
    name: Annotated[str, typer.Argument(metavar="TOKENIZER", help="32k, 128k, or a folder.")],
    folder: Annotated[Path, typer.Argument(help="Where to write it.")],
) -> None:
    """Write a folder that transformers loads: AutoTokenizer with trust_remote_code=True."""
    with _problems_shown():
        from thunder.tokenization.transformers import ThunderTokenizer

        ThunderTokenizer(hybrid=_load(name)).save_pretrained(folder)
    typer.echo(f"{folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")


@app.command()
def train(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE=SENTENCES…",
            help="Files or folders of .jsonl (.xz, .gz, .bz2, .zst) or .parquet.",
        ),
    ],
    *,
    vocabulary: Annotated[int, typer.Option(min=1_000, help="Tokens beside the markers.")],
    out: Annotated[Path, typer.Option(help="The folder to write.")],
    seed: Annotated[int, typer.Option(help="Another seed takes other sentences.")] = 1,
) -> None:
    """Train a hybrid tokenizer on a sample of sentences; the same sources give the same file."""
    with _problems_shown():
        from thunder.taxonomy import load as load_taxonomy
        from thunder.tokenization import save
        from thunder.training.tokenizers.training import train_on

        taxonomy = load_taxonomy()
        made = train_on(_sources(sources), vocabulary=vocabulary, seed=seed, taxonomy=taxonomy)
        save(made, out)
    for file in made.manifest.corpus:
        typer.echo(f"{file.sentences:>9,} sentences of {file.file}")
    typer.echo(f"{out}: {vocabulary:,} tokens and {len(made) - vocabulary:,} markers")


@app.command()
def compare(
    corpus: Annotated[
        list[str], typer.Argument(metavar="SOURCE=SENTENCES…", help="What the others train on.")
    ],
    *,
    annotated: Annotated[
        Path, typer.Option(help="Annotated judgments with mentions in the marks, JSON lines.")
    ],
    text: Annotated[
        list[str], typer.Option(metavar="KIND=FILE", help="Texts; held-out documents are read.")
    ],
    tokenizer: Annotated[
        list[str], typer.Option(metavar="NAME=FOLDER", help="Hybrid ones: 32k, 128k, or these.")
    ] = ["32k", "128k"],  # noqa: B006  # read only
    released: Annotated[Path | None, typer.Option(help="The release's tokenizer.json.")] = None,
    vocabulary: Annotated[int, typer.Option(help="Of the others.")] = 32_000,
    documents: Annotated[int, typer.Option(help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option(help="Another seed takes other sentences.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Write comparison.md and .png here.")] = None,
) -> None:
    """Set the hybrid tokenizers beside plain BPE, SentencePiece, Mecab-ko and the released one."""
    with _problems_shown():
        from thunder.training.tokenizers import comparison

        texts = {kind: _held_out(file, documents) for kind, file in map(_named, text)}
        marked = list(_annotated(annotated))
        results = []
        for rival in _rivals(tokenizer, released, _sources(corpus), vocabulary, seed):
            typer.echo(f"{rival.name} …", err=True)
            results.append(comparison.measure(rival, texts, marked))
        table = comparison.markdown(results)
        if out is None:
            typer.echo(table)
            return
        out.mkdir(parents=True, exist_ok=True)
        (out / "comparison.md").write_text(table, encoding="utf-8")
        comparison.plot(results, out / "comparison.png")
    typer.echo(f"{out}: comparison.md, comparison.png")


def _rivals(
    names: list[str], released: Path | None, corpus: "list[Source]", vocabulary: int, seed: int
) -> "Iterator[Rival]":
    """Yield our tokenizers and the others, one trained after the other."""
    from thunder.taxonomy import load as load_taxonomy
    from thunder.training.tokenizers import rivals
    from thunder.training.tokenizers.training import sample, train

    for name, place in map(_named, names):
        yield rivals.hybrid(f"hybrid {name}", _load(place))
    sentences = [sentence for source in corpus for sentence in sample(source, seed=seed)]
    same = train(sentences, vocabulary=vocabulary, taxonomy=load_taxonomy())
    yield rivals.hybrid("hybrid, same sample", same)
    yield rivals.plain_bpe(sentences, vocabulary=vocabulary)
    yield rivals.sentencepiece(sentences, vocabulary=vocabulary, kind="bpe")
    yield rivals.sentencepiece(sentences, vocabulary=vocabulary, kind="unigram")
    yield rivals.mecab(sentences, vocabulary=vocabulary)
    if released is not None:
        yield rivals.released(released)


def _held_out(file: str, limit: int) -> list[str]:
    from itertools import islice

    from thunder.training.tokenizers.training import documents, files, is_held_out

    kept = (
        text
        for path in files(Path(file))
        for name, text in documents(path)
        if is_held_out(path.name, name)
    )
    return list(islice(kept, limit))


def _annotated(path: Path) -> "Iterator[AnnotatedText]":
    from thunder.training_data.annotation import AnnotationError, read_jsonl

    for name, document in read_jsonl(path):
        if isinstance(document, AnnotationError):
            raise ValueError(f"{path}: {name}: {document.problems[0]}")
        yield document


def _sources(given: list[str]) -> "list[Source]":
    from thunder.training.tokenizers.training import Source

    made = []
    for one in given:
        path, _, number = one.rpartition("=")
        if not path or not number.replace("_", "").isdecimal():
            raise ValueError(f"{one}: give FILE=SENTENCES, as corpus.jsonl=400000")
        made.append(Source(Path(path), int(number)))
    return made


def _named(given: str) -> tuple[str, str]:
    name, _, place = given.partition("=")
    return name, place or name


def _load(name: str) -> "HybridTokenizer":
    from thunder import tokenization

    shipped = resources.folder("tokenizer") / name
    return tokenization.load(shipped if shipped.is_dir() else Path(name))


@contextmanager
def _problems_shown() -> Iterator[None]:
    """Turn an error of the data or of the installation into a line, and exit with 1."""
    try:
        yield
    except ModuleNotFoundError:
        raise  # thunder.commands.cli names the extra that has it
    except (OSError, ValueError, LookupError, ImportError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
