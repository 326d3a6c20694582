"""A corpus is made whole, resumes after a kill, and refuses what does not fit it."""

import dataclasses
import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from thunder.training_data.corpus import Source, prepare, preparing, shards, verify
from thunder.training_data.corpus.pool import WorkerDied, done_as_they_come, pool
from thunder.training_data.corpus.preparing import Share, _one_of_many, prepare_share
from thunder.training_data.corpus.settings import HeldOut

ROOT = Path(__file__).resolve().parents[3]


def changed(settings, **sources):
    """Return *settings* with some values of its first source replaced."""
    first = dataclasses.replace(settings.source[0], **sources)
    return dataclasses.replace(settings, source=(first, *settings.source[1:]))


def test_the_manifest_counts_what_is_there(manifest, settings):
    judgments, english = manifest.sources["judgments"], manifest.sources["english"]
    assert judgments.read["documents"] == 152
    assert judgments.dropped == {"exact duplicate": 1, "too short": 1}
    assert sum(judgments.parts[part]["documents"] for part in judgments.parts) == 150
    assert english.read["documents"] == 40
    assert manifest.languages["en"] == english.parts
    assert manifest.inputs[0].file.endswith("ko.jsonl")
    assert len(manifest.inputs) == 41
    assert len(manifest.shards) > 3
    total = sum(
        one.parts[part]["tokens"] for one in manifest.sources.values() for part in one.parts
    )
    assert total < sum(shard.tokens for shard in manifest.shards)  # the duplicate is in its shard


def test_every_byte_can_be_checked(corpus, manifest):
    assert verify(corpus) == manifest


def test_making_it_again_does_nothing(corpus, manifest, settings, tokenizer_folder):
    before = {path: path.stat().st_mtime_ns for path in corpus.rglob("*.npy")}
    assert prepare(settings, tokenizer=tokenizer_folder, out=corpus) == manifest
    assert {path: path.stat().st_mtime_ns for path in corpus.rglob("*.npy")} == before


def test_a_preparation_that_stopped_anywhere_goes_on(
    settings, manifest, tmp_path, tokenizer_folder, monkeypatch
):
    """It stops before every shard in turn, and in the middle of one."""
    work, out = preparing.shard_of, tmp_path / "out"
    starts = 0
    for _ in range(100):
        done = 0

        def once(task):
            nonlocal done
            if done == 2:
                unfinished = out / "shards" / task[1].source / f".{task[1].name}.1"
                unfinished.mkdir(parents=True)
                raise KeyboardInterrupt
            done += 1
            return work(task)

        monkeypatch.setattr(preparing, "shard_of", once)
        try:
            found = prepare(settings, tokenizer=tokenizer_folder, out=out)
            break
        except KeyboardInterrupt:
            starts += 1
    assert starts > 2
    assert found.digest == manifest.digest
    verify(out)
    assert not list(out.glob("shards/*/.*"))


@pytest.mark.parametrize("workers", [2])
def test_any_number_of_workers_makes_the_same(
    settings, manifest, tmp_path, tokenizer_folder, workers
):
    made = prepare(settings, tokenizer=tokenizer_folder, out=tmp_path / "out", workers=workers)
    assert made.digest == manifest.digest


@pytest.mark.parametrize("of", [2, 3])
def test_any_number_of_machines_makes_the_same(settings, manifest, tmp_path, tokenizer_folder, of):
    """Each makes its share, the last first; one is begun by two at once; then one ends it."""
    out, made = tmp_path / "out", 0
    for number in range(of, 0, -1):
        share = Share(number, of)
        made += prepare_share(settings, tokenizer=tokenizer_folder, out=out, share=share)
    assert made == len(manifest.shards) > of
    before = {path: path.stat().st_mtime_ns for path in out.rglob("tokens.npy")}
    assert prepare(settings, tokenizer=tokenizer_folder, out=out).digest == manifest.digest
    assert {path: path.stat().st_mtime_ns for path in out.rglob("tokens.npy")} == before
    verify(out)


def test_shares_are_made_at_the_same_time_and_never_beside_the_whole(
    settings, tmp_path, tokenizer_folder
):
    out = tmp_path / "out"
    out.mkdir()
    with _one_of_many(out, Share(1, 2)):
        assert prepare_share(settings, tokenizer=tokenizer_folder, out=out, share=Share(2, 2))
        for act in (
            lambda: prepare_share(settings, tokenizer=tokenizer_folder, out=out, share=Share(1, 2)),
            lambda: prepare(settings, tokenizer=tokenizer_folder, out=out),
        ):
            with pytest.raises(ValueError, match="another process is preparing"):
                act()


def test_a_shard_that_two_machines_make_is_there_once(manifest, corpus, tmp_path):
    shard = manifest.shards[0]
    arrays = {name: np.load(corpus / shard.place / name) for name in shards.ARRAYS}
    for _ in range(2):
        assert shards.write(tmp_path, shard, arrays) == shard
    assert [path.name for path in (tmp_path / shard.place).parent.iterdir()] == [shard.name]


@pytest.mark.parametrize("number", [0, 3])
def test_a_share_that_is_none_is_refused(settings, tmp_path, tokenizer_folder, number):
    share = Share(number, 2)
    with pytest.raises(ValueError, match="from 1/2 to 2/2"):
        prepare_share(settings, tokenizer=tokenizer_folder, out=tmp_path / "out", share=share)


def test_what_is_decided_after_the_shards_can_be_changed(
    settings, manifest, tmp_path, corpus, tokenizer_folder
):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("tokens.npy")}
    other = dataclasses.replace(settings, held_out=HeldOut(share=0.4), lengths=(32,))
    found = prepare(other, tokenizer=tokenizer_folder, out=out)
    assert found.digest != manifest.digest
    assert found.languages["ko"]["held-out"]["documents"] > 20
    assert {path: path.stat().st_mtime_ns for path in out.rglob("tokens.npy")} == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"split": "line"}, "another source: delete this folder"),
        ({"field": "body"}, "another source"),
        ({"path": None}, r"another .*ko\.jsonl as it was then"),
    ],
)
def test_shards_of_other_inputs_are_refused(
    settings, corpus, tmp_path, tokenizer_folder, change, problem, jsonl, text
):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    if "path" in change:  # the same file, changed meanwhile
        path = settings.source[0].path
        kept = path.read_bytes()
        path.write_bytes(kept + b'{"text": "one more"}\n')
        try:
            with pytest.raises(ValueError, match=problem):
                prepare(settings, tokenizer=tokenizer_folder, out=out)
        finally:
            path.write_bytes(kept)
    else:
        with pytest.raises(ValueError, match=problem):
            prepare(changed(settings, **change), tokenizer=tokenizer_folder, out=out)


def test_another_tokenizer_is_refused(settings, corpus, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    with pytest.raises(ValueError, match="another tokenizer: delete this folder"):
        prepare(settings, tokenizer=ROOT / "tokenizer" / "128k", out=out)


def test_two_preparations_of_one_folder_are_refused(settings, tmp_path, tokenizer_folder):
    with (
        preparing._alone(tmp_path),
        pytest.raises(ValueError, match="another process is preparing"),
    ):
        prepare(settings, tokenizer=tokenizer_folder, out=tmp_path)


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-10]), "bytes, not"),
        (lambda path: path.unlink(), "is missing"),
    ],
)
@pytest.mark.parametrize("name", ["tokens.npy", "starts.npy", "documents.npy"])
def test_a_shard_cut_short_is_named_when_the_corpus_is_opened(
    corpus, tmp_path, damage, problem, name
):
    from thunder.training_data.corpus import PackedRows

    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    damage(out / "shards" / "judgments" / "00001" / name)
    with pytest.raises(ValueError, match=f"judgments/00001/{name} .*{problem}.*prepare the corpus"):
        PackedRows.open(out, length=64)


def test_a_changed_byte_is_found_by_verify(corpus, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    path = out / "shards" / "english" / "00000" / "tokens.npy"
    raw = bytearray(path.read_bytes())
    raw[-5] ^= 1
    path.write_bytes(raw)
    with pytest.raises(ValueError, match=r"english/00000/tokens\.npy is not as it was written"):
        verify(out)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "not finished: run it again"), ("{}", "damaged"), ('{"format": 99}', "format 99")],
)
def test_a_manifest_that_cannot_be_used_is_named(corpus, tmp_path, content, problem):
    out = tmp_path / "copy"
    shutil.copytree(corpus, out)
    (out / "manifest.json").unlink()
    if content is not None:
        (out / "manifest.json").write_text(content)
    with pytest.raises((FileNotFoundError, ValueError), match=f"manifest.json.*{problem}"):
        verify(out)


def test_the_manifest_is_plain_json(corpus):
    assert json.loads((corpus / "manifest.json").read_text("utf-8"))["sources"]["english"]["parts"]


def test_the_error_of_a_worker_is_the_error_of_the_whole(tmp_path, tokenizer_folder, settings):
    (tmp_path / "bad.jsonl").write_bytes('{"text": "가나다"}\n'.encode("cp949"))
    bad = dataclasses.replace(settings, source=(Source("bad", tmp_path / "bad.jsonl", "ko"),))
    with pytest.raises(ValueError, match=r"bad\.jsonl:1: not UTF-8.*CP949.*iconv"):
        prepare(bad, tokenizer=tokenizer_folder, out=tmp_path / "out", workers=2)


def test_a_worker_that_dies_is_an_error_and_no_wait():
    begun = time.monotonic()
    with pytest.raises(WorkerDied, match="the same command goes on"), pool(2, int, ()) as processes:
        list(done_as_they_come(processes, os._exit, iter([1] * 10), 4))
    assert time.monotonic() - begun < 30


def test_a_full_disk_is_named_and_loses_nothing(
    settings, manifest, tmp_path, tokenizer_folder, monkeypatch
):
    written = []

    def full(file):
        written.append(file)
        if len(written) > 10:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("thunder.training_data.corpus.shards.safe", full)
        with pytest.raises(
            OSError, match=r"No space left on device; what was finished stays.*00001"
        ):
            prepare(settings, tokenizer=tokenizer_folder, out=tmp_path / "out")
    assert prepare(settings, tokenizer=tokenizer_folder, out=tmp_path / "out") == manifest
    verify(tmp_path / "out")


@pytest.mark.slow
def test_kills_at_any_moment_lose_nothing(tmp_path, settings, manifest):
    """The command and its workers are killed (SIGKILL) again and again, then it ends as ever."""
    toml = ["lengths = [64]", "piece_mb = 0.05"]
    for source in settings.source:
        toml += ["[[source]]", f'name = "{source.name}"', f'path = "{source.path}"']
        toml += [f'language = "{source.language}"']
    toml += ["[cleaning]", "shortest = 20", "[held_out]", "share = 0.1"]
    (tmp_path / "corpus.toml").write_text("\n".join(toml), encoding="utf-8")
    script = ROOT / "pretrain" / "prepare_corpus.py"
    command = [sys.executable, script, tmp_path / "corpus.toml", "--out", tmp_path / "out"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for wait in np.random.Generator(np.random.Philox(key=1)).uniform(0.8, 2.6, size=8):
        with subprocess.Popen(
            [*command, "--workers", "2"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as running:  # fmt: skip
            time.sleep(wait)
            running.kill()
    done = subprocess.run(
        [*command, "--workers", "2"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert verify(tmp_path / "out").digest == manifest.digest
