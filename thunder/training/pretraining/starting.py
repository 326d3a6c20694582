"""What a run goes on from: the weights of an encoder that was exported before."""

import json
from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from thunder.encoder import EncoderForMaskedLM
from thunder.encoder.configuration import EncoderConfig
from thunder.training.pretraining.samples import tokenizer_folder
from thunder.training.pretraining.settings import Pretraining

_TOKENIZER = "thunder.json"
_SHAPE = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    *("vocab_size", "position_buckets", "max_relative_positions", "norm"),
)


def weights(settings: Pretraining, config: EncoderConfig) -> Mapping[str, Tensor]:
    """Return the weights in ``settings.model.start``, which fit *config* and the tokenizer.

    FileNotFoundError names what the folder lacks, ValueError what does not fit.
    """
    folder = settings.model.start
    if folder is None:
        raise ValueError("the settings have no model.start")
    tokenizer = tokenizer_folder(settings.corpus.tokenizer)
    if _read(folder / _TOKENIZER) != _read(tokenizer / _TOKENIZER):
        raise ValueError(
            f"model.start: {folder} was trained with another tokenizer than {tokenizer}"
        )
    found = EncoderForMaskedLM.from_pretrained(folder)
    for key in _SHAPE:
        own, its = getattr(config, key), getattr(found.config, key)
        if own != its:
            raise ValueError(f"model.start: {folder} is of another shape: {key} {its}, not {own}")
    return dict(found.state_dict())


def _read(path: Path) -> object:
    if not path.is_file():
        raise FileNotFoundError(f"model.start: {path} is missing: export the encoder anew")
    return json.loads(path.read_text("utf-8"))
