"""Which backend a call gets, what is refused, and that a fallback is said once."""

import logging

import pytest
import torch

from thunder.encoder.attention import (
    Distances,
    Layout,
    Need,
    backends,
    choice,
    choose,
    disentangled_attention,
)

from .cases import answered, case_of, furthest


def need(**changed):
    usual = Need("cuda", torch.bfloat16, length=512, width=64, gradient=True)
    return usual._replace(**changed)


@pytest.fixture(autouse=True)
def nothing_said_yet(monkeypatch):
    monkeypatch.setattr(choice, "_said", set())
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    monkeypatch.setattr(choice, "_has_triton", lambda: True)


@pytest.mark.parametrize(
    ("wanted", "call", "taken"),
    [
        ("auto", need(), "triton"),
        ("auto", need(device="cpu"), "shift"),
        ("auto", need(device="cpu", dtype=torch.float32, gradient=False), "shift"),
        ("auto", need(width=48), "sdpa"),
        ("auto", need(dtype=torch.float64), "sdpa"),
        ("auto", need(dropout=0.1), "triton"),
        ("triton", need(length=50_000), "sdpa"),
        ("triton", need(device="cpu"), "shift"),
        ("flex", need(dropout=0.1), "sdpa"),
        ("flex", need(device="cpu"), "shift"),
        ("flex", need(device="cpu", gradient=False), "flex"),
        ("reference", need(), "reference"),
        ("sdpa", need(width=48), "sdpa"),
    ],
)
def test_a_call_gets_the_backend_that_can_take_it(wanted, call, taken):
    assert choose(call, backend=wanted) == taken


def test_a_fallback_is_said_once(caplog):
    with caplog.at_level(logging.WARNING, logger="thunder.encoder.attention"):
        for _ in range(3):
            choose(need(width=48), backend="triton")
    assert [record.message for record in caplog.records] == [
        "attention 'triton' cannot take heads 48 wide (only 16, 32, 64, 128); "
        "'sdpa' is used instead"
    ]


def test_a_fallback_gives_the_same_numbers(caplog):
    case = case_of(9)
    with caplog.at_level(logging.WARNING, logger="thunder.encoder.attention"):
        found = answered(case, "triton")
    assert "the device 'cpu'" in caplog.text
    assert furthest(found, answered(case, "reference", dtype=torch.float64)) < 5e-6


def test_a_fallback_inside_a_compiled_model_is_said_too(caplog):
    case = case_of(9)
    layout = Layout.from_documents(case.documents)

    @torch.compile(backend="eager", fullgraph=True)
    def call(*tensors):
        return disentangled_attention(
            *tensors, layout=layout, distances=case.distances, backend="triton"
        )

    with caplog.at_level(logging.WARNING, logger="thunder.encoder.attention"):
        call(*case.tensors)
    assert caplog.text.count("the device 'cpu'") == 1


def test_what_is_usable_here_holds_the_plain_ways():
    assert set(backends()) >= {"reference", "shift", "sdpa"}


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="unknown attention 'fast'; known are auto, reference"):
        choose(need(), backend="fast")


@pytest.mark.parametrize("pair", [(7, 16), (0, 16), (8, 5)])
def test_distances_without_log_buckets_are_refused(pair):
    case = case_of(4)
    layout = Layout.from_documents(case.documents)
    with pytest.raises(ValueError, match="buckets"):
        disentangled_attention(*case.tensors, layout=layout, distances=Distances(*pair))


def test_position_rows_must_fit_the_buckets():
    case = case_of(4)
    layout = Layout.from_documents(case.documents)
    with pytest.raises(ValueError, match="6 position buckets need 12 relative rows, got 16 and 16"):
        disentangled_attention(*case.tensors, layout=layout, distances=Distances(6, 16))


@pytest.mark.parametrize("documents", [torch.ones(4, dtype=torch.int64), torch.ones(2, 4)])
def test_documents_must_be_whole_numbers_by_row(documents):
    with pytest.raises(ValueError, match="integer tensor"):
        Layout.from_documents(documents)
