"""A network in training: scores to a loss, and in evaluation to counts for the F1 of the paper.

Shapes: B rows, S tokens, C classes.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from thunder.labeling import IGNORE, OUTSIDE, Scheme
from thunder.tagger import networks


class Counted(NamedTuple):
    """The summed loss and the right answers over labelled tokens, in 0-dim."""

    loss_sum: Tensor
    correct: Tensor


class Tagging(nn.Module):
    """A network and its loss; rows beyond *budget* tokens are computed piece by piece.

    In evaluation it adds to ``tally``: true, false and missed tokens, first whether they are to
    be masked at all (binary), then by label (paper, appendix F).
    """

    def __init__(self, network: nn.Module, *, scheme: Scheme, budget: int) -> None:
        super().__init__()
        self.network = network
        self.scheme, self.budget = scheme, budget
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.tally = torch.zeros(6, dtype=torch.int64)

    def forward(self, labels: Tensor, **inputs: Tensor) -> Counted:
        """Return loss and right answers; ``labels`` (B x S) are -100 where nobody asks."""
        rows, width = labels.shape
        most = max(1, self.budget // width)
        if rows <= most:
            return self._part(labels, inputs)
        parts = [
            self._piece(labels[at : at + most], {k: v[at : at + most] for k, v in inputs.items()})
            for at in range(0, rows, most)
        ]
        return Counted(*(torch.stack(found).sum() for found in zip(*parts, strict=True)))

    def _piece(self, labels: Tensor, inputs: dict[str, Tensor]) -> Counted:
        labels, inputs = _trimmed(labels, inputs)
        if not torch.is_grad_enabled():
            return self._part(labels, inputs)
        # Dropout is the same in both passes: the random state is kept with each piece.
        found = checkpoint(self._part, labels, inputs, use_reentrant=False)
        assert isinstance(found, Counted)
        return found

    def _part(self, labels: Tensor, inputs: dict[str, Tensor]) -> Counted:
        scores_BSC = networks.scores(self.network, inputs).float()
        loss = functional.cross_entropy(
            scores_BSC.flatten(0, 1), labels.flatten(), reduction="sum", ignore_index=IGNORE
        )
        with torch.no_grad():
            best = scores_BSC.argmax(-1)
            if not self.training:
                self.tally += _counts(best, labels, self.scheme).cpu()
            return Counted(loss, (best == labels).sum())


def _trimmed(labels: Tensor, inputs: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    """Return rows without the padding that all of them have; rows come longest first."""
    seen = inputs.get("attention_mask", inputs.get("document_ids"))
    assert seen is not None
    width = int((seen != 0).sum(1).max())
    return labels[:, :width], {name: one[:, :width] for name, one in inputs.items()}


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
