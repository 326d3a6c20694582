"""What a run starts from: the network with its head, the tokenizer, and the samples they read."""

import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from thunder.encoder import require_vocabulary, sized
from thunder.settings import resources
from thunder.tagger import folder, hints, networks, tokenizers
from thunder.tagger.bilstm import Bilstm, BilstmConfig
from thunder.tagger.tokenizers import TaggerTokenizer
from thunder.taxonomy import Taxonomy
from thunder.tokenization import labeling
from thunder.tokenization import load as load_tokenizer
from thunder.tokenization.labeling import Scheme
from thunder.training.finetuning import head
from thunder.training.finetuning.samples import Layout, Samples, Source
from thunder.training.finetuning.settings import Finetuning, Hints
from thunder.training.finetuning.vectors import read as read_vectors
from thunder.training_data.datasets.dataset import Dataset, Part
from thunder.training_data.datasets.examples import Filler, TextFirst
from thunder.training_data.filling import IGNORED
from thunder.training_data.mention_makers.names import NameForms


class Ground(NamedTuple):
    """The data a run stands on, opened and checked against each other."""

    dataset: Dataset
    taxonomy: Taxonomy
    taxonomy_folder: Path
    scheme: Scheme
    tokenizer: TaggerTokenizer
    train: Samples
    development: Samples

    @property
    def classes(self) -> int:
        """How many scores a token gets."""
        return labeling.classes(self.taxonomy, scheme=self.scheme)


def ground(settings: Finetuning, *, verify: bool = True) -> Ground:
    """Return the data of a run; *verify* compares every file of the dataset with its hash.

    FileNotFoundError, LookupError or ValueError name what is missing or does not fit.
    """
    data = settings.data
    dataset = Dataset.open(
        data.folder, verify="full" if verify else "quick", taxonomy=data.taxonomy
    )
    known, place = folder.taxonomy_of(data.taxonomy)
    scheme: Scheme = dataset.manifest.options["scheme"]
    tokenizer, anew = _tokenizer(settings, dataset)
    layout: Layout = "packed" if settings.model.kind == "encoder" else "rows"

    def samples(
        source: Source, seed: int | None, hints: Hints | None, *, hidden: float = 0.0
    ) -> Samples:
        return Samples(
            source=source,
            frame=tokenizer.frame,
            length=settings.schedule.length,
            overlap=settings.schedule.overlap,
            row=settings.schedule.row or settings.schedule.length,
            layout=layout,
            taxonomy=known,
            scheme=scheme,
            tokenizer=tokenizer if anew else None,
            seed=seed,
            hints=hints,
            word_dropout=hidden,
            truncate=settings.schedule.truncate,
        )

    train, dev = dataset.part("train"), dataset.part("dev")
    _require_documents(settings, train, dev)
    told = settings.hints
    hidden = settings.data.word_dropout
    trained = samples(_drawn(settings, train), settings.seed, told, hidden=hidden)
    measured = samples(Source(part=dev), None, replace(told, dropout=0.0) if told else None)
    return Ground(dataset, known, place, scheme, tokenizer, trained, measured)


def _tokenizer(settings: Finetuning, dataset: Dataset) -> tuple[TaggerTokenizer, bool]:
    """Return the tokenizer, and whether it is another one than the dataset's."""
    if settings.model.kind == "transformers":
        assert settings.model.start is not None
        return tokenizers.opened(settings.model.start, tokenizers.OTHER), True
    tokenizer = tokenizers.OurTokenizer(tokenizer_folder(settings.data.tokenizer))
    recipe = dataset.recipe(
        tokenizer=tokenizer_folder(settings.data.tokenizer),
        lists=settings.data.lists,
        taxonomy=settings.data.taxonomy,
    )
    if recipe.digests()["tokenizer"] != dataset.manifest.inputs["tokenizer"]:
        raise ValueError(
            f"{settings.data.folder}: was cut with another tokenizer than "
            f"'{settings.data.tokenizer}': name the one it was built with, or build it again"
        )
    return tokenizer, False


def tokenizer_folder(name: str) -> Path:
    """Return the folder of the tokenizer *name*: a shipped one, or a path."""
    shipped = resources.folder("tokenizer") / name
    return shipped if shipped.is_dir() else Path(name)


def _drawn(settings: Finetuning, part: Part) -> Source:
    """Return the training documents, with what draws the epochs that are not stored."""
    data, dataset = settings.data, part.dataset
    needed = settings.schedule.epochs if part.is_drawn_anew else 1
    if data.names is None and needed <= part.stored_epochs:
        return Source(part=part)
    filler: Filler = dataset.filler(
        "train",
        tokenizer=tokenizer_folder(data.tokenizer),
        lists=data.lists,
        taxonomy=data.taxonomy,
    )
    if data.names is None:
        return Source(part=part, filler=filler)
    return Source(part=part, filler=_renamed(settings, dataset), redrawn=tuple(part.judgments()))


def _renamed(settings: Finetuning, dataset: Dataset) -> Filler:
    """Return what fills as the dataset was filled, with names in the forms asked for."""
    data = settings.data
    assert data.names is not None
    recipe = dataset.recipe(
        tokenizer=tokenizer_folder(data.tokenizer), lists=data.lists, taxonomy=data.taxonomy
    )
    return TextFirst(
        recipe.opened_tokenizer,
        recipe.opened_taxonomy,
        lists=recipe.opened_lists,
        scheme=recipe.scheme,
        seed=recipe.seed,
        replacement=recipe.replacement,
        part="train",
        forms=NameForms(**asdict(data.names)),
    )


def _require_documents(settings: Finetuning, train: Part, dev: Part) -> None:
    """Raise ValueError where a part is too small to train or to choose a checkpoint by."""
    place = settings.data.folder
    if len(train) * settings.schedule.epochs < settings.schedule.batch:
        raise ValueError(
            f"{place}: {len(train)} training documents in {settings.schedule.epochs} epochs fill "
            f"no batch of {settings.schedule.batch}"
        )
    if not any(span.label != IGNORED for one in dev.judgments() for span in one.spans):
        raise ValueError(
            f"{place}: its development part ({len(dev)} documents) has no mention to measure F1 "
            "on: build the dataset of more documents"
        )


def require_rows(state: Mapping[str, Any], ground: Ground, checkpoint: Path) -> None:
    """Raise ValueError where labels were added since *checkpoint*, whose *state* is given.

    Renamed, moved, merged and retired labels keep their rows: the run goes on.
    """
    classes = state.get("classes", ground.classes)
    if classes != ground.classes:
        raise ValueError(
            f"{checkpoint}: has {classes} classes, the taxonomy in {ground.taxonomy_folder} by now "
            f"{ground.classes}: a run goes on with the labels it began with. Give that taxonomy, "
            "or export the run and begin another from it ('start' in [model])"
        )


def unmeasured(ground: Ground) -> list[str]:
    """Return the labels that are trained on and have no mention in the development part."""
    train, dev = (
        {span.label for one in samples.source.part.judgments() for span in one.spans}
        for samples in (ground.train, ground.development)
    )
    return sorted(train - dev - {IGNORED})


def network(settings: Finetuning, ground: Ground) -> nn.Module:
    """Return the network with a head for the dataset's classes; chance is the caller's to seed."""
    model = settings.model
    made: nn.Module
    if model.kind == "bilstm":
        made = _bilstm(settings, ground)
    elif model.start is not None and (model.start / folder.NAME).is_file():
        made = _tagger(settings, ground, model.start)
    elif model.kind == "transformers":
        assert model.start is not None
        made = networks.OtherTagger.made(
            model.start, classes=ground.classes, trust=model.trust, changes=model.changes
        )
    else:
        made = _encoder(settings, ground)
    _require_length(settings, made)
    if settings.hints is not None:
        networks.take_hints(made, hints.number(ground.taxonomy))
    elif networks.hints(made):
        raise ValueError(f"{model.start}: is told what recognisers find: the run needs [hints]")
    return made


def _bilstm(settings: Finetuning, ground: Ground) -> Bilstm:
    model, cut = settings.model, load_tokenizer(tokenizer_folder(settings.data.tokenizer))
    vocab = len(cut)
    changes: dict[str, Any] = {**model.changes}
    vectors = None
    if model.vectors is not None:
        vectors = read_vectors(model.vectors, vocabulary=vocab)
        changes["embedding"] = vectors.shape[1]
    if model.filtered:
        changes["filtered"] = True
    made = Bilstm(BilstmConfig(vocab_size=vocab, classes=ground.classes, **changes))
    if vectors is not None:
        made.take(vectors)
    if model.filtered:
        texts = (cut.decode([one]).strip() for one in range(vocab))
        no_names = [one for one, text in enumerate(texts) if text and _is_no_name(text)]
        persons = [one.id for one in ground.taxonomy if one.subcategory == _PERSONS]
        bio = ground.scheme == "bio"
        names = [at for one in persons for at in ((2 * one - 1, 2 * one) if bio else (one,))]
        made.filter(no_names, names)
    return made


_PERSONS = "인명"


def _is_no_name(token: str) -> bool:
    """Return whether a token is clearly no name: numbers and punctuation alone."""
    return all(unicodedata.category(char)[0] in "NPZ" for char in token)


def _encoder(settings: Finetuning, ground: Ground) -> nn.Module:
    model = settings.model
    if model.start is None:
        changes = {"max_position_embeddings": settings.schedule.length, **model.changes}
        config = sized(model.size or "", **changes)
        require_vocabulary(config, tokenizer_folder(settings.data.tokenizer))
        return networks.encoder(config, start=None, classes=ground.classes, changes={})
    _require_tokenizer(model.start, ground.tokenizer)
    made: Any = networks.encoder(
        None, start=model.start, classes=ground.classes, changes=dict(model.changes)
    )
    require_vocabulary(made.config, tokenizer_folder(settings.data.tokenizer))
    longest = max(made.config.max_position_embeddings, settings.schedule.length)
    made.config.max_position_embeddings = longest  # it will have been trained on such rows
    network: nn.Module = made
    return network


def _tagger(settings: Finetuning, ground: Ground, start: Path) -> nn.Module:
    """Return a trained tagger's network, with rows for the labels that came since."""
    manifest = folder.read(start)
    if manifest.architecture != settings.model.kind or manifest.scheme != ground.scheme:
        raise ValueError(
            f"{start}: a tagger of kind '{manifest.architecture}' with '{manifest.scheme}' labels; "
            f"the run wants '{settings.model.kind}' with '{ground.scheme}'"
        )
    if manifest.tokenizer_sha256 != ground.tokenizer.digest:
        raise ValueError(f"{start}: was trained with another tokenizer than the dataset's")
    networks.require_trust(start, own_code=manifest.own_code, trust=settings.model.trust)
    made = networks.opened(start, manifest.architecture, trust=manifest.own_code)
    later = head.migrations_since(manifest, ground.taxonomy, ground.taxonomy_folder)
    new = head.parents(later, scheme=manifest.scheme)
    grown = head.resized(networks.head(made), classes=ground.classes, new=new)
    networks.put_head(made, grown)
    return made


def _require_tokenizer(start: Path, tokenizer: TaggerTokenizer) -> None:
    """Raise where a pre-trained folder has another tokenizer than the dataset."""
    if tokenizers.OurTokenizer(start).digest != tokenizer.digest:
        raise ValueError(
            f"{start}: was pre-trained with another tokenizer than the dataset was cut with: "
            "build the dataset with its tokenizer"
        )


def _require_length(settings: Finetuning, made: nn.Module) -> None:
    most = networks.longest(made)
    if most is not None and settings.schedule.length > most:
        raise ValueError(
            f"'length' {settings.schedule.length} is more than the {most} tokens that "
            f"{settings.model.start} can read: shorten the windows"
        )
