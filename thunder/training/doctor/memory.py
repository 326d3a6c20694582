"""How much memory a run takes, from its sizes alone.

Per process, with P weights, N processes, L layers of width H with A heads, V words, T tokens in a
micro-batch of rows of S, b bytes per value (2 in bf16 and fp16, 4 in fp32):

    states       ZeRO 0   16 P              weights 4, gradients 4, moments 8
                 ZeRO 1    8 P + 12 P/N     DeepSpeed copies each part of the weights (4 P/N)
                 ZeRO 2    4 P + 16 P/N
                 ZeRO 3   16 P/N
      in fp16    ZeRO 1    4 P + 12 P/N     weights and gradients 2 each, masters 4, moments 8
                 ZeRO 2    2 P + 14 P/N
                 ZeRO 3   16 P/N
    cast weights  b P                       of autocast: none in fp32, none in fp16 with ZeRO 1 to 3
    activations  18 b L H T                 on a GPU, whose attention keeps no scores
                 36 b L H T + 10 L A S T    on a CPU: more is kept, and the scores
    head         0.15 T V (b + 8)           logits where a token is asked, and their gradient

The first follows from the formats; a GPU's activations were counted for fused attention in bf16
(36 L H bytes a token), not measured; a CPU's were fitted to one run (small, 32 x 128, bf16: 2.1 GB
at most). A tenth is added for what an allocator wastes, and 0.5 GB for the libraries.
"""

from typing import NamedTuple

from thunder.encoder.configuration import EncoderConfig
from thunder.training.settings import EngineSettings, Phase

_WASTE = 1.1
_LIBRARIES = 0.5e9


class Network(NamedTuple):
    """The sizes of a network that its memory follows from."""

    weights: float
    layers: int
    width: int
    heads: int

    @classmethod
    def of(cls, config: EncoderConfig) -> "Network":
        """Return those of our encoder."""
        heads = config.num_attention_heads
        layers, width = config.num_hidden_layers, config.hidden_size
        return cls(config.parameters().total, layers, width, heads)


class Memory(NamedTuple):
    """Bytes of one process."""

    states: float
    cast: float
    activations: float
    head: float

    @property
    def total(self) -> float:
        """All of it, with what an allocator wastes and the libraries take."""
        return _WASTE * sum(self) + _LIBRARIES

    @property
    def fixed(self) -> float:
        """What a smaller micro-batch would not lessen."""
        return _WASTE * (self.states + self.cast) + _LIBRARIES


def needed(
    config: EncoderConfig,
    phase: Phase,
    *,
    engine: EngineSettings,
    processes: int,
    share: float,
    fused: bool,
) -> Memory:
    """Return what a process needs for a phase of pre-training; *share* of the tokens is asked."""
    tokens = phase.micro_batch * phase.length
    return taken(
        Network.of(config),
        tokens=tokens,
        length=phase.length,
        scores=share * tokens * config.vocab_size,
        engine=engine,
        processes=processes,
        fused=fused,
    )


def taken(
    network: Network,
    *,
    tokens: int,
    length: int,
    scores: float,
    engine: EngineSettings,
    processes: int,
    fused: bool,
) -> Memory:
    """Return what a process needs: *tokens* at once in rows of *length*, so many *scores*."""
    size = 4 if engine.precision == "fp32" else 2
    activations = 18 * size * network.layers * network.width * tokens
    if not fused:
        activations = 2 * activations + 10 * network.layers * network.heads * length * tokens
    halved = engine.precision == "fp16" and engine.zero > 0
    return Memory(
        states=_states(engine.zero, processes, halved=halved) * network.weights,
        cast=0.0 if engine.precision == "fp32" or halved else size * network.weights,
        activations=activations,
        head=scores * (size + 8),
    )


def _states(zero: int, processes: int, *, halved: bool) -> float:
    """Return the bytes of weights, gradients and moments per weight; *halved*: fp16 weights."""
    everywhere = {0: 16, 1: 8, 2: 4, 3: 0} if not halved else {1: 4, 2: 2, 3: 0}
    shared = {0: 0, 1: 12, 2: 16, 3: 16} if not halved else {1: 12, 2: 14, 3: 16}
    return everywhere[zero] + shared[zero] / processes


def checkpoint(network: Network) -> float:
    """Return the bytes of one checkpoint: weights and two moments in fp32."""
    return 12.0 * network.weights
