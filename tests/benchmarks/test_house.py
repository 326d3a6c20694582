"""The house in numbers: what counts as an import, how long a chain is, who stands in a circle."""

from itertools import pairwise

import pytest
from house import circles, imported, longest_chain

MODULES = {"thunder", "thunder.a", "thunder.a.b", "thunder.c"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("import thunder.c", {"thunder.c"}),
        ("from thunder.a import b", {"thunder.a.b"}),
        ("from thunder.a import name", {"thunder.a"}),
        ("from thunder.c import name as other", {"thunder.c"}),
        ("def f():\n    from thunder import c", {"thunder.c"}),
        ("import os\nfrom json import loads\nfrom . import c", set()),
    ],
)
def test_imports_of_a_source(line, found):
    assert imported(line, MODULES) == found


@pytest.mark.parametrize(
    ("graph", "length", "in_circles"),
    [
        ({}, 0, 0),
        ({"a": set()}, 1, 0),
        ({"a": {"b", "c"}, "b": {"c"}, "c": {"d"}, "d": set(), "e": {"d"}}, 4, 0),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, 3, 2),
    ],
)
def test_chains_and_circles(graph, length, in_circles):
    chain = longest_chain(graph)
    assert len(chain) == length
    assert all(below in graph[above] for below, above in pairwise(chain))
    assert circles(graph) == in_circles
