"""Judgments become examples: the same in any order, worker or restart, with exact labels."""

import multiprocessing
import os
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder import taxonomy, tokenization
from thunder.settings import resources
from thunder.text.spans import Span
from thunder.tokenization.labeling import IGNORE, OUTSIDE
from thunder.training_data.annotation import parse
from thunder.training_data.datasets.examples import LONGEST, Example, Marked, TextFirst, TokenSplice
from thunder.training_data.filling import IGNORED, NONE
from thunder.training_data.lists import ReplacementLists, part_of
from thunder.training_data.mention_makers.names import PLAIN

from ...labels_read_back import spans_from_labels

TAXONOMY = taxonomy.load()
TOKENIZER = tokenization.load(resources.folder("tokenizer") / "32k")
WAYS = (TextFirst, TokenSplice)


def mark(label: str, placeholder: str) -> str:
    return f"<<<{label}>>>{placeholder}<<</{label}>>>"


def marked(text: str, *, id: str = "judgment 1") -> Marked:
    found = parse(text)
    return Marked(id, "fraud", found.text, found.spans)


B, C = mark("내국인이름", "B"), mark("내국인이름", "C")
D, E, F = mark("은행", "D"), mark("구아래주소", "E"), mark("식당", "F")
G, H, K = mark("주식회사", "G"), mark("나이", "H"), mark("병원", "K")
TEXTS = (
    f"피고인 {B}은 {C}(여, 34세)에게 {D}은행 계좌로 돈을 보냈다. {C}는 알았다.",
    f"서울 강남구 {E}에 있는 '{F}' 식당\n1. 증인 {B}의 진술",
    f"{G} 직원 {B}({H}세)과 {C}로부터 {K}에서",
    "아무도 나오지 않는다.",
)

JUDGMENTS = tuple(marked(text, id=f"judgment {at}") for at, text in enumerate(TEXTS))


def same(one: Example, other: Example) -> bool:
    arrays = ("ids", "labels", "starts", "ends")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays) and (
        one.id, one.epoch, one.replica, one.text, one.spans
    ) == (other.id, other.epoch, other.replica, other.text, other.spans)  # fmt: skip


def every(filler: TextFirst | TokenSplice) -> Iterator[Example]:
    for judgment in JUDGMENTS:
        for epoch in (0, 1):
            for replica in (0, 1):
                yield filler.example(judgment, epoch=epoch, replica=replica)


@pytest.mark.parametrize("way", WAYS)
def test_an_example_has_the_types_that_are_stored(way):
    example = way(TOKENIZER, TAXONOMY).example(JUDGMENTS[0], epoch=3, replica=2)
    assert (example.id, example.epoch, example.replica) == ("judgment 0", 3, 2)
    arrays = (example.ids, example.labels, example.starts, example.ends)
    assert [str(array.dtype) for array in arrays] == ["uint32", "int16", "int32", "int32"]
    assert len({len(array) for array in arrays}) == 1


@pytest.mark.parametrize("way", WAYS)
def test_order_restarts_and_what_was_filled_before_change_nothing(way):
    first = list(every(way(TOKENIZER, TAXONOMY)))
    backwards = way(TOKENIZER, TAXONOMY)
    for example in reversed(first):
        judgment = next(one for one in JUDGMENTS if one.id == example.id)
        again = backwards.example(judgment, epoch=example.epoch, replica=example.replica)
        assert same(again, example)
    restarted = pickle.loads(pickle.dumps(backwards))
    assert all(map(same, every(restarted), first))


def _made(way: type[TextFirst]) -> list[Example]:
    return list(every(way(TOKENIZER, TAXONOMY)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_another_process_makes_the_same_examples():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        there = pool.apply(_made, (TextFirst,))
    assert all(map(same, there, _made(TextFirst)))


@pytest.mark.parametrize("way", WAYS)
def test_epochs_replicas_and_seeds_draw_anew_and_single_replacement_once(way):
    judgment = JUDGMENTS[0]

    def text(
        epoch: int = 0, replica: int = 0, seed: int = 1, replacement: str = "per-epoch"
    ) -> str:
        filler = way(TOKENIZER, TAXONOMY, seed=seed, replacement=replacement)
        return filler.example(judgment, epoch=epoch, replica=replica).text

    assert len({text(), text(epoch=1), text(replica=1), text(seed=2)}) == 4
    assert text(replacement="single") == text(epoch=5, replacement="single")
    assert text(replacement="single") != text(replica=1, replacement="single")
    assert text(replacement="single") == text()  # the first epoch is the single one


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("part", ["train", "held-out"])
def test_mentions_come_from_one_part_of_the_lists(way, part):
    filler = way(TOKENIZER, TAXONOMY, part=part, forms=PLAIN, variants=NONE)
    for epoch in range(5):
        for judgment in JUDGMENTS:
            example = filler.example(judgment, epoch=epoch)
            names = [example.text[s.start : s.end] for s in example.spans if s.label]
            persons = [name for name in names if name.isalpha() and len(name) == 3]
            assert {part_of(name) for name in persons} <= {part}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scheme", ["classes", "bio"])
def test_labels_say_the_spans_again(way, scheme):
    filler = way(TOKENIZER, TAXONOMY, scheme=scheme)
    for example in every(filler):
        back = spans_from_labels(
            example.labels, example.starts, example.ends, taxonomy=TAXONOMY, scheme=scheme
        )
        covered = {at for span in back for at in range(span.start, span.end)}
        for span in example.spans:
            spoken = {at for at in range(span.start, span.end) if not example.text[at].isspace()}
            assert not span.label or spoken <= covered


def test_a_name_without_a_label_is_never_outside():
    text = "중구에 있는 C 앞 노상"
    judgment = Marked("one", "fraud", text, (Span(7, 8, IGNORED),))
    for way in WAYS:
        example = way(TOKENIZER, TAXONOMY).example(judgment, epoch=0)
        (span,) = example.spans
        touched = (example.starts < span.end) & (example.ends > span.start)
        assert touched.any() and (example.labels[touched] == IGNORE).all()
        assert (example.labels[~touched] == OUTSIDE).all()


def test_what_is_remembered_is_not_mistaken_for_another_text():
    filler = TextFirst(TOKENIZER, TAXONOMY)
    filler.example(JUDGMENTS[0], epoch=0)
    changed = JUDGMENTS[0]._replace(text=JUDGMENTS[0].text.replace("보냈다", "부쳤다"))
    assert "부쳤다" in filler.example(changed, epoch=0).text
    fewer = JUDGMENTS[0]._replace(spans=JUDGMENTS[0].spans[:1])
    assert len(filler.example(fewer, epoch=0).spans) == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("judgment", "error", "message"),
    [
        (Marked("doc 7", "x", "", ()), ValueError, "doc 7: the document is empty"),
        (Marked("doc 7", "x", " \n", ()), ValueError, "doc 7: the document is empty"),
        (
            Marked("doc 7", "x", "가" * 1_000_000, ()),
            ValueError,
            f"doc 7: 1000000 characters, more than {LONGEST}",
        ),
        (
            Marked("doc 7", "x", "B은", (Span(0, 1, "없는것"),)),
            LookupError,
            "doc 7: unknown label '없는것'",
        ),
        (
            Marked("doc 7", "x", "B은 갔다", (Span(0, 2, "호"), Span(1, 3, "호"))),
            ValueError,
            "doc 7: spans overlap",
        ),
        (Marked("doc 7", "x", "B", (Span(0, 3, "호"),)), ValueError, "doc 7: a span ends at 3"),
        (Marked("doc 7", "x", "\ud800 B", ()), ValueError, "doc 7: lone surrogate"),
    ],
)
def test_what_cannot_be_filled_is_refused_with_its_document(way, judgment, error, message):
    with pytest.raises(error, match=message):
        way(TOKENIZER, TAXONOMY).example(judgment, epoch=0)


def test_a_label_without_a_list_is_refused_with_its_document(tmp_path):
    filler = TextFirst(TOKENIZER, TAXONOMY, lists=ReplacementLists(tmp_path))
    with pytest.raises(
        ValueError, match=r"judgment 0: .*there is no list or rule for '내국인이름'"
    ):
        filler.example(JUDGMENTS[0]._replace(spans=JUDGMENTS[0].spans[:1]), epoch=0)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"scheme": "iob"}, "unknown scheme 'iob'; known are classes, bio"),
        ({"replacement": "never"}, "unknown replacement 'never'; known are single, per-epoch"),
        ({"part": "half"}, "unknown part 'half'; known are all, train, held-out"),
    ],
)
def test_unknown_options_are_refused_with_the_choices(option, message):
    with pytest.raises(ValueError, match=message):
        TextFirst(TOKENIZER, TAXONOMY, **option)


def test_epochs_count_from_0():
    with pytest.raises(ValueError, match="epochs and replicas count from 0, got -1 and 0"):
        TextFirst(TOKENIZER, TAXONOMY).example(JUDGMENTS[0], epoch=-1)


TEXT_FIRST = TextFirst(TOKENIZER, TAXONOMY)
TOKEN_SPLICE = TokenSplice(TOKENIZER, TAXONOMY)
GAPS = st.text(alphabet="은는이가 을를에서\n(),.'가나다12 \u3000\u200b𠮷", max_size=10)
LABELS = st.sampled_from(["내국인이름", "식당", "구아래주소", "호", "주식회사", IGNORED])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(GAPS, LABELS, st.sampled_from("BCD")), max_size=6), GAPS)
def test_the_two_ways_give_the_same_mentions_places_and_labels(parts, last):
    text, spans = "사건 ", []
    for gap, label, letter in parts:
        text += gap
        spans.append(Span(len(text), len(text) + 1, label))
        text += letter
    judgment = Marked("one", "x", text + last, tuple(spans))
    one = TEXT_FIRST.example(judgment, epoch=0)
    other = TOKEN_SPLICE.example(judgment, epoch=0)
    assert (one.text, one.spans) == (other.text, other.spans)
    for example in (one, other):
        assert (np.diff(example.starts) >= 0).all() and (example.ends <= len(one.text)).all()
        assert (example.labels == _expected(example)).all()


def _expected(example: Example) -> list[int]:
    """Return the labels by the definition, token by token."""
    found = []
    for start, end in zip(example.starts.tolist(), example.ends.tolist(), strict=True):
        touched = [s.label for s in example.spans if s.start < end and start < s.end]
        labelled = [TAXONOMY.label(label).id for label in touched if label]
        found.append(labelled[0] if labelled else IGNORE if touched else OUTSIDE)
    return found
