"""The two ways of filling compared: text first, and tokens spliced."""

import pytest
from filling_comparison import compare

from thunder import taxonomy, tokenization
from thunder.settings import resources
from thunder.text.spans import Span
from thunder.training_data.annotation import parse
from thunder.training_data.datasets.examples import Marked, TextFirst, TokenSplice

TAXONOMY = taxonomy.load()
TOKENIZER = tokenization.load(resources.folder("tokenizer") / "32k")


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


B, C = mark("내국인이름", "B"), mark("내국인이름", "C")


def test_the_two_ways_are_compared_mention_by_mention():
    texts = (
        f"피고인 {B}은 {C}에게 갔다",
        f"{mark('은행', 'D')}은행 {mark('호', 'E')}호에서",
        "없다",
    )
    judgments = [Marked(str(at), "x", *_parsed(text)) for at, text in enumerate(texts)]
    options = {"seed": 3}
    found = compare(
        judgments * 1, TextFirst(TOKENIZER, TAXONOMY, **options),
        TokenSplice(TOKENIZER, TAXONOMY, **options),
    )  # fmt: skip
    assert (found.documents, found.mentions) == (3, 4)
    assert found.differing_mentions == sum(found.labels.values()) == sum(found.places.values())
    assert found.straddling["token-splice"] == 0
    with pytest.raises(ValueError, match="0: the two fillers have different options"):
        compare(judgments, TextFirst(TOKENIZER, TAXONOMY), TokenSplice(TOKENIZER, TAXONOMY, seed=9))


def _parsed(text: str) -> tuple[str, tuple[Span, ...]]:
    found = parse(text)
    return found.text, found.spans
