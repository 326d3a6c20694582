"""Documents to micro-batches: every token labelled once, little padding, keyed order."""

import dataclasses
import pickle

import numpy as np
import pytest
import torch

from thunder.tagger.tokenizers import Frame
from thunder.tokenization.labeling import IGNORE
from thunder.training.batches import evaluation
from thunder.training.finetuning import samples, starting
from thunder.training.finetuning.tagging import PASS, Tagging, figures, pieces
from thunder.training.processes import Processes

from .conftest import smoke


@pytest.fixture(scope="module")
def ground(dataset, tmp_path_factory):
    return starting.ground(smoke(dataset, tmp_path_factory.mktemp("run")))


def test_each_token_of_a_document_is_labelled_once(ground):
    made = dataclasses.replace(ground.train, seed=None)
    example = made.source.example(0, epoch=0)
    pieces = list(made.pieces(0))
    assert len(pieces) > 2 and all(len(one.ids) <= made.length for one in pieces)
    labels = np.concatenate([one.labels[one.labels != IGNORE] for one in pieces])
    assert labels.tolist() == example.labels[example.labels != IGNORE].tolist()


def test_the_same_numbers_give_the_same_micro_batch_anywhere(ground):
    there = pickle.loads(pickle.dumps(ground.train))
    one, other = ground.train(range(3, 7)), there(range(3, 7))
    assert one.numbers == other.numbers == (3, 4, 5, 6)
    assert all(torch.equal(one.inputs[name], other.inputs[name]) for name in one.inputs)


def test_an_epoch_has_each_document_once_in_an_order_of_the_seed(ground):
    number = len(ground.train.source)
    orders = [
        list(dataclasses.replace(ground.train, seed=seed).order(epoch))
        for seed in (1200, 1203)
        for epoch in (0, 1)
    ]
    assert all(sorted(order) == list(range(number)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4


def test_packed_rows_hold_windows_apart_with_little_padding(ground):
    chance = np.random.default_rng(1)
    lengths = chance.lognormal(5, 1, 200).clip(8, 128).astype(int)
    pieces = [
        samples.Piece(np.full(length, at + 10), np.full(length, at))
        for at, length in enumerate(lengths.tolist())
    ]
    inputs = samples.packed(pieces, row=128, pad=0)
    documents = inputs["document_ids"]
    assert documents.shape[1] <= 128
    seen = documents > 0
    assert _padding(seen.sum(1).tolist(), budget=2048) < 0.02
    assert sorted(inputs["input_ids"][seen].tolist()) == sorted(
        number for one in pieces for number in one.ids.tolist()
    )
    assert (inputs["labels"][~seen] == IGNORE).all()
    for row, numbers in zip(inputs["input_ids"].tolist(), documents.tolist(), strict=True):
        inside = {(id_, number) for id_, number in zip(row, numbers, strict=True) if number}
        assert len(inside) == len({number for _, number in inside})


def _padding(lengths: list[int], *, budget: int) -> float:
    """Return the share of the places computed that hold no token; rows come longest first."""
    assert lengths == sorted(lengths, reverse=True)
    places = sum((end - start) * lengths[start] for start, end in pieces(lengths, budget=budget))
    return 1 - sum(lengths) / places


def test_windows_share_wider_rows(ground):
    """Two windows of 100 do not fit into a row of 128, and leave none empty in one of 200."""
    hundreds = [samples.Piece(np.full(100, at), np.full(100, at)) for at in range(6)]
    shapes = [samples.packed(hundreds, row=row, pad=0)["labels"].shape for row in (128, 200)]
    assert shapes == [(6, 100), (3, 200)]
    wide = dataclasses.replace(ground.train, row=512)
    narrow, shared = ground.train(range(8)), wide(range(8))
    assert shared.tokens == narrow.tokens and shared.labelled == narrow.labelled
    assert shared.inputs["labels"].shape[1] > 2 * narrow.inputs["labels"].shape[1]
    inside = shared.inputs["document_ids"].max(1).values
    assert inside.max() >= 4  # windows of 128 in a row of 512


@pytest.mark.parametrize(
    ("lengths", "budget", "expected"),
    [
        ([100, 100, 100], 1000, [(0, 3)]),
        ([100, 100, 100], 200, [(0, 1), (1, 3)]),  # the budget
        ([500, 500], 400, [(0, 1), (1, 2)]),  # a row beyond it is computed alone
        ([1000, 990, 20, 20], 9000, [(0, 2), (2, 4)]),  # a pass costs less than padding
        ([100, 90], 1000, [(0, 2)]),  # ten places are cheaper than another pass
        ([5], 4, [(0, 1)]),
    ],
)
def test_rows_of_like_length_are_computed_together(lengths, budget, expected):
    assert PASS == 128
    assert pieces(lengths, budget=budget) == expected


def test_one_window_a_row_leaves_little_padding():
    """As transformers' networks and the BiLSTM are given them: nobody shares a row there."""
    chance = np.random.default_rng(1)
    lengths = sorted(chance.lognormal(5.5, 0.5, 64).clip(8, 512).astype(int).tolist())[::-1]
    assert 1 - sum(lengths) / (64 * lengths[0]) > 0.4  # all in one piece
    assert _padding(lengths, budget=16_384) < 0.06


def test_development_is_measured_once_whatever_the_number_of_processes(ground):
    for size in (1, 2, 3):
        shares = [
            list(
                evaluation(
                    ground.development,
                    number=len(ground.development.source),
                    micro_batch=1,
                    processes=Processes(rank, size),
                )
            )
            for rank in range(size)
        ]
        assert len({len(share) for share in shares}) == 1
        labelled = sum(micro.labelled for share in shares for micro in share)
        assert labelled == sum(
            int((ground.development.source.example(at, epoch=0).labels != IGNORE).sum())
            for at in range(len(ground.development.source))
        )


class _Fixed(torch.nn.Module):
    """Says of every token the class that its id has in *answers*."""

    def __init__(self, answers: list[int], classes: int) -> None:
        super().__init__()
        self.scores = torch.nn.Parameter(
            torch.nn.functional.one_hot(torch.tensor(answers), classes).float() * 9
        )

    def forward(self, input_ids, attention_mask):
        return self.scores[input_ids]


@pytest.mark.parametrize(
    ("scheme", "gold", "binary", "label"),
    [
        # found 1 1 2 0 0 3 of 1 2 2 1 0 0, the last one but one beside an ignored token
        ("classes", [1, 2, 2, 1, 0, 0], (3 / 4, 3 / 4), (2 / 4, 2 / 4)),
        ("bio", [1, 2, 2, 1, 0, 0], (3 / 4, 3 / 4), (3 / 4, 3 / 4)),  # B and I are one label
        ("classes", [1, 1, 2, 0, 0, -100], (1.0, 1.0), (1.0, 1.0)),
    ],
)
def test_f1_of_the_papers_appendix_f_by_hand(scheme, gold, binary, label):
    tagging = Tagging(_Fixed([1, 1, 2, 0, 0, 3], 5), scheme=scheme, budget=100).eval()
    tagging(
        labels=torch.tensor([gold]),
        input_ids=torch.arange(6)[None],
        attention_mask=torch.ones(1, 6),
    )
    found = figures(tagging.tally.tolist())
    assert (found.precision, found.recall) == pytest.approx(binary)
    assert (found.label_precision, found.label_recall) == pytest.approx(label)


def test_a_batch_computed_in_pieces_has_the_same_loss_and_gradient(ground, tmp_path):
    settings = smoke(ground.dataset.folder, tmp_path, "model.changes.hidden_dropout_prob=0.0")
    torch.manual_seed(1)
    network = starting.network(settings, ground)
    micro = ground.train(range(2))
    gradients = []
    # The last one as where another process has more to compute: ZeRO 3 must wait for none.
    for budget, together in ((100_000, list), (128, list), (128, lambda own: [own[0] + 2, own[1]])):
        network.zero_grad()
        tagging = Tagging(network, scheme="classes", budget=budget, together=together)
        found = tagging(**micro.inputs)
        found.loss_sum.backward()
        gradient = network.classifier.weight.grad
        gradients.append((found.loss_sum.item(), gradient.clone()))
    for loss, gradient in gradients[1:]:
        assert loss == pytest.approx(gradients[0][0], rel=1e-5)
        torch.testing.assert_close(gradient, gradients[0][1], rtol=1e-3, atol=1e-4)


def test_a_share_of_the_words_is_hidden_in_training_and_none_in_development(
    dataset, tmp_path, ground
):
    hiding = starting.ground(smoke(dataset, tmp_path, "data.word_dropout=0.2"))
    assert hiding.development.word_dropout == 0
    mask, shown, hidden = hiding.train.frame.mask, 0, 0
    for number in range(12):
        whole, some = (list(one.train.pieces(number)) for one in (ground, hiding))
        for one, other in zip(whole, some, strict=True):
            gone = one.ids != other.ids
            assert (other.ids[gone] == mask).all() and (one.labels == other.labels).all()
            hidden, shown = hidden + int(gone.sum()), shown + int((~gone).sum())
    assert 0.15 < hidden / (hidden + shown) < 0.25


def test_a_tokenizer_without_a_mask_hides_nothing(ground):
    frame = Frame(*ground.train.frame[:3])
    with pytest.raises(ValueError, match="this tokenizer has no mask token"):
        dataclasses.replace(ground.train, frame=frame, word_dropout=0.1)
