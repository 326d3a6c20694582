"""A trained tagger run over texts: windows, scores, whole mentions, the same ones everywhere."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from thunder.mentions import scorecard
from thunder.mentions.finding import Found
from thunder.mentions.recognising import recognised
from thunder.mentions.scorecard import Scorecard
from thunder.tagger import dial, folder, hints, tokenizers
from thunder.tagger import messages as say
from thunder.tagger.backend import OnnxScorer, Scorer
from thunder.tagger.decoding import decoded, likeliest
from thunder.tagger.dial import Dial
from thunder.tagger.folder import Manifest
from thunder.tagger.reader import Reader, Tokens
from thunder.tagger.readings import Classes, Reading
from thunder.tagger.repeats import with_repeats
from thunder.tagger.thresholds import Thresholds
from thunder.tagger.tokenizers import TaggerTokenizer
from thunder.taxonomy import Taxonomy, migration_files
from thunder.text.korean import Folded, fold, require_encodable
from thunder.text.spans import Span
from thunder.tokenization import labeling

BUDGET = 1024
"""Tokens scored at once: what they need stays in a processor's cache, more would be slower."""


class Read(NamedTuple):
    """A text as it was read: folded, and what was read of its tokens.

    *named* is what the recognisers found in the folded text, where the network was told of it.
    """

    folded: Folded
    reading: Reading
    named: Sequence[Span] | None = None


class Tagger:
    """Finds mentions in texts; ``Tagger.load`` makes one from a folder."""

    def __init__(
        self,
        tokenizer: TaggerTokenizer,
        scorer: Scorer,
        *,
        manifest: Manifest,
        taxonomy: Taxonomy,
        dial: Dial | None = None,
        recall: float | None = None,
        card: Scorecard | None = None,
        budget: int = BUDGET,
    ) -> None:
        self.taxonomy, self.manifest = taxonomy, manifest
        self.dial = dial or Dial()
        # More recall than the default: all that was found and is not quite unlikely is masked.
        is_more = recall is not None and recall > (self.dial.default or 1.0)
        self.scorecard = card.asking_less() if card is not None and is_more else card
        self.thresholds = self.dial.at(recall)
        self.by_argmax = False  # the paper's decision instead, for its tables
        self._tokenizer = tokenizer
        number = labeling.classes(taxonomy, scheme=manifest.scheme)
        if scorer.classes != manifest.classes or scorer.classes > number:
            raise ValueError(
                say.OTHER_SCORES(own=scorer.classes, number=number, scheme=manifest.scheme)
            )
        classes = Classes(taxonomy, manifest.scheme, learnt=scorer.classes)
        known = 1 + scorer.classes // 2 if manifest.scheme == "bio" else scorer.classes
        if scorer.hints not in (0, 1 + len(hints.GRADES) * (known - 1)):
            raise ValueError(
                f"the model knows {scorer.hints} hints, and {known} classes: they do not belong "
                "together"
            )
        self.unlearnt = tuple(label.ko for label in taxonomy if label.id >= known)
        self._is_told, self._hints = bool(scorer.hints), scorer.hints
        self._reader = Reader(
            scorer=scorer,
            classes=classes,
            length=manifest.length,
            overlap=manifest.overlap,
            before=tokenizer.frame.before,
            after=tokenizer.frame.after,
            pad=tokenizer.frame.pad,
            budget=budget,
        )

    @classmethod
    def load(
        cls,
        place: Path,
        *,
        taxonomy: Path | None = None,
        recall: float | None = None,
        device: str | None = None,
        threads: int = 0,
        budget: int = BUDGET,
        trust: bool = False,
        weighed: bool = True,
    ) -> "Tagger":
        """Return the tagger in the folder *place*; on a GPU if there is one, or on *device*.

        *trust* lets code in the folder run, where its network needs that (EXAONE does).
        Not *weighed*: without its scorecard, which is to be fitted.
        *recall* chooses among its thresholds (``thunder.tagger.dial``), its default without.
        FileNotFoundError, ValueError or LookupError say what does not fit and what to do: a file
        altered or missing, another tokenizer than it was trained with, labels of another
        taxonomy (than the one at work, or that of the folder *taxonomy*), unknown thresholds, a
        recall that none were set for. Labels added since it was trained are ``unlearnt``: it
        never finds one.
        """
        manifest = folder.read(place)
        known, source = folder.taxonomy_of(taxonomy)
        folder.require_labels(manifest, known, folder=place, place=source)
        tokenizer = tokenizers.opened(place, manifest.tokenizer)
        if tokenizer.digest != manifest.tokenizer_sha256:
            raise ValueError(say.OTHER_TOKENIZER(place=place))
        scorer = _scorer(place, manifest, device=device, threads=threads, trust=trust)
        if isinstance(scorer, OnnxScorer) and scorer.takes_one_row:
            budget = 1  # a batch is a window
        return cls(
            tokenizer,
            scorer,
            manifest=manifest,
            taxonomy=known,
            dial=dial.read(place, known, earlier=migration_files.read(source)),
            recall=recall,
            card=scorecard.read(place, known) if weighed else None,
            budget=budget,
        )

    def tag(self, text: str) -> list[Span]:
        """Return the mentions in *text*, each with its score: sorted and disjoint.

        Offsets are code points of *text*. Every character was read; memory grows with the text's
        tokens by some bytes each. ValueError for a text no file can hold (lone surrogates).
        """
        return next(self.tag_all([text]))

    def tag_all(self, texts: Iterable[str]) -> Iterator[list[Span]]:
        """Yield the mentions in each text; windows of several texts are read together."""
        return map(self.spans, self.read_all(texts))

    def read_all(self, texts: Iterable[str]) -> Iterator[Read]:
        """Yield what was read of each text, for decoding or to set thresholds on."""
        return self.read_found(map(self._found, texts))

    def read_found(self, found: Iterable[Found]) -> Iterator[Read]:
        """Yield what was read of each text in which the recognisers have found what they find."""
        waiting: deque[Found] = deque()
        for reading in self._reader.read(self._tokens(found, waiting)):
            folded, finds = waiting.popleft()
            yield Read(folded, reading, finds if self._is_told else None)

    def _found(self, text: str) -> Found:
        require_encodable(text)
        folded = fold(text)
        return Found(folded, recognised(folded.text) if self._is_told else ())

    def _tokens(self, found: Iterable[Found], waiting: deque[Found]) -> Iterator[Tokens]:
        """Yield the tokens of each text, which is put to *waiting*."""
        for one in found:
            plain = one.folded.text
            encoded = self._tokenizer.encode(plain)
            waiting.append(one)
            if not self._is_told:
                yield Tokens(encoded)
                continue
            told = hints.told(plain, one.finds, self.manifest.hints)
            given = hints.hints(
                *(encoded.starts, encoded.ends, told), taxonomy=self.taxonomy, most=self._hints
            )
            yield Tokens(encoded, given)

    def spans(self, read: Read, *, levels: Thresholds | None = None) -> list[Span]:
        """Return the mentions of a text that was read, with other thresholds if given."""
        plain = read.folded.text
        if self.by_argmax and levels is None:
            found = likeliest(read.reading, taxonomy=self.taxonomy)
            return list(_original(read.folded, found))
        chosen = levels or self.thresholds
        found = decoded(read.reading, plain, taxonomy=self.taxonomy, thresholds=chosen)
        return list(_original(read.folded, with_repeats(plain, found)))


def _original(folded: Folded, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans of a folded text in code points of the original, disjoint there too."""
    done = 0
    for plain in spans:
        span = folded.original(plain)
        start = max(span.start, done)  # two plain characters may be one cluster of the original
        if start < span.end:
            yield Span(start, span.end, span.label, span.score, span.source)
            done = span.end


def _scorer(
    place: Path, manifest: Manifest, *, device: str | None, threads: int, trust: bool
) -> Scorer:
    if manifest.architecture == "onnx":
        return OnnxScorer(place, threads=threads)
    from thunder.tagger.torch_backend import TorchScorer

    return TorchScorer(place, manifest, device=device, trust=trust)
