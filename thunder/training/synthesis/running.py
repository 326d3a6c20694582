"""One run from its settings to its files: persona, draft, insert, distract, gates, fill.

``ledger.jsonl`` has every request with its answer, ``dropped.jsonl`` what was not taken and why,
``texts.jsonl`` the texts with marks (for ``thunder dataset build``), ``filled.jsonl`` the same
filled by the lists with their entities, ``splits.tsv`` puts them into a dataset's training part,
``report.json`` has the counts. All but the ledger are made anew from it each time.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

from thunder import taxonomy
from thunder.masking.deidentifier import Deidentifier
from thunder.settings.config import ConfigError, as_table
from thunder.text.spans import Span
from thunder.training.synthesis import gates, kept, labels, marks, pairs, pools, prompts, tables
from thunder.training.synthesis.asking import PROBE, Asker, Request
from thunder.training.synthesis.batches import Batches
from thunder.training.synthesis.ledger import Ledger
from thunder.training.synthesis.local import LocalModel
from thunder.training.synthesis.marks import Dropped, Finder
from thunder.training.synthesis.server import Server
from thunder.training.synthesis.settings import Run, Texts
from thunder.training_data import lists as replacement_lists
from thunder.training_data.annotation import Annotated, serialise
from thunder.training_data.datasets import splits
from thunder.training_data.diversity import legal_formulas, measure
from thunder.training_data.invented_judgments import FAMILIES, judgment

_KINDS_A_TEXT = 3
_REMEMBERED = 100  # of what was written last, from which a prompt shows some
Made = TypeVar("Made")


class Item(NamedTuple):
    """One text to be made: its kind, and its number within that."""

    domain: str
    number: int

    @property
    def id(self) -> str:
        return f"synthetic-{self.domain}-{self.number}"


@dataclass(slots=True)
class Report:
    """What became of a run; counts are of answers, ``texts`` of whole texts.

    - ``dropped``: reasons by step; ``given_up``: texts of which no answer was taken, by step.
    - ``density``: marks a text after each round, ``density_of`` by label; ``survival``: the share
      of marks of the round before that are still there, over all answers that could be read.
    - ``proposals``: labels that are proposed.
    - ``doubtful``: texts with a mark that the tagger does not find, to be read.
    - ``tokens``: of prompts and answers, as the server counted. ``diversity``: by kind of text.
    """

    texts: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Counter[str]] = field(default_factory=dict)
    given_up: Counter[str] = field(default_factory=Counter)
    density: dict[str, float] = field(default_factory=dict)
    density_of: dict[str, dict[str, float]] = field(default_factory=dict)
    survival: dict[str, float] = field(default_factory=dict)
    diversity: dict[str, dict[str, Any]] = field(default_factory=dict)
    doubtful: int = 0
    requests: int = 0
    proposals: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    model: str = ""
    structured: str = ""


def run(settings: Run, *, offline: bool = False, server: Server | None = None) -> Report:
    """Make the texts of *settings*, and return what became of them.

    *offline*: no model is asked; invented writings take the place of what it writes. ValueError or
    ConfigError name what is wrong with the settings, ServerError what the server said,
    ``batches.Waiting`` what is to be answered first; what was answered by then is kept, and the
    same run goes on from there.
    """
    _require_known(settings, offline=offline)
    settings.output.mkdir(parents=True, exist_ok=True)
    with Ledger(settings.output / "ledger.jsonl") as ledger:
        work = _Work(settings, _rules())
        written: dict[Item, Annotated] = {}
        if offline:
            written = work.invented() if settings.texts else {}
        elif not settings.texts and not settings.pool and not settings.labels:
            pass  # pairs alone
        else:
            asker = _asker(settings, ledger, server)
            work.report.model, work.report.structured = asker.model, asker.structured
            if settings.labels:
                work.propose(asker)
            else:
                written = work.grown(asker) if settings.pool else work.asked(asker)
        work.finish(written)
        work.pair()
        entries = [entry for entry in ledger.entries() if entry["step"] != PROBE]
        work.report.requests = len(entries)
        work.report.tokens = {
            name: sum(entry[name] for entry in entries)
            for name in ("prompt_tokens", "answer_tokens")
        }
    work.write()
    return work.report


def _asker(settings: Run, ledger: Ledger, server: Server | None) -> Asker:
    """Return who asks the model of *settings*, through *server* where one is given."""
    asked: Server | Batches | LocalModel
    model, structured, parallel = "", "json_schema", 1
    if settings.batch:
        asked, model = Batches(settings.batch), settings.batch.model
        structured = settings.batch.structured
    elif settings.local:
        asked = LocalModel(settings.local)
    else:
        assert settings.server is not None
        asked, model = server or Server(settings.server), settings.server.model
        structured, parallel = settings.server.structured, settings.server.parallel
    return Asker(
        asked, ledger, model=model, sampling=settings.sampling, seed=settings.seed,
        structured=structured, parallel=parallel,
    )  # fmt: skip


class _Work:
    """The texts of a run on their way, and what is counted of them."""

    def __init__(self, settings: Run, find: Finder) -> None:
        self.settings, self.find = settings, find
        self.report = Report()
        self.dropped: list[dict[str, Any]] = []
        self._seeds: tuple[str, ...] = ()
        self._allowed: set[str] = set()
        self.rows: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.proposals: list[labels.Proposal] = []
        asks = settings.texts or settings.pool or settings.labels
        self.tries = asks.tries if asks else 1

    @property
    def texts(self) -> Texts:
        """What is asked of whole texts."""
        assert self.settings.texts is not None
        return self.settings.texts

    # --- the steps --------------------------------------------------------------------------------

    def asked(self, asker: Asker) -> dict[Item, Annotated]:
        """Return what the model made of each item."""
        self._allowed = {*self.texts.labels, *(marks.KEPT + one for one in self.texts.distractors)}
        personas = self._step(asker, "persona", self._items(), self._persona, _PERSONA, _is_persona)

        def draft(item: Item) -> prompts.Prompt:
            person = personas[item]
            return self._prompt(
                "draft", item, occupation=person["occupation"],
                situation=" ".join(person["situation"]), length=self._length(item),
            )  # fmt: skip

        def drafted(item: Item, found: Mapping[str, Any]) -> Annotated:
            length = self._length(item)
            return Annotated(marks.unmarked(found["text"], length=length, find=self.find))

        texts = self._step(asker, "draft", list(personas), draft, _TEXT, drafted)
        for number in range(1, self.texts.rounds + 1):
            wanted = {item: self._wanted(item, number) for item in texts}
            texts = self._marked(asker, f"insert-{number}", "insert", texts, wanted)
        if self.texts.distractors:
            wanted = {item: self._kinds(item) for item in texts}
            texts = self._marked(asker, "distract", "distract", texts, wanted)
        return texts

    def invented(self) -> dict[Item, Annotated]:
        """Return invented writings in the place of what a model would write."""
        texts = {}
        for item in self._items():
            kinds = [
                kind
                for name in tables.domains()[item.domain].invented
                for kind in FAMILIES.get(name, (name,))
            ]
            kind = kinds[(item.number - 1) % len(kinds)]
            one = judgment(kind, seed=self.settings.seed, number=item.number)
            texts[item] = Annotated(one.text, tuple(one.spans))
        self._count_density("invented", texts)
        return texts

    def grown(self, asker: Asker) -> dict[Item, Annotated]:
        """Return the sentences that a pool of seeds grew to, of both kinds in turn."""
        pool = self.settings.pool
        assert pool is not None
        rng = self._rng(Item(pool.label, 0), "pool")
        growth = pools.Growth.of(pool, taxonomy=taxonomy.load(), rng=rng)
        self._seeds = (*growth.seeds.holding, *growth.seeds.others)
        made: dict[Item, Annotated] = {}

        def ask(item: Item) -> prompts.Prompt:
            words = growth.words(item.number, recent, self._rng(item, "shown"))
            return prompts.prompt("seedpool", words, folder=self.settings.prompts)

        def read(item: Item, found: Mapping[str, Any]) -> Annotated:
            return growth.read(item.number, found["text"], find=self.find)

        for begun in range(1, pool.number + 1, pool.together):
            recent = [serialise(one) for one in list(made.values())[-_REMEMBERED:]]
            last = min(begun + pool.together, pool.number + 1)
            items = [Item(growth.label, number) for number in range(begun, last)]
            made |= self._step(asker, "seedpool", items, ask, _TEXT, read)
        self._count_density("seedpool", made)
        return made

    def propose(self, asker: Asker) -> None:
        """Ask for labels of thin categories, one after another in each."""
        wanted, known = self.settings.labels, taxonomy.load()
        assert wanted is not None
        of = {name: labels.category_of(name, known) for name in wanted.categories}

        def ask(item: Item) -> prompts.Prompt:
            there = [label.ko for label in of[item.domain]]
            there += [
                one.name for one in self.proposals if one.category == of[item.domain][0].category
            ]
            words = {"category": of[item.domain][0].category, "mentions": wanted.mentions,
                     "known": ", ".join(there)}  # fmt: skip
            return prompts.prompt("labels", words, folder=self.settings.prompts)

        def read(item: Item, found: Mapping[str, Any]) -> labels.Proposal:
            one = labels.read(
                found, of=of[item.domain], wanted=wanted.mentions, taxonomy=known,
                proposed={one.name for one in self.proposals},
            )  # fmt: skip
            self.proposals.append(one)
            return one

        for number in range(1, wanted.number + 1):
            items = [Item(name, number) for name in of]
            self._step(asker, "labels", items, ask, _LABEL, read, listed=wanted.mentions)
        self.report.proposals = len(self.proposals)

    def _items(self) -> list[Item]:
        numbers = range(1, self.texts.number + 1)
        return [Item(domain, number) for domain in self.texts.domains for number in numbers]

    def _persona(self, item: Item) -> prompts.Prompt:
        return self._prompt("persona", item)

    def _marked(
        self, asker: Asker, step: str, template: str, texts: Mapping[Item, Annotated],
        wanted: Mapping[Item, Sequence[str]],
    ) -> dict[Item, Annotated]:  # fmt: skip
        """Return the texts with more marks; *wanted* are those asked for."""
        kept_marks = lost = 0

        def request(item: Item) -> prompts.Prompt:
            asked = wanted[item]
            return self._prompt(
                template, item, text=serialise(texts[item]), wanted=", ".join(asked),
                labels=", ".join(self.texts.labels),
                kinds=", ".join(one.removeprefix(marks.KEPT) for one in asked),
            )  # fmt: skip

        def read(item: Item, found: Mapping[str, Any]) -> Annotated:
            nonlocal kept_marks, lost
            before, there = marks.counted(texts[item]), marks.read(found["text"])
            missing = (before - marks.counted(there)).total()
            kept_marks, lost = kept_marks + before.total() - missing, lost + missing
            return marks.checked(
                found["text"], allowed=self._allowed, wanted=wanted[item], find=self.find,
                length=self._length(item), before=texts[item],
            )  # fmt: skip

        made = self._step(asker, step, list(texts), request, _TEXT, read)
        if kept_marks + lost:
            self.report.survival[step] = round(kept_marks / (kept_marks + lost), 4)
        self._count_density(step, made)
        return made

    def _step(
        self, asker: Asker, step: str, items: Sequence[Item],
        prompt: Callable[[Item], prompts.Prompt], form: Mapping[str, type],
        read: Callable[[Item, Mapping[str, Any]], Made], listed: int = 5,
    ) -> dict[Item, Made]:  # fmt: skip
        """Return what *read* takes of the answers; an answer that is dropped is asked for anew.

        A list in the *form* of an answer has as many entries as *listed* says.
        """
        made: dict[Item, Made] = {}
        for number in range(self.tries):
            left = [item for item in items if item not in made]
            asked = [
                Request(step, one.id, prompt(one), _schema(form, listed), number) for one in left
            ]
            for item, told in zip(left, asker.ask(asked), strict=True):
                try:
                    found = marks.fields(told.text, told.finish, required=form)
                    made[item] = read(item, found)
                except Dropped as reason:
                    self._drop(step, item, number, str(reason), told.text)
        self.report.given_up[step] += len(items) - len(made)
        return {item: made[item] for item in items if item in made}

    # --- whole texts ------------------------------------------------------------------------------

    def finish(self, texts: Mapping[Item, Annotated]) -> None:
        """Take the texts that pass the gates, named and filled."""
        gate = self.settings.gates
        real = [*gates.texts_of(gate.unlike), *(marks.read(one).text for one in self._seeds)]
        unlike = gates.Unlike(real, near=gate.near, passage=gate.passage)
        lists = replacement_lists.load()
        key = hashlib.blake2b(f"synthesis {self.settings.seed}".encode(), digest_size=16).digest()
        tagger = _finder(Deidentifier(model=gate.tagger)) if gate.tagger else None
        for item, text in texts.items():
            if reason := unlike.reason(text.text):
                self._drop("gates", item, 0, reason, serialise(text))
                continue
            annotated, readable = kept.named(text, self._rng(item, "kept"))
            try:
                filled, spans, moved = kept.filled(
                    annotated, readable, key=key, document_id=item.id, lists=lists
                )
            except (LookupError, ValueError):
                self._drop("fill", item, 0, "not filled", serialise(text))
                continue
            unfound = gates.missed(filled, spans, tagger) if tagger else 0
            self.report.doubtful += bool(unfound)
            head = {"id": item.id, "case_type": item.domain}
            mark = {
                **head, "text": serialise(annotated),
                "kept": [one.record() for one in readable], "unfound": unfound,
            }  # fmt: skip
            entities = [{"start": s.start, "end": s.end, "label": s.label} for s in spans]
            plain = {
                **head, "text": filled, "entities": entities,
                "kept": [one.record() for one in moved],
            }  # fmt: skip
            self.rows.append((mark, plain))
            self.report.texts[item.domain] += 1
        for domain in self.report.texts:
            own = [plain["text"] for _, plain in self.rows if plain["case_type"] == domain]
            if len(own) > 1:
                found = measure(own, formulas=legal_formulas())
                self.report.diversity[domain] = {
                    "distinct_bigrams": round(found.distinct_bigrams, 4),
                    "self_bleu": round(found.self_bleu, 4),
                    "most_repeated_passage": round(found.most_repeated, 4),
                }

    def pair(self) -> None:
        """Add the minimal pairs, both texts of each."""
        found = pairs.pairs(self.settings.pairs, seed=self.settings.seed, taxonomy=taxonomy.load())
        for number, one in enumerate(found, 1):
            kept_rows = [place.record() for place in one.readable]
            halves: tuple[tuple[str, Annotated, list[dict[str, Any]]], ...] = (
                ("a", Annotated(one.kept), kept_rows),
                ("b", one.hidden, []),
            )
            for half, text, readable in halves:
                head = {"id": f"synthetic-{pairs.DOMAIN}-{number}{half}"}
                head["case_type"] = pairs.DOMAIN
                entities = [{"start": s.start, "end": s.end, "label": s.label} for s in text.spans]
                mark = {**head, "text": serialise(text), "kept": readable, "unfound": 0}
                plain = {**head, "text": text.text, "entities": entities, "kept": readable}
                self.rows.append((mark, plain))
                self.report.texts[pairs.DOMAIN] += 1

    def write(self) -> None:
        """Write all files but the ledger, each whole."""
        folder = self.settings.output
        if self.settings.labels:
            _write(folder / "proposals.jsonl", [one.row() for one in self.proposals])
            _put(folder / "proposals.sh", labels.script(self.proposals).encode())
        _write(folder / "texts.jsonl", [mark for mark, _ in self.rows])
        _write(folder / "filled.jsonl", [plain for _, plain in self.rows])
        _write(folder / "dropped.jsonl", self.dropped)
        given = self.settings.pool.splits if self.settings.pool else None
        own = [splits.Row(row["id"], row["case_type"], "train", row["id"]) for row, _ in self.rows]
        _put(folder / "splits.tsv", splits.write([*(splits.read(given) if given else ()), *own]))
        report = as_table(self.report) | {"settings": as_table(self.settings)}
        _write(folder / "report.json", [report])

    # --- counts and choices -----------------------------------------------------------------------

    def _drop(self, step: str, item: Item, number: int, reason: str, text: str) -> None:
        self.report.dropped.setdefault(step, Counter())[reason] += 1
        row = {"step": step, "item": item.id, "number": number, "reason": reason, "answer": text}
        self.dropped.append(row)

    def _count_density(self, step: str, texts: Mapping[Item, Annotated]) -> None:
        if texts:
            number = sum(len(text.spans) for text in texts.values())
            self.report.density[step] = round(number / len(texts), 3)
            marked = Counter(span.label for text in texts.values() for span in text.spans)
            self.report.density_of[step] = {
                label: round(count / len(texts), 3) for label, count in marked.most_common()
            }

    def _prompt(self, name: str, item: Item, **words: object) -> prompts.Prompt:
        about = tables.domains()[item.domain].about
        given = {"domain": item.domain, "about": about, "number": item.number, **words}
        return prompts.prompt(name, given, folder=self.settings.prompts)

    def _length(self, item: Item) -> int:
        return tables.domains()[item.domain].length

    def _wanted(self, item: Item, number: int) -> list[str]:
        return self._rng(item, f"wanted {number}").sample(self.texts.labels, self.texts.wanted)

    def _kinds(self, item: Item) -> list[str]:
        kinds = self.texts.distractors
        drawn = self._rng(item, "kinds").sample(kinds, min(_KINDS_A_TEXT, len(kinds)))
        return [marks.KEPT + kind for kind in drawn]

    def _rng(self, item: Item, purpose: str) -> Random:
        message = f"{self.settings.seed}\0{item.id}\0{purpose}".encode()
        return Random(hashlib.blake2b(message, digest_size=16).digest())


_PERSONA: Mapping[str, type] = {"occupation": str, "situation": list}
_TEXT: Mapping[str, type] = {"text": str}
_LABEL: Mapping[str, type] = {"name": str, "english": str, "mentions": list}


def _is_persona(item: Item, found: Mapping[str, Any]) -> Mapping[str, Any]:
    return found


def _schema(form: Mapping[str, type], listed: int) -> dict[str, Any]:
    of: dict[type, dict[str, Any]] = {
        str: {"type": "string", "minLength": 1},
        list: {
            "type": "array",
            "items": {"type": "string"},
            "minItems": listed,
            "maxItems": listed,
        },
    }
    return {
        "type": "object",
        "properties": {name: of[kind] for name, kind in form.items()},
        "required": list(form),
        "additionalProperties": False,
    }


def _rules() -> Finder:
    return _finder(Deidentifier(model="none"))


def _finder(deidentifier: Deidentifier) -> Finder:
    def find(text: str) -> list[Span]:
        return [change.span for change in deidentifier.deidentify(text).changes]

    return find


def _require_known(settings: Run, *, offline: bool) -> None:
    """Raise ConfigError for a kind of text, a label or a kind of distractor that nobody knows."""
    known = taxonomy.load()
    if settings.labels:
        if offline:
            raise ConfigError("[labels] needs a model: leave --offline away")
        for name in settings.labels.categories:
            labels.category_of(name, known)
    if settings.pool:
        if offline:
            raise ConfigError("a pool of seeds needs a model: leave --offline away")
        if not known.knows(settings.pool.label) or known.resolve(settings.pool.label) is None:
            raise ConfigError(f"[pool] '{settings.pool.label}' is no label of the taxonomy")
        if settings.server and settings.server.allow_public and not settings.pool.invented:
            raise ConfigError(
                "[pool] the seeds would be sent to a host that may be public: real judgments are "
                "not; 'invented = true' says that they are none"
            )
    asks = settings.texts or settings.pool or settings.labels
    if asks and not offline and not (settings.server or settings.batch or settings.local):
        raise ConfigError("no [server] to ask: name one, or give --offline for invented texts")
    texts = settings.texts
    if texts is None:
        return
    for domain in texts.domains:
        if domain not in tables.domains():
            raise ConfigError(
                f"[texts] unknown domain '{domain}'; known are {_list(tables.domains())}"
            )
    for label in texts.labels:
        if not known.knows(label):
            raise ConfigError(
                f"[texts] '{label}' is no label of the taxonomy (thunder taxonomy tree)"
            )
    for kind in texts.distractors:
        if kind not in tables.kept():
            raise ConfigError(
                f"[texts] unknown distractor '{kind}'; known are {_list(tables.kept())}"
            )


def _list(names: Mapping[str, object]) -> str:
    return ", ".join(names)


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    _put(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def _put(path: Path, content: bytes) -> None:
    aside = path.with_name(f".{path.name}.new")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as new:
        new.write(content)
    aside.replace(path)
