"""The commands ``thunder bundle …``: one archive for machines without a network."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Make one archive that installs Thunder-DeID without a network.", no_args_is_help=True
)


@app.callback()
def _group() -> None:
    """Make one archive that installs Thunder-DeID without a network."""


@app.command()
def make(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The archive to write (.tar).")],
    *,
    platform: Annotated[
        str, typer.Option("--for", help="linux-x86_64 or linux-aarch64.")
    ] = "linux-x86_64",
    python: Annotated[str, typer.Option(help="The Python it is installed into.")] = "3.11",
    extras: Annotated[str, typer.Option(help="Extras, parted by commas: documents …")] = "",
    wheelhouse: Annotated[
        Path | None, typer.Option(help="A folder of wheels, asked instead of a package index.")
    ] = None,
    docs: Annotated[
        Path | None, typer.Option(help="The docs as HTML; without it they are built here.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="A private key of OpenSSH (ed25519) that signs it.")
    ] = None,
) -> None:
    """Write wheels, tagger, docs, licences, bill of materials, hashes and signature as one file.

    install.sh inside checks all of it before it installs anything. The same wheels, docs and key
    give the same bytes. Exit status 1: something is missing, and nothing was written.
    """
    from thunder.settings import bundle
    from thunder.settings.bundle.wheels import BundleError

    wanted = [one.strip() for one in extras.split(",") if one.strip()]
    try:
        made = bundle.make(
            out,
            platform=platform,
            python=python,
            extras=wanted,
            wheelhouse=wheelhouse,
            docs=docs,
            key=key,
        )
    except BundleError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
    signed = f"signed: SHA256SUMS inside, and {out.name}.sig" if key else "not signed (--key)"
    typer.echo(f"{made.path}: {made.path.stat().st_size:,} bytes, {len(made.wheels)} wheels")
    typer.echo(f"sha256 {made.sha256}; {signed}")
    if made.left_out:
        typer.echo(f"left out, nothing here uses them: {', '.join(made.left_out)}")
