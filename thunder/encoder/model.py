"""The encoder: words in, a vector for each token out; a ``transformers`` model.

Shapes: B rows, S tokens, W width.
"""

# transformers' base classes are half typed, and differ from each other in their signatures.
# mypy: disable-error-code="arg-type, misc, no-any-return, no-untyped-call, override"

import math
import warnings
from os import PathLike
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers import initialization as init
from transformers.modeling_outputs import BaseModelOutput

from thunder.encoder import checkpoint
from thunder.encoder.attention import Layout
from thunder.encoder.configuration import EncoderConfig
from thunder.encoder.layers import (
    Embeddings,
    Hints,
    Layer,
    Written,
    known_backend,
    require_known,
    require_rows,
)
from thunder.encoder.positions import Positions


class EncoderModel(PreTrainedModel):
    """What the encoder and the models built on it share: start values, loading, saving.

    Weights start from a normal distribution of ``initializer_range`` (0.02, as BERT and DeBERTa),
    biases at 0, norms at 1. With ``norm="pre"`` the two matrices of a layer that write into the
    running sum start smaller by the square root of 2 L: nothing norms that sum before its end, so
    L layers would otherwise make its variance grow with the depth, and the deepest layers would
    add least to it (GPT-2 does the same). With ``norm="post"`` all start as DeBERTa's.
    """

    config_class = EncoderConfig
    base_model_prefix = "encoder"
    supports_gradient_checkpointing = True
    _no_split_modules: ClassVar[list[str]] = ["Layer"]
    config: EncoderConfig

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, Written) and self.config.norm == "pre":
            depth = math.sqrt(2 * self.config.num_hidden_layers)
            init.normal_(module.weight, mean=0.0, std=self.config.initializer_range / depth)
            init.zeros_(module.bias)
        elif isinstance(module, Hints):
            init.zeros_(module.weight)
        else:
            super()._init_weights(module)

    @classmethod
    def from_pretrained(
        cls, pretrained_model_name_or_path: str | PathLike[str], *args: Any, **kwargs: Any
    ) -> Any:
        """Return the model saved in a folder; safetensors only.

        ValueError where the folder holds pickled weights only, a damaged file, or weights that
        are not this model's: an encoder with weights left at chance would mask at chance.
        """
        return checkpoint.loaded(
            super().from_pretrained, cls, pretrained_model_name_or_path, *args, **kwargs
        )

    def save_pretrained(self, save_directory: str | PathLike[str], **kwargs: Any) -> None:
        """Write ``config.json``, ``model.safetensors`` and the file that AutoModel asks for."""
        checkpoint.refuse_pickle(kwargs)
        super().save_pretrained(save_directory, **kwargs)
        checkpoint.write_code(save_directory)

    def set_attention(self, backend: str) -> Self:
        """Return this model with another way to compute ``thunder.encoder.attention``."""
        self.config.attention_backend = known_backend(backend)
        for module in self.modules():
            if isinstance(module, Layer):
                module.attention.backend = backend
        return self


class Encoder(EncoderModel):
    """DeBERTa-v3 with pre-LayerNorm; ``last_hidden_state`` is normed either way."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config)
        self.embeddings = Embeddings(config)
        self.positions = Positions(config)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.final_norm = (
            nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
            if config.norm == "pre"
            else nn.Identity()
        )
        self._warned = False
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """Return the matrix of words."""
        return self.embeddings.words

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        """Put another matrix of words in its place."""
        self.embeddings.words = value

    def freeze_positions(self) -> Self:
        """Return this model with the projections of distances as constants, until ``train()``."""
        self.positions.freeze(self._attentions())
        return self

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        document_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        output_attentions: bool | None = None,
        hint_ids: Tensor | None = None,
    ) -> Any:
        """Return a vector for each token; all inputs are B x S.

        ``attention_mask``: 1 for tokens, 0 for padding; left out, [PAD] is padding, which no text
        contains. ``document_ids``: several documents packed in a row, numbered from 1, 0 for
        padding; they do not see each other. ``token_type_ids`` are ignored, as DeBERTa-v3 has
        none. ``hint_ids``: what is said of each token from outside, for a model with ``hints``.
        Vectors of padding are not defined. ValueError for shapes that do not match and, on a
        processor, for ids beyond the vocabulary.
        """
        _refuse_attentions(output_attentions)
        words_BSW = self._words(input_ids, inputs_embeds)
        seen_BS = self._seen(input_ids, words_BSW, attention_mask, document_ids)
        layout = (
            Layout.from_mask(seen_BS) if document_ids is None else Layout.from_documents(seen_BS)
        )
        self._warn_if_long(words_BSW.shape[1], packed=document_ids is not None)
        self._require_hints(hint_ids, words_BSW)
        hidden_BSW = self.embeddings(words_BSW, seen_BS != 0, hint_ids)
        kept = [hidden_BSW]
        projected = self.positions(self._attentions())
        for layer, position in zip(self.layers, projected, strict=True):
            hidden_BSW = layer(hidden_BSW, position, layout)
            kept.append(hidden_BSW)
        return self._output(self.final_norm(hidden_BSW), kept, output_hidden_states, return_dict)

    def _attentions(self) -> list[Any]:
        return [layer.attention for layer in self.layers]

    def _words(self, input_ids: Tensor | None, inputs_embeds: Tensor | None) -> Tensor:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("either input_ids or inputs_embeds is needed, and only one of them")
        if inputs_embeds is not None:
            return inputs_embeds
        assert input_ids is not None
        if input_ids.dim() != 2:
            raise ValueError(f"input_ids are rows of tokens, B x S, not {tuple(input_ids.shape)}")
        require_known(input_ids, size=self.config.vocab_size)
        words_BSW: Tensor = self.embeddings.words(input_ids)
        return words_BSW

    def _require_hints(self, hint_ids: Tensor | None, words_BSW: Tensor) -> None:
        known = self.config.hints
        if (hint_ids is not None) != bool(known):
            which = "needs hint_ids: it was trained with hints" if known else "takes no hint_ids"
            raise ValueError(f"this model {which}")
        if hint_ids is not None:
            require_rows(hint_ids, like_BS=words_BSW[..., 0], name="hint_ids")
            require_known(hint_ids, size=known, name="hint_ids", source="taxonomy")

    def _seen(
        self,
        input_ids: Tensor | None,
        words_BSW: Tensor,
        attention_mask: Tensor | None,
        document_ids: Tensor | None,
    ) -> Tensor:
        """Return the number of each token's document, 0 for padding."""
        like_BS = words_BSW[..., 0]
        for name, given in (("attention_mask", attention_mask), ("document_ids", document_ids)):
            if given is not None:
                require_rows(given, like_BS=like_BS, name=name)
        if attention_mask is None and document_ids is None:
            padding = self.config.pad_token_id
            return torch.ones_like(like_BS).long() if input_ids is None else input_ids != padding
        if document_ids is None or attention_mask is None:
            return document_ids if attention_mask is None else attention_mask  # type: ignore[return-value]
        return document_ids * (attention_mask != 0)

    def _warn_if_long(self, length: int, *, packed: bool) -> None:
        """Warn once about rows longer than any trained on; packed rows hold shorter documents."""
        if torch.compiler.is_compiling() or packed or self._warned:
            return
        trained = self.config.max_position_embeddings
        if length > trained:
            self._warned = True
            warnings.warn(
                f"a row of {length} tokens, but this model was trained on rows of up to {trained}: "
                "distances are put into the right buckets, yet what lies far apart is guessed; "
                f"read long texts in windows of {trained}",
                stacklevel=4,
            )

    def _output(
        self,
        last_BSW: Tensor,
        kept: list[Tensor],
        output_hidden_states: bool | None,
        return_dict: bool | None,
    ) -> Any:
        wanted = self.config.output_hidden_states
        wanted = wanted if output_hidden_states is None else output_hidden_states
        states = (*kept[:-1], last_BSW) if wanted else None
        output = BaseModelOutput(last_hidden_state=last_BSW, hidden_states=states)
        as_dict = self.config.return_dict if return_dict is None else return_dict
        return output if as_dict else output.to_tuple()


def _refuse_attentions(output_attentions: bool | None) -> None:
    if output_attentions:
        raise ValueError(
            "output_attentions is not possible: fused attention never writes its weights down"
        )
