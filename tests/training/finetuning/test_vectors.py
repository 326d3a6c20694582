"""Word vectors of a corpus, the filter of what is no name, and names in the forms of the paper."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from thunder.settings import resources
from thunder.tokenization import load
from thunder.training.finetuning import export, run, starting, vectors
from thunder.training.finetuning.settings import Model, Names
from thunder.training_data.invented_judgments import judgments

from .conftest import smoke

TOKENIZER = resources.folder("tokenizer") / "32k"
FINETUNE = Path(__file__).resolve().parents[3] / "finetune"


def test_tokens_of_the_same_neighbours_have_like_vectors():
    rng = np.random.default_rng(1)
    runs = []
    for _ in range(400):  # 1 and 2 stand between 5s, 3 and 4 between 7s
        inner, outer = ((1, 2), 5) if rng.random() < 0.5 else ((3, 4), 7)
        runs.append(np.array([outer, rng.choice(inner), outer, 0, 0, 0, 0, 0, 0]))
    found = vectors.vectors([np.concatenate(runs)], vocabulary=9, width=3, window=2)
    assert found.shape == (9, 3)
    like = found @ found.T
    assert like[1, 2] > 0.9 and like[3, 4] > 0.9 and like[1, 3] < 0.5
    assert not found[8].any()  # never seen
    again = vectors.vectors(iter([np.concatenate(runs)]), vocabulary=9, width=3, window=2)
    assert torch.equal(found, again)


@pytest.mark.parametrize(
    ("ids", "width", "said"), [([[]], 3, "gives no vectors"), ([[1, 2]], 9, "'width' is 1 to 8")]
)
def test_what_gives_no_vectors_is_said(ids, width, said):
    batches = [np.array(one, dtype=np.int64) for one in ids]
    with pytest.raises(ValueError, match=said):
        vectors.vectors(batches, vocabulary=9, width=width)


@pytest.mark.slow
def test_a_corpus_gives_vectors_that_a_baseline_keeps_as_they_are(dataset, tmp_path):
    texts = [one.text for one in judgments(8, seed=4)]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    made = subprocess.run(
        [sys.executable, FINETUNE / "vectors.py", corpus, "--width", "12",
         "--output", tmp_path / "v.safetensors"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "of 33," in made.stdout
    given = vectors.read(tmp_path / "v.safetensors", vocabulary=len(load(TOKENIZER)))
    settings = smoke(dataset, tmp_path / "run", "schedule.epochs=1", "schedule.batch=16")
    model = Model(
        kind="bilstm", changes={"width": 8}, vectors=tmp_path / "v.safetensors", filtered=True
    )
    data = replace(settings.data, names=Names(random=1.0))
    settings = replace(settings, model=model, data=data)
    run(settings, say=lambda line: None, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    from thunder.tagger.bilstm import Bilstm

    trained = Bilstm.load(tmp_path / "tagger")
    torch.testing.assert_close(trained.words.weight.detach(), given)
    assert trained.no_names_V.any() and trained.names_C.sum() == 20


def test_vectors_of_another_tokenizer_are_refused(tmp_path):
    vectors.write(torch.zeros(4, 3), tmp_path / "v.safetensors")
    with pytest.raises(ValueError, match="vectors of 4 tokens, the tokenizer has 5"):
        vectors.read(tmp_path / "v.safetensors", vocabulary=5)
    (tmp_path / "v.safetensors").write_bytes(b"x")
    with pytest.raises(ValueError, match=r"no vectors of finetune/vectors\.py"):
        vectors.read(tmp_path / "v.safetensors", vocabulary=5)


def test_numbers_and_punctuation_are_no_names():
    from thunder.tagger.bilstm import Bilstm, BilstmConfig

    torch.manual_seed(1)
    model = Bilstm(BilstmConfig(vocab_size=6, classes=4, embedding=5, width=4, filtered=True))
    model.filter([2, 3], [1, 3])  # tokens 2 and 3 are of no class 1 or 3
    ids = torch.arange(6)[None]
    with torch.no_grad():
        chances = model.eval()(ids, torch.ones_like(ids)).softmax(-1)[0]
    assert (chances[[2, 3]][:, [1, 3]] < 1e-30).all()
    assert (chances[[0, 1, 4, 5]][:, [1, 3]] > 1e-3).all() and (chances[:, 2] > 1e-3).all()


@pytest.mark.parametrize(
    ("token", "is_no_name"),
    [
        ("2021", True),
        (".", True),
        ("③", True),
        ("(", True),
        ("김", False),
        ("A", False),
        ("金", False),
    ],
)
def test_what_is_clearly_no_name(token, is_no_name):
    assert starting._is_no_name(token) is is_no_name
