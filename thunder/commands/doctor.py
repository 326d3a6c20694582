"""The command ``thunder doctor``: what would fail, and what a training run would cost.

Without a configuration it is of this installation: what it can do, and which extra does the rest;
with ``--offline`` a whole run with the network off.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunder.settings.messages import Message

if TYPE_CHECKING:
    from thunder.training.doctor.costs import Bill
    from thunder.training.doctor.findings import Finding
    from thunder.training.doctor.targets import Target
    from thunder.training.finetuning.settings import Finetuning
    from thunder.training.pretraining.settings import Pretraining

_NO_CONFIG = Message(
    ko="--offline은 이 설치를 살핍니다: CONFIG를 주지 마십시오",
    en="--offline examines this installation: give no CONFIG",
)


def doctor(
    config: Annotated[
        Path | None,
        typer.Argument(
            help="A run's TOML, of pre-training or fine-tuning; without it this installation and "
            "machine are examined."
        ),
    ] = None,
    *,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes the run has [1, or all GPUs].")
    ] = None,
    gpu: Annotated[
        str | None,
        typer.Option(help="Plan for this GPU, not for this machine: h100-80g, a100-40g …"),
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="With --gpu: so many nodes.")] = 1,
    gpus_per_node: Annotated[int, typer.Option(min=1, help="With --gpu: GPUs of a node.")] = 8,
    price: Annotated[
        float | None, typer.Option(min=0, help="What an hour of one GPU costs, in any currency.")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=1, help="Training documents, where no dataset is built yet.")
    ] = None,
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
            raise typer.BadParameter(_NO_CONFIG())
        for line in prove():
            typer.echo(line)
        return
    if config is None and gpu is None:
        _installation(processes or 1)
        return
    from thunder.settings.config import ConfigError
    from thunder.training.doctor.targets import Target
    from thunder.training.doctor.targets import gpu as gpu_of

    try:
        target = Target(gpu_of(gpu), nodes, gpus_per_node) if gpu else None
        settings = _settings(config, change or []) if config else None
    except (ConfigError, LookupError) as error:
        typer.echo(f"[fail] configuration: {error.args[0]}")
        raise typer.Exit(1) from None
    number = processes or (target.processes if target else 1)
    failed = _shown(_findings(settings, number, target, documents))
    if settings is not None and "model" not in failed:
        ready = not any("memory" in matter or "GPU" in matter for matter in failed)
        if measure and (target or not ready):
            typer.echo("       --measure: not done, this machine would not bear it or is not meant")
        cost = _bill(
            settings, number, target, rate=rate, documents=documents,
            measure=measure and ready and not target,
        )  # fmt: skip
        for line in cost.lines(price=price, of="GPUs" if target else "processes"):
            typer.echo(f"       {line}")
    if failed:
        typer.echo(f"{len(failed)} would fail: see the lines with [fail]")
        raise typer.Exit(1)


def _installation(processes: int) -> None:
    """Say what is installed, and of the machine where it could train; exit with 1 if any fails."""
    from thunder.commands import installed

    failed = False
    for line in installed.examine():
        typer.echo(str(line))
        failed |= line.level == "fail"
    if installed.can_train():
        failed |= bool(_shown(_findings(None, processes, None, None)))
    if failed:
        raise typer.Exit(1)


def _settings(config: Path, changes: list[str]) -> "Pretraining | Finetuning":
    """Return a run's settings; what stands in the file says which kind it is."""
    from thunder.settings.config import load
    from thunder.training.finetuning.settings import Finetuning
    from thunder.training.pretraining.settings import Pretraining

    try:
        table = tomllib.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        table = {}  # load says what is wrong
    if "schedule" in table or "data" in table:
        return load(config, Finetuning, changes=changes)
    return load(config, Pretraining, changes=changes)


def _findings(
    settings: "Pretraining | Finetuning | None",
    processes: int,
    target: "Target | None",
    documents: int | None,
) -> "Iterable[Finding]":
    from thunder.training.doctor import examine, finetuning
    from thunder.training.finetuning.settings import Finetuning

    if isinstance(settings, Finetuning):
        return finetuning.examine(settings, processes=processes, target=target, documents=documents)
    return examine(settings, processes=processes, target=target)


def _shown(findings: "Iterable[Finding]") -> list[str]:
    """Show what is found; return the matters that would fail."""
    failed = []
    for finding in findings:
        typer.echo(str(finding))
        failed += [finding.matter] if finding.level == "fail" else []
    return failed


def _bill(
    settings: "Pretraining | Finetuning",
    processes: int,
    target: "Target | None",
    *,
    rate: float | None,
    documents: int | None,
    measure: bool,
) -> "Bill":
    from thunder.training.doctor import bill, finetuning
    from thunder.training.doctor.costs import measured
    from thunder.training.doctor.examining import encoder
    from thunder.training.doctor.targets import H100
    from thunder.training.finetuning.settings import Finetuning

    gpu = target.gpu if target else H100
    if isinstance(settings, Finetuning):
        return finetuning.bill(
            settings, processes=processes, rate=rate, documents=documents, gpu=gpu
        )
    model = encoder(settings)
    rates: tuple[float, ...] = (rate,) if rate else ()
    source = "given"
    if measure:
        rates, source = measured(settings, model), "measured: here, one process, plain engine"
    return bill(settings, model, processes=processes, rates=rates, source=source, gpu=gpu)
