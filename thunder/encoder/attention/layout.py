"""Who may see whom in a batch: tokens of one document see each other, padding sees nobody.

Shapes: B rows, S tokens.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Layout(NamedTuple):
    """The documents of a batch, made once and shared by all layers.

    `documents_BS` holds a positive number per document and 0 for padding. Beside it lies what the
    backends of the device need: the dense ones `visible_B1SS`; the fused ones `start_BS` and
    `end_BS`, the half-open range of the token's own document (S and 0 for padding).
    """

    documents_BS: Tensor
    start_BS: Tensor | None = None
    end_BS: Tensor | None = None
    visible_B1SS: Tensor | None = None

    @classmethod
    def from_documents(cls, documents_BS: Tensor) -> Layout:
        """Return the layout of rows in which each document is one contiguous run of its number.

        0 is padding; the same number in two rows means two documents. Raises ValueError for
        anything but a two-dimensional integer tensor.
        """
        if documents_BS.dim() != 2 or documents_BS.is_floating_point():
            raise ValueError(
                "documents must be an integer tensor [rows, tokens], got "
                f"{documents_BS.dtype} {tuple(documents_BS.shape)}"
            )
        return cls._prepared(documents_BS.to(torch.int32), holes=False)

    @classmethod
    def from_mask(cls, mask_BS: Tensor) -> Layout:
        """Return the layout of rows that hold one document each: 1 (True) a token, 0 padding.

        The mask may have holes. Raises ValueError unless it is two-dimensional.
        """
        if mask_BS.dim() != 2:
            raise ValueError(f"a mask must be [rows, tokens], got {tuple(mask_BS.shape)}")
        return cls._prepared((mask_BS != 0).to(torch.int32), holes=True)

    @classmethod
    def _prepared(cls, documents_BS: Tensor, *, holes: bool) -> Layout:
        if documents_BS.device.type == "cuda":
            start_BS, end_BS = _whole_rows(documents_BS) if holes else _runs(documents_BS)
            return cls(documents_BS, start_BS, end_BS)
        return cls(documents_BS, visible_B1SS=_visible(documents_BS))

    def visible(self) -> Tensor:
        """Return the bool [B,1,S,S] that says whether token i (third) sees token j (fourth)."""
        return _visible(self.documents_BS) if self.visible_B1SS is None else self.visible_B1SS

    def ranges(self) -> tuple[Tensor, Tensor]:
        """Return int32 [B,S] starts and ends that surely hold all that a token sees."""
        if self.start_BS is None or self.end_BS is None:
            return _whole_rows(self.documents_BS)
        return self.start_BS, self.end_BS


def _visible(documents_BS: Tensor) -> Tensor:
    query_B1S1, key_B11S = documents_BS[:, None, :, None], documents_BS[:, None, None, :]
    return (query_B1S1 == key_B11S) & (query_B1S1 > 0)


def _places(documents_BS: Tensor) -> Tensor:
    length = documents_BS.shape[1]
    place_S = torch.arange(length, dtype=torch.int32, device=documents_BS.device)
    return place_S.expand_as(documents_BS)


def _whole_rows(documents_BS: Tensor) -> tuple[Tensor, Tensor]:
    """Return for every token the span from its row's first token to its last."""
    place_BS, token_BS = _places(documents_BS), documents_BS > 0
    length = documents_BS.shape[1]
    first_B1 = torch.where(token_BS, place_BS, length).amin(1, keepdim=True)
    last_B1 = torch.where(token_BS, place_BS + 1, 0).amax(1, keepdim=True)
    return _emptied(first_B1.expand_as(place_BS), last_B1.expand_as(place_BS), token_BS)


def _runs(documents_BS: Tensor) -> tuple[Tensor, Tensor]:
    """Return for every token the run of equal numbers that it stands in."""
    place_BS, length = _places(documents_BS), documents_BS.shape[1]
    change_BT = documents_BS[:, 1:] != documents_BS[:, :-1]
    edge_B1 = torch.ones_like(documents_BS[:, :1], dtype=torch.bool)
    first_BS = torch.cat([edge_B1, change_BT], 1)
    last_BS = torch.cat([change_BT, edge_B1], 1)
    start_BS = torch.where(first_BS, place_BS, 0).cummax(1).values
    end_BS = torch.where(last_BS, place_BS + 1, length).flip(1).cummin(1).values.flip(1)
    return _emptied(start_BS, end_BS, documents_BS > 0)


def _emptied(start_BS: Tensor, end_BS: Tensor, token_BS: Tensor) -> tuple[Tensor, Tensor]:
    length = token_BS.shape[1]
    start_BS = torch.where(token_BS, start_BS, length).to(torch.int32)
    return start_BS.contiguous(), torch.where(token_BS, end_BS, 0).to(torch.int32).contiguous()
