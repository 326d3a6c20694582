"""Where the two ways of filling differ: the tokens of one text, cut as a whole and in pieces.

Mentions, text, spans are the same by construction; what may differ is where Mecab-ko and BPE cut
a word that holds a mention. A word is what stands between white space: no other can differ.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from thunder.text.spans import Span
from thunder.tokenization.labeling import IGNORE, OUTSIDE
from thunder.training_data.datasets.examples import Example, Marked, TextFirst, TokenSplice


@dataclass
class Differences:
    """How often the two ways differ, counted over examples.

    ``straddling`` are tokens, by way, of which one part lies in a mention and another outside;
    ``labels`` counts mentions cut differently by label, ``places`` by where the first token
    differs: within the mention, or in what stands before or behind it in its word.
    """

    documents: int = 0
    differing: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    straddling: Counter[str] = field(default_factory=Counter)
    mentions: int = 0
    differing_mentions: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)


def compare(
    judgments: Iterable[Marked],
    text_first: TextFirst,
    token_splice: TokenSplice,
    *,
    epoch: int = 0,
    replica: int = 0,
) -> Differences:
    """Return how the examples of two fillers with the same options differ.

    ValueError where they were filled with different mentions: then their options differ.
    """
    found = Differences()
    for judgment in judgments:
        one = text_first.example(judgment, epoch=epoch, replica=replica)
        other = token_splice.example(judgment, epoch=epoch, replica=replica)
        if (one.text, one.spans) != (other.text, other.spans):
            raise ValueError(f"{judgment.id}: the two fillers have different options")
        _count(found, one, other)
    return found


def _count(found: Differences, one: Example, other: Example) -> None:
    found.documents += 1
    apart = _tokens(one) ^ _tokens(other)
    found.differing += bool(apart)
    for way, example in (("text-first", one), ("token-splice", other)):
        found.tokens[way] += len(example.ids)
        found.straddling[way] += _straddling(example)
    begins = sorted((start, end) for start, end, _, _ in apart)
    at = 0
    for span in one.spans:
        start, end = _word(one.text, span)
        while at < len(begins) and begins[at][0] < start:
            at += 1
        found.mentions += 1
        if at < len(begins) and begins[at][0] < end:
            found.differing_mentions += 1
            found.labels[span.label] += 1
            found.places[_place(begins[at], span)] += 1


def _tokens(example: Example) -> set[tuple[int, int, int, int]]:
    """Return place and id of every token; the bytes of one character told apart by their turn."""
    turn = 0
    before = (-1, -1)
    found = set()
    for start, end, id_ in zip(
        example.starts.tolist(), example.ends.tolist(), example.ids.tolist(), strict=True
    ):
        turn = turn + 1 if (start, end) == before else 0
        before = (start, end)
        found.add((start, end, turn, id_))
    return found


def _straddling(example: Example) -> int:
    """Return how many tokens lie partly in a mention."""
    inside = (example.labels != OUTSIDE) & (example.labels != IGNORE)
    edges = {edge for span in example.spans for edge in (span.start, span.end) if span.label}
    return sum(
        any(edge in edges for edge in range(start + 1, end))
        for start, end in zip(
            example.starts[inside].tolist(), example.ends[inside].tolist(), strict=True
        )
    )


def _word(text: str, span: Span) -> tuple[int, int]:
    """Return where the word or words begin and end that *span* stands in."""
    start, end = span.start, span.end
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def _place(token: tuple[int, int], span: Span) -> str:
    if token[1] <= span.start:
        return "before the mention"
    if token[0] >= span.end:
        return "behind the mention"
    inside = span.start <= token[0] and token[1] <= span.end
    return "within the mention" if inside else "across its edge"
