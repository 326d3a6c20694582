"""A checkpoint as a Hugging Face folder, compared with what it was made from."""

import tempfile
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from thunder.encoder import EncoderForMaskedLM
from thunder.settings import config
from thunder.tokenization import load
from thunder.tokenization.transformers import ThunderTokenizer
from thunder.training import checkpoints
from thunder.training.pretraining.running import encoder_config
from thunder.training.pretraining.samples import tokenizer_folder
from thunder.training.pretraining.settings import Pretraining

_TOLERANCE = 1e-5


class Exported(NamedTuple):
    """The folder, the step it was taken at, and the largest difference between two logits."""

    folder: Path
    step: int
    difference: float


def export(place: Path, folder: Path) -> Exported:
    """Write a checkpoint, or the last whole one of a run's folder, as *folder*.

    The folder holds the encoder with its language head and the tokenizer, as ``AutoModel`` and
    ``AutoTokenizer`` read them. It is read back and must give the same logits as the weights of
    the checkpoint: ValueError says by how much they differ, and nothing is written.
    """
    if folder.exists():
        raise ValueError(f"{folder} exists: give the name of a new folder")
    path = _checkpoint(place)
    model, settings = restored(path)
    hybrid = load(tokenizer_folder(settings.corpus.tokenizer))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as aside:
        written = Path(aside) / "folder"
        model.save_pretrained(written)
        ThunderTokenizer(hybrid=hybrid).save_pretrained(written)
        again = EncoderForMaskedLM.from_pretrained(written).train(False)
        difference = float((_logits(model) - _logits(again)).abs().max())
        if not difference <= _TOLERANCE:
            raise ValueError(f"{path}: read back, its logits differ by {difference:.2e}")
        written.rename(folder)
    return Exported(folder, checkpoints.step_of(path), difference)


def restored(path: Path) -> tuple[EncoderForMaskedLM, Pretraining]:
    """Return the model of a checkpoint, in fp32 and for use, and the settings of its run."""
    table = checkpoints.state(path)["settings"]
    settings = config.from_table(table, Pretraining, origin=str(path / "state.json"))
    model = EncoderForMaskedLM(encoder_config(settings))
    kept = dict(checkpoints.weights(path))
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    with torch.no_grad():
        for name, weight in kept.items():
            own[name].copy_(weight)
    model.train(False)
    return model, settings


def _checkpoint(place: Path) -> Path:
    if (place / "manifest.json").is_file():
        wrong = checkpoints.problems(place)
        if wrong:
            raise ValueError("\n".join(wrong))
        return place
    found = checkpoints.latest(place)
    if found.path is None:
        raise ValueError("\n".join([f"{place}: holds no whole checkpoint", *found.passed_over]))
    return found.path


def _logits(model: EncoderForMaskedLM) -> Tensor:
    """Return logits for ids that are drawn, once of one document and once of two in a row."""
    chance = torch.Generator().manual_seed(1)
    ids_BS = torch.randint(5, model.config.vocab_size, (2, 48), generator=chance)
    documents_BS = torch.ones_like(ids_BS)
    documents_BS[1, 20:] = 2
    with torch.no_grad():
        logits: Tensor = model(input_ids=ids_BS, document_ids=documents_BS).logits
    return logits
