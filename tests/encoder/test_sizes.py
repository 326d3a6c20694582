"""Sizes by name: their weights, their cost, and whether they fit the tokenizers."""

import pytest
import torch

from thunder.encoder import SIZES, Encoder, EncoderForMaskedLM, require_vocabulary, sized
from thunder.settings import resources


@pytest.mark.parametrize(
    ("name", "encoder", "tied", "untied"),
    [
        # The paper's names count the output matrix as if it were not tied to the embeddings.
        ("370m", 337_115_136, 338_200_256, 372_475_584),
        ("800m", 751_895_040, 753_570_752, 796_414_912),
        ("1.5b", 1_474_818_048, 1_479_147_968, 1_744_306_624),
        ("small", 23_698_944, 23_881_024, 36_734_272),
        ("mini", 11_860_480, 11_960_256, 20_529_088),
        ("tiny", 2_246_656, 2_284_416, 4_426_624),
    ],
)
def test_weights_of_each_size(name, encoder, tied, untied):
    counted = sized(name).parameters()
    assert (counted.encoder, counted.total) == (encoder, tied)
    assert sized(name, tie_word_embeddings=False).parameters().total == untied


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("tied", [True, False])
def test_the_formula_counts_what_the_model_has(name, tied):
    config = sized(name, tie_word_embeddings=tied)
    with torch.device("meta"):
        model = EncoderForMaskedLM(config)
        model.tie_weights()
    assert sum(weight.numel() for weight in model.parameters()) == config.parameters().total
    assert sum(w.numel() for w in model.encoder.parameters()) == config.parameters().encoder


def test_post_norm_has_no_final_norm():
    with torch.device("meta"):
        counted = sum(weight.numel() for weight in Encoder(sized("tiny", norm="post")).parameters())
    assert counted == sized("tiny", norm="post").parameters().encoder


@pytest.mark.parametrize(
    ("name", "words", "linear", "attention", "disentangled", "head_everywhere"),
    [
        # GFLOP per token at 512, from shared/reference/performance.md, section 3.1.
        ("370m", 32_000, 1.812, 0.151, 0.151, 0.203),
        ("800m", 32_000, 4.247, 0.283, 0.283, 0.256),
        ("1.5b", 128_000, 7.248, 0.302, 0.302, 1.598),
    ],
)
def test_training_cost_of_a_token(name, words, linear, attention, disentangled, head_everywhere):
    config = sized(name, vocab_size=words)
    body = (linear + attention + disentangled) * 1e9
    assert config.flops_per_token(512, head_share=0) == pytest.approx(body, rel=1e-3)
    head = config.flops_per_token(512, head_share=1) - config.flops_per_token(512, head_share=0)
    assert head == pytest.approx(head_everywhere * 1e9, rel=3e-3)
    longer = config.flops_per_token(2048, head_share=0) - config.flops_per_token(512, head_share=0)
    assert longer == pytest.approx(3 * attention * 1e9, rel=3e-3)


@pytest.mark.parametrize("name", SIZES)
def test_every_size_fits_its_shipped_tokenizer(name):
    config = sized(name)
    folder = resources.folder("tokenizer") / ("128k" if name == "1.5b" else "32k")
    require_vocabulary(config, folder)
    assert config.vocab_size % 64 == 0
    assert config.hidden_size // config.num_attention_heads in (32, 64)


@pytest.mark.parametrize(
    ("words", "tokenizer"), [(32_000, "32k"), (129_472, "32k"), (33_472, "128k")]
)
def test_a_vocabulary_that_does_not_fit_is_refused(words, tokenizer):
    folder = resources.folder("tokenizer") / tokenizer
    with pytest.raises(ValueError, match=rf"vocab_size is {words}.*{tokenizer} has \d+ tokens"):
        require_vocabulary(sized("tiny", vocab_size=words), folder)


def test_a_folder_without_a_tokenizer(tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder of a hybrid tokenizer"):
        require_vocabulary(sized("tiny"), tmp_path)


def test_an_unknown_size_names_the_sizes():
    with pytest.raises(LookupError, match=r"'370'.*370m, 800m, 1\.5b, small, mini, tiny"):
        sized("370")
