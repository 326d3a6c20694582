"""The commands ``thunder bundle …``: one archive for machines without a network."""

from pathlib import Path
from typing import Annotated

import typer

from thunder.settings.messages import Message

_OUT = Message(ko="쓸 묶음 파일(.tar).", en="The archive to write (.tar).")
_FOR = Message(ko="설치할 컴퓨터: {known}.", en="The machine that it is for: {known}.")
_PYTHON = Message(ko="설치할 Python: {known}.", en="The Python it is installed into: {known}.")
_EXTRAS = Message(
    ko="추가 기능, 쉼표로 나눔: documents …", en="Extras, parted by commas: documents …"
)
_WHEELHOUSE = Message(
    ko="패키지 색인 대신 찾아볼 휠의 폴더.", en="A folder of wheels, asked instead of an index."
)
_DOCS = Message(
    ko="HTML로 만든 문서의 폴더. 없으면 여기서 만듭니다.",
    en="The docs as HTML; without it they are built here.",
)
_KEY = Message(
    ko="서명할 OpenSSH 개인 키(ed25519).", en="A private key of OpenSSH (ed25519) that signs it."
)
_MADE = Message(
    ko="{path}: {size:,}바이트, 휠 {wheels}개", en="{path}: {size:,} bytes, {wheels} wheels"
)
_SIGNED = Message(
    ko="서명함: 안의 SHA256SUMS와 {name}.sig", en="signed: SHA256SUMS inside, and {name}.sig"
)
_NOT_SIGNED = Message(ko="서명하지 않음(--key)", en="not signed (--key)")
_LEFT_OUT = Message(
    ko="넣지 않음(쓰는 곳이 없음): {names}", en="left out, nothing here uses them: {names}"
)
app = typer.Typer(
    help="Make one archive that installs Thunder-DeID without a network.", no_args_is_help=True
)


@app.callback()
def _group() -> None:
    """Make one archive that installs Thunder-DeID without a network."""


@app.command()
def make(
    out: Annotated[Path, typer.Argument(metavar="OUT", help=_OUT())],
    *,
    platform: Annotated[
        str, typer.Option("--for", help=_FOR(known="linux-x86_64, linux-aarch64"))
    ] = "linux-x86_64",
    python: Annotated[str, typer.Option(help=_PYTHON(known="3.11, 3.12, 3.13, 3.14"))] = "3.11",
    extras: Annotated[str, typer.Option(help=_EXTRAS())] = "",
    wheelhouse: Annotated[Path | None, typer.Option(help=_WHEELHOUSE())] = None,
    docs: Annotated[Path | None, typer.Option(help=_DOCS())] = None,
    key: Annotated[Path | None, typer.Option(help=_KEY())] = None,
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
    signed = _SIGNED(name=out.name) if key else _NOT_SIGNED()
    size = made.path.stat().st_size
    typer.echo(_MADE(path=made.path, size=size, wheels=len(made.wheels)))
    typer.echo(f"sha256 {made.sha256}; {signed}")
    if made.left_out:
        typer.echo(_LEFT_OUT(names=", ".join(made.left_out)))
