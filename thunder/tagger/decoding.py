"""What was read of tokens to spans: whole mentions, one label each, with a score.

1. A token is in a mention where its mass reaches the threshold of its likeliest label.
2. Tokens are joined to mentions: neighbours of one label, the tokens of one word whose labels are
   of one subcategory, and a token or two missed within a word. A doubtful token (a low threshold
   lets it in, to miss nothing) joins a sure one only within the same letters, so that a name does
   not take in its particle, a bracket or the word beside it.
3. A mention's label is its tokens' vote, its score their mean mass.
4. Mentions go whole (``thunder.tagger.whole``); what overlaps then is joined or cut.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from thunder.names.given_names import surnames
from thunder.names.person_tails import tails
from thunder.tagger.readings import Reading
from thunder.tagger.thresholds import Thresholds
from thunder.tagger.whole import whole
from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization.labeling import OUTSIDE

SOURCE = "tagger"
_PERSONS = "D.1.1"
_SURE = 0.5
_MISSED = 2  # tokens within a word that are filled up when both sides are of one mention
_LETTERS = re.compile(r"[가-힣]{1,12}")
_NAME = re.compile(r"[가-힣]{3,4}")
_NAMES = re.compile(rf"{_NAME.pattern}(?:[ \t]+{_NAME.pattern})+")  # 남궁 민수 is one name


def decoded(
    reading: Reading, text: str, *, taxonomy: Taxonomy, thresholds: Thresholds
) -> list[Span]:
    """Return the mentions in *text* (folded, as it was read): sorted, disjoint, with scores."""
    decoding = _Decoding(reading, text, taxonomy)
    levels = thresholds.by_id(taxonomy)
    found = (reading.label != OUTSIDE) & (reading.mass >= levels[reading.label])
    found &= reading.starts < reading.ends
    grown = [decoding.whole(tokens) for tokens in decoding.joined(np.flatnonzero(found).tolist())]
    split = [part for one in grown if one is not None for part in decoding.single(one)]
    return list(decoding.apart(sorted(split)))


def likeliest(reading: Reading, *, taxonomy: Taxonomy) -> list[Span]:
    """Return the tokens whose likeliest class is a label, neighbours of one label as one span.

    The decision of the Thunder-DeID paper (argmax, Appendix F): nothing is voted on, completed or
    looked for again.
    """
    masked = (reading.label != OUTSIDE) & (reading.mass * reading.share > 1 - reading.mass)
    masked &= reading.starts < reading.ends
    found: list[Span] = []
    for token in np.flatnonzero(masked).tolist():
        start, end = int(reading.starts[token]), int(reading.ends[token])
        label = taxonomy.by_id(int(reading.label[token])).ko
        mass = round(min(float(reading.mass[token]), 1.0), 4)
        before = found[-1] if found else None
        if before and start < before.end:
            continue  # bytes of one character
        if before and before.label == label and start == before.end:
            found[-1] = Span(before.start, end, label, min(before.score, mass), SOURCE)
        else:
            found.append(Span(start, end, label, mass, SOURCE))
    return found


class _Decoding(NamedTuple):
    reading: Reading
    text: str
    taxonomy: Taxonomy

    def joined(self, found: Sequence[int]) -> Iterator[list[int]]:
        """Yield the tokens of each mention."""
        tokens: list[int] = []
        for token in found:
            if tokens and not self._goes_on(tokens[-1], token):
                yield tokens
                tokens = []
            tokens.append(token)
        if tokens:
            yield tokens

    def _goes_on(self, before: int, token: int) -> bool:
        """Return whether *token* belongs to the mention of the found token before it."""
        starts, ends, labels = self.reading.starts, self.reading.ends, self.reading.label
        if starts[token] < ends[before]:
            return True  # bytes of one character
        if self.reading.begins[token] or token - before > 1 + _MISSED:
            return False
        between = self.text[ends[before] : starts[token]]
        if self._is_sure(before) != self._is_sure(token) and not self._is_one_run(before, token):
            return False
        same = bool(labels[token] == labels[before])
        if token - before == 1:
            return same or (not between and self._is_one_word(before, token))
        return same and between.replace("-", "").isalnum()

    def _is_one_word(self, before: int, token: int) -> bool:
        """Return whether both are letters of one word, read as labels of one subcategory."""
        one, other = (int(self.reading.label[at]) for at in (before, token))
        alike = self.taxonomy.by_id(one).code == self.taxonomy.by_id(other).code
        return alike and self._is_one_run(before, token)

    def _is_one_run(self, before: int, token: int) -> bool:
        """Return whether nothing but letters and digits stands where the two meet."""
        last, first = self.reading.ends[before] - 1, self.reading.starts[token]
        met = self.text[last : first + 1]
        return met.isalnum()

    def _is_sure(self, token: int) -> bool:
        return bool(self.reading.mass[token] >= _SURE)

    def _without_doubtful_particle(self, tokens: Sequence[int]) -> Sequence[int]:
        """Return the tokens without a last one that is rather the particle after the mention.

        Only after what is a mention without it, a whole name, a number or a Latin word: of others
        it may be the last syllable, and a letter too many is no leak.
        """
        if len(tokens) < 2 or self._is_sure(tokens[-1]) or not self._is_sure(tokens[-2]):
            return tokens
        start, last = (int(self.reading.starts[token]) for token in (tokens[0], tokens[-1]))
        match = _LETTERS.match(self.text, last)
        before = self.text[start:last]
        ends = not _LETTERS.match(before[-1:]) or (
            _NAME.fullmatch(before) is not None and before.startswith(tuple(surnames()))
        )
        return tokens[:-1] if match and ends and match[0] in tails() else tokens

    def whole(self, tokens: Sequence[int]) -> Span | None:
        """Return the mention that these tokens are of, None if there is no letter in it."""
        tokens = self._without_doubtful_particle(tokens)
        label = self._vote(tokens)
        first, last = int(self.reading.starts[tokens[0]]), int(self.reading.starts[tokens[-1]])
        stop = int(self.reading.ends[tokens].max())
        person = self.taxonomy.label(label).code == _PERSONS
        start, end = whole(self.text, first, stop, person=person, last=last)
        if not any(char.isalnum() for char in self.text[start:end]):
            return None
        score = float(self.reading.mass[tokens].mean())
        return Span(start, end, label, round(min(score, 1.0), 4), SOURCE)

    def _vote(self, tokens: Sequence[int]) -> str:
        """Return the label with the most probability among *tokens*, the earlier one of equals."""
        votes: defaultdict[int, float] = defaultdict(float)
        for token in tokens:
            weight = self.reading.mass[token] * self.reading.share[token]
            votes[int(self.reading.label[token])] += float(weight)
        return self.taxonomy.by_id(max(votes, key=lambda label: votes[label])).ko

    def single(self, span: Span) -> Iterator[Span]:
        """Yield one span a person: without BIO, names side by side are read as one."""
        surface = self.text[span.start : span.end]
        person = self.taxonomy.label(span.label).code == _PERSONS
        if not person or not _NAMES.fullmatch(surface):
            yield span
            return
        for name in _NAME.finditer(surface):
            yield _moved(span, span.start + name.start(), span.start + name.end())

    def apart(self, spans: Sequence[Span]) -> Iterator[Span]:
        """Yield the same spans disjoint: those that overlap are one if alike, else cut."""
        held: Span | None = None
        for span in spans:
            if held is not None and span.start < held.end:
                if self._are_alike(held, span) or span.end <= held.end:
                    held = _moved(held, held.start, max(held.end, span.end))
                    continue
                span = _moved(span, held.end, span.end)
            if held is not None:
                yield held
            held = span
        if held is not None:
            yield held

    def _are_alike(self, one: Span, other: Span) -> bool:
        return self.taxonomy.label(one.label).code == self.taxonomy.label(other.label).code


def _moved(span: Span, start: int, end: int) -> Span:
    return Span(start, end, span.label, span.score, span.source)
