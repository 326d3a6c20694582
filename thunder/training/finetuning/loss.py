"""The loss: cross-entropy over the labels, and over what stands above them if wanted.

A class belongs to a subcategory and is outside or to be masked; the score of either is the
log-sum-exp of its classes' scores. So the sum is exact, and the network stays as it is. Shapes:
T tokens, C classes.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from thunder.taxonomy import Taxonomy
from thunder.tokenization.labeling import IGNORE, OUTSIDE, Scheme
from thunder.training.finetuning.settings import Loss


class TokenLoss(nn.Module):
    """Scores and labels to the summed loss; *levels* say to which group each class belongs."""

    levels_LC: Tensor

    def __init__(self, how: Loss, levels: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.how = how
        used = levels if how.hierarchy else ()
        self.register_buffer(
            "levels_LC", torch.tensor([*map(list, used)], dtype=torch.long), persistent=False
        )

    def forward(self, scores_TC: Tensor, labels_T: Tensor) -> Tensor:
        """Return the sum over all tokens that have a label."""
        if self.how == Loss():
            return functional.cross_entropy(
                scores_TC, labels_T, reduction="sum", ignore_index=IGNORE
            )
        asked_T = labels_T != IGNORE
        scores_TC, labels_T = scores_TC[asked_T], labels_T[asked_T]
        loss_T = functional.cross_entropy(scores_TC, labels_T, reduction="none")
        if self.how.labels != 1:
            loss_T = loss_T + (self.how.labels - 1) * _which(scores_TC, labels_T)
        for group_C in self.levels_LC:
            loss_T = loss_T + self.how.hierarchy * _above(scores_TC, labels_T, group_C)
        return torch.where(labels_T == OUTSIDE, loss_T, loss_T * self.how.mentions).sum()


def _which(scores_TC: Tensor, labels_T: Tensor) -> Tensor:
    """Return the cross-entropy of each label among those of mentions; 0 outside."""
    named_T = labels_T != OUTSIDE
    found_T = torch.zeros_like(scores_TC[:, 0])
    inside_TC = scores_TC[named_T][:, OUTSIDE + 1 :]
    chosen_T = labels_T[named_T] - OUTSIDE - 1
    found_T[named_T] = functional.cross_entropy(inside_TC, chosen_T, reduction="none")
    return found_T


def _above(scores_TC: Tensor, labels_T: Tensor, group_C: Tensor) -> Tensor:
    """Return the cross-entropy of the group that each label belongs to."""
    within_TC = group_C[None] == group_C[labels_T][:, None]
    own_T = scores_TC.masked_fill(~within_TC, -torch.inf).logsumexp(-1)
    return scores_TC.logsumexp(-1) - own_T


def levels(taxonomy: Taxonomy, *, scheme: Scheme) -> list[list[int]]:
    """Return for each class its subcategory, and whether it is masked, by number; 0 is outside.

    Retired ids, which no text has, count as what took them over, or as a kind of their own.
    """
    codes = {one.code: at for at, one in enumerate(taxonomy.subcategories, 1)}
    kinds = [0]
    for id_ in range(1, taxonomy.classes):
        label = taxonomy.successor(id_) if id_ in taxonomy.retired else taxonomy.by_id(id_)
        kind = codes[label.code] if label else len(codes) + 1
        kinds += [kind] * (1 if scheme == "classes" else 2)  # B and I
    return [kinds, [int(kind > 0) for kind in kinds]]
