"""A whole run against a stand-in server: stopped, gone on, dropped, filled."""

import json
from collections import Counter

import pytest

from thunder.settings.config import ConfigError, parse
from thunder.text.spans import Span
from thunder.training.synthesis import kept, running, tables
from thunder.training.synthesis.server import ServerError
from thunder.training.synthesis.settings import Run
from thunder.training_data.annotation import parse as read

from .stand_in import StandIn, chat, step_of
from .written import DRAFT, FIRST, LAST, PERSONA, SECOND, mark

pytestmark = pytest.mark.usefixtures("english")

RUN = """
output = "{output}"
[server]
url = "{url}"
attempts = 2
structured = "{structured}"
[texts]
domains = ["탄원서·진술서"]
labels = ["내국인이름", "은행", "병원"]
wanted = 1
number = 1
rounds = 2
distractors = ["판사", "검사"]
"""


def settings(folder, url, structured="json_schema", more=""):
    text = RUN.format(output=folder / "made", url=url, structured=structured) + more
    return parse(text, Run, origin="run.toml")


def rightly(body):
    """Return what a good model answers: the insertion that goes one step further."""
    step, said = step_of(body), body["messages"][-1]["content"]
    text = {
        "draft": DRAFT,
        "distract": LAST,
        "insert": SECOND if "<<<내국인이름>>>A" in said else FIRST,
    }
    return chat(PERSONA if step == "persona" else {"text": text[step]})


@pytest.fixture(autouse=True)
def one_label_a_round(monkeypatch):
    """The hand-written answers have these labels, in this order."""
    rounds = {1: ["내국인이름"], 2: ["은행"]}
    monkeypatch.setattr(running._Work, "_wanted", lambda self, item, number: rounds[number])


def rows(folder, name):
    return [json.loads(line) for line in (folder / "made" / name).read_text("utf-8").splitlines()]


def test_answers_by_a_good_model_become_a_text(tmp_path):
    with StandIn(lambda body: (200, rightly(body))) as stand_in:
        report = running.run(settings(tmp_path, stand_in.url))
        steps = [step_of(body) for body in stand_in.asked]
    assert steps == ["persona", "draft", "insert", "insert", "distract"]
    assert stand_in.asked[0]["response_format"]["type"] == "json_schema"
    assert (report.texts, report.dropped) == (Counter({"탄원서·진술서": 1}), {})
    assert report.density == {"insert-1": 2.0, "insert-2": 4.0, "distract": 6.0}
    assert report.survival == {"insert-2": 1.0, "distract": 1.0}
    assert report.tokens == {"prompt_tokens": 55, "answer_tokens": 35}

    [marked], [filled] = rows(tmp_path, "texts.jsonl"), rows(tmp_path, "filled.jsonl")
    annotated = read(marked["text"])
    assert [(span.label, annotated.text[span.start : span.end]) for span in annotated.spans] == [
        ("내국인이름", "A"), ("은행", "C"), ("내국인이름", "B"), ("병원", "D"),
    ]  # fmt: skip
    for row, text in ((marked, annotated.text), (filled, filled["text"])):
        names = [text[one["start"] : one["end"]] for one in row["kept"]]
        assert [one["kind"] for one in row["kept"]] == ["판사", "검사"]
        assert all(2 <= len(name) <= 5 and name in text for name in names)
    labels = [one["label"] for one in filled["entities"]]
    assert labels == ["내국인이름", "은행", "내국인이름", "병원"]
    surfaces = [filled["text"][one["start"] : one["end"]] for one in filled["entities"]]
    assert not set(surfaces) & {"A", "B", "C", "D"}
    assert "<<<" not in filled["text"]


def test_what_was_answered_is_not_asked_again(tmp_path):
    broken = []

    def answer(body):
        if step_of(body) == "insert" and not broken:
            broken.append(True)
            return 400, {"error": {"type": "bad_request"}}
        return 200, rightly(body)

    with StandIn(answer) as stand_in:
        chosen = settings(tmp_path, stand_in.url)
        with pytest.raises(ServerError, match="bad_request"):
            running.run(chosen)
        ledger = tmp_path / "made" / "ledger.jsonl"
        assert [json.loads(line)["step"] for line in ledger.read_bytes().splitlines()] == [
            "persona",
            "draft",
        ]
        with ledger.open("ab") as file:  # killed in the middle of a line
            file.write(b'{"key": "ab')
        report = running.run(chosen)
        again = running.run(chosen)
        asked = Counter(step_of(body) for body in stand_in.asked)
    assert asked == Counter(persona=1, draft=1, insert=3, distract=1)
    assert report == again and report.texts.total() == 1


@pytest.mark.parametrize(
    ("step", "wrong", "reason"),
    [
        ("persona", chat("그런 사람은 모릅니다."), "no json"),
        ("draft", chat({"text": DRAFT}, finish="length"), "cut off"),
        ("draft", chat({"text": DRAFT + " 피고인 김도윤은 갔다."}), "outside"),
        ("insert", chat({"text": FIRST.replace("<<</내국인이름>>>", "", 1)}), "marks"),
        ("insert", chat({"text": DRAFT + mark("치킨집", "A")}), "label"),
        ("insert", chat({"text": SECOND.replace(mark("내국인이름", "A"), "나")}), "lost"),
        ("distract", chat({"text": SECOND}), "wanted"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_dropped_counted_and_asked_anew(tmp_path, step, wrong, reason):
    left = {"lost": [False, True]}.get(reason, [True])  # marks are lost in the second round alone

    def answer(body):
        if step_of(body) == step and left and left.pop(0):
            return 200, wrong
        return 200, rightly(body)

    with StandIn(answer) as stand_in:
        report = running.run(settings(tmp_path, stand_in.url))
    [dropped] = rows(tmp_path, "dropped.jsonl")
    assert (dropped["step"].partition("-")[0], dropped["reason"]) == (step, reason)
    assert report.dropped == {dropped["step"]: Counter({reason: 1})}
    assert report.texts.total() == 1
    if reason == "lost":
        assert report.survival["insert-2"] < 1


def test_nonsense_makes_nothing_and_is_all_counted(tmp_path):
    with StandIn(lambda body: (200, chat("ㅁㄴㅇㄹ" * 40))) as stand_in:
        report = running.run(settings(tmp_path, stand_in.url))
        assert len(stand_in.asked) == 3
    assert report.dropped == {"persona": Counter({"no json": 3})}
    assert report.given_up["persona"] == 1 and not report.texts
    assert rows(tmp_path, "texts.jsonl") == []


@pytest.mark.parametrize(
    ("knows", "found"),
    [({"json_schema"}, "json_schema"), ({"json_object"}, "json_object"), (set(), "none")],
)
def test_a_server_is_asked_once_what_it_can(tmp_path, knows, found):
    """One ignores the form, one refuses it (500), one holds to it."""

    def answer(body):
        form = body.get("response_format", {})
        if step_of(body) != "probe":
            return 200, rightly(body)
        if form["type"] not in knows:
            return (400, {}) if form["type"] == "json_schema" else (200, chat("아무 말"))
        schema = form.get("schema") or form["json_schema"]["schema"]
        return 200, chat({"word": schema["properties"]["word"]["enum"][0]})

    with StandIn(answer) as stand_in:
        report = running.run(settings(tmp_path, stand_in.url, structured="auto"))
        asked = len(stand_in.asked)
        assert running.run(settings(tmp_path, stand_in.url, structured="auto")) == report
        assert len(stand_in.asked) == asked
    assert (report.structured, report.texts.total()) == (found, 1)


def test_a_seed_that_is_copied_is_dropped(tmp_path):
    seeds = tmp_path / "seeds.jsonl"
    line = {"id": "1", "text": "앞. " + " ".join(SECOND.split()[40:52])}
    seeds.write_text(json.dumps(line, ensure_ascii=False), "utf-8")
    with StandIn(lambda body: (200, rightly(body))) as stand_in:
        chosen = settings(tmp_path, stand_in.url, more=f'[gates]\nunlike = ["{seeds}"]\n')
        report = running.run(chosen)
    assert report.dropped == {"gates": Counter({"copied": 1})}


def test_two_runs_do_not_write_one_ledger(tmp_path):
    from thunder.training.synthesis.ledger import Ledger

    with Ledger(tmp_path / "ledger.jsonl"), pytest.raises(ValueError, match="another run"):
        Ledger(tmp_path / "ledger.jsonl")


def test_a_damaged_line_of_the_ledger_is_named(tmp_path):
    from thunder.training.synthesis.ledger import Ledger

    (tmp_path / "ledger.jsonl").write_text('{"key": "a"}\nnonsense\n{"key": "b"}\n')
    with pytest.raises(ValueError, match=r"ledger.jsonl: line 2 is damaged"):
        Ledger(tmp_path / "ledger.jsonl")


def test_without_a_model_texts_of_every_kind_are_made(tmp_path):
    kinds = list(tables.domains())
    text = (
        f'output = "{tmp_path}/made"\n[texts]\ndomains = {kinds}\nlabels = ["은행"]\nwanted = 1\n'
    )
    report = running.run(parse(text + "number = 3\n", Run, origin="r"), offline=True)
    assert report.texts == Counter(dict.fromkeys(kinds, 3)) and report.requests == 0
    assert all(report.diversity[kind]["self_bleu"] < 0.5 for kind in kinds)
    for row in rows(tmp_path, "filled.jsonl"):
        assert row["entities"] and "<<<" not in row["text"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("탄원서·진술서", "소설", "unknown domain '소설'; known are 판결"),
        ("병원", "병원장님", "'병원장님' is no label"),
        ('"검사"', '"주지"', "unknown distractor '주지'"),
        ("rounds = 2", "rounds = 0", "'rounds' is 1 or more"),
        ("wanted = 1", "wanted = 9", "'wanted' is 1 to the number of labels"),
        ("attempts = 2", "retries = 2", "unknown key 'retries'"),
    ],
)
def test_a_run_file_says_what_is_wrong(tmp_path, old, new, said):
    text = RUN.format(output=tmp_path, url="http://127.0.0.1:9/v1", structured="auto")
    with pytest.raises(ConfigError, match=said):
        running.run(parse(text.replace(old, new), Run, origin="run.toml"))


# --- what stays readable --------------------------------------------------------------------------


def test_names_that_stay_agree_with_their_particles_and_are_one_a_placeholder():
    from random import Random

    judge = mark("유지:판사", "가")
    text = f"{judge}가 {mark('내국인이름', 'A')}를 {judge}로 보았다."
    annotated, readable = kept.named(read(text), Random(3))
    first, second = (annotated.text[one.start : one.end] for one in readable)
    assert first == second
    assert annotated.text.startswith((f"{first}이 A를", f"{first}가 A를"))
    assert annotated.spans == (Span(len(first) + 2, len(first) + 3, "내국인이름"),)
