"""A dataset's part as gold documents: the courts' placeholders tell the entities."""

import shutil

import pytest
import typer
from typer.testing import CliRunner

from thunder.commands.evaluate import evaluate
from thunder.scoring.documents import ScoringError
from thunder.scoring.stored import gold_of_part, placeholders_of, redrawn
from thunder.settings import resources
from thunder.text.spans import Span
from thunder.training_data.datasets import building
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.examples import Marked
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.filling import IGNORED

SCENE = (
    "피고인 <<<내국인이름>>>A<<</내국인이름>>>은 <<<은행>>>B<<</은행>>>은행에 갔다. "
    "위 <<<내국인이름>>>A<<</내국인이름>>>은 {number}번째로 돈을 찾았다. {words}"
)


def judgment(number):
    words = " ".join(f"{'가나다라마바사'[number * at % 7]}길{number * at}" for at in range(1, 20))
    text = SCENE.format(number=number, words=words)
    return {"id": f"doc-{number}", "case_type": "fraud", "text": text}


def build(folder, rows, write, *, text):
    options = Options(1, 1, text, 0, 10_000, "release", None)
    recipe = Recipe(resources.folder("tokenizer") / "32k")
    building.build([write("annotated.jsonl", rows)], folder, recipe, options)
    return folder


def test_mentions_of_one_placeholder_are_one_entity(tmp_path, write):
    folder = build(tmp_path / "set", [judgment(n) for n in range(6)], write, text=True)
    for part in ("train", "dev", "test"):
        golds = gold_of_part(folder, part)
        assert len(golds) == len(Dataset.open(folder).part(part))
        for gold in golds:
            mentions = [span for span in gold.spans if span.label != IGNORED]
            assert [span.label for span in mentions] == ["내국인이름", "은행", "내국인이름"]
            named = [key for key, mark in zip(gold.entities, gold.written, strict=True) if mark]
            assert named == ["person\0A", "name\0B", "person\0A"]


def test_a_dataset_without_texts_cannot_be_scored_by(tmp_path, write):
    folder = build(tmp_path / "set", [judgment(n) for n in range(6)], write, text=False)
    part = next(p for p in ("train", "dev", "test") if len(Dataset.open(folder).part(p)))
    with pytest.raises(ScoringError, match=r"document 'doc-.*keeps no texts"):
        gold_of_part(folder, part)


def test_the_command_scores_a_part_and_knows_its_training_mentions(tmp_path, write):
    folder = build(tmp_path / "set", [judgment(n) for n in range(30)], write, text=True)
    golds = gold_of_part(folder, "dev")
    assert golds
    rows = [
        {
            "id": gold.id,
            "entities": [
                {"start": span.start, "end": span.end, "label": span.label}
                for span in gold.spans
                if span.label != IGNORED
            ],
        }
        for gold in golds
    ]
    app = typer.Typer()
    app.command()(evaluate)
    out = tmp_path / "out"
    arguments = (folder, write("p.jsonl", rows), "--part", "dev", "--training", folder)
    given = [*map(str, arguments), "--bootstrap", "0", "--csv", str(out)]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output
    _, row = (out / "tokens-micro.csv").read_text(encoding="utf-8-sig").splitlines()
    assert row.startswith("p,1.0,1.0,1.0,1,")
    # Names of development are not those of training: nobody is rewarded for learning by heart.
    seen = (out / "seen.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    numbers = {line.split(",")[0]: int(line.split(",")[-1]) for line in seen}
    assert numbers["unseen"] > numbers["seen"]


def names(golds):
    return {
        gold.text[span.start : span.end]
        for gold in golds
        for span in gold.spans
        if span.label == "내국인이름"
    }


def test_another_filling_draws_other_held_out_mentions_of_the_same_documents(tmp_path, write):
    folder = build(tmp_path / "set", [judgment(n) for n in range(20)], write, text=True)
    stored, other = gold_of_part(folder, "test"), redrawn(folder, "test", seed=1001)
    assert stored and [one.id for one in other] == [one.id for one in stored]
    assert [one.entities for one in other] == [one.entities for one in stored]
    assert [one.text for one in other] != [one.text for one in stored]
    assert redrawn(folder, "test", seed=1001) == other
    assert not names(gold_of_part(folder, "train")) & names(other)
    seen = names(redrawn(folder, "test", seed=1001, seen=True))
    assert seen and not seen & names(other)
    with pytest.raises(ScoringError, match="made with other replacement lists"):
        redrawn(folder, "test", seed=2, lists=changed(tmp_path))


def changed(folder):
    """Return the shipped lists with one name less."""
    lists = folder / "lists"
    shutil.copytree(resources.folder("replacement_lists"), lists)
    path = next(path for path in sorted(lists.rglob("*.txt")) if path.stat().st_size > 1000)
    path.write_text(path.read_text("utf-8").rstrip().rsplit("\n", 1)[0] + "\n", "utf-8")
    return lists


MARKED = Marked("1", "", "A병원 B", (Span(0, 1, "병원"), Span(4, 5, "내국인이름")))


@pytest.mark.parametrize(
    ("spans", "found"),
    [
        ([Span(0, 2, "병원"), Span(5, 8, "내국인이름")], [("name", "A"), ("person", "B")]),
        # the noun that the mention brought along fills no placeholder
        (
            [Span(0, 2, "병원"), Span(2, 4, IGNORED), Span(5, 8, "내국인이름")],
            [("name", "A"), ("", ""), ("person", "B")],
        ),
        # what does not match says nothing, rather than something wrong
        ([Span(0, 2, "은행"), Span(5, 8, "내국인이름")], [("", ""), ("", "")]),
    ],
)
def test_filled_spans_and_their_placeholders(spans, found):
    assert placeholders_of(spans, MARKED) == found
