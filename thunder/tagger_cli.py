"""The commands of ``thunder tagger``: mentions of texts by a trained tagger, and its thresholds."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thunder.datasets.examples import Example
    from thunder.spans import Span

app = typer.Typer(help="Trained taggers: predictions, thresholds.", no_args_is_help=True)

_Folder = Annotated[Path, typer.Argument(help="A tagger's folder (finetune/export.py).")]
_Dataset = Annotated[Path, typer.Option(help="A dataset's folder.")]
_Taxonomy = Annotated[Path | None, typer.Option(help="The taxonomy it was trained with.")]
_Device = Annotated[str | None, typer.Option(help="cpu or cuda; default: a GPU if there is one.")]


@app.command()
def predict(
    folder: _Folder,
    output: Annotated[Path, typer.Argument(help="The JSONL file to write.")],
    *,
    dataset: _Dataset,
    part: Annotated[str, typer.Option(help="train, dev or test.")] = "test",
    taxonomy: _Taxonomy = None,
    device: _Device = None,
) -> None:
    """Write what a tagger finds in a part of a dataset: id and entities, a line each."""
    from thunder.datasets.dataset import Dataset
    from thunder.tagger import Tagger

    with _problems_shown():
        tagger = Tagger.load(folder, taxonomy=taxonomy, device=device)
        examples = Dataset.open(dataset, verify="quick", taxonomy=taxonomy).part(part).epoch(0)
        ids: list[str] = []
        found = tagger.tag_all(_texts(examples, ids))
        number = _write(((ids[at], spans) for at, spans in enumerate(found)), output)
    typer.echo(f"{output}: 문서 {number:,}건")


@app.command()
def thresholds(
    folder: _Folder,
    *,
    dataset: _Dataset,
    recall: Annotated[float, typer.Option(help="The share of mentions to mask whole.")] = 0.99,
    taxonomy: _Taxonomy = None,
    device: _Device = None,
) -> None:
    """Set a tagger's thresholds anew for a recall on the development part of a dataset."""
    from thunder.datasets.dataset import Dataset
    from thunder.tagger import Tagger
    from thunder.tagger.fitting import fit

    with _problems_shown():
        tagger = Tagger.load(folder, taxonomy=taxonomy, device=device)
        part = Dataset.open(dataset, verify="quick", taxonomy=taxonomy).part("dev")
        documents = ((one.id, one.text, one.spans) for one in part.epoch(0))
        reached = fit(tagger, documents, folder, recall=recall)
    typer.echo(f"{folder}: 개발용 문서에서 표시의 {reached:.2%}를 온전히 찾는 기준값을 적었습니다")


def _texts(examples: "Iterable[Example]", ids: list[str]) -> Iterator[str]:
    for example in examples:
        if not example.text:
            raise ValueError(f"{example.id}: the dataset was built without texts; build it --text")
        ids.append(example.id)
        yield example.text


def _write(found: "Iterable[tuple[str, list[Span]]]", path: Path) -> int:
    """Return the number of documents written; the file appears whole or not at all."""
    from thunder.files.outputs import aside

    number = 0
    with aside(path, replace=True) as stream:
        for id_, spans in found:
            row = {"id": id_, "entities": [_span(span) for span in spans]}
            stream.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
            number += 1
    return number


def _span(span: "Span") -> dict[str, object]:
    return {
        "start": span.start,
        "end": span.end,
        "label": span.label,
        "score": span.score,
        "source": span.source,
    }


@contextmanager
def _problems_shown() -> Iterator[None]:
    try:
        yield
    except (ValueError, LookupError, OSError) as error:
        typer.echo(f"오류: {error}", err=True)
        raise typer.Exit(1) from None
