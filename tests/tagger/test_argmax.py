"""The paper's decision: the likeliest class of each token, nothing voted on or completed."""

import numpy as np

from thunder import taxonomy
from thunder.tagger.decoding import likeliest
from thunder.tagger.readings import Classes, Reading


def _reading(known, rows):
    """Return what is read of tokens of two letters each, by probability of label and of outside."""
    starts = np.arange(0, 2 * len(rows), 2, dtype=np.int32)
    found = Reading.empty(starts, starts + 2)
    scores = np.full((len(rows), known.classes), -30.0, np.float32)
    for at, row in enumerate(rows):
        for label, chance in row.items():
            column = known.label(label).id if label else 0
            scores[at, column] = np.log(chance)
    found.put(0, Classes(known, "classes").read(scores))
    return found


def test_a_token_is_masked_where_a_label_is_likelier_than_outside():
    known = taxonomy.load()
    rows = [
        {"": 0.6, "내국인이름": 0.4},  # outside is likelier
        {"": 0.4, "내국인이름": 0.6},
        {"": 0.4, "내국인이름": 0.3, "은행": 0.3},  # half or more is mass, yet outside is likeliest
        {"": 0.2, "내국인이름": 0.5, "은행": 0.3},
        {"": 0.1, "내국인이름": 0.9},
        {"": 0.1, "은행": 0.9},
    ]
    found = likeliest(_reading(known, rows), taxonomy=known)
    assert [(span.start, span.end, span.label) for span in found] == [
        (2, 4, "내국인이름"), (6, 10, "내국인이름"), (10, 12, "은행"),
    ]  # fmt: skip
    assert found[1].score == 0.8
