"""The best checkpoint of a run as a tagger's folder, its thresholds set on the development part."""

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import torch

from thunder import config
from thunder.finetuning import starting
from thunder.finetuning.running import BEST
from thunder.finetuning.settings import Finetuning
from thunder.finetuning.starting import Ground
from thunder.finetuning.tagging import Tagging
from thunder.migrations import names_digest
from thunder.tagger import Tagger, cutting, folder, networks, thresholds
from thunder.tagger.fitting import fit
from thunder.training import checkpoints
from thunder.training.plain import Kept, restore_weights


class Exported(NamedTuple):
    """The folder, the step it was taken at, and the recall its thresholds reach on development."""

    folder: Path
    step: int
    recall: float


def export(run: Path, place: Path, *, recall: float | None = None) -> Exported:
    """Write the best checkpoint of the folder *run* as the tagger *place*, thresholds included.

    ValueError or LookupError name what is wrong; *place* appears whole or not at all.
    """
    if place.exists():
        raise ValueError(f"{place} exists: give the name of a new folder")
    found = checkpoints.latest(run / BEST)
    if found.path is None:
        raise ValueError("\n".join([f"{run}: has no best checkpoint yet", *found.passed_over]))
    state = checkpoints.state(found.path)
    settings = config.from_table(state["settings"], Finetuning, origin=str(found.path))
    ground = starting.ground(settings, verify=False)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as aside:
        written = Path(aside) / "folder"
        written.mkdir()
        _write(settings, ground, found.path, written)
        about = {"run": settings.name, "seed": settings.seed, "step": int(state["step"])}
        folder.write(written, manifest(settings, ground, about | state["development"]))
        tagger = Tagger.load(written, taxonomy=settings.data.taxonomy)
        wanted = settings.development.recall if recall is None else recall
        part = ground.development.source.part
        documents = ((one.id, one.text, one.spans) for one in part.epoch(0))
        reached = fit(tagger, documents, written, recall=wanted)
        written.rename(place)
    return Exported(place, int(state["step"]), reached)


def manifest(settings: Finetuning, ground: Ground, about: dict[str, object]) -> folder.Manifest:
    """Return what ``tagger.json`` says of a network that a run made."""
    return folder.Manifest(
        architecture=settings.model.kind,
        scheme=ground.scheme,
        classes=ground.classes,
        labels=names_digest(ground.taxonomy),
        tokenizer=ground.cutter.kind,
        tokenizer_sha256=ground.cutter.digest,
        length=settings.schedule.length,
        overlap=settings.schedule.overlap,
        about=about,
    )


def _write(settings: Finetuning, ground: Ground, checkpoint: Path, place: Path) -> None:
    """Write weights and tokenizer of a checkpoint."""
    network = starting.network(settings, ground)
    tagging = Tagging(network, scheme=ground.scheme, budget=settings.schedule.budget)
    restore_weights(tagging, Kept(checkpoints.reader(checkpoint), 0))
    if settings.model.kind == "encoder":
        networks.name_classes(network, class_names(ground))
    with torch.no_grad():
        networks.save(network.eval(), place)
    ground.cutter.save(place)


def class_names(ground: Ground) -> list[str]:
    """Return the name of each class, for other programs: O and labels, with BIO B- and I-."""
    retired = ground.taxonomy.retired
    ids = range(1, ground.taxonomy.classes)
    names = [retired[id_] if id_ in retired else ground.taxonomy.by_id(id_).ko for id_ in ids]
    if ground.scheme == "classes":
        return ["O", *names]
    return ["O", *(f"{mark}-{name}" for name in names for mark in "BI")]


def export_onnx(tagger: Path, place: Path) -> Path:
    """Write the tagger in a folder (of our encoder) as one that needs no torch; return *place*.

    ``thunder.encoder.onnx.export`` compares its scores with the original's. *place* appears whole
    or not at all; ValueError says what is wrong.
    """
    from thunder.encoder.onnx import SHAPES
    from thunder.encoder.onnx import export as write_graph

    about = folder.read(tagger)
    if about.architecture != "encoder":
        raise ValueError(f"{tagger}: a tagger of kind '{about.architecture}' has no ONNX form")
    if place.exists():
        raise ValueError(f"{place} exists: give the name of a new folder")
    cutter = cutting.opened(tagger, about.tokenizer)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as aside:
        written = Path(aside) / "folder"
        fitting = [shape for shape in SHAPES if shape[1] <= about.length]
        shapes = [*fitting, (2, about.length)]  # a longer row it will never be given
        write_graph(networks.opened(tagger, "encoder"), written, shapes=shapes)
        cutter.save(written)
        folder.write(written, replace(about, architecture="onnx"))
        if (tagger / thresholds.NAME).is_file():
            shutil.copyfile(tagger / thresholds.NAME, written / thresholds.NAME)
        written.rename(place)
    return place
