"""A model whose code lies beside its weights (as EXAONE-3.5's): only where the user trusts it."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from thunder.tagger.tagger import Tagger
from thunder.training.finetuning import export, run, starting
from thunder.training.finetuning.settings import Finetuning, Model

from .conftest import smoke
from .test_networks import tokenizer_of

_CODE = """
from pathlib import Path
import torch
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

Path("{witness}").touch()


class OwnConfig(PretrainedConfig):
    model_type = "thunder_own_code"

    def __init__(self, vocab_size=600, hidden_size=16, **more):
        self.vocab_size, self.hidden_size = vocab_size, hidden_size
        super().__init__(**more)


class OwnModel(PreTrainedModel):
    config_class = OwnConfig

    def __init__(self, config):
        super().__init__(config)
        self.words = torch.nn.Embedding(config.vocab_size, config.hidden_size)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, **more):
        return BaseModelOutput(last_hidden_state=self.words(input_ids))
"""


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    """A file that is there once the model's code has run."""
    return tmp_path / "ran"


@pytest.fixture
def start(tmp_path: Path, witness: Path) -> Path:
    place = tmp_path / "start"
    tokenizer_of(["피고인 강진현은 피해자를 때렸다."] * 3, framed=False).save_pretrained(place)
    (place / "own.py").write_text(_CODE.format(witness=witness), encoding="utf-8")
    size = len(json.loads((place / "tokenizer.json").read_text("utf-8"))["model"]["vocab"])
    names = {"AutoConfig": "own.OwnConfig", "AutoModel": "own.OwnModel"}
    table = {"model_type": "thunder_own_code", "vocab_size": size, "auto_map": names}
    (place / "config.json").write_text(json.dumps(table), encoding="utf-8")
    return place


def _settings(dataset: Path, folder: Path, start: Path, *, trust: bool) -> Finetuning:
    settings = smoke(dataset, folder, "schedule.epochs=1", "schedule.batch=16")
    model = Model(kind="transformers", start=start, trust=trust)
    return dataclasses.replace(settings, model=model)


def test_a_models_own_code_runs_only_where_the_user_trusts_it(dataset, start, witness, tmp_path):
    shy = _settings(dataset, tmp_path / "run", start, trust=False)
    with pytest.raises(ValueError, match="그 폴더의 프로그램 코드"):
        starting.network(shy, starting.ground(shy))
    assert not witness.exists()

    settings = _settings(dataset, tmp_path / "run", start, trust=True)
    run(settings, say=lambda line: None, device="cpu")
    export(tmp_path / "run", tmp_path / "tagger")
    assert json.loads((tmp_path / "tagger" / "tagger.json").read_text())["own_code"] is True
    assert witness.exists()

    witness.unlink()
    shutil.rmtree(start)  # the tagger's folder stands alone
    with pytest.raises(ValueError, match=r"허락하십시오\(--trust"):
        Tagger.load(tmp_path / "tagger", device="cpu")
    assert not witness.exists()
    tagger = Tagger.load(tmp_path / "tagger", device="cpu", trust=True)
    (read,) = tagger.read_all(["피고인 강진현은 피해자를 때렸다."])
    assert len(read.reading.mass) > 3


def test_a_folder_that_hides_its_code_is_refused_too(start, witness):
    """What ``tagger.json`` leaves unsaid, the backbone's own configuration says."""
    from thunder.tagger import networks

    with pytest.raises(ValueError, match="그 폴더의 프로그램 코드"):
        networks.OtherTagger.made(start, classes=5, changes={})
    assert not witness.exists()
