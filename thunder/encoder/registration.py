"""Telling transformers' Auto classes about the encoder."""

from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForTokenClassification,
)

from thunder.encoder.configuration import MODEL_TYPE, EncoderConfig
from thunder.encoder.heads import EncoderForMaskedLM, EncoderForTokenClassification
from thunder.encoder.model import Encoder

_CLASSES = {
    AutoModel: Encoder,
    AutoModelForMaskedLM: EncoderForMaskedLM,
    AutoModelForTokenClassification: EncoderForTokenClassification,
}


def register() -> None:
    """Have the Auto classes find the encoder's by its ``model_type``; twice does no harm."""
    AutoConfig.register(MODEL_TYPE, EncoderConfig, exist_ok=True)
    for auto, ours in _CLASSES.items():
        auto.register(EncoderConfig, ours, exist_ok=True)
