"""Where data lie: one table of the settings, which every other configuration names data by."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.settings import messages, user
from thunder.settings.config import ConfigError, load
from thunder.training.finetuning.experiment import Experiment
from thunder.training_data.corpus.settings import CorpusSettings

OWN = """[data]
root = "/disk/data"
judgments = "courts"            # within the root
statutes = "/archive/statutes"  # anywhere

[data.own]
aihub = "aihub.jsonl"
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in an empty folder, with a home that has no settings."""
    for name in (*user.NAMES, "settings"):
        monkeypatch.delenv(f"THUNDER_{name.upper()}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("THUNDER_LANGUAGE", "en")
    monkeypatch.setattr(messages, "_chosen", ["en"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "name", "place"),
    [
        ("", "annotated", "data/thunder-deid/annotated.jsonl"),
        ("", "judgments", "data/judgments"),
        ("", "ko_web", "data/fineweb-2-ko"),
        ('[data]\nroot = "corpora"', "judgments", "corpora/judgments"),
        (OWN, "annotated", "/disk/data/thunder-deid/annotated.jsonl"),
        (OWN, "judgments", "/disk/data/courts"),
        (OWN, "statutes", "/archive/statutes"),
        (OWN, "aihub", "/disk/data/aihub.jsonl"),
    ],
)
def test_a_name_is_a_place(here, settings, name, place):
    (here / "thunder.toml").write_text(settings)
    assert str(user.resolved(Path(f"data:{name}"))) == place


def test_what_is_no_name_is_left():
    assert str(user.resolved(Path("data/mine.jsonl"))) == "data/mine.jsonl"


def test_a_root_begins_at_the_folder_of_its_file(here, monkeypatch):
    (here / "lab.toml").write_text('[data]\nroot = "corpora"')
    (here / "work").mkdir()
    monkeypatch.chdir(here / "work")
    monkeypatch.setenv("THUNDER_SETTINGS", "../lab.toml")
    assert str(user.read().settings.data.path("judgments")) == "../corpora/judgments"


def test_the_variable_goes_before_the_file(here, monkeypatch):
    (here / "thunder.toml").write_text(OWN)
    monkeypatch.setenv("THUNDER_DATA", "other")
    found = user.read()
    assert found.settings.data.path("judgments") == here / "other/courts"
    assert found.origins["data"] == "THUNDER_DATA"


def test_every_configuration_names_data(here):
    (here / "thunder.toml").write_text(OWN)
    (here / "sources.toml").write_text(
        '[[source]]\nname = "a"\npath = "data:judgments"\nlanguage = "ko"\n'
    )
    (here / "grid.toml").write_text(
        'judgments = ["data:annotated", "mine.jsonl"]\nlists = "data:aihub"\n'
        'models = ["a"]\nwork = "runs"\n'
    )
    (source,) = load(here / "sources.toml", CorpusSettings).source
    grid = load(here / "grid.toml", Experiment)
    assert str(source.path) == "/disk/data/courts"
    assert [*map(str, grid.judgments)] == [
        "/disk/data/thunder-deid/annotated.jsonl",
        "mine.jsonl",
    ]
    assert str(grid.lists) == "/disk/data/aihub.jsonl"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[data]\njudgment = 'x'", "thunder.toml:2: [data] unknown key 'judgment'; did you mean"),
        ("[data]\n\nroot = 3", "thunder.toml:3: [data] 'root' must be a path in quotes, not 3"),
        ("[data.own]\njudgments = 'x'", "thunder.toml:2: [data] 'judgments' stands in [data]"),
        ("[data.own]\n'A b' = 'x'", "[data] the name 'A b' is not of a-z, 0-9 and '_'"),
    ],
)
def test_a_wrong_table_is_named_with_its_line_and_the_cure(here, text, said):
    (here / "thunder.toml").write_text(text)
    with pytest.raises(ConfigError) as raised:
        user.read()
    assert said in str(raised.value)


def test_an_unknown_name_is_told_where_it_stands(here):
    (here / "sources.toml").write_text(
        '[[source]]\nname = "a"\npath = "data:judgment"\nlanguage = "ko"\n'
    )
    with pytest.raises(ConfigError) as raised:
        load(here / "sources.toml", CorpusSettings)
    said = str(raised.value)
    assert "sources.toml: [source.0] no data is called 'judgment'; did you mean" in said
    assert "[data.own] in thunder.toml" in said


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("judgments", "thunder data get judgments --accept-licence, or name where yours lies"),
        ("ko_web", "name where yours lies in thunder.toml, [data]: ko_web ="),
        ("judgement", "did you mean 'judgments'?"),
    ],
)
def test_the_command_says_what_to_do_where_nothing_is(name, cure):
    done = CliRunner().invoke(app, ["data", "path", name])
    assert (done.exit_code, done.stdout) == (1, "")
    assert cure in done.stderr


def test_the_command_prints_the_place_and_its_files(here):
    (here / "thunder.toml").write_text('[data]\nroot = "all"')
    (here / "all/judgments").mkdir(parents=True)
    for name in ("b.jsonl.xz", "a.parquet", "source.json"):
        (here / "all/judgments" / name).touch()
    done = CliRunner().invoke(app, ["data", "path", "judgments"])
    assert (done.exit_code, done.stdout) == (0, "all/judgments\n")
    done = CliRunner().invoke(app, ["data", "path", "judgments", "--files"])
    assert done.stdout == "all/judgments/a.parquet\nall/judgments/b.jsonl.xz\n"
    (here / "all/statutes").mkdir()
    done = CliRunner().invoke(app, ["data", "path", "statutes", "--files"])
    assert (done.exit_code, "all/statutes" in done.stderr) == (1, True)


def test_data_are_got_and_listed_under_the_root(here):
    (here / "thunder.toml").write_text('[data]\nroot = "disk"\njudgments = "/archive/judgments"')
    (here / "tables").mkdir()
    (here / "tables/a.jsonl").write_text(
        '{"id": "1", "text": "피고인 <<<내국인이름>>>김<<</내국인이름>>>은"}\n'
    )
    words = ["data", "get", "thunder-deid", "--from", "tables", "--accept-licence"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert (here / "disk/thunder-deid/annotated.jsonl").is_file()
    listed = CliRunner().invoke(app, ["data", "list"]).stdout.replace("\n", " ")
    assert "disk/thunder-deid/annotated.jsonl" in listed
    assert "/archive/judgments" in listed
