"""What a command loads before it answers, and how commands that are not loaded yet are known."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from thunder.commands import annotation, cli, dataset, loading, taxonomy

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numpy", "pandas", "pyarrow", "tokenizers", "onnxruntime", "torch", "mecab_ko"}
HEAVY |= {"pydantic", "multiprocessing", "importlib.metadata"}
ROOMS = {"identifiers", "tokenization", "names", "mentions", "training_data", "editing", "scoring"}
ROOMS |= {"tagger", "masking", "bulk", "training", "documents", "encoder"}
GROUPS = {"": cli, "annotation": annotation, "dataset": dataset, "taxonomy": taxonomy}
HOMES = {
    f"{group} {name}": home for group, at in GROUPS.items() for name, home in at._HOMES.items()
}


def loaded_by(*words: str) -> set[str]:
    """Return the modules that are loaded when a command has ended well."""
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
        "from thunder.commands.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["taxonomy", "show", "내국인이름"]], ids=" ".join
)
def test_who_asks_for_little_waits_for_nothing_heavy(words):
    loaded = loaded_by(*words)
    assert not loaded & HEAVY
    assert not {f"thunder.{room}" for room in ROOMS} & loaded


@pytest.mark.parametrize("command", HOMES)
def test_every_command_stands_where_it_is_looked_for(command):
    module, _, name = HOMES[command].partition(":")
    assert callable(getattr(import_module(module), name))


@pytest.mark.parametrize("name", cli._LINES)
def test_a_list_of_commands_says_what_the_commands_own_help_says(name):
    module, _, attribute = cli._HOMES[name].partition(":")
    found = getattr(import_module(module), attribute)
    said = found.info.help if isinstance(found, typer.Typer) else found.__doc__
    assert loading._paragraphs(said).partition("\n")[0].startswith(cli._LINES[name][:-1])


def test_every_command_has_a_line():
    assert list(cli._LINES) == list(cli._HOMES)


def test_a_key_that_stops_the_command_while_it_loads_leaves_no_traceback():
    code = (
        "import sys, importlib.abc\n"
        "class Stop(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from thunder.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_while_a_module_makes_its_classes_ends_with_130(tmp_path):
    """Else Python kills by SIGINT what Ctrl-C met in a string of code, handled or not."""
    (tmp_path / "stopped.py").write_text(
        "import sys, types\n"
        "from thunder.__main__ import main\n"
        "def run():\n"
        "    try:\n"
        "        exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt:\n"
        "        sys.exit(130)\n"
        "sys.modules['thunder.commands.cli'] = types.SimpleNamespace(main=run)\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-m", "stopped"], cwd=tmp_path, check=False)
    assert done.returncode == 130
