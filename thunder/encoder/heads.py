"""The two heads: words that were masked, and a class for each token.

Shapes: B rows, S tokens, W width, N tokens that are asked, V words, C classes.
"""

# transformers' base classes are half typed, and its outputs want FloatTensor, which nobody makes.
# mypy: disable-error-code="arg-type, misc, no-untyped-call"

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.modeling_outputs import MaskedLMOutput, TokenClassifierOutput

from thunder.encoder.configuration import EncoderConfig
from thunder.encoder.layers import require_rows
from thunder.encoder.model import Encoder, EncoderModel

IGNORED = -100


@dataclass
class CountedLM(MaskedLMOutput):
    """A masked language model's answer; the last three count labelled tokens only, in 0-dim.

    ``loss`` is ``loss_sum / count``; several processes add up sums and counts.
    """

    loss_sum: Tensor | None = None
    count: Tensor | None = None
    correct: Tensor | None = None


@dataclass
class CountedTokens(TokenClassifierOutput):
    """A tagger's answer; the last three count labelled tokens only, in 0-dim."""

    loss_sum: Tensor | None = None
    count: Tensor | None = None
    correct: Tensor | None = None


class LanguageHead(nn.Module):
    """Vectors to scores of all words; the matrix is the embeddings' unless it is not tied."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)

    def forward(self, hidden_NW: Tensor) -> Tensor:
        """Return the score of each word."""
        scores_NV: Tensor = self.decoder(self.norm(functional.gelu(self.dense(hidden_NW))))
        return scores_NV


class EncoderForMaskedLM(EncoderModel):
    """The encoder in pre-training: which word stood here?"""

    _tied_weights_keys: ClassVar[dict[str, str]] = {
        "head.decoder.weight": "encoder.embeddings.words.weight"
    }

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config)
        self.encoder = Encoder(config)
        self.head = LanguageHead(config)
        self.post_init()

    def get_output_embeddings(self) -> nn.Module:
        """Return the layer that scores words."""
        return self.head.decoder

    def set_output_embeddings(self, new_embeddings: nn.Linear) -> None:
        """Put another layer that scores words in its place."""
        self.head.decoder = new_embeddings

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        document_ids: Tensor | None = None,
        labels: Tensor | None = None,
        asked: Tensor | None = None,
        **inputs: Any,
    ) -> Any:
        """Return loss and counts where there are labels, else the scores of all words everywhere.

        ``labels`` (B x S): the right word's id, -100 where nobody asks; scores are computed only
        where somebody does, and are not returned. ``asked``: the places of labelled tokens in the
        flattened B x S, if the caller knows them; without it they are looked for, which makes a
        GPU wait once. It may be padded with places that have no label, so that its length is
        always the same (for ``torch.compile``); labelled places that it leaves out do not count.
        """
        found = self.encoder(input_ids, attention_mask, document_ids, **_for_encoder(inputs))
        hidden_BSW = found[0]
        if labels is None:
            scores_BSV = self.head(hidden_BSW)
            output = CountedLM(logits=scores_BSV, hidden_states=found.get("hidden_states"))
            return output if _as_dict(self, inputs) else output.to_tuple()
        require_rows(labels, like_BS=hidden_BSW[..., 0], name="labels")
        labels_N = labels.flatten()
        places_N = (labels_N != IGNORED).nonzero().flatten() if asked is None else asked
        scores_NV = self.head(hidden_BSW.flatten(0, 1)[places_N])
        counted = _counted(scores_NV, labels_N[places_N])
        output = CountedLM(hidden_states=found.get("hidden_states"), **counted)
        return output if _as_dict(self, inputs) else output.to_tuple()


class EncoderForTokenClassification(EncoderModel):
    """The encoder as a tagger: to which class does each token belong?"""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        self.encoder = Encoder(config)
        self.dropout = nn.Dropout(config.classifier_dropout)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        document_ids: Tensor | None = None,
        labels: Tensor | None = None,
        **inputs: Any,
    ) -> Any:
        """Return the scores of all classes for each token, and the loss where there are labels.

        ``labels`` (B x S): the right class, -100 where nobody asks. ``hint_ids`` go to the encoder.
        """
        found = self.encoder(input_ids, attention_mask, document_ids, **_for_encoder(inputs))
        scores_BSC = self.classifier(self.dropout(found[0]))
        counted = {}
        if labels is not None:
            require_rows(labels, like_BS=scores_BSC[..., 0], name="labels")
            counted = _counted(scores_BSC.flatten(0, 1), labels.flatten())
        states = found.get("hidden_states")
        output = CountedTokens(logits=scores_BSC, hidden_states=states, **counted)
        return output if _as_dict(self, inputs) else output.to_tuple()


def _for_encoder(inputs: dict[str, Any]) -> dict[str, Any]:
    return {**inputs, "return_dict": True}


def _as_dict(model: EncoderModel, inputs: dict[str, Any]) -> bool:
    asked = inputs.get("return_dict")
    return bool(model.config.return_dict if asked is None else asked)


def _counted(scores_NV: Tensor, labels_N: Tensor) -> dict[str, Tensor]:
    """Return loss, its sum, how many tokens were asked and how many were right."""
    total = functional.cross_entropy(
        scores_NV.float(), labels_N.long(), reduction="sum", ignore_index=IGNORED
    )
    with torch.no_grad():
        count = (labels_N != IGNORED).sum()
        # max() finds the place in a quarter of the time that argmax() takes in bfloat16 on a CPU
        correct = (scores_NV.max(-1).indices == labels_N).sum()
    return {
        "loss": total / count.clamp(min=1),
        "loss_sum": total,
        "count": count,
        "correct": correct,
    }
