"""The configuration of an encoder: strict, saved as ``config.json``, read by ``AutoConfig``."""

# transformers' base class is half typed.
# mypy: disable-error-code="no-untyped-call"

from dataclasses import fields
from os import PathLike
from typing import Any, ClassVar

from transformers import PretrainedConfig

from thunder.encoder import counting

MODEL_TYPE = "thunder-encoder"
NORMS = ("pre", "post")
_COUNTS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "position_buckets",
    "max_relative_positions",
)
_SHARES = ("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout")
# What transformers itself hands to a configuration beside its fields.
_PASSED = frozenset(
    {
        "_commit_hash",
        "_name_or_path",
        "attn_implementation",
        "auto_map",
        "experts_implementation",
        "model_type",
        "name_or_path",
        "num_labels",
        "output_attentions",
        "torch_dtype",
    }
)
_LOADING = frozenset({"_from_auto", "_from_pipeline", "dtype", "return_unused_kwargs"})


class EncoderConfig(PretrainedConfig):
    """What an encoder looks like; ValueError names an unknown key or an impossible value.

    Names and meaning are those of ``transformers``' DebertaV2Config with what DeBERTa-v3 fixes
    left out (both disentangled terms, shared keys, normed distance rows, no absolute positions,
    no token types), and ``norm``: "pre" as in the Thunder-DeID paper, or "post" as in DeBERTa.

    ``max_position_embeddings`` is the longest row trained so far and only decides when a warning
    is given. ``max_relative_positions`` decides which distances share a bucket; it stays what it
    was when training goes on with longer rows, or every distance beyond half of the buckets would
    suddenly be looked up in another row. ``hints`` is how many different things can be said of a
    token from outside (``hint_ids``), 0 for none: each has a vector, which starts at zero and is
    added to the word's. ``attention_backend`` belongs to the machine and is not saved.
    """

    model_type = MODEL_TYPE
    keys_to_ignore_at_inference: ClassVar[list[str]] = ["loss_sum", "count", "correct"]

    vocab_size: int = 33_472
    hidden_size: int = 1024
    num_hidden_layers: int = 24
    num_attention_heads: int = 16
    intermediate_size: int | None = None
    norm: str = "pre"
    position_buckets: int = 256
    max_relative_positions: int = 512
    max_position_embeddings: int = 512
    hidden_dropout_prob: float = 0.0
    attention_probs_dropout_prob: float = 0.0
    classifier_dropout: float = 0.0
    layer_norm_eps: float = 1e-7
    initializer_range: float = 0.02
    pad_token_id: int = 0
    tie_word_embeddings: bool = True
    hints: int = 0
    attention_backend: str = "auto"

    def __post_init__(self, **kwargs: Any) -> None:
        self._refuse_unknown(kwargs)
        if self.intermediate_size is None:
            self.intermediate_size = 4 * self.hidden_size
        kwargs.pop("model_type", None)
        super().__post_init__(**kwargs)
        self.validate()

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """Return the names of this configuration's own keys."""
        inherited = {field.name for field in fields(PretrainedConfig)}
        return tuple(field.name for field in fields(cls) if field.name not in inherited)

    @classmethod
    def _refuse_unknown(cls, given: dict[str, Any]) -> None:
        unknown = sorted(set(given) - _PASSED)
        if unknown:
            raise ValueError(
                f"unknown key {', '.join(map(repr, unknown))} in an encoder's configuration; "
                f"known are {', '.join(cls.keys())}"
            )
        if given.get("model_type", MODEL_TYPE) != MODEL_TYPE:
            raise ValueError(
                f"model_type is {given['model_type']!r}, not {MODEL_TYPE!r}: this is another model"
            )

    def validate(self) -> None:
        """Raise ValueError that names the first key whose value is impossible."""
        for key in _COUNTS:
            self._require(key, _is_count(getattr(self, key)), "a whole number above 0")
        for key in _SHARES:
            self._require(key, _is_share(getattr(self, key)), "a number from 0 to below 1")
        for key in ("layer_norm_eps", "initializer_range"):
            self._require(key, _is_number(getattr(self, key)), "a number above 0")
        counted = self.hints == 0 or _is_count(self.hints)
        self._require("hints", counted, "a whole number, 0 for none")
        self._require("norm", self.norm in NORMS, "'pre' or 'post'")
        named = isinstance(self.attention_backend, str)
        self._require("attention_backend", named, "a name that thunder.encoder.attention knows")
        self._require("tie_word_embeddings", isinstance(self.tie_word_embeddings, bool), "a bool")
        self._validate_pairs()

    def _validate_pairs(self) -> None:
        """Raise ValueError where single values are possible but not together."""
        divides = self.hidden_size % self.num_attention_heads == 0
        self._require("num_attention_heads", divides, f"a divisor of {self.hidden_size=}")
        even = self.position_buckets % 2 == 0 and self.position_buckets >= 4
        self._require("position_buckets", even, "an even number of at least 4")
        wide = self.max_relative_positions > self.position_buckets // 2 + 1
        least = f"more than half of {self.position_buckets=} and one"
        self._require("max_relative_positions", wide, least)
        inside = _is_index(self.pad_token_id) and self.pad_token_id < self.vocab_size
        self._require("pad_token_id", inside, f"an id below {self.vocab_size=}")
        self._require("is_encoder_decoder", not self.is_encoder_decoder, "false for an encoder")
        self._require("chunk_size_feed_forward", not self.chunk_size_feed_forward, "0")

    def _require(self, key: str, holds: bool, expected: str) -> None:
        if not holds:
            expected = expected.replace("self.", "")
            raise ValueError(f"{key} is {getattr(self, key)!r}, but has to be {expected}")

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **kwargs: Any) -> Any:
        """Return the configuration that *config_dict* describes, changed by *kwargs*."""
        if not kwargs.get("return_unused_kwargs"):
            changes = set(kwargs) - _LOADING - set(_field_names(cls))
            cls._refuse_unknown({key: kwargs[key] for key in changes})
        made = super().from_dict(config_dict, **kwargs)
        (made[0] if isinstance(made, tuple) else made).validate()
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is saved: what belongs to this machine is not."""
        found: dict[str, Any] = super().to_dict()
        found.pop("attention_backend", None)
        return found

    def save_pretrained(self, save_directory: str | PathLike[str], **kwargs: Any) -> None:  # type: ignore[override]
        """Write ``config.json``; ValueError where a value changed since is impossible."""
        self.validate()
        super().save_pretrained(save_directory, **kwargs)

    @property
    def position_rows(self) -> int:
        """How many rows of distances there are: two for each bucket, before and behind."""
        return 2 * self.position_buckets

    def shape(self) -> counting.Shape:
        """Return the numbers that size and cost depend on."""
        return counting.Shape(
            layers=self.num_hidden_layers,
            width=self.hidden_size,
            feed_forward=self.intermediate_size or 4 * self.hidden_size,
            rows=self.position_rows,
            words=self.vocab_size,
            final_norm=self.norm == "pre",
            tied=self.tie_word_embeddings,
            hints=self.hints,
        )

    def parameters(self) -> counting.Parameters:
        """Return the number of weights by part (``thunder.encoder.counting`` has the formulas)."""
        return counting.parameters(self.shape())

    def flops_per_token(self, length: int, head_share: float = 0.15) -> float:
        """Return the useful training FLOPs of a token in a row of *length*, forward and backward.

        ``3 [2 L (4 H^2 + 2 H I) + 4 L S H + 4 L R H + 2 (H^2 + H V) share]``: linear layers,
        attention, its two disentangled terms (R = 2 x position_buckets), and the head at the
        share of tokens that are asked (15 % in pre-training, 0 without a language model head).
        """
        return sum(counting.flops(self.shape(), length=length, head_share=head_share))


def _field_names(cls: type[EncoderConfig]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_count(value: object) -> bool:
    return _is_index(value) and value != 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1
