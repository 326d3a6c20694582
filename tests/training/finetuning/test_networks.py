"""Encoders and decoders of transformers as taggers, with tiny random weights."""

import json

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    GPTNeoXConfig,
    LlamaConfig,
    ModernBertConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
)

from thunder.tagger import networks
from thunder.tagger.tagger import Tagger
from thunder.tagger.tokenizers import TransformersTokenizer
from thunder.training import journal
from thunder.training.finetuning import export, run, starting
from thunder.training.finetuning.settings import Model
from thunder.training_data.datasets.dataset import Dataset

from .conftest import smoke

pytestmark = pytest.mark.usefixtures("english")

_SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "max_position_embeddings": 130,
    "pad_token_id": 0,
}
# EXAONE-3.5 is Llama's architecture with other names for its weights.
_CONFIGS = {
    "bert": BertConfig,
    "roberta": RobertaConfig,
    "modernbert": ModernBertConfig,
    "polyglot-ko (GPT-NeoX)": GPTNeoXConfig,
    "exaone-3.5 (like Llama)": LlamaConfig,
}


def tokenizer_of(texts, *, framed):
    made = Tokenizer(models.BPE(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
    made.train_from_iterator(texts, trainer)
    if framed:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]"
    )


@pytest.fixture(scope="module")
def texts(dataset):
    return [one.text for one in Dataset.open(dataset).part("train").epoch(0)]


@pytest.fixture(params=list(_CONFIGS))
def place(request, texts, tmp_path):
    """A folder of a tiny model without weights, which begin at chance, and its tokenizer."""
    framed = "bert" in request.param
    tokenizer = tokenizer_of(texts[:4], framed=framed)
    tokenizer.save_pretrained(tmp_path / "start")
    extra = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    made = _CONFIGS[request.param](vocab_size=len(tokenizer), **{**_SIZES, **extra})
    made.save_pretrained(tmp_path / "start")
    return tmp_path / "start"


def test_any_encoder_or_decoder_is_trained_exported_and_asked(place, dataset, texts, tmp_path):
    settings = _settings(place, dataset, tmp_path / "run")
    run(settings, say=lambda line: None, device="cpu")
    records = journal.read(tmp_path / "run" / "log.jsonl")
    assert any(record["kind"] == "development" for record in records)
    export(tmp_path / "run", tmp_path / "tagger")
    tagger = Tagger.load(tmp_path / "tagger", device="cpu")
    (read,) = tagger.read_all(texts[:1])
    covered = {at for s, e in zip(*read.reading[:2], strict=True) for at in range(s, e)}
    unread = [char for at, char in enumerate(read.folded.text) if at not in covered]
    assert not "".join(unread).strip()  # every character was read, with the places it stands at


def _settings(place, dataset, run_folder):
    table = smoke(dataset, run_folder)
    from thunder.settings.config import as_table, from_table
    from thunder.training.finetuning import Finetuning

    plain = as_table(table)
    plain["model"] = {"kind": "transformers", "start": str(place)}
    plain["schedule"] |= {"epochs": 1, "batch": 16, "budget": 2048}
    return from_table(plain, Finetuning, origin="test")


def test_a_frame_is_what_the_tokenizer_puts_round_a_text(texts, tmp_path):
    for framed, expected in ((True, ((2,), (3,))), (False, ((), ()))):
        place = tmp_path / str(framed)
        tokenizer_of(texts[:2], framed=framed).save_pretrained(place)
        assert TransformersTokenizer(place).frame[:2] == expected


def test_windows_beyond_what_a_model_can_read_are_refused(dataset, texts, tmp_path):
    tokenizer = tokenizer_of(texts[:2], framed=True)
    tokenizer.save_pretrained(tmp_path / "start")
    sizes = {**_SIZES, "max_position_embeddings": 66}
    RobertaConfig(vocab_size=len(tokenizer), **sizes).save_pretrained(tmp_path / "start")
    settings = _settings(tmp_path / "start", dataset, tmp_path / "run")
    with pytest.raises(ValueError, match="'length' 128 is more than the 64 tokens"):
        starting.network(settings, starting.ground(settings))


def test_pickled_weights_are_refused(tmp_path):
    BertConfig(vocab_size=60, **_SIZES).save_pretrained(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80")
    with pytest.raises(ValueError, match="weights in a pickle are refused"):
        networks.OtherTagger.made(tmp_path, classes=5, changes={})


def test_a_bilstm_is_trained_with_mixed_names_exported_and_asked(dataset, texts, tmp_path):
    from dataclasses import replace

    from thunder.training.finetuning.settings import Names

    settings = smoke(dataset, tmp_path / "run", "schedule.epochs=1", "schedule.batch=16")
    model = Model(kind="bilstm", changes={"embedding": 16, "width": 16})
    data = replace(settings.data, names=Names(latin=1.0))
    settings = replace(settings, model=model, data=data)
    ground = starting.ground(settings)
    plain = [ground.train.source.part.example(at, epoch=0).text for at in range(20)]
    drawn = [ground.train.source.example(at, epoch=0).text for at in range(20)]
    latin = sum(char.isascii() and char.isalpha() for text in drawn for char in text)
    assert latin > 3 * sum(char.isascii() and char.isalpha() for text in plain for char in text)
    run(settings, say=lambda line: None, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    config = json.loads((tmp_path / "tagger" / "bilstm.json").read_text())
    assert config["width"] == 16 and config["classes"] == 730
    tagger = Tagger.load(tmp_path / "tagger", device="cpu")
    (read,) = tagger.read_all(texts[:1])
    assert len(read.reading.mass) and torch.isfinite(torch.from_numpy(read.reading.mass)).all()


def test_a_bilstms_mass_is_its_attention(tmp_path):
    from thunder.tagger.bilstm import Bilstm, BilstmConfig

    torch.manual_seed(1)
    model = Bilstm(BilstmConfig(vocab_size=9, classes=5, embedding=6, width=4)).eval()
    ids, mask = torch.randint(9, (2, 7)), torch.ones(2, 7, dtype=torch.long)
    with torch.no_grad():
        chances = model(ids, mask).softmax(-1)
        words = model.words(ids)
        sides = model.onwards(words)[0], model.backwards(words.flip(1))[0].flip(1)
        hidden = torch.cat(sides, -1)
        attention = torch.sigmoid(model.attention(hidden))[..., 0]
    torch.testing.assert_close(1 - chances[..., 0], attention)
    model.save(tmp_path)
    again = Bilstm.load(tmp_path).eval()
    torch.testing.assert_close(again(ids, mask), model(ids, mask))
    (tmp_path / "bilstm.json").write_text('{"vocab_size": 9}')
    with pytest.raises(ValueError, match=r"bilstm.json: no configuration"):
        Bilstm.load(tmp_path)
