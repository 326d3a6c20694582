import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thunder.commands.lists import app
from thunder.settings import drawing

HEADER = "# source: invented\n# licence: Apache-2.0\n"
NAMES = [f"{a}{b}호수" for a in "가나다라마바사아자차카" for b in "온누리솔별달새봄빛길"]
TAXONOMY = {
    "taxonomy.yaml": "version: 1\nmain:\n  - {code: quasi, ko: 준식별자, en: quasi}\n"
    "sources: {ours: made up}\nfiles: [labels/D.9-waters.yaml]\n",
    "retired.yaml": "retired: []\n",
    "unmapped.yaml": "names: []\nhomonyms: []\n",
    "labels/D.9-waters.yaml": "code: D.9\nmain: quasi\nko: 물\nen: waters\ncategories:\n"
    "  - ko: 민물\n    en: fresh\n    labels:\n"
    "      - {id: 1, ko: 못, en: pond, identifier: quasi, treatment: letter, source: ours,"
    " aliases: [연못]}\n"
    "      - {id: 2, ko: 강, en: river, identifier: quasi, treatment: letter, source: ours}\n",
}
LISTS = {
    "D.9-waters/민물/못.txt": HEADER + "\n".join(NAMES) + "\n",
    "D.9-waters/민물/강.yaml": "label: 강\nsource: invented\nlicence: Apache-2.0\n"
    "parts:\n  stem: [가람, 나루, 여울]\n  number: {from: 1, to: 5000}\n"
    'patterns:\n  - "{stem}{number}"\nshared: few words are enough here\n',
}


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    taxonomy = written(tmp_path / "taxonomy", TAXONOMY)
    lists = written(tmp_path / "lists", LISTS)
    return ["--folder", str(lists), "--taxonomy", str(taxonomy)]


def run(command: str, options: list[str], *arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [command, *map(str, arguments), *options])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_check_says_that_all_is_well(options):
    code, said = run("check", options)
    assert (code, said.splitlines()[-1]) == (0, "The lists of 2 labels are in order.")
    assert said.startswith("All lists of 2 labels are read")  # before it is silent for a while


def test_check_lists_everything_wrong_and_fails(options, tmp_path):
    path = tmp_path / "lists/D.9-waters/민물/못.txt"
    path.write_text(
        path.read_text().replace("가온호수", "가온호수 ").replace("가리호수", "한국은행")
    )
    (tmp_path / "lists/D.9-waters/민물/강.yaml").unlink()
    code, said = run("check", options)
    told = said.splitlines()
    assert code == 1
    assert f"{path}:3: '가온호수 ' has spaces around it: take them out" in told
    assert any(line.startswith(f"{path}:5: '한국은행' stays readable") for line in told)
    assert any("강.txt:1: there is no list or rule for '강'" in line for line in told)
    assert told[-1] == "3 to be mended in the lists."


def test_check_takes_the_folder_as_an_argument_too(options, tmp_path):
    code, said = run("check", options[2:], tmp_path / "lists")
    assert (code, "are in order" in said) == (0, True)


def test_check_shows_which_labels_share_mentions(options, tmp_path):
    written(tmp_path / "lists", {"D.9-waters/민물/강.txt": HEADER + "\n".join(NAMES[:104])})
    (tmp_path / "lists/D.9-waters/민물/강.yaml").unlink()
    for more in ([], ["--overlaps"]):
        code, said = run("check", options, *more)
        assert (code, "104" in said) == (0, True)


def test_check_looks_for_public_figures(options, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("가온호수\n\n나온호수\n", encoding="utf-8")
    code, said = run("check", options, "--figures", names)
    assert code == 1
    assert said.count("is the full name of a public figure") == 2
    names.write_bytes("홍길동".encode("cp949"))
    assert run("check", options, "--figures", names)[0] == 2
    assert run("check", options, "--figures", tmp_path / "none.txt")[0] == 2


def test_stats_counts_lists_rules_and_mentions(options):
    code, said = run("stats", options)
    assert code == 0
    assert said.splitlines()[-2].split() == ["all", "2", "1", "1", "110"]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_stats_draws_a_picture(options, tmp_path, suffix):
    path = tmp_path / f"sizes.{suffix}"
    code, said = run("stats", options, "--plot", path)
    assert (code, said.splitlines()[-1]) == (0, str(path))
    assert path.stat().st_size > 5000


def test_a_picture_without_a_font_for_hangul_is_in_english(options, tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "_FONTS", ("no such font",))
    path = tmp_path / "sizes.svg"
    assert run("stats", options, "--plot", path)[0] == 0
    assert path.stat().st_size > 5000


def test_a_picture_that_cannot_be_drawn_is_an_error(options, tmp_path, monkeypatch):
    for path in (tmp_path / "none/sizes.png", tmp_path / "sizes.nothing"):
        code, said = run("stats", options, "--plot", path)
        assert (code, "cannot be drawn" in said) == (1, True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, said = run("stats", options, "--plot", tmp_path / "sizes.png")
    assert (code, "pip install" in said) == (1, True)


def test_sample_shows_different_mentions_the_same_every_time(options):
    code, said = run("sample", options, "못", "-n", 30)
    assert (code, len(set(said.split()))) == (0, 30)
    assert set(said.split()) <= set(NAMES)
    assert run("sample", options, "연못", "-n", 30) == (0, said)
    assert run("sample", options, "못", "-n", 30, "--seed", 1)[1] != said


def test_sample_of_a_rule_and_of_one_part(options):
    assert len(run("sample", options, "강", "-n", 200)[1].split()) == 200
    held_out = run("sample", options, "못", "-n", 1000, "--part", "held-out")[1].split()
    train = run("sample", options, "못", "-n", 1000, "--part", "train")[1].split()
    assert sorted([*held_out, *train]) == sorted(NAMES)
    assert 5 < len(held_out) < 40


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sample", "바다"], "unknown label '바다'"),
        (["sample", "못", "--part", "test"], "unknown part 'test'"),
        (["sample", "못", "-n", "0"], "Invalid value for '-n'"),
    ],
)
def test_wrong_arguments_are_refused(options, arguments, said):
    command, *rest = arguments
    code, output = run(command, options, *rest)
    assert (code > 0, said in output) == (True, True)


def test_a_broken_file_is_named_by_every_command(options, tmp_path):
    (tmp_path / "lists/D.9-waters/민물/강.yaml").write_text("label: [\n")
    for command, *rest in (["stats"], ["sample", "강"], ["find", "가온"], ["check"]):
        code, said = run(command, options, *rest)
        assert (code, "강.yaml:1: not YAML" in said) == (1, True), command


def test_find_names_label_and_file(options):
    code, said = run("find", options, "가온호수")
    assert code == 0
    assert "D.9-waters/민물/못.txt" in said.replace("\n", "")
    assert "rule" in run("find", options, "여울4999")[1]
    code, said = run("find", options, "여울5001")
    assert (code, "In no list" in said) == (1, True)
