"""Candidates: stretches of a text that may be mentions, each with all that speaks for or against.

What the recognisers and the tagger proposed is read as they proposed it, before anything was
weighed; a candidate is made once and never rewritten. There are two kinds of them: each stretch
that is masked (or was found, and is weighed), and each wording that stays readable (its whole
words, with the places where it stands). Features are numbers, or words from a small set, of the
text no more than a sign beside, so that a record may quote them; ``thunder.mentions.scorecard``
gives points for them.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from thunder.names import descriptors
from thunder.names.chunks import (
    CLOSING,
    OPENING,
    WORD,
    hangul_at,
    is_placeholder,
    is_unfamiliar,
    stem_length,
)
from thunder.names.court_marks import marks
from thunder.names.given_names import likeness
from thunder.names.kind_repeats import kind_after
from thunder.names.person_context import before
from thunder.names.person_lexicon import commonness, ordinary_words, word_class
from thunder.names.person_tails import tails
from thunder.names.propagation import ends_freely
from thunder.names.runs import Wordings, beginnings
from thunder.taxonomy.gazetteer import bare_district, district
from thunder.taxonomy.own import working
from thunder.text.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["person", "body", "place", "number"]
KINDS: tuple[Kind, ...] = ("person", "body", "place", "number")

Value = float | str

NUMBERS = frozenset(
    {"mass", "usual mass", "mass beside", "common", "tailed", "length", "likeness"}
    | {"places", "readable", "score", "tagged"}
)
WORDS = frozenset(
    {"class", "form", "before", "within", "after", "noun", "district", "quoted", "elsewhere"}
    | {"beside a mask", "kept", "source", "label"}
)
"""The features that are numbers, and those that are words."""

LEAST_MASS = 0.002
"""A wording that a tagger gave less everywhere, nobody proposed and nowhere is masked is none."""

_KIND_OF: Mapping[str, Kind] = {
    "인명": "person",
    "지리정보": "place",
    "사건 관련 장소": "place",
    **dict.fromkeys(("사건 관련 숫자 정보", "연령정보", "주민등록번호"), "number"),
    **dict.fromkeys(("이메일주소", "URL"), "number"),
}
"""By subcategory; all others are bodies: firms, institutions, brands."""

_NEVER_NAMES = frozenset({"verb", "adverb", "particle", "clause"})
_WITHIN = re.compile("[가-힣]{2}|[A-Za-z]{2}|[0-9]{2}")  # a word goes on to what begins there
_PART = range(2, 7)  # lengths of the parts of masked wordings that are remembered
_LONGEST_MASK = 40


class Reading(Protocol):
    """What a tagger read of each token: its code points, the probability that it is a mention's.

    And the id of the label it would have then, 0 where none was read.
    """

    @property
    def starts(self) -> "NDArray[np.int32]": ...
    @property
    def ends(self) -> "NDArray[np.int32]": ...
    @property
    def mass(self) -> "NDArray[np.float32]": ...
    @property
    def label(self) -> "NDArray[np.int16]": ...


class Evidence(NamedTuple):
    """What was proposed of a folded text, in its code points, before anything was weighed.

    *finds* are the recognisers', *tagged* a tagger's spans and *reading* what it read of each
    token, None where none was asked.
    """

    finds: Sequence[Span]
    tagged: Sequence[Span] = ()
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One stretch that may be a mention: what it would be, and its features by name.

    ``places`` are all the stretches of a readable wording, of which ``start`` and ``end`` are the
    likeliest; a mask has its own alone.
    """

    start: int
    end: int
    kind: Kind
    is_masked: bool
    features: Mapping[str, Value]
    places: tuple[tuple[int, int], ...]


def candidates(
    text: str,
    evidence: Evidence,
    *,
    masked: Sequence[Span],
    kept: Sequence[Span] = (),
    only_masks: bool = False,
) -> Iterator[Candidate]:
    """Yield the candidates of folded *text*: masks, then readable wordings, by their first place.

    *masked* are the stretches that are masked, *kept* those that were recognised and stay readable;
    both are sorted and disjoint.
    """
    view = _View(text, evidence, masked, kept)
    for span in masked:
        yield view.mask(span)
    if not only_masks:
        yield from view.readable()


def everything(
    text: str, evidence: Evidence, *, masked: Sequence[Span], kept: Sequence[Span] = ()
) -> Iterator[Candidate]:
    """Yield the candidates of folded *text*, and every other word of it, however unlikely."""
    view = _View(text, evidence, masked, kept)
    for span in masked:
        yield view.mask(span)
    yield from view.readable(everything=True)


@lru_cache(maxsize=4096)
def kind_of(label: str) -> Kind:
    """Return what kind of thing a label of the taxonomy names."""
    known = working().resolve(label)
    return _KIND_OF.get(known.subcategory, "body") if known is not None else "body"


class _View:
    """A text with what was proposed of it, ready to be asked about a stretch."""

    def __init__(
        self, text: str, evidence: Evidence, masked: Sequence[Span], kept: Sequence[Span]
    ) -> None:
        self.text, self.evidence, self.masked = text, evidence, masked
        self._starts = [span.start for span in masked]
        self._ends = [span.end for span in masked]
        self._kept = _Stretches(kept)
        self._finds, self._tagged = _Stretches(evidence.finds), _Stretches(evidence.tagged)
        self._wordings = {text[span.start : span.end] for span in masked}
        self._parts = set(parts_of(self._wordings))
        self._masked_places = Counter(text[span.start : span.end] for span in masked)

    def mask(self, span: Span) -> Candidate:
        """Return the candidate of a mask."""
        place = span.start, span.end
        features = self._features(*place, self.text[span.start : span.end])
        features["source"], features["score"] = span.source or "?", span.score
        features["label"] = _label_id(span.label)
        word = self.text[span.start : span.end]
        tagged = self._tagged.touching(*place)
        features["tagged"] = max((one.score for one in tagged), default=0.0)
        features["places"] = masked = self._masked_places[word]
        features["readable"] = self._readable_places[word] / (self._readable_places[word] + masked)
        if self.evidence.reading is not None:
            features["usual mass"] = self._usual_mass[word]
        return Candidate(*place, kind_of(span.label), True, features, (place,))

    @cached_property
    def _readable_places(self) -> Counter[str]:
        """How often each masked wording stands readable, as a word."""
        known = Wordings(dict.fromkeys(self._wordings))
        found: Counter[str] = Counter()
        covered = bytearray(len(self.text))
        for span in self.masked:
            covered[span.start : span.end] = b"\1" * len(span)
        for at in beginnings(self.text, [head for head in known.heads if len(head) > 1]):
            for word in known.at(self.text, at):
                end = at + len(word)
                if not any(covered[at:end]) and ends_freely(self.text, end):
                    found[word] += 1
        return found

    @cached_property
    def _usual_mass(self) -> Mapping[str, float]:
        """What a tagger gave the places of each masked wording, on average."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for span in self.masked:
            found[self.text[span.start : span.end]].append(self._mass(span.start, span.end))
        return {word: sum(masses) / len(masses) for word, masses in found.items()}

    def readable(self, *, everything: bool = False) -> Iterator[Candidate]:
        """Yield a candidate for each readable wording; *everything*: the unlikely ones, too."""
        words = list(self._words())
        masses = self._masses(words)
        proposed = self._proposed(words)
        places: defaultdict[str, list[int]] = defaultdict(list)
        for number, (start, end) in enumerate(words):
            places[self.text[start:end]].append(number)
        for wording, numbers in places.items():
            best = max(numbers, key=masses.__getitem__) if masses else numbers[0]
            mass = masses[best] if masses else None
            is_found = not proposed.isdisjoint(numbers)
            if not everything and not is_found and not self._is_likely(wording, mass):
                continue
            yield self._wording(wording, words[best], tuple(words[n] for n in numbers))

    def _wording(
        self, wording: str, best: tuple[int, int], places: tuple[tuple[int, int], ...]
    ) -> Candidate:
        features = self._features(*best, wording)
        features["places"] = len(places)
        found = [one for place in places for one in self._finds.touching(*place)]
        tagged = [one for place in places for one in self._tagged.touching(*place)]
        surest = max(found, key=lambda one: one.score, default=None)
        seen = max(tagged, key=lambda one: one.score, default=None)
        features["source"] = surest.source if surest else "none"
        features["score"] = surest.score if surest else 0.0
        features["tagged"] = seen.score if seen else 0.0
        features["kept"] = "yes" if self._kept.touching(*best) else "no"
        label = self._likeliest(*best)
        proposed = seen or surest
        features["label"] = label or (_label_id(proposed.label) if proposed else "none")
        kind = _kind_of_id(label) if label else kind_of(proposed.label) if proposed else None
        return Candidate(*best, kind or _kind_of_form(wording), False, features, places)

    def _is_likely(self, wording: str, mass: float | None) -> bool:
        """Return whether a wording that nobody proposed is worth weighing."""
        if mass is not None and mass >= LEAST_MASS:
            return True
        return (mass is None and _is_rare(wording)) or wording in self._wordings

    def _proposed(self, words: Sequence[tuple[int, int]]) -> set[int]:
        """Return the numbers of the *words* that a recogniser's find touches."""
        found: set[int] = set()
        for span in self.evidence.finds:
            first = bisect_right(words, span.start, key=lambda one: one[1])
            last = bisect_left(words, span.end, key=lambda one: one[0])
            found.update(range(first, last))
        return found

    def _words(self) -> Iterator[tuple[int, int]]:
        """Yield the words between the masks without their particles, no court's mark among them."""
        text, gone = self.text, _Stretches(Span(*one, "") for one in marks(self.text))
        edges = [0, *(edge for span in self.masked for edge in (span.start, span.end)), len(text)]
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            for found in WORD.finditer(text, first, last):
                start, end = found.span()
                if start == first > 0 and found[0] in tails():
                    continue  # the particle of a mask
                end = start + stem_length(found[0])
                is_rest = start == first > 0 or end == last
                if (end - start > 1 or is_rest) and not gone.touch(start, end):
                    yield start, end

    def _masses(self, words: Sequence[tuple[int, int]]) -> list[float]:
        """Return for each of *words* the most that a tagger gave one of its tokens; [] without."""
        reading = self.evidence.reading
        if reading is None or not words:
            return []
        return _most(reading, words).tolist()  # type: ignore[no-any-return]

    def _mass(self, start: int, end: int) -> float:
        reading = self.evidence.reading
        if reading is None or start >= end:
            return 0.0
        first = int(reading.ends.searchsorted(start, "right"))
        last = int(reading.starts.searchsorted(end, "left"))
        return float(reading.mass[first:last].max()) if first < last else 0.0

    def _likeliest(self, start: int, end: int) -> str:
        """Return the id of the label a tagger gives the likeliest token, "" where it gives none."""
        reading = self.evidence.reading
        if reading is None:
            return ""
        first = int(reading.ends.searchsorted(start, "right"))
        last = int(reading.starts.searchsorted(end, "left"))
        if first >= last:
            return ""
        id_ = int(reading.label[first + int(reading.mass[first:last].argmax())])
        return str(id_) if id_ else ""

    def _features(self, start: int, end: int, wording: str) -> dict[str, Value]:
        """Return the features that a mask and a readable word share."""
        text = self.text
        left, right = max(0, start - 1), end + 1
        met = bisect_right(self._ends, start)
        features: dict[str, Value] = {
            **_of_word(wording),
            "before": _before(text, start),
            "within": "yes" if _WITHIN.fullmatch(text[left : start + 1]) else "no",
            "after": _after(text, end),
            "noun": _noun(text, wording, end),
            "district": _district(wording),
            "quoted": _quoted(text[left:start], text[end:right]),
            "elsewhere": self._elsewhere(wording),
        }
        is_after = met > 0 and start - self._ends[met - 1] <= 1
        follows = bisect_left(self._starts, end)
        is_before = follows < len(self._starts) and self._starts[follows] - end <= 1
        features["beside a mask"] = ("no", "behind", "before", "between")[is_after + 2 * is_before]
        if self.evidence.reading is not None:
            features["mass"] = self._mass(start, end)
            features["mass beside"] = max(
                self._mass(max(0, start - 2), start), self._mass(end, end + 2)
            )
        return features

    def _elsewhere(self, wording: str) -> str:
        if wording in self._wordings:
            return "masked"
        if len(wording) in _PART and wording in self._parts:
            return "part of a mask"
        return "no"


class _Stretches:
    """Spans by where they stand, which may overlap; of a few hundred a document."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]
        self._reach = [0]  # the farthest end so far
        for span in self._spans:
            self._reach.append(max(self._reach[-1], span.end))

    def touch(self, start: int, end: int) -> bool:
        """Return whether any of the spans shares a character with the stretch."""
        return self._reach[bisect_left(self._starts, end)] > start

    def touching(self, start: int, end: int) -> list[Span]:
        """Return the spans that share a character with the stretch."""
        if not self._spans:
            return []
        last = bisect_left(self._starts, end)
        first = bisect_right(self._reach, start, 0, last + 1) - 1
        return [span for span in self._spans[max(0, first) : last] if span.end > start]


def _most(reading: Reading, words: Sequence[tuple[int, int]]) -> "NDArray[np.float32]":
    import numpy as np

    starts, ends = np.asarray(words, np.int64).T
    firsts = reading.ends.searchsorted(starts, "right")
    lasts = reading.starts.searchsorted(ends, "left")
    mass = np.append(reading.mass, np.float32(0))
    edges = np.stack([firsts, np.maximum(lasts, firsts)], axis=1).reshape(-1)
    most = np.maximum.reduceat(mass, np.minimum(edges, len(mass) - 1))[::2]
    return np.where(lasts > firsts, most, np.float32(0))


def parts_of(wordings: Iterable[str]) -> Iterator[str]:
    """Yield the parts of *wordings*, of two to six signs."""
    for one in wordings:
        if len(one) <= _LONGEST_MASK:
            for length in _PART:
                for at in range(len(one) - length + 1):
                    yield one[at : at + length]


@lru_cache(maxsize=1 << 15)
def _is_rare(wording: str) -> bool:
    """Return whether *wording* is no word of judgments, no run of dictionary nouns, and no verb."""
    if wording in ordinary_words():
        return False  # of what is likely a mention, one in twenty, and half of what would be asked
    if is_placeholder(wording) or not is_unfamiliar(wording):
        return False
    return word_class(wording) not in _NEVER_NAMES


@lru_cache(maxsize=1 << 15)
def _of_word(wording: str) -> Mapping[str, Value]:
    """Return the features that *wording* has wherever it stands."""
    return {
        "common": commonness(wording, tailed=False),
        "tailed": commonness(wording, tailed=True),
        "class": word_class(wording) if len(wording) <= _LONGEST_MASK else "long",
        "length": len(wording),
        "form": _form(wording),
        "likeness": likeness(wording) if 2 <= len(wording) <= 4 else -99.0,
    }


@lru_cache(maxsize=1 << 15)
def _form(wording: str) -> str:
    """Return what *wording* is written in: Hangul, capitals, small letters, digits, mixed."""
    if any(map(str.isdigit, wording)):
        rest = "".join(char for char in wording if char.isalpha())
        if not rest:
            return "digits"
        return "digits, Hangul" if not rest.isascii() else "digits, Latin"
    if wording.isascii():
        return "capitals" if wording[:1].isupper() else "small letters"
    is_hangul = all("가" <= char <= "힣" for char in wording)
    return "Hangul" if is_hangul else "mixed"


def _before(text: str, start: int) -> str:
    keys, group = before(text, start)
    if group:
        return f"role: {group}"
    mark = keys[0] if keys and keys[0].startswith("before mark ") else ""
    return f"mark: {mark.removeprefix('before mark ')[:2]}" if mark else "word"


def _after(text: str, end: int) -> str:
    char = text[end : end + 1]
    if run := hangul_at(text, end):
        if run in tails():
            return "particle"
        reading = descriptors.read(run)
        return "a kind" if reading is not None and not reading.noun_start else "the word goes on"
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "letter"
    return {" ": "space", "": "end", "\n": "end"}.get(char, f"mark: {char}")


def _noun(text: str, wording: str, end: int) -> str:
    reading = descriptors.read(wording) if len(wording) <= _LONGEST_MASK else None
    if reading is not None:
        return f"{'is' if reading.noun_start == 0 else 'ends in'} {reading.descriptor.kind}"
    noun = kind_after(text, end)
    if not noun:
        return "none"
    known = descriptors.lexicon().nouns.get(noun)
    common = "common " if known is not None and known.common else ""
    return f"before {common}{known.kind if known else 'form'}"


@lru_cache(maxsize=1 << 14)
def _district(wording: str) -> str:
    if district(wording) is not None:
        return "district"
    return "bare" if bare_district(wording) is not None else "no"


def _quoted(before_: str, after_: str) -> str:
    opens, closes = before_ and before_ in OPENING, after_ and after_ in CLOSING
    return ("no", "opens", "closes", "quoted")[bool(opens) + 2 * bool(closes)]


@lru_cache(maxsize=4096)
def _label_id(label: str) -> str:
    known = working().resolve(label)
    return str(known.id) if known is not None else "none"


@lru_cache(maxsize=4096)
def _kind_of_id(id_: str) -> Kind:
    return kind_of(working().by_id(int(id_)).ko)


def _kind_of_form(wording: str) -> Kind:
    """Return what *wording* would be, where nobody proposed a label."""
    form = _form(wording)
    if form.startswith("digits"):
        return "number"
    is_like = form == "Hangul" and 2 <= len(wording) <= 4 and likeness(wording) > -8
    return "person" if is_like else "place" if _district(wording) != "no" else "body"
