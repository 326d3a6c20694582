"""A model made ready to be asked gives the same answers, faster."""

import copy

import pytest
import torch

from thunder.encoder import EncoderForMaskedLM, EncoderForTokenClassification, sized
from thunder.encoder.inference import Inference, fast_dtype


def ready(kind, precision, **changes):
    torch.manual_seed(6)
    model = kind(sized("tiny", vocab_size=90, initializer_range=0.1, **changes))
    return copy.deepcopy(model).eval(), Inference(model, precision=precision)


ROW_BS = torch.arange(1, 41).view(2, 20)


@pytest.mark.parametrize(("precision", "gap"), [("float32", 1e-5), ("bfloat16", 5e-2)])
@pytest.mark.parametrize("kind", [EncoderForTokenClassification, EncoderForMaskedLM])
def test_the_same_answers_at_every_precision(kind, precision, gap):
    model, asked = ready(kind, precision)
    with torch.no_grad():
        expected = model(ROW_BS).logits
    found = asked(ROW_BS)
    assert found.dtype == torch.float32
    assert float((found - expected).abs().max()) < gap * float(expected.abs().max())


def test_padding_is_not_read():
    _, asked = ready(EncoderForTokenClassification, "auto")
    padded = torch.cat([ROW_BS, torch.zeros(2, 9, dtype=torch.long)], dim=1)
    mask = (padded != 0).long()
    torch.testing.assert_close(asked(padded, mask)[:, :20], asked(ROW_BS), rtol=2e-2, atol=2e-2)


def test_the_precision_chosen_is_one_that_the_machine_has():
    assert fast_dtype() in (torch.float32, torch.bfloat16)
    assert fast_dtype("cuda") == torch.bfloat16


def test_an_unknown_precision_is_refused():
    with pytest.raises(ValueError, match="auto, float32, bfloat16, not 'int4'"):
        ready(EncoderForTokenClassification, "int4")
