"""What follows an edit of the labels, step by step: a row an edit, a column a step downstream.

Each row begins with a fresh ``thunder taxonomy init`` and edits by command, or by hand as an editor
of text files would. Then the same four things are done with the judgment below and the tagger that
ships, which has learnt none of the edits:

- *masked*: what ``thunder deid`` writes, and what it calls the hospital;
- *called*: what ``annotation placeholders`` calls the hospital that a court has masked;
- *read*: what a judgment says that was annotated before the edit, when a dataset is built;
- *tagger*: which labels it has not learnt, and whether its scores are what they were.

A name that was found before the edit is found after it. Then what was stored before the edit: a
dataset of invented judgments, built and trained on under the labels that shipped, and a run that
was stopped in the middle. After each edit

- *stored*: the dataset is opened, and calls the hospital's marks so;
- *evaluated*: ``thunder evaluate`` scores the rules on it;
- *resumed*: the run goes on to its end, or says why not and leaves all as it was.

And ``thunder taxonomy migrate`` says of each what it leaves, and changes nothing when done twice.
"""

import functools
import json
import shutil
import sys
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from thunder.commands.cli import app
from thunder.masking.deidentifier import Deidentifier
from thunder.settings import resources
from thunder.tagger import chosen_tagger
from thunder.tagger.thresholds import Thresholds, at_present
from thunder.taxonomy import load, own
from thunder.training.finetuning import run
from thunder.training.finetuning.running import _Running
from thunder.training_data.annotation import parse
from thunder.training_data.datasets import building
from thunder.training_data.datasets.dataset import Dataset
from thunder.training_data.datasets.preparing import Options
from thunder.training_data.datasets.recipe import Recipe
from thunder.training_data.filling import IGNORED
from thunder.training_data.placeholders.annotating import annotate

from ..training.finetuning.conftest import smoke

pytestmark = pytest.mark.usefixtures("folders_alone")

SAID = "피고인 김도윤은 서울 강남구에 있는 한빛병원에서 피해자 이서연을 만났다."
MASKED = "피고인 A은 서울 강남구에 있는 B병원에서 피해자 C을 만났다."
READABLE = "피고인 A은 서울 강남구에 있는 한빛병원에서 피해자 B을 만났다."
BY_COURT = "피고인 A은 2021. 3. 2. B병원에서 치료를 받았다."
STORED = "피고인은 <<<병원>>>B<<</병원>>>병원에 갔다."
TOKENIZER = str(resources.folder("tokenizer") / "32k")
FILE = "labels/D.2.6-institutions-and-facilities.yaml"


class Edit(NamedTuple):
    """One edit of the label 병원 (id 291): the command, or the words replaced by hand."""

    what: str
    command: tuple[str, ...] = ()
    by_hand: tuple[str, str] = ()
    masked: str = MASKED
    called: str = "병원"
    kept_as: str = ""
    read: str = "병원"
    stored: str = "병원"
    resumed: bool = True
    unlearnt: tuple[str, ...] = ()


EDITS = [
    Edit("nothing is edited"),
    Edit(
        "a label is added: nothing that finds mentions knows it yet",
        ("add", "동물병원이름", "--en", "animal hospital", "--category", "의료기관"),
        unlearnt=("동물병원이름",),
        resumed=False,
    ),
    Edit(
        "renamed: found as ever, called by the new name; old annotations say the same",
        ("rename", "병원", "의료원이름"),
        called="의료원이름",
        read="의료원이름",
        stored="의료원이름",
    ),
    Edit(
        "renamed with set: the same",
        ("set", "병원", "ko", "의료원이름"),
        called="의료원이름",
        read="의료원이름",
        stored="의료원이름",
    ),
    Edit(
        "merged: found as ever, called as the label that took it over",
        ("merge", "병원", "요양병원"),
        called="요양병원",
        read="요양병원",
        stored="요양병원",
    ),
    Edit(
        "split: the first label keeps what is found, nobody finds the other yet",
        ("split", "병원", "병원", "치과이름=dental clinic"),
        unlearnt=("치과이름",),
        resumed=False,
    ),
    Edit(
        "moved to another category: found, called and read as ever",
        ("move", "병원", "--category", "교육기관"),
    ),
    Edit("translated: as ever", ("set", "병원", "en", "infirmary")),
    Edit(
        "an alias more: as ever",
        ("set", "병원", "aliases", "진료소이름"),
    ),
    Edit(
        "to be kept: found as ever, and left readable with the editor's reason",
        by_hand=("treatment: letter", "treatment: keep\n        reason: 시험으로 공개"),
        masked=READABLE,
        kept_as="시험으로 공개",
    ),
    Edit(
        "retired: found as ever and left readable; old annotations mark text without a label",
        ("retire", "병원", "--reason", "시험"),
        masked=READABLE,
        kept_as="폐지한 라벨",
        read="",
        stored=IGNORED,
    ),
    Edit(
        "translated by hand: as ever",
        by_hand=("en: hospital", "en: infirmary"),
    ),
]


@pytest.fixture
def edited(request, tmp_path):
    """Return the edit, made in a taxonomy of one's own, with which this process works."""
    edit, place = request.param, tmp_path / "own"
    _as_shipped()
    assert CliRunner().invoke(app, ["taxonomy", "init", str(place)]).exit_code == 0
    if edit.command:
        done = CliRunner().invoke(app, ["taxonomy", *edit.command, "--taxonomy", str(place)])
        assert done.exit_code == 0, done.output
    if edit.by_hand:
        path = place / FILE
        head, at, tail = path.read_text(encoding="utf-8").partition("id: 291\n")
        path.write_text(head + at + tail.replace(*edit.by_hand, 1), encoding="utf-8")
    resources._own[:], resources._read[:] = [], []
    _forget()
    resources.choose_taxonomy(place)
    yield edit
    resources._own[:], resources._read[:] = [], []
    _forget()


@pytest.mark.parametrize("edited", EDITS, ids=[one.what for one in EDITS], indirect=True)
def test_what_follows(edited):
    act = Deidentifier()
    result = act.deidentify(SAID)
    hospital = [one for one in result.changes if SAID[one.span.start : one.span.end] == "한빛"]
    kept = [one for one in result.kept if SAID[one.span.start :].startswith("한빛")]
    assert result.text == edited.masked
    assert [one.span.label for one in hospital] == ([] if edited.kept_as else [edited.called])
    assert [one.reason for one in kept] == ([edited.kept_as] if edited.kept_as else [])
    assert [one["label"] for one in act.audit(result)["changes"]].count(edited.called) == len(
        hospital
    )
    assert annotate(BY_COURT, id="1").spans[-1].label == edited.called
    (mark,) = parse(STORED, taxonomy=load()).spans
    label = load().resolve(mark.label)
    assert (label.ko if label else "") == edited.read
    tagger = act.load()
    assert tagger.unlearnt == edited.unlearnt
    assert tagger.tag(SAID) == _as_shipped()


@functools.cache
def _as_shipped():
    """Return what the tagger that ships says of the judgment under the labels that shipped."""
    assert resources.own_taxonomy() is None or pytest.fail("to be asked before an edit")
    return chosen_tagger.default().tag(SAID)


def _forget():
    """Forget what this process has read: outside tests one works with one taxonomy."""
    chosen_tagger.forget()
    own.forget()
    for name, module in list(sys.modules.items()):
        if name.startswith(("thunder.names.", "thunder.taxonomy.p", "thunder.mentions.")):
            for one in vars(module).values():
                if hasattr(one, "cache_clear") and not isinstance(one, type):
                    one.cache_clear()


# --- what was stored before the edit --------------------------------------------------------------


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """Return the folder of a dataset of the labels that shipped, and of a run stopped on it."""
    _as_shipped()
    folder = tmp_path_factory.mktemp("before")
    rows = [
        {"id": f"{number:03}", "case_type": "형사", "text": _judgment(number)}
        for number in range(40)
    ]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "annotated.jsonl").write_text("".join(lines), encoding="utf-8")
    recipe = Recipe(resources.folder("tokenizer") / "32k", replacement="single")
    building.build(
        [folder / "annotated.jsonl"], folder / "dataset", recipe, Options(near_duplicates=0)
    )
    settings = smoke(folder / "dataset", folder / "run", *_SHORT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Running, "_after", _stop_after_one)
        with pytest.raises(_Stopped):
            run(settings, say=lambda line: None, device="cpu")
    return folder


_SLOW = pytest.mark.slow
_SHORT = ("schedule.epochs=1", "checkpoints.every=1", "development.every=1")


def _judgment(number):
    return (
        f"피고인 <<<내국인이름>>>A<<</내국인이름>>>은 2021. 3. {number % 28 + 1}. "
        f"<<<병원>>>B<<</병원>>>병원에서 피해자 <<<내국인이름>>>C<<</내국인이름>>>을 만났다."
    )


class _Stopped(Exception):
    """What ends a run in the middle."""


def _stop_after_one(self, step, *, last):
    self._save()
    raise _Stopped


_OFTEN = ("add", "rename", "merge")
"""What is run every time; the others are slow."""


@pytest.mark.parametrize(
    "edited",
    [
        pytest.param(
            one, id=one.what, marks=() if one.command[:1] and one.command[0] in _OFTEN else _SLOW
        )
        for one in EDITS
    ],
    indirect=True,
)
def test_what_follows_for_what_was_stored(edited, before, tmp_path):
    place, folder = resources.taxonomy(), tmp_path / "before"
    shutil.copytree(before, folder)
    dataset = Dataset.open(folder / "dataset", taxonomy=place)
    assert {span.label for one in dataset.part("test").judgments() for span in one.spans} == {
        "내국인이름",
        edited.stored,
    }
    command = ["evaluate", str(folder / "dataset"), "rules", "--taxonomy", str(place)]
    done = CliRunner().invoke(app, [*command, "--bootstrap", "0"])
    assert done.exit_code == 0, done.output

    kept = _contents(folder)
    settings = smoke(folder / "dataset", folder / "run", *_SHORT, f"data.taxonomy={place}")
    said = []
    if edited.resumed:
        result = run(settings, say=said.append, device="cpu")
        assert any("going on from" in line for line in said) and result.best, said
    else:
        with pytest.raises(ValueError, match="a run goes on with the labels it began with"):
            run(settings, say=said.append, device="cpu")
        assert _contents(folder) == kept


@pytest.mark.parametrize("edited", EDITS, ids=[one.what for one in EDITS], indirect=True)
def test_migrate_carries_what_it_can_and_says_what_it_leaves(edited, before, tmp_path):
    folder = tmp_path / "all"
    shutil.copytree(before, folder)
    shutil.copytree(resources.folder("finetune") / "taggers" / "mini-free", folder / "tagger")
    kept = _contents(folder)
    command = ["taxonomy", "migrate", str(folder), "--taxonomy", str(resources.taxonomy())]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    for what in ("모델은 그대로 둡니다", "데이터셋은 그대로 둡니다", "중간 저장은 그대로 둡니다"):
        assert what in done.output
    now = _contents(folder)
    assert [name for name in now if now[name] != kept[name]] == (
        ["annotated.jsonl"] if edited.read not in ("병원", "") else []
    )
    spans = parse(json.loads((folder / "annotated.jsonl").read_text().split("\n")[0])["text"]).spans
    assert spans[1].label == (edited.read or "병원")
    assert CliRunner().invoke(app, command).exit_code == 0
    assert _contents(folder) == now


def _contents(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


# --- what is refused, before anything was changed -------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ("add", "새이름", "--en", "new name", "--category", "의료기관"),
        ("rename", "병원", "의료원이름"),
        ("merge", "병원", "요양병원"),
        ("split", "병원", "병원", "치과이름=dental clinic"),
        ("move", "병원", "--category", "교육기관"),
        ("retire", "온천", "--reason", "시험"),
        ("set", "병원", "en", "infirmary"),
    ],
    ids=lambda one: one[0],
)
def test_the_shipped_taxonomy_is_never_edited(command, monkeypatch):
    shipped = resources.folder("taxonomy")
    done = CliRunner().invoke(app, ["taxonomy", *command])
    assert (done.exit_code, "thunder taxonomy init FOLDER" in done.output) == (1, True)
    monkeypatch.setattr(resources, "is_installed", lambda place: True)
    done = CliRunner().invoke(app, ["taxonomy", *command, "--taxonomy", str(shipped)])
    assert (done.exit_code, "thunder taxonomy init FOLDER" in done.output) == (1, True)


def test_a_folder_that_holds_something_does_not_become_a_taxonomy(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(app, ["taxonomy", "init", str(tmp_path)])
    assert (done.exit_code, [one.name for one in tmp_path.iterdir()]) == (1, ["mine.txt"])


@pytest.mark.parametrize("name", ["../x", "labels/a.yaml", "policy/../labels", "policy/none.yaml"])
def test_what_cannot_be_taken_is_refused_before_anything_is_written(name, tmp_path):
    done = CliRunner().invoke(app, ["taxonomy", "init", str(tmp_path / "own"), "--take", name])
    assert (done.exit_code, list(tmp_path.iterdir())) == (1, [])


def test_thresholds_go_with_their_labels():
    """What the tagger's file calls a label by its old names holds for it as it is called now."""
    nodes = {"": 0.5, "direct/D.1.1/내국인이름/내국인이름": 0.2, "quasi/D.2.6/어디든/병원": 0.3}
    now = at_present(nodes, load(), ())
    hospital = load().label("병원")
    assert Thresholds(now).of(hospital) == 0.3
    assert set(now) == {*list(nodes)[:2], f"quasi/D.2.6/{hospital.category}/병원"}


# --- what the screen says to an editor ------------------------------------------------------------


def _own(tmp_path, *more):
    place = tmp_path / "own"
    assert _said("init", place, *more)[0] == 0
    return place


def _said(*arguments):
    done = CliRunner().invoke(app, ["taxonomy", *map(str, arguments)])
    return done.exit_code, done.output.splitlines()


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("ko: 병원", 'ko: "병원', ":{line+1}: YAML 문법에 맞지 않습니다: 따옴표를 열고"),
        ("ko: 병원", "ko 병원", ":{line+1}: YAML 문법에 맞지 않습니다: '키: 값' 꼴이"),
        ("id: 291", "id: 290", ":{line+0}: id 290을 두 번 적었습니다. 처음 적은 곳: "),
        ("id: 291", "id: 29l", ":{line+0}: 자연수가 와야 하는데 '29l'입니다"),
        ("treatment: letter", "treatment: leter", ":{line+4}: 모르는 값 'leter'입니다"),
        ("en: hospitals", "eng: hospitals", ":{line+2}: 모르는 키 'eng'입니다. 'en'(으)로"),
        ("        en: hospitals\n", "", ":{line+0}: 키 'en'가 없습니다. 적어 넣으십시오"),
        ("    labels:\n", "    label:\n", ": 모르는 키 'label'입니다. 'labels'(으)로"),
    ],
    ids=["quote", "colon", "id", "number", "value", "key", "no key", "heading"],
)
def test_a_slip_is_said_with_file_line_and_cure(was, now, told, tmp_path):
    path = _own(tmp_path) / FILE
    head, at, tail = path.read_text(encoding="utf-8").partition("      - id: 291\n")
    text = head + (at + tail).replace(was, now, 1)
    path.write_text(text, encoding="utf-8")
    line = head.count("\n") + 1
    code, said = _said("check", tmp_path / "own")
    for more in range(5):
        told = told.replace(f"{{line+{more}}}", str(line + more))
    assert (code, len(said)) == (1, 2), said  # one fault, one message; and how many there are
    assert said[0].startswith(str(path)) and told in said[0], said


def test_a_rename_by_hand_is_caught_from_the_first_day_on(tmp_path):
    path = _own(tmp_path) / FILE
    path.write_text(path.read_text().replace("ko: 병원\n", "ko: 의료원이름\n"), encoding="utf-8")
    line = path.read_text().splitlines().index("        ko: 의료원이름")
    for command in (("check",), ("rename", "약국", "약방"), ("migrate", tmp_path / "own")):
        code, said = _said(*command, "--taxonomy", tmp_path / "own")
        assert code == 1
        assert said[0].startswith(f"{path}:{line}: 손으로 바꾼 라벨입니다: 병원 → 의료원이름.")
    assert said[-1] == "바뀐 것이 없습니다."


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("ko: 병원\n", "ko: 의료원이름\n", "병원 → 의료원이름"),
        ("ko: 동물병원이름\n", "ko: 동물의원이름\n", "동물병원이름 → 동물의원이름"),
    ],
)
def test_a_rename_by_hand_after_edits_is_said_at_its_label(was, now, told, tmp_path):
    place = _own(tmp_path)
    add = ("add", "동물병원이름", "--en", "animal hospital", "--category", "의료기관")
    assert _said(*add, "--taxonomy", place)[0] == 0
    path = place / FILE
    path.write_text(path.read_text().replace(was, now), encoding="utf-8")
    line = path.read_text().splitlines().index(f"        {now.strip()}")
    code, said = _said("check", place)
    assert (code, len(said)) == (1, 2)
    assert said[0].startswith(f"{path}:{line}: 손으로 바꾼 라벨입니다: {told}.")


def test_what_is_refused_changes_nothing_and_says_so(tmp_path):
    place = _own(tmp_path)
    kept = _contents(place)
    for command in (
        ("rename", "병원", "약국"),
        ("merge", "병원", "나이"),
        ("set", "병원", "treatment", "leter"),
        ("set", "없는라벨", "en", "none"),
        ("add", "병원", "--en", "hospital", "--category", "의료기관"),
        ("retire", "없는라벨", "--reason", "시험"),
        ("move", "병원", "--category", "없는분류"),
        ("split", "병원", "병원", "치과"),
    ):
        code, said = _said(*command, "--taxonomy", place)
        assert (code, said[-1]) == (1, "바뀐 것이 없습니다."), said
    assert _contents(place) == kept


@pytest.mark.parametrize(
    "command", [("rename", "병원", "의료원이름"), ("set", "병원", "ko", "의료원이름")]
)
def test_lists_of_ones_own_follow_a_rename(command, tmp_path):
    place = _own(tmp_path, "--take", "replacement_lists/D.2.6-institutions-and-facilities/의료기관")
    lists = place / "replacement_lists/D.2.6-institutions-and-facilities/의료기관"
    before = {path.stem for path in lists.iterdir()}
    assert _said(*command, "--taxonomy", place)[0] == 0
    assert {path.stem for path in lists.iterdir()} == before - {"병원"} | {"의료원이름"}


def test_a_comment_moves_with_its_label_and_a_dry_run_shows_the_difference(tmp_path):
    place = _own(tmp_path)
    path = place / FILE
    note = "      # 의원은 따로 둔다\n"
    path.write_text(
        path.read_text().replace("      - id: 291\n", f"{note}      - id: 291\n"), encoding="utf-8"
    )
    move = ("move", "병원", "--category", "교육기관", "--taxonomy", place)
    code, said = _said(*move, "--dry-run")
    assert (code, len(said) < 50, "-      - id: 291" in said) == (0, True, True)
    assert _said(*move)[0] == 0
    head, _, tail = path.read_text().partition(note)
    assert tail.startswith("      - id: 291\n") and "ko: 교육기관" in head


def test_a_dataset_is_built_with_labels_of_ones_own(tmp_path):
    """A renamed and a moved label keep the shipped list; one that was added has none yet."""
    place = _own(tmp_path)
    for command in (
        ("rename", "병원", "의료원이름"),
        ("move", "약국", "--category", "교육기관"),
        ("add", "동물병원이름", "--en", "animal hospital", "--category", "의료기관"),
    ):
        assert _said(*command, "--taxonomy", place)[0] == 0
    marked = "".join(f"<<<{name}>>>B<<</{name}>>>에 갔다. " for name in ("의료원이름", "약국"))
    rows = [{"id": str(n), "case_type": "형사", "text": f"{n} {marked}"} for n in range(12)]
    rows.append({"id": "new", "case_type": "형사", "text": marked.replace("약국", "동물병원이름")})
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "annotated.jsonl").write_text("".join(lines), encoding="utf-8")
    recipe = Recipe(resources.folder("tokenizer") / "32k", taxonomy=place)
    options = Options(near_duplicates=0)
    building.build([tmp_path / "annotated.jsonl"], tmp_path / "dataset", recipe, options)
    dataset = Dataset.open(tmp_path / "dataset", taxonomy=place)
    example = next(dataset.part("train").epoch(0))
    assert {span.label for span in example.spans} >= {"의료원이름", "약국"}
    (left,) = dataset.manifest.left_out
    assert left.id == "new" and "동물병원이름" in str(left)


def test_set_says_what_was_and_which_aliases_are_lost_and_can_be_shown_only(tmp_path):
    place = _own(tmp_path)
    kept = _contents(place)
    path = place / "labels/D.2.2-numbers.yaml"
    alias = ("set", "계좌번호", "aliases", "통장번호이름", "--taxonomy", place)
    code, said = _said(*alias, "--dry-run")
    assert (code, _contents(place)) == (0, kept)
    assert "-        aliases: [은행계좌, 계좌]" in said
    assert said[-2].endswith(
        "aliases = 통장번호이름 (앞: 은행계좌, 계좌). 미리보기이며 바꾸지 않았습니다."
    )
    code, said = _said(*alias)
    assert code == 0 and said[0] == f"{path}: 계좌번호: aliases = 통장번호이름 (앞: 은행계좌, 계좌)"
    assert said[1].startswith("알림: 이제 별칭이 아닌 이름: 은행계좌, 계좌.")
    assert said[1].endswith('aliases "은행계좌, 계좌, 통장번호이름"')


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("verify", "none"), "none/manifest.json: 없습니다. none 폴더가 없습니다"),
        (
            ("frame", "half", "--output", "x.csv"),
            "만들기가 끝나지 않았습니다. 같은 'thunder dataset",
        ),
        (
            ("verify", "broken"),
            "broken/manifest.json: 상했습니다(JSONDecodeError). 데이터셋을 다시",
        ),
        (("build", "a.jsonl", "--output", "d", "--tokenizer", "none"), "none: 토크나이저의 폴더가"),
        (("build", "a.jsonl", "--output", "a.jsonl", "--tokenizer", TOKENIZER), "파일입니다. 만들"),
        (("build", "a.jsonl", "--output", "half", "--tokenizer", TOKENIZER), "쓸 수 있는 것이 없"),
        (("fill", "a.jsonl", "--output", "f.jsonl"), "0, 1, 2 … 판결 4건: 분류 체계에 없는 라벨"),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_datasets_refuse_in_korean_with_the_cure(command, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"{n}", "case_type": "형사", "text": "<<<없는것>>>A<<</없는것>>>"} for n in range(4)
    ]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    for folder, name, content in (
        ("half", "building.json", "{}"),
        ("broken", "manifest.json", "{"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content, encoding="utf-8")
    done = CliRunner().invoke(app, ["dataset", *command])
    assert done.exit_code == 1 and told in done.output, done.output


def test_a_taxonomy_that_is_not_there_is_said_in_korean(tmp_path):
    command = ["patterns", "check", "--taxonomy", str(tmp_path / "none")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2 and "여기에 분류 체계가 없습니다" in done.output, done.output
