"""The best checkpoint of a run as a tagger's folder, its thresholds set on the development part."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch

from thunder.settings import config
from thunder.tagger import dial, folder, networks
from thunder.tagger.tagger import Tagger
from thunder.taxonomy.migrations import names_digest
from thunder.training import checkpoints
from thunder.training.finetuning import starting
from thunder.training.finetuning.fitting import Document, fit
from thunder.training.finetuning.running import BEST
from thunder.training.finetuning.settings import Finetuning, Hints
from thunder.training.finetuning.starting import Ground
from thunder.training.finetuning.tagging import Tagging
from thunder.training.plain import Kept, restore_weights
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.splits import PartName


class Exported(NamedTuple):
    """The folder, the step it was taken at, and the recall its thresholds reach on development."""

    folder: Path
    step: int
    recall: float


def export(
    run: Path, place: Path, *, recall: float | None = None, licence: str | None = None
) -> Exported:
    """Write the best checkpoint of the folder *run* as the tagger *place*, thresholds included.

    *recall* is what its dial stands at (the run's own setting without), *licence* that of the
    weights. ValueError or LookupError name what is wrong; *place* appears whole or not at all.
    """
    found = checkpoints.latest(run / BEST)
    if found.path is None:
        raise ValueError("\n".join([f"{run}: has no best checkpoint yet", *found.passed_over]))
    state = checkpoints.state(found.path)
    settings = config.from_table(state["settings"], Finetuning, origin=str(found.path))
    ground = starting.ground(settings, verify=False)
    with new_folder(place) as written:
        _write(settings, ground, found.path, written)
        folder.write(written, manifest(settings, ground, _about(settings, ground, state, licence)))
        trust = settings.model.trust
        tagger = Tagger.load(written, taxonomy=settings.data.taxonomy, trust=trust)
        wanted = settings.development.recall if recall is None else recall
        made = fit(tagger, documents(ground.dataset, "dev"), default=wanted, together=True)
        dial.write(written, made)
    outcome = made.at().outcome
    assert outcome is not None
    return Exported(place, int(state["step"]), outcome.reached)


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes *place* where all goes well; ValueError where it is."""
    if place.exists():
        raise ValueError(f"{place} exists: give the name of a new folder")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as aside:
        written = Path(aside) / "folder"
        written.mkdir()
        yield written
        written.rename(place)


def documents(dataset: Dataset, part: PartName) -> Iterator[Document]:
    """Yield the documents of a part as thresholds are set on them and taggers compared."""
    return ((one.id, one.text, one.spans) for one in dataset.part(part).epoch(0))


def dataset_of(run: Path) -> Path:
    """Return the folder of the dataset that a run learnt."""
    found = checkpoints.latest(run / BEST)
    if found.path is None:
        raise ValueError(f"{run}: has no best checkpoint yet")
    return Path(checkpoints.state(found.path)["settings"]["data"]["folder"])


def _about(
    settings: Finetuning, ground: Ground, state: dict[str, Any], licence: str | None
) -> dict[str, object]:
    """Return where a tagger comes from: its run, its data, its development figures."""
    told = ground.dataset.manifest
    start, schedule = settings.model.start, settings.schedule
    return {
        "run": settings.name,
        "seed": settings.seed,
        "step": int(state["step"]),
        **({"licence": licence} if licence else {}),
        **state["development"],
        "recipe": {
            "start": start.name if start else f"fresh weights, size {settings.model.size}",
            "epochs": schedule.epochs,
            "documents_a_batch": schedule.batch,
            "peak_learning_rate": schedule.peak,
            "precision": settings.engine.precision,
            **({"told": _told(settings.hints)} if settings.hints else {}),
            **({"words_hidden": hidden} if (hidden := settings.data.word_dropout) else {}),
        },
        "data": {
            "files": [one["file"] for one in told.inputs["annotated"]],
            "documents": {part: one["documents"] for part, one in told.counts["parts"].items()},
            "fingerprint": told.fingerprint,
            "replacement": told.options["replacement"],
        },
    }


def _told(hints: Hints) -> str:
    without = f", in training without {', '.join(hints.without)}" if hints.without else ""
    return f"what the recognisers found{without}"


def manifest(settings: Finetuning, ground: Ground, about: dict[str, object]) -> folder.Manifest:
    """Return what ``tagger.json`` says of a network that a run made."""
    return folder.Manifest(
        architecture=settings.model.kind,
        scheme=ground.scheme,
        classes=ground.classes,
        labels=names_digest(ground.taxonomy),
        tokenizer=ground.tokenizer.kind,
        tokenizer_sha256=ground.tokenizer.digest,
        length=settings.schedule.length,
        overlap=settings.schedule.overlap,
        hints=settings.hints.of if settings.hints else "settled",
        own_code=settings.model.trust,
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
    ground.tokenizer.save(place)


def class_names(ground: Ground) -> list[str]:
    """Return the name of each class, for other programs: O and labels, with BIO B- and I-."""
    retired = ground.taxonomy.retired
    ids = range(1, ground.taxonomy.classes)
    names = [retired[id_] if id_ in retired else ground.taxonomy.by_id(id_).ko for id_ in ids]
    if ground.scheme == "classes":
        return ["O", *names]
    return ["O", *(f"{mark}-{name}" for name in names for mark in "BI")]
