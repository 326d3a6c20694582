"""finetune/draw.py: the same judgments for a seed, of every kind, and none too long."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "finetune" / "draw.py"
KINDS = {"형사": 40, "민사": 40, "일반행정": 30, "세무": 10}

pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="needs a checkout")


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def _text(seed: str, length: int) -> str:
    """Return syllables that no other seed's text has in this order."""
    chance = random.Random(seed)
    return "".join(chr(chance.randrange(ord("가"), ord("힣"))) for _ in range(length))


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    rows = [
        {"id": f"{kind}-{number}", "kind": kind, "text": _text(f"{kind}{number}", 15 + 3 * number)}
        for kind, many in KINDS.items()
        for number in range(many)
    ]
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def _drawn(path: Path, output: Path, *options: object) -> list[dict[str, str]]:
    done = _run(path, "--output", output, "--shortest", 1, *options)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in output.read_text("utf-8").splitlines()]


def test_kinds_get_their_shares(judgments, tmp_path):
    found = _drawn(judgments, tmp_path / "out.jsonl", "--number", 50)
    kinds = Counter(one["kind"] for one in found)
    # 42 % and 30 % of 50, and 30 and 10 of the 40 others share the rest
    assert kinds == {"형사": 21, "민사": 15, "일반행정": 10, "세무": 3}
    assert len({one["id"] for one in found}) == len(found)


def test_shares_can_be_asked_for(judgments, tmp_path):
    found = _drawn(judgments, tmp_path / "out.jsonl", "--number", 20, "--share", "민사=0.1")
    assert Counter(one["kind"] for one in found) == {"형사": 8, "일반행정": 7, "민사": 2, "세무": 2}


def test_shares_above_one_are_refused(judgments, tmp_path):
    done = _run(judgments, "--output", tmp_path / "out.jsonl", "--share", "형사=0.8")
    assert done.returncode == 1
    assert "형사=0.8, 민사=0.3" in done.stderr


def test_a_seed_draws_the_same_and_another_one_others(judgments, tmp_path):
    first, again, other = (
        _drawn(judgments, tmp_path / f"{number}.jsonl", "--number", 20, "--seed", seed)
        for number, seed in enumerate((3, 3, 4))
    )
    assert first == again
    assert {one["id"] for one in first} != {one["id"] for one in other}


def test_those_drawn_before_are_not_drawn_again(judgments, tmp_path):
    first = _drawn(judgments, tmp_path / "first.jsonl", "--number", 50)
    more = _drawn(
        judgments, tmp_path / "more.jsonl", "--number", 50, "--without", tmp_path / "first.jsonl"
    )
    assert len(more) > 40
    assert not {one["id"] for one in first} & {one["id"] for one in more}


def test_nor_are_their_near_duplicates(judgments, tmp_path):
    first = _drawn(judgments, tmp_path / "first.jsonl", "--number", 12)
    copies = [{**one, "id": f"copy-{one['id']}", "text": one["text"] + " 끝."} for one in first]
    both = tmp_path / "both.jsonl"
    written = (json.dumps(one, ensure_ascii=False) + "\n" for one in copies)
    both.write_text(judgments.read_text("utf-8") + "".join(written), "utf-8")
    more = _drawn(
        both, tmp_path / "more.jsonl", "--number", 200, "--without", tmp_path / "first.jsonl"
    )
    assert len(more) > 20
    long = {one["id"] for one in first if len(one["text"]) > 60}
    assert long and not {f"copy-{id_}" for id_ in long} & {one["id"] for one in more}


def test_longer_ones_are_left_out(judgments, tmp_path):
    found = _drawn(judgments, tmp_path / "out.jsonl", "--longest", 40)
    assert found and max(len(one["text"]) for one in found) <= 40


def test_a_line_that_is_no_judgment_is_named(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "1", "kind": "민사", "text": "주문"}\n{"id": "2"}\n', "utf-8")
    done = _run(path, "--output", tmp_path / "out.jsonl")
    assert done.returncode == 1
    assert "bad.jsonl:2:" in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
