"""Labels for thin categories, proposed by a model and approved by a person."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thunder import taxonomy
from thunder.settings.config import ConfigError, parse
from thunder.training.synthesis import running
from thunder.training.synthesis.settings import Run
from thunder.training_data.lists.importing import import_lists

from .stand_in import StandIn, chat

RUN = """
output = "{output}"
[server]
url = "{url}"
attempts = 1
parallel = 1
model = "stand-in"
structured = "json_schema"
[labels]
categories = ["각종 행사", "D.2.7 숙박업"]
number = 2
mentions = 4
tries = 2
"""


def proposal(name, english="A kind", mentions=("가나마루", "다라누리", "마바뜰", "사아터")):
    return {"name": name, "english": english, "mentions": list(mentions)}


def answers(*found):
    """Return what answers each request with the next of *found*, and keeps what was asked."""
    left = iter(found)
    return lambda body: (200, chat(next(left)))


def made(tmp_path, *found):
    with StandIn(answers(*found)) as stand_in:
        text = RUN.format(output=tmp_path / "made", url=stand_in.url)
        run = parse(text + "", Run, origin="run.toml")
        return running.run(run), run, stand_in.asked


def test_what_a_model_proposes_waits_for_a_person(tmp_path):
    report, run, asked = made(
        tmp_path, *map(proposal, ("전통혼례행사", "한옥체험관", "마을체육대회", "글램핑장"))
    )
    assert report.proposals == 4 and not report.texts
    said = [one["messages"][-1]["content"] for one in asked]
    assert all("축제" in one for one in said if "각종 행사" in one)  # those that are there
    assert sum("전통혼례행사" in one for one in said) == 1  # and those proposed before
    schema = asked[0]["response_format"]["json_schema"]["schema"]["properties"]["mentions"]
    assert (schema["minItems"], schema["maxItems"]) == (4, 4)
    lines = (tmp_path / "made" / "proposals.sh").read_text("utf-8").splitlines()
    assert sum(line.startswith("# thunder taxonomy add ") for line in lines) == 4
    with pytest.raises(LookupError):
        taxonomy.load().label("한옥체험관")  # nothing is added by itself
    before = (tmp_path / "made" / "proposals.jsonl").read_bytes()
    assert running.run(run).proposals == 4  # from the ledger
    assert (tmp_path / "made" / "proposals.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (proposal("축제"), "known"),
        (proposal("새 행사 이름"), "name"),
        (proposal("Festival"), "name"),
        (proposal("전통혼례행사", english=""), "no json"),
        (proposal("전통혼례행사", english="한국어"), "name"),
        (proposal("전통혼례행사", mentions=("가나", "가나", "가나", "가나")), "mentions"),
        (proposal("전통혼례행사", mentions=("<<<a>>>", "b\tc", "세종", "")), "no json"),
    ],
)
def test_what_cannot_be_a_label_is_dropped_with_its_reason(tmp_path, wrong, reason):
    good = [
        proposal("한옥체험관"),
        proposal("마을체육대회"),
        proposal("글램핑장"),
        proposal("종이접기행사"),
    ]
    report, _, _ = made(tmp_path, *([wrong] * 8 if reason else good))
    assert report.dropped["labels"][reason] == 8 and not report.proposals


@pytest.mark.parametrize(
    ("name", "said"),
    [("행사장", "'행사장' is no category"), ("건설", "is in D.2.3, D.2.7: say 'D.2.3 건설'")],
)
def test_a_category_is_one_of_the_taxonomys(tmp_path, name, said):
    text = RUN.format(output=tmp_path, url="http://127.0.0.1:9/v1").replace("각종 행사", name)
    with pytest.raises(ConfigError, match=said):
        running.run(parse(text, Run, origin="run.toml"))


def test_a_label_that_a_person_approved_comes_in_with_its_mentions(tmp_path):
    made(tmp_path, *map(proposal, ("전통혼례행사", "한옥체험관", "마을체육대회", "글램핑장")))
    script = tmp_path / "made" / "proposals.sh"
    text = script.read_text("utf-8")
    approved = "thunder taxonomy add '한옥체험관'"
    assert f"# {approved}" in text
    script.write_text(text.replace(f"# {approved}", approved))
    own = tmp_path / "taxonomy"
    here = Path(sys.executable).parent
    path = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    init = [sys.executable, "-m", "thunder", "taxonomy", "init", str(own)]
    for command in (init, ["sh", str(script), str(own)]):
        done = subprocess.run(command, capture_output=True, text=True, env=path)
        assert done.returncode == 0, done.stdout + done.stderr
    labels = taxonomy.load(own)
    assert labels.label("한옥체험관").category == "숙박업" and not labels.knows("글램핑장")
    found = import_lists(
        tmp_path / "made" / "proposals.jsonl", tmp_path / "lists",
        source="a model", licence="own", taxonomy=own,
    )  # fmt: skip
    assert found.mentions == {"한옥체험관": 4} and "글램핑장" in found.unknown
