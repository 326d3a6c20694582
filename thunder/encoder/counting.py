"""How many weights an encoder has and how much arithmetic a token costs, from its shape alone.

Formulas, with L layers, width H, feed-forward width I, R = 2 x buckets rows of distances,
V words, S tokens in a row:

parameters
    layer       4 H(H+1) + I(H+1) + H(I+1) + 4 H     (attention, feed-forward, two norms)
    encoder     (V + hints) H + 2 H  +  R H + 2 H  +  L layers  [+ 2 H, pre-LayerNorm's last norm]
    head        H(H+1) + 2 H + V                      [+ V H where its output is not tied]

training FLOPs per token (2 for a multiply and add; backward costs twice the forward, hence 3)
    linear          3 x 2 L (4 H^2 + 2 H I)
    attention       3 x 4 L S H      (q.k and p.v; every token sees the row's S tokens)
    disentangled    3 x 4 L R H      (content to position and position to content)
    head            3 x 2 (H^2 + H V) x share of the tokens that are asked

Only useful work counts: no recomputation, no logits that nobody asked for, and not the
projections of the R distance rows, which are made once per step and not per token.
"""

from typing import NamedTuple


class Shape(NamedTuple):
    """The numbers of a configuration that decide size and cost."""

    layers: int
    width: int
    feed_forward: int
    rows: int
    words: int
    final_norm: bool
    tied: bool
    hints: int = 0


class Parameters(NamedTuple):
    """Weights of a masked language model by part; ``output`` is 0 where it is tied."""

    embeddings: int
    positions: int
    layers: int
    final_norm: int
    head: int
    output: int

    @property
    def encoder(self) -> int:
        """The encoder alone, without any head."""
        return self.embeddings + self.positions + self.layers + self.final_norm

    @property
    def total(self) -> int:
        """The masked language model as it is trained and saved."""
        return self.encoder + self.head + self.output


def parameters(shape: Shape) -> Parameters:
    """Return the number of weights of the masked language model of this *shape*, by part."""
    width, inner = shape.width, shape.feed_forward
    layer = 4 * width * (width + 1) + inner * (width + 1) + width * (inner + 1) + 4 * width
    return Parameters(
        embeddings=(shape.words + shape.hints) * width + 2 * width,
        positions=shape.rows * width + 2 * width,
        layers=shape.layers * layer,
        final_norm=2 * width if shape.final_norm else 0,
        head=width * (width + 1) + 2 * width + shape.words,
        output=0 if shape.tied else shape.words * width,
    )


class Flops(NamedTuple):
    """Training FLOPs of one token by part, forward and backward."""

    linear: float
    attention: float
    disentangled: float
    head: float


def flops(shape: Shape, *, length: int, head_share: float) -> Flops:
    """Return the useful training FLOPs per token in rows of *length* tokens, by part."""
    width = shape.width
    per_layer = 4 * width**2 + 2 * width * shape.feed_forward
    return Flops(
        linear=3.0 * 2 * shape.layers * per_layer,
        attention=3.0 * 4 * shape.layers * length * width,
        disentangled=3.0 * 4 * shape.layers * shape.rows * width,
        head=3.0 * 2 * (width**2 + width * shape.words) * head_share,
    )
