"""The small baseline: embeddings, a BiLSTM, attention that says how likely a mention is.

Source: "Building a Name Masking System" (``NameTagger``): a token's attention is
``1 / (1 + exp(h M + b))``, compared with a threshold T. The paper finds names only; here a second
matrix says of which kind a mention is, and both make the scores of all classes: outside
``log(1 - a)``, a kind ``log a + log_softmax``. So their cross-entropy is the paper's for the
attention plus that of the kind, and the mass that decoding compares is the attention itself.
The paper's word vectors (word2vec, frozen) are learnt here with the rest, unless a corpus gives
some (``take``). Its last step, that what is clearly no name is none (numbers, punctuation), is
``filtered``: such tokens have no score as persons. Shapes: B rows, S tokens, E embedding, W width
of both directions, C classes, V words.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

CONFIG, WEIGHTS = "bilstm.json", "model.safetensors"
_NEVER = -1e4  # of a logarithm: nothing, and still a number


@dataclass(frozen=True, slots=True, kw_only=True)
class BilstmConfig:
    """The paper's widths: 100 for a word, 250 in each direction, and half of all dropped out.

    *filtered*: tokens that are clearly no names are none (``Bilstm.filter``).
    """

    vocab_size: int
    classes: int
    embedding: int = 100
    width: int = 250
    dropout: float = 0.5
    filtered: bool = False

    def __post_init__(self) -> None:
        for name in ("vocab_size", "embedding", "width"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name!r} must be at least 1, not {getattr(self, name)}")
        if self.classes < 2:
            raise ValueError(f"'classes' must be at least 2, not {self.classes}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"'dropout' is a share in 0 <= x < 1, not {self.dropout}")


class Bilstm(nn.Module):
    """Tokens to scores of all classes."""

    no_names_V: Tensor
    names_C: Tensor

    def __init__(self, config: BilstmConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocab_size, config.embedding)
        self.onwards = nn.LSTM(config.embedding, config.width, batch_first=True)
        self.backwards = nn.LSTM(config.embedding, config.width, batch_first=True)
        self.dropout = nn.Dropout(config.dropout)
        self.attention = nn.Linear(2 * config.width, 1)
        self.kinds = nn.Linear(2 * config.width, config.classes - 1)
        if config.filtered:
            self.register_buffer("no_names_V", torch.zeros(config.vocab_size, dtype=torch.bool))
            self.register_buffer("names_C", torch.zeros(config.classes - 1, dtype=torch.bool))

    def take(self, vectors_VE: Tensor) -> None:
        """Take the vectors of a corpus as they are: they are not trained."""
        with torch.no_grad():
            self.words.weight.copy_(vectors_VE)
        self.words.weight.requires_grad_(False)

    def filter(self, no_names: Sequence[int], names: Sequence[int]) -> None:
        """Let the tokens *no_names* be of none of the classes *names* (counted from 1)."""
        self.no_names_V[list(no_names)] = True
        self.names_C[[one - 1 for one in names]] = True

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return the scores of each token, B x S x C; the mask is 1 for tokens, 0 after them."""
        if int(input_ids.max()) >= self.config.vocab_size:
            raise ValueError("an id beyond the vocabulary: the tokens are another tokenizer's")
        hidden_BSW = self.dropout(self._read(self.words(input_ids), attention_mask.sum(1)))
        sum_BS1 = self.attention(hidden_BSW).float()
        kinds_BSC = functional.log_softmax(self.kinds(hidden_BSW).float(), dim=-1)
        inside_BSC = functional.logsigmoid(sum_BS1) + kinds_BSC
        if self.config.filtered:
            barred_BSC = self.no_names_V[input_ids][..., None] & self.names_C
            inside_BSC = inside_BSC.masked_fill(barred_BSC, _NEVER)
        return torch.cat([functional.logsigmoid(-sum_BS1), inside_BSC], dim=-1)

    def _read(self, words_BSE: Tensor, lengths_B: Tensor) -> Tensor:
        """Return what both directions make of each token; the one backwards starts at the last.

        As torch's packed sequences, on a CPU four times as fast: those miss its fused kernel.
        """
        at_S = torch.arange(words_BSE.shape[1], device=words_BSE.device)
        turned_BS = lengths_B[:, None] - 1 - at_S
        turned_BS = torch.where(turned_BS < 0, at_S, turned_BS)  # padding stays where it is
        rows_B1 = torch.arange(len(words_BSE), device=words_BSE.device)[:, None]
        onwards_BSH, _ = self.onwards(words_BSE)
        backwards_BSH, _ = self.backwards(words_BSE[rows_B1, turned_BS])
        return torch.cat([onwards_BSH, backwards_BSH[rows_B1, turned_BS]], dim=-1)

    def save(self, folder: Path) -> None:
        """Write configuration and weights."""
        text = json.dumps(asdict(self.config), indent=1)
        (folder / CONFIG).write_text(text + "\n", encoding="utf-8")
        save_file(
            {name: one.contiguous() for name, one in self.state_dict().items()}, folder / WEIGHTS
        )

    @classmethod
    def load(cls, folder: Path) -> "Bilstm":
        """Return the model in *folder*; ValueError names the file that is wrong."""
        path = folder / CONFIG
        try:
            config = BilstmConfig(**json.loads(path.read_text("utf-8")))
        except (OSError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: no configuration of a BiLSTM tagger: {error}") from None
        model = cls(config)
        try:
            model.load_state_dict(load_file(folder / WEIGHTS))
        except Exception as error:  # safetensors' and torch's have nothing in common
            raise ValueError(f"{folder / WEIGHTS}: not this model's weights: {error}") from None
        return model
