"""The loss over labels, and over what stands above them: by hand, and as it is used."""

import math

import pytest
import torch

from thunder import taxonomy
from thunder.training import journal
from thunder.training.finetuning import run
from thunder.training.finetuning.loss import TokenLoss, levels
from thunder.training.finetuning.settings import Loss

from .conftest import smoke

KNOWN = taxonomy.load()

# Outside, two labels of one kind, one of another: chances 1/2, 1/4, 1/8, 1/8.
_SCORES = torch.tensor([[8.0, 4.0, 2.0, 2.0]]).log()
_LEVELS = [[0, 1, 1, 2], [0, 1, 1, 1]]


@pytest.mark.parametrize(
    ("how", "label", "chances"),
    [
        (Loss(), 1, [1 / 4]),
        (Loss(hierarchy=1.0), 0, [1 / 2, 1 / 2, 1 / 2]),  # the label, its kind, outside
        (Loss(hierarchy=1.0), 1, [1 / 4, 3 / 8, 1 / 2]),
        (Loss(hierarchy=1.0), 2, [1 / 8, 3 / 8, 1 / 2]),
        (Loss(hierarchy=1.0), 3, [1 / 8, 1 / 8, 1 / 2]),
        (Loss(labels=3.0), 0, [1 / 2]),
        (Loss(labels=3.0), 1, [1 / 2, 1 / 2, 1 / 2, 1 / 2]),  # masked; of all labels, three times
        (Loss(labels=2.0), 3, [1 / 2, 1 / 4, 1 / 4]),
    ],
)
def test_the_label_its_kind_and_whether_it_is_masked_by_hand(how, label, chances):
    found = TokenLoss(how, _LEVELS)(_SCORES, torch.tensor([label]))
    assert found.item() == pytest.approx(-sum(map(math.log, chances)), rel=1e-5)


def test_weights_and_tokens_without_a_label():
    scores = _SCORES.repeat(3, 1)
    labels = torch.tensor([0, 1, -100])
    outside, name = math.log(2), math.log(4)
    plain = TokenLoss(Loss(), _LEVELS)(scores, labels).item()
    assert plain == pytest.approx(outside + name)
    assert TokenLoss(Loss(mentions=3.0), _LEVELS)(scores, labels).item() == pytest.approx(
        outside + 3 * name
    )
    above = TokenLoss(Loss(hierarchy=0.5), _LEVELS)(scores, labels).item() - plain
    assert above == pytest.approx(0.5 * (2 * outside + math.log(8 / 3) + math.log(2)), rel=1e-5)
    nobody = TokenLoss(Loss(hierarchy=0.5), _LEVELS)(scores, torch.full((3,), -100))
    assert nobody.item() == 0


@pytest.mark.parametrize("scheme", ["classes", "bio"])
def test_every_class_belongs_to_the_subcategory_of_its_label(scheme):
    kinds, masked = levels(KNOWN, scheme=scheme)
    each = 1 if scheme == "classes" else 2
    assert len(kinds) == len(masked) == 1 + each * (KNOWN.classes - 1)
    assert kinds[0] == masked[0] == 0 and set(masked[1:]) == {1}
    codes = [sub.code for sub in KNOWN.subcategories]
    for id_ in (1, 105, 729):
        for at in range(each):
            assert codes[kinds[each * (id_ - 1) + 1 + at] - 1] == KNOWN.by_id(id_).code


def test_a_run_learns_by_it_and_its_checkpoints_say_so(dataset, tmp_path):
    changes = ("schedule.epochs=1", "schedule.batch=16", "log_every=1")
    losses = []
    for name, more in (("plain", ()), ("above", ("loss.hierarchy=0.5", "loss.mentions=2.0"))):
        settings = smoke(dataset, tmp_path / name, *changes, *more)
        run(settings, say=lambda line: None, device="cpu")
        (record,) = [
            one for one in journal.read(tmp_path / name / "log.jsonl") if one["kind"] == "train"
        ]
        losses.append(record["loss"])
    assert losses[1] > 1.5 * losses[0]
    with pytest.raises(ValueError, match="made with loss = "):
        run(smoke(dataset, tmp_path / "above", *changes), say=lambda line: None, device="cpu")
