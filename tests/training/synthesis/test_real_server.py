"""A real server process, and a model in this one, tiny and random: nonsense, in the ledger."""

import json
import os
import socket
import subprocess
import sys
import time
import venv
from collections import Counter
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from thunder.settings.config import parse
from thunder.training.synthesis import running
from thunder.training.synthesis.settings import Run

pytestmark = pytest.mark.slow

SERVE = "import sys; from transformers.cli.transformers import main; sys.argv[0] = 'serve'; main()"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    torch = pytest.importorskip("torch", reason="needs torch")
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    cut = Tokenizer(models.BPE())
    cut.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    cut.decoder = decoders.ByteLevel()
    special, every = ["<s>", "</s>", "<pad>"], pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=special, initial_alphabet=every)
    cut.train_from_iterator(["재판장님께 올립니다"], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=cut, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=4096,
        bos_token_id=0, eos_token_id=1, pad_token_id=2,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("model")
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
def test_a_model_in_this_process_is_held_to_the_form(model, tmp_path):
    """Nonsense, but whole: each answer is the JSON asked for, or was cut off before its end."""
    pytest.importorskip("llguidance", reason="needs the extra llm")
    run = parse(
        f'output = "{tmp_path}/made"\n[local]\nfolder = "{model}"\n'
        '[sampling]\nmax_tokens = 3500\n[texts]\ndomains = ["뉴스"]\nlabels = ["은행"]\n'
        "wanted = 1\nnumber = 2\ntries = 1\n",
        Run,
        origin="run.toml",
    )
    report = running.run(run)
    lines = (tmp_path / "made" / "ledger.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    ended = [one for one in asked if one["finish"] == "stop"]
    assert ended and {one["model"] for one in asked} == {model.name}
    for one in ended:
        answer = json.loads(one["answer"])
        if one["step"] == "persona":
            assert len(answer["situation"]) == 5 and answer.keys() == {"occupation", "situation"}
    assert "no json" not in report.dropped.get("persona", {})
    assert running.run(run) == report  # from the ledger


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An environment over this one, with what transformers' server needs besides."""
    import transformers

    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    made = folder / "bin" / "python"
    packages = next(folder.glob("lib/*/site-packages"))
    (packages / "beside.pth").write_text(os.path.dirname(os.path.dirname(transformers.__file__)))
    pip = [made, "-m", "pip", "-q", "--no-input", "install"]
    for more in (["openai"], ["--no-deps", "accelerate", "psutil"]):
        if subprocess.run([*pip, *more], capture_output=True, timeout=300).returncode:
            pytest.skip("no index of packages can be reached")
    return made


@pytest.fixture
def url(python, model, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path)}
    options = ["serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [python, "-c", SERVE, *options], env={**os.environ, **own}, stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + 180
        while True:
            try:
                urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except (URLError, OSError):
                said = (tmp_path / "log").read_text("utf-8", "replace")[-800:]
                assert server.poll() is None and time.monotonic() < deadline, said
                time.sleep(1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux alone")
def test_nonsense_by_a_real_server_is_dropped_and_kept_in_the_ledger(url, model, tmp_path):
    run = parse(
        f'output = "{tmp_path}/made"\n[server]\nurl = "{url}"\nmodel = "{model}"\nparallel = 1\n'
        '[sampling]\nmax_tokens = 30\n[texts]\ndomains = ["뉴스"]\nlabels = ["은행"]\nwanted = 1\n'
        "number = 2\ntries = 2\n",
        Run,
        origin="run.toml",
    )
    report = running.run(run)
    assert report.structured == "none"  # this server takes a response_format and ignores it
    assert report.requests == 4 and report.tokens["answer_tokens"] > 0
    assert sum(report.dropped["persona"].values()) == 4 and not report.texts
    dropped = (tmp_path / "made" / "dropped.jsonl").read_text("utf-8").splitlines()
    reasons = Counter(json.loads(line)["reason"] for line in dropped)
    assert reasons == report.dropped["persona"] and set(reasons) <= {
        "cut off",
        "no json",
        "control",
    }
    assert running.run(run) == report  # from the ledger
