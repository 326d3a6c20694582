"""The command ``thunder doctor``: what would fail, and what a pre-training run would cost.

With ``--offline`` it is of this installation instead: a whole run with the network off.
"""

from pathlib import Path
from typing import Annotated

import typer


def doctor(
    config: Annotated[
        Path | None, typer.Argument(help="A run's TOML; without it only the machine is examined.")
    ] = None,
    *,
    processes: Annotated[int, typer.Option(min=1, help="How many processes the run has.")] = 1,
    rate: Annotated[
        float | None, typer.Option(min=0.001, help="Tokens a second of one process.")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Train a few steps here on drawn ids to learn it.")
    ] = False,
    change: Annotated[
        list[str] | None, typer.Option("--set", metavar="table.key=value", help="Over the file.")
    ] = None,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="De-identify with the network off; show what is opened."),
    ] = False,
) -> None:
    """Examine this machine and a run before it starts, and tell its cost; exit with 1 where it
    would fail."""
    if offline:
        from thunder.commands.offline import prove

        if config is not None:
            raise typer.BadParameter("--offline examines this installation: give no CONFIG")
        for line in prove():
            typer.echo(line)
        return
    from thunder.settings.config import ConfigError, load
    from thunder.training.doctor.examining import encoder, examine
    from thunder.training.pretraining.settings import Pretraining

    settings = None
    if config is not None:
        try:
            settings = load(config, Pretraining, changes=change or [])
        except ConfigError as error:
            typer.echo(f"[fail] configuration: {error}")
            raise typer.Exit(1) from None
    failed = []
    for finding in examine(settings, processes=processes):
        typer.echo(str(finding))
        failed += [finding.matter] if finding.level == "fail" else []
    if settings is not None and "model" not in failed:
        from thunder.training.doctor.costs import bill, measured

        model = encoder(settings)
        rates: tuple[float, ...] = (rate,) if rate else ()
        source = "given"
        if measure and any("memory" in matter or "GPU" in matter for matter in failed):
            typer.echo("       --measure: not done, this machine would not bear it")
        elif measure:
            rates, source = measured(settings, model), "measured here, one process, plain engine"
        cost = bill(settings, model, processes=processes, rates=rates, source=source)
        for line in cost.lines():
            typer.echo(f"       {line}")
    if failed:
        typer.echo(f"{len(failed)} would fail: see the lines with [fail]")
        raise typer.Exit(1)
