"""A tagger without torch: small, spans compared, the same whatever it is read with; its card."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest
import torch

from thunder import taxonomy
from thunder.encoder import sized
from thunder.settings import resources
from thunder.tagger import folder, networks, tokenizers
from thunder.tagger.onnx_model import OnnxModel
from thunder.tagger.tagger import Tagger
from thunder.taxonomy.migrations import names_digest
from thunder.training.exports import thawing
from thunder.training.exports.onnx import export
from thunder.training.exports.quantisation import rounded, rounding
from thunder.training.finetuning import card, portable
from thunder.training.finetuning.portable import compared, export_onnx, thaw
from thunder.training_data.datasets.dataset import Dataset

ROOT = Path(__file__).resolve().parents[3]
KNOWN = taxonomy.load()
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def _untrained(place):
    """Write a tagger whose weights are chance, large enough to be sure of something."""
    tokenizer = tokenizers.OurTokenizer(resources.folder("tokenizer") / "32k")
    torch.manual_seed(3)
    config = sized(
        "tiny",
        vocab_size=len(tokenizer.tokenizer),
        max_position_embeddings=64,
        initializer_range=0.2,
    )
    network = networks.encoder(config, start=None, classes=KNOWN.classes, changes={})
    with torch.no_grad():
        network.classifier.weight.mul_(4)
        network.classifier.bias[0] = 23
    place.mkdir()
    networks.save(network.eval(), place)
    tokenizer.save(place)
    about = {
        "run": "untrained",
        "seed": 3,
        "data": {
            "files": ["invented.jsonl"],
            "documents": {"train": 20, "dev": 2},
            "fingerprint": "f" * 64,
            "replacement": "per-epoch",
        },
    }
    folder.write(
        place,
        folder.Manifest(
            architecture="encoder",
            scheme="classes",
            classes=KNOWN.classes,
            labels=names_digest(KNOWN),
            tokenizer="hybrid",
            tokenizer_sha256=tokenizer.digest,
            length=64,
            overlap=16,
            about=about,
        ),
    )


@pytest.fixture(scope="module")
def exported(dataset, tmp_path_factory):
    """A torch folder, the ONNX folder made of it, and how far their spans differ."""
    place = tmp_path_factory.mktemp("portable")
    _untrained(place / "torch")
    made = export_onnx(
        place / "torch",
        place / "onnx",
        int8=True,
        windows=(48, 12),
        dataset=dataset,
        number=3,
        recall=0.9,
    )
    return place / "torch", place / "onnx", made


@pytest.fixture
def texts(dataset):
    return [example.text for example in Dataset.open(dataset).part("train").epoch(0)][:5]


@pytest.mark.slow
def test_its_spans_are_compared_and_the_difference_is_written_down(exported):
    _, place, made = exported
    about = folder.read(place).about
    assert made.documents == 3 and made.spans > 50
    assert (folder.read(place).length, folder.read(place).overlap) == (48, 12)
    assert about["compared"]["differing"] == made.differing
    assert about["export"]["weights"] == "int8" and about["run"] == "untrained"


@pytest.mark.slow
def test_in_the_same_windows_its_spans_are_nearly_the_original_s(exported, dataset):
    original, place, _ = exported
    one, other = portable._exact(original, taxonomy=None), Tagger.load(place, threads=1)
    one._reader = replace(one._reader, length=48, overlap=12)
    stored = Dataset.open(dataset)  # of two documents too much hangs on one
    both = chain(stored.part("dev").epoch(0), islice(stored.part("train").epoch(0), 8))
    found = compared(one, other, [(each.id, each.text, each.spans) for each in both])
    assert found.spans > 0 and found.lost < 0.1 * found.spans
    assert found.unlike < 0.1 * found.masked


@pytest.mark.slow
def test_thawed_it_is_the_network_that_was_exported(texts, tmp_path):
    tokenizer = tokenizers.OurTokenizer(resources.folder("tokenizer") / "32k")
    torch.manual_seed(3)
    shape = {"max_position_embeddings": 64, "position_buckets": 128, "max_relative_positions": 256}
    config = sized("tiny", vocab_size=len(tokenizer.tokenizer), initializer_range=0.1, **shape)
    one = networks.encoder(config, start=None, classes=KNOWN.classes, changes={})
    with torch.no_grad():
        for weight in one.parameters():  # the exporter writes equal ones once, as none trained are
            weight.add_(torch.randn_like(weight), alpha=0.01)
    export(one.eval(), tmp_path / "onnx", int8=True, shapes=[(2, 17)])
    other = thawing.thawed(tmp_path / "onnx")
    with rounded(one):
        state = {name: weight.clone() for name, weight in one.state_dict().items()}
    for name, weight in other.state_dict().items():
        if ".positions." not in name:
            assert torch.allclose(weight, state[name], atol=1e-6), name
    exported = OnnxModel(tmp_path / "onnx", threads=1)
    with rounding(other):
        for text in texts:
            ids_BS = tokenizer.encode(text)[0][None, :64].astype(np.int64)
            scores_BSC = exported(ids_BS, np.ones_like(ids_BS))
            again_BSC = other(torch.from_numpy(ids_BS)).logits.detach().numpy()
            assert np.abs(scores_BSC - again_BSC).max() < 0.1 * np.abs(scores_BSC).max()


def test_rows_are_found_that_normed_are_those_wanted():
    torch.manual_seed(3)
    gain, bias, rows = torch.rand(16) + 0.2, torch.randn(16) / 4, torch.randn(40, 16)
    wanted = torch.nn.functional.layer_norm(rows, (16,), gain, bias, 1e-7)
    made = thawing._unnormed(wanted, eps=1e-7)
    again = torch.nn.functional.layer_norm(made.rows_RW, (16,), made.gain_W, made.bias_W, 1e-7)
    assert (again - wanted).abs().mean() < 0.01


def test_what_is_no_export_is_not_thawed(tagger, tmp_path):
    with pytest.raises(ValueError, match="a tagger of kind 'encoder' is no export to ONNX"):
        thaw(tagger, tmp_path / "thawed")
    assert not (tmp_path / "thawed").exists()


@pytest.mark.slow
def test_another_model_s_spans_are_noticed(exported, dataset, tmp_path):
    original, place, _ = exported
    one, other = Tagger.load(original, device="cpu"), Tagger.load(place, threads=1)
    reader = other._reader
    scorer = reader.scorer

    class Rolled:
        classes, hints = scorer.classes, scorer.hints

        def __call__(self, batch):
            return np.roll(scorer(batch), 1, -1)

    other._reader = replace(reader, scorer=Rolled())
    given = [(one.id, one.text, one.spans) for one in Dataset.open(dataset).part("dev").epoch(0)]
    found = compared(one, other, given)
    assert found.differing == found.documents == len(given) and found.lost == found.spans > 0


@pytest.mark.slow
def test_its_thresholds_were_set_on_it(exported):
    _, place, _ = exported
    tagger = Tagger.load(place, threads=1)
    assert tagger.dial.default == 0.9 and 0.999 in tagger.dial.recalls
    assert tagger.thresholds.about["recall"] == 0.9
    assert Tagger.load(place, recall=0.96, threads=1).thresholds.about["recall"] == 0.97
    with pytest.raises(ValueError, match=r"재현율 .* 문턱값이 없습니다"):
        Tagger.load(place, recall=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("budget", [64, 200, 4096])
def test_a_document_reads_the_same_alone_and_among_others(exported, texts, budget):
    tagger = Tagger.load(exported[1], threads=1, budget=budget)
    together = list(tagger.read_all(texts))
    for text, one in zip(texts, together, strict=True):
        (alone,) = tagger.read_all([text])
        assert (alone.reading.label == one.reading.label).all()
        assert np.abs(alone.reading.mass - one.reading.mass).max() < 1e-5


@pytest.mark.slow
def test_it_is_small_and_an_altered_file_is_refused(exported, tmp_path):
    original, place, _ = exported
    names = {path.name for path in place.iterdir()}
    assert "tokenizer.json.xz" in names and "model.safetensors" not in names
    sizes = [sum(path.stat().st_size for path in one.iterdir()) for one in (place, original)]
    assert sizes[0] < 0.4 * sizes[1]
    for path in place.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = bytearray((tmp_path / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "model.onnx").write_bytes(bytes(content))
    with pytest.raises(ValueError, match=r"model\.onnx: 내보낸 뒤에 바뀌었습니다"):
        Tagger.load(tmp_path)


@pytest.mark.slow
def test_it_is_opened_and_asked_without_torch(exported):
    code = (
        "import sys; from pathlib import Path; from thunder.tagger.tagger import Tagger\n"
        f"Tagger.load(Path({str(exported[1])!r}), threads=1).tag('피고인 홍길동은 도주하였다.')\n"
        "print([name for name in ('torch', 'transformers', 'onnx') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_its_card_tells_what_is_known_and_no_text(exported, texts, tmp_path):
    _, place, made = exported
    rows = {"On whole judgments": [{"kind": "civil", "recall": 0.97123}]}
    (tmp_path / "figures.json").write_text(json.dumps(rows), encoding="utf-8")
    tables = card.tables_of(tmp_path / "figures.json")
    path = card.write(place, licence="cc-by-nc-sa-4.0", tables=tables)
    written = path.read_text("utf-8")
    for part in ("invented.jsonl", "train 20", "0.9 (default)", "| civil | 0.9712 |"):
        assert part in written
    assert f"on {made.documents - made.differing} of {made.documents} documents" in written
    assert folder.read(place).files["model.onnx"][:16] in written
    assert "NonCommercial" in (place / "LICENSE").read_text("utf-8")
    words = {word for text in texts for word in re.findall("[가-힣]{2,}", text)}
    assert not words & set(re.findall("[가-힣]{2,}", written))
    path.write_text(written + "more", encoding="utf-8")
    assert Tagger.load(place, threads=1).manifest.about["licence"] == "cc-by-nc-sa-4.0"


def test_a_card_needs_a_licence_that_is_known(tmp_path):
    _untrained(tmp_path / "torch")
    with pytest.raises(ValueError, match=r"unknown licence None; known are apache-2\.0, cc-by"):
        card.write(tmp_path / "torch")
    card.write(tmp_path / "torch", licence="apache-2.0")
    written = (tmp_path / "torch" / "README.md").read_text("utf-8")
    assert "No thresholds were set for it" in written and "for torch" in written


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": [1]}'])
def test_figures_of_another_form_are_refused(tmp_path, content):
    (tmp_path / "f.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"f\.json: not of the form"):
        card.tables_of(tmp_path / "f.json")


def test_what_exists_or_has_no_onnx_form_is_refused(tmp_path):
    _untrained(tmp_path / "torch")
    with pytest.raises(ValueError, match="exists: give the name of a new folder"):
        export_onnx(tmp_path / "torch", tmp_path / "torch")
    for windows in ((128, 16), (8, 2), (32, 16)):
        with pytest.raises(ValueError, match=r"windows of .* tokens that share"):
            export_onnx(tmp_path / "torch", tmp_path / "onnx", windows=windows)
    manifest = folder.read(tmp_path / "torch")
    folder.write(tmp_path / "torch", replace(manifest, architecture="bilstm"))
    with pytest.raises(ValueError, match="of kind 'bilstm' has no ONNX form"):
        export_onnx(tmp_path / "torch", tmp_path / "onnx")
    assert not (tmp_path / "onnx").exists()
