"""The command ``thunder synthesize``: training text by a language model inside the walls."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.commands import synthesize_messages as say

if TYPE_CHECKING:
    from thunder.training.synthesis.running import Report


def synthesize(
    run: Annotated[Path, typer.Argument(help="The run file (TOML).")],
    *,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Ask no model: texts come from the invented writings."),
    ] = False,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A key of the run file (texts.number=5)."),
    ] = None,
) -> None:
    """Make training text with a language model, with marks in the place of names.

    Personas, drafts, marks in rounds, and distractors that stay readable are asked of an
    OpenAI-compatible server; what comes back passes the gates or is dropped and counted, and the
    replacement lists fill the marks. A run that was stopped goes on, and asks nothing twice. Exit
    status 1: no text could be taken, or the server did not answer; 2: the run file is wrong; 3:
    requests lie in files ([batch]) and wait for their answers.
    """
    from thunder.settings import config
    from thunder.settings.config import ConfigError
    from thunder.training.synthesis import running
    from thunder.training.synthesis.batches import Waiting
    from thunder.training.synthesis.settings import Run

    try:
        settings = config.load(run, Run, changes=changes or ())
        report = running.run(settings, offline=offline)
    except ConfigError as error:
        typer.echo(say.FAILED(problem=error), err=True)
        raise typer.Exit(2) from None
    except Waiting as waiting:
        folder = waiting.paths[0].parent
        typer.echo(say.WAITING(number=waiting.number, files=len(waiting.paths), folder=folder))
        raise typer.Exit(3) from None
    except (OSError, ValueError) as error:
        typer.echo(say.FAILED(problem=error), err=True)
        raise typer.Exit(1) from None
    _show(report)
    number = report.texts.total()
    if settings.labels:
        typer.echo(say.PROPOSED(folder=settings.output, number=report.proposals))
        if not report.proposals:
            raise typer.Exit(1)
        return
    said = say.WRITTEN if number else say.NOTHING
    typer.echo(said(folder=settings.output, number=number), err=not number)
    if not number:
        raise typer.Exit(1)


def _show(report: "Report") -> None:
    if report.model:
        tokens = report.tokens
        typer.echo(
            say.ASKED(
                model=report.model, structured=report.structured, requests=report.requests,
                prompts=tokens["prompt_tokens"], answers=tokens["answer_tokens"],
            )
        )  # fmt: skip
    for step, density in report.density.items():
        survival = report.survival.get(step)
        shown = "-" if survival is None else f"{survival:.1%}"
        typer.echo(say.DENSITY(step=step, density=density, survival=shown))
    for step, reasons in report.dropped.items():
        for reason, number in reasons.most_common():
            typer.echo(say.DROPPED(step=step, reason=reason, number=number))
    for step, number in report.given_up.items():
        if number:
            typer.echo(say.GIVEN_UP(step=step, number=number))
    for domain, number in report.texts.items():
        found = report.diversity.get(domain, {})
        measures = ("distinct_bigrams", "self_bleu", "most_repeated_passage")
        shares = [f"{found[name]:.3f}" if found else "-" for name in measures]
        typer.echo(
            say.TEXTS(
                domain=domain, number=number, bigrams=shares[0], bleu=shares[1], passage=shares[2]
            )
        )
    if report.doubtful:
        typer.echo(say.DOUBTFUL(number=report.doubtful))
