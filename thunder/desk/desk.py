"""The desk itself: the store, the de-identifier, and the folder into which results are released."""

import hashlib
import json
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import thunder
from thunder import taxonomy
from thunder.bulk.outputs import aside, sweep
from thunder.desk import messages as say
from thunder.desk import readings, tables
from thunder.desk.accounts import Missing, Person
from thunder.desk.drawing import NotDrawn, can_draw, pictures
from thunder.desk.evidence import Evidence, evidence
from thunder.desk.formats import Filled, filled
from thunder.desk.policy import Route
from thunder.desk.releases import Recovered, Releases
from thunder.desk.rereading import Rereading
from thunder.desk.review import Content, Question, Refused, Review, require_valid, review
from thunder.desk.states import ASKED, State
from thunder.desk.store import Conflict, Held, Store
from thunder.documents.paged import PagedFile
from thunder.documents.records import Failure, Reading, Record
from thunder.documents.sources import Opened, Source, read_all
from thunder.masking import audit as results
from thunder.masking.audit import Catalogue
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.doubts import Doubt
from thunder.masking.records import Deidentified
from thunder.tagger.chosen_tagger import DEFAULT
from thunder.text.safe_errors import place_of
from thunder.text.spans import Span

log = logging.getLogger("thunder.desk")

_MOST_REMEMBERED = 64
_MOST_DRAWN = 4
_DAY = 86_400.0
EVIDENCE = "evidence.json"


class Blocked(Exception):
    """A release or a finished review against which something stands: open questions, leaks."""


class Unread(Exception):
    """A review to be finished of which so many characters were not read; they have to be."""


_Key = tuple[str, int, State, int, bool]


def _key(held: Held) -> _Key:
    """Return what a review depends on, beside the text."""
    return (held.id, held.version, held.state, held.reading, _is_planted(held))


def _is_planted(held: Held) -> bool:
    """Return whether a planted leak stands open: for its first reviewer, the first time."""
    return held.state is State.CLAIMED and bool(held.planted) and held.caught is None


def _as_read(result: Deidentified, span: Span) -> str:
    """Return what a reading makes of a stretch: what stands there, and as what."""
    made = [
        f"{one.replacement} ({one.span.label})"
        for one in result.changes
        if one.span.start < span.end and span.start < one.span.end
    ]
    return ", ".join(made) or say.LEFT_OPEN()


def _opened_labels(before: Deidentified, after: Deidentified) -> list[str]:
    """Return the labels of what *before* masks and *after* leaves readable, each once."""
    return sorted(
        {
            one.span.label
            for one in before.changes
            if not readings.is_touched(after, one.span.start, one.span.end)
        }
    )


@dataclass(frozen=True, slots=True)
class OnDesk:
    """A document that somebody holds, and what its decisions make of it.

    ``unread``: stretches that have to be read yet; ``hidden``: places of a planted leak, of which
    nothing but the words is shown.
    """

    held: Held
    review: Review
    unread: tuple[tuple[int, int], ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()


@dataclass
class Imported:
    """What became of files: ids that were added, how many were known, what failed (no words)."""

    added: list[str] = field(default_factory=list)
    known: int = 0
    failures: list[str] = field(default_factory=list)


class Desk:
    """Imports, reviews and releases; results go into the folder *releases*, and a *table*."""

    def __init__(
        self,
        store: Store,
        releases: Path,
        *,
        model: str = DEFAULT,
        table: tables.Table | None = None,
    ) -> None:
        self.store, self.releases, self._model = store, releases, model
        self._table, self.is_table_behind = table, table is not None
        self.shelf = Releases(releases)
        self._deidentifiers: dict[str, Deidentifier] = {}
        self._remembered: OrderedDict[_Key, Review] = OrderedDict()
        self._lock, self._drawing = threading.Lock(), threading.Lock()
        self._drawn: OrderedDict[tuple[str, int], dict[str, list[bytes]]] = OrderedDict()
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

    def take_in(
        self, sources: Sequence[Source], *, profile: str, actor: str, once: str = ""
    ) -> Imported:
        """Add every document of *sources*, to be de-identified in the background.

        One that cannot be read is not added, and named; *once*, the digest of what is brought,
        leaves out what came with it before.
        """
        done, number = Imported(), 0
        file = None
        for item in read_all(sources, Reading()):
            if isinstance(item, Opened):
                file = item.document
            elif isinstance(item, Failure):
                done.failures.append(str(item))
            elif isinstance(item, Record):
                number += 1
                try:
                    id = self.store.add(
                        item.id or item.file,
                        item.text,
                        segments=item.segments,
                        profile=profile,
                        risk=None,
                        actor=actor,
                        once=f"{once}/{number}" if once else "",
                        file=(file.format, file.original) if isinstance(file, PagedFile) else None,
                    )
                except Conflict:
                    done.known += 1
                else:
                    done.added.append(id)
        return done

    def open(self, person: Person, id: str) -> OnDesk:
        """Return a document that *person* holds, as it is decided now."""
        held = self.store.held(person, id)
        key = _key(held)
        with self._lock:
            known = self._remembered.get(key)
        if known is None:
            known = self._seen(held, held.decisions)
            self._remember(key, known)
        unread: list[tuple[int, int]] = []
        if held.route is not Route.QUICK and held.state in (State.CLAIMED, State.REREADING):
            reads = [(one["start"], one["end"]) for one in held.own if one["kind"] == "read"]
            unread = readings.unread(held.text, reads)
        hidden: list[tuple[int, int]] = []
        if _is_planted(held):
            hidden = self._planted_places(held)
        return OnDesk(held, known, tuple(unread), tuple(hidden))

    def _review(self, held: Held, decisions: Sequence[Any]) -> Review:
        return review(held.text, held.segments, decisions, self._deidentifier(held.profile))

    @property
    def model(self) -> str:
        """The tagger asked besides the rules."""
        return self._model

    def decided(self, held: Held, *, profile: str) -> Review:
        """Return what the decisions on a document make of it under *profile*; ValueError for none.

        None: they contradict what is found now.
        """
        deidentifier = self._deidentifier(profile)
        found = review(held.text, held.segments, held.decisions, deidentifier)
        if not held.planted or readings.covered(found.result, self._planted_places(held)):
            return found
        decisions = [*held.decisions, {"kind": "mask", **held.planted}]
        return review(held.text, held.segments, decisions, deidentifier)

    def _seen(self, held: Held, decisions: Sequence[Content]) -> Review:
        """Return what who holds a document sees of it.

        A planted leak stands open for its first reviewer; who settles two readings is asked about
        each place at which they differ.
        """
        if _is_planted(held):
            assert held.planted is not None
            plant = {"kind": "open", "wording": held.planted["wording"]}
            return self._review(held, [plant, *decisions])
        found = self._true(held, decisions)
        if held.state is not State.SETTLING:
            return found
        first, second = self._true(held, held.first), self._true(held, held.second)
        more = []
        for span in readings.differences(first.result, second.result):
            said = say.DIFFERENCE(
                first=_as_read(first.result, span), second=_as_read(second.result, span)
            )
            doubt = Doubt(span.start, span.end, readings.KIND, said)
            own = [*held.own, *decisions[len(held.decisions) :]]
            is_open = not readings.settled(doubt, held.text, own)
            more.append(Question(doubt, held.text[span.start : span.end], is_open, True))
        return found.with_questions(more)

    def _true(self, held: Held, decisions: Sequence[Content]) -> Review:
        """Return what *decisions* make of a document; what was planted in it is masked for good."""
        found = self._review(held, decisions)
        if held.planted is None:
            return found
        if readings.covered(found.result, self._planted_places(held)):
            return found
        return self._review(held, [*decisions, {"kind": "mask", **held.planted}])

    def _planted_places(self, held: Held) -> list[tuple[int, int]]:
        assert held.planted is not None
        return readings.places_of(self._review(held, ()).result, held.planted["wording"])

    def result(self, held: Held) -> Deidentified:
        """Return what the decisions on a document make of it."""
        return self._true(held, held.decisions).result

    def _remember(self, key: _Key, known: Review) -> None:
        with self._lock:
            self._remembered[key] = known
            while len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.popitem(last=False)

    def decide(self, person: Person, id: str, content: dict[str, Any], *, version: int) -> OnDesk:
        """Take a decision and return the document as it is then; Refused for one that is none.

        It is tried before it is stored: what contradicts itself is never stored.
        """
        held = self.store.held(person, id)
        if held.version != version:
            raise Conflict("the document has changed")
        require_valid(content, length=len(held.text), labels=frozenset(self.labels))
        opened_now = self.open(person, id)
        before = opened_now.review
        try:
            is_about_text = content["kind"] not in ("read", "note")
            made = self._seen(held, (*held.decisions, content)) if is_about_text else before
        except ValueError:
            raise Refused("it contradicts what was decided before") from None
        opened = _opened_labels(before.result, made.result) if is_about_text else ()
        is_of_plant = (
            bool(opened_now.hidden)
            and not readings.covered(before.result, opened_now.hidden)
            and readings.covered(made.result, opened_now.hidden)
        )
        after = self.store.decide(
            person, id, content, version=version, labels=opened, is_of_plant=is_of_plant
        )
        self._remember(_key(replace(held, version=after)), made)
        return self.open(person, id)

    def step(self, person: Person, id: str, name: str, *, version: int, reason: str = "") -> State:
        """Take a step; Blocked where a review is finished or released with questions open."""
        if name not in ASKED:
            raise Conflict("no such step")
        if name == "release":
            return self._release(person, id, version)
        if name == "finish":
            return self._finish(person, id, version)
        return self.store.step(person, id, name, version=version, reason=reason)

    def _finish(self, person: Person, id: str, version: int) -> State:
        """End a reading: note what it found, and pass the document on to who has it next."""
        opened = self.open(person, id)
        held = opened.held
        self._require_unblocked(opened)
        if opened.unread:
            raise Unread(sum(end - start for start, end in opened.unread))
        if held.version != version:
            raise Conflict("the document has changed")
        true = self._true(held, held.decisions)
        if true.leaks:
            raise Blocked("what was masked stands readable elsewhere")
        self.filled(person, opened)
        found: dict[str, int] = {}
        facts: dict[str, object] = {"route": held.route.value}
        name = "finish"
        if held.state is State.CLAIMED:
            found = self._found(opened, true.result)
            if held.is_read_twice and held.differed is None and held.reading == 1:
                name = "to be read again"
        else:
            first = self._true(held, held.first).result
            if held.state is State.REREADING:
                apart = readings.differences(first, true.result)
                facts["agreement"] = readings.agreement(first, true.result)
                found["differed"] = len(apart)
                name = "differ" if apart else "finish"
            if name == "finish":
                found["leaked"] = readings.left_open(first, true.result)
        return self.store.step(person, id, name, version=version, facts=facts, found=found)

    def _found(self, opened: OnDesk, true: Deidentified) -> dict[str, int]:
        """Return what the first reading shows: what the quick route misses, what was caught."""
        held, found = opened.held, {}
        if held.route is Route.SAMPLED and held.missed is None:
            found["missed"] = readings.missed(self._review(held, ()), true)
        if _is_planted(held):
            assert held.planted is not None
            places = self._planted_places(held)
            plant = {"kind": "open", "wording": held.planted["wording"]}
            shown = self._review(held, [plant]).result
            if places and not any(readings.is_touched(shown, *place) for place in places):
                found["caught"] = int(readings.covered(opened.review.result, places))
        return found

    def _require_unblocked(self, opened: OnDesk) -> None:
        if not opened.review.may_be_released:
            raise Blocked("something has to be answered first")

    def filled(self, person: Person, opened: OnDesk) -> Filled | None:
        """Return the file of a document's result, None for a text; NotWritten where none can be."""
        held = opened.held
        if not held.format:
            return None
        result = self._true(held, held.decisions).result
        return filled(held.format, self.store.file(person, held.id), result)

    def drawn(self, person: Person, opened: OnDesk) -> dict[str, list[bytes]]:
        """Return the pages of a document and of its result as PNG: ``before`` and ``after``.

        NotDrawn where no program here draws its format; one file is drawn at a time.
        """
        held = opened.held
        key = (held.id, held.version)
        with self._drawing:
            if key not in self._drawn:
                if not can_draw(held.format):
                    raise NotDrawn(held.format)
                made = self.filled(person, opened)
                assert made is not None
                files = {"before": self.store.file(person, held.id), "after": made.data}
                folder = self.releases.parent
                self._drawn[key] = {
                    side: pictures(held.format, data, folder) for side, data in files.items()
                }
                while len(self._drawn) > _MOST_DRAWN:
                    self._drawn.popitem(last=False)
            return self._drawn[key]

    def _release(self, person: Person, id: str, version: int) -> State:
        """Write the result aside, note it, and put it in its place (``releases``)."""
        opened = self.open(person, id)
        if opened.held.version != version:
            raise Conflict("the document has changed")
        self._require_unblocked(opened)
        result = opened.review.result
        if opened.held.planted and not readings.covered(result, self._planted_places(opened.held)):
            raise Blocked("a planted leak would be released")
        reviewer = dict(self.store.names()).get(opened.held.reviewer_id or 0, "")
        text = result.text.encode("utf-8")
        facts: dict[str, object] = {
            "sha256": hashlib.sha256(text).hexdigest(),
            "characters": len(result.text),
            "masked": len(result.changes),
            "answered": sum(not one.is_open for one in opened.review.questions),
            "profile": opened.held.profile,
            "route": opened.held.route.value,
            "tool": thunder.__version__,
            "reviewer": reviewer,
        }
        contents = {"txt": text}
        if file := self.filled(person, opened):
            contents[opened.held.format] = file.data
            facts["format"] = opened.held.format
            cleaned = Counter(one.action.value for one in file.searched.scrubbed)
            facts["cleaned"] = dict(sorted(cleaned.items()))
            facts["searched"] = {
                "parts": len(file.searched.parts),
                "bytes": file.searched.size,
                "wordings": file.searched.wordings,
            }
        entry = results.result_entry(result, self.catalogue(opened.held.profile))
        said = {"document": id, **facts, "confirmer": person.name, "time": round(time.time())}
        record = json.dumps(said | {"result": entry}, ensure_ascii=False, indent=1).encode()
        with self.shelf.staged(id, {**contents, "json": record}) as staged:
            noted = {**facts, "files": staged.digests}
            state = self.store.step(person, id, "release", version=version, facts=noted)
            staged.publish()
        self._tell_table(id)
        self.write_evidence()
        return state

    def evidence(self) -> Evidence:
        """Return what is proved of all that is released."""
        verdicts, planted, caught = self.store.verdicts()
        return evidence(verdicts, planted=planted, caught=caught)

    def write_evidence(self) -> None:
        """Write the evidence of the lot beside what is released."""
        said = {"tool": thunder.__version__, "time": round(time.time()), **self.evidence().plain()}
        path = self.releases / EVIDENCE
        with self._drawing, aside(path, private=True, replace=True) as out:
            out.write(json.dumps(said, ensure_ascii=False, indent=1).encode())

    def withdraw(self, person: Person, id: str, *, reason: str) -> State:
        """Take a released document back: its files vanish, after that is noted with the reason."""
        state = self.store.recall(person, id, "withdraw", reason=reason)
        self.shelf.remove(id)
        self._tell_table(id)
        self.write_evidence()
        return state

    def erase(self, days: int, *, now: float) -> list[str]:
        """Delete the originals of what nobody has worked on for *days*; return the ids."""
        rule = f"nobody worked on it for {days} days"
        erased = self.store.erase(now - days * _DAY, rule=rule)
        if erased:
            with self._lock:
                self._remembered.clear()
                self._deidentifiers.clear()  # they remember texts
            with self._drawing:
                self._drawn.clear()
        return erased

    def _tell_table(self, id: str) -> None:
        """Bring a document's row up to what is released; ``bring_table`` makes good what fails."""
        if self._table is None:
            return
        try:
            tables.put(self._table, id, self._row)
        except Exception as error:  # of files, of whatever database: the release stands
            self.is_table_behind = True
            log.error("table: %s", place_of(error))

    def bring_table(self) -> int:
        """Bring the table up to what is released, and return how many rows came or went."""
        if self._table is None:
            return 0
        wanted = {id: files.get("txt", "") for id, files in self.store.noted().items()}
        changed = tables.bring(self._table, wanted, self._row)
        self.is_table_behind = False
        return changed

    def _row(self, id: str) -> tables.Row | None:
        """Return the row of a document as it is released, None where it is not."""
        try:
            text = self.released(id)
        except (Conflict, Missing):
            return None
        record = self.place(id, "json").read_text(encoding="utf-8")
        said = json.loads(record)
        own = {name: said[name] for name in ("sha256", "reviewer", "confirmer", "profile", "tool")}
        return {"id": id, "text": text, **own, "released": said["time"], "record": record}

    def recover(self) -> Recovered:
        """Finish or undo releases and withdrawals that a killed process left in the middle."""
        done = self.shelf.recover(self.store)
        if self.releases.is_dir():
            sweep([self.releases])
            self.write_evidence()
        return done

    def place(self, id: str, suffix: str = "txt") -> Path:
        """Return where the result of a document is released."""
        return self.shelf.place(id, suffix)

    def released(self, id: str) -> str:
        """Return the released text of a document; Conflict where it is not what was noted."""
        return self.released_file(id, "txt").decode("utf-8")

    def released_file(self, id: str, suffix: str) -> bytes:
        """Return a released file of a document; Conflict where it is not what was noted."""
        with self.store.settled(id) as (state, noted):
            if state is None:
                raise Missing("document")
            if state is not State.RELEASED:
                raise Conflict("it is not released")
            if suffix not in noted:
                raise Missing("file")
            try:
                content = self.place(id, suffix).read_bytes()
            except OSError:
                raise Conflict("its file is not there") from None
        if hashlib.sha256(content).hexdigest() != noted[suffix]:
            raise Conflict("its file is not what was released")
        return content

    def released_as(self, id: str) -> str:
        """Return the format in which a document is released besides its text; "" for none."""
        with self.store.settled(id) as (_, noted):
            return next((one for one in noted if one not in ("txt", "json")), "")

    def missing(self) -> list[str]:
        """Return the ids of released documents of which a file is not in its place."""
        return self.shelf.missing(self.store.noted())

    def changed(self) -> list[str]:
        """Return the ids of released documents of which a file is not what was released."""
        return self.shelf.changed(self.store.noted())
