"""The commands of ``thunder tagger``: mentions of texts by a trained tagger, and its thresholds."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thunder.tagger.thresholds import Outcome
    from thunder.text.spans import Span
    from thunder.training_data.datasets.examples import Example

app = typer.Typer(help="Trained taggers: predictions, thresholds.", no_args_is_help=True)

_Folder = Annotated[Path, typer.Argument(help="A tagger's folder (finetune/export.py).")]
_Dataset = Annotated[Path, typer.Option(help="A dataset's folder.")]
_Taxonomy = Annotated[Path | None, typer.Option(help="The taxonomy it was trained with.")]
_Trust = Annotated[
    bool, typer.Option(help="Let program code in the folder run, if the network needs that.")
]
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
    trust: _Trust = False,
) -> None:
    """Write what a tagger finds in a part of a dataset: id and entities, a line each."""
    from thunder.tagger.tagger import Tagger
    from thunder.training_data.datasets.dataset import Dataset

    with _problems_shown():
        tagger = Tagger.load(folder, taxonomy=taxonomy, device=device, trust=trust)
        examples = Dataset.open(dataset, verify="quick", taxonomy=taxonomy).part(part).epoch(0)
        ids: list[str] = []
        found = tagger.tag_all(_texts(examples, ids))
        number = _write(((ids[at], spans) for at, spans in enumerate(found)), output)
    typer.echo(f"{output}: 문서 {number:,}건")


@app.command()
def thresholds(
    folder: _Folder,
    *,
    dataset: Annotated[list[Path], typer.Option(help="A dataset's folder; may be repeated.")],
    recall: Annotated[
        float, typer.Option(help="Where the dial stands: the share of mentions to mask whole.")
    ] = 0.99,
    taxonomy: _Taxonomy = None,
    device: _Device = None,
    trust: _Trust = False,
    alone: Annotated[
        bool, typer.Option("--alone", help="For the tagger alone, not together with the rules.")
    ] = False,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Only measure what they give now: after a new scorecard."),
    ] = False,
) -> None:
    """Set a tagger's thresholds anew, for several recalls, on datasets' development parts.

    They are set for what 'thunder deid' masks with it: the recognisers' finds included, by the
    scorecard if the folder has one.
    """
    from thunder.tagger import dial
    from thunder.tagger.tagger import Tagger
    from thunder.training.finetuning.fitting import fit, measured
    from thunder.training_data.datasets.dataset import Dataset

    with _problems_shown():
        if keep and alone:
            raise ValueError("--keep measures what 'thunder deid' masks: leave out --alone")
        tagger = Tagger.load(folder, taxonomy=taxonomy, device=device, trust=trust)
        opened = [Dataset.open(one, verify="quick", taxonomy=taxonomy) for one in dataset]
        examples = (one for each in opened for one in each.part("dev").epoch(0))
        documents = ((one.id, one.text, one.spans) for one in examples)
        made = (
            measured(tagger, documents)
            if keep
            else fit(tagger, documents, default=recall, together=not alone)
        )
        dial.write(folder, made)
    number = f"개발용 문서 {made.about['documents']:,}건"
    done = f"의 결과를 {number}에서 다시 쟀습니다" if keep else f"을 {number}에 맞추었습니다"
    typer.echo(f"{folder}: 기준값{done}")
    for outcome in made.consequences():
        typer.echo(_consequence(outcome, chosen=outcome.recall == made.default))


@app.command()
def scorecard(
    folder: Annotated[
        Path, typer.Argument(help="A tagger's folder; with --rules-alone that of a taxonomy.")
    ],
    *,
    dataset: Annotated[
        list[Path], typer.Option(help="A dataset whose gold is whole; may be repeated.")
    ],
    partial: Annotated[
        list[Path] | None,
        typer.Option(
            help="A dataset whose gold lacks what courts left readable: what is masked beside it "
            "counts neither way. May be repeated."
        ),
    ] = None,
    read: Annotated[
        Path | None,
        typer.Option(
            help="Verdicts on what is masked beside the gold of partial datasets: judgment, keyed "
            "hash of the wording, 'name' or 'nothing'."
        ),
    ] = None,
    fillings: Annotated[
        int, typer.Option(min=1, help="Draw the mentions of each dataset so often.")
    ] = 3,
    rules_alone: Annotated[
        bool, typer.Option("--rules-alone", help="For 'thunder deid --model none'.")
    ] = False,
    taxonomy: _Taxonomy = None,
    device: _Device = None,
    trust: _Trust = False,
) -> None:
    """Fit the scorecard that decides what is masked, ranks doubts and explains both.

    It is fitted on the development parts of datasets, for all that this tagger and the recognisers
    find (or these alone), and written into its folder. A tagger that is trained again needs it
    fitted again, and so does one whose thresholds are set anew; the rules' own, by which all is
    masked that they find, wants it after patterns and lists have changed much.
    """
    from thunder.mentions import scorecard as cards
    from thunder.scoring import verdicts
    from thunder.tagger.chosen_tagger import RULES_ALONE
    from thunder.tagger.folder import taxonomy_of
    from thunder.tagger.tagger import Tagger
    from thunder.training import scorecards
    from thunder.training.evaluating import evaluating
    from thunder.training.evaluating.tagger_sources import Way

    with _problems_shown():
        if read and not partial:
            raise ValueError("--read is of what is masked in partial datasets: give --partial, too")
        asked = (
            RULES_ALONE
            if rules_alone
            else Tagger.load(folder, taxonomy=taxonomy, device=device, trust=trust, weighed=False)
        )
        known, _ = taxonomy_of(taxonomy)
        way = Way(known, folder=taxonomy, device=device)
        golds, rest = (
            [
                gold
                for place in places
                for some in evaluating.fillings(place, way, part="dev", number=fillings)
                for gold in some
            ]
            for places in (dataset, partial or [])
        )
        made = scorecards.fit(
            *(asked, golds, known),
            partial=rest,
            verdicts=verdicts.read(read) if read else None,
            masked={} if rules_alone else scorecards.MASKED,
            about={"fillings": fillings},
        )
        cards.write(folder / cards.NAME, made)
    about = made.about
    typer.echo(
        f"{folder / cards.NAME}: 개발용 문서 {about['documents']:,}건의 후보 "
        f"{about['candidates']:,}개(가릴 정보 {about['mentions']:,}개)에 맞추었습니다"
    )


def _consequence(outcome: "Outcome", *, chosen: bool) -> str:
    """Return in one line what a position of the dial gave on development documents."""
    said = (
        f"{'*' if chosen else ' '} 목표 {outcome.recall:.1%}: 표시의 {outcome.whole:.2%}를 온전히 "
        f"가림, 글자 정밀도 {outcome.precision:.2%}, 글자 재현율 {outcome.characters:.2%}"
    )
    short = f" (목표에 못 미쳐 {outcome.reached:.2%}까지만)" if outcome.falls_short else ""
    return said + short


def _texts(examples: "Iterable[Example]", ids: list[str]) -> Iterator[str]:
    for example in examples:
        if not example.text:
            raise ValueError(f"{example.id}: the dataset was built without texts; build it --text")
        ids.append(example.id)
        yield example.text


def _write(found: "Iterable[tuple[str, list[Span]]]", path: Path) -> int:
    """Return the number of documents written; the file appears whole or not at all."""
    from thunder.bulk.outputs import aside

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
