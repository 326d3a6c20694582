"""The whole of the paper, tiny, from an archive to its tables: python finetune/walk.py WORK.

Data, tokenizer, corpus, pre-training on two processes (DeepSpeed), fine-tuning of the encoder and
of both baselines, the grid with two seeds, Tables H.1 to H.4 and 2 beside the paper's: each step is
a command that stands in the how-to guides, shown before it is run, without a network. ``--release``
names an archive or folder of the released data's shape; without it one of invented judgments is
made. What is finished is left: the same command goes on. WORK/walk.log keeps what was said.

The baselines are folders as their authors lay them out, tiny and random; an encoder of two layers
learns little from so little text: figures of this walk say nothing but that all of it works.
"""

import argparse
import io
import json
import os
import shlex
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple, TextIO

import _environment  # noqa: F401
from baseline_folders import exaone, polyglot

from thunder.encoder.sizes import padded
from thunder.training.processes import free_port
from thunder.training.signals import EXIT_AGAIN
from thunder.training_data.annotation import serialise
from thunder.training_data.invented_judgments import judgments

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("fraud", "injury", "sexual", "deposit", "licence")
LABELS, SYLLABLES = ("은행", "병원"), "가나다라마바사아자차카타"
SEEDS = (1200, 1203)


class Size(NamedTuple):
    """How much of everything: annotated judgments, plain ones, tokens, steps, epochs."""

    annotated: int
    plain: int
    vocabulary: int
    steps: int
    epochs: int
    kinds: tuple[str, ...]


WHOLE = Size(300, 2000, 4000, 400, 6, KINDS)
SMALL = Size(30, 100, 3000, 6, 1, ("fraud", "injury", "sexual"))


class Walk:
    """The steps in a folder, each run once and told to the screen and to the log."""

    def __init__(self, work: Path, log: TextIO) -> None:
        self.work, self._log = work, log
        self._begun = time.monotonic()
        (work / "steps").mkdir(parents=True, exist_ok=True)

    def say(self, line: str) -> None:
        print(line, flush=True)
        self._log.write(line + "\n")
        self._log.flush()

    def step(self, name: str, *commands: list[str]) -> None:
        """Run *commands* unless they are done; SystemExit where one fails or is stopped."""
        done = self.work / "steps" / name
        if done.is_file():
            self.say(f"== {name}: done before")
            return
        begun = time.monotonic()
        for command in commands:
            self.say("$ " + shlex.join(command).replace(sys.executable, "python"))
            self._run(command)
        self.say(f"== {name}: {time.monotonic() - begun:.0f} s")
        done.touch()

    def _run(self, command: list[str]) -> None:
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ, "PYTHONPATH": os.pathsep.join(paths), "THUNDER_LANGUAGE": "en",
            "COLUMNS": "100", "OMP_NUM_THREADS": "1",
        }  # fmt: skip
        running = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8",
        )  # fmt: skip
        assert running.stdout is not None
        for line in running.stdout:
            self.say("  " + line.rstrip())
        if running.wait() == EXIT_AGAIN:
            self.say("it was stopped, and has saved: the same command goes on")
            raise SystemExit(EXIT_AGAIN)
        if running.returncode:
            self.say(f"error: it ended with {running.returncode}; mend it and start again")
            raise SystemExit(1)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", type=Path, help="the folder in which all of it comes to lie")
    parser.add_argument("--release", type=Path, help="an archive or folder in the released shape")
    parser.add_argument("--small", action="store_true", help="minutes, to see that it works")
    parser.add_argument("--engine", choices=("deepspeed", "plain"), default="deepspeed")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    size = SMALL if options.small else WHOLE
    with (work / "walk.log").open("a", encoding="utf-8") as log:
        walk = Walk(work, log)
        _data(walk, size, options.release)
        _encoder(walk, size, options.engine)
        _experiment(walk, size)
        walk.say(f"== the whole walk: {walk.seconds / 60:.1f} minutes; tables: {work / 'tables'}")


def _data(walk: Walk, size: Size, given: Path | None) -> None:
    work = walk.work
    release, plain = given, work / "precedent-kr.tar.gz"
    if release is None:
        release = work / "SNU_Thunder-DeID.tar.gz"
        if not release.is_file():
            _pack(release, _released(size))
    if not plain.is_file():
        _pack(plain, _precedents(size))
    for name, archive in (("thunder-deid", release), ("judgments", plain)):
        place = ["--root", str(work / "data"), "--accept-licence"]
        walk.step(f"data-{name}", _thunder("data", "get", name, "--from", str(archive), *place))
    own = work / "lists"
    about = ["--source", "mcrl/SNU_Thunder-DeID", "--licence", "CC BY-NC-SA 4.0"]
    mentions = work / "data/thunder-deid/mentions.jsonl"
    walk.step("lists", _thunder("lists", "import", str(mentions), str(own), *about))


def _encoder(walk: Walk, size: Size, engine: str) -> None:
    work = walk.work
    texts, tokenizer = work / "data/judgments", work / "tokenizer"
    words = ["tokenizer", "train", f"{texts}={10 * size.vocabulary}"]
    words += ["--vocabulary", str(size.vocabulary), "--out", str(tokenizer)]
    walk.step("tokenizer", _thunder(*words))
    sources = work / "sources.toml"
    sources.write_text(
        f'lengths = [64, 128]\n\n[[source]]\nname = "judgments"\npath = "{texts}"\n'
        'language = "ko"\n\n[held_out]\nshare = 0.05\n',
        encoding="utf-8",
    )
    corpus = ["--out", str(work / "corpus"), "--tokenizer", str(tokenizer), "--workers", "2"]
    walk.step("corpus", _script("pretrain/prepare_corpus.py", str(sources), *corpus))
    config = work / "pretrain.toml"
    smoke = (ROOT / "pretrain/configs/smoke.toml").read_text("utf-8")
    found = json.loads((tokenizer / "thunder.json").read_text("utf-8"))
    rows = padded(found["vocabulary"] + 2 * found["labels"])
    smoke = smoke.replace(
        "hidden_dropout_prob = 0.1", f"hidden_dropout_prob = 0.1, vocab_size = {rows}"
    )
    smoke = smoke.replace("steps = 30", f"steps = {size.steps}")
    smoke = smoke.replace("every = 10\n", f"every = {max(10, size.steps // 4)}\n")
    config.write_text(smoke.replace("log_every = 1 ", "log_every = 20 "), encoding="utf-8")
    run = work / "runs/encoder"
    places = (f"corpus.folder={work / 'corpus'}", f"corpus.tokenizer={tokenizer}")
    places += (f"checkpoints.folder={run}", f"engine.kind={engine}")
    start = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2"]
    start += ["--master_port", str(free_port()), "pretrain/train.py", str(config)]
    walk.step("pre-training", [*start, *_changes(places), "--device", "cpu"])
    export = _script("pretrain/export.py", str(run), str(work / "models/encoder"))
    walk.step("export", export)


def _experiment(walk: Walk, size: Size) -> None:
    """The grid: three models, both ways of filling, two seeds."""
    work = walk.work
    annotated = work / "data/thunder-deid/annotated.jsonl"
    texts = [json.loads(line)["text"] for line in annotated.read_text("utf-8").splitlines()]
    for name, lay_out in (("polyglot-ko", polyglot), ("exaone-3.5", exaone)):
        if not (work / "models" / name / "model.safetensors").is_file():
            lay_out(work / "models" / name, texts)
    configs = work / "configs"
    configs.mkdir(exist_ok=True)
    smoke = (ROOT / "finetune/configs/smoke.toml").read_text("utf-8")
    (configs / "ours.toml").write_text(
        smoke.replace('size = "tiny" ', f'start = "{work / "models/encoder"}" '), encoding="utf-8"
    )
    for name in ("polyglot-ko", "exaone-3.5"):
        (configs / f"{name}.toml").write_text(
            (ROOT / f"finetune/configs/{name}.toml").read_text("utf-8"), encoding="utf-8"
        )
    for_all = [
        f"data.tokenizer={work / 'tokenizer'}", f"schedule.epochs={size.epochs}",
        "schedule.batch=8", "schedule.micro_batch=4", "schedule.peak=5e-3", "schedule.length=128",
        "schedule.overlap=32", "schedule.budget=2048", "engine.kind=plain",
        "engine.precision=fp32", "engine.threads=1", "loading.workers=0", "checkpoints.every=500",
    ]  # fmt: skip
    own = {
        name: [f"model.start={work / 'models' / name}"] for name in ("polyglot-ko", "exaone-3.5")
    }
    for name in own:
        own[name].append("engine.zero=0")
    lines = [
        f"judgments = [{json.dumps(str(annotated))}]",
        f"lists = {json.dumps(str(work / 'lists'))}",
        f"work = {json.dumps(str(work))}",
        'models = ["ours", "polyglot-ko", "exaone-3.5"]',
        'replacement = ["single", "per-epoch"]',
        f"seeds = {list(SEEDS)}",
        f"configs = {json.dumps(str(configs))}",
        "[changes]",
        f"all = {json.dumps(for_all)}",
        *(f"{json.dumps(name)} = {json.dumps(words)}" for name, words in own.items()),
    ]
    experiment = work / "experiment.toml"
    experiment.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for act in ("list", "data", "run", "tables"):
        walk.step(f"grid-{act}", _script("finetune/experiment.py", act, str(experiment)))


def _thunder(*words: str) -> list[str]:
    return [sys.executable, "-m", "thunder", *words]


def _script(path: str, *words: str) -> list[str]:
    return [sys.executable, path, *words]


def _changes(changes: tuple[str, ...]) -> list[str]:
    return [word for one in changes for word in ("--set", one)]


# --- an archive of the released data's shape, of invented judgments -------------------------------


def _released(size: Size) -> Iterator[tuple[str, str]]:
    root = "SNU_Thunder-DeID-invented/datasets"
    for number, one in enumerate(judgments(size.annotated, kinds=size.kinds, seed=7)):
        case = one.case_type.replace("/", "-")
        text = serialise(one.text, one.spans)
        yield f"{root}/0_raw_documents/{case}/doc_{number:05}.md", text
    words = ["".join(one) for one in product(SYLLABLES, repeat=3)]
    for at, label in enumerate(LABELS):  # mentions of nobody: three syllables at a time
        own = json.dumps({label: words[at :: len(LABELS)]}, ensure_ascii=False)
        yield f"{root}/1_replacement/subset/walk/{label}/{label}.json", own


def _precedents(size: Size) -> Iterator[tuple[str, str]]:
    for number, one in enumerate(judgments(size.plain, seed=11)):
        title = f"2020가단{number}"
        head = (
            f"---\n판례일련번호: '{number}'\n사건번호: {title}\n사건명: 사건\n법원명: 가상법원\n"
            "법원등급: 하급심\n사건종류: 민사\n첨부파일: []\n선고일자: 2020-01-02\n---\n\n"
            "# 사건\n\n"
        )
        place = f"precedent-kr-invented/민사/가상법원/가상법원_2020-01-02_{title}.md"
        yield place, f"{head}## 판례내용\n\n{one.text}\n"


def _pack(path: Path, files: Iterator[tuple[str, str]]) -> None:
    new = path.with_name(f"{path.name}.new")
    with tarfile.open(new, "w:gz") as archive:
        for name, text in files:
            entry = tarfile.TarInfo(name)
            data = text.encode()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    new.replace(path)


if __name__ == "__main__":
    main()
