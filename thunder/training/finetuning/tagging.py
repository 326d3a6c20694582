"""A network in training: scores to a loss, and in evaluation to counts for the F1 of the paper.

Shapes: B rows, S tokens, C classes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from thunder.tagger import networks
from thunder.tokenization.labeling import IGNORE, OUTSIDE, Scheme
from thunder.training.finetuning.loss import TokenLoss
from thunder.training.finetuning.settings import Loss

PASS = 128
"""What a pass through the network costs beside its tokens, as places: kernels are started anew."""


class Counted(NamedTuple):
    """The summed loss and the right answers over labelled tokens, in 0-dim."""

    loss_sum: Tensor
    correct: Tensor


class Tagging(nn.Module):
    """A network and its loss; rows of like length are computed together, *budget* tokens at most.

    In evaluation it adds to ``tally``: true, false and missed tokens, first whether they are to
    be masked at all (binary), then by label (paper, appendix F). *together* returns the largest of
    a number over all processes: ZeRO 3 hangs where one of them computes more pieces than another.
    """

    def __init__(
        self,
        network: nn.Module,
        *,
        scheme: Scheme,
        budget: int,
        loss: TokenLoss | None = None,
        together: Callable[[list[float]], list[float]] = list,
    ) -> None:
        super().__init__()
        self.network = network
        self.loss = loss or TokenLoss(Loss(), ())
        self.scheme, self.budget, self.together = scheme, budget, together
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.tally = torch.zeros(6, dtype=torch.int64)

    def forward(self, labels: Tensor, **inputs: Tensor) -> Counted:
        """Return loss and right answers; ``labels`` (B x S) are -100 where nobody asks.

        Beyond the budget the activations are made again in the backward pass.
        """
        lengths = _lengths(inputs)
        cuts = pieces(lengths, budget=self.budget)
        places = sum((end - start) * lengths[start] for start, end in cuts)
        most, beyond = self.together([len(cuts), places > self.budget])
        compute = self._again if beyond and torch.is_grad_enabled() else self._part
        found = [
            compute(labels[start:end, :width], {k: v[start:end, :width] for k, v in inputs.items()})
            for start, end in cuts
            for width in [lengths[start]]
        ]
        one = {name: tensor[-1:, : lengths[-1]] for name, tensor in inputs.items()}
        unasked = torch.full_like(labels[-1:, : lengths[-1]], IGNORE)
        found += [compute(unasked, one) for _ in range(int(most) - len(cuts))]
        return Counted(*(torch.stack(values).sum() for values in zip(*found, strict=True)))

    def _again(self, labels: Tensor, inputs: dict[str, Tensor]) -> Counted:
        # Dropout is the same in both passes: the random state is kept with each piece.
        found = checkpoint(self._part, labels, inputs, use_reentrant=False)
        assert isinstance(found, Counted)
        return found

    def _part(self, labels: Tensor, inputs: dict[str, Tensor]) -> Counted:
        scores_BSC = networks.scores(self.network, inputs).float()
        loss = self.loss(scores_BSC.flatten(0, 1), labels.flatten())
        with torch.no_grad():
            best = scores_BSC.argmax(-1)
            if not self.training:
                self.tally += _counts(best, labels, self.scheme).cpu()
            return Counted(loss, (best == labels).sum())


def _lengths(inputs: Mapping[str, Tensor]) -> list[int]:
    """Return up to where each row has tokens; rows come longest first."""
    seen = inputs.get("attention_mask", inputs.get("document_ids"))
    assert seen is not None
    lengths: list[int] = (seen != 0).sum(1).tolist()
    return lengths


def pieces(lengths: Sequence[int], *, budget: int) -> list[tuple[int, int]]:
    """Return where to cut rows, longest first, so that padding and passes cost least together.

    A piece is as wide as its first row and has at most *budget* places, or one row.
    """
    best: list[tuple[int, int]] = [(0, 0)]  # the cost of the rows before, and the last cut
    for end in range(1, len(lengths) + 1):
        ways = [(best[end - 1][0] + lengths[end - 1] + PASS, end - 1)]
        for start in range(end - 2, -1, -1):
            if (places := lengths[start] * (end - start)) > budget:
                break
            ways.append((best[start][0] + places + PASS, start))
        best.append(min(ways))
    cuts, end = [], len(lengths)
    while end:
        cuts.append((best[end][1], end))
        end = best[end][1]
    return cuts[::-1]


def _counts(best: Tensor, labels: Tensor, scheme: Scheme) -> Tensor:
    """Return true, false and missed tokens, binary and by label; B and I are one label."""
    asked = labels != IGNORE
    found, gold = best[asked], labels[asked]
    if scheme == "bio":
        found, gold = (found + 1) // 2, (gold + 1) // 2
    is_found, is_gold, same = found != OUTSIDE, gold != OUTSIDE, found == gold
    return torch.stack(
        [
            (is_found & is_gold).sum(),
            (is_found & ~is_gold).sum(),
            (~is_found & is_gold).sum(),
            (is_found & same).sum(),
            (is_found & ~same).sum(),
            (is_gold & ~same).sum(),
        ]
    )


class Figures(NamedTuple):
    """Precision, recall and F1 of the development part, binary and by label (micro)."""

    precision: float
    recall: float
    f1: float
    label_precision: float
    label_recall: float
    label_f1: float

    @property
    def both(self) -> float:
        """The mean of the two F1: what the best checkpoint is chosen by."""
        return (self.f1 + self.label_f1) / 2


def figures(tally: list[float]) -> Figures:
    """Return precision, recall and F1 of counted tokens; 0 where there is nothing to divide."""
    true, false, missed, true_label, false_label, missed_label = tally
    return Figures(*_figures(true, false, missed), *_figures(true_label, false_label, missed_label))


def _figures(true: float, false: float, missed: float) -> tuple[float, float, float]:
    return (
        true / max(true + false, 1),
        true / max(true + missed, 1),
        2 * true / max(2 * true + false + missed, 1),
    )
