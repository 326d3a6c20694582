"""Few seeds of a rare label grow to many sentences: some that hold it, and like ones that do not.

The seeds are sentences of annotated judgments of the training part, with placeholders in their
marks; of near duplicates one is taken. A prompt shows some of both kinds and some of what was
written last, tells the length, and asks for one that is unlike them all.

Source: Ekuni et al. (LLM による合成データ生成を用いた個人情報分類の高精度化), where the classes are
texts with and without personal data.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.training.synthesis import marks
from thunder.training.synthesis.settings import Pool
from thunder.training_data.annotation import Annotated, read_jsonl, serialise
from thunder.training_data.datasets import splits
from thunder.training_data.near_duplicates import groups

_END = re.compile(r"(?<=[다요까함음]\.)\s+|\n+")
_PLACEHOLDER = re.compile(r"[A-Z]{1,2}")
_SHORTEST, _LONGEST = 20, 300
_NEAR = 0.8


@dataclass(frozen=True, slots=True)
class Seeds:
    """Sentences with marks: those that hold the label, and like ones that do not."""

    holding: tuple[str, ...]
    others: tuple[str, ...]

    def length(self) -> int:
        """Return the mean length of what holds the label, without marks; 60 where nothing does."""
        lengths = [len(_plain(one)) for one in self.holding]
        return sum(lengths) // len(lengths) if lengths else 60


@dataclass(frozen=True, slots=True)
class Growth:
    """What grows from the seeds of *pool*: odd numbers hold its label, even ones do not.

    ``others`` are the labels that may be marked beside it, as the seeds have them.
    """

    pool: Pool
    label: str
    others: tuple[str, ...]
    seeds: Seeds

    @classmethod
    def of(cls, pool: Pool, *, taxonomy: Taxonomy, rng: Random) -> "Growth":
        """Return what grows from the seeds that *rng* draws; errors as for ``seeds``.

        Without seeds the labels of the same subcategory may be marked, too.
        """
        label, found = taxonomy.label(pool.label), seeds(pool, taxonomy=taxonomy, rng=rng)
        texts = [*found.holding, *found.others]
        marked = {taxonomy.label(s.label).ko for text in texts for s in marks.read(text).spans}
        near = {one.ko for one in taxonomy if one.subcategory == label.subcategory}
        return cls(pool, label.ko, tuple(sorted((marked or near) - {label.ko})), found)

    def words(self, number: int, recent: Sequence[str], rng: Random) -> dict[str, object]:
        """Return what the prompt of sentence *number* says, *recent* being what came before."""
        most = self.pool.shown
        return {
            "label": self.label,
            "length": self.seeds.length(),
            "labels": ", ".join(self._allowed(number)),
            "asked": f"'{self.label}' 표시가 {'꼭 있어야' if number % 2 else '없어야'} 한다.",
            "holding": _shown(self.seeds.holding, most, rng),
            "others": _shown(self.seeds.others, most, rng),
            "recent": _shown(recent, most, rng),
        }

    def read(self, number: int, text: str, *, find: marks.Finder) -> Annotated:
        """Return the sentence that was written; ``marks.Dropped`` where it is not of its kind."""
        wanted = [self.label] if number % 2 else []
        length = self.seeds.length()
        return marks.checked(
            text, allowed=self._allowed(number), wanted=wanted, length=length, find=find
        )

    def _allowed(self, number: int) -> list[str]:
        return [self.label, *self.others] if number % 2 else list(self.others)


def _shown(found: Sequence[str], most: int, rng: Random) -> str:
    chosen = rng.sample(found, min(most, len(found)))
    return "\n".join(f"- {one}" for one in chosen) or "(없음)"


def seeds(pool: Pool, *, taxonomy: Taxonomy, rng: Random) -> Seeds:
    """Return at most ``pool.size`` sentences of each kind, drawn by *rng*.

    ValueError where a file cannot be read, a document is not known to ``pool.splits``, or no
    sentence of the training part holds the label though seeds are asked for.
    """
    if not pool.size:
        return Seeds((), ())
    wanted = taxonomy.label(pool.label)
    holding: list[str] = []
    others: list[str] = []
    for annotated in _of_training(pool):
        for sentence in sentences(annotated.canonical(taxonomy)):
            found = [taxonomy.resolve(span.label) for span in sentence.spans]
            labels = [label for label in found if label]
            if len(labels) < len(found):
                continue  # a mark of what has no label says nothing of either kind
            if any(label.ko == wanted.ko for label in labels):
                holding.append(serialise(sentence))
            elif any(label.subcategory == wanted.subcategory for label in labels):
                others.append(serialise(sentence))
    if not holding:
        raise ValueError(f"no sentence of the training part holds '{wanted.ko}': give size = 0")
    return Seeds(_drawn(holding, pool.size, rng), _drawn(others, pool.size, rng))


def sentences(annotated: Annotated) -> Iterator[Annotated]:
    """Yield the sentences of a text that have marks, all of them around placeholders."""
    cuts = [
        (found.start(), found.end())
        for found in _END.finditer(annotated.text)
        if not any(
            span.start < found.end() and found.start() < span.end for span in annotated.spans
        )
    ]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), None]
    for start, stop in zip(starts, ends, strict=True):
        end = len(annotated.text) if stop is None else stop
        inside = [one for one in annotated.spans if start <= one.start and one.end <= end]
        text = annotated.text[start:end]
        whole = all(_PLACEHOLDER.fullmatch(annotated.text, s.start, s.end) for s in inside)
        if inside and whole and _SHORTEST <= len(text) <= _LONGEST:
            moved = (Span(one.start - start, one.end - start, one.label) for one in inside)
            yield Annotated(text, tuple(moved))


def _of_training(pool: Pool) -> Iterator[Annotated]:
    """Yield the documents of the training part; those of the others are read over unseen."""
    assert pool.splits is not None
    parts = {row.id: row.part for row in splits.read(pool.splits)}
    for path in pool.seeds:
        for name, found in _read(path):
            if name not in parts:
                raise ValueError(f"{path}: {name} is in no part of {pool.splits}")
            if parts[name] == "train" and isinstance(found, Annotated):
                yield found


def _read(path: Path) -> Iterable[tuple[str, object]]:
    try:
        yield from read_jsonl(path)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


def _drawn(found: Sequence[str], size: int, rng: Random) -> tuple[str, ...]:
    """Return *size* of the sentences, one of those that are nearly the same."""
    distinct = sorted(set(found))
    ids = [f"{number:08d}" for number in range(len(distinct))]
    first = groups(ids, lambda row: _plain(distinct[row]), threshold=_NEAR)
    apart = [one for name, one in zip(ids, distinct, strict=True) if first[name] == name]
    return tuple(rng.sample(apart, min(size, len(apart))))


def _plain(sentence: str) -> str:
    return re.sub(r"<<</?[^<>\n]+>>>", "", sentence)
