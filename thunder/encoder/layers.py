"""The parts of an encoder: embeddings, disentangled attention, feed-forward, and a layer of them.

Shapes: B rows, S tokens, W width, H heads, D head width, R rows of distances, I feed-forward.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.modeling_layers import GradientCheckpointingLayer

from thunder.encoder.attention import Distances, Layout, disentangled_attention
from thunder.encoder.attention.choice import NAMES
from thunder.encoder.configuration import EncoderConfig


class Projected(NamedTuple):
    """The rows of distances as one layer's heads see them: as keys, and as queries."""

    key_HRD: Tensor
    query_HRD: Tensor


class Embeddings(nn.Module):
    """Words to vectors, normed; padding is zero. DeBERTa-v3 adds no positions here.

    With ``hints``, what is said of a token from outside is added to its word before the norm.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size, config.pad_token_id)
        self.hints = Hints(config.hints, config.hidden_size) if config.hints else None
        self.norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, words_BSW: Tensor, mask_BS: Tensor, hints_BS: Tensor | None) -> Tensor:
        """Return the normed embeddings of each token, zero where the mask is."""
        if hints_BS is not None:
            assert self.hints is not None
            words_BSW = words_BSW + self.hints(hints_BS)
        normed_BSW: Tensor = self.norm(words_BSW)
        kept_BSW: Tensor = self.dropout(normed_BSW * mask_BS.unsqueeze(-1).to(normed_BSW.dtype))
        return kept_BSW


class Hints(nn.Embedding):
    """A vector for each hint; they start at zero, so that a model begins as it was without."""


class Written(nn.Linear):
    """A linear layer whose result is added to the running sum of the layers."""


class Attention(nn.Module):
    """Disentangled self-attention: content and distance each ask and answer (DeBERTa, section 3).

    One matrix makes queries, keys and values; its first two thirds project the rows of distances
    too, as DeBERTa-v3 shares them (``share_att_key``).
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.backend = known_backend(config.attention_backend)
        self.distances = Distances(config.position_buckets, config.max_relative_positions)
        self.dropout_share = float(config.attention_probs_dropout_prob)
        self.query_key_value = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.output = Written(config.hidden_size, config.hidden_size)

    def projected(self, rows_RW: Tensor) -> Projected:
        """Return the rows of distances as this layer's keys and queries."""
        twice = 2 * rows_RW.shape[-1]
        weight, bias = self.query_key_value.weight[:twice], self.query_key_value.bias[:twice]
        both_RW = functional.linear(rows_RW, weight, bias)
        both_R2HD = both_RW.view(rows_RW.shape[0], 2, self.heads, -1)
        both_2HRD = both_R2HD.permute(1, 2, 0, 3).contiguous()
        return Projected(key_HRD=both_2HRD[1], query_HRD=both_2HRD[0])

    def forward(self, hidden_BSW: Tensor, position: Projected, layout: Layout) -> Tensor:
        """Return what each token gathers from the tokens that it may see."""
        all_BSW: Tensor = self.query_key_value(hidden_BSW)
        all_BS3HD = all_BSW.view(*all_BSW.shape[:2], 3, self.heads, -1)
        all_3BHSD = all_BS3HD.permute(2, 0, 3, 1, 4)
        query_BHSD, key_BHSD, value_BHSD = all_3BHSD.unbind(0)
        context_BHSD = disentangled_attention(
            query_BHSD,
            key_BHSD,
            value_BHSD,
            position.key_HRD,
            position.query_HRD,
            layout=layout,
            distances=self.distances,
            backend=self.backend,
            dropout=self.dropout_share if self.training else 0.0,
        )
        gathered_BSW: Tensor = self.output(context_BHSD.transpose(1, 2).flatten(2))
        return gathered_BSW


class FeedForward(nn.Module):
    """Two linear layers with the exact GELU between them."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        inner = config.shape().feed_forward
        self.up = nn.Linear(config.hidden_size, inner)
        self.down = Written(inner, config.hidden_size)

    def forward(self, hidden_BSW: Tensor) -> Tensor:
        """Return each token's vector transformed by itself."""
        made_BSW: Tensor = self.down(functional.gelu(self.up(hidden_BSW)))
        return made_BSW


class Layer(GradientCheckpointingLayer):
    """Attention and feed-forward, each added to what came in.

    ``norm="pre"``: the norm stands before each part and the sum is left alone (Thunder-DeID,
    section 4.1: only so did the larger models converge). ``norm="post"``: the sum is normed, as
    DeBERTa does. Both have the same weights under the same names.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.pre = config.norm == "pre"
        self.attention_norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.attention = Attention(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.feed_forward = FeedForward(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_BSW: Tensor, position: Projected, layout: Layout) -> Tensor:
        """Return the next layer's input."""
        if self.pre:
            normed_BSW = self.attention_norm(hidden_BSW)
            hidden_BSW = hidden_BSW + self.dropout(self.attention(normed_BSW, position, layout))
            normed_BSW = self.feed_forward_norm(hidden_BSW)
            added_BSW: Tensor = self.dropout(self.feed_forward(normed_BSW))
            return hidden_BSW + added_BSW
        gathered_BSW = self.dropout(self.attention(hidden_BSW, position, layout))
        hidden_BSW = self.attention_norm(hidden_BSW + gathered_BSW)
        made_BSW = self.dropout(self.feed_forward(hidden_BSW))
        summed_BSW: Tensor = self.feed_forward_norm(hidden_BSW + made_BSW)
        return summed_BSW


def known_backend(name: str) -> str:
    """Return *name* if it is a way to compute attention, or "auto"; else ValueError names them."""
    if name not in ("auto", *NAMES):
        raise ValueError(f"attention_backend is {name!r}; known are auto, {', '.join(NAMES)}")
    return name


def require_rows(tensor_BS: Tensor, *, like_BS: Tensor, name: str) -> None:
    """Raise ValueError unless *tensor_BS* has one number for each token."""
    if tensor_BS.shape != like_BS.shape:
        raise ValueError(
            f"{name} is {tuple(tensor_BS.shape)}, but input_ids are {tuple(like_BS.shape)}: "
            "one number per token is needed"
        )


def require_known(
    ids_BS: Tensor, *, size: int, name: str = "input_ids", source: str = "tokenizer"
) -> None:
    """Raise ValueError where an id has no row; not on a GPU, where looking would mean waiting."""
    if ids_BS.device.type != "cpu" or torch.compiler.is_compiling():
        return
    if not ids_BS.numel():
        raise ValueError(f"{name} are {tuple(ids_BS.shape)}: there is nothing to read")
    lowest, highest = (int(end) for end in torch.aminmax(ids_BS))
    if lowest < 0 or highest >= size:
        worst = lowest if lowest < 0 else highest
        raise ValueError(
            f"{name} hold {worst}, but the model knows ids from 0 to {size - 1}: "
            f"they come from another {source}"
        )
