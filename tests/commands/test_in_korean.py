"""Help and usage errors of every command, in Korean and in English."""

import json
import re
import subprocess
import sys
from functools import cache

import pytest
from typer.testing import CliRunner

from thunder.commands import cli, in_korean
from thunder.settings import messages

WALK = """
import contextlib, io, json, sys
from typer.core import TyperGroup
from typer.main import get_command
from thunder.settings import messages
messages.choose(sys.argv[1])
from thunder.commands import in_korean
from thunder.commands.cli import app

def walk(command, words, above):
    context = command.context_class(command, info_name=words[-1], parent=above)
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen):
        command.get_help(context)
    own = [command, *command.get_params(context)]
    told = [t for o in own for t in (o.help, getattr(o, "show_default", ""))]
    told = [t for t in told if isinstance(t, str) and t]
    errors = []
    for wrong in (["--no-such-option"], ["x"] * 40):
        try:
            with in_korean.usage_errors():
                command.parse_args(context, wrong)
                if isinstance(command, TyperGroup):
                    command.resolve_command(context, wrong)
        except Exception as error:
            errors.append(error.format_message())
    yield " ".join(words), {"told": told, "screen": screen.getvalue(), "errors": errors,
                            "lacking": [o.name for o in own if not o.help]}
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            yield from walk(command._loaded(name) if hasattr(command, "_loaded")
                            else command.get_command(context, name), [*words, name], context)

print(json.dumps(dict(walk(get_command(app), ["thunder"], None))))
"""
ENGLISH = re.compile(r"(?:\b[A-Za-z'’-]+ ){3,}")
HANGUL = re.compile("[가-힣]")
OF_TYPER = re.compile(
    r"Usage:|╭─ (?:Options|Arguments|Commands|Error)|\[(?:required|default|env)\b"
)


@cache
def walked(language: str) -> dict:
    """Return what every command says of itself when messages are in *language*."""
    wide = {"COLUMNS": "200", "THUNDER_LANGUAGE": language, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", WALK, language],
        capture_output=True, text=True, check=True, env=wide,
    )  # fmt: skip
    found: dict = json.loads(done.stdout)
    return found


def sentences(text: str) -> list[str]:
    return [line for line in text.split("\n\n") if line.strip()]


def test_every_command_and_option_says_what_it_is():
    assert len(walked("ko")) > 90
    assert {name: said["lacking"] for name, said in walked("ko").items() if said["lacking"]} == {}


def test_help_is_korean_to_the_last_sentence():
    """Option names, metavars and what is typed stay; who adds an option adds a row of its table."""
    english = {
        f"{name}: {one}"
        for name, said in walked("ko").items()
        for text in said["told"]
        for one in sentences(text)
        if not HANGUL.search(one) or ENGLISH.search(one)
    }
    assert english == set(), "rows are missing in thunder/commands/korean/"


def test_help_is_english_where_english_is_chosen():
    for name, said in walked("en").items():
        for text in said["told"]:
            assert re.search("[a-z]{3}", text), f"{name}: {text}"
            assert len(HANGUL.findall(text)) < 20, f"{name}: {text}"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_typer_adds_is_in_the_same_language(language):
    for name, said in walked(language).items():
        assert bool(OF_TYPER.search(said["screen"])) == (language == "en"), name
        assert ("사용법:" in said["screen"]) == (language == "ko"), name


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_mistyped_option_or_argument_is_told_in_the_same_language(language):
    for name, said in walked(language).items():
        assert said["errors"], name
        for error in said["errors"]:
            assert bool(HANGUL.search(error)) == (language == "ko"), f"{name}: {error}"


@pytest.mark.parametrize(
    ("words", "ko", "en"),
    [
        ("taxonmy", "명령이 없습니다: 'taxonmy' (비슷한 것: 'taxonomy')", "mean 'taxonomy'?"),
        ("lists smaple", "명령이 없습니다: 'smaple' (비슷한 것: 'sample')", "mean 'sample'?"),
        ("taxonomy renam", "명령이 없습니다: 'renam' (비슷한 것: 'rename')", "mean 'rename'?"),
        ("taxonomy show", "인자가 빠졌습니다: 'label'", "Missing argument 'label'"),
        ("taxonomy show 병원 x", "인자가 남습니다: x", "unexpected extra argument(s) (x)"),
        ("taxonomy show 병원 --fold x", "그런 옵션이 없습니다: --fold", "No such option: --fold"),
        ("taxonomy tree --depth", "옵션 '--depth'에는 값을 주어야 합니다.", "requires an argument"),
        ("taxonomy tree --depth x", "'--depth'의 값이 잘못되었습니다: 정수를", "valid integer"),
        ("taxonomy tree --depth 9", "4 이하인 수를 주십시오", "less than or equal to 4"),
        ("taxonomy tree --lang fr", "'fr': 'ko', 'en' 가운데 하나를", "'fr' is not one of"),
        ("text /no/file", "그런 파일이나 폴더가 없습니다: /no/file", "no such file or folder"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_is_mistyped_is_said(words, ko, en, language, monkeypatch):
    monkeypatch.setenv("THUNDER_LANGUAGE", language)
    done = CliRunner().invoke(cli.app, words.split(), env={"COLUMNS": "200"})
    assert done.exit_code == 2
    told = " ".join(done.output.replace("│", " ").split())
    assert (ko if language == "ko" else en) in told
    assert ("오류" in told) == (language == "ko")
    assert "Usage:" not in told or language == "en"


def test_no_row_of_the_tables_is_without_use_or_said_in_two_ways():
    tables = [t for t in in_korean.TABLES.glob("*.tsv") if t.stem != "usage_errors"]
    rows = [row for table in tables for row in in_korean.rows(table)]
    assert len(dict(rows)) == len(rows)
    told = {re.sub(r"\s+", " ", one) for said in walked("en").values()
            for text in said["told"] for one in sentences(text)}  # fmt: skip
    told |= set(cli._LINES.values())
    unused = [
        english
        for english, _ in rows
        if english not in told and not any(in_korean.form(english).fullmatch(one) for one in told)
    ]
    assert unused == ["(dynamic)"]


def test_rows_are_english_a_tab_and_korean_with_the_same_places():
    for table in in_korean.TABLES.glob("*.tsv"):
        for english, korean in in_korean.rows(table):
            assert HANGUL.search(korean) or korean == "{why}" or "'" in korean, (
                f"{table}: {english}"
            )
            assert set(re.findall(r"\{\w+\}", english)) >= set(re.findall(r"\{\w+\}", korean))


def test_what_has_no_row_stays_as_it_is():
    messages.choose("ko")
    assert in_korean.korean("A sentence that nobody has written.") == (
        "A sentence that nobody has written."
    )
