"""Every shipped configuration loads and is the paper's; a slip in one is refused by name."""

from pathlib import Path

import pytest

from thunder.settings.config import ConfigError, load, parse
from thunder.training.pretraining.settings import Pretraining

pytestmark = pytest.mark.usefixtures("english")

CONFIGS = Path(__file__).resolve().parents[3] / "pretrain" / "configs"
ALL = sorted(CONFIGS.glob("*.toml"))


def test_all_sizes_are_there():
    assert [path.stem for path in ALL] == ["1.5b", "370m", "800m", "mini", "small", "smoke"]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_configuration_loads_and_every_number_has_its_reason(path):
    settings = load(path, Pretraining)
    assert settings.name == path.stem
    text = path.read_text(encoding="utf-8")
    assert text.count("#") > 10


@pytest.mark.parametrize(
    ("name", "peak", "steps", "tokenizer"),
    [
        ("370m", 7.5e-5, 13_351, "32k"),
        ("800m", 5e-5, 28_610, "32k"),
        ("1.5b", 5e-5, 57_220, "128k"),
    ],
)
def test_the_papers_numbers(name, peak, steps, tokenizer):
    settings = load(CONFIGS / f"{name}.toml", Pretraining)
    first, long = settings.phases
    assert (first.peak, first.number_of_steps, first.length) == (peak, steps, 512)
    assert first.global_batch == 2048 and first.warmup == 0.1 and first.floor == 0
    assert settings.corpus.tokenizer == tokenizer
    assert settings.masking.share == 0.15
    assert settings.optimizer.betas == (0.9, 0.98) and settings.optimizer.weight_decay == 0.01
    assert long.length == 2048
    for phase in settings.phases:
        assert phase.accumulation(32) >= 1  # the paper's 32 GPUs share it evenly


def _with(old: str, new: str) -> str:
    text = (CONFIGS / "370m.toml").read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("epsilon =", "epsilom =", r"\[optimizer\] unknown key 'epsilom'; did you mean 'epsilon'"),
        ("global_batch = 2048", "global_batch = 2000", r"\[phases.0\] 'global_batch' 2000 is no"),
        ("peak = 7.5e-5", "peak = 7.5", r"\[phases.0\] 'peak' is a learning rate between 0 and 1"),
        ("warmup = 0.1", "warmup = 10", r"\[phases.0\] 'warmup' is a share"),
        ("tokens = 14_000_000_000", "tokens = 14e9", "'tokens' must be a whole number"),
        ("tokens = 14_000_000_000", "tokens = 1\nsteps = 1", "give 'steps' or 'tokens', not both"),
        ("tokens = 14_000_000_000", "tokens = 1000", "come to no whole step"),
        ('kind = "deepspeed"', 'kind = "plain"\nzero = 1 #', r"'zero' = 1 needs 'kind'"),
        ("zero = 0", "zero = 4", "'zero' must be one of 0, 1, 2, 3"),
        ('precision = "bf16"', 'precision = "int8"', "'precision' must be one of 'fp32', 'bf16'"),
        ("keep_every = 5000", "keep_every = 750", "'keep_every' 750 is no multiple of 'every' 500"),
        ("share = 0.15", "share = 15", r"\[masking\] 'share' lies between 0 and 1"),
        ("length = 2048", "length = 256", r"\[\[phases\]\] must not become shorter"),
        ("betas = [0.9, 0.98]", "betas = [0.9, 1.0]", "'betas' must lie in"),
    ],
)
def test_a_slip_is_refused_by_name(old, new, problem):
    text = _with(old, new).replace("zero = 0  ", "#", 1) if "zero = 1" in new else _with(old, new)
    with pytest.raises(ConfigError, match=problem):
        parse(text, Pretraining, origin="370m.toml")


def test_a_batch_that_the_processes_cannot_share_is_refused():
    phase = load(CONFIGS / "370m.toml", Pretraining).phases[0]
    with pytest.raises(ValueError, match="32 micro-batches of 64, which 5 processes cannot share"):
        phase.accumulation(5)
