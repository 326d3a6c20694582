"""The tagger that a user asked for: found, checked, loaded once a process, and named in records."""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from thunder.settings import resources
from thunder.tagger import messages as say

if TYPE_CHECKING:
    from thunder.tagger.tagger import Tagger

SHIPPED = "finetune/taggers"
FILES = ("tagger.json", "thresholds.json", "scorecard.json")
DEFAULT = "mini-cc-by-nc-sa-4.0"
FREE = "mini-free"
NONE = "none"


class RulesAlone(Enum):
    """The kind of ``RULES_ALONE``."""

    RULES_ALONE = NONE


RULES_ALONE: Final = RulesAlone.RULES_ALONE
"""Given as a tagger: none is asked. The rules alone miss many names, so that nobody gets them
without saying so."""

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_GPU_BUDGET = 32_768  # tokens scored at once on a GPU: 730 scores of each take 96 MB
_loading = [Lock()]  # threads that ask at once get one tagger, loaded once
_held: "dict[tuple[int, Chosen], Tagger]" = {}
"""By process: a forked one has its parent's tagger, whose threads stayed with the parent. It is
kept all the same, for to end it would be to wait for them."""


def _after_fork() -> None:
    """Give the new process a lock of its own: a thread of its parent's may hold the old one."""
    _loading[0] = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A tagger by its folder, with the recall its thresholds are for (None: the folder's own).

    *threads* are the processor's, for an ONNX export. It is sent to worker processes, each of
    which loads the tagger for itself.
    """

    name: str
    place: Path
    recall: float | None = None
    threads: int = 0

    def load(self) -> "Tagger":
        """Return the tagger, loaded at the first call in this process.

        OSError, ValueError or LookupError say what is wrong with the folder.
        """
        with _loading[0]:
            key = (os.getpid(), self)
            if key not in _held:
                _held[key] = _opened(self)
            return _held[key]

    def load_ahead(self) -> None:
        """Begin to load the tagger in a thread, while this one does other things.

        ``load`` waits for it, and says what is wrong. Torch is left for ``load``: it does not
        bear it that other threads load at once what it loads.
        """
        if any(self.place.glob("*.onnx")):
            Thread(target=self._try_to_load).start()

    def _try_to_load(self) -> None:
        from thunder.text.morphology import dictionary_digest

        with suppress(Exception):  # load meets it again, and says so
            dictionary_digest()  # needs the disk and no interpreter: others load rules meanwhile
            self.load()

    def shared(self, workers: int) -> "Chosen":
        """Return the same with its share of the processor's cores."""
        return replace(self, threads=max(1, cores() // workers))

    @property
    def needs_torch(self) -> bool:
        """Whether the model is one of torch, which one process runs at a time."""
        return self.load().manifest.architecture != "onnx"


def _opened(chosen: Chosen) -> "Tagger":
    from thunder.tagger.tagger import BUDGET, Tagger

    _require_no_pickle(chosen.place)
    budget = _GPU_BUDGET if _runs_on_gpu(chosen.place) else BUDGET
    return Tagger.load(chosen.place, recall=chosen.recall, threads=chosen.threads, budget=budget)


def _runs_on_gpu(place: Path) -> bool:
    if not any(place.rglob("*.safetensors")):
        return False
    import torch

    return torch.cuda.is_available()


def forget() -> None:
    """Let go of the taggers that this process holds."""
    for key in [key for key in _held if key[0] == os.getpid()]:
        del _held[key]


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default() -> "Tagger":
    """Return the tagger that ships and that ``thunder deid`` takes, loaded once in this process.

    FileNotFoundError where this copy was installed without it.
    """
    chosen = choose(DEFAULT)
    assert chosen is not None
    return chosen.load()


def choose(name: str, *, recall: float | None = None, threads: int = 0) -> Chosen | None:
    """Return the tagger called *name*, a shipped one or a folder; None for ``none``.

    FileNotFoundError says where it was looked for, and how to go on.
    """
    if name == NONE:
        return None
    shipped = _shipped()
    place = shipped / name if shipped and "/" not in name else None
    if place is not None and (place / FILES[0]).is_file():
        return Chosen(name, place, recall, threads)
    if Path(name).is_dir():
        return Chosen(name, Path(name), recall, threads)
    raise FileNotFoundError(_missing(name, shipped))


def _missing(name: str, shipped: Path | None) -> str:
    """Return what to say where there is no tagger of this name."""
    there = sorted(path.parent.name for path in shipped.glob(f"*/{FILES[0]}")) if shipped else []
    lacks = name == DEFAULT and not there
    return say.NO_TAGGER(
        name=name,
        there=", ".join(there) or say.NONE_SHIPPED(),
        without=say.WITHOUT_TAGGERS(folder=SHIPPED) if lacks else "",
        none=NONE,
    )


def _shipped() -> Path | None:
    try:
        return resources.folder(SHIPPED)
    except FileNotFoundError:
        return None


def _require_no_pickle(place: Path) -> None:
    found = next((path for kind in _PICKLES for path in sorted(place.glob(kind))), None)
    if found and not any(place.rglob("*.safetensors")) and not any(place.rglob("*.onnx")):
        raise ValueError(say.NO_PICKLE(place=found))


def entry(chosen: Chosen | None) -> dict[str, Any] | None:
    """Return what an audit says of the tagger: name, digests, licence, and for what recall."""
    if chosen is None:
        return None
    tagger = chosen.load()
    digests = [_digest(chosen.place / name) for name in FILES]
    return {
        "name": chosen.name,
        "sha256": digests[0],
        "thresholds_sha256": digests[1],
        "scorecard_sha256": digests[2],
        "licence": tagger.manifest.about.get("licence"),
        "recall": tagger.thresholds.about.get("recall"),
    }


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
