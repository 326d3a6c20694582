"""Messages in Korean and English: both are there, say the same facts, and follow the settings."""

import os
import string
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

import thunder
from thunder.commands import deid_messages as say
from thunder.commands.cli import app
from thunder.settings import messages
from thunder.settings.messages import Message

ROOT = Path(thunder.__file__).parent
TABLES = [
    ".".join(("thunder", *path.relative_to(ROOT).with_suffix("").parts))
    for path in sorted(ROOT.rglob("*messages.py"))
]
ALL = [
    (f"{table}.{name}", one)
    for table in TABLES
    for name, one in vars(import_module(table)).items()
    if isinstance(one, Message)
]


@pytest.fixture(autouse=True)
def korean(monkeypatch, tmp_path):
    """Begin in Korean, without settings of the machine's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("THUNDER_LANGUAGE", raising=False)
    monkeypatch.delenv("THUNDER_SETTINGS", raising=False)
    messages.choose("ko")
    yield
    messages.choose("ko")


def test_there_are_messages():
    assert len(ALL) > 40


@pytest.mark.parametrize(("name", "message"), ALL, ids=[name for name, _ in ALL])
def test_both_languages_are_there_and_say_the_same_facts(name, message):
    formatter = string.Formatter()
    facts = [
        {part[1] for part in formatter.parse(text) if part[1]} for text in (message.ko, message.en)
    ]
    assert message.ko.strip() and message.en.strip()
    assert facts[0] == facts[1]
    assert any("가" <= char <= "힣" for char in message.ko)


@pytest.mark.parametrize(
    ("message", "facts", "ko", "en"),
    [
        (
            say.NO_SUCH_FILE,
            {"names": "a"},
            "그런 파일이나 폴더가 없습니다: a",
            "no such file or folder: a",
        ),
        (
            say.DONE,
            {"documents": 1200, "done": 1199},
            "판결서 1,200건 중 1,199건을 비실명 처리했습니다.",
            "1,199 of 1,200 judgments were de-identified.",
        ),
        (say.MAY_MISS, {}, " 못 찾은 곳이 남을 수 있습니다.", " Some mentions may be left."),
    ],
)
def test_what_is_said_in_each_language(message, facts, ko, en):
    assert message(**facts) == ko
    messages.choose("en")
    assert message(**facts) == en


@pytest.mark.parametrize(
    ("language", "usage", "outcome"),
    [
        ("ko", "그런 파일이나 폴더가 없습니다", "판결서 1건 중 1건을 비실명 처리했습니다."),
        ("en", "no such file or folder", "1 of 1 judgments were de-identified."),
    ],
)
def test_the_command_speaks_the_language_of_the_settings(
    tmp_path, monkeypatch, language, usage, outcome
):
    monkeypatch.setenv("THUNDER_LANGUAGE", language)
    done = CliRunner().invoke(app, ["deid", "nowhere"])
    assert usage in done.stderr
    (tmp_path / "a.txt").write_text("피고인 김도윤은 웃었다.")
    done = CliRunner().invoke(app, ["deid", "--model", "none", str(tmp_path / "a.txt")])
    assert outcome in done.stderr


@pytest.mark.parametrize(
    ("language", "said"), [("ko", "눈으로 살펴볼 페이지를"), ("en", "Write a page to check by eye")]
)
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_help_speaks_it_too_whatever_the_locale(language, said, locale):
    own = {"THUNDER_LANGUAGE": language, "LANG": locale, "LC_ALL": locale, "COLUMNS": "200"}
    command = [sys.executable, "-X", "utf8=0", "-m", "thunder", "deid", "--help"]
    done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **own})
    assert said in done.stdout.decode()
