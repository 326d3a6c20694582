"""Every shipped configuration of fine-tuning loads, is the paper's, and refuses a slip by name."""

import pytest

from thunder.settings.config import ConfigError, load, parse
from thunder.training.finetuning import Finetuning

from .conftest import CONFIGS

pytestmark = [
    pytest.mark.skipif(not CONFIGS.is_dir(), reason="needs a checkout"),
    pytest.mark.usefixtures("english"),
]
ALL = sorted(CONFIGS.glob("*.toml"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_configuration_loads_and_every_number_has_its_reason(path):
    settings = load(path, Finetuning)
    assert settings.name == f"tagger-{path.stem}"
    assert settings.checkpoints.folder.name == settings.name
    lines = path.read_text("utf-8").splitlines()
    bare = {line for line in lines if "=" in line and "#" not in line and line[-1].isdigit()}
    assert bare <= {"log_every = 20", "log_every = 5", "keep_last = 2"}


@pytest.mark.parametrize(
    ("name", "peak", "tokenizer"),
    [("370m", 5e-5, "32k"), ("800m", 2e-5, "32k"), ("1.5b", 2e-5, "128k")],
)
def test_the_papers_numbers(name, peak, tokenizer):
    settings = load(CONFIGS / f"{name}.toml", Finetuning)
    schedule, optimizer = settings.schedule, settings.optimizer
    assert (schedule.epochs, schedule.batch, schedule.length) == (30, 32, 2048)
    assert (schedule.peak, settings.data.tokenizer) == (peak, tokenizer)
    assert optimizer.betas == (0.9, 0.98) and optimizer.weight_decay == 0.01
    phase = schedule.phase(documents=5361)
    assert phase.number_of_steps == 5025 and phase.accumulation(8) == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("epochs =", "epoch =", r"\[schedule\] unknown key 'epoch'; did you mean 'epochs'"),
        ("overlap = 256", "overlap = 1500", "'overlap' 1500 must not be above half"),
        ("budget = 16384", "budget = 100", "'budget' must hold a row"),
        ("batch = 32 ", "batch = 30 ", "'global_batch' 30 is no multiple of 'micro_batch' 4"),
        ('start = "models/370m"', 'size = "370m"\nstart = "x"', "give 'start'"),
        ('start = "models/370m"', 'kind = "transformers"', "needs 'start', a folder"),
        ('start = "models/370m"', 'kind = "bilstm"\nstart = "x"', "starts from nothing"),
        ("recall = 0.99", "recall = 99", "'recall' lies in 0 < x <= 1"),
        ('tokenizer = "32k"', "names = { latin = 2.0 }", "shares of names must fit into 1"),
    ],
)
def test_a_slip_is_refused_by_name(old, new, problem):
    text = (CONFIGS / "370m.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(ConfigError, match=problem):
        parse(text.replace(old, new, 1), Finetuning, origin="370m.toml")
