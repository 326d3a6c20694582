"""The encoder as a whole: documents in a row, what is kept, what is warned of, compilers."""

import copy
import pickle
import warnings

import pytest
import torch

from thunder.encoder import Encoder, EncoderForMaskedLM, EncoderForTokenClassification, sized
from thunder.encoder import layers as layers_module
from thunder.encoder.attention import backends

WORDS = 90
DENSE = [name for name in ("reference", "shift", "sdpa") if name in backends()]


def tiny(kind, **changes):
    """Return a tiny model whose weights are large enough for a mistake to show."""
    torch.manual_seed(1)
    model = kind(sized("tiny", vocab_size=WORDS, initializer_range=0.2, **changes)).eval()
    for name, weight in model.named_parameters():
        if "norm" in name or name.endswith("bias"):
            torch.nn.init.normal_(weight, mean=float("norm.weight" in name), std=0.2)
    return model


def ids(*shape, seed=1):
    return torch.randint(1, WORDS, shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("backend", DENSE)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_packed_documents_are_read_as_if_alone(norm, backend):
    model = tiny(EncoderForMaskedLM, norm=norm).set_attention(backend)
    lengths = (5, 1, 30, 13)
    alone = [ids(1, length, seed=length) for length in lengths]
    numbers = [torch.full((length,), place) for place, length in enumerate(lengths, start=1)]
    row_BS = torch.cat([*(one[0] for one in alone), torch.zeros(7, dtype=torch.long)])[None]
    documents_BS = torch.cat([*numbers, torch.zeros(7, dtype=torch.long)])[None]
    with torch.no_grad():
        packed = model(row_BS, document_ids=documents_BS).logits[0].split([*lengths, 7])
        for found, document in zip(packed, alone, strict=False):
            expected = model(document).logits[0]
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


def test_documents_and_mask_together_hide_what_either_hides():
    model = tiny(Encoder)
    documents_BS = torch.tensor([[1, 1, 1, 2, 2, 0]])
    mask_BS = torch.tensor([[1, 1, 0, 1, 1, 1]])
    row_BS = ids(1, 6)
    with torch.no_grad():
        both = model(row_BS, mask_BS, documents_BS).last_hidden_state
        first = model(row_BS[:, :2]).last_hidden_state
    torch.testing.assert_close(both[:, :2], first, rtol=1e-4, atol=1e-4)


def test_padding_changes_nothing_and_is_found_by_its_id():
    model = tiny(EncoderForTokenClassification, num_labels=4)
    row_BS = ids(1, 9)
    padded_BS = torch.cat([row_BS, torch.zeros(1, 6, dtype=torch.long)], dim=1)
    mask_BS = (padded_BS != 0).long()
    with torch.no_grad():
        expected = model(row_BS).logits
        for found in (model(padded_BS).logits, model(padded_BS, mask_BS).logits):
            torch.testing.assert_close(found[:, :9], expected, rtol=1e-4, atol=1e-5)


def test_counts_are_of_labelled_tokens_and_add_up():
    model = tiny(EncoderForMaskedLM)
    row_BS = ids(4, 12)
    labels_BS = row_BS.where(torch.arange(12) % 4 == 0, -100)
    whole = model(row_BS, labels=labels_BS)
    parts = [model(row_BS[at], labels=labels_BS[at]) for at in (slice(0, 1), slice(1, 4))]
    assert whole.count == 12
    assert whole.logits is None
    torch.testing.assert_close(sum(part.loss_sum for part in parts), whole.loss_sum)
    assert sum(part.count for part in parts) == whole.count
    assert sum(part.correct for part in parts) == whole.correct
    torch.testing.assert_close(whole.loss, whole.loss_sum / 12)


def test_nobody_asks_and_nothing_is_lost():
    model = tiny(EncoderForMaskedLM).train()
    nothing = model(ids(2, 6), labels=torch.full((2, 6), -100))
    nothing.loss.backward()
    assert (nothing.loss, nothing.count) == (0.0, 0)
    assert all(torch.isfinite(w.grad).all() for w in model.parameters() if w.grad is not None)


def test_places_given_by_the_caller_may_be_padded():
    model = tiny(EncoderForMaskedLM)
    row_BS = ids(2, 8)
    labels_BS = row_BS.where(torch.arange(8) == 3, -100)
    given = model(row_BS, labels=labels_BS, asked=torch.tensor([3, 11, 0, 0]))
    found = model(row_BS, labels=labels_BS)
    torch.testing.assert_close(given.loss_sum, found.loss_sum)
    assert (given.count, given.correct) == (2, found.correct)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"input_ids": ids(2, 5), "attention_mask": torch.ones(2, 4)}, "attention_mask is"),
        ({"input_ids": ids(2, 5), "document_ids": torch.ones(5)}, "document_ids is"),
        ({"input_ids": ids(2, 5), "labels": torch.ones(2, 6)}, "labels is"),
        ({"input_ids": ids(7)}, "rows of tokens"),
        ({"input_ids": torch.zeros(1, 0, dtype=torch.long)}, "nothing to read"),
        ({"input_ids": torch.tensor([[WORDS]])}, f"input_ids hold {WORDS}.*another tokenizer"),
        ({"input_ids": torch.tensor([[-1]])}, "input_ids hold -1"),
        ({}, "either input_ids or inputs_embeds"),
        ({"input_ids": ids(1, 2), "output_attentions": True}, "output_attentions"),
        ({"input_ids": ids(1, 2), "hint_ids": ids(1, 2)}, "takes no hint_ids"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs, message):
    with pytest.raises(ValueError, match=message):
        tiny(EncoderForMaskedLM)(**inputs)


def test_rows_beyond_what_was_trained_are_warned_of_once_and_read_right():
    model = tiny(Encoder, max_position_embeddings=16)
    trained = tiny(Encoder, max_position_embeddings=400)
    row_BS = ids(1, 300)
    with torch.no_grad(), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = model(row_BS).last_hidden_state
        model(row_BS)
        model(row_BS[:, :16])
        torch.testing.assert_close(found, trained(row_BS).last_hidden_state)
    assert [str(one.message)[:22] for one in said] == ["a row of 300 tokens, b"]


def counting_projections(monkeypatch):
    calls = []
    original = layers_module.Attention.projected

    def counted(self, rows_RW):
        calls.append(rows_RW.shape)
        return original(self, rows_RW)

    monkeypatch.setattr(layers_module.Attention, "projected", counted)
    return calls


def test_distances_are_projected_once_per_weights(monkeypatch):
    model = tiny(Encoder)
    calls = counting_projections(monkeypatch)
    with torch.no_grad():
        model(ids(8, 5))
        assert len(calls) == 2, "once per layer, whatever the number of rows"
        model(ids(3, 9))
        assert len(calls) == 2, "kept while the weights stay"
    model.train()
    model(ids(2, 5))
    model(ids(2, 5))
    assert len(calls) == 6, "made anew in training"


def changed_in_place(model):
    model.layers[1].attention.query_key_value.weight.mul_(1.5)


def changed_rows(model):
    model.positions.rows.weight.add_(torch.randn(64, 64))


def changed_norm(model):
    model.positions.norm.bias.add_(torch.randn(64))


def loaded(model):
    model.load_state_dict({name: w * 1.3 for name, w in model.state_dict().items()})


def trained_behind_the_counter(model):
    model.train()
    model.layers[0].attention.query_key_value.weight.data.mul_(1.5)
    model.eval()


def cast(model):
    model.double()


@pytest.mark.parametrize(
    "change",
    [changed_in_place, changed_rows, changed_norm, loaded, trained_behind_the_counter, cast],
)
def test_what_is_kept_is_forgotten_when_weights_change(change):
    model = tiny(Encoder)
    with torch.no_grad():
        before = model(ids(2, 9)).last_hidden_state
        change(model)
        found = model(ids(2, 9)).last_hidden_state
    fresh = Encoder(model.config).to(model.dtype).eval()
    fresh.load_state_dict(model.state_dict())
    torch.testing.assert_close(found, fresh(ids(2, 9)).last_hidden_state.detach())
    assert change is cast or not torch.allclose(found, before)


def test_gradients_flow_although_something_is_kept():
    model = tiny(Encoder)
    with torch.inference_mode():
        model(ids(1, 5))
    model(ids(1, 5)).last_hidden_state.sum().backward()
    assert model.positions.rows.weight.grad.abs().sum() > 0


def test_a_model_that_keeps_something_can_be_copied():
    model = tiny(Encoder)
    with torch.inference_mode():
        expected = model(ids(1, 5)).last_hidden_state
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        torch.testing.assert_close(twin(ids(1, 5)).last_hidden_state.detach(), expected.clone())


@pytest.mark.filterwarnings("ignore::FutureWarning")  # transformers 5.23 has a new name
@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_gradient_checkpointing_gives_the_same_gradients(dropout):
    model = tiny(EncoderForMaskedLM, hidden_dropout_prob=dropout).train()
    twin = copy.deepcopy(model)
    twin.gradient_checkpointing_enable({"use_reentrant": False})
    assert all(layer.gradient_checkpointing for layer in twin.encoder.layers)
    for one in (model, twin):
        torch.manual_seed(5)
        one(ids(2, 9), labels=ids(2, 9)).loss.backward()
    for (name, weight), other in zip(model.named_parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(weight.grad, other.grad, msg=name)


def test_an_unknown_way_to_compute_attention_names_the_known_ones():
    with pytest.raises(ValueError, match="'flash'; known are auto, reference, shift"):
        tiny(Encoder).set_attention("flash")
    with pytest.raises(ValueError, match="'flash'"):
        tiny(Encoder, attention_backend="flash")


def test_dropout_acts_in_training_only():
    model = tiny(EncoderForMaskedLM, hidden_dropout_prob=0.3, attention_probs_dropout_prob=0.3)
    with torch.no_grad():
        assert torch.equal(model(ids(1, 9)).logits, model(ids(1, 9)).logits)
        model.train()
        assert not torch.equal(model(ids(1, 9)).logits, model(ids(1, 9)).logits)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("backend", ["shift", pytest.param("sdpa", marks=pytest.mark.slow)])
def test_compiles_without_a_break(backend):
    model = tiny(EncoderForMaskedLM).set_attention(backend)
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend="eager", dynamic=True)
    with torch.no_grad():
        for row_BS in (ids(2, 9), ids(3, 14)):
            mask_BS = torch.ones_like(row_BS)
            found = compiled(row_BS, mask_BS).logits
            torch.testing.assert_close(found, model(row_BS, mask_BS).logits, rtol=1e-4, atol=1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_training_step_compiles_without_a_break_when_places_are_given():
    model = tiny(EncoderForMaskedLM).train()
    row_BS, asked_N = ids(2, 9), torch.tensor([0, 5, 12, 12])
    labels_BS = torch.full((2, 9), -100)
    labels_BS.flatten()[asked_N] = row_BS.flatten()[asked_N]
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    mask_BS = torch.ones_like(row_BS)
    found = compiled(row_BS, mask_BS, labels=labels_BS, asked=asked_N)
    expected = model(row_BS, mask_BS, labels=labels_BS, asked=asked_N)
    torch.testing.assert_close(found.loss, expected.loss)
    found.loss.backward()


@torch.no_grad()
def test_start_values():
    torch.manual_seed(0)
    model = EncoderForMaskedLM(sized("tiny", vocab_size=500, num_hidden_layers=8))
    layer, post = model.encoder.layers[3], Encoder(sized("tiny", norm="post", vocab_size=500))
    for weight, spread in (
        (layer.attention.query_key_value.weight, 0.02),
        (layer.feed_forward.up.weight, 0.02),
        (layer.attention.output.weight, 0.02 / 4),  # eight layers write twice into the sum
        (layer.feed_forward.down.weight, 0.02 / 4),
        (model.encoder.positions.rows.weight, 0.02),
        (model.head.dense.weight, 0.02),
        (post.layers[1].feed_forward.down.weight, 0.02),
    ):
        assert float(weight.std()) == pytest.approx(spread, rel=0.05)
    assert not model.encoder.embeddings.words.weight[0].any(), "padding is zero"
    assert model.head.decoder.weight is model.encoder.embeddings.words.weight


def test_hidden_states_and_tuples_as_transformers_gives_them():
    model = tiny(EncoderForTokenClassification, num_labels=4)
    found = model(ids(1, 5), output_hidden_states=True)
    assert len(found.hidden_states) == 3
    assert torch.equal(model(ids(1, 5), return_dict=False)[0], found.logits)
    words_BSW = model.get_input_embeddings()(ids(1, 5))
    assert torch.equal(model(inputs_embeds=words_BSW).logits, found.logits)
    assert torch.equal(model(ids(1, 5), token_type_ids=torch.ones(1, 5)).logits, found.logits)


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        ({}, "needs hint_ids"),
        ({"hint_ids": torch.zeros(2, 5)}, "hint_ids is"),
        ({"hint_ids": torch.full((1, 5), 6)}, "hint_ids hold 6.*0 to 5.*another taxonomy"),
    ],
)
def test_hints_that_do_not_fit_are_refused(hints, message):
    with pytest.raises(ValueError, match=message):
        tiny(EncoderForTokenClassification, num_labels=4, hints=6)(ids(1, 5), **hints)


def test_hints_say_nothing_at_first_and_change_their_tokens_when_learnt():
    model = tiny(EncoderForTokenClassification, num_labels=4, hints=6)
    told = torch.tensor([[0, 3, 3, 0, 5]])
    none = model(ids(1, 5), hint_ids=torch.zeros_like(told)).logits
    assert torch.equal(model(ids(1, 5), hint_ids=told).logits, none)
    torch.nn.init.normal_(model.encoder.embeddings.hints.weight)
    assert not torch.allclose(model(ids(1, 5), hint_ids=told).logits, none)


def test_hints_are_counted_and_saved(tmp_path):
    model = tiny(EncoderForTokenClassification, num_labels=4, hints=6)
    torch.nn.init.normal_(model.encoder.embeddings.hints.weight)
    encoder = sum(weight.numel() for weight in model.encoder.parameters())
    assert model.config.parameters().encoder == encoder
    model.save_pretrained(tmp_path)
    again = EncoderForTokenClassification.from_pretrained(tmp_path)
    given = {"input_ids": ids(1, 5), "hint_ids": torch.tensor([[0, 3, 3, 0, 5]])}
    assert torch.equal(again(**given).logits, model(**given).logits)


def test_the_vocabulary_can_grow_with_the_taxonomy():
    model = tiny(EncoderForMaskedLM)
    before = model(ids(1, 5)).logits
    model.resize_token_embeddings(WORDS + 38, mean_resizing=False)
    after = model(ids(1, 5)).logits
    assert after.shape[-1] == model.config.vocab_size == WORDS + 38
    torch.testing.assert_close(after[..., :WORDS], before)
