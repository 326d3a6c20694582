"""Prepared judgments come back as they were, by number; near-duplicates are found among them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder import taxonomy as taxonomies
from thunder.text.spans import IGNORED, Span
from thunder.training_data.datasets import judgments as stored
from thunder.training_data.datasets.filling import Marked
from thunder.training_data.datasets.judgments import Head, Judgments, Writer

TEXT = st.text(min_size=1, max_size=20)


@st.composite
def marked(draw):
    text = draw(TEXT)
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    labels = st.sampled_from(["내국인이름", "은행", IGNORED])
    spans = tuple(Span(start, end, draw(labels)) for start, end in pairs)
    return Marked(draw(TEXT), draw(st.sampled_from(["fraud", "민사"])), text, spans)


def store(folder, judgments):
    writer = Writer(folder, taxonomies.load())
    for judgment in judgments:
        writer.add(judgment)
    return Judgments(folder, [shard.name for shard in writer.close()], taxonomies.load())


@settings(max_examples=40, deadline=None)
@given(judgments=st.lists(marked(), min_size=1, max_size=12))
def test_judgments_come_back_as_they_were(judgments, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "_ROWS", 3)
        found = store(tmp_path_factory.mktemp("judgments"), judgments)
    assert [found[at] for at in range(len(found))] == judgments
    heads = [Head(one.id, one.case_type, len(one.text), len(one.spans)) for one in judgments]
    assert list(found.heads()) == heads


def test_labels_are_counted_by_group_without_those_of_none(tmp_path):
    bank = Marked("a", "fraud", "A은행 B", (Span(0, 1, "은행"), Span(4, 5, IGNORED)))
    found = store(tmp_path, [bank, bank._replace(id="b"), bank._replace(id="c")])
    counts = found.label_counts(["train", "train", None])
    assert counts == {("은행", "train"): 2, (IGNORED, "train"): 2}
