"""The encoder: DeBERTa-v3 with pre-LayerNorm, its heads, sizes, files and exports.

Importing this package registers the classes with ``transformers``, so that ``AutoConfig``,
``AutoModel``, ``AutoModelForMaskedLM`` and ``AutoModelForTokenClassification`` read a folder that
``save_pretrained`` wrote. Without the import they need ``trust_remote_code=True``: the folder then
holds a file that does nothing but import this package.

All of it needs torch and transformers; ``thunder.tagger.onnx_model`` reads exports without them.
"""

from importlib.util import find_spec

__all__ = [
    "SIZES",
    "Encoder",
    "EncoderConfig",
    "EncoderForMaskedLM",
    "EncoderForTokenClassification",
    "require_vocabulary",
    "sized",
]

if find_spec("torch") and find_spec("transformers"):
    from thunder.encoder.configuration import EncoderConfig
    from thunder.encoder.heads import EncoderForMaskedLM, EncoderForTokenClassification
    from thunder.encoder.model import Encoder
    from thunder.encoder.registration import register
    from thunder.encoder.sizes import SIZES, require_vocabulary, sized

    register()
else:

    def __getattr__(name: str) -> object:
        if name in __all__:
            raise ImportError(
                f"thunder.encoder.{name} needs torch and transformers: "
                "pip install 'thunder-deid[train]'"
            )
        raise AttributeError(f"module 'thunder.encoder' has no attribute {name!r}")
