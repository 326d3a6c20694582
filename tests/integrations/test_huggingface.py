"""A tagger's folder in a pipeline of transformers: the network's own classes, whole texts."""

import shutil

import numpy as np
import pytest

from thunder import taxonomy
from thunder.mentions.recognising import recognised, settled
from thunder.settings import resources
from thunder.tagger import folder, hints
from thunder.tagger.folder import Manifest
from thunder.tagger.onnx_model import OnnxModel
from thunder.tagger.tokenizers import OurTokenizer
from thunder.taxonomy.migrations import names_digest

torch = pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("transformers", reason="needs pip install '.[transformers]'")

from thunder.encoder import EncoderConfig, EncoderForTokenClassification  # noqa: E402
from thunder.integrations.huggingface import pipeline  # noqa: E402
from thunder.tagger import networks  # noqa: E402

KNOWN = taxonomy.load()
TOKENIZER = OurTokenizer(resources.folder("tokenizer") / "32k")
TEXT = "피고인 김도윤(800101-1234567)은 한빛은행에 갔다. "
NAMES = ["O", *(f"분류{number}" for number in range(1, KNOWN.classes))]


@pytest.fixture(scope="module", params=[0, hints.number(KNOWN)], ids=["plain", "hints"])
def network(request):
    torch.manual_seed(7)
    config = EncoderConfig(
        vocab_size=TOKENIZER.tokenizer.backend.get_vocab_size(), hidden_size=32,
        num_hidden_layers=1, num_attention_heads=2, num_labels=KNOWN.classes,
    )  # fmt: skip
    made = EncoderForTokenClassification(config).eval()
    if request.param:
        networks.take_hints(made, request.param)
        torch.nn.init.normal_(made.encoder.embeddings.hints.weight)
    networks.name_classes(made, NAMES)
    return made


@pytest.fixture
def place(network, tmp_path):
    networks.save(network, tmp_path / "tagger")
    TOKENIZER.save(tmp_path / "tagger")
    folder.write(
        tmp_path / "tagger",
        Manifest(
            architecture="encoder", scheme="classes", classes=KNOWN.classes,
            labels=names_digest(KNOWN), tokenizer="hybrid", tokenizer_sha256=TOKENIZER.digest,
            length=24, overlap=6,
        ),
    )  # fmt: skip
    return tmp_path / "tagger"


def expected(text, tokenizer, ask, *, hinted):
    """Return where each token of *text* lies, and which class *ask* scores highest for it."""
    encoded = tokenizer.encode(text)
    ids = np.array([[2, *encoded.ids, 3]])
    given = [ids, np.ones_like(ids)]
    if hinted:
        found = settled(text, recognised(text))
        told = hints.hints(encoded.starts, encoded.ends, found, taxonomy=KNOWN)
        given.append(np.array([[0, *told, 0]]))
    best = ask(*given).argmax(-1)[0, 1:-1]
    return list(zip(encoded.starts.tolist(), encoded.ends.tolist(), best.tolist(), strict=True))


def tokens(made, text):
    names = made.model.config.label2id
    return [(one["start"], one["end"], names[one["entity"]]) for one in made(text)]


EVERY = {"stride": None, "aggregation_strategy": "none", "ignore_labels": []}


def test_each_token_has_the_networks_class_and_our_offsets(place, network):
    def ask(*rows):
        names = ("input_ids", "attention_mask", "hint_ids")
        given = {name: torch.from_numpy(row) for name, row in zip(names, rows, strict=False)}
        with torch.no_grad():
            return network(**given).logits.numpy()

    text, hinted = TEXT[:14], bool(network.config.hints)
    wanted = expected(text, TOKENIZER, ask, hinted=hinted)
    assert tokens(pipeline(str(place), **EVERY), text) == wanted


def test_a_tagger_that_ships_is_read_as_well():
    shipped = resources.folder("finetune/taggers") / "mini-free"
    ask = OnnxModel(shipped)
    wanted = expected(TEXT, OurTokenizer(shipped), ask, hinted=bool(ask.manifest.hints))
    assert len({best for _, _, best in wanted}) > 2
    assert tokens(pipeline("mini-free", **EVERY), TEXT) == wanted


def test_a_long_text_is_read_to_its_end(place):
    text = TEXT * 4
    read = pipeline(str(place), ignore_labels=[])(text)
    covered = {at for one in read for at in range(one["start"], one["end"])}
    assert not "".join(char for at, char in enumerate(text) if at not in covered).strip()


@pytest.mark.parametrize(
    ("asked", "said"),
    [("none", "needs a tagger"), ("no-such", "there is no folder 'no-such'")],
)
def test_what_is_no_tagger_is_refused(asked, said, english):
    with pytest.raises((ValueError, FileNotFoundError), match=said):
        pipeline(asked)


def test_a_network_of_others_is_refused(place):
    manifest = place / "tagger.json"
    text = manifest.read_text("utf-8").replace('"encoder"', '"bilstm"')
    manifest.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"its network .'bilstm'. is not ours"):
        pipeline(str(place))


def test_a_folder_of_another_taxonomy_is_refused(tmp_path, english):
    shutil.copytree(resources.folder("finetune/taggers") / "mini-free", tmp_path / "tagger")
    manifest = tmp_path / "tagger" / "tagger.json"
    text = manifest.read_text("utf-8")
    digest = text.split('"labels": "')[1].split('"')[0]
    manifest.write_text(text.replace(digest, "0" * len(digest)), "utf-8")
    with pytest.raises(ValueError, match="its labels are not those of the taxonomy"):
        pipeline(str(tmp_path / "tagger"))
