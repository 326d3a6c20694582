"""Tokenizers side by side: length, unknown tokens, and whether a mention ends where a token does.

The last decides whether a name can be masked without its particle.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from thunder.settings.drawing import opened
from thunder.taxonomy import load as load_taxonomy
from thunder.training.tokenizers.rivals import Rival
from thunder.training.tokenizers.training import ks_x_1001
from thunder.training_data.annotation import Annotated

_SHOWN_LABELS = 15
_BELOW: Any = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.05), "fontsize": 8}


@dataclass(frozen=True, slots=True)
class Length:
    """What one tokenizer makes of one kind of text."""

    characters: int
    words: int
    tokens: int
    unknown: int

    @property
    def fertility(self) -> float:
        """Tokens a word between white space."""
        return self.tokens / self.words

    @property
    def characters_a_token(self) -> float:
        return self.characters / self.tokens

    @property
    def unknown_share(self) -> float:
        return self.unknown / self.tokens


@dataclass(frozen=True, slots=True)
class Result:
    """One tokenizer's figures; *kept* and *mentions* count by label.

    ``syllables`` and ``hanja``: how many of KS X 1001 (2,350 and 4,888) have a token or bytes.
    """

    name: str
    vocabulary: int
    lengths: Mapping[str, Length]
    kept: Mapping[str, int]
    mentions: Mapping[str, int]
    syllables: int
    hanja: int

    @property
    def kept_share(self) -> float:
        """The share of mentions whose both ends are ends of tokens."""
        return sum(self.kept.values()) / sum(self.mentions.values())


def measure(
    rival: Rival, texts: Mapping[str, Sequence[str]], annotated: Iterable[Annotated]
) -> Result:
    """Return the figures of one tokenizer on *texts* by kind, and on *annotated* mentions.

    ValueError where there is no text of a kind or no mention to measure on.
    """
    mentions: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for document in annotated:
        found = rival.read(document.text)
        starts, ends = set(found.starts), set(found.ends)
        for span in document.spans:
            mentions[span.label] += 1
            kept[span.label] += span.start in starts and span.end in ends
    if not mentions or not all(any(map(str.split, some)) for some in texts.values()):
        raise ValueError("nothing to measure on: give texts with words and annotated mentions")
    hangul = ks_x_1001(hanja=False)
    hanja = sorted(set(ks_x_1001(hanja=True)).difference(hangul))
    lengths = {kind: _length(rival, some) for kind, some in texts.items()}
    counts = (_known(rival, hangul), _known(rival, hanja))
    return Result(rival.name, rival.vocabulary, lengths, kept, mentions, *counts)


def _length(rival: Rival, texts: Iterable[str]) -> Length:
    characters = words = tokens = unknown = 0
    for text in texts:
        found = rival.read(text)
        characters += len(text)
        words += len(text.split())
        tokens += len(found.starts)
        unknown += found.unknown
    return Length(characters, words, tokens, unknown)


def _known(rival: Rival, characters: Iterable[str]) -> int:
    return sum(not rival.read(char).unknown for char in characters)


def markdown(results: Sequence[Result]) -> str:
    """Return the figures as Markdown tables."""
    kinds = list(results[0].lengths)
    head = ["tokenizer", "vocabulary", "mentions on token ends"]
    rows = [[r.name, f"{r.vocabulary:,}", _percent(r.kept_share)] for r in results]
    for kind in kinds:
        head += [f"{kind}: characters a token", "tokens a word", "unknown"]
        for row, result in zip(rows, results, strict=True):
            one = result.lengths[kind]
            row += [f"{one.characters_a_token:.2f}", f"{one.fertility:.2f}"]
            row.append(_percent(one.unknown_share, digits=2))
    head += ["KS X 1001 syllables", "hanja"]
    for row, result in zip(rows, results, strict=True):
        row += [f"{result.syllables:,}", f"{result.hanja:,}"]
    return f"{_table(head, rows)}\n{_by_label(results)}"


def _by_label(results: Sequence[Result]) -> str:
    labels = _frequent(results)
    mentions = results[0].mentions
    head = ["label", "mentions", *(result.name for result in results)]
    rows = [
        [label, str(mentions[label]), *(_percent(r.kept[label] / mentions[label]) for r in results)]
        for label in labels
    ]
    rest = sum(mentions.values()) - sum(mentions[label] for label in labels)
    if rest:
        kept = [sum(r.kept.values()) - sum(r.kept[label] for label in labels) for r in results]
        rows.append(["all others", str(rest), *(_percent(number / rest) for number in kept)])
    return _table(head, rows)


def _frequent(results: Sequence[Result]) -> list[str]:
    by_count = sorted(results[0].mentions.items(), key=lambda item: (-item[1], item[0]))
    return [label for label, _ in by_count[:_SHOWN_LABELS]]


def _percent(share: float, *, digits: int = 1) -> str:
    return f"{share:.{digits}%}".replace("%", " %")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def plot(results: Sequence[Result], path: Path) -> None:
    """Write a picture: mentions on token ends, characters a token, and both by label.

    The labels' names are in English where no font with Hangul is installed. PlotError without
    matplotlib.
    """
    _, font = opened()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 7), layout="constrained")
    sides = figure.subplots(1, 3, width_ratios=(1, 1, 1.5))
    kinds = list(results[0].lengths)
    _bars(
        sides[0], results, {"": [100 * r.kept_share for r in results]}, "mentions on token ends, %"
    )
    lengths = {k: [r.lengths[k].characters_a_token for r in results] for k in kinds}
    _bars(sides[1], results, lengths, "characters a token")
    sides[1].legend(kinds, **_BELOW, ncols=1)
    sides[1].set_yticklabels([])
    _dots(sides[2], results, font)
    figure.savefig(path, dpi=130)


def _english(label: str) -> str:
    """Return a label's English name; of a label that the taxonomy lacks, what no font can spoil."""
    try:
        return load_taxonomy().label(label).en
    except LookupError:
        return ascii(label)


def _bars(axes: Any, results: Sequence[Result], by: Mapping[str, list[float]], title: str) -> None:
    """Draw horizontal bars, one for each tokenizer and kind, with their values."""
    height = 0.8 / len(by)
    for number, values in enumerate(by.values()):
        places = [row + (number - (len(by) - 1) / 2) * height for row in range(len(results))]
        drawn = axes.barh(places, values, height=height * 0.9)
        axes.bar_label(drawn, fmt="%.2f" if max(values) < 20 else "%.1f", padding=2, fontsize=8)
    axes.set_yticks(range(len(results)), [result.name for result in results])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.15 * max(max(values) for values in by.values()))
    axes.set_title(title, fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)


def _dots(axes: Any, results: Sequence[Result], font: str) -> None:
    """Draw each label's share of mentions on token ends, one mark for each tokenizer."""
    labels = _frequent(results)
    for number, (result, mark) in enumerate(zip(results, cycle("os^vDPX*<>"), strict=False)):
        shares = [100 * result.kept[label] / result.mentions[label] for label in labels]
        shift = 0.6 * (number + 0.5) / len(results) - 0.3  # else one hides the other
        places = [row + shift for row in range(len(labels))]
        axes.plot(shares, places, mark, label=result.name, alpha=0.8, markersize=5)
    names = labels if font else list(map(_english, labels))
    axes.set_yticks(range(len(labels)), names, fontfamily=font or "sans-serif")
    axes.invert_yaxis()
    axes.grid(axis="y", alpha=0.3)
    axes.set_title("mentions on token ends by label, %", fontsize=11)
    axes.legend(**_BELOW, ncols=3)
    axes.spines[["top", "right"]].set_visible(False)
