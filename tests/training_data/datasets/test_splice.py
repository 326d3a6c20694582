"""Tokens put together from those of the text and of the mentions: Figure 3 of the paper."""

import numpy as np
import pytest

from thunder import taxonomy, tokenization
from thunder.settings import resources
from thunder.text.spans import Span
from thunder.training_data.annotation import parse
from thunder.training_data.datasets.examples import Marked, TextFirst, TokenSplice
from thunder.training_data.datasets.splice import Splicing
from thunder.training_data.filling import Choice, prepare, spans_of, written
from thunder.training_data.filling.sources import Form

TAXONOMY = taxonomy.load()
TOKENIZER = tokenization.load(resources.folder("tokenizer") / "32k")


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def spliced(text: str, *mentions: str) -> tuple[str, list[str], list[Span]]:
    """Return a filled text, the stretches of its tokens, and its spans."""
    found = parse(text)
    prepared = prepare(found.text, found.spans)
    forms = [Form(mention) for mention in mentions]
    spelled = [p.form(forms[site].text) for p, site in prepared.particles]
    chosen = Choice(forms, spelled)
    encoded = Splicing(TOKENIZER, TAXONOMY).tokens(prepared, chosen)
    new, spans = written(prepared, chosen)
    assert spans == spans_of(prepared, chosen)
    places = zip(encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    return new, [new[start:end] for start, end in places], spans


B, C = mark("내국인이름", "B"), mark("내국인이름", "C")


@pytest.mark.parametrize(
    ("text", "mentions", "expected"),
    [
        (f"피고인 {B}이", ["홍길동"], ["피고인", "홍길동", "이"]),
        (f"피고인 {B}이", ["홍나라"], ["피고인", "홍나라", "가"]),  # the other spelling
        (f"{B}과 {C}(여, 20세)은", ["김한별", "이새"], ["김한별", "과", "이새", "는"]),
        (f"{B}, {C}", ["김한별", "이새"], ["김한별", ",", "이새"]),
        (f"{B}{C}", ["김한별", "이새"], ["김한별", "이새"]),
        (f"「{B}」을", ["김한별"], ["「", "김한별", "」", "을"]),
        # two particles in one gap, each by its own mention
        (
            f"{B}({C}가)은 갔다",
            ["김한별", "이새"],
            ["김한별", "(", "이새", "가", ")", "은", "갔다"],
        ),
        (
            f"{B}({C}가)은 갔다",
            ["김나라", "이솔"],
            ["김나라", "(", "이솔", "이", ")", "는", "갔다"],
        ),
    ],
)
def test_tokens_stand_where_their_text_stands(text, mentions, expected):
    new, stretches, spans = spliced(text, *mentions)
    joined = "".join(stretches)
    assert joined == "".join(new.split())  # every character once, in its order
    assert [new[span.start : span.end] for span in spans] == mentions
    edges = {edge for span in spans for edge in (span.start, span.end)}
    at = 0
    for stretch in stretches:  # no token crosses the end of a mention
        at = new.index(stretch, at)
        assert not edges & set(range(at + 1, at + len(stretch)))
        at += len(stretch)
    at = 0
    for piece in expected:  # what was expected begins and ends with tokens
        at = joined.index(piece, at) + len(piece)


def test_a_mention_has_the_tokens_it_has_by_itself():
    spaced, bare = TOKENIZER.encode(" 홍길동").ids, TOKENIZER.encode("홍길동").ids
    found = parse(f"피고인 {B}, ({B})")
    prepared = prepare(found.text, found.spans)
    chosen = Choice([Form("홍길동")] * 2, [])
    ids = Splicing(TOKENIZER, TAXONOMY).tokens(prepared, chosen).ids.tolist()
    pieces = (spaced.tolist(), bare.tolist())
    for piece in pieces:
        assert any(ids[at : at + len(piece)] == piece for at in range(len(ids)))


def test_a_number_is_read_as_a_number():
    one, other = (
        way(TOKENIZER, TAXONOMY).example(
            Marked("1", "x", *_parsed(f"{mark('호', 'E')}호에")), epoch=0
        )
        for way in (TextFirst, TokenSplice)
    )
    assert one.ids.tolist() == other.ids.tolist()


def test_where_no_mention_stands_the_tokens_are_those_of_the_text():
    text = "피고인은 2020. 1. 2.경 범행하였다.\n증거의 요지 𠮷 등"
    prepared = prepare(text, [])
    one = Splicing(TOKENIZER, TAXONOMY).tokens(prepared, Choice([], []))
    assert all(np.array_equal(a, b) for a, b in zip(one, TOKENIZER.encode(text), strict=True))


def test_what_is_forgotten_is_made_again(monkeypatch):
    judgments = [
        Marked(str(at), "x", f"피고인은 {at}번 B를 만나 C와", (Span(7, 8, "내국인이름"),))
        for at in range(9)
    ]
    remembering = TokenSplice(TOKENIZER, TAXONOMY)
    before = [remembering.example(one, epoch=0) for one in judgments]
    monkeypatch.setattr("thunder.training_data.datasets.splice._MENTIONS", 2)
    monkeypatch.setattr("thunder.training_data.datasets.splice._REMEMBERED", 30)
    monkeypatch.setattr("thunder.training_data.datasets.filling._REMEMBERED", 30)
    forgetful = TokenSplice(TOKENIZER, TAXONOMY)
    for _ in range(2):
        after = [forgetful.example(one, epoch=0) for one in judgments]
        assert all(np.array_equal(a.ids, b.ids) for a, b in zip(before, after, strict=True))
    assert len(forgetful.filling._ready) < 5


def _parsed(text: str) -> tuple[str, tuple[Span, ...]]:
    found = parse(text)
    return found.text, found.spans
