"""The fused kernels against the reference; `test_fused.py` runs this file in the interpreter.

On a machine with a GPU, `pytest tests/encoder/attention/fused_checks.py` runs it on the GPU.
It has a process of its own because Triton decides at import whether it interprets.
"""

import os
from itertools import pairwise

import pytest
import torch

from thunder.encoder.attention import Distances, Layout, disentangled_attention

from .cases import Case, answered, case_of, furthest

fused = pytest.importorskip("thunder.encoder.attention.fused")
DEVICE = "cpu" if fused.interpreted() else "cuda"
if DEVICE == "cuda" and not torch.cuda.is_available():
    pytest.skip("neither a GPU nor TRITON_INTERPRET=1", allow_module_level=True)
LIMIT = {torch.float32: 1e-5, torch.bfloat16: 0.04, torch.float16: 0.006}
SLOW = os.environ.get("THUNDER_SLOW_KERNELS") == "1"
FEW = [(1, "full"), (33, "packed")]
MANY = [
    (17, "padded"),
    (1, "full"),
    (5, "padded"),
    (16, "packed"),
    (33, "packed"),
    (64, "full"),
    (130, "packed"),
]


def moved(case: Case) -> Case:
    tensors = tuple(tensor.to(DEVICE) for tensor in case.tensors)
    documents, weight = case.documents.to(DEVICE), case.weight.to(DEVICE)
    return Case(tensors, documents, weight, case.distances)


@pytest.mark.parametrize(("length", "kind"), MANY if SLOW else FEW)
def test_context_and_gradients_equal_the_reference(length, kind):
    case = moved(case_of(length, kind=kind, heads=1))
    wanted = answered(case, "reference", dtype=torch.float64)
    assert furthest(answered(case, "triton"), wanted) < LIMIT[torch.float32]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_in_half_precision_they_stay_near(dtype):
    case = moved(case_of(65 if SLOW else 18, heads=1, dtype=dtype))
    wanted = answered(case, "reference", dtype=torch.float64)
    assert furthest(answered(case, "triton"), wanted) < LIMIT[dtype]


@pytest.mark.parametrize("distances", [(8, 16), (4, 64)] if SLOW else [(4, 6)])
def test_distances_beyond_the_last_bucket_take_the_short_way(distances):
    case = moved(case_of(70 if SLOW else 33, kind="full", heads=1, distances=distances))
    wanted = answered(case, "reference", dtype=torch.float64)
    assert furthest(answered(case, "triton"), wanted) < LIMIT[torch.float32]


@pytest.mark.skipif(not SLOW, reason="a wide head says little more")
@pytest.mark.parametrize("width", [32, 64, 128])
def test_other_widths(width):
    case = moved(case_of(20, heads=2, width=width))
    wanted = answered(case, "reference", dtype=torch.float64)
    assert furthest(answered(case, "triton"), wanted) < LIMIT[torch.float32]


def test_a_token_that_sees_nothing_gets_zeros_and_gives_none():
    context, *gradients = answered(moved(case_of(17, kind="empty", heads=1)), "triton")
    assert not context[1].any()
    assert not any(gradient[1].any() for gradient in gradients[:3])
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


def test_packed_documents_do_not_see_each_other():
    case = moved(case_of(20, kind="packed", heads=1))
    tensors = [tensor.clone().requires_grad_() for tensor in case.tensors]
    layout = Layout.from_documents(case.documents)
    first, second = case.documents[1] == 1, case.documents[1] == 2
    context = disentangled_attention(
        *tensors, layout=layout, distances=case.distances, backend="triton"
    )
    gradients = torch.autograd.grad(context[1][:, first].square().sum(), tensors[:3])
    assert not any(gradient[1][:, second].any() for gradient in gradients)


def test_a_mask_with_holes_is_kept():
    case = moved(case_of(20, kind="full", heads=1))
    mask = torch.ones(2, 20, device=DEVICE)
    mask[0, 3:6] = 0
    found, wanted = (
        disentangled_attention(
            *case.tensors, layout=Layout.from_mask(mask), distances=case.distances, backend=name
        )
        for name in ("triton", "reference")
    )
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.skipif(not SLOW, reason="there is nothing by chance or by race in it")
def test_two_runs_give_the_same_bits():
    case = moved(case_of(20, heads=1, dtype=torch.bfloat16))
    first, second = answered(case, "triton"), answered(case, "triton")
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))


def test_dropped_weights_are_the_same_on_the_way_back():
    """Context is linear in the values, so its slope in them is the dropped weights themselves."""
    case = moved(case_of(18, heads=1))
    query, key, value, *positions = (tensor.clone() for tensor in case.tensors)
    value.requires_grad_()
    layout = Layout.from_documents(case.documents)

    def run(values):
        torch.manual_seed(5)
        return disentangled_attention(
            query, key, values, *positions, layout=layout, distances=case.distances,
            backend="triton", dropout=0.4,
        )  # fmt: skip

    context = run(value)
    plain = answered(case, "reference")[0].to(context.dtype)
    assert not torch.allclose(context, plain, atol=1e-3)
    (slope,) = torch.autograd.grad((context * case.weight).sum(), [value])
    step = torch.randn_like(value)
    change = ((run(value.detach() + step) - context.detach()) * case.weight).sum()
    torch.testing.assert_close((slope * step).sum(), change, atol=2e-3, rtol=2e-3)


@pytest.mark.skipif(not SLOW, reason="six runs")
def test_slopes_under_dropout_are_those_of_small_steps():
    case = moved(case_of(18, heads=1))
    tensors = [tensor.clone().requires_grad_() for tensor in case.tensors]
    layout = Layout.from_documents(case.documents)

    def loss(*inputs):
        torch.manual_seed(5)
        context = disentangled_attention(
            *inputs, layout=layout, distances=case.distances, backend="triton", dropout=0.4
        )
        return (context.double() * case.weight).sum()

    slopes = torch.autograd.grad(loss(*tensors), tensors)
    for place, slope in enumerate(slopes):
        step = torch.randn_like(slope) * 1e-2
        ahead, behind = list(tensors), list(tensors)
        ahead[place], behind[place] = tensors[place] + step, tensors[place] - step
        change = (loss(*ahead) - loss(*behind)) / 2
        torch.testing.assert_close((slope * step).sum().double(), change, atol=2e-3, rtol=2e-2)


def test_one_graph_holds_the_operator():
    case = moved(case_of(12, heads=1))
    layout = Layout.from_documents(case.documents)

    def call(*tensors):
        return disentangled_attention(
            *tensors, layout=layout, distances=case.distances, backend="triton"
        ).sum()

    tensors = [tensor.clone().requires_grad_() for tensor in case.tensors]
    compiled = torch.compile(call, backend="aot_eager", fullgraph=True)
    found = torch.autograd.grad(compiled(*tensors), tensors)
    wanted = torch.autograd.grad(call(*tensors), tensors)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other)


def allocated(length: int) -> int:
    """Return the bytes that forward and backward allocate in all for one row of one head."""
    case = moved(case_of(length, kind="full", heads=1, distances=(4, 6)))
    tensors = [tensor[:1] if place < 3 else tensor for place, tensor in enumerate(case.tensors)]
    tensors = [tensor.clone().requires_grad_() for tensor in tensors]
    documents = case.documents[:1].to(torch.int32)
    layout = Layout(documents, torch.zeros_like(documents), torch.full_like(documents, length))
    with torch.profiler.profile(profile_memory=True) as profile:
        context = disentangled_attention(
            *tensors, layout=layout, distances=Distances(4, 6), backend="triton"
        )
        context.sum().backward()
    return sum(max(0, event.self_cpu_memory_usage) for event in profile.events())


@pytest.mark.skipif(DEVICE == "cuda" or not SLOW, reason="counted on the CPU, and slow")
def test_memory_grows_with_the_length_and_not_with_its_square():
    lengths = (48, 64, 96)
    allocated(lengths[0])  # fills the tables of rows, which are kept
    sizes = [allocated(length) for length in lengths]
    first, second = (later - earlier for earlier, later in pairwise(sizes))
    steps = (lengths[2] - lengths[1]) / (lengths[1] - lengths[0])
    assert second <= 1.1 * steps * first
