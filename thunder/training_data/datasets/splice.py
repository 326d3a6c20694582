"""The tokens of a filled judgment, put together from those of its text and of its mentions.

Source: Thunder-DeID paper, section 3.7 and Figure 3. The text is tokenised once, with a cut at
both ends of every placeholder; a mention is tokenised once, by itself. What stands right behind
a mention (particles) is analysed behind the placeholder, in both of its spellings.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thunder.taxonomy import Taxonomy
from thunder.text.spans import Span
from thunder.tokenization import HybridTokenizer
from thunder.tokenization.words import Encoded
from thunder.training_data.filling import Choice, Prepared, kind_of
from thunder.training_data.filling.sources import Site
from thunder.training_data.mention_makers.numbers import PATTERNS

_REMEMBERED = 2_500_000  # characters of texts cut into pieces: some 5,000 fact sections
_MENTIONS = 200_000  # mentions with their tokens: some 100 MB


class Piece(NamedTuple):
    """The tokens of a stretch of text: ids, starts and ends, counted from where it begins."""

    table: NDArray[np.int32]
    length: int


class Splicing:
    """Puts tokens together; what was tokenised is remembered within bounds."""

    def __init__(self, tokenizer: HybridTokenizer, taxonomy: Taxonomy) -> None:
        self._tokenizer = tokenizer
        self._taxonomy = taxonomy
        self._mentions: dict[tuple[str, bool], Piece] = {}
        self._texts: dict[int, Cut] = {}
        self._characters = 0

    def tokens(self, prepared: Prepared, chosen: Choice) -> Encoded:
        """Return the tokens of a judgment filled as *chosen*, placed in the text of ``written``."""
        cut = self._cut(prepared)
        texts = [form.text for form in chosen.forms]
        mentions = list(zip(texts, cut.spaced, strict=True))
        if not self._mentions.keys() >= set(mentions):
            self._remember(mentions)
        pieces = [cut.gap(0, chosen.particles)]
        for at, mention in enumerate(mentions, 1):
            pieces += (self._mentions[mention], cut.gap(at, chosen.particles))
        return _joined(pieces)

    def prepare(self, prepared: Prepared) -> None:
        """Return once the text of a judgment is tokenised."""
        self._cut(prepared)

    def _remember(self, mentions: Sequence[tuple[str, bool]]) -> None:
        """Tokenise the *mentions* that are new, each behind a space where it stands behind one."""
        if len(self._mentions) >= _MENTIONS:
            self._mentions.clear()
        new = list(dict.fromkeys(one for one in mentions if one not in self._mentions))
        texts = [f" {mention}" if spaced else mention for mention, spaced in new]
        for one, found in zip(new, self._tokenizer.encode_all(texts), strict=True):
            table = np.array(found)
            table[1:] -= one[1]
            self._mentions[one] = Piece(table, len(one[0]))

    def _cut(self, prepared: Prepared) -> "Cut":
        known = self._texts.get(id(prepared))
        if known is not None and known.prepared is prepared:
            return known
        if self._characters > _REMEMBERED:
            self._texts.clear()
            self._characters = 0
        self._texts[id(prepared)] = made = Cut(prepared, self._tokenizer, self._taxonomy)
        self._characters += len(prepared.text)
        return made


class Cut:
    """A judgment's text in pieces: gap *n* stands before placeholder *n*, the last behind all."""

    def __init__(self, prepared: Prepared, tokenizer: HybridTokenizer, taxonomy: Taxonomy) -> None:
        self.prepared = prepared
        self._tokenizer = tokenizer
        self._any_label = next(iter(taxonomy)).ko
        self._taxonomy = taxonomy
        starts = (site.span.start for site in prepared.sites)
        before = (prepared.text[start - 1 : start] for start in starts)
        self.spaced = [char.isspace() and char != "\n" for char in before]
        self._particles = _by_gap(prepared)
        self._gaps: list[dict[tuple[str, ...], Piece]] = [{} for _ in self._particles]
        both = [(p.after_consonant, p.after_vowel) for p, _ in prepared.particles]
        for spelling in (0, 1) if both else (0,):
            self._remember([forms[spelling] for forms in both])

    def gap(self, number: int, particles: Sequence[str]) -> Piece:
        """Return the tokens of a gap whose particles are spelled like *particles*."""
        inside = self._particles[number]
        spelled = tuple([particles[at] for at in inside]) if inside else ()
        if spelled not in self._gaps[number]:
            self._remember(particles)
        return self._gaps[number][spelled]

    def _remember(self, particles: Sequence[str]) -> None:
        """Tokenise the text with its placeholders and *particles*, and keep the gaps' tokens."""
        text, places = _spelled(self.prepared, particles)
        spans = [Span(start, end, self._any_label) for start, end in places]
        found = self._tokenizer.encode_annotated(text, spans, taxonomy=self._taxonomy)
        kept = found.starts < found.ends  # markers stand for no character
        table = np.stack([numbers[kept] for numbers in found])
        begins = [0, *(end for _, end in places)]
        ends = [*(start for start, _ in places), len(text)]
        first = np.searchsorted(table[1], begins).tolist()
        last = np.searchsorted(table[1], ends).tolist()
        for number, inside in enumerate(self._particles):
            own = table[:, first[number] : last[number]].copy()
            own[1:] -= begins[number]
            spelled = tuple(particles[at] for at in inside)
            self._gaps[number].setdefault(spelled, Piece(own, ends[number] - begins[number]))


def _by_gap(prepared: Prepared) -> list[tuple[int, ...]]:
    """Return the numbers of the particles that stand in each gap."""
    gaps: list[list[int]] = [[]]
    for place in prepared.order:
        if place >= 0:
            gaps.append([])
        else:
            gaps[-1].append(~place)
    return [tuple(inside) for inside in gaps]


def _spelled(prepared: Prepared, particles: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with its placeholders and *particles*, and where the former stand."""
    pieces = [prepared.kept[0]]
    places: list[tuple[int, int]] = []
    at = len(prepared.kept[0])
    for place, kept in zip(prepared.order, prepared.kept[1:], strict=True):
        written = _stand_in(prepared.sites[place]) if place >= 0 else particles[~place]
        if place >= 0:
            places.append((at, at + len(written)))
        pieces += (written, kept)
        at += len(written) + len(kept)
    return "".join(pieces), places


def _stand_in(site: Site) -> str:
    """Return what a placeholder is read as: B호에 is cut otherwise than 101호에."""
    return "101" if kind_of(site.span.label) in PATTERNS else site.surface


def _joined(pieces: Sequence[Piece]) -> Encoded:
    """Return the tokens of *pieces*, one behind the other."""
    table = np.concatenate([piece.table for piece in pieces], axis=1)
    lengths = np.array([piece.length for piece in pieces], dtype=np.int32)
    counts = [piece.table.shape[1] for piece in pieces]
    table[1:] += np.repeat(np.cumsum(lengths, dtype=np.int32) - lengths, counts)
    return Encoded(table[0], table[1], table[2])
