"""The command ``thunder licences``: the licences of all that ships, and of what it needs."""

from typing import Annotated

import typer

from thunder.settings.messages import Message

_TEXTS = Message(ko="라이선스의 글도 모두 보입니다.", en="Print the licences' texts, too.")
_SHIPPED = Message(ko="Thunder-DeID에 들어 있는 것", en="What ships with Thunder-DeID")
_NEEDED = Message(ko="함께 설치된 패키지", en="Packages that are installed with it")
_NON_COMMERCIAL = Message(ko="  <- 상업적 이용 금지", en="  <- no commercial use")
_UNREADABLE = Message(
    ko="라이선스 파일을 읽을 수 없습니다: {error}", en="a licence cannot be read: {error}"
)


def licences(*, texts: Annotated[bool, typer.Option("--texts", help=_TEXTS())] = False) -> None:
    """Print the licences of what ships (code, taggers, lists, fonts).

    With them those of the packages that are installed with it, by what these say themselves.
    """
    from thunder.settings.licences import is_non_commercial, needed, shipped

    try:
        own, foreign = shipped(), needed()
    except (OSError, KeyError, ValueError) as error:
        typer.echo(_UNREADABLE(error=error), err=True)
        raise typer.Exit(1) from None
    width = max(len(one.part) for one in [*own, *foreign])
    for title, parts in ((_SHIPPED, own), (_NEEDED, foreign)):
        typer.echo(f"{title()}:")
        for one in parts:
            mark = _NON_COMMERCIAL() if is_non_commercial(one.licence) else ""
            typer.echo(f"  {one.part:{width}}  {one.licence}{mark}")
    if texts:
        for one in [*own, *foreign]:
            for path in one.texts:
                typer.echo(f"\n--- {one.part}: {path.name}\n")
                typer.echo(path.read_text("utf-8", "replace").rstrip())
