"""The desk itself: the store, the de-identifier, and the folder into which results are released."""

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import thunder
from thunder import taxonomy
from thunder.desk.accounts import Missing, Person
from thunder.desk.releases import Recovered, Releases
from thunder.desk.rereading import Rereading
from thunder.desk.review import Refused, Review, require_valid, review
from thunder.desk.states import State
from thunder.desk.store import Conflict, Held, Store
from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import Source, read_all
from thunder.masking import audit as results
from thunder.masking.audit import Catalogue
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Deidentified
from thunder.tagger.chosen_tagger import DEFAULT

_MOST_REMEMBERED = 64


class Blocked(Exception):
    """A release or a finished review against which something stands: open questions, leaks."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that somebody holds, and what its decisions make of it."""

    held: Held
    review: Review


@dataclass
class Imported:
    """What became of files: the ids that were added, and what failed, without its words."""

    added: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


class Desk:
    """Imports, reviews and releases; the folder *releases* is the only place of results."""

    def __init__(self, store: Store, releases: Path, *, model: str = DEFAULT) -> None:
        self.store, self.releases, self._model = store, releases, model
        self.shelf = Releases(releases)
        self._deidentifiers: dict[str, Deidentifier] = {}
        self._remembered: OrderedDict[tuple[str, int], Review] = OrderedDict()
        self._lock = threading.Lock()
        self.labels = [label.ko for label in taxonomy.load()]

    def _deidentifier(self, profile: str) -> Deidentifier:
        with self._lock:
            if profile not in self._deidentifiers:
                made = Rereading(profile=profile, model=self._model, checks=True)
                self._deidentifiers[profile] = made
            return self._deidentifiers[profile]

    def catalogue(self, profile: str) -> Catalogue:
        """Return what labels are called and how they are treated under *profile*."""
        return results.catalogue(profile)

    def take_in(self, sources: Sequence[Source], *, profile: str, actor: str) -> Imported:
        """Add every document of *sources*, to be de-identified in the background.

        One that cannot be read is not added, and named.
        """
        done = Imported()
        for item in read_all(sources, Reading()):
            if isinstance(item, Failure):
                done.failures.append(str(item))
            elif isinstance(item, Record):
                done.added.append(
                    self.store.add(
                        item.id or item.file,
                        item.text,
                        segments=item.segments,
                        profile=profile,
                        risk=None,
                        actor=actor,
                    )
                )
        return done

    def open(self, person: Person, id: str) -> Opened:
        """Return a document that *person* holds, as it is decided now."""
        held = self.store.held(person, id)
        key = (id, held.version)
        with self._lock:
            known = self._remembered.get(key)
        if known is None:
            known = self._review(held, held.decisions)
            self._remember(key, known)
        return Opened(held, known)

    def _review(self, held: Held, decisions: Sequence[Any]) -> Review:
        return review(held.text, held.segments, decisions, self._deidentifier(held.profile))

    def result(self, held: Held) -> Deidentified:
        """Return what the decisions on a document make of it."""
        return self._review(held, held.decisions).result

    def _remember(self, key: tuple[str, int], known: Review) -> None:
        with self._lock:
            self._remembered[key] = known
            while len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.popitem(last=False)

    def decide(self, person: Person, id: str, content: dict[str, Any], *, version: int) -> Opened:
        """Take a decision and return the document as it is then; Refused for one that is none.

        It is tried before it is stored: what contradicts itself is never stored.
        """
        held = self.store.held(person, id)
        if held.version != version:
            raise Conflict("the document has changed")
        require_valid(content, length=len(held.text), labels=frozenset(self.labels))
        try:
            made = self._review(held, (*held.decisions, content))
        except ValueError:
            raise Refused("it contradicts what was decided before") from None
        after = self.store.decide(person, id, content, version=version)
        self._remember((id, after), made)
        return self.open(person, id)

    def step(self, person: Person, id: str, name: str, *, version: int, reason: str = "") -> State:
        """Take a step; Blocked where a review is finished or released with questions open."""
        if name == "release":
            return self._release(person, id, version)
        if name == "finish":
            self._require_unblocked(self.open(person, id))
        return self.store.step(person, id, name, version=version, reason=reason)

    def _require_unblocked(self, opened: Opened) -> None:
        if not opened.review.may_be_released:
            raise Blocked("something has to be answered first")

    def _release(self, person: Person, id: str, version: int) -> State:
        """Write the result aside, note it, and put it in its place (``releases``)."""
        opened = self.open(person, id)
        if opened.held.version != version:
            raise Conflict("the document has changed")
        self._require_unblocked(opened)
        result = opened.review.result
        reviewer = dict(self.store.names()).get(opened.held.reviewer_id or 0, "")
        text = result.text.encode("utf-8")
        facts = {
            "sha256": hashlib.sha256(text).hexdigest(),
            "characters": len(result.text),
            "masked": len(result.changes),
            "answered": sum(not one.is_open for one in opened.review.questions),
            "profile": opened.held.profile,
            "tool": thunder.__version__,
            "reviewer": reviewer,
        }
        entry = results.result_entry(result, self.catalogue(opened.held.profile))
        said = {"document": id, **facts, "confirmer": person.name, "time": round(time.time())}
        record = json.dumps(said | {"result": entry}, ensure_ascii=False, indent=1).encode()
        with self.shelf.staged(id, {"txt": text, "json": record}) as staged:
            noted = {**facts, "files": staged.digests}
            state = self.store.step(person, id, "release", version=version, facts=noted)
            staged.publish()
        return state

    def withdraw(self, person: Person, id: str, *, reason: str) -> State:
        """Take a released document back: its files vanish, after that is noted with the reason."""
        state = self.store.recall(person, id, "withdraw", reason=reason)
        self.shelf.remove(id)
        return state

    def recover(self) -> Recovered:
        """Finish or undo releases and withdrawals that a killed process left in the middle."""
        return self.shelf.recover(self.store)

    def place(self, id: str, suffix: str = "txt") -> Path:
        """Return where the result of a document is released."""
        return self.shelf.place(id, suffix)

    def released(self, id: str) -> str:
        """Return the released result of a document; Conflict where it is not what was noted."""
        with self.store.settled(id) as (state, noted):
            if state is None:
                raise Missing("document")
            if state is not State.RELEASED:
                raise Conflict("it is not released")
            try:
                content = self.place(id).read_bytes()
            except OSError:
                raise Conflict("its file is not there") from None
        if hashlib.sha256(content).hexdigest() != noted.get("txt"):
            raise Conflict("its file is not what was released")
        return content.decode("utf-8")

    def missing(self) -> list[str]:
        """Return the ids of released documents of which a file is not in its place."""
        return self.shelf.missing(self.store.noted())

    def changed(self) -> list[str]:
        """Return the ids of released documents of which a file is not what was released."""
        return self.shelf.changed(self.store.noted())
