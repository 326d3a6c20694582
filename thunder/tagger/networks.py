"""The networks that tag, by architecture: made, read from a folder, written, asked.

``encoder`` is ours, ``transformers`` any encoder or decoder that ``AutoModel`` knows, with one
linear layer over its last vectors (as the paper's Polyglot-ko and EXAONE-3.5 baselines), and
``bilstm`` the small baseline. Shapes: B rows, S tokens, W width, C classes.
"""

# transformers' base classes are half typed.
# mypy: disable-error-code="no-untyped-call"

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import (
    CONFIG_MAPPING,
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
)
from transformers.dynamic_module_utils import custom_object_save

from thunder.encoder import EncoderConfig, EncoderForTokenClassification
from thunder.encoder.layers import Hints
from thunder.tagger import messages as say
from thunder.tagger.bilstm import Bilstm

HEAD = "head.safetensors"
BACKBONE = "backbone"


class OtherTagger(nn.Module):
    """A model of ``transformers`` with a linear layer over its last vectors."""

    def __init__(self, backbone: Any, *, classes: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.backbone = backbone
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(backbone.config.hidden_size, classes)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the scores of each token, B x S x C."""
        found = self.backbone(input_ids=input_ids, attention_mask=attention_mask)
        scores_BSC: Tensor = self.classifier(self.dropout(found.last_hidden_state))
        return scores_BSC

    @classmethod
    def made(
        cls, place: Path, *, classes: int, trust: bool = False, changes: Mapping[str, Any]
    ) -> "OtherTagger":
        """Return the model of the folder *place* with a new head; safetensors only, in fp32.

        *trust* runs the code that lies beside the weights, as EXAONE needs; *changes* are keys of
        its configuration. A folder without weights gives random ones.
        """
        if any(place.glob("*.safetensors*")):
            found = _backbone(place, trust=trust, changes=changes, weights=True)
        elif any(place.glob("*.bin")) or any(place.glob("*.pt")):
            raise ValueError(say.NO_PICKLE(place=place))
        else:
            found = _backbone(place, trust=trust, changes=changes, weights=False)
        return cls(found.float(), classes=classes)

    @classmethod
    def shaped(cls, place: Path, *, trust: bool = False) -> "OtherTagger":
        """Return the same without its weights being read: for counting them."""
        return cls(_backbone(place, trust=trust, changes={}, weights=False), classes=1)


def _backbone(place: Path, *, trust: bool, changes: Mapping[str, Any], weights: bool) -> Any:
    """Return a model of transformers without a head, with its *weights* or with random ones."""
    own_code = _has_own_code(place)
    require_trust(place, own_code=own_code, trust=trust)
    trust &= own_code  # what transformers knows itself needs none: EXAONE-3.5 since 5.24
    options = {"local_files_only": True, "trust_remote_code": trust}
    config = AutoConfig.from_pretrained(place, **options, **changes)
    auto = _auto_of(config)
    if weights:
        made = auto.from_pretrained(place, config=config, use_safetensors=True, **options)
    else:
        made = auto.from_config(config, trust_remote_code=trust)
    return made if auto is AutoModel else made.base_model


def _auto_of(config: Any) -> Any:
    """Return what makes the model: ``AutoModel``, or a head that its own code does know.

    EXAONE-3.5's code knows the causal and the sequence head only; its backbone is taken from one.
    """
    own = getattr(config, "auto_map", None) or {}
    if config.model_type in CONFIG_MAPPING or "AutoModel" in own or not own:
        return AutoModel
    for auto in (AutoModelForCausalLM, AutoModelForSequenceClassification):
        if auto.__name__ in own:
            return auto
    known = ", ".join(sorted(own))
    raise ValueError(
        f"{config.name_or_path}: its code knows neither AutoModel nor a causal or sequence head, "
        f"but {known}"
    )


def require_trust(place: Path, *, own_code: bool, trust: bool) -> None:
    """Raise ValueError where code in the folder *place* would run and nobody has allowed it."""
    if own_code and not trust:
        raise ValueError(say.NEEDS_TRUST(place=place))


def _has_own_code(place: Path) -> bool:
    """Return whether ``transformers`` knows no such model but by the code beside its weights."""
    try:
        table = json.loads((place / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(say.NO_CONFIGURATION(path=place / "config.json", why=error)) from None
    return bool(table.get("auto_map")) and table.get("model_type") not in CONFIG_MAPPING


def longest(network: nn.Module) -> int | None:
    """Return how many tokens a row may have at most, None where nothing limits it."""
    if not isinstance(network, OtherTagger):
        return None
    config = network.backbone.config
    found = getattr(config, "max_position_embeddings", None)
    offset = 2 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
    return None if found is None else int(found) - offset


def hints(network: nn.Module) -> int:
    """Return how many different hints the network knows, 0 where it takes none."""
    return network.config.hints if isinstance(network, EncoderForTokenClassification) else 0


def take_hints(network: nn.Module, number: int) -> None:
    """Make our encoder take *number* hints; those it knew keep their vectors, new ones are zero."""
    assert isinstance(network, EncoderForTokenClassification)
    old = network.encoder.embeddings.hints
    made = Hints(number, network.config.hidden_size)
    with torch.no_grad():
        made.weight.zero_()
        if old is not None:
            made.weight[: len(old.weight)] = old.weight
    network.encoder.embeddings.hints = made
    network.config.hints = number


def scores(network: nn.Module, inputs: Mapping[str, Tensor]) -> Tensor:
    """Return the scores of each token, whatever the network calls them."""
    found = network(**inputs)
    scores_BSC: Tensor = found if isinstance(found, Tensor) else found.logits
    return scores_BSC


def head(network: nn.Module) -> nn.Linear:
    """Return the layer that has a row for each class; LookupError where none has."""
    found = getattr(network, "classifier", None)
    if not isinstance(found, nn.Linear):
        raise LookupError("a BiLSTM's head has no rows to keep: train it from the start")
    return found


def put_head(network: nn.Module, new: nn.Linear) -> None:
    """Put another head in the place of a network's own."""
    network.classifier = new
    if isinstance(network, EncoderForTokenClassification):
        network.num_labels = network.config.num_labels = new.out_features


def name_classes(network: nn.Module, names: Sequence[str]) -> None:
    """Write the classes' names into the configuration, for programs that know nothing of ours."""
    config: Any = network.config
    config.id2label = dict(enumerate(names))
    config.label2id = {name: at for at, name in enumerate(names)}


def save(network: nn.Module, folder: Path) -> None:
    """Write a network so that ``opened`` reads it back."""
    if isinstance(network, OtherTagger):
        network.backbone.save_pretrained(folder / BACKBONE)
        if _has_own_code(folder / BACKBONE):  # of a head's backbone nothing else copies it
            custom_object_save(network.backbone, folder / BACKBONE)
        tensors = {name: one.contiguous() for name, one in network.classifier.state_dict().items()}
        save_file(tensors, folder / HEAD)
    elif isinstance(network, Bilstm):
        network.save(folder)
    else:
        assert isinstance(network, EncoderForTokenClassification)
        network.save_pretrained(folder)


def opened(folder: Path, architecture: str, *, trust: bool = False) -> nn.Module:
    """Return the network in *folder*, for use; ValueError names the file that is wrong."""
    if architecture == "bilstm":
        return Bilstm.load(folder).eval()
    if architecture == "transformers":
        return _other(folder, trust=trust).eval()
    network: nn.Module = EncoderForTokenClassification.from_pretrained(folder)
    return network.eval()


def encoder(
    config: EncoderConfig | None, *, start: Path | None, classes: int, changes: Mapping[str, Any]
) -> nn.Module:
    """Return our encoder with a new head: fresh from *config*, or from the folder *start*."""
    if start is None:
        assert config is not None
        config.num_labels = classes
        return EncoderForTokenClassification(config)
    found = EncoderForTokenClassification.from_pretrained(start, num_labels=classes, **changes)
    network: nn.Module = found
    return network


def _other(folder: Path, *, trust: bool) -> OtherTagger:
    try:
        kept = load_file(folder / HEAD)
    except Exception as error:  # safetensors has no class of error to name
        raise ValueError(f"{folder / HEAD}: cannot be read: {error}") from None
    classes = len(kept["bias"])
    network = OtherTagger.made(folder / BACKBONE, classes=classes, trust=trust, changes={})
    network.classifier.load_state_dict(kept)
    return network
