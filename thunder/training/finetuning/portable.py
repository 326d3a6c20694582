"""A tagger as a folder that needs no torch, compared with the original on real documents.

And the way back (``thaw``), for training that goes on from what ships.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from thunder import tokenization
from thunder.tagger import dial, folder, networks, tokenizers
from thunder.tagger.folder import Manifest
from thunder.tagger.onnx_model import OnnxModel
from thunder.tagger.tagger import Tagger
from thunder.tagger.tokenizers import OurTokenizer, TaggerTokenizer
from thunder.tagger.torch_backend import TorchScorer
from thunder.text.spans import Span
from thunder.training.exports.onnx import SHAPES, TOLERANCE_INT8, largest_difference
from thunder.training.exports.onnx import export as write_graph
from thunder.training.exports.quantisation import rounding
from thunder.training.exports.thawing import thawed
from thunder.training.finetuning.exporting import documents, new_folder
from thunder.training.finetuning.fitting import Document, fit
from thunder.training_data.datasets.dataset import Dataset

COMPARED = 500
_FRAME = 2  # tokens of a window that are none of the text


class Compared(NamedTuple):
    """How many documents two taggers read, in how many their spans differ, and by how many.

    *spans* are the original's, *lost* those that the other has not with the same place and label,
    *new* those that only the other has; *masked* and *unlike* count characters masked by the
    original and by one of them only.
    """

    documents: int = 0
    differing: int = 0
    spans: int = 0
    lost: int = 0
    new: int = 0
    masked: int = 0
    unlike: int = 0


def export_onnx(
    tagger: Path,
    place: Path,
    *,
    int8: bool = False,
    windows: tuple[int, int] | None = None,
    dataset: Path | None = None,
    number: int = COMPARED,
    taxonomy: Path | None = None,
    recall: float | None = None,
) -> Compared:
    """Write the tagger in a folder (of our encoder) as one that needs no torch.

    It reads in *windows* of so many tokens that share so many, in the original's without; shorter
    ones are faster. ``exports.onnx.export`` compares its scores with the original's. With a
    *dataset* its spans are compared with those that the original finds in its own windows, on
    *number* of the dataset's development and test documents, and its thresholds are set anew on
    the development part; without, they are the original's and nothing is said of spans. What was
    found stands in ``tagger.json``, too. *place* appears whole or not at all; ValueError says what
    is wrong.
    """
    about = folder.read(tagger)
    if about.architecture != "encoder":
        raise ValueError(f"{tagger}: a tagger of kind '{about.architecture}' has no ONNX form")
    length, overlap = windows or (about.length, about.overlap)
    if not 16 <= length <= about.length or not 0 <= overlap <= (length - _FRAME) // 2:
        raise ValueError(
            f"windows of {length} tokens that share {overlap}: they have 16 to {about.length} "
            "tokens, as many as it was trained on, and share less than half of them"
        )
    about = replace(about, length=length, overlap=overlap)
    opened = Dataset.open(dataset, verify="quick", taxonomy=taxonomy) if dataset else None
    with new_folder(place) as written:
        _write(tagger, about, written, int8=int8)
        found = Compared()
        if opened:
            taken = islice(_held_out(opened), number)
            one = _exact(tagger, taxonomy=taxonomy)
            found = compared(one, Tagger.load(written, taxonomy=taxonomy), taken)
            _tell(written, {"compared": {**found._asdict(), "recall": one.dial.default}})
            wanted = recall or one.dial.default or dial.DEFAULT
            _set_thresholds(written, opened, taxonomy=taxonomy, recall=wanted)
        elif (tagger / dial.NAME).is_file():
            shutil.copyfile(tagger / dial.NAME, written / dial.NAME)
    return found


def _write(tagger: Path, about: Manifest, written: Path, *, int8: bool) -> None:
    """Write graph, tokenizer and manifest."""
    fitting = [shape for shape in SHAPES if shape[1] <= about.length]
    shapes = [*fitting, (2, about.length)]  # a longer row it will never be given
    network = networks.opened(tagger, "encoder")
    made = write_graph(network, written, int8=int8, by_rows=True, shapes=shapes)
    _save(tokenizers.opened(tagger, about.tokenizer), written)
    stored = {"weights": "int8" if int8 else "float32", "score_gap": made.largest_difference}
    told = {**about.about, "export": stored}
    folder.write(written, replace(about, architecture="onnx", about=told))


def thaw(tagger: Path, place: Path) -> float:
    """Write the tagger in the folder *tagger*, which needs no torch, as one that can be trained on.

    Its weights are those that the graph multiplies with, int8 or not; *place* appears whole or
    not at all. Return the largest difference of a score. ValueError where one differs by more than
    ``TOLERANCE_INT8``, and for a folder that holds no graph or another one than ``export_onnx``
    writes.
    """
    about = folder.read(tagger)
    if about.architecture != "onnx":
        raise ValueError(f"{tagger}: a tagger of kind '{about.architecture}' is no export to ONNX")
    network, exported = thawed(tagger), OnnxModel(tagger, threads=1)
    shapes = [shape for shape in SHAPES if shape[1] <= about.length]
    int8 = about.about.get("export", {}).get("weights") == "int8"
    with rounding(network) if int8 else nullcontext():
        difference = largest_difference(network, exported, shapes=shapes)
    if not difference <= TOLERANCE_INT8:
        raise ValueError(
            f"{tagger}: scores of its weights differ from its graph's by {difference:.1e}, more "
            f"than {TOLERANCE_INT8:.1e}: nothing was written"
        )
    told = {name: one for name, one in about.about.items() if name not in ("export", "compared")}
    told["run"] = f"the weights as shipped of {told.get('run')}"
    with new_folder(place) as written:
        networks.save(network, written)
        tokenizers.opened(tagger, about.tokenizer).save(written)
        folder.write(written, replace(about, architecture="encoder", about=told))
        if (tagger / dial.NAME).is_file():
            shutil.copyfile(tagger / dial.NAME, written / dial.NAME)
    return difference


def _save(tokenizer: TaggerTokenizer, written: Path) -> None:
    """Write a tokenizer, ours in its smallest form: nobody reads this folder with transformers."""
    if isinstance(tokenizer, OurTokenizer):
        tokenization.save(tokenizer.tokenizer, written)
    else:
        tokenizer.save(written)


def _held_out(dataset: Dataset) -> Iterator[Document]:
    yield from documents(dataset, "dev")
    yield from documents(dataset, "test")


def compared(one: Tagger, other: Tagger, given: Iterable[Document]) -> Compared:
    """Return how far the spans of *other* are from those of *one*, both at one's thresholds."""
    total = Compared()
    texts = [text for _, text, _ in given]
    for read, again in zip(one.read_all(texts), other.read_all(texts), strict=True):
        levels = one.thresholds
        found = _difference(one.spans(read, levels=levels), other.spans(again, levels=levels))
        total = Compared(*map(sum, zip(total, found, strict=True)))
    return total


def _difference(spans: list[Span], others: list[Span]) -> Compared:
    mine, theirs = ({(one.start, one.end, one.label) for one in some} for some in (spans, others))
    masked, also = (
        {at for one in some for at in range(one.start, one.end)} for some in (spans, others)
    )
    return Compared(
        documents=1,
        differing=mine != theirs,
        spans=len(mine),
        lost=len(mine - theirs),
        new=len(theirs - mine),
        masked=len(masked),
        unlike=len(masked ^ also),
    )


def _set_thresholds(
    written: Path, dataset: Dataset, *, taxonomy: Path | None, recall: float
) -> None:
    tagger = Tagger.load(written, taxonomy=taxonomy)
    made = fit(tagger, documents(dataset, "dev"), default=recall, together=True)
    dial.write(written, made)


def _tell(written: Path, more: dict[str, Any]) -> None:
    """Write *more* into what ``tagger.json`` says of the tagger."""
    manifest = folder.read(written)
    folder.write(written, replace(manifest, about={**manifest.about, **more}))


def _exact(place: Path, *, taxonomy: Path | None) -> Tagger:
    """Return the tagger in *place* in float32, whatever is faster on this machine."""
    manifest = folder.read(place)
    known, _ = folder.taxonomy_of(taxonomy)
    network = networks.opened(place, "encoder")
    return Tagger(
        tokenizers.opened(place, manifest.tokenizer),
        TorchScorer.of(network, classes=manifest.classes, device="cpu", precision="float32"),
        manifest=manifest,
        taxonomy=known,
        dial=dial.read(place, known),
    )
