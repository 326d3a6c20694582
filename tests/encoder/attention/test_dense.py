"""The ways that need no GPU: against the formula, against each other, and their gradients."""

import pytest
import torch

from thunder.encoder.attention import Distances, Layout, disentangled_attention, processor
from thunder.encoder.attention.distances import rows_of

from .cases import answered, by_the_formula, case_of, documents_of, furthest, row_of

LENGTHS = [1, 5, 17, 64, 65, 130, 300]
DENSE = ["shift", "sdpa"]


@pytest.mark.parametrize("kind", ["full", "padded", "packed", "empty"])
def test_the_reference_follows_the_formula(kind):
    case = case_of(9, kind=kind, width=4, distances=(4, 6), dtype=torch.float64)
    assert furthest((answered(case, "reference")[0],), (by_the_formula(case),)) < 1e-12


@pytest.mark.parametrize(
    ("buckets", "furthest_distance"), [(256, 512), (256, 2048), (8, 16), (4, 33), (64, 256)]
)
def test_rows_of_distances_are_those_of_transformers(buckets, furthest_distance):
    modeling = pytest.importorskip("transformers.models.deberta_v2.modeling_deberta_v2")
    distance = torch.arange(-3000, 3001)
    wanted = modeling.make_log_bucket_position(distance, buckets, furthest_distance)
    wanted = (wanted.long() + buckets).clamp(0, 2 * buckets - 1)
    assert torch.equal(rows_of(distance, Distances(buckets, furthest_distance)), wanted)


@pytest.mark.parametrize(("distance", "row"), [(0, 8), (4, 12), (-4, 4), (99, 15), (-99, 0)])
def test_near_distances_have_rows_of_their_own_and_far_ones_share(distance, row):
    assert row_of(distance, Distances(8, 16)) == row
    assert int(rows_of(torch.tensor([distance]), Distances(8, 16))) == row


@pytest.mark.parametrize("backend", DENSE)
@pytest.mark.parametrize("kind", ["full", "padded", "packed", "empty"])
@pytest.mark.parametrize("length", LENGTHS)
def test_context_and_gradients_equal_the_reference(length, kind, backend):
    case = case_of(length, kind=kind)
    wanted = answered(case, "reference", dtype=torch.float64)
    assert furthest(answered(case, backend), wanted) < 5e-6


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", ["full", "padded", "packed", "empty"])
@pytest.mark.parametrize("length", [*LENGTHS, 513])
def test_without_gradients_the_shift_works_in_blocks_and_gives_the_same(
    length, kind, dtype, monkeypatch
):
    monkeypatch.setattr(processor, "SCORES", 1)  # one row at a time
    case = case_of(length, kind=kind, dtype=dtype)
    layout = Layout.from_documents(case.documents)
    assert processor.usable(*case.tensors, dropout=0.0)
    found = disentangled_attention(
        *case.tensors, layout=layout, distances=case.distances, backend="shift"
    )
    wanted = answered(case, "reference", dtype=torch.float64)[0]
    assert furthest((found,), (wanted,)) < (5e-6 if dtype == torch.float32 else 0.05)


def test_blocks_are_for_calls_that_nothing_records():
    tensors = case_of(9).tensors
    asked = [tensor.clone().requires_grad_() for tensor in tensors]
    assert processor.usable(*tensors, dropout=0.0)
    assert not processor.usable(*tensors, dropout=0.1)
    assert not processor.usable(*asked, dropout=0.0)
    with torch.no_grad():
        assert processor.usable(*asked, dropout=0.0)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("kind", ["packed", "empty"])
def test_flex_attention_looks_ahead_as_the_reference_does(kind):
    case = case_of(40, kind=kind)
    layout = Layout.from_documents(case.documents)
    with torch.no_grad():
        found = disentangled_attention(
            *case.tensors, layout=layout, distances=case.distances, backend="flex"
        )
    assert furthest((found,), (answered(case, "reference")[0],)) < 5e-6


@pytest.mark.parametrize("backend", ["reference", *DENSE])
@pytest.mark.parametrize("length", [1, 17, 65])
def test_in_bfloat16_they_stay_near(length, backend):
    case = case_of(length, dtype=torch.bfloat16)
    assert (
        furthest(answered(case, backend), answered(case, "reference", dtype=torch.float64)) < 0.05
    )


@pytest.mark.parametrize("backend", ["reference", *DENSE])
def test_a_token_that_sees_nothing_gets_zeros_and_gives_none(backend):
    case = case_of(17, kind="empty")
    context, *gradients = answered(case, backend)
    assert not context[1].any()
    assert not any(gradient[1].any() for gradient in gradients[:3])
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


@pytest.mark.parametrize("backend", ["reference", *DENSE])
def test_packed_documents_do_not_see_each_other(backend):
    case = case_of(20, kind="packed")
    tensors = [tensor.clone().requires_grad_() for tensor in case.tensors]
    layout = Layout.from_documents(case.documents)
    first, second = case.documents[1] == 1, case.documents[1] == 2

    def context():
        return disentangled_attention(
            *tensors, layout=layout, distances=case.distances, backend=backend
        )

    before = context()
    gradients = torch.autograd.grad(before[1][:, first].square().sum(), tensors[:3])
    assert not any(gradient[1][:, second].any() for gradient in gradients)
    with torch.no_grad():
        for tensor in tensors[:3]:
            tensor[1][:, second] += 1.0
    assert torch.equal(context()[1][:, first], before[1][:, first])


@pytest.mark.parametrize("kind", ["packed", "empty"])
def test_gradients_of_the_shift_are_its_slopes(kind):
    case = case_of(5, kind=kind, heads=1, width=3, distances=(4, 6), dtype=torch.float64)
    layout = Layout.from_documents(case.documents)

    def context(*tensors):
        return disentangled_attention(
            *tensors, layout=layout, distances=case.distances, backend="shift"
        )

    tensors = [tensor.contiguous().requires_grad_() for tensor in case.tensors]
    assert torch.autograd.gradcheck(context, tensors)


@pytest.mark.parametrize("backend", ["reference", *DENSE])
def test_dropout_drops_and_keeps_the_mean(backend):
    case = case_of(12, kind="full")
    layout = Layout.from_documents(case.documents)
    torch.manual_seed(3)
    runs = [
        disentangled_attention(
            *case.tensors, layout=layout, distances=case.distances, backend=backend, dropout=0.3
        )
        for _ in range(600)
    ]
    assert not torch.equal(runs[0], runs[1])
    plain = answered(case, "reference")[0]
    assert float((torch.stack(runs).mean(0) - plain).abs().mean()) < 0.03


def test_a_mask_with_holes_hides_only_the_holes():
    case = case_of(10, kind="full")
    mask = torch.ones(2, 10)
    mask[0, 4] = 0
    layout = Layout.from_mask(mask)
    start, end = layout.ranges()
    assert (int(start[0, 0]), int(end[0, 0])) == (0, 10)
    assert (int(start[0, 4]), int(end[0, 4])) == (10, 0)
    context = disentangled_attention(*case.tensors, layout=layout, distances=case.distances)
    assert not context[0, :, 4].any() and context[0, :, 5].any()


def test_ranges_are_the_runs_of_the_documents():
    from thunder.encoder.attention.layout import _runs

    start, end = _runs(torch.tensor([[1, 1, 2, 0, 3, 3, 3]], dtype=torch.int32))
    assert start.tolist() == [[0, 0, 2, 7, 4, 4, 4]]
    assert end.tolist() == [[2, 2, 3, 0, 7, 7, 7]]


def test_one_graph_holds_all_of_it():
    case = case_of(12)
    layout = Layout.from_documents(documents_of(12, "packed"))

    def call(*tensors):
        return disentangled_attention(*tensors, layout=layout, distances=case.distances)

    compiled = torch.compile(call, backend="eager", fullgraph=True)
    torch.testing.assert_close(compiled(*case.tensors), call(*case.tensors))


def test_the_shift_exports_with_a_free_length():
    class Model(torch.nn.Module):
        def forward(self, query, key, value, to_key, to_query, documents):
            layout = Layout.from_documents(documents)
            return disentangled_attention(
                query, key, value, to_key, to_query, layout=layout, distances=Distances(8, 16)
            )

    case, other = case_of(12), case_of(31)
    rows, length = torch.export.Dim("rows", min=1), torch.export.Dim("length", min=2)
    free = ({0: rows, 2: length},) * 3 + (None, None, {0: rows, 1: length})
    program = torch.export.export(
        Model(), (*case.tensors, case.documents), dynamic_shapes=free, strict=False
    )
    assert not any("gather" in str(node.target) for node in program.graph.nodes)
    found = program.module()(*other.tensors, other.documents)
    torch.testing.assert_close(found, answered(other, "reference")[0], atol=1e-5, rtol=1e-5)
