"""The command line ``thunder``; each group of commands stands in a module of its own."""

import inspect
import re
import sys
from typing import Annotated

import typer

import thunder
from thunder.commands import (
    corpus,
    dataset,
    exchange,
    invented,
    lists,
    placeholders,
    tagger,
    taxonomy,
    tokenizer,
)
from thunder.commands.deid import deid
from thunder.commands.doctor import doctor
from thunder.commands.evaluate import evaluate
from thunder.commands.streams import speak_korean

app = typer.Typer(
    help="De-identify Korean court judgments by the Supreme Court's rule.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # its tracebacks would show the text at hand
)
_paragraphs = re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(deid.__doc__ or ""))
app.command("deid", help=_paragraphs)(deid)
exchange.register(taxonomy.annotation_app)
placeholders.register(taxonomy.annotation_app)
app.add_typer(taxonomy.app, name="taxonomy")
app.add_typer(taxonomy.annotation_app, name="annotation")
app.add_typer(lists.app, name="lists")
app.add_typer(tokenizer.app, name="tokenizer")
dataset.app.command()(invented.invent)
dataset.app.command()(invented.diversity)
app.add_typer(dataset.app, name="dataset")
app.add_typer(corpus.app, name="corpus")
app.add_typer(tagger.app, name="tagger")
app.command()(doctor)
app.command()(evaluate)


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
    "deepspeed": "cluster",
    "matplotlib": "compare",
    "onnx": "onnx",
    "onnxscript": "onnx",
    "sentencepiece": "compare",
}


def main() -> None:
    """Run the command line; the process ends with the command's status.

    A library of an extra that is not installed is named with the command that installs it.
    """
    speak_korean()
    try:
        app()
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if not name or name == "thunder":
            raise
        extra = _EXTRAS.get(name, "train")
        typer.echo(f"{name} is not installed: pip install 'thunder-deid[{extra}]'", err=True)
        sys.exit(2)
