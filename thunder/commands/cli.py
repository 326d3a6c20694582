"""The command line ``thunder``; each group of commands stands in a module of its own."""

import gc
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

import thunder
from thunder.commands.in_korean import usage_errors
from thunder.commands.loading import LoadingGroup
from thunder.commands.settings import defaults
from thunder.commands.streams import speak_korean
from thunder.settings import messages, user
from thunder.settings.config import ConfigError

if TYPE_CHECKING:
    from typer._click import Context

_HOMES = {
    "deid": "thunder.commands.deid:deid",
    "bulk": "thunder.commands.bulk:app",
    "letters": "thunder.commands.letters:app",
    "text": "thunder.commands.text:text",
    "taxonomy": "thunder.commands.taxonomy:app",
    "annotation": "thunder.commands.annotation:app",
    "lists": "thunder.commands.lists:app",
    "patterns": "thunder.commands.patterns:app",
    "tokenizer": "thunder.commands.tokenizer:app",
    "data": "thunder.commands.data:app",
    "dataset": "thunder.commands.dataset:app",
    "synthesize": "thunder.commands.synthesize:synthesize",
    "corpus": "thunder.commands.corpus:app",
    "tagger": "thunder.commands.tagger:app",
    "doctor": "thunder.commands.doctor:doctor",
    "evaluate": "thunder.commands.evaluate:evaluate",
    "desk": "thunder.commands.desk:app",
    "serve": "thunder.commands.serve:serve",
    "settings": "thunder.commands.settings:settings",
    "licences": "thunder.commands.licences:licences",
    "bundle": "thunder.commands.bundle:app",
}
_LINES = {
    "deid": "De-identify judgments by the court rule (판결서 비실명 처리).",
    "bulk": "Millions of judgments, shard by shard, each exactly once.",
    "letters": "Letters kept over the instances of a case and over joined cases.",
    "text": "Give the text of documents, in the order a person reads it (문서의 글).",
    "taxonomy": "The labels: check, show, count and edit them.",
    "annotation": "Annotated judgments.",
    "lists": "The replacement lists of all labels.",
    "patterns": "The contexts that show a name: check, test, explain, count.",
    "tokenizer": "The hybrid tokenizer: show, export, train and compare.",
    "data": "Public data: list it, get it (or convert what you have), with its licence.",
    "dataset": "Annotated judgments into training data.",
    "synthesize": "Make training text with a language model, with marks in the place of names.",
    "corpus": "Corpora prepared for pre-training.",
    "tagger": "Trained taggers: predictions, thresholds.",
    "doctor": "Examine this machine and a run before it starts, and tell its cost.",
    "evaluate": "Score systems by tokens (the paper's tables), spans, entities and characters.",
    "desk": "People review, decide and release in a browser (검토와 공개).",
    "serve": "De-identify over HTTP, for programs that show a token (API).",
    "settings": "Show the settings that hold here, and where each comes from.",
    "licences": "Print the licences of what ships (code, taggers, lists, fonts).",
    "bundle": "Make one archive that installs Thunder-DeID without a network.",
}


class _Root(LoadingGroup):
    """All commands; what the settings say is what their options are when they are not given."""

    homes = MappingProxyType(_HOMES)
    lines = MappingProxyType(_LINES)

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Return what is left of *args*; settings that are wrong end the command with 2."""
        try:
            found = user.read()
        except ConfigError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from None
        messages.choose(found.settings.language)
        ctx.default_map = defaults(found.settings)
        with usage_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: "Context") -> Any:
        """Return what the command returns; errors of usage are in the language of messages."""
        with usage_errors():
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Root,
    help="De-identify Korean court judgments by the Supreme Court's rule.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # its tracebacks would show the text at hand
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"thunder-deid {thunder.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """De-identify Korean court judgments by the Supreme Court's rule."""


_EXTRAS = {
    "alembic": "desk",
    "argon2": "desk",
    "authlib": "sign-on",
    "cryptography": "desk",
    "deepspeed": "cluster",
    "fastapi": "desk",
    "jinja2": "desk",
    "fsspec": "storage",
    "joserfc": "sign-on",
    "psycopg": "postgresql",
    "pydantic": "desk",
    "sqlalchemy": "desk",
    "starlette": "desk",
    "uvicorn": "desk",
    "matplotlib": "compare",
    "onnx": "onnx",
    "onnxscript": "onnx",
    "packaging": "bundle",
    "pyarrow": "parquet",
    "ray": "ray",
    "sentencepiece": "compare",
}


_NOT_INSTALLED = messages.Message(
    ko="{name} 패키지가 설치되어 있지 않습니다: pip install 'thunder-deid[{extra}]'",
    en="{name} is not installed: pip install 'thunder-deid[{extra}]'",
)
_GARBAGE = 50_000, 20, 20
"""What is made at the start stays to the end: to look through it for garbage is a tenth of it."""


def main() -> None:
    """Run the command line; the process ends with the command's status.

    A library of an extra that is not installed is named with the command that installs it; a file
    of rules, words or profiles that cannot be read with its line and the cure.
    """
    gc.set_threshold(*_GARBAGE)
    speak_korean()
    try:
        app()
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if not name or name == "thunder":
            raise
        extra = _EXTRAS.get(name, "train")
        typer.echo(_NOT_INSTALLED(name=name, extra=extra), err=True)
        sys.exit(2)
    except ValueError as error:
        from thunder.settings.yamlfile import YamlFileError

        if not isinstance(error, YamlFileError):
            raise
        typer.echo(str(error), err=True)
        sys.exit(2)
