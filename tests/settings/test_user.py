"""The settings: where they are read, what goes before what, and what is refused."""

import pytest
from typer.testing import CliRunner

from thunder import Deidentifier
from thunder.commands.cli import app
from thunder.settings import messages, resources, user
from thunder.settings.config import ConfigError

WHOLE = """language = "en"
profile = "strict"
model = "none"
recall = 0.98

[places]
taxonomy = "labels"
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in an empty folder, with a home that has no settings."""
    for name in (*user.NAMES, "settings"):
        monkeypatch.delenv(f"THUNDER_{name.upper()}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(messages, "_chosen", ["en"])
    return tmp_path


def test_without_a_file_nothing_is_settled():
    assert user.read() == user.Effective(user.Settings(), {}, None)


def test_a_file_is_read_and_its_lines_are_known(here):
    path = here / "home/thunder/thunder.toml"
    path.parent.mkdir(parents=True)
    path.write_text(WHOLE)
    found = user.read()
    labels = user.Places(taxonomy=path.parent / "labels")
    assert found.settings == user.Settings("en", "strict", "none", 0.98, labels)
    assert found.origins["recall"] == f"{path}:4"
    assert found.origins["taxonomy"] == f"{path}:7"
    assert "lists" not in found.origins


def test_the_nearest_file_is_the_only_one(here):
    for place, text in (("home/thunder", WHOLE), ("work", 'profile = "older"\n')):
        (here / place).mkdir(parents=True, exist_ok=True)
        (here / place / "thunder.toml").write_text(text)
    assert user.read().settings == user.Settings(profile="older")


def test_a_named_file_goes_before_all_and_has_to_be_there(here, monkeypatch):
    (here / "work/thunder.toml").write_text(WHOLE)
    (here / "own.toml").write_text("recall = 0.95")
    monkeypatch.setenv("THUNDER_SETTINGS", str(here / "own.toml"))
    assert user.read().settings == user.Settings(recall=0.95)
    monkeypatch.setenv("THUNDER_SETTINGS", str(here / "none.toml"))
    with pytest.raises(ConfigError, match="THUNDER_SETTINGS: there is no file"):
        user.read()


def test_the_environment_goes_before_the_file(here, monkeypatch):
    (here / "work/thunder.toml").write_text(WHOLE)
    for name, value in {"RECALL": "0.99", "LISTS": "/lists", "LANGUAGE": "ko"}.items():
        monkeypatch.setenv(f"THUNDER_{name}", value)
    found = user.read()
    assert (found.settings.recall, found.settings.language) == (0.99, "ko")
    assert str(found.settings.places.lists) == "/lists"
    assert found.settings.profile == "strict"
    assert found.origins["recall"] == "THUNDER_RECALL"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nprofil = 'court'", "thunder.toml:2: unknown key 'profil'; did you mean 'profile'?"),
        ("recall = 2.0", "thunder.toml:1: 'recall' goes from 0.9 to 0.999, not 2.0"),
        ("\n\nrecall = 'x'", "thunder.toml:3: 'recall' must be a number, not \"x\""),
        ("language = 'fr'", "thunder.toml:1: 'language' must be one of 'ko', 'en'"),
        ("[places]\ntaxnomy = 'x'", "thunder.toml:2: [places] unknown key 'taxnomy'"),
        ("[places]\nlists = 3", "thunder.toml:2: [places] 'lists' must be a path in quotes"),
        ("model = 3 4", "thunder.toml: not TOML: Expected newline or end of document"),
    ],
)
def test_a_wrong_file_is_named_with_its_line_and_the_cure(here, text, said):
    (here / "work/thunder.toml").write_text(text)
    with pytest.raises(ConfigError) as raised:
        user.read()
    assert said in str(raised.value)
    done = CliRunner().invoke(app, ["deid", "a.txt"])
    assert (done.exit_code, said in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "value"), [("RECALL", "much"), ("RECALL", "2"), ("LANGUAGE", "x")]
)
def test_a_wrong_variable_is_named(monkeypatch, name, value):
    monkeypatch.setenv(f"THUNDER_{name}", value)
    with pytest.raises(ConfigError, match=f"^THUNDER_{name}: '{name.lower()}' "):
        user.read()


def test_the_command_shows_what_holds_and_why(here, monkeypatch):
    (here / "work/thunder.toml").write_text(WHOLE)
    monkeypatch.setenv("THUNDER_RECALL", "0.99")
    done = CliRunner().invoke(app, ["settings"])
    rows = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert ["recall", "0.99", "THUNDER_RECALL"] in rows
    assert ["profile", "strict", "thunder.toml:2"] in rows
    assert ["lists", "-", "default"] in rows


def test_options_go_before_settings(here, monkeypatch):
    options = {}
    monkeypatch.setattr("thunder.commands.deid.run", lambda given, screen: options.update(x=given))
    (here / "work/thunder.toml").write_text(WHOLE)
    CliRunner().invoke(app, ["deid", "a.txt", "--profile", "older"])
    assert (options["x"].profile, options["x"].model, options["x"].recall) == (
        "older",
        "none",
        0.98,
    )


def test_labels_are_read_where_the_settings_say(here, monkeypatch):
    monkeypatch.setenv("THUNDER_TAXONOMY", str(here / "none"))
    done = CliRunner().invoke(app, ["taxonomy", "show", "나이"])
    assert (done.exit_code, str(here / "none") in done.output.replace("\n", "")) == (1, True)
    shipped = str(resources.folder("taxonomy"))
    done = CliRunner().invoke(app, ["taxonomy", "show", "나이", "--folder", shipped])
    assert done.exit_code == 0


def test_the_library_asks_for_settings_only_when_told(here):
    (here / "work/thunder.toml").write_text(
        WHOLE.replace("recall = 0.98", "").replace("taxonomy =", "# taxonomy =")
    )
    assert Deidentifier(model="none").profile == "court"
    asked = Deidentifier.with_settings()
    assert (asked.profile, asked.model) == ("strict", "none")
