"""A tagger in the pipeline ``token-classification`` of transformers, which is the weaker way.

    from thunder.integrations.huggingface import pipeline
    pipeline()("피고인 김도윤은 자백하였다.")

What comes out are the network's own classes, with the offsets of our tokenizer: without the
thresholds that were set for a recall, without recognisers, repeats, the rule that says what stays
readable, and letters. It is for programs that know nothing else; to de-identify, use
``thunder.Deidentifier``. It needs torch, for transformers' pipelines do, even where the tagger
itself is an ONNX export.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thunder.integrations.foreign import require
from thunder.mentions.recognising import recognised, settled
from thunder.tagger import chosen_tagger, folder, hints
from thunder.tagger.onnx_model import OnnxModel
from thunder.taxonomy import Taxonomy
from thunder.tokenization import load as load_tokenizer

require("transformers", "torch")
import torch
import transformers
from transformers import PreTrainedModel, TokenClassificationPipeline
from transformers.modeling_outputs import TokenClassifierOutput

from thunder.encoder import EncoderConfig, EncoderForTokenClassification
from thunder.tokenization.transformers import ThunderTokenizer

_made_by_transformers: Any = transformers.pipeline  # its types do not know a pipeline_class


class ThunderPipeline(TokenClassificationPipeline):
    """The pipeline ``token-classification``, which tells a network with hints what it has to know.

    The whole text is read, in windows that overlap; none of it is cut off.
    """

    taxonomy: Taxonomy

    def check_model_type(self, supported_models: Any) -> None:
        """Return nothing: ``pipeline`` has checked the folder."""

    def preprocess(  # type: ignore[override]  # as TokenClassificationPipeline has it
        self, sentence: Any, offset_mapping: Any = None, **given: Any
    ) -> Iterator[Any]:
        """Yield the windows of a text, each token with its hint."""
        if not isinstance(sentence, str):
            raise ValueError("give texts, not words: the tokenizer reads whole texts")
        most = self.model.config.hints
        found = settled(sentence, recognised(sentence)) if most else []
        for window in super().preprocess(sentence, offset_mapping, **given):
            window.pop("token_type_ids", None)
            if most:
                own_S = window["special_tokens_mask"][0].numpy() == 0
                starts, ends = window["offset_mapping"][0].numpy()[own_S].T.astype("int32")
                told = hints.hints(starts, ends, found, taxonomy=self.taxonomy, most=most)
                told_S = torch.zeros_like(window["input_ids"][0])
                told_S[torch.from_numpy(own_S)] = torch.from_numpy(told)
                window["hint_ids"] = told_S.unsqueeze(0)
            yield window


class ExportedNetwork(PreTrainedModel):
    """An ONNX export that transformers takes for a network of torch; it runs on the processor."""

    config_class = EncoderConfig

    def __init__(self, config: EncoderConfig, model: OnnxModel) -> None:
        super().__init__(config)
        self._model = model
        # By its weights transformers tells on which device a network is, and in which numbers.
        self.unused = torch.nn.Parameter(torch.zeros(1), requires_grad=False)

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        hint_ids: torch.Tensor | None = None,
    ) -> TokenClassifierOutput:
        """Return the scores of each token (B x S x C) as ``logits``."""
        rows = [
            one.cpu().numpy() for one in (input_ids, attention_mask, hint_ids) if one is not None
        ]
        return TokenClassifierOutput(logits=torch.from_numpy(self._model(*rows)))


def pipeline(model: str = chosen_tagger.DEFAULT, **options: Any) -> ThunderPipeline:
    """Return the pipeline of a tagger: the name of one that ships, or a folder.

    *options* are those of ``transformers.pipeline`` (``device``, ``batch_size`` …); adjacent tokens
    of one class are one entity (``aggregation_strategy="simple"``) unless they say otherwise.

    FileNotFoundError or ValueError for a folder that is none of a tagger, was altered, is of
    another taxonomy, or holds a network that is not ours.
    """
    chosen = chosen_tagger.choose(model)
    if chosen is None:
        raise ValueError("a pipeline needs a tagger: the rules alone are thunder.Deidentifier's")
    place = chosen.place
    manifest = folder.read(place)
    taxonomy, where = folder.taxonomy_of(None)
    folder.require_labels(manifest, taxonomy, folder=place, place=where)
    network = _network(place, manifest.architecture)
    tokenizer = ThunderTokenizer(
        hybrid=load_tokenizer(place), model_max_length=manifest.length, padding_side="right"
    )
    made: ThunderPipeline = _made_by_transformers(
        "token-classification",
        model=network.eval(),
        tokenizer=tokenizer,
        pipeline_class=ThunderPipeline,
        **{"aggregation_strategy": "simple", "stride": manifest.overlap, **options},
    )
    made.taxonomy = taxonomy
    return made


def _network(place: Path, architecture: str) -> Any:
    if architecture == "onnx":
        return ExportedNetwork(EncoderConfig.from_pretrained(place), OnnxModel(place))
    if architecture == "encoder":
        return EncoderForTokenClassification.from_pretrained(place)
    raise ValueError(
        f"{place}: its network ('{architecture}') is not ours; this pipeline runs our encoder, as "
        "safetensors or ONNX: use thunder.Deidentifier(model=…)"
    )
