"""The blind sample: as many of either, of one length and form, and the key elsewhere."""

import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import blind
import pytest

from thunder.training_data.annotation import serialise
from thunder.training_data.invented_judgments import judgment

SCRIPT = Path(blind.__file__)


def act(*words):
    command = [sys.executable, SCRIPT, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Invented judgments in the place of public ones: no reader could tell these apart."""
    folder = tmp_path_factory.mktemp("shared")
    facts = []
    for number in range(16):
        one = judgment("violence", seed=9, number=number)
        text = serialise(one.text, one.spans)
        found = re.search(r"범\s*죄\s*사\s*실\]?\n(.*?)\n증\s*거\s*의", text, re.DOTALL)
        facts.append({"id": f"f{number}", "case_type": "x", "text": found[1]})
    (folder / "thunder-deid").mkdir()
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in facts)
    (folder / "thunder-deid/annotated.jsonl").write_text(lines, encoding="utf-8")
    (folder / "judgments").mkdir()
    for at, name in enumerate(("letters", "other")):
        with lzma.open(folder / f"judgments/{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            for number in range(10):
                one = judgment("deposit", seed=8 + at, number=number)
                text = re.sub(r"\n이\s*유\n", "\n【이    유】", one.text)
                row = {"id": f"w{at}{number}", "level": "하급심", "title": "임대차보증금"}
                file.write(json.dumps({**row, "text": text}, ensure_ascii=False) + "\n")
    return folder


@pytest.fixture(scope="module")
def drawn(shared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("drawn")
    key = folder / "key.json"
    done = act("draw", "--data", shared, "--output", folder / "blind", "--key", key, "--each", 6)
    assert done.returncode == 0, done.stderr
    return folder / "blind", key


def test_half_of_the_excerpts_are_of_either_and_nothing_of_the_form_tells(drawn):
    folder, path = drawn
    key = json.loads(path.read_text("utf-8"))
    blocks = (folder / "excerpts.md").read_text("utf-8").split("## ")[1:]
    of = {blind.REAL: [], blind.MADE: []}
    for block in blocks:
        number, text = block.strip().split("\n\n")
        of[key[number]["answer"]].append(text)
        assert text.endswith("다.") and "<<<" not in text and "\n" not in text
        assert not re.search(r"(?:19|20)\d\d\.|  |[‘’“”]", text)
    assert {kind: len(texts) for kind, texts in of.items()} == {blind.REAL: 6, blind.MADE: 6}
    means = [sum(map(len, texts)) / 6 for texts in of.values()]
    assert abs(means[0] - means[1]) < 30
    assert {one.name for one in folder.iterdir()} == {"excerpts.md", "answers.tsv"}


def test_the_same_seed_draws_the_same_sample(drawn, shared, tmp_path):
    folder, _ = drawn
    words = ("--output", tmp_path / "again", "--key", tmp_path / "key.json", "--each", 6)
    act("draw", "--data", shared, *words)
    assert (tmp_path / "again/excerpts.md").read_text() == (folder / "excerpts.md").read_text()


def test_answers_are_counted_and_a_missing_one_is_named(drawn, tmp_path):
    folder, path = drawn
    key = json.loads(path.read_text("utf-8"))
    empty = act("score", folder / "answers.tsv", path)
    assert empty.returncode == 1 and "no answer (real or made) for 1, 2" in empty.stderr
    rows = [f"{number}\t{blind.REAL}\n" for number in key]
    (tmp_path / "answers.tsv").write_text("".join(["number\tanswer\n", *rows]), encoding="utf-8")
    done = act("score", tmp_path / "answers.tsv", path)
    assert "6 of 12 told rightly: 50.0%" in done.stdout
    assert "real 6 of 6, made 0 of 6" in done.stdout


def test_the_key_does_not_lie_beside_the_excerpts(shared, tmp_path):
    done = act("draw", "--data", shared, "--output", tmp_path, "--key", tmp_path / "key.json")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2020.5.31.08:40경 C이 소외 2를 만났다.", "20XX. 5. 31. 08:40경 A이 B를 만났다."),
        ("2020. 04. 20 16:50경 ‘PC방’에서 B는", "20XX. 4. 20. 16:50경 'PC방'에서 A는"),
    ],
)
def test_letters_years_and_dates_are_written_alike(written, plain):
    assert blind.plainly(written) == plain
