"""A pool of seeds: from the training part alone, one of near duplicates, grown to both kinds."""

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from thunder import taxonomy
from thunder.settings.config import ConfigError, parse
from thunder.training.synthesis import pools, running
from thunder.training.synthesis.settings import Run
from thunder.training_data.annotation import parse as read
from thunder.training_data.datasets import splits

from .stand_in import StandIn, chat
from .written import mark

PAGE = Path(__file__).resolve().parents[3] / "docs/how-to/synthesize.md"
SHOP, CAFE = mark("치킨집", "A"), mark("커피숍", "B")
DOCUMENTS = {
    "train-1": f"피고인은 {SHOP}치킨에서 종업원으로 일하던 사람이다. 다른 문장은 표시가 없다.\n"
    f"그는 {CAFE}커피 앞에서 피해자를 기다렸다가 돈을 건네받았다.",
    "train-2": f"피고인은 {SHOP}치킨에서 종업원으로 일하던 사람이다.",
    "train-3": f"피해자는 {mark('커피숍', 'A')}커피에서 피고인을 만나 서류를 주고받았다.",
    "test-1": f"피고인은 술에 취하여 {SHOP}치킨의 유리창을 깨뜨리고 달아났다.",
}


@pytest.fixture
def files(tmp_path):
    lines = [{"id": name, "text": text} for name, text in DOCUMENTS.items()]
    (tmp_path / "seeds.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    rows = [splits.Row(name, "형사", name.partition("-")[0], name) for name in DOCUMENTS]
    (tmp_path / "splits.tsv").write_bytes(splits.write(rows))
    return tmp_path


def run_of(folder, url="http://127.0.0.1:9/v1", server="", pool="", number=4):
    text = (
        f'output = "{folder}/made"\n[server]\nurl = "{url}"\nstructured = "none"\n{server}\n'
        f'[pool]\nlabel = "치킨집"\nseeds = ["{folder}/seeds.jsonl"]\n'
        f'splits = "{folder}/splits.tsv"\nnumber = {number}\ntries = 1\n{pool}\n'
    )
    return parse(text, Run, origin="run.toml")


def drawn(folder, pool=""):
    return pools.seeds(run_of(folder, pool=pool).pool, taxonomy=taxonomy.load(), rng=Random(1))


def test_seeds_are_of_the_training_part_and_no_near_duplicates(files):
    found = drawn(files)
    assert found.holding == (f"피고인은 {SHOP}치킨에서 종업원으로 일하던 사람이다.",)
    assert all("치킨집" not in one and "<<<카페>>>" in one for one in found.others)
    assert found.length() == len("피고인은 A치킨에서 종업원으로 일하던 사람이다.")


def test_a_pool_of_none_needs_no_seeds(files):
    assert drawn(files, "size = 0") == pools.Seeds((), ())


def test_a_document_of_no_part_is_refused(files):
    (files / "splits.tsv").write_bytes(splits.write([]))
    with pytest.raises(ValueError, match="train-1 is in no part"):
        drawn(files)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"갑은 {SHOP}에서 밤늦게까지 그릇을 닦았다. 을은 {CAFE}에서 하루 종일 그를 기다렸다.", 2),
        ("표시가 하나도 없는 문장은 씨앗이 되지 않는다.", 0),
        (f"갑은 {mark('치킨집', '○○')}에서 오랫동안 종업원으로 일하였다.", 0),
        (f"갑은 {SHOP}", 0),
    ],
)
def test_seeds_are_sentences_with_placeholders(text, expected):
    assert len(list(pools.sentences(read(text)))) == expected


HOLDING = [
    f"배달을 마친 그는 {mark('치킨집', 'C')}치킨 주방 뒷문으로 몰래 들어가 금고를 열었다.",
    f"사건 당일 밤 {mark('치킨집', 'D')}통닭 주인은 손님과 말다툼을 벌이다 경찰에 신고하였다.",
]
OTHERS = [
    f"약속을 잡으려 {mark('카페', 'E')}커피 창가에 앉은 노인은 통장을 내밀었다.",
    f"계산이 끝나자 {mark('카페', 'F')}커피 직원이 이상하게 여겨 확인 전화를 걸었다.",
]


def answering(body):
    said = body["messages"][-1]["content"]
    kind = HOLDING if "꼭 있어야" in said else OTHERS
    return kind[0] if kind[0] not in given else kind[1]


given: list[str] = []


def test_a_pool_grows_to_both_kinds(files):
    given.clear()

    def answer(body):
        text = answering(body)
        given.append(text)
        return 200, chat({"text": text})

    with StandIn(answer) as stand_in:
        report = running.run(run_of(files, stand_in.url, server="parallel = 1"))
        said = [body["messages"][-1]["content"] for body in stand_in.asked]
    assert report.texts == Counter({"치킨집": 4}), report.dropped
    assert all("유리창" not in one for one in said)  # a seed of the test part
    assert all(f"{SHOP}치킨에서 종업원으로" in one for one in said)
    made = (files / "made" / "filled.jsonl").read_text("utf-8").splitlines()
    labels = [[one["label"] for one in json.loads(line)["entities"]] for line in made]
    rows = splits.read(files / "made" / "splits.tsv")
    assert Counter(row.part for row in rows) == Counter(train=7, test=1)
    assert labels == [["치킨집"], ["카페"], ["치킨집"], ["카페"]]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (f"피고인은 {SHOP}치킨에서 종업원으로 일하던 사람이다.", "near a seed"),
        (f"약속을 잡으려 {mark('카페', 'E')}커피 창가에 앉은 노인은 통장을 내밀었다.", "wanted"),
        (f"그는 {SHOP}치킨에서 나왔다. 피고인 김도윤은 자백하였다.", "outside"),
    ],
)
def test_what_is_no_new_sentence_is_dropped(files, wrong, reason):
    with StandIn(lambda body: (200, chat({"text": wrong}))) as stand_in:
        report = running.run(run_of(files, stand_in.url, number=1))
    assert [reason in reasons for reasons in report.dropped.values()] == [True]
    assert not report.texts


def test_real_seeds_do_not_leave_the_house(files):
    with pytest.raises(ConfigError, match="real judgments are not"):
        running.run(run_of(files, server="allow_public = true"))


def test_a_pool_needs_seeds_or_says_that_it_has_none():
    with pytest.raises(ConfigError, match="'seeds' names a file, or size is 0"):
        parse('output = "x"\n[pool]\nlabel = "치킨집"\n', Run, origin="run.toml")


@pytest.mark.skipif(not PAGE.is_file(), reason="needs a checkout with docs")
def test_the_run_files_of_the_docs_are_run_files():
    found = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    runs = [parse(text, Run, origin="synthesize.md") for text in found]
    assert [bool(run.pool) for run in runs] == [False, True]
    for run in runs:
        running._require_known(run, offline=False)
